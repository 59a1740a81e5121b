/** Functions that compile to nests of one kind each, with what they give written out in plain arithmetic. */
import * as Nx from "nx-numerics";
import type { DType, Nest, Tensor } from "nx-numerics";
import type { Expected } from "../judge";
import { mapped } from "../plain";
import { data, expecting, type Data } from "../subject";
import { decode, encode, integers, sizeOf, type Value } from "../values";

type Numbers = readonly (readonly number[])[];
type Shape = readonly number[];

/** A function of tensors, for some sizes of its operands. */
export interface Program {
  readonly name: string;
  /** The kind of the nest that runs the whole program. */
  readonly kind: Nest["kind"];
  readonly inputs: readonly Data[];
  readonly fn: (...operands: Tensor[]) => readonly Tensor[];
  readonly expected: () => readonly Expected[];
}

/** A function of tensors whose shapes follow from some sizes. */
interface Family {
  readonly name: string;
  readonly types: readonly DType[];
  readonly outs: readonly DType[];
  readonly shapes: (...sizes: number[]) => readonly Shape[];
  readonly out: (...sizes: number[]) => Shape;
  readonly fn: (...operands: Tensor[]) => readonly Tensor[];
  /** The results at an index; operands are flat lists. */
  readonly plain: (values: Numbers, index: readonly number[], sizes: readonly number[]) => readonly number[];
  /** The bound of integer operands. */
  readonly spread?: number;
}

const typed = (type: DType, value: number): Value => (type === "s64" || type === "u64" ? BigInt(value) : value);

/** Rounds as a type does. */
const rounding =
  (type: DType) =>
  (value: number): number =>
    Number(decode(type, encode(type, [value]))[0]);
const f16 = rounding("f16");

const flat = (n: number): readonly Shape[] => [[n], [n]];
const line = (n: number): Shape => [n];

/** Kernels over operands that lie as the result does. */
const LINES: readonly Family[] = [
  {
    name: "2x + y",
    types: ["f32", "f32"],
    outs: ["f32"],
    shapes: flat,
    out: line,
    fn: (x, y) => [Nx.add(Nx.multiply(x!, 2), y!)],
    plain: ([x, y], [i]) => [2 * x![i!]! + y![i!]!],
  },
  {
    name: "sum and difference",
    types: ["f64", "f64"],
    outs: ["f64", "f64"],
    shapes: flat,
    out: line,
    fn: (x, y) => [Nx.add(x!, y!), Nx.subtract(Nx.multiply(x!, 3), y!)],
    plain: ([x, y], [i]) => [x![i!]! + y![i!]!, 3 * x![i!]! - y![i!]!],
  },
  {
    name: "wrapping products",
    types: ["s32", "s32"],
    outs: ["s32"],
    shapes: flat,
    out: line,
    fn: (x, y) => [Nx.add(Nx.multiply(Nx.multiply(x!, 1_000_003), y!), 7)],
    plain: ([x, y], [i]) => [(Math.imul(Math.imul(x![i!]!, 1_000_003), y![i!]!) + 7) | 0],
  },
  {
    name: "halves rounded at every step",
    types: ["f16", "f16"],
    outs: ["f16"],
    shapes: flat,
    out: line,
    fn: (x, y) => [Nx.subtract(Nx.multiply(Nx.multiply(x!, 0.1), y!), Nx.multiply(x!, 0.1))],
    plain: ([x, y], [i]) => {
      const tenth = f16(x![i!]! * f16(0.1));
      return [f16(f16(tenth * y![i!]!) - tenth)];
    },
  },
  {
    name: "a choice between types",
    types: ["u8", "f32", "s32"],
    outs: ["f32"],
    shapes: (n) => [[n], [n], [n]],
    out: line,
    fn: (p, x, y) => [Nx.multiply(Nx.select(Nx.greater(p!, 5), x!, y!), -2)],
    plain: ([p, x, y], [i]) => [(p![i!]! > 5 ? x![i!]! : y![i!]!) * -2],
  },
  {
    name: "comparisons of bytes",
    types: ["u8", "u8"],
    outs: ["u8"],
    shapes: flat,
    out: line,
    fn: (x, y) => [Nx.logicalAnd(Nx.less(x!, y!), Nx.less(y!, 9))],
    plain: ([x, y], [i]) => [Number(x![i!]! < y![i!]! && y![i!]! < 9)],
  },
  {
    name: "a scalar of many ops",
    types: ["f64", "f64"],
    outs: ["f64"],
    shapes: (n) => [[n], []],
    out: line,
    fn: (x, s) => [Array.from({ length: 30 }, (_, i) => i).reduce((t, i) => Nx.add(Nx.multiply(t, s!), i), x!)],
    plain: ([x, s], [i]) => [Array.from({ length: 30 }, (_, k) => k).reduce((t, k) => t * s![0]! + k, x![i!]!)],
    spread: 3,
  },
  {
    name: "twelve operands",
    types: Array<DType>(12).fill("f32"),
    outs: ["f32"],
    shapes: (n) => Array<Shape>(12).fill([n]),
    out: line,
    fn: (...xs) => [xs.reduce((sum, x, i) => Nx.add(sum, Nx.multiply(x, i + 1)))],
    plain: (xs, [i]) => [xs.reduce((sum, x, k) => sum + x[i!]! * (k === 0 ? 1 : k + 1), 0)],
  },
];

const plane = (m: number, n: number): Shape => [m, n];

/** Kernels that see operands through strides. */
const PLANES: readonly Family[] = [
  {
    name: "a transposed operand",
    types: ["f32", "f32"],
    outs: ["f32"],
    shapes: (m, n) => [[n, m], [m, n]], // prettier-ignore
    out: plane,
    fn: (x, y) => [Nx.add(Nx.multiply(Nx.transpose(x!), 2), y!)],
    plain: ([x, y], [i, j], [m, n]) => [2 * x![j! * m! + i!]! + y![i! * n! + j!]!],
  },
  {
    name: "a transposed operand of 8 bytes",
    types: ["s64", "s64"],
    outs: ["s64"],
    shapes: (m, n) => [[n, m], [m, n]], // prettier-ignore
    out: plane,
    fn: (x, y) => [Nx.subtract(Nx.transpose(x!), y!)],
    plain: ([x, y], [i, j], [m, n]) => [x![j! * m! + i!]! - y![i! * n! + j!]!],
  },
  {
    name: "a column and a row",
    types: ["f32", "f32", "f32"],
    outs: ["f32"],
    shapes: (m, n) => [[m, n], [m, 1], [n]],
    out: plane,
    fn: (x, c, r) => [Nx.add(x!, Nx.multiply(c!, r!))],
    plain: ([x, c, r], [i, j], [, n]) => [x![i! * n! + j!]! + c![i!]! * r![j!]!],
  },
  {
    name: "an operand backwards",
    types: ["f64", "f64"],
    outs: ["f64"],
    shapes: (m, n) => [[m, n], [m, n]], // prettier-ignore
    out: plane,
    fn: (x, y) => [Nx.subtract(Nx.multiply(Nx.reverse(x!), 2), Nx.reverse(y!, { axes: [1] }))],
    plain: ([x, y], [i, j], [m, n]) => [2 * x![(m! - 1 - i!) * n! + n! - 1 - j!]! - y![i! * n! + n! - 1 - j!]!],
  },
  {
    name: "parts at an offset and by steps",
    types: ["f32", "f32"],
    outs: ["f32"],
    shapes: (m, n) => [[m + 3, n + 5], [2 * m, 3 * n]], // prettier-ignore
    out: plane,
    fn: (x, y) => {
      const [m, n] = [x!.shape[0]! - 3, x!.shape[1]! - 5];
      return [Nx.add(Nx.slice(x!, [2, 3], [m, n]), Nx.slice(y!, [0, 0], [2 * m, 3 * n], { strides: [2, 3] }))];
    },
    plain: ([x, y], [i, j], [, n]) => [x![(i! + 2) * (n! + 5) + j! + 3]! + y![2 * i! * 3 * n! + 3 * j!]!],
  },
  {
    name: "bytes turned",
    types: ["u8", "s16"],
    outs: ["s16"],
    shapes: (m, n) => [[n, m], [n, m]], // prettier-ignore
    out: plane,
    fn: (x, y) => [Nx.add(Nx.transpose(x!), Nx.transpose(y!))],
    plain: ([x, y], [i, j], [m]) => [x![j! * m! + i!]! + y![j! * m! + i!]!],
  },
];

/** A kernel that reads a row again and again, however long it is. */
const REPEATED: readonly Family[] = [
  {
    name: "a row for each row",
    types: ["f32", "f32"],
    outs: ["f32"],
    shapes: (m, n) => [[m, n], [n]],
    out: plane,
    fn: (x, r) => [Nx.subtract(Nx.multiply(x!, 2), r!)],
    plain: ([x, r], [i, j], [, n]) => [2 * x![i! * n! + j!]! - r![j!]!],
  },
];

const rowOf = (x: readonly number[], i: number, n: number): readonly number[] => x.slice(i * n, (i + 1) * n);

/** A number of each row, worked out once. */
function ofRow(reduce: (row: readonly number[]) => number): (x: readonly number[], i: number, n: number) => number {
  const known = new WeakMap<readonly number[], number[]>();
  return (x, i, n) => {
    let rows = known.get(x);
    if (!rows) known.set(x, (rows = []));
    return (rows[i] ??= reduce(rowOf(x, i, n)));
  };
}

const sum = (row: readonly number[]): number => row.reduce((a, b) => a + b, 0);
const most = (row: readonly number[]): number => row.reduce((a, b) => Math.max(a, b));

const mostOf = ofRow(most);
const squaresOf = ofRow((row) => sum(row.map((value) => value * value)));

/** Reductions of rows with the work around them. */
const ROWS: readonly Family[] = [
  {
    name: "less the largest of the row",
    types: ["f32"],
    outs: ["f32"],
    shapes: (m, n) => [[m, n]],
    out: plane,
    fn: (x) => [Nx.multiply(Nx.subtract(x!, Nx.reduceMax(x!, { axes: [1], keepAxes: true })), 3)],
    plain: ([x], [i, j], [, n]) => [3 * (x![i! * n! + j!]! - mostOf(x!, i!, n!))],
  },
  {
    name: "less the sum of the row's squares",
    types: ["f64"],
    outs: ["f64"],
    shapes: (m, n) => [[m, n]],
    out: plane,
    fn: (x) => [Nx.subtract(x!, Nx.sum(Nx.multiply(x!, x!), { axes: [1], keepAxes: true }))],
    plain: ([x], [i, j], [, n]) => [x![i! * n! + j!]! - squaresOf(x!, i!, n!)],
  },
  {
    name: "how often the row has its largest",
    types: ["f32"],
    outs: ["u64"],
    shapes: (m, n) => [[m, n]],
    out: (m) => [m],
    fn: (x) => [Nx.sum(Nx.equal(x!, Nx.reduceMax(x!, { axes: [1], keepAxes: true })), { axes: [1] })],
    plain: ([x], [i], [, n]) => [rowOf(x!, i!, n!).filter((value) => value === mostOf(x!, i!, n!)).length],
  },
  {
    name: "a weighted sum of the row",
    types: ["f32", "f32"],
    outs: ["f32"],
    shapes: (m, n) => [[m, n], [n]],
    out: (m) => [m],
    fn: (x, w) => [Nx.add(Nx.sum(Nx.multiply(x!, w!), { axes: [1] }), 1)],
    plain: ([x, w], [i], [, n]) => [sum(rowOf(x!, i!, n!).map((value, j) => value * w![j]!)) + 1],
  },
];

/** A number for each column, or for each column so far, worked out once. */
function ofColumns(
  reduce: (column: readonly number[]) => number,
): (x: readonly number[], j: number, n: number, from?: number, to?: number) => number {
  return (x, j, n, from = 0, to = x.length / n) =>
    reduce(Array.from({ length: to - from }, (_, i) => x[(from + i) * n + j]!));
}

const squaresDown = ofColumns((column) => sum(column.map((value) => value * value)));
const leastDown = ofColumns((column) => column.reduce((a, b) => Math.min(a, -b), Infinity));

/** Reductions of what a kernel makes of one operand. */
const REDUCED: readonly Family[] = [
  {
    name: "the sum of each column's squares",
    types: ["f32"],
    outs: ["f32"],
    shapes: (m, n) => [[m, n]],
    out: (_m, n) => [n],
    fn: (x) => [Nx.sum(Nx.multiply(x!, x!), { axes: [0] })],
    plain: ([x], [j], [, n]) => [squaresDown(x!, j!, n!)],
  },
  {
    name: "the sum of columns of bytes, doubled",
    types: ["u8"],
    outs: ["u64"],
    shapes: (m, n) => [[m, n]],
    out: (_m, n) => [n],
    fn: (x) => [Nx.sum(Nx.multiply(x!, 2), { axes: [0] })],
    plain: ([x], [j], [m, n]) => [2 * sum(Array.from({ length: m! }, (_, i) => x![i * n! + j!]!))],
  },
  {
    name: "where the row's negatives have their last largest",
    types: ["f32"],
    outs: ["s64"],
    shapes: (m, n) => [[m, n]],
    out: (m) => [m],
    fn: (x) => [Nx.argmax(Nx.multiply(x!, -2), { axis: 1, tieBreak: "high" })],
    plain: ([x], [i], [, n]) => {
      const row = rowOf(x!, i!, n!);
      return [row.lastIndexOf(row.reduce((a, b) => Math.min(a, b)))];
    },
  },
  {
    name: "where the columns have their largest square",
    types: ["s32"],
    outs: ["s64"],
    shapes: (m, n) => [[m, n]],
    out: (_m, n) => [n],
    fn: (x) => [Nx.argmax(Nx.multiply(x!, x!), { axis: 0 })],
    plain: ([x], [j], [m, n]) => {
      const column = Array.from({ length: m! }, (_, i) => x![i * n! + j!]! ** 2);
      return [column.indexOf(most(column))];
    },
  },
  {
    name: "the least root in each column, in doubles",
    types: ["f32"],
    outs: ["f64"],
    shapes: (m, n) => [[m, n]],
    out: (_m, n) => [n],
    fn: (x) => [Nx.reduceMin(Nx.sqrt(Nx.asType(x!, "f64")), { axes: [0] })],
    plain: ([x], [j], [m, n]) => {
      const roots = Array.from({ length: m! }, (_, i) => Math.sqrt(x![i * n! + j!]!));
      return [roots.some(Number.isNaN) ? NaN : roots.reduce((a, b) => Math.min(a, b))];
    },
  },
  {
    name: "running sums of rows, doubled",
    types: ["f32"],
    outs: ["f32"],
    shapes: (m, n) => [[m, n]],
    out: plane,
    fn: (x) => [Nx.cumulativeSum(Nx.multiply(x!, 2), { axis: 1 })],
    plain: ([x], [i, j], [, n]) => [2 * sum(x!.slice(i! * n!, i! * n! + j! + 1))],
  },
  {
    name: "least negatives of columns from below",
    types: ["f64"],
    outs: ["f64"],
    shapes: (m, n) => [[m, n]],
    out: plane,
    fn: (x) => [Nx.cumulativeMin(Nx.negate(x!), { axis: 0, reverse: true })],
    plain: ([x], [i, j], [, n]) => [leastDown(x!, j!, n!, i!)],
  },
];

const dotAt = (
  x: readonly number[],
  w: readonly number[],
  [i, j]: readonly number[],
  [, k, n]: readonly number[],
): number => {
  // prettier-ignore
  let total = 0;
  for (let p = 0; p < k!; p++) total += x[i! * k! + p]! * w[p * n! + j!]!;
  return total;
};

/** Kernels over tensors one after the other. */
const JOINED: readonly Family[] = [
  {
    name: "neighbours along both axes",
    types: ["f32", "f32"],
    outs: ["f32"],
    shapes: (m, n) => [[m, n], [m, n]], // prettier-ignore
    out: (m, n) => [m, n],
    fn: (x, y) => [Nx.add(Nx.multiply(Nx.roll(x!, 1, { axis: 1 }), y!), Nx.roll(x!, -2, { axis: 0 }))],
    plain: ([x, y], [i, j], [m, n]) => [
      x![i! * n! + ((j! + n! - 1) % n!)]! * y![i! * n! + j!]! + x![((i! + 2) % m!) * n! + j!]!,
    ],
  },
  {
    name: "rows of two integers each, one of them reversed",
    types: ["s32", "s32"],
    outs: ["s32"],
    shapes: (m, n) => [[m, n], [m, n + 3]], // prettier-ignore
    out: (m, n) => [m, 2 * n + 3],
    fn: (x, y) => [Nx.subtract(Nx.concatenate([x!, Nx.reverse(y!, { axes: [0] })], { axis: 1 }), 3)],
    plain: ([x, y], [i, j], [m, n]) => [(j! < n! ? x![i! * n! + j!]! : y![(m! - 1 - i!) * (n! + 3) + j! - n!]!) - 3],
  },
];

/** Products with the work after them. */
const CONTRACTIONS: readonly Family[] = [
  {
    name: "dot, a bias and what is positive",
    types: ["f32", "f32", "f32"],
    outs: ["f32"],
    shapes: (m, k, n) => [[m, k], [k, n], [n]], // prettier-ignore
    out: (m, _k, n) => [m, n],
    fn: (x, w, b) => [Nx.max(Nx.add(Nx.dot(x!, w!), b!), 0)],
    plain: ([x, w, b], at, sizes) => [Math.max(dotAt(x!, w!, at, sizes) + b![at[1]!]!, 0)],
  },
  {
    name: "dot of a transposed operand, and twice it",
    types: ["f64", "f64"],
    outs: ["f64", "f64"],
    shapes: (m, k, n) => [[k, m], [k, n]], // prettier-ignore
    out: (m, _k, n) => [m, n],
    fn: (x, w) => {
      const product = Nx.dot(Nx.transpose(x!), w!);
      return [product, Nx.multiply(product, 2)];
    },
    plain: ([x, w], [i, j], [m, k, n]) => {
      let total = 0;
      for (let p = 0; p < k!; p++) total += x![p * m! + i!]! * w![p * n! + j!]!;
      return [total, 2 * total];
    },
  },
  {
    name: "dot of integers, and a column",
    types: ["s32", "s32", "s32"],
    outs: ["s32"],
    shapes: (m, k, n) => [[m, k], [k, n], [m, 1]], // prettier-ignore
    out: (m, _k, n) => [m, n],
    fn: (x, w, c) => [Nx.subtract(Nx.dot(x!, w!), c!)],
    plain: ([x, w, c], at, sizes) => [dotAt(x!, w!, at, sizes) - c![at[0]!]!],
  },
];

/** The values of a program and what it gives; those of the last one are kept, since several checks in a row ask for them. */
interface Worked {
  readonly inputs: readonly Data[];
  readonly expected: readonly Expected[];
}
const last: { name: string; worked: Worked | null } = { name: "", worked: null };

function worked(name: string, family: Family, sizes: readonly number[]): Worked {
  if (last.name === name && last.worked) return last.worked;
  const shapes = family.shapes(...sizes);
  const shape = family.out(...sizes);
  const lists = family.types.map((type, i) => integers(type, sizeOf(shapes[i]!), sizes[0]! + 7 * i, family.spread));
  const all = (type: DType, values: readonly number[]): Value[] => values.map((value) => typed(type, value));
  const results = mapped(shape, (index) => family.plain(lists, index, sizes));
  last.name = name;
  last.worked = {
    inputs: family.types.map((type, i) => data(type, shapes[i]!, all(type, lists[i]!))),
    expected: family.outs.map((type, i) => expecting(type, shape, all(type, results.map((result) => result[i]!)))), // prettier-ignore
  };
  return last.worked;
}

function programOf(family: Family, kind: Nest["kind"], sizes: readonly number[]): Program {
  const name = `${family.name}, ${sizes.join(" x ")}`;
  return {
    name,
    kind,
    fn: family.fn,
    get inputs() {
      return worked(name, family, sizes).inputs;
    },
    expected: () => worked(name, family, sizes).expected,
  };
}

const COUNTS = [1, 2, 3, 5, 15, 16, 17, 127, 128, 129, 1023, 1024, 1025, 4095, 4097, 16_387];
const LARGE_COUNTS = [70_001];
const GRIDS = [[3, 5], [4, 4], [17, 15], [33, 34], [64, 64], [67, 129], [130, 257]]; // prettier-ignore
const ROW_GRIDS = [[1, 7], [3, 5], [5, 16], [17, 64], [300, 65], [67, 129], [5, 1031], [130, 257], [3, 8193]]; // prettier-ignore
const REDUCTION_GRIDS = [[2, 7], [5, 4], [16, 5], [31, 64], [129, 3], [300, 65], [257, 130], [3, 2050]]; // prettier-ignore
const PRODUCTS = [[16, 17, 16], [33, 65, 34], [64, 64, 64], [70, 129, 131], [129, 40, 257]]; // prettier-ignore

/** All programs. */
export function programs(): Program[] {
  const of = (families: readonly Family[], kind: Nest["kind"], sizes: readonly (readonly number[])[]): Program[] =>
    families.flatMap((family) => sizes.map((size) => programOf(family, kind, size)));
  return [
    ...of(LINES, "map", COUNTS.map((count) => [count])), // prettier-ignore
    ...of(LINES.slice(0, 2), "map", [...LARGE_COUNTS, 150_001].map((count) => [count])), // prettier-ignore
    ...of(LINES.slice(6, 7), "map", LARGE_COUNTS.map((count) => [count])), // prettier-ignore
    ...of(PLANES, "map", GRIDS),
    ...of(REPEATED, "map", [[3, 5], [67, 129], [5, 9001]]), // prettier-ignore
    ...of(JOINED, "joined", [[260, 257], [3, 30_001]]), // prettier-ignore
    ...of(ROWS, "fold", ROW_GRIDS),
    ...of(ROWS.slice(-1), "fold", [[3, 20_001]]),
    ...of(REDUCED, "reduction", REDUCTION_GRIDS),
    ...of(CONTRACTIONS, "contraction", PRODUCTS),
  ];
}
