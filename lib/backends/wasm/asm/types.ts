/**
 * Types of what functions of WebAssembly work with, as TypeScript sees them.
 */

export type ValueType = "i32" | "i64" | "f32" | "f64" | "v128";
export type Types = readonly ValueType[];

/** An argument or a local variable of the function that is being written. */
export interface Local<T extends ValueType = ValueType> {
  readonly type: T;
  readonly index: number;
}

declare const typeOf: unique symbol;

/** A value on the stack; there is one object for all of them, since the order of instructions says which is meant. */
export interface StackVar<T extends ValueType = ValueType> {
  readonly [typeOf]: T;
}

type ConstantOf<T extends ValueType> = T extends "i64" ? bigint : T extends "v128" ? never : number;

/** What an instruction takes in the place of a value: one that is on the stack already, a local or a constant. */
export type Input<T extends ValueType = ValueType> = StackVar<T> | Local<T> | ConstantOf<T>;

/** So many of a type; an array of any length where the number is not known. */
export type Tuple<T, N extends number, R extends readonly T[] = readonly []> = number extends N
  ? readonly T[]
  : R["length"] extends N
    ? R
    : Tuple<T, N, readonly [...R, T]>;

/** Operands as arguments: all of them, or none where all are on the stack. */
export type Operands<I extends Types> = [] | { [K in keyof I]: Input<I[K]> };

/** The result of an instruction or call: a value where there is exactly one result. */
export type Result<O extends Types> = O extends readonly [infer T extends ValueType] ? StackVar<T> : void;

/** A function that may be called. */
export interface Func<I extends Types = Types, O extends Types = Types> {
  readonly in: I;
  readonly out: O;
}

/** An open block, which branches name. */
export interface Label {
  /** How many blocks it is in. */
  readonly depth: number;
}

export const CODE_OF: { readonly [T in ValueType]: number } = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
};
