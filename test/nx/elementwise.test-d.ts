/** What the compiler knows of axis names in element-wise functions. */

import * as Nx from "nx-numerics";
import { describe, expectTypeOf, it } from "vitest";

type T<N extends Nx.Names> = Nx.Tensor<N>;

declare const batchXY: T<readonly ["batch", "x", "y"]>;
declare const xy: T<readonly ["x", "y"]>;
declare const y: T<readonly ["y"]>;
declare const x: T<readonly ["x"]>;
declare const anyThenY: T<readonly [null, "y"]>;
declare const some: T<readonly ["x" | "y"]>;
declare const others: T<readonly ["y" | "z"]>;
declare const text: T<readonly [string]>;
declare const named: T<readonly [Nx.Name]>;
declare const scalar: T<readonly []>;
declare const untracked: Nx.Tensor;
declare const operand: Nx.Operand;
const i = new Nx.Complex(0, 1);

describe("unary functions", () => {
  it("keep the names", () => {
    expectTypeOf(Nx.exp(xy)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.phase(Nx.tensor([1], { names: ["x"] }))).toEqualTypeOf<T<readonly ["x"]>>();
    expectTypeOf(Nx.logicalNot(scalar)).toEqualTypeOf<T<readonly []>>();
    expectTypeOf(Nx.exp(untracked)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.exp(operand)).toEqualTypeOf<Nx.Tensor>();
  });

  it("take every kind of number, which has no axes", () => {
    expectTypeOf(Nx.exp(1)).toEqualTypeOf<T<readonly []>>();
    expectTypeOf(Nx.exp(1n)).toEqualTypeOf<T<readonly []>>();
    expectTypeOf(Nx.exp(true)).toEqualTypeOf<T<readonly []>>();
    expectTypeOf(Nx.exp(i)).toEqualTypeOf<T<readonly []>>();
  });

  it("refuse what is no tensor", () => {
    // @ts-expect-error a list is no tensor
    Nx.exp([1, 2]);
    // @ts-expect-error nor is text
    Nx.exp("1");
    // @ts-expect-error there are no options
    Nx.exp(x, {});
  });
});

describe("binary functions", () => {
  it("merge names from the right, null yielding", () => {
    expectTypeOf(Nx.add(batchXY, y)).toEqualTypeOf<T<readonly ["batch", "x", "y"]>>();
    expectTypeOf(Nx.add(y, batchXY)).toEqualTypeOf<T<readonly ["batch", "x", "y"]>>();
    expectTypeOf(Nx.less(xy, anyThenY)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.multiply(batchXY, anyThenY)).toEqualTypeOf<T<readonly ["batch", "x", "y"]>>();
    expectTypeOf(Nx.add(scalar, xy)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.add(xy, Nx.tensor([1, 2], { names: ["y"] }))).toEqualTypeOf<T<readonly ["x", "y"]>>();
  });

  it("let names meet that may be one of several, and refuse those that cannot be equal", () => {
    expectTypeOf(Nx.add(some, some)).toEqualTypeOf<T<readonly ["x" | "y"]>>();
    expectTypeOf(Nx.add(some, x)).toEqualTypeOf<T<readonly ["x"]>>();
    expectTypeOf(Nx.add(x, some)).toEqualTypeOf<T<readonly ["x"]>>();
    expectTypeOf(Nx.add(some, others)).toEqualTypeOf<T<readonly ["y"]>>();
    expectTypeOf(Nx.add(text, x)).toEqualTypeOf<T<readonly ["x"]>>();
    expectTypeOf(Nx.add(x, text)).toEqualTypeOf<T<readonly ["x"]>>();
    expectTypeOf(Nx.add(named, y)).toEqualTypeOf<T<readonly ["y"]>>();
    expectTypeOf(Nx.add(y, named)).toEqualTypeOf<T<readonly ["y"]>>();
    expectTypeOf(Nx.add(named, named)).toEqualTypeOf<T<readonly [Nx.Name]>>();
    // @ts-expect-error "x" is neither "y" nor "z"
    Nx.add(x, others);
  });

  it("take the names of the tensor next to a number", () => {
    expectTypeOf(Nx.add(xy, 1)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.add(1, xy)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.add(2.5, xy)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.pow(xy, 2n)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.logicalAnd(true, xy)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.multiply(xy, i)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.add(1, 2)).toEqualTypeOf<T<readonly []>>();
  });

  it("cost untracked names nothing", () => {
    expectTypeOf(Nx.add(untracked, xy)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.add(xy, untracked)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.add(untracked, 1)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.add(operand, operand)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.add(xy, operand)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.add(Nx.tensor([1]), Nx.tensor([[2]]))).toEqualTypeOf<Nx.Tensor>();
  });

  it("refuse names that clash", () => {
    // @ts-expect-error "y" meets "x"
    Nx.add(xy, x);
    // @ts-expect-error "x" meets "y"
    Nx.less(x, y);
    // @ts-expect-error also where the names are literals of the call
    Nx.add(Nx.tensor([1], { names: ["a"] }), Nx.tensor([1], { names: ["b"] }));
  });

  it("refuse what is no tensor", () => {
    // @ts-expect-error a list is no tensor
    Nx.add(xy, [1, 2]);
    // @ts-expect-error there are two operands
    Nx.add(xy);
    // @ts-expect-error there are no options
    Nx.add(xy, 1, {});
  });

  it("can be used where the names are a parameter", () => {
    const scaled = <N extends Nx.Names>(t: Nx.Tensor<N>): Nx.Tensor => Nx.multiply(Nx.exp(t), 2);
    expectTypeOf(scaled(xy)).toEqualTypeOf<Nx.Tensor>();
    const shifted = <N extends Nx.Names>(t: Nx.Tensor<N>, by: number | boolean): Nx.Tensor => Nx.add(by, t);
    expectTypeOf(shifted(xy, 1)).toEqualTypeOf<Nx.Tensor>();
  });

  it("pass as functions of two tensors", () => {
    const sum = [untracked, untracked].reduce((a, b) => Nx.add(a, b));
    expectTypeOf(sum).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf([untracked].map((t) => Nx.exp(t))).toEqualTypeOf<Nx.Tensor[]>();
    const table: Record<string, (a: Nx.Tensor, b: Nx.Tensor) => Nx.Tensor> = { add: Nx.add, max: Nx.max };
    expectTypeOf(table["add"]!(x, y)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf([untracked, untracked].reduce(Nx.divide)).toEqualTypeOf<Nx.Tensor>();
  });
});

describe("functions that are generic in the names", () => {
  it("keep them when numbers are on the right", () => {
    const affine = <N extends Nx.Names>(t: T<N>): T<N> => Nx.multiply(Nx.subtract(Nx.add(t, 1), 0.5), 2);
    const methods = <N extends Nx.Names>(t: T<N>): T<N> => t.add(1).exp().multiply(2);
    expectTypeOf(affine(xy)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(methods(untracked)).toEqualTypeOf<Nx.Tensor>();
  });

  it("keep them when they meet themselves and reductions of theirs", () => {
    const unit = <N extends Nx.Names>(t: T<N>): T<N> => t.divide(t.multiply(t).sum().sqrt());
    const centred = <N extends Nx.Names>(t: T<N>): T<N> => Nx.subtract(t, t.mean({ axis: -1, keepAxis: true }));
    const curve = <N extends Nx.Names>(t: T<N>): T<N> => t.multiply(t.multiply(0.7).tanh().add(1)).multiply(0.5);
    expectTypeOf(unit(xy)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(centred(untracked)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(curve(x)).toEqualTypeOf<T<readonly ["x"]>>();
  });
});

describe("functions that are generic in the name of an axis", () => {
  type One = <A extends string>(t: T<readonly [A]>) => T<readonly [A]>;
  type Two = <A extends string, B extends string>(t: T<readonly [A, B]>) => T<readonly [A, B]>;

  it("keep it when it meets itself", () => {
    const square: One = (t) => Nx.multiply(t, t);
    const centred: One = (t) => t.subtract(t.mean());
    const kept: One = (t) => t.subtract(t.mean({ axis: 0, keepAxis: true }));
    const lower: One = (t) => Nx.where(Nx.less(t, 0), Nx.max(t, t), Nx.lerp(t, t, 0.5));
    const standard: Two = (t) => t.subtract(t.mean(0)).divide(t.standardDeviation({ axes: [0], keepAxes: true }));
    const ofRows = <A extends string>(t: T<readonly ["x", A]>, u: T<readonly [A]>): T<readonly ["x", A]> => t.add(u);
    for (const f of [square, centred, kept, lower]) expectTypeOf(f(x)).toEqualTypeOf<T<readonly ["x"]>>();
    expectTypeOf(standard(xy)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(ofRows(xy, y)).toEqualTypeOf<T<readonly ["x", "y"]>>();
  });

  it("keep it beside an axis without a name", () => {
    const distances = <A extends string, B extends string>(
      a: T<readonly [A]>,
      b: T<readonly [B]>,
    ): T<readonly [A, B]> => a.newAxis(1).subtract(b.newAxis(0)).square().multiply(2);
    const scaled = <A extends string, B extends string>(
      t: T<readonly [A, B]>,
      by: T<readonly [A]>,
    ): T<readonly [A, B]> => by.newAxis(1).multiply(t);
    expectTypeOf(distances(x, y)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(scaled(xy, x)).toEqualTypeOf<T<readonly ["x", "y"]>>();
  });

  it("stack, transpose and multiply matrices", () => {
    const twice = <A extends string>(t: T<readonly [A]>): T<readonly ["k", A]> => Nx.stack([t, t], { name: "k" });
    const turned = <A extends string, B extends string>(t: T<readonly [A, B]>): T<readonly [B, A]> => t.transpose();
    const sums = <A extends string, B extends string>(t: T<readonly [A, B]>): T<readonly [A]> => Nx.sum(t, 1);
    const product = <A extends string, B extends string>(t: T<readonly [A, B]>, u: T<readonly [B]>): T<readonly [A]> =>
      Nx.dot(t, u);
    expectTypeOf(twice(x)).toEqualTypeOf<T<readonly ["k", "x"]>>();
    expectTypeOf(turned(xy)).toEqualTypeOf<T<readonly ["y", "x"]>>();
    expectTypeOf(sums(xy)).toEqualTypeOf<T<readonly ["x"]>>();
    expectTypeOf(product(xy, y)).toEqualTypeOf<T<readonly ["x"]>>();
  });

  it("may not let it meet another one", () => {
    const wrong = <A extends string, B extends string>(t: T<readonly [A, B]>, u: T<readonly [A]>) =>
      // @ts-expect-error A meets B
      Nx.add(t, u);
    // @ts-expect-error A meets "x"
    const alsoWrong = <A extends string>(t: T<readonly [A]>) => Nx.add(t, x);
    expectTypeOf(wrong).toBeFunction();
    expectTypeOf(alsoWrong).toBeFunction();
  });
});

describe("methods", () => {
  it("follow the functions", () => {
    expectTypeOf(xy.add(y)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(xy.add(1)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(xy.exp()).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(xy.clip(0, 1)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    // @ts-expect-error "y" meets "x"
    xy.add(x);
  });
});

describe("functions of three tensors", () => {
  it("clip keeps the names", () => {
    expectTypeOf(Nx.clip(xy, 0, scalar)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.clip(1, 0, 2)).toEqualTypeOf<T<readonly []>>();
  });

  it("select merges all three", () => {
    expectTypeOf(Nx.select(xy, 1, 0)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.select(true, y, batchXY)).toEqualTypeOf<T<readonly ["batch", "x", "y"]>>();
    expectTypeOf(Nx.select(anyThenY, xy, 0)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.select(untracked, x, y)).toEqualTypeOf<Nx.Tensor>();
    // @ts-expect-error "y" meets "x"
    Nx.select(xy, x, 0);
    // @ts-expect-error "y" meets "x"
    Nx.select(xy, y, x);
  });

  it("map keeps the names or takes others", () => {
    expectTypeOf(Nx.map(xy, (e) => Nx.add(e, 1))).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.map(xy, () => 1, { type: "f32" })).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.map(xy, (e) => e, { names: ["a", "b"] })).toEqualTypeOf<T<readonly ["a", "b"]>>();
    expectTypeOf(Nx.map(untracked, (e) => e)).toEqualTypeOf<Nx.Tensor>();
    Nx.map(xy, (e) => {
      expectTypeOf(e).toEqualTypeOf<T<readonly []>>();
      return e;
    });
    // @ts-expect-error the function gives no scalar
    Nx.map(xy, () => "1");
  });
});

describe("composites", () => {
  it("of one tensor keep the names", () => {
    expectTypeOf(Nx.relu(xy)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.gelu(xy, { approximate: "tanh" })).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.isInfinity(xy, { detectNegative: false })).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.leakyRelu(untracked)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.elu(1)).toEqualTypeOf<T<readonly []>>();
    expectTypeOf(xy.softplus({ beta: 2 }).f16().square()).toEqualTypeOf<T<readonly ["x", "y"]>>();
    // @ts-expect-error the option is called negSlope
    Nx.leakyRelu(xy, { slope: 0.1 });
    // @ts-expect-error there is no such form
    xy.gelu({ approximate: "erf" });
  });

  it("of several merge them", () => {
    expectTypeOf(Nx.mod(batchXY, y)).toEqualTypeOf<T<readonly ["batch", "x", "y"]>>();
    expectTypeOf(Nx.divide(y, xy, { roundingMode: "floor" })).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.where(y, batchXY, 0)).toEqualTypeOf<T<readonly ["batch", "x", "y"]>>();
    expectTypeOf(Nx.lerp(y, 1, xy)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.clamp(xy, { min: 0 })).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.clamp(y, { max: xy })).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.clamp(untracked, { min: 0, max: 1 })).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(xy.where(y, 0)).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(xy.divide(2, { roundingMode: "trunc" })).toEqualTypeOf<T<readonly ["x", "y"]>>();
    // @ts-expect-error "y" meets "x"
    Nx.logAddExp(xy, x);
    // @ts-expect-error "y" meets "x"
    Nx.where(xy, x, 0);
    // @ts-expect-error "y" meets "x"
    Nx.clamp(xy, { min: x });
    // @ts-expect-error there is no such rounding
    Nx.divide(xy, 2, { roundingMode: "up" });
  });

  it("along an axis take it by its name", () => {
    expectTypeOf(Nx.softmax(xy, { axis: "y" })).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(xy.logSoftmax({ axis: 0 })).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.softmax(untracked, { axis: "anything" })).toEqualTypeOf<Nx.Tensor>();
    // @ts-expect-error there is no such axis
    Nx.softmax(xy, { axis: "z" });
    // @ts-expect-error there is no such axis
    xy.softmax({ axis: "z" });
    expectTypeOf(Nx.softmax(xy, ["x", "y"])).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(xy.logSoftmax({ axes: [0, "y"] })).toEqualTypeOf<T<readonly ["x", "y"]>>();
    expectTypeOf(Nx.logSoftmax(untracked, [0])).toEqualTypeOf<Nx.Tensor>();
    // @ts-expect-error there is no such axis
    Nx.softmax(xy, ["x", "z"]);
  });
});
