import { describe, expect, it } from "vitest";
import { binaryBackend } from "../../lib/backends/binary";
import { ArrayData, elementsIn } from "../../lib/backends/arrays/storage";
import { runKernel } from "../../lib/backends/wasm/elements/run";
import { bf16FromNumber, bf16ToNumber, f16FromNumber, f16ToNumber } from "../../lib/core/half";
import {
  bitsOf,
  DTYPES,
  isComplex,
  isFloat,
  isInteger,
  isUnsigned,
  is64Bit,
  mergeTypes,
  type DType,
} from "../../lib/core/types";
import { Builder } from "../../lib/kernel/builder";
import { interpret } from "../../lib/kernel/interpret/run";
import { keyOf } from "../../lib/kernel/key";
import { cast, lowerBinary } from "../../lib/kernel/lower/binary";
import {
  binaryKernel,
  castKernel,
  opKernel,
  unaryKernel,
  type Keyed,
  type Source,
} from "../../lib/kernel/lower/single";
import { constant, load, store } from "../../lib/kernel/lower/typed";
import { readerOf, type Elements } from "../../lib/kernel/operand";
import {
  BINARY,
  binaryType,
  SPECIAL_BINARY,
  SPECIAL_UNARY,
  UNARY,
  unaryType,
  type BinaryOp,
  type UnaryOp,
} from "../../lib/ops";
import { Tensor } from "../../lib/tensor";
import { dataOf, emptyOf, firstDifference, widthOf } from "./executors-support";
import { sampled } from "../effort";

const SIZE = 1600;

const tensorOf = (type: DType, elements: Elements): Tensor =>
  new Tensor(binaryBackend, new ArrayData(elements as Uint8Array), type, [elements.length / widthOf(type)], [null]);

const sample = (type: DType, seed: number): Tensor => tensorOf(type, dataOf(type, SIZE, seed));
const scalar = (type: DType, seed: number): Tensor => tensorOf(type, dataOf(type, 1, seed));

const elementsOf = (data: unknown): Elements => elementsIn(data as ArrayData);
const templateOf = (type: DType) => ({ type, shape: [SIZE], names: [null] });
const sourceOf = (x: Tensor): Source => ({ type: x.type, uniform: x.shape[0] === 1 });

/** Half floats as numbers, so that all NaN are the same. */
function comparable(type: DType, elements: Elements): Elements {
  if (type !== "f16" && type !== "bf16") return elements;
  return Float64Array.from(elements, type === "f16" ? f16ToNumber : bf16ToNumber);
}

/** Both executors give what the binary backend gives. */
function check({ kernel, key }: Keyed, inputs: readonly Tensor[], out: DType, expected: unknown): void {
  const readers = inputs.map((x) => {
    const [elements, strides] = [elementsOf(x.data), [x.shape[0] === 1 ? 0 : 1]];
    return readerOf({ elements, width: widthOf(x.type), offset: 0, strides }, [SIZE]);
  });
  for (const executor of [interpret, runKernel]) {
    const result = emptyOf(out, SIZE);
    executor(kernel, readers, [result], SIZE, key);
    const difference = firstDifference(comparable(out, result), comparable(out, elementsOf(expected)));
    const at = Number(/^\[(\d+)\]/.exec(difference ?? "")?.[1] ?? 0) / widthOf(out);
    const operands = inputs.map((x) => elementsOf(x.data)[x.shape[0] === 1 ? 0 : Math.floor(at) * widthOf(x.type)]);
    expect(difference && `${key}: ${difference} for ${operands.join(" and ")}`).toBeNull();
  }
}

function attempt<T>(fn: () => T): T | null {
  try {
    return fn();
  } catch {
    return null;
  }
}

describe("unary ops", () => {
  const special = new Set<string>(SPECIAL_UNARY);
  const ops = (Object.keys(UNARY) as UnaryOp[]).filter((op) => !special.has(op));
  const isLeftOut = (op: UnaryOp, type: DType): boolean => {
    return isComplex(type) && op === "sign";
  };

  it.each(ops)("%s gives the bits of the binary backend", (op) => {
    for (const type of DTYPES) {
      const out = attempt(() => unaryType(op, type));
      if (out === null) continue;
      for (const x of [sample(type, 1), sample(type, 2), scalar(type, 3)]) {
        const keyed = unaryKernel(op, sourceOf(x), out);
        expect([op, type, keyed === null]).toEqual([op, type, isLeftOut(op, type)]);
        if (!keyed) continue;
        const whole = repeatedTo(x);
        // Integers are rounded already; the front end does not ask a backend for that.
        const isNothing = UNARY[op].rule === "rounding" && isInteger(type);
        check(keyed, [x], out, isNothing ? whole.data : binaryBackend.unary(templateOf(out), [whole], { op }));
      }
    }
  });
});

describe("special functions of complex numbers", () => {
  const ops = SPECIAL_UNARY.filter((op) => UNARY[op].rule === "floating");

  it.each(ops)("%s gives the same bits in both executors", (op) => {
    for (const type of ["c64", "c128"] as const) {
      const x = sample(type, 4);
      check(unaryKernel(op, sourceOf(x), type)!, [x], type, binaryBackend.unary(templateOf(type), [x], { op }));
    }
  });
});

/** A scalar as a tensor of full size, which is what the binary backend takes for ops of one operand. */
function repeatedTo(x: Tensor): Tensor {
  if (x.shape[0] === SIZE) return x;
  const [one, width] = [elementsOf(x.data), widthOf(x.type)];
  const all = emptyOf(x.type, SIZE);
  for (let i = 0; i < all.length; i++) all[i] = one[i % width]!;
  return tensorOf(x.type, all);
}

describe("binary ops", () => {
  const special = new Set<string>(SPECIAL_BINARY);
  const ops = (Object.keys(BINARY) as BinaryOp[]).filter((op) => !special.has(op));
  const shifts = new Set<BinaryOp>(["leftShift", "rightShift"]);

  /** What has no kernel: remainders of doubles, and ops that may refuse an element. */
  function isLeftOut(op: BinaryOp, x: DType, y: DType, out: DType): boolean {
    if (shifts.has(op)) return !isUnsigned(out) && (!isUnsigned(y) || y === "u64");
    if (op === "quotient" || (op === "remainder" && isInteger(out))) return true;
    return op === "remainder" && (x === "f64" || y === "f64" || is64Bit(y));
  }

  it.each(ops)("%s gives the bits of the binary backend", (op) => {
    for (const left of sampled(DTYPES, 6, op)) {
      for (const right of new Set([left, ...sampled(DTYPES, 3, op + left)])) {
        const type = mergeTypes(left, right);
        const out = attempt(() => binaryType(op, type));
        if (out === null) continue;
        const pairs = [
          [sample(left, 1), sample(right, 20)],
          [sample(left, 3), scalar(right, 40)],
          [scalar(left, 5), sample(right, 60)],
        ] as const;
        // Whether an operand is the same for all elements does not depend on types: a few show it.
        for (const [x, y] of left === right || right === "f32" ? pairs : pairs.slice(0, 1)) {
          const keyed = binaryKernel(op, sourceOf(x), sourceOf(y), out);
          expect([op, left, right, keyed === null]).toEqual([op, left, right, isLeftOut(op, left, right, out)]);
          if (keyed) check(keyed, [x, y], out, binaryBackend.binary(templateOf(out), [x, y], { op, type }));
        }
      }
    }
  });
});

describe("special functions of operands of different types", () => {
  it.each(SPECIAL_BINARY)("%s is computed in doubles and rounded to a half float once", (op) => {
    const types = ["u16", "s32", "u64", "f16", "bf16"] as const;
    for (const left of types) {
      for (const right of types) {
        const out = mergeTypes(left, right);
        if (left === right || !isFloat(out)) continue;
        const operands = [sample(left, 7), sample(right, 70)];
        const doubles = operands.map((x) => {
          const double = binaryBackend.asType(templateOf("f64"), [x], { overflow: "saturate" }) as ArrayData;
          return tensorOf("f64", elementsIn(double));
        });
        const wide = binaryBackend.binary(templateOf("f64"), doubles, { op, type: "f64" }) as ArrayData;
        const once = tensorOf("f64", elementsIn(wide));
        const expected = binaryBackend.asType(templateOf(out), [once], { overflow: "saturate" });
        check(binaryKernel(op, sourceOf(operands[0]!), sourceOf(operands[1]!), out)!, operands, out, expected);
      }
    }
  });
});

describe("integer ops that refuse operands", () => {
  const ops = ["quotient", "remainder", "leftShift", "rightShift"] as const;
  const isShift = (op: BinaryOp): boolean => op === "leftShift" || op === "rightShift";
  const integers = DTYPES.filter(isInteger);

  /** Elements as an op takes them in the type of its result: no zeros, or counts from 0 to a little beyond 64. */
  function acceptable(op: BinaryOp, type: DType, size: number, seed: number): Tensor {
    const elements = dataOf(type, size, seed);
    const width = widthOf(type);
    for (let i = 0; i < elements.length; i += width) {
      if (!isShift(op)) {
        if (elements[i] === 0 && (width === 1 || elements[i + 1] === 0)) elements[i] = 3;
      } else if (i % 7 !== 0 || !isUnsigned(type)) {
        elements[i]! &= i % 5 === 0 ? 0x7f : 31;
        if (width === 2) elements[i + 1] = i % 11 === 0 ? 1 : 0;
      }
    }
    return tensorOf(type, elements);
  }

  /** Dividends with many bits beside divisors of any length, which wide data alone seldom has. */
  function shortened(x: Tensor): Tensor {
    const elements = elementsOf(x.data).slice() as Int32Array;
    for (let i = 0; i < elements.length; i += 2) {
      const keep = (i * 7) % 64;
      const high = keep > 32 ? elements[i + 1]! >>> (64 - keep) : 0;
      elements[i + 1] = isUnsigned(x.type) || i % 3 ? high : ~high;
      if (keep < 32) elements[i] = elements[i]! & ((1 << keep) - 1);
      if ((elements[i]! | elements[i + 1]!) === 0) elements[i] = 1;
    }
    return tensorOf(x.type, elements);
  }

  it.each(ops)("%s gives the bits of the binary backend where the operands were tried", (op) => {
    for (const left of sampled(integers, 5, op)) {
      for (const right of sampled(integers, 4, left)) {
        const out = binaryType(op, mergeTypes(left, right));
        const second = acceptable(op, right, SIZE, 20);
        const pairs: [Tensor, Tensor][] = [
          [sample(left, 1), second],
          [sample(left, 2), acceptable(op, right, 1, 30)],
          [scalar(left, 3), acceptable(op, right, SIZE, 40)],
        ];
        if (is64Bit(right) && !isShift(op)) pairs.push([sample(left, 4), shortened(second)]);
        for (const [x, y] of left === right ? pairs : pairs.filter((_, i) => i % 3 === 0)) {
          // A u64 that is negative in a signed result stands for a negative count.
          if (isShift(op) && right === "u64" && !isUnsigned(out))
            elementsOf(y.data).forEach((_, i, all) => {
              if (i % 2) all[i] = 0;
            });
          const keyed = binaryKernel(op, sourceOf(x), sourceOf(y), out, true)!;
          check(keyed, [x, y], out, binaryBackend.binary(templateOf(out), [x, y], { op, type: out }));
        }
      }
    }
  });

  it.each(ops)("%s by constants gives the bits of the binary backend", (op) => {
    const counts = [0, 1, 5, 7, 8, 31, 32, 63, 64, 100];
    const powers = Array.from({ length: 64 }, (_, n) => 2 ** n).flatMap((power) => [power, -power]);
    const divisors = [...powers, 3, -7, 10, 100, 127, 10_007, -1_000_003, 2 ** 61 + 2 ** 20, 2 ** 62 + 2 ** 12];
    for (const type of integers) {
      const bits = bitsOf(type);
      const most = isUnsigned(type) ? 2 ** bits - 1 : 2 ** (bits - 1) - 1;
      for (const value of isShift(op) ? counts : divisors) {
        if ((value < 0 && isUnsigned(type)) || (!isShift(op) && (value > most || value < -most - 1))) continue;
        const k = new Builder();
        const x = sample(type, (value % 1000) + 1000);
        // the least number, and those beside zero
        const width = widthOf(type);
        const set = (i: number, low: number, high: number): void => {
          elementsOf(x.data)[i * width] = low;
          if (width === 2) elementsOf(x.data)[i * width + 1] = high;
        };
        set(0, width === 2 ? 0 : 2 ** (bits - 1), -(2 ** 31));
        for (const n of [-1, 0, 1]) set(2 + n, n, n >> 31);
        const result = lowerBinary(op, k, load(k, k.input(type), type), constant(k, type, value), type)!;
        const kernel = k.kernel([store(k, result)]);
        const elements = emptyOf(type, 1);
        elements[0] = value;
        if (is64Bit(type)) elements[1] = Math.floor(value / 2 ** 32);
        const y = tensorOf(type, elements);
        const expected = binaryBackend.binary(templateOf(type), [x, y], { op, type });
        check({ kernel, key: keyOf(kernel), values: 0 }, [x], type, expected);
      }
    }
  });

  it.each(["quotient", "remainder"] as const)("%s by constants of 32 bits without a sign is that of 64 bits", (op) => {
    for (const value of [2 ** 31, 2 ** 32 - 1, 8]) {
      const k = new Builder();
      const x = sample("s64", value % 1000);
      const result = lowerBinary(op, k, load(k, k.input("s64"), "s64"), constant(k, "u32", value), "s64")!;
      const kernel = k.kernel([store(k, result)]);
      const y = tensorOf("u32", Uint32Array.of(value));
      const expected = binaryBackend.binary(templateOf("s64"), [x, y], { op, type: "s64" });
      check({ kernel, key: keyOf(kernel), values: 0 }, [x], "s64", expected);
    }
  });

  it.each(ops)("%s has no kernel for operands it may refuse", (op) => {
    const source = { type: "s32", uniform: false } as const;
    expect(binaryKernel(op, source, source, "s32")).toBeNull();
    expect(binaryKernel(op, source, source, "s32", true)).not.toBeNull();
    const k = new Builder();
    const refused = constant(k, "s32", isShift(op) ? -1 : 0);
    expect(lowerBinary(op, k, load(k, k.input("s32"), "s32"), refused, "s32")).toBeNull();
  });
});

describe("remainders of floats", () => {
  it("are exact for quotients of any size", () => {
    const ends = [1, 3, 0.1, 1e-45, 1.1754942e-38, 1.17549435e-38, 3.4028235e38, 1e30, 7e-30, 16777215, 2 ** 100];
    const near = ends.flatMap((x) => [x, -x, Math.fround(x * 1.37), Math.fround(x * 3)]);
    const all = near.flatMap((x) => near.map((y) => [x, y] as const));
    const x = tensorOf(
      "f32",
      Float32Array.from({ length: SIZE }, (_, i) => all[(i * 7) % all.length]![0]),
    );
    const y = tensorOf(
      "f32",
      Float32Array.from({ length: SIZE }, (_, i) => all[(i * 7) % all.length]![1]),
    );
    const keyed = binaryKernel("remainder", sourceOf(x), sourceOf(y), "f32")!;
    check(keyed, [x, y], "f32", binaryBackend.binary(templateOf("f32"), [x, y], { op: "remainder", type: "f32" }));
    expect(all.length).toBeGreaterThan(SIZE);
  });
});

describe("casts", () => {
  it.each(DTYPES)("from %s give the bits of the binary backend", (from) => {
    for (const to of DTYPES) {
      for (const overflow of ["saturate", "wrap"] as const) {
        for (const seed of [1, 2, 3]) {
          const x = sample(from, seed);
          const keyed = castKernel(sourceOf(x), to, overflow);
          expect([from, to, overflow, keyed === null]).toEqual([from, to, overflow, false]);
          check(keyed!, [x], to, binaryBackend.asType(templateOf(to), [x], { overflow }));
        }
      }
    }
  });
});

/** Numbers next to powers of two, of growing size: first vectors that are small throughout, then larger ones in between. */
function growing(type: DType): Tensor {
  const unsigned = isUnsigned(type);
  const numbers = Array.from({ length: SIZE }, (_, i) => {
    const power = 2 ** Math.floor(i < 400 ? i % 24 : (i * 7) % (i < 800 ? 32 : 65));
    const size = BigInt(power) + BigInt((i % 5) - 2);
    return i % 3 === 0 && !unsigned ? -size : size < 0n && unsigned ? 0n : size;
  });
  if (isFloat(type)) {
    const floats = numbers.map((x, i) => Number(x) + (i % 4) / 4);
    return tensorOf(type, type === "f32" ? Float32Array.from(floats) : Float64Array.from(floats));
  }
  if (!is64Bit(type))
    return tensorOf(type, type === "u32" ? Uint32Array.from(numbers, Number) : Int32Array.from(numbers, Number));
  return tensorOf(type, new Int32Array(BigInt64Array.from(numbers, (x) => BigInt.asIntN(64, x)).buffer));
}

describe("integers of up to 24, 32 and 64 bits", () => {
  const WIDE = ["s32", "u32", "s64", "u64"] as const;
  const FLOATS = ["f32", "f64"] as const;

  it.each(FLOATS)("become %s and are made of it as by the binary backend", (float) => {
    for (const type of WIDE) {
      for (const overflow of ["saturate", "wrap"] as const) {
        for (const [from, to] of [
          [type, float],
          [float, type],
        ] as const) {
          const x = growing(from);
          check(
            castKernel(sourceOf(x), to, overflow)!,
            [x],
            to,
            binaryBackend.asType(templateOf(to), [x], { overflow }),
          );
        }
      }
    }
  });

  it.each(["add", "subtract", "multiply", "divide", "min", "max"] as const)("beside f32: %s", (op) => {
    for (const type of WIDE) {
      const integers = growing(type);
      const out = binaryType(op, mergeTypes(type, "f32"));
      for (const float of [sample("f32", 1), growing("f32"), scalar("f32", 2)]) {
        for (const [x, y] of [
          [integers, float],
          [float, integers],
        ] as const) {
          const expected = binaryBackend.binary(templateOf(out), [x, y], { op, type: mergeTypes(x.type, y.type) });
          check(binaryKernel(op, sourceOf(x), sourceOf(y), out)!, [x, y], out, expected);
        }
      }
    }
  });

  it.each(["s32", "u32"] as const)("that are constants of type %s, beside f32", (type) => {
    for (const number of [1, 2 ** 24 - 1, 2 ** 24 + 1, 2 ** 31 - 1, type === "u32" ? 2 ** 32 - 3 : -(2 ** 24) - 1]) {
      const [x, y] = [growing("f32"), tensorOf(type, (type === "u32" ? Uint32Array : Int32Array).of(number))];
      const k = new Builder();
      const result = lowerBinary("multiply", k, load(k, k.input("f32"), "f32"), constant(k, type, number), "f32")!;
      const kernel = k.kernel([store(k, result)]);
      const expected = binaryBackend.binary(templateOf("f32"), [x, y], { op: "multiply", type: "f32" });
      check({ kernel, key: keyOf(kernel), values: 0 }, [x], "f32", expected);
    }
  });
});

describe("extremes beside a number that all share", () => {
  const NUMBERS = [0, -0, NaN, 1, -1, Infinity, -Infinity];
  it.each(["f32", "f64"] as const)("of %s are those of the binary backend, whatever zeros and NaN meet", (type) => {
    const arrayOf = (numbers: readonly number[]): Elements =>
      type === "f32" ? Float32Array.from(numbers) : Float64Array.from(numbers);
    const x = tensorOf(type, arrayOf(Array.from({ length: SIZE }, (_, i) => NUMBERS[i % NUMBERS.length]!)));
    for (const op of ["min", "max"] as const) {
      for (const number of NUMBERS) {
        const y = tensorOf(type, arrayOf([number]));
        const expected = binaryBackend.binary(templateOf(type), [x, y], { op, type });
        check(binaryKernel(op, sourceOf(x), sourceOf(y), type)!, [x, y], type, expected);
      }
    }
  });
});

describe("selection", () => {
  it.each(DTYPES)("by predicates of type %s gives the bits of the binary backend", (type) => {
    for (const left of sampled(DTYPES, 4, type)) {
      for (const right of sampled(DTYPES, 4, left)) {
        const out = mergeTypes(left, right);
        const [pred, x, y] = [sample(type, 1), sample(left, 2), left === "u8" ? scalar(right, 3) : sample(right, 3)];
        const keyed = opKernel({ kind: "select" }, [pred, x, y].map(sourceOf), out);
        expect([left, right, keyed === null]).toEqual([left, right, false]);
        check(keyed!, [pred, x, y], out, binaryBackend.select(templateOf(out), [pred, x, y], {}));
      }
    }
  });
});

describe("half floats", () => {
  const formats = [
    { type: "f16", toNumber: f16ToNumber, fromNumber: f16FromNumber },
    { type: "bf16", toNumber: bf16ToNumber, fromNumber: bf16FromNumber },
  ] as const;
  const all = Uint16Array.from({ length: 65536 }, (_, i) => i);

  const convert = (from: DType, to: DType, elements: Elements): Elements[] => {
    const { kernel, key } = castKernel({ type: from, uniform: false }, to, "saturate")!;
    const size = elements.length;
    return [interpret, runKernel].map((executor) => {
      const result = emptyOf(to, size);
      executor(kernel, [readerOf({ elements, width: 1, offset: 0, strides: [1] }, [size])], [result], size, key);
      return result;
    });
  };

  it.each(formats)("$type are read exactly, all of them", ({ type, toNumber }) => {
    const expected = Float64Array.from(all, toNumber);
    for (const result of convert(type, "f64", all)) expect(firstDifference(result, expected)).toBeNull();
    for (const result of convert(type, "f32", all))
      expect(firstDifference(result, Float32Array.from(expected))).toBeNull();
  });

  it.each(formats)("$type are rounded to once, around every one of them", ({ type, toNumber, fromNumber }) => {
    const word = new Int32Array(1);
    const float = new Float32Array(word.buffer);
    const numbers = new Set<number>();
    for (let bits = 0; bits < 65536; bits++) {
      const [low, high] = [toNumber(bits), toNumber(Math.min(bits + 1, 65535))];
      if (Number.isNaN(low)) continue;
      for (const x of [low, Number.isFinite(low) && Number.isFinite(high) ? (low + high) / 2 : low * 1.0001]) {
        float[0] = x;
        for (const step of [-1, 0, 1]) {
          word[0]! += step;
          numbers.add(float[0]);
          word[0]! -= step;
        }
      }
    }
    const samples = Float32Array.from([...numbers, NaN, 65519.996, 65520, 3.3961775e38, 3.4028235e38, -3.4028235e38]);
    const expected = Float64Array.from(samples, (x) => toNumber(fromNumber(x)));
    for (const result of convert("f32", type, samples)) {
      expect(firstDifference(Float64Array.from(result, toNumber), expected)).toBeNull();
    }
    expect(samples.length).toBeGreaterThan(200_000);
    const wide = Float64Array.from(samples, (x, i) => x * (1 + (i % 7 < 3 ? 1 : -1) * 2 ** -40));
    const once = Float64Array.from(wide, (x) => toNumber(fromNumber(x)));
    for (const result of convert("f64", type, wide)) {
      expect(firstDifference(Float64Array.from(result, toNumber), once)).toBeNull();
    }
  });

  it.each(formats)("$type of NaN with any digits stay NaN in what follows", ({ type }) => {
    const samples = new Float32Array(Int32Array.of(0x7fffffff, -1, 0x7f800001, 0x7fc01fff).buffer);
    const k = new Builder();
    const x = cast(k, load(k, k.input("f32"), "f32"), type, "saturate")!;
    const kept = ["add", "multiply"] as const;
    const kernel = k.kernel(kept.map((op) => store(k, cast(k, lowerBinary(op, k, x, x, type)!, "f32", "saturate")!)));
    const reader = readerOf({ elements: samples, width: 1, offset: 0, strides: [1] }, [samples.length]);
    for (const executor of [interpret, runKernel]) {
      const results = kept.map(() => new Float32Array(samples.length));
      executor(kernel, [reader], results, samples.length, keyOf(kernel));
      for (const result of results) expect([...result]).toEqual([NaN, NaN, NaN, NaN]);
    }
  });

  it("have one rounding in each op, on all pairs of a grid", () => {
    for (const { type } of formats.filter(({ type: name }) => isFloat(name))) {
      for (const op of ["add", "subtract", "multiply", "divide"] as const) {
        const keyed = binaryKernel(op, { type, uniform: false }, { type, uniform: false }, type)!;
        const k = new Builder();
        const [left, right] = [load(k, k.input(type), type), load(k, k.input(type), type)];
        // what an operation that follows is given
        const kernel = k.kernel([store(k, cast(k, lowerBinary(op, k, left, right, type)!, "f32", "saturate")!)]);
        for (let block = 0; block < 20; block++) {
          // Steps that share no factor with 2^16, so that all exponents and fractions come up.
          const x = tensorOf(
            type,
            Uint16Array.from({ length: SIZE }, (_, i) => ((block * SIZE + i) * 7919) & 0xffff),
          );
          const y = tensorOf(
            type,
            Uint16Array.from({ length: SIZE }, (_, i) => ((block * SIZE + i) * 104729 + block) & 0xffff),
          );
          const stored = binaryBackend.binary(templateOf(type), [x, y], { op, type });
          check(keyed, [x, y], type, stored);
          const toNumber = type === "f16" ? f16ToNumber : bf16ToNumber;
          const kept = Float32Array.from(elementsOf(stored as ArrayData), toNumber);
          check({ kernel, key: keyOf(kernel), values: 0 }, [x, y], "f32", tensorOf("f32", kept).data);
        }
      }
    }
  });
});
