/**
 * Element-wise primitives: choosing the lane, running its loop block by block, storing with one rounding.
 */
import type { Template } from "../../backend";
import type { ComplexFunction, ComplexFunctionOfTwo } from "../../core/complex-math";
import { ArgumentError } from "../../core/errors";
import { sameShape, sizeOf } from "../../core/shape";
import { bitsOf, isComplex, isInteger, isUnsigned, is64Bit, type DType } from "../../core/types";
import { binaryPrograms } from "../../kernel/special/brought";
import { isSpecialBinary, isSpecialUnary, type BinaryOp, type SpecialBinary, type UnaryOp } from "../../ops";
import type { Tensor } from "../../tensor";
import { BLOCK, blockReader, type Lane } from "../arrays/blocks";
import {
  isRounded,
  loadC128,
  loadF64,
  loadI32,
  loadI64,
  loadToRound,
  storeC128,
  storeF64,
  storeI32,
  storeI64,
} from "../arrays/convert";
import type { ArrayMemory } from "../arrays/memory";
import type { ArrayPrimitive, ArrayPrimitives } from "../arrays/primitives";
import { type ArrayData, elementsOf, toBytes, type Elements } from "../arrays/storage";
import { asType } from "./cast";
import { binaryLoops, unaryLoops } from "./lanes/brought";
import type { ComplexPartFunction, ComplexTestFunction } from "./lanes/complex";
import type { F64BinaryLoop, F64UnaryLoop } from "./lanes/f64";
import type { I32BinaryLoop, I32UnaryLoop } from "./lanes/i32";
import { compareI64, type I64BinaryLoop, type I64TestOfOrder, type I64UnaryLoop } from "./lanes/i64";
import { specialBinary, specialUnary } from "./special";

const F64_LANE: Lane<Float64Array> = { width: 1, create: (n) => new Float64Array(n), load: loadF64 };
const I32_LANE: Lane<Int32Array> = { width: 1, create: (n) => new Int32Array(n), load: loadI32 };
const I64_LANE: Lane<Int32Array> = { width: 2, create: (n) => new Int32Array(n), load: loadI64 };
const COMPLEX_LANE: Lane<Float64Array> = { width: 2, create: (n) => new Float64Array(n), load: loadC128 };

/** Lanes of ops that give an operand as it is, so that storing is the only rounding to a result narrower than f64. */
const SHORT_LANE: Lane<Float64Array> = { ...F64_LANE, load: loadToRound };
const SHORT_COMPLEX_LANE: Lane<Float64Array> = {
  ...COMPLEX_LANE,
  load: (type, src, at, dst, n) => loadC128(type, src, at, dst, n, loadToRound),
};

/** Scratch arrays, one per operand and lane; primitives do not call user code while they use them. */
const f64 = [0, 1, 2, 3].map(() => new Float64Array(BLOCK)) as [Float64Array, Float64Array, Float64Array, Float64Array];
const i32 = [0, 1, 2].map(() => new Int32Array(BLOCK)) as [Int32Array, Int32Array, Int32Array];
const i64 = [0, 1, 2].map(() => new Int32Array(2 * BLOCK)) as [Int32Array, Int32Array, Int32Array];
const c128 = [0, 1, 2].map(() => new Float64Array(2 * BLOCK)) as [Float64Array, Float64Array, Float64Array];

/** Calls `block` for consecutive runs of at most BLOCK elements. */
function forBlocks(size: number, block: (start: number, n: number) => void): void {
  for (let start = 0; start < size; start += BLOCK) block(start, Math.min(BLOCK, size - start));
}

// ------------------------------------------------------------------------------------------------------------ unary

const unary: ArrayPrimitive<"unary"> =
  (memory) =>
  (out, [x], { op }) =>
    memory.hold(unaryElements(memory, op, out, x!));

function unaryElements(memory: ArrayMemory, op: UnaryOp, out: Template, x: Tensor): Elements {
  if (isSpecialUnary(op)) return specialUnary(memory, op, out, x);
  const { f64: loop, i32: ofWords, i64: ofWide, complex, part } = unaryLoops(op);
  if (isComplex(x.type) || loop === undefined) {
    if (complex !== undefined) return unaryComplex(memory, complex, out, x);
    if (part !== undefined) return partComplex(memory, part, out, x);
  }
  if (is64Bit(x.type) && ofWide !== undefined) return unaryI64(memory, ofWide, out, x);
  return ofWords === undefined ? unaryF64(memory, loop!, out, x) : unaryI32(memory, ofWords, out, x);
}

function unaryF64(memory: ArrayMemory, loop: F64UnaryLoop, out: Template, x: Tensor): Elements {
  const result = memory.unset(out.type, out.shape);
  const size = sizeOf(out.shape);
  if (x.type === "f64" && out.type === "f64") {
    loop(result as Float64Array, elementsOf(x) as Float64Array, size);
    return result;
  }
  const read = blockReader(F64_LANE, x, out.shape, f64[1]);
  forBlocks(size, (start, n) => {
    read(start, n);
    loop(f64[0], f64[1], n);
    storeF64(out.type, result, start, f64[0], n);
  });
  return result;
}

function unaryI32(memory: ArrayMemory, loop: I32UnaryLoop, out: Template, x: Tensor): Elements {
  const result = memory.unset(out.type, out.shape);
  const format = formatOf(out.type);
  forBlocks(sizeOf(out.shape), (start, n) => {
    loadI32(x.type, elementsOf(x), start, i32[1], n);
    loop(i32[0], i32[1], n, format);
    storeI32(out.type, result, start, i32[0], n);
  });
  return result;
}

function unaryI64(memory: ArrayMemory, loop: I64UnaryLoop, out: Template, x: Tensor): Elements {
  const result = memory.unset(out.type, out.shape) as Int32Array;
  loop(result, elementsOf(x) as Int32Array, sizeOf(out.shape), !isUnsigned(x.type));
  return result;
}

function unaryComplex(memory: ArrayMemory, fn: ComplexFunction, out: Template, x: Tensor): Elements {
  const result = memory.unset(out.type, out.shape);
  const read = blockReader(COMPLEX_LANE, x, out.shape, c128[1]);
  forBlocks(sizeOf(out.shape), (start, n) => {
    read(start, n);
    const z = c128[1];
    for (let i = 0; i < 2 * n; i += 2) fn(z[i]!, z[i + 1]!, c128[0], i);
    storeC128(out.type, result, start, c128[0], n);
  });
  return result;
}

function partComplex(memory: ArrayMemory, part: ComplexPartFunction, out: Template, x: Tensor): Elements {
  const result = memory.unset(out.type, out.shape);
  const read = blockReader(COMPLEX_LANE, x, out.shape, c128[1]);
  forBlocks(sizeOf(out.shape), (start, n) => {
    read(start, n);
    const z = c128[1];
    for (let i = 0; i < n; i++) f64[0][i] = part(z[2 * i]!, z[2 * i + 1]!);
    storeF64(out.type, result, start, f64[0], n);
  });
  return result;
}

const formatOf = (type: DType) => ({ bits: bitsOf(type), signed: !isUnsigned(type) });

// ----------------------------------------------------------------------------------------------------------- binary

const binary: ArrayPrimitive<"binary"> =
  (memory) =>
  (out, [x, y], { op, type }) =>
    memory.hold(binaryElements(memory, op, type, out, x!, y!));

function binaryElements(memory: ArrayMemory, op: BinaryOp, type: DType, out: Template, x: Tensor, y: Tensor): Elements {
  if (op === "complex") return pairComplex(memory, out, x, y);
  const isSpecial = isSpecialBinary(op);
  const { f64: loop, i32: ofWords, i64: ofWide, complex, order, test } = binaryLoops(op);
  if (isComplex(type)) {
    if (test !== undefined) return testComplex(memory, test, out, x, y);
    return binaryComplex(memory, complex ?? binaryPrograms(op as SpecialBinary).complex!, out, x, y);
  }
  if (is64Bit(type)) {
    if (ofWide !== undefined) return binaryI64(memory, op, ofWide, out, x, y);
    if (order !== undefined) return testI64(memory, order, out, x, y);
  }
  if (isInteger(type) && ofWords !== undefined) return binaryI32(memory, op, ofWords, out, x, y);
  return isSpecial ? specialBinary(memory, op, out, x, y) : binaryF64(memory, op, loop!, out, x, y);
}

function binaryF64(
  memory: ArrayMemory,
  op: BinaryOp,
  loop: F64BinaryLoop,
  out: Template,
  x: Tensor,
  y: Tensor,
): Elements {
  const result = memory.unset(out.type, out.shape);
  const size = sizeOf(out.shape);
  const divides = (op === "quotient" || op === "remainder") && isInteger(out.type);
  if (out.type === "f64" && isWhole(x, "f64", out) && isWhole(y, "f64", out)) {
    loop(result as Float64Array, elementsOf(x) as Float64Array, elementsOf(y) as Float64Array, size);
    return result;
  }
  const lane = (op === "max" || op === "min") && isRounded(out.type) ? SHORT_LANE : F64_LANE;
  const readX = blockReader(lane, x, out.shape, f64[1]);
  const readY = blockReader(lane, y, out.shape, f64[2]);
  forBlocks(size, (start, n) => {
    readX(start, n);
    readY(start, n);
    if (divides) refuseZeros(op, f64[2], start, n);
    loop(f64[0], f64[1], f64[2], n);
    storeF64(out.type, result, start, f64[0], n);
  });
  return result;
}

const isWhole = (tensor: Tensor, type: DType, out: Template): boolean =>
  tensor.type === type && sameShape(tensor.shape, out.shape);

function refuseZeros(op: string, divisors: Float64Array, start: number, n: number): void {
  for (let i = 0; i < n; i++) if (divisors[i] === 0) throw refusedOperand(op, start + i);
}

/** Why an integer op cannot go on. */
function refusedOperand(op: string, position?: number): ArgumentError {
  const where = position === undefined ? "" : ` (at element ${position} of the result, in row-major order)`;
  if (op === "quotient" || op === "remainder") {
    return new ArgumentError(
      `Nx.${op} of integers by zero${where}; replace the zeros first, for example with Nx.select, or convert to a float type`,
    );
  }
  const what =
    op === "pow" ? "a negative exponent; convert the base to a float type" : "a negative count; shift the other way";
  return new ArgumentError(`Nx.${op} of integers was given ${what}${where}`);
}

function binaryI32(
  memory: ArrayMemory,
  op: string,
  loop: I32BinaryLoop,
  out: Template,
  x: Tensor,
  y: Tensor,
): Elements {
  const result = memory.unset(out.type, out.shape);
  const format = formatOf(out.type);
  const readX = blockReader(I32_LANE, x, out.shape, i32[1]);
  const readY = blockReader(I32_LANE, y, out.shape, i32[2]);
  forBlocks(sizeOf(out.shape), (start, n) => {
    readX(start, n);
    readY(start, n);
    if (!loop(i32[0], i32[1], i32[2], n, format)) throw refusedOperand(op);
    storeI32(out.type, result, start, i32[0], n);
  });
  return result;
}

function binaryI64(
  memory: ArrayMemory,
  op: string,
  loop: I64BinaryLoop,
  out: Template,
  x: Tensor,
  y: Tensor,
): Elements {
  const result = memory.unset(out.type, out.shape) as Int32Array;
  const size = sizeOf(out.shape);
  const signed = !isUnsigned(out.type);
  if (isWhole(x, out.type, out) && isWhole(y, out.type, out)) {
    if (loop(result, elementsOf(x) as Int32Array, elementsOf(y) as Int32Array, size, signed) === false) {
      throw refusedOperand(op);
    }
    return result;
  }
  const readX = blockReader(I64_LANE, x, out.shape, i64[1]);
  const readY = blockReader(I64_LANE, y, out.shape, i64[2]);
  forBlocks(size, (start, n) => {
    readX(start, n);
    readY(start, n);
    if (loop(i64[0], i64[1], i64[2], n, signed) === false) throw refusedOperand(op);
    storeI64(out.type, result, start, i64[0], n);
  });
  return result;
}

function testI64(memory: ArrayMemory, test: I64TestOfOrder, out: Template, x: Tensor, y: Tensor): Elements {
  const result = memory.unset("u8", out.shape);
  const readX = blockReader(I64_LANE, x, out.shape, i64[1]);
  const readY = blockReader(I64_LANE, y, out.shape, i64[2]);
  const sides = { x: i64[1], y: i64[2], xSigned: !isUnsigned(x.type), ySigned: !isUnsigned(y.type) };
  forBlocks(sizeOf(out.shape), (start, n) => {
    readX(start, n);
    readY(start, n);
    compareI64(test, result, start, sides, n);
  });
  return result;
}

/** Reads both operands as complex numbers and calls `block` with them. */
function overComplex(out: Template, x: Tensor, y: Tensor, block: (start: number, n: number) => void): void {
  const readX = blockReader(COMPLEX_LANE, x, out.shape, c128[1]);
  const readY = blockReader(COMPLEX_LANE, y, out.shape, c128[2]);
  forBlocks(sizeOf(out.shape), (start, n) => {
    readX(start, n);
    readY(start, n);
    block(start, n);
  });
}

function binaryComplex(memory: ArrayMemory, fn: ComplexFunctionOfTwo, out: Template, x: Tensor, y: Tensor): Elements {
  const result = memory.unset(out.type, out.shape);
  const [z, a, b] = c128;
  overComplex(out, x, y, (start, n) => {
    for (let i = 0; i < 2 * n; i += 2) fn(a[i]!, a[i + 1]!, b[i]!, b[i + 1]!, z, i);
    storeC128(out.type, result, start, z, n);
  });
  return result;
}

function testComplex(memory: ArrayMemory, test: ComplexTestFunction, out: Template, x: Tensor, y: Tensor): Elements {
  const result = memory.unset("u8", out.shape);
  const [, a, b] = c128;
  overComplex(out, x, y, (start, n) => {
    for (let i = 0; i < n; i++) result[start + i] = test(a[2 * i]!, a[2 * i + 1]!, b[2 * i]!, b[2 * i + 1]!) ? 1 : 0;
  });
  return result;
}

/** Real and imaginary parts side by side. */
function pairComplex(memory: ArrayMemory, out: Template, re: Tensor, im: Tensor): Elements {
  const result = memory.unset(out.type, out.shape);
  const lane = isRounded(out.type) ? SHORT_LANE : F64_LANE;
  const readRe = blockReader(lane, re, out.shape, f64[1]);
  const readIm = blockReader(lane, im, out.shape, f64[2]);
  forBlocks(sizeOf(out.shape), (start, n) => {
    readRe(start, n);
    readIm(start, n);
    for (let i = 0; i < n; i++) {
      result[2 * (start + i)] = f64[1][i]!;
      result[2 * (start + i) + 1] = f64[2][i]!;
    }
  });
  return result;
}

// ----------------------------------------------------------------------------------------------------------- select

const select: ArrayPrimitive<"select"> =
  (memory) =>
  (out, [pred, onTrue, onFalse]) => {
    const short = isRounded(out.type);
    const operands = [pred!, onTrue!, onFalse!] as const;
    if (isComplex(out.type)) {
      return selectIn(memory, short ? SHORT_COMPLEX_LANE : COMPLEX_LANE, c128, storeC128, out, ...operands);
    }
    if (is64Bit(out.type)) return selectIn(memory, I64_LANE, i64, storeI64, out, ...operands);
    return selectIn(memory, short ? SHORT_LANE : F64_LANE, f64, storeF64, out, ...operands);
  };

function selectIn<A extends Float64Array | Int32Array>(
  memory: ArrayMemory,
  lane: Lane<A>,
  scratch: readonly [A, A, A, ...A[]],
  store: (type: DType, dst: Elements, at: number, src: A, n: number) => void,
  out: Template,
  pred: Tensor,
  onTrue: Tensor,
  onFalse: Tensor,
): ArrayData {
  const [picked, yes, no] = scratch;
  const { width } = lane;
  const result = memory.unset(out.type, out.shape);
  const isSet = truthReader(pred, out);
  const readYes = blockReader(lane, onTrue, out.shape, yes);
  const readNo = blockReader(lane, onFalse, out.shape, no);
  forBlocks(sizeOf(out.shape), (start, n) => {
    const truth = isSet(start, n);
    readYes(start, n);
    readNo(start, n);
    for (let i = 0; i < n * width; i++) picked[i] = truth[width === 1 ? i : i >> 1]! !== 0 ? yes[i]! : no[i]!;
    store(out.type, result, start, picked, n);
  });
  return memory.hold(result);
}

/** Reads a predicate as doubles that are zero where it does not hold; of complex numbers both parts count. */
function truthReader(pred: Tensor, out: Template): (start: number, n: number) => Float64Array {
  const truth = f64[3];
  if (!isComplex(pred.type)) {
    const read = blockReader(F64_LANE, pred, out.shape, truth);
    return (start, n) => (read(start, n), truth);
  }
  const parts = new Float64Array(2 * BLOCK);
  const read = blockReader(COMPLEX_LANE, pred, out.shape, parts);
  return (start, n) => {
    read(start, n);
    for (let i = 0; i < n; i++) truth[i] = parts[2 * i] !== 0 || parts[2 * i + 1] !== 0 ? 1 : 0;
    return truth;
  };
}

// ---------------------------------------------------------------------------------------------------------- bitcast

const bitcast: ArrayPrimitive<"bitcast"> =
  (memory) =>
  (out, [x]) =>
    memory.upload(out.type, toBytes(elementsOf(x!), x!.type, sizeOf(x!.shape)));

/** The element-wise primitives. */
export const elementwise = { unary, binary, select, asType, bitcast } satisfies Partial<ArrayPrimitives>;
