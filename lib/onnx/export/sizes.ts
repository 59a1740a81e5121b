/**
 * Numbers that depend on sizes: which expression of the sizes they are, found by their values at several sizes, and its operations.
 */
import type { Emitter } from "./emitter";
import type { Value } from "./ir";

/** Sizes by name. */
export type Sizes = Readonly<Record<string, number>>;

/** What is computed of sizes: operations on s64 of shape [1]. */
export interface SizeValues {
  readonly e: Emitter;
  readonly sizes: Readonly<Record<string, Value>>;
}

/** An expression of sizes. */
type Expression = (values: SizeValues) => Value;

/** A product of sizes, each as often as its name stands there. */
type Product = readonly string[];

const SHAPE = [1];
const number =
  (value: number): Expression =>
  ({ e }) =>
    e.integers([value]);
const joined =
  (op: "Add" | "Mul" | "Div", a: Expression, b: Expression): Expression =>
  (values) =>
    values.e.op(op, [a(values), b(values)], "s64", SHAPE);
const plus = (a: Expression, by: number): Expression => (by === 0 ? a : joined("Add", a, number(by)));
const times = (a: Expression, by: number): Expression => (by === 1 ? a : joined("Mul", a, number(by)));

const product = (names: Product): Expression =>
  names
    .map(
      (name): Expression =>
        ({ sizes }) =>
          sizes[name]!,
    )
    .reduce((a, b) => joined("Mul", a, b));

const valueOf = (names: Product, sizes: Sizes): number => names.reduce((value, name) => value * sizes[name]!, 1);

/** Products of up to four sizes, of which no name is there more than twice. */
function productsOf(names: readonly string[]): Product[] {
  const longer = (product: Product): Product[] =>
    names
      .filter((name) => product.length === 0 || name >= product.at(-1)!)
      .map((name) => [...product, name])
      .filter((one) => one.filter((name) => name === one.at(-1)).length <= 2);
  const all: Product[] = [];
  for (let level: Product[] = [[]], depth = 0; depth < 4; depth++) all.push(...(level = level.flatMap(longer)));
  return all;
}

/**
 * The expression that gives these integers at the sizes; null where none of those that are known does. `isSame` says whether a number
 * is the integer with an index, of which floats may have kept the leading digits alone.
 */
export function expressionOf(
  values: readonly number[],
  probes: readonly Sizes[],
  isSame = (value: number, i: number): boolean => value === values[i],
): Expression | null {
  const names = Object.keys(probes[0]!);
  const holds: Holds = (of) => probes.every((sizes, i) => isSame(of(sizes), i));
  if (values.every((value) => value === values[0])) return number(values[0]!);
  return (
    affine(values, probes, names, holds) ??
    multiple(values, probes, names, holds) ??
    polynomial(values, probes, names, holds) ??
    quotient(values, probes, names)
  );
}

type Holds = (of: (sizes: Sizes) => number) => boolean;

/** a n + b m + ... + c; the probes after the first change one size each. */
function affine(
  values: readonly number[],
  probes: readonly Sizes[],
  names: readonly string[],
  holds: Holds,
): Expression | null {
  const slopes = names.map((name, i) => (values[i + 1]! - values[0]!) / (probes[i + 1]![name]! - probes[0]![name]!));
  if (!slopes.every(Number.isInteger)) return null;
  const sum = (sizes: Sizes) => names.reduce((total, name, i) => total + slopes[i]! * sizes[name]!, 0);
  const rest = values[0]! - sum(probes[0]!);
  if (!holds((sizes) => sum(sizes) + rest)) return null;
  const terms = names.flatMap((name, i) => (slopes[i] === 0 ? [] : [times(product([name]), slopes[i]!)]));
  return plus(terms.reduce((a, b) => joined("Add", a, b)), rest); // prettier-ignore
}

/** a (n m ...) + c. */
function multiple(
  values: readonly number[],
  probes: readonly Sizes[],
  names: readonly string[],
  holds: Holds,
): Expression | null {
  const last = probes.findIndex((_, i) => values[i] !== values[0]);
  for (const one of productsOf(names)) {
    const at = (i: number) => valueOf(one, probes[i]!);
    const slope = (values[last]! - values[0]!) / (at(last) - at(0));
    if (!Number.isInteger(slope) || slope === 0) continue;
    const rest = values[0]! - slope * at(0);
    if (holds((sizes) => slope * valueOf(one, sizes) + rest)) return plus(times(product(one), slope), rest);
  }
  return null;
}

/** a n m + b n + c m + ... + d, with integers: how many elements there are once sizes have grown. Squares are looked for last. */
function polynomial(
  values: readonly number[],
  probes: readonly Sizes[],
  names: readonly string[],
  holds: Holds,
): Expression | null {
  const all: readonly Product[] = [[], ...productsOf(names).filter(({ length }) => length <= 2)];
  const mixed = all.filter((one) => new Set(one).size === one.length);
  for (const products of [mixed, all]) {
    if (probes.length <= products.length) continue; // any numbers would do
    const factors = solved(probes.map((sizes) => products.map((one) => valueOf(one, sizes))), values)?.map(Math.round); // prettier-ignore
    if (!factors?.every(Number.isSafeInteger)) continue;
    if (!holds((sizes) => products.reduce((sum, one, i) => sum + factors[i]! * valueOf(one, sizes), 0))) continue;
    const terms = products.flatMap((one, i) => (one.length === 0 || factors[i] === 0 ? [] : [times(product(one), factors[i]!)])); // prettier-ignore
    return plus(terms.reduce((a, b) => joined("Add", a, b)), factors[0]!); // prettier-ignore
  }
  return null;
}

/** The numbers that give the values as sums of the columns, by elimination; null where the rows leave some of them open. */
function solved(rows: readonly (readonly number[])[], values: readonly number[]): number[] | null {
  const count = rows[0]!.length;
  const scale = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!)));
  const left = rows.map((row, i) => [...row.map((entry, j) => entry / scale[j]!), values[i]!]);
  for (let column = 0; column < count; column++) {
    const at = left.slice(column).reduce((best, row, i) => (Math.abs(row[column]!) > Math.abs(left[best]![column]!) ? column + i : best), column); // prettier-ignore
    if (Math.abs(left[at]![column]!) < 1e-9) return null;
    [left[column], left[at]] = [left[at]!, left[column]!];
    const pivot = left[column]!;
    left.forEach((row, i) => {
      if (i === column) return;
      const factor = row[column]! / pivot[column]!;
      row.forEach((entry, j) => (row[j] = entry - factor * pivot[j]!));
    });
  }
  return scale.map((by, i) => left[i]![count]! / left[i]![i]! / by);
}

/** Divisors of sizes that are looked for. */
const MOST = 64;

/** The function is traced at so many sizes in a row, where it can be: all remainders of smaller divisors are met. */
export const IN_A_ROW = 12;

/**
 * (a n + c) / q, rounded down: how often windows in steps fit. Where several c give the same at all sizes that could be traced, any of
 * them will do, if all remainders were tried.
 */
function quotient(values: readonly number[], probes: readonly Sizes[], names: readonly string[]): Expression | null {
  for (const one of productsOf(names)) {
    const at = probes.map((sizes) => valueOf(one, sizes));
    for (let divisor = 2; divisor <= MOST; divisor++) {
      for (const factor of [1, 2, 3, 4, 6, 8]) {
        // q v <= a n + c < q (v + 1) at all sizes
        const low = Math.max(...at.map((size, i) => divisor * values[i]! - factor * size));
        const high = Math.min(...at.map((size, i) => divisor * (values[i]! + 1) - 1 - factor * size));
        if (low > high || (low < high && divisor > IN_A_ROW)) continue;
        const rest = low <= 0 && high >= 0 ? 0 : Math.abs(low) < Math.abs(high) ? low : high;
        return joined("Div", plus(times(product(one), factor), rest), number(divisor));
      }
    }
  }
  return null;
}

/** What numbers of float constants are made of integers by. */
const FUNCTIONS: readonly {
  readonly of: (n: number) => number;
  readonly inverse: (value: number) => number;
  readonly write: (e: Emitter, n: Value) => Value;
}[] = [
  { of: (n) => n, inverse: (v) => v, write: (_, n) => n },
  { of: (n) => 1 / n, inverse: (v) => 1 / v, write: (e, n) => e.op("Reciprocal", [n], "f64", SHAPE) },
  { of: Math.sqrt, inverse: (v) => v * v, write: (e, n) => e.op("Sqrt", [n], "f64", SHAPE) },
  {
    of: (n) => 1 / Math.sqrt(n),
    inverse: (v) => 1 / (v * v),
    write: (e, n) => e.op("Reciprocal", [e.op("Sqrt", [n], "f64", SHAPE)], "f64", SHAPE),
  },
  { of: Math.log, inverse: Math.exp, write: (e, n) => e.op("Log", [n], "f64", SHAPE) },
];

/** The expression in f64 that gives these floats, once they are rounded; null where none of those that are known does. */
export function floatExpressionOf(
  values: readonly number[],
  probes: readonly Sizes[],
  rounded: (value: number) => number,
): Expression | null {
  for (const { of, inverse, write } of FUNCTIONS) {
    for (const sign of [1, -1]) {
      const integers = values.map((value) => Math.round(inverse(sign * value)));
      const isSame = (integer: number, i: number) =>
        Number.isSafeInteger(integer) && rounded(sign * of(integer)) === values[i];
      const expression = integers.every(isSame) ? expressionOf(integers, probes, isSame) : null;
      if (expression === null) continue;
      return (given) => {
        const { e } = given;
        const made = write(e, e.cast(expression(given), "f64"));
        return sign === 1 ? made : e.op("Neg", [made], "f64", SHAPE);
      };
    }
  }
  return null;
}
