/**
 * Writes the code of one function: instructions with their operands, and what is on the stack after each, so that a mistake
 * shows where it is made.
 */
import type { Bytes } from "./bytes";
import {
  CODE_OF,
  type BlockType,
  type Func,
  type Input,
  type Label,
  type Local,
  type Types,
  type ValueType,
} from "./types";

/** The numbers that a module gives to functions and types, which code refers to. */
export interface Numbering {
  functionIndex(target: Func): number;
  typeIndex(ins: Types, outs: Types): number;
}

/** Any value on the stack: what instructions return, whatever the type of their result. */
export const ON_STACK = {} as never;

interface Block extends Label {
  /** Values on the stack that the code inside does not see. */
  readonly below: number;
  /** What branches to the block take from the stack. */
  readonly branchTypes: Types;
  /** Whether what follows is never reached: the stack then has whatever is asked of it. */
  isDead: boolean;
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
  private readonly blocks: Block[];

  /** `locals` are the types of the function's locals, to which those are added that its body asks for. */
  constructor(
    readonly code: Bytes,
    readonly numbering: Numbering,
    private readonly results: Types,
    private readonly parameters: number,
    private readonly locals: ValueType[],
  ) {
    this.blocks = [{ depth: 0, below: 0, branchTypes: results, isDead: false }];
  }

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

  /** A block with its instructions. */
  block(code: number, type: BlockType | null, body: (label: Label) => void, otherwise?: (label: Label) => void): void {
    const isLoop = code === LOOP;
    const { in: ins = [], out: outs = [] } = type ?? {};
    let start = code === IF ? this.take(["i32"]) : this.code.length;
    start = Math.min(start, this.take(ins));
    this.code.byte(code);
    this.blockType(ins, outs);
    this.part(ins, outs, isLoop ? ins : outs, body);
    if (otherwise) {
      this.code.byte(ELSE);
      this.part(ins, outs, outs, otherwise);
    }
    this.code.byte(END);
    this.give(outs, start);
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
    this.take(this.branchTypes(label));
    this.code.byte(0x0c);
    this.code.u32(this.distance(label));
    this.unreachable();
  }

  branchIf(label: Label): void {
    const types = this.branchTypes(label);
    this.take(["i32"]);
    this.give(types, this.take(types));
    this.code.byte(0x0d);
    this.code.u32(this.distance(label));
  }

  branchTable(labels: readonly Label[], otherwise: Label): void {
    this.take(["i32"]);
    for (const label of labels) {
      const types = this.branchTypes(label);
      this.give(types, this.take(types));
    }
    this.take(this.branchTypes(otherwise));
    this.code.byte(0x0e);
    this.code.u32(labels.length);
    for (const label of [...labels, otherwise]) this.code.u32(this.distance(label));
    this.unreachable();
  }

  /** What a branch to a label takes from the stack. */
  private branchTypes(label: Label): Types {
    if (this.blocks[label.depth] !== label) throw new Error("a branch to a block that is not open here");
    return (label as Block).branchTypes;
  }

  /** Blocks between here and that of a label. */
  private distance(label: Label): number {
    return this.blocks.length - 1 - label.depth;
  }

  /** What follows is not reached. */
  unreachable(): void {
    const block = this.blocks.at(-1)!;
    this.drop(block.below);
    block.isDead = true;
  }

  returns(): void {
    this.take(this.results);
    this.code.byte(0x0f);
    this.unreachable();
  }

  /** The end of the function. */
  close(): void {
    this.closeBlock(this.results);
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
    const block = this.blocks.at(-1)!;
    if (this.types.length === block.below) {
      if (block.isDead) return this.code.length;
      throw new Error(`${expected} expected on the stack, got: nothing`);
    }
    const type = this.types.pop()!;
    if (type !== expected) throw new Error(`${expected} expected on the stack, got: ${type}`);
    return this.starts.pop()!;
  }

  private drop(length: number): void {
    this.types.length = length;
    this.starts.length = length;
  }

  private blockType(ins: Types, outs: Types): void {
    if (ins.length > 0 || outs.length > 1) this.code.s32(this.numbering.typeIndex(ins, outs));
    else this.code.byte(outs.length === 0 ? NO_RESULT : CODE_OF[outs[0]!]);
  }

  private part(ins: Types, outs: Types, branchTypes: Types, body: (label: Label) => void): void {
    const block = { depth: this.blocks.length, below: this.types.length, branchTypes, isDead: false };
    this.blocks.push(block);
    this.give(ins, this.code.length);
    body(block);
    this.closeBlock(outs);
    this.blocks.pop();
  }

  private closeBlock(outs: Types): void {
    this.take(outs);
    const { below, isDead } = this.blocks.at(-1)!;
    if (this.types.length !== below && !isDead) {
      throw new Error(`nothing more expected on the stack at the end, got: ${this.types.slice(below).join(", ")}`);
    }
    this.drop(below);
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
