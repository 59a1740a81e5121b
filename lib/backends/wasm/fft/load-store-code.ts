/**
 * The ways into and out of transforms: elements of two lines, or two neighbours of one, become lanes of doubles; and results
 * are scaled, those that are small made zero, and rounded once.
 */
import { advance, define, f32x4, f64x2, i32, local, range, v128, type Code, type Int, type Vector } from "../asm";
import { words } from "../codegen/vectors";
import { PAIR } from "./stage-code";

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
 * `load(x, lane, step, n, re, im, apart, pairs, next)`: `n` elements, `step` bytes apart, as the first lanes and those `lane`
 * bytes further on as the second, to places `apart` bytes apart; so for each of some pairs, `next` bytes from each other.
 */
function loadPairs(type: Given): Code {
  const args = ["x", "lane", "step", "n", "re", "im", "apart", "pairs", "next"] as const;
  const ints = ["pair", "i", "a", "b", "toRe", "toIm"] as const;
  return define(args, ints, 2, (v, vectors) => {
    const [first, second] = vectors as [Vector, Vector];
    range(v.pair, v.pairs, 1, () => {
      local.set(v.a, v.x);
      local.set(v.b, i32.add(v.x, v.lane));
      local.set(v.toRe, v.re);
      local.set(v.toIm, v.im);
      range(v.i, v.n, 1, () => {
        loadOne(type, first, v.a);
        loadOne(type, second, v.b);
        v128.store({ align: 8 }, v.toRe, words(first, second, [0, 1, 4, 5]));
        v128.store({ align: 8 }, v.toIm, words(first, second, [2, 3, 6, 7]));
        for (const pointer of [v.a, v.b]) advance(pointer, v.step);
        for (const pointer of [v.toRe, v.toIm]) advance(pointer, v.apart);
      });
      advance(v.x, v.next);
      for (const pointer of [v.re, v.im]) advance(pointer, PAIR);
    });
  });
}

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

/** `store(re, im, apart, n, to, lane, step, pairs, next, numbers)`: the way back; at `numbers` are the scale and the bound. */
function storePairs(type: Result): Code {
  const args = ["re", "im", "apart", "n", "to", "lane", "step", "pairs", "next", "numbers"] as const;
  const ints = ["pair", "i", "a", "b", "fromRe", "fromIm"] as const;
  return define(args, ints, 6, (v, vectors) => {
    const [re, im, scale, bound, mask, out] = vectors as [Vector, Vector, Vector, Vector, Vector, Vector];
    local.set(scale, v128.load64_splat({}, v.numbers));
    local.set(bound, v128.load64_splat({ offset: 8 }, v.numbers));
    range(v.pair, v.pairs, 1, () => {
      local.set(v.a, v.to);
      local.set(v.b, i32.add(v.to, v.lane));
      local.set(v.fromRe, v.re);
      local.set(v.fromIm, v.im);
      range(v.i, v.n, 1, () => {
        local.set(re, v128.load({ align: 8 }, v.fromRe));
        local.set(im, v128.load({ align: 8 }, v.fromIm));
        for (const part of [re, im]) finish(part, scale, bound, mask);
        local.set(out, words(re, im, [2, 3, 6, 7]));
        storeOne(type, v.b, out);
        local.set(out, words(re, im, [0, 1, 4, 5]));
        storeOne(type, v.a, out);
        for (const pointer of [v.a, v.b]) advance(pointer, v.step);
        for (const pointer of [v.fromRe, v.fromIm]) advance(pointer, v.apart);
      });
      advance(v.to, v.next);
      for (const pointer of [v.re, v.im]) advance(pointer, PAIR);
    });
  });
}

export const loadFunctions = (type: Given): { readonly load: Code } => ({ load: loadPairs(type) });
export const storeFunctions = (type: Result): { readonly store: Code } => ({ store: storePairs(type) });
