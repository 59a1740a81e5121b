/**
 * Vector code of one op of the kernel language for four elements: one 128-bit vector for lanes of 32 bits, two for lanes of
 * 64 bits, the first two elements in the first. Where groups of 64-bit lanes have one vector only, it is code for two
 * elements. Knows the instructions and nothing of loops.
 */
import { f32x4, f64, f64x2, i32, i32x4, i64x2, i8x16, local, v128, type Local, type StackVar } from "../asm";
import { isWideKind, type Kind, type ColdPathValue, type Value } from "../../../kernel/value";
import { tableAddress } from "../modules/tables";

export type Vector = Local<"v128">;
/** What holds a value of four elements: one vector or two. */
export type Group = readonly Vector[];

type OnStack = StackVar<"v128">;
type Unary = (a: Vector | OnStack) => OnStack;
type Binary = (a: Vector, b: Vector) => OnStack;

/** Vectors that a value of this kind takes per four elements. */
export const widthOf = (kind: Kind): 1 | 2 => (isWideKind(kind) ? 2 : 1);

/** Lanes of 32 bits of two vectors, by number: 0 to 3 of `a`, 4 to 7 of `b`. */
export function words(a: Vector, b: Vector, lanes: readonly [number, number, number, number]): OnStack {
  const bytes = lanes.flatMap((lane) => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3]);
  return i8x16.shuffle(bytes, a, b);
}

/** Two words of 32 bits, twice. */
export const repeated = (low: number, high: number): OnStack => v128.const("i32x4", [low, high, low, high]);

/** The upper two lanes of 32 bits, moved down. */
const upper = (a: Vector): OnStack => words(a, a, [2, 3, 2, 3]);

const FLOAT = { f32: f32x4, f64: f64x2 } as const;
const INT = { i32: i32x4, i64: i64x2 } as const;

type OpCode = Exclude<Value["op"], "load" | "const" | "coldPath">;

/** Puts the value of an op on four elements into `out`, which is none of the arguments. */
export function emitOp(value: Exclude<Value, ColdPathValue>, out: Group, args: readonly Group[]): void {
  switch (value.op) {
    case "load":
    case "const":
      return;
    case "lookup":
      return lookup(out, args[0]![0]!, tableAddress(value.table));
    case "select":
      return out.forEach((to, i) => local.set(to, v128.bitselect(args[1]![i]!, args[2]![i]!, args[0]![i]!)));
    case "shl":
    case "shrS":
    case "shrU": {
      const lanes = INT[value.kind as "i32"];
      const shift = { shl: lanes.shl, shrS: lanes.shr_s, shrU: lanes.shr_u }[value.op];
      return out.forEach((to, i) => local.set(to, shift(args[0]![i]!, value.count)));
    }
    default:
      return emitPlain(value.op, value, out, args);
  }
}

function emitPlain(
  op: Exclude<OpCode, "lookup" | "select" | "shl" | "shrS" | "shrU">,
  value: Value,
  out: Group,
  args: readonly Group[],
): void {
  const [a, b] = args as [Group, Group];
  const kind = value.args[0]!.kind;
  const convert = CONVERT[op as keyof typeof CONVERT];
  if (convert) return convert(out, a, kind, value.kind);
  const bitwise = BITWISE[op as keyof typeof BITWISE];
  if (bitwise) return out.forEach((to, i) => local.set(to, bitwise(a[i]!, b[i]!)));
  if (op === "not") return out.forEach((to, i) => local.set(to, v128.not(a[i]!)));
  const instruction = arithmetic(op as Arithmetic, kind);
  out.forEach((to, i) => local.set(to, b ? instruction(a[i]!, b[i]!) : (instruction as unknown as Unary)(a[i]!)));
}

const BITWISE = { and: v128.and, or: v128.or, xor: v128.xor, andnot: v128.andnot };

type Arithmetic =
  | "neg"
  | "abs"
  | "sqrt"
  | "floor"
  | "ceil"
  | "trunc"
  | "nearest"
  | "add"
  | "sub"
  | "mul"
  | "div"
  | "min"
  | "max"
  | "pmin"
  | "pmax"
  | "minU"
  | "maxU"
  | "eq"
  | "ne"
  | "lt"
  | "le"
  | "ltU"
  | "leU";

function arithmetic(op: Arithmetic, kind: Kind): Binary {
  if (kind === "f32" || kind === "f64") return FLOAT[kind][op as "add"];
  if (kind === "i64" && op in WIDE) return WIDE[op as keyof typeof WIDE];
  return INT[kind as "i32"][(INSTRUCTION[op as keyof typeof INSTRUCTION] ?? op) as "add"];
}

/** Instructions of integers that the kernel language calls otherwise. */
const INSTRUCTION = {
  lt: "lt_s",
  le: "le_s",
  ltU: "lt_u",
  leU: "le_u",
  min: "min_s",
  max: "max_s",
  minU: "min_u",
  maxU: "max_u",
} as const;

/** Unsigned order is signed order with the sign bits flipped. */
function unsigned64(compare: (a: OnStack, b: OnStack) => OnStack): Binary {
  const flip: Unary = (a) => v128.xor(a, repeated(0, 0x80000000));
  return (a, b) => compare(flip(a), flip(b));
}

/** One of two vectors, lane by lane: `a` where the comparison holds. */
const chosen64 =
  (compare: Binary): Binary =>
  (a, b) =>
    v128.bitselect(a, b, compare(a, b));

/** Ops on 64-bit integers that are no single instruction. */
const WIDE = {
  ltU: unsigned64(i64x2.lt_s),
  leU: unsigned64(i64x2.le_s),
  min: chosen64(i64x2.lt_s),
  max: chosen64(i64x2.gt_s),
  minU: chosen64(unsigned64(i64x2.lt_s)),
  maxU: chosen64(unsigned64(i64x2.gt_s)),
} as const satisfies { readonly [op: string]: Binary };

type Conversion = (out: Group, a: Group, from: Kind, to: Kind) => void;

const copy: Conversion = (out, a) => out.forEach((to, i) => local.set(to, local.get(a[i]!)));

/** From two vectors of 64-bit lanes to one of 32: the first two lanes of each half's conversion. */
function joined(out: Group, a: Group, half: Unary): void {
  local.set(out[0]!, half(a[0]!));
  if (a.length === 1) return;
  const join = Array.from({ length: 16 }, (_, i) => (i < 8 ? i : i + 8));
  i8x16.shuffle(join, local.get(out[0]!), half(a[1]!));
  local.set(out[0]!);
}

function split(out: Group, a: Group, low: Unary, high?: Unary): void {
  local.set(out[0]!, low(a[0]!));
  if (out.length === 1) return;
  local.set(out[1]!, high ? high(a[0]!) : low(upper(a[0]!)));
}

const CONVERT: {
  readonly [
    K in Extract<
      OpCode,
      | "bits"
      | "float"
      | "maskBits"
      | "promote"
      | "demote"
      | "fromS32"
      | "fromU32"
      | "truncS"
      | "truncU"
      | "extendS"
      | "extendU"
      | "wrap"
      | "widen"
      | "narrow"
    >
  ]: Conversion;
} = {
  bits: copy,
  float: copy,
  maskBits: copy,
  promote: (out, a) => split(out, a, f64x2.promote_low_f32x4),
  demote: (out, a) => joined(out, a, f32x4.demote_f64x2_zero),
  fromS32: (out, a, _from, to) =>
    to === "f32" ? local.set(out[0]!, f32x4.convert_i32x4_s(a[0]!)) : split(out, a, f64x2.convert_low_i32x4_s),
  fromU32: (out, a, _from, to) =>
    to === "f32" ? local.set(out[0]!, f32x4.convert_i32x4_u(a[0]!)) : split(out, a, f64x2.convert_low_i32x4_u),
  truncS: (out, a, from) =>
    from === "f32" ? local.set(out[0]!, i32x4.trunc_sat_f32x4_s(a[0]!)) : joined(out, a, i32x4.trunc_sat_f64x2_s_zero),
  truncU: (out, a, from) =>
    from === "f32" ? local.set(out[0]!, i32x4.trunc_sat_f32x4_u(a[0]!)) : joined(out, a, i32x4.trunc_sat_f64x2_u_zero),
  extendS: (out, a) => split(out, a, i64x2.extend_low_i32x4_s, i64x2.extend_high_i32x4_s),
  extendU: (out, a) => split(out, a, i64x2.extend_low_i32x4_u, i64x2.extend_high_i32x4_u),
  widen: (out, a) => split(out, a, i64x2.extend_low_i32x4_s, i64x2.extend_high_i32x4_s),
  wrap: (out, a) => local.set(out[0]!, words(a[0]!, a.at(-1)!, [0, 2, 4, 6])),
  narrow: (out, a) => local.set(out[0]!, words(a[0]!, a.at(-1)!, [0, 2, 4, 6])),
};

/** There is no gather: each lane's index is taken out, its entry read, and the vector put together. */
function lookup(out: Group, index: Vector, base: number): void {
  const entry = (lane: number): StackVar<"f64"> => {
    i32x4.extract_lane(lane, index);
    i32.const(3);
    i32.shl();
    return f64.load({ offset: base });
  };
  out.forEach((to, i) => {
    local.set(to, f64x2.splat(entry(2 * i)));
    local.get(to);
    entry(2 * i + 1);
    f64x2.replace_lane(1);
    local.set(to);
  });
}
