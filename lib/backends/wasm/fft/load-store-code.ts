/**
 * The ways into and out of transforms: elements of two lines, or two neighbours of one, become lanes of doubles; and results
 * are scaled, those that are small made zero, and rounded once.
 */
import { advance, define, f32x4, f64x2, i32, local, range, v128, type Code, type Int, type Vector } from "../asm";
import { words } from "../codegen/vectors";

/** Types that are read as they are. */
export type Given = "f32" | "f64" | "c64" | "c128";
/** Types of results. */
export type Result = "c64" | "c128";

/** Real and imaginary part of an element as doubles. */
function loadOne(type: Given, to: Vector, at: Int): void {
  switch (type) {
    case "f32":
      return void local.set(to, f64x2.promote_low_f32x4(v128.load32_zero({}, at)));
    case "f64":
      return void local.set(to, v128.load64_zero({}, at));
    case "c64":
      return void local.set(to, f64x2.promote_low_f32x4(v128.load64_zero({ align: 4 }, at)));
    case "c128":
      return void local.set(to, v128.load({ align: 8 }, at));
    default:
      return type satisfies never;
  }
}

/**
 * Arguments of both ways: `n` elements from `at` on, `step` bytes apart, are the first lanes, those `lane` bytes further on the second
 * ones of numbers whose parts are at `re` and `im`, `apart` bytes apart; so `times` times, elements `next` bytes from each other, numbers
 * `beside` bytes.
 */
const WAY = ["at", "lane", "re", "im", "step", "n", "apart", "next", "times", "beside"] as const;
const LOOPS = ["time", "i", "a", "b", "x", "y"] as const;
type Way = { readonly [N in (typeof WAY)[number] | (typeof LOOPS)[number]]: Int };

/** The body for each two elements, which are at `a` and `b`, the parts of their number at `x` and `y`. */
function eachNumber(v: Way, body: () => void): void {
  range(v.time, v.times, 1, () => {
    local.set(v.a, v.at);
    local.set(v.b, i32.add(v.at, v.lane));
    local.set(v.x, v.re);
    local.set(v.y, v.im);
    range(v.i, v.n, 1, () => {
      body();
      for (const pointer of [v.a, v.b]) advance(pointer, v.step);
      for (const pointer of [v.x, v.y]) advance(pointer, v.apart);
    });
    advance(v.at, v.next);
    for (const pointer of [v.re, v.im]) advance(pointer, v.beside);
  });
}

/** The way in. */
export const loadPairs = (type: Given): Code =>
  define(WAY, LOOPS, 2, (v, [first, second]) =>
    eachNumber(v, () => {
      loadOne(type, first, v.a);
      loadOne(type, second, v.b);
      v128.store({ align: 8 }, v.x, words(first, second, [0, 1, 4, 5]));
      v128.store({ align: 8 }, v.y, words(first, second, [2, 3, 6, 7]));
    }),
  );

/** Divides by the scale; what is at most as large as the bound becomes 0. */
function finish(x: Vector, scale: Vector, bound: Vector, mask: Vector): void {
  local.set(x, f64x2.div(x, scale));
  local.set(mask, f64x2.le(f64x2.abs(x), bound));
  local.set(x, v128.andnot(x, mask));
}

function storeOne(type: Result, at: Int, x: Vector): void {
  if (type === "c64") v128.store64_lane({ align: 4 }, 0, at, f32x4.demote_f64x2_zero(x));
  else v128.store({ align: 8 }, at, x);
}

/** The way back; at `numbers` are the scale and the bound. */
export const storePairs = (type: Result): Code =>
  define([...WAY, "numbers"], LOOPS, 6, (v, [re, im, scale, bound, mask, out]) => {
    local.set(scale, v128.load64_splat({}, v.numbers));
    local.set(bound, v128.load64_splat({ offset: 8 }, v.numbers));
    eachNumber(v, () => {
      local.set(re, v128.load({ align: 8 }, v.x));
      local.set(im, v128.load({ align: 8 }, v.y));
      for (const part of [re, im]) finish(part, scale, bound, mask);
      local.set(out, words(re, im, [2, 3, 6, 7]));
      storeOne(type, v.b, out);
      local.set(out, words(re, im, [0, 1, 4, 5]));
      storeOne(type, v.a, out);
    });
  });
