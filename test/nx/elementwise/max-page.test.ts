/**
 * MAX's page of element-wise functions: its functions by the names they have here, the properties that it states for all of
 * them, its rules of promotion and broadcasting with the examples it gives. It prints no numbers; those here are written from
 * the definitions of the functions.
 */
import fc from "fast-check";
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { describe, expect, it } from "vitest";
import { tries } from "../../effort";

const f32 = Nx.f32;

interface Row {
  readonly call: (...xs: Tensor[]) => Tensor;
  readonly inputs: readonly (readonly number[])[];
  readonly expected: readonly number[];
}

const row = (
  call: Row["call"],
  ...[expected, ...inputs]: readonly [readonly number[], ...(readonly number[])[]]
): Row => ({ call, inputs, expected });

const E = Math.E;

/** The functions in the order of the page. */
const BINARY: Readonly<Record<string, Row>> = {
  add: row(Nx.add as Row["call"], [4, 1.5], [1, 2], [3, -0.5]),
  div: row(Nx.divide as Row["call"], [0.5, Infinity], [1, 2], [2, 0]),
  max: row(Nx.max as Row["call"], [3, NaN, -1], [1, NaN, -1], [3, 0, -2]),
  min: row(Nx.min as Row["call"], [1, NaN, -2], [1, NaN, -1], [3, 0, -2]),
  mod: row(Nx.mod as Row["call"], [1, 2, -1], [7, -7, -7], [3, 3, -3]),
  mul: row(Nx.multiply as Row["call"], [3, -1], [1, 2], [3, -0.5]),
  pow: row(Nx.pow as Row["call"], [8, 0.25, 1], [2, 2, 1], [3, -2, NaN]),
  sub: row(Nx.subtract as Row["call"], [-2, 2.5], [1, 2], [3, -0.5]),
  equal: row(Nx.equal as Row["call"], [1, 0, 0], [1, 2, NaN], [1, 3, NaN]),
  greater: row(Nx.greater as Row["call"], [0, 1, 0], [1, 2, NaN], [1, 1, 0]),
  greater_equal: row(Nx.greaterEqual as Row["call"], [1, 0, 0], [1, 2, NaN], [1, 3, 0]),
  not_equal: row(Nx.notEqual as Row["call"], [0, 1, 1], [1, 2, NaN], [1, 3, NaN]),
};

const UNARY: Readonly<Record<string, Row>> = {
  abs: row(Nx.abs as Row["call"], [2.5, 0, Infinity], [-2.5, -0, -Infinity]),
  exp: row(Nx.exp as Row["call"], [1, E, 0], [0, 1, -Infinity]),
  erf: row(Nx.erf as Row["call"], [0, 0.8427007929, -1], [0, 1, -Infinity]),
  gelu: row(Nx.gelu as Row["call"], [0, 0.8413447461, -0.0040496941], [0, 1, -3]),
  log: row(Nx.log as Row["call"], [0, 1, -Infinity], [1, E, 0]),
  log1p: row(Nx.log1p as Row["call"], [0, 0.6931471806, -Infinity], [0, 1, -1]),
  relu: row(Nx.relu as Row["call"], [0, 0, 2.5], [-1, 0, 2.5]),
  sigmoid: row(Nx.sigmoid as Row["call"], [0.5, 0.7310585786, 0], [0, 1, -200]),
  silu: row(Nx.silu as Row["call"], [0, 0.7310585786, -0.2689414214], [0, 1, -1]),
  cos: row(Nx.cos as Row["call"], [1, 0.5403023059, 0.5403023059], [0, 1, -1]),
  floor: row(Nx.floor as Row["call"], [-3, -1, 2], [-2.5, -0.5, 2.9]),
  round: row(Nx.round as Row["call"], [-3, -2, 1, 2, 3], [-2.5, -1.5, 0.5, 1.5, 2.5]),
  roundeven: row(Nx.roundEven as Row["call"], [-2, -2, 0, 2, 2], [-2.5, -1.5, 0.5, 1.5, 2.5]),
  rsqrt: row(Nx.rsqrt as Row["call"], [0.5, 2, Infinity], [4, 0.25, 0]),
  sqrt: row(Nx.sqrt as Row["call"], [2, 0.5, NaN], [4, 0.25, -1]),
  sin: row(Nx.sin as Row["call"], [0, 0.8414709848, -0.8414709848], [0, 1, -1]),
  tanh: row(Nx.tanh as Row["call"], [0, 0.761594156, -1], [0, 1, -Infinity]),
  trunc: row(Nx.trunc as Row["call"], [-2, 0, 2], [-2.5, 0.5, 2.9]),
  is_nan: row(Nx.isNan as Row["call"], [0, 1, 0], [1, NaN, Infinity]),
  is_inf: row(Nx.isInfinity as Row["call"], [0, 0, 1, 1], [1, NaN, Infinity, -Infinity]),
};

/** Listed among the unary functions, though each element of a row counts for all of it. */
const ROWS: Readonly<Record<string, Row>> = {
  softmax: row(Nx.softmax as Row["call"], [0.0900305732, 0.2447284711, 0.6652409558], [1, 2, 3]),
  logsoftmax: row(Nx.logSoftmax as Row["call"], [-2.4076059644, -1.4076059644, -0.4076059644], [1, 2, 3]),
};

const ALL = { ...BINARY, ...UNARY, ...ROWS };

describe("functions", () => {
  it("are the 34 of the page", () => {
    expect(Object.keys(ALL).length).toBe(34);
  });

  it.each(Object.keys(ALL))("%s", (name) => {
    const { call, inputs, expected } = ALL[name]!;
    const found = call(...inputs.map((values) => f32(values))).toFlatList() as number[];
    expect(found.length).toBe(expected.length);
    found.forEach((value, i) => {
      if (Number.isFinite(expected[i])) expect(value).toBeCloseTo(expected[i]!, 6);
      else expect(value).toBe(expected[i]);
    });
  });

  it("softmax and logsoftmax act on the last axis", () => {
    const t = f32(
      [
        [1, 2, 3],
        [3, 1, 2],
      ],
      { names: ["row", "x"] },
    );
    expect(
      Nx.softmax(t)
        .sum({ axes: ["x"] })
        .toFlatList(),
    ).toEqual([expect.closeTo(1, 6), expect.closeTo(1, 6)]);
    expect(Nx.logSoftmax(t).at(1).toFlatList()[0]).toBeCloseTo(-0.4076059644, 6);
    expect(Nx.softmax(t).names).toEqual(["row", "x"]);
  });
});

const number = fc.float({ min: -4, max: 4, noNaN: true });

describe("unary operations", () => {
  it.each(Object.keys(UNARY))("%s keeps the shape, and its elements do not depend on each other", (name) => {
    const { call } = UNARY[name]!;
    const grid = fc.array(number, { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(grid, fc.nat(5), number, (values, at, other) => {
        const given = call(f32(values).reshape([1, 2, 3]));
        expect(given.shape).toEqual([1, 2, 3]);
        const changed = call(f32(values.with(at, other)).reshape([1, 2, 3])).toFlatList();
        const alone = call(f32([other])).toFlatList()[0]!;
        expect(changed).toEqual((given.toFlatList() as number[]).with(at, alone as number));
      }),
      { numRuns: 30 },
    );
  });
});

describe("binary operations", () => {
  it.each(Object.keys(BINARY))("%s broadcasts, promotes, and its elements do not depend on each other", (name) => {
    const { call } = BINARY[name]!;
    const [left, right] = [f32([[1], [2]]), f32([3, -0.5, 2])];
    const given = call(left, right);
    expect(given.shape).toEqual([2, 3]);
    for (const i of [0, 1]) {
      for (const j of [0, 1, 2]) {
        expect(given.at(i, j).toNumber()).toEqual(call(left.at(i, 0), right.at(j)).toNumber());
      }
    }
    const wide = Nx.withPromotion("strict", () => call(Nx.u8([1, 2]), Nx.s16([3, 1])));
    expect(wide.type).toBe(call(Nx.s16([1, 2]), Nx.s16([3, 1])).type);
    expect(wide.toFlatList()).toEqual(call(Nx.s16([1, 2]), Nx.s16([3, 1])).toFlatList());
  });
});

describe("promotion", () => {
  const one = (type: DType) => Nx.tensor([1], { type });
  const add = (left: DType, right: DType) => Nx.withPromotion("strict", () => Nx.add(one(left), one(right)).type);

  it("takes the higher category and the larger width", () => {
    expect(add("u8", "u32")).toBe("u32");
    expect(add("u8", "s16")).toBe("s16");
    expect(add("s16", "f32")).toBe("f32");
    expect(add("f16", "f64")).toBe("f64");
  });

  it("raises where a value might not be representable: u32 -> i32, i32 -> f32", () => {
    expect(() => add("u32", "s32")).toThrow("s32 cannot hold every value of u32");
    expect(() => add("s32", "f32")).toThrow("f32 cannot hold every value of s32");
    expect(() => add("s32", "f16")).toThrow("f32 cannot hold every value of s32");
  });

  it("raises for another format of the same width: f16 -> bf16", () => {
    expect(() => add("f16", "bf16")).toThrow("f16 and bf16 have as many bits in different formats");
  });

  it("has no tf32, the page's other format", () => {
    expect(() => Nx.tensor([1], { type: "tf32" as never })).toThrow(/invalid type "tf32"/);
  });

  it("casts the operands to the candidate before the operation", () => {
    const sum = Nx.withPromotion("strict", () => Nx.add(Nx.u8([200]), Nx.s16([100])));
    expect(sum.toFlatList()).toEqual([300]);
  });
});

describe("broadcasting", () => {
  const shapeOf = (left: readonly number[], right: readonly number[]) =>
    Nx.add(Nx.broadcast(1, left), Nx.broadcast(1, right)).shape;

  it("puts dimensions of 1 in front of the lower rank", () => {
    expect(shapeOf([2, 3], [3])).toEqual([2, 3]);
    expect(shapeOf([4], [2, 3, 4])).toEqual([2, 3, 4]);
    expect(shapeOf([], [2, 3])).toEqual([2, 3]);
  });

  it("stretches dimensions of 1", () => {
    expect(shapeOf([2, 1], [1, 3])).toEqual([2, 3]);
    expect(shapeOf([5, 1, 3], [4, 1])).toEqual([5, 4, 3]);
    expect(shapeOf([1], [1])).toEqual([1]);
  });

  it("raises where other dimensions differ", () => {
    expect(() => shapeOf([2, 3], [2])).toThrow(
      /cannot broadcast tensors of shapes \[2\]\[3\] and \[2\]: axis 1 of size 3 meets/,
    );
    expect(() => shapeOf([4, 2], [3, 2])).toThrow(/axis 0 of size 4 meets axis 0 of size 3/);
  });

  it("is these three rules and no other", () => {
    const shape = fc.array(fc.constantFrom(1, 2, 3), { maxLength: 4 });
    fc.assert(
      fc.property(shape, shape, (left, right) => {
        const rank = Math.max(left.length, right.length);
        const [a, b] = [left, right].map((dims) => [...Array<number>(rank - dims.length).fill(1), ...dims]) as [
          number[],
          number[],
        ];
        const fits = a.every((dim, i) => dim === b[i] || dim === 1 || b[i] === 1);
        if (fits) expect(shapeOf(left, right)).toEqual(a.map((dim, i) => (dim === 1 ? b[i] : dim)));
        else expect(() => shapeOf(left, right)).toThrow(Nx.ArgumentError);
      }),
      { numRuns: tries(200) },
    );
  });
});
