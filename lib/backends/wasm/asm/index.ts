/** The assembler of WebAssembly modules. */
export { assemble, func, importFunc, type ImportedMemory, type ModuleParts } from "./module";
export { block, br, br_if, br_table, call, drop, if_, local, loop, return_, select, unreachable } from "./structured";
export { f32, f64, i32, i64, memory } from "./scalars";
export type { BlockType, Func, Input, Label, Local, StackVar, Types, ValueType } from "./types";
export { f32x4, f64x2, i16x8, i32x4, i64x2, i8x16, v128 } from "./vectors";
