/**
 * Code of small products of matrices at any strides, sizes baked in: nothing is packed, tiles of sums stay in vectors over all of k.
 * Knows addresses, not types of elements.
 */
import { advance, f32, f32x4, f64, f64x2, i32x4, i64x2, local, storeFirst, v128, type Int, type Vector } from "../asm";
import { STRETCH } from "../schedule/contractions";
import { UNROLLED_PRODUCTS } from "../schedule/programs";
import { pointerTo, times } from "./boxes";

/** How elements are loaded and multiplied. */
interface Products {
  /** Bytes of an element that is loaded, and elements of a vector of sums. */
  readonly size: 4 | 8;
  readonly count: 2 | 4;
  splat(pointer: Int, offset: number): void;
  /** As many neighbours as there are in a vector. */
  neighbours(pointer: Int, offset: number): void;
  /** The first element of a vector, with nothing behind it, and one more. */
  first(pointer: Int, offset: number): void;
  more(lane: number, pointer: Int, offset: number): void;
  /** What is done with a vector that was put together. */
  converted(): void;
  mul(): void;
  add(): void;
}

/** Vectors put together of elements of so many bytes; the vector is on the stack. */
function pieces(size: 4 | 8): Pick<Products, "first" | "more"> {
  const first = size === 4 ? v128.load32_zero : v128.load64_zero;
  const more = size === 4 ? v128.load32_lane : v128.load64_lane;
  return {
    first: (pointer, offset) => void first({ offset, align: 4 }, pointer),
    more: (lane, pointer, offset) => {
      const vector = local.fresh("v128");
      local.set(vector);
      more({ offset, align: 4 }, lane, pointer, vector);
    },
  };
}

function inLanes(size: 4 | 8, { mul, add }: { readonly [N in "mul" | "add"]: () => unknown }): Products {
  const splat = size === 4 ? v128.load32_splat : v128.load64_splat;
  return {
    ...{ size, count: size === 4 ? 4 : 2, ...pieces(size) },
    splat: (pointer, offset) => void splat({ offset, align: size }, pointer),
    neighbours: (pointer, offset) => void v128.load({ offset, align: size }, pointer),
    converted: () => {},
    mul: () => void mul(),
    add: () => void add(),
  };
}

/** Numbers of f32 whose products are summed in f64. */
const PROMOTED: Products = {
  ...{ ...inLanes(8, f64x2), size: 4, ...pieces(4) },
  splat: (pointer, offset) => void f64x2.splat(f64.promote_f32(f32.load({ offset }, pointer))),
  neighbours: (pointer, offset) => void f64x2.promote_low_f32x4(v128.load64_zero({ offset, align: 4 }, pointer)),
  converted: () => void f64x2.promote_low_f32x4(),
};

export const PRODUCTS = {
  f32: inLanes(4, f32x4),
  f64: inLanes(8, f64x2),
  s32: inLanes(4, i32x4),
  s64: inLanes(8, i64x2),
  promoted: PROMOTED,
};

/** A matrix: bytes from a row to the next, and from a column to the next. */
interface Strides {
  readonly row: number;
  readonly column: number;
}

export interface Matmul {
  readonly products: Products;
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly a: Strides;
  readonly b: Strides;
  /** Whether sums begin anew at each stretch of k and are added up then, as packed ones are. */
  readonly inStretches: boolean;
  /** Whether sums are doubles that are stored as f32. */
  readonly demoted: boolean;
}

/** Sums of a tile in vectors, and its rows at most. */
const TILE = 8;
export const ROWS = 4;

/** `c = a b`, rows of c one behind the other. */
export function multiply(given: Matmul, a: Int, b: Int, c: Int): void {
  // A single column has its rows in vectors.
  if (given.n === 1 && given.m > 1) {
    const transposed = ({ row, column }: Strides): Strides => ({ row: column, column: row });
    return multiply({ ...given, m: 1, n: given.m, a: transposed(given.b), b: transposed(given.a) }, b, a, c);
  }
  const { m, n, products } = given;
  const rows = Math.min(ROWS, m);
  const vectors = Math.max(1, Math.floor(TILE / rows));
  const columns = vectors * products.count;
  const size = resultSize(given);
  const sums = Array.from({ length: rows * vectors }, () => local.fresh("v128"));
  const [left, to] = [pointerTo(a), pointerTo(c)];
  const [right, put] = [local.fresh("i32"), local.fresh("i32")];
  const strip = (height: number): void => {
    local.set(right, b);
    local.set(put, to);
    const tile = (width: number): void => sumTile(given, { height, width, sums }, left, right, put);
    times(Math.floor(n / columns), () => {
      tile(columns);
      advance(right, columns * given.b.column);
      advance(put, columns * size);
    });
    if (n % columns > 0) tile(n % columns);
  };
  times(Math.floor(m / rows), () => {
    strip(rows);
    advance(left, rows * given.a.row);
    advance(to, rows * n * size);
  });
  if (m % rows > 0) strip(m % rows);
}

/** Bytes of a stored sum. */
const resultSize = ({ products, demoted }: Matmul): number => (demoted ? 4 : 16 / products.count);

interface Tile {
  readonly height: number;
  readonly width: number;
  readonly sums: readonly Vector[];
}

/** The sums of a tile over all of k, stored. */
function sumTile(given: Matmul, tile: Tile, left: Int, right: Int, put: Int): void {
  const { k, inStretches } = given;
  const most = inStretches ? STRETCH : k;
  const [a, b] = [pointerTo(left), pointerTo(right)];
  for (let from = 0; from < k; from += most) {
    const depth = Math.min(most, k - from);
    const count = tile.height * Math.ceil(tile.width / given.products.count);
    tile.sums.slice(0, count).forEach((sum) => local.set(sum, v128.const("i32x4", [0, 0, 0, 0])));
    const each = count * depth <= UNROLLED_PRODUCTS ? depth : Math.max(1, Math.floor(TILE / count));
    const steps = (n: number): void => {
      for (let i = 0; i < n; i++) addProducts(given, tile, a, b, i);
      advance(a, n * given.a.column);
      advance(b, n * given.b.row);
    };
    times(Math.floor(depth / each), () => steps(each));
    if (depth % each > 0) steps(depth % each);
    storeTile(given, tile, put, from > 0);
  }
}

/** Adds the products of step `i` from where the pointers are. */
function addProducts(
  { products, a, b }: Matmul,
  { height, width, sums }: Tile,
  left: Int,
  right: Int,
  i: number,
): void {
  const { count } = products;
  const factor = local.fresh("v128");
  const columns = Array.from({ length: Math.ceil(width / count) }, (_, v) => {
    const used = Math.min(count, width - v * count);
    loadColumns(products, right, i * b.row + v * count * b.column, b.column, used);
    const vector = local.fresh("v128");
    local.set(vector);
    return vector;
  });
  for (let r = 0; r < height; r++) {
    products.splat(left, i * a.column + r * a.row);
    local.set(factor);
    columns.forEach((column, v) => {
      const sum = sums[r * columns.length + v]!;
      local.get(sum);
      local.get(factor);
      local.get(column);
      products.mul();
      products.add();
      local.set(sum);
    });
  }
}

/** So many elements some bytes apart as a vector on the stack. */
function loadColumns(products: Products, pointer: Int, offset: number, step: number, used: number): void {
  if (step === products.size) return products.neighbours(pointer, offset);
  products.first(pointer, offset);
  for (let lane = 1; lane < used; lane++) products.more(lane, pointer, offset + lane * step);
  products.converted();
}

/** Stores the sums, added to those that are there where these are of earlier stretches. */
function storeTile(given: Matmul, { height, width, sums }: Tile, put: Int, adds: boolean): void {
  const { n, products, demoted } = given;
  const { count } = products;
  const size = resultSize(given);
  const vectors = Math.ceil(width / count);
  for (let r = 0; r < height; r++) {
    for (let v = 0; v < vectors; v++) {
      const sum = sums[r * vectors + v]!;
      const offset = (r * n + v * count) * size;
      if (adds) {
        v128.load({ offset, align: 4 }, put);
        local.get(sum);
        products.add();
        local.set(sum);
      }
      if (demoted) local.set(sum, f32x4.demote_f64x2_zero(sum));
      storeFirst(Math.min(count, width - v * count) * size, put, sum, offset);
    }
  }
}
