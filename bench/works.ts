/**
 * What is measured: element-wise work of the binary backend against hand-written typed-array loops, small calls, sums,
 * and the overhead of `defn`.
 */
import * as Nx from "nx-numerics";
import type { Work } from "./measure";
import { random } from "./random";

const N = 1_000_000;

const left = random(N);
const right = random(N).reverse();
const a = Nx.tensor(left);
const b = Nx.tensor(right);
const wideA = Nx.asType(Nx.multiply(a, 2 ** 50), "s64");
const wideB = Nx.asType(Nx.multiply(b, 2 ** 50), "s64");
const small = Nx.f32([1, 2, 3, 4, 5, 6, 7, 8]);
const smallNamed = Nx.f32([1, 2, 3, 4, 5, 6, 7, 8], { names: ["x"] });
const column = Nx.tensor(random(1000)).reshape([1000, 1]);
const row = Nx.tensor(random(1000)).reshape([1, 1000]);
const square = a.reshape([1000, 1000]);

/** Hand-written loops: each allocates its result, as a library has to. */
function add(x: Float32Array, y: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  for (let i = 0; i < out.length; i++) out[i] = x[i]! + y[i]!;
  return out;
}

function multiply(x: Float32Array, y: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  for (let i = 0; i < out.length; i++) out[i] = x[i]! * y[i]!;
  return out;
}

function divide(x: Float32Array, y: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  for (let i = 0; i < out.length; i++) out[i] = x[i]! / y[i]!;
  return out;
}

function maximum(x: Float32Array, y: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  for (let i = 0; i < out.length; i++) out[i] = Math.max(x[i]!, y[i]!);
  return out;
}

function less(x: Float32Array, y: Float32Array): Uint8Array {
  const out = new Uint8Array(x.length);
  for (let i = 0; i < out.length; i++) out[i] = x[i]! < y[i]! ? 1 : 0;
  return out;
}

function exp(x: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  for (let i = 0; i < out.length; i++) out[i] = Math.exp(x[i]!);
  return out;
}

function sum(x: Float32Array): number {
  let total = 0;
  for (let i = 0; i < x.length; i++) total += x[i]!;
  return total;
}

function outerAdd(x: Float32Array, y: Float32Array): Float32Array {
  const out = new Float32Array(x.length * y.length);
  for (let i = 0; i < x.length; i++) for (let j = 0; j < y.length; j++) out[i * y.length + j] = x[i]! + y[j]!;
  return out;
}

const columnData = random(1000);
const rowData = random(1000);
const polynomial = (t: Nx.Tensor) => t.multiply(t).add(1).multiply(t).subtract(2);
const compiled = Nx.defn(polynomial);

export const works: readonly Work[] = [
  { name: "add f32 1e6", candidates: { loop: () => add(left, right), nx: () => a.add(b) }, bounds: { nx: 2 } },
  {
    name: "multiply f32 1e6",
    candidates: { loop: () => multiply(left, right), nx: () => a.multiply(b) },
    bounds: { nx: 2 },
  },
  { name: "divide f32 1e6", candidates: { loop: () => divide(left, right), nx: () => a.divide(b) }, bounds: { nx: 2 } },
  { name: "max f32 1e6", candidates: { loop: () => maximum(left, right), nx: () => a.max(b) }, bounds: { nx: 2 } },
  { name: "less f32 1e6", candidates: { loop: () => less(left, right), nx: () => a.less(b) }, bounds: { nx: 2 } },
  { name: "exp f32 1e6", candidates: { loop: () => exp(left), nx: () => a.exp() }, bounds: { nx: 2 } },
  {
    name: "s64 add 1e6 to f32 add",
    candidates: { f32: () => a.add(b), s64: () => wideA.add(wideB) },
    bounds: { s64: 4 },
  },
  { name: "1000x1 + 1x1000", candidates: { loop: () => outerAdd(columnData, rowData), nx: () => column.add(row) } },
  { name: "sum f32 1e6", candidates: { loop: () => sum(left), nx: () => a.sum() } },
  {
    name: "sum axis 0, 1000x1000",
    candidates: {
      all: () => a.sum(),
      "axis 0": () => square.sum({ axes: [0] }),
      "axis 1": () => square.sum({ axes: [1] }),
    },
  },
  {
    name: "transpose 1000x1000",
    candidates: { "copy (add 0)": () => square.add(0), transpose: () => square.transpose() },
  },
  {
    name: "add of 8, eager",
    candidates: { nx: () => small.add(small), named: () => smallNamed.add(smallNamed), scalar: () => small.add(1) },
    limits: { nx: 3, named: 3, scalar: 3 },
  },
  { name: "4 ops on 8, eager and defn", candidates: { eager: () => polynomial(small), defn: () => compiled(small) } },
];
