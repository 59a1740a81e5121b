/** Rounding to decimals, against numbers rounded by the exact decimal expansion of what they are, and NumPy's rows in docs/from-numpy.md. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { errorOf } from "../aggregates/view";

/** A double rounded to decimals by its exact digits; halves by the last digit that stays, or away from zero. */
function exactly(x: number, decimals: number, even: boolean): number {
  const [digits, exponent] = [BigInt(Math.abs(x) * 2 ** 60), 60n];
  const scaled = digits * 10n ** BigInt(decimals);
  const unit = 1n << exponent;
  const [whole, rest] = [scaled / unit, 2n * (scaled % unit)];
  const isUp = rest > unit || (rest === unit && (!even || whole % 2n === 1n));
  return Math.sign(x) * Number(`${whole + (isUp ? 1n : 0n)}e-${decimals}`);
}

describe("rounding to decimals", () => {
  const eighths = fc.integer({ min: -80_000, max: 80_000 }).map((n) => n / 8);

  it("is that of the exact digits, halves away from zero or to even", () => {
    fc.assert(
      fc.property(
        fc.array(eighths, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 3 }),
        (values, decimals) => {
          const x = Nx.f64(values);
          const list = (even: boolean): number[] => values.map((value) => exactly(value, decimals, even) + 0);
          const got = (t: Nx.Tensor): number[] => (t.toFlatList() as number[]).map((value) => value + 0);
          expect(got(Nx.round(x, { decimals }))).toEqual(list(false));
          expect(got(x.roundEven({ decimals }))).toEqual(list(true));
        },
      ),
    );
  });

  it("keeps types, names, integers, and what has no decimals to lose", () => {
    const t = Nx.f32([1.25, -0.35, 7], { names: ["x"] }).round({ decimals: 1 });
    expect([t.type, t.names, t.toList()]).toEqual(["f32", ["x"], Nx.f32([1.3, -0.3, 7]).toList()]);
    expect(Nx.round(Nx.f16([0.3335, 60_000]), { decimals: 2 }).toList()).toEqual(Nx.f16([0.33, 60_000]).toList());
    expect(Nx.round(Nx.s32([12, -7]), { decimals: 3 }).toList()).toEqual([12, -7]);
    const far = [1e300, -1e300, Infinity, -Infinity, NaN, 2 ** 53 + 2, 0];
    expect(Nx.round(Nx.f64(far), { decimals: 20 }).toList()).toEqual(far);
    expect(Nx.round(1.005, { decimals: 2 }).type).toBe("f32");
  });

  it("goes to tens and hundreds with fewer decimals than none", () => {
    const x = Nx.f64([1234.5, -1250, 1350, 49, 1e20]);
    expect(x.round({ decimals: -2 }).toList()).toEqual([1200, -1300, 1400, 0, 1e20]);
    expect(x.roundEven({ decimals: -2 }).toList()).toEqual([1200, -1200, 1400, 0, 1e20]);
  });

  it("has no slope, and is the same traced, compiled and on binary", () => {
    const x = Nx.f64(Array.from({ length: 300 }, (_, i) => Math.sin(i * i) * 50));
    const call = (t: Nx.Tensor): Nx.Tensor => Nx.round(t, { decimals: 2 });
    expect(Nx.grad((t: Nx.Tensor) => call(t).sum())(x).toList()).toEqual(Array.from({ length: 300 }, () => 0));
    const bytes = call(x).toBinary();
    expect(Nx.defn(call)(x).toBinary()).toEqual(bytes);
    expect(call(Nx.backendCopy(x, "binary")).toBinary()).toEqual(bytes);
  });

  it.each<[string, () => unknown]>([
    ["option decimals of Nx.round must be an integer of at least -308, got: 1.5", () => Nx.round(1, { decimals: 1.5 })],
    ["option decimals of Nx.roundEven must be at most 308, got: 309", () => Nx.roundEven(1, { decimals: 309 })],
    ['Nx.round keeps integers, got s64 and -1 decimals; convert them first with asType("f64")', () => Nx.round(Nx.tensor([12]), { decimals: -1 })],
    ["Nx.round expects its options as an object such as { decimals: ... }, got: 2", () => Nx.round(1, 2 as never)],
    ["Nx.round is not defined for complex tensors, got type c64", () => Nx.round(Nx.c64([1]), { decimals: 1 })],
  ])("refuse: %s", (message, call) => {
    expect(errorOf(call)).toContain(message);
  }); // prettier-ignore
});
