/**
 * Functions of lookups and of scattered sums in the memory of kernels: items and runs from places whose numbers are words, numbers that are
 * added there, and what such words are checked by.
 */
import {
  advance,
  copyOne,
  define,
  f32,
  f64,
  f64x2,
  i32,
  i32x4,
  local,
  onward,
  push,
  range,
  shuffleItems,
  v128,
  type Code,
  type Int,
  type Size,
} from "../asm";
import { copyRun } from "./code";

/** Items of a size, each from a place of its own: their numbers are words at `picks`. */
export function pickedFunction(size: Size): Code {
  return define(["from", "picks", "to", "n"], ["i", "source"], 0, ({ from, picks, to, n, i, source }) => {
    range(i, n, 1, () => {
      setPicked(source, from, picks, size);
      copyOne(size, to, source);
      advance(picks, 4);
      advance(to, size);
    });
  });
}

/** `source = from + bytes * the number at picks`. */
function setPicked(source: Int, from: Int, picks: Int, bytes: Int | number): void {
  i32.load({}, picks);
  push(bytes);
  i32.mul();
  local.get(from);
  i32.add();
  local.set(source);
}

/** The same of runs of bytes, in pieces as `runsFunction` copies them. */
export function pickedRunsFunction(size: Size): Code {
  const own = ["i", "j", "last", "source", "target", "start"] as const;
  return define(["from", "picks", "to", "n", "bytes"], own, 0, (v) => {
    local.set(v.last, i32.sub(v.bytes, size));
    range(v.i, v.n, 1, () => {
      setPicked(v.start, v.from, v.picks, v.bytes);
      copyRun(v, size);
      advance(v.picks, 4);
      advance(v.to, v.bytes);
    });
  });
}

/** Updates that are added in a row, where a loop would do. */
const UNROLLED = 4;

/** A number of so many bytes as a double on the stack. */
function pushDouble(size: 4 | 8, at: Int, offset = 0): void {
  if (size === 4) f64.promote_f32(f32.load({ offset }, at));
  else f64.load({ offset }, at);
}

/** Adds each of `n` numbers of a size to the double whose number is a word at `picks`, in their order. */
export function addedFunction(size: 4 | 8): Code {
  return define(
    ["sums", "picks", "values", "n"],
    ["i", "whole", "at"],
    0,
    ({ sums, picks, values, n, i, whole, at }) => {
      const add = (count: number): void => {
        for (let u = 0; u < count; u++) {
          local.set(at, i32.add(sums, i32.shl(i32.load({ offset: 4 * u }, picks), 3)));
          local.get(at);
          f64.load({}, at);
          pushDouble(size, values, u * size);
          f64.add();
          f64.store({});
        }
        advance(picks, 4 * count);
        advance(values, size * count);
      };
      local.set(whole, i32.and(n, -UNROLLED));
      range(i, whole, UNROLLED, () => add(UNROLLED));
      onward(i, n, 1, () => add(1));
    },
  );
}

/** The same of runs of `run` numbers. */
export function addedRunsFunction(size: 4 | 8): Code {
  const own = ["i", "j", "whole", "to"] as const;
  return define(["sums", "picks", "values", "n", "run"], own, 1, (v, [terms]) => {
    local.set(v.whole, i32.and(v.run, -2));
    range(v.i, v.n, 1, () => {
      local.set(v.to, i32.add(v.sums, i32.shl(i32.mul(i32.load({}, v.picks), v.run), 3)));
      range(v.j, v.whole, 2, () => {
        if (size === 4) local.set(terms, f64x2.promote_low_f32x4(v128.load64_zero({ align: 4 }, v.values)));
        else local.set(terms, v128.load({ align: 8 }, v.values));
        v128.store({ align: 8 }, v.to, f64x2.add(v128.load({ align: 8 }, v.to), terms));
        advance(v.values, 2 * size);
        advance(v.to, 16);
      });
      onward(v.j, v.run, 1, () => {
        local.get(v.to);
        f64.load({}, v.to);
        pushDouble(size, v.values);
        f64.add();
        f64.store({});
        advance(v.values, size);
      });
      advance(v.picks, 4);
    });
  });
}

/** The largest of each four of `n` words, whole vectors of them, without their signs. */
export function largestFunction(): Code {
  return define(["words", "n", "to"], ["i"], 1, ({ words, n, to, i }, [largest]) => {
    local.set(largest, v128.const("i32x4", [0, 0, 0, 0]));
    range(i, n, 4, () => {
      local.set(largest, i32x4.max_u(largest, v128.load({ align: 4 }, words)));
      advance(words, 16);
    });
    v128.store({ align: 4 }, to, largest);
  });
}

/**
 * The low halves of `n` pairs of words, whole vectors of them, one behind the other at `to`; then at `seen` the largest of each four without
 * their signs, and the bits of the high halves.
 */
export function lowHalvesFunction(): Code {
  return define(["pairs", "n", "to", "seen"], ["i"], 4, ({ pairs, n, to, seen, i }, [front, back, largest, high]) => {
    for (const vector of [largest, high]) local.set(vector, v128.const("i32x4", [0, 0, 0, 0]));
    range(i, n, 4, () => {
      local.set(front, v128.load({ align: 4 }, pairs));
      local.set(back, v128.load({ offset: 16, align: 4 }, pairs));
      local.set(high, v128.or(high, shuffleItems(4, [1, 3, 5, 7], front, back)));
      local.set(front, shuffleItems(4, [0, 2, 4, 6], front, back));
      local.set(largest, i32x4.max_u(largest, front));
      v128.store({ align: 4 }, to, front);
      advance(pairs, 32);
      advance(to, 16);
    });
    v128.store({ align: 4 }, seen, largest);
    v128.store({ offset: 16, align: 4 }, seen, high);
  });
}
