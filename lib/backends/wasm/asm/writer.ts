/**
 * Writes the code of one function: instructions with their operands, and what is on the stack after each, so that a mistake
 * shows where it is made.
 */
import type { Bytes } from "./bytes";
import type { Func, Input, Label, Local, Types, ValueType } from "./types";

/** The numbers that a module gives to functions, which code refers to. */
export interface Numbering {
  functionIndex(target: Func): number;
}

/** Any value on the stack: what instructions return, whatever the type of their result. */
export const ON_STACK = {} as never;

/** An open block with what it has of the stack. */
interface Block extends Label {
  /** Values on the stack that the code inside does not see. */
  readonly below: number;
}

/** Opcodes of more than a byte are given as a prefix shifted by this, and a number. */
export const PREFIX_SHIFT = 12;

export const BLOCK = 0x02;
export const LOOP = 0x03;
export const IF = 0x04;
const ELSE = 0x05;
const END = 0x0b;
const NO_RESULT = 0x40;
export const SET = 0x21;
export const TEE = 0x22;

export class FunctionWriter {
  /** Types of the values on the stack, and where the code of each begins. */
  private readonly types: ValueType[] = [];
  private readonly starts: number[] = [];
  private readonly blocks: Block[] = [{ depth: 0, below: 0 }];

  /** `locals` are the types of the function's locals, to which those are added that its body asks for. */
  constructor(
    readonly code: Bytes,
    readonly numbering: Numbering,
    private readonly results: Types,
    private readonly parameters: number,
    private readonly locals: ValueType[],
  ) {}

  /** A local that nothing else uses. */
  fresh<T extends ValueType>(type: T): Local<T> {
    return { type, index: this.parameters + this.locals.push(type) - 1 };
  }

  opcode(code: number): void {
    if (code < 1 << 8) return this.code.byte(code);
    this.code.byte(code >> PREFIX_SHIFT);
    this.code.u32(code & ((1 << PREFIX_SHIFT) - 1));
  }

  /** An instruction, but for its immediates, with its effect on the stack. */
  instruction(code: number, ins: Types, outs: Types): void {
    const start = this.take(ins);
    this.opcode(code);
    this.give(outs, start);
  }

  /** Removes operands from the stack; gives where their code begins. */
  take(types: Types): number {
    let start = this.code.length;
    for (let i = types.length - 1; i >= 0; i--) start = this.takeOne(types[i]!);
    return start;
  }

  give(types: Types, start: number): void {
    for (const type of types) {
      this.types.push(type);
      this.starts.push(start);
    }
  }

  /** Puts operands on the stack in order, where they are not there yet. */
  operands(types: Types, given: readonly Input[]): void {
    if (given.length === 0) return;
    if (given.length !== types.length) throw new Error(`${types.length} operands expected, got: ${given.length}`);
    let later = 0;
    for (const operand of given) if (operand === ON_STACK) later++;
    for (let i = 0; i < given.length; i++) {
      const operand = given[i]!;
      if (operand === ON_STACK) later--;
      else if (later === 0) this.push(types[i]!, operand);
      else this.insert(types[i]!, operand, later);
    }
  }

  constant(type: ValueType, value: number | bigint): void {
    const start = this.code.length;
    switch (type) {
      case "i32":
        this.code.byte(0x41);
        this.code.s32(value as number);
        break;
      case "i64":
        this.code.byte(0x42);
        this.code.s64(value as bigint);
        break;
      case "f32":
        this.code.byte(0x43);
        this.code.f32(value as number);
        break;
      case "f64":
        this.code.byte(0x44);
        this.code.f64(value as number);
        break;
      case "v128":
        throw new Error("a number in the place of a vector");
      default:
        (type) satisfies never;
    }
    this.give([type], start);
  }

  /** A block with its instructions, which leave the stack as it is. */
  block(code: number, body: (label: Label) => void, otherwise?: (label: Label) => void): void {
    if (code === IF) this.take(["i32"]);
    this.code.byte(code);
    this.code.byte(NO_RESULT);
    this.part(body);
    if (otherwise) {
      this.code.byte(ELSE);
      this.part(otherwise);
    }
    this.code.byte(END);
  }

  localGet({ type, index }: Local): void {
    const start = this.code.length;
    this.code.byte(0x20);
    this.code.u32(index);
    this.types.push(type);
    this.starts.push(start);
  }

  /** `set` or `tee`. */
  localSet(code: number, { type, index }: Local, given: readonly Input[]): void {
    this.operands([type], given);
    this.instruction(code, [type], code === TEE ? [type] : []);
    this.code.u32(index);
  }

  call(target: Func, given: readonly Input[] | undefined): void {
    if (given) this.operands(target.in, given);
    this.instruction(0x10, target.in, target.out);
    this.code.u32(this.numbering.functionIndex(target));
  }

  branch(label: Label): void {
    this.code.byte(0x0c);
    this.code.u32(this.distance(label));
  }

  branchIf(label: Label): void {
    this.take(["i32"]);
    this.code.byte(0x0d);
    this.code.u32(this.distance(label));
  }

  /** Blocks between here and that of a label. */
  private distance(label: Label): number {
    if (this.blocks[label.depth] !== label) throw new Error("a branch to a block that is not open here");
    return this.blocks.length - 1 - label.depth;
  }

  returns(): void {
    this.take(this.results);
    this.code.byte(0x0f);
  }

  /** The end of the function. */
  close(): void {
    this.take(this.results);
    this.closeBlock();
    this.code.byte(END);
  }

  private push(type: ValueType, operand: Input): void {
    if (typeof operand !== "object") return this.constant(type, operand);
    if (!("index" in operand)) throw new Error("a value of the stack that is taken twice");
    if (operand.type !== type) throw new Error(`${type} expected, got a local of type ${operand.type}`);
    this.localGet(operand);
  }

  /** Puts an operand on the stack below so many that are there, its code before theirs. */
  private insert(type: ValueType, operand: Input, above: number): void {
    const index = this.types.length - above;
    if (index < this.blocks.at(-1)!.below) throw new Error("fewer values on the stack than operands");
    const from = this.code.length;
    const to = this.starts[index]!;
    this.push(type, operand);
    const size = this.code.length - from;
    this.code.moveEnd(from, to);
    this.types.splice(index, 0, this.types.pop()!);
    this.starts.pop();
    this.starts.splice(index, 0, to);
    for (let i = index + 1; i < this.starts.length; i++) this.starts[i]! += size;
  }

  private takeOne(expected: ValueType): number {
    if (this.types.length === this.blocks.at(-1)!.below) {
      throw new Error(`${expected} expected on the stack, got: nothing`);
    }
    const type = this.types.pop()!;
    if (type !== expected) throw new Error(`${expected} expected on the stack, got: ${type}`);
    return this.starts.pop()!;
  }

  private part(body: (label: Label) => void): void {
    const block = { depth: this.blocks.length, below: this.types.length };
    this.blocks.push(block);
    body(block);
    this.closeBlock();
    this.blocks.pop();
  }

  private closeBlock(): void {
    const { below } = this.blocks.at(-1)!;
    if (this.types.length === below) return;
    throw new Error(`nothing more expected on the stack at the end, got: ${this.types.slice(below).join(", ")}`);
  }
}

let writing: FunctionWriter | null = null;

/** The function that instructions go to. */
export function here(): FunctionWriter {
  if (!writing) throw new Error("an instruction outside of the body of a function");
  return writing;
}

/** Runs the body of a function; what was being written goes on afterwards, also if the body throws. */
export function within(writer: FunctionWriter, body: () => void): void {
  const before = writing;
  writing = writer;
  try {
    body();
    writer.close();
  } finally {
    writing = before;
  }
}
