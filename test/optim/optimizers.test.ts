/**
 * Optimizers give, over 20 steps in f64, what implementations of their papers in NumPy give (test/oracles/make_optim.py); the same inside of
 * traces, in every container and for every float type.
 */
import { List, Map as ImmutableMap } from "immutable";
import * as Nx from "nx-numerics";
import * as Optim from "nx-numerics/optim";
import { describe, expect, it } from "vitest";
import { readOracle } from "../oracles/read";

interface Params {
  readonly a: Nx.Tensor;
  readonly b: Nx.Tensor;
}

const oracle = readOracle<{
  readonly optimizers: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly minimum: { readonly params: readonly number[]; readonly value: number };
}>("optim.json");

const C = [0.5, 1, 2];
const T = [[1, -2], [0.25, 3]]; // prettier-ignore
const start = (type: Nx.DType = "f64"): Params => ({
  a: Nx.tensor([1.5, -0.75, 0.5], { type, names: ["unit"] }),
  b: Nx.tensor([[0.5, 0.5], [-1, 2]], { type, names: ["row", "column"] }), // prettier-ignore
});
const loss = ({ a, b }: Params): Nx.Tensor => {
  const quartic = a
    .pow(4)
    .multiply(Nx.tensor(C, { type: a.type }))
    .sum()
    .divide(4);
  const square = b
    .subtract(Nx.tensor(T, { type: b.type }))
    .square()
    .sum()
    .divide(2);
  return quartic.add(square).add(a.sum().multiply(b.sum()).divide(10));
};
const gradient = Nx.defn(Nx.grad(loss));

const schedule = Optim.warmupCosineDecay(0.2, { warmupSteps: 5, decaySteps: 15, initValue: 0.01, endValue: 0.02 });
const heavy = Optim.sgd(0.1, { momentum: 0.9 });

const OPTIMIZERS: Readonly<Record<string, Optim.Optimizer>> = {
  sgd: Optim.sgd(0.05),
  momentum: Optim.sgd(0.05, { momentum: 0.9 }),
  nesterov: Optim.sgd(0.05, { momentum: 0.9, nesterov: true }),
  adam: Optim.adam(0.1),
  adamOptions: Optim.adam(Nx.f64(0.1), { b1: 0.8, b2: 0.95, eps: 1e-4 }),
  adamSchedule: Optim.adam(schedule),
  adamw: Optim.adamw(0.1, { weightDecay: 0.05 }),
  adamwMask: Optim.adamw(0.1, { weightDecay: 0.05, mask: (p) => p.rank > 1 }),
  rmsprop: Optim.rmsprop(0.05),
  rmspropCentered: Optim.rmsprop(0.02, { decay: 0.8, eps: 1e-3, centered: true, momentum: 0.5 }),
  lion: Optim.lion(0.03),
  adagrad: Optim.adagrad(0.3),
  lbfgs: Optim.lbfgs(0.5, { memory: 3 }),
  clipByValue: Optim.chain(Optim.clipByValue(0.5), heavy),
  clipByNorm: Optim.chain(Optim.clipByNorm(0.5), heavy),
  clipByGlobalNorm: Optim.chain(Optim.clipByGlobalNorm(0.5), heavy),
};

const CASES = Object.entries(OPTIMIZERS);
const flat = ({ a, b }: Params): number[] => [...a.toNumbers(), ...b.toNumbers()];

/** Digits are lost where differences of nearly equal gradients are divided by each other, as L-BFGS does; nowhere else. */
const tolerance = (name: string): number => (name === "lbfgs" ? 1e-9 : 1e-12);

function expectClose(actual: readonly number[], expected: readonly number[], bound: number): void {
  expect(actual.length).toBe(expected.length);
  actual.forEach((value, i) => {
    expect(Math.abs(value - expected[i]!), `${value} and ${expected[i]}`).toBeLessThan(
      bound * Math.max(1, Math.abs(expected[i]!)),
    );
  });
}

/** The parameters and the state after a step. */
function step<P>(
  optimizer: Optim.Optimizer,
  params: P,
  state: Optim.OptimizerState,
  grad: P,
): [P, Optim.OptimizerState] {
  const [updates, next] = optimizer.update(grad, state, params);
  return [Optim.applyUpdates(params, updates), next];
}

describe("optimizers", () => {
  it("are all checked", () => {
    expect(Object.keys(oracle.optimizers)).toEqual(Object.keys(OPTIMIZERS));
  });

  it.each(CASES)("%s gives what its paper says, over 20 steps", (name, optimizer) => {
    let params = start();
    let state = optimizer.init(params);
    for (const expected of oracle.optimizers[name]!) {
      [params, state] = step(optimizer, params, state, gradient(params));
      expectClose(flat(params), expected, tolerance(name));
    }
    expect([params.a.names, params.b.names]).toEqual([["unit"], ["row", "column"]]);
  });

  it.each(CASES)("%s goes into scan and whileLoop", (name, optimizer) => {
    const last = oracle.optimizers[name]!.at(-1)!;
    const scanned = Nx.defn(() => {
      const params = start();
      const [end] = Nx.Defn.scan(
        ({ params, state }: { params: Params; state: Optim.OptimizerState }, entry: Nx.Tensor) => {
          const [next, after] = step(optimizer, params, state, Nx.grad(loss)(params));
          return [{ params: next, state: after }, entry];
        },
        { params, state: optimizer.init(params) },
        Nx.iota([20]),
      );
      return end.params;
    });
    expectClose(flat(scanned()), last, tolerance(name));
    const params = start();
    const looped = Nx.Defn.whileLoop(
      { params, state: optimizer.init(params), i: Nx.tensor(0) },
      ({ i }) => i.less(20),
      ({ params, state, i }) => {
        const [next, after] = step(optimizer, params as Params, state, Nx.grad(loss)(params as Params));
        return { params: next, state: after, i: i.add(1) };
      },
    );
    expectClose(flat(looped.params), last, tolerance(name));
  });

  it.each(CASES)("%s keeps every float type, in parameters and state", (_, optimizer) => {
    for (const type of ["f16", "bf16", "f32", "f64"] as const) {
      let params = start(type);
      let state = optimizer.init(params);
      const typesOf = (value: unknown): string[] => Nx.Defn.Composite.leaves(value).map((t) => t.type);
      const before = typesOf(state);
      for (let i = 0; i < 3; i++) [params, state] = step(optimizer, params, state, gradient(params));
      expect(typesOf(params)).toEqual([type, type]);
      expect(typesOf(state)).toEqual(before);
      for (const value of flat(params)) expect(Number.isFinite(value)).toBe(true);
    }
  });

  it.each(CASES)("%s works on any container alike", (_, optimizer) => {
    const { a, b } = start();
    const grads = gradient({ a, b });
    const one = step(optimizer, { a, b }, optimizer.init({ a, b }), grads)[0];
    const [list] = step(optimizer, [a, [b]] as const, optimizer.init([a, [b]]), [grads.a, [grads.b]] as const);
    expect([list[0].equals(one.a), list[1][0].equals(one.b)]).toEqual([true, true]);
    const immutable = ImmutableMap({ x: List([a, b]) });
    const [map] = step(optimizer, immutable, optimizer.init(immutable), ImmutableMap({ x: List([grads.a, grads.b]) }));
    expect(
      [map.getIn(["x", 0]), map.getIn(["x", 1])].map((t, i) => (t as Nx.Tensor).equals([one.a, one.b][i])),
    ).toEqual([true, true]);
  });

  it("shorten gradients of half floats, whose squares f16 does not hold", () => {
    for (const clip of [Optim.clipByNorm(1), Optim.clipByGlobalNorm(1)]) {
      for (const type of ["f16", "bf16"] as const) {
        const long = Nx.tensor([30000, 40000], { type });
        const [short] = clip.update(long, clip.init(long));
        expect(short.equals(Nx.tensor([0.6, 0.8], { type })), String(short)).toBe(true);
      }
    }
  });

  it("have steps of half floats as of f32 where squares of gradients would vanish", () => {
    for (const make of [Optim.adam, Optim.adamw, Optim.rmsprop, Optim.adagrad] as ((
      rate: number,
    ) => Optim.Optimizer)[]) {
      const optimizer = make(0.5);
      const stepOf = (type: Nx.DType): number => {
        const w = Nx.tensor([1], { type });
        return optimizer
          .update(Nx.tensor([2 ** -12], { type }), optimizer.init(w), w)[0]
          .at(0)
          .item();
      };
      expect(Math.abs(stepOf("f16") / stepOf("f32") - 1)).toBeLessThan(0.002);
    }
  });

  it("change nothing that they are given", () => {
    for (const [, optimizer] of CASES) {
      const params = start();
      const state = optimizer.init(params);
      const copy = JSON.stringify(state);
      optimizer.update(gradient(params), state, params);
      expect(JSON.stringify(state)).toBe(copy);
      expect(flat(params)).toEqual(flat(start()));
    }
  });
});

describe("minimize", () => {
  it("finds the minimum that SciPy finds, in containers, alone and inside of defn", () => {
    for (const found of [Optim.minimize(loss, start()), Nx.defn((p: Params) => Optim.minimize(loss, p))(start())]) {
      expectClose(flat(found.params), oracle.minimum.params, 1e-7);
      expectClose([found.value.item()], [oracle.minimum.value], 1e-12);
      expect(found.isConverged.item()).toBe(1);
      expect(found.steps.item()).toBeLessThan(40);
      expect(found.params.a.names).toEqual(["unit"]);
    }
  });

  it("finds the end of Rosenbrock's valley in 30 dimensions", () => {
    const rosenbrock = (x: Nx.Tensor): Nx.Tensor => {
      const [head, tail] = [x.at(Nx.range(0, -1)), x.at(Nx.range(1))];
      return tail.subtract(head.square()).square().multiply(100).add(Nx.subtract(1, head).square()).sum();
    };
    const { params, isConverged, gradientNorm } = Optim.minimize(rosenbrock, Nx.broadcast(Nx.f64(-1), [30]), {
      tolerance: 1e-9,
    });
    expect(isConverged.item()).toBe(1);
    expect(gradientNorm.item()).toBeLessThan(1e-9);
    expectClose(params.toNumbers(), new Array<number>(30).fill(1), 1e-8);
  });

  it("goes by slopes where values differ by their rounding alone, as those of likelihoods", () => {
    const n = 60;
    const x = Nx.linspace(0, 6, { n, type: "f64" });
    const y = x.sin().add(Nx.arange(n, { type: "f64" }).square().cos().multiply(0.3));
    const apart = x.newAxis(1).subtract(x).square();
    const surprise = (p: Nx.Tensor): Nx.Tensor => {
      const [scale, width, noise] = [0, 1, 2].map((i) => p.at(i).multiply(2).exp());
      const spread = apart.divide(width!).multiply(-0.5).exp().multiply(scale!).add(Nx.eye(n).multiply(noise!));
      const l = Nx.LinAlg.cholesky(spread);
      return y.dot(Nx.LinAlg.choleskySolve(l, y)).divide(2).add(Nx.takeDiagonal(l).log().sum());
    };
    const found = Optim.minimize(surprise, Nx.f64([0, 0, -1]), { tolerance: 1e-9 });
    expect([found.isConverged.item(), found.steps.item() < 20]).toEqual([1, true]);
    // of SciPy's Nelder-Mead with xatol 1e-10
    expectClose(found.params.toNumbers(), [-0.44822734, 0.03558295, -1.57926717], 1e-7);
  });

  it("says so where it does not get there", () => {
    const { isConverged, steps } = Optim.minimize((x: Nx.Tensor) => x.sum(), Nx.f64([1]), { maxSteps: 7 });
    expect(isConverged.item()).toBe(0);
    expect(steps.item()).toBeLessThanOrEqual(7);
    const walled = Optim.minimize((x: Nx.Tensor) => x.log().negate().add(x).sum(), Nx.f64([30])); // not a number below 0
    expectClose(walled.params.toNumbers(), [1], 1e-7);
    const flat = Optim.minimize((x: Nx.Tensor) => x.multiply(0).add(3), Nx.f64(1));
    expect([flat.isConverged.item(), flat.steps.item(), flat.value.item()]).toEqual([1, 0, 3]);
    const cubic = Optim.minimize((x: Nx.Tensor) => x.pow(3), Nx.f64(-1), { maxSteps: 9 });
    expect([cubic.isConverged.item(), cubic.steps.item()]).toEqual([0, 9]);
    // the gradient is 0 where the value is minus infinity
    const bottomless = (x: Nx.Tensor) => Nx.where(x.greater(2), -Infinity, x.negate());
    const { value, isConverged: isBottom } = Optim.minimize(bottomless, Nx.f64(0));
    expect([value.item(), isBottom.item()]).toEqual([-Infinity, 0]);
  });

  it("takes a shorter step where the function raises an error or is not a number", () => {
    // the minimum of -log(1 - p²) - 3p, where 3p² + 2p = 3; beyond 1 the matrix is not positive definite
    const swapped = Nx.f64([[0, 1], [1, 0]]); // prettier-ignore
    const ofMatrix = (p: Nx.Tensor): Nx.Tensor => {
      const l = Nx.LinAlg.cholesky(swapped.multiply(p).add(Nx.eye(2)));
      return Nx.takeDiagonal(l).log().sum().multiply(-2).subtract(p.multiply(3));
    };
    const found = Optim.minimize(ofMatrix, Nx.f64(0.1));
    expectClose([found.params.item()], [(Math.sqrt(10) - 1) / 3], 1e-9);
    expect(found.isConverged.item()).toBe(1);
    expect(() => Nx.defn((p: Nx.Tensor) => Optim.minimize(ofMatrix, p).params)(Nx.f64(0.1))).toThrow(
      "positive definite",
    );
    // the farthest point before a wall
    const walled = (x: Nx.Tensor) => Nx.where(x.greater(2), NaN, x.negate());
    const { params, value, isConverged } = Optim.minimize(walled, Nx.f64(0.3));
    expectClose([params.item(), value.item()], [2, -2], 1e-12);
    expect(isConverged.item()).toBe(0);
    // what is not the library's is the caller's
    let calls = 0;
    const broken = (x: Nx.Tensor): Nx.Tensor => {
      if (++calls > 1) throw new RangeError("mine");
      return x.square();
    };
    expect(() => Optim.minimize(broken, Nx.f64(2))).toThrow(RangeError);
  });

  it("refuses to begin where nothing is finite, which compiled functions see in the result", () => {
    const expected =
      "minimize expects parameters to begin with at which the function and its gradient are finite, got the value ";
    expect(() => Optim.minimize((x: Nx.Tensor) => x.log(), Nx.f64(-1))).toThrow(`${expected}NaN with`);
    expect(() => Optim.minimize((x: Nx.Tensor) => Nx.divide(1, x), Nx.f64(0))).toThrow(`${expected}Infinity with`);
    const edge = (x: Nx.Tensor) => x.abs().sqrt().multiply(x.abs());
    expect(() => Optim.minimize(edge, Nx.f64(0))).toThrow(
      `${expected}0 with a largest component of the gradient of NaN`,
    );
    const { isConverged } = Nx.defn((x: Nx.Tensor) => Optim.minimize((p: Nx.Tensor) => p.log(), x))(Nx.f64(-1));
    expect(isConverged.item()).toBe(0);
  });
});

describe("what optimizers refuse", () => {
  const params = start();
  it.each([
    ["integers", () => Optim.adam(0.1).init(Nx.tensor([1, 2])), "adam expects parameters of floats, got one of type s64 and shape [2]"],
    ["nothing", () => Optim.sgd(0.1).init([]), "sgd expects parameters, got a container without tensors"],
    ["other containers", () => Optim.adam(0.1).update({ a: params.a }, Optim.adam(0.1).init(params)), "adam expects gradients in the container that init was given"],
    ["gradients in place of a state", () => Optim.adam(0.1).update(params, { ...params }), "adam expects the state as the second argument of update, what init or the step before gave, got: { a, b"],
    ["gradients in place of a state that is empty", () => Optim.sgd(0.1).update(params, { ...params }), "sgd expects the state as the second argument of update"],
    ["tensors in place of a state", () => Optim.sgd(Optim.constantSchedule(1)).update(Nx.f32([1]), Nx.f32([1]) as never), "got: a tensor of type f32 and shape [1]; call update(gradients, state, params)"],
    ["no state", () => Optim.adam(0.1).update(params, undefined as never), "got: undefined; call update(gradients, state, params)"],
    ["no parameters", () => Optim.adamw(0.1).update(params, Optim.adamw(0.1).init(params)), "adamw looks at the parameters"],
    ["unknown options", () => Optim.adam(0.1, { beta1: 0.9 } as never), "adam takes the options b1, b2, eps, got: beta1"],
    ["rates", () => Optim.adam("0.1" as never), 'adam expects a learning rate: a number, a scalar tensor or a schedule, got: "0.1"'],
    ["rates in options", () => Optim.adam({ learningRate: 0.1 } as never), "the rate is the first argument: adam(0.001)"],
    ["rates with axes", () => Optim.sgd(Nx.f32([1, 2])), "got: a tensor of type f32 and shape [2]"],
    ["masks", () => Optim.adamw(0.1, { mask: true } as never), "option mask of adamw must be a function of a parameter"],
    ["chains", () => Optim.chain({} as never), "chain expects optimizers such as adam(0.001)"],
    ["functions", () => Optim.minimize(1 as never, Nx.f64(1)), "minimize expects a function of the parameters, got: 1"],
    ["integers", () => Optim.minimize((x: Nx.Tensor) => x.square().sum(), Nx.tensor([1, 2])), "minimize expects parameters of floats, got one of type s64 and shape [2]"],
    ["complex numbers", () => Optim.minimize((x: Nx.Tensor) => x.multiply(new Nx.Complex(0, 1)), Nx.f64(1)), "minimize expects a function that gives a real number, got the type c128; take Nx.abs or Nx.real of it"],
    ["updates of another shape", () => Optim.applyUpdates(Nx.f32(1), Nx.f32([1, 2])), "applyUpdates expects an update for a tensor of type f32 and shape [], got a tensor of type f32 and shape [2]"],
    ["no parameters to update", () => Optim.applyUpdates(undefined, undefined), "applyUpdates expects parameters, got a container without tensors"],
    ["no factors", () => Optim.piecewiseConstant(1, null as never), "piecewiseConstant expects factors by their steps, such as { 100: 0.1 }, got: null"],
    ["flags", () => Optim.sgd(0.1, { nesterov: 1, momentum: 0.5 } as never), "option nesterov of sgd must be true or false, got: 1"],
  ])("is %s", (_, fn, message) => {
    expect(fn).toThrow(Nx.ArgumentError);
    expect(fn).toThrow(message);
  }); // prettier-ignore
});
