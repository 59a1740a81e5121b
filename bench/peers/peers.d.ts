/** The peers are installed with the bench package only, so that what imports them is compiled without their types. */
declare module "@jax-js/jax";
declare module "@tensorflow/tfjs";
declare module "@tensorflow/tfjs-backend-wasm";
declare module "numpy-ts";
declare module "onnxruntime-web";
