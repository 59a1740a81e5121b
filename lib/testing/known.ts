/**
 * Conformance by known results: for every primitive and every op at least one call whose result is written down here.
 * The tables are total over the vocabulary, so a new op without a known result fails `tsc`.
 */
import * as Nx from "nx-numerics";
import type { BinaryOp, MultiResultPrimitive, Primitive, ReduceOp, Tensor, UnaryOp } from "nx-numerics";
import { each, expecting, type Check } from "./subject";
import type { Value } from "./values";

/** A computation and what it must give: the flat list of its elements, compared exactly. */
interface KnownCase {
  readonly name: string;
  readonly compute: () => Tensor;
  readonly type: Nx.DType;
  readonly shape: readonly number[];
  readonly expected: readonly (number | bigint | Nx.Complex)[];
}

type Known = readonly [input: () => Tensor, type: Nx.DType, expected: readonly (number | bigint | Nx.Complex)[]];

const F = Math.fround;
const f32 =
  (...values: number[]) =>
  () =>
    Nx.f32(values);
const s64 =
  (...values: (number | bigint)[]) =>
  () =>
    Nx.s64(values);
const s8 =
  (...values: number[]) =>
  () =>
    Nx.s8(values);
const c64 =
  (...parts: [number, number][]) =>
  () =>
    Nx.c64(parts.map(([re, im]) => new Nx.Complex(re, im)));

/** The key 42, folded with 99. */
const FOLD_99 = [2015327502, 1351855566];
/** The two keys that the key 42 splits into. */
const SPLIT_42 = [2465931498, 3679230171, 255383827, 267815257];

const UNARY: { readonly [K in UnaryOp]: Known } = {
  abs: [s8(-128, -3, 0, 4), "s8", [-128, 3, 0, 4]],
  acos: [f32(1, 0, -1, 2), "f32", [0, F(Math.PI / 2), F(Math.PI), NaN]],
  acosh: [f32(1, 0, Infinity), "f32", [0, NaN, Infinity]],
  asin: [f32(0, 1, -1), "f32", [0, F(Math.PI / 2), F(-Math.PI / 2)]],
  asinh: [f32(0, Infinity, -Infinity), "f32", [0, Infinity, -Infinity]],
  atan: [f32(0, 1, Infinity), "f32", [0, F(Math.PI / 4), F(Math.PI / 2)]],
  atanh: [f32(0, 1, -1, 2), "f32", [0, Infinity, -Infinity, NaN]],
  bitwiseNot: [s64(0, -1, 5), "s64", [-1, 0, -6]],
  cbrt: [f32(-8, 27, 0), "f32", [-2, 3, 0]],
  ceil: [f32(-1.5, 0.5, 2, Infinity), "f32", [-1, 1, 2, Infinity]],
  conjugate: [c64([1, 2], [2, -4]), "c64", [new Nx.Complex(1, -2), new Nx.Complex(2, 4)]],
  cos: [f32(0, NaN), "f32", [1, NaN]],
  cosh: [f32(0, -Infinity), "f32", [1, Infinity]],
  countLeadingZeros: [s8(0, 1, 64, -1), "s8", [8, 7, 1, 0]],
  erf: [f32(0, Infinity, -Infinity, 1), "f32", [0, 1, -1, F(0.8427007929497149)]],
  erfInv: [f32(0, 1, -1, 2), "f32", [0, Infinity, -Infinity, NaN]],
  erfc: [f32(0, Infinity, -Infinity, 1), "f32", [1, 0, 2, F(0.15729920705028513)]],
  exp: [f32(0, 1, -Infinity, 1000), "f32", [1, F(Math.E), 0, Infinity]],
  exp2: [f32(0, 3, -1, -Infinity), "f32", [1, 8, 0.5, 0]],
  expm1: [f32(0, -Infinity), "f32", [0, -1]],
  floor: [f32(-1.5, 0.5, -Infinity), "f32", [-2, 0, -Infinity]],
  gelu: [f32(0, 1, -1, Infinity, -Infinity), "f32", [0, F(0.8413447460685429), F(-0.15865525393145705), Infinity, -0]],
  geluTanh: [f32(0, 1, -1, Infinity), "f32", [0, F(0.8411919906082768), F(-0.15880800939172324), Infinity]],
  hardSigmoid: [f32(0, -1.5, 3, -Infinity), "f32", [0.5, 0.25, 1, 0]],
  hardSwish: [f32(0, 1.5, 3, Infinity, -Infinity), "f32", [0, 1.125, 3, Infinity, -0]],
  imag: [c64([1, 2], [3, -4]), "f32", [2, -4]],
  isInfinity: [f32(1, Infinity, -Infinity, NaN), "u8", [0, 1, 1, 0]],
  isNan: [f32(1, Infinity, NaN), "u8", [0, 0, 1]],
  log: [f32(1, 0, -1, Infinity), "f32", [0, -Infinity, NaN, Infinity]],
  log10: [f32(1, 1000, 0, -1), "f32", [0, 3, -Infinity, NaN]],
  log1p: [f32(0, -1, -2), "f32", [0, -Infinity, NaN]],
  log2: [f32(1, 8, 0.5, 0, -1), "f32", [0, 3, -1, -Infinity, NaN]],
  mish: [f32(0, 1, -1, Infinity), "f32", [0, F(0.8650983882673103), F(-0.30340146137410895), Infinity]],
  negate: [() => Nx.u8([0, 1, 2]), "u8", [0, 255, 254]],
  populationCount: [s64(0, -1, 7), "s64", [0, 64, 3]],
  quickGelu: [f32(0, 1, -1, Infinity), "f32", [0, F(0.8457957659328212), F(-0.1542042340671788), Infinity]],
  real: [c64([1, 2], [3, -4]), "f32", [1, 3]],
  round: [f32(-2.5, -0.5, 0.5, 1.5, 2.5, 0.49999997), "f32", [-3, -1, 1, 2, 3, 0]],
  roundEven: [f32(-2.5, -1.5, 0.5, 1.5, 2.5, 0.50000006), "f32", [-2, -2, 0, 2, 2, 1]],
  rsqrt: [f32(4, 0, Infinity, -1), "f32", [0.5, Infinity, 0, NaN]],
  selu: [f32(0, 1, -Infinity, Infinity), "f32", [0, F(1.0507009873554805), F(-1.7580993408473768), Infinity]],
  sigmoid: [f32(0, -1000, 1000), "f32", [0.5, 0, 1]],
  sign: [f32(-2.5, 0, 3, NaN), "f32", [-1, 0, 1, NaN]],
  silu: [f32(0, 1, -1, Infinity), "f32", [0, F(0.7310585786300049), F(-0.2689414213699951), Infinity]],
  sin: [f32(0, Infinity), "f32", [0, NaN]],
  sinh: [f32(0, -Infinity), "f32", [0, -Infinity]],
  softplus: [f32(0, 1, -1000, Infinity), "f32", [F(Math.LN2), F(1.3132616875182228), 0, Infinity]],
  softsign: [f32(0, 1, -3, Infinity, -Infinity), "f32", [0, 0.5, -0.75, 1, -1]],
  sqrt: [f32(4, 2, 0, -1), "f32", [2, F(Math.SQRT2), 0, NaN]],
  tan: [f32(0, NaN), "f32", [0, NaN]],
  tanh: [f32(0, Infinity, -1000), "f32", [0, 1, -1]],
  trunc: [f32(-1.5, 0.5, 2.9, Infinity), "f32", [-1, 0, 2, Infinity]],
};

type KnownPair = readonly [left: () => Tensor, right: () => Tensor, type: Nx.DType, expected: Known[2]];

const BIG = 2n ** 62n;

const BINARY: { readonly [K in BinaryOp]: KnownPair } = {
  add: [s64(BIG, 2n ** 53n), s64(BIG, 1), "s64", [-(2n ** 63n), 2n ** 53n + 1n]],
  atan2: [f32(0, -0, 1), f32(-1, -1, 1), "f32", [F(Math.PI), F(-Math.PI), F(Math.PI / 4)]],
  bitwiseAnd: [s64(6, -1), s64(3, 2n ** 40n), "s64", [2, 2 ** 40]],
  bitwiseOr: [s64(6, 0), s64(3, -1), "s64", [7, -1]],
  bitwiseXor: [s64(6, -1), s64(3, -1), "s64", [5, 0]],
  complex: [f32(1, 2), f32(3, 4), "c64", [new Nx.Complex(1, 3), new Nx.Complex(2, 4)]],
  divide: [s64(1, -1, 0), s64(2, 0, 0), "f32", [0.5, -Infinity, NaN]],
  equal: [f32(1, NaN, -0), f32(1, NaN, 0), "u8", [1, 0, 1]],
  greater: [f32(1, 2, NaN), f32(2, 1, 1), "u8", [0, 1, 0]],
  greaterEqual: [s64(1, 2, 3), s64(2, 2, 2), "u8", [0, 1, 1]],
  leftShift: [s8(1, 1, 1), s8(1, 7, 8), "s8", [2, -128, 0]],
  less: [f32(1, 2, NaN), f32(2, 1, 1), "u8", [1, 0, 0]],
  lessEqual: [s64(1, 2, 3), s64(2, 2, 2), "u8", [1, 1, 0]],
  logAddExp: [
    f32(0, 1000, Infinity, -Infinity),
    f32(0, -1000, 0, -Infinity),
    "f32",
    [F(Math.LN2), 1000, Infinity, -Infinity],
  ],
  logicalAnd: [f32(0, 1, NaN, -0), f32(1, 2, 1, 1), "u8", [0, 1, 1, 0]],
  logicalOr: [f32(0, 1, NaN, -0), f32(0, 0, 0, 0), "u8", [0, 1, 1, 0]],
  logicalXor: [s64(0, 1, 2), s64(1, 0, 3), "u8", [1, 1, 0]],
  max: [f32(1, NaN, 3, -Infinity), f32(2, 1, NaN, 0), "f32", [2, NaN, NaN, 0]],
  min: [f32(1, NaN, 3, -Infinity), f32(2, 1, NaN, 0), "f32", [1, NaN, NaN, -Infinity]],
  multiply: [s64(2n ** 40n, -3), s64(2n ** 30n, 5), "s64", [0, -15]],
  notEqual: [f32(1, NaN, -0), f32(1, NaN, 0), "u8", [0, 1, 0]],
  pow: [s64(2, -3, 0), s64(10, 3, 0), "s64", [1024, -27, 1]],
  quotient: [s64(-7, 7, BIG), s64(2, -2, 3), "s64", [-3, -3, BIG / 3n]],
  remainder: [s64(-7, 7), s64(3, -3), "s64", [-1, 1]],
  rightShift: [s8(-128, 64, -1), s8(1, 7, 8), "s8", [-64, 0, -1]],
  subtract: [() => Nx.u8([1, 5]), () => Nx.u8([2, 3]), "u8", [255, 2]],
};

const REDUCE: { readonly [K in ReduceOp]: Known } = {
  all: [f32(1, NaN, 0), "u8", [0]],
  any: [f32(0, -0, NaN), "u8", [1]],
  product: [() => Nx.u8([10, 20, 30]), "u64", [6000]],
  reduceMax: [f32(1, -Infinity, 3), "f32", [3]],
  reduceMin: [f32(1, NaN, 3), "f32", [NaN]],
  sum: [f32(2 ** 24, 1, 1), "f32", [16777218]],
};

const grid = () => Nx.iota([2, 3]);

/** Known results of the primitives that are not families of ops. */
const PRIMITIVE: {
  readonly [P in Exclude<Primitive | MultiResultPrimitive, "unary" | "binary" | "reduceOp">]: readonly KnownCase[];
} = {
  constant: [known("broadcast of a number", () => Nx.broadcast(7, [3]), "s64", [3], [7, 7, 7])],
  iota: [known("iota along an axis", () => Nx.iota([2, 3], { axis: 0 }), "s64", [2, 3], [0, 0, 0, 1, 1, 1])],
  eye: [known("eye", () => Nx.eye([2, 3], { type: "f32" }), "f32", [2, 3], [1, 0, 0, 0, 1, 0])],
  select: [known("select", () => Nx.select(Nx.u8([1, 0]), Nx.s64([1, 2]), Nx.s64([3, 4])), "s64", [2], [1, 4])],
  asType: [
    known(
      "float to integer saturates",
      () => Nx.asType(Nx.f32([-1.9, 300, NaN, Infinity]), "u8"),
      "u8",
      [4],
      [0, 255, 0, 255],
    ),
    known("integers wrap", () => Nx.asType(Nx.s64([300, -1]), "u8"), "u8", [2], [44, 255]),
    known(
      "f32 to f16 and back",
      () => Nx.asType(Nx.asType(Nx.f32([0.1, 65520]), "f16"), "f32"),
      "f32",
      [2],
      [0.0999755859375, Infinity],
    ),
    known(
      "f32 to bf16 is to nearest even",
      () => Nx.asType(Nx.asType(Nx.f32([1.0048828125]), "bf16"), "f32"),
      "f32",
      [1],
      [1.0078125],
    ),
  ],
  bitcast: [known("bitcast", () => Nx.bitcast(Nx.f32([1]), "s32"), "s32", [1], [0x3f800000])],
  map: [known("map", () => Nx.map(Nx.s64([1, 2]), (x) => Nx.multiply(x, 10)), "s64", [2], [10, 20])],
  reshape: [known("reshape", () => Nx.reshape(grid(), [3, 2]), "s64", [3, 2], [0, 1, 2, 3, 4, 5])],
  broadcast: [
    known("broadcast", () => Nx.broadcast(Nx.s64([1, 2]), [2, 3], { axes: [0] }), "s64", [2, 3], [1, 1, 1, 2, 2, 2]),
  ],
  transpose: [known("transpose", () => Nx.transpose(grid()), "s64", [3, 2], [0, 3, 1, 4, 2, 5])],
  pad: [known("pad and crop", () => Nx.pad(Nx.s64([1, 2, 3]), 9, [[1, -1, 1]]), "s64", [5], [9, 1, 9, 2, 9])],
  reverse: [
    known("reverse", () => direct("reverse", [2, 3], [grid()], { axes: [1] }), "s64", [2, 3], [2, 1, 0, 5, 4, 3]),
  ],
  slice: [known("dynamic index is clamped", () => grid().at(Nx.tensor(9), 1), "s64", [], [4])],
  putSlice: [
    known(
      "putSlice clamps its start",
      () => direct("putSlice", [2, 3], [grid(), Nx.s64([[7, 8]])], { starts: [1, 9] }),
      "s64",
      [2, 3],
      [0, 1, 2, 3, 7, 8],
    ),
  ],
  take: [
    known(
      "reflect far",
      () => Nx.reflect(Nx.s64([1, 2, 3]), { paddingConfig: [[5, 4]] }),
      "s64",
      [12],
      [2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3],
    ),
    known("take", () => direct("take", [2, 2], [grid(), Nx.s64([2, 0])], { axis: 1 }), "s64", [2, 2], [2, 0, 5, 3]),
  ],
  takeAlong: [
    known(
      "takeAlongAxis along the last axis",
      () => Nx.takeAlongAxis(grid(), Nx.reshape(Nx.s64([2, 0, 1, 1]), [2, 2]), { axis: 1 }),
      "s64",
      [2, 2],
      [2, 0, 4, 4],
    ),
    known(
      "takeAlongAxis with positions of another type",
      () => Nx.takeAlongAxis(Nx.f16([0.5, NaN, -1]), Nx.u8([1, 2, 2, 0])),
      "f16",
      [4],
      [NaN, -1, -1, 0.5],
    ),
  ],
  gather: [
    known(
      "gather",
      () =>
        direct(
          "gather",
          [2],
          [
            grid(),
            Nx.s64([
              [1, 2],
              [0, 1],
            ]),
          ],
          { axes: [0, 1] },
        ),
      "s64",
      [2],
      [5, 1],
    ),
    known(
      "gather of axes in another order",
      () => Nx.gather(Nx.iota([2, 3, 2]), Nx.reshape(Nx.u8([2, 1, 0, 0]), [2, 2]), { axes: [1, 0] }),
      "s64",
      [2, 2],
      [10, 11, 0, 1],
    ),
    known("takeDiagonal", () => Nx.takeDiagonal(grid()), "s64", [2], [0, 4]),
  ],
  indexed: [
    known("putDiagonal", () => Nx.putDiagonal(grid(), Nx.s64([8, 9])), "s64", [2, 3], [8, 1, 2, 3, 9, 5]),
    known(
      "indexedAdd adds duplicates up and rounds once",
      () => Nx.indexedAdd(Nx.f32([2 ** 24, 5]), Nx.reshape(Nx.s64([0, 0]), [2, 1]), Nx.f32([1, 1])),
      "f32",
      [2],
      [2 ** 24 + 2, 5],
    ),
    known(
      "indexedPut keeps the last duplicate",
      () => Nx.indexedPut(grid(), Nx.reshape(Nx.s64([2, 0, 2]), [3, 1]), Nx.iota([3, 2], { axis: 0 }), { axes: [1] }),
      "s64",
      [2, 3],
      [1, 1, 2, 1, 4, 2],
    ),
  ],
  concatenate: [
    known("last batch is filled up", () => [...Nx.toBatched(Nx.iota([3]), 2)][1]!, "s64", [2], [2, 0]),
    known("cyclic", () => Nx.padOuter(Nx.s64([1, 2, 3]), "cyclic", [[2, 4]]), "s64", [9], [2, 3, 1, 2, 3, 1, 2, 3, 1]),
    known("replicate", () => Nx.padOuter(Nx.s64([1, 2]), "replicate", [[2, 1]]), "s64", [5], [1, 1, 1, 2, 2]),
    known("reflect", () => Nx.reflect(Nx.s64([1, 2, 3]), { paddingConfig: [[2, 1]] }), "s64", [6], [3, 2, 1, 2, 3, 2]),
  ],
  sort: [known("median", () => Nx.median(Nx.s64([5, 1, 3])), "s64", [], [3])],
  argsort: [
    known(
      "argsort is stable and puts NaN last",
      () => direct("argsort", [5], [Nx.f32([3, NaN, 1, 3, -Infinity])], { axis: 0, direction: "asc" }),
      "s64",
      [5],
      [4, 2, 0, 3, 1],
    ),
  ],
  argReduce: [
    known("argmax", () => Nx.argmax(Nx.f32([1, 3, 3]), { tieBreak: "high" }), "s64", [], [2]),
    known("argmin gives the first NaN", () => Nx.argmin(Nx.f32([1, NaN, NaN])), "s64", [], [1]),
  ],
  cumulative: [
    known(
      "cumulativeSum rounds once",
      () => Nx.cumulativeSum(Nx.f32([2 ** 24, 1, 1])),
      "f32",
      [3],
      [2 ** 24, 2 ** 24, 2 ** 24 + 2],
    ),
    known(
      "cumulativeSum from the end",
      () => Nx.cumulativeSum(grid(), { reverse: true }),
      "s64",
      [2, 3],
      [3, 5, 7, 3, 4, 5],
    ),
    known("cumulativeProduct wraps", () => Nx.cumulativeProduct(Nx.u8([16, 15, 2])), "u8", [3], [16, 240, 224]),
    known("cumulativeMax keeps NaN", () => Nx.cumulativeMax(Nx.f32([1, 3, NaN, 4])), "f32", [4], [1, 3, NaN, NaN]),
    known(
      "cumulativeMin along the last axis",
      () => Nx.cumulativeMin(Nx.reshape(Nx.s64([2, 0, 1, 5, 3, 4]), [2, 3]), { axis: 1 }),
      "s64",
      [2, 3],
      [2, 0, 0, 5, 3, 3],
    ),
  ],
  windowOp: [
    known(
      "windowSum with padding, strides and dilations",
      () => Nx.windowSum(Nx.u8([100, 1, 200, 2, 3]), [2], { padding: [[1, -1]], strides: 2, windowDilations: 2 }),
      "u8",
      [2],
      [1, 3],
    ),
    known("windowSum rounds once", () => Nx.windowSum(Nx.f32([2 ** 24, 1, 1]), [3]), "f32", [1], [16777218]),
    known("windowProduct wraps", () => Nx.windowProduct(Nx.u8([16, 17, 2]), [2]), "u8", [2], [16, 34]),
    known(
      "windowMax keeps NaN",
      () => Nx.windowMax(Nx.f32([1, NaN, 3, 4]), [2], { padding: [[2, 0]] }),
      "f32",
      [5],
      [-Infinity, 1, NaN, NaN, 4],
    ),
    known(
      "windowMin of boxes",
      () => Nx.windowMin(grid(), [2, 2], { padding: "same" }),
      "s64",
      [2, 3],
      [0, 1, 2, 3, 4, 5],
    ),
  ],
  windowReduce: [
    known(
      "windowReduce goes from the accumulator on, in order",
      () => Nx.windowReduce(Nx.s64([1, 2, 3]), 9, [2], (x, acc) => Nx.add(Nx.multiply(acc, 10), x)),
      "s64",
      [2],
      [912, 923],
    ),
    known(
      "windowReduce pads with the accumulator",
      () => Nx.windowReduce(Nx.s64([1, 2, 3]), 9, [2], (x) => x, { padding: "same", strides: 2 }),
      "s64",
      [2],
      [2, 9],
    ),
  ],
  windowScatter: [
    known(
      "windowScatterMax takes the last of several",
      () => Nx.windowScatterMax(Nx.s64([3, 3, 1, 3]), Nx.u8([200, 100, 1]), 0, [2]),
      "u8",
      [4],
      [0, 44, 0, 1],
    ),
    known(
      "windowScatterMin takes a NaN",
      () => Nx.windowScatterMin(Nx.f32([1, NaN, -Infinity]), Nx.s64([1, 2, 4]), 10, [2], { padding: [[1, 0]] }),
      "s64",
      [3],
      [11, 16, 10],
    ),
  ],
  dot: [
    known("product of matrices", () => Nx.dot(grid(), grid().transpose()), "s64", [2, 2], [5, 14, 14, 50]),
    known("dot wraps", () => Nx.dot(Nx.u8([1, 2]), Nx.u8([200, 100])), "u8", [], [144]),
    known("dot rounds once", () => Nx.dot(Nx.f32([2 ** 24, 1, 1]), Nx.f32([1, 1, 1])), "f32", [], [16777218]),
    known("batches", () => Nx.dot(grid(), [1], [0], grid(), [1], [0]), "s64", [2], [5, 50]),
  ],
  conv: [
    known(
      "conv does not turn the kernel around",
      () => Nx.conv(Nx.f32([[[1, 2, 3]]]), Nx.f32([[[1, 10]]]), { padding: "same" }),
      "f32",
      [1, 1, 3],
      [21, 32, 3],
    ),
    known(
      "conv with dilations and a crop",
      () =>
        Nx.conv(Nx.f32([[[1, 2, 3]]]), Nx.f32([[[1, 10]]]), {
          padding: [[2, -1]],
          inputDilation: 2,
          kernelDilation: 2,
        }),
      "f32",
      [1, 1, 4],
      [10, 0, 21, 0],
    ),
    known(
      "groups of channels",
      () => Nx.conv(Nx.f32([[[1, 2], [3, 4]]]), Nx.f32([[[2]], [[5]]]), { featureGroupSize: 2 }), // prettier-ignore
      "f32",
      [1, 2, 2],
      [2, 4, 15, 20],
    ),
  ],
  fft: [
    known(
      "fft",
      () => Nx.fft(Nx.u8([1, 1, 0, 0])),
      "c64",
      [4],
      [new Nx.Complex(2, 0), new Nx.Complex(1, -1), new Nx.Complex(0, 0), new Nx.Complex(1, 1)],
    ),
    known(
      "ifft scales, and makes small parts 0",
      () => Nx.ifft(Nx.c64([new Nx.Complex(4, 1), new Nx.Complex(2, -1)]), { eps: 0.5 }),
      "c64",
      [2],
      [new Nx.Complex(3, 0), new Nx.Complex(1, 1)],
    ),
    known(
      "fft of five is exact to f32",
      () => Nx.real(Nx.fft(Nx.f32([1, 0, 0, 0, 1]))),
      "f32",
      [5],
      [2, 1.3090169943749475, 0.1909830056250526, 0.1909830056250526, 1.3090169943749475].map(F),
    ),
  ],
  linalg: [
    known("cholesky", () => Nx.LinAlg.cholesky(Nx.tensor([[4, 2], [2, 10]])), "f32", [2, 2], [2, 0, 1, 3]), // prettier-ignore
    known("eig", () => Nx.LinAlg.eig(Nx.f64([[1, 5], [0, -3]]))[0], "c128", [2], [new Nx.Complex(-3, 0), new Nx.Complex(1, 0)]), // prettier-ignore
    known("eigh", () => Nx.LinAlg.eigh(Nx.f64([[2, 0], [0, -3]]))[0], "f64", [2], [-3, 2]), // prettier-ignore
    known("expm", () => Nx.LinAlg.expm(Nx.f64([[0, 2], [0, 0]])), "f64", [2, 2], [1, 2, 0, 1]), // prettier-ignore
    known("lu takes the largest pivot", () => Nx.LinAlg.lu(Nx.f32([[1, 2], [4, 4]]))[2], "f32", [2, 2], [4, 4, 0, 1]), // prettier-ignore
    known("pivots", () => Nx.LinAlg.slogdet(Nx.f64([[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]]))[0], "f64", [], [-1]), // prettier-ignore
    known("qr", () => Nx.LinAlg.qr(Nx.f32([[3, 5], [4, 0]]))[1], "f32", [2, 2], [5, 3, 0, 4]), // prettier-ignore
    known("solve", () => Nx.LinAlg.solve(Nx.f32([[0, 2], [4, 4]]), Nx.f32([2, 8])), "f32", [2], [1, 1]), // prettier-ignore
    known("sqrtm", () => Nx.LinAlg.sqrtm(Nx.f64([[4, 1], [0, 4]])), "f64", [2, 2], [2, 0.25, 0, 2]), // prettier-ignore
    known("svd", () => Nx.LinAlg.svd(Nx.f32([[0, 2], [3, 0], [0, 0]]))[2], "f32", [2, 2], [1, 0, 0, 1]), // prettier-ignore
    known(
      "triangularSolve of a batch",
      () => Nx.LinAlg.triangularSolve(Nx.f32([[[2, 0], [1, 1]], [[1, 0], [2, 4]]]), Nx.f32([2, 6])), // prettier-ignore
      "f32",
      [2, 2],
      [1, 5, 2, 0.5],
    ),
  ],
  reduce: [known("reduce", () => Nx.reduce(grid(), 0, (x, acc) => Nx.add(x, acc), { axes: [1] }), "s64", [2], [3, 12])],
  block: [
    known("mode", () => Nx.mode(Nx.s64([3, 1, 3, 2])), "s64", [], [3]),
    known("threefry2x32", () => Nx.Random.split(Nx.u32([0, 42])), "u32", [2, 2], SPLIT_42),
    known("threefryFloats", () => Nx.Random.uniformSplit(Nx.u32([0, 0])), "f32", [], [0.41845703125]),
    known("threefryFolds", () => Nx.Random.foldIn(Nx.u32([0, 42]), Nx.s16([99])), "u32", [1, 2], FOLD_99),
    known("threefryIntegers", () => Nx.Random.randintSplit(Nx.u32([0, 42]), 1, 7), "s64", [], [6]),
  ],
};

/** A direct call of a primitive, for primitives that no single function reaches. */
function direct<P extends Primitive>(
  primitive: P,
  shape: readonly number[],
  inputs: readonly Tensor[],
  attrs: Nx.Attrs[P],
): Tensor {
  const { backend } = inputs[0]!;
  const out = { type: "s64", shape, names: shape.map(() => null) } as const;
  const fill = backend[primitive] as Nx.PrimitiveFunction<P>;
  return new Nx.Tensor(backend, fill(out, inputs, attrs), out.type, out.shape, out.names);
}

function known(
  name: string,
  compute: () => Tensor,
  type: Nx.DType,
  shape: readonly number[],
  expected: Known[2],
): KnownCase {
  return { name, compute, type, shape, expected };
}

/** All cases with known results. */
function knownCases(): KnownCase[] {
  const unary = (Object.keys(UNARY) as UnaryOp[]).map((op) => {
    const [input, type, expected] = UNARY[op];
    return known(op, () => Nx[op](input()), type, [expected.length], expected);
  });
  const binary = (Object.keys(BINARY) as BinaryOp[]).map((op) => {
    const [left, right, type, expected] = BINARY[op];
    return known(op, () => Nx[op](left(), right()), type, [expected.length], expected);
  });
  const reduce = (Object.keys(REDUCE) as ReduceOp[]).map((op) => {
    const [input, type, expected] = REDUCE[op];
    return known(op, () => Nx[op](input()), type, [], expected);
  });
  return [...unary, ...binary, ...reduce, ...Object.values(PRIMITIVE).flat()];
}

const valueOf = (type: Nx.DType, value: number | bigint | Nx.Complex): Value => {
  if (value instanceof Nx.Complex) return [value.re, value.im];
  return type === "s64" || type === "u64" ? BigInt(value) : value;
};

/** The same as checks. The sign of a zero is part of what is known where one is written down. */
export function knownChecks(): Check[] {
  return knownCases().map(({ name, compute, type, shape, expected }) => ({
    name,
    *run(subject) {
      const result = subject.within(compute);
      subject.own("the result", [result]);
      const elements = expected.map((value) => valueOf(type, value));
      yield* each("the result", [result], [expecting(type, shape, elements)]);
      subject.release([result]);
    },
  }));
}
