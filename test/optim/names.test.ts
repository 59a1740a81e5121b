import * as Nx from "nx-numerics";
import * as Optim from "nx-numerics/optim";
import { describe, expect, expectTypeOf, it } from "vitest";

const logits = Nx.f64([[1, 2, 3], [3, 2, 1]], { names: ["batch", "class"] }); // prettier-ignore
const half = logits.rename(["batch", null]);
const labels = Nx.softmax(logits);
const untracked: Nx.Tensor = labels;

describe("names of losses", () => {
  it("are merged where elements have losses", () => {
    type Same = Nx.Tensor<readonly ["batch", "class"]>;
    expectTypeOf(Optim.squaredError(logits, 1)).toEqualTypeOf<Same>();
    expectTypeOf(Optim.huber(half, labels, { delta: 2 })).toEqualTypeOf<Same>();
    expectTypeOf(Optim.hinge(logits, labels)).toEqualTypeOf<Same>();
    expectTypeOf(Optim.sigmoidBinaryCrossEntropy(half, labels)).toEqualTypeOf<Same>();
    expectTypeOf(Optim.squaredError(logits, untracked)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Optim.squaredError(untracked, labels)).toEqualTypeOf<Nx.Tensor>();
  });

  it("are without the axis of the classes", () => {
    type Batch = Nx.Tensor<readonly ["batch"]>;
    type Class = Nx.Tensor<readonly ["class"]>;
    expectTypeOf(Optim.softmaxCrossEntropy(logits, untracked)).toEqualTypeOf<Batch>();
    expectTypeOf(Optim.softmaxCrossEntropy(logits, labels, { axis: "batch" })).toEqualTypeOf<Class>();
    expectTypeOf(Optim.softmaxCrossEntropy(half, labels, { axis: 0 })).toEqualTypeOf<Class>();
    expectTypeOf(Optim.softmaxCrossEntropyWithIntegerLabels(logits, Nx.tensor([0, 1]))).toEqualTypeOf<Batch>();
    expectTypeOf(Optim.softmaxCrossEntropyWithIntegerLabels(half, Nx.tensor([0, 1]))).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Optim.cosineDistance(logits, labels, { eps: 1e-3 })).toEqualTypeOf<Batch>();
    expectTypeOf(Optim.klDivergence(logits, labels, { axis: -2 })).toEqualTypeOf<Class>();
    // @ts-expect-error there is no such axis
    expect(() => Optim.klDivergence(logits, labels, { axis: "classes" })).toThrow();
  });

  it("are followed by functions that are generic in them", () => {
    const loss = <B extends string, C extends string>(t: Nx.Tensor<readonly [B, C]>, u: typeof t) =>
      [Optim.squaredError(t, u), Optim.softmaxCrossEntropy(t, u)] as const;
    expectTypeOf(loss(logits, labels)[0]).toEqualTypeOf<typeof logits>();
    expectTypeOf(loss(logits, labels)[1]).toEqualTypeOf<Nx.Tensor<readonly ["batch"]>>();
  });
});

describe("names of minima", () => {
  it("are those of the parameters; the rest are scalars", () => {
    const found = Optim.minimize((p: typeof logits) => p.square().sum(), logits);
    expectTypeOf(found.params).toEqualTypeOf<typeof logits>();
    expectTypeOf(found.value).toEqualTypeOf<Nx.Tensor<readonly []>>();
    expectTypeOf(found.isConverged).toEqualTypeOf<Nx.Tensor<readonly []>>();
  });
});
