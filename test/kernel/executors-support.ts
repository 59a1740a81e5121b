/**
 * For the tests of executors: random kernel programs, awkward data of every element type, and a model that computes a
 * kernel one element at a time with plain numbers and bigints.
 */
import fc from "fast-check";
import { DTYPES, isComplex, is64Bit, type DType } from "../../lib/core/types";
import { Builder } from "../../lib/kernel/builder";
import { readerOf, type Elements, type Reader } from "../../lib/kernel/operand";
import { ownTable } from "./own-table";
import {
  storageKind,
  type Kernel,
  type Kind,
  type NumberKind,
  type ColdPathValue,
  type Value,
} from "../../lib/kernel/value";

// -------------------------------------------------------------------------------------------------------------- data

const CREATE: { readonly [T in DType]: new (source: number | ArrayBuffer) => Elements } = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  u64: Int32Array,
  s8: Int8Array,
  s16: Int16Array,
  s32: Int32Array,
  s64: Int32Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  f32: Float32Array,
  f64: Float64Array,
  c64: Float32Array,
  c128: Float64Array,
};

export const widthOf = (type: DType): 1 | 2 => (is64Bit(type) || isComplex(type) ? 2 : 1);
export const emptyOf = (type: DType, size: number): Elements => new CREATE[type](size * widthOf(type));

/** Numbers that ask for trouble; between them random bits. */
const AWKWARD = [
  ...[0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 3, 255, 256, -128, 127, 32767, 65504, 65520],
  ...[2147483647, 2147483648, -2147483648, -2147483649, 4294967295, 4294967296, 4294967295.5, 2147483647.5],
  ...[NaN, Infinity, -Infinity, 5e-324, -5e-324, 2 ** -149, -(2 ** -149), 2 ** -126, 2 ** -24, 2 ** -25, 2 ** -14],
  ...[
    1.7976931348623157e308, 3.4028234663852886e38, -3.4028234663852886e38, 1e-310, 1e-40, 8388608.5, 4503599627370495.5,
  ],
];
const WORDS = [0, 1, -1, 2147483647, -2147483648, 0x7c00, 0xfc00, 0x7e01, 0x8000, 255, 256, 65535, 65536];

/** Numbers in [0, 2^32) from a seed. */
export function randomWords(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
}

const pick = <T>(from: readonly T[], word: number): T => from[word % from.length]!;

const POWERS = Array.from({ length: 40 }, (_, exponent) => 2 ** exponent);

/** What was made last, of so many kinds: several backends and numbers of threads are given the same operands, one after the other. */
const made = new Map<string, Elements>();
const MOST_KEPT = 8;

/** Elements of a type: awkward ones, random bits, and plain numbers of middling size. */
export function dataOf(type: DType, size: number, seed: number): Elements {
  const of = `${type} ${size} ${seed}`;
  const elements = made.get(of) ?? awkwardOf(type, size, seed);
  made.delete(of);
  made.set(of, elements);
  for (const [oldest] of made) if (made.size > MOST_KEPT) made.delete(oldest);
  return elements.slice();
}

function awkwardOf(type: DType, size: number, seed: number): Elements {
  const next = randomWords(seed);
  const elements = emptyOf(type, size);
  const isFloating = elements instanceof Float32Array || elements instanceof Float64Array;
  const words = new Int32Array(2);
  const bits = elements instanceof Float32Array ? new Float32Array(words.buffer) : new Float64Array(words.buffer);
  for (let i = 0; i < elements.length; i++) {
    const choice = next() % 4;
    if (!isFloating) elements[i] = choice === 0 ? pick(WORDS, next()) : next();
    else if (choice < 2) elements[i] = pick(AWKWARD, next());
    else if (choice === 2) elements[i] = (next() / 2 ** 32 - 0.5) * pick(POWERS, next());
    else {
      words[0] = next();
      words[1] = next();
      elements[i] = bits[0]!;
    }
  }
  if (isFloating) giveSigns(elements);
  return elements;
}

/** Makes every other NaN a negative one: no result may depend on the sign of a NaN, which engines choose as they like. */
function giveSigns(elements: Float32Array | Float64Array): void {
  const words = new Uint32Array(elements.buffer);
  const width = elements.BYTES_PER_ELEMENT / 4;
  for (let i = 0; i < elements.length; i++) {
    if (elements[i] !== elements[i] && i % 2 === 1) words[i * width + width - 1]! |= 0x80000000;
  }
}

export const contiguous = (elements: Elements, type: DType): Reader =>
  readerOf({ elements, width: widthOf(type), offset: 0, strides: [1] }, [elements.length / widthOf(type)]);

/** Readers over data for a kernel: inputs that are the same for all elements have one. */
export function operandsOf(kernel: Kernel, size: number, seed: number): { data: Elements[]; readers: Reader[] } {
  const data = kernel.inputs.map(({ type, uniform }, i) => dataOf(type, uniform ? 1 : size, seed + 101 * i));
  const readers = kernel.inputs.map(({ type, uniform }, i) =>
    uniform
      ? readerOf({ elements: data[i]!, width: widthOf(type), offset: 0, strides: [0] }, [size])
      : contiguous(data[i]!, type),
  );
  return { data, readers };
}

type Executor = (kernel: Kernel, readers: readonly Reader[], outputs: readonly Elements[], size: number) => void;

export function execute(executor: Executor, kernel: Kernel, readers: readonly Reader[], size: number): Elements[] {
  const outputs = kernel.outputs.map(({ type }) => emptyOf(type, size));
  executor(kernel, readers, outputs, size);
  return outputs;
}

/** Where two arrays differ first; all NaN are the same. */
export function firstDifference(a: Elements, b: Elements): string | null {
  if (a.length !== b.length) return `lengths ${a.length} and ${b.length}`;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return `[${i}] ${show(a[i]!)} and ${show(b[i]!)}`;
  return null;
}

const show = (x: number): string => (Object.is(x, -0) ? "-0" : String(x));

// ------------------------------------------------------------------------------------------------------------- model

type Scalar = number | bigint | boolean;

const wide = new DataView(new ArrayBuffer(8));
const f32Bits = (x: number): number => (wide.setFloat32(0, x), wide.getInt32(0));
const f64Bits = (x: number): bigint => (wide.setFloat64(0, x), wide.getBigInt64(0));
const f32From = (x: number): number => (wide.setInt32(0, x), wide.getFloat32(0));
const f64From = (x: bigint): number => (wide.setBigInt64(0, x), wide.getFloat64(0));
const s64 = (x: bigint): bigint => BigInt.asIntN(64, x);
const u64 = (x: bigint): bigint => BigInt.asUintN(64, x);
const clamp = (x: number, low: number, high: number): number =>
  Number.isNaN(x) ? 0 : Math.trunc(Math.min(Math.max(x, low), high));

function evenly(x: number): number {
  if (!Number.isFinite(x)) return x;
  const low = Math.floor(x);
  const rest = x - low;
  const up = rest > 0.5 || (rest === 0.5 && low % 2 !== 0);
  const result = up ? low + 1 : low;
  return result === 0 && (x < 0 || Object.is(x, -0)) ? -0 : result;
}

const FLOATS: Record<string, (a: number, b: number) => number> = {
  neg: (a) => -a,
  abs: Math.abs,
  sqrt: Math.sqrt,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  nearest: evenly,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  min: Math.min,
  max: Math.max,
  pmin: (a, b) => (b < a ? b : a),
  pmax: (a, b) => (a < b ? b : a),
};

const BIGS: Record<string, (a: bigint, b: bigint) => bigint> = {
  neg: (a) => -a,
  not: (a) => ~a,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  andnot: (a, b) => a & ~b,
  min: (a, b) => (a < b ? a : b),
  max: (a, b) => (a < b ? b : a),
};

const MASKS: Record<string, (a: boolean, b: boolean) => boolean> = {
  not: (a) => !a,
  and: (a, b) => a && b,
  or: (a, b) => a || b,
  xor: (a, b) => a !== b,
  andnot: (a, b) => a && !b,
};

const COMPARE: Record<string, (a: number | bigint, b: number | bigint) => boolean> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
};

const CONVERT: Record<string, (a: never) => Scalar> = {
  promote: (a: number) => a,
  demote: (a: number) => Math.fround(a),
  truncS: (a: number) => clamp(a, -2147483648, 2147483647) | 0,
  truncU: (a: number) => clamp(a, 0, 4294967295) | 0,
  extendS: (a: number) => BigInt(a),
  extendU: (a: number) => BigInt(a >>> 0),
  wrap: (a: bigint) => Number(BigInt.asIntN(32, a)),
  widen: (a: boolean) => a,
  narrow: (a: boolean) => a,
};

function shifted(op: string, kind: Kind, a: Scalar, count: number): Scalar {
  const [whole, low] = kind === "i64" ? [BigInt(a as bigint), 64] : [BigInt(a as number), 32];
  const by = BigInt(count);
  const result = op === "shl" ? whole << by : op === "shrS" ? whole >> by : BigInt.asUintN(low, whole) >> by;
  return kind === "i64" ? s64(result) : Number(BigInt.asIntN(32, result));
}

function compared(op: string, kind: Kind, a: Scalar, b: Scalar): boolean {
  if (op === "ltU" || op === "leU") {
    const unsigned = (x: Scalar): number | bigint => (kind === "i64" ? u64(x as bigint) : (x as number) >>> 0);
    return COMPARE[op === "ltU" ? "lt" : "le"]!(unsigned(a), unsigned(b));
  }
  return COMPARE[op]!(a as number, b as number);
}

function plain(value: Value, args: readonly Scalar[]): Scalar {
  const { op } = value;
  const from = value.args[0]!.kind;
  const [a, b] = args as [Scalar, Scalar];
  if (op === "select") return a ? b : args[2]!;
  if (op === "lookup") return (value as Extract<Value, { op: "lookup" }>).table.entries()[a as number]!;
  if (op === "shl" || op === "shrS" || op === "shrU") {
    return shifted(op, value.kind, a, (value as Extract<Value, { count: number }>).count);
  }
  if (op === "minU" || op === "maxU") return compared("ltU", from, a, b) === (op === "minU") ? a : b;
  if (op in COMPARE || op === "ltU" || op === "leU") return compared(op, from, a, b);
  if (op === "bits") return from === "f32" ? f32Bits(a as number) : f64Bits(a as number);
  if (op === "float") return from === "i32" ? f32From(a as number) : f64From(a as bigint);
  if (op === "maskBits") return from === "m32" ? (a ? -1 : 0) : a ? -1n : 0n;
  if (op === "fromS32" || op === "fromU32") {
    const whole = op === "fromS32" ? (a as number) : (a as number) >>> 0;
    return value.kind === "f32" ? Math.fround(whole) : whole;
  }
  if (op in CONVERT) return CONVERT[op]!(a as never);
  if (from === "f64") return FLOATS[op]!(a as number, b as number);
  if (from === "f32") return Math.fround(FLOATS[op]!(a as number, b as number));
  if (from === "m32" || from === "m64") return MASKS[op]!(a as boolean, b as boolean);
  if (from === "i64") return s64(BIGS[op]!(a as bigint, b as bigint));
  return Number(BigInt.asIntN(32, BIGS[op]!(BigInt(a as number), BigInt((b ?? 0) as number))));
}

const halves = (elements: Elements, at: number): bigint =>
  s64((BigInt(elements[2 * at + 1]!) << 32n) | BigInt(elements[2 * at]! >>> 0));

function loaded(
  { inputs }: Kernel,
  { input, part }: { input: number; part: 0 | 1 },
  data: readonly Elements[],
  at: number,
): Scalar {
  const { type, uniform } = inputs[input]!;
  const i = uniform ? 0 : at;
  if (isComplex(type)) return data[input]![2 * i + part]!;
  if (is64Bit(type)) return halves(data[input]!, i);
  return storageKind(type) === "i32" ? data[input]![i]! | 0 : data[input]![i]!;
}

/** The values of all outputs at one element, as they are stored. */
export function modelOf(kernel: Kernel, data: readonly Elements[], at: number): number[][] {
  const known = new Map<Value, Scalar>();
  const compute = (value: Value): Scalar => {
    if (value.op === "load") return loaded(kernel, value, data, at);
    if (value.op === "const") {
      return value.kind === "i64" ? s64((BigInt(value.high) << 32n) | BigInt(value.value >>> 0)) : value.value;
    }
    if (value.op === "coldPath") return coldPath(value);
    return plain(value, value.args.map(evaluate));
  };
  const coldPath = (value: ColdPathValue): Scalar => evaluate(evaluate(value.args[0]!) ? value.cold : value.args[1]!);
  const evaluate = (value: Value): Scalar => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const result = compute(value);
    known.set(value, result);
    return result;
  };
  return kernel.outputs.map(({ type, values }) => values.flatMap((value) => stored(type, evaluate(value))));
}

function stored(type: DType, value: Scalar): number[] {
  if (is64Bit(type)) return [Number(BigInt.asIntN(32, value as bigint)), Number((value as bigint) >> 32n)];
  const cell = emptyOf(type, 1);
  cell[0] = value as number;
  return [cell[0]!];
}

// ---------------------------------------------------------------------------------------------------------- programs

/** One step of a random program: an op and which values made before it takes; a cold path has steps of its own. */
export interface Instruction {
  readonly code: number;
  readonly picks: readonly [number, number, number];
  readonly number: number;
  readonly body: readonly Instruction[];
}

const TABLE = ownTable(Float64Array.from([0, -0, 1, NaN, Infinity, -2.5, 1e300, 5e-324]));

type Pools = { readonly [K in Kind]: Value<K>[] };
type Make = (
  k: Builder,
  take: <K extends Kind>(kind: K, which: 0 | 1 | 2) => Value<K>,
  step: Instruction,
  pools: Pools,
) => Value;

const FLOAT_KINDS = ["f32", "f64"] as const;
const INT_KINDS = ["i32", "i64"] as const;
const MASK_KINDS = ["m32", "m64"] as const;
const NUMBER_KINDS = [...FLOAT_KINDS, ...INT_KINDS] as const;
const KINDS = [...NUMBER_KINDS, ...MASK_KINDS] as const;
const maskOf = (kind: Kind): "m32" | "m64" => (kind === "f64" || kind === "i64" || kind === "m64" ? "m64" : "m32");

/** The bits of a float; of NaN, whose bits are not defined, those of 1. */
const definedBits = (k: Builder, x: Value<"f32" | "f64">): Value => {
  const same = k.eq(x, x);
  return k.bits(k.select(same as never, x as Value<"f32">, 1));
};

function codes(): readonly Make[] {
  const made: Make[] = [];
  for (const kind of FLOAT_KINDS) {
    for (const op of ["neg", "abs", "sqrt", "floor", "ceil", "trunc", "nearest"] as const)
      made.push((k, take) => (k[op] as Builder["sqrt"])(take(kind, 0)));
    for (const op of ["add", "sub", "mul", "div", "min", "max", "pmin", "pmax"] as const)
      made.push((k, take) => (k[op] as Builder["div"])(take(kind, 0), take(kind, 1)));
    made.push((k, take) => definedBits(k, take(kind, 0)));
    for (const op of ["fromS32", "fromU32"] as const) made.push((k, take) => k[op](kind, take("i32", 0)));
    for (const op of ["truncS", "truncU"] as const) made.push((k, take) => k[op](take(kind, 0)));
  }
  for (const kind of INT_KINDS) {
    for (const op of ["add", "sub", "mul", "min", "max", "minU", "maxU"] as const)
      made.push((k, take) => (k[op] as Builder["minU"])(take(kind, 0), take(kind, 1)));
    made.push((k, take) => k.neg(take(kind, 0)));
    made.push((k, take) => k.float(take(kind, 0)));
    for (const op of ["ltU", "leU"] as const) made.push((k, take) => k[op](take(kind, 0), take(kind, 1)));
    const bits = kind === "i32" ? 32 : 64;
    for (const op of ["shl", "shrS", "shrU"] as const)
      made.push((k, take, { number }) => k[op](take(kind, 0), Math.abs(number) % bits));
  }
  for (const kind of NUMBER_KINDS) {
    for (const op of ["eq", "ne", "lt", "le", "gt", "ge"] as const)
      made.push((k, take) => k[op](take(kind, 0), take(kind, 1)));
    made.push((k, _take, { number }) => k.constant(kind, pick([number, ...AWKWARD], Math.abs(number))));
  }
  for (const kind of [...INT_KINDS, ...MASK_KINDS]) {
    for (const op of ["and", "or", "xor", "andnot"] as const)
      made.push((k, take) => k[op](take(kind, 0), take(kind, 1)));
    made.push((k, take) => k.not(take(kind, 0)));
  }
  for (const kind of KINDS) {
    made.push((k, take) =>
      k.select(take(maskOf(kind), 0) as never, take(kind, 1) as Value<"f32">, take(kind, 2) as Value<"f32">),
    );
    for (let i = 0; i < 3; i++) made.push((k, take, step, pools) => rareOf(k, kind, take, step, pools));
  }
  for (const kind of MASK_KINDS) made.push((k, take) => k.maskBits(take(kind, 0)));
  made.push(
    (k, take) => k.promote(take("f32", 0)),
    (k, take) => k.demote(take("f64", 0)),
    (k, take) => k.extendS(take("i32", 0)),
    (k, take) => k.extendU(take("i32", 0)),
    (k, take) => k.wrap(take("i64", 0)),
    (k, take) => k.widen(take("m32", 0)),
    (k, take) => k.narrow(take("m64", 0)),
    (k, take) => k.lookup(TABLE, k.and(take("i32", 0), 7)),
  );
  return made;
}

const CODES = codes();

function rareOf(k: Builder, kind: Kind, take: Parameters<Make>[1], step: Instruction, pools: Pools): Value {
  const build = (): Value => {
    const inner = Object.fromEntries(KINDS.map((name) => [name, [...pools[name]]])) as unknown as Pools;
    for (const instruction of step.body) apply(k, instruction, inner);
    return inner[kind][inner[kind].length - 1]!;
  };
  return k.coldPath(take(maskOf(kind), 0) as never, take(kind, 1) as Value<"f32">, build as () => Value<"f32">);
}

function apply(k: Builder, step: Instruction, pools: Pools): void {
  // Values made last are taken more often, so that programs are deep.
  const take = <K extends Kind>(kind: K, which: 0 | 1 | 2): Value<K> => {
    const pool = pools[kind] as Value<K>[];
    return pool[pool.length - 1 - (step.picks[which] % pool.length)]!;
  };
  const value = CODES[step.code % CODES.length]!(k, take, step, pools);
  (pools[value.kind] as Value[]).push(value);
}

function instruction(depth: number): fc.Arbitrary<Instruction> {
  const pickOne = fc.oneof(fc.nat(3), fc.nat(40));
  return fc.record({
    code: fc.nat(CODES.length - 1),
    picks: fc.tuple(pickOne, pickOne, pickOne),
    number: fc.integer({ min: -70, max: 70 }),
    body: depth === 0 ? fc.constant([]) : fc.array(instruction(depth - 1), { maxLength: 6 }),
  });
}

export interface Program {
  readonly types: readonly { readonly type: DType; readonly uniform: boolean }[];
  readonly steps: readonly Instruction[];
  readonly outputs: readonly { readonly type: DType; readonly pick: number }[];
}

export const programs: fc.Arbitrary<Program> = fc.record({
  types: fc.array(fc.record({ type: fc.constantFrom(...DTYPES), uniform: fc.boolean() }), {
    minLength: 1,
    maxLength: 5,
  }),
  steps: fc.array(instruction(2), { minLength: 1, maxLength: 40, size: "max" }),
  outputs: fc.array(fc.record({ type: fc.constantFrom(...DTYPES), pick: fc.oneof(fc.nat(2), fc.nat(30)) }), {
    minLength: 1,
    maxLength: 4,
  }),
});

export function kernelOf({ types, steps, outputs }: Program): Kernel {
  const k = new Builder();
  const pools: Pools = { f32: [k.f32(1)], f64: [k.f64(-2)], i32: [k.i32(3)], i64: [k.i64(-1, 4)], m32: [], m64: [] };
  for (const { type, uniform } of types) {
    const input = k.input(type, uniform);
    for (const part of isComplex(type) ? ([0, 1] as const) : ([0] as const)) {
      const value = k.load(input, part);
      (pools[value.kind] as Value[]).push(value);
    }
  }
  pools.m32.push(k.lt(pools.f32[pools.f32.length - 1]!, 0), k.lt(pools.i32[pools.i32.length - 1]!, 0));
  pools.m64.push(k.lt(pools.f64[pools.f64.length - 1]!, 0), k.lt(pools.i64[pools.i64.length - 1]!, 0));
  for (const step of steps) apply(k, step, pools);
  const at = (kind: NumberKind, which: number): Value =>
    pools[kind][pools[kind].length - 1 - (which % pools[kind].length)]!;
  return k.kernel(
    outputs.map(({ type, pick: which }) => {
      const kind = storageKind(type);
      return { type, values: isComplex(type) ? [at(kind, which), at(kind, which + 1)] : [at(kind, which)] };
    }),
  );
}
