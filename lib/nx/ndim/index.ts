/**
 * Functions of tensors as a whole: products, order, joining, transforms.
 */
export { conv, type ConvNames, type ConvOptions } from "./conv";
export { dot, matmul, outer, type AxisPairs, type DotOptions, type SharedAxes } from "./dot";
export { einsum } from "./einsum";
export { fft, fft2, ifft, ifft2, irfft, rfft, type Fft2Options, type FftLength, type FftOptions } from "./fft";
export { fftfreq, fftshift, ifftshift, rfftfreq, type FrequencyOptions, type ShiftOptions } from "./frequencies";
export { concatenate, stack, type ConcatenateOptions, type StackOptions } from "./join";
export { cross, kron, trace, type CrossOptions } from "./products";
export { split, unstack, type Parts, type SplitOptions } from "./split";
export { argsort, reverse, sort, topK, type ArgsortOptions, type SortOptions } from "./sort";
