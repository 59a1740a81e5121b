/**
 * Plans the function of a program: a place for every value, and the code of every step. Control flow is planned by
 * {@link planControl}, which comes back here for the programs inside.
 */
import { bytesOf } from "../../../core/types";
import type { CopyStep, PrimitiveStep, Program, ProgramStep, ProgramValue } from "../../../program";
import { call, type Vector } from "../asm";
import { roomBytes } from "../placement";
import type { Address } from "../routines/boxes";
import { failIf } from "../routines/routine";
import { planJoined } from "./joined";
import { lastReads, neededInMemory } from "./needs";
import {
  copyLanes,
  loadElement,
  loadSingles,
  partsOf,
  pushAddress,
  storeElement,
  storeSingles,
  type Place,
} from "./place";
import { byPlanes } from "./planes";
import type { Emission, Resources } from "./resources";
import { planCopy, planRows } from "./rows";
import { planRefusal } from "./refusal";
import { planScalar } from "./scalar";
import { routineFor } from "./steps";

/** The destination of an output; null for an output that may stay in its place. */
export interface Target {
  readonly lanes: readonly Vector[] | null;
  readonly at: Address | null;
  /** Whether nothing may be written behind the elements. */
  readonly isExact?: boolean;
}

export interface Planned {
  readonly emit: Emission;
  readonly outputs: readonly Place[];
}

/** Plans a step of control flow; gives its code and where its results are. */
export type PlanControl = (
  step: Extract<ProgramStep, { kind: "cond" | "while" | "scan" }>,
  inputs: readonly Place[],
  planner: Planner,
) => Emission;

type Rooms = readonly number[];

export class Planner {
  private readonly places: Place[] = [];
  private readonly emissions: Emission[] = [];
  /** The rooms in the frame that belong to a value. */
  private readonly rooms = new Map<number, Rooms>();
  private readonly needed: ReadonlySet<number>;
  /** The first target of each value that the program makes. */
  private readonly targets = new Map<number, Target>();

  private readonly program: Program;

  constructor(
    program: Program,
    readonly resources: Resources,
    private readonly planControl: PlanControl,
  ) {
    this.program = byPlanes(program);
    this.needed = neededInMemory(this.program);
  }

  /** The code from inputs at these places to outputs at their targets. */
  plan(inputs: readonly Place[], targets: readonly (Target | null)[]): Planned {
    const { program } = this;
    program.inputs.forEach((value, i) => this.enter(value, inputs[i]!));
    program.outputs.forEach((value, i) => {
      if (targets[i] && !program.inputs.includes(value) && !this.targets.has(value))
        this.targets.set(value, targets[i]);
    });
    const last = lastReads(program);
    program.steps.forEach((step, i) => {
      this.step(step);
      for (const value of new Set([...step.inputs, ...step.outputs]))
        if ((last.get(value) ?? i) <= i) this.letGo(value);
    });
    this.bring(targets);
    for (const value of [...this.rooms.keys()]) this.letGo(value);
    const { emissions } = this;
    const emit = (): void => {
      for (const emission of emissions) emission();
    };
    return { emit, outputs: program.outputs.map((value) => this.places[value]!) };
  }

  /** Plans a program inside; of another function of the module, if its resources are given. */
  inner(
    program: Program,
    inputs: readonly Place[],
    targets: readonly (Target | null)[],
    resources = this.resources,
  ): Planned {
    return new Planner(program, resources, this.planControl).plan(inputs, targets);
  }

  /** Puts an input where it is needed. */
  private enter(value: number, place: Place): void {
    const isSingle = place.size === 1;
    const lanes = place.lanes ?? (isSingle ? this.vectors(place) : null);
    if (!place.lanes && lanes) this.emissions.push(() => loadElement(place.type, lanes, place.at!));
    const at = place.at ?? (this.needed.has(value) ? this.room(value, place) : null);
    if (!place.at && at) this.emissions.push(() => storeElement(place.type, lanes!, at));
    this.places[value] = { ...place, lanes, at };
  }

  private step(step: ProgramStep): void {
    const inputs = step.inputs.map((input) => this.places[input]!);
    switch (step.kind) {
      case "map":
        if (step.refuses) this.emissions.push(planRefusal(inputs[step.refuses.input]!, step.refuses, this.resources));
        if (step.nest.rows === 1) {
          const outputs = step.outputs.map((value) => this.make(value, this.needed.has(value)));
          this.emissions.push(planScalar(step, inputs, outputs, this.resources));
          this.emissions.push(() => storeSingles(outputs));
        } else {
          const outputs = step.outputs.map((value) => this.make(value, true));
          this.emissions.push(planRows(step, inputs, outputs, this.resources));
        }
        return;
      case "joined": {
        const outputs = step.outputs.map((value) => this.make(value, true));
        this.emissions.push(planJoined(step, inputs, outputs, this.resources));
        return;
      }
      case "copy":
        return this.copy(step, inputs[0]!);
      case "primitive":
        return this.primitive(step, inputs);
      case "cond":
      case "while":
      case "scan":
        this.emissions.push(this.planControl(step, inputs, this));
        return;
      default:
        return step satisfies never;
    }
  }

  private copy({ view, outputs: [value] }: CopyStep, from: Place): void {
    const output = this.make(value!, true);
    this.emissions.push(planCopy(view, bytesOf(from.type), from.at!, output.at!, this.resources));
    this.emissions.push(() => loadSingles([output]));
  }

  private primitive(step: PrimitiveStep, inputs: readonly Place[]): void {
    const { code, scratchBytes, mayFail } = routineFor(step)!;
    const outputs = step.outputs.map((value) => this.make(value, true));
    const { frame, base } = this.resources;
    const room = scratchBytes > 0 ? [{ base, offset: frame.take(scratchBytes) }] : [];
    const args = [...[...inputs, ...outputs].map(({ at }) => at!), ...room];
    this.emissions.push(() => {
      for (const address of args) pushAddress(address);
      call(code);
      if (mayFail) failIf();
    });
    for (const { offset } of room) frame.give(offset);
    this.emissions.push(() => loadSingles(outputs));
  }

  /**
   * A place for a value that a step makes: where it belongs in the end, if it may be made there. Steps write behind their elements
   * in memory, but for those that make vectors.
   */
  make(value: number, inMemory: boolean): Place {
    const own = this.program.values[value]!;
    const isSingle = own.size === 1;
    const target = this.targets.get(value);
    const suits = target?.at && (!target.isExact || (isSingle && !inMemory));
    const lanes = isSingle ? this.vectors(own) : null;
    const at = suits ? target.at : inMemory || !isSingle ? this.room(value, own) : null;
    return (this.places[value] = { ...own, lanes, at });
  }

  /** Says where a value is whose room, if it has one, is not one value's own. */
  place(value: number, place: Place, rooms: Rooms = []): void {
    this.places[value] = place;
    if (rooms.length > 0) this.rooms.set(value, rooms);
  }

  /** What is done after the steps so far. */
  also(emission: Emission): void {
    this.emissions.push(emission);
  }

  isNeeded(value: number): boolean {
    return this.needed.has(value);
  }

  vectors({ type }: Pick<ProgramValue, "type">): readonly Vector[] {
    return Array.from({ length: partsOf(type) }, () => this.resources.vector());
  }

  private room(value: number, { type, size }: ProgramValue): Address {
    const offset = this.resources.frame.take(roomBytes(type, size));
    this.rooms.set(value, [offset]);
    return { base: this.resources.base, offset };
  }

  private letGo(value: number): void {
    for (const room of this.rooms.get(value) ?? []) this.resources.frame.give(room);
    this.rooms.delete(value);
  }

  /** Brings outputs to their targets. Outputs that are inputs may lie in targets of other outputs, so their vectors are copied first. */
  private bring(targets: readonly (Target | null)[]): void {
    const { inputs, outputs } = this.program;
    const later: Emission[] = [];
    outputs.forEach((value, i) => {
      const target = targets[i];
      const place = this.places[value]!;
      if (!target) return;
      if (target.lanes) {
        const to = target.lanes;
        let from = place.lanes!;
        if (inputs.includes(value) && from !== to) {
          const held = this.vectors(place);
          const source = from;
          this.emissions.push(() => copyLanes(held, source));
          from = held;
        }
        later.push(() => copyLanes(to, from));
      }
      if (target.at && target.at !== place.at) this.emissions.push(this.moved(place, target.at));
    });
    this.emissions.push(...later);
  }

  private moved(place: Place, to: Address): Emission {
    const { type, size, lanes, at } = place;
    if (lanes) return () => storeElement(type, lanes, to);
    const view = { shape: [size], strides: [1], offset: 0 };
    return planCopy(view, bytesOf(type), at!, to, this.resources);
  }
}
