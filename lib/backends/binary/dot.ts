/**
 * Sums of products over pairs of axes: operands are brought into the order batch, rows, columns and multiplied as
 * matrices. Floats accumulate in f64 and are rounded once; integers are exact modulo their width.
 */
import type { Attrs } from "../../backend";
import { freeAxes } from "../../core/shape";
import { isComplex, isInteger, type DType } from "../../core/types";
import type { Tensor } from "../../tensor";
import { loadI64, storeC128, storeF64, storeI64 } from "../arrays/convert";
import { reordered } from "../arrays/copy";
import { dropCopy } from "../arrays/operands";
import type { ArrayPrimitive } from "../arrays/primitives";
import { elementsOf, type Elements } from "../arrays/storage";
import { doublesOf, partsOf, productOfParts } from "./complex-parts";
import { matmul } from "./matmul";
import { matmulWide } from "./matmul-wide";

/** How many matrices there are, and their sizes: `[m, k]` by `[k, n]`. */
interface Sizes {
  readonly batch: number;
  readonly m: number;
  readonly k: number;
  readonly n: number;
}

const sizeAlong = (t: Tensor, axes: readonly number[]): number => axes.reduce((size, axis) => size * t.shape[axis]!, 1);

function sizesOf(left: Tensor, right: Tensor, { contract, batch }: Attrs["dot"]): Sizes {
  return {
    batch: sizeAlong(left, batch[0]),
    m: sizeAlong(left, freeAxes(left.shape, contract[0], batch[0])),
    k: sizeAlong(left, contract[0]),
    n: sizeAlong(right, freeAxes(right.shape, contract[1], batch[1])),
  };
}

/** An operand in the order batch, rows, columns, with its type. */
interface Ordered {
  readonly type: DType;
  readonly elements: Elements;
}

/** Rooms for small operands and sums: memory for each would take longer than a product of 4 x 4. */
const FIRST = new Float64Array(1024);
const SECOND = new Float64Array(1024);
const SUMS = new Float64Array(1024);

/** The products of a batch of matrices, one after the other, added to `c`. */
function multiplyAll(
  a: Float64Array,
  b: Float64Array,
  { batch, m, k, n }: Sizes,
  c: Float64Array = new Float64Array(batch * m * n),
): Float64Array {
  for (let i = 0; i < batch; i++) {
    const left = { data: a, offset: i * m * k, row: k, column: 1 };
    matmul(left, { data: b, offset: i * k * n, row: n, column: 1 }, c, i * m * n, m, k, n);
  }
  return c;
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]!));
  return most;
}

/** Integers through doubles where no sum can leave the range in which these are exact, else in pairs of halves. */
function dotIntegers(type: DType, left: Ordered, right: Ordered, sizes: Sizes, out: Elements): void {
  const { batch, m, k, n } = sizes;
  const a = doublesOf(left.type, left.elements, batch * m * k);
  const b = doublesOf(right.type, right.elements, batch * k * n);
  const bound = largest(a) * largest(b) * k;
  if (bound < 2 ** 53) return storeF64(type, out, 0, multiplyAll(a, b, sizes), batch * m * n);
  const c = new Int32Array(2 * batch * m * n);
  const [x, y] = [halves(left, batch * m * k), halves(right, batch * k * n)];
  for (let i = 0; i < batch; i++) matmulWide(x, i * m * k, y, i * k * n, c, i * m * n, m, k, n);
  storeI64(type, out, 0, c, batch * m * n);
}

function halves({ type, elements }: Ordered, count: number): Int32Array {
  const pairs = new Int32Array(2 * count);
  loadI64(type, elements, 0, pairs, count);
  return pairs;
}

function dotComplex(type: DType, left: Ordered, right: Ordered, sizes: Sizes, out: Elements): void {
  const { batch, m, k, n } = sizes;
  const x = partsOf(left.type, left.elements, batch * m * k);
  const y = partsOf(right.type, right.elements, batch * k * n);
  const both = productOfParts(x, y, (a, b) => multiplyAll(a, b, sizes));
  storeC128(type, out, 0, both, batch * m * n);
}

/** Results begin with zeros. */
function dotReal(type: DType, left: Ordered, right: Ordered, sizes: Sizes, out: Elements): void {
  const { batch, m, k, n } = sizes;
  const count = batch * m * n;
  const a = doublesOf(left.type, left.elements, batch * m * k, FIRST);
  const b = doublesOf(right.type, right.elements, batch * k * n, SECOND);
  if (type === "f64") multiplyAll(a, b, sizes, out as Float64Array);
  else
    storeF64(type, out, 0, multiplyAll(a, b, sizes, count > SUMS.length ? undefined : SUMS.fill(0, 0, count)), count);
}

const dot: ArrayPrimitive<"dot"> =
  (memory) =>
  (out, [x, y], attrs) => {
    const { contract, batch } = attrs;
    const sizes = sizesOf(x!, y!, attrs);
    const left = {
      type: x!.type,
      elements: reordered(memory, x!.type, elementsOf(x!), x!.shape, [
        ...batch[0],
        ...freeAxes(x!.shape, contract[0], batch[0]),
        ...contract[0],
      ]),
    };
    const right = {
      type: y!.type,
      elements: reordered(memory, y!.type, elementsOf(y!), y!.shape, [
        ...batch[1],
        ...contract[1],
        ...freeAxes(y!.shape, contract[1], batch[1]),
      ]),
    };
    const result = memory.zeroed(out.type, out.shape);
    if (isComplex(out.type)) dotComplex(out.type, left, right, sizes, result);
    else if (isInteger(out.type)) dotIntegers(out.type, left, right, sizes, result);
    else dotReal(out.type, left, right, sizes, result);
    dropCopy(memory, x!, left.elements);
    dropCopy(memory, y!, right.elements);
    return memory.hold(result);
  };

/** The primitive of sums of products. */
export const products = { dot };
