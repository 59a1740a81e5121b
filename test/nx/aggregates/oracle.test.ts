import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { decode, readOracle, type Coded } from "../../oracles/read";
import { AGGREGATE_ULP, ELEMENT_ULP, VARIANCE_ULP } from "../../tolerances";

type Element = Coded | string | [Coded, Coded];
type Results = Record<string, Element[]>;

interface Case {
  type: Nx.DType;
  shape: number[];
  data: Element[];
  overAxes: { axes: number[] | null; shape: number[]; results: Results }[];
  alongAxis: { axis: number | null; shape: number[]; results: Results }[];
}

const { cases } = readOracle<{ cases: Case[] }>("aggregates.json");
const is64Bit = (type: Nx.DType): boolean => type === "s64" || type === "u64";

function plain(element: Element, type: Nx.DType): number | bigint | Nx.Complex {
  if (Array.isArray(element)) return new Nx.Complex(decode(element[0]), decode(element[1]));
  return is64Bit(type) ? BigInt(element) : decode(element as Coded);
}

const tensorOf = ({ type, shape, data }: Case): Nx.Tensor =>
  Nx.reshape(
    Nx.tensor(
      data.map((element) => plain(element, type)),
      { type },
    ),
    shape,
  );

const MANTISSA: Partial<Record<Nx.DType, number>> = { f16: 10, f32: 23, f64: 52, c64: 23, c128: 52 };
const SMALLEST: Partial<Record<Nx.DType, number>> = { f16: 2 ** -24, f32: 2 ** -149, c64: 2 ** -149 };
const LARGEST: Partial<Record<Nx.DType, number>> = {
  f16: 65504,
  f32: 3.4028234663852886e38,
  c64: 3.4028234663852886e38,
};

function parts(element: number | bigint | Nx.Complex | Element): number[] {
  if (element instanceof Nx.Complex) return [element.re, element.im];
  if (Array.isArray(element)) return element.map(decode);
  return [Number(element)];
}

/** Whether a result is the expected one up to `ulps` units of its type, where `scale` is what may have cancelled. */
function near(actual: number[], expected: number[], type: Nx.DType, ulps: number, scale: number): boolean {
  const size = Math.hypot(...expected);
  const allowed = ulps * (2 ** -MANTISSA[type]! * Math.max(size, scale) + (SMALLEST[type] ?? 0));
  return actual.every((x, i) => {
    const wanted = expected[i]!;
    if (!Number.isFinite(wanted)) return Object.is(x, wanted);
    if (Math.abs(wanted) > (LARGEST[type] ?? Infinity)) return x === Math.sign(wanted) * Infinity;
    return wanted === 0 && x === 0 ? scale !== 0 || Object.is(x, wanted) : Math.abs(x - wanted) <= allowed;
  });
}

function expectResult(
  actual: Nx.Tensor,
  shape: number[],
  expected: Element[],
  ulps: number,
  scale: number,
  what: string,
) {
  expect(actual.shape, what).toEqual(shape);
  const list = Nx.toFlatList(actual);
  if (MANTISSA[actual.type] === undefined) {
    expect(list.map(String), what).toEqual(expected.map(String));
    return;
  }
  const off = list.flatMap((x, i) => {
    const [got, wanted] = [parts(x), parts(expected[i]!)];
    return near(got, wanted, actual.type, ulps, scale) ? [] : [`${what}[${i}] is ${got}, expected ${wanted}`];
  });
  expect(off).toEqual([]);
}

const OVER_AXES = [
  "sum",
  "product",
  "mean",
  "all",
  "any",
  "reduceMax",
  "reduceMin",
  "variance",
  "standardDeviation",
] as const;
const ALONG_AXIS = ["argmax", "argmin", "median", "mode"] as const;
const CANCELLING: readonly string[] = ["sum", "mean"];
const SQUARING: readonly string[] = ["variance", "standardDeviation"];

/** Ulps allowed to a function of all elements or fewer. */
function ulpsOf(fn: string, { type, shape }: Case): number {
  if (SQUARING.includes(fn)) return VARIANCE_ULP;
  return AGGREGATE_ULP + (MANTISSA[type] === 52 ? ELEMENT_ULP * shape.reduce((n, size) => n * size, 1) : 0);
}

describe.each(cases.map((entry, i) => ({ entry, title: `${i} ${entry.type}[${entry.shape.join("][")}]` })))(
  "$title",
  ({ entry }) => {
    const t = tensorOf(entry);
    const largest = Math.max(...entry.data.flatMap(parts).map(Math.abs).filter(Number.isFinite));

    it.each(entry.overAxes)("over $axes", ({ axes, shape, results }) => {
      const options = axes === null ? {} : { axes };
      for (const fn of OVER_AXES) {
        if (results[fn] === undefined) continue;
        const ulps = ulpsOf(fn, entry);
        expectResult(Nx[fn](t, options), shape, results[fn], ulps, CANCELLING.includes(fn) ? largest : 0, fn);
      }
      if (results.sampleVariance === undefined) return;
      expectResult(Nx.variance(t, { ...options, ddof: 1 }), shape, results.sampleVariance, VARIANCE_ULP, 0, "ddof 1");
    });

    it.each(entry.alongAxis)("along $axis", ({ axis, shape, results }) => {
      for (const fn of ALONG_AXIS) {
        const along = Nx[fn] as (t: Nx.Tensor, options: { axis?: number }) => Nx.Tensor;
        const actual = along(t, axis === null ? {} : { axis });
        expectResult(actual, shape, results[fn]!, AGGREGATE_ULP, 1, fn);
      }
    });
  },
);
