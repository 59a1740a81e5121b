/** Programs whose values have a last axis of a few elements, which are held as planes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { byPlanes } from "../../../lib/backends/wasm/program/planes";
import { copiedElements } from "../../../lib/backends/wasm/program/rows";
import type { Program, ProgramStep } from "../../../lib/program";
import { errorOf } from "../../nx/aggregates/view";
import { expectSame, stepsOf, type Fn } from "./support";

const { foriLoop } = Nx.Defn;

/** A turn of a loop, which is a program of its own. */
const turn =
  (fn: Fn): Fn =>
  (...args) => {
    const results = fn(...args);
    const zeros = results.map((result) => Nx.broadcast(Nx.tensor(0, { type: result.type }), result.shape));
    return foriLoop(0, 1, () => [...fn(...args)] as never, zeros as never) as never;
  };

const bodiesIn = (step: ProgramStep): readonly Program[] => (step.kind === "while" ? [step.body] : []);

/** The program of the body of a loop. */
const bodyOf = (fn: Fn, args: readonly Tensor[]): Program => stepsOf(turn(fn), ...args).flatMap(bodiesIn)[0]!;

const elements = (type: DType, shape: readonly number[], from: number): Tensor =>
  Nx.asType(Nx.iota(shape, { type: "s64" }).multiply(37).add(from).remainder(101).subtract(40), type);

/** What bodies that attract each other feel. */
const attract: Fn = (places, masses) => {
  const apart = places!.newAxis(0).subtract(places!.newAxis(1));
  const inverse = apart
    .multiply(apart)
    .sum({ axes: [2] })
    .add(0.25)
    .rsqrt();
  const pull = inverse.multiply(inverse).multiply(inverse).multiply(masses!);
  const force = apart.multiply(pull.newAxis(-1)).sum({ axes: [1] });
  return [places!.add(force), force];
};

describe("values with a short last axis", () => {
  it("are planes where pairs of rows of three are compared: one kernel, and no copy of a pair", () => {
    const args = [elements("f32", [20, 3], 1), elements("f32", [20], 2)];
    const body = bodyOf(attract, args);
    const maps = ({ steps }: Program) => steps.flatMap((step) => (step.kind === "map" ? [step] : []));
    const copied = (program: Program): number =>
      maps(program).reduce((sum, { nest }) => sum + copiedElements(nest.operands, nest.rows), 0);
    const pairs = (program: Program) => maps(program).filter(({ nest }) => nest.rows >= 400);
    expect(copied(body)).toBeGreaterThan(1200);
    expect(copied(byPlanes(body))).toBeLessThan(200);
    expect(pairs(byPlanes(body)).length).toBe(1);
    expect(pairs(byPlanes(body))[0]!.nest.rows).toBe(400);
    expectSame(turn(attract), args);
  });

  it("are left as they are where nothing is copied, and where they are few", () => {
    const plain: Fn = (x, y) => [x!.multiply(y!).add(1)];
    const long = bodyOf(plain, [elements("f32", [400, 3], 1), elements("f32", [400, 3], 2)]);
    expect(byPlanes(long)).toBe(long);
    const few = bodyOf(attract, [elements("f32", [4, 3], 1), elements("f32", [4], 2)]);
    expect(byPlanes(few)).toBe(few);
  });

  it.each([0, 1, 2])("are reduced over axis %d of four, the others of which are as long as the last one", (axis) => {
    const fn: Fn = (x, weights) => [
      x!
        .multiply(weights!.newAxis(-1))
        .add(x!.multiply(x!.sum({ axes: [3], keepAxes: true })))
        .sum({ axes: [axis] }),
    ];
    const args = [elements("f32", [3, 3, 80, 3], 1), elements("f32", [3, 3, 80], 2)];
    const body = bodyOf(fn, args);
    expect(byPlanes(body)).not.toBe(body);
    expectSame(turn(fn), args);
  });

  it("are not divided by zero, which is refused as it is by single steps", () => {
    const fn: Fn = (x, divisors) => {
      const apart = x!.newAxis(0).subtract(x!.newAxis(1));
      const far = apart.multiply(apart).sum({ axes: [2] });
      const parts = Nx.quotient(far.add(7), divisors!).add(1);
      return [apart.multiply(parts.newAxis(-1)).sum({ axes: [1] }), parts];
    };
    const places = elements("s64", [20, 3], 1);
    const divisors = Nx.iota([20, 20], { type: "s64" }).add(1);
    const body = bodyOf(fn, [places, divisors]);
    expect(byPlanes(body)).not.toBe(body);
    expectSame(turn(fn), [places, divisors]);
    const errors = ["binary", "wasm"].map((backend) =>
      errorOf(() =>
        Nx.withDefaultBackend(backend, () => {
          const own = [places, divisors.remainder(200)].map((arg) => Nx.backendCopy(arg, backend));
          return Nx.defn(turn(fn))(...own);
        }),
      ),
    );
    expect(errors[0]).toMatch(/zero/);
    expect(errors[1]).toBe(errors[0]);
  });

  it("have the bits of single steps, for random bodies, types and lengths of the axis", () => {
    const types: readonly DType[] = ["u8", "s16", "s32", "u64", "f16", "f32", "f64", "c64"];
    const joins = ["add", "subtract", "multiply", "max"] as const;
    const kinds = ["pairs", "rows", "weights", "last", "turned", "first"] as const;
    const folds = ["none", "sum", "product", "reduceMax", "any"] as const;
    const step = fc.tuple(fc.constantFrom(...joins), fc.constantFrom(...kinds));
    let done = 0;
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...folds),
        fc.constantFrom(...folds),
        fc.constantFrom(...types),
        fc.constantFrom(2, 3, 4, 5),
        fc.constantFrom(9, 16, 21),
        (steps, inner, outer, type, count, n) => {
          const isComplex = type === "c64";
          const fold = (x: Tensor, by: (typeof folds)[number], axis: number): Tensor => {
            if (by === "none") return x;
            return Nx[isComplex ? "sum" : by](x, { axes: [axis] }).asType(type);
          };
          const fn: Fn = (x, weights) => {
            const pairs = x!.newAxis(0).subtract(x!.newAxis(1));
            const values = [pairs];
            for (const [join, kind] of steps) {
              const now = values.at(-1)!;
              const others = {
                pairs,
                rows: x!.newAxis(1),
                weights: weights!.newAxis(-1),
                last: values[0]!,
                // one plane, and the values in another order
                first: now.slice([0, 0, count - 1], [n, n, 1]),
                turned: now.transpose({ axes: [1, 0, 2] }),
              };
              values.push(Nx[isComplex ? "add" : join](now, others[kind]).asType(type));
            }
            const square = values.at(-1)!;
            const lines = fold(square.multiply(square).asType(type), inner, 2);
            const whole = inner === "none" ? lines : lines.newAxis(-1).multiply(square).asType(type);
            return [fold(whole, outer, 1), fold(whole, outer, 0), lines];
          };
          const args = [elements(type, [n, count], 1), elements(type, [n, n], 2)];
          const body = bodyOf(fn, args);
          if (byPlanes(body) !== body) done++;
          expectSame(turn(fn), args);
        },
      ),
      { numRuns: 60 },
    );
    expect(done).toBeGreaterThan(25);
  });
});
