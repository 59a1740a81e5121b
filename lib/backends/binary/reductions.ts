/**
 * Reductions over axes.
 *
 * Reduced axes that are neighbours count as one. Where kept axes lie between them, the last group of reduced axes is folded
 * first and the next one folds its unrounded results. Floats are folded in f64, complex numbers in pairs of f64, and rounded
 * once at the end. Integers are folded exactly modulo 2^64: in f64 while no sum can leave its 53 bits, else in 64-bit halves.
 * The order of additions is described in `fold.ts` and `fold-kernels.ts`; it depends on the shape and the axes only.
 */
import type { Template } from "../../backend";
import { writeInt64FromNumber } from "../../core/int64";
import { sizeOf } from "../../core/shape";
import { stagesOf } from "../../core/stages";
import { bitsOf, isComplex, isInteger, isUnsigned, is64Bit, type DType } from "../../core/types";
import type { ReduceOp } from "../../ops";
import type { Tensor } from "../../tensor";
import { loadC128, loadF64, loadI64, storeC128, storeF64, storeI64 } from "../arrays/convert";
import type { ArrayMemory } from "../arrays/memory";
import { dropCopy, elementsAs } from "../arrays/operands";
import type { ArrayPrimitive } from "../arrays/primitives";
import { type ArrayData, elementsOf, type Elements } from "../arrays/storage";
import { foldRows, type Loader } from "./fold";
import * as kernels from "./fold-kernels";

type Load<A> = (type: DType, elements: Elements, at: number, buffer: A, n: number) => void;
type Store<A> = (type: DType, elements: Elements, at: number, values: A, n: number) => void;

/** A kernel with its way in and out; `parts` entries make an element. */
interface Method<A extends kernels.Work> {
  readonly kernel: kernels.Kernel<A>;
  readonly load: Load<A>;
  readonly store: Store<A>;
  readonly parts: 1 | 2;
}

const reduceOp: ArrayPrimitive<"reduceOp"> =
  (memory) =>
  (out, [x], { op, axes }) => {
    if (axes.length === 0 && op !== "all" && op !== "any") {
      const elements = elementsAs(out.type, x!);
      const data = memory.hold(elements);
      dropCopy(memory, x!, elements);
      return data;
    }
    const { type, shape } = x!;
    const count = axes.reduce((n, axis) => n * shape[axis]!, 1);
    switch (op) {
      case "all":
      case "any":
        return fold(memory, out, x!, axes, truth(op, type));
      case "reduceMax":
      case "reduceMin":
        return is64Bit(type)
          ? fold(memory, out, x!, axes, wide(extremes(op, type)))
          : fold(memory, out, x!, axes, real(floatKernel(op)));
      case "sum":
      case "product":
        if (isComplex(type)) return fold(memory, out, x!, axes, complex(op));
        if (!isInteger(type)) return fold(memory, out, x!, axes, real(floatKernel(op)));
        if (op === "sum" && staysExact(type, count)) return fold(memory, out, x!, axes, integral);
        return fold(memory, out, x!, axes, wide(op === "sum" ? kernels.i64Sum : kernels.i64Product));
      default:
        return op satisfies never;
    }
  };

type FloatOp = Exclude<ReduceOp, "all" | "any">;

function floatKernel(op: FloatOp): kernels.Kernel<Float64Array> {
  const table = {
    sum: kernels.f64Sum,
    product: kernels.f64Product,
    reduceMax: kernels.f64Max,
    reduceMin: kernels.f64Min,
  };
  return table[op];
}

function extremes(op: "reduceMax" | "reduceMin", type: DType): kernels.Kernel<Int32Array> {
  if (isUnsigned(type)) return op === "reduceMax" ? kernels.u64Max : kernels.u64Min;
  return op === "reduceMax" ? kernels.s64Max : kernels.s64Min;
}

/** Whether f64 holds every sum of `count` elements exactly. */
function staysExact(type: DType, count: number): boolean {
  return !is64Bit(type) && count * 2 ** bitsOf(type) <= 2 ** 53;
}

function real(kernel: kernels.Kernel<Float64Array>): Method<Float64Array> {
  return { kernel, load: loadF64, store: storeF64, parts: 1 };
}

function wide(kernel: kernels.Kernel<Int32Array>): Method<Int32Array> {
  return { kernel, load: loadI64, store: storeI64, parts: 2 };
}

/** Parts of complex numbers add up on their own. */
function complex(op: "sum" | "product"): Method<Float64Array> {
  const kernel = op === "sum" ? kernels.f64Sum : kernels.c128Product;
  return { kernel, load: loadC128, store: storeC128, parts: 2 };
}

/** Small integers in f64. */
const integral: Method<Float64Array> = { ...real(kernels.f64Sum), store: storeWhole };

function storeWhole(type: DType, elements: Elements, at: number, values: Float64Array, n: number): void {
  if (!is64Bit(type)) return storeF64(type, elements, at, values, n);
  for (let i = 0; i < n; i++) writeInt64FromNumber(elements as Int32Array, 2 * (at + i), values[i]!);
}

/** Zeros are false, everything else is true; of complex numbers those with a part that is not zero. */
function truth(op: "all" | "any", type: DType): Method<Float64Array> {
  const method = real(op === "all" ? kernels.allTrue : kernels.anyTrue);
  return isComplex(type) ? { ...method, load: loadComplexTruth } : method;
}

function loadComplexTruth(type: DType, elements: Elements, at: number, buffer: Float64Array, n: number): void {
  const parts = new Float64Array(2 * n);
  loadC128(type, elements, at, parts, n);
  for (let i = 0; i < n; i++) buffer[i] = parts[2 * i] === 0 && parts[2 * i + 1] === 0 ? 0 : 1;
}

// ---------------------------------------------------------------------------------------------------------------- folds

/** Runs all folds and stores the result; what lies between two folds keeps the precision of the kernel. */
function fold<A extends kernels.Work>(
  memory: ArrayMemory,
  out: Template,
  x: Tensor,
  axes: readonly number[],
  method: Method<A>,
): ArrayData {
  const { kernel, parts, load, store } = method;
  const source = elementsOf(x);
  let read: Loader<A> = (from, buffer, at, n) => {
    load(x.type, source, from / parts, at === 0 ? buffer : (buffer.subarray(at) as A), n / parts);
  };
  let sums: A | null = null;
  for (const { before, size, after } of stagesOf(x.shape, axes)) {
    sums = foldRows(kernel, { groups: before, rows: size, columns: after * parts }, read);
    read = readerOf(sums);
  }
  const elements = memory.zeroed(out.type, out.shape);
  store(out.type, elements, 0, sums!, sizeOf(out.shape));
  return memory.hold(elements);
}

function readerOf<A extends kernels.Work>(values: A): Loader<A> {
  return (from, buffer, at, n) => {
    for (let i = 0; i < n; i++) buffer[at + i] = values[from + i]!;
  };
}

/** The reductions. */
export const reductions = { reduceOp };
