/** Integers of 64 bits that become floats are rounded once: against roundings of bigints. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";

type Float = "f16" | "bf16" | "f32" | "f64" | "c64" | "c128";
const DIGITS = { f16: 11, bf16: 8, f32: 24, f64: 53, c64: 24, c128: 53 } as const;
const absolute = (x: bigint): bigint => (x < 0n ? -x : x);

/** An integer rounded to so many binary digits, ties to even. */
function rounded(x: bigint, type: Float): number {
  const size = absolute(x);
  const places = BigInt(Math.max(0, size.toString(2).length - DIGITS[type]));
  const unit = 1n << places;
  const [whole, rest] = [size / unit, size % unit];
  const isUp = 2n * rest > unit || (2n * rest === unit && whole % 2n === 1n);
  const result = Number((isUp ? whole + 1n : whole) * unit) * (x < 0n ? -1 : 1);
  return type === "f16" && Math.abs(result) >= 65536 ? Math.sign(result) * Infinity : result;
}

/** Integers one above and one below what lies between two floats, for all widths; of s64 the negative ones, too. */
function between(type: "s64" | "u64"): bigint[] {
  const found = [0n, 3n, 65504n, 65519n, 65520n];
  for (const top of [54n, 56n, 60n, 62n, ...(type === "u64" ? [63n] : [])]) {
    for (const digits of [8n, 11n, 24n, 53n]) {
      const half = 1n << (top - digits);
      for (const low of [0n, 2n * half]) for (const off of [-1n, 0n, 1n]) found.push((1n << top) + low + half + off);
    }
  }
  return type === "u64" ? [...found, 2n ** 64n - 2n ** 39n - 1n, 2n ** 64n - 1n] : [...found, ...found.map((x) => -x)];
}

type Work = (x: Tensor, float: (value: number, shape?: readonly number[]) => Tensor) => Tensor;

/** Functions that give the elements of x back, in the type of the float beside it. */
const WORK: Readonly<Record<string, Work>> = {
  asType: (x, float) => x.asType(float(0).type),
  "select where it holds": (x, float) => Nx.select(Nx.greater(float(1, x.shape).abs(), 0), x, float(3)),
  "select where it does not": (x, float) => Nx.select(Nx.tensor(0), float(3), x),
  concatenate: (x, float) => Nx.concatenate([x, float(3, x.shape)]).slice([0], x.shape),
  stack: (x, float) => Nx.stack([float(3, x.shape), x]).slice([1, 0], [1, x.size]),
  pad: (x, float) => Nx.pad(float(3, [1]), x.slice([x.size - 1], [1]).squeeze(), [[x.size, -1]]),
  putSlice: (x, float) => Nx.putSlice(float(3, x.shape), [0], x),
  indexedPut: (x, float) => Nx.indexedPut(float(3, x.shape), Nx.iota([x.size, 1]), x),
  complex: (x, float) => Nx.complex(x, float(0).asType(real(float(0).type))),
};
const REAL: Readonly<Record<string, Work>> = {
  max: (x, float) => Nx.max(x, float(-Infinity)),
  min: (x, float) => Nx.min(float(Infinity, x.shape), x),
  clip: (x, float) => Nx.clip(x, float(-Infinity), float(Infinity)),
};
const real = (type: Nx.DType) => (type === "c64" ? "f32" : type === "c128" ? "f64" : type);

describe.each(["binary", "wasm"] as const)("64-bit integers beside floats on %s", (backend) => {
  const rows = Object.entries({ ...WORK, ...REAL });
  it.each(rows)("%s rounds once", (name, work) => {
    Nx.withDefaultBackend(backend, () => {
      for (const type of ["s64", "u64"] as const) {
        for (const float of Object.keys(DIGITS) as Float[]) {
          if (float.startsWith("c") && name in REAL) continue;
          const beside = (value: number, shape: readonly number[] = []) =>
            Nx.broadcast(Nx.tensor(value, { type: float }), shape);
          const fn = (x: Tensor) => work(x, beside);
          const check = (result: Tensor, values: readonly bigint[], times: number) => {
            const given = name === "pad" ? values.map(() => values.at(-1)!) : values;
            const expected = Nx.tensor(
              given.map((value) => rounded(value, result.type as Float)),
              { type: real(result.type) },
            );
            const all = Nx.tile(expected, [times]);
            expect(Nx.toBinary(Nx.real(result)), `${type} beside ${float}, ${times}`).toEqual(Nx.toBinary(all));
          };
          const values = between(type);
          const x = Nx.tensor(values, { type });
          check(fn(x), values, 1);
          check(Nx.defn(fn)(x), values, 1);
          check(fn(Nx.tile(x, [200])), values, 200);
        }
      }
    });
  });
});

it("arithmetic takes 64-bit integers beside floats for the nearest doubles", () => {
  const values = [2n ** 62n + 2n ** 38n + 1n, -(2n ** 53n) - 1n, 3n];
  for (const backend of ["binary", "wasm"] as const) {
    Nx.withDefaultBackend(backend, () => {
      const all = Array.from({ length: 2000 }, () => values).flat();
      for (const x of [Nx.s64(values), Nx.s64(all)]) {
        const doubles = x.asType("f64");
        for (const op of [Nx.add, Nx.subtract, Nx.multiply, Nx.divide]) {
          const [result, expected] = [op(x, Nx.f32(0.75)), op(doubles, 0.75).asType("f32")];
          expect(Nx.toBinary(result)).toEqual(Nx.toBinary(expected));
        }
      }
    });
  }
});
