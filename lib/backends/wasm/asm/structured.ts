/**
 * Locals, blocks, branches and calls: what is not one row of a table.
 */
import type { Func, Input, Label, Local, Operands, Result, StackVar, Types, ValueType } from "./types";
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
  /**
   * A further local of the function whose body runs, for this place alone, set to a value where one is given; else it keeps its value
   * from turn to turn of a loop.
   */
  fresh<T extends ValueType>(type: T, value?: Input<T>): Local<T> {
    const made = here().fresh(type);
    if (value !== undefined) local.set(made, value);
    return made;
  },
};

/** Instructions that branches to the label leave. */
export const block = (body: (label: Label) => void): void => here().block(BLOCK, body);

/** Instructions that branches to the label begin anew. */
export const loop = (body: (label: Label) => void): void => here().block(LOOP, body);

/** The first where the stack has something other than 0, else the second. */
export const when = (then: () => void, otherwise?: () => void): void => here().block(IF, then, otherwise);

export const br = (label: Label): void => here().branch(label);

/** Branches where the integer on the stack is not 0. */
export const br_if = (label: Label): void => here().branchIf(label);

/** Ends the function with the results on the stack. */
export const return_ = (): void => here().returns();

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
