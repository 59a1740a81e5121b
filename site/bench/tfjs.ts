/** TensorFlow.js as its runner knows it; the core has all that is measured, without layers and converters. */
import { version_core } from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-core/dist/register_all_gradients";

export * from "@tensorflow/tfjs-core";
export const version = { tfjs: version_core };
