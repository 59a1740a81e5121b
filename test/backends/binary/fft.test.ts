/** Fourier transforms as a primitive: against the definition for every small length, and the laws of long ones. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DTYPES, isComplex, type DType } from "../../../lib/core/types";
import type { Tensor } from "../../../lib/tensor";
import { FFT_ERROR } from "../../tolerances";
import * as s from "./support";

type Pair = readonly [re: number, im: number];

/** Cosine and sine of 2 pi k / n with the angle folded below an eighth of the circle, where both are within half an ulp or so. */
function turn(k: number, n: number): Pair {
  if (8 * k > 4 * n) return conjugateOf(turn(n - k, n));
  if (8 * k > 2 * n) {
    const [cos, sin] = turn(Math.abs(4 * k - n), 4 * n);
    return [4 * k > n ? -sin : sin, cos];
  }
  if (8 * k > n) {
    const angle = (2 * Math.PI * (n - 4 * k)) / (4 * n);
    return [Math.sin(angle), Math.cos(angle)];
  }
  const angle = (2 * Math.PI * k) / n;
  return [Math.cos(angle), Math.sin(angle)];
}

const conjugateOf = ([re, im]: Pair): Pair => [re, -im];

/** A sum that carries what each addition rounds away (Neumaier). */
function exactSum(terms: readonly number[]): number {
  let [sum, lost] = [0, 0];
  for (const x of terms) {
    const next = sum + x;
    lost += Math.abs(sum) >= Math.abs(x) ? sum - next + x : x - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** By the definition. */
function naive(x: readonly Pair[], inverse: boolean): Pair[] {
  const n = x.length;
  const turns = Array.from({ length: n }, (_, k) => (inverse ? turn(k, n) : conjugateOf(turn(k, n))));
  return x.map((_, k) => {
    const terms = x.map(([re, im], j) => {
      const [c, d] = turns[(j * k) % n]!;
      return [re * c, -im * d, re * d, im * c] as const;
    });
    const sum = (a: 0 | 2, b: 1 | 3) => exactSum(terms.flatMap((t) => [t[a], t[b]])) / (inverse ? n : 1);
    return [sum(0, 1), sum(2, 3)];
  });
}

const norm = (x: readonly Pair[]): number => Math.hypot(...x.flat());
const difference = (a: readonly Pair[], b: readonly Pair[]): Pair[] =>
  a.map(([re, im], i) => [re - b[i]![0], im - b[i]![1]]);

/** How far two spectra are apart, in epsilons of the norm for each doubling of the length. */
function errorIn(actual: readonly Pair[], expected: readonly Pair[]): number {
  return norm(difference(actual, expected)) / (2 ** -52 * Math.log2(2 * expected.length) * norm(expected));
}

function complexes(type: "c64" | "c128", shape: readonly number[], values: readonly Pair[]): Tensor {
  const array = type === "c64" ? Float32Array.from(values.flat()) : Float64Array.from(values.flat());
  return s.fromBytes(type, shape, new Uint8Array(array.buffer));
}

function transform(x: Tensor, type: DType, inverse = false, eps = 0): Pair[] {
  return s.valuesOf(
    s.run("fft", type, x.shape, [x], { axis: x.shape.length - 1, inverse, eps, half: false }),
  ) as Pair[];
}

/** Numbers of 20 bits around 0, the same each time. */
function sample(n: number, seed: number): Pair[] {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >> 12) / 2 ** 10;
  };
  return Array.from({ length: n }, () => [next(), next()] as const);
}

it.each([0, 1, 2])("goes along axis %i", (axis) => {
  const shape = [3, 5, 4] as const;
  const x = sample(60, axis);
  const attrs = { axis, inverse: false, eps: 0, half: false };
  const found = s.valuesOf(s.run("fft", "c128", shape, [complexes("c128", shape, x)], attrs)) as Pair[];
  const [n, step] = [shape[axis]!, [20, 4, 1][axis]!];
  for (let first = 0; first < 60; first++) {
    if (Math.floor(first / step) % n > 0) continue;
    const line = (of: readonly Pair[]): Pair[] => Array.from({ length: n }, (_, i) => of[first + i * step]!);
    expect(errorIn(line(found), naive(line(x), false)), `line of ${first}`).toBeLessThan(FFT_ERROR);
  }
});

describe("every length from 1 to 130", () => {
  it.each([false, true])("is what the definition gives, inverse %s", (inverse) => {
    for (let n = 1; n <= 130; n++) {
      const x = sample(n, n);
      const error = errorIn(transform(complexes("c128", [n], x), "c128", inverse), naive(x, inverse));
      expect(error, `length ${n}`).toBeLessThan(FFT_ERROR);
    }
  });

  it("has the inverse that gives the numbers back", () => {
    for (let n = 1; n <= 130; n++) {
      const x = sample(n, n + 1000);
      const there = complexes("c128", [n], transform(complexes("c128", [n], x), "c128"));
      expect(errorIn(transform(there, "c128", true), x), `length ${n}`).toBeLessThan(2 * FFT_ERROR);
    }
  });

  it("transforms a single one to a single turn, and ones to a single element", () => {
    for (let n = 1; n <= 130; n++) {
      const at = n > 1 ? 1 : 0;
      const one = Array.from({ length: n }, (_, i) => [Number(i === at), 0] as const);
      const turns = one.map((_, k) => conjugateOf(turn((k * at) % n, n)));
      expect(errorIn(transform(complexes("c128", [n], one), "c128"), turns), `length ${n}`).toBeLessThan(FFT_ERROR);
      const ones = transform(complexes("c128", [n], new Array<Pair>(n).fill([1, 0])), "c128");
      const peak = ones.map((_, k) => [k === 0 ? n : 0, 0] as const);
      expect(errorIn(ones, peak), `length ${n}`).toBeLessThan(FFT_ERROR);
    }
  });
});

describe("long lengths", () => {
  // Powers, products of small primes, squares of the largest prime that has a step of its own, and primes beyond it.
  const lengths = [2 ** 11, 3 ** 7, 5 ** 5, 61 * 61, 59 * 61, 67 * 67, 6 * 1009, 10007, 30030, 2 ** 15, 44100];

  it.each(lengths)("of %i keep the norm, and their inverse gives the numbers back", (n) => {
    const x = sample(n, n);
    const spectrum = transform(complexes("c128", [n], x), "c128");
    const length = (values: readonly Pair[]) => Math.sqrt(exactSum(values.flatMap(([re, im]) => [re * re, im * im])));
    const bound = 2 ** -52 * Math.log2(2 * n) * FFT_ERROR;
    expect(Math.abs(length(spectrum) / (Math.sqrt(n) * length(x)) - 1)).toBeLessThan(bound);
    const back = transform(complexes("c128", [n], spectrum), "c128", true);
    expect(length(difference(back, x)) / length(x)).toBeLessThan(2 * bound);
  });

  it.each(lengths)("of %i turn where the numbers move on", (n) => {
    const x = sample(n, n + 7);
    const moved = x.map((_, i) => x[(i + n - 1) % n]!);
    const spectrum = transform(complexes("c128", [n], x), "c128");
    const turned = spectrum.map(([re, im], k): Pair => {
      const [c, d] = conjugateOf(turn(k, n));
      return [re * c - im * d, re * d + im * c];
    });
    expect(errorIn(transform(complexes("c128", [n], moved), "c128"), turned)).toBeLessThan(2 * FFT_ERROR);
  });

  it("are the same however many other lengths were transformed in between", () => {
    const x = complexes("c128", [67], sample(67, 1));
    const before = transform(x, "c128");
    for (let n = 1; n <= 40; n++) transform(complexes("c128", [n], sample(n, n)), "c128");
    expect(transform(x, "c128")).toEqual(before);
    transform(x, "c128", true);
    expect(transform(x, "c128")).toEqual(before);
  });
});

describe("lines and types", () => {
  it("takes each line of the last axis by itself", () => {
    const shapes = fc.tuple(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(1, 6, 8, 67),
    );
    fc.assert(
      fc.property(shapes, fc.nat(1000), fc.boolean(), ([a, b, n], seed, inverse) => {
        const values = sample(a * b * n, seed);
        const all = transform(complexes("c128", [a, b, n], values), "c128", inverse);
        for (let line = 0; line < a * b; line++) {
          const own = complexes("c128", [n], values.slice(line * n, (line + 1) * n));
          expect(all.slice(line * n, (line + 1) * n)).toEqual(transform(own, "c128", inverse));
        }
      }),
    );
  });

  it.each(DTYPES)("reads %s, and rounds to c64 once", (type) => {
    for (const n of [1, 4, 15, 67, 128]) {
      const given = sample(n, n).map(([re, im]): Pair => [Math.floor(re) & 127, Math.floor(im) & 127]);
      const x = isComplex(type)
        ? complexes(type, [n], given)
        : s.fromNumbers(
            type,
            [n],
            given.map(([re]) => re),
          );
      const exact = naive(isComplex(type) ? given : given.map(([re]) => [re, 0] as const), false);
      const wide = transform(x, "c128");
      expect(errorIn(wide, exact), `length ${n}`).toBeLessThan(FFT_ERROR);
      expect(transform(x, "c64")).toEqual(wide.map(([re, im]) => [Math.fround(re), Math.fround(im)]));
    }
  });

  it("reads 64-bit integers as the nearest doubles", () => {
    const big = 2n ** 63n - 2n ** 20n;
    expect(transform(s.fromNumbers("s64", [2], [big, -big]), "c128")).toEqual([
      [0, 0],
      [2 * Number(big), 0],
    ]);
    expect(transform(s.fromNumbers("u64", [1], [2n ** 64n - 2n ** 12n]), "c128")).toEqual([[2 ** 64 - 2 ** 12, 0]]);
  });

  it("spreads NaN and infinities over their line only", () => {
    const values: Pair[] = [...sample(3, 1), [NaN, 0], ...sample(4, 2), [Infinity, 0], ...sample(3, 3)];
    const result = transform(complexes("c128", [3, 4], values), "c128");
    const finite = result.map((parts) => parts.every(Number.isFinite));
    expect(finite.slice(0, 4)).toEqual([false, false, false, false]);
    expect(finite.slice(4, 8)).toEqual([true, true, true, true]);
    expect(finite.slice(8)).toEqual([false, false, false, false]);
  });
});

describe("eps", () => {
  const x = () => complexes("c128", [2], [[0.75, -0.5], [0.25, 0.25]]); // prettier-ignore

  it("makes parts of at most that magnitude 0, one by one", () => {
    expect(transform(x(), "c128", false, 0)).toEqual([[1, -0.25], [0.5, -0.75]]); // prettier-ignore
    expect(transform(x(), "c128", false, 0.24)).toEqual([[1, -0.25], [0.5, -0.75]]); // prettier-ignore
    expect(transform(x(), "c128", false, 0.25)).toEqual([[1, 0], [0.5, -0.75]]); // prettier-ignore
    expect(transform(x(), "c128", false, 0.75)).toEqual([[1, 0], [0, 0]]); // prettier-ignore
  });

  it("is compared after the division by the length", () => {
    expect(transform(x(), "c128", true, 0.25)).toEqual([[0.5, 0], [0, -0.375]]); // prettier-ignore
  });

  it("leaves NaN", () => {
    expect(transform(complexes("c128", [1], [[NaN, 1]]), "c128", false, 2)).toEqual([[NaN, 0]]);
  });
});
