import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { binaryBackend } from "../../../lib/backends/binary";
import { disagreement, programsIn, rowsGraph, tensorsOf, type Fn } from "./rows-support";
import { tries } from "../../effort";

interface Step {
  readonly code: number;
  readonly picks: readonly [number, number];
  readonly number: number;
}

interface Program {
  readonly rows: number;
  readonly length: number;
  readonly types: readonly DType[];
  readonly steps: readonly Step[];
  readonly outputs: readonly number[];
}

type Make = (x: Tensor, y: Tensor, n: number) => Tensor;

const UNARY = ["abs", "negate", "sqrt", "exp", "floor", "sign"] as const;
const BINARY = ["add", "subtract", "multiply", "divide", "max", "min", "less"] as const;
const FOLDS = ["sum", "reduceMax", "reduceMin", "product", "all", "any"] as const;

/** What rows consist of: the last axis, or the last two of three. */
const inner = (x: Tensor): number[] => (x.shape.length < 3 ? [-1] : [-2, -1]);

/** Shapes keep a row's value beside its elements, so that most pairs of values can be combined. */
const STEPS: readonly Make[] = [
  ...UNARY.map(
    (op): Make =>
      (x) =>
        Nx[op](x),
  ),
  ...BINARY.map(
    (op): Make =>
      (x, y) =>
        Nx[op](x, y),
  ),
  ...BINARY.map(
    (op): Make =>
      (x, y) =>
        Nx[op](x, y),
  ),
  ...FOLDS.map(
    (op): Make =>
      (x) =>
        x[op]({ axes: inner(x), keepAxes: true }),
  ),
  ...FOLDS.map(
    (op): Make =>
      (x) =>
        x.subtract(x[op]({ axes: inner(x), keepAxes: true })),
  ),
  ...FOLDS.slice(0, 3).map(
    (op): Make =>
      (x, y) =>
        y.multiply(x[op]({ axes: inner(x), keepAxes: true })),
  ),
  (x) => x.sum({ axes: inner(x) }).reshape([x.shape[0]!, ...x.shape.slice(1).map(() => 1)]),
  (x, _y, n) => x.multiply([0.5, 2, -3, 0.1][n % 4]!),
  (x, _y, n) => x.asType((["f32", "f64", "s32", "u8", "f16"] as const)[n % 5]!),
  (x, y) => Nx.select(x.greater(1), x, y),
  (x) => x.reverse({ axes: [0] }),
  (x) => x.sum({ axes: [0], keepAxes: true }),
  (x) => x.sort({ axis: 0 }),
  (x, y) => x.broadcast(y.shape),
  (x) =>
    x.shape.length < 3 ? x.reshape([x.shape[0]!, 1, x.shape[1]!]) : x.reshape([x.shape[0]!, x.shape[1]! * x.shape[2]!]),
];

const run =
  ({ steps, outputs }: Program): Fn =>
  (...args) => {
    const pool = [...args];
    for (const { code, picks, number } of steps) {
      const [x, y] = picks.map((pick) => pool[pool.length - 1 - (pick % pool.length)]!) as [Tensor, Tensor];
      try {
        const made = STEPS[code % STEPS.length]!(x, y, number);
        if (made.shape.reduce((a, b) => a * b, 1) <= 8000) pool.push(made);
      } catch (error) {
        if (!(error instanceof Nx.NxError)) throw error;
      }
    }
    return outputs.map((pick) => pool[pool.length - 1 - (pick % pool.length)]!);
  };

const shapesOf = ({ rows, length }: Program): number[][] => [[rows, length], [rows, length], [length], [rows, 1]];

const pick = fc.oneof(fc.nat(2), fc.nat(2), fc.nat(12));
const programs: fc.Arbitrary<Program> = fc.record({
  rows: fc.constantFrom(1, 2, 5, 17),
  length: fc.constantFrom(2, 3, 16, 17, 130, 300),
  types: fc.array(fc.constantFrom<DType>("f32", "f32", "f32", "f64", "s32", "u8", "bf16"), {
    minLength: 1,
    maxLength: 3,
  }),
  steps: fc.array(fc.record({ code: fc.nat(STEPS.length - 1), picks: fc.tuple(pick, pick), number: fc.nat(20) }), {
    minLength: 6,
    maxLength: 24,
    size: "max",
  }),
  outputs: fc.array(fc.nat(8), { minLength: 1, maxLength: 4 }),
});

describe("random functions of rows", () => {
  it("have the bits of their ops one by one", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(programs, (program) => {
        const found = disagreement(run(program), (backend) => tensorsOf(backend, shapesOf(program), program.types));
        expect(found).toBeNull();
      }),
      { numRuns: tries(200) },
    );
  });

  it("have them for awkward numbers", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(programs, (program) => {
        const found = disagreement(run(program), (backend) =>
          tensorsOf(backend, shapesOf(program), program.types, "awkward"),
        );
        expect(found).toBeNull();
      }),
      { numRuns: tries(100) },
    );
  });

  it("become row programs at all", () => {
    const lengths = fc.sample(programs, { numRuns: 100, seed: 3 }).flatMap((program) => {
      const args = tensorsOf(binaryBackend, shapesOf(program), program.types);
      return programsIn(rowsGraph(run(program), ...args)).map(({ stages }) => stages.length);
    });
    expect(lengths.length).toBeGreaterThan(30);
    expect(Math.max(...lengths)).toBeGreaterThan(5);
  });
});
