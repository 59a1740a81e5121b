/**
 * Element loops, block by block: the condition runs once and counts the turns, then each block goes through all turns. The state is
 * read and written once, whatever the number of turns.
 */
import { bytesOf } from "../../../core/types";
import type { MapStep, Program, WhileStep } from "../../../program";
import { call, drop, i64, local, type Long } from "../asm";
import { STEP } from "../schedule/element-wise";
import { roomBytes } from "../placement";
import { BLOCK_VALUES, BLOCK_VECTORS } from "../schedule/programs";
import { failIf } from "../routines/routine";
import { blockFunction, singlesOf } from "./block-code";
import { elementLoopOf, type ElementLoop } from "./element-loop";
import { kernelOf } from "./steps";
import { pushAddress, type Place } from "./place";
import type { Planner, Target } from "./plan";
import type { Emission } from "./resources";
import { align, overAxes, type Moving } from "./rows";
import { planTurns } from "./states";

const GROUPS = [8, 4, 2, 1] as const;

/** The element loop of a step that is better done block by block than turn by turn; null for all other loops. */
function byBlocks(step: WhileStep): ElementLoop | null {
  const element = elementLoopOf(step);
  return element && element.wide.length > 0 && !isMostlyScalar(element) ? element : null;
}

export const isByBlocks = (step: WhileStep): boolean => byBlocks(step) !== null;

/** Values of the kernel language that a turn computes for each element. */
export const valuesOf = (step: WhileStep): number =>
  sum((elementLoopOf(step)?.wide ?? []).map((wide) => weightOf(wide.step)));

/** Bytes that a single turn reads and writes for each element. */
export const movedBytes = ({ body, outputs }: WhileStep): number =>
  2 * sum(outputs.map((_, i) => (isLong(body, i) ? bytesOf(body.values[body.inputs[i]!]!.type) : 0)));

const isLong = ({ values, inputs }: Program, place: number): boolean => values[inputs[place]!]!.size > 1;

/** The code of a loop that is done block by block; null for all other loops. */
export function planByBlocks(step: WhileStep, given: readonly Place[], planner: Planner): Emission | null {
  const element = byBlocks(step);
  if (!element) return null;
  const { outputs } = step;
  const { resources } = planner;
  const { body, streams, longs, size } = element;
  const before = planBefore(element, given, planner);
  const inputs = [...given, ...before.places];
  const turns = resources.long();
  const count = element.asked ? () => undefined : planCount(step, element, inputs, planner, turns);
  const read = streams.map(({ operand }) => operand);
  const places = streams.map(({ value }) => inputs[body.inputs.indexOf(value)]!);
  const aligned = align(read, places, size, resources);
  const groups = groupsOf(element, aligned.inner);
  const elements = 4 * groups;
  if (element.asked && aligned.inner % elements > 0) {
    // elements behind a row would be asked, too
    for (const room of [...before.rooms, ...aligned.rooms]) resources.frame.give(room);
    return null;
  }
  const blocks = Math.ceil(aligned.inner / elements);
  const inOrder = ({ type, at }: Place): Moving => ({
    at: at!,
    steps: [...aligned.inOrder(bytesOf(type)), elements * bytesOf(type)],
  });
  const moving = aligned.operands.map(({ at, steps }, i): Moving => {
    const bytes = aligned.uniform[i] ? 0 : elements * bytesOf(read[i]!.type);
    return { at, steps: [...steps, bytes] };
  });
  const from = longs.map((i) => inOrder(inputs[i]!));
  const to = longs.map((i) => inOrder(planner.make(outputs[i]!, true)));
  stay(step, inputs, planner);
  const run = blockFunction({ element, groups, uniform: aligned.uniform }, planner);
  const singles = singlesOf(body).flatMap((value) => inputs[body.inputs.indexOf(value)]!.lanes!);
  const all = overAxes([...aligned.rows, blocks], [...moving, ...from, ...to], resources, (at) => {
    local.get(turns);
    for (const lane of singles) local.get(lane);
    for (const address of at) pushAddress(address);
    call(run);
    if (element.asked) failIf();
    else drop("i32");
  });
  for (const room of [...before.rooms, ...aligned.rooms]) resources.frame.give(room);
  return () => {
    before.emit();
    count();
    aligned.copy();
    all();
  };
}

/** Gives states that the body returns unchanged the places of their inputs. */
function stay({ body, outputs }: WhileStep, inputs: readonly Place[], planner: Planner): void {
  outputs.forEach((value, i) => {
    if (body.outputs[i] === body.inputs[i]) planner.place(value, inputs[i]!);
  });
}

/** The code of invariant steps, and the places of their results for the time of the loop. */
function planBefore(
  { before, stays, body: { values, inputs } }: ElementLoop,
  given: readonly Place[],
  planner: Planner,
): { readonly places: readonly Place[]; readonly rooms: readonly number[]; readonly emit: Emission } {
  const { frame, base } = planner.resources;
  const rooms: number[] = [];
  const targets = stays.map((value): Target | null => {
    const { type, size } = values[value]!;
    if (size === 1) return null;
    rooms.push(frame.take(roomBytes(type, size)));
    return { lanes: null, at: { base, offset: rooms.at(-1)! } };
  });
  const program: Program = { values, inputs: inputs.slice(0, given.length), steps: before, outputs: stays, key: "" };
  const { outputs, emit } = planner.inner(program, given, targets);
  const places = outputs.map((place, i): Place => (targets[i] ? { ...place, ...targets[i] } : { ...place, at: null }));
  return { places, rooms, emit };
}

/** The code that takes values of one element through all turns and counts these. */
function planCount(
  { condition, outputs }: WhileStep,
  { body, singles, scalar }: ElementLoop,
  inputs: readonly Place[],
  planner: Planner,
  turns: Long,
): Emission {
  const others = body.inputs.flatMap((_, i) => (singles.includes(i) ? [] : [i]));
  const order = [...singles, ...others];
  const arranged = (program: Program): Program => ({
    ...program,
    inputs: order.flatMap((i) => program.inputs[i] ?? []),
  });
  const own = arranged({ ...body, steps: scalar, outputs: singles.map((i) => body.outputs[i]!) });
  const results = singles.map((i) => outputs[i]!);
  const ordered = order.map((i) => inputs[i]!);
  const count = (): void => local.set(turns, i64.add(turns, 1n));
  const all = planTurns({ condition: arranged(condition), body: own, outputs: results }, ordered, planner, count);
  return () => {
    local.set(turns, 0n);
    all();
  };
}

const weightOf = (step: MapStep): number => kernelOf(step).values.length;
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Whether a block would spend more on values of one element, which each block computes anew, than on its own elements. */
function isMostlyScalar(element: ElementLoop): boolean {
  const { scalar, wide, made, states, size } = element;
  if (made.length + states.length === 0) return false;
  const each = sum(wide.map(({ step }) => weightOf(step)));
  return sum(scalar.map(weightOf)) > each * groupsOf(element, size);
}

/** Groups of four elements in a block. Kernels write at most a step behind a row. */
function groupsOf({ body, longs, wide, asked }: ElementLoop, inner: number): number {
  const vectors = sum(longs.map((i) => vectorsOf(body, body.inputs[i]!)));
  const values = sum(wide.map(({ step }) => weightOf(step)));
  const suits = (groups: number): boolean =>
    groups * vectors <= BLOCK_VECTORS &&
    groups * values <= BLOCK_VALUES &&
    (inner % (4 * groups) === 0 || (4 * groups <= STEP && !asked)) &&
    (groups === 1 || 4 * groups < 2 * inner);
  return GROUPS.find(suits) ?? 1;
}

/** Vectors of four elements. */
const vectorsOf = ({ values }: Program, value: number): number => Math.max(1, bytesOf(values[value]!.type) / 4);
