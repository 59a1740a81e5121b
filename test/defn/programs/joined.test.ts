/**
 * Kernels in programs that read several values as one: rolled fields, padded ones, fields put together of others.
 */
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { tune } from "../../../lib/backends/tuning";
import type { ProgramStep } from "../../../lib/program";
import { tries } from "../../effort";
import { expectSame, stepsOf, type Fn } from "./support";

const { foriLoop } = Nx.Defn;

afterEach(() => tune({ joinedFrom: null, compiledFrom: null }));

const field = (type: DType, shape: readonly number[], from = 0): Tensor =>
  Nx.iota(shape, { type: "f32" }).add(from).multiply(0.37).sin().multiply(3).asType(type);

const turns =
  (fn: Fn): Fn =>
  (...state) =>
    foriLoop(0, 3, (_, values) => fn(...(values as never as Tensor[])) as never, state as never) as never;

const kindsOf = (step: ProgramStep): readonly string[] =>
  step.kind === "while" ? step.body.steps.flatMap(kindsOf) : [step.kind];

const laplacian = (x: Tensor): Tensor => {
  const along = (axis: number): Tensor => Nx.roll(x, 1, { axis }).add(Nx.roll(x, -1, { axis }));
  return along(0).add(along(1)).subtract(x.multiply(4));
};

/** Two fields that diffuse and react. */
const reaction: Fn = (u, v) => {
  const reacted = u!.multiply(v!).multiply(v!);
  return [u!.add(laplacian(u!).multiply(0.1)).subtract(reacted), v!.add(laplacian(v!).multiply(0.05)).add(reacted)];
};

/** Operands of which some are joined along an axis, at a place where they are cut. */
const arrangements: readonly ((x: Tensor, at: number, axis: number) => Tensor)[] = [
  (x, at, axis) => Nx.roll(x, at, { axis }),
  (x, at, axis) => {
    const size = x.shape[axis]!;
    const part = (from: number, length: number): Tensor => Nx.sliceAlongAxis(x, from, length, { axis });
    return Nx.concatenate([part(size - at, at), part(0, size - at)], { axis });
  },
  (x, at, axis) => {
    const edge = Nx.sliceAlongAxis(x, 0, at, { axis });
    return Nx.concatenate([edge, Nx.sliceAlongAxis(x, at, x.shape[axis]! - at, { axis }).negate()], { axis });
  },
];

describe("joins in programs", () => {
  it("are read where their parts lie: a turn of a simulation is one step", () => {
    const args = [field("f32", [64, 60]), field("f32", [64, 60], 7)];
    const kinds = stepsOf(turns(reaction), ...args).flatMap(kindsOf);
    expect(kinds.filter((kind) => kind === "joined").length).toBe(1);
    expect(kinds).not.toContain("copy");
    expect(kinds).not.toContain("primitive");
    expectSame(turns(reaction), args);
  });

  it("are copied where segments of a row would be short", () => {
    const args = [field("f32", [400, 9]), field("f32", [400, 9], 7)];
    const kinds = stepsOf(turns(reaction), ...args).flatMap(kindsOf);
    expect(kinds).not.toContain("joined");
    tune({ compiledFrom: 0 });
    expectSame(turns(reaction), args);
  });

  it("have the bits of plain calls for all types, in rows of any length", () => {
    const types = ["f32", "f64", "s16", "u8", "f16", "c64", "s64"] as const;
    const step = fc.record({
      of: fc.constantFrom(...arrangements),
      at: fc.integer({ min: 1, max: 2 }),
      axis: fc.nat(2),
    });
    tune({ joinedFrom: 0, compiledFrom: 0 });
    let joined = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.tuple(fc.integer({ min: 3, max: 5 }), fc.integer({ min: 3, max: 9 }), fc.integer({ min: 3, max: 70 })),
        fc.array(step, { minLength: 1, maxLength: 4 }),
        (type, shape, steps) => {
          const fn: Fn = (x, y) => {
            const parts = steps.map(({ of, at, axis }, i) => of(i % 2 === 0 ? x! : y!, at, axis));
            return [parts.reduce((sum, part) => sum.add(part), y!), x!.subtract(parts[0]!)];
          };
          const args = [field(type, shape), field(type, shape, 5)];
          const kinds = stepsOf(turns(fn), ...args).flatMap(kindsOf);
          if (kinds.includes("joined")) joined++;
          expectSame(turns(fn), args);
        },
      ),
      { numRuns: tries(120) },
    );
    expect(joined).toBeGreaterThan(0);
  });
});
