import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { binaryBackend } from "../../../lib/backends/binary";
import { wasmBackend } from "../../../lib/backends/wasm";
import { functionsOf } from "../../../lib/defn/graph";
import { differences, kernelsOf, nodesOf } from "./support";
import {
  disagreement,
  layerNorm,
  logSoftmax,
  programsIn,
  rowsGraph,
  softmax,
  tensorsOf,
  type Fn,
} from "./rows-support";
import { sampled } from "../../effort";

const f32 = (...shape: number[]): Tensor => tensorsOf(binaryBackend, [shape], ["f32"])[0]!;

/** What runs, besides leaves and picking results. */
const steps = (fn: Fn, ...args: Tensor[]): string[] =>
  nodesOf(rowsGraph(fn, ...args))
    .map(({ kind }) => kind)
    .filter((kind) => kind !== "parameter" && kind !== "element");

const keep = { axes: [-1], keepAxes: true };

describe("row programs", () => {
  it("are one kernel for a softmax, whatever is before it", () => {
    expect(steps((x) => softmax(x), f32(4, 5))).toEqual(["fused"]);
    expect(steps((x) => softmax(x.exp().add(1)), f32(4, 5))).toEqual(["fused"]);
    expect(steps((x) => softmax(x, [1, 2]), f32(4, 5, 6))).toEqual(["fused"]);
    expect(steps((x) => softmax(x), f32(7))).toEqual(["fused"]);
  });

  it("are one kernel for other chains of reductions and maps", () => {
    expect(steps((x) => logSoftmax(x), f32(4, 5))).toEqual(["fused"]);
    expect(steps(layerNorm, f32(4, 5), f32(5), f32(5))).toEqual(["fused"]);
    expect(steps((x) => x.variance({ axes: [-1] }), f32(4, 5))).toEqual(["fused"]);
    expect(steps((x) => x.divide(x.sum({ axes: [1] }).newAxis(-1)), f32(4, 5))).toEqual(["fused"]);
    expect(steps((x) => [x.sum(keep), x.reduceMax(keep)], f32(4, 5))).toEqual(["fused"]);
    expect(steps((a, b) => a.subtract(b).pow(2).sum(), f32(4, 5), f32(4, 5))).toEqual(["fused"]);
  });

  it("say what is done with which value", () => {
    const [program] = programsIn(rowsGraph(layerNorm, f32(4, 5), f32(5), f32(5)));
    expect(
      program!.stages.map((stage) =>
        stage.kind === "map"
          ? `${stage.space} ${stage.outputs.join()}`
          : `${"op" in stage ? stage.op : stage.kind} ${stage.output}`,
      ),
    ).toEqual(["sum 3", "line 4", "full 5,6", "sum 7", "line 8", "full 9"]);
    expect(program!.operands.map(({ space }) => space)).toEqual(["full", "group", "group"]);
    expect(program).toMatchObject({ groups: 4, rows: 5, columns: 1, outputs: [9] });
  });

  it("have keys that do not depend on sizes", () => {
    const keyOf = (...shape: number[]): string => programsIn(rowsGraph((x) => softmax(x), f32(...shape)))[0]!.key;
    expect(keyOf(4, 5)).toBe(keyOf(3, 2, 7));
    expect(keyOf(4, 5)).not.toBe(programsIn(rowsGraph((x) => logSoftmax(x), f32(4, 5)))[0]!.key);
  });

  it("leave a reduction by itself as it is", () => {
    expect(steps((x) => x.sum({ axes: [1] }), f32(4, 5))).toEqual(["reduceOp"]);
    expect(programsIn(rowsGraph((x) => x.reduceMax(), f32(4, 5)))).toEqual([]);
  });

  it("leave reductions over other axes, and over one element, to others", () => {
    expect(programsIn(rowsGraph((x) => x.add(1).sum({ axes: [0] }), f32(4, 5)))).toEqual([]);
    expect(programsIn(rowsGraph((x) => x.add(1).sum({ axes: [0, 2] }), f32(4, 5, 6)))).toEqual([]);
    expect(programsIn(rowsGraph((x) => x.add(1).sum({ axes: [0, 2] }), f32(4, 1, 6)))).toEqual([]); // two folds, in this order
    expect(programsIn(rowsGraph((x) => softmax(x), f32(4, 1)))).toEqual([]);
  });

  it("read past axes of one element", () => {
    expect(programsIn(rowsGraph((x) => x.exp().sum({ axes: [1] }), f32(4, 5, 1)))).toMatchObject([
      { groups: 4, rows: 5 },
    ]);
    expect(programsIn(rowsGraph((x) => x.exp().sum({ axes: [0] }), f32(5, 1)))).toMatchObject([{ groups: 1, rows: 5 }]);
  });

  it("take sums and extremes of half floats", () => {
    const [half] = tensorsOf(binaryBackend, [[4, 5]], ["bf16"]);
    expect(programsIn(rowsGraph((x) => x.add(1).sum(keep), half!))).toHaveLength(1);
    expect(programsIn(rowsGraph((x) => x.subtract(x.reduceMax(keep)), half!))).toHaveLength(1);
  });

  it("take sums of complex numbers along neighbours, and leave their products and other axes to others", () => {
    const [z] = tensorsOf(binaryBackend, [[4, 5]], ["c64"]);
    expect(programsIn(rowsGraph((x) => x.multiply(x).sum(keep), z!))).toHaveLength(1);
    expect(programsIn(rowsGraph((x) => x.multiply(x).product(keep), z!))).toEqual([]);
    expect(programsIn(rowsGraph((x) => x.multiply(x).sum({ axes: [0] }), z!))).toEqual([]);
  });

  it("do not take in what lies behind something outside", () => {
    const around: Fn = (x) => {
      const sum = x.exp().sum(keep);
      return x.subtract(sum.sort({ axis: 0 }));
    };
    const graph = rowsGraph(around, f32(4, 5));
    expect(programsIn(graph)).toHaveLength(1);
    expect(kernelsOf(graph)).toHaveLength(1);
    expect(disagreement(around, (backend) => tensorsOf(backend, [[4, 5]], ["f32"]))).toBeNull();
  });

  it("work in the functions of control flow", () => {
    const loop: Fn = (x) =>
      Nx.Defn.whileLoop(
        { x, left: Nx.tensor(3) },
        ({ left }) => left.greater(0),
        (state) => ({ x: softmax(state.x), left: state.left.subtract(1) }),
      ).x;
    const [node] = nodesOf(rowsGraph(loop, f32(4, 5))).filter(({ kind }) => kind === "while");
    expect(functionsOf(node!).map((fn) => programsIn(fn).length)).toEqual([0, 1]);
    expect(disagreement(loop, (backend) => tensorsOf(backend, [[4, 5]], ["f32"]))).toBeNull();
  });

  it("cut long rows where no kernel over their elements needs a result of theirs", () => {
    const squares: Fn = (x) => x.multiply(x).sum().sqrt();
    expect(programsIn(rowsGraph(squares, f32(40, 1000)))).toMatchObject([{ groups: 1, rows: 40_000 }]);
    const programs = programsIn(rowsGraph((x) => softmax(x, [0, 1]), f32(40, 1000)));
    expect(programs.map(({ stages }) => stages.length)).toEqual([2]);
  });

  it("show as one kernel with all its nodes", () => {
    const { kernels, nodes } = Nx.Defn.explain((x: Tensor, a: Tensor, b: Tensor) => layerNorm(x, a, b))(
      f32(4, 5),
      f32(5),
      f32(5),
    );
    expect(kernels).toHaveLength(1);
    expect(kernels[0]!.nodes).toHaveLength(nodes.length - 3);
    expect(nodes.map(({ text }) => text.split("(")[0])).not.toContain("fused");
    expect(kernels[0]).toMatchObject({ bytesRead: 120, bytesWritten: 80 });
  });
});

interface Case {
  readonly fn: Fn;
  readonly shapes: (rows: number, length: number) => readonly (readonly number[])[];
}

const one = (rows: number, length: number): number[][] => [[rows, length]];

const CASES: Readonly<Record<string, Case>> = {
  softmax: { fn: (x) => softmax(x), shapes: one },
  "softmax over two axes": { fn: (x) => softmax(x, [1, 2]), shapes: (rows, length) => [[rows, 1, length]] },
  "softmax of a map": { fn: (x) => softmax(x.multiply(0.5).sin()), shapes: one },
  "log-softmax": { fn: (x) => logSoftmax(x), shapes: one },
  "layer norm": { fn: layerNorm, shapes: (rows, length) => [[rows, length], [length], [length]] },
  "layer norm with a scale for each row": { fn: layerNorm, shapes: (rows, length) => [[rows, length], [rows, 1], [1]] },
  variance: { fn: (x) => x.variance({ axes: [-1] }), shapes: one },
  "norm and what it divides": {
    fn: (x) => {
      const n = x.multiply(x).sum(keep).sqrt();
      return [n.squeeze(), x.divide(n)];
    },
    shapes: one,
  },
  "two reductions and a map": {
    fn: (x) => {
      const [low, high] = [x.reduceMin(keep), x.reduceMax(keep)];
      return [x.subtract(low).divide(high.subtract(low)), low];
    },
    shapes: one,
  },
  "sum of squared differences": {
    fn: (a, b) =>
      a
        .subtract(b)
        .pow(2)
        .sum({ axes: [1] }),
    shapes: (rows, length) => [
      [rows, length],
      [rows, length],
    ],
  },
  "a transposed operand": {
    fn: (x, y) => softmax(x.add(y.transpose())),
    shapes: (rows, length) => [
      [rows, length],
      [length, rows],
    ],
  },
  "three phases": {
    fn: (x) => {
      const y = softmax(x);
      const z = y.multiply(y.reduceMax(keep));
      return z.divide(z.multiply(z).sum(keep).sqrt());
    },
    shapes: one,
  },
  truth: {
    fn: (x) => {
      const big = x.greater(1);
      return [x.multiply(big.all(keep)), big.any({ axes: [1] })];
    },
    shapes: one,
  },
  "a row value made of other tensors": {
    fn: (x, s) => x.multiply(s.exp().add(1)).sum(keep),
    shapes: (rows, length) => [
      [rows, length],
      [rows, 1],
    ],
  },
};

const check = ({ fn, shapes }: Case, rows: number, length: number, types: readonly DType[], kind?: "awkward"): void =>
  expect(
    disagreement(fn, (backend) => tensorsOf(backend, shapes(rows, length), types, kind)),
    `${rows} x ${length}`,
  ).toBeNull();

describe.each(Object.entries(CASES))("%s", (_name, entry) => {
  it("has the bits of its ops one by one, whatever the sizes", () => {
    const sizes = [1, 2, 7, 127, 128, 129, 1000].flatMap((length) => [1, 3, 20].map((rows) => [rows, length] as const));
    for (const [rows, length] of sampled(sizes, 6)) check(entry, rows, length, ["f32"]);
    check(entry, 3, 5000, ["f32"]);
    check(entry, 1000, 7, ["f32"]);
  });

  it.each(["f64", "s32", "u8", "s64", "f16", "bf16", "u64"] as const)("has them for %s", (type) => {
    check(entry, 5, 131, [type]);
    check(entry, 5, 131, [type, "f32"]);
  });

  it("has them for awkward numbers", () => {
    for (const type of ["f32", "f64", "s16", "f16"] as const) check(entry, 6, 130, [type], "awkward");
  });
});

describe("row programs of named and cut tensors", () => {
  it("keep names", () => {
    const named = (backend: Nx.Backend) => [tensorsOf(backend, [[6, 50]], ["f32"])[0]!.rename(["batch", "class"])];
    expect(disagreement((x) => softmax(x, ["class"]), named)).toBeNull();
  });

  it.each(["f32", "f64", "s32", "u8"] as const)("have the bits of %s where rows are cut", (type) => {
    const rowsOf = (shape: readonly number[]) => (backend: Nx.Backend) => tensorsOf(backend, [shape, shape], [type]);
    const fn: Fn = (a, b) => [
      a
        .subtract(b)
        .abs()
        .sum({ axes: [1] }),
      a
        .multiply(2)
        .reduceMax({ axes: [1] })
        .add(1),
      a.add(b),
    ];
    for (const shape of [
      [1, 16_385],
      [3, 20_000],
      [2, 128 * 130],
      [1, 50_001],
    ])
      expect(disagreement(fn, rowsOf(shape))).toBeNull();
  });

  it.each(["c64", "c128"] as const)("have the bits of sums of %s, whether rows are short, whole or cut", (type) => {
    const real = type === "c64" ? "f32" : "f64";
    const fn: Fn = (a, b) => {
      const z = Nx.complex(a, b);
      const products = z.multiply(z.conjugate().add(1));
      return [products.sum(keep), products.divide(products.sum(keep)), z.negate().all(keep), products.real().sum(keep)];
    };
    const sums: Fn = (a, b) => Nx.complex(a, b).multiply(a).sum(keep).multiply(2);
    for (const shape of [[2], [40, 2], [41, 7], [9, 31], [130, 129], [3, 1500], [2, 20_000], [1, 50_001]]) {
      const argsOn = (backend: Nx.Backend) => tensorsOf(backend, [shape, shape], [real]);
      expect(disagreement(fn, argsOn)).toBeNull();
      expect(disagreement(sums, argsOn)).toBeNull();
    }
  });

  it("have them for the gradient of a cross-entropy", () => {
    const loss = (w: Tensor, x: Tensor, y: Tensor): Tensor =>
      logSoftmax(x.dot(w))
        .multiply(y)
        .sum({ axes: [-1] })
        .mean()
        .negate();
    const step: Fn = (w, x, y) => Nx.Defn.valueAndGrad((p: Tensor) => loss(p, x, y))(w) as never;
    for (const backend of [binaryBackend, wasmBackend]) {
      const args = tensorsOf(
        backend,
        [
          [20, 10],
          [32, 20],
          [32, 10],
        ],
        ["f32"],
      );
      expect(programsIn(rowsGraph(step, ...args)).length).toBeGreaterThan(0);
      const [evaluated, optimized] = (["evaluator", "optimizing"] as const).map(
        (compiler) => Nx.defn(step as never, { compiler }) as unknown as (...args: Tensor[]) => Tensor[],
      );
      expect(differences(optimized!(...args), evaluated!(...args))).toBeNull();
    }
  });
});
