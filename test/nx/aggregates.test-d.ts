import * as Nx from "nx-numerics";
import { describe, expectTypeOf, it } from "vitest";

const t = Nx.iota([2, 3, 4], { names: ["x", "y", null] });
const untracked: Nx.Tensor = t;
const axes: readonly string[] = ["x"];
const keepAxes = true as boolean;

describe("names of reductions", () => {
  it("drop with their axes", () => {
    expectTypeOf(Nx.sum(t, { axes: ["x"] }).names).toExtend<readonly ["y", null]>();
    expectTypeOf(Nx.mean(t, { axes: ["y", "x"] }).names).toExtend<readonly [null]>();
    expectTypeOf(Nx.sum(t).names).toExtend<readonly []>();
    expectTypeOf(Nx.variance(t, { ddof: 1 }).names).toExtend<readonly []>();
    expectTypeOf(Nx.argmax(t, { axis: "y", tieBreak: "high" }).names).toExtend<readonly ["x", null]>();
    expectTypeOf(Nx.median(t, { axis: "x" }).names).toExtend<readonly ["y", null]>();
    expectTypeOf(Nx.reduce(t, 0, (x, acc) => Nx.add(x, acc), { axes: ["x"] }).names).toExtend<readonly ["y", null]>();
    expectTypeOf(Nx.weightedMean(t, 1, { axes: ["x"] }).names).toExtend<readonly ["y", null]>();
  });

  it("are those of the options behind axes that stand in their place", () => {
    expectTypeOf(Nx.sum(t, "x", { keepAxes: true })).toEqualTypeOf<typeof t>();
    expectTypeOf(t.mean(["x"], { keepAxes: true })).toEqualTypeOf<typeof t>();
    expectTypeOf(t.variance("x", { ddof: 1 }).names).toEqualTypeOf<readonly ["y", null]>();
    expectTypeOf(t.argmax("x", { keepAxis: true, tieBreak: "high" })).toEqualTypeOf<typeof t>();
    expectTypeOf(Nx.sum(t, "x", { keepAxes })).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf([t].map(Nx.sum)[0]!.names).toExtend<Nx.Names>();
    // @ts-expect-error axes stand in front
    Nx.sum(t, "x", { axes: ["x"] });
    // @ts-expect-error no option
    t.sum("x", { keepAxess: true });
    // @ts-expect-error no axis
    t.sum("z", { keepAxes: true });
  });
  it("stay with keepAxes", () => {
    expectTypeOf(Nx.sum(t, { axes: ["x"], keepAxes: true })).toEqualTypeOf<typeof t>();
    expectTypeOf(Nx.sum(t, { keepAxes: true })).toEqualTypeOf<typeof t>();
    expectTypeOf(Nx.argmin(t, { axis: 0, keepAxis: true })).toEqualTypeOf<typeof t>();
    expectTypeOf(Nx.mode(t, { axis: "y", keepAxis: true })).toEqualTypeOf<typeof t>();
  });

  it("drop by position", () => {
    expectTypeOf(Nx.sum(t, { axes: [0] })).toEqualTypeOf<Nx.Tensor<readonly ["y", null]>>();
    expectTypeOf(Nx.sum(t, { axes: ["x", -1] })).toEqualTypeOf<Nx.Tensor<readonly ["y"]>>();
    expectTypeOf(Nx.argmax(t, { axis: 1 })).toEqualTypeOf<Nx.Tensor<readonly ["x", null]>>();
  });

  it("drop with an axis, or a list of axes, in place of the options, and with either word", () => {
    expectTypeOf(t.sum("x")).toEqualTypeOf<Nx.Tensor<readonly ["y", null]>>();
    expectTypeOf(t.mean(["x", "y"])).toEqualTypeOf<Nx.Tensor<readonly [null]>>();
    expectTypeOf(Nx.sum(t, 0)).toEqualTypeOf<Nx.Tensor<readonly ["y", null]>>();
    expectTypeOf(t.sum({ axis: "y" })).toEqualTypeOf<Nx.Tensor<readonly ["x", null]>>();
    expectTypeOf(t.sum({ axes: "y", keepAxis: true })).toEqualTypeOf<typeof t>();
    expectTypeOf(t.argmax(-1)).toEqualTypeOf<Nx.Tensor<readonly ["x", "y"]>>();
    expectTypeOf(t.argmax({ axes: ["y"] })).toEqualTypeOf<Nx.Tensor<readonly ["x", null]>>();
    expectTypeOf(t.argmax({ tieBreak: "high" })).toEqualTypeOf<Nx.Tensor<readonly []>>();
    expectTypeOf(Nx.quantile(t, 0.5, "x")).toEqualTypeOf<Nx.Tensor<readonly ["y", null]>>();
    expectTypeOf(t.quantile(0.5, "x")).toEqualTypeOf<Nx.Tensor<readonly ["y", null]>>();
    expectTypeOf(t.percentile([50], "x")).toEqualTypeOf<Nx.Tensor<readonly [null, "y", null]>>();
    expectTypeOf(Nx.quantile(t, [0.5], "x")).toEqualTypeOf<Nx.Tensor<readonly [null, "y", null]>>();
    expectTypeOf(Nx.quantile(t, 0.5, ["x", "y"])).toEqualTypeOf<Nx.Tensor<readonly [null]>>();
    expectTypeOf(Nx.percentile(t, [50], { axes: ["x", 1], keepAxes: true })).toEqualTypeOf<Nx.Tensor<readonly [null, "x", "y", null]>>(); // prettier-ignore
    expectTypeOf(Nx.median(t, ["y", -1])).toEqualTypeOf<Nx.Tensor<readonly ["x"]>>();
    expectTypeOf(t.mode(["x", "y"])).toEqualTypeOf<Nx.Tensor<readonly [null]>>();
    // @ts-expect-error there is no such axis
    Nx.median(t, ["x", "z"]);
    expectTypeOf(Nx.LinAlg.norm(t, "x")).toEqualTypeOf<Nx.Tensor<readonly ["y", null]>>();
    expectTypeOf(t.squeeze("x")).toEqualTypeOf<Nx.Tensor<readonly ["y", null]>>();
    expectTypeOf(t.flatten(["x", "y"])).toEqualTypeOf<Nx.Tensor<readonly [null, null]>>();
    expectTypeOf(t.flatten({ name: "all" })).toEqualTypeOf<Nx.Tensor<readonly ["all"]>>();
    expectTypeOf(untracked.mean("any")).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(untracked.variance({ ddof: 1 })).toEqualTypeOf<Nx.Tensor<readonly []>>();
  });

  it("of a wider type give up, or are one of several", () => {
    const either = "x" as "x" | "y";
    const maybe = undefined as "x" | 0 | undefined;
    const options = { axes: maybe };
    expectTypeOf(t.sum(axes as readonly ("x" | "y")[])).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(t.sum(either)).toEqualTypeOf<Nx.Tensor<readonly ["y", null] | readonly ["x", null]>>();
    expectTypeOf(t.sum(options)).toEqualTypeOf<Nx.Tensor>();
  });

  it("of scalars leave those of the other operand", () => {
    expectTypeOf(t.sum()).toEqualTypeOf<Nx.Tensor<readonly []>>();
    expectTypeOf(t.subtract(t.mean())).toEqualTypeOf<typeof t>();
    expectTypeOf(t.subtract(t.mean()).divide(t.standardDeviation())).toEqualTypeOf<typeof t>();
    expectTypeOf(t.add(Nx.f32(1))).toEqualTypeOf<typeof t>();
    expectTypeOf(t.add(Nx.tensor(1))).toEqualTypeOf<typeof t>();
    expectTypeOf(Nx.f32([1, 2])).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.f32(1, { names: [] })).toEqualTypeOf<Nx.Tensor<readonly []>>();
  });

  it("are given up for positions and options that are not known", () => {
    expectTypeOf(Nx.sum(t, { axes: [3] })).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.sum(t, { axes: [0 as number] })).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.sum(t, { axes: ["x"], keepAxes })).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.argmax(t, { axis: 1 as number })).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.sum(untracked, { axes })).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.sum(untracked, { axes: ["any"] })).toEqualTypeOf<Nx.Tensor>();
  });

  it("numbers are scalars", () => {
    expectTypeOf(Nx.sum(1)).toEqualTypeOf<Nx.Tensor<readonly []>>();
    expectTypeOf(Nx.mode(1, { keepAxis: true })).toEqualTypeOf<Nx.Tensor<readonly [null]>>();
    expectTypeOf(Nx.allClose(1, t)).toEqualTypeOf<Nx.Tensor<readonly []>>();
  });
});

describe("compile errors", () => {
  it("for misspelt axes and options", () => {
    // @ts-expect-error no axis "z"
    Nx.sum(t, { axes: ["z"] });
    // @ts-expect-error no axis "Y"
    Nx.standardDeviation(t, { axes: ["x", "Y"] });
    // @ts-expect-error no axis "z"
    Nx.argmax(t, { axis: "z" });
    // @ts-expect-error no axis "z"
    Nx.reduce(t, 0, (x, acc) => Nx.add(x, acc), { axes: ["z"] });
    // @ts-expect-error not an option of the function
    Nx.sum(t, { axes: ["x"], keepdims: true });
    // @ts-expect-error no axis "z"
    Nx.sum(t, "z");
    // @ts-expect-error no axis "z"
    t.mean(["x", "z"]);
    // @ts-expect-error no axis "z"
    t.argmax({ axes: ["z"] });
    // @ts-expect-error not an option of the function
    Nx.mean(t, { ddof: 1 });
    // @ts-expect-error not a tensor
    Nx.sum([1, 2]);
  });
});
