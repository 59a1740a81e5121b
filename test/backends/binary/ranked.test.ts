import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { isFloat, isUnsigned } from "../../../lib/core/types";
import { run } from "../../../lib/nx/dispatch";
import { ARGSORT_AT, RANKED } from "../../../lib/backends/blocks";

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

const SHAPES = [
  [1, 1, 1],
  [2, 77, 1],
  [1, 301, 3],
  [1, 33000, 1],
] as const;

/** Numbers of a kind in a shape, and places of the order of its lines, in ascending order. */
function operandsOf(kind: string, type: Real, shape: (typeof SHAPES)[number]) {
  const [before, n, after] = shape;
  const flat = Nx.tensor(numbersOf(kind, type, before * n * after), { type, backend: "binary" });
  const x = Nx.reshape(flat, [...shape]);
  const zeros = Number(Nx.sum(Nx.less(x, 0)).toNumber()); // where zeros begin, were it one line
  const all = [0, n >> 2, n >> 1, (n >> 1) + 1, n - 2, n - 1, zeros, zeros + 1];
  const places = [...new Set(all)].filter((i) => i >= 0 && i < n).sort((a, b) => a - b);
  // for floats without infinities and zeros the first bits tell enough
  const isFound = n > 300 && (kind === "spread" || kind === "negative") && (type === "f32" || type === "f64");
  return { x, places, isFound };
}

describe("the block ranked", () => {
  for (const kind of Object.keys(KINDS)) {
    it.each(TYPES)(`gives the bits of sorted %s: ${kind}`, (type) => {
      for (const shape of SHAPES) {
        const { x, places, isFound } = operandsOf(kind, type, shape);
        const wanted = composed(x, 1, places);
        const [result, asked] = ranked(x, 1, places);
        expect(Nx.toBinary(result), shape.join(" ")).toEqual(Nx.toBinary(wanted));
        if (isFound) expect(asked).toBe(false);
      }
    });
  }
});

describe("the block argsortAt", () => {
  for (const kind of Object.keys(KINDS)) {
    it.each(TYPES)(`gives positions that sort %s: ${kind}`, (type) => {
      for (const shape of SHAPES) {
        const { x, places, isFound } = operandsOf(kind, type, shape);
        const at = Nx.tensor([...places.slice(1), places[0]!, places[0]!], { type: "u32" }); // in no order, one twice
        for (const direction of shape[1] > 1000 ? (["desc"] as const) : (["asc", "desc"] as const)) {
          const composite = (t: Nx.Tensor, chosen: Nx.Tensor): Nx.Tensor =>
            Nx.take(Nx.argsort(t, { axis: 1, direction, type: "u32" }), chosen, { axis: 1 });
          let asked = false;
          const out = { type: "u32", shape: [shape[0], at.shape[0]!, shape[2]], names: [null, null, null] } as const;
          const result = run("block", out, [x, at], {
            name: ARGSORT_AT,
            options: { axis: 1, direction },
            fn: (t, chosen) => {
              asked = true;
              return composite(t!, chosen!);
            },
          });
          expect(Nx.toBinary(result), `${shape.join(" ")} ${direction}`).toEqual(Nx.toBinary(composite(x, at)));
          if (isFound) expect(asked).toBe(false);
        }
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

describe.each(["binary", "wasm"] as const)("a few positions of long lines on %s", (backend) => {
  const n = 40_000;

  it.each(["s32", "f32", "f64", "s64"] as const)("are those of the whole order: topK of %s", (type) => {
    const x = Nx.tensor(
      Array.from({ length: 2 * n }, (_, i) => ((i * 7919) % 10_007) - 5_000.5),
      { type: "f64", backend },
    );
    const lines = Nx.asType(Nx.reshape(x, [2, n]), type);
    for (const k of [1, 100, 3000]) {
      const [values, indices] = Nx.topK(lines, { k });
      const order = Nx.slice(Nx.argsort(lines, { axis: 1, direction: "desc" }), [0, 0], [2, k]);
      expect(Nx.toList(indices)).toEqual(Nx.toList(order));
      expect(Nx.toList(values)).toEqual(Nx.toList(Nx.takeAlongAxis(lines, order, { axis: 1 })));
    }
  });

  it("are those of a whole permutation: choice without replacement", () => {
    const key = Nx.withDefaultBackend(backend, () => Nx.Random.key(5));
    const t = Nx.tensor(
      Array.from({ length: n }, (_, i) => 2 * i),
      { backend },
    );
    const [all, next] = Nx.Random.permutation(key, n);
    for (const samples of [1, 50, 5000, n]) {
      const [chosen, last] = Nx.Random.choice(key, t, { samples, replace: false });
      expect(Nx.toList(chosen)).toEqual(Nx.toList(Nx.multiply(Nx.slice(all, [0], [samples]), 2)));
      expect(Nx.toList(last)).toEqual(Nx.toList(next));
    }
  });

  it("are those of all: choice by probabilities without replacement", () => {
    const key = Nx.withDefaultBackend(backend, () => Nx.Random.key(6));
    const p = Nx.tensor(
      Array.from({ length: n }, (_, i) => (i % 100) / n),
      { type: "f32", backend },
    );
    const t = Nx.iota([n], { backend });
    const chosen = (samples: number): unknown => Nx.toList(Nx.Random.choice(key, t, p, { samples, replace: false })[0]);
    expect(chosen(500)).toEqual((chosen(n / 2) as number[]).slice(0, 500));
  });
});
