import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { functionOf } from "./compare";

const named = (shape: number[], ...names: (string | null)[]): Nx.Tensor =>
  names.length === 0 ? Nx.iota(shape) : Nx.iota(shape, { names });
const list = (t: Nx.Tensor): unknown => Nx.toList(t);

describe("broadcasting", () => {
  it("aligns axes from the right and stretches sizes of 1", () => {
    const column = Nx.tensor([[1], [2]]);
    expect(list(Nx.add(column, Nx.tensor([[10, 20]])))).toEqual([
      [11, 21],
      [12, 22],
    ]);
    expect(list(Nx.add(column, Nx.tensor([10, 20, 30])))).toEqual([
      [11, 21, 31],
      [12, 22, 32],
    ]);
    expect(
      list(
        Nx.add(
          Nx.tensor([[1], [2]]),
          Nx.tensor([
            [10, 20],
            [30, 40],
          ]),
        ),
      ),
    ).toEqual([
      [11, 21],
      [32, 42],
    ]);
    expect(
      list(
        Nx.add(
          Nx.tensor([[1, 2]]),
          Nx.tensor([
            [10, 20],
            [30, 40],
          ]),
        ),
      ),
    ).toEqual([
      [11, 22],
      [31, 42],
    ]);
    expect(Nx.add(Nx.iota([4, 1, 3]), Nx.iota([2, 1])).shape).toEqual([4, 2, 3]);
  });

  it("keeps the shape next to a scalar of any kind", () => {
    for (const scalar of [1, 1n, true, Nx.tensor(1)]) {
      expect(list(Nx.add(Nx.tensor([[1], [2]]), scalar))).toEqual([[2], [3]]);
      expect(list(Nx.add(scalar, Nx.tensor([[1], [2]])))).toEqual([[2], [3]]);
    }
  });

  it("says which axes do not fit", () => {
    const message = (left: Nx.Tensor, right: Nx.Tensor): string => {
      try {
        Nx.multiply(left, right);
        return "no error";
      } catch (error) {
        expect(error).toBeInstanceOf(Nx.ArgumentError);
        return (error as Error).message;
      }
    };
    expect(message(named([2, 3], "x", "y"), named([2]))).toBe(
      'Nx.multiply cannot broadcast tensors of shapes [x: 2][y: 3] and [2]: axis "y" of size 3 meets axis 0 of size 2; ' +
        "axes align from the right and must have equal sizes or size 1, so reshape, transpose or Nx.newAxis one of the two",
    );
    expect(message(named([4, 1, 3]), named([3, 2, 1]))).toContain("axis 0 of size 4 meets axis 0 of size 3");
    expect(message(named([5, 2, 3]), named([4, 3], "a", "b"))).toContain('axis 1 of size 2 meets axis "a" of size 4');
  });

  it("refuses results that no array can hold", () => {
    expect(() => Nx.add(Nx.iota([65536, 1], { type: "u8" }), Nx.iota([1, 65537], { type: "u8" }))).toThrow(
      "more than the 4294967295 a tensor can hold",
    );
  });
});

describe("names", () => {
  it("merge, a name winning over null", () => {
    expect(Nx.add(named([2, 2], "x", "y"), named([2, 2], null, "y")).names).toEqual(["x", "y"]);
    expect(Nx.add(named([2, 1], null, "y"), named([1, 2], "x", null)).names).toEqual(["x", "y"]);
    expect(Nx.add(named([2]), named([2, 2], "x", "y")).names).toEqual(["x", "y"]);
    expect(Nx.add(named([2], "y"), named([3, 2], "x", null)).names).toEqual(["x", "y"]);
    expect(Nx.add(named([2], "y"), 1).names).toEqual(["y"]);
    expect(Nx.add(1, named([2], "y")).names).toEqual(["y"]);
  });

  it("are an error where they differ", () => {
    expect(() => Nx.add(named([2, 3], "x", "y"), named([3], "z"))).toThrow(
      'cannot merge axis name "y" (axis 1 of [x: 2][y: 3]) with "z" (axis 0 of [z: 3])',
    );
  });

  it("are an error where the result would have one twice", () => {
    expect(() => Nx.add(named([2, 3], "x", null), named([3], "x"))).toThrow("duplicate names");
  });

  it("stay through functions of one tensor", () => {
    const t = named([2, 3], "x", null);
    for (const name of ["exp", "negate", "floor", "isNan", "logicalNot", "phase", "conjugate", "bitwiseNot"]) {
      expect(functionOf(name)(t).names).toEqual(["x", null]);
      expect(functionOf(name)(t).shape).toEqual([2, 3]);
    }
  });
});

describe("broadcasting with names", () => {
  const check = (t: Nx.Tensor, type: Nx.DType, names: (string | null)[], elements: unknown): void => {
    expect([t.type, t.names, list(t)]).toEqual([type, names, elements]);
  };
  const sums = [
    [11, 21],
    [12, 22],
  ];
  const column = Nx.tensor([[1], [2]]);
  const row = Nx.tensor([[10, 20]]);

  it("adds rows to columns and columns to rows", () => {
    const yColumn = Nx.rename(column, [null, "y"]);
    const xRow = Nx.rename(row, ["x", null]);
    check(Nx.add(yColumn, xRow), "s64", ["x", "y"], sums);
    check(Nx.add(xRow, yColumn), "s64", ["x", "y"], sums);
    check(
      Nx.add(
        Nx.rename(column, ["x", null]),
        Nx.tensor([
          [10, 20],
          [30, 40],
        ]),
      ),
      "s64",
      ["x", null],
      [
        [11, 21],
        [32, 42],
      ],
    );
  });

  it.each(["s8", "s64", "f32"] as const)("divides columns by rows in %s", (type) => {
    const tenths = [
      [0.1, 0.05],
      [0.2, 0.1],
    ].map((line) => line.map(Math.fround));
    const [left, right] = [Nx.asType(column, type), Nx.asType(row, type)];
    check(Nx.divide(Nx.rename(left, ["x", null]), Nx.rename(right, [null, "y"])), "f32", ["x", "y"], tenths);
    check(Nx.divide(left, Nx.rename(right, ["x", "y"])), "f32", ["x", "y"], tenths);
  });
});

describe("arguments", () => {
  it("that are no tensors are errors", () => {
    const call =
      (name: string, ...args: unknown[]) =>
      (): unknown =>
        functionOf(name)(...(args as Nx.Operand[]));
    expect(call("exp", [1, 2])).toThrow("Nx.exp expects a tensor or a number, got: [1, 2]; make a tensor of it");
    expect(call("exp", "1")).toThrow('Nx.exp expects a tensor or a number, got: "1"');
    expect(call("exp")).toThrow("Nx.exp expects a tensor or a number, got: undefined");
    expect(call("add", 1)).toThrow("Nx.add expects a tensor or a number, got: undefined");
    expect(call("add", Nx.tensor([1]), null)).toThrow("Nx.add expects a tensor or a number, got: null");
    expect(call("add", {}, Nx.tensor([1]))).toThrow("Nx.add expects a tensor or a number, got: {");
    for (const name of ["phase", "logicalNot", "conjugate"])
      expect(call(name, "1")).toThrow(`Nx.${name} expects a tensor`);
  });

  it("that look like options are errors", () => {
    const call =
      (name: string, ...args: unknown[]) =>
      (): unknown =>
        functionOf(name)(...(args as Nx.Operand[]));
    const message = (name: string): string => `unknown option "axis" for Nx.${name}, it takes none`;
    expect(call("exp", 1, { axis: 0 })).toThrow(message("exp"));
    expect(call("phase", 1, { axis: 0 })).toThrow(message("phase"));
    expect(call("add", 1, 2, { axis: 0 })).toThrow(message("add"));
    expect(call("clip", 1, 2, 3, { axis: 0 })).toThrow(message("clip"));
    expect(call("select", 1, 2, 3, { axis: 0 })).toThrow(message("select"));
  });

  it("may be those of array methods", () => {
    const tensors = [1, 2, 3].map((n) => Nx.tensor([n, n]));
    expect(list(tensors.map(Nx.negate as (t: Nx.Tensor) => Nx.Tensor)[2]!)).toEqual([-3, -3]);
    expect(list(tensors.reduce(Nx.add as (a: Nx.Tensor, b: Nx.Tensor) => Nx.Tensor))).toEqual([6, 6]);
  });

  it("of the wrong kind of number are errors", () => {
    const message = "expects integer tensors as inputs and outputs an integer tensor, got type f32";
    expect(() => Nx.bitwiseAnd(Nx.tensor([0, 1]), 1.5)).toThrow(`bitwiseAnd ${message}`);
    expect(() => Nx.bitwiseNot(Nx.f32([0, 1]))).toThrow(`bitwiseNot ${message}`);
    expect(() => Nx.quotient(Nx.f32([4]), 2)).toThrow(`quotient ${message}`);
    expect(() => Nx.leftShift(1, 1.5)).toThrow(`leftShift ${message}`);
  });
});

describe("functions and methods", () => {
  it("have names", () => {
    expect([Nx.add.name, Nx.exp.name, Nx.phase.name, Nx.clip.name]).toEqual(["add", "exp", "phase", "clip"]);
  });

  it("are the same", () => {
    const t = Nx.tensor([1.5, -2.5], { names: ["x"] });
    expect(
      t
        .add(1)
        .multiply(t)
        .abs()
        .equals(Nx.abs(Nx.multiply(Nx.add(t, 1), t))),
    ).toBe(true);
    expect(t.clip(0, 1).names).toEqual(["x"]);
  });
});
