/**
 * Integers beside plain numbers of any size: comparisons, extremes and bounds are those of BigInt arithmetic.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { tries } from "../effort";

const TYPES = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"] as const;
type IntegerType = (typeof TYPES)[number];

const limitsOf = (type: IntegerType): [bigint, bigint] => {
  const bits = BigInt(type.slice(1));
  return type.startsWith("u") ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
};

/** Whole numbers near the ends of types, where rules change. */
const EDGES = [0n, ...[7n, 8n, 15n, 16n, 31n, 32n, 53n, 63n, 64n, 70n].flatMap((bits) => [2n ** bits, -(2n ** bits)])];
const whole = fc.tuple(fc.constantFrom(...EDGES), fc.bigInt({ min: -5n, max: 5n })).map(([edge, by]) => edge + by);
/** The same as a number, where a number is it exactly. */
const plain = fc
  .tuple(whole, fc.boolean())
  .map(([value, asNumber]) => (asNumber && BigInt(Number(value)) === value ? Number(value) : value));
const fraction = fc
  .tuple(fc.constantFrom(...EDGES), fc.constantFrom(0.5, -0.25, 1e-9))
  .map(([edge, by]) => Number(edge) + by);
const elements = fc
  .tuple(fc.constantFrom(...TYPES), fc.array(whole, { minLength: 1, maxLength: 4 }))
  .map(([type, values]) => ({ type, values: values.map((value) => fit(type, value)) }));

function fit(type: IntegerType, value: bigint): bigint {
  const [min, max] = limitsOf(type);
  return value < min ? min : value > max ? max : value;
}

const tensorOf = ({ type, values }: { type: IntegerType; values: bigint[] }): Nx.Tensor => Nx.tensor(values, { type });
const exact = (t: Nx.Tensor): bigint[] => (t.toFlatList() as (number | bigint)[]).map((value) => BigInt(value));

/** Comparisons as JavaScript has them, which are exact between numbers and bigints. */
const COMPARISONS = {
  equal: (a: bigint, b: number | bigint) => !(a < b) && !(a > b),
  notEqual: (a: bigint, b: number | bigint) => a < b || a > b,
  less: (a: bigint, b: number | bigint) => a < b,
  lessEqual: (a: bigint, b: number | bigint) => a <= b,
  greater: (a: bigint, b: number | bigint) => a > b,
  greaterEqual: (a: bigint, b: number | bigint) => a >= b,
} as const;
const MIRRORED = {
  equal: "equal",
  notEqual: "notEqual",
  less: "greater",
  lessEqual: "greaterEqual",
  greater: "less",
  greaterEqual: "lessEqual",
} as const;

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const greaterOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** What comes out, or null for the errors and floats of what no integer type holds. */
function integers(compute: () => Nx.Tensor): bigint[] | null {
  try {
    const result = compute();
    return /^[us]/.test(result.type) ? exact(result) : null;
  } catch (error) {
    if (error instanceof Nx.ArgumentError && /no integer type holds it/.test(error.message)) return null;
    throw error;
  }
}

const held = (values: readonly bigint[]): boolean =>
  ["s64", "u64"].some((type) => values.every((value) => fit(type as IntegerType, value) === value));

describe.each(["binary", "wasm"])("on %s", (backend) => {
  const check = (property: () => void): void => Nx.withDefaultBackend(backend, property);

  it.each(Object.keys(COMPARISONS) as (keyof typeof COMPARISONS)[])("%s", (name) => {
    check(() =>
      fc.assert(
        fc.property(elements, fc.oneof(plain, fraction), (given, value) => {
          const t = tensorOf(given);
          const expected = given.values.map((element) => Number(COMPARISONS[name](element, value)));
          expect(Nx[name](t, value).toFlatList()).toEqual(expected);
          expect(Nx[MIRRORED[name]](value, t).toFlatList()).toEqual(expected);
          expect(Nx.defn((x: Nx.Tensor) => Nx[name](x, value))(t).toFlatList()).toEqual(expected);
        }),
        { numRuns: tries(150) },
      ),
    );
  });

  it.each(["max", "min"] as const)("%s", (name) => {
    const choose = name === "max" ? greaterOf : lesser;
    check(() =>
      fc.assert(
        fc.property(elements, plain, (given, value) => {
          const t = tensorOf(given);
          const expected = given.values.map((element) => choose(element, BigInt(value)));
          if (!held(expected)) return;
          for (const result of [
            integers(() => Nx[name](t, value)),
            integers(() => Nx[name](value, t)),
            integers(() => Nx.defn((x: Nx.Tensor) => Nx[name](x, value))(t)),
          ]) {
            expect(result).toEqual(expected);
          }
        }),
        { numRuns: tries(200) },
      ),
    );
  });

  it.each(["clip", "clamp"] as const)("%s", (name) => {
    const bounded = (x: Nx.Tensor, min: Nx.Operand, max: Nx.Operand): Nx.Tensor =>
      name === "clip" ? Nx.clip(x, min, max) : Nx.clamp(x, { min, max });
    check(() =>
      fc.assert(
        fc.property(elements, plain, plain, (given, min, max) => {
          const t = tensorOf(given);
          const expected = given.values.map((element) => lesser(greaterOf(element, BigInt(min)), BigInt(max)));
          if (!held(expected)) return;
          expect(integers(() => bounded(t, min, max))).toEqual(expected);
          expect(integers(() => Nx.defn((x: Nx.Tensor) => bounded(x, min, max))(t))).toEqual(expected);
        }),
        { numRuns: tries(300) },
      ),
    );
  });

  it("plain numbers kept between others", () => {
    check(() =>
      fc.assert(
        fc.property(plain, plain, plain, (value, min, max) => {
          const expected = lesser(greaterOf(BigInt(value), BigInt(min)), BigInt(max));
          if (!held([BigInt(value)]) || !held([expected])) return;
          expect(integers(() => Nx.clip(value, min, max))).toEqual([expected]);
          expect(integers(() => Nx.clamp(value, { min, max }))).toEqual([expected]);
        }),
        { numRuns: tries(300) },
      ),
    );
  });

  it("two plain numbers", () => {
    check(() =>
      fc.assert(
        fc.property(plain, fc.oneof(plain, fraction), (a, b) => {
          const isBeyond = (value: number | bigint) => value >= 2n ** 64n || value < -(2n ** 63n);
          if (isBeyond(a) && isBeyond(b)) return;
          expect(Nx.less(a, b).toNumber()).toBe(Number(a < b));
          expect(Nx.equal(b, a).toNumber()).toBe(Number(!(a < b) && !(a > b)));
        }),
        { numRuns: tries(200) },
      ),
    );
  });
});

/** Numbers of all classes, of each several, so that a function traced for one of a class is called with others. */
const anyNumber = fc.oneof(
  { weight: 4, arbitrary: plain },
  { weight: 2, arbitrary: fraction },
  fc.constantFrom(NaN, Infinity, -Infinity, 0.5, -0, 1e300, -1e300),
  fc.tuple(plain.map(Number), fc.constantFrom(0, -0, 1, NaN)).map(([re, im]) => new Nx.Complex(re, im)),
);

/** Type, shape and bytes of a result, or the message of an error. */
function outcome(compute: () => Nx.Tensor): string {
  try {
    const t = compute();
    return `${t.type} ${JSON.stringify(t.shape)} ${Buffer.from(t.toBinary()).toString("hex")}`;
  } catch (error) {
    if (error instanceof Nx.NxError) return error.message;
    throw error;
  }
}

describe.each(["optimizing", "evaluator"] as const)("numbers as arguments of a traced function (%s)", (compiler) => {
  type Fn = (x: Nx.Operand, a: Nx.Operand, b: Nx.Operand) => Nx.Tensor;
  const functions: Readonly<Record<string, Fn>> = {
    ...Object.fromEntries(Object.keys(COMPARISONS).map((name) => [name, (x, a) => Nx[name as "less"](x, a)])),
    mirrored: (x, a) => Nx.less(a, x),
    max: (x, a) => Nx.max(x, a),
    min: (x, a) => Nx.min(a, x),
    clip: (x, a, b) => Nx.clip(x, a, b),
    clamp: (x, a, b) => Nx.clamp(x, { min: a, max: b }),
    clampBelow: (x, a) => Nx.clamp(x, { max: a }),
    "two numbers compared": (_, a, b) => Nx.lessEqual(a, b),
    "the larger of two numbers": (_, a, b) => Nx.max(a, b),
    "a number clipped": (_, a, b) => Nx.clip(a, b, 300),
    "a number clamped": (_, a, b) => Nx.clamp(a, { min: b }),
    "a number and one that is written there": (_, a) => Nx.add(Nx.less(a, 2 ** 63), Nx.min(2 ** 63, a)),
  };

  it.each(Object.keys(functions))("%s: as it is outside, bit for bit, for every number of the class", (name) => {
    const fn = functions[name]!;
    const calls = fc.array(fc.tuple(anyNumber, anyNumber), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(elements, calls, (given, numbers) => {
        const t = tensorOf(given);
        const traced = Nx.defn(fn, { compiler });
        for (const [a, b] of numbers) expect(outcome(() => traced(t, a, b))).toBe(outcome(() => fn(t, a, b)));
      }),
      { numRuns: tries(150) },
    );
  });

  it("complex numbers without an imaginary part are not taken for those with one", () => {
    const traced = Nx.defn((x: Nx.Tensor, n: Nx.Operand) => Nx.equal(x, n), { compiler });
    const answers = [[3, 1], [3, 0], [2.5, 0], [3, -0]].map(([re, im]) => traced(Nx.s32([3]), new Nx.Complex(re!, im!))); // prettier-ignore
    expect(answers.map((answer) => answer.toFlatList())).toEqual([[0], [1], [0], [1]]);
  });

  it("a bigint that no integer type holds is an error where integers are made of it, and there alone", () => {
    const huge = 1n << 70n;
    const traced = Nx.defn((x: Nx.Tensor, n: Nx.Operand) => Nx.add(x, n), { compiler });
    expect(() => traced(Nx.u8([1]), huge)).toThrow(/Nx.add cannot store \d+n.*no integer type holds it/);
    expect(traced(Nx.f64([1]), huge).toFlatList()).toEqual([2 ** 70]);
    expect(Nx.defn((x: Nx.Tensor, _: Nx.Operand) => x, { compiler })(Nx.u8([1]), huge).toFlatList()).toEqual([1]);
  });
});

describe("types", () => {
  const typeOf = (t: Nx.Tensor): string => t.type;

  it("stay where they hold the answer, else are those that do", () => {
    expect(typeOf(Nx.max(Nx.u8([1]), -1))).toBe("s16");
    expect(typeOf(Nx.max(Nx.u64([1]), -1))).toBe("u64");
    expect(typeOf(Nx.min(Nx.u64([1]), -1))).toBe("s64");
    expect(typeOf(Nx.max(Nx.s32([1]), 2 ** 63))).toBe("u64");
    expect(typeOf(Nx.min(Nx.s32([1]), 2 ** 63))).toBe("s64");
    expect(typeOf(Nx.min(Nx.u64([1]), 2 ** 70))).toBe("u64");
    expect(typeOf(Nx.max(Nx.u64([1]), 2 ** 70))).toBe("f32");
    expect(typeOf(Nx.clip(Nx.u8([1]), 2, 6))).toBe("s64");
    expect(typeOf(Nx.clip(Nx.u64([1]), 0, 5))).toBe("s64");
    expect(typeOf(Nx.clip(Nx.u64([1]), 0n, 2n ** 63n))).toBe("u64");
    expect(typeOf(Nx.clip(2 ** 63, 0, 5))).toBe("s64");
    expect(typeOf(Nx.clamp(2 ** 63, { min: 0 }))).toBe("u64");
  });

  it("gradients are those of the bounded elements", () => {
    const slope = (fn: (x: Nx.Tensor) => Nx.Tensor, x: Nx.Tensor) =>
      Nx.grad((t: Nx.Tensor) => fn(t).sum())(x).toFlatList();
    const x = Nx.u64([2n ** 63n + 5n, 3n]);
    expect(slope((t) => Nx.clip(t, 0, 5), x)).toEqual([0, 1]);
    expect(slope((t) => Nx.max(t, -1), x)).toEqual([1, 1]);
    expect(slope((t) => Nx.min(t, -1), x)).toEqual([0, 0]);
  });

  it("names and shapes stay", () => {
    const x = Nx.s32([[1, 2]], { names: ["a", "b"] });
    const result = Nx.max(x, 2 ** 63);
    expect([result.shape, result.names]).toEqual([
      [1, 2],
      ["a", "b"],
    ]);
  });
});

describe("bigints that no integer type holds", () => {
  const huge = 1n << 70n;
  it.each([
    () => Nx.tensor([1n, huge]),
    () => Nx.u8(huge),
    () => Nx.tensor(-(2n ** 63n) - 1n, { type: "u64" }),
    () => Nx.fill([2], huge),
    () => Nx.add(Nx.u8([1]), huge),
    () => Nx.dot(Nx.u8([1]), huge),
    () => Nx.exp(huge),
    () => Nx.max(Nx.u64([1]), huge),
    () => Nx.select(1, Nx.u8([1]), huge),
  ])("%s", (call) => {
    expect(call).toThrow(/cannot store -?\d+n.*no integer type holds it/);
  });

  it("are rounded by floats", () => {
    expect(Nx.f64(huge).toNumber()).toBe(2 ** 70);
    expect(Nx.tensor([huge, 0.5]).toFlatList()).toEqual([2 ** 70, 0.5]);
    expect(Nx.add(Nx.f64([1]), huge).toFlatList()).toEqual([2 ** 70]);
  });

  it("data of 64 bits wraps, as in Nx", () => {
    expect(Nx.tensor(0xf000000000000000).toNumber()).toBe(-(2n ** 60n));
    expect(Nx.u64(-1n).toNumber()).toBe(2n ** 64n - 1n);
  });
});
