/**
 * Functions of tensors as a whole: products, order, joining, transforms.
 */
export { conv, type ConvOptions } from "./conv";
export { dot, outer, type AxisPairs, type DotOptions } from "./dot";
