/** Cosine transforms, analytic signals, digital filters and mel filters against SciPy and NumPy (test/oracles/make_filters.py), and their laws. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { readOracle } from "../oracles/read";
import { GRADIENT } from "../tolerances";
import { close, expectClose, tensorOf, wave, type Coded, type Filtered, type Options } from "./coded";

interface Oracle {
  readonly cosines: readonly {
    readonly x: Coded;
    readonly options: Options;
    readonly dct: Coded;
    readonly idct: Coded;
  }[];
  readonly analytic: readonly { readonly x: Coded; readonly options: Options; readonly hilbert: Coded }[];
  readonly filters: readonly Filtered[];
  readonly mels: readonly { readonly bands: number; readonly options: Options; readonly weights: Coded }[];
}

const ORACLE = readOracle<Oracle>("filters.json");

type Filter = (t: Nx.Tensor, options: object) => Nx.Tensor;
const { dct, idct, hilbert, lfilter } = Nx.Signal as unknown as Record<"dct" | "idct" | "hilbert" | "lfilter", Filter>;
const continued = lfilter as unknown as (t: Nx.Tensor, options: object) => readonly [Nx.Tensor, Nx.Tensor];

/** Compares the gradient of a sum of squares with differences of fourth order. */
function expectGradient(fn: (t: Nx.Tensor) => Nx.Tensor, at: Nx.Tensor): void {
  const total = (t: Nx.Tensor): Nx.Tensor => fn(t).square().sum();
  const gradient = Nx.grad(total)(at).toFlatList() as number[];
  const step = 1e-4;
  gradient.forEach((slope, i) => {
    const value = (k: number): number => Number(total(Nx.indexedAdd(at, Nx.tensor([i]), k * step)).toNumber());
    const want = (value(-2) - 8 * value(-1) + 8 * value(1) - value(2)) / (12 * step);
    expect(Math.abs(slope - want)).toBeLessThan(GRADIENT * Math.max(1, Math.abs(want)));
  });
}

/** The same bytes traced, vectorized and on binary. */
function expectAlike(call: (t: Nx.Tensor) => Nx.Tensor, x: Nx.Tensor): void {
  const bytes = call(x).toBinary();
  expect(Nx.defn(call)(x).toBinary()).toEqual(bytes);
  expect(Nx.Defn.vmap(call)(x).toBinary()).toEqual(bytes);
  expect(call(Nx.backendCopy(x, "binary")).toBinary()).toEqual(bytes);
}

describe("cosine transforms", () => {
  it("are those of SciPy, of all types, norms, lengths and axes, and so are their inverses", () => {
    for (const { x, options, ...want } of ORACLE.cosines) {
      expectClose(dct(tensorOf(x), options), tensorOf(want.dct));
      expectClose(idct(tensorOf(x), options), tensorOf(want.idct));
    }
  });

  it("are taken back by their inverses; the orthonormal ones keep sums of squares but for type 1", () => {
    const given = { n: fc.integer({ min: 2, max: 40 }), type: fc.constantFrom(1, 2, 3, 4), seed: fc.nat(99) };
    fc.assert(
      fc.property(fc.record(given), ({ n, type, seed }) => {
        const x = wave(n).add(seed);
        for (const norm of ["backward", "ortho"]) {
          close(idct(dct(x, { type, norm }), { type, norm }), x);
        }
        const power = (t: Nx.Tensor): number => Number(t.square().sum().toNumber());
        if (type !== 1) expect(power(dct(x, { type, norm: "ortho" })) / power(x)).toBeCloseTo(1, 12);
      }),
      { numRuns: 60 },
    );
  });

  it("keep float types and names, take another name, and are rounded once", () => {
    const t = Nx.f32([[1, 2, 4], [3, 1, 5]], { names: ["row", "time"] }); // prettier-ignore
    const spectrum = Nx.Signal.dct(t, "row", { name: "frequency" });
    expect([spectrum.type, spectrum.shape, spectrum.names]).toEqual(["f32", [2, 3], ["frequency", "time"]]);
    expect(Nx.Signal.dct(Nx.f16([1, 2])).type).toBe("f16");
    expect(Nx.Signal.dct(Nx.tensor([1, 2])).type).toBe("f32");
    expect(dct(t, {}).toList()).toEqual(dct(t.asType("f64"), {}).asType("f32").toList());
    expect(() => Nx.Signal.dct(t, "row", { name: "time" })).toThrow(/duplicate names/);
  });

  it("have gradients, and are the same traced, vectorized and on binary", () => {
    for (const type of [1, 2, 3, 4]) {
      expectGradient((t) => dct(t, { type, norm: "ortho" }).add(idct(t, { type })), wave(6));
      expectAlike((t) => dct(t, { type }), wave(24).reshape([3, 8]).asType("f32"));
    }
  });

  it("have the bits of what they are made of, for every kind of length", () => {
    for (const n of [1, 2, 3, 5, 6, 8, 9]) {
      for (const norm of ["backward", "ortho"]) {
        for (const type of ["f32", "f64"] as const) {
          const x = wave(3 * n).reshape([3, n]).asType(type); // prettier-ignore
          expectAlike((t) => dct(t, { norm }).add(idct(t, { norm })), x);
          const columns = wave(6 * n).reshape([3, n, 2]).asType(type); // prettier-ignore
          expectAlike((t) => dct(t, { axis: -2 }).add(idct(t, { axis: -2, norm })), columns);
        }
      }
    }
  });
});

describe("analytic signals", () => {
  it("are those of SciPy", () => {
    for (const { x, options, hilbert: want } of ORACLE.analytic) expectClose(hilbert(tensorOf(x), options), tensorOf(want)); // prettier-ignore
  });

  it("keep names, have gradients, and are the same traced, vectorized and on binary", () => {
    const t = Nx.f32([[1, 2, 4], [3, 1, 5]], { names: ["row", "time"] }); // prettier-ignore
    const signal = Nx.Signal.hilbert(t, "row");
    expect([signal.type, signal.names]).toEqual(["c64", ["row", "time"]]);
    expectGradient((x) => Nx.abs(hilbert(x, {})), wave(7));
    expectAlike((x) => hilbert(x, { axis: -1 }), wave(24).reshape([3, 8]));
  });
});

describe("digital filters", () => {
  it("are those of SciPy, along any axis, with and without what they held before", () => {
    for (const { x, axis, a, b, initial, ...want } of ORACLE.filters) {
      const signal = tensorOf(x);
      close(lfilter(signal, { a, b, axis }), tensorOf(want.y));
      const [y, final] = continued(signal, { a: Nx.f64([...a]), b: Nx.f64([...b]), axis, initial: tensorOf(initial) });
      close(y, tensorOf(want.continued));
      close(final, tensorOf(want.final));
    }
  });

  it("go on where a stretch ended", () => {
    const options = { b: [0.2, 0.3, 0.1], a: [1, -0.5, 0.2] };
    const x = wave(20).reshape([2, 10]);
    const [first, held] = continued(x.sliceAlongAxis(0, 6, { axis: 1 }), { ...options, initial: 0 });
    const [second] = continued(x.sliceAlongAxis(6, 4, { axis: 1 }), { ...options, initial: held });
    expect(Nx.concatenate([first, second], { axis: 1 }).toBinary()).toEqual(lfilter(x, options).toBinary());
  });

  it("compute in the type of signal and tensors, numbers being doubles", () => {
    const x = Nx.f64([1, 1, 1], { names: ["time"] });
    const y = Nx.Signal.lfilter(x, { b: [0.1], a: [1, -0.1], axis: "time" });
    expect([y.type, y.names]).toEqual(["f64", ["time"]]);
    expect(y.toList()).toEqual([0.1, 0.1 + 0.1 * 0.1, 0.1 + (0.1 + 0.1 * 0.1) * 0.1]);
    expect(lfilter(Nx.f32([1]), { b: Nx.f64([0.1]) }).type).toBe("f64");
    expect(lfilter(Nx.f16([1, 2]), { b: [0.5, 0.5] }).toList()).toEqual([0.5, 1.5]);
    expect(lfilter(Nx.tensor([2, 4]), { b: [0.5] }).toList()).toEqual([1, 2]);
    const turning = lfilter(Nx.f64([1, 0, 0]), { b: [1], a: Nx.tensor([new Nx.Complex(1), new Nx.Complex(0, -1)]) });
    expect(turning.toList()).toEqual([new Nx.Complex(1), new Nx.Complex(0, 1), new Nx.Complex(-1, 0)]);
  });

  it("have gradients by signal and coefficients, and are the same traced, vectorized and on binary", () => {
    const [x, b, a] = [wave(8), Nx.f64([0.2, 0.3, 0.1]), Nx.f64([2, -0.5, 0.2])];
    expectGradient((t) => lfilter(t, { b, a }), x);
    expectGradient((t) => lfilter(x, { b: t, a }), b);
    expectGradient((t) => lfilter(x, { b, a: t }), a);
    expectAlike((t) => lfilter(t, { b, a }), wave(24).reshape([3, 8]));
  });
});

describe("mel filters", () => {
  it("are triangles between equal steps of both scales", () => {
    for (const { bands, options, weights } of ORACLE.mels) {
      close(Nx.Signal.melFilters(bands, { ...options, type: "f64" } as never), tensorOf(weights));
    }
  });

  it("have names and the default float type, or those that are asked for", () => {
    const options = { fftLength: 16, samplingRate: 100 };
    const t = Nx.Signal.melFilters(3, options);
    expect([t.type, t.shape, t.names]).toEqual(["f32", [3, 9], ["mel", "frequency"]]);
    expect(Nx.Signal.melFilters(3, { ...options, names: ["band", null] }).names).toEqual(["band", null]);
    expect(Nx.withFloatType("f64", () => Nx.Signal.melFilters(3, options)).type).toBe("f64");
  });
});

const MEL = { fftLength: 16, samplingRate: 100 };

it.each<[string, () => unknown]>([
  ["option type of Nx.Signal.dct must be 1, 2, 3 or 4, got: 5", () => dct(wave(4), { type: 5 })],
  ["Nx.Signal.idct of type 1 needs at least 2 elements along the axis, got 1", () => idct(wave(1), { type: 1 })],
  ["Nx.Signal.dct expects real numbers, got type c64", () => dct(Nx.c64([1, 2]), {})],
  ["Nx.Signal.hilbert expects real numbers, got type c64", () => hilbert(Nx.c64([1, 2]), {})],
  ["option length of Nx.Signal.hilbert", () => hilbert(wave(4), { length: 0 })],
  ["Nx.Signal.lfilter needs its coefficients as options", () => lfilter(wave(4), undefined as never)],
  ["unknown option \"zi\" for Nx.Signal.lfilter", () => lfilter(wave(4), { b: [1], zi: 0 })],
  ["where SciPy has lfilter(b, a, x); write Nx.Signal.lfilter(x, { b, a })", () => (lfilter as (...args: unknown[]) => unknown)([1], [1], wave(4))],
  ["Nx.Signal.lfilter divides by a[0], which is 0", () => lfilter(wave(4), { b: [1], a: [0, 1] })],
  ["option b of Nx.Signal.lfilter expects coefficients of one axis, got: f64[1][2]", () => lfilter(wave(4), { b: [[1, 2]] })],
  ["expects 2 elements along the axis of time, shape [2] or what broadcasts to it, got shape [3]", () => lfilter(wave(4), { b: [1, 2, 3], initial: Nx.f64([1, 2, 3]) })],
  ["holds nothing: leave out the option initial", () => lfilter(wave(4), { b: [1], initial: 0 })],
  ["Nx.Signal.melFilters expects the number of bands as a positive integer, got: 0", () => Nx.Signal.melFilters(0, MEL)],
  ["Nx.Signal.melFilters needs the options fftLength and samplingRate", () => Nx.Signal.melFilters(3, { fftLength: 4 } as never)],
  ["expects 0 <= lowest < highest <= 50, half the sampling rate, got: 20 and 10", () => Nx.Signal.melFilters(3, { ...MEL, lowest: 20, highest: 10 })],
  ["option names of Nx.Signal.melFilters expects the names of two axes, got: [\"mel\"]", () => Nx.Signal.melFilters(3, { ...MEL, names: ["mel"] as never })],
])("refuse: %s", (message, call) => {
  expect(call).toThrow(message);
}); // prettier-ignore
