/**
 * Control flow of programs: choices, and loops turn by turn. A loop whose turns are element-wise is left to {@link planByBlocks}.
 */
import { bytesOf } from "../../../core/types";
import type { CondStep, ScanStep, WhileStep } from "../../../program";
import { advance, block, local, range, when, type Int } from "../asm";
import { planByBlocks } from "./by-blocks";
import { loadSingles, pushAddress, pushHolds, storeSingles, type Place } from "./place";
import type { PlanControl, Planner, Target } from "./plan";
import type { Emission } from "./resources";
import { ended, endUnless, planTurns, stateOf } from "./states";

/** Plans a step of control flow. */
export const planControl: PlanControl = (step, inputs, planner) => {
  switch (step.kind) {
    case "cond":
      return planCond(step, inputs, planner);
    case "while":
      return planWhile(step, inputs, planner);
    case "scan":
      return planScan(step, inputs, planner);
    default:
      return step satisfies never;
  }
};

// ----------------------------------------------------------------------------------------------------------------- choices

function planCond({ branches, outputs }: CondStep, inputs: readonly Place[], planner: Planner): Emission {
  const count = branches.length - 1;
  const predicates = inputs.slice(0, count);
  const given = inputs.slice(count);
  const results = outputs.map((value) => planner.make(value, planner.isNeeded(value)));
  const targets = results.map(({ lanes, at }): Target => (lanes ? { lanes, at: null } : { lanes: null, at }));
  const codes = branches.map((branch) => planner.inner(branch, given, targets).emit);
  const chosen = (i: number): void => {
    if (i === count) return codes[i]!();
    pushHolds(predicates[i]!.type, predicates[i]!.lanes!);
    when(codes[i]!, () => chosen(i + 1));
  };
  return () => {
    chosen(0);
    storeSingles(results);
  };
}

// -------------------------------------------------------------------------------------------------------------------- loops

function planWhile(step: WhileStep, inputs: readonly Place[], planner: Planner): Emission {
  return planByBlocks(step, inputs, planner) ?? planTurns(step, inputs, planner);
}

/** A sequence or a result of a scan, entry by entry. */
interface Entries {
  readonly pointer: Int;
  readonly bytes: number;
  readonly whole: Place;
}

function planScan(step: ScanStep, inputs: readonly Place[], planner: Planner): Emission {
  const { body, carried, sequences, length, reverse, settles, outputs } = step;
  const { resources } = planner;
  const counter = resources.int();
  const state = stateOf(body, outputs.slice(0, carried), inputs, planner);
  const results = outputs.slice(carried).map((value) => planner.make(value, true));
  const entriesOf = (whole: Place): Entries => ({
    pointer: resources.int(),
    bytes: (whole.size / length) * bytesOf(whole.type),
    whole,
  });
  const read = inputs.slice(carried, carried + sequences).map(entriesOf);
  const written = results.map(entriesOf);
  const entry = ({ pointer, whole: { type, size } }: Entries): Place => ({
    ...{ type, size: size / length, lanes: null },
    at: { base: pointer, offset: 0 },
  });
  const targets = written.map((to): Target => ({ lanes: null, at: entry(to).at, isExact: reverse }));
  const given = [...state.places, ...read.map(entry), ...inputs.slice(carried + sequences)];
  const code = planner.inner(body, given, [...state.targets, ...targets]);
  const end = ended(outputs.slice(0, carried), state, planner);
  const moving = [...read, ...written];
  return () => {
    state.begin();
    for (const { pointer, bytes, whole } of moving) {
      pushAddress(whole.at!, reverse ? (length - 1) * bytes : 0);
      local.set(pointer);
    }
    block((done) =>
      range(counter, length, 1, () => {
        code.emit();
        state.turn();
        for (const { pointer, bytes } of moving) advance(pointer, reverse ? -bytes : bytes);
        if (settles) endUnless(state.places[0]!, done);
      }),
    );
    loadSingles(results);
    end();
  };
}
