/** Contractions with what is fused to them: how many nodes they are, and the same bits as one node after the other. */
import fc from "fast-check";
import * as Nx from "nx-numerics";
import type { Backend, DType, Tensor } from "nx-numerics";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Nest } from "../../../lib/backend";
import { binaryBackend } from "../../../lib/backends/binary";
import { wasmBackend } from "../../../lib/backends/wasm";
import { readyWorkers } from "../../../lib/backends/wasm/threads/index";
import type { Graph } from "../../../lib/defn/graph";
import { OPTIMIZE, runPasses } from "../../../lib/defn/passes";
import { trace } from "../../../lib/defn/trace";
import { tune } from "../../../lib/backends/tuning";
import { BACKENDS, differences, kernelsOf, nodesOf } from "./support";
import { tries } from "../../effort";

type Fn = (...args: Tensor[]) => Tensor | readonly Tensor[];

const graphFor = (fn: Fn, args: readonly Tensor[]): Graph =>
  runPasses(trace(fn as never, args, new Set()).graph, OPTIMIZE);

const programsIn = (graph: Graph): Nest[] =>
  kernelsOf(graph).flatMap(({ attrs: { nest } }) => (nest.kind === "contraction" ? [nest] : []));

/** Kinds of the nodes that compute, in their order. */
const kinds = (fn: Fn, ...args: readonly Tensor[]): string[] =>
  nodesOf(graphFor(fn, args))
    .filter(({ kind }) => !["parameter", "element", "constant", "literal"].includes(kind))
    .map((node) => {
      if (node.kind !== "fused") return node.kind;
      return node.attrs.nest.root ? node.attrs.nest.root.kind + "+" : "kernel";
    });

/** Numbers between -1 and 1. */
function tensor(backend: Backend, type: DType, shape: readonly number[], seed: number): Tensor {
  const count = shape.reduce((a, b) => a * b, 1);
  const values = Array.from({ length: count }, (_, i) => Math.sin(seed + 1.7 * i));
  const scaled =
    type.startsWith("f") || type.startsWith("b") || type.startsWith("c")
      ? values
      : values.map((x) => Math.round(9 * x) + 9);
  return Nx.tensor(scaled, { type, backend }).reshape(shape);
}

const t = (...shape: number[]): Tensor => tensor(wasmBackend, "f32", shape, shape.length);

const listed = (result: Tensor | readonly Tensor[]): readonly Tensor[] =>
  Array.isArray(result) ? (result as readonly Tensor[]) : [result as Tensor];

/** Compiled with all passes and run node by node: null if that gives the same. */
function compared(fn: Fn, args: readonly Tensor[]): string | null {
  const fused = Nx.defn(fn as never, { compiler: "optimizing" }) as Fn;
  const plain = Nx.defn(fn as never, { compiler: "evaluator" }) as Fn;
  return differences(listed(fused(...args)), listed(plain(...args)));
}

describe("structure", () => {
  const dense = (x: Tensor, w: Tensor, b: Tensor): Tensor => x.dot(w).add(b).max(0);

  it("a layer is one node", () => {
    expect(kinds(dense, t(16, 32), t(32, 24), t(24))).toEqual(["dot+"]);
    expect(kinds((x, w) => x.dot(w).tanh(), t(16, 32), t(32, 24))).toEqual(["dot+"]);
    expect(kinds((x, w, r) => x.dot(w).multiply(0.5).add(r).asType("f16"), t(16, 32), t(32, 24), t(16, 24))).toEqual([
      "dot+",
    ]);
  });

  it("two layers are two nodes", () => {
    const net: Fn = (x, w, b, v, c) => dense(dense(x!, w!, b!), v!, c!);
    expect(kinds(net, t(16, 32), t(32, 24), t(24), t(24, 40), t(40))).toEqual(["dot+", "dot+"]);
  });

  it("a convolution with bias and relu is one node", () => {
    const layer: Fn = (x, w, b) =>
      Nx.conv(x!, w!)
        .add(b!.reshape([1, 8, 1, 1]))
        .max(0);
    expect(kinds(layer, t(2, 3, 10, 10), t(8, 3, 3, 3), t(8))).toEqual(["conv+"]);
  });

  it("sums of few products stay as they are", () => {
    expect(kinds(dense, t(2, 3), t(3, 4), t(4))).toEqual(["dot", "kernel"]);
  });

  it("a result that is read elsewhere is a result of the node", () => {
    const fn: Fn = (x, w, b) => {
      const product = x!.dot(w!);
      return [product.add(b!).max(0), product.sum({ axes: [0] }), product.transpose()];
    };
    const args = [t(16, 32), t(32, 24), t(24)];
    const [program] = programsIn(graphFor(fn, args));
    expect(program!.outputs).toEqual([1, 2]); // after the operand: the product, then the kernel's result
    expect(compared(fn, args)).toBeNull();
  });

  it("a kernel that reads the transposed result too is no epilogue", () => {
    const fn: Fn = (x, w) => {
      const product = x!.dot(w!);
      return product.add(product.transpose());
    };
    expect(kinds(fn, t(20, 32), t(32, 20)).filter((kind) => kind !== "transpose")).toEqual(["dot", "kernel"]);
  });

  it("a kernel that needs the result by way of another node is no epilogue of it", () => {
    const fn: Fn = (x, w, v) => {
      const first = x!.dot(w!);
      return first.add(first.dot(v!));
    };
    const args = [t(20, 20), t(20, 20), t(20, 20)];
    const programs = programsIn(graphFor(fn, args));
    expect(kinds(fn, ...args)).toEqual(["dot", "dot+"]);
    expect(programs[0]!.stages).toMatchObject([{ inputs: [0, 1] }]); // the operand, and the product
    expect(compared(fn, args)).toBeNull();
  });

  it("what two products make together belongs to one of them", () => {
    const cell: Fn = (x, h, w, u, b) => x!.dot(w!).add(h!.dot(u!)).add(b!).tanh();
    expect(kinds(cell, t(16, 32), t(16, 24), t(32, 24), t(24, 24), t(24)).sort()).toEqual(["dot", "dot+"]);
  });

  it("a reshape between a product and its kernel is nothing", () => {
    const fn: Fn = (x, w, b) => x!.dot(w!).reshape([16, 4, 6]).add(b!).max(0);
    expect(kinds(fn, t(16, 32), t(32, 24), t(6))).toEqual(["dot+"]);
  });

  it("the gradient of two layers with softmax is five products, the activations in two of them", () => {
    const loss = (weights: Tensor[], x: Tensor, labels: Tensor): Tensor => {
      const [w1, b1, w2, b2] = weights as [Tensor, Tensor, Tensor, Tensor];
      const scores = x.dot(w1).add(b1).max(0).dot(w2).add(b2);
      const shifted = scores.subtract(scores.reduceMax({ axes: [1], keepAxes: true }));
      const logs = shifted.subtract(
        shifted
          .exp()
          .sum({ axes: [1], keepAxes: true })
          .log(),
      );
      return logs.multiply(labels).sum().negate();
    };
    const gradient: Fn = (x, labels, ...weights) => Nx.grad(loss)(weights, x!, labels!) as Tensor[];
    const args = [t(32, 64), t(32, 10), t(64, 64), t(64), t(64, 10), t(10)];
    const found = kinds(gradient, ...args).filter((kind) => kind !== "reshape");
    expect(found.filter((kind) => kind.startsWith("dot"))).toHaveLength(5);
    expect(found.filter((kind) => kind === "dot+").length).toBeGreaterThanOrEqual(2);
    expect(found).not.toContain("transpose");
  });

  it("is opened by explain", () => {
    const { nodes } = Nx.Defn.explain(dense)(t(16, 32), t(32, 24), t(24));
    expect(nodes.some(({ text }) => text.startsWith("dot"))).toBe(true);
    const kernels = new Set(nodes.filter(({ role }) => role === "operation").map(({ kernel }) => kernel));
    expect(kernels.size).toBe(1);
  });
});

describe("transposes", () => {
  it.each(["c64", "c128"] as const)("of complex products keep the order in which parts are added up: %s", (type) => {
    const of = (shape: number[], re: number, im: number) => Nx.broadcast(Nx.tensor(new Nx.Complex(re, im), { type }), shape); // prettier-ignore
    const fn: Fn = (x, w) => x!.dot(w!).transpose();
    expect(compared(fn, [of([8, 15], 3.9, 3), of([15, 9], 1, 2)])).toBeNull();
    expect(compared(fn, [of([8, 15], 3.1, 0.7), of([15, 9], 1.3, 2.1)])).toBeNull();
  });

  it("of operands become axes", () => {
    expect(kinds((x, w) => x.transpose().dot(w.transpose()), t(32, 16), t(24, 32))).toEqual(["dot"]);
  });

  it("of results exchange the operands, unless the result itself is read too", () => {
    expect(kinds((x, w) => x.dot(w).transpose(), t(16, 32), t(32, 24))).toEqual(["dot"]);
    expect(kinds((x, w) => x.dot(w).transpose().add(1), t(16, 32), t(32, 24))).toEqual(["dot+"]);
    const both: Fn = (x, w) => [x!.dot(w!), x!.dot(w!).transpose()];
    expect(kinds(both, t(16, 32), t(32, 24))).toEqual(["dot", "transpose"]);
  });

  it("in batches move rows and columns only", () => {
    const swap: Fn = (x, w) => Nx.dot(x!, [2], [0], w!, [1], [0]).transpose({ axes: [0, 2, 1] });
    const move: Fn = (x, w) => Nx.dot(x!, [2], [0], w!, [1], [0]).transpose({ axes: [1, 0, 2] });
    const args = [t(3, 16, 32), t(3, 32, 24)];
    expect(kinds(swap, ...args)).toEqual(["dot"]);
    expect(kinds(move, ...args)).toEqual(["dot", "transpose"]);
    expect(compared(swap, args)).toBeNull();
    expect(compared(move, args)).toBeNull();
  });

  it("around products with vectors are read through, but stay what they are", () => {
    const [program] = programsIn(graphFor((x, v) => x.transpose().dot(v), [t(96, 80), t(96)]));
    expect(program!.root!.operands[0].views[0]).toEqual({ shape: [80, 96], strides: [1, 80], offset: 0 });
    expect(program!.stages).toEqual([]);
  });
});

// -------------------------------------------------------------------------------------------------------- the same bits

const REAL: readonly DType[] = ["f32", "f64", "f16", "bf16"];
const OTHERS: readonly DType[] = ["s32", "u8", "s64", "c64", "c128"];
const side = (): fc.Arbitrary<number> => fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(1, 64, 70));

type Wrap = (y: Tensor, row: Tensor, column: Tensor, same: Tensor) => Tensor | readonly Tensor[];
const EPILOGUES: readonly Wrap[] = [
  (y, row) => y.add(row).max(0),
  (y, _row, column) => y.multiply(column).subtract(1),
  (y, row, column, same) => y.add(row).multiply(same).add(column),
  (y, _row, _column, same) => [y, Nx.select(Nx.greater(same, 0), y, 0), y.negate()],
  (y, row) => y.add(row).asType("f32").tanh(),
  (y) => y.asType("f16").add(1),
  (y, row) => y.add(row.reverse()).sigmoid(),
  (y, _row, column) => [y.sum(), y.add(column).abs()],
  (y) => y.transpose().add(1),
];

/** Ways in which an operand comes about, given a tensor that has its shape. */
type Turn = (x: Tensor) => Tensor;
const flip = (x: Tensor): Tensor => x.reverse({ axes: [0] });
const TURNS: readonly Turn[] = [
  (x) => x,
  (x) => x.transpose().reshape(x.shape),
  flip,
  (x) => x.reverse(),
  (x) => Nx.slice(Nx.concatenate([x, x], { axis: 0 }), [1, 0], x.shape),
  (x) => x.at(Nx.range(0, 1)).broadcast(x.shape),
  (x) => x.asType("f16").asType(x.type.startsWith("c") ? x.type : "f32"),
  (x) => x.multiply(2),
];

interface Case {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly wrap: number;
  readonly turns: readonly [number, number];
  readonly transposed: readonly [boolean, boolean];
  readonly types: readonly [DType, DType];
}

const cases = (types: readonly DType[]): fc.Arbitrary<Case> =>
  fc.record({
    m: side(),
    k: fc.oneof(side(), fc.constant(300)),
    n: side(),
    wrap: fc.nat(EPILOGUES.length - 1),
    turns: fc.tuple(fc.nat(TURNS.length - 1), fc.nat(TURNS.length - 1)),
    transposed: fc.tuple(fc.boolean(), fc.boolean()),
    types: fc.tuple(fc.constantFrom(...types), fc.constantFrom(...types)),
  });

function functionOf({ wrap, turns, transposed }: Case): Fn {
  return (x, w, row, column, same) => {
    const [a, b] = [TURNS[turns[0]]!(x!), TURNS[turns[1]]!(w!)];
    const product = (transposed[0] ? a.transpose() : a).dot(transposed[1] ? b.transpose() : b);
    return EPILOGUES[wrap]!(product, row!, column!, same!);
  };
}

function argumentsOf(backend: Backend, { m, k, n, transposed, types: [x, w] }: Case): Tensor[] {
  return [
    tensor(backend, x, transposed[0] ? [k, m] : [m, k], 1),
    tensor(backend, w, transposed[1] ? [n, k] : [k, n], 2),
    tensor(backend, x, [n], 3),
    tensor(backend, x, [m, 1], 4),
    tensor(backend, w, [m, n], 5),
  ];
}

describe.each(BACKENDS)("on %s the bits are those of the parts", (_name, backend) => {
  it("for products of floats", () => {
    fc.assert(
      fc.property(cases(REAL), (one) => {
        expect(compared(functionOf(one), argumentsOf(backend, one))).toBeNull();
      }),
      { numRuns: tries(backend === wasmBackend ? 150 : 25) },
    );
  });

  it("for products of other types", () => {
    fc.assert(
      fc.property(cases(OTHERS), (one) => {
        const real = { ...one, wrap: [1, 7, 8][one.wrap % 3]! };
        expect(compared(functionOf(real), argumentsOf(backend, real))).toBeNull();
      }),
      { numRuns: 25 },
    );
  });

  it("for batches", () => {
    const sizes = fc.record({
      batch: fc.integer({ min: 1, max: 5 }),
      m: side(),
      k: side(),
      n: side(),
      type: fc.constantFrom(...REAL),
    });
    fc.assert(
      fc.property(sizes, ({ batch, m, k, n, type }) => {
        const fn: Fn = (x, w, b) =>
          Nx.dot(x!, [2], [0], w!.transpose({ axes: [0, 2, 1] }), [1], [0])
            .add(b!)
            .max(0);
        const args = [tensor(backend, type, [batch, m, k], 1), tensor(backend, type, [batch, n, k], 2)];
        expect(compared(fn, [...args, tensor(backend, type, [batch, 1, n], 3)])).toBeNull();
      }),
      { numRuns: 25 },
    );
  });

  it("for an operand that all matrices of a batch share", () => {
    const fn: Fn = (x, w) => Nx.dot(x!, [2], [0], w!.broadcast([4, 20, 30]), [1], [0]).multiply(2);
    expect(compared(fn, [tensor(backend, "f32", [4, 9, 20], 1), tensor(backend, "f32", [20, 30], 2)])).toBeNull();
  });

  it("for convolutions", () => {
    const sizes = fc.record({
      images: fc.integer({ min: 1, max: 3 }),
      channels: fc.integer({ min: 1, max: 4 }),
      filters: fc.integer({ min: 1, max: 6 }),
      length: fc.integer({ min: 5, max: 24 }),
      type: fc.constantFrom(...REAL),
      way: fc.nat(3),
    });
    fc.assert(
      fc.property(sizes, ({ images, channels, filters, length, type, way }) => {
        const fn: Fn = (x, w, b, same) => {
          const operand = way === 1 ? x!.reverse({ axes: [3] }) : way === 2 ? x!.asType("f16") : x!;
          const y = Nx.conv(operand, w!, { padding: "same" });
          const z = y.add(b!.reshape([1, filters, 1, 1])).max(0);
          return way === 3 ? [y, z.add(same!)] : z;
        };
        const args = [
          tensor(backend, type, [images, channels, length, length], 1),
          tensor(backend, type, [filters, channels, 3, 3], 2),
          tensor(backend, type, [filters], 3),
          tensor(backend, type, [images, filters, length, length], 4),
        ];
        expect(compared(fn, args)).toBeNull();
      }),
      { numRuns: tries(backend === wasmBackend ? 60 : 12) },
    );
  });

  it("for vectors on either side", () => {
    const fn: Fn = (x, v) => [x!.dot(v!).add(1).max(0), x!.transpose().dot(v!).tanh()];
    for (const type of REAL) {
      expect(compared(fn, [tensor(backend, type, [90, 90], 1), tensor(backend, type, [90], 2)])).toBeNull();
    }
  });

  it("for axes with names", () => {
    const x = tensor(backend, "f32", [20, 30], 1).rename(["row", "k"]);
    const w = tensor(backend, "f32", [30, 25], 2).rename(["k", "column"]);
    const b = tensor(backend, "f32", [25], 3).rename(["column"]);
    const fn: Fn = (x, w, b) => Nx.dot(x!, ["k"], w!, ["k"]).add(b!).max(0);
    expect(compared(fn, [x, w, b])).toBeNull();
    expect(compared((x, w) => Nx.dot(x, ["k"], w, ["k"]).transpose(), [x, w])).toBeNull();
  });
});

describe.each([
  ["in the memory of kernels", null],
  ["in arrays of their own", 0],
])("large tensors %s", (_where, budget) => {
  beforeAll(() => {
    tune({ arenaBytes: budget, threads: 3 });
  });
  afterAll(() => {
    tune({ arenaBytes: null, threads: null });
  });

  it("are worked on in parts, on any number of threads, with the same bits", async () => {
    const fn: Fn = (x, w, b, same) => {
      const y = x!.dot(w!);
      return [y, y.add(b!).tanh().multiply(same!)];
    };
    const of = (shape: readonly number[], seed: number) => tensor(wasmBackend, "f32", shape, seed);
    const args = [of([700, 40], 1), of([40, 900], 2), of([900], 3), of([700, 900], 4)];
    const compiled = Nx.defn(fn as never) as Fn;
    compiled(...args);
    await vi.waitFor(() => expect(readyWorkers()).toBeGreaterThan(0), 20_000);
    const shared = listed(compiled(...args));
    tune({ threads: 1 });
    expect(differences(shared, listed(compiled(...args)))).toBeNull();
    expect(compared(fn, args)).toBeNull();
  });

  const of = (shape: readonly number[], seed: number): Tensor => tensor(wasmBackend, "f32", shape, seed);

  it.each([96, 45, 33, 5, 4])(
    "of convolutions are, too, with an element for each channel and others, at %i x %i",
    (size) => {
      const fn: Fn = (x, w, b, same, scale) => {
        const y = Nx.conv(x!, w!, { padding: "same" }).add(b!.reshape([16, 1, 1]));
        return [y.max(0), y.multiply(scale!).add(same!), y.tanh().multiply(b!.reshape([1, 16, 1, 1]))];
      };
      const args = [of([13, 4, size, size], 1), of([16, 4, 3, 3], 2), of([16], 3), of([13, 16, size, size], 4)];
      expect(compared(fn, [...args, of([], 5)])).toBeNull();
      expect(compared(fn, [...args, of([size, size], 5)])).toBeNull();
      expect(compared(fn, [...args, of([13, 1, 1, 1], 5)])).toBeNull();
    },
  );

  it("of products with an element for each row are, too", () => {
    const fn: Fn = (x, w, column, row, same) => x!.dot(w!).multiply(column!).add(row!).max(same!);
    for (const [m, n] of [
      [600, 500],
      [513, 333],
      [40, 20_000],
      [512, 16],
      [512, 20],
      [700, 31],
    ] as const) {
      const args = [of([m, 30], 1), of([30, n], 2), of([m, 1], 3), of([n], 4), of([m, n], 5)];
      expect(compared(fn, args)).toBeNull();
    }
  });

  it("are the same on backends that have no such kernels", () => {
    const { fused: _without, ...rest } = wasmBackend;
    const backend: Backend = { ...rest, name: "without", portable: false };
    const fn: Fn = (x, w, b) => x!.dot(w!).add(b!).max(0);
    const args = (on: Backend) => [
      tensor(on, "f32", [90, 80], 1),
      tensor(on, "f32", [80, 70], 2),
      tensor(on, "f32", [70], 3),
    ];
    const [left, right] = [backend, wasmBackend].map((on) => (Nx.defn(fn as never) as Fn)(...args(on)) as Tensor);
    expect(left!.toFlatList()).toEqual(right!.toFlatList());
    expect(binaryBackend.capabilities?.nests).toEqual(["map", "joined"]);
  });
});
