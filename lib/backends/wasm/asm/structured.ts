/**
 * Locals, blocks, branches and calls: what is not one row of a table.
 */
import type { BlockType, Func, Input, Label, Local, Operands, Result, StackVar, Types, ValueType } from "./types";
import { BLOCK, here, IF, LOOP, ON_STACK, SET, TEE } from "./writer";

/** Operands of one instruction: that given, or none where it is on the stack. */
const given = (value: Input | undefined): readonly Input[] => (value === undefined ? [] : [value]);

export const local = {
  get<T extends ValueType>(from: Local<T>): StackVar<T> {
    here().localGet(from);
    return ON_STACK;
  },
  /** Stores a value; without an operand the value on the stack. */
  set<T extends ValueType>(to: Local<T>, value?: Input<T>): void {
    here().localSet(SET, to, given(value));
  },
  /** As `set`, and leaves the value on the stack. */
  tee<T extends ValueType>(to: Local<T>, value?: Input<T>): StackVar<T> {
    here().localSet(TEE, to, given(value));
    return ON_STACK;
  },
  /** A further local of the function whose body runs, for this place alone; where it is in a loop it keeps its value from turn to turn. */
  fresh<T extends ValueType>(type: T): Local<T> {
    return here().fresh(type);
  },
};

/** Instructions that branches to the label leave. */
export function block<const O extends Types = []>(
  type: (BlockType & { readonly out?: O }) | null,
  body: (label: Label) => void,
): Result<O> {
  here().block(BLOCK, type, body);
  return ON_STACK;
}

/** Instructions that branches to the label begin anew. */
export function loop<const O extends Types = []>(
  type: (BlockType & { readonly out?: O }) | null,
  body: (label: Label) => void,
): Result<O> {
  here().block(LOOP, type, body);
  return ON_STACK;
}

/** One or the other, as the integer on the stack is not 0 or is; branches to the label leave. */
export function if_<const O extends Types = []>(
  type: (BlockType & { readonly out?: O }) | null,
  then: (label: Label) => void,
  otherwise?: (label: Label) => void,
): Result<O> {
  here().block(IF, type, then, otherwise);
  return ON_STACK;
}

export const br = (label: Label): void => here().branch(label);

/** Branches where the integer on the stack is not 0. */
export const br_if = (label: Label): void => here().branchIf(label);

/** Branches to the label whose number is on the stack; to the last one where there is none. */
export const br_table = (labels: readonly Label[], otherwise: Label): void => here().branchTable(labels, otherwise);

/** Ends the function with the results on the stack. */
export const return_ = (): void => here().returns();

export function unreachable(): void {
  here().instruction(0x00, [], []);
  here().unreachable();
}

/** Takes a value of a type off the stack. */
export const drop = (type: ValueType): void => here().instruction(0x1a, [type], []);

/** The first value where the integer is not 0, else the second. */
export function select<T extends ValueType>(type: T, ...operands: Operands<readonly [T, T, "i32"]>): StackVar<T> {
  here().operands([type, type, "i32"], operands as readonly Input[]);
  here().instruction(0x1b, [type, type, "i32"], [type]);
  return ON_STACK;
}

/** Calls a function with arguments, or with those on the stack. */
export function call<const I extends Types, const O extends Types>(
  target: Func<I, O>,
  args?: { readonly [K in keyof I]: Input<I[K]> },
): Result<O> {
  here().call(target, args as readonly Input[] | undefined);
  return ON_STACK;
}
