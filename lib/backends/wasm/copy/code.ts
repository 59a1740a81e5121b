/**
 * Functions that copy items of a plane, `outer` rows of `inner` items each, between places in the memory of kernels. Bytes
 * only: what they mean is not known here. Nothing is written outside of the items; up to 31 bytes around them may be read.
 */
import {
  advance,
  call,
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
  splatItem,
  v128,
  type Code,
  type Int,
  type Size,
  type Vector,
} from "../asm";

const PLANE = ["from", "fromRow", "fromStep", "to", "toRow", "toStep", "outer", "inner"] as const;

/** `pointer += row`, both for source and target. */
function nextRow(v: { readonly [N in "from" | "fromRow" | "to" | "toRow"]: Int }): void {
  advance(v.from, v.fromRow);
  advance(v.to, v.toRow);
}

/** The places of the arguments `from` and `to` of a function. */
interface Ends {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/**
 * A function again and again, in two loops around it: after its own arguments come, of the outer loop and then of the inner one, how
 * many turns there are and how many bytes source and target move in a turn.
 */
export function boxed(plane: Code, ends: Ends): Code {
  const own = Array.from({ length: ends.count }, (_, i) => `own${i}` as const);
  const loops = ["outer", "fromOuter", "toOuter", "inner", "fromInner", "toInner"] as const;
  return define([...own, ...loops], ["i", "j", "from", "to"], 0, (v) => {
    const args = own.map((name): Int => v[name]!);
    const [from, to] = [args[ends.from]!, args[ends.to]!];
    range(v.i, v.outer, 1, () => {
      local.set(v.from, from);
      local.set(v.to, to);
      range(v.j, v.inner, 1, () => {
        call(
          plane,
          args.map((arg) => (arg === from ? v.from : arg === to ? v.to : arg)),
        );
        advance(v.from, v.fromInner);
        advance(v.to, v.toInner);
      });
      advance(from, v.fromOuter);
      advance(to, v.toOuter);
    });
  });
}

/** Items of a size, one by one, each any number of bytes from the one before. */
export function itemsFunction(size: Size): Code {
  return define(PLANE, ["i", "j", "source", "target"], 0, (v) => {
    range(v.i, v.outer, 1, () => {
      local.set(v.source, v.from);
      local.set(v.target, v.to);
      range(v.j, v.inner, 1, () => {
        copyOne(size, v.target, v.source);
        advance(v.source, v.fromStep);
        advance(v.target, v.toStep);
      });
      nextRow(v);
    });
  });
}

/**
 * Rows of so many bytes that lie next to each other at both ends, in pieces of a size; the last piece ends where the row
 * does, and may overlap the one before. Rows have at least as many bytes as a piece.
 */
export function runsFunction(size: Size): Code {
  return define(
    ["from", "fromRow", "to", "toRow", "outer", "bytes"],
    ["i", "j", "last", "source", "target"],
    0,
    (v) => {
      local.set(v.last, i32.sub(v.bytes, size));
      range(v.i, v.outer, 1, () => {
        copyRun({ ...v, start: v.from }, size);
        nextRow(v);
      });
    },
  );
}

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

/** The same of runs of bytes, in pieces as {@link runsFunction} copies them. */
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

/** From `start` to `to`: pieces up to the last one, which ends where the run does. */
function copyRun(v: { readonly [N in "j" | "last" | "source" | "target" | "start" | "to"]: Int }, size: Size): void {
  local.set(v.source, v.start);
  local.set(v.target, v.to);
  range(v.j, v.last, size, () => {
    copyOne(size, v.target, v.source);
    advance(v.source, size);
    advance(v.target, size);
  });
  local.set(v.source, i32.add(v.start, v.last));
  local.set(v.target, i32.add(v.to, v.last));
  copyOne(size, v.target, v.source);
}

/** The parts of a function that writes rows of vectors. */
interface Vectors {
  /** Sets the vector for the items from the `j`-th on; `source` is where that item is. */
  load(out: Vector, source: Int): void;
  /** Bytes that the source moves for each vector. */
  readonly step: number;
}

/** Rows of whole vectors; the last one ends where the row does. Rows have at least as many items as a vector. */
function vectorRows(size: Size, { load, step }: Vectors): Code {
  const count = 16 / size;
  const args = ["from", "fromRow", "to", "toRow", "outer", "inner"] as const;
  return define(args, ["i", "j", "last", "source", "target"], 1, (v, [vector]) => {
    local.set(v.last, i32.sub(v.inner, count));
    const store = (): void => void v128.store({ align: 1 }, v.target, vector);
    range(v.i, v.outer, 1, () => {
      local.set(v.source, v.from);
      local.set(v.target, v.to);
      range(v.j, v.last, count, () => {
        load(vector, v.source);
        store();
        advance(v.source, step);
        advance(v.target, 16);
      });
      // The last vector, counted from the end of the row.
      local.set(v.source, i32.add(v.from, i32.mul(v.last, step / count)));
      local.set(v.target, i32.add(v.to, i32.mul(v.last, size)));
      load(vector, v.source);
      store();
      nextRow(v);
    });
  });
}

const unaligned = { align: 1 } as const;

/** Rows against the order of their source; `from` is the item that comes first, the last one there. */
export function reversedFunction(size: Exclude<Size, 16>): Code {
  const count = 16 / size;
  const order = Array.from({ length: count }, (_, i) => count - 1 - i);
  return vectorRows(size, {
    step: -16,
    load(out, source) {
      local.get(source);
      i32.const(16 - size);
      i32.sub();
      v128.load(unaligned);
      local.set(out);
      local.set(out, shuffleItems(size, order, out, out));
    },
  });
}

/** Rows of items of the source that lie `step` items apart, forwards; there is a shuffle for each vector of the source but the first. */
export function sparseFunction(size: Exclude<Size, 16>, step: number): Code {
  const count = 16 / size;
  return vectorRows(size, {
    step: 16 * step,
    load(out, source) {
      local.set(out, v128.load(unaligned, source));
      for (let part = 1; part < step; part++) {
        const next = local.fresh("v128");
        local.set(next, v128.load({ offset: 16 * part, align: 1 }, source));
        // of each item where it is now: the first of the row have been brought together already
        const order = Array.from({ length: count }, (_, i) => {
          const at = i * step;
          if (at >= part * count && at < (part + 1) * count) return count + at - part * count;
          return part === 1 && at < count ? at : i;
        });
        local.set(out, shuffleItems(size, order, out, next));
      }
    },
  });
}

/**
 * Neighbouring items, each `times` over: fewer times than a vector has items. What does not fill a vector is repeated one by one.
 */
export function spreadFunction(size: Exclude<Size, 16>, times: number): Code {
  const count = 16 / size;
  return define(["from", "to", "n"], ["i", "whole"], 2, ({ from, to, n, i, whole }, [items, spread]) => {
    local.set(whole, i32.and(n, -count));
    range(i, whole, count, () => {
      local.set(items, v128.load(unaligned, from));
      for (let part = 0; part < times; part++) {
        const order = Array.from({ length: count }, (_, k) => Math.floor((part * count + k) / times));
        local.set(spread, shuffleItems(size, order, items, items));
        v128.store({ offset: 16 * part, align: 1 }, to, spread);
      }
      advance(from, 16);
      advance(to, 16 * times);
    });
    onward(i, n, 1, () => {
      for (let k = 0; k < times; k++) {
        copyOne(size, to, from);
        advance(to, size);
      }
      advance(from, size);
    });
  });
}

/** Rows of which every item is the same, that at `from`. */
export function repeatedFunction(size: Exclude<Size, 16>): Code {
  return vectorRows(size, { step: 0, load: (out, source) => void local.set(out, splatItem(size, source)) });
}
