/** The wasm backend of TensorFlow.js, which finds its modules beside this file. */
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";

setWasmPaths(new URL("./", import.meta.url).href);

export * from "@tensorflow/tfjs-backend-wasm";
