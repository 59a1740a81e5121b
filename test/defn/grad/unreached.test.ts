/**
 * States that no result depends on: their cotangents are none rather than zeros, which times an infinity would be NaN.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const { cond, grad, jvp, scan, vmap, whileLoop } = Nx.Defn;

type State = readonly Nx.Tensor[];
type Step = (state: State) => State;

/** A body over `[a, b, c]`, of which the last one is the result; the first overflows to infinity within 40 steps. */
const BODIES: Readonly<Record<string, { readonly step: Step; readonly reaches: (state: State, steps: number) => number }>> = {
  "one that feeds nothing": { step: ([a, b, c]) => [a!.multiply(a!), b!, c!], reaches: () => 0 },
  "one that feeds another that feeds nothing": {
    step: ([a, b, c]) => [a!.multiply(a!), b!.add(a!.exp()), c!.multiply(0.5)],
    reaches: () => 0,
  },
  "two that feed each other": {
    step: ([a, b, c]) => [a!.multiply(b!).exp(), b!.multiply(a!).exp(), c!.add(1)],
    reaches: () => 0,
  },
  "one that is compared with": {
    step: ([a, b, c]) => [a!.multiply(a!), b!, Nx.select(a!.greater(3), c!.multiply(2), c!)],
    reaches: () => 0,
  },
  "one that a branch compares with": {
    step: ([a, b, c]) => [
      a!.multiply(a!),
      b!,
      cond([[a!.greater(2), () => Nx.select(a!.less(9), c!.multiply(3), c!)]], () => c!.add(a!.floor())),
    ],
    reaches: () => 0,
  },
  "one that an inner loop passes on": {
    step: ([a, b, c]) => {
      const [, x, y] = whileLoop(
        [Nx.tensor(0), a!, c!] as State,
        ([i]) => i!.less(2),
        ([i, x, y]) => [i!.add(1), x!.multiply(x!), y!.multiply(0.9)],
      );
      return [x!, b!, y!];
    },
    reaches: () => 0,
  },
  "one held constant": {
    step: ([a, b, c]) => [a!.multiply(a!), b!, c!.add(Nx.Defn.stopGrad(a!).sin().multiply(0))],
    reaches: () => 0,
  },
}; // prettier-ignore

const STEPS = 40;
const start = (x: Nx.Tensor): State => [x, x.multiply(0.5), Nx.f64(2)];

const byWhile = (step: Step) => (x: Nx.Tensor) =>
  whileLoop([Nx.tensor(0), ...start(x)] as State, ([i]) => i!.less(STEPS), ([i, ...state]) => [i!.add(1), ...step(state)])[3]!; // prettier-ignore
const byScan = (step: Step) => (x: Nx.Tensor) =>
  scan((state: State) => [step(state), state[2]!], start(x), Nx.iota([STEPS]))[0][2]!; // prettier-ignore
const results = (step: Step) => (x: Nx.Tensor) =>
  scan((state: State) => [step(state), { kept: state[2]!, lost: state[0]! }], start(x), Nx.iota([STEPS]))[1].kept.sum(); // prettier-ignore

describe.each(Object.entries({ whileLoop: byWhile, "scan, last state": byScan, "scan, results": results }))("%s", (_name, loop) => {
  describe.each(Object.entries(BODIES))("%s", (_body, { step }) => {
    const fn = loop(step);
    const at = Nx.f64(1.3);

    it("has the gradient 0, also the second", () => {
      expect(grad(fn)(at).toNumber()).toBe(0);
      expect(grad(grad(fn))(at).toNumber()).toBe(0);
      expect(grad(fn)(at).toNumber()).toBe(jvp(fn, [at], [Nx.f64(1)])[1].toNumber());
    });
    it("has it for each entry, with either compiler", () => {
      expect(vmap(grad(fn))(Nx.f64([1.3, 2])).toList()).toEqual([0, 0]);
      expect(Nx.defn(grad(fn), { compiler: "evaluator" })(at).toNumber()).toBe(0);
      expect(Nx.defn(grad(fn))(at).toNumber()).toBe(0);
    });
    it("leaves the gradient of what the result does depend on", () => {
      const both = (x: Nx.Tensor, y: Nx.Tensor) => fn(x).multiply(y);
      expect(grad((y: Nx.Tensor) => both(at, y))(Nx.f64(3)).toNumber()).toBe(fn(at).toNumber());
    });
  });
}); // prettier-ignore

describe("states that feed the result in turn", () => {
  /** c gets b, b gets a, a grows by a factor that is read from outside; d overflows. */
  const chain = (x: Nx.Tensor) =>
    whileLoop(
      { i: Nx.tensor(0), a: x, b: x, c: x, d: x },
      ({ i }) => i.less(12),
      ({ i, a, b, c, d }) => ({ i: i.add(1), a: a.multiply(x.sin()), b: b.add(a), c: c.add(b), d: d.exp() }),
    ).c;
  const unrolled = (x: Nx.Tensor) => {
    let [a, b, c] = [x, x, x];
    for (let i = 0; i < 12; i++) [a, b, c] = [a.multiply(x.sin()), b.add(a), c.add(b)];
    return c;
  };
  it.each([1, 2])("have the derivative of order %i of the loop written out", (order) => {
    const derivative = (fn: (x: Nx.Tensor) => Nx.Tensor) => {
      let made: (x: Nx.Tensor) => Nx.Tensor = fn;
      for (let i = 0; i < order; i++) made = grad(made);
      return made(Nx.f64(0.8)).toNumber() as number;
    };
    expect(derivative(chain) / derivative(unrolled)).toBeCloseTo(1, 10);
  });
});

describe("what has no gradient with respect to a constant", () => {
  const at = Nx.f64(1.3);
  const tangent = (fn: (x: Nx.Tensor) => Nx.Tensor) => jvp(fn, [at], [Nx.f64(1)])[1].toNumber();
  const loops: Readonly<Record<string, (x: Nx.Tensor) => Nx.Tensor>> = {
    foriLoop: (x) => Nx.Defn.foriLoop(0, 1, (_i, y) => Nx.gammaincc(0.5, y), x),
    scan: (x) => scan((y: Nx.Tensor) => [Nx.gammaincc(0.5, y), y], x, Nx.iota([1]))[0],
  };
  it.each(Object.keys(loops))("has none asked for by the derivative of a derivative in a loop: %s", (name) => {
    expect(tangent(loops[name]!)).toBe(grad((x: Nx.Tensor) => Nx.gammaincc(0.5, x))(at).toNumber());
  });
  it("has none asked for where the constant is a state", () => {
    const fn = (x: Nx.Tensor) =>
      Nx.Defn.foriLoop(0, 1, (_i, [a, y]) => [a!, Nx.gammaincc(a!, y!)] as const, [Nx.f64(0.5), x] as const)[1];
    expect(grad(fn)(at).toNumber()).toBe(grad((x: Nx.Tensor) => Nx.gammaincc(0.5, x))(at).toNumber());
  });
  it("is an error where the state comes to depend on a variable", () => {
    const fn = (x: Nx.Tensor) =>
      Nx.Defn.foriLoop(0, 2, (_i, [a, y]) => [a!.multiply(y!), Nx.gammaincc(a!, y!)] as const, [Nx.f64(0.5), x] as const)[1];
    expect(() => grad(fn)(at)).toThrow("Nx.gammaincc has no gradient with respect to a");
  });
}); // prettier-ignore
