/**
 * The state that a loop carries from turn to turn. A state of one element is in vectors; a longer state has two rooms in memory: the
 * body reads one room and writes the other, and the initial state is never written over.
 */
import type { Program, WhileStep } from "../../../program";
import { block, br, br_if, i32, local, loop, type Int, type Label } from "../asm";
import { roomBytes } from "../placement";
import { copyLanes, pushAddress, pushHolds, storeSingles, type Place } from "./place";
import type { Planner, Target } from "./plan";
import type { Emission, Resources } from "./resources";

/** The state of a loop: the places that a turn reads, the targets that it writes, and code before the loop and after a turn. */
interface State {
  readonly places: readonly Place[];
  readonly targets: readonly (Target | null)[];
  begin(): void;
  turn(): void;
}

/** A state in memory: the address that a turn reads, the address that it writes, and the sum of the addresses of both rooms. */
interface Turning {
  readonly now: Int;
  readonly next: Int;
  readonly sum: Int;
  readonly rooms: readonly [number, number];
  readonly initial: Place;
}

/** The state that a body carries from turn to turn; states that the body returns unchanged keep their places. */
export function stateOf(body: Program, values: readonly number[], initial: readonly Place[], planner: Planner): State {
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

/** The code after a loop: states of one element are put to memory where a step reads them there. */
export function ended(values: readonly number[], { places }: State, planner: Planner): Emission {
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

/** The code of a loop that makes turns as long as the condition holds, with `each` after every turn. Inputs begin with the state. */
export function planTurns(
  { condition, body, outputs }: Pick<WhileStep, "condition" | "body" | "outputs">,
  inputs: readonly Place[],
  planner: Planner,
  each: Emission = () => undefined,
): Emission {
  const state = stateOf(body, outputs, inputs, planner);
  const given = [...state.places, ...inputs.slice(outputs.length)];
  const question = planner.inner(condition, given, [null]);
  const code = planner.inner(body, given, state.targets);
  const end = ended(outputs, state, planner);
  return () => {
    state.begin();
    block((done) => {
      loop((next) => {
        question.emit();
        endUnless(question.outputs[0]!, done);
        code.emit();
        state.turn();
        each();
        br(next);
      });
    });
    end();
  };
}

/** Leaves a block where a value of one element is 0. */
export function endUnless({ type, lanes }: Place, done: Label): void {
  pushHolds(type, lanes!);
  i32.eqz();
  br_if(done);
}
