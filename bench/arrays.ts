/**
 * What is measured beyond element-wise work: sorting, running sums, matrix products, Fourier transforms, decompositions.
 */
import * as Nx from "nx-numerics";
import type { Work } from "./measure";
import { random } from "./random";

const N = 1_000_000;

const line = random(N);
const vector = Nx.tensor(line);
const image = vector.reshape([1000, 1000]);
const signal = Nx.tensor(random(65_536));
const prime = Nx.tensor(random(65_537));

const matrix = (n: number, type: Nx.DType = "f32") =>
  Nx.tensor(random(n * n))
    .reshape([n, n])
    .asType(type);
const square = { 128: matrix(128, "f64"), 512: matrix(512) };
const symmetric = square[128].add(square[128].transpose());
const wide = { 128: matrix(128).multiply(1000).asType("s64") };

const batch = Nx.tensor(random(8 * 16 * 64 * 64)).reshape([8, 16, 64, 64]);
const filters = Nx.tensor(random(32 * 16 * 9)).reshape([32, 16, 3, 3]);
const places = Nx.Random.randint(Nx.Random.key(1), 0, N, { shape: [N] })[0];

/** The product of square matrices as it is written down: rows times columns. */
function product(x: Float32Array, y: Float32Array, n: number): Float32Array {
  const out = new Float32Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      const factor = x[i * n + k]!;
      for (let j = 0; j < n; j++) out[i * n + j]! += factor * y[k * n + j]!;
    }
  }
  return out;
}

function runningSum(x: Float32Array): Float32Array {
  const out = new Float32Array(x.length);
  for (let i = 0, sum = 0; i < x.length; i++) out[i] = sum += x[i]!;
  return out;
}

const left = random(512 * 512);
const operand = Nx.tensor(left).reshape([512, 512]);

export const arrayWorks: readonly Work[] = [
  {
    name: "sort f32 1e6",
    candidates: {
      "Float32Array.sort": () => line.slice().sort(),
      nx: () => vector.sort(),
      argsort: () => vector.argsort(),
    },
    bounds: { nx: 1 },
  },
  {
    name: "running sum f32 1e6",
    candidates: {
      loop: () => runningSum(line),
      nx: () => vector.cumulativeSum(),
      "axis 0": () => image.cumulativeSum({ axis: 0 }),
      max: () => vector.cumulativeMax(),
    },
  },
  {
    name: "dot 512x512 f32",
    candidates: { loop: () => product(left, left, 512), nx: () => operand.dot(operand) },
    bounds: { nx: 1 },
    limits: { nx: (2 * 512 ** 3) / 1500 },
  },
  {
    name: "dot 128x128",
    candidates: { f64: () => square[128].dot(square[128]), s64: () => wide[128].dot(wide[128]) },
  },
  { name: "conv 8x16x64x64, 32 of 3x3", candidates: { nx: () => Nx.conv(batch, filters, { padding: "same" }) } },
  {
    name: "fft 65 536 and 65 537",
    candidates: { "4^8": () => Nx.fft(signal), prime: () => Nx.fft(prime), "rows of 1000": () => Nx.fft(image) },
    limits: { "4^8": 20_000 },
  },
  {
    name: "windows over 1000x1000",
    candidates: {
      "sum 3x3": () => Nx.windowSum(image, [3, 3]),
      "max 3x3": () => Nx.windowMax(image, [3, 3]),
      "max 51x51": () => Nx.windowMax(image, [51, 51]),
      "max pool 2x2": () => Nx.windowMax(image, [2, 2], { strides: 2 }),
    },
  },
  {
    name: "eigh 128x128 f64",
    candidates: { nx: () => Nx.LinAlg.eigh(symmetric) },
    limits: { nx: 200_000 },
  },
  { name: "svd 128x128 f64", candidates: { nx: () => Nx.LinAlg.svd(square[128]) }, limits: { nx: 200_000 } },
  { name: "qr 128x128 f64", candidates: { nx: () => Nx.LinAlg.qr(square[128]) } },
  { name: "solve 128x128 f64", candidates: { nx: () => Nx.LinAlg.solve(square[128], square[128]) } },
  {
    name: "lookup 1e6 of 1e6",
    candidates: {
      take: () => vector.take(places),
      indexedAdd: () => vector.indexedAdd(places.reshape([N, 1]), vector),
    },
  },
  {
    name: "random 1e6",
    candidates: {
      "Math.random": () => Float32Array.from({ length: N }, Math.random),
      uniform: () => Nx.Random.uniform(Nx.Random.key(1), { shape: [N] }),
      normal: () => Nx.Random.normal(Nx.Random.key(1), { shape: [N] }),
    },
  },
];
