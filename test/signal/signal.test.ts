/** Windows, frequencies, short-time spectra and spectrograms against SciPy and NumPy (test/oracles/make_signals.py), and their laws. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { readOracle } from "../oracles/read";
import { GRADIENT } from "../tolerances";
import { expectClose, tensorOf, type Coded, type Options } from "./coded";

interface Oracle {
  readonly windows: readonly {
    readonly name: string;
    readonly args: readonly number[];
    readonly options: Options;
    readonly values: readonly number[];
  }[];
  readonly spectra: readonly {
    readonly signal: Coded;
    readonly options: Options;
    readonly spectra: Coded;
    readonly back: Coded;
  }[];
  readonly powers: readonly { readonly signal: Coded; readonly options: Options; readonly power: Coded }[];
  readonly frequencies: readonly {
    readonly n: number;
    readonly spacing: number;
    readonly fftfreq: readonly number[];
    readonly rfftfreq: readonly number[];
    readonly x: Coded;
    readonly shifted: Coded;
    readonly unshifted: Coded;
    readonly first: Coded;
  }[];
}

const ORACLE = readOracle<Oracle>("signals.json");

type Window = (...args: unknown[]) => Nx.Tensor;
const windowOf = (name: string): Window => (Nx.Signal as unknown as Record<string, Window>)[name]!;
const { stft, istft, spectrogram } = Nx.Signal as unknown as Record<
  "stft" | "istft" | "spectrogram",
  (t: Nx.Tensor, options?: Options) => Nx.Tensor
>;

describe("window functions", () => {
  it("are those of SciPy, symmetric and periodic", () => {
    for (const { name, args, options, values } of ORACLE.windows) {
      const got = windowOf(name)(...args, { ...options, type: "f64" });
      expectClose(got, Nx.f64([...values]));
    }
    const names = new Set(ORACLE.windows.map(({ name }) => name));
    const others = [
      "stft",
      "istft",
      "spectrogram",
      "dct",
      "idct",
      "hilbert",
      "lfilter",
      "melFilters",
      "butter",
      "filtfilt",
      "sosfilt",
    ];
    expect([...names, ...others].sort()).toEqual(Object.keys(Nx.Signal).sort());
  });

  it("have the default float type, or one that is asked for, and a name", () => {
    const t = Nx.Signal.hann(4, { name: "time" });
    expect([t.type, t.names]).toEqual(["f32", ["time"]]);
    expect(Nx.withFloatType("f64", () => Nx.Signal.kaiser(4, 2)).type).toBe("f64");
    expect(Nx.Signal.gaussian(4, 2, { type: "f16" }).type).toBe("f16");
  });

  it.each<[string, () => unknown]>([
    ["Nx.Signal.hann expects its length as a positive integer, got: 2.5", () => Nx.Signal.hann(2.5)],
    ["unknown option \"sym\" for Nx.Signal.hann", () => Nx.Signal.hann(4, { sym: true } as never)],
    ["option periodic of Nx.Signal.tukey must be true or false", () => Nx.Signal.tukey(4, { periodic: 1 } as never)],
    ["Nx.Signal.kaiser expects beta as a finite number, got: \"5\"", () => Nx.Signal.kaiser(4, "5" as never)],
    ["Nx.Signal.gaussian expects the deviation as a positive number, got: -1", () => Nx.Signal.gaussian(4, -1)],
  ])("refuse: %s", (message, call) => {
    expect(call).toThrow(message);
  }); // prettier-ignore
});

describe("frequencies", () => {
  it("are those of NumPy, and so is the order of shifts", () => {
    for (const { n, spacing, x, ...rest } of ORACLE.frequencies) {
      for (const fn of ["fftfreq", "rfftfreq"] as const) {
        const got = Nx[fn](n, { spacing, type: "f64" });
        const want = Nx.f64([...rest[fn]]);
        expectClose(got, want, 1e-15);
      }
      const t = tensorOf(x);
      const same = (got: Nx.Tensor, want: Coded): void => expect(got.toList()).toEqual(tensorOf(want).toList());
      same(Nx.fftshift(t), rest.shifted);
      same(Nx.ifftshift(t), rest.unshifted);
      same(Nx.fftshift(t, { axes: [0] }), rest.first);
    }
  });

  it("are shifted back by the inverse, and keep names", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 }), (rows, columns) => {
        const t = Nx.iota([rows, columns], { names: ["row", "column"] });
        const there = Nx.fftshift(t, { axes: ["column"] });
        expect(there.names).toEqual(["row", "column"]);
        expect(Nx.ifftshift(there, { axes: ["column"] }).toList()).toEqual(t.toList());
        const frequencies = Nx.fftshift(Nx.fftfreq(columns)).toFlatList() as number[];
        expect([...frequencies].sort((a, b) => a - b)).toEqual(frequencies);
      }),
    );
  });
});

describe("short-time spectra", () => {
  it("are those of SciPy, and so is their inverse", () => {
    for (const row of ORACLE.spectra) {
      const { padded: _, ...inverse } = row.options;
      const spectra = stft(tensorOf(row.signal), row.options);
      expectClose(spectra, tensorOf(row.spectra));
      const oneSided = typeof row.signal.values[0] === "number";
      expectClose(istft(spectra, { ...inverse, oneSided }), tensorOf(row.back), 1e-13);
    }
  });

  it("come back as the signal, whatever frames there are", () => {
    const frames = fc.record({
      frameLength: fc.integer({ min: 2, max: 12 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      extra: fc.integer({ min: 0, max: 3 }),
      window: fc.constantFrom("hann", "hamming", "blackman", "rectangular", "cosine", "nuttall"),
      size: fc.integer({ min: 12, max: 40 }),
      scaling: fc.constantFrom("spectrum", "none"),
      isComplex: fc.boolean(),
    });
    fc.assert(
      fc.property(frames, ({ frameLength, share, extra, size, isComplex, ...others }) => {
        const hop = Math.max(1, Math.round((frameLength * share) / 2));
        const options = { frameLength, hop, fftLength: frameLength + extra, ...others };
        const values = Array.from({ length: 2 * size }, (_, i) => Math.sin(i * i) * 3);
        const real = Nx.f64(values).reshape([2, size]);
        const x = isComplex ? Nx.complex(real, real.reverse()) : real;
        const oneSided = !isComplex;
        expectClose(istft(stft(x, options), { ...options, length: size, oneSided }), x, 1e-11);
      }),
      { numRuns: 60 },
    );
  });

  it("stand in place of time, with names of their own, and batch axes stay", () => {
    const x = Nx.f32(Array.from({ length: 120 }, (_, i) => Math.cos(i))).reshape([2, 20, 3]).rename(["channel", "time", "run"]); // prettier-ignore
    const options = { frameLength: 8, hop: 4 } as const;
    const spectra = Nx.Signal.stft(x, { ...options, axis: "time" });
    expect([spectra.type, spectra.shape, spectra.names]).toEqual([
      "c64",
      [2, 6, 5, 3],
      ["channel", "frame", "frequency", "run"],
    ]);
    const one = Nx.Signal.stft(x.at({ channel: 1, run: 2 }), options);
    expect(spectra.at({ channel: 1, run: 2 }).toList()).toEqual(one.toList());
    const back = Nx.Signal.istft(spectra, { ...options, axes: ["frame", "frequency"] });
    expect([back.type, back.shape, back.names]).toEqual(["f32", [2, 20, 3], ["channel", "time", "run"]]);
    expect(Nx.allClose(back, x, { atol: 1e-6 }).toNumber()).toBe(1);
    const renamed = Nx.Signal.stft(x, { ...options, axis: 1, names: ["window", null] });
    expect(renamed.names).toEqual(["channel", "window", null, "run"]);
    expect(Nx.Signal.istft(one, { ...options, name: "t" }).names).toEqual(["t"]);
    expect(() => Nx.Signal.stft(x, { ...options, axis: "time", names: ["run", "frequency"] })).toThrow(/"run"/);
  });

  it("take weights as a window, eagerly and in traces", () => {
    const x = Nx.f64(Array.from({ length: 30 }, (_, i) => Math.sin(i)));
    const window = Nx.Signal.kaiser(8, 4, { periodic: true, type: "f64" });
    const eager = stft(x, { window, hop: 2 });
    const traced = Nx.defn((t: Nx.Tensor, w: Nx.Tensor) => stft(t, { window: w, hop: 2 }))(x, window);
    expect(traced.toBinary()).toEqual(eager.toBinary());
    const back = Nx.defn((z: Nx.Tensor, w: Nx.Tensor) => istft(z, { window: w, hop: 2 }))(eager, window);
    expectClose(back, x, 1e-13);
    expectClose(istft(eager, { window, hop: 2 }), x, 1e-13);
  });

  it("have gradients", () => {
    const x = Nx.f64(Array.from({ length: 22 }, (_, i) => Math.sin(i * 1.3)));
    const options = { frameLength: 6, hop: 4, fftLength: 7 };
    const total = (t: Nx.Tensor): Nx.Tensor => {
      const spectra = stft(t, options);
      const power = spectrogram(t, options);
      const back = istft(spectra.multiply(spectra), { ...options, frameLength: 6 });
      return Nx.abs(spectra).sum().add(power.multiply(power).sum()).add(back.sum()); // prettier-ignore
    };
    const gradient = Nx.grad(total)(x).toFlatList() as number[];
    const step = 1e-4;
    gradient.forEach((slope, i) => {
      const at = (k: number): number => {
        const moved = Nx.indexedAdd(x, Nx.tensor([i]), k * step);
        return Number(total(moved).toNumber());
      };
      const want = (at(-2) - 8 * at(-1) + 8 * at(1) - at(2)) / (12 * step);
      expect(Math.abs(slope - want)).toBeLessThan(GRADIENT * Math.max(1, Math.abs(want)));
    });
  });

  it("are the same traced, vectorized and on binary", () => {
    const x = Nx.f32(Array.from({ length: 60 }, (_, i) => Math.sin(i * i))).reshape([2, 30]);
    for (const fn of [stft, spectrogram]) {
      const call = (t: Nx.Tensor): Nx.Tensor => fn(t, { frameLength: 8, hop: 3 });
      const bytes = call(x).toBinary();
      expect(Nx.defn(call)(x).toBinary()).toEqual(bytes);
      expect(Nx.Defn.vmap(call)(x).toBinary()).toEqual(bytes);
      expect(call(Nx.backendCopy(x, "binary")).toBinary()).toEqual(bytes);
    }
    const spectra = stft(x, { frameLength: 8 });
    const call = (t: Nx.Tensor): Nx.Tensor => istft(t, { frameLength: 8 });
    expect(Nx.Defn.vmap(call)(spectra).toBinary()).toEqual(call(spectra).toBinary());
  });

  const short = Nx.f64([1, 2, 3, 4]);
  const whole = Nx.iota([64]);
  it.each<[RegExp, () => unknown]>([
    [/hop of Nx.Signal.stft must be at most the 8 elements of a frame, got: 9/, () => stft(whole, { frameLength: 8, hop: 9 })],
    [/fftLength of Nx.Signal.stft must be at least the 8 elements/, () => stft(whole, { frameLength: 8, fftLength: 7 })],
    [/window of Nx.Signal.stft has 3 weights for frames of 8 elements/, () => stft(whole, { window: Nx.ones([3]), frameLength: 8 })],
    [/window of Nx.Signal.stft expects real weights of one axis, got: f32\[2\]\[2\]/, () => stft(whole, { window: Nx.ones([2, 2]) })],
    [/window of Nx.Signal.stft must be one of "rectangular"/, () => stft(whole, { window: "box" })],
    [/4 elements are less than a frame of 8; choose a smaller frameLength/, () => stft(short, { frameLength: 8, boundary: "none", padded: false })],
    [/names of Nx.Signal.stft expects the names of two axes, got: "frame"/, () => stft(whole, { names: "frame" })],
    [/the window is 0 wherever element 0 of a hop is in a frame \(NOLA\)/, () => istft(stft(whole, { frameLength: 8, hop: 8 }), { frameLength: 8, hop: 8 })],
    [/expects 9 frequencies for transforms of 16 elements, got 5/, () => istft(stft(whole, { frameLength: 8 }), { frameLength: 16 })],
    [/the frames cover 68 elements, not the 99 of option length/, () => istft(stft(whole, { frameLength: 8 }), { frameLength: 8, length: 99 })],
    [/expects axes of frames and of frequencies, got shape \[64\]/, () => istft(whole)],
    [/samplingRate of Nx.Signal.spectrogram must be a positive number, got: 0/, () => spectrogram(whole, { samplingRate: 0, frameLength: 8 })],
  ])("refuse: %s", (message, call) => {
    expect(call).toThrow(message);
  }); // prettier-ignore
});

describe("spectrograms", () => {
  it("are those of SciPy", () => {
    for (const { signal, options, power } of ORACLE.powers) {
      expectClose(spectrogram(tensorOf(signal), options), tensorOf(power), 1e-13);
    }
  });

  it("have the power of the signal, by Parseval", () => {
    const x = Nx.f64(Array.from({ length: 64 }, (_, i) => Math.sin(i * i)));
    const rate = 50;
    const power = spectrogram(x, { window: "rectangular", frameLength: 64, samplingRate: rate, detrend: "none" });
    const mean = Number(x.multiply(x).mean().toNumber());
    expect(Number(power.sum().toNumber()) * (rate / 64)).toBeCloseTo(mean, 12);
  });
});
