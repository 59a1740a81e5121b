/**
 * Loops over typed arrays as one writes them by hand, computing in f64 and rounding when they store. Each allocates its
 * result, as a library has to. Their results are the reference for all others.
 */
import { handPrograms } from "../../programs/hand";
import type { Plain as Operand, PlainResult } from "../../programs/program";
import { serve, type Inputs, type Prepared } from "../serve";

type Result = PlainResult | Float32Array[] | number;
type Run = (inputs: Inputs<Operand>) => Prepared<Result>;

function read(result: Result): ArrayLike<number> {
  if (typeof result === "number") return [result];
  return Array.isArray(result) ? result.flatMap((part) => Array.from(part)) : result;
}

const unary =
  (fn: (x: Float32Array, shape: readonly number[]) => Result): Run =>
  ({ x }) => ({ call: () => fn(x!.data, x!.shape), read });

const binary =
  (fn: (x: Float32Array, y: Float32Array) => Result): Run =>
  ({ x, y }) => ({ call: () => fn(x!.data, y!.data), read });

function gelu(x: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  const scale = Math.sqrt(2 / Math.PI);
  for (let i = 0; i < x.length; i++) {
    const value = x[i]!;
    out[i] = 0.5 * value * (1 + Math.tanh(scale * (value + 0.044715 * value * value * value)));
  }
  return out;
}

/** Abramowitz and Stegun (1964), 7.1.26: absolute error below 1.5e-7. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

const RATE = 0.02;
const VOLATILITY = 0.3;

const normal = (x: number): number => 0.5 * (1 + erf(x * Math.SQRT1_2));

const blackScholes: Run = (inputs) => {
  const [spot, strike, time] = [inputs.spot!.data, inputs.strike!.data, inputs.time!.data];
  const call = (): Float32Array => {
    const out = new Float32Array(spot.length);
    for (let i = 0; i < out.length; i++) {
      const spread = VOLATILITY * Math.sqrt(time[i]!);
      const d1 = (Math.log(spot[i]! / strike[i]!) + (RATE + VOLATILITY ** 2 / 2) * time[i]!) / spread;
      out[i] = spot[i]! * normal(d1) - strike[i]! * Math.exp(-RATE * time[i]!) * normal(d1 - spread);
    }
    return out;
  };
  return { call, read };
};

function polynomial(x: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  for (let i = 0; i < x.length; i++) {
    const value = x[i]!;
    out[i] = ((((0.5 * value - 1) * value + 0.25) * value + 2) * value - 0.75) * value;
  }
  return out;
}

function exp(x: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  for (let i = 0; i < x.length; i++) out[i] = Math.exp(x[i]!);
  return out;
}

function log(x: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  for (let i = 0; i < x.length; i++) out[i] = Math.log(x[i]!);
  return out;
}

function sin(x: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  for (let i = 0; i < x.length; i++) out[i] = Math.sin(x[i]!);
  return out;
}

function tanh(x: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  for (let i = 0; i < x.length; i++) out[i] = Math.tanh(x[i]!);
  return out;
}

function softmaxRow(x: Float32Array, out: Float32Array): void {
  let top = -Infinity;
  let sum = 0;
  for (let i = 0; i < x.length; i++) top = Math.max(top, x[i]!);
  for (let i = 0; i < x.length; i++) sum += out[i] = Math.exp(x[i]! - top);
  for (let i = 0; i < x.length; i++) out[i]! /= sum;
}

function softmax(x: Float32Array, shape: readonly number[]): Float32Array {
  const [rows, columns] = shape as [number, number];
  const out = new Float32Array(x.length);
  for (let row = 0; row < rows; row++) {
    const [start, end] = [row * columns, (row + 1) * columns];
    softmaxRow(x.subarray(start, end), out.subarray(start, end));
  }
  return out;
}

function sum(x: Float32Array): number {
  let total = 0;
  for (let i = 0; i < x.length; i++) total += x[i]!;
  return total;
}

function sum0(x: Float32Array, shape: readonly number[]): Float32Array {
  const [rows, columns] = shape as [number, number];
  const totals = new Float64Array(columns);
  for (let row = 0; row < rows; row++) for (let i = 0; i < columns; i++) totals[i]! += x[row * columns + i]!;
  return Float32Array.from(totals);
}

function sum1(x: Float32Array, shape: readonly number[]): Float32Array {
  const [rows, columns] = shape as [number, number];
  const out = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    let total = 0;
    for (let i = 0; i < columns; i++) total += x[row * columns + i]!;
    out[row] = total;
  }
  return out;
}

function addInto(out: Float32Array, x: Float32Array, y: Float32Array): Float32Array {
  for (let i = 0; i < out.length; i++) out[i] = x[i]! + y[i]!;
  return out;
}

function addOuter(x: Float32Array, y: Float32Array): Float32Array {
  const out = new Float32Array(x.length * y.length);
  for (let i = 0; i < x.length; i++) for (let j = 0; j < y.length; j++) out[i * y.length + j] = x[i]! + y[j]!;
  return out;
}

const add: Run = ({ x, y }) => {
  const [{ data: left, shape }, { data: right }] = [x!, y!];
  const call =
    shape.length === 2 ? () => addOuter(left, right) : () => addInto(new Float32Array(left.length), left, right);
  return { call, read };
};

const addReused: Run = ({ x, y }) => {
  const out = new Float32Array(x!.data.length);
  return { call: () => addInto(out, x!.data, y!.data), read };
};

function transposeAdd(x: Float32Array, shape: readonly number[]): Float32Array {
  const [rows, columns] = shape as [number, number];
  const out = new Float32Array(x.length);
  for (let i = 0; i < columns; i++) for (let j = 0; j < rows; j++) out[i * rows + j] = x[j * columns + i]! + 1;
  return out;
}

/** Rows times columns, with the innermost loop along rows of both the factor and the result. */
function product(x: Float32Array, y: Float32Array, inner: number): Float32Array {
  const [rows, columns] = [x.length / inner, y.length / inner];
  const out = new Float32Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < inner; k++) {
      const factor = x[i * inner + k]!;
      for (let j = 0; j < columns; j++) out[i * columns + j]! += factor * y[k * columns + j]!;
    }
  }
  return out;
}

const matmul: Run = ({ x, y }) => ({ call: () => product(x!.data, y!.data, x!.shape[1]!), read });

/** Adds one channel of an image, moved and weighted for each place of a filter of 3x3, to a channel of the result. */
function convolve(image: Float32Array, filter: Float32Array, out: Float32Array, height: number, width: number): void {
  for (let place = 0; place < 9; place++) {
    const [down, right, weight] = [Math.floor(place / 3) - 1, (place % 3) - 1, filter[place]!];
    for (let row = Math.max(0, -down); row < height - Math.max(0, down); row++) {
      const [to, from] = [row * width, (row + down) * width + right];
      for (let i = Math.max(0, -right); i < width - Math.max(0, right); i++) out[to + i]! += weight * image[from + i]!;
    }
  }
}

const conv: Run = ({ x, filters }) => {
  const [batch, channels, height, width] = x!.shape as [number, number, number, number];
  const count = filters!.shape[0]!;
  const area = height * width;
  const call = (): Float32Array => {
    const out = new Float32Array(batch * count * area);
    for (let n = 0; n < batch * count; n++) {
      const to = out.subarray(n * area, (n + 1) * area);
      for (let channel = 0; channel < channels; channel++) {
        const image = (Math.floor(n / count) * channels + channel) * area;
        const filter = ((n % count) * channels + channel) * 9;
        convolve(x!.data.subarray(image, image + area), filters!.data.subarray(filter, filter + 9), to, height, width);
      }
    }
    return out;
  };
  return { call, read };
};

function argmax(x: Float32Array): number {
  let best = 0;
  for (let i = 1; i < x.length; i++) if (x[i]! > x[best]!) best = i;
  return best;
}

function cumsum(x: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  for (let i = 0, total = 0; i < x.length; i++) out[i] = total += x[i]!;
  return out;
}

function transposed(x: Float32Array, columns: number): Float32Array {
  const rows = x.length / columns;
  const out = new Float32Array(x.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) out[j * rows + i] = x[i * columns + j]!;
  return out;
}

function addRow(x: Float32Array, row: Float32Array): Float32Array {
  for (let i = 0; i < x.length; i++) x[i]! += row[i % row.length]!;
  return x;
}

/** The gradient of the mean cross-entropy with respect to the scores, in their place. */
function scoreGradient(scores: Float32Array, labels: Float32Array, rows: number): Float32Array {
  const out = softmax(scores, [rows, scores.length / rows]);
  for (let i = 0; i < out.length; i++) out[i] = (out[i]! - labels[i]!) / rows;
  return out;
}

const mlpGradient: Run = (inputs) => {
  const of = (name: string): Float32Array => inputs[name]!.data;
  const [x, labels, w1, b1, w2, b2] = [of("x"), of("labels"), of("w1"), of("b1"), of("w2"), of("b2")];
  const [rows, wide, hiddenSize, classes] = [inputs.x!.shape[0]!, inputs.x!.shape[1]!, b1.length, b2.length];
  const call = (): Float32Array[] => {
    const hidden = addRow(product(x, w1, wide), b1);
    for (let i = 0; i < hidden.length; i++) hidden[i] = Math.max(hidden[i]!, 0);
    const toScores = scoreGradient(addRow(product(hidden, w2, hiddenSize), b2), labels, rows);
    const toHidden = product(toScores, transposed(w2, classes), classes);
    for (let i = 0; i < hidden.length; i++) if (hidden[i] === 0) toHidden[i] = 0;
    return [
      product(transposed(x, wide), toHidden, rows),
      sum0(toHidden, [rows, hiddenSize]),
      product(transposed(hidden, hiddenSize), toScores, rows),
      sum0(toScores, [rows, classes]),
    ];
  };
  return { call, read };
};

const programs = Object.entries(handPrograms).map(([name, program]): [string, Run] => [
  name,
  (inputs) => ({ call: program(inputs), read }),
]);

await serve<Operand, Result>({
  name: "loop",
  version: "",
  threads: "1",
  tensor: (data, shape) => ({ data, shape }),
  runs: {
    ...Object.fromEntries(programs),
    gelu: unary(gelu),
    blackScholes,
    polynomial: unary(polynomial),
    exp: unary(exp),
    log: unary(log),
    sin: unary(sin),
    tanh: unary(tanh),
    softmax: unary(softmax),
    sum: unary(sum),
    sum0: unary(sum0),
    sum1: unary(sum1),
    add,
    addReused,
    addSmall: binary((x, y) => addInto(new Float32Array(x.length), x, y)),
    addCompiled: binary((x, y) => addInto(new Float32Array(x.length), x, y)),
    transposeAdd: unary(transposeAdd),
    matmul,
    conv,
    sort: unary((x) => x.slice().sort()),
    argmax: unary(argmax),
    cumsum: unary(cumsum),
    mlpGradient,
  },
});
