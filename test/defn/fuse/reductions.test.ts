/** One reduction of what a kernel makes of one operand: which functions become such nests, and the same bits as their ops one by one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { binaryBackend } from "../../../lib/backends/binary";
import type { Nest } from "../../../lib/backend";
import { tries } from "../../effort";
import { disagreement, rowsGraph, tensorsOf, type Fn } from "./rows-support";
import { awkward, kernelsOf, nodesOf } from "./support";

const tensor = (type: DType, ...shape: number[]): Tensor => tensorsOf(binaryBackend, [shape], [type])[0]!;
const f32 = (...shape: number[]): Tensor => tensor("f32", ...shape);

/** The nests of a function, and what else computes. */
function shapeOf(fn: Fn, ...args: Tensor[]): { readonly nests: readonly Nest[]; readonly others: readonly string[] } {
  const graph = rowsGraph(fn, ...args);
  const others = nodesOf(graph)
    .map(({ kind }) => kind)
    .filter((kind) => !["parameter", "fused", "element", "constant", "broadcast", "reshape"].includes(kind));
  return { nests: kernelsOf(graph).map(({ attrs }) => attrs.nest), others };
}

const stagesOf = ({ stages }: Nest): string[] => stages.map((stage) => ("op" in stage ? stage.op : stage.kind));

describe("a reduction of what a kernel makes of one operand", () => {
  it.each<[string, Fn, readonly number[], object, string]>([
    ["argmax of twice x", (x) => x.multiply(2).argmax(), [40, 50], { groups: 1, rows: 2000, columns: 1 }, "argmax"],
    ["argmin along rows", (x) => x.negate().argmin({ axis: 1 }), [4, 5, 6], { groups: 4, rows: 5, columns: 6 }, "argmin"],
    ["running sums of twice x", (x) => x.multiply(2).cumulativeSum({ axis: -1 }), [4, 5], { groups: 4, rows: 5, columns: 1 }, "cumulativeSum"],
    ["running extremes of columns", (x) => x.abs().cumulativeMax({ axis: 0 }), [4, 5], { groups: 1, rows: 4, columns: 5 }, "cumulativeMax"],
    ["squares over a leading axis", (x) => x.multiply(x).sum({ axes: [0] }), [4, 5], { groups: 1, rows: 4, columns: 5 }, "sum"],
    ["squares over leading axes", (x) => x.multiply(x).sum({ axes: [0, 1] }), [4, 5, 6], { groups: 1, rows: 20, columns: 6 }, "sum"],
    ["whether columns have a positive", (x) => x.greater(0).any({ axes: [1] }), [4, 5, 6], { groups: 4, rows: 5, columns: 6 }, "any"],
  ])("is one nest: %s", (_name, fn, shape, geometry, op) => {
    const { nests, others } = shapeOf(fn, f32(...shape));
    expect(nests).toMatchObject([{ kind: "reduction", ...geometry }]);
    expect(stagesOf(nests[0]!)).toEqual(["map", op]);
    expect(others).toEqual([]);
  }); // prettier-ignore

  it("is one of integers and of parts of complex numbers, too", () => {
    expect(shapeOf((x) => x.real().sum({ axes: [0] }), tensor("c64", 4, 5)).nests).toMatchObject([
      { kind: "reduction" },
    ]);
    expect(shapeOf((x) => x.add(1).sum({ axes: [0] }), tensor("s16", 4, 5)).nests).toMatchObject([
      { kind: "reduction" },
    ]);
  });

  it.each<[string, Fn]>([
    ["sums along rows", (x) => x.sum({ axes: [1] })],
    ["sums of columns", (x) => x.sum({ axes: [0] })],
    ["places of the largest along rows", (x) => x.real().argmax({ axis: 1 })],
    ["places of the largest of columns", (x) => x.real().argmax({ axis: 0 })],
    ["running sums along rows", (x) => x.cumulativeSum({ axis: 1 })],
    ["running sums of columns", (x) => x.cumulativeSum({ axis: 0 })],
  ])("may take a way that is seldom needed: %s", (_name, reduced) => {
    const part: Fn = (x) => reduced(x.multiply(0.3));
    expect(shapeOf(part, tensor("s64", 20, 90)).nests).toMatchObject([{ kind: "reduction" }]);
    for (const type of ["s32", "u32", "s64", "u64", "c128"] as const) {
      for (const [rows, columns] of [
        [20, 90],
        [3, 700],
        [90, 7],
      ] as const) {
        expect(disagreement(part, (backend) => [awkward(backend, type, [rows, columns], 1)])).toBeNull();
      }
    }
  });

  it("leaves a mean its division", () => {
    const { nests, others } = shapeOf((x) => x.multiply(x).mean({ axes: [0] }), f32(4, 5));
    expect(nests.map(({ kind }) => kind)).toEqual(["reduction"]);
    expect(others).toEqual(["binary"]);
  });

  it("looks through reshapes between the two", () => {
    const { nests } = shapeOf((x) => x.multiply(2).reshape([10, 2]).argmax({ axis: 1 }), f32(4, 5));
    expect(nests).toMatchObject([{ kind: "reduction", groups: 10, rows: 2, columns: 1 }]);
  });

  it.each<[string, Fn, readonly number[]]>([
    ["what others read", (x) => { const y = x.multiply(2); return [y, y.argmax()]; }, [4, 5]],
    ["what others read under another shape", (x) => { const y = x.multiply(2); return [y.reshape([20]), y.argmax()]; }, [4, 5]],
    ["what two of them read", (x) => { const y = x.multiply(2); return [y.argmin(), y.argmax()]; }, [4, 5]],
    ["what a transposed operand gives", (x) => x.transpose().multiply(2).argmax({ axis: 0 }), [4, 5]],
    ["what takes long to compute", (x) => x.exp().cumulativeSum({ axis: 0 }), [4, 5]],
    ["two folds with kept axes between them", (x) => x.multiply(2).sum({ axes: [0, 2] }), [4, 5, 6]],
    ["what a part of an operand gives", (x) => x.slice([1, 0], [3, 5]).multiply(2).argmax({ axis: 0 }), [4, 5]],
  ])("leaves alone: %s", (_name, fn, shape) => {
    expect(shapeOf(fn, f32(...shape)).nests.filter(({ kind }) => kind === "reduction")).toEqual([]);
  }); // prettier-ignore

  it("leaves alone what a kernel makes of a single element", () => {
    const fn: Fn = (x) =>
      Nx.makeDiagonal(x)
        .subtract(Nx.fill([2], 1))
        .sum();
    const spread: Fn = (x) => x.subtract(Nx.fill([70, 80], 1)).argmax({ axis: 1 });
    const searched: Fn = (x) =>
      x
        .reshape([1, 1])
        .subtract(Nx.fill([70, 80], 1))
        .argmax({ axis: 0 });
    for (const each of [fn, spread, searched]) {
      expect(shapeOf(each, tensor("u8", 1)).nests.filter(({ kind }) => kind === "reduction")).toEqual([]);
      expect(disagreement(each, (backend) => tensorsOf(backend, [[1]], ["u8"]))).toBeNull();
    }
  });

  it.each(["c64", "c128"] as const)("has the bits of searches and sums of the parts of %s", (type) => {
    const parts: readonly Fn[] = [(x) => x.real(), (x) => x.imag().asType("f64"), (x) => x.real().multiply(x.real())];
    const joins = (axis: number): readonly Make[] => [
      (x) => x.argmax({ axis }),
      (x) => x.argmin({ axis, tieBreak: "high" }),
      (x) => x.sum({ axes: [axis] }).asType("f32"),
      (x) => x.cumulativeMax({ axis }),
    ];
    for (const shape of [[130, 33], [40, 3], [4100, 1], [3, 700]])
      for (const axis of [0, 1])
        for (const part of parts)
          for (const join of joins(axis)) {
            const fn: Fn = (x) => join(part(x) as Tensor);
            expect(disagreement(fn, (backend) => tensorsOf(backend, [shape], [type]))).toBeNull();
          }
  }); // prettier-ignore

  it("leaves alone what a kernel makes of two operands", () => {
    const { nests } = shapeOf((x, y) => x.multiply(y!).argmax(), f32(4, 5), f32(4, 5));
    expect(nests.filter(({ kind }) => kind === "reduction")).toEqual([]);
  });

  it("has a key that does not depend on sizes, but on ops, ties and directions", () => {
    const keyOf = (fn: Fn, ...shape: number[]): string => shapeOf(fn, f32(...shape)).nests[0]!.key;
    const argmax: Fn = (x) => x.multiply(2).argmax({ axis: 0 });
    expect(keyOf(argmax, 4, 5)).toBe(keyOf(argmax, 3, 2, 7));
    const others: Fn[] = [
      (x) => x.multiply(2).argmin({ axis: 0 }),
      (x) => x.multiply(2).argmax({ axis: 0, tieBreak: "high" }),
      (x) => x.multiply(3).argmax({ axis: 0 }),
      (x) => x.multiply(2).cumulativeSum({ axis: 0 }),
      (x) => x.multiply(2).cumulativeSum({ axis: 0, reverse: true }),
    ];
    expect(new Set([argmax, ...others].map((fn) => keyOf(fn, 4, 5))).size).toBe(6);
  });
});

type Make = (x: Tensor) => Tensor;

const MAPS: readonly Make[] = [
  (x) => x.multiply(2),
  (x) => x.multiply(x),
  (x) => x.abs(),
  (x) => x.exp(),
  (x) => x.negate().add(1),
  (x) => x.greater(1),
  (x) => x.asType("f32"),
  (x) => x.asType("f64"),
  (x) => x.asType("s32"),
  (x) => x.asType("u8"),
  (x) => x.asType("f16"),
  (x) => x.divide(x),
  (x) => x.sqrt(),
  (x) => x.at(...x.shape.map(() => 0)).subtract(Nx.fill(x.shape, 1)),
];

const reductions = (axis: number): readonly Make[] => [
  ...(["sum", "product", "reduceMax", "reduceMin", "all", "any"] as const).map((op): Make => (x) => x[op]({ axes: [axis] })),
  ...(["argmax", "argmin"] as const).flatMap((op) =>
    (["low", "high"] as const).map((tieBreak): Make => (x) => x[op]({ axis, tieBreak })),
  ),
  (x) => x.argmax(),
  (x) => x.sum(),
  ...(["cumulativeSum", "cumulativeProduct", "cumulativeMax", "cumulativeMin"] as const).flatMap((op) =>
    [false, true].map((reverse): Make => (x) => x[op]({ axis, reverse })),
  ),
]; // prettier-ignore

const programs = fc.record({
  shape: fc.constantFrom([2, 3], [5, 4], [7, 31], [17, 33], [129, 5], [3, 300], [2, 3, 5], [3, 130, 4], [1, 2000], [4097]),
  type: fc.constantFrom<DType>("f32", "f32", "f64", "s32", "u8", "s64", "bf16", "f16", "u16"),
  maps: fc.array(fc.nat(MAPS.length - 1), { minLength: 1, maxLength: 3 }),
  axis: fc.nat(2),
  reduction: fc.nat(19),
}); // prettier-ignore

type Program = typeof programs extends fc.Arbitrary<infer P> ? P : never;

const run =
  ({ shape, maps, axis, reduction }: Program): Fn =>
  (x) => {
    const made = maps.reduce((y, at) => MAPS[at]!(y), x);
    const all = reductions(axis % shape.length);
    return all[reduction % all.length]!(made);
  };

describe("extremes of what a kernel makes wider", () => {
  it.each(["f32", "f16", "bf16", "c64"] as const)("keep NaN and the sign of zero wherever they lie: %s", (type) => {
    const wider: Fn = (x) => x.real().asType("f64");
    for (const op of ["reduceMax", "reduceMin"] as const)
      for (const columns of [1, 3, 4, 7, 21, 64])
        for (const axis of [0, 1])
          for (let odd = 0; odd < 8; odd++) {
            const numbers = Array.from({ length: 64 * columns }, (_, i) => (i % 8 === odd ? (i % 16 < 8 ? NaN : -0) : i % 3));
            const make = (backend: Nx.Backend): Tensor[] => [
              Nx.tensor(numbers, { type: "f64", backend }).asType(type).reshape([64, columns]),
            ];
            expect(disagreement((x) => (wider(x) as Tensor)[op]({ axes: [axis] }), make)).toBeNull();
          }
  }); // prettier-ignore
});

describe("random reductions of what kernels make of an operand", () => {
  it.each(["plain", "awkward"] as const)("have the bits of their ops one by one: %s numbers", (kind) => {
    fc.assert(
      fc.property(programs, (program) => {
        expect(disagreement(run(program), (backend) => tensorsOf(backend, [program.shape], [program.type], kind))).toBeNull();
      }),
      { numRuns: tries(250) },
    );
  }, 60_000); // prettier-ignore

  it("are such nests at all, of every stage", () => {
    const found = fc.sample(programs, { numRuns: 200, seed: 5 }).flatMap((program) => {
      const args = tensorsOf(binaryBackend, [program.shape], [program.type]);
      return shapeOf(run(program), ...args).nests.flatMap(({ kind, stages }) => (kind === "reduction" ? [stages[1]!.kind] : []));
    });
    expect(found.length).toBeGreaterThan(80);
    expect(new Set(found)).toEqual(new Set(["fold", "search", "scan"]));
  }); // prettier-ignore
});
