import { describe, expect, it } from "vitest";
import { pow as corePow } from "../../../lib/core/pow";
import { Builder } from "../../../lib/kernel/builder";
import { BLOCK, tapeOf, type Tape } from "../../../lib/kernel/interpret/tape";
import { binaryPrograms, unaryPrograms } from "../../../lib/kernel/special/brought";
import { SPECIAL_BINARY, SPECIAL_UNARY, type SpecialBinary, type SpecialUnary } from "../../../lib/ops";
import type { Value } from "../../../lib/kernel/value";
import { pairs } from "../../../scripts/accuracy/pairs";
import { BINARY, ulps, UNARY } from "../../../scripts/accuracy/reference";

type F32 = Value<"f32">;

function tapeFor(build: (k: Builder, load: () => F32) => F32): Tape {
  const k = new Builder();
  const value = build(k, () => k.load(k.input("f32")) as F32);
  return tapeOf(k.kernel([{ type: "f32", values: [value] }]));
}

const unaryTape = (name: SpecialUnary): Tape => tapeFor((k, load) => unaryPrograms(name).f32(k, load()));
const binaryTape = (name: SpecialBinary): Tape => tapeFor((k, load) => binaryPrograms(name).f32(k, load(), load()));

/** Runs one block; the result is valid until the next run. */
function run(tape: Tape, ...operands: readonly ArrayLike<number>[]): Float32Array {
  for (const { input, register } of tape.loads) register.f32.set(operands[input]!);
  const n = operands[0]!.length;
  tape.run(n);
  return tape.outputs[0]![0]!.f32.subarray(0, n);
}

function unary(name: SpecialUnary, ...xs: readonly number[]): number[] {
  return [...run(unaryTape(name), xs)];
}

const binary = (name: SpecialBinary, x: number, y: number): number => run(binaryTape(name), [x], [y])[0]!;

/** Words around every power of two and around the ends of each kind of number, of both signs. */
const NOTABLE = Array.from({ length: 256 }, (_, e) => e << 23).flatMap((word) =>
  [-1, 0, 1].flatMap((step) => [word + step, (word + step) ^ 0x80000000]),
);

describe.each(SPECIAL_UNARY)("%s of f32", (name) => {
  const measure = (words: readonly number[]): { worst: number; at: number } => {
    const tape = unaryTape(name);
    let worst = 0;
    let at = NaN;
    for (let start = 0; start < words.length; start += BLOCK) {
      const x = new Float32Array(Int32Array.from(words.slice(start, start + BLOCK)).buffer);
      run(tape, x).forEach((got, i) => {
        const distance = ulps(got, UNARY[name](x[i]!));
        if (distance > worst) [worst, at] = [distance, x[i]!];
      });
    }
    return { worst, at };
  };

  it("is within 1 unit over all kinds of numbers", () => {
    const words = Array.from({ length: 2 ** 16 }, (_, i) => i * 65_521);
    expect(measure(words)).toSatisfy(({ worst }: { worst: number }) => worst < 1);
  });

  it("is within 1 unit where results are neither tiny nor huge", () => {
    // Both signs of 2^-10 to 2^10.
    const words = Array.from({ length: 2 ** 16 }, (_, i) => (0x3a800000 + 5119 * (i >> 1)) | ((i & 1) << 31));
    expect(measure(words)).toSatisfy(({ worst }: { worst: number }) => worst < 1);
  });

  it("is within 1 unit next to powers of two, at zeros, infinities and NaN", () => {
    expect(measure(NOTABLE)).toSatisfy(({ worst }: { worst: number }) => worst < 1);
  });
});

describe.each([
  ["exp", -104.5, -87, 86.5, 89.5],
  ["exp2", -151.5, -124.5, 124.5, 129],
] as const)("%s of f32 at the ends of the range", (name, lowest, low, high, highest) => {
  const measure = (from: number, to: number): number => {
    const xs = Float32Array.from({ length: 2 ** 14 }, (_, i) => from + ((to - from) * i) / 2 ** 14);
    let worst = 0;
    for (let start = 0; start < xs.length; start += BLOCK) {
      const x = xs.subarray(start, start + BLOCK);
      run(unaryTape(name), x).forEach((got, i) => (worst = Math.max(worst, ulps(got, UNARY[name](x[i]!)))));
    }
    return worst;
  };

  it("is within 1 unit where results are below the normal numbers, and beside them", () => {
    expect(measure(lowest, low)).toBeLessThan(1);
  });

  it("is within 1 unit where results are about to be infinite", () => {
    expect(measure(high, highest)).toBeLessThan(1);
  });
});

describe("exact results of f32 functions", () => {
  it("of exp, expm1, cos, cosh and others at 0", () => {
    for (const name of ["exp", "exp2", "cos", "cosh", "erfc"] as const) expect(unary(name, 0, -0)).toEqual([1, 1]);
    expect(unary("sigmoid", 0, -0)).toEqual([0.5, 0.5]);
  });

  it("of exp2 down to the least number, half of which is a tie", () => {
    expect(unary("exp2", -148, -149, -150)).toEqual([2 ** -148, 2 ** -149, 0]);
  });

  it("of exp next to half of the least number", () => {
    expect(unary("exp", -103.95, -104.1)).toEqual([2 ** -149, 0]);
  });

  it("of powers from the largest numbers on", () => {
    const beyond = [128, 128.25, 128.5, 128.75, 129, 129.5, 130, 256, 2 ** 31, Infinity];
    expect(unary("exp2", 127, ...beyond)).toEqual([2 ** 127, ...beyond.map(() => Infinity)]);
    const ofExp = [88.75, 89, 89.5, 90, 128, 2 ** 31, Infinity];
    expect(unary("exp", ...ofExp)).toEqual(ofExp.map(() => Infinity));
  });

  it("keep the sign of zero in odd functions", () => {
    const odd = [
      "expm1",
      "log1p",
      "sin",
      "tan",
      "asin",
      "atan",
      "sinh",
      "tanh",
      "asinh",
      "atanh",
      "cbrt",
      "erf",
      "erfInv",
    ];
    for (const name of odd) expect(unary(name as SpecialUnary, 0, -0)).toEqual([0, -0]);
  });

  it("of exp2 at every integer", () => {
    for (let n = -149; n <= 127; n++) expect(unary("exp2", n)).toEqual([2 ** n]);
    expect(unary("exp2", 128, -150.5, -151, 1e30, -1e30)).toEqual([Infinity, 0, 0, Infinity, 0]);
  });

  it("of log2 at every power of two", () => {
    const exponents = Array.from({ length: 277 }, (_, i) => i - 149);
    expect(unary("log2", ...exponents.map((n) => 2 ** n))).toEqual(exponents);
  });

  it("of log10 at the powers of ten that are f32", () => {
    const exponents = Array.from({ length: 11 }, (_, i) => i);
    expect(unary("log10", ...exponents.map((n) => 10 ** n))).toEqual(exponents);
  });

  it("of cbrt at cubes", () => {
    const roots = Array.from({ length: 512 }, (_, i) => i - 256);
    expect(unary("cbrt", ...roots.map((n) => n ** 3))).toEqual(roots);
  });

  it("of rsqrt at powers of four and at the ends", () => {
    expect(unary("rsqrt", 4, 0.25, 2 ** -148, 2 ** 126, 0, -0, Infinity, -1, -Infinity)).toEqual([
      0.5,
      2,
      2 ** 74,
      2 ** -63,
      Infinity,
      -Infinity,
      0,
      NaN,
      NaN,
    ]);
  });

  it("of tanh and erf where they saturate", () => {
    expect(unary("tanh", 9.1, -9.1, 1e30, -Infinity)).toEqual([1, -1, 1, -1]);
    expect(unary("erf", 4, -4, 1e30, -Infinity)).toEqual([1, -1, 1, -1]);
    expect(unary("sigmoid", 200, -200, Infinity, -Infinity)).toEqual([1, 0, 1, 0]);
  });

  it("are NaN outside of the domain", () => {
    for (const name of ["log", "log2", "log10"] as const)
      expect(unary(name, -1, -1e-45, -Infinity)).toEqual([NaN, NaN, NaN]);
    for (const name of ["asin", "acos", "atanh", "erfInv"] as const) {
      expect(unary(name, 1.5, -1.5, Infinity, -Infinity)).toEqual([NaN, NaN, NaN, NaN]);
    }
    for (const name of ["sin", "cos", "tan"] as const) expect(unary(name, Infinity, -Infinity)).toEqual([NaN, NaN]);
    expect(unary("acosh", 0.5, -1, -Infinity, 0)).toEqual([NaN, NaN, NaN, NaN]);
    expect(unary("log1p", -1, -1.5)).toEqual([-Infinity, NaN]);
  });

  it("are NaN for NaN", () => {
    for (const name of SPECIAL_UNARY) expect(unary(name, NaN)).toEqual([NaN]);
  });
});

describe("large arguments of sin, cos and tan", () => {
  it.each(["sin", "cos", "tan"] as const)("%s keeps its precision next to multiples of pi / 2", (name) => {
    const tape = unaryTape(name);
    let worst = 0;
    // Up to and beyond where the reduction changes.
    for (let n = 1; n < 45_000; n += BLOCK / 2) {
      const x = Float32Array.from({ length: BLOCK }, (_, i) => ((n + (i >> 1)) * Math.PI) / 2);
      const words = new Int32Array(x.buffer);
      for (let i = 1; i < BLOCK; i += 2) words[i]! += i % 4 === 1 ? 1 : -1;
      run(tape, x).forEach((got, i) => (worst = Math.max(worst, ulps(got, UNARY[name](x[i]!)))));
    }
    expect(worst).toBeLessThan(1);
  });

  it("are reduced to full precision", () => {
    // 16367173 * 2^72 is the f32 nearest to a multiple of pi / 2 (Muller, Elementary Functions).
    const x = 16_367_173 * 2 ** 72;
    for (const name of ["sin", "cos", "tan"] as const) expect(ulps(unary(name, x)[0]!, UNARY[name](x))).toBeLessThan(1);
    expect(unary("sin", 3.4028234663852886e38)).toEqual([Math.fround(-0.5218765365)]);
  });

  it("do not disturb others of their block", () => {
    const mixed = unary("sin", 1e30, 0.5, Infinity, 65_536, 65_537);
    expect(mixed.slice(1, 2)).toEqual(unary("sin", 0.5));
    expect(mixed[0]).toBe(unary("sin", 1e30)[0]);
  });
});

describe.each(SPECIAL_BINARY)("%s of f32", (name) => {
  it("is within 1 unit for notable and random pairs", () => {
    const source = pairs(name, 1e5);
    const [x, y] = [new Int32Array(BLOCK), new Int32Array(BLOCK)];
    const [first, second] = [new Float32Array(x.buffer), new Float32Array(y.buffer)];
    const tape = binaryTape(name);
    const failures: string[] = [];
    for (let n = source(x, y); n > 0; n = source(x, y)) {
      run(tape, first.subarray(0, n), second.subarray(0, n)).forEach((got, i) => {
        const want = BINARY[name](first[i]!, second[i]!);
        if (!(ulps(got, want) < 1)) failures.push(`${name}(${first[i]}, ${second[i]}) = ${got}, not ${want}`);
      });
    }
    expect(failures).toEqual([]);
  });
});

describe("pow of f32", () => {
  it("is exact for small whole exponents where f32 has the result", () => {
    for (let base = -9; base <= 9; base++) {
      for (let exponent = 0; exponent <= 7; exponent++) {
        const want = corePow(base, exponent);
        expect(binary("pow", base, exponent)).toBe(want);
      }
    }
  });

  it("settles ones, zeros and infinities", () => {
    expect(binary("pow", 1, NaN)).toBe(1);
    expect(binary("pow", NaN, 0)).toBe(1);
    expect(binary("pow", -1, Infinity)).toBe(1);
    expect(binary("pow", -0, -3)).toBe(-Infinity);
    expect(binary("pow", -0, 3)).toBe(-0);
    expect(binary("pow", -Infinity, 0.5)).toBe(Infinity);
    expect(binary("pow", -8, 1 / 3)).toBe(NaN);
    expect(binary("pow", 2, -149)).toBe(2 ** -149);
  });
});

describe("atan2 of f32", () => {
  it("knows quadrants and signs of zeros", () => {
    const pi = Math.fround(Math.PI);
    expect(binary("atan2", 0, -0)).toBe(pi);
    expect(binary("atan2", -0, -0)).toBe(-pi);
    expect(binary("atan2", -0, 1)).toBe(-0);
    expect(binary("atan2", 1, -1)).toBe(Math.fround((3 * Math.PI) / 4));
    expect(binary("atan2", -Infinity, -Infinity)).toBe(Math.fround((-3 * Math.PI) / 4));
    expect(binary("atan2", 5, Infinity)).toBe(0);
    expect(binary("atan2", NaN, Infinity)).toBe(NaN);
    expect(binary("atan2", Infinity, NaN)).toBe(NaN);
  });
});
