/**
 * Functions about shapes.
 */
export * from "./layout";
export { moveAxis, repeat, roll, swapAxes, type RepeatOptions, type RollOptions } from "./move";
export * from "./pad";
export * from "./query";
