/**
 * Reading and changing parts of tensors by position.
 */
export type { CoordinateOptions } from "./core";
export { gather, take, takeAlongAxis, type AlongOptions } from "./lookup";
export { putSlice, slice, sliceAlongAxis, type SliceAlongOptions } from "./slice";
export { indexedAdd, indexedPut } from "./update";
