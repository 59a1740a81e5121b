import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bf16FromNumber, f16FromNumber } from "../../lib/core/half";
import * as int64 from "../../lib/core/int64";
import { tries } from "../effort";

const edges = [
  0n,
  1n,
  2n,
  3n,
  7n,
  63n,
  64n,
  65n,
  2n ** 31n,
  2n ** 32n,
  2n ** 32n - 1n,
  2n ** 52n,
  2n ** 53n - 1n,
  2n ** 53n,
]
  .concat([2n ** 53n + 1n, 2n ** 62n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 63n + 1n, 2n ** 64n - 2n, 2n ** 64n - 1n])
  .flatMap((x) => [x, -x]);

/** Any 64 bits: edges, numbers of any length, and neighbours of rounding boundaries. */
const word = fc.oneof(
  fc.constantFrom(...edges),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.integer({ min: 0, max: 63 }))
    .map(([x, n]) => x >> BigInt(n)),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 2n ** 26n }), fc.integer({ min: 0, max: 38 }), fc.integer({ min: -1, max: 1 }))
    .map(([x, n, d]) => (x << BigInt(n)) + BigInt(d)),
);
const signedness = fc.boolean();

function wrap(x: bigint, signed: boolean): bigint {
  return signed ? BigInt.asIntN(64, x) : BigInt.asUintN(64, x);
}

function halves(...values: bigint[]): Int32Array {
  return new Int32Array(BigInt64Array.from(values.map((x) => BigInt.asIntN(64, x))).buffer);
}

function read(data: Int32Array, signed: boolean): bigint[] {
  return Array.from({ length: data.length / 2 }, (_, i) => int64.int64ToBigInt(data, 2 * i, signed));
}

/** `x / 2^shift` rounded to an integer, ties to even. */
function roundShift(x: bigint, shift: bigint): bigint {
  const quotient = x >> shift;
  const rest = x - (quotient << shift);
  const half = 1n << (shift - 1n);
  return rest > half || (rest === half && quotient % 2n !== 0n) ? quotient + 1n : quotient;
}

/** The integer rounded to so many significant bits, ties to even. */
function roundToBits(x: bigint, precision: number): bigint {
  const size = x < 0n ? -x : x;
  const excess = BigInt(size.toString(2).length - precision);
  if (excess <= 0n) return x;
  const rounded = roundShift(size, excess) << excess;
  return x < 0n ? -rounded : rounded;
}

describe("numbers and bigints", () => {
  it("writes any finite number truncated, modulo 2^64", () => {
    const size = fc
      .tuple(fc.double({ min: -2, max: 2, noNaN: true }), fc.integer({ min: 0, max: 120 }))
      .map(([m, e]) => m * 2 ** e);
    const whole = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.oneof(size, whole), (x) => {
        const out = new Int32Array(4);
        int64.writeInt64FromNumber(out, 2, x);
        expect(int64.int64ToBigInt(out, 2, true)).toBe(BigInt.asIntN(64, BigInt(Math.trunc(x))));
        expect(int64.int64ToBigInt(out, 2, false)).toBe(BigInt.asUintN(64, BigInt(Math.trunc(x))));
      }),
      { numRuns: tries(2000) },
    );
  });

  it.each([NaN, Infinity, -Infinity])("writes %s as 0", (x) => {
    const out = halves(5n);
    int64.writeInt64FromNumber(out, 0, x);
    expect(read(out, true)).toEqual([0n]);
  });

  it("saturates numbers out of range", () => {
    const size = fc
      .tuple(fc.double({ min: -2, max: 2, noNaN: true }), fc.integer({ min: 0, max: 70 }))
      .map(([m, e]) => m * 2 ** e);
    fc.assert(
      fc.property(size, signedness, (x, signed) => {
        const [low, high] = signed ? [-(2n ** 63n), 2n ** 63n - 1n] : [0n, 2n ** 64n - 1n];
        const exact = BigInt(Math.trunc(x));
        const out = new Int32Array(2);
        int64.writeInt64Saturating(out, 0, x, signed);
        expect(read(out, signed)).toEqual([exact < low ? low : exact > high ? high : exact]);
      }),
      { numRuns: tries(1000) },
    );
  });

  it.each([
    [NaN, 0n, 0n],
    [Infinity, 2n ** 63n - 1n, 2n ** 64n - 1n],
    [-Infinity, -(2n ** 63n), 0n],
    [2 ** 63, 2n ** 63n - 1n, 2n ** 63n],
    [2 ** 64, 2n ** 63n - 1n, 2n ** 64n - 1n],
    [-0.9, 0n, 0n],
  ])("saturates %s to %s and %s", (x, asSigned, asUnsigned) => {
    const out = new Int32Array(2);
    int64.writeInt64Saturating(out, 0, x, true);
    expect(read(out, true)).toEqual([asSigned]);
    int64.writeInt64Saturating(out, 0, x, false);
    expect(read(out, false)).toEqual([asUnsigned]);
  });

  it("writes and reads bigints in the bytes of a BigInt64Array", () => {
    fc.assert(
      fc.property(word, signedness, (x, signed) => {
        const out = new Int32Array(2);
        int64.writeInt64FromBigInt(out, 0, x);
        expect(out).toEqual(halves(x));
        expect(read(out, signed)).toEqual([wrap(x, signed)]);
      }),
    );
  });

  it("gives a number up to 2^53 - 1 and a bigint beyond", () => {
    fc.assert(
      fc.property(word, signedness, (x, signed) => {
        const exact = wrap(x, signed);
        const safe = Number.isSafeInteger(Number(exact));
        expect(int64.int64ToNumberOrBigInt(halves(x), 0, signed)).toBe(safe ? Number(exact) : exact);
      }),
    );
    expect(int64.int64ToNumberOrBigInt(halves(-(2n ** 53n)), 0, true)).toBe(-(2n ** 53n));
    expect(int64.int64ToNumberOrBigInt(halves(-(2n ** 53n) + 1n), 0, true)).toBe(-(2 ** 53) + 1);
  });

  it("rounds once to f64, f32, f16 and bf16", () => {
    fc.assert(
      fc.property(word, signedness, (x, signed) => {
        const data = halves(x);
        const exact = wrap(x, signed);
        expect(int64.int64ToNumber(data, 0, signed)).toBe(Number(roundToBits(exact, 53)));
        const odd = int64.int64ToRoundOdd(data, 0, signed);
        expect(Math.fround(odd)).toBe(Number(roundToBits(exact, 24)));
        expect(bf16FromNumber(odd)).toBe(bf16FromNumber(Number(roundToBits(exact, 8))));
        expect(f16FromNumber(odd)).toBe(f16FromNumber(Number(roundToBits(exact, 11))));
      }),
      { numRuns: tries(3000) },
    );
  });

  it("rounds to f32 where going through f64 would give another number", () => {
    const x = 2n ** 60n + 2n ** 36n + 1n; // just above the middle of two f32, which f64 rounds to that middle
    expect(Math.fround(Number(x))).toBe(2 ** 60);
    expect(Math.fround(int64.int64ToRoundOdd(halves(x), 0, true))).toBe(2 ** 60 + 2 ** 37);
  });

  it("compares", () => {
    fc.assert(
      fc.property(word, word, signedness, (x, y, signed) => {
        const [a, b] = [wrap(x, signed), wrap(y, signed)];
        const data = halves(x, y);
        expect(Math.sign(int64.compareInt64(data, 0, data, 2, signed))).toBe(a < b ? -1 : a > b ? 1 : 0);
        expect(int64.compareInt64(data, 2, data, 2, signed)).toBe(0);
      }),
    );
  });
});

type Loop = (out: Int32Array, a: Int32Array, b: Int32Array, n: number, signed: boolean) => void | boolean;

/** Runs a loop over pairs three ways (fresh output, over the left operand, over the right one) against bigints. */
function checkBinary(loop: Loop, expected: (a: bigint, b: bigint, signed: boolean) => bigint, right = word): void {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, right), { minLength: 1, maxLength: 5 }), signedness, (pairs, signed) => {
      const wanted = pairs.map(([x, y]) => wrap(expected(wrap(x, signed), wrap(y, signed), signed), signed));
      const a = (): Int32Array => halves(...pairs.map((p) => p[0]));
      const b = (): Int32Array => halves(...pairs.map((p) => p[1]));
      const [out, left, rightSide] = [new Int32Array(2 * pairs.length), a(), b()];
      loop(out, left, b(), pairs.length, signed);
      loop(left, left, b(), pairs.length, signed);
      loop(rightSide, a(), rightSide, pairs.length, signed);
      for (const data of [out, left, rightSide]) expect(read(data, signed)).toEqual(wanted);
    }),
    { numRuns: tries(600) },
  );
}

function checkUnary(
  loop: (out: Int32Array, a: Int32Array, n: number, signed: boolean) => void,
  expected: (a: bigint, signed: boolean) => bigint,
  signs = signedness,
): void {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), signs, (values, signed) => {
      const out = new Int32Array(2 * values.length);
      loop(out, halves(...values), values.length, signed);
      expect(read(out, signed)).toEqual(values.map((x) => wrap(expected(wrap(x, signed), signed), signed)));
      const same = halves(...values);
      loop(same, same, values.length, signed);
      expect(same).toEqual(out);
    }),
    { numRuns: tries(600) },
  );
}

const nonZero = word.filter((x) => BigInt.asUintN(64, x) !== 0n);

describe("block loops", () => {
  it("add", () => checkBinary(int64.add, (a, b) => a + b));
  it("subtract", () => checkBinary(int64.subtract, (a, b) => a - b));
  it("multiply", () => checkBinary(int64.multiply, (a, b) => a * b));
  it("quotient", () => checkBinary(int64.quotient, (a, b) => a / b, nonZero));
  it("remainder", () => checkBinary(int64.remainder, (a, b) => a % b, nonZero));
  it("bitwiseAnd", () => checkBinary(int64.bitwiseAnd, (a, b) => a & b));
  it("bitwiseOr", () => checkBinary(int64.bitwiseOr, (a, b) => a | b));
  it("bitwiseXor", () => checkBinary(int64.bitwiseXor, (a, b) => a ^ b));
  it("min", () => checkBinary(int64.min, (a, b) => (a < b ? a : b)));
  it("max", () => checkBinary(int64.max, (a, b) => (a > b ? a : b)));

  const counts = fc.oneof(fc.bigInt({ min: 0n, max: 70n }), fc.constantFrom(2n ** 32n, 2n ** 32n + 1n, 2n ** 62n));
  it("leftShift", () => checkBinary(int64.leftShift, (a, b) => (b >= 64n ? 0n : a << b), counts));
  it("rightShift", () => checkBinary(int64.rightShift, (a, b) => a >> (b >= 64n ? 64n : b), counts));

  it("pow", () => {
    const power = (a: bigint, b: bigint): bigint => {
      let result = 1n;
      for (let i = b.toString(2).length - 1; i >= 0; i--) {
        result = BigInt.asUintN(64, result * result * ((b >> BigInt(i)) & 1n ? a : 1n));
      }
      return result;
    };
    checkBinary(
      int64.pow,
      power,
      fc.oneof(fc.bigInt({ min: 0n, max: 70n }), fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })),
    );
  });

  it("negate", () => checkUnary(int64.negate, (a) => -a));
  it("bitwiseNot", () => checkUnary(int64.bitwiseNot, (a) => ~a));
  it("abs", () => checkUnary(int64.abs, (a) => (a < 0n ? -a : a), fc.constant(true)));
  it("sign", () => checkUnary(int64.sign, (a) => (a < 0n ? -1n : a > 0n ? 1n : 0n)));

  const binaryDigits = (a: bigint): string => BigInt.asUintN(64, a).toString(2);
  it("countLeadingZeros", () =>
    checkUnary(int64.countLeadingZeros, (a) => (a === 0n ? 64n : 64n - BigInt(binaryDigits(a).length))));
  it("populationCount", () =>
    checkUnary(int64.populationCount, (a) => BigInt(binaryDigits(a).replaceAll("0", "").length)));

  it("wraps the lowest value divided by -1", () => {
    const [out, a, b] = [new Int32Array(2), halves(-(2n ** 63n)), halves(-1n)];
    expect(int64.quotient(out, a, b, 1, true)).toBe(true);
    expect(read(out, true)).toEqual([-(2n ** 63n)]);
    expect(int64.remainder(out, a, b, 1, true)).toBe(true);
    expect(read(out, true)).toEqual([0n]);
  });

  it("reports zero divisors, negative exponents and negative counts", () => {
    const [out, a] = [new Int32Array(4), halves(5n, 6n)];
    expect(int64.quotient(out, a, halves(1n, 0n), 2, true)).toBe(false);
    expect(int64.remainder(out, a, halves(1n, 0n), 2, false)).toBe(false);
    expect(int64.pow(out, a, halves(1n, -1n), 2, true)).toBe(false);
    expect(int64.leftShift(out, a, halves(1n, -1n), 2, true)).toBe(false);
    expect(int64.rightShift(out, a, halves(1n, -1n), 2, true)).toBe(false);
    // Without a sign, the same bits are a large count.
    expect(int64.leftShift(out, a, halves(1n, -1n), 2, false)).toBe(true);
    expect(read(out, false)).toEqual([10n, 0n]);
  });
});
