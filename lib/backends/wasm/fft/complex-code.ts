/**
 * Pairs of complex numbers in code: 32 bytes in memory, a vector of two real parts and one of imaginary parts.
 */
import { f64x2, i32, local, v128 } from "../asm";
import type { Int, StackVar, Tuple, Vector } from "../asm";

/** Bytes of a pair of numbers. */
export const PAIR = 32;
export const IMAGINARY = 16;

export type Complex = readonly [re: Vector, im: Vector];
type Stacked = StackVar<"v128">;

export const put = (to: Vector, value: Stacked): void => local.set(to, value);
export const both = (value: number): Stacked => v128.const("f64x2", [value, value]);

export function load([re, im]: Complex, at: Int): void {
  put(re, v128.load({ align: 8 }, at));
  put(im, v128.load({ offset: IMAGINARY, align: 8 }, at));
}

export function store(at: Int, [re, im]: Complex): void {
  v128.store({ align: 8 }, at, re);
  v128.store({ offset: IMAGINARY, align: 8 }, at, im);
}

export const add = (to: Complex, a: Complex, b: Complex): void =>
  to.forEach((part, i) => put(part, f64x2.add(a[i]!, b[i]!)));
export const subtract = (to: Complex, a: Complex, b: Complex): void =>
  to.forEach((part, i) => put(part, f64x2.sub(a[i]!, b[i]!)));

/** `to = x * w`; `to` is not `x`. */
export function multiply([toRe, toIm]: Complex, [re, im]: Complex, [cos, sin]: Complex): void {
  put(toRe, f64x2.sub(f64x2.mul(re, cos), f64x2.mul(im, sin)));
  put(toIm, f64x2.add(f64x2.mul(re, sin), f64x2.mul(im, cos)));
}

/** Vectors for so many complex numbers in the function that is being written. */
export const complexes = <N extends number>(count: N): Tuple<Complex, N> =>
  Array.from({ length: count }, (): Complex => [local.fresh("v128"), local.fresh("v128")]) as unknown as Tuple<
    Complex,
    N
  >;

/** A root in both lanes; the address is changed and restored. */
export function loadRoot([cos, sin]: Complex, at: Int, imaginary: Int): void {
  put(cos, v128.load64_splat({}, at));
  put(sin, v128.load64_splat({}, i32.add(at, imaginary)));
}
