/**
 * Functions about shapes.
 */
export { align, alignAs } from "./align";
export * from "./layout";
export { moveAxis, roll, swapAxes, type RollOptions } from "./move";
export * from "./pad";
export * from "./query";
export { rearrange } from "./rearrange";
export { repeat, type RepeatCount, type Repeated, type RepeatOptions } from "./repeat";
