/**
 * Emitting values of the kernel language into vectors of a function: which vector holds which value, and the code of bodies
 * inside of functions that do more than run one.
 */
import { define, local, v128, when, type Code, type Int, type Vector } from "../asm";
import type { Body } from "../../../kernel/recurrence";
import type { ConstValue, Kind, LoadValue, ColdPathValue, Value } from "../../../kernel/value";
import { emitConstant } from "./access";
import { emitOp, widthOf, type Group } from "./vectors";

/** Values in the order in which they are computed: the body of a cold path stands before its value. */
export function flatten(values: readonly Value[]): Value[] {
  return values.flatMap((value) => (value.op === "coldPath" ? [...flatten(value.body), value] : [value]));
}

/** Where each value is read for the last time, as a position in the flattened order; outputs are read at the end. */
function lastUses(order: readonly Value[], outputs: readonly Value[]): Map<Value, number> {
  const last = new Map<Value, number>();
  order.forEach((value, position) => {
    for (const arg of value.args) last.set(arg, position);
    if (value.op === "coldPath") last.set(value.cold, position);
  });
  for (const value of outputs) last.set(value, Infinity);
  return last;
}

interface Assignment {
  /** Numbers of the vectors of each value; those that are fixed have none. */
  readonly of: ReadonlyMap<Value, readonly number[]>;
  readonly used: number;
  readonly last: ReadonlyMap<Value, number>;
}

/** Gives values vectors, which are free again after the last use. */
export function assign(
  order: readonly Value[],
  outputs: readonly Value[],
  isFixed: (value: Value) => boolean,
  width: (kind: Kind) => number,
): Assignment {
  const last = lastUses(order, outputs);
  const of = new Map<Value, number[]>();
  const free: number[] = [];
  let used = 0;
  order.forEach((value, position) => {
    if (isFixed(value)) return;
    of.set(
      value,
      Array.from({ length: width(value.kind) }, () => free.pop() ?? used++),
    );
    const read = new Set(value.op === "coldPath" ? [...value.args, value.cold] : value.args);
    for (const arg of read) if (!isFixed(arg) && last.get(arg) === position) free.push(...of.get(arg)!);
    if (!last.has(value)) free.push(...of.get(value)!);
  });
  return { of, used, last };
}

/** How values are emitted: several groups of each side by side, in vectors that somebody knows. */
export interface Emission {
  readonly interleave: number;
  group(value: Value, u: number): Group;
  /** Whether a value is in its vectors already. */
  isDone(value: Value): boolean;
  load(value: LoadValue, out: Group, u: number): void;
}

/** Emits values, arguments first. */
export function emitValues(values: readonly Value[], emission: Emission): void {
  for (const value of values) {
    if (emission.isDone(value)) continue;
    if (value.op === "coldPath") emitColdPath(value, emission);
    else for (let u = 0; u < emission.interleave; u++) emitValue(value, emission, u);
  }
}

/** Emits one group of a value. */
export function emitValue(value: Exclude<Value, ColdPathValue>, emission: Emission, u: number): void {
  const out = emission.group(value, u);
  if (value.op === "const") return emitConstant(value.kind as "f32", out, value.value, value.high);
  if (value.op === "load") return emission.load(value, out, u);
  const args = value.args.map((arg) => emission.group(arg, u));
  emitOp(value, out, args);
}

/** The body runs only if the mask holds for any element of the groups. */
function emitColdPath(value: ColdPathValue, emission: Emission): void {
  const [mask, usual] = value.args as unknown as [Value, Value];
  const each = Array.from({ length: emission.interleave }, (_, u) => u);
  const masks = each.flatMap((u) => emission.group(mask, u));
  masks.forEach((part, i) => {
    local.get(part);
    if (i > 0) v128.or();
  });
  v128.any_true();
  const cold = (): void => {
    emitValues(value.body, emission);
    for (const u of each) choose(value, emission, u);
  };
  const fast = (): void => {
    for (const u of each) copy(emission.group(value, u), emission.group(usual, u));
  };
  when(cold, fast);
}

/** The cold value where the mask holds, the usual one elsewhere; where it is whole, the cold one alone. */
function choose(value: ColdPathValue, emission: Emission, u: number): void {
  if (value.isWhole) return copy(emission.group(value, u), emission.group(value.cold, u));
  const [held, usual] = value.args.map((arg) => emission.group(arg, u)) as [Group, Group];
  const cold = emission.group(value.cold, u);
  emission.group(value, u).forEach((to, i) => local.set(to, v128.bitselect(cold[i]!, usual[i]!, held[i]!)));
}

export function copy(to: Group, from: Group): void {
  to.forEach((vector, i) => vector !== from[i] && local.set(vector, local.get(from[i]!)));
}

// --------------------------------------------------------------------------------------------------- bodies in functions

/**
 * A body that is to be emitted: its values in four lanes each, or in one vector each, so that lanes of 64 bits hold two
 * elements and those of 32 bits two or four.
 */
export interface Placed extends Assignment {
  readonly body: Body;
  readonly width: (kind: Kind) => 1 | 2;
  readonly order: readonly Value[];
  readonly constants: readonly ConstValue[];
}

export function placed(body: Body, single: boolean): Placed {
  const width = single ? (): 1 => 1 : widthOf;
  const order = flatten(body.values);
  const isFixed = (value: Value): boolean => value.op === "const" || body.inputs.includes(value);
  const constants = order.filter((value) => value.op === "const");
  return { body, width, order, constants, ...assign(order, body.outputs, isFixed, width) };
}

export type Loader = (value: LoadValue, out: Group) => void;

/** Emits a body: inputs lie in groups of vectors, outputs go to others, which may be those of inputs. */
export type Run = (body: Placed, inputs: readonly Group[], outputs: readonly Group[], load?: Loader) => void;

/** The same for constants that are equal. */
export const constantText = ({ kind, value, high }: ConstValue): string =>
  `${kind} ${Object.is(value, -0) ? "-0" : value} ${high}`;

/**
 * A function, as {@link define} writes it, in which bodies are emitted. Their constants lie in vectors of their own from its
 * beginning, and all share the vectors for what is between inputs and outputs.
 */
export function defineWith<A extends string, I extends string = never>(
  args: readonly A[],
  ints: readonly I[],
  vectors: number,
  bodies: readonly Placed[],
  emit: (ints: { readonly [N in A | I]: Int }, vectors: readonly Vector[], run: Run) => void,
): Code {
  return define(args, ints, vectors, (v, all) => emit(v, all, runnerOf(bodies)));
}

/** What emits bodies in the function that is being written; to be asked for where all that follows passes by. */
export function runnerOf(bodies: readonly Placed[]): Run {
  const constants = new Map(bodies.flatMap((body) => body.constants).map((value) => [constantText(value), value]));
  const held = new Map([...constants.keys()].map((text) => [text, local.fresh("v128")]));
  constants.forEach((value, text) => emitConstant(value.kind as "f32", [held.get(text)!], value.value, value.high));
  const most = Math.max(0, ...bodies.map(({ used }) => used));
  const spare = Array.from({ length: most }, () => local.fresh("v128"));
  return (body, inputs, outputs, load) =>
    emitBody(body, { inputs, outputs, spare, constant: (value) => held.get(constantText(value))! }, load);
}

/** Where the values of a body are: inputs, outputs, what is between them, and constants. */
interface Vectors {
  readonly inputs: readonly Group[];
  readonly outputs: readonly Group[];
  readonly spare: readonly Vector[];
  constant(value: ConstValue): Vector;
}

/** Emits a body. */
export function emitBody(placed: Placed, { inputs, outputs, spare, constant }: Vectors, load?: Loader): void {
  const { body, width, of } = placed;
  const given = new Map(body.inputs.map((value, i) => [value, inputs[i]!]));
  const direct = directOutputs(placed, inputs, outputs);
  const group = (value: Value): Group => {
    const cached = given.get(value) ?? direct.get(value);
    if (cached) return cached;
    if (value.op === "const") return Array.from({ length: width(value.kind) }, () => constant(value));
    return of.get(value)!.map((number) => spare[number]!);
  };
  emitValues(body.values, {
    interleave: 1,
    group,
    isDone: (value) => value.op === "const" || given.has(value),
    load: (value, out) => load!(value, out),
  });
  body.outputs.forEach((value, i) => {
    if (outputs[i]!.length !== width(value.kind))
      throw new Error(`a result of a body takes ${width(value.kind)} vectors, got: ${outputs[i]!.length}`);
    copy(outputs[i]!, group(value));
  });
}

/** Ops that write a part of the result before all arguments are read. */
const HALVING: ReadonlySet<Value["op"]> = new Set<Value["op"]>([
  "promote",
  "demote",
  "fromS32",
  "fromU32",
  "truncS",
  "truncU",
  "extendS",
  "extendU",
  "widen",
  "wrap",
  "narrow",
  "coldPath",
]);

/** Values that are computed into the vectors of outputs, since the inputs in these vectors are not read later. */
function directOutputs(
  { body, order, last }: Placed,
  inputs: readonly Group[],
  outputs: readonly Group[],
): Map<Value, Group> {
  const direct = new Map<Value, Group>();
  body.outputs.forEach((value, i) => {
    if (value.op === "const" || body.inputs.includes(value) || direct.has(value)) return;
    const at = order.indexOf(value);
    const isFree = inputs.every((group, j) => {
      if (!group.some((vector) => outputs[i]!.includes(vector))) return true;
      const until = last.get(body.inputs[j]!) ?? -1;
      return HALVING.has(value.op) ? until < at : until <= at;
    });
    if (isFree) direct.set(value, outputs[i]!);
  });
  return direct;
}
