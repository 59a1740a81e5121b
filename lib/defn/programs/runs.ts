/**
 * Which steps of a plan run together as programs: steps one after the other, as many as the backend takes. Decided when a plan
 * runs, since that is when its backend is known, and when it is worth it. The steps stay as they are: they are what runs where a
 * program does not.
 */
import type { Backend, Template } from "../../backend";
import { currentBackend } from "../../backends/registry";
import { STEP_ELEMENTS, tuning } from "../../backends/tuning";
import { NxError } from "../../core/errors";
import type { Program, ProgramMembers } from "../../program";
import { Tensor } from "../../tensor";
import { isControl, resultsOf } from "../graph";
import type { Plan, Step, Together } from "../plan/plan";
import { Draft, type Slots } from "./lower";
import type { Runner } from "./runner";

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

function runsFor(plan: Plan, args: readonly Tensor[]): readonly (Run | undefined)[] | null {
  if (!tuning.programs) return null;
  const { together } = plan;
  const own = args[0]?.backend ?? currentBackend();
  if (own === together.backend) return together.runs;
  const known = together.decided.get(own);
  const runs = known === undefined ? decide(plan, args, own) : known;
  if (runs === undefined) return null;
  together.runs = runs;
  together.backend = own;
  return runs;
}

/** The runs for arguments of which the first is on this backend; undefined as long as it is not worth deciding. */
function decide(plan: Plan, args: readonly Tensor[], own: Backend): Together["runs"] | undefined {
  const { together } = plan;
  const work = ++together.executions * plan.steps.length * STEP_ELEMENTS;
  if (work < tuning.compiledFrom && !plan.steps.some(({ node: { kind } }) => kind === "while" || kind === "scan")) {
    return undefined;
  }
  // what a function reads of its surroundings may be all results of a node with several
  const tensors = [...args, ...plan.bound.map(([, tensor]) => tensor)].filter((value) => value instanceof Tensor);
  const backend = tensors.find((tensor) => tensor.backend.programs)?.backend ?? own;
  const { runs } = runsOf(plan, backend);
  const found = runs.length > 0 ? runs : null;

  together.decided.set(own, found);
  return found;
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
      keep(open.close(plan.steps, i));
      open = new Open(backend, programs, i);
    }
    if (open.add(step)) return;
    keep(open.close(plan.steps, i));
    // a loop or a choice may be too large for the rest of a program, but not for one of its own
    open = new Open(backend, programs, i);
    if (isControl(step.node) && open.add(step)) return;
    refused.push(step);
    open = new Open(backend, programs, i + 1);
  });
  keep(open.close(plan.steps, plan.steps.length));
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

  close(all: readonly Step[], end: number): Run | null {
    if (!this.draft.isWorth) return null;
    const own = all.slice(this.first, end);
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

/** What a program makes; null where its steps have to run by themselves, as where an input was given back: they say what is wrong. */
function dataOf({ backend, outs, program }: Run, inputs: readonly Tensor[]): readonly unknown[] | null {
  try {
    return backend.programs!.run(outs, inputs, program);
  } catch (error) {
    if (error instanceof NxError) return null;
    throw error;
  }
}

function runTogether(run: Run, values: unknown[]): boolean {
  const { backend, made, inputs: slots, bound } = run;
  const inputs = new Array<Tensor>(slots.length + bound.length);
  for (let i = 0; i < inputs.length; i++) {
    const input = i < slots.length ? (values[slots[i]!] as Tensor) : bound[i - slots.length]!;
    if (input.backend !== backend) return false;
    inputs[i] = input;
  }
  if (inputs.length === 0 && currentBackend() !== backend) return false;
  const data = dataOf(run, inputs);
  if (!data) return false;
  let next = 0;
  for (const { slot, outs: own, isList } of made) {
    if (isList) values[slot] = own.map((out) => new Tensor(backend, data[next++], out.type, out.shape, out.names));
    else {
      const { type, shape, names } = own[0]!;
      values[slot] = new Tensor(backend, data[next++], type, shape, names);
    }
  }
  return true;
}

/** Steps of loops as programs of their own, each on the backend that it was made for. */
const alone = new WeakMap<Step, { readonly backend: Backend; readonly run: Run | null }>();

function runAlone(step: Step, inputs: readonly Tensor[]): readonly Tensor[] | null {
  const backend = inputs[0]?.backend;
  if (!tuning.programs || !backend?.programs) return null;
  let known = alone.get(step);
  if (known?.backend !== backend) alone.set(step, (known = { backend, run: aloneOf(step, backend) }));
  const values: unknown[] = [...inputs];
  return known.run && runTogether(known.run, values) ? (values[inputs.length] as readonly Tensor[]) : null;
}

/** The run of a step whose inputs are in slots of their own: what was one tensor in the beginning need not be later. */
function aloneOf({ node, reads, functions }: Step, backend: Backend): Run | null {
  const own = { slot: reads.length, reads: reads.map((_, i) => i), frees: [], releases: [], reuses: null };
  const step: Step = { node, functions, ...own };
  const open = new Open(backend, backend.programs!, 0);
  return open.add(step) ? open.close([step], 1) : null;
}

/** What runs steps as programs where the backend does. */
export const RUNNER: Runner = { runsFor, runTogether, runAlone };
