/**
 * The works that are compared: name, operands, what runs on them, and how far results may differ. How a library does a
 * work is the business of its runner.
 */
import type { InputSpec, InputSpecs } from "./protocol";

export interface PeerWork {
  readonly name: string;
  /** Which function of a runner does it. */
  readonly run: string;
  readonly inputs: InputSpecs;
  /** A result may differ from the reference by absolute + relative * |reference|. */
  readonly tolerance: { readonly absolute: number; readonly relative: number };
}

const N = 1_000_000;

let seeds = 0;
const numbers = (shape: readonly number[], low = 0, high = 1): InputSpec => ({ shape, seed: ++seeds, low, high });

function work(name: string, run: string, inputs: InputSpecs, absolute = 1e-6, relative = 1e-5): PeerWork {
  return { name, run, inputs, tolerance: { absolute, relative } };
}

const unary = (run: string, low: number, high: number): PeerWork =>
  work(run, run, { x: numbers([N], low, high) }, 1e-5);

const matmul = (n: number): PeerWork =>
  work(`matmul ${n}`, "matmul", { x: numbers([n, n], -1, 1), y: numbers([n, n], -1, 1) }, 1e-3);

const image = numbers([1000, 1000]);
const positive = numbers([N]);
const small = { x: numbers([8], -1, 1), y: numbers([8], -1, 1) };

/** The rows of the table. */
export const table: readonly PeerWork[] = [
  work("gelu, tanh form", "gelu", { x: numbers([N], -5, 5) }, 1e-5),
  work(
    "Black-Scholes",
    "blackScholes",
    { spot: numbers([N], 50, 150), strike: numbers([N], 50, 150), time: numbers([N], 0.1, 2) },
    1e-3,
    1e-4,
  ),
  work("polynomial, 9 operations", "polynomial", { x: numbers([N], -2, 2) }, 1e-4),
  unary("exp", -5, 5),
  unary("log", 0.01, 10),
  unary("sin", -10, 10),
  unary("tanh", -5, 5),
  work("softmax 1000x1000", "softmax", { x: numbers([1000, 1000], -5, 5) }, 1e-8, 1e-4),
  work("sum, all", "sum", { x: positive }, 0, 1e-4),
  work("sum, axis 0", "sum0", { x: image }, 0, 1e-4),
  work("sum, axis 1", "sum1", { x: image }, 0, 1e-4),
  work("1000x1 + 1x1000", "add", { x: numbers([1000, 1]), y: numbers([1, 1000]) }),
  work("transpose + 1", "transposeAdd", { x: image }),
  work("add 1e7, output reused", "addReused", { x: numbers([10 * N]), y: numbers([10 * N]) }),
  work("add of 8, eager", "addSmall", small),
  work("add of 8, compiled", "addCompiled", small),
  matmul(256),
  matmul(511),
  matmul(512),
  matmul(1024),
  work(
    "conv 8x16x64x64, 32 of 3x3",
    "conv",
    { x: numbers([8, 16, 64, 64], -1, 1), filters: numbers([32, 16, 3, 3], -1, 1) },
    1e-3,
  ),
  work("sort", "sort", { x: positive }, 0, 0),
  work("argmax", "argmax", { x: positive }, 0, 0),
  work("cumulative sum", "cumsum", { x: positive }, 1e-3, 1e-3),
  work(
    "gradient, MLP 256-256-10",
    "mlpGradient",
    {
      x: numbers([128, 256], -1, 1),
      labels: { ...numbers([128, 10]), oneHot: true },
      w1: numbers([256, 256], -0.1, 0.1),
      b1: numbers([256], -0.1, 0.1),
      w2: numbers([256, 10], -0.1, 0.1),
      b2: numbers([10], -0.1, 0.1),
    },
    1e-6,
    1e-4,
  ),
];

/** Works whose time is followed from 1e2 to 1e7 elements. */
export const scalable: readonly PeerWork[] = [
  work("add", "add", { x: numbers([N]), y: numbers([N]) }),
  ...table.filter(({ run }) => ["gelu", "exp", "sum"].includes(run)),
];

/** The same work on operands of another length. */
export function resized(of: PeerWork, length: number): PeerWork {
  const inputs = Object.entries(of.inputs).map(([name, spec]) => [name, { ...spec, shape: [length] }]);
  return { ...of, inputs: Object.fromEntries(inputs) as InputSpecs };
}
