import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { readOracle } from "../../oracles/read";
import { FFT_ERROR } from "../../tolerances";
import { errorOf, view } from "../aggregates/view";
import { TYPES, elements, isComplex, sequence, tensorOf } from "./numbers";

type Pair = readonly [re: number, im: number];

interface Oracle {
  readonly lengths: readonly {
    readonly n: number;
    readonly at: readonly number[];
    readonly values: readonly Pair[];
    readonly weighted: Pair;
  }[];
  readonly calls: readonly {
    readonly fn: "fft" | "ifft" | "fft2" | "ifft2" | "rfft" | "irfft";
    readonly type: Nx.DType;
    readonly shape: readonly number[];
    readonly data: readonly (number | Pair)[];
    readonly options: object;
    readonly out: readonly number[];
    readonly expected: readonly (number | Pair)[];
  }[];
}

const oracle = readOracle<Oracle>("spectra.json");

/** Multiples of 1/8 as the script that wrote the oracle makes them. */
function complexes(seed: number, n: number): Pair[] {
  const next = sequence(seed);
  const part = () => Math.floor(next() * 256 - 128) / 8;
  return Array.from({ length: n }, () => [part(), part()] as const);
}

const complexOf = ([re, im]: Pair) => new Nx.Complex(re, im);

function pairs(t: Nx.Tensor): Pair[] {
  return (t.toFlatList() as (number | Nx.Complex)[]).map((x) => (x instanceof Nx.Complex ? [x.re, x.im] : [x, 0]));
}

const norm = (x: readonly Pair[]): number => Math.sqrt(x.reduce((sum, [re, im]) => sum + re * re + im * im, 0));

/** How far two lists are apart, in epsilons of the norm for each doubling of the length. */
function errorIn(actual: readonly Pair[], expected: readonly Pair[], scale = norm(expected)): number {
  const apart = actual.map(([re, im], i): Pair => [re - expected[i]![0], im - expected[i]![1]]);
  return norm(apart) / (2 ** -52 * Math.log2(2 * actual.length) * scale);
}

describe("against NumPy", () => {
  it.each(oracle.lengths)("transforms $n elements", ({ n, at, values, weighted }) => {
    const given = complexes(n, n);
    const spectrum = pairs(Nx.fft(Nx.c128(given.map(complexOf))));
    const scale = norm(spectrum);
    // Both bounds are those of the whole spectrum, which no part of it may exceed.
    const unit = 2 ** -52 * Math.log2(2 * n) * scale;
    at.forEach((k, i) => {
      const apart = Math.hypot(spectrum[k]![0] - values[i]![0], spectrum[k]![1] - values[i]![1]);
      expect(apart / unit, `element ${k}`).toBeLessThan(FFT_ERROR);
    });
    const weights = complexes(n + 1, n);
    const [re, im] = spectrum.reduce(
      ([a, b], [x, y], k): Pair => [
        a + x * weights[k]![0] - y * weights[k]![1],
        b + x * weights[k]![1] + y * weights[k]![0],
      ],
      [0, 0] as Pair,
    );
    expect(Math.hypot(re - weighted[0], im - weighted[1]) / (unit * norm(weights))).toBeLessThan(FFT_ERROR);
  });

  it.each(oracle.calls)("$fn of $type$shape with $options", ({ fn, type, shape, data, options, out, expected }) => {
    const list = data.map((x) => (typeof x === "number" ? x : complexOf(x)));
    const t = Nx.reshape(Nx.tensor(list, { type }), [...shape]);
    const result = (Nx[fn] as (t: Nx.Tensor, options: object) => Nx.Tensor)(t, options);
    const wide = type === "f64" || type === "c128";
    expect(result.type).toBe(fn === "irfft" ? (wide ? "f64" : "f32") : wide ? "c128" : "c64");
    expect(result.shape).toEqual(out);
    const exact = expected.map((x): Pair => (typeof x === "number" ? [x, 0] : x));
    if (wide) expect(errorIn(pairs(result), exact)).toBeLessThan(FFT_ERROR);
    else expect(pairs(result)).toEqual(exact.map((x) => x.map(Math.fround)));
  });
});

describe("every length from 1 to 130", () => {
  const lengths = Array.from({ length: 130 }, (_, i) => i + 1);

  it("comes back through ifft", () => {
    for (const n of lengths) {
      const given = complexes(n + 500, n);
      expect(errorIn(pairs(Nx.ifft(Nx.fft(Nx.c128(given.map(complexOf))))), given), `${n}`).toBeLessThan(2 * FFT_ERROR);
    }
  });

  it("comes back through irfft, and rfft is the first half of fft", () => {
    for (const n of lengths) {
      const t = Nx.f64(complexes(n, n).map(([re]) => re));
      const half = Nx.rfft(t);
      expect(half.shape).toEqual([Math.floor(n / 2) + 1]);
      const whole = Nx.fft(t).slice([0], [half.shape[0]!]);
      expect(errorIn(pairs(half), pairs(whole)), `${n}`).toBeLessThan(2 * FFT_ERROR);
      if (n % 2 !== 0) expect(half.toList()).toEqual(whole.toList());
      const back = Nx.irfft(half, n % 2 === 0 ? {} : { length: n });
      expect(errorIn(pairs(back), pairs(t)), `${n}`).toBeLessThan(2 * FFT_ERROR);
    }
  });
});

describe("types", () => {
  it.each(TYPES)("of %s: c128 for 64-bit floats and c128, else c64; f64 or f32 from irfft", (type) => {
    const t = tensorOf(elements(type, 6, 1), type, [2, 3], ["a", null]);
    const complex = type === "f64" || type === "c128" ? "c128" : "c64";
    for (const result of [Nx.fft(t), Nx.ifft(t), Nx.fft2(t), Nx.ifft2(t)]) {
      expect([result.type, result.shape, result.names]).toEqual([complex, [2, 3], ["a", null]]);
    }
    expect(Nx.irfft(t).type).toBe(complex === "c128" ? "f64" : "f32");
    if (isComplex(type)) return;
    expect([Nx.rfft(t).type, Nx.rfft(t).shape, Nx.rfft(t).names]).toEqual([complex, [2, 2], ["a", null]]);
  });

  it("rounds to c64 once, along two axes too", () => {
    const t = Nx.c64(complexes(3, 35).map(complexOf)).reshape([5, 7]);
    const transforms: readonly ((t: Nx.Tensor) => Nx.Tensor)[] = [Nx.fft, Nx.ifft, Nx.fft2, Nx.ifft2];
    for (const fn of transforms) expect(view(fn(t))).toBe(view(fn(t.asType("c128")).asType("c64")));
  });

  it("reads integers and half floats", () => {
    expect(view(Nx.fft(Nx.u8([1, 1, 0, 0])))).toBe("c64[4] [2:0,1:-1,0:0,1:1]");
    expect(view(Nx.fft(Nx.bf16([1, 2])))).toBe("c64[2] [3:0,-1:0]");
    expect(view(Nx.fft(Nx.f16([65504, 65504])))).toBe("c64[2] [131008:0,0:0]");
    expect(view(Nx.ifft(Nx.s64([1, 2])))).toBe("c64[2] [1.5:0,-0.5:0]");
    expect(view(Nx.irfft(Nx.u8([3, 1])))).toBe("f32[2] [2,1]");
  });
});

describe("length", () => {
  const t = () => Nx.f64([1, 2, 3, 4, 5]);

  it("cuts at the end or fills up there with zeros", () => {
    expect(view(Nx.fft(t(), { length: 2 }))).toBe(view(Nx.fft(Nx.f64([1, 2]))));
    expect(view(Nx.fft(t(), { length: 7 }))).toBe(view(Nx.fft(Nx.f64([1, 2, 3, 4, 5, 0, 0]))));
    expect(view(Nx.ifft(t(), { length: 1 }))).toBe("c128[1] [1:0]");
    expect(view(Nx.rfft(t(), { length: 6 }))).toBe(view(Nx.rfft(Nx.f64([1, 2, 3, 4, 5, 0]))));
  });

  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 4],
    [5, 8],
    [129, 256],
    [1024, 1024],
    [1025, 2048],
  ])('"powerOfTwo" makes %i elements %i', (n, padded) => {
    const ones = Nx.broadcast(Nx.f64(1), [n]);
    const result = Nx.fft(ones, { length: "powerOfTwo" });
    expect(result.shape).toEqual([padded]);
    expect(view(result)).toBe(view(Nx.fft(ones, { length: padded })));
    expect(Nx.rfft(ones, { length: "powerOfTwo" }).shape).toEqual([Math.floor(padded / 2) + 1]);
  });

  it("of two axes is one for each", () => {
    const grid = Nx.iota([3, 5], { type: "f64" });
    expect(view(Nx.fft2(grid, { lengths: ["powerOfTwo", 2] }))).toBe(view(Nx.fft2(grid, { lengths: [4, 2] })));
    const padded = Nx.pad(grid, 0, [
      [0, 1, 0],
      [0, -3, 0],
    ]);
    expect(view(Nx.fft2(grid, { lengths: [4, 2] }))).toBe(view(Nx.fft2(padded)));
  });

  it("of irfft is that of its result", () => {
    const half = Nx.c128([new Nx.Complex(6, 0), new Nx.Complex(-1, 2), new Nx.Complex(3, 0)]);
    expect(Nx.irfft(half).shape).toEqual([4]);
    expect(Nx.irfft(half, { length: "powerOfTwo" }).shape).toEqual([4]);
    const nine = Nx.broadcast(Nx.c64(1), [10]);
    expect(Nx.irfft(nine, { length: "powerOfTwo" }).shape).toEqual([32]);
    expect(Nx.irfft(half, { length: 1 }).toList()).toEqual([6]);
  });

  it("of irfft leaves the imaginary parts of the first and of the middle element out", () => {
    const half = (first: number, last: number) =>
      Nx.c128([new Nx.Complex(6, first), new Nx.Complex(-1, 2), new Nx.Complex(3, last)]);
    expect(view(Nx.irfft(half(5, -7)))).toBe(view(Nx.irfft(half(0, 0))));
    expect(view(Nx.irfft(half(5, 0), { length: 5 }))).toBe(view(Nx.irfft(half(0, 0), { length: 5 })));
    expect(view(Nx.irfft(half(0, 1), { length: 5 }))).not.toBe(view(Nx.irfft(half(0, 0), { length: 5 })));
  });
});

describe("axes", () => {
  const named = () => tensorOf(elements("c128", 60, 4), "c128", [3, 4, 5], ["x", "y", "z"]);

  it("are given by position, from the end or by name", () => {
    for (const fn of ["fft", "ifft", "irfft"] as const) {
      const byPosition = view(Nx[fn](named(), { axis: 1 }));
      expect(view(Nx[fn](named(), { axis: "y" }))).toBe(byPosition);
      expect(view(Nx[fn](named(), { axis: -2 }))).toBe(byPosition);
      expect(view(Nx[fn](named(), { axis: 2 }))).toBe(view(Nx[fn](named())));
      expect(byPosition.startsWith(fn === "irfft" ? "f64[x: 3][y: 6][z: 5]" : "c128[x: 3][y: 4][z: 5]")).toBe(true);
    }
    const real = Nx.real(named());
    expect(view(Nx.rfft(real, { axis: "y" }))).toBe(view(Nx.rfft(real, { axis: -2 })));
    expect(Nx.rfft(real, { axis: "y" }).shape).toEqual([3, 3, 5]);
  });

  it("are transformed line by line", () => {
    const options = fc.tuple(
      fc.nat(2),
      fc.constantFrom("fft", "ifft"),
      fc.constantFrom(undefined, 2, 4, 6, "powerOfTwo"),
    );
    fc.assert(
      fc.property(options, fc.nat(100), ([axis, fn, length], seed) => {
        const t = tensorOf(elements("c128", 60, seed), "c128", [3, 4, 5]);
        const given = length === undefined ? {} : { length: length as Nx.FftLength };
        const result = Nx[fn as "fft" | "ifft"](t, { axis, ...given });
        const order = [0, 1, 2].filter((a) => a !== axis);
        const lines = Nx.transpose(t, { axes: [...order, axis] }).reshape(["auto", t.shape[axis]!]);
        const rows = [...Nx.toBatched(lines, 1)].map((row) => Nx[fn as "fft" | "ifft"](row.reshape(["auto"]), given));
        const actual = Nx.transpose(result, { axes: [...order, axis] }).reshape(["auto", result.shape[axis]!]);
        expect(view(actual)).toBe(view(Nx.stack(rows)));
      }),
      { numRuns: 40 },
    );
  });

  it("of fft2 are two in either order, transformed one after the other", () => {
    const t = named();
    for (const axes of [
      [0, 2],
      [2, 0],
      ["x", -1],
      ["z", "x"],
    ] as const) {
      const expected = Nx.fft(Nx.fft(t, { axis: "z", eps: 0 }), { axis: "x" });
      const actual = Nx.fft2(t, { axes });
      expect(actual.names).toEqual(["x", "y", "z"]);
      expect(errorIn(pairs(actual), pairs(expected))).toBeLessThan(FFT_ERROR);
    }
    expect(view(Nx.fft2(t, { axes: ["z", "x"], lengths: [2, 6] }))).toMatch(/^c128\[x: 6\]\[y: 4\]\[z: 2\]/);
    expect(view(Nx.fft2(t))).toBe(view(Nx.fft2(t, { axes: [1, 2] })));
  });

  it("of ifft2 bring fft2 back", () => {
    const given = complexes(9, 60);
    const t = Nx.c128(given.map(complexOf)).reshape([3, 4, 5]);
    for (const axes of [
      [0, 1],
      [-1, 0],
      [1, 2],
    ] as const) {
      expect(errorIn(pairs(Nx.ifft2(Nx.fft2(t, { axes }), { axes })), given)).toBeLessThan(2 * FFT_ERROR);
    }
  });
});

describe("eps", () => {
  const t = () => Nx.f64([1e-11, 0.5]);

  it("is 1e-10 unless given, and 0 keeps everything", () => {
    expect(view(Nx.fft(Nx.f64([1e-10, 0])))).toBe("c128[2] [0:0,0:0]");
    expect(view(Nx.fft(Nx.f64([1.1e-10, 0])))).toBe("c128[2] [1.1e-10:0,1.1e-10:0]");
    expect(view(Nx.fft(Nx.f64([1e-300, 0]), { eps: 0 }))).toBe("c128[2] [1e-300:0,1e-300:0]");
    expect(view(Nx.fft(t(), { eps: 0.5 }))).toBe("c128[2] [0.50000000001:0,0:0]");
    expect(view(Nx.ifft(t(), { eps: 0.25 }))).toBe("c128[2] [0.250000000005:0,0:0]");
    expect(view(Nx.fft(t(), { eps: Infinity }))).toBe("c128[2] [0:0,0:0]");
  });

  it("counts once for two axes, at the end", () => {
    const small = Nx.broadcast(Nx.f64(0.1), [2, 2]);
    expect(view(Nx.fft2(small, { eps: 0.3 }))).toBe("c128[2][2] [[0.4:0,0:0],[0:0,0:0]]");
    expect(view(Nx.ifft2(Nx.f64([[4, 0], [0, 0]]), { eps: 1 }))).toBe("c128[2][2] [[0:0,0:0],[0:0,0:0]]"); // prettier-ignore
  });

  it("works on the results of rfft and irfft as well", () => {
    expect(view(Nx.rfft(t(), { eps: 0.5 }))).toBe("c128[2] [0.50000000001:0,0:0]");
    expect(view(Nx.irfft(Nx.f64([2, 1]), { eps: 0.5 }))).toBe("f64[2] [1.5,0]");
  });
});

describe("traced, vectorized and differentiated", () => {
  it("gives the same", () => {
    const t = tensorOf(elements("c64", 12, 5), "c64", [3, 4], ["x", "y"]);
    const real = Nx.real(t);
    const calls: ((x: Nx.Tensor) => Nx.Tensor)[] = [
      (x) => Nx.fft(x, { axis: 0, length: 5 }),
      (x) => Nx.ifft(x, { length: "powerOfTwo" }),
      (x) => Nx.fft2(x),
      (x) => Nx.irfft(x, { length: 5 }),
    ];
    for (const call of calls) expect(view(Nx.defn(call)(t))).toBe(view(call(t)));
    const rows = (x: Nx.Tensor) => Nx.rfft(x, { length: 6 });
    expect(view(Nx.defn(rows)(real))).toBe(view(rows(real)));
    expect(view(Nx.Defn.vmap(rows)(real.rename([null, null])) as Nx.Tensor)).toBe(
      view(rows(real.rename([null, null]))),
    );
  });

  it("has the gradients of its types", () => {
    const loss = (x: Nx.Tensor) => Nx.sum(Nx.pow(Nx.abs(Nx.fft2(x)), 2));
    const x = Nx.f32([
      [1, -2, 0.5],
      [3, 0, 4],
    ]);
    // By Parseval the sum is 6 times that of the squares.
    expect(view(Nx.round(Nx.Defn.grad(loss)(x)))).toBe(view(Nx.multiply(x, 12)));
  });
});

describe("errors", () => {
  const t = Nx.tensor([[1, 2, 3]], { names: ["x", null] });

  it("name what is wrong with the operand", () => {
    expect(errorOf(() => Nx.fft(5))).toBe(
      "ArgumentError: Nx.fft: given axis (-1) invalid for shape [] with rank 0; a scalar has no axes",
    );
    expect(errorOf(() => Nx.fft2(Nx.tensor([1])))).toBe(
      "ArgumentError: Nx.fft2 expects a tensor of at least two axes, got shape [1]",
    );
    expect(errorOf(() => Nx.ifft2(5))).toBe(
      "ArgumentError: Nx.ifft2 expects a tensor of at least two axes, got shape []",
    );
    expect(errorOf(() => Nx.rfft(Nx.c128([1])))).toBe(
      "ArgumentError: Nx.rfft expects real numbers, got type c128; use Nx.fft",
    );
    expect(errorOf(() => Nx.fft("1" as never))).toMatch(/^ArgumentError: Nx\.fft expects/);
  });

  it.each([0, -1, 1.5, NaN, Infinity, "power", null, [2], 2 ** 53])("refuses the length %s", (length) => {
    for (const fn of ["fft", "ifft", "rfft", "irfft"] as const) {
      expect(errorOf(() => Nx[fn](t, { length: length as number }))).toMatch(
        `ArgumentError: option length of Nx.${fn} must be a positive integer or "powerOfTwo", got: `,
      );
    }
    expect(errorOf(() => Nx.fft2(t, { lengths: [2, length as number] }))).toMatch(
      'ArgumentError: option lengths of Nx.fft2 must be a positive integer or "powerOfTwo" for each axis, got: [2, ',
    );
  });

  it("refuse more elements than a tensor can hold before making any", () => {
    expect(errorOf(() => Nx.fft(Nx.iota([3, 2]), { length: 2 ** 31 }))).toMatch(
      /^ArgumentError: Nx\.fft: the result of a Fourier transform, shape \[3\]\[2147483648\] has 6442450944 elements/,
    );
    expect(errorOf(() => Nx.irfft(Nx.iota([3, 2]), { length: 2 ** 40 }))).toMatch(/^ArgumentError: /);
  });

  it("ask for the length where one element does not tell it", () => {
    const message = "Nx.irfft of one element needs the length of its result as a number: give option length, 1 for the rfft of one element"; // prettier-ignore
    expect(errorOf(() => Nx.irfft(Nx.tensor([1])))).toBe(`ArgumentError: ${message}`);
    expect(errorOf(() => Nx.irfft(Nx.tensor([1]), { length: "powerOfTwo" }))).toBe(`ArgumentError: ${message}`);
    expect(view(Nx.irfft(Nx.tensor([3]), { length: 1 }))).toBe("f32[1] [3]");
  });

  it("refuse axes the tensor does not have", () => {
    expect(errorOf(() => Nx.fft(t, { axis: 2 }))).toMatch(
      /^ArgumentError: Nx\.fft: given axis \(2\) invalid for shape \[x: 1\]\[3\]/,
    );
    expect(errorOf(() => Nx.rfft(t, { axis: "y" as "x" }))).toMatch(/^ArgumentError: Nx\.rfft: no axis named "y"/);
    expect(errorOf(() => Nx.fft2(t, { axes: [0, 0] }))).toMatch(/^ArgumentError: Nx\.fft2: axes must not repeat/);
    expect(errorOf(() => Nx.fft2(t, { axes: ["x", -2] }))).toMatch(/^ArgumentError: Nx\.fft2: axes must not repeat/);
    expect(errorOf(() => Nx.fft2(t, { axes: [0] as never }))).toBe(
      "ArgumentError: option axes of Nx.fft2 must list two axes, got: [0]",
    );
    expect(errorOf(() => Nx.ifft2(t, { axes: 1 as never }))).toMatch(/^ArgumentError: /);
  });

  it("refuse lengths that are no pair, and an eps below 0", () => {
    for (const lengths of [2, [2], [1, 2, 3], "powerOfTwo"]) {
      expect(errorOf(() => Nx.fft2(t, { lengths: lengths as never }))).toMatch(
        /^ArgumentError: option lengths of Nx\.fft2/,
      );
    }
    for (const eps of [-1, NaN, "0", null]) {
      expect(errorOf(() => Nx.fft(t, { eps: eps as number }))).toMatch(
        /^ArgumentError: option eps of Nx\.fft must be a number of at least 0, got: /,
      );
      expect(errorOf(() => Nx.ifft2(t, { eps: eps as number }))).toMatch(/^ArgumentError: option eps of Nx\.ifft2/);
    }
    expect(errorOf(() => Nx.fft(t, { size: 3 } as never))).toMatch(/^ArgumentError: .*size/);
  });
});

describe("names of spectra", () => {
  const t = Nx.f32([[1, 2, 3, 4], [5, 6, 7, 8]], { names: ["channel", "time"] }); // prettier-ignore

  it("are those of the operand, or given", () => {
    expect(Nx.fft(t).names).toEqual(["channel", "time"]);
    const spectrum = Nx.rfft(t, { axis: "time", name: "frequency" });
    expect(spectrum.names).toEqual(["channel", "frequency"]);
    expect(Nx.irfft(spectrum, { axis: "frequency", name: "time" }).names).toEqual(["channel", "time"]);
    expect(Nx.fft(t, { axis: 0, name: null }).names).toEqual([null, "time"]);
    expect(Nx.fft2(t, { axes: ["time", "channel"], names: ["x", "y"] }).names).toEqual(["y", "x"]);
    expect(Nx.ifft2(t, { names: ["time", "channel"] }).names).toEqual(["time", "channel"]);
  });

  it("stay apart from the signal's", () => {
    expect(() => Nx.add(Nx.fft(t, { name: "frequency" }) as Nx.Tensor, t)).toThrow(
      /cannot merge axis name "frequency"/,
    );
    expect(() => Nx.fft(t, { name: "channel" })).toThrow(/duplicate names/);
    expect(() => Nx.fft(t, { name: "" })).toThrow(/an axis name must be a non-empty string or null/);
    expect(() => Nx.fft2(t, { names: ["a"] as never })).toThrow("option names of Nx.fft2 must list two names, got");
  });

  it("change no element", () => {
    expect(Nx.fft(t, { axis: 0, name: "frequency" }).toBinary()).toEqual(Nx.fft(t, { axis: 0 }).toBinary());
  });
});
