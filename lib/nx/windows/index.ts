/**
 * Functions over windows of a tensor.
 */
export type { WindowOptions } from "./core";
export { windowReduce } from "./functions";
export type { Padding } from "./geometry";
export { windowMax, windowMean, windowMin, windowProduct, windowSum } from "./reductions";
export { windowScatterMax, windowScatterMin, type WindowScatterOptions } from "./scatter";
