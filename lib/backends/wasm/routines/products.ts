/**
 * Routines of sums of products, in the order of the primitive for the same sizes and types.
 */
import type { Template } from "../../../backend";
import { rowMajorStrides } from "../../../core/shape";
import { bytesOf, isComplex, isFloat, isInteger, is64Bit, type DType } from "../../../core/types";
import { advance, call, f64, LANES, type Int } from "../asm";
import { laneTypeOf, matricesOf, productsOf, type Matrices } from "../contractions/dot";
import { strideOf } from "../matmul/pack-operands";
import { dots, multiples } from "../matmul/vector";
import { DOT_FROM } from "../schedule/contractions";
import { UNPACKED_TO } from "../schedule/programs";
import { at, boxOf, copyBox, pointerTo, times } from "./boxes";
import { inputIn, outputIn } from "./operands";
import { Rooms, routine, type Make, type Places, type Room, type Routine } from "./routine";
import { shared } from "./shared";
import { multiply, PRODUCTS, ROWS, type Matmul } from "./tiles";

/** The type that sums are made in, and whether they are made as the vector code of the primitive does: from so many products on. */
interface Sums {
  readonly type: "f32" | "f64" | "s32" | "s64";
  readonly asLarge: boolean;
}

function sumsOf(out: DType, x: DType, y: DType, products: number, { m, n }: Matrices["sizes"]): Sums | null {
  if ([out, x, y].every(isInteger)) return { type: is64Bit(out) ? "s64" : "s32", asLarge: false };
  if (!isFloat(out) || isComplex(x) || isComplex(y)) return null;
  const lanes = laneTypeOf(out, x, y);
  const isDouble = [out, x, y].every((type) => type === "f64") && Math.min(m, n) === 1;
  if (lanes === null || products < DOT_FROM || isDouble) return { type: "f64", asLarge: false };
  return { type: lanes, asLarge: true };
}

const overflowOf = (type: DType): "wrap" | "saturate" => (isInteger(type) ? "wrap" : "saturate");

/** An operand where it is read: converted or brought into order first if need be. */
interface Operand {
  readonly address: Room;
  /** Elements from one matrix, row and column to the next. */
  readonly batch: number;
  readonly row: number;
  readonly column: number;
  readonly type: DType;
  /** Whether rows or columns lie in one piece where the primitive reads them. */
  readonly hasLines: boolean;
}

/**
 * How an operand is had as matrices of elements of one of the types, and of rows in one piece if that is asked for; conversions and copies
 * lie in rooms of their own.
 */
function operandOf(
  rooms: Rooms,
  x: Template,
  i: 0 | 1,
  axes: Matrices["axes"][0],
  types: readonly DType[],
  inRows = false,
): Operand {
  const type = types.includes(x.type) ? x.type : types[0]!;
  const { shape } = x;
  const strides = rowMajorStrides(shape);
  const placed = axes.map((some) => strideOf(some, shape, strides)) as [number | null, number | null, number | null];
  const [batch, row, column] = placed;
  const isPlaced = row !== null && column !== null;
  const loaded = inputIn(rooms, type, x, i, overflowOf(type));
  const isInOrder = batch !== null && isPlaced && (!inRows || column === 1);
  const ordered = isInOrder ? null : rooms.take({ type, shape });
  // Only the matrices of a batch come into order where the primitive finds them: it goes by how a matrix lies, wherever the next one is.
  const isMatrixKept = isPlaced && !inRows;
  const others = axes.slice(1).flat();
  const order = [...axes[0], ...(isMatrixKept ? others.sort((a, b) => a - b) : others)];
  const sizes = order.map((axis) => shape[axis]!);
  const box = boxOf(
    sizes,
    order.map((axis) => strides[axis]!),
    rowMajorStrides(sizes),
    bytesOf(type),
  );
  const address = (places: Places): Int => {
    const from = loaded(places);
    if (!ordered) return from;
    const to = ordered(places);
    copyBox(box, at(from), at(to));
    return to;
  };
  const hasLines = !isPlaced || row === 1 || column === 1;
  if (isInOrder) return { address, type, batch: batch!, row: row!, column: column!, hasLines };
  const [, rowNow, columnNow] = axes.map((some) =>
    strideOf(
      some.map((axis) => order.indexOf(axis)),
      sizes,
      rowMajorStrides(sizes),
    ),
  );
  const size = others.reduce((n, axis) => n * shape[axis]!, 1);
  return { address, type, batch: size, row: rowNow!, column: columnNow!, hasLines };
}

type Sizes = Matrices["sizes"];

/** The code for each pair of matrices, which is given pointers to both and to the result; results are so many bytes apart. */
function eachPair(
  batch: number,
  places: Places,
  [x, y]: readonly [Operand, Operand],
  target: Int,
  bytes: number,
  product: Product,
): void {
  const [left, right, to] = [pointerTo(x.address(places)), pointerTo(y.address(places)), pointerTo(target)];
  times(batch, () => {
    product(left, right, to);
    advance(left, x.batch * bytesOf(x.type));
    advance(right, y.batch * bytesOf(y.type));
    advance(to, bytes);
  });
}

/** Products of one pair of matrices: pointers to both and to the result. */
type Product = (left: Int, right: Int, to: Int) => void;

const bytesApart = ({ row, column, type }: Operand) => ({ row: row * bytesOf(type), column: column * bytesOf(type) });

function byTiles({ type, asLarge }: Sums, { m, k, n }: Sizes, x: Operand, y: Operand, demoted: boolean): Product {
  const products = type === "f64" && x.type === "f32" ? PRODUCTS.promoted : PRODUCTS[type];
  const given: Matmul = { ...{ products, m, k, n, demoted }, a: bytesApart(x), b: bytesApart(y), inStretches: asLarge };
  return (left, right, to) => multiply(given, left, right, to);
}

/** A matrix and a vector, as the primitive takes them: by lines in one piece, or side by side; null where it packs them. */
function byLines(
  rooms: Rooms,
  type: "f32" | "f64",
  sizes: Sizes,
  x: Operand,
  y: Operand,
): ((places: Places) => Product) | null {
  const isTransposed = sizes.n !== 1;
  const transposed = (operand: Operand): Operand => ({ ...operand, row: operand.column, column: operand.row });
  const [matrix, vector] = isTransposed ? [transposed(y), x] : [x, transposed(y)];
  if (!matrix.hasLines) return null;
  const isSideBySide = matrix.row === 1 && matrix.column !== 1;
  const lanes = LANES[type];
  const code = shared(`${isSideBySide ? "multiples" : "dots"} ${type}`, () => (isSideBySide ? multiples : dots)(lanes));
  const lines = isTransposed ? sizes.n : sizes.m;
  const stride = (isSideBySide ? matrix.column : matrix.row) * lanes.size;
  const room = vector.column === 1 ? null : rooms.take({ type, shape: [sizes.k] });
  const box = boxOf([sizes.k], [vector.column], [1], lanes.size);
  return (places) => {
    const dense = room?.(places);
    return (left, right, to) => {
      const [lying, given] = isTransposed ? [right, left] : [left, right];
      if (dense) copyBox(box, at(given), at(dense));
      call(code, [lying, stride, dense ?? given, to, lines, sizes.k]);
    };
  };
}

/** The routine of matrices one after the other. */
function productsRoutine(
  out: Template,
  inputs: readonly [Template, Template],
  sums: Sums,
  { sizes, axes }: Matrices,
): Routine {
  const { batch, m, n } = sizes;
  const rooms = new Rooms();
  const { type } = sums;
  // Of f32 whose sums are made in f64 no copy in f64 is needed.
  const types = type === "f64" && inputs.every((input) => input.type === "f32") ? ["f32" as const] : loadedAs(type);
  // Columns that do not lie side by side are put together one by one for each strip of rows.
  const isTransposedOnce = sums.asLarge && m > ROWS && n > 1;
  const x = operandOf(rooms, inputs[0], 0, axes[0], types);
  const y = operandOf(rooms, inputs[1], 1, axes[1], types, isTransposedOnce);
  const demoted = type === "f64" && out.type === "f32" && !sums.asLarge;
  const isStored = demoted || loadedAs(type).includes(out.type);
  const result = outputIn(rooms, isStored ? out.type : type, out, overflowOf(type));
  const isVector = sums.asLarge && Math.min(m, n) === 1;
  const lines = isVector ? byLines(rooms, type as "f32" | "f64", sizes, x, y) : null;
  const bytes = demoted ? bytesOf("f32") : bytesOf(type);
  return routine({ inputs: 2, rooms }, (places) =>
    result(places, (target) => {
      const product = lines?.(places) ?? byTiles(sums, sizes, x, y, demoted);
      eachPair(batch, places, [x, y], target, m * n * bytes, product);
    }),
  );
}

/** Types whose elements are loaded as those of sums are. */
const loadedAs = (type: Sums["type"]): readonly DType[] =>
  type === "s32" ? ["s32", "u32"] : type === "s64" ? ["s64", "u64"] : [type];

// ------------------------------------------------------------------------------------------------------------ complex numbers

/** Where sums of parts of the left operand with parts of the right one go, in doubles. */
const PAIRS = [
  [0, 0],
  [1, 1],
  [0, 1],
  [1, 0],
] as const;

/** Sums of complex products as four real ones each, made by themselves, of which the parts are put together in the end. */
function complexRoutine(out: Template, inputs: readonly [Template, Template], { sizes, axes }: Matrices): Routine {
  const { batch, m, k, n } = sizes;
  const rooms = new Rooms();
  const [x, y] = inputs.map((x, i) => operandOf(rooms, x, i as 0 | 1, axes[i]!, ["c128"])) as [Operand, Operand];
  const sums = PAIRS.map(() => rooms.take({ type: "f64", shape: [m * n] }));
  const result = outputIn(rooms, "c128", out, "saturate");
  const given: Matmul = {
    ...{ products: PRODUCTS.f64, m, k, n, a: bytesApart(x), b: bytesApart(y) },
    ...{ inStretches: false, demoted: false },
  };
  return routine({ inputs: 2, rooms }, (places) =>
    result(places, (target) => {
      const made = sums.map((room) => room(places));
      eachPair(batch, places, [x, y], target, m * n * bytesOf("c128"), (left, right, to) => {
        PAIRS.forEach(([i, j], pair) => {
          const part = (base: Int, which: number): Int => pointerTo(base, which * bytesOf("f64"));
          multiply(given, part(left, i), part(right, j), made[pair]!);
        });
        joinParts(m * n, made, to);
      });
    }),
  );
}

/** The differences of the first two sums and the sums of the others, side by side. */
function joinParts(count: number, sums: readonly Int[], to: Int): void {
  const [re, minus, im, plus] = sums.map((base) => pointerTo(base)) as [Int, Int, Int, Int];
  const put = pointerTo(to);
  times(count, () => {
    f64.store({}, put, f64.sub(f64.load({}, re), f64.load({}, minus)));
    f64.store({ offset: 8 }, put, f64.add(f64.load({}, im), f64.load({}, plus)));
    for (const pointer of [re, minus, im, plus]) advance(pointer, 8);
    advance(put, 16);
  });
}

/** Real products in a complex one. */
const IN_COMPLEX = 4;

/**
 * None for products that are worth packing, for complex numbers that meet real ones, whose imaginary zeros count where something is not
 * finite, and for complex sums that vector code makes in an order of its own.
 */
const dot: Make<"dot"> = ([out], [x, y], attrs) => {
  const products = productsOf(out!, x!, attrs);
  if (products > UNPACKED_TO) return null;
  const matrices = matricesOf(x!, y!, attrs);
  // The loops of the reference go through pairs of axes in the order in which they are named.
  const asNamed = (): Matrices => matricesOf(x!, y!, attrs, attrs.contract);
  if (isComplex(x!.type) && isComplex(y!.type)) {
    return IN_COMPLEX * products < DOT_FROM ? complexRoutine(out!, [x!, y!], asNamed()) : null;
  }
  const sums = sumsOf(out!.type, x!.type, y!.type, products, matrices.sizes);
  return sums && productsRoutine(out!, [x!, y!], sums, sums.asLarge ? matrices : asNamed());
};

/** The routines of sums of products. */
export const products = { dot };
