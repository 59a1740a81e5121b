/** Schedules and losses against NumPy and SciPy; gradients against differences; dropout as a random variable. */
import * as Nx from "nx-numerics";
import * as Optim from "nx-numerics/optim";
import { describe, expect, it } from "vitest";
import { readOracle } from "../oracles/read";

type Matrix = readonly (readonly number[])[];

const oracle = readOracle<{
  readonly schedules: Readonly<Record<string, readonly number[]>>;
  readonly losses: Readonly<Record<string, readonly number[] | Matrix>>;
  readonly classes: readonly number[];
  readonly [operand: string]: unknown;
}>("optim.json");

const names = ["batch", "class"] as const;
const matrix = (name: string): Nx.Tensor => Nx.tensor(oracle[name] as Matrix, { type: "f64", names });
const logits = matrix("logits");
const classes = Nx.tensor(oracle.classes, { names: ["batch"] });

function expectClose(actual: readonly number[], expected: readonly number[], bound = 1e-13): void {
  expect(actual.length).toBe(expected.length);
  actual.forEach((value, i) =>
    expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(bound * Math.max(1, Math.abs(expected[i]!))),
  );
}

describe("schedules", () => {
  const SCHEDULES: Readonly<Record<string, (step: Nx.Operand) => Nx.Tensor>> = {
    exponentialDecay: Optim.exponentialDecay(0.5, { transitionSteps: 4, rate: 0.8, transitionBegin: 3 }),
    staircase: Optim.exponentialDecay(0.5, { transitionSteps: 4, rate: 0.8, transitionBegin: 3, staircase: true }),
    cosineDecay: Optim.cosineDecay(0.5, { decaySteps: 20, alpha: 0.1 }),
    warmupCosineDecay: Optim.warmupCosineDecay(0.2, {
      warmupSteps: 5,
      decaySteps: 15,
      initValue: 0.01,
      endValue: 0.02,
    }),
    piecewiseConstant: Optim.piecewiseConstant(0.5, { 7: 0.1, 15: 3 }),
    polynomialDecay: Optim.polynomialDecay(0.5, { endValue: 0.05, transitionSteps: 12, power: 3, transitionBegin: 2 }),
  };

  it.each(Object.entries(SCHEDULES))(
    "%s is its formula at every step, eagerly, traced and for all steps at once",
    (name, schedule) => {
      const expected = oracle.schedules[name]!;
      const traced = Nx.defn((step: Nx.Tensor) => schedule(step));
      expectClose(expected.map((_, step) => schedule(step).item()), expected, 1e-14); // prettier-ignore
      expectClose(expected.map((_, step) => traced(Nx.tensor(step)).item()), expected, 1e-14); // prettier-ignore
      expectClose(Nx.Defn.vmap(schedule)(Nx.iota([expected.length])).toNumbers(), expected, 1e-14);
    },
  );

  it("change what an optimizer does at each step, and nothing else", () => {
    const optimizer = Optim.sgd(Optim.piecewiseConstant(1, { 1: 0.5 }));
    let state = optimizer.init(Nx.f32(0));
    const seen: number[] = [];
    for (let i = 0; i < 3; i++) {
      const [update, next] = optimizer.update(Nx.f32(2), state);
      seen.push(update.item());
      state = next;
    }
    expect(seen).toEqual([-2, -1, -1]);
  });

  it("refuse what they need and do not get", () => {
    expect(() => Optim.exponentialDecay(1, {} as never)).toThrow(
      "exponentialDecay needs the options transitionSteps and rate",
    );
    expect(() => Optim.cosineDecay(1, { steps: 3 } as never)).toThrow(
      "cosineDecay takes the options decaySteps, alpha, got: steps",
    );
    expect(() => Optim.polynomialDecay("1" as never, { transitionSteps: 1 })).toThrow(
      'polynomialDecay expects the value to be a number, got: "1"',
    );
  });
});

const LOSSES: Readonly<Record<string, (logits: Nx.Tensor) => Nx.Tensor>> = {
  softmaxCrossEntropy: (t) => Optim.softmaxCrossEntropy(t, matrix("labels"), { axis: "class" }),
  softmaxCrossEntropyWithIntegerLabels: (t) => Optim.softmaxCrossEntropyWithIntegerLabels(t, classes),
  sigmoidBinaryCrossEntropy: (t) => Optim.sigmoidBinaryCrossEntropy(t, matrix("binary")),
  squaredError: (t) => Optim.squaredError(t, matrix("targets")),
  huber: (t) => Optim.huber(t, matrix("targets"), { delta: 1.5 }),
  hinge: (t) => Optim.hinge(t, matrix("signs")),
  cosineDistance: (t) => Optim.cosineDistance(t, matrix("targets")),
  klDivergence: (t) => Optim.klDivergence(Nx.logSoftmax(t, { axis: "class" }), matrix("labels")),
};

describe("losses", () => {
  it("are all checked", () => {
    expect(Object.keys(LOSSES)).toEqual(Object.keys(oracle.losses));
  });

  it.each(Object.entries(LOSSES))("%s is its formula, with the names of the examples", (name, loss) => {
    const expected = oracle.losses[name]!;
    const isByElement = Array.isArray(expected[0]);
    const found = loss(logits);
    expectClose(found.toNumbers(), (expected as number[][]).flat());
    expect(found.names).toEqual(isByElement ? names : ["batch"]);
    expect(Nx.defn(loss)(logits).equals(found)).toBe(true);
  });

  it.each(Object.entries(LOSSES))("%s has the gradient that differences have", (_, loss) => {
    const gradient = Nx.grad((t: Nx.Tensor) => loss(t).sum())(logits).toNumbers();
    const h = 1e-5;
    gradient.forEach((value, i) => {
      const shift = Nx.iota([20]).equal(i).multiply(Nx.f64(h)).reshape([4, 5]);
      const difference =
        loss(logits.add(shift))
          .sum()
          .subtract(loss(logits.subtract(shift)).sum())
          .item() /
        (2 * h);
      expect(Math.abs(value - difference)).toBeLessThan(1e-7);
    });
  });

  it("go along the axis that is named", () => {
    const t = logits.transpose();
    const across = Optim.softmaxCrossEntropyWithIntegerLabels(t, classes, { axis: "class" });
    expectClose(across.toNumbers(), oracle.losses["softmaxCrossEntropyWithIntegerLabels"] as number[]);
    const labels = matrix("labels").transpose();
    expectClose(
      Optim.softmaxCrossEntropy(t, labels, { axis: 0 }).toNumbers(),
      oracle.losses["softmaxCrossEntropy"] as number[],
    );
    expectClose(
      Optim.cosineDistance(t, matrix("targets").transpose(), { axis: "class" }).toNumbers(),
      oracle.losses["cosineDistance"] as number[],
    );
    expect(() => Optim.softmaxCrossEntropy(t, labels, { axis: "clas" })).toThrow('did you mean "class"?');
  });

  it("stay finite at the ends", () => {
    const ends = Nx.f32([[-1e4, 1e4], [1e4, -1e4]]); // prettier-ignore
    expect(Optim.softmaxCrossEntropyWithIntegerLabels(ends, Nx.tensor([0, 0])).toNumbers()).toEqual([20000, 0]);
    expect(Optim.sigmoidBinaryCrossEntropy(ends, 1).toNumbers()).toEqual([10000, 0, 0, 10000]);
    const masked = Nx.f32([[-Infinity, 0]]);
    expect(Optim.softmaxCrossEntropyWithIntegerLabels(masked, Nx.tensor([1])).toNumbers()).toEqual([0]);
    expect(
      Nx.grad((t: Nx.Tensor) => Optim.cosineDistance(t, Nx.f32([1, 2])))(Nx.f32([0, 0]))
        .isNan()
        .any()
        .item(),
    ).toBe(0);
  });
});

describe("dropout", () => {
  const ones = Nx.broadcast(Nx.f32(1), [100, 200], { names: ["batch", "unit"] });

  it("drops the part that it says, keeps the expected value, and depends on the key alone", () => {
    const once = Optim.dropout(Nx.Random.key(3), ones, { rate: 0.2 });
    expect(once.names).toEqual(["batch", "unit"]);
    const dropped = once.equal(0).sum().item() / 20_000;
    expect(Math.abs(dropped - 0.2)).toBeLessThan(0.015); // five standard deviations of a mean of 20,000
    expect(new Set(once.toNumbers())).toEqual(new Set([0, 1.25]));
    expect(Optim.dropout(Nx.Random.key(3), ones, { rate: 0.2 }).equals(once)).toBe(true);
    expect(Optim.dropout(Nx.Random.key(4), ones, { rate: 0.2 }).equals(once)).toBe(false);
    expect(Nx.defn((key: Nx.Tensor) => Optim.dropout(key, ones, { rate: 0.2 }))(Nx.Random.key(3)).equals(once)).toBe(
      true,
    );
    expect(Optim.dropout(Nx.Random.key(3), ones, { rate: 0 }).equals(ones)).toBe(true);
  });

  it("lets gradients through where it lets elements through", () => {
    const key = Nx.Random.key(5);
    const gradient = Nx.grad((t: Nx.Tensor) => Optim.dropout(key, t).sum())(ones);
    expect(gradient.equals(Optim.dropout(key, ones))).toBe(true);
  });

  it("keeps the type", () => {
    for (const type of ["f16", "bf16", "f32", "f64"] as const) {
      expect(Optim.dropout(Nx.Random.key(1), Nx.tensor([1, 2], { type })).type).toBe(type);
    }
  });
});

describe("logits that are infinite", () => {
  const logits = Nx.f64([[1, -Infinity, 2]]);

  it("of classes that never are add nothing to a cross entropy, whose gradients are finite", () => {
    const never = Nx.f64([[1, 0, 0]]);
    const by = (t: Nx.Tensor) => Optim.softmaxCrossEntropy(t, never).sum();
    const whole = Optim.softmaxCrossEntropyWithIntegerLabels(logits, Nx.tensor([0]));
    expect(Optim.softmaxCrossEntropy(logits, never).toList()).toEqual(whole.toList());
    const rest = Optim.softmaxCrossEntropy(Nx.f64([[1, 2]]), Nx.f64([[1, 0]])).toList();
    expect(whole.toList()).toEqual(rest);
    const gradient = Nx.grad(by)(logits).toFlatList() as number[];
    expect([gradient[1], gradient.every(Number.isFinite)]).toEqual([0, true]);
    expect(Optim.softmaxCrossEntropy(logits, Nx.f64([[0.5, 0.5, 0]])).toList()).toEqual([Infinity]);
  });

  it("are certain answers of a binary cross entropy", () => {
    const sure = Nx.f64([Infinity, -Infinity, Infinity, -Infinity]);
    const labels = Nx.tensor([1, 0, 0, 1]);
    expect(Optim.sigmoidBinaryCrossEntropy(sure, labels).toList()).toEqual([0, 0, Infinity, Infinity]);
    const right = Nx.grad((t: Nx.Tensor) => Optim.sigmoidBinaryCrossEntropy(t, Nx.tensor([1, 0])).sum())(Nx.f64([Infinity, -Infinity])); // prettier-ignore
    expect(right.abs().toList()).toEqual([0, 0]);
  });
});

describe("names of losses", () => {
  const half = Nx.f64([[1, 2, 3], [3, 2, 1]], { names: ["batch", null] }); // prettier-ignore
  const targets = Nx.softmax(half).rename(["batch", "class"]);

  it("are those of the elements, or of the examples, as types say", () => {
    expect(Optim.squaredError(half, 1).names).toEqual(["batch", null]);
    for (const loss of [Optim.squaredError, Optim.huber, Optim.hinge, Optim.sigmoidBinaryCrossEntropy]) {
      expect(loss(half, targets).names).toEqual(["batch", "class"]);
    }
    for (const loss of [Optim.softmaxCrossEntropy, Optim.klDivergence, Optim.cosineDistance]) {
      expect(loss(half, targets).names).toEqual(["batch"]);
      expect(loss(half, targets, { axis: 0 }).names).toEqual(["class"]);
    }
    const labels = Nx.tensor([0, 1], { names: ["example"] });
    expect(Optim.softmaxCrossEntropyWithIntegerLabels(half.rename([null, "class"]), labels).names).toEqual(["example"]);
  });
});

describe("losses of what does not fit", () => {
  const t = Nx.f32([[1, 2, 3]], { names }); // prettier-ignore
  const LOSSES = {
    cosineDistance: Optim.cosineDistance,
    hinge: Optim.hinge,
    huber: Optim.huber,
    klDivergence: Optim.klDivergence,
    sigmoidBinaryCrossEntropy: Optim.sigmoidBinaryCrossEntropy,
    softmaxCrossEntropy: Optim.softmaxCrossEntropy,
    softmaxCrossEntropyWithIntegerLabels: Optim.softmaxCrossEntropyWithIntegerLabels,
    squaredError: Optim.squaredError,
  } as Readonly<Record<string, (predictions: unknown, targets: unknown) => unknown>>;

  it.each(Object.entries(LOSSES))("are errors that name %s", (name, loss) => {
    for (const wrong of [undefined, null, 1, "1", [1, 2], {}]) {
      expect(() => loss(wrong, t)).toThrow(new RegExp(`^${name} expects its predictions as a tensor, got: `));
    }
    for (const wrong of [undefined, null, "1", [1, 2], Nx.f32([[1, 2]])]) {
      expect(() => loss(t, wrong)).toThrow(Nx.ArgumentError);
      expect(() => loss(t, wrong)).toThrow(new RegExp(`^${name}\\b`));
    }
  });
});
