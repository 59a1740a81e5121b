/**
 * Products of a matrix with a vector, where nothing is worth packing: each element of the matrix is read once, in the
 * order it lies in memory.
 */
import {
  advance,
  bytesOfVector,
  call,
  clear,
  define,
  f64x2,
  freshHeld,
  i32,
  loadVector,
  local,
  memory,
  onward,
  range,
  shuffleItems,
  storeVector,
  v128,
  when,
  whileTrue,
  type Code,
  type Held,
  type Int,
  type Lanes,
  type Vector,
} from "../asm";

/** Lines that are summed at the same time, so that sums do not wait for each other; twice as many where two share a vector. */
const TOGETHER = 4;

const freshPointers = (count = TOGETHER): readonly Int[] => Array.from({ length: count }, () => local.fresh("i32"));

/**
 * How products of lines are summed: in the lanes of a vector for each line, or those of a line one after the other, as loops of the
 * reference do.
 */
export type Summing = "dots" | "dotsInOrder";

/** y: sums of products of each of `lines` lines, which lie in one piece `line` bytes apart, with x, which does so too. */
export function dots(lanes: Lanes, summing: Summing = "dots"): Code {
  return define(["from", "line", "x", "y", "lines", "k"], ["whole", "left", "q", "j"], 0, (x) => {
    const { count, sums, add, sumOf } = summing === "dots" ? sumsByLanes(lanes) : sumsInOrder(lanes);
    const [rows, pointers] = [freshPointers(count), freshPointers(count)];
    const whenThere = (i: number, then: () => void): void => {
      i32.lt_u(i32.add(x.left, i), x.lines);
      when(then);
    };
    local.set(x.whole, i32.and(x.k, -lanes.count));
    range(x.left, x.lines, count, () => {
      rows.forEach((row, i) => {
        // Out-of-range lines repeat the last; their sums are discarded.
        local.set(row, i === 0 ? x.from : rows[i - 1]!);
        if (i > 0) whenThere(i, () => advance(row, x.line));
        local.set(pointers[i]!, row);
      });
      for (const sum of sums) clear(lanes, sum);
      local.set(x.q, x.x);
      range(x.j, x.whole, lanes.count, () => {
        add(pointers, x.q);
        for (const pointer of [...pointers, x.q]) advance(pointer, bytesOfVector(lanes));
      });
      pointers.forEach((pointer, i) => whenThere(i, () => storeSum(lanes, x, pointer, () => sumOf(i))));
      local.set(x.from, i32.add(rows.at(-1)!, x.line));
    });
  });
}

/** Sums of `count` lines at a time, to which products of what fills vectors are added. */
interface Sums {
  readonly count: number;
  readonly sums: readonly Held[];
  add(pointers: readonly Int[], vector: Int): void;
  /** The sum of a line, on the stack. */
  sumOf(line: number): void;
}

function sumsByLanes(lanes: Lanes): Sums {
  const [sums, [factor]] = [freshHeld(lanes, TOGETHER), freshHeld(lanes, 1)];
  return {
    ...{ count: TOGETHER, sums, sumOf: (line) => lanes.sum(sums[line]!) },
    add: (pointers, vector) => {
      loadVector(lanes, vector, 0);
      local.set(factor!);
      pointers.forEach((pointer, i) => {
        local.get(sums[i]!);
        loadVector(lanes, pointer, 0);
        local.get(factor!);
        lanes.mul();
        lanes.add();
        local.set(sums[i]!);
      });
    },
  };
}

/** Two lines to a vector of doubles: the first products of both are added, then the second ones. */
function sumsInOrder(lanes: Lanes): Sums {
  const sums = freshHeld(lanes, TOGETHER) as Vector[];
  const [factor, even, odd] = freshHeld(lanes, 3) as [Vector, Vector, Vector];
  return {
    ...{ count: 2 * TOGETHER, sums, sumOf: (line) => void f64x2.extract_lane(line % 2, sums[line >> 1]!) },
    add: (pointers, vector) => {
      local.set(factor, v128.load({ align: 8 }, vector));
      sums.forEach((sum, i) => {
        local.set(even, f64x2.mul(v128.load({ align: 8 }, pointers[2 * i]!), factor));
        local.set(odd, f64x2.mul(v128.load({ align: 8 }, pointers[2 * i + 1]!), factor));
        for (const item of [0, 1]) local.set(sum, f64x2.add(sum, shuffleItems(8, [item, item + 2], even, odd)));
      });
    },
  };
}

type DotLocals = { readonly [N in "x" | "y" | "k" | "whole" | "q" | "j"]: Int };

/** A line's sum with the products that did not fill a vector. */
function storeSum(lanes: Lanes, x: DotLocals, pointer: Int, sum: () => void): void {
  local.get(x.y);
  sum();
  lanes.store();
  local.set(x.q, i32.add(i32.mul(x.whole, lanes.size), x.x));
  local.set(x.j, x.whole);
  onward(x.j, x.k, 1, () => {
    local.get(x.y);
    lanes.load(x.y, 0);
    lanes.load(pointer, 0);
    lanes.load(x.q, 0);
    lanes.mulScalar();
    lanes.addScalar();
    lanes.store();
    advance(pointer, lanes.size);
    advance(x.q, lanes.size);
  });
  advance(x.y, lanes.size);
}

const LINES = ["from", "step", "x", "y", "lines", "k"] as const;

/**
 * The same where the lines lie side by side, `step` bytes from one element of a line to the next: y gains four multiples of
 * rows of the matrix at a time.
 */
export function multiples(lanes: Lanes): Code {
  const add = addRows(lanes);
  return define(LINES, [], 0, (x) => {
    clearSums(lanes, x);
    call(
      add,
      LINES.map((name) => x[name]),
    );
  });
}

/** Sets all y to 0. */
export function clearSums(lanes: Lanes, x: { readonly [N in "y" | "lines"]: Int }): void {
  memory.fill(x.y, 0, i32.mul(x.lines, lanes.size));
}

/** Adds multiples of k rows to y, in their order. */
export function addRows(lanes: Lanes): Code {
  return define(LINES, ["at", "q", "j", "whole"], 0, (x) => {
    const [vectors, pointers] = [freshHeld(lanes, TOGETHER), freshPointers()];
    local.set(x.whole, i32.and(x.k, -TOGETHER));
    range(x.at, x.whole, TOGETHER, () => addMultiples(lanes, pointers, x, vectors));
    onward(x.at, x.k, 1, () => addMultiples(lanes, pointers.slice(0, 1), x, vectors));
  });
}

type MultipleLocals = { readonly [N in "from" | "step" | "x" | "y" | "lines" | "q" | "j"]: Int };

function addMultiples(lanes: Lanes, pointers: readonly Int[], x: MultipleLocals, factors: readonly Held[]): void {
  pointers.forEach((pointer, i) => {
    local.set(pointer, i === 0 ? x.from : i32.add(pointers[i - 1]!, x.step));
    lanes.splat(x.x, i * lanes.size);
    local.set(factors[i]!);
  });
  local.set(x.q, x.y);
  local.set(x.j, x.lines);
  whileTrue(
    () => i32.ge_u(x.j, lanes.count),
    () => addVector(lanes, pointers, x, factors),
  );
  whileTrue(
    () => local.get(x.j),
    () => addElement(lanes, pointers, x),
  );
  local.set(x.from, i32.add(i32.mul(x.step, pointers.length), x.from));
  advance(x.x, pointers.length * lanes.size);
}

function addVector(lanes: Lanes, pointers: readonly Int[], x: MultipleLocals, factors: readonly Held[]): void {
  local.get(x.q);
  loadVector(lanes, x.q, 0);
  pointers.forEach((pointer, i) => {
    loadVector(lanes, pointer, 0);
    local.get(factors[i]!);
    lanes.mul();
    lanes.add();
  });
  storeVector(lanes, 0);
  for (const pointer of [x.q, ...pointers]) advance(pointer, bytesOfVector(lanes));
  local.set(x.j, i32.sub(x.j, lanes.count));
}

function addElement(lanes: Lanes, pointers: readonly Int[], x: MultipleLocals): void {
  local.get(x.q);
  lanes.load(x.q, 0);
  pointers.forEach((pointer, i) => {
    lanes.load(pointer, 0);
    lanes.load(x.x, i * lanes.size);
    lanes.mulScalar();
    lanes.addScalar();
  });
  lanes.store();
  for (const pointer of [x.q, ...pointers]) advance(pointer, lanes.size);
  local.set(x.j, i32.sub(x.j, 1));
}
