/**
 * The element-wise primitives against a reference that takes one element at a time: numbers for floats, bigints for integers.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { DType } from "nx-numerics";

const INTEGERS = ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"] as const;
const FLOATS = ["bf16", "f16", "f32", "f64"] as const;
type Integer = (typeof INTEGERS)[number];

const bits = (type: DType) => Number(/\d+$/.exec(type)![0]);
const wrap = (type: DType, value: bigint) =>
  type.startsWith("u") ? BigInt.asUintN(bits(type), value) : BigInt.asIntN(bits(type), value);

/** A value of an integer type: near the ends, near zero or anywhere. */
function integerOf(type: Integer): fc.Arbitrary<bigint> {
  const low = type.startsWith("u") ? 0n : -(1n << BigInt(bits(type) - 1));
  const high = low + (1n << BigInt(bits(type))) - 1n;
  return fc.oneof(
    fc.bigInt({ min: low, max: high }),
    fc.constantFrom(low, low + 1n, high, high - 1n, 0n, 1n),
    fc.bigInt({ min: 0n, max: 7n }),
  );
}

/** Two shapes that broadcast together and the shape they give. */
const shapes: fc.Arbitrary<[number[], number[], number[]]> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom("both", "left", "right")), { maxLength: 4 })
  .chain((axes) => fc.tuple(fc.constant(axes), fc.nat(axes.length), fc.boolean()))
  .map(([axes, cut, cutLeft]) => {
    const out = axes.map(([dim]) => dim);
    const left = axes.map(([dim, who]) => (who === "right" ? 1 : dim));
    const right = axes.map(([dim, who]) => (who === "left" ? 1 : dim));
    const short = (shape: number[]) => shape.slice(cut);
    const [l, r] = cutLeft ? [short(left), right] : [left, short(right)];
    const full = out.map((_, i) => {
      const li = l[l.length - out.length + i] ?? 1;
      const ri = r[r.length - out.length + i] ?? 1;
      return Math.max(li, ri);
    });
    return [l, r, full];
  });

const sizeOf = (shape: number[]) => shape.reduce((a, b) => a * b, 1);

/** Position in an operand of the element at flat position `p` of the output. */
function source(p: number, shape: number[], out: number[]): number {
  let at = 0;
  let stride = 1;
  for (let i = 1, rest = p; i <= out.length; i++) {
    const index = rest % out[out.length - i]!;
    rest = Math.floor(rest / out[out.length - i]!);
    const dim = shape[shape.length - i] ?? 1;
    if (dim !== 1) at += index * stride;
    stride *= dim;
  }
  return at;
}

const INTEGER_OPS: Record<string, (type: DType, a: bigint, b: bigint) => bigint> = {
  add: (_, a, b) => a + b,
  subtract: (_, a, b) => a - b,
  multiply: (_, a, b) => a * b,
  max: (_, a, b) => (a > b ? a : b),
  min: (_, a, b) => (a < b ? a : b),
  bitwiseAnd: (_, a, b) => a & b,
  bitwiseOr: (_, a, b) => a | b,
  bitwiseXor: (_, a, b) => a ^ b,
  quotient: (_, a, b) => a / b,
  remainder: (_, a, b) => a % b,
  leftShift: (type, a, b) => (b >= BigInt(bits(type)) ? 0n : a << b),
  rightShift: (_, a, b) => a >> (b > 64n ? 64n : b),
  pow: (type, a, b) => power(type, a, b),
};
const isTrue = (value: number | bigint): boolean => value !== 0 && value !== 0n;
const TESTS: Record<string, (a: number | bigint, b: number | bigint) => boolean> = {
  equal: (a, b) => a === b,
  notEqual: (a, b) => a !== b,
  less: (a, b) => a < b,
  lessEqual: (a, b) => a <= b,
  greater: (a, b) => a > b,
  greaterEqual: (a, b) => a >= b,
  logicalAnd: (a, b) => isTrue(a) && isTrue(b),
  logicalOr: (a, b) => isTrue(a) || isTrue(b),
  logicalXor: (a, b) => isTrue(a) !== isTrue(b),
};

function power(type: DType, base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = wrap(type, square * square)) {
    if (rest & 1n) result = wrap(type, result * square);
  }
  return result;
}

type Binary = (l: Nx.Tensor, r: Nx.Tensor) => Nx.Tensor;
const call = (op: string): Binary => Nx[op as "add"] as Binary;
const make = (type: DType, values: (number | bigint)[], shape: number[]) => Nx.tensor(values, { type }).reshape(shape);
const numbers = (t: Nx.Tensor) => t.toFlatList() as (number | bigint)[];
const sample = (op: string, type: Integer) =>
  op === "quotient" || op === "remainder"
    ? integerOf(type).filter((value) => value !== 0n)
    : /Shift|pow/.test(op)
      ? integerOf(type).map((value) => (value < 0n ? -(value + 1n) : value))
      : integerOf(type);

describe.each(Object.keys(INTEGER_OPS))("%s of integers", (op) => {
  it.each(INTEGERS)("%s", (type) => {
    const property = fc.property(
      shapes.chain(([l, r, out]) => {
        const values = (n: number, arb: fc.Arbitrary<bigint>) => fc.array(arb, { minLength: n, maxLength: n });
        return fc.tuple(
          fc.constant([l, r, out] as const),
          values(sizeOf(l), integerOf(type)),
          values(sizeOf(r), sample(op, type)),
        );
      }),
      ([[l, r, out], a, b]) => {
        const result = call(op)(make(type, a, l), make(type, b, r));
        expect(result.type).toBe(type);
        expect(result.shape).toEqual(out);
        const expected = Array.from({ length: sizeOf(out) }, (_, p) =>
          wrap(type, INTEGER_OPS[op]!(type, a[source(p, l, out)]!, b[source(p, r, out)]!)),
        );
        expect(numbers(result).map(BigInt)).toEqual(expected);
      },
    );
    fc.assert(property, { numRuns: 25 });
  });
});

describe.each(Object.keys(TESTS))("%s", (op) => {
  it("of integers of any two types compares values", () => {
    const types = fc.tuple(fc.constantFrom(...INTEGERS), fc.constantFrom(...INTEGERS));
    fc.assert(
      fc.property(
        types.chain(([l, r]) => fc.tuple(fc.constant([l, r] as const), integerOf(l), integerOf(r))),
        ([[l, r], a, b]) => {
          expect(numbers(call(op)(make(l, [a], [1]), make(r, [b], [1])))).toEqual([Number(TESTS[op]!(a, b))]);
        },
      ),
    );
  });

  it("of floats follows IEEE", () => {
    const value = fc.oneof(fc.double(), fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 1));
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(numbers(call(op)(Nx.f64([a]), Nx.f64([b])))).toEqual([Number(TESTS[op]!(a, b))]);
      }),
    );
  });
});

describe("floats", () => {
  const OPS: Record<string, (a: number, b: number) => number> = {
    add: (a, b) => a + b,
    subtract: (a, b) => a - b,
    multiply: (a, b) => a * b,
    divide: (a, b) => a / b,
    remainder: (a, b) => a % b,
    max: Math.max,
    min: Math.min,
  };
  it.each(FLOATS)("%s computes in f64 and rounds once", (type) => {
    const value = fc.oneof(
      fc.double({ noDefaultInfinity: false }),
      fc.float(),
      fc.constantFrom(0, -0, NaN, Infinity, 1e-40, 65504, 3e38),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(OPS)),
        fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 80 }),
        (op, pairs) => {
          const [a, b] = [0, 1].map((i) =>
            Nx.tensor(
              pairs.map((p) => p[i]!),
              { type: "f64" },
            ).asType(type),
          ) as [Nx.Tensor, Nx.Tensor];
          const [x, y] = [numbers(a) as number[], numbers(b) as number[]];
          const expected = Nx.asType(Nx.f64(x.map((v, i) => OPS[op]!(v, y[i]!))), type);
          const actual = call(op)(a, b);
          numbers(actual).forEach((v, i) =>
            expect(Object.is(v, numbers(expected)[i]), `${op} ${x[i]} ${y[i]} gave ${v}`).toBe(true),
          );
        },
      ),
    );
  });
});

describe("casts", () => {
  it.each(INTEGERS)("floats to %s truncate and saturate, or wrap", (type) => {
    const low = type.startsWith("u") ? 0n : -(1n << BigInt(bits(type) - 1));
    const high = low + (1n << BigInt(bits(type))) - 1n;
    const clamp = (v: bigint) => (v < low ? low : v > high ? high : v);
    const value = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: -300, max: 300, noNaN: true }),
    );
    fc.assert(
      fc.property(value, (v) => {
        const whole = BigInt(Math.trunc(v));
        expect(BigInt(Nx.f64(v).asType(type).toNumber() as number)).toBe(clamp(whole));
        expect(BigInt(Nx.f64(v).asType(type, { overflow: "wrap" }).toNumber() as number)).toBe(wrap(type, whole));
      }),
    );
    expect(numbers(Nx.f32([NaN, Infinity, -Infinity]).asType(type)).map(BigInt)).toEqual([0n, high, low]);
  });

  it("between integers wrap", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...INTEGERS),
        fc.constantFrom(...INTEGERS),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        (from, to, v) => {
          const stored = wrap(from, v);
          expect(BigInt(make(from, [stored], [1]).asType(to).toFlatList()[0] as number)).toBe(wrap(to, stored));
        },
      ),
    );
  });

  it("of 64-bit integers to short floats round once", () => {
    expect(
      Nx.s64(2n ** 53n + 1n)
        .asType("f64")
        .toNumber(),
    ).toBe(2 ** 53);
    expect(
      Nx.s64((1n << 62n) + (1n << 38n) + 1n)
        .asType("f32")
        .toNumber(),
    ).toBe(2 ** 62 + 2 ** 39);
    expect(
      Nx.u64(2n ** 64n - 1n)
        .asType("f32")
        .toNumber(),
    ).toBe(2 ** 64);
  });
});

describe("select, unary and long inputs", () => {
  it("works across blocks for every lane", () => {
    const n = 2500;
    const i = Nx.iota([n]);
    const even = i.remainder(2).equal(0);
    for (const type of ["u8", "s32", "s64", "f16", "f32", "f64", "c64"] as const) {
      const t = i.remainder(100).asType(type);
      const picked = Nx.select(even, t, t.negate());
      const expected = Array.from({ length: n }, (_, k) => (k % 2 === 0 ? k % 100 : -(k % 100)));
      const real = picked.type.startsWith("c") ? picked.real() : picked;
      const wrapped = type === "u8" ? expected.map((v) => v & 255) : expected;
      expect(
        numbers(real).map((v) => Number(v) + 0),
        type,
      ).toEqual(wrapped.map((v) => v + 0));
    }
  });

  it("broadcasts a column and a row across blocks", () => {
    const sum = Nx.iota([70, 1], { type: "f32" }).add(Nx.iota([1, 70]));
    expect(numbers(sum)).toEqual(Array.from({ length: 4900 }, (_, p) => Math.floor(p / 70) + (p % 70)));
  });

  it("integer errors name the op and what to do", () => {
    expect(() => Nx.quotient(Nx.s32([1, 2]), Nx.s32([1, 0]))).toThrow(/quotient of integers by zero \(at element 1/);
    expect(() => Nx.remainder(Nx.s64([1]), 0)).toThrow(Nx.ArgumentError);
    expect(() => Nx.pow(Nx.s64([2]), Nx.s64([-1]))).toThrow(/negative exponent/);
    expect(() => Nx.leftShift(Nx.s8([2]), Nx.s8([-1]))).toThrow(/negative count/);
    expect(() => Nx.rightShift(Nx.s64([2]), Nx.s64([-1]))).toThrow(/negative count/);
  });
});
