/**
 * What each instruction of the assembler computes, in plain TypeScript: tables total over those of `lib/backends/wasm/asm`, so that an
 * instruction without a case does not compile. Integers are bigints here, of whatever width; a scalar is a vector of one lane.
 */
import type * as asm from "../../../lib/backends/wasm/asm";

/** Numbers of one type, and how they lie in memory. */
export interface Lanes {
  readonly bytes: number;
  readonly isFloat: boolean;
  get(view: DataView, at: number): Lane;
  /** Integers wrap. */
  set(view: DataView, at: number, value: Lane): void;
}
export type Lane = number | bigint;

function integers(bits: number, signed: boolean): Lanes {
  const wrap = (value: Lane): bigint => (signed ? BigInt.asIntN : BigInt.asUintN)(bits, BigInt(value));
  const byte = (view: DataView, at: number, i: number): bigint => BigInt(view.getUint8(at + i)) << BigInt(8 * i);
  const places = Array.from({ length: bits / 8 }, (_, i) => i);
  return {
    bytes: bits / 8,
    isFloat: false,
    get: (view, at) => wrap(places.reduce((sum, i) => sum | byte(view, at, i), 0n)),
    set: (view, at, value) =>
      places.forEach((i) => view.setUint8(at + i, Number((wrap(value) >> BigInt(8 * i)) & 255n))),
  };
}
const floats = (bytes: 4 | 8): Lanes => ({
  bytes,
  isFloat: true,
  get: (view, at) => (bytes === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true)),
  set: (view, at, value) => (bytes === 4 ? view.setFloat32 : view.setFloat64).call(view, at, Number(value), true),
});

const [S8, U8, S16, U16] = [integers(8, true), integers(8, false), integers(16, true), integers(16, false)];
const [S32, U32, S64, U64] = [integers(32, true), integers(32, false), integers(64, true), integers(64, false)];
const [SINGLE, DOUBLE] = [floats(4), floats(8)];

/** An operand or a result: what it is on the stack, how its lanes are seen, and which are tried. */
export interface Kind {
  readonly type: asm.ValueType;
  readonly lanes: Lanes;
  readonly samples: readonly Lane[];
}

/** Those at the ends and in the middle, signed and unsigned, and a few between. */
const integerSamples = (bits: number): bigint[] => {
  const half = 2n ** BigInt(bits - 1);
  const pattern = BigInt.asUintN(bits, 0x5a5a5a5a5a5a5a5an);
  return [0n, 1n, 3n, 7n, -2n, -9n, 100n, pattern, half, half - 1n, 2n * half - 1n, half + 5n];
};
const FLOAT_SAMPLES = [0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -3.7, 1e-45, 3.4e38, 2147483647.5, -2147483649, 4294967295, 1e19, -1e19, Infinity, -Infinity, NaN]; // prettier-ignore

const kind = (type: asm.ValueType, lanes: Lanes, samples?: readonly Lane[]): Kind => ({
  type,
  lanes,
  samples: samples ?? (lanes.isFloat ? FLOAT_SAMPLES : integerSamples(8 * lanes.bytes)),
});
const vector = (lanes: Lanes, samples?: readonly Lane[]): Kind => kind("v128", lanes, samples);

const [I32, N32, I64, N64, F32, F64] = [kind("i32", S32), kind("i32", U32), kind("i64", S64), kind("i64", U64), kind("f32", SINGLE), kind("f64", DOUBLE)]; // prettier-ignore
const COUNT = kind("i32", U32, [0n, 1n, 5n, 7n, 8n, 15n, 31n, 33n, 63n, 64n, 100n, -1n]);

/** Where there are bytes to read and write. */
export const DATA = { at: 256, bytes: 96 } as const;
const ADDRESS = kind(
  "i32",
  U32,
  [16, 17, 40].map((at) => BigInt(DATA.at + at)),
);

/** Lanes of as many operands as there are. */
export type Operands = readonly [readonly Lane[], readonly Lane[], readonly Lane[]];

/** Lanes of the operands to those of the result. */
type Compute = (operands: Operands, memory: DataView) => readonly Lane[];

export interface Case {
  readonly ins: readonly Kind[];
  readonly out: Kind | null;
  /** Ways to write the instruction: its immediates, and what it then computes. */
  readonly calls: readonly { readonly immediates: readonly unknown[]; readonly compute: Compute }[];
}

/** What is computed where the engine is to stop the program. */
export class Trap extends Error {}
const trap = (): never => {
  throw new Trap();
};

/** A function of lanes, all of integers or all of floats. */
type OfLanes = (...lanes: never[]) => Lane;

const countOf = ({ type, lanes }: Kind): number => (type === "v128" ? 16 / lanes.bytes : 1);

/** Lane by lane; scalars count for each of them. */
const each = (ins: readonly Kind[], out: Kind, compute: OfLanes): Case =>
  whole(ins, out, (...operands) =>
    Array.from({ length: countOf(out) }, (_, i) =>
      compute(...(operands.map((x) => x[x.length === 1 ? 0 : i]) as never[])),
    ),
  );

/** All lanes at a time. */
const whole = (ins: readonly Kind[], out: Kind, compute: (...operands: never[][]) => readonly Lane[]): Case => ({
  ins,
  out,
  calls: [{ immediates: [], compute: (operands) => compute(...(operands as unknown as never[][])) }],
});

const twice = (of: Kind): [Kind, Kind] => [of, of];
const thrice = (of: Kind): [Kind, Kind, Kind] => [of, of, of];

// ------------------------------------------------------------------------------------------- what lanes of integers do

type Longs = (a: bigint, b: bigint) => bigint;
const clamp = (value: bigint, least: bigint, most: bigint): bigint =>
  value < least ? least : value > most ? most : value;
const bitsOf = (of: Kind): bigint => BigInt(8 * of.lanes.bytes);
const pattern = (of: Kind, value: bigint): string => BigInt.asUintN(Number(bitsOf(of)), value).toString(2).padStart(Number(bitsOf(of)), "0"); // prettier-ignore

const RANGE = new Map([
  [S8, [-(2n ** 7n), 2n ** 7n - 1n]],
  [U8, [0n, 2n ** 8n - 1n]],
  [S16, [-(2n ** 15n), 2n ** 15n - 1n]],
  [U16, [0n, 2n ** 16n - 1n]],
  [S32, [-(2n ** 31n), 2n ** 31n - 1n]],
  [U32, [0n, 2n ** 32n - 1n]],
  [S64, [-(2n ** 63n), 2n ** 63n - 1n]],
  [U64, [0n, 2n ** 64n - 1n]],
] as const);
const saturated = (lanes: Lanes, value: bigint): bigint => clamp(value, ...RANGE.get(lanes)!);
const least: Longs = (a, b) => (a < b ? a : b);
const most: Longs = (a, b) => (a > b ? a : b);
const absolute = (a: bigint): bigint => (a < 0n ? -a : a);

const INT = {
  add: ((a, b) => a + b) as Longs,
  sub: ((a, b) => a - b) as Longs,
  mul: ((a, b) => a * b) as Longs,
};

/** Comparisons of both kinds of integers, or of floats; what is true is 1, in vectors all bits. */
const compare = (of: Kind, out: Kind, holds: (a: Lane, b: Lane) => boolean): Case =>
  each(twice(of), out, (a: Lane, b: Lane) => (holds(a, b) ? (out.type === "v128" ? -1n : 1n) : 0n));
const equality = (of: Kind, out: Kind) => ({
  eq: compare(of, out, (a, b) => a === b),
  ne: compare(of, out, (a, b) => a !== b),
});
const order = (of: Kind, out: Kind) => ({
  lt: compare(of, out, (a, b) => a < b),
  gt: compare(of, out, (a, b) => a > b),
  le: compare(of, out, (a, b) => a <= b),
  ge: compare(of, out, (a, b) => a >= b),
});
const signedOrder = (of: Kind, out: Kind) => {
  const { lt: lt_s, gt: gt_s, le: le_s, ge: ge_s } = order(of, out);
  return { ...equality(of, out), lt_s, gt_s, le_s, ge_s };
};
const integerOrder = (signed: Kind, unsigned: Kind, out: Kind) => {
  const { lt: lt_u, gt: gt_u, le: le_u, ge: ge_u } = order(unsigned, out);
  return { ...signedOrder(signed, out), lt_u, gt_u, le_u, ge_u };
};

const shifts = (signed: Kind, unsigned: Kind, count: Kind) => {
  const by = (n: bigint): bigint => BigInt.asUintN(64, n) % bitsOf(signed);
  return {
    shl: each([signed, count], signed, (a: bigint, n: bigint) => a << by(n)),
    shr_s: each([signed, count], signed, (a: bigint, n: bigint) => a >> by(n)),
    shr_u: each([unsigned, count], unsigned, (a: bigint, n: bigint) => a >> by(n)),
  };
};

const scalarIntegers = (signed: Kind, unsigned: Kind) => {
  const of = (operands: Kind, compute: Longs): Case => each(twice(operands), operands, compute);
  return {
    ...integerOrder(signed, unsigned, I32),
    ...shifts(signed, unsigned, signed),
    eqz: each([signed], I32, (a: bigint) => (a === 0n ? 1n : 0n)),
    add: of(signed, INT.add),
    sub: of(signed, INT.sub),
    mul: of(signed, INT.mul),
    div_s: of(signed, (a, b) => (b === 0n || saturated(signed.lanes, a / b) !== a / b ? trap() : a / b)),
    div_u: of(unsigned, (a, b) => (b === 0n ? trap() : a / b)),
    rem_s: of(signed, (a, b) => (b === 0n ? trap() : a % b)),
    rem_u: of(unsigned, (a, b) => (b === 0n ? trap() : a % b)),
    and: of(signed, (a, b) => a & b),
    or: of(signed, (a, b) => a | b),
    xor: of(signed, (a, b) => a ^ b),
  };
};

// ---------------------------------------------------------------------------------------------- what lanes of floats do

type Numbers = (a: number, b: number) => number;

function nearestEven(x: number): number {
  const low = Math.floor(x);
  if (!Number.isFinite(x) || low === x) return x;
  const up = x - low > 0.5 || (x - low === 0.5 && low % 2 !== 0);
  const rounded = up ? low + 1 : low;
  return rounded === 0 ? Math.sign(x) * 0 : rounded;
}
const floatUnary = (of: Kind) => ({
  abs: each([of], of, Math.abs),
  neg: each([of], of, (x: number) => -x),
  ceil: each([of], of, Math.ceil),
  floor: each([of], of, Math.floor),
  trunc: each([of], of, Math.trunc),
  nearest: each([of], of, nearestEven),
  sqrt: each([of], of, Math.sqrt),
});
const floatBinary = (of: Kind) => {
  const two = (compute: Numbers): Case => each(twice(of), of, compute);
  return {
    add: two((a, b) => a + b),
    sub: two((a, b) => a - b),
    mul: two((a, b) => a * b),
    div: two((a, b) => a / b),
    min: two(Math.min),
    max: two(Math.max),
  };
};
/** To integers of a type: the nearest one for what has no place there. */
const truncated =
  (lanes: Lanes) =>
  (x: number): bigint =>
    Number.isNaN(x) ? 0n : saturated(lanes, Number.isFinite(x) ? BigInt(Math.trunc(x)) : BigInt(Math.sign(x)) << 100n);

const same = (x: Lane): Lane => x;
const float = (x: bigint): number => Number(x);

// --------------------------------------------------------------------------------------------------------------- memory

const OFFSETS = [{}, { offset: 5 }, { offset: 16, align: 1 }] as const;

/** Accesses of memory at several places. */
const access = (
  ins: readonly Kind[],
  out: Kind | null,
  compute: (memory: DataView, at: number, ...operands: (readonly never[])[]) => readonly Lane[] | void,
): Case => ({
  ins: [ADDRESS, ...ins],
  out,
  calls: OFFSETS.map((place) => ({
    immediates: [place],
    compute: ([at, ...rest], memory) => {
      const offset = "offset" in place ? place.offset : 0;
      return compute(memory, Number(at![0]) + offset, ...(rest as unknown as never[][])) ?? [];
    },
  })),
});
const load = (lanes: Lanes, out: Kind): Case => access([], out, (memory, at) => [lanes.get(memory, at)]);
const store = (value: Kind, lanes: Lanes = value.lanes): Case =>
  access([value], null, (memory, at, [x]) => lanes.set(memory, at, x!));

/** As many lanes as are in the vector, those behind `count` 0. */
const loadLanes = (lanes: Lanes, out: Kind, count = countOf(out)): Case =>
  access([], out, (memory, at) =>
    Array.from({ length: countOf(out) }, (_, i) => (i < count ? lanes.get(memory, at + i * lanes.bytes) : 0n)),
  );
const loadSplat = (lanes: Lanes): Case =>
  access([], vector(lanes), (memory, at) => Array.from({ length: 16 / lanes.bytes }, () => lanes.get(memory, at)));

/** For each lane of a vector. */
const perLane = (
  of: Kind,
  ins: readonly Kind[],
  out: Kind | null,
  before: readonly (readonly unknown[])[],
  compute: (lane: number, operands: Operands, memory: DataView, first: number) => readonly Lane[],
): Case => ({
  ins,
  out,
  calls: before.flatMap((immediates, first) =>
    Array.from({ length: countOf(of) }, (_, lane) => ({
      immediates: [...immediates, lane],
      compute: (operands, memory) => compute(lane, operands, memory, first),
    })),
  ),
});
const NO_OFFSET = [[]] as const;
const withLane = (lanes: readonly Lane[], lane: number, value: Lane): Lane[] =>
  lanes.map((x, i) => (i === lane ? value : x));
const extract = (of: Kind, out: Kind): Case => perLane(of, [of], out, NO_OFFSET, (lane, [x]) => [x![lane]!]);
const replace = (of: Kind, value: Kind): Case =>
  perLane(of, [of, value], of, NO_OFFSET, (lane, [x, [y]]) => withLane(x!, lane, y!));
const PLACES = OFFSETS.map((place) => [place]);
const offsetOf = (place: number): number => [0, 5, 16][place]!;
const loadLane = (of: Kind): Case =>
  perLane(of, [ADDRESS, of], of, PLACES, (lane, [[at], x], memory, place) =>
    withLane(x!, lane, of.lanes.get(memory, Number(at) + offsetOf(place))),
  );
const storeLane = (of: Kind): Case =>
  perLane(of, [ADDRESS, of], null, PLACES, (lane, [[at], x], memory, place) => {
    of.lanes.set(memory, Number(at) + offsetOf(place), x![lane]!);
    return [];
  });

const constants = (of: Kind): Case => ({
  ins: [],
  out: of,
  calls: of.samples.map((value) => ({
    immediates: [of.type === "i32" ? Number(value) : value],
    compute: () => [value],
  })),
});

// --------------------------------------------------------------------------------------------------- the tables: scalars

type Cases<T> = { readonly [K in keyof T]: T[K] extends (...args: never[]) => unknown ? Case : Cases<T[K]> };

const i32: Cases<typeof asm.i32> = {
  ...scalarIntegers(I32, N32),
  clz: each([I32], I32, (a: bigint) => BigInt(`${pattern(I32, a)}1`.indexOf("1"))),
  ctz: each([I32], I32, (a: bigint) => BigInt([...`1${pattern(I32, a)}`].reverse().indexOf("1"))),
  const: constants(I32),
  load: load(S32, I32),
  load8_s: load(S8, I32),
  load8_u: load(U8, I32),
  load16_s: load(S16, I32),
  load16_u: load(U16, I32),
  store: store(I32),
  store8: store(I32, S8),
  store16: store(I32, S16),
  wrap_i64: each([I64], I32, same),
  trunc_sat_f64_u: each([F64], N32, truncated(U32)),
};

const i64: Cases<typeof asm.i64> = {
  ...scalarIntegers(I64, N64),
  const: constants(I64),
  load: load(S64, I64),
  load8_s: load(S8, I64),
  load8_u: load(U8, I64),
  load16_s: load(S16, I64),
  load16_u: load(U16, I64),
  load32_s: load(S32, I64),
  load32_u: load(U32, I64),
  store: store(I64),
  extend_i32_u: each([N32], I64, same),
};

const f32: Cases<typeof asm.f32> = {
  ...equality(F32, I32),
  ...order(F32, I32),
  ...floatBinary(F32),
  const: constants(F32),
  load: load(SINGLE, F32),
  store: store(F32),
  demote_f64: each([F64], F32, same),
};

const f64: Cases<typeof asm.f64> = {
  ...equality(F64, I32),
  ...order(F64, I32),
  ...floatUnary(F64),
  ...floatBinary(F64),
  const: constants(F64),
  load: load(DOUBLE, F64),
  store: store(F64),
  convert_i32_u: each([N32], F64, float),
  promote_f32: each([F32], F64, same),
};

const BYTES = [0n, 3n, 20n].map((bytes) => bytes);
const length = kind("i32", U32, BYTES);

const memory: Cases<typeof asm.memory> = {
  copy: {
    ins: [ADDRESS, ADDRESS, length],
    out: null,
    calls: [
      {
        immediates: [],
        compute: ([[to], [from], [count]], memory) => {
          const moved = Array.from({ length: Number(count) }, (_, i) => memory.getUint8(Number(from) + i));
          moved.forEach((byte, i) => memory.setUint8(Number(to) + i, byte));
          return [];
        },
      },
    ],
  },
  fill: {
    ins: [ADDRESS, I32, length],
    out: null,
    calls: [
      {
        immediates: [],
        compute: ([[to], [byte], [count]], memory) => {
          for (let i = 0; i < Number(count); i++) S8.set(memory, Number(to) + i, byte!);
          return [];
        },
      },
    ],
  },
};

// --------------------------------------------------------------------------------------------------- the tables: vectors

const [V8, W8, V16, W16] = [vector(S8), vector(U8), vector(S16), vector(U16)];
const [V32, W32, V64, W64] = [vector(S32), vector(U32), vector(S64), vector(U64)];
const [VF32, VF64] = [vector(SINGLE), vector(DOUBLE)];

/** Lanes of one half, the lower or the upper one, or both halves. */
const half = <T>(x: readonly T[], upper: boolean): readonly T[] =>
  upper ? x.slice(x.length / 2) : x.slice(0, x.length / 2);
const truth = (x: boolean): readonly Lane[] => [x ? 1n : 0n];

/** What vectors of integers have. */
const integerVectors = (signed: Kind, unsigned: Kind) => {
  const two = (compute: Longs): Case => each(twice(signed), signed, compute);
  return {
    ...shifts(signed, unsigned, COUNT),
    abs: each([signed], signed, absolute),
    neg: each([signed], signed, (x: bigint) => -x),
    bitmask: whole([signed], I32, (x: bigint[]) => [x.reduce((sum, lane, i) => sum | (lane < 0n ? 1n << BigInt(i) : 0n), 0n)]),
    add: two(INT.add),
    sub: two(INT.sub),
    mul: two(INT.mul),
  }; // prettier-ignore
};
const extremes = (signed: Kind, unsigned: Kind) => ({
  min_s: each(twice(signed), signed, least),
  min_u: each(twice(unsigned), unsigned, least),
  max_s: each(twice(signed), signed, most),
  max_u: each(twice(unsigned), unsigned, most),
});
const extended = (from: Kind, to: Kind, upper: boolean): Case => whole([from], to, (x: bigint[]) => half(x, upper));
const SHUFFLES = [
  Array.from({ length: 16 }, (_, i) => i),
  Array.from({ length: 16 }, (_, i) => 31 - i),
  Array.from({ length: 16 }, (_, i) => (i * 13 + 5) % 32),
];

/** Lanes that one constant may have. */
const CONSTANTS: readonly (readonly [string, Kind])[] = [["i8x16", V8], ["i16x8", W16], ["i32x4", W32], ["i64x2", V64], ["f32x4", VF32], ["f64x2", VF64]]; // prettier-ignore
const bytesOf = (of: Kind, lanes: readonly Lane[]): bigint[] => {
  const view = new DataView(new ArrayBuffer(16));
  lanes.forEach((lane, i) => of.lanes.set(view, i * of.lanes.bytes, lane));
  return Array.from({ length: 16 }, (_, i) => BigInt(view.getUint8(i)));
};

const v128: Cases<typeof asm.v128> = {
  const: {
    ins: [],
    out: W8,
    calls: CONSTANTS.flatMap(([shape, of]) =>
      of.samples.map((_, first) => {
        const lanes = Array.from({ length: countOf(of) }, (__, i) => of.samples[(first + i) % of.samples.length]!);
        const given = shape === "i64x2" ? lanes : lanes.map(Number);
        return { immediates: [shape, given], compute: () => bytesOf(of, lanes) };
      }),
    ),
  },
  load: loadLanes(U8, W8),
  load16x4_s: loadLanes(S16, V32),
  load16x4_u: loadLanes(U16, V32),
  load32x2_s: loadLanes(S32, V64),
  load32x2_u: loadLanes(U32, V64),
  load8_splat: loadSplat(U8),
  load16_splat: loadSplat(U16),
  load32_splat: loadSplat(U32),
  load64_splat: loadSplat(U64),
  load32_zero: loadLanes(U32, W32, 1),
  load64_zero: loadLanes(U64, W64, 1),
  store: access([W8], null, (memory, to, x) => x!.forEach((byte, i) => U8.set(memory, to + i, byte))),
  not: each([V32], V32, (x: bigint) => ~x),
  and: each(twice(V32), V32, (a: bigint, b: bigint) => a & b),
  andnot: each(twice(V32), V32, (a: bigint, b: bigint) => a & ~b),
  or: each(twice(V32), V32, (a: bigint, b: bigint) => a | b),
  xor: each(twice(V32), V32, (a: bigint, b: bigint) => a ^ b),
  bitselect: each(thrice(V32), V32, (a: bigint, b: bigint, m: bigint) => (a & m) | (b & ~m)),
  any_true: whole([vector(S64, [0n, 0n, 0n, 0n, 2n ** 40n])], I32, (x: bigint[]) => truth(x.some((lane) => lane !== 0n))),
  load32_lane: loadLane(W32),
  load64_lane: loadLane(W64),
  store8_lane: storeLane(W8),
  store16_lane: storeLane(W16),
  store32_lane: storeLane(W32),
  store64_lane: storeLane(W64),
}; // prettier-ignore

const { abs: _abs, bitmask: _bitmask, mul: _mul, ...byteVectors } = integerVectors(V8, W8);
const { gt_s: _gtS, gt_u: _gtU, ge_s: _geS, ge_u: _geU, ...byteOrder } = integerOrder(V8, W8, V8);

const i8x16: Cases<typeof asm.i8x16> = {
  ...byteVectors,
  ...byteOrder,
  ...extremes(V8, W8),
  shuffle: {
    ins: twice(W8),
    out: W8,
    calls: SHUFFLES.map((order) => ({
      immediates: [order],
      compute: ([a, b]) => order.map((i) => [...a!, ...b!][i]!),
    })),
  },
  swizzle: whole(twice(W8), W8, (a: bigint[], b: bigint[]) => b.map((i) => a[Number(i)] ?? 0n)),
  splat: each([I32], W8, same),
};

const i16x8: Cases<typeof asm.i16x8> = {
  ...integerVectors(V16, W16),
  extract_lane_u: extract(W16, N32),
  extend_low_i8x16_s: extended(V8, V16, false),
  extend_high_i8x16_s: extended(V8, V16, true),
  extend_low_i8x16_u: extended(W8, W16, false),
  extend_high_i8x16_u: extended(W8, W16, true),
};

const i32x4: Cases<typeof asm.i32x4> = {
  ...integerVectors(V32, W32),
  ...integerOrder(V32, W32, V32),
  ...extremes(V32, W32),
  splat: each([I32], V32, same),
  extract_lane: extract(V32, I32),
  replace_lane: replace(V32, I32),
  extend_low_i16x8_s: extended(V16, V32, false),
  extend_high_i16x8_s: extended(V16, V32, true),
  extend_low_i16x8_u: extended(W16, W32, false),
  extend_high_i16x8_u: extended(W16, W32, true),
  trunc_sat_f32x4_s: each([VF32], V32, truncated(S32)),
  trunc_sat_f32x4_u: each([VF32], W32, truncated(U32)),
  trunc_sat_f64x2_s_zero: whole([VF64], V32, (x: number[]) => [...x.map(truncated(S32)), 0n, 0n]),
  trunc_sat_f64x2_u_zero: whole([VF64], W32, (x: number[]) => [...x.map(truncated(U32)), 0n, 0n]),
};

const i64x2: Cases<typeof asm.i64x2> = {
  ...integerVectors(V64, W64),
  ...signedOrder(V64, V64),
  splat: each([I64], V64, same),
  extract_lane: extract(V64, I64),
  replace_lane: replace(V64, I64),
  extend_low_i32x4_s: extended(V32, V64, false),
  extend_high_i32x4_s: extended(V32, V64, true),
  extend_low_i32x4_u: extended(W32, W64, false),
  extend_high_i32x4_u: extended(W32, W64, true),
};

const floatVectors = (of: Kind, mask: Kind, scalar: Kind) => {
  // Products and sums of these are exact, so that rounding once or twice makes no difference.
  const exact = vector(of.lanes, [1, -1, 2, 0.5, 3, -7, 1000, 0.125]);
  return {
    ...equality(of, mask),
    ...order(of, mask),
    ...floatUnary(of),
    ...floatBinary(of),
    splat: each([scalar], of, same),
    extract_lane: extract(of, scalar),
    replace_lane: replace(of, scalar),
    pmin: each(twice(of), of, (a: number, b: number) => (b < a ? b : a)),
    pmax: each(twice(of), of, (a: number, b: number) => (a < b ? b : a)),
    relaxed_madd: each(thrice(exact), of, (a: number, b: number, c: number) => a * b + c),
  };
};

const f32x4: Cases<typeof asm.f32x4> = {
  ...floatVectors(VF32, V32, F32),
  demote_f64x2_zero: whole([VF64], VF32, (x: number[]) => [...x, 0, 0]),
  convert_i32x4_s: each([V32], VF32, float),
  convert_i32x4_u: each([W32], VF32, float),
};

const f64x2: Cases<typeof asm.f64x2> = {
  ...floatVectors(VF64, V64, F64),
  promote_low_f32x4: whole([VF32], VF64, (x: number[]) => half(x, false)),
  convert_low_i32x4_s: whole([V32], VF64, (x: bigint[]) => half(x, false).map(float)),
  convert_low_i32x4_u: whole([W32], VF64, (x: bigint[]) => half(x, false).map(float)),
};

/** All of them, by the names that the assembler has for them. */
export const CASES = { i32, i64, f32, f64, memory, v128, i8x16, i16x8, i32x4, i64x2, f32x4, f64x2 };
