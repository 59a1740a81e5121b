/**
 * Functions that copy items of a plane, `outer` rows of `inner` items each, between places in the memory of kernels. Bytes
 * only: what they mean is not known here. Nothing is written outside of the items; up to 31 bytes around them may be read.
 */
import {
  advance,
  call,
  copyOne,
  define,
  i32,
  local,
  onward,
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

/** From `start` to `to`: pieces up to the last one, which ends where the run does. */
export function copyRun(
  v: { readonly [N in "j" | "last" | "source" | "target" | "start" | "to"]: Int },
  size: Size,
): void {
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
