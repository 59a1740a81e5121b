/**
 * Work for every primitive and every kind of kernel, large enough that all of it needs the memory of kernels where it can.
 */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import type { MultiResultPrimitive, Primitive } from "../../../lib/backend";

export interface Inputs {
  /** `[120, 90]` of f32. */
  readonly x: Tensor;
  /** `[90, 70]` of f32. */
  readonly y: Tensor;
  /** `[5000]` of s32, small and not negative. */
  readonly n: Tensor;
  /** `[33, 128]` of f64. */
  readonly d: Tensor;
  /** `[3, 4, 20, 20]` and `[5, 4, 3, 3]` of f32. */
  readonly images: Tensor;
  readonly filters: Tensor;
}

const wave = (shape: readonly number[], type: "f32" | "f64"): Tensor =>
  Nx.sin(Nx.iota(shape as number[], { type: "f64", backend: "binary" }).multiply(1.7)).asType(type);

/** The inputs, on the binary backend. */
export const inputs = (): Inputs => ({
  x: wave([120, 90], "f32"),
  y: wave([90, 70], "f32"),
  n: Nx.remainder(Nx.iota([5000], { type: "s32", backend: "binary" }).multiply(7919), 97),
  d: wave([33, 128], "f64"),
  images: wave([3, 4, 20, 20], "f32"),
  filters: wave([5, 4, 3, 3], "f32"),
});

export type Work = (all: Inputs) => Tensor | readonly Tensor[];

/** One for each primitive. */
const PRIMITIVE_WORK: { readonly [P in Primitive | MultiResultPrimitive]: Work } = {
  constant: () => Nx.broadcast(1.5, [6000]).add(0),
  iota: ({ x }) => Nx.iota([7000], { type: "f32" }).add(x.at(0, 0)),
  eye: ({ x }) => Nx.eye(90, { type: "f32" }).add(x.at(0)),
  unary: ({ x }) => Nx.exp(x),
  binary: ({ x }) => Nx.atan2(x, x.add(0.5)),
  select: ({ x }) => Nx.select(x.greater(0), x, x.negate()),
  asType: ({ x, n }) => [x.asType("bf16"), x.asType("s16"), n.asType("f64")],
  bitcast: ({ x }) => x.bitcast("u32").add(1),
  map: ({ n }) => Nx.map(n, (element) => element.add(1)),
  reshape: ({ x }) => x.reshape([90, 120]).multiply(2),
  broadcast: ({ x }) => Nx.broadcast(x.at(0), [80, 90]),
  transpose: ({ x }) => x.transpose(),
  pad: ({ x }) => x.pad(1, [[1, 2, 1], [-3, 0, 0]]), // prettier-ignore
  reverse: ({ x }) => x.reverse(),
  slice: ({ x }) => Nx.slice(x, [1, 1], [100, 80], { strides: [1, 2] }),
  putSlice: ({ x, y }) => Nx.putSlice(x, [3, 4], y.at(Nx.range(0, 60))),
  take: ({ x, n }) => Nx.take(x, n.at(Nx.range(0, 500)).remainder(90), { axis: 1 }),
  takeAlong: ({ x }) => Nx.takeAlongAxis(x, Nx.argsort(x, { axis: 1 }), { axis: 1 }),
  gather: ({ x, n }) => Nx.gather(x, n.reshape([2500, 2]).remainder(90)),
  indexed: ({ x, n }) =>
    Nx.indexedAdd(x, n.reshape([2500, 2]).remainder(90), Nx.iota([2500], { type: "f32", backend: "binary" })),
  concatenate: ({ x }) => Nx.concatenate([x, x.negate()], { axis: 1 }),
  sort: ({ x, n, d }) => [Nx.sort(x, { axis: 1 }), Nx.sort(x.flatten()), Nx.sort(n), Nx.sort(d, { axis: 0 })],
  argsort: ({ x, n }) => [Nx.argsort(x, { axis: 1, direction: "desc" }), Nx.argsort(n)],
  reduceOp: ({ x, n, d }) => [
    Nx.sum(x),
    Nx.sum(x, { axes: [0] }),
    Nx.reduceMax(x, { axes: [1] }),
    Nx.product(d, { axes: [0] }),
    Nx.sum(n),
    Nx.any(x),
  ],
  argReduce: ({ x, d }) => [Nx.argmax(x, { axis: 1 }), Nx.argmin(d), Nx.argmax(d, { axis: 0 })],
  cumulative: ({ x, d, n }) => [
    Nx.cumulativeSum(x, { axis: 1 }),
    Nx.cumulativeMax(d, { axis: 0 }),
    Nx.cumulativeSum(n),
    Nx.cumulativeSum(x.flatten(), { reverse: true }),
  ],
  windowOp: ({ x }) => Nx.windowSum(x, [3, 3]),
  windowReduce: ({ x }) => Nx.windowReduce(x.at(Nx.range(0, 6)), 0, [2, 2], (a, b) => Nx.add(a, b)),
  windowScatter: ({ x }) => Nx.windowScatterMax(x, Nx.windowSum(x, [2, 2], { strides: [2, 2] }), 0, [2, 2], { strides: [2, 2] }), // prettier-ignore
  dot: ({ x, y, n, d }) => [
    Nx.dot(x, y),
    Nx.dot(x, y.at(Nx.range(), 0)),
    Nx.dot(n.reshape([50, 100]), n.reshape([100, 50])),
    Nx.dot(d, d.transpose()),
    Nx.dot(x.c64(), y),
  ],
  conv: ({ images, filters }) => [Nx.conv(images, filters), Nx.conv(images, filters, { strides: 2, padding: "same" })],
  fft: ({ x, d }) => [Nx.fft(x), Nx.fft(d), Nx.ifft(Nx.fft(x))],
  reduce: ({ n }) => Nx.reduce(n.at(Nx.range(0, 40)), 0, (a, b) => Nx.add(a, b)),
  block: ({ x }) => [Nx.softmax(x, { axis: 1 }), Nx.clip(x, -0.5, 0.5), Nx.mode(x.asType("s8"), { axis: 1 })],
  linalg: ({ d }) => Nx.LinAlg.qr(d.at(Nx.range(), Nx.range(0, 33))),
};

const compiled = (fn: (all: Inputs) => Tensor | readonly Tensor[]): Work => {
  return (all) => (Nx.defn(fn as never) as unknown as Work)(all);
};

/** Fused kernels, row programs, contractions with what is around them, results written over operands. */
const FUSED_WORK: Readonly<Record<string, Work>> = {
  "fused kernel": compiled(({ x, d, n }) => [
    Nx.tanh(x).multiply(x.add(1)),
    Nx.pow(Nx.abs(d), 1.5).subtract(d),
    n.multiply(3).add(n),
  ]),
  "fused kernel with strides": compiled(({ x }) =>
    x
      .transpose()
      .exp()
      .add(x.reshape([90, 120])),
  ),
  "column beside a matrix": compiled(({ x }) => x.add(x.sum({ axes: [1], keepAxes: true })).multiply(x.at(0))),
  "row program": compiled(({ x, d }) => [
    Nx.softmax(x, { axis: 1 }),
    d.subtract(Nx.mean(d, { axes: [1], keepAxes: true })),
  ]),
  "contraction with an epilogue": compiled(({ x, y, images, filters }) => [
    Nx.tanh(Nx.dot(x, y).add(1)),
    Nx.max(Nx.conv(images, filters), 0),
    Nx.dot(y.transpose(), x.transpose()).multiply(2),
  ]),
  // Of whole numbers, so that it does not matter which of its products were refused.
  gradient: compiled(({ x, y }) => {
    const [a, b] = [Nx.round(x.multiply(4)), Nx.round(y.multiply(4))];
    return Nx.grad((w: Tensor) => Nx.sum(Nx.square(Nx.dot(a, w))))(b);
  }),
  "written over operands": ({ x, d }) => {
    const [a, b] = [Nx.backendCopy(x, x.backend), Nx.backendCopy(d, d.backend)];
    const over = Nx.defn((p: Tensor, q: Tensor) => [Nx.exp(p).add(p), q.multiply(q).subtract(1)], { donate: true });
    return over(a, b) as Tensor[];
  },
};

/** All of it by name. */
export const WORK: readonly (readonly [name: string, work: Work])[] = [
  ...Object.entries(PRIMITIVE_WORK),
  ...Object.entries(FUSED_WORK),
];

/** The bytes of the results of work, as text. */
export function bytesOf(results: Tensor | readonly Tensor[]): string {
  const list = Array.isArray(results) ? (results as readonly Tensor[]) : [results as Tensor];
  return list.map((t) => `${t.type} ${t.shape.join()} ${hash(t.toBinary())}`).join("; ");
}

/** Enough of the bytes to tell them apart. */
function hash(bytes: Uint8Array): string {
  let [a, b] = [0x811c9dc5, 7];
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = (Math.imul(b, 31) + byte) | 0;
  }
  return `${a.toString(36)}:${b.toString(36)}`;
}
