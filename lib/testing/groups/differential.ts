/**
 * Conformance by comparison: ops on every type and on awkward values, shapes and broadcasts, byte for byte with the binary
 * backend; in few elements and in many, since backends do these in different ways.
 */
import * as Nx from "nx-numerics";
import { BINARY_OPS, REDUCE_OPS, UNARY_OPS } from "nx-numerics/backend";
import type { BinaryOp, DType, ReduceOp, Tensor, UnaryOp } from "nx-numerics";
import { compared, type Compared } from "../compared";
import { sample, type Kind } from "../samples";
import { data, type Check, type Data } from "../subject";
import { isInteger, TYPES } from "../values";

const UNARY = Object.keys(UNARY_OPS) as UnaryOp[];
const BINARY = Object.keys(BINARY_OPS) as BinaryOp[];
const REDUCE = Object.keys(REDUCE_OPS) as ReduceOp[];

type Shapes = readonly (readonly [left: readonly number[], right: readonly number[]])[];

/** Broadcasts of few elements. */
const SHAPES: Shapes = [
  [[37], [37]],
  [[5, 7], [7]],
  [[5, 1], [1, 7]], // prettier-ignore
  [[2, 3, 5], []],
];

/** The same of so many that they are worth vector code, an odd number. */
const LARGE_SHAPES: Shapes = [
  [[1031], [1031]],
  [[67, 33], [33]],
  [[67, 1], [1, 33]], // prettier-ignore
  [[7, 9, 11], []],
];

const BOX = [3, 5, 4];
const LARGE_BOX = [23, 31, 9];

function unaryCases(): Compared[] {
  const shapes = [[7, 5], [1031]];
  return TYPES.flatMap((type) =>
    UNARY.flatMap((op) =>
      shapes.map((shape) => ({
        name: `${op} ${type}[${shape}]`,
        inputs: () => [sample(type, shape, 1)],
        compute: (x: Tensor) => Nx[op](x),
      })),
    ),
  );
}

/** Ops that refuse some operands, such as a zero that divides. */
const PARTIAL: readonly BinaryOp[] = ["quotient", "remainder", "leftShift", "rightShift", "pow"];

function pairCase(op: BinaryOp, left: DType, right: DType, shapes: Shapes[number], kind: Kind = "awkward"): Compared {
  const [leftShape, rightShape] = shapes;
  const by = kind === "small" ? " small" : "";
  return {
    name: `${op} ${left}[${leftShape}]${by} ${right}[${rightShape}]`,
    inputs: () => [sample(left, leftShape, 2), sample(right, rightShape, 5, kind)],
    compute: (l: Tensor, r: Tensor) => Nx[op](l, r),
  };
}

const pairsOf = (step: number): (readonly [DType, DType])[] =>
  TYPES.flatMap((type, i) => [[type, type] as const, [type, TYPES[(i + step) % TYPES.length]!] as const]);

function binaryCases(): Compared[] {
  return pairsOf(3).flatMap(([left, right], i) => {
    const [few, many] = [SHAPES[i % SHAPES.length]!, LARGE_SHAPES[i % LARGE_SHAPES.length]!];
    const all = BINARY.flatMap((op) => [pairCase(op, left, right, few), pairCase(op, left, right, many)]);
    const partial = PARTIAL.flatMap((op) => [
      pairCase(op, left, right, few, "small"),
      pairCase(op, left, right, many, "small"),
    ]);
    return [...all, ...partial];
  });
}

function reduceCases(): Compared[] {
  const axes = [[0], [1], [2], [0, 2], [0, 1, 2]];
  return TYPES.flatMap((type) =>
    REDUCE.flatMap((op) =>
      axes.flatMap((over) =>
        ([BOX, LARGE_BOX] as const).flatMap((shape) =>
          (["awkward", "plain"] as const).map((kind) => ({
            name: `${op} ${kind} ${type}[${shape}] over ${over}`,
            inputs: () => [sample(type, shape, 3, kind)],
            compute: (x: Tensor) => Nx[op](x, { axes: over }),
          })),
        ),
      ),
    ),
  );
}

function shapeCases(): Compared[] {
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
    mirror: (x) =>
      x.padOuter("mirror", [
        [2, 1],
        [0, 7],
        [1, 0],
      ]),
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

function indexedCases(): Compared[] {
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
  return pairsOf(3).flatMap(([type, other]) =>
    Object.entries(computations).map(([name, compute]) => ({
      name: `${name} ${type} ${other}`,
      inputs: () => [sample(type, [3, 5, 4], 4), sample(other, [3, 5], 7)],
      compute,
    })),
  );
}

function cumulativeCases(): Compared[] {
  const ops = ["cumulativeSum", "cumulativeProduct", "cumulativeMax", "cumulativeMin"] as const;
  return TYPES.flatMap((type, t) =>
    ops.flatMap((op) =>
      [0, 1, 2].flatMap((axis) =>
        ([BOX, LARGE_BOX] as const).map((shape) => ({
          name: `${op} ${type}[${shape}] along ${axis}`,
          inputs: () => [sample(type, shape, 4 + axis, (t + axis) % 2 === 0 ? "awkward" : "plain")],
          compute: (x: Tensor) => Nx[op](x, { axis, reverse: axis === 1 }),
        })),
      ),
    ),
  );
}

function productCases(): Compared[] {
  return pairsOf(3).flatMap(([left, right]) => [
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

function windowCases(): Compared[] {
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

function orderCases(): Compared[] {
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
      inputs: () => [sample(type, BOX, 4), sample(other, [3, 2, 4], 7)],
      compute,
    })),
  );
}

const LINALG: Readonly<Record<string, (x: Tensor, b: Tensor) => Tensor>> = {
  cholesky: (x) => Nx.LinAlg.cholesky(Nx.dot(x, Nx.LinAlg.adjoint(x))),
  determinant: (x) => Nx.LinAlg.determinant(x),
  "eig, values": (x) => Nx.LinAlg.eig(x)[0],
  eigh: (x) => Nx.LinAlg.eigh(Nx.add(x, Nx.LinAlg.adjoint(x)))[1],
  expm: (x) => Nx.LinAlg.expm(Nx.multiply(x, 0.25)),
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
  sqrtm: (x) => Nx.LinAlg.sqrtm(Nx.dot(x, Nx.LinAlg.adjoint(x))),
  svd: (x) => Nx.LinAlg.svd(x)[0],
  triangularSolve: (x, b) => Nx.LinAlg.triangularSolve(x, b, { lower: false, transformA: "adjoint" }),
};

/** Matrices of small integers, far from singular. */
function linalgCases(): Compared[] {
  const dominant = (type: DType): Data => {
    const values = Array.from({ length: 16 }, (_, i) => (i % 3) + (i % 5 === 0 ? 5 : 0));
    return data(type, [4, 4], type.endsWith("64") && isInteger(type) ? values.map(BigInt) : values);
  };
  return TYPES.flatMap((type) =>
    Object.entries(LINALG).map(([name, compute]) => ({
      name: `${name} ${type}`,
      inputs: () => [dominant(type), sample(type, [4, 2], 2, "small")],
      compute,
    })),
  );
}

function castCases(): Compared[] {
  return TYPES.flatMap((from) =>
    TYPES.flatMap((to) =>
      [41, 1031].map((count) => ({
        name: `asType ${from}[${count}] to ${to}`,
        inputs: () => [sample(from, [count], 1)],
        compute: (x: Tensor) => x.asType(to),
      })),
    ),
  );
}

/** Cases of a tensor beside the largest number of its type, and of integers of 32 bits beside the largest number of any type. */
function scalarCases(): Compared[] {
  return TYPES.flatMap((type, t) =>
    (["subtract", "equal", "add"] as const).map((op) => {
      const own = op === "add" ? "s32" : type;
      return {
        name: `${op} ${own}[1031] and the largest ${type}`,
        inputs: () => [sample(own, [1031], t), sample(type, [], 9)],
        compute: (x: Tensor, y: Tensor) => Nx[op](x, y),
      };
    }),
  );
}

/** All comparisons. */
export const comparisons = (): Check[] => computations().map(compared);

/** The computations that are compared, with their operands. */
export function computations(): Compared[] {
  return [
    ...unaryCases(),
    ...binaryCases(),
    ...scalarCases(),
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
