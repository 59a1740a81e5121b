/**
 * Which steps of a plan run together as programs: steps one after the other, as many as the backend takes. Decided when a plan
 * runs, since that is when its backend is known, and when it is worth it. The steps stay as they are: they are what runs where a
 * program does not.
 */
import type { Backend, Template } from "../../backend";
import { currentBackend } from "../../backends/registry";
import { tuning } from "../../backends/tuning";
import type { Program, ProgramMembers } from "../../program";
import { Tensor } from "../../tensor";
import { resultsOf } from "../graph";
import type { Plan, Step } from "../plan/plan";
import { Draft, type Slots } from "./lower";

/** A slot that steps after a program read, or which is a result of the plan. */
interface Made {
  readonly slot: number;
  readonly outs: readonly Template[];
  /** Whether the slot holds all results of a node with several. */
  readonly isList: boolean;
}

/** Steps that run as a program. */
export interface Run {
  readonly backend: Backend;
  /** The first step, and the one after the last. */
  readonly first: number;
  readonly end: number;
  readonly program: Program;
  /** The slots of the first inputs; tensors that functions inside have bound are the others. */
  readonly inputs: readonly number[];
  readonly bound: readonly Tensor[];
  readonly made: readonly Made[];
  readonly outs: readonly Template[];
  /** Steps that show an input in another shape to steps after the program: these share memory with it. */
  readonly aliases: readonly Step[];
}

/**
 * Elements that a step counts for, in the sense of `tuning.compiledFrom`, when it runs by itself. A loop is a program from its first
 * turn on.
 */
const STEP_ELEMENTS = 64;

/** The runs of a plan, each at the place of its first step; null where there are none, or none yet. */
export function runsFor(plan: Plan, args: readonly Tensor[]): readonly (Run | undefined)[] | null {
  const { together } = plan;
  const own = args[0]?.backend;
  if (!tuning.programs) return null;
  if (together.backend !== null && (own === undefined || own === together.backend)) return together.runs;
  const work = ++together.executions * plan.steps.length * STEP_ELEMENTS;
  if (work < tuning.compiledFrom && !plan.steps.some(({ node: { kind } }) => kind === "while" || kind === "scan")) {
    return null;
  }
  // what a function reads of its surroundings may be all results of a node with several
  const tensors = [...args, ...plan.bound.map(([, tensor]) => tensor)].filter((value) => value instanceof Tensor);
  const backend = tensors.find((tensor) => tensor.backend.programs)?.backend ?? own ?? currentBackend();
  const { runs } = runsOf(plan, backend);
  together.runs = runs.length > 0 ? runs : null;
  together.backend = backend;
  return together.runs;
}

/** The runs of a plan on a backend, each at the place of its first step, and the steps that no program can have. */
export function runsOf(
  plan: Plan,
  backend: Backend,
): { readonly runs: readonly (Run | undefined)[]; readonly refused: readonly Step[] } {
  const { programs } = backend;
  const runs: (Run | undefined)[] = [];
  const refused: Step[] = [];
  if (!programs) return { runs, refused };
  const keep = (run: Run | null): void => {
    if (run) runs[run.first] = run;
  };
  let open = new Open(backend, programs, 0);
  plan.steps.forEach((step, i) => {
    if (open.isFull) {
      keep(open.close(plan, i));
      open = new Open(backend, programs, i);
    }
    if (open.add(step)) return;
    refused.push(step);
    keep(open.close(plan, i));
    open = new Open(backend, programs, i + 1);
  });
  keep(open.close(plan, plan.steps.length));
  return { runs, refused };
}

/** A run that takes one step after the other. */
class Open {
  private readonly draft: Draft;
  private readonly slots: Slots = new Map();
  /** Slots that are read and were made before. */
  private readonly inputs: number[] = [];

  constructor(
    private readonly backend: Backend,
    members: ProgramMembers,
    readonly first: number,
  ) {
    this.draft = new Draft(members);
  }

  get isFull(): boolean {
    return this.draft.isFull;
  }

  /** Adds a step; returns whether programs can have it. */
  add(step: Step): boolean {
    const mark = this.draft.mark();
    const known = this.inputs.length;
    step.reads.forEach((slot, i) => {
      if (this.slots.has(slot)) return;
      this.slots.set(slot, [this.draft.value(step.node.inputs[i]!.out)]);
      this.inputs.push(slot);
    });
    const isOutside = step.node.kind === "element" && this.inputs.length > known;
    if (!isOutside && this.draft.add(step, this.slots)) return true;
    for (const slot of this.inputs.splice(known)) this.slots.delete(slot);
    this.draft.back(mark);
    return false;
  }

  close(plan: Plan, end: number): Run | null {
    const { steps, controls } = this.draft.extent;
    if (steps < 2 && !controls) return null;
    const own = plan.steps.slice(this.first, end);
    const inputs = this.inputs.map((slot) => this.slots.get(slot)![0]!);
    const freed = new Set(own.flatMap(({ frees }) => frees));
    const left = own.filter(({ slot }) => !freed.has(slot));
    const isInput = ({ slot }: Step): boolean => inputs.includes(this.slots.get(slot)![0]!);
    const made = left.filter((step) => !isInput(step)).map(madeBy);
    const outs = made.flatMap((slot) => slot.outs);
    const program = this.draft.finish(
      inputs,
      made.flatMap(({ slot }) => this.slots.get(slot)!),
    );
    return {
      ...{ backend: this.backend, first: this.first, end, program, made, outs },
      inputs: this.inputs,
      bound: this.draft.boundTensors,
      aliases: needed(own, left.filter(isInput)),
    };
  }
}

function madeBy({ slot, node }: Step): Made {
  const results = resultsOf(node);
  return { slot, outs: results ?? [node.out], isList: results !== null };
}

/** The steps that some of them need, in their order. */
function needed(steps: readonly Step[], wanted: readonly Step[]): readonly Step[] {
  const slots = new Set(wanted.flatMap(({ slot, reads }) => [slot, ...reads]));
  for (const { slot, reads } of [...steps].reverse()) if (slots.has(slot)) for (const read of reads) slots.add(read);
  return wanted.length === 0 ? [] : steps.filter(({ slot }) => slots.has(slot));
}

/** Runs steps as a program and puts what they make into the slots; false where they have to run by themselves. */
export function runTogether(run: Run, values: unknown[]): boolean {
  const { backend, program, made, outs } = run;
  const inputs = [...run.inputs.map((slot) => values[slot] as Tensor), ...run.bound];
  for (const input of inputs) if (input.backend !== backend) return false;
  const data = backend.programs!.run(outs, inputs, program);
  if (!data) return false;
  let next = 0;
  for (const { slot, outs: own, isList } of made) {
    const tensors = own.map(({ type, shape, names }) => new Tensor(backend, data[next++], type, shape, names));
    values[slot] = isList ? tensors : tensors[0];
  }
  return true;
}
