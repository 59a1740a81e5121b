/**
 * The ways into and out of transforms: elements of two lines, or two neighbours of one, become lanes of doubles; and results
 * are scaled, those that are small made zero, and rounded once.
 */
import { advance, define, f32x4, f64x2, i32, local, range, v128, type Code, type Int, type Vector } from "../asm";
import { words } from "../codegen/vectors";

/** Types that are read as they are. */
export type Given = "f32" | "f64" | "c64" | "c128";
/** Types of results of whole transforms. */
export type Result = "c64" | "c128";
/** Types of real numbers. */
export type Numbers = "f32" | "f64";

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

/** Two elements as lanes. */
function loadTwo(type: Numbers, to: Vector, first: Int, second: Int): void {
  if (type === "f64") {
    local.set(to, v128.load64_zero({}, first));
    return void local.set(to, v128.load64_lane({}, 1, second, to));
  }
  local.set(to, v128.load32_zero({}, first));
  local.set(to, v128.load32_lane({}, 1, second, to));
  local.set(to, f64x2.promote_low_f32x4(to));
}

function storeTwo(type: Numbers, x: Vector, first: Int, second: Int): void {
  if (type === "f32") local.set(x, f32x4.demote_f64x2_zero(x));
  for (const [lane, at] of [
    [1, second],
    [0, first],
  ] as const) {
    // prettier-ignore
    if (type === "f64") v128.store64_lane({}, lane, at, x);
    else v128.store32_lane({}, lane, at, x);
  }
}

/** The way in of complex numbers whose real parts are elements as of {@link loadPairs}, and whose imaginary parts lie `beyond` bytes from these. */
export const loadParts = (type: Numbers): Code =>
  define([...WAY, "beyond"], [...LOOPS, "c", "d"], 2, (v, [re, im]) =>
    eachNumber(v, () => {
      loadTwo(type, re, v.a, v.b);
      v128.store({ align: 8 }, v.x, re);
      local.set(v.c, i32.add(v.a, v.beyond));
      local.set(v.d, i32.add(v.b, v.beyond));
      loadTwo(type, im, v.c, v.d);
      v128.store({ align: 8 }, v.y, im);
    }),
  );

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

/** The way back of complex numbers whose parts are elements, as of {@link loadParts}. */
export const storeParts = (type: Numbers): Code =>
  define([...WAY, "numbers", "beyond"], [...LOOPS, "c", "d"], 5, (v, [re, im, scale, bound, mask]) => {
    local.set(scale, v128.load64_splat({}, v.numbers));
    local.set(bound, v128.load64_splat({ offset: 8 }, v.numbers));
    eachNumber(v, () => {
      local.set(re, v128.load({ align: 8 }, v.x));
      local.set(im, v128.load({ align: 8 }, v.y));
      for (const part of [re, im]) finish(part, scale, bound, mask);
      storeTwo(type, re, v.a, v.b);
      local.set(v.c, i32.add(v.a, v.beyond));
      local.set(v.d, i32.add(v.b, v.beyond));
      storeTwo(type, im, v.c, v.d);
    });
  });
