/**
 * Products of matrices of doubles: operands are packed into panels of four rows or columns, and a kernel keeps sixteen
 * sums in locals (the register blocking of Goto & van de Geijn, "Anatomy of High-Performance Matrix Multiplication",
 * 2008). Every sum runs over k in ascending order, whatever the sizes.
 */
import { roundUp } from "../../core/round-up";

/** Rows and columns of a tile. */
const TILE = 4;
/** Steps of k between which tiles are written back, so that two panels stay in the first-level cache. */
const DEPTH = 256;
/** Rows of packed panels that are worked on together. */
const ROWS = 128;

/** Where a matrix lies in an array: element (i, j) at `offset + i * row + j * column`. */
interface Matrix {
  readonly data: Float64Array;
  readonly offset: number;
  readonly row: number;
  readonly column: number;
}

/** Panels of four rows (of `a` transposed: columns), interleaved so that the kernel reads on and on; short ones end in 0. */
function pack(into: Float64Array, m: Matrix, from: number, rows: number, at: number, depth: number): void {
  const { data, offset, row, column } = m;
  for (let panel = 0, next = 0; panel < rows; panel += TILE) {
    const count = Math.min(TILE, rows - panel);
    for (let r = 0; r < TILE; r++) {
      let to = next + r;
      if (r >= count) {
        for (let k = 0; k < depth; k++, to += TILE) into[to] = 0;
        continue;
      }
      let source = offset + (from + panel + r) * row + at * column;
      for (let k = 0; k < depth; k++, to += TILE, source += column) into[to] = data[source]!;
    }
    next += TILE * depth;
  }
}

/** Products up to which operands are read where they lie: packing takes longer than it saves (squares of 12; 20 take as long). */
const UNPACKED = 2 ** 12;

const transposed = (m: Matrix): Matrix => ({ ...m, row: m.column, column: m.row });

/** `c += a b` for a of `[m, k]` and b of `[k, n]`; c is row-major with rows of `n`. */
export function matmul(a: Matrix, b: Matrix, c: Float64Array, at: number, m: number, k: number, n: number): void {
  if (n === 1) return timesVector(a, b, c, at, m, k);
  if (m === 1 && b.column === 1) return vectorTimes(a, b, c, at, k, n);
  if (m === 1) return timesVector(transposed(b), { ...a, row: a.column }, c, at, n, k);
  if (m * k * n <= UNPACKED) return multiplyUnpacked(a, b, c, at, m, k, n);
  const depthMost = Math.min(DEPTH, k);
  const left = new Float64Array(roundUp(Math.min(ROWS, m), TILE) * depthMost);
  const right = new Float64Array(roundUp(n, TILE) * depthMost);
  const columns = transposed(b);
  for (let start = 0; start < k; start += DEPTH) {
    const depth = Math.min(DEPTH, k - start);
    pack(right, columns, 0, n, start, depth);
    for (let top = 0; top < m; top += ROWS) {
      const rows = Math.min(ROWS, m - top);
      pack(left, a, top, rows, start, depth);
      multiplyPanels(left, right, c, at + top * n, rows, depth, n);
    }
  }
}

/** `c += a b`, four columns at a time. */
function multiplyUnpacked(a: Matrix, b: Matrix, c: Float64Array, at: number, m: number, k: number, n: number): void {
  const [x, y, rowA, rowB] = [a.data, b.data, a.column, b.row];
  for (let i = 0; i < m; i++) {
    const first = a.offset + i * a.row;
    let to = at + i * n;
    let j = 0;
    for (; j + TILE <= n; j += TILE, to += TILE) {
      // one by one: engines make the arrays of a destructuring here
      let c0 = c[to]!;
      let c1 = c[to + 1]!;
      let c2 = c[to + 2]!;
      let c3 = c[to + 3]!;
      let q = b.offset + j * b.column;
      for (let l = 0, p = first; l < k; l++, p += rowA, q += rowB) {
        const factor = x[p]!;
        c0 += factor * y[q]!;
        c1 += factor * y[q + b.column]!;
        c2 += factor * y[q + 2 * b.column]!;
        c3 += factor * y[q + 3 * b.column]!;
      }
      c[to] = c0;
      c[to + 1] = c1;
      c[to + 2] = c2;
      c[to + 3] = c3;
    }
    for (; j < n; j++, to++) {
      let sum = c[to]!;
      let q = b.offset + j * b.column;
      for (let l = 0, p = first; l < k; l++, p += rowA, q += rowB) sum += x[p]! * y[q]!;
      c[to] = sum;
    }
  }
}

const edge = new Float64Array(TILE * TILE);

function multiplyPanels(
  left: Float64Array,
  right: Float64Array,
  c: Float64Array,
  at: number,
  rows: number,
  depth: number,
  n: number,
): void {
  for (let j = 0; j < n; j += TILE) {
    for (let i = 0; i < rows; i += TILE) {
      if (i + TILE <= rows && j + TILE <= n) tile(left, i * depth, right, j * depth, depth, c, at + i * n + j, n);
      else edgeTile(left, i, right, j, depth, c, at, rows, n);
    }
  }
}

/** A tile that reaches over the edge is worked on in an array of its own. */
function edgeTile(
  left: Float64Array,
  i: number,
  right: Float64Array,
  j: number,
  depth: number,
  c: Float64Array,
  at: number,
  rows: number,
  n: number,
): void {
  const height = Math.min(TILE, rows - i);
  const width = Math.min(TILE, n - j);
  edge.fill(0);
  for (let r = 0; r < height; r++) for (let s = 0; s < width; s++) edge[r * TILE + s] = c[at + (i + r) * n + j + s]!;
  tile(left, i * depth, right, j * depth, depth, edge, 0, TILE);
  for (let r = 0; r < height; r++) for (let s = 0; s < width; s++) c[at + (i + r) * n + j + s] = edge[r * TILE + s]!;
}

/** Sixteen sums over `depth` steps, begun with what the tile of c holds. */
function tile(
  left: Float64Array,
  l: number,
  right: Float64Array,
  r: number,
  depth: number,
  c: Float64Array,
  at: number,
  n: number,
): void {
  halfTile(left, l, right, r, depth, c, at, n);
  halfTile(left, l + 2, right, r, depth, c, at + 2 * n, n);
}

/** Two rows of a tile: eight sums and six factors fit the registers of a processor. */
function halfTile(
  left: Float64Array,
  l: number,
  right: Float64Array,
  r: number,
  depth: number,
  c: Float64Array,
  at: number,
  n: number,
): void {
  const below = at + n;
  let c00 = c[at]!;
  let c01 = c[at + 1]!;
  let c02 = c[at + 2]!;
  let c03 = c[at + 3]!;
  let c10 = c[below]!;
  let c11 = c[below + 1]!;
  let c12 = c[below + 2]!;
  let c13 = c[below + 3]!;
  for (let k = 0; k < depth; k++, l += TILE, r += TILE) {
    const a0 = left[l]!;
    const a1 = left[l + 1]!;
    const b0 = right[r]!;
    const b1 = right[r + 1]!;
    const b2 = right[r + 2]!;
    const b3 = right[r + 3]!;
    c00 += a0 * b0;
    c01 += a0 * b1;
    c02 += a0 * b2;
    c03 += a0 * b3;
    c10 += a1 * b0;
    c11 += a1 * b1;
    c12 += a1 * b2;
    c13 += a1 * b3;
  }
  c[at] = c00;
  c[at + 1] = c01;
  c[at + 2] = c02;
  c[at + 3] = c03;
  c[below] = c10;
  c[below + 1] = c11;
  c[below + 2] = c12;
  c[below + 3] = c13;
}

/** `c += a b` for a single column b: four rows at a time, so that their sums do not wait for each other. */
function timesVector(a: Matrix, b: Matrix, c: Float64Array, at: number, m: number, k: number): void {
  const { data, row, column } = a;
  let i = 0;
  for (; i + 4 <= m; i += 4) {
    const s = a.offset + i * row;
    let [c0, c1, c2, c3] = [c[at + i]!, c[at + i + 1]!, c[at + i + 2]!, c[at + i + 3]!];
    for (let j = 0, p = s, q = b.offset; j < k; j++, p += column, q += b.row) {
      const x = b.data[q]!;
      c0 += data[p]! * x;
      c1 += data[p + row]! * x;
      c2 += data[p + 2 * row]! * x;
      c3 += data[p + 3 * row]! * x;
    }
    c[at + i] = c0;
    c[at + i + 1] = c1;
    c[at + i + 2] = c2;
    c[at + i + 3] = c3;
  }
  for (; i < m; i++) {
    let sum = c[at + i]!;
    for (let j = 0, p = a.offset + i * row, q = b.offset; j < k; j++, p += column, q += b.row) {
      sum += data[p]! * b.data[q]!;
    }
    c[at + i] = sum;
  }
}

/** `c += a b` for a single row a: row after row of b, four at a time, each of which lies in one piece. */
function vectorTimes(a: Matrix, b: Matrix, c: Float64Array, at: number, k: number, n: number): void {
  const { data, row } = b;
  let l = 0;
  for (; l + 4 <= k; l += 4) {
    const s = a.offset + l * a.column;
    const [a0, a1, a2, a3] = [a.data[s]!, a.data[s + a.column]!, a.data[s + 2 * a.column]!, a.data[s + 3 * a.column]!];
    for (let j = 0, p = b.offset + l * row; j < n; j++, p++) {
      const sum = c[at + j]! + a0 * data[p]! + a1 * data[p + row]!;
      c[at + j] = sum + a2 * data[p + 2 * row]! + a3 * data[p + 3 * row]!;
    }
  }
  for (; l < k; l++) {
    const factor = a.data[a.offset + l * a.column]!;
    for (let j = 0, p = b.offset + l * row; j < n; j++, p++) c[at + j] = c[at + j]! + factor * data[p]!;
  }
}
