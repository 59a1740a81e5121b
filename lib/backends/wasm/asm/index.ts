/** The assembler of WebAssembly modules: instructions, functions and modules of them, and what most functions here are made of. */
export { onward, range, repeat, whileTrue } from "./control";
export { copyOne, isSize, shuffleItems, splatItem, splatNumber, storeFirst, transposeItems, type Size } from "./items";
export {
  bytesOfVector,
  clear,
  freshHeld,
  LANES,
  loadVector,
  multiplyInto,
  relaxed,
  storeVector,
  type Held,
  type Lanes,
  type LaneType,
  type SumType,
} from "./lanes";
export { advance, define, push, setAddress, setMinimum, type Code, type Int, type Long, type Vector } from "./locals";
export { assemble, func, type ModuleParts } from "./module";
export { f32, f64, i32, i64, memory } from "./scalars";
export { block, br, br_if, call, drop, local, loop, return_, select, when } from "./structured";
export type { Func, Input, Label, Local, StackVar, Tuple, Types, ValueType } from "./types";
export { f32x4, f64x2, i16x8, i32x4, i64x2, i8x16, v128 } from "./vectors";
