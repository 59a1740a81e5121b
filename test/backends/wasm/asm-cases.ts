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
const WORD_ADDRESS = kind(
  "i32",
  U32,
  [16, 40].map((at) => BigInt(DATA.at + at)),
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
const ones = (bits: string): bigint => BigInt(bits.replaceAll("0", "").length);

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
  const bits = bitsOf(signed);
  const rotated = (a: bigint, by: bigint): bigint => (a << by) | (a >> (bits - by));
  const of = (operands: Kind, compute: Longs): Case => each(twice(operands), operands, compute);
  return {
    ...integerOrder(signed, unsigned, I32),
    ...shifts(signed, unsigned, signed),
    eqz: each([signed], I32, (a: bigint) => (a === 0n ? 1n : 0n)),
    clz: each([signed], signed, (a: bigint) => BigInt(`${pattern(signed, a)}1`.indexOf("1"))),
    ctz: each([signed], signed, (a: bigint) => BigInt([...`1${pattern(signed, a)}`].reverse().indexOf("1"))),
    popcnt: each([signed], signed, (a: bigint) => ones(pattern(signed, a))),
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
    rotl: of(unsigned, (a, b) => rotated(a, b % bits)),
    rotr: of(unsigned, (a, b) => rotated(a, (bits - (b % bits)) % bits)),
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
const isNegative = (x: number): boolean => x < 0 || Object.is(x, -0);
const copysign = (of: Kind): Case =>
  each(twice(of), of, (a: number, b: number) => (isNegative(a) === isNegative(b) ? a : -a));

/** To integers of a type; what has no place there, a trap or the nearest one. */
const truncated =
  (lanes: Lanes, saturates: boolean) =>
  (x: number): bigint => {
    if (Number.isNaN(x)) return saturates ? 0n : trap();
    const integer = Number.isFinite(x) ? BigInt(Math.trunc(x)) : BigInt(Math.sign(x)) << 100n;
    const inside = saturated(lanes, integer);
    return inside === integer || saturates ? inside : trap();
  };

/** Bits of a value of one type, taken for one of another. */
const reinterpreted = (from: Kind, to: Kind): Case =>
  each([from], to, (x: Lane) => {
    const view = new DataView(new ArrayBuffer(8));
    from.lanes.set(view, 0, x);
    return to.lanes.get(view, 0);
  });

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

/** The word at an address that is a multiple of 4. */
const atomic = (
  ins: readonly Kind[],
  out: Kind | null,
  compute: (word: bigint, ...operands: bigint[]) => bigint,
): Case => ({
  ins: [WORD_ADDRESS, ...ins],
  out,
  calls: [0, 8].map((offset) => ({
    immediates: [{ offset }],
    compute: ([[at], ...rest], memory) => {
      const place = Number(at) + offset;
      const before = S32.get(memory, place);
      S32.set(memory, place, compute(before as bigint, ...rest.map(([x]) => x as bigint)));
      return out ? [before] : [];
    },
  })),
});

// --------------------------------------------------------------------------------------------------- the tables: scalars

type Cases<T> = { readonly [K in keyof T]: T[K] extends (...args: never[]) => unknown ? Case : Cases<T[K]> };

const i32: Cases<typeof asm.i32> = {
  ...scalarIntegers(I32, N32),
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
  trunc_f32_s: each([F32], I32, truncated(S32, false)),
  trunc_f32_u: each([F32], I32, truncated(U32, false)),
  trunc_f64_s: each([F64], I32, truncated(S32, false)),
  trunc_f64_u: each([F64], I32, truncated(U32, false)),
  reinterpret_f32: reinterpreted(F32, I32),
  extend8_s: each([I32], I32, (x: bigint) => BigInt.asIntN(8, x)),
  extend16_s: each([I32], I32, (x: bigint) => BigInt.asIntN(16, x)),
  trunc_sat_f32_s: each([F32], I32, truncated(S32, true)),
  trunc_sat_f32_u: each([F32], I32, truncated(U32, true)),
  trunc_sat_f64_s: each([F64], I32, truncated(S32, true)),
  trunc_sat_f64_u: each([F64], I32, truncated(U32, true)),
  atomic: {
    load: atomic([], I32, (word) => word),
    store: atomic([I32], null, (_, x) => x!),
    rmw: {
      add: atomic([I32], I32, (word, x) => word + x!),
      cmpxchg: atomic([I32, I32], I32, (word, expected, x) => (word === expected ? x! : word)),
    },
  },
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
  store8: store(I64, S8),
  store16: store(I64, S16),
  store32: store(I64, S32),
  extend_i32_s: each([I32], I64, same),
  extend_i32_u: each([N32], I64, same),
  trunc_f32_s: each([F32], I64, truncated(S64, false)),
  trunc_f32_u: each([F32], I64, truncated(U64, false)),
  trunc_f64_s: each([F64], I64, truncated(S64, false)),
  trunc_f64_u: each([F64], I64, truncated(U64, false)),
  reinterpret_f64: reinterpreted(F64, I64),
  extend8_s: each([I64], I64, (x: bigint) => BigInt.asIntN(8, x)),
  extend16_s: each([I64], I64, (x: bigint) => BigInt.asIntN(16, x)),
  extend32_s: each([I64], I64, (x: bigint) => BigInt.asIntN(32, x)),
  trunc_sat_f32_s: each([F32], I64, truncated(S64, true)),
  trunc_sat_f32_u: each([F32], I64, truncated(U64, true)),
  trunc_sat_f64_s: each([F64], I64, truncated(S64, true)),
  trunc_sat_f64_u: each([F64], I64, truncated(U64, true)),
};

const f32: Cases<typeof asm.f32> = {
  ...equality(F32, I32),
  ...order(F32, I32),
  ...floatUnary(F32),
  ...floatBinary(F32),
  copysign: copysign(F32),
  const: constants(F32),
  load: load(SINGLE, F32),
  store: store(F32),
  convert_i32_s: each([I32], F32, float),
  convert_i32_u: each([N32], F32, float),
  convert_i64_s: each([I64], F32, float),
  convert_i64_u: each([N64], F32, float),
  demote_f64: each([F64], F32, same),
  reinterpret_i32: reinterpreted(I32, F32),
};

const f64: Cases<typeof asm.f64> = {
  ...equality(F64, I32),
  ...order(F64, I32),
  ...floatUnary(F64),
  ...floatBinary(F64),
  copysign: copysign(F64),
  const: constants(F64),
  load: load(DOUBLE, F64),
  store: store(F64),
  convert_i32_s: each([I32], F64, float),
  convert_i32_u: each([N32], F64, float),
  convert_i64_s: each([I64], F64, float),
  convert_i64_u: each([N64], F64, float),
  promote_f32: each([F32], F64, same),
  reinterpret_i64: reinterpreted(I64, F64),
};

const BYTES = [0n, 3n, 20n].map((bytes) => bytes);
const length = kind("i32", U32, BYTES);

const memory: Cases<typeof asm.memory> = {
  size: whole([], I32, () => [1n]),
  grow: each([kind("i32", U32, [0n, 70_000n])], I32, (pages: bigint) => (pages === 0n ? 1n : -1n)),
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
  atomic: {
    notify: { ins: [WORD_ADDRESS, I32], out: I32, calls: [{ immediates: [{}], compute: () => [0n] }] },
    // The word is another one, or nobody wakes the waiter in time.
    wait32: {
      ins: [WORD_ADDRESS, I32, kind("i64", S64, [0n])],
      out: I32,
      calls: [
        { immediates: [{}], compute: ([[at], [word]], memory) => [S32.get(memory, Number(at)) === word ? 2n : 1n] },
      ],
    },
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

const SELDOM_ZERO = Array.from({ length: 40 }, (_, i) => (i === 37 ? 0n : [1n, -1n, 2n, -3n, 4n][i % 5]!));

/** What vectors of integers of all widths have. */
const integerVectors = (signed: Kind, unsigned: Kind) => {
  const two = (compute: Longs): Case => each(twice(signed), signed, compute);
  const mask = vector(signed.lanes, [0n, -1n]);
  return {
    ...signedOrder(signed, signed),
    ...shifts(signed, unsigned, COUNT),
    abs: each([signed], signed, absolute),
    neg: each([signed], signed, (x: bigint) => -x),
    all_true: whole([vector(signed.lanes, SELDOM_ZERO)], I32, (x: bigint[]) => truth(x.every((lane) => lane !== 0n))),
    bitmask: whole([signed], I32, (x: bigint[]) => [x.reduce((sum, lane, i) => sum | (lane < 0n ? 1n << BigInt(i) : 0n), 0n)]),
    add: two(INT.add),
    sub: two(INT.sub),
    relaxed_laneselect: each([signed, signed, mask], signed, (a: bigint, b: bigint, m: bigint) => (m === 0n ? b : a)),
  }; // prettier-ignore
};
const unsignedOrder = (unsigned: Kind, out: Kind) => {
  const { lt: lt_u, gt: gt_u, le: le_u, ge: ge_u } = order(unsigned, out);
  return { lt_u, gt_u, le_u, ge_u };
};
const extremes = (signed: Kind, unsigned: Kind) => ({
  min_s: each(twice(signed), signed, least),
  min_u: each(twice(unsigned), unsigned, least),
  max_s: each(twice(signed), signed, most),
  max_u: each(twice(unsigned), unsigned, most),
});
/** Of 8 and of 16 bits. */
const smallVectors = (signed: Kind, unsigned: Kind) => {
  const held = (of: Kind, compute: Longs): Case =>
    each(twice(of), of, (a: bigint, b: bigint) => saturated(of.lanes, compute(a, b)));
  return {
    ...extremes(signed, unsigned),
    ...unsignedOrder(unsigned, signed),
    add_sat_s: held(signed, INT.add),
    add_sat_u: held(unsigned, INT.add),
    sub_sat_s: held(signed, INT.sub),
    sub_sat_u: held(unsigned, INT.sub),
    avgr_u: held(unsigned, (a, b) => (a + b + 1n) >> 1n),
    extract_lane_s: extract(signed, I32),
    extract_lane_u: extract(unsigned, N32),
    replace_lane: replace(signed, I32),
    splat: each([I32], signed, same),
  };
};
const narrowed = (from: Kind, to: Kind): Case =>
  whole(twice(from), to, (a: bigint[], b: bigint[]) => [...a, ...b].map((x) => saturated(to.lanes, x)));
const extended = (from: Kind, to: Kind, upper: boolean): Case => whole([from], to, (x: bigint[]) => half(x, upper));
const multiplied = (from: Kind, to: Kind, upper: boolean): Case =>
  whole(twice(from), to, (a: bigint[], b: bigint[]) =>
    half(
      a.map((x, i) => x * b[i]!),
      upper,
    ),
  );
/** Sums of neighbours. */
const inPairs = (x: readonly bigint[]): bigint[] => half(x, false).map((_, i) => x[2 * i]! + x[2 * i + 1]!);
const paired = (from: Kind, to: Kind): Case => whole([from], to, (x: bigint[]) => inPairs(x));
const dot = (a: Kind, b: Kind, out: Kind): Case =>
  whole([a, b], out, (x: bigint[], y: bigint[]) => inPairs(x.map((lane, i) => lane * y[i]!)));
const rounded15: Longs = (a, b) => saturated(S16, (a * b + (1n << 14n)) >> 15n);

const SHUFFLES = [
  Array.from({ length: 16 }, (_, i) => i),
  Array.from({ length: 16 }, (_, i) => 31 - i),
  Array.from({ length: 16 }, (_, i) => (i * 13 + 5) % 32),
];
const at = (x: readonly bigint[], i: bigint): bigint => x[Number(i)] ?? 0n;

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
  load8x8_s: loadLanes(S8, V16),
  load8x8_u: loadLanes(U8, V16),
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
  load8_lane: loadLane(W8),
  load16_lane: loadLane(W16),
  load32_lane: loadLane(W32),
  load64_lane: loadLane(W64),
  store8_lane: storeLane(W8),
  store16_lane: storeLane(W16),
  store32_lane: storeLane(W32),
  store64_lane: storeLane(W64),
}; // prettier-ignore

const i8x16: Cases<typeof asm.i8x16> = {
  ...integerVectors(V8, W8),
  ...smallVectors(V8, W8),
  shuffle: {
    ins: twice(W8),
    out: W8,
    calls: SHUFFLES.map((order) => ({
      immediates: [order],
      compute: ([a, b]) => order.map((i) => [...a!, ...b!][i]!),
    })),
  },
  swizzle: whole([W8, vector(U8, [0n, 5n, 15n, 16n, 200n, 3n, 31n])], W8, (x: bigint[], order: bigint[]) => order.map((i) => at(x, i))), // prettier-ignore
  popcnt: each([W8], W8, (x: bigint) => ones(pattern(W8, x))),
  narrow_i16x8_s: narrowed(V16, V8),
  narrow_i16x8_u: narrowed(V16, W8),
  // Of numbers between 16 and 127 machines make what they like.
  relaxed_swizzle: whole([W8, vector(U8, [0n, 5n, 15n, 128n, 200n, 3n, 255n])], W8, (x: bigint[], order: bigint[]) => order.map((i) => at(x, i))), // prettier-ignore
};

const HALVES16 = vector(S16, [0n, 1n, -1n, 300n, -32767n, 32767n, 12345n, -4n]);
/** Numbers of seven bits. */
const SEVENS = vector(S8, [0n, 1n, 2n, 5n, 100n, 127n, 64n]);

const i16x8: Cases<typeof asm.i16x8> = {
  ...integerVectors(V16, W16),
  ...smallVectors(V16, W16),
  extadd_pairwise_i8x16_s: paired(V8, V16),
  extadd_pairwise_i8x16_u: paired(W8, W16),
  q15mulr_sat_s: each(twice(V16), V16, rounded15),
  narrow_i32x4_s: narrowed(V32, V16),
  narrow_i32x4_u: narrowed(V32, W16),
  extend_low_i8x16_s: extended(V8, V16, false),
  extend_high_i8x16_s: extended(V8, V16, true),
  extend_low_i8x16_u: extended(W8, W16, false),
  extend_high_i8x16_u: extended(W8, W16, true),
  mul: each(twice(V16), V16, INT.mul),
  extmul_low_i8x16_s: multiplied(V8, V16, false),
  extmul_high_i8x16_s: multiplied(V8, V16, true),
  extmul_low_i8x16_u: multiplied(W8, W16, false),
  extmul_high_i8x16_u: multiplied(W8, W16, true),
  relaxed_q15mulr_s: each(twice(HALVES16), V16, rounded15),
  relaxed_dot_i8x16_i7x16_s: dot(V8, SEVENS, V16),
};

const i32x4: Cases<typeof asm.i32x4> = {
  ...integerVectors(V32, W32),
  ...extremes(V32, W32),
  ...unsignedOrder(W32, V32),
  splat: each([I32], V32, same),
  extract_lane: extract(V32, I32),
  replace_lane: replace(V32, I32),
  extadd_pairwise_i16x8_s: paired(V16, V32),
  extadd_pairwise_i16x8_u: paired(W16, W32),
  extend_low_i16x8_s: extended(V16, V32, false),
  extend_high_i16x8_s: extended(V16, V32, true),
  extend_low_i16x8_u: extended(W16, W32, false),
  extend_high_i16x8_u: extended(W16, W32, true),
  mul: each(twice(V32), V32, INT.mul),
  dot_i16x8_s: dot(V16, V16, V32),
  extmul_low_i16x8_s: multiplied(V16, V32, false),
  extmul_high_i16x8_s: multiplied(V16, V32, true),
  extmul_low_i16x8_u: multiplied(W16, W32, false),
  extmul_high_i16x8_u: multiplied(W16, W32, true),
  trunc_sat_f32x4_s: each([VF32], V32, truncated(S32, true)),
  trunc_sat_f32x4_u: each([VF32], W32, truncated(U32, true)),
  trunc_sat_f64x2_s_zero: whole([VF64], V32, (x: number[]) => [...x.map(truncated(S32, true)), 0n, 0n]),
  trunc_sat_f64x2_u_zero: whole([VF64], W32, (x: number[]) => [...x.map(truncated(U32, true)), 0n, 0n]),
  ...relaxedTruncations(),
};

/** Of what has a place among the results. */
function relaxedTruncations() {
  const [less, more] = [
    [-1.5, -70000, 2 ** 30],
    [3e9, 2 ** 31],
  ].map((own) => [0, 1, 7.5, 1000.99, 65536, ...own]);
  return {
    relaxed_trunc_f32x4_s: each([vector(SINGLE, less)], V32, truncated(S32, false)),
    relaxed_trunc_f32x4_u: each([vector(SINGLE, more)], W32, truncated(U32, false)),
    relaxed_trunc_f64x2_s_zero: whole([vector(DOUBLE, less)], V32, (x: number[]) => [
      ...x.map(truncated(S32, false)),
      0n,
      0n,
    ]),
    relaxed_trunc_f64x2_u_zero: whole([vector(DOUBLE, more)], W32, (x: number[]) => [
      ...x.map(truncated(U32, false)),
      0n,
      0n,
    ]),
  };
}

const i64x2: Cases<typeof asm.i64x2> = {
  ...integerVectors(V64, W64),
  splat: each([I64], V64, same),
  extract_lane: extract(V64, I64),
  replace_lane: replace(V64, I64),
  extend_low_i32x4_s: extended(V32, V64, false),
  extend_high_i32x4_s: extended(V32, V64, true),
  extend_low_i32x4_u: extended(W32, W64, false),
  extend_high_i32x4_u: extended(W32, W64, true),
  mul: each(twice(V64), V64, INT.mul),
  extmul_low_i32x4_s: multiplied(V32, V64, false),
  extmul_high_i32x4_s: multiplied(V32, V64, true),
  extmul_low_i32x4_u: multiplied(W32, W64, false),
  extmul_high_i32x4_u: multiplied(W32, W64, true),
};

const floatVectors = (of: Kind, mask: Kind, scalar: Kind) => {
  // Products and sums of these are exact, so that rounding once or twice makes no difference.
  const exact = vector(of.lanes, [1, -1, 2, 0.5, 3, -7, 1000, 0.125]);
  const plain = vector(of.lanes, [1, -1, 2.2, 0.1, -0.1, 7e20, 1 / 3]);
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
    relaxed_nmadd: each(thrice(exact), of, (a: number, b: number, c: number) => -(a * b) + c),
    relaxed_min: each(twice(plain), of, Math.min),
    relaxed_max: each(twice(plain), of, Math.max),
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
