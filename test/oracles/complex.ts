/** What is expected of functions of complex numbers (complex.json), and how far results may be from it. */
import { COMPLEX_PART_ULP, COMPLEX_ULP, EDGE_ULP } from "../tolerances";
import { decode, readOracle, ulp, ulpsApart, type Coded } from "./read";

type Rows = Readonly<Record<string, Coded[][]>>;
/** A function that is judged: of the parts of its operands, to those of the result. */
export type Judged = (name: string, args: number[]) => [number, number];

export const oracle = readOracle<{ unary: Rows; edges: Rows; binary: Rows; binaryEdges: Rows }>("complex.json");

/** Functions of which the smaller part may have cancelled. */
const cancels = new Set(["expm1", "log1p", "log", "log2", "log10", "sigmoid", "multiply", "divide", "pow"]);

/** How far off a result is, of what is allowed: 1 is the limit. */
function offLimit(name: string, actual: [number, number], expected: [number, number], scale: number): number {
  const larger = Math.max(Math.abs(expected[0]), Math.abs(expected[1]));
  return Math.max(
    ...[0, 1].map((part) => {
      const [got, wanted] = [actual[part] as number, expected[part] as number];
      if (!Number.isFinite(larger) || !cancels.has(name)) return ulpsApart(got, wanted) / (COMPLEX_PART_ULP * scale);
      return Math.abs(got - wanted) / ulp(larger) / (COMPLEX_ULP * scale);
    }),
  );
}

/** The rows whose results are too far from what is expected, as texts. */
export function misses(
  call: Judged,
  name: string,
  rows: Coded[][],
  scaleOf: (args: number[]) => number = () => 1,
): string[] {
  return rows.flatMap((row) => {
    const numbers = row.map(decode);
    const args = numbers.slice(0, -2);
    const expected = numbers.slice(-2) as [number, number];
    const actual = call(name, args);
    const off = offLimit(name, actual, expected, scaleOf(args));
    return off <= 1 ? [] : [`${name}(${args.join(", ")}) = ${actual.join(", ")}, expected ${expected.join(", ")}`];
  });
}

/** The same at zeros, infinities, NaN and the sides of cuts. */
export function edgeMisses(call: Judged, name: string, rows: Coded[][]): string[] {
  return rows.flatMap((row) => {
    const numbers = row.map(decode);
    const actual = call(name, numbers.slice(0, -2));
    const expected = numbers.slice(-2);
    const fine = actual.every((part, i) => ulpsApart(part, expected[i] as number) <= EDGE_ULP);
    return fine
      ? []
      : [`${name}(${numbers.slice(0, -2).join(", ")}) = ${actual.join(", ")}, expected ${expected.join(", ")}`];
  });
}

/** Points in all quadrants, with both zeros: enough to see every symmetry. */
const grid = [-Infinity, -30.5, -2, -1, -0.25, -0, 0, 0.25, 1, 2, 30.5, Infinity, NaN];
const points = grid.flatMap((re) => grid.map((im) => [re, im] as const));
const isFinite = ([re, im]: readonly [number, number]): boolean => Number.isFinite(re) && Number.isFinite(im);

/** Points where the function of the conjugate is not the conjugate. */
export const notConjugate = (call: Judged, name: string): string[] =>
  points.flatMap((point) => {
    const [re, im] = point;
    const [x, y] = call(name, [re, im]);
    const [u, v] = call(name, [re, -im]);
    const same = Object.is(Math.abs(u), Math.abs(x)) && Object.is(Math.abs(v), Math.abs(y));
    const exact = !isFinite(point) || (Object.is(u, x) && Object.is(v, -y));
    return same && exact ? [] : [`${name}(${re}, ${im}) = ${x}, ${y}, of the conjugate ${u}, ${v}`];
  });

/** Points where the function of -z is not that of z with its sign changed. */
export const notOdd = (call: Judged, name: string): string[] =>
  points.filter(isFinite).flatMap(([re, im]) => {
    const [x, y] = call(name, [re, im]);
    const [u, v] = call(name, [-re, -im]);
    return Object.is(u, -x) && Object.is(v, -y) ? [] : [`${name}(${re}, ${im}) = ${x}, ${y}, of -z ${u}, ${v}`];
  });
