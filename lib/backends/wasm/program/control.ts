/**
 * Control flow of programs. The state of a loop is in vectors where it is one element; else in memory, in two rooms in turns: the
 * body reads one and writes the other, and what the loop began with is never written over.
 */
import { bytesOf } from "../../../core/types";
import type { CondStep, Program, ScanStep, WhileStep } from "../../../program";
import { advance, block, br, br_if, i32, if_, local, loop, range, type Int, type Label } from "../asm";
import { roomBytes } from "../placement";
import { copyLanes, loadElement, pushAddress, pushHolds, storeElement, type Place } from "./place";
import type { PlanControl, Planner, Target } from "./plan";
import type { Emission, Resources } from "./resources";

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

function planCond({ branches, inputs: read, outputs }: CondStep, inputs: readonly Place[], planner: Planner): Emission {
  const count = branches.length - 1;
  const predicates = inputs.slice(0, count);
  const given = inputs.slice(count);
  void read;
  const results = outputs.map((value) => planner.make(value, planner.isNeeded(value)));
  const targets = results.map(({ lanes, at }): Target => (lanes ? { lanes, at: null } : { lanes: null, at }));
  const codes = branches.map((branch) => planner.inner(branch, given, targets).emit);
  const chosen = (i: number): void => {
    if (i === count) return codes[i]!();
    pushHolds(predicates[i]!.type, predicates[i]!.lanes!);
    if_(null, codes[i]!, () => chosen(i + 1));
  };
  return () => {
    chosen(0);
    storeSingles(results);
  };
}

/** Results of one element to memory, where somebody needs them there. */
function storeSingles(places: readonly Place[]): void {
  for (const { type, lanes, at } of places) if (lanes && at) storeElement(type, lanes, at);
}

// ------------------------------------------------------------------------------------------------------------------- states

/** The state of a loop: where it is in each turn, where the next one goes, and what is done before the loop and after a turn. */
interface State {
  readonly places: readonly Place[];
  readonly targets: readonly (Target | null)[];
  begin(): void;
  turn(): void;
}

/** A state in memory: where it is, where the next one goes, and the sum of the addresses of the two rooms it is in in turns. */
interface Turning {
  readonly now: Int;
  readonly next: Int;
  readonly sum: Int;
  readonly rooms: readonly [number, number];
  readonly initial: Place;
}

/** The state that a body carries from turn to turn; what it gives back as it got it stays where it is. */
function stateOf(body: Program, values: readonly number[], initial: readonly Place[], planner: Planner): State {
  const { resources } = planner;
  const singles: { readonly to: Place; readonly from: Place }[] = [];
  const turning: Turning[] = [];
  const targets: (Target | null)[] = [];
  const places = values.map((value, i): Place => {
    const from = initial[i]!;
    if (body.outputs[i] === body.inputs[i]) {
      targets.push(null);
      planner.place(value, from);
      return from;
    }
    if (from.lanes) {
      const to: Place = { ...from, lanes: planner.vectors(from), at: null };
      targets.push({ lanes: to.lanes, at: null });
      singles.push({ to, from });
      return to;
    }
    const bytes = roomBytes(from.type, from.size);
    const rooms = [resources.frame.take(bytes), resources.frame.take(bytes)] as const;
    const own = { now: resources.int(), next: resources.int(), sum: resources.int(), rooms, initial: from };
    turning.push(own);
    targets.push({ lanes: null, at: { base: own.next, offset: 0 } });
    const place = { ...from, at: { base: own.now, offset: 0 } };
    planner.place(value, place, rooms);
    return place;
  });
  return {
    places,
    targets,
    begin() {
      for (const { to, from } of singles) copyLanes(to.lanes!, from.lanes!);
      for (const own of turning) beginTurning(own, resources);
    },
    turn() {
      for (const { now, next, sum } of turning) {
        local.set(now, local.get(next));
        local.set(next, i32.sub(sum, next));
      }
    },
  };
}

function beginTurning({ now, next, sum, rooms: [one, other], initial }: Turning, { base }: Resources): void {
  pushAddress(initial.at!);
  local.set(now);
  local.set(next, i32.add(base, one));
  i32.add(base, other);
  local.get(next);
  i32.add();
  local.set(sum);
}

/** Where the state of one element is in the end, and in memory where that is needed. */
function ended(values: readonly number[], { places }: State, planner: Planner): Emission {
  const results = values.map((value, i): Place => {
    const place = places[i]!;
    if (!place.lanes || place.at) return place;
    const made = planner.make(value, planner.isNeeded(value));
    const whole = { ...made, lanes: place.lanes };
    planner.place(value, whole);
    return whole;
  });
  return () => storeSingles(results);
}

// -------------------------------------------------------------------------------------------------------------------- loops

function planWhile({ condition, body, outputs }: WhileStep, inputs: readonly Place[], planner: Planner): Emission {
  const state = stateOf(body, outputs, inputs, planner);
  const given = [...state.places, ...inputs.slice(outputs.length)];
  const question = planner.inner(condition, given, [null]);
  const code = planner.inner(body, given, state.targets);
  const end = ended(outputs, state, planner);
  return () => {
    state.begin();
    block(null, (done) => {
      loop(null, (next) => {
        question.emit();
        endUnless(question.outputs[0]!, done);
        code.emit();
        state.turn();
        br(next);
      });
    });
    end();
  };
}

/** Leaves a block where a value of one element is 0. */
function endUnless({ type, lanes }: Place, done: Label): void {
  pushHolds(type, lanes!);
  i32.eqz();
  br_if(done);
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
    block(null, (done) =>
      range(counter, length, 1, () => {
        code.emit();
        state.turn();
        for (const { pointer, bytes } of moving) advance(pointer, reverse ? -bytes : bytes);
        if (settles) endUnless(state.places[0]!, done);
      }),
    );
    for (const { type, lanes, at } of results) if (lanes) loadElement(type, lanes, at!);
    end();
  };
}
