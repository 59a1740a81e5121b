import { describe, expect, it } from "vitest";
import { binaryBackend } from "../../lib/backends/binary";
import { BinaryData } from "../../lib/backends/binary/storage";
import { runKernel } from "../../lib/backends/wasm/run";
import { bf16FromNumber, bf16ToNumber, f16FromNumber, f16ToNumber } from "../../lib/core/half";
import {
  DTYPES,
  isComplex,
  isFloat,
  isInteger,
  isUnsigned,
  isWide,
  mergeTypes,
  type DType,
} from "../../lib/core/types";
import { interpret } from "../../lib/kernel/interpret/run";
import {
  binaryKernel,
  castKernel,
  selectKernel,
  unaryKernel,
  type Keyed,
  type Source,
} from "../../lib/kernel/lower/single";
import { readerOf, type Elements } from "../../lib/kernel/operand";
import { SPECIAL_BINARY, SPECIAL_UNARY } from "../../lib/kernel/special/names";
import { BINARY, binaryType, UNARY, unaryType, type BinaryOp, type UnaryOp } from "../../lib/ops";
import { Tensor } from "../../lib/tensor";
import { dataOf, emptyOf, firstDifference, widthOf } from "./executors-support";

const SIZE = 1600;

const tensorOf = (type: DType, elements: Elements): Tensor =>
  new Tensor(binaryBackend, new BinaryData(elements as Uint8Array), type, [elements.length / widthOf(type)], [null]);

const sample = (type: DType, seed: number): Tensor => tensorOf(type, dataOf(type, SIZE, seed));
const scalar = (type: DType, seed: number): Tensor => tensorOf(type, dataOf(type, 1, seed));

const elementsOf = (data: unknown): Elements => (data as BinaryData).elements!;
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
    if (op === "populationCount" || op === "countLeadingZeros") return true;
    if (isComplex(type)) return ["abs", "sign", "sqrt"].includes(op);
    return op === "conjugate";
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
  const notCovered = new Set<BinaryOp>(["leftShift", "rightShift", "quotient", "remainder"]);
  const bitwise = new Set<BinaryOp>(["bitwiseAnd", "bitwiseOr", "bitwiseXor"]);
  const logical = new Set<BinaryOp>(["logicalAnd", "logicalOr", "logicalXor"]);
  const comparisons = new Set<BinaryOp>(["equal", "notEqual", "less", "lessEqual", "greater", "greaterEqual"]);

  /** What has no kernel: divisions of complex numbers, 64-bit integers of both signs, half floats of different kinds. */
  function isLeftOut(op: BinaryOp, x: DType, y: DType, out: DType): boolean {
    if (notCovered.has(op)) return true;
    if (bitwise.has(op) || logical.has(op)) return false;
    const hasWide = isWide(x) || isWide(y);
    if (comparisons.has(op)) {
      if (isComplex(mergeTypes(x, y))) return hasWide;
      return hasWide && isInteger(x) && isInteger(y) && isUnsigned(x) !== isUnsigned(y);
    }
    if (isComplex(out)) return hasWide || op === "divide";
    if (isInteger(out)) return false;
    const isShort = (type: DType): boolean => type === out || type === "u8" || type === "s8";
    return (out === "f16" || out === "bf16") && !(isShort(x) && isShort(y));
  }

  it.each(ops)("%s gives the bits of the binary backend", (op) => {
    for (const left of DTYPES) {
      for (const right of DTYPES) {
        const out = attempt(() => binaryType(op, left, right));
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
          if (keyed) check(keyed, [x, y], out, binaryBackend.binary(templateOf(out), [x, y], { op }));
        }
      }
    }
  });
});

describe("casts", () => {
  const isLeftOut = (from: DType, to: DType, overflow: "saturate" | "wrap"): boolean => {
    if (from === to) return false;
    if (isInteger(to)) return !isInteger(from) && (isWide(to) || overflow === "wrap");
    if (isWide(from)) return to !== "f64";
    return (to === "f16" || to === "bf16") && ["u32", "s32", "f64", "c128"].includes(from);
  };

  it.each(DTYPES)("from %s give the bits of the binary backend", (from) => {
    for (const to of DTYPES) {
      for (const overflow of ["saturate", "wrap"] as const) {
        for (const seed of [1, 2, 3]) {
          const x = sample(from, seed);
          const keyed = castKernel(sourceOf(x), to, overflow);
          expect([from, to, overflow, keyed === null]).toEqual([from, to, overflow, isLeftOut(from, to, overflow)]);
          if (keyed) check(keyed, [x], to, binaryBackend.asType(templateOf(to), [x], { overflow }));
        }
      }
    }
  });
});

describe("selection", () => {
  it.each(DTYPES)("by predicates of type %s gives the bits of the binary backend", (type) => {
    for (const left of DTYPES) {
      for (const right of DTYPES) {
        const out = mergeTypes(left, right);
        const [pred, x, y] = [sample(type, 1), sample(left, 2), left === "u8" ? scalar(right, 3) : sample(right, 3)];
        const keyed = selectKernel(sourceOf(pred), sourceOf(x), sourceOf(y), out);
        const leaves = (from: DType): boolean =>
          from !== out && castKernel({ type: from, uniform: false }, out, "wrap") === null;
        expect([left, right, keyed === null]).toEqual([left, right, leaves(left) || leaves(right)]);
        if (keyed) check(keyed, [pred, x, y], out, binaryBackend.select(templateOf(out), [pred, x, y], {}));
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
  });

  it("have one rounding in each op, on all pairs of a grid", () => {
    for (const { type } of formats.filter(({ type: name }) => isFloat(name))) {
      for (const op of ["add", "subtract", "multiply", "divide"] as const) {
        const keyed = binaryKernel(op, { type, uniform: false }, { type, uniform: false }, type)!;
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
          check(keyed, [x, y], type, binaryBackend.binary(templateOf(type), [x, y], { op }));
        }
      }
    }
  });
});
