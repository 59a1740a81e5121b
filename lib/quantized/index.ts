/**
 * The namespace `Quantized`: tensors of integers that stand for real numbers, with the arithmetic of embARC MLI.
 */
export { calibrate, formatForRange, type CalibrateOptions, type Chosen, type RangeOptions } from "./calibrate";
export { dequantize, fromIntegers, quantize, type DequantizeOptions } from "./create";
export {
  add,
  max,
  min,
  mul,
  sub,
  type Elementwise,
  type ElementwiseOptions,
  type ExtremeOptions,
  type RightQuantized,
} from "./elementwise";
export { fakeQuantize } from "./fake";
export type { Format, FormatOptions, FormatType, FxFormat, Sa8Format } from "./format";
export type { Rounding } from "./host";
export { inspect, Quantized } from "./quantized";
export type { Donated } from "./recipe";
export { QuantizedError, STATUS, type StatusCode } from "./status";
