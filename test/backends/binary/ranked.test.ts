import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { isFloat, isUnsigned } from "../../../lib/core/types";
import { run } from "../../../lib/nx/dispatch";
import { RANKED } from "../../../lib/backends/blocks";

const TYPES = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "f16", "bf16", "f32", "f64"] as const;
type Real = (typeof TYPES)[number];

const spread = (i: number): number => (((i * 7919) % 10007) - 5003) * 2 ** (i % 7) || 1;
const some = (list: readonly number[]) => (i: number) => (i % 53 === 0 ? list[(i / 53) % list.length]! : spread(i));

/** Numbers of each kind: of many first digits, of one, of few, all below zero, and some that have no order by their bits. */
const KINDS: Readonly<Record<string, (i: number) => number>> = {
  spread,
  narrow: (i) => ((i * 31) % 97) / 64 + 1,
  same: (i) => (i * 17) % 5,
  negative: (i) => -1 - Math.abs(spread(i)),
  zeros: some([0, -0, -0]),
  infinities: some([-Infinity, Infinity]),
  special: some([NaN, -Infinity, Infinity, -0, 0]),
};

function numbersOf(kind: string, type: Real, n: number): number[] {
  const of = KINDS[kind]!;
  const bits = Number(type.replace(/\D/g, ""));
  return Array.from({ length: n }, (_, i) => {
    const x = of(i);
    if (isFloat(type)) return x;
    const whole = Number.isFinite(x) ? Math.trunc(x) : 0;
    return isUnsigned(type) ? Math.abs(whole) % 2 ** Math.min(bits, 31) : bits < 32 ? whole % 2 ** (bits - 1) : whole;
  });
}

/** The composite: sorted lines, of which the places are taken. */
const composed = (x: Nx.Tensor, axis: number, places: readonly number[]): Nx.Tensor =>
  Nx.take(Nx.sort(x, { axis }), Nx.tensor([...places]), { axis });

/** What the backend gives, and whether it asked the composite. */
function ranked(x: Nx.Tensor, axis: number, places: readonly number[]): readonly [Nx.Tensor, boolean] {
  const shape = x.shape.map((size, i) => (i === axis ? places.length : size));
  let asked = false;
  const fn = (t: Nx.Tensor): Nx.Tensor => {
    asked = true;
    return composed(t, axis, places);
  };
  const result = run("block", { type: x.type, shape, names: x.names }, [x], {
    name: RANKED,
    options: { axis, places },
    fn,
  });
  return [result, asked];
}

describe("the block ranked", () => {
  for (const kind of Object.keys(KINDS)) {
    it.each(TYPES)(`gives the bits of sorted %s: ${kind}`, (type) => {
      for (const [before, n, after] of [
        [1, 1, 1],
        [2, 77, 1],
        [1, 301, 3],
        [1, 33000, 1],
      ] as const) {
        const flat = Nx.tensor(numbersOf(kind, type, before * n * after), { type, backend: "binary" });
        const x = Nx.reshape(flat, [before, n, after]);
        const zeros = Number(Nx.sum(Nx.less(x, 0)).toNumber()); // where zeros begin, were it one line
        const all = [0, n >> 2, n >> 1, (n >> 1) + 1, n - 2, n - 1, zeros, zeros + 1];
        const places = [...new Set(all)].filter((i) => i >= 0 && i < n).sort((a, b) => a - b);
        const wanted = composed(x, 1, places);
        const [result, asked] = ranked(x, 1, places);
        expect(Nx.toBinary(result), `${before} ${n} ${after}`).toEqual(Nx.toBinary(wanted));
        if (n > 300 && (kind === "spread" || kind === "negative") && (type === "f32" || type === "f64"))
          expect(asked).toBe(false);
      }
    });
  }
});

describe.each(["binary", "wasm"] as const)("statistics of long lines on %s", (backend) => {
  const n = 40_000;
  /** The numbers from 0 to n - 1 in another order. */
  const shuffled = (type: Real): Nx.Tensor =>
    Nx.tensor(
      Array.from({ length: n }, (_, i) => (i * 7919) % n),
      { type, backend },
    );

  it.each(["s32", "f32", "f64", "s64"] as const)("of %s", (type) => {
    const x = shuffled(type);
    expect(Nx.median(x).toNumber()).toBe((n - 1) / 2);
    expect(Nx.toNumbers(Nx.quantile(x, [0, 0.1, 0.5, 1], { method: "lower" }))).toEqual([0, 3999, 19999, n - 1]);
    expect(Nx.percentile(x, 25).toNumber()).toBe((n - 1) / 4);
    const columns = Nx.stack([x, Nx.subtract(x, 7)], { axis: 1 });
    expect(Nx.toNumbers(Nx.median(columns, { axis: 0 }))).toEqual([(n - 1) / 2, (n - 1) / 2 - 7]);
  });

  it("is NaN where there is one", () => {
    const x = Nx.concatenate([shuffled("f64"), Nx.tensor([NaN], { type: "f64", backend })]);
    expect(Nx.median(x).toNumber()).toBe(NaN);
    expect(Nx.quantile(x, 0.25).toNumber()).toBe(NaN);
    expect(Nx.median(x, { nan: "skip" }).toNumber()).toBe((n - 1) / 2);
  });
});
