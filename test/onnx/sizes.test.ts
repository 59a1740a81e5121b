/**
 * Expressions of sizes: what is found by values at some sizes holds at all others.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Emitter } from "../../lib/onnx/export/emitter";
import type { Value } from "../../lib/onnx/export/ir";
import { expressionOf, floatExpressionOf, type Sizes } from "../../lib/onnx/export/sizes";

/** Values that are numbers, and an emitter that computes at once. */
const valueOf = new Map<Value, number>();
const held = (value: number): Value => {
  const made: Value = { type: "s64", shape: [1] };
  valueOf.set(made, value);
  return made;
};
const COMPUTED: Readonly<Record<string, (a: number, b: number) => number>> = {
  Add: (a, b) => a + b,
  Mul: (a, b) => a * b,
  Div: (a, b) => Math.trunc(a / b),
  Reciprocal: (a) => 1 / a,
  Sqrt: (a) => Math.sqrt(a),
  Log: (a) => Math.log(a),
  Neg: (a) => -a,
};
const e = {
  integers: ([value]: number[]) => held(value!),
  cast: (value: Value) => value,
  op: (op: string, [a, b]: Value[]) => held(COMPUTED[op]!(valueOf.get(a!)!, b ? valueOf.get(b)! : 0)),
} as unknown as Emitter;

const at = (expression: NonNullable<ReturnType<typeof expressionOf>>, sizes: Sizes): number => {
  const values = Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, held(size)]));
  return valueOf.get(expression({ e, sizes: values }))!;
};

const PROBES: Sizes[] = [
  { n: 204, m: 240 },
  { n: 216, m: 240 },
  { n: 204, m: 252 },
  { n: 5004, m: 5124 },
  ...Array.from({ length: 12 }, (_, i) => ({ n: 205 + i, m: 265 + i })),
];

const small = (max: number) => fc.integer({ min: 1, max });
const FORMS = fc.oneof(
  fc.record({ a: fc.integer({ min: -4, max: 9 }), b: fc.integer({ min: -4, max: 9 }), c: small(20) }).map(({ a, b, c }) => ({ n, m }: Sizes) => a * n! + b * m! + c), // prettier-ignore
  fc.record({ a: small(9), c: small(20) }).map(
    ({ a, c }) =>
      ({ n, m }: Sizes) =>
        a * n! * m! + c,
  ),
  fc.record({ a: small(9), c: small(20) }).map(
    ({ a, c }) =>
      ({ n }: Sizes) =>
        a * n! * n! - c,
  ),
  fc.record({ a: small(9), b: small(9), c: small(20) }).map(
    ({ a, b, c }) =>
      ({ n, m }: Sizes) =>
        (a * n! + b) * (m! + c),
  ),
  fc.record({ a: small(9), b: small(20) }).map(
    ({ a, b }) =>
      ({ n }: Sizes) =>
        (n! + a) * (n! - b),
  ),
  fc.record({ c: fc.integer({ min: 0, max: 11 }), q: fc.integer({ min: 2, max: 12 }) }).map(({ c, q }) => ({ m }: Sizes) => Math.floor((m! + c) / q)), // prettier-ignore
  fc.record({ k: small(7), s: fc.integer({ min: 2, max: 7 }) }).map(
    ({ k, s }) =>
      ({ n }: Sizes) =>
        Math.floor((n! - k) / s) + 1,
  ),
);

it("an expression of integers holds at sizes that were not looked at", () => {
  fc.assert(
    fc.property(FORMS, small(500), small(500), (form, n, m) => {
      const expression = expressionOf(PROBES.map(form), PROBES);
      expect(expression).not.toBeNull();
      const sizes = { n: n + 20, m: m + 20 };
      expect(at(expression!, sizes)).toBe(form(sizes));
    }),
  );
});

it.each<[string, (n: number) => number]>([
  ["the size", (n) => n],
  ["its reciprocal", (n) => 1 / n],
  ["its root", (n) => Math.sqrt(n)],
  ["one by its root", (n) => 1 / Math.sqrt(n - 1)],
  ["its logarithm, negated", (n) => -Math.log(n)],
])("a float that is %s", (_, of) => {
  const rounded = Math.fround;
  const values = PROBES.map(({ n }) => rounded(of(n!)));
  const expression = floatExpressionOf(values, PROBES, rounded);
  expect(expression).not.toBeNull();
  for (const n of [2, 3, 7, 1000]) expect(rounded(at(expression!, { n, m: 5 }))).toBe(rounded(of(n)));
});

it("numbers that no expression gives are not guessed", () => {
  const strange = (n: number) => (n % 2 === 0 ? n : 3);
  expect(expressionOf(PROBES.map(({ n }) => strange(n!)), PROBES)).toBeNull(); // prettier-ignore
  expect(expressionOf(PROBES.map(({ n }) => Math.floor((n! + 5) / 37)), PROBES)).toBeNull(); // prettier-ignore
  expect(floatExpressionOf(PROBES.map(({ n }) => Math.sin(n!)), PROBES, (x) => x)).toBeNull(); // prettier-ignore
});
