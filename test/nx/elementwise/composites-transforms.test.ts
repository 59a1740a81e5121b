/** Element-wise composites traced, fused, vectorized, differentiated, and on every backend. */

import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { BACKENDS, difference, fusedGraph, nodesOf } from "../../defn/fuse/support";
import { expectGradients, numbers } from "../../defn/grad/check";
import { programsIn, rowsGraph } from "../../defn/fuse/rows-support";

type Fn = (x: Nx.Tensor) => Nx.Tensor;

const ACTIVATIONS: Readonly<Record<string, Fn>> = {
  celu: (x) => Nx.celu(x, { alpha: 0.7 }),
  clamp: (x) => Nx.clamp(x, { min: -0.5, max: 1.5 }),
  elu: (x) => Nx.elu(x, { alpha: 0.7 }),
  gelu: (x) => Nx.gelu(x),
  "gelu by tanh": (x) => Nx.gelu(x, { approximate: "tanh" }),
  hardSigmoid: (x) => Nx.hardSigmoid(x),
  hardSwish: (x) => Nx.hardSwish(x),
  hardTanh: (x) => Nx.hardTanh(x),
  leakyRelu: (x) => Nx.leakyRelu(x),
  logSigmoid: (x) => Nx.logSigmoid(x),
  mish: (x) => Nx.mish(x),
  quickGelu: (x) => Nx.quickGelu(x),
  relu: (x) => Nx.relu(x),
  relu6: (x) => Nx.relu6(x),
  selu: (x) => Nx.selu(x),
  silu: (x) => Nx.silu(x),
  softplus: (x) => Nx.softplus(x, { beta: 2 }),
  softsign: (x) => Nx.softsign(x),
};

const OTHERS: Readonly<Record<string, Fn>> = {
  copysign: (x) => Nx.copysign(2, x),
  exp2: (x) => Nx.exp2(x),
  isFinite: (x) => Nx.isFinite(x),
  "isInfinity of one sign": (x) => Nx.isInfinity(x, { detectNegative: false }),
  lerp: (x) => Nx.lerp(x, Nx.reciprocal(x), 0.3),
  log10: (x) => Nx.log10(x),
  log2: (x) => Nx.log2(x),
  logAddExp: (x) => Nx.logAddExp(x, Nx.negate(x)),
  reciprocal: (x) => Nx.reciprocal(x),
  roundEven: (x) => Nx.roundEven(x),
  square: (x) => Nx.square(x),
  trunc: (x) => Nx.trunc(x),
  "divide to whole quotients": (x) => Nx.divide(x, 0.3, { roundingMode: "floor" }),
  where: (x) => Nx.where(Nx.greater(x, 0), x, -1),
};

const EDGES = [
  0,
  -0,
  1,
  -1,
  0.3,
  -0.3,
  2.5,
  -2.5,
  3,
  -3,
  6,
  -6,
  20,
  -20,
  100,
  -100,
  3e4,
  -3e4,
  1e-30,
  NaN,
  Infinity,
  -Infinity,
];
const all = Object.entries({ ...ACTIVATIONS, ...OTHERS });

const LEAVES = ["parameter", "element", "constant", "literal"];

/** What runs in a graph. */
const work = (nodes: ReturnType<typeof nodesOf>): string[] =>
  nodes.map(({ kind }) => kind).filter((kind) => !LEAVES.includes(kind));

describe("one kernel", () => {
  it.each(all)("is what %s becomes in a compiled function", (_name, fn) => {
    for (const type of ["f32", "f64", "f16", "bf16"] as const) {
      const steps = work(nodesOf(fusedGraph((x) => fn(x!), Nx.tensor([0.5, -2], { type }))));
      expect([type, steps.length, /^(fused|unary|binary|select)$/.test(steps[0]!)]).toEqual([type, 1, true]);
    }
  });

  it.each(["softmax", "logSoftmax"] as const)("is what %s becomes, half floats and names included", (name) => {
    for (const type of ["f32", "f64", "f16", "bf16"] as const) {
      const x = Nx.asType(Nx.iota([4, 5], { names: ["batch", "class"] }), type);
      const graph = rowsGraph((t) => Nx[name](t, { axis: "class" }), x);
      expect(work(nodesOf(graph))).toEqual(["fused"]);
      expect(programsIn(graph)).toHaveLength(1);
    }
  });
});

describe("every way to compute", () => {
  it.each(all)("%s gives the bits of the binary backend", (_name, fn) => {
    for (const type of ["f32", "f64", "f16", "bf16", "s32"] as const) {
      const data = type === "s32" ? [0, 1, -1, 7, -7, 100, -100, 2 ** 30] : EDGES;
      const at = (backend: Nx.Backend): Nx.Tensor => Nx.tensor(data, { type, names: ["x"], backend });
      const [, binary] = BACKENDS[0]!;
      const expected = fn(at(binary));
      for (const [name, backend] of BACKENDS) {
        const x = at(backend);
        for (const [way, y] of [
          ["eager", fn(x)],
          ["evaluator", Nx.defn(fn, { compiler: "evaluator" })(x)],
          ["optimizing", Nx.defn(fn)(x)],
        ] as const) {
          expect([type, name, way, difference(y, expected)]).toEqual([type, name, way, null]);
        }
      }
    }
  });

  it.each([...all, ["softmax", (x: Nx.Tensor) => Nx.softmax(x)], ["mod", (x: Nx.Tensor) => Nx.mod(x, 0.7)]] as [
    string,
    Fn,
  ][])("%s works on every entry of a vectorized tensor", (_name, fn) => {
    const x = Nx.f32(numbers(12, -3, 3)).reshape([3, 4]);
    const entries = Nx.devectorize(fn(Nx.vectorize(x, "batch"))) as Nx.Tensor;
    const each = Nx.stack([0, 1, 2].map((i) => fn(x.at(i))));
    expect(entries.toList()).toEqual(each.toList());
  });
});

const grad = (fn: Fn, x: Nx.Tensor): number[] => Nx.grad((t: Nx.Tensor) => fn(t).sum())(x).toFlatList() as number[];

/** Slopes at 0 and far away on either side; at kinks that of the flat side, or 1 where there is none. */
const SLOPES: Readonly<Record<string, readonly [atZero: number, below: number, above: number]>> = {
  celu: [1, 0, 1],
  clamp: [1, 0, 0],
  elu: [0.7, 0, 1],
  gelu: [0.5, 0, 1],
  "gelu by tanh": [0.5, 0, 1],
  hardSigmoid: [1 / 6, 0, 0],
  hardSwish: [0.5, 0, 1],
  hardTanh: [1, 0, 0],
  leakyRelu: [1, 0.01, 1],
  logSigmoid: [0.5, 1, 0],
  mish: [0.6, 0, 1],
  quickGelu: [0.5, 0, 1],
  relu: [0, 0, 1],
  relu6: [0, 0, 0],
  selu: [1.7580993408473766, 0, 1.0507009873554805],
  silu: [0.5, 0, 1],
  softplus: [0.5, 0, 1],
  softsign: [1, 0, 0],
};

describe("gradients", () => {
  const smooth = [...Object.entries(ACTIVATIONS)];
  it.each(smooth)("of %s agree with differences", (_name, fn) => {
    expectGradients(fn, Nx.f64([-4.3, -2.2, -0.71, -0.4, 0.31, 0.9, 1.2, 2.7, 5.1, 8.9]));
  });

  it.each(Object.entries(SLOPES))("of %s have their values at 0 and far away", (name, [atZero, below, above]) => {
    for (const type of ["f32", "f64"] as const) {
      const most = type === "f32" ? 3e38 : 1e308;
      const x = Nx.tensor([0, -0, -200, 200, -1e15, 1e15, -most, most], { type });
      const slopes = grad(ACTIVATIONS[name]!, x);
      const expected = [atZero, atZero, below, above, below, above, below, above];
      slopes.forEach((slope, i) => {
        const far = name === "softsign" && Math.abs(x.at(i).toNumber() as number) === 200 ? 1 / 201 ** 2 : 0;
        expect(Math.abs(slope - expected[i]! - far), `${type} ${i}: ${slope}`).toBeLessThan(1e-6);
      });
    }
  });

  it.each(Object.entries(SLOPES))(
    "of %s have their limits at the infinities, and do not bend there",
    (name, slopes) => {
      for (const type of ["f16", "bf16", "f32", "f64"] as const) {
        const x = Nx.tensor([-Infinity, Infinity], { type });
        const expected = Nx.tensor(slopes.slice(1), { type }).toFlatList() as number[];
        const fn = ACTIVATIONS[name]!;
        const near = (y: number): unknown => expect.closeTo(Math.abs(y), 7);
        expect([type, ...grad(fn, x).map(Math.abs)]).toEqual([type, ...expected.map(near)]);
        const bends = grad((t) => Nx.grad((u: Nx.Tensor) => fn(u).sum())(t), x);
        expect([type, ...bends.map(Math.abs)]).toEqual([type, 0, 0]);
        const [, forward] = Nx.Defn.jvp(fn, [x], [Nx.tensor([1, 1], { type })]) as [Nx.Tensor, Nx.Tensor];
        expect([type, ...(forward.toFlatList() as number[]).map(Math.abs)]).toEqual([type, ...expected.map(near)]);
      }
    },
  );

  it.each(["silu", "quickGelu", "gelu", "gelu by tanh", "mish"])("of %s at NaN are NaN", (name) => {
    expect(grad(ACTIVATIONS[name]!, Nx.f32([NaN]))).toEqual([NaN]);
  });

  it("of half floats are those of f32, rounded", () => {
    for (const fn of Object.values(ACTIVATIONS)) {
      const x = [-2, -0.25, 0.25, 2];
      expect(grad(fn, Nx.bf16(x))).toEqual(
        Nx.f32(grad(fn, Nx.f32(x)))
          .bf16()
          .toList(),
      );
    }
  });

  it("of two operands agree with differences", () => {
    const [a, b, w] = [Nx.f64([0.3, -1.2, 2.5]), Nx.f64([[0.9], [-0.47]]), Nx.f64([0.2, 0.7, 1.4])];
    expectGradients((x, y) => Nx.logAddExp(x!, y!), a, b);
    expectGradients((x, y, z) => Nx.lerp(x!, y!, z!), a, b, w);
    expectGradients((x, y) => Nx.mod(x!, y!), a, b);
    expectGradients((x, y) => Nx.copysign(x!, y!), a, b);
    expectGradients((x, y) => Nx.where(Nx.u8([1, 0, 1]), x!, y!), a, b);
    expectGradients((x) => Nx.divide(Nx.reciprocal(x!), Nx.square(x!)), a);
    expectGradients((x, y) => Nx.softmax(Nx.add(x!, y!), { axis: 0 }), a, b);
    expectGradients((x, y) => Nx.logSoftmax(Nx.add(x!, y!)), a, b);
  });

  it("of logAddExp are shares, at equal and at infinite operands too", () => {
    const share = Nx.grad((x: Nx.Tensor) => Nx.logAddExp(x, Nx.f32([5, 0, 3e38, -3e38, Infinity, -Infinity])).sum());
    expect(share(Nx.f32([5, 1000, -3e38, 3e38, Infinity, 0])).toList()).toEqual([0.5, 1, 0, 1, 0.5, 1]);
  });

  it("of logAddExp are right at equal operands, however often it is differentiated", () => {
    const once = Nx.grad((x: Nx.Tensor) => Nx.logAddExp(x, Nx.f64([0.5, 0.5, Infinity, -Infinity])).sum());
    const twice = Nx.grad((x: Nx.Tensor) => once(x).sum());
    const thrice = Nx.grad((x: Nx.Tensor) => twice(x).sum());
    const x = Nx.f64([0.5, 1.5, Infinity, -Infinity]);
    const share = 1 / (1 + Math.exp(-1));
    const close = (y: number): unknown => expect.closeTo(y, 12);
    expect(once(x).toList()).toEqual([0.5, share, 0.5, 0.5].map(close));
    expect(twice(x).toList()).toEqual([0.25, share * (1 - share), 0, 0].map(close));
    expect(thrice(x).toList()).toEqual([0, share * (1 - share) * (1 - 2 * share), 0, 0].map(close));
  });

  it("of mod are 1 at multiples, and less the whole quotient", () => {
    expect(Nx.grad((x: Nx.Tensor) => Nx.mod(x, 2).sum())(Nx.f32([4, -4, 5])).toList()).toEqual([1, 1, 1]);
    expect(Nx.grad((y: Nx.Tensor) => Nx.mod(Nx.f32([5, -5, 5]), y).sum())(Nx.f32([2, 2, -2])).toList()).toEqual([
      -2, 3, 3,
    ]);
    // 1 / 0.1 is rounded to 10, yet goes only 9 times
    expect(Nx.grad((y: Nx.Tensor) => Nx.mod(Nx.f64([1]), y).sum())(Nx.f64([0.1])).toList()).toEqual([-9]);
  });

  it("of softmax are finite where exponentials are 0", () => {
    const fn = (x: Nx.Tensor): Nx.Tensor => Nx.logSoftmax(x).at(1);
    expect(Nx.grad(fn)(Nx.f32([1e30, 0, -1e30])).toList()).toEqual([-1, 1, 0]);
    expect(Nx.grad((x: Nx.Tensor) => Nx.softmax(x).at(0))(Nx.f32([3, 3])).toList()).toEqual([0.25, -0.25]);
  });
});
