/**
 * Reductions, positions of extremes, running reductions and sorts of rows and columns of many lengths. Floats are small integers,
 * so that every order of adding them gives the same.
 */
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import type { Expected } from "../judge";
import { visit } from "../plain";
import { check, data, expecting, type Check, type Data } from "../subject";
import { integers, isFloat, numbers, sizeOf, type Value } from "../values";

/** Lengths of what is reduced: around vectors, accumulators, blocks, chunks, and where other code begins. */
const LENGTHS: readonly number[] = [
  ...[1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 63, 64, 65],
  ...[127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1025, 2047, 2049, 4095, 4096, 4097],
];
const TYPES: readonly DType[] = ["f32", "f64", "s32", "u8", "s64", "f16", "bf16", "u16"];

/** Enough rows that there is more work than small cases are left to others for. */
const rowsFor = (length: number): number => Math.max(3, Math.ceil(4500 / length) | 1);

/** Numbers in rows, with the reduced ones side by side. */
interface Rows {
  readonly type: DType;
  readonly rows: readonly (readonly number[])[];
}

function rowsOf(type: DType, count: number, length: number, seed: number, nan: boolean): Rows {
  const values = integers(type, count * length, seed);
  if (nan && isFloat(type)) {
    const next = numbers(seed + 1);
    for (let i = 0; i < 4; i++) values[next() % values.length] = NaN;
  }
  return {
    type,
    rows: Array.from({ length: count }, (_, row) => values.slice(row * length, (row + 1) * length)),
  };
}

const typed = (type: DType, value: number): Value => (type === "s64" || type === "u64" ? BigInt(value) : value);

/** The rows as a matrix, along which they lie either way. */
function matrix({ type, rows }: Rows, axis: 0 | 1): Data {
  const [count, length] = [rows.length, rows[0]!.length];
  const flat =
    axis === 1
      ? rows.flat()
      : Array.from({ length: count * length }, (_, at) => rows[at % count]![Math.floor(at / count)]!);
  return data(
    type,
    axis === 1 ? [count, length] : [length, count],
    flat.map((value) => typed(type, value)),
  );
}

/** What a fold makes of a row; where it gives several values, they lie as the row did. */
interface Fold {
  readonly name: string;
  readonly nan?: boolean;
  readonly out: (type: DType) => DType;
  readonly compute: (x: Tensor, axis: number) => Tensor;
  readonly plain: (row: readonly number[]) => number | readonly number[];
}

const WIDE: { readonly [T in DType]?: DType } = {
  u8: "u64",
  u16: "u64",
  u32: "u64",
  s8: "s64",
  s16: "s64",
  s32: "s64",
};
const aggregate = (type: DType): DType => WIDE[type] ?? type;
const same = (type: DType): DType => type;

const sum = (row: readonly number[]): number => row.reduce((a, b) => a + b, 0);
const extreme = (row: readonly number[], sign: 1 | -1): number =>
  row.reduce((a, b) => (Number.isNaN(a) || Number.isNaN(b) ? NaN : sign * b > sign * a ? b : a));

/** The place of the extreme, of the first NaN where there is one. */
function placeOf(row: readonly number[], sign: 1 | -1, last: boolean): number {
  const wanted = extreme(row, sign);
  const found = (value: number): boolean => Object.is(value, wanted) || value === wanted;
  return last && !Number.isNaN(wanted) ? row.findLastIndex(found) : row.findIndex(found);
}

const running = (row: readonly number[], op: (a: number, b: number) => number): number[] => {
  const out: number[] = [];
  row.forEach((value, i) => out.push(i === 0 ? value : op(out[i - 1]!, value)));
  return out;
};

/** NaN after all numbers, and equal ones in the order they had. */
const ascending = (a: number, b: number): number =>
  Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(a)) - Number(Number.isNaN(b)) : a - b;

const FOLDS: readonly Fold[] = [
  { name: "sum", out: aggregate, compute: (x, axis) => Nx.sum(x, { axes: [axis] }), plain: sum },
  {
    name: "reduceMax",
    nan: true,
    out: same,
    compute: (x, axis) => Nx.reduceMax(x, { axes: [axis] }),
    plain: (row) => extreme(row, 1),
  },
  {
    name: "reduceMin",
    nan: true,
    out: same,
    compute: (x, axis) => Nx.reduceMin(x, { axes: [axis] }),
    plain: (row) => extreme(row, -1),
  },
  {
    name: "all",
    out: () => "u8",
    compute: (x, axis) => Nx.all(Nx.notEqual(x, 3), { axes: [axis] }),
    plain: (row) => Number(!row.includes(3)),
  },
  {
    name: "any",
    out: () => "u8",
    compute: (x, axis) => Nx.any(Nx.equal(x, 3), { axes: [axis] }),
    plain: (row) => Number(row.includes(3)),
  },
  {
    name: "argmax",
    nan: true,
    out: () => "s64",
    compute: (x, axis) => Nx.argmax(x, { axis }),
    plain: (row) => placeOf(row, 1, false),
  },
  {
    name: "argmin of the last",
    out: () => "s64",
    compute: (x, axis) => Nx.argmin(x, { axis, tieBreak: "high" }),
    plain: (row) => placeOf(row, -1, true),
  },
  {
    name: "cumulativeSum",
    out: same,
    compute: (x, axis) => Nx.cumulativeSum(x, { axis }),
    plain: (row) => running(row, (a, b) => a + b),
  },
  {
    name: "cumulativeMax from the end",
    nan: true,
    out: same,
    compute: (x, axis) => Nx.cumulativeMax(x, { axis, reverse: true }),
    plain: (row) => running([...row].reverse(), (a, b) => extreme([a, b], 1)).reverse(),
  },
  {
    name: "cumulativeMin",
    nan: true,
    out: same,
    compute: (x, axis) => Nx.cumulativeMin(x, { axis }),
    plain: (row) => running(row, (a, b) => extreme([a, b], -1)),
  },
  {
    name: "sort",
    nan: true,
    out: same,
    compute: (x, axis) => Nx.sort(x, { axis }),
    plain: (row) => [...row].sort(ascending),
  },
  {
    name: "argsort downwards",
    out: () => "s64",
    compute: (x, axis) => Nx.argsort(x, { axis, direction: "desc" }),
    plain: (row) => row.map((_, i) => i).sort((i, j) => row[j]! - row[i]! || i - j),
  },
];

function expected({ out, plain }: Fold, source: Rows, axis: 0 | 1): Expected {
  const type = out(source.type);
  const results = source.rows.map(plain);
  if (typeof results[0] !== "object") {
    return expecting(
      type,
      [results.length],
      (results as number[]).map((value) => typed(type, value)),
    );
  }
  return matrix({ type, rows: results as number[][] }, axis);
}

function foldCheck(fold: Fold, type: DType, length: number, axis: 0 | 1): Check {
  const count = rowsFor(length);
  return check(`${fold.name} of ${count} ${axis === 1 ? "rows" : "columns"} of ${length} ${type}`, () => {
    const source = rowsOf(type, count, length, length + 31 * axis, fold.nan ?? false);
    return {
      inputs: [matrix(source, axis)],
      compute: (x) => fold.compute(x, axis),
      expected: () => [expected(fold, source, axis)],
    };
  });
}

const all = (type: DType, values: readonly number[]): Value[] => values.map((value) => typed(type, value));

/** Sums over the axes that are not kept, in the order of what is kept. */
function sumsOver(shape: readonly number[], values: readonly number[], kept: readonly number[]): number[] {
  const sums = new Map<string, number>();
  visit(shape, (index, at) => {
    const key = kept.map((axis) => index[axis]!).join();
    sums.set(key, (sums.get(key) ?? 0) + values[at]!);
  });
  return [...sums.values()];
}

/** Sums over other axes than one: over all, over the outer and inner of three. */
function boxCheck(type: DType, shape: readonly number[], axes: readonly number[]): Check {
  return check(`sum of ${type}[${shape}] over ${axes}`, () => {
    const values = integers(type, sizeOf(shape), shape[1]!);
    const kept = shape.map((_, i) => i).filter((axis) => !axes.includes(axis));
    const out = aggregate(type);
    const left = kept.map((axis) => shape[axis]!);
    return {
      inputs: [data(type, shape, all(type, values))],
      compute: (x) => Nx.sum(x, { axes }),
      expected: () => [expecting(out, left, all(out, sumsOver(shape, values, kept)))],
    };
  });
}

const BOXES = [
  [2, 3, 4],
  [5, 33, 65],
  [130, 3, 17],
];

/** Products of ones and minus ones, with a few twos. */
function productCheck(length: number, type: DType): Check {
  return check(`product of ${length} ${type}`, () => {
    const next = numbers(length);
    const row = Array.from({ length }, (): number => (next() % 3 === 0 ? -1 : 1));
    for (let k = 0; k < 5; k++) row[next() % length]! *= 2;
    const out = aggregate(type);
    const product = row.reduce((a, b) => a * b, 1);
    return {
      inputs: [data(type, [length], all(type, row))],
      compute: (x) => Nx.product(x),
      expected: () => [expecting(out, [], [typed(out, product)])],
    };
  });
}

/** All checks of folds. */
export function foldChecks(): Check[] {
  const folds = LENGTHS.flatMap((length, l) =>
    FOLDS.flatMap((fold, f) =>
      ([1, 0] as const).map((axis) => {
        const other = TYPES[1 + ((l + f) % (TYPES.length - 1))]!;
        return foldCheck(fold, (l + axis) % 2 === 0 ? "f32" : other, length, axis);
      }),
    ),
  );
  const boxes = BOXES.flatMap((shape) =>
    (["f32", "s32", "u8"] as const).flatMap((type) =>
      [[0, 2], [1], [0, 1, 2]].map((axes) => boxCheck(type, shape, axes)),
    ),
  );
  const products = LENGTHS.map((length, i) => productCheck(length, (["f32", "f64", "s32", "s64"] as const)[i % 4]!));
  return [...folds, ...boxes, ...products];
}
