/**
 * Conformance by comparison: ops on every type and on awkward values, shapes and broadcasts, byte for byte against the
 * binary backend. What the binary backend refuses (an op that a type does not have) is not asked of another.
 */
import * as Nx from "nx-numerics";
import type { BinaryOp, DType, ReduceOp, Tensor, UnaryOp } from "nx-numerics";

/** A computation on given tensors. */
export interface DifferentialCase {
  readonly name: string;
  readonly inputs: () => readonly Tensor[];
  readonly compute: (...inputs: Tensor[]) => Tensor;
}

const TYPES: readonly DType[] = [
  "u8",
  "u16",
  "u32",
  "u64",
  "s8",
  "s16",
  "s32",
  "s64",
  "bf16",
  "f16",
  "f32",
  "f64",
  "c64",
  "c128",
];
const UNARY = Object.keys(Nx.UNARY_OPS) as UnaryOp[];
const BINARY = Object.keys(Nx.BINARY_OPS) as BinaryOp[];
const REDUCE = Object.keys(Nx.REDUCE_OPS) as ReduceOp[];

const SPECIAL = [0, -0, 1, -1, 0.5, -2.5, 1e-40, 3e38, 1e300, Infinity, -Infinity, NaN];

/** Values of a type for an odd number of elements: special ones first, then a fixed sequence over several magnitudes. */
function sample(type: DType, shape: readonly number[], seed: number): Tensor {
  const size = shape.reduce((product, dim) => product * dim, 1);
  const values = Array.from({ length: size }, (_, i) => {
    if (i < SPECIAL.length) return SPECIAL[(i + seed) % SPECIAL.length]!;
    return Math.sin(i * 12.9898 + seed) * 10 ** ((i + seed) % 5);
  });
  return Nx.asType(Nx.f64(values).reshape(shape), type);
}

const SHAPES: readonly (readonly [readonly number[], readonly number[]])[] = [
  [[37], [37]],
  [[5, 7], [7]],
  [
    [5, 1],
    [1, 7],
  ],
  [[2, 3, 5], []],
];

function unaryCases(): DifferentialCase[] {
  return TYPES.flatMap((type) =>
    UNARY.map((op) => ({
      name: `${op} ${type}`,
      inputs: () => [sample(type, [7, 5], 1)],
      compute: (x: Tensor) => Nx[op](x),
    })),
  );
}

function binaryCases(): DifferentialCase[] {
  const pairs = TYPES.flatMap((type, i) => [[type, type] as const, [type, TYPES[(i + 3) % TYPES.length]!] as const]);
  return pairs.flatMap(([left, right], i) =>
    BINARY.map((op) => {
      const [leftShape, rightShape] = SHAPES[i % SHAPES.length]!;
      return {
        name: `${op} ${left}[${leftShape}] ${right}[${rightShape}]`,
        inputs: () => [sample(left, leftShape, 2), sample(right, rightShape, 5)],
        compute: (l: Tensor, r: Tensor) => Nx[op](l, r),
      };
    }),
  );
}

function reduceCases(): DifferentialCase[] {
  const axes = [[0], [1], [2], [0, 2], [0, 1, 2]];
  return TYPES.flatMap((type) =>
    REDUCE.flatMap((op) =>
      axes.map((over) => ({
        name: `${op} ${type} over ${over}`,
        inputs: () => [sample(type, [3, 5, 4], 3)],
        compute: (x: Tensor) => Nx[op](x, { axes: over }),
      })),
    ),
  );
}

function shapeCases(): DifferentialCase[] {
  const computations: Record<string, (x: Tensor) => Tensor> = {
    transpose: (x) => x.transpose({ axes: [2, 0, 1] }),
    reshape: (x) => x.reshape(["auto", 4]),
    pad: (x) =>
      x.pad(1, [
        [1, -1, 1],
        [0, 2, 0],
        [-1, 0, 2],
      ]),
    reflect: (x) =>
      x.reflect({
        paddingConfig: [
          [2, 1],
          [0, 7],
          [1, 0],
        ],
      }),
    tile: (x) => x.tile([2, 1, 3, 2]),
    slice: (x) => x.at(Nx.range(1), -1, Nx.range(0, 3)),
    median: (x) => x.median({ axis: 1 }),
    mode: (x) => x.mode({ axis: 1 }),
    argmax: (x) => x.argmax({ axis: 2 }),
    argmin: (x) => x.argmin(),
    bitcast: (x) => x.bitcast(x.type),
  };
  return TYPES.flatMap((type) =>
    Object.entries(computations).map(([name, compute]) => ({
      name: `${name} ${type}`,
      inputs: () => [sample(type, [3, 5, 4], 4)],
      compute,
    })),
  );
}

function indexedCases(): DifferentialCase[] {
  const at = (shape: readonly number[], ...values: number[]) => Nx.reshape(Nx.s64(values), shape);
  const computations: Record<string, (x: Tensor, updates: Tensor) => Tensor> = {
    take: (x) => Nx.take(x, at([2, 2], 4, 0, 4, 1), { axis: 1 }),
    takeAlongAxis: (x) => Nx.takeAlongAxis(x, Nx.remainder(Nx.iota([3, 2, 4]), 5), { axis: 1 }),
    gather: (x) => Nx.gather(x, at([3, 2], 3, 0, 0, 2, 3, 0), { axes: [2, 0] }),
    slice: (x) => Nx.slice(x, [Nx.u8(9), -1, 1], [2, 5, 3], { strides: [1, 2, 2] }),
    putSlice: (x, updates) => Nx.putSlice(x, [Nx.u8(9), Nx.s8(-3), 1], Nx.newAxis(updates, -1)),
    indexedAdd: (x, updates) => Nx.indexedAdd(x, at([3, 2], 3, 0, 0, 2, 3, 0), updates, { axes: [2, 0] }),
    indexedPut: (x, updates) => Nx.indexedPut(x, at([3, 2], 3, 0, 0, 2, 3, 0), updates, { axes: [2, 0] }),
  };
  const pairs = TYPES.flatMap((type, i) => [[type, type] as const, [type, TYPES[(i + 3) % TYPES.length]!] as const]);
  return pairs.flatMap(([type, other]) =>
    Object.entries(computations).map(([name, compute]) => ({
      name: `${name} ${type} ${other}`,
      inputs: () => [sample(type, [3, 5, 4], 4), sample(other, [3, 5], 7)],
      compute,
    })),
  );
}

function cumulativeCases(): DifferentialCase[] {
  const ops = ["cumulativeSum", "cumulativeProduct", "cumulativeMax", "cumulativeMin"] as const;
  return TYPES.flatMap((type) =>
    ops.flatMap((op) =>
      [0, 1, 2].map((axis) => ({
        name: `${op} ${type} along ${axis}`,
        inputs: () => [sample(type, [3, 5, 4], 4 + axis)],
        compute: (x: Tensor) => Nx[op](x, { axis, reverse: axis === 1 }),
      })),
    ),
  );
}

function productCases(): DifferentialCase[] {
  const pairs = TYPES.flatMap((type, i) => [[type, type] as const, [type, TYPES[(i + 3) % TYPES.length]!] as const]);
  return pairs.flatMap(([left, right]) => [
    {
      name: `dot ${left} ${right}`,
      inputs: () => [sample(left, [5, 9], 2), sample(right, [9, 6], 5)],
      compute: (x: Tensor, y: Tensor) => Nx.dot(x, y),
    },
    {
      name: `dot ${left} ${right} of batches`,
      inputs: () => [sample(left, [3, 7, 2], 2), sample(right, [3, 4, 7], 5)],
      compute: (x: Tensor, y: Tensor) => Nx.dot(x, [1], [0], y, [2], [0]),
    },
    {
      name: `conv ${left} ${right}`,
      inputs: () => [sample(left, [1, 2, 6, 5], 2), sample(right, [2, 2, 3, 2], 5)],
      compute: (x: Tensor, w: Tensor) => Nx.conv(x, w, { strides: [1, 2], padding: "same" }),
    },
  ]);
}

function windowCases(): DifferentialCase[] {
  const options = { padding: [[0, 0], [2, -1], [1, 1]], strides: [1, 2, 1], windowDilations: [1, 1, 2] } as const; // prettier-ignore
  const { padding, strides } = options;
  // Sums and products along one axis only, where there is no choice of an order.
  const computations: Record<string, (x: Tensor) => Tensor> = {
    windowSum: (x) => Nx.windowSum(x, [1, 3, 1], options),
    windowProduct: (x) => Nx.windowProduct(x, [1, 1, 2], options),
    windowMean: (x) => Nx.windowMean(x, [1, 3, 1], options),
    windowMax: (x) => Nx.windowMax(x, [2, 3, 2], options),
    windowMin: (x) => Nx.windowMin(x, [2, 3, 2], options),
    windowReduce: (x) => Nx.windowReduce(x, 1, [2, 2, 1], (element, acc) => Nx.add(element, acc), options),
    windowScatterMax: (x) => Nx.windowScatterMax(x, Nx.iota([2, 3, 4]), 1, [2, 2, 3], { padding, strides }),
    windowScatterMin: (x) => Nx.windowScatterMin(x, Nx.iota([2, 3, 4]), 1, [2, 2, 3], { padding, strides }),
  };
  return TYPES.flatMap((type) =>
    Object.entries(computations).map(([name, compute]) => ({
      name: `${name} ${type}`,
      inputs: () => [sample(type, [3, 5, 4], 4)],
      compute,
    })),
  );
}

function orderCases(): DifferentialCase[] {
  const computations: Record<string, (x: Tensor, y: Tensor) => Tensor> = {
    sort: (x) => Nx.sort(x),
    "sort downwards": (x) => Nx.sort(x, { axis: -1, direction: "desc" }),
    argsort: (x) => Nx.argsort(x, { axis: 1 }),
    "argsort downwards": (x) => Nx.argsort(x, { direction: "desc", type: "u8" }),
    "values of topK": (x) => Nx.topK(x, { k: 3 })[0],
    "indices of topK": (x) => Nx.topK(x, { k: 3 })[1],
    reverse: (x) => Nx.reverse(x, { axes: [0, 2] }),
    concatenate: (x, y) => Nx.concatenate([y, x, y], { axis: 1 }),
    stack: (x) => Nx.stack([x, Nx.reverse(x)], { axis: 1 }),
  };
  const pairs = TYPES.map((type, i) => [type, TYPES[(i + 3) % TYPES.length]!] as const);
  return pairs.flatMap(([type, other]) =>
    Object.entries(computations).map(([name, compute]) => ({
      name: `${name} ${type} ${other}`,
      inputs: () => [sample(type, [3, 5, 4], 4), sample(other, [3, 2, 4], 7)],
      compute,
    })),
  );
}

const LINALG: Readonly<Record<string, (x: Tensor, b: Tensor) => Tensor>> = {
  cholesky: (x) => Nx.LinAlg.cholesky(Nx.dot(x, Nx.LinAlg.adjoint(x))),
  determinant: (x) => Nx.LinAlg.determinant(x),
  eigh: (x) => Nx.LinAlg.eigh(Nx.add(x, Nx.LinAlg.adjoint(x)))[1],
  invert: (x) => Nx.LinAlg.invert(x),
  leastSquares: (x, b) => Nx.LinAlg.leastSquares(x, b),
  "lu, l": (x) => Nx.LinAlg.lu(x)[1],
  "lu, u": (x) => Nx.LinAlg.lu(x)[2],
  matrixPower: (x) => Nx.LinAlg.matrixPower(x, 3),
  matrixRank: (x) => Nx.LinAlg.matrixRank(x),
  norm: (x) => Nx.LinAlg.norm(x, { ord: "nuclear" }),
  pinv: (x) => Nx.LinAlg.pinv(x),
  qr: (x) => Nx.LinAlg.qr(x, { mode: "complete" })[0],
  solve: (x, b) => Nx.LinAlg.solve(x, b),
  svd: (x) => Nx.LinAlg.svd(x)[0],
  triangularSolve: (x, b) => Nx.LinAlg.triangularSolve(x, b, { lower: false, transformA: "adjoint" }),
};

/** Matrices of small integers, far from singular. */
function linalgCases(): DifferentialCase[] {
  const dominant = (type: DType) => Nx.add(Nx.remainder(Nx.iota([4, 4]), 3), Nx.multiply(5, Nx.eye(4))).asType(type);
  return TYPES.flatMap((type) =>
    Object.entries(LINALG).map(([name, compute]) => ({
      name: `${name} ${type}`,
      inputs: () => [dominant(type), Nx.iota([4, 2]).asType(type)],
      compute,
    })),
  );
}

function castCases(): DifferentialCase[] {
  return TYPES.flatMap((from) =>
    TYPES.map((to) => ({
      name: `asType ${from} to ${to}`,
      inputs: () => [sample(from, [41], 1)],
      compute: (x: Tensor) => x.asType(to),
    })),
  );
}

/** All comparisons. */
export function differentialCases(): DifferentialCase[] {
  return [
    ...unaryCases(),
    ...binaryCases(),
    ...reduceCases(),
    ...shapeCases(),
    ...indexedCases(),
    ...cumulativeCases(),
    ...productCases(),
    ...linalgCases(),
    ...windowCases(),
    ...orderCases(),
    ...castCases(),
  ];
}
