/**
 * What a node costs: operations on elements, and the bytes it reads and writes. Counts are nominal: an operation is one
 * whatever the function or type, and methods that iterate are counted by the textbook's number.
 */
import type { LinalgAttrs, Primitive, Template } from "../../../backend";
import { sizeOf, type Shape } from "../../../core/shape";
import { bytesOf } from "../../../core/types";
import type { Graph, Node, NodeAttrs } from "../../graph";

/** The operations of one run of a function. */
type FlopsOf = (fn: Graph) => number;

interface Sizes<A> {
  readonly attrs: A;
  readonly out: Template;
  readonly inputs: readonly Template[];
  readonly flopsOf: FlopsOf;
}

type Rule<A> = (sizes: Sizes<A>) => number;
type Rules = { readonly [P in Primitive]: Rule<NodeAttrs<P>> };

const count = ({ shape }: Template): number => sizeOf(shape);
const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);
const log2 = (length: number): number => Math.ceil(Math.log2(Math.max(2, length)));
const sizesAlong = (shape: Shape, axes: readonly number[]): number => product(axes.map((axis) => shape[axis]!));

const none: Rule<unknown> = () => 0;
const each: Rule<unknown> = ({ out }) => count(out);

/** A reduction joins all elements but the first of each result. */
const joined: Rule<unknown> = ({ inputs, out }) => count(inputs[0]!) - count(out);

/** Comparisons of a merge sort. */
const sorted: Rule<{ readonly axis: number }> = ({ out, attrs: { axis } }) => count(out) * log2(out.shape[axis]!);

const RULES: Rules = {
  constant: none,
  iota: none,
  eye: none,
  unary: each,
  binary: each,
  select: each,
  asType: none,
  bitcast: none,
  map: ({ attrs, out, flopsOf }) => count(out) * flopsOf(attrs.fn),
  reshape: none,
  broadcast: none,
  transpose: none,
  pad: none,
  reverse: none,
  slice: none,
  putSlice: none,
  take: none,
  takeAlong: none,
  gather: none,
  indexed: ({ attrs, inputs }) => (attrs.op === "add" ? count(inputs[2]!) : 0),
  concatenate: none,
  sort: sorted,
  argsort: sorted,
  reduceOp: joined,
  argReduce: joined,
  cumulative: each,
  windowOp: ({ attrs, out }) => count(out) * (product(attrs.window) - 1),
  windowReduce: ({ attrs, out, flopsOf }) => count(out) * product(attrs.window) * flopsOf(attrs.fn),
  windowScatter: ({ attrs, inputs }) => count(inputs[1]!) * product(attrs.window),
  dot: ({ attrs, out, inputs }) => 2 * count(out) * sizesAlong(inputs[0]!.shape, attrs.contract[0]),
  conv: ({ out, inputs }) => 2 * count(out) * product(inputs[1]!.shape.slice(1)),
  // 5 n log2 n, half of that for real numbers: van Loan, Computational Frameworks for the Fast Fourier Transform, sections 1.4 and 4.3
  fft: ({ attrs: { axis, inverse, half }, out, inputs: [x] }) => {
    const { shape } = half && !inverse ? x! : out;
    return (half ? 2.5 : 5) * sizeOf(shape) * log2(shape[axis]!);
  },
  reduce: ({ attrs, inputs, flopsOf }) => count(inputs[0]!) * flopsOf(attrs.fn),
  block: ({ attrs, flopsOf }) => flopsOf(attrs.fn),
};

/** Golub & Van Loan, Matrix Computations, 4th ed., chapters 3 to 5 and 8: the counts given with the algorithms. */
function linalgFlops(attrs: LinalgAttrs, inputs: readonly Template[]): number {
  const { shape } = inputs[0]!;
  const [rows, columns] = [shape[shape.length - 2]!, shape[shape.length - 1]!];
  const [m, n] = [Math.max(rows, columns), Math.min(rows, columns)];
  return Math.round(product(shape.slice(0, -2)) * perMatrix(attrs, m, n, inputs));
}

function perMatrix(attrs: LinalgAttrs, m: number, n: number, inputs: readonly Template[]): number {
  switch (attrs.op) {
    case "cholesky":
      return n ** 3 / 3;
    case "eig":
      return 25 * n ** 3;
    case "eigh":
      return 9 * n ** 3;
    case "expm": // six products and a system; how many squarings there are is known only when it runs
      return (44 * n ** 3) / 3;
    case "lu":
    case "pivots":
      return (2 * n ** 3) / 3;
    case "qr":
      return 4 * m * n ** 2 - (4 * n ** 3) / 3;
    case "solve":
      return (2 * n ** 3) / 3 + 2 * n ** 2 * inputs[1]!.shape[inputs[1]!.shape.length - 1]!;
    case "sqrtm":
      return 28 * n ** 3;
    case "svd":
      return 4 * m ** 2 * n + 8 * m * n ** 2 + 9 * n ** 3;
    case "triangularSolve":
      return n ** 2 * inputs[1]!.shape[inputs[1]!.shape.length - 1]!;
    default:
      return attrs satisfies never;
  }
}

/**
 * Operations of a node each time that it runs. A `cond` counts as its costliest branch, a `while` as one step, since how
 * many there are is known only when it runs.
 */
export function flopsOfNode(node: Node, flopsOf: FlopsOf): number {
  const inputs = node.inputs.map(({ out }) => out);
  switch (node.kind) {
    case "parameter":
    case "capture":
    case "literal":
    case "element":
    case "hook":
    case "runtimeCall":
      return 0;
    case "cond":
      return Math.max(...node.attrs.functions.map(flopsOf));
    case "while":
      return node.attrs.functions.reduce((sum, fn) => sum + flopsOf(fn), 0);
    case "scan":
      return node.attrs.length * flopsOf(node.attrs.functions[0]!);
    case "fused":
      return flopsOf(node.attrs.fn);
    case "linalg":
      return linalgFlops(node.attrs, inputs);
    default:
      return (RULES[node.kind] as Rule<unknown>)({ attrs: node.attrs, out: node.out, inputs, flopsOf });
  }
}

/** Bytes of a tensor. */
export const bytesOfTemplate = ({ type, shape }: Template): number => sizeOf(shape) * bytesOf(type);

/** Whether a node gives what is there already, under another shape or out of several. */
export const isView = ({ kind }: Node): boolean => kind === "element" || kind === "reshape" || kind === "hook";

/** Bytes of an input that a node reads: all of it, but only what is taken where elements are picked. */
export function bytesRead(node: Node, index: number): number {
  if (isView(node)) return 0;
  const picks = node.kind === "slice" || node.kind === "take" || node.kind === "takeAlong" || node.kind === "gather";
  return bytesOfTemplate(picks && index === 0 ? node.out : node.inputs[index]!.out);
}
