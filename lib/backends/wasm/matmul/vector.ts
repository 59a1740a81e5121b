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
  freshHeld,
  i32,
  loadVector,
  local,
  memory,
  onward,
  range,
  storeVector,
  when,
  whileTrue,
  type Code,
  type Held,
  type Int,
  type Lanes,
} from "../asm";

/** Lines that are summed at the same time, so that sums do not wait for each other. */
const TOGETHER = 4;

const freshPointers = (): readonly Int[] => Array.from({ length: TOGETHER }, () => local.fresh("i32"));

/** y: sums of products of each of `lines` lines, which lie in one piece `line` bytes apart, with x, which does so too. */
export function dots(lanes: Lanes): Code {
  return define(["from", "line", "x", "y", "lines", "k"], ["whole", "left", "q", "j"], 0, (x) => {
    const [sums, [factor]] = [freshHeld(lanes, TOGETHER), freshHeld(lanes, 1)];
    const [rows, pointers] = [freshPointers(), freshPointers()];
    const whenThere = (i: number, then: () => void): void => {
      i32.lt_u(i32.add(x.left, i), x.lines);
      when(then);
    };
    local.set(x.whole, i32.and(x.k, -lanes.count));
    range(x.left, x.lines, TOGETHER, () => {
      rows.forEach((row, i) => {
        // Out-of-range lines repeat the last; their sums are discarded.
        local.set(row, i === 0 ? x.from : rows[i - 1]!);
        if (i > 0) whenThere(i, () => advance(row, x.line));
        local.set(pointers[i]!, row);
      });
      addProducts(lanes, x, pointers, sums, factor!);
      pointers.forEach((pointer, i) => whenThere(i, () => storeSum(lanes, x, pointer, sums[i]!)));
      local.set(x.from, i32.add(rows.at(-1)!, x.line));
    });
  });
}

type DotLocals = { readonly [N in "x" | "y" | "k" | "whole" | "q" | "j"]: Int };

/** The sums of what fills vectors. */
function addProducts(lanes: Lanes, x: DotLocals, pointers: readonly Int[], sums: readonly Held[], factor: Held): void {
  for (const sum of sums) clear(lanes, sum);
  local.set(x.q, x.x);
  range(x.j, x.whole, lanes.count, () => {
    loadVector(lanes, x.q, 0);
    local.set(factor);
    pointers.forEach((pointer, i) => {
      local.get(sums[i]!);
      loadVector(lanes, pointer, 0);
      local.get(factor);
      lanes.mul();
      lanes.add();
      local.set(sums[i]!);
      advance(pointer, bytesOfVector(lanes));
    });
    advance(x.q, bytesOfVector(lanes));
  });
}

/** A line's sum with the products that did not fill a vector. */
function storeSum(lanes: Lanes, x: DotLocals, pointer: Int, sum: Held): void {
  local.get(x.y);
  lanes.sum(sum);
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
