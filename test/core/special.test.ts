import { describe, expect, it } from "vitest";
import * as special from "../../lib/core/special";
import * as errorFunctions from "../../scripts/accuracy/error-functions";
import { sigmoid } from "../../scripts/accuracy/reference";
import { decode, readOracle, ulpsApart, type Coded } from "../oracles/read";
import { POW_ULP, SPECIAL_ULP } from "../tolerances";

interface SpecialOracle {
  unary: Record<string, [Coded, Coded][]>;
  exact: Record<string, Coded[][]>;
  pow: [Coded, Coded, Coded][];
}

const oracle = readOracle<SpecialOracle>("special.json");
const functions = { ...special, ...errorFunctions, sigmoid } as unknown as Record<
  string,
  (...args: number[]) => number
>;

function call(name: string, args: number[]): number {
  return (functions[name] as (...args: number[]) => number)(...args);
}

/** The rows that are further off than allowed, as readable text. */
function misses(name: string, rows: Coded[][], tolerance: number): string[] {
  return rows.flatMap((row) => {
    const numbers = row.map(decode);
    const args = numbers.slice(0, -1);
    const expected = numbers[numbers.length - 1] as number;
    const actual = call(name, args);
    const apart = ulpsApart(actual, expected);
    return apart <= tolerance ? [] : [`${name}(${args.join(", ")}) = ${actual}, expected ${expected} (${apart} ulp)`];
  });
}

describe("against results computed in high precision", () => {
  it.each(Object.keys(oracle.unary))("%s", (name) => {
    expect(misses(name, oracle.unary[name] as Coded[][], SPECIAL_ULP)).toEqual([]);
  });

  it("pow", () => {
    expect(misses("pow", oracle.pow, POW_ULP)).toEqual([]);
  });

  it.each(Object.keys(oracle.exact))("%s, exactly", (name) => {
    expect(misses(name, oracle.exact[name] as Coded[][], 0)).toEqual([]);
  });
});

describe("edges", () => {
  it("rounds halves away from zero without rounding before", () => {
    expect(special.roundHalfAway(0.49999999999999994)).toBe(0);
    expect(special.roundHalfAway(-2.5)).toBe(-3);
    expect(special.roundHalfAway(-0.3)).toBe(-0);
    expect(special.roundHalfAway(2 ** 52 + 1)).toBe(2 ** 52 + 1);
  });

  it("settles powers as C99 does", () => {
    expect(special.pow(1, NaN)).toBe(1);
    expect(special.pow(-1, Infinity)).toBe(1);
    expect(special.pow(-1, -Infinity)).toBe(1);
    expect(special.pow(NaN, 0)).toBe(1);
    expect(special.pow(-8, 1 / 3)).toBe(NaN);
    expect(special.pow(-0, -3)).toBe(-Infinity);
  });

  it("gives small integer powers exactly", () => {
    for (let base = -20; base <= 20; base++) {
      for (let exponent = 0; exponent <= 12; exponent++) {
        const exact = Number(BigInt(base) ** BigInt(exponent));
        if (exact !== special.pow(base, exponent))
          expect([base, exponent, special.pow(base, exponent)]).toEqual([base, exponent, exact]);
      }
    }
  });

  it("measures the hypotenuse without overflow or underflow", () => {
    expect(special.hypot(3, -4)).toBe(5);
    expect(special.hypot(3e300, 4e300)).toBe(5e300);
    expect(special.hypot(3e-320, 4e-320)).toBe(5e-320);
    expect(special.hypot(0, -0)).toBe(0);
    expect(special.hypot(-Infinity, NaN)).toBe(Infinity);
    expect(special.hypot(NaN, 1)).toBe(NaN);
  });

  it("copies signs, of zeros too", () => {
    expect(special.copySign(3, -0)).toBe(-3);
    expect(special.copySign(-3, 0)).toBe(3);
    expect(special.copySign(-0, 5)).toBe(0);
  });
});
