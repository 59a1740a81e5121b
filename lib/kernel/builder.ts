/**
 * Building kernels: one method per op, typed by kind. Equal values are made once. The special functions and the lowering of
 * element-wise ops are written with it.
 */
import { getOrMake } from "../core/get-or-make";
import { isComplex, type DType } from "../core/types";
import {
  isWideKind,
  storageKind,
  type BinaryCode,
  type BitsOf,
  type CompareCode,
  type ConvertCode,
  type FloatKind,
  type IntKind,
  type Kernel,
  type KernelInput,
  type KernelOutput,
  type Kind,
  type MaskKind,
  type MaskOf,
  type NumberKind,
  type ShiftCode,
  type UnaryCode,
  type Table,
  type Value,
} from "./value";

/** A value, or a number that becomes a constant of the kind beside it. */
type Arg<K extends Kind> = Value<K> | number;

type Extra = Record<string, unknown>;

/** Makes the values of one kernel. */
export class Builder {
  private readonly inputs: KernelInput[] = [];
  /** Values made so far by what they are; one more map for each cold path being built. */
  private readonly scopes: Map<string | number, Value>[] = [new Map()];
  private nextId = 0;

  // ------------------------------------------------------------------------------------------------------- leaves

  /** Declares an input; its index. */
  input(type: DType, uniform = false): number {
    return this.inputs.push({ type, uniform }) - 1;
  }

  /** An element of an input in its storage kind; of half floats these are the bits. */
  load(input: number, part: 0 | 1 = 0): Value<NumberKind> {
    const { type } = this.inputs[input]!;
    return this.make("load", storageKind(type), [], `${input}.${part}`, { input, part });
  }

  constant<K extends NumberKind>(kind: K, value: number): Value<K> {
    const rounded = kind === "f32" ? Math.fround(value) : kind === "i32" ? value | 0 : value;
    const high = kind === "i64" ? Math.floor(value / 2 ** 32) | 0 : 0;
    const low = kind === "i64" ? value | 0 : rounded;
    return this.make("const", kind, [], `${Object.is(low, -0) ? "-0" : low}.${high}`, { value: low, high });
  }

  f32(value: number): Value<"f32"> {
    return this.constant("f32", value);
  }
  f64(value: number): Value<"f64"> {
    return this.constant("f64", value);
  }
  i32(value: number): Value<"i32"> {
    return this.constant("i32", value);
  }

  /** A 64-bit integer by its halves. */
  i64(high: number, low: number): Value<"i64"> {
    const halves = { value: low | 0, high: high | 0 };
    return this.make("const", "i64", [], `${halves.value}.${halves.high}`, halves);
  }

  /** Entry `index` of a table of doubles. */
  lookup(table: Table, index: Value<"i32">): Value<"f64"> {
    return this.make("lookup", "f64", [index], table.name, { table });
  }

  // -------------------------------------------------------------------------------------------------- arithmetic

  add<K extends NumberKind>(a: Value<K>, b: Arg<K>): Value<K> {
    return this.binary("add", a, b);
  }
  sub<K extends NumberKind>(a: Value<K>, b: Arg<K>): Value<K> {
    return this.binary("sub", a, b);
  }
  mul<K extends NumberKind>(a: Value<K>, b: Arg<K>): Value<K> {
    return this.binary("mul", a, b);
  }
  div<K extends FloatKind>(a: Value<K>, b: Arg<K>): Value<K> {
    return this.binary("div", a, b);
  }
  /** The smaller of two numbers; integers are compared as signed numbers. */
  min<K extends NumberKind>(a: Value<K>, b: Arg<K>): Value<K> {
    return this.binary("min", a, b);
  }
  max<K extends NumberKind>(a: Value<K>, b: Arg<K>): Value<K> {
    return this.binary("max", a, b);
  }
  minU<K extends IntKind>(a: Value<K>, b: Arg<K>): Value<K> {
    return this.binary("minU", a, b);
  }
  maxU<K extends IntKind>(a: Value<K>, b: Arg<K>): Value<K> {
    return this.binary("maxU", a, b);
  }
  /** `b < a ? b : a` */
  pmin<K extends FloatKind>(a: Value<K>, b: Arg<K>): Value<K> {
    return this.binary("pmin", a, b);
  }
  /** `a < b ? b : a` */
  pmax<K extends FloatKind>(a: Value<K>, b: Arg<K>): Value<K> {
    return this.binary("pmax", a, b);
  }
  neg<K extends NumberKind>(a: Value<K>): Value<K> {
    return this.unary("neg", a);
  }
  abs<K extends FloatKind>(a: Value<K>): Value<K> {
    return this.unary("abs", a);
  }
  sqrt<K extends FloatKind>(a: Value<K>): Value<K> {
    return this.unary("sqrt", a);
  }
  floor<K extends FloatKind>(a: Value<K>): Value<K> {
    return this.unary("floor", a);
  }
  ceil<K extends FloatKind>(a: Value<K>): Value<K> {
    return this.unary("ceil", a);
  }
  trunc<K extends FloatKind>(a: Value<K>): Value<K> {
    return this.unary("trunc", a);
  }
  /** Rounded to an integer, ties to even. */
  nearest<K extends FloatKind>(a: Value<K>): Value<K> {
    return this.unary("nearest", a);
  }

  // -------------------------------------------------------------------------------------------------------- bits

  and<K extends IntKind | MaskKind>(a: Value<K>, b: Arg<K>): Value<K> {
    return this.binary("and", a, b);
  }
  or<K extends IntKind | MaskKind>(a: Value<K>, b: Arg<K>): Value<K> {
    return this.binary("or", a, b);
  }
  xor<K extends IntKind | MaskKind>(a: Value<K>, b: Arg<K>): Value<K> {
    return this.binary("xor", a, b);
  }
  /** `a & ~b` */
  andnot<K extends IntKind | MaskKind>(a: Value<K>, b: Arg<K>): Value<K> {
    return this.binary("andnot", a, b);
  }
  not<K extends IntKind | MaskKind>(a: Value<K>): Value<K> {
    return this.unary("not", a);
  }
  shl<K extends IntKind>(a: Value<K>, count: number): Value<K> {
    return this.shift("shl", a, count);
  }
  /** Arithmetic shift to the right. */
  shrS<K extends IntKind>(a: Value<K>, count: number): Value<K> {
    return this.shift("shrS", a, count);
  }
  /** Logical shift to the right. */
  shrU<K extends IntKind>(a: Value<K>, count: number): Value<K> {
    return this.shift("shrU", a, count);
  }

  // ------------------------------------------------------------------------------------------ comparing, choosing

  eq<K extends NumberKind>(a: Value<K>, b: Arg<K>): Value<MaskOf<K>> {
    return this.compare("eq", a, b);
  }
  ne<K extends NumberKind>(a: Value<K>, b: Arg<K>): Value<MaskOf<K>> {
    return this.compare("ne", a, b);
  }
  /** Integers are compared as signed numbers. */
  lt<K extends NumberKind>(a: Value<K>, b: Arg<K>): Value<MaskOf<K>> {
    return this.compare("lt", a, b);
  }
  le<K extends NumberKind>(a: Value<K>, b: Arg<K>): Value<MaskOf<K>> {
    return this.compare("le", a, b);
  }
  gt<K extends NumberKind>(a: Value<K>, b: Arg<K>): Value<MaskOf<K>> {
    return this.compare("lt", this.lift(b, a.kind), a);
  }
  ge<K extends NumberKind>(a: Value<K>, b: Arg<K>): Value<MaskOf<K>> {
    return this.compare("le", this.lift(b, a.kind), a);
  }
  ltU<K extends IntKind>(a: Value<K>, b: Arg<K>): Value<MaskOf<K>> {
    return this.compare("ltU", a, b);
  }
  leU<K extends IntKind>(a: Value<K>, b: Arg<K>): Value<MaskOf<K>> {
    return this.compare("leU", a, b);
  }

  /** `onTrue` where the mask holds; the mask is as wide as the values. */
  select<K extends Kind>(mask: Value<MaskOf<K>>, onTrue: Value<K>, onFalse: Arg<K>): Value<K> {
    return this.make("select", onTrue.kind, [mask, onTrue, this.lift(onFalse, onTrue.kind)]);
  }

  /**
   * `usual` where the mask does not hold; what `build` gives where it does, computed only if such elements occur. Where that is whole, both
   * give the same bits wherever the mask does not hold.
   */
  coldPath<K extends Kind>(mask: Value<MaskOf<K>>, usual: Value<K>, build: () => Value<K>, isWhole = false): Value<K> {
    const before = this.nextId;
    const scope = new Map<string | number, Value>();
    this.scopes.push(scope);
    const cold = build();
    this.scopes.pop();
    const body = reachable([cold], (value) => value.id >= before);
    const outside = new Set<Value>();
    for (const value of [...body, cold]) for (const arg of value.args) if (arg.id < before) outside.add(arg);
    if (cold.id < before) outside.add(cold);
    return this.make("coldPath", usual.kind, [mask, usual, ...outside], `${this.nextId}`, { body, cold, isWhole });
  }

  // -------------------------------------------------------------------------------------------------- conversions

  bits<K extends FloatKind>(a: Value<K>): Value<BitsOf<K>> {
    return this.convert("bits", integerOf(a.kind), a);
  }
  float<K extends IntKind>(a: Value<K>): Value<K extends "i32" ? "f32" : "f64"> {
    return this.convert("float", (a.kind === "i32" ? "f32" : "f64") as K extends "i32" ? "f32" : "f64", a);
  }
  /** -1 where the mask holds, else 0. */
  maskBits<K extends MaskKind>(a: Value<K>): Value<BitsOf<K>> {
    return this.convert("maskBits", integerOf(a.kind), a);
  }
  promote(a: Value<"f32">): Value<"f64"> {
    return this.convert("promote", "f64", a);
  }
  demote(a: Value<"f64">): Value<"f32"> {
    return this.convert("demote", "f32", a);
  }
  fromS32<K extends FloatKind>(kind: K, a: Value<"i32">): Value<K> {
    return this.convert("fromS32", kind, a);
  }
  fromU32<K extends FloatKind>(kind: K, a: Value<"i32">): Value<K> {
    return this.convert("fromU32", kind, a);
  }
  truncS(a: Value<FloatKind>): Value<"i32"> {
    return this.convert("truncS", "i32", a);
  }
  truncU(a: Value<FloatKind>): Value<"i32"> {
    return this.convert("truncU", "i32", a);
  }
  extendS(a: Value<"i32">): Value<"i64"> {
    return this.convert("extendS", "i64", a);
  }
  extendU(a: Value<"i32">): Value<"i64"> {
    return this.convert("extendU", "i64", a);
  }
  wrap(a: Value<"i64">): Value<"i32"> {
    return this.convert("wrap", "i32", a);
  }
  widen(a: Value<"m32">): Value<"m64"> {
    return this.convert("widen", "m64", a);
  }
  narrow(a: Value<"m64">): Value<"m32"> {
    return this.convert("narrow", "m32", a);
  }

  // ------------------------------------------------------------------------------------------------------- kernel

  /** The outputs of a kernel for the loaded elements `stored`: the parts of each input. */
  inlined({ values, outputs }: Kernel, stored: readonly (readonly Value[])[]): (readonly Value[])[] {
    const copies = new Map<Value, Value>();
    const copied = (value: Value): Value => {
      const args = value.args.map((arg) => copies.get(arg)!);
      switch (value.op) {
        case "load":
          return stored[value.input]![value.part]!;
        case "const":
          return value.kind === "i64"
            ? this.i64(value.high, value.value)
            : this.constant(value.kind as NumberKind, value.value);
        case "lookup":
          return this.lookup(value.table, args[0] as Value<"i32">);
        case "coldPath":
          return this.coldPath(
            args[0] as Value<"m32">,
            args[1]!,
            () => {
              copyAll(value.body);
              return copies.get(value.cold)!;
            },
            value.isWhole,
          );
        case "shl":
        case "shrS":
        case "shrU":
          return this.shift(value.op, args[0] as Value<"i32">, value.count);
        default:
          return this.make(value.op, value.kind, args);
      }
    };
    const copyAll = (list: readonly Value[]): void => {
      for (const value of list) copies.set(value, copied(value));
    };
    copyAll(values);
    return outputs.map((output) => output.values.map((value) => copies.get(value)!));
  }

  /** The kernel of these outputs: a value for each output, two values for a complex output. */
  kernel(outputs: readonly KernelOutput[]): Kernel {
    for (const { type, values } of outputs) {
      const kinds = values.map(({ kind }) => kind).join(", ");
      const expected = isComplex(type) ? [storageKind(type), storageKind(type)].join(", ") : storageKind(type);
      if (kinds !== expected)
        throw new Error(`an output of type ${type} takes values of kind ${expected}, got ${kinds}`);
    }
    return { inputs: this.inputs, values: this.needs(outputs.flatMap(({ values }) => values)), outputs };
  }

  /** All values that the given values need, with themselves, arguments first. */
  needs(values: readonly Value[]): Value[] {
    return reachable(values);
  }

  // ------------------------------------------------------------------------------------------------------ plumbing

  private lift<K extends Kind>(arg: Arg<K>, kind: K): Value<K> {
    return typeof arg === "number" ? (this.constant(kind as NumberKind, arg) as Value<K>) : arg;
  }

  private unary<K extends Kind>(op: UnaryCode, a: Value<K>): Value<K> {
    return this.make(op, a.kind, [a]);
  }

  private binary<K extends Kind>(op: BinaryCode, a: Value<K>, b: Arg<K>): Value<K> {
    return this.make(op, a.kind, [a, this.lift(b, a.kind)]);
  }

  private compare<K extends NumberKind>(op: CompareCode, a: Value<K>, b: Arg<K>): Value<MaskOf<K>> {
    const kind = (isWideKind(a.kind) ? "m64" : "m32") as MaskOf<K>;
    return this.make(op, kind, [a, this.lift(b, a.kind)]);
  }

  private shift<K extends IntKind>(op: ShiftCode, a: Value<K>, count: number): Value<K> {
    return this.make(op, a.kind, [a], `${count}`, { count });
  }

  private convert<K extends Kind>(op: ConvertCode, kind: K, a: Value): Value<K> {
    return this.make(op, kind, [a]);
  }

  private make<K extends Kind>(op: string, kind: K, args: readonly Value[], detail = "", extra: Extra = {}): Value<K> {
    const key = detail === "" && args.length <= 2 ? keyOf(op, kind, args) : textOf(op, kind, args, detail);
    for (const scope of this.scopes) {
      const same = scope.get(key);
      if (same) return same as Value<K>;
    }
    const value = { id: this.nextId++, op, kind, args, ...extra } as unknown as Value<K>;
    this.scopes[this.scopes.length - 1]!.set(key, value);
    return value;
  }
}

/** Most values have one or two arguments and nothing else: the same number for the same ones, which takes less time than a text. */
function keyOf(op: string, kind: Kind, args: readonly Value[]): number | string {
  const first = args[0]!.id;
  const second = args.length > 1 ? args[1]!.id + 1 : 0;
  if (first >= MAX_ID || second >= MAX_ID) return textOf(op, kind, args, "");
  const code = getOrMake(codes, op, () => codes.size) * KINDS.length + KINDS.indexOf(kind);
  return (code * MAX_ID + first) * MAX_ID + second;
}

const MAX_ID = 2 ** 21;
const KINDS: readonly Kind[] = ["f32", "f64", "i32", "i64", "m32", "m64"];
const codes = new Map<string, number>();

function textOf(op: string, kind: Kind, args: readonly Value[], detail: string): string {
  let text = `${op} ${kind} ${detail}`;
  for (const { id } of args) text += ` ${id}`;
  return text;
}

const integerOf = <K extends Kind>(kind: K): BitsOf<K> => (isWideKind(kind) ? "i64" : "i32") as BitsOf<K>;

/** The values that `roots` need, in ascending order, as far as `isInside` holds. */
function reachable(roots: readonly Value[], isInside: (value: Value) => boolean = () => true): Value[] {
  const found = new Set<Value>();
  const stack = roots.filter(isInside);
  while (stack.length > 0) {
    const value = stack.pop()!;
    if (found.has(value)) continue;
    found.add(value);
    for (const arg of value.args) if (isInside(arg)) stack.push(arg);
  }
  return [...found].sort((a, b) => a.id - b.id);
}
