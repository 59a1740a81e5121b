/**
 * Loops that compute each element by itself, block by block: what decides about the turns runs once and counts them, then each block
 * goes through all of them. The state is read and written once, whatever the number of turns.
 */
import { bytesOf } from "../../../core/types";
import type { MapStep, Program, WhileStep } from "../../../program";
import { block, br, call, i64, local, loop, type Long } from "../asm";
import { STEP } from "../codegen";
import { BLOCK_VALUES, BLOCK_VECTORS } from "../schedule";
import { blockFunction, kernelOf, singlesOf } from "./block-code";
import { elementLoopOf, type ElementLoop } from "./element-loop";
import { pushAddress, type Place } from "./place";
import type { Planner } from "./plan";
import type { Emission } from "./resources";
import { align, overAxes, type Moving } from "./rows";
import { ended, endUnless, stateOf } from "./states";

const GROUPS = [8, 4, 2, 1] as const;

/** The code of a loop that computes each element by itself; null for others, and where the turns are better done one by one. */
export function planByBlocks(step: WhileStep, inputs: readonly Place[], planner: Planner): Emission | null {
  const element = elementLoopOf(step);
  if (!element || isMostlyScalar(element)) return null;
  const { body, outputs } = step;
  const { resources } = planner;
  const { streams, longs, size } = element;
  const turns = resources.long();
  const count = planTurns(step, element, inputs, planner, turns);
  const read = streams.map(({ operand }) => operand);
  const aligned = align(
    read,
    streams.map(({ input }) => inputs[input]!),
    size,
    resources,
  );
  const groups = groupsOf(step, element, aligned.inner);
  const elements = 4 * groups;
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
  const run = blockFunction({ element, body, groups, uniform: aligned.uniform }, planner);
  const singles = singlesOf(body).flatMap((value) => inputs[body.inputs.indexOf(value)]!.lanes!);
  const all = overAxes([...aligned.rows, blocks], [...moving, ...from, ...to], resources, (at) => {
    local.get(turns);
    for (const lane of singles) local.get(lane);
    for (const address of at) pushAddress(address);
    call(run);
  });
  for (const room of aligned.rooms) resources.frame.give(room);
  return () => {
    count();
    aligned.copy();
    all();
  };
}

/** States that stay as they are stay where they are. */
function stay({ body, outputs }: WhileStep, inputs: readonly Place[], planner: Planner): void {
  outputs.forEach((value, i) => {
    if (body.outputs[i] === body.inputs[i]) planner.place(value, inputs[i]!);
  });
}

/** What the values of one element go through, with the number of turns. */
function planTurns(
  { condition, body, outputs }: WhileStep,
  { singles, scalar }: ElementLoop,
  inputs: readonly Place[],
  planner: Planner,
  turns: Long,
): Emission {
  const others = body.inputs.flatMap((_, i) => (singles.includes(i) ? [] : [i]));
  const order = [...singles, ...others];
  const arranged = (program: Program): Program => ({ ...program, inputs: order.map((i) => program.inputs[i]!) });
  const own = arranged({ ...body, steps: scalar, outputs: singles.map((i) => body.outputs[i]!) });
  const results = singles.map((i) => outputs[i]!);
  const state = stateOf(
    own,
    results,
    singles.map((i) => inputs[i]!),
    planner,
  );
  const given = [...state.places, ...others.map((i) => inputs[i]!)];
  const question = planner.inner(arranged(condition), given, [null]);
  const code = planner.inner(own, given, state.targets);
  const end = ended(results, state, planner);
  return () => {
    state.begin();
    local.set(turns, 0n);
    block(null, (done) => {
      loop(null, (next) => {
        question.emit();
        endUnless(question.outputs[0]!, done);
        code.emit();
        state.turn();
        local.set(turns, i64.add(turns, 1n));
        br(next);
      });
    });
    end();
  };
}

const weightOf = (step: MapStep): number => kernelOf(step).values.length;
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Whether each block would compute more of one element, which it has to where its kernels read it, than of its own elements. */
function isMostlyScalar({ scalar, wide, made, states }: ElementLoop): boolean {
  if (made.length + states.length === 0) return false;
  return sum(scalar.map(weightOf)) > sum(wide.map(({ step }) => weightOf(step)));
}

/** Groups of four elements that a block has; kernels write no further behind a row than a step of theirs. */
function groupsOf({ body }: WhileStep, { longs, wide }: ElementLoop, inner: number): number {
  const vectors = sum(longs.map((i) => vectorsOf(body, body.inputs[i]!)));
  const values = sum(wide.map(({ step }) => weightOf(step)));
  const suits = (groups: number): boolean =>
    groups * vectors <= BLOCK_VECTORS &&
    groups * values <= BLOCK_VALUES &&
    (4 * groups <= STEP || inner % (4 * groups) === 0) &&
    (groups === 1 || 4 * groups < 2 * inner);
  return GROUPS.find(suits) ?? 1;
}

/** Vectors of four elements. */
const vectorsOf = ({ values }: Program, value: number): number => Math.max(1, bytesOf(values[value]!.type) / 4);
