/**
 * Loops that compute each element of their state by itself: from the same element of the state, from constant elements, and from
 * values of one element, which alone decide the number of turns. Such an element may go through all turns before the next one.
 */
import { getOrMake } from "../../../core/get-or-make";
import type { Attrs, NestOperand } from "../../../backend";
import type { MapStep, Program, ProgramStep, WhileStep } from "../../../program";
import { isInOrder } from "./rows";
import { kernelOf, routineFor } from "./steps";

/** An operand of a kernel over all elements: a value made anew in each turn, a value of one element, or a constant stream. */
export type Read =
  | { readonly kind: "moving"; readonly value: number }
  | { readonly kind: "single"; readonly value: number }
  | { readonly kind: "stream"; readonly index: number };

/** An operand over all elements that no turn changes. */
interface Stream {
  readonly value: number;
  readonly operand: NestOperand;
}

/** A kernel over all elements. */
export interface WideStep {
  readonly step: MapStep;
  readonly reads: readonly Read[];
  /** The outputs of the step that are read. */
  readonly makes: readonly number[];
}

/** A condition on elements, which holds as long as its value is not 0 for any element, with the steps that compute the value. */
interface Asked {
  readonly steps: readonly WideStep[];
  readonly value: number;
}

export interface ElementLoop {
  /** Loop-invariant steps, and those of their results that are read. */
  readonly before: readonly ProgramStep[];
  readonly stays: readonly number[];
  /** The body without the invariant steps, with their results as further inputs. */
  readonly body: Program;
  readonly size: number;
  /** Positions of states of one element, and of longer states; states that no turn changes are left out. */
  readonly singles: readonly number[];
  readonly longs: readonly number[];
  readonly scalar: readonly MapStep[];
  readonly wide: readonly WideStep[];
  readonly streams: readonly Stream[];
  /** Values of one element that wide steps read: results of the body, and states. */
  readonly made: readonly number[];
  readonly states: readonly number[];
  /** Whether wide steps read no changing value of one element: after a turn that changes no element, no turn changes any. */
  readonly settles: boolean;
  /** The condition on elements, which stay as they are where it does not hold; null where elements have no say. */
  readonly asked: Asked | null;
}

const known = new WeakMap<WhileStep, ElementLoop | null>();

/** The element loop of a while step; null where elements depend on other elements. */
export const elementLoopOf = (step: WhileStep): ElementLoop | null =>
  getOrMake(known, step, () => new Reading(step).loop());

class Reading {
  private readonly body: Program;
  private readonly singles: readonly number[];
  private readonly longs: readonly number[];
  private readonly size: number;
  /** Values over all elements that turns make anew, and values of one element that differ from turn to turn. */
  private readonly moving: Set<number>;
  private readonly changing: Set<number>;
  private readonly streams: Stream[] = [];
  private readonly before: ProgramStep[] = [];
  private readonly rest: ProgramStep[] = [];

  constructor(private readonly step: WhileStep) {
    const { body } = step;
    const changed = step.outputs.flatMap((_, i) => (body.outputs[i] === body.inputs[i] ? [] : [i]));
    const sizeOf = (i: number): number => body.values[body.inputs[i]!]!.size;
    this.body = body;
    this.singles = changed.filter((i) => sizeOf(i) === 1);
    this.longs = changed.filter((i) => sizeOf(i) > 1);
    this.size = this.longs.length > 0 ? sizeOf(this.longs[0]!) : 0;
    this.moving = new Set(this.longs.map((i) => body.inputs[i]!));
    this.changing = new Set(this.singles.map((i) => body.inputs[i]!));
    const differs = new Set([...this.moving, ...this.changing]);
    for (const step of body.steps) {
      if (isSafe(step) && !step.inputs.some((value) => differs.has(value))) this.before.push(step);
      else {
        this.rest.push(step);
        for (const value of step.outputs) differs.add(value);
      }
    }
  }

  /** Results of invariant steps that are read. */
  private stays(): readonly number[] {
    const made = new Set(this.before.flatMap(({ outputs }) => outputs));
    const read = [...this.rest.flatMap(({ inputs }) => inputs), ...this.body.outputs];
    return [...new Set(read)].filter((value) => made.has(value));
  }

  loop(): ElementLoop | null {
    const { longs, singles, size, streams, moving, changing, before } = this;
    const { condition } = this.step;
    const stays = this.stays();
    const body = { ...this.body, inputs: [...this.body.inputs, ...stays], steps: this.rest };
    if (size === 0 || longs.some((i) => this.sizeOf(body.inputs[i]!) !== size)) return null;
    const isOfSingles = condition.steps.every((step) => isScalar(step, condition));
    const asked = isOfSingles ? null : this.asked();
    if (!isOfSingles && (!asked || singles.length > 0)) return null;
    const scalar: MapStep[] = [];
    const wide: WideStep[] = [];
    for (const step of body.steps) {
      if (step.kind !== "map" || step.refuses) return null;
      if (isScalar(step, body)) {
        scalar.push(step);
        if (step.inputs.some((value) => changing.has(value))) for (const value of step.outputs) changing.add(value);
        continue;
      }
      const reads = step.nest.rows === size ? this.readsOf(step) : null;
      if (!reads) return null;
      wide.push({ step, reads, makes: step.outputs });
      for (const value of step.outputs) moving.add(value);
    }
    if (!longs.every((i) => moving.has(body.outputs[i]!) && (!asked || this.isKept(i, wide)))) return null;
    const read = new Set(
      wide.flatMap(({ reads }) => reads.flatMap((one) => (one.kind === "single" ? [one.value] : []))),
    );
    const made = [...read].filter((value) => !body.inputs.includes(value));
    const states = singles.map((i) => body.inputs[i]!).filter((value) => read.has(value));
    const settles = ![...read].some((value) => changing.has(value));
    return { before, stays, body, size, singles, longs, scalar, wide, streams, made, states, settles, asked };
  }

  private sizeOf(value: number): number {
    return this.body.values[value]!.size;
  }

  /** The condition as a question to each element, in the values of the body and further ones. */
  private asked(): Asked | null {
    const { body, size } = this;
    const { steps, values, inputs, outputs } = this.step.condition;
    const last = steps.at(-1);
    if (last?.kind !== "primitive" || last.primitive !== "reduceOp" || last.outputs[0] !== outputs[0]) return null;
    const ids = new Map(inputs.map((value, i) => [value, body.inputs[i]!]));
    const asks: WideStep[] = [];
    for (const step of steps.slice(0, -1)) {
      if (step.kind !== "map" || step.refuses || step.nest.rows !== size) return null;
      const reads = this.readsOf({ ...step, inputs: step.inputs.map((value) => ids.get(value)!) });
      if (!reads) return null;
      const makes = step.outputs.map((value) => body.values.length + value);
      step.outputs.forEach((value, i) => ids.set(value, makes[i]!));
      for (const value of makes) this.moving.add(value);
      asks.push({ step, reads, makes });
    }
    const [value] = last.inputs;
    const isAny = (last.attrs as Attrs["reduceOp"]).op === "any" && values[value!]!.type === "u8";
    return isAny && asks.some(({ makes }) => makes.includes(ids.get(value!)!))
      ? { steps: asks, value: ids.get(value!)! }
      : null;
  }

  /** Whether a state becomes what it was, or something else, as something says of each element. */
  private isKept(place: number, wide: readonly WideStep[]): boolean {
    const { inputs, outputs } = this.body;
    return wide.some(({ step, reads }) => {
      const output = step.outputs.indexOf(outputs[place]!);
      if (output < 0) return false;
      return kernelOf(step).outputs[output]!.values.every((value, part) => {
        const [, , other] = value.args;
        if (value.op !== "select" || other?.op !== "load" || other.part !== part) return false;
        const read = reads[other.input]!;
        return read.kind === "moving" && read.value === inputs[place];
      });
    });
  }

  private readsOf({ inputs, nest }: MapStep): readonly Read[] | null {
    const reads = inputs.map((value, i) => this.readOf(value, nest.operands[i]!));
    return reads.every((read) => read !== null) ? reads : null;
  }

  private readOf(value: number, operand: NestOperand): Read | null {
    if (this.moving.has(value)) return isInOrder(operand, this.size) ? { kind: "moving", value } : null;
    if (this.sizeOf(value) === 1) return { kind: "single", value };
    return { kind: "stream", index: this.streams.push({ value, operand }) - 1 };
  }
}

/** Whether a step may be done before a loop, which then may take no turn at all. */
function isSafe(step: ProgramStep): boolean {
  if (step.kind === "map") return !step.refuses;
  return step.kind === "copy" || (step.kind === "primitive" && !routineFor(step)!.mayFail);
}

/** Whether a step is a kernel over one element that refuses nothing. */
function isScalar(step: ProgramStep, { values }: Program): boolean {
  if (step.kind !== "map" || step.refuses || step.nest.rows !== 1) return false;
  return step.inputs.every((value) => values[value]!.size === 1);
}
