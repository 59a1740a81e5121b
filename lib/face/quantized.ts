/** The namespace `Quantized` as users call it. */
import { entry } from "../core/entry";
import { composite } from "../nx/composite";
import * as quantized from "../quantized";

export type * from "../quantized";
export { Quantized, QuantizedError, STATUS } from "../quantized";

export const add = entry("Nx.Quantized.add", quantized.add);
export const calibrate = entry("Nx.Quantized.calibrate", quantized.calibrate);
export const dequantize = entry("Nx.Quantized.dequantize", quantized.dequantize);
const fakeQuantized = composite(quantized.fakeQuantize);
export const fakeQuantize = entry("Nx.Quantized.fakeQuantize", fakeQuantized);
export const formatForRange = entry("Nx.Quantized.formatForRange", quantized.formatForRange);
export const fromIntegers = entry("Nx.Quantized.fromIntegers", quantized.fromIntegers);
export const inspect = entry("Nx.Quantized.inspect", quantized.inspect);
export const max = entry("Nx.Quantized.max", quantized.max);
export const min = entry("Nx.Quantized.min", quantized.min);
export const mul = entry("Nx.Quantized.mul", quantized.mul);
export const quantize = entry("Nx.Quantized.quantize", quantized.quantize);
export const sub = entry("Nx.Quantized.sub", quantized.sub);
