/**
 * Products of a matrix with a vector, where nothing is worth packing: each element of the matrix is read once, in the
 * order it lies in memory.
 */
import {
  advance,
  bytesOfVector,
  clear,
  define,
  freshHeld,
  i32,
  loadVector,
  local,
  memory,
  onward,
  range,
  repeat,
  storeVector,
  when,
  type Code,
  type Held,
  type Int,
  type Lanes,
} from "../asm";

/** Lines that are summed at the same time, so that sums do not wait for each other. */
const TOGETHER = 4;

type Pointers = { readonly [N in "p0" | "p1" | "p2" | "p3"]: Int };
const POINTERS = ["p0", "p1", "p2", "p3"] as const;

/** y: sums of products of each of `lines` lines, which lie in one piece `line` bytes apart, with x, which does so too. */
export function dots(lanes: Lanes): Code {
  const names = ["p1", "p2", "p3", "whole", "left", "q", "r0", "r1", "r2", "r3", "j"] as const;
  return define(["p0", "line", "x", "y", "lines", "k"], names, 0, (x) => {
    const vectors = freshHeld(lanes, TOGETHER + 1);
    local.set(x.whole, i32.and(x.k, -lanes.count));
    range(x.left, x.lines, TOGETHER, () => {
      // Out-of-range lines repeat the last; their sums are discarded.
      for (let i = 1; i < TOGETHER; i++) nextLine(x, i);
      sumTogether(lanes, x, vectors);
      for (let i = 0; i < TOGETHER; i++) storeSum(lanes, x, vectors[i]!, i);
      local.set(x.p0, i32.add(x.r3, x.line));
    });
  });
}

type DotLocals = Pointers & {
  readonly [N in "line" | "x" | "y" | "lines" | "k" | "whole" | "left" | "q" | "r0" | "r1" | "r2" | "r3" | "j"]: Int;
};

const ROWS = ["r0", "r1", "r2", "r3"] as const;

function nextLine(x: DotLocals, i: number): void {
  if (i === 1) local.set(x.r0, x.p0);
  const [row, before] = [x[ROWS[i]!], x[ROWS[i - 1]!]];
  local.set(row, before);
  i32.lt_u(i32.add(x.left, i), x.lines);
  when(() => advance(row, x.line));
  local.set(x[POINTERS[i]!], row);
}

function sumTogether(lanes: Lanes, x: DotLocals, vectors: readonly Held[]): void {
  const factor = vectors[TOGETHER]!;
  for (let i = 0; i < TOGETHER; i++) clear(lanes, vectors[i]!);
  local.set(x.q, x.x);
  range(x.j, x.whole, lanes.count, () => {
    loadVector(lanes, x.q, 0);
    local.set(factor);
    POINTERS.forEach((name, i) => {
      local.get(vectors[i]!);
      loadVector(lanes, x[name], 0);
      local.get(factor);
      lanes.mul();
      lanes.add();
      local.set(vectors[i]!);
      advance(x[name], bytesOfVector(lanes));
    });
    advance(x.q, bytesOfVector(lanes));
  });
}

/** A line's sum with the products that did not fill a vector, where the line is there. */
function storeSum(lanes: Lanes, x: DotLocals, sum: Held, i: number): void {
  const pointer = x[POINTERS[i]!];
  i32.lt_u(i32.add(x.left, i), x.lines);
  when(() => {
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
  });
}

/**
 * The same where the lines lie side by side, `step` bytes from one element of a line to the next: y gains four multiples of
 * rows of the matrix at a time.
 */
export function multiples(lanes: Lanes): Code {
  const names = ["p1", "p2", "p3", "at", "q", "j", "whole"] as const;
  return define(["from", "step", "x", "y", "lines", "k"], [...names, "p0"], 0, (x) => {
    const vectors = freshHeld(lanes, TOGETHER);
    local.set(x.q, i32.mul(x.lines, lanes.size));
    memory.fill(x.y, 0, x.q);
    local.set(x.whole, i32.and(x.k, -TOGETHER));
    range(x.at, x.whole, TOGETHER, () => addMultiples(lanes, TOGETHER, x, vectors));
    onward(x.at, x.k, 1, () => addMultiples(lanes, 1, x, vectors));
  });
}

type MultipleLocals = Pointers & { readonly [N in "from" | "step" | "x" | "y" | "lines" | "q" | "j"]: Int };

function addMultiples(lanes: Lanes, count: number, x: MultipleLocals, factors: readonly Held[]): void {
  const pointers = POINTERS.slice(0, count).map((name) => x[name]);
  pointers.forEach((pointer, i) => {
    local.set(pointer, i === 0 ? x.from : i32.add(pointers[i - 1]!, x.step));
    lanes.splat(x.x, i * lanes.size);
    local.set(factors[i]!);
  });
  local.set(x.q, x.y);
  local.set(x.j, x.lines);
  i32.ge_u(x.j, lanes.count);
  when(() => addVectors(lanes, pointers, x, factors));
  local.get(x.j);
  when(() => addElements(lanes, pointers, x));
  local.set(x.from, i32.add(i32.mul(x.step, count), x.from));
  advance(x.x, count * lanes.size);
}

function addVectors(lanes: Lanes, pointers: readonly Int[], x: MultipleLocals, factors: readonly Held[]): void {
  repeat(() => {
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
    i32.ge_u(x.j, lanes.count);
  });
}

function addElements(lanes: Lanes, pointers: readonly Int[], x: MultipleLocals): void {
  repeat(() => {
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
    local.get(x.j);
  });
}
