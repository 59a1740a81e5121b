/**
 * Decompositions and solvers of matrices on the binary backend: every matrix of a batch is read into doubles, worked on
 * and rounded once into the types of the results.
 */
import type { LinalgAttrs, Template } from "../../../backend";
import { isComplex, type DType } from "../../../core/types";
import type { Tensor } from "../../../tensor";
import { loadC128, loadF64, storeC128, storeF64 } from "../../arrays/convert";
import type { MultiResultArrayPrimitive } from "../../arrays/primitives";
import { elementsOf, type Elements } from "../../arrays/storage";
import { cholesky, lu, solve, triangularSolve } from "./direct";
import { eig } from "./eig";
import { eigh } from "./eigh";
import { checkHermitian } from "./hermitian";
import { areFinite, transposeLines, unsetLines, type Lines } from "./lines";
import { carefulWorkshop, workPlainly, type Workshop } from "./loops";
import { expm, sqrtm } from "./matrix-functions";
import { qr } from "./reflections";
import { workOnBatch } from "./batches";
import { svd } from "./svd";
import { signOf } from "./whole";

/** Matrix `index` of a batch as rows. */
function readMatrix(on: Workshop, t: Tensor, index: number): Lines {
  const [count, length] = [t.shape.at(-2)!, t.shape.at(-1)!];
  const lines = unsetLines(on, count, length, isComplex(t.type));
  const size = count * length;
  if (!lines.im) {
    loadF64(t.type, elementsOf(t), index * size, lines.re, size);
    return lines;
  }
  const both = new Float64Array(2 * size);
  loadC128(t.type, elementsOf(t), index * size, both, size);
  for (let k = 0; k < size; k++) {
    lines.re[k] = both[2 * k]!;
    lines.im[k] = both[2 * k + 1]!;
  }
  return lines;
}

function write(
  type: DType,
  into: Elements,
  index: number,
  { re, im }: { re: Float64Array; im: Float64Array | null },
): void {
  const size = re.length;
  if (!isComplex(type)) return storeF64(type, into, index * size, re, size);
  const both = new Float64Array(2 * size);
  for (let k = 0; k < size; k++) {
    both[2 * k] = re[k]!;
    both[2 * k + 1] = im?.[k] ?? 0;
  }
  storeC128(type, into, index * size, both, size);
}

const conjugated = (x: Lines): Lines => ({ ...x, im: x.im && x.im.map((value) => -value) });

type Part = { readonly re: Float64Array; readonly im: Float64Array | null };

const real = (values: Float64Array): Part => ({ re: values, im: null });

/** The results for one matrix of each input, rows throughout. */
function decompose(
  attrs: LinalgAttrs,
  type: DType,
  inputs: readonly Lines[],
  outs: readonly Template[],
): readonly Part[] {
  const [a, b] = inputs as [Lines, Lines];
  switch (attrs.op) {
    case "cholesky":
      checkHermitian("cholesky", a, type);
      return [cholesky(a)];
    case "eigh": {
      checkHermitian("eigh", a, type);
      const { values, vectors } = eigh(a);
      return [real(values), transposeLines(vectors)];
    }
    case "eig": {
      const { values, vectors } = eig(a);
      return [values, transposeLines(vectors)];
    }
    case "expm":
      return [expm(a)];
    case "lu": {
      const { order, l, u } = lu(a);
      return [permutation(order), l, u];
    }
    case "pivots": {
      const { order, u } = lu(a);
      return [real(Float64Array.of(signOf(order))), diagonal(u)];
    }
    case "qr":
      return qrParts(a, outs[0]!.shape.at(-1)!);
    case "solve":
      return [solve(a, b)];
    case "sqrtm":
      return [sqrtm(a)];
    case "svd": {
      const { values, u, v } = svd(a, outs[0]!.shape.at(-1)!, outs[2]!.shape.at(-2)!);
      return [transposeLines(u), real(values), conjugated(v)];
    }
    case "triangularSolve":
      return [triangularSolve(a, b, attrs)];
    default:
      return attrs satisfies never;
  }
}

/** p with a = p l u, where row i of l u is row `order[i]` of a. */
function permutation(order: Float64Array): Part {
  const n = order.length;
  const re = new Float64Array(n * n);
  order.forEach((row, i) => (re[row * n + i] = 1));
  return real(re);
}

function diagonal({ count, re, im }: Lines): Part {
  const of = (x: Float64Array): Float64Array => Float64Array.from({ length: count }, (_, i) => x[i * count + i]!);
  return { re: of(re), im: im && of(im) };
}

/** r has as many rows as q has columns. */
function qrParts(a: Lines, width: number): readonly Part[] {
  const { q, r } = qr(a, width);
  const rows = transposeLines(r);
  const size = width * r.count;
  return [transposeLines(q), { re: rows.re.subarray(0, size), im: rows.im && rows.im.subarray(0, size) }];
}

/** Gives a workshop to work on one matrix of each operand, of which each result gets one, or on many with loops for whole ones, and takes it back. */
type Lend = <T>(
  inputs: readonly Template[],
  outs: readonly Template[],
  isAlone: boolean,
  work: (workshop: Workshop) => T,
) => T;

/** Decompositions in workshops that somebody lends. */
export const linalgOn =
  (lend: Lend): MultiResultArrayPrimitive<"linalg"> =>
  (memory) =>
  (outs, inputs, attrs) => {
    const results = outs.map((out) => memory.unset(out.type, out.shape));
    const workOn = (i: number, on: Workshop): boolean => {
      const lines = inputs.map((input) => readMatrix(on, input, i));
      if (on !== carefulWorkshop && !lines.every(areFinite)) return false;
      const parts = decompose(attrs, inputs[0]!.type, lines, outs);
      parts.forEach((part, k) => write(outs[k]!.type, results[k]!, i, part));
      return true;
    };
    const alone = (i: number): void => {
      if (!lend(inputs, outs, true, (on) => workOn(i, on))) workOn(i, carefulWorkshop);
    };
    lend(inputs, outs, false, (on) => workOnBatch(on, attrs, inputs, outs, results)).forEach(alone);
    return results.map((elements) => memory.hold(elements));
  };

/** The primitive of decompositions. */
export const decompositions = { linalg: linalgOn((_inputs, _outs, _isAlone, work) => workPlainly(work)) };
