/**
 * The TypeScript executor: a kernel becomes a tape of loops over blocks of elements small enough for the first-level cache
 * (the way of numexpr), with registers assigned by liveness. Needs neither eval nor WebAssembly.
 */
import { isWideKind, type Kernel, type Kind, type LoadValue, type ColdPathValue, type Value } from "../value";
import {
  anyWord,
  CONVERT,
  F32_COMPARE,
  F64_COMPARE,
  FLOAT_BINARY,
  FLOAT_UNARY,
  FROM,
  I32_BINARY,
  I32_COMPARE,
  I32_SHIFT,
  I64_BINARY,
  I64_COMPARE,
  I64_SHIFT,
  selectWords,
  TRUNC,
  type Register,
} from "./loops";

/** Elements per block, at most: a register takes 8 kB. */
export const BLOCK = 1024;

/** Registers that are made at a time. */
const CHUNK = 16;

/** One loop of the tape, over the first `n` elements of its registers. */
type Step = (n: number) => void;

/** A kernel ready to run on blocks. */
export interface Tape {
  /** Runs the steps on the first `n` elements, at most those of a block; loads must be in their registers. */
  run(n: number): void;
  /** Where the elements of inputs belong, in the storage kind of their type. */
  readonly loads: readonly { readonly input: number; readonly part: 0 | 1; readonly register: Register }[];
  /** Where each value of each output lies after a run. */
  readonly outputs: readonly (readonly Register[])[];
}

/** Values that are the bits of another value, read as another type. */
const isAlias = ({ op }: Value): boolean => op === "bits" || op === "float" || op === "maskBits";

const rootOf = (value: Value): Value => (isAlias(value) ? rootOf(value.args[0]!) : value);

/** Hands out registers and takes back those no longer read. */
class Registers {
  private readonly of = new Map<Value, Register>();
  private readonly free: Register[] = [];
  private room = new ArrayBuffer(0);
  private used = 0;

  constructor(private readonly block: number) {}

  get = (value: Value): Register => this.of.get(rootOf(value))!;

  assign(value: Value): Register {
    const next = this.free.pop() ?? this.made();
    this.of.set(value, next);
    return next;
  }

  release(value: Value): void {
    this.free.push(this.of.get(value)!);
  }

  private made(): Register {
    const { block } = this;
    if (this.used === this.room.byteLength) {
      this.room = new ArrayBuffer(CHUNK * block * Float64Array.BYTES_PER_ELEMENT);
      this.used = 0;
    }
    const { room, used } = this;
    this.used += block * Float64Array.BYTES_PER_ELEMENT;
    const f64 = new Float64Array(room, used, block);
    return { f64, f32: new Float32Array(room, used, block), i32: new Int32Array(room, used, 2 * block) };
  }
}

/** Makes the tape of a kernel, for blocks of so many elements. */
export function tapeOf(kernel: Kernel, block = BLOCK): Tape {
  const registers = new Registers(block);
  const kept = new Set(kernel.outputs.flatMap(({ values }) => values.map(rootOf)));
  // Loads and constants keep their registers: they are written outside of the tape.
  const fixed = allValues(kernel.values).filter(({ op }) => op === "load" || op === "const");
  for (const value of fixed) {
    const own = registers.assign(value);
    if (value.op === "const") fillConstant(own, value.kind, value.value, value.high);
    kept.add(value);
  }
  const steps = stepsOf(kernel.values, kept, registers);
  const loads = fixed.flatMap((value) =>
    value.op === "load"
      ? [{ input: value.input, part: (value as LoadValue).part, register: registers.get(value) }]
      : [],
  );
  return {
    loads,
    outputs: kernel.outputs.map(({ values }) => values.map(registers.get)),
    run(n) {
      for (const step of steps) step(n);
    },
  };
}

/** All values, those inside of cold paths included. */
function allValues(values: readonly Value[]): Value[] {
  return values.flatMap((value) => (value.op === "coldPath" ? [...allValues(value.body), value] : [value]));
}

function fillConstant(own: Register, kind: Kind, value: number, high: number): void {
  if (kind === "f32") own.f32.fill(value);
  else if (kind === "f64") own.f64.fill(value);
  else if (kind === "i32") own.i32.fill(value);
  else for (let i = 0; i < own.i32.length; i++) own.i32[i] = i % 2 === 0 ? value : high;
}

/** The loops of a list of values. A register is free again after the last reader of its value; `kept` ones never are. */
function stepsOf(values: readonly Value[], kept: Set<Value>, registers: Registers): Step[] {
  const lastReader = new Map<Value, Value>();
  const own = new Set(values);
  // What reads an alias reads its root.
  for (const value of values) {
    if (isAlias(value)) continue;
    for (const arg of value.args) lastReader.set(rootOf(arg), value);
  }
  const steps: Step[] = [];
  for (const value of values) {
    if (value.op === "load" || value.op === "const" || isAlias(value)) continue;
    const out = registers.assign(value);
    steps.push(value.op === "coldPath" ? coldStep(value, out, kept, registers) : stepOf(value, out, registers.get));
    for (const arg of value.args) {
      const root = rootOf(arg);
      if (lastReader.get(root) !== value || !own.has(root) || kept.has(root)) continue;
      lastReader.delete(root);
      registers.release(root);
    }
  }
  return steps;
}

/** Computes the cold values of a block only if the mask holds anywhere in it. */
function coldStep(value: ColdPathValue, out: Register, kept: Set<Value>, registers: Registers): Step {
  const [mask, usual] = value.args.map(registers.get) as [Register, Register];
  const root = rootOf(value.cold);
  const isKept = kept.has(root);
  kept.add(root);
  const body = stepsOf(value.body, kept, registers);
  if (!isKept) kept.delete(root);
  const cold = registers.get(value.cold);
  if (value.body.includes(root) && !isKept) registers.release(root);
  const scale = isWideKind(value.kind) ? 2 : 1;
  return (n) => {
    const words = n * scale;
    if (!anyWord(mask.i32, words)) {
      for (let i = 0; i < words; i++) out.i32[i] = usual.i32[i]!;
      return;
    }
    for (const step of body) step(n);
    selectWords(out.i32, mask.i32, cold.i32, usual.i32, words);
  };
}

/** The loop of one value. */
function stepOf(value: Exclude<Value, ColdPathValue>, out: Register, get: (value: Value) => Register): Step {
  const args = value.args.map(get);
  const a = args[0]!;
  const b = args[1] ?? a;
  const kind = value.args[0]!.kind;
  const wide = isWideKind(kind);
  switch (value.op) {
    case "load":
    case "const":
    case "bits":
    case "float":
    case "maskBits":
      return () => undefined;
    case "lookup": {
      const table = value.table.entries();
      return (n) => {
        for (let i = 0; i < n; i++) out.f64[i] = table[a.i32[i]!]!;
      };
    }
    case "select": {
      const c = args[2]!;
      const scale = isWideKind(value.kind) ? 2 : 1;
      return (n) => selectWords(out.i32, a.i32, b.i32, c.i32, scale * n);
    }
    case "shl":
    case "shrS":
    case "shrU": {
      const { count } = value;
      const loop = (wide ? I64_SHIFT : I32_SHIFT)[value.op];
      return (n) => loop(out.i32, a.i32, count, n);
    }
    case "eq":
    case "ne":
    case "lt":
    case "le":
    case "ltU":
    case "leU":
      return compareStep(value.op, kind, out.i32, a, b);
    case "truncS":
    case "truncU":
    case "fromS32":
    case "fromU32":
    case "promote":
    case "demote":
    case "extendS":
    case "extendU":
    case "wrap":
    case "widen":
    case "narrow":
      return convertStep(value.op, kind, value.kind, out, a);
    default:
      return arithmeticStep(value.op, kind, out, a, b);
  }
}

type Conversion = keyof typeof CONVERT | keyof typeof TRUNC | keyof typeof FROM;

function convertStep(op: Conversion, from: Kind, to: Kind, out: Register, a: Register): Step {
  switch (op) {
    case "truncS":
    case "truncU": {
      const loop = TRUNC[op];
      const source = from === "f32" ? a.f32 : a.f64;
      return (n) => loop(out.i32, source, n);
    }
    case "fromS32":
    case "fromU32": {
      const loop = FROM[op];
      const result = to === "f32" ? out.f32 : out.f64;
      return (n) => loop(result, a.i32, n);
    }
    default: {
      const loop = CONVERT[op];
      return (n) => loop(out, a, n);
    }
  }
}

type Arithmetic = keyof typeof FLOAT_UNARY | keyof typeof FLOAT_BINARY | keyof typeof I32_BINARY | "not";

function arithmeticStep(op: Arithmetic, kind: Kind, out: Register, a: Register, b: Register): Step {
  if (kind === "f32" || kind === "f64") {
    const loop = op in FLOAT_UNARY ? FLOAT_UNARY[op as "neg"] : FLOAT_BINARY[op as "add"];
    return (n) => loop(out[kind], a[kind], b[kind], n);
  }
  const scale = isWideKind(kind) ? 2 : 1;
  if (op === "not") {
    return (n) => {
      for (let i = 0; i < scale * n; i++) out.i32[i] = ~a.i32[i]!;
    };
  }
  if (op === "neg") {
    const zero = new Int32Array(a.i32.length);
    const subtract = scale === 2 ? I64_BINARY.sub : I32_BINARY.sub;
    return (n) => subtract(out.i32, zero, a.i32, n);
  }
  if (scale === 2 && op in I64_BINARY) {
    const loop = I64_BINARY[op as "add"];
    return (n) => loop(out.i32, a.i32, b.i32, n);
  }
  const loop = I32_BINARY[op as "and"];
  return (n) => loop(out.i32, a.i32, b.i32, scale * n);
}

function compareStep(op: keyof typeof I32_COMPARE, kind: Kind, out: Int32Array, a: Register, b: Register): Step {
  if (kind === "f32" || kind === "f64") {
    const loop = (kind === "f32" ? F32_COMPARE : F64_COMPARE)[op as "eq"];
    return (n) => loop(out, a[kind], b[kind], n);
  }
  const loop = (isWideKind(kind) ? I64_COMPARE : I32_COMPARE)[op];
  return (n) => loop(out, a.i32, b.i32, n);
}
