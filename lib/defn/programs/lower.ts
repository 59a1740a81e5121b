/**
 * From planned steps to programs: what each step reads and makes becomes values with numbers, and the functions of control flow
 * become programs inside. Nodes that only change a shape are no steps.
 */
import { getOrMake } from "../../core/get-or-make";
import type { Attrs, MultiResultAttrs, Nest, Primitive, MultiResultPrimitive, Template } from "../../backend";
import { sizeOf } from "../../core/shape";
import type {
  Program,
  ProgramMembers,
  ProgramStep,
  ProgramValue,
  ResultSizes,
  ScanStep,
  WhileStep,
} from "../../program";
import type { Tensor } from "../../tensor";
import { wholeView } from "../../kernel/view";
import { functionsOf, isControl, isLeaf, type Graph, type Node } from "../graph";
import type { Plan, Step } from "../plan/plan";
import { addNest, type Adding } from "./nests";
import { elementNest, viewThrough } from "./steps";
import { programText } from "./text";

/** The values of each slot: one, or those of a node with several results. */
export type Slots = Map<number, readonly number[]>;

type Control = Extract<Node, { kind: "cond" | "while" | "scan" }>;
type Primitives = Exclude<Step["node"], Control | { kind: "fused" | "element" | "hook" | "runtimeCall" }>;

/** What was made so far, for going back to it. */
interface Mark {
  readonly values: number;
  readonly steps: number;
  readonly weight: number;
}

/**
 * What a program weighs at most: about the values of the kernel language in it. Each takes some microseconds to emit and compile, so
 * the first call of a large function takes some ten milliseconds more.
 */
export const MAX_WEIGHT = 10_000;
/** What a step weighs besides its kernel, and a primitive. */
const STEP_WEIGHT = 10;
const PRIMITIVE_WEIGHT = 100;

/** What a step weighs, without the programs inside of it. */
function weightOf(step: New): number {
  if (step.kind === "primitive") return PRIMITIVE_WEIGHT;
  const stage = step.kind === "map" || step.kind === "joined" ? step.nest.stages.at(-1) : undefined;
  return STEP_WEIGHT + (stage?.kind === "map" ? stage.kernel.values.length : 0);
}

type New = Parameters<Adding["step"]>[0];

/** Elements up to which a kernel that reads several tensors as one is a program of its own; above, threads share it. */
const JOINED_ALONE = 32_768;

function isWorthAlone(step: ProgramStep): boolean {
  if (step.kind === "joined") return step.nest.rows <= JOINED_ALONE;
  return step.kind === "cond" || step.kind === "while" || step.kind === "scan";
}

/** A program in the making. */
export class Draft {
  private readonly values: ProgramValue[] = [];
  private readonly steps: ProgramStep[] = [];
  /** Tensors that functions inside have bound, which are inputs of all programs around. */
  private readonly bound = new Map<Tensor, number>();
  private weight = 0;

  constructor(
    private readonly members: ProgramMembers,
    private readonly sizes: ResultSizes = "small",
  ) {}

  /** A new value; nothing makes it yet. */
  value({ type, shape }: Pick<Template, "type" | "shape">): number {
    return this.values.push({ type, size: sizeOf(shape) }) - 1;
  }

  get boundTensors(): readonly Tensor[] {
    return [...this.bound.keys()];
  }

  mark(): Mark {
    return { values: this.values.length, steps: this.steps.length, weight: this.weight };
  }

  /** Forgets what was made since; values that tensors are bound to stay. */
  back({ values, steps, weight }: Mark): void {
    this.steps.length = steps;
    this.weight = weight;
    if (![...this.bound.values()].some((value) => value >= values)) this.values.length = values;
  }

  /** Whether there should be no further steps. */
  get isFull(): boolean {
    return this.weight > MAX_WEIGHT;
  }

  /** Whether a program of the steps takes less time than they take by themselves: several, a loop, a choice, a few elements that are joined. */
  get isWorth(): boolean {
    return this.steps.length > 1 || this.steps.some(isWorthAlone);
  }

  /** The program of what the outputs need; its inputs are the given ones, then the bound tensors in their order. */
  finish(inputs: readonly number[], outputs: readonly number[], bound = this.boundTensors): Program {
    const all = [...inputs, ...bound.map((tensor) => this.boundTo(tensor))];
    const needed = new Set(outputs);
    const steps = this.steps.filter(() => true);
    for (let i = steps.length - 1; i >= 0; i--) {
      const step = steps[i]!;
      if (step.outputs.some((output) => needed.has(output))) for (const input of step.inputs) needed.add(input);
      else steps.splice(i, 1);
    }
    const program = { values: this.values, inputs: all, steps, outputs };
    return { ...program, key: programText(program) };
  }

  /** Adds a step whose inputs have values; returns whether programs can have it. */
  add(step: Step, slots: Slots): boolean {
    const { node } = step;
    const reads = step.reads.map((slot) => slots.get(slot)!);
    switch (node.kind) {
      case "hook":
      case "runtimeCall":
        return false;
      case "element":
        if (isLeaf(node.inputs[0]!)) return false; // all results of a node of the surroundings
        slots.set(step.slot, [reads[0]![node.attrs.index]!]);
        return true;
      case "reshape":
        slots.set(step.slot, reads[0]!);
        return true;
      default: {
        const made = this.madeBy(
          step,
          reads.map(([value]) => value!),
        );
        if (made) slots.set(step.slot, made);
        return made !== null;
      }
    }
  }

  /** The values that a step makes of the inputs; null where it cannot. */
  private madeBy(step: Step, inputs: readonly number[]): readonly number[] | null {
    const { node } = step;
    if (isControl(node)) {
      const before = this.mark();
      const made = this.control(node, step.functions, inputs, this.sizesIn(node));
      if (made || node.kind !== "while" || this.sizes === "any") return made;
      this.back(before);
      return this.control(node, step.functions, inputs, "any");
    }
    if (node.kind === "fused") {
      const { nest } = node.attrs;
      const { kind } = nest;
      if (kind === "map") return this.step({ kind, nest, inputs }, node.outs);
      const made = kind === "joined" ? this.step({ kind, nest, inputs }, node.outs) : this.nest(nest, inputs);
      return made ?? this.inside(step.functions[0]!, inputs);
    }
    return this.primitive(node as Primitives, step, inputs);
  }

  private nest(nest: Nest, inputs: readonly number[]): readonly number[] | null {
    const before = this.mark();
    const made = addNest(nest, inputs, { values: this.values, step: (step, outs) => this.step(step, outs) });
    if (!made) this.back(before);
    return made;
  }

  private primitive(node: Primitives, step: Step, inputs: readonly number[]): readonly number[] | null {
    const element = elementNest(node);
    if (element) {
      const { reads, ...map } = element;
      return this.step({ kind: "map", ...map, inputs: reads.map((i) => inputs[i]!) }, [node.out]);
    }
    const view = viewThrough(node);
    if (view) return this.step({ kind: "copy", view, inputs }, [node.out]);
    const outs = "outs" in node ? node.outs : [node.out];
    const primitive = node.kind as Primitive | MultiResultPrimitive;
    const attrs = node.attrs as (Attrs & MultiResultAttrs)[typeof primitive];
    // what a function reads of its surroundings is no operand
    const own = node.inputs.length - (step.functions[0]?.free ?? 0);
    const operands = node.inputs.slice(0, own).map(({ out }) => out);
    const made = this.step({ kind: "primitive", primitive, attrs, outs, operands, inputs: inputs.slice(0, own) }, outs);
    return made ?? (node.kind === "block" ? this.inside(step.functions[0]!, inputs) : null);
  }

  private step(step: New, outs: readonly Pick<Template, "type" | "shape">[]): readonly number[] | null {
    const before = this.mark();
    const outputs = outs.map((out) => this.value(out));
    const whole = { ...step, outputs } as Extract<ProgramStep, { kind: "map" | "joined" | "copy" | "primitive" }>;
    if (this.members.takes(whole, this.values, this.sizes)) {
      this.weight += weightOf(step);
      this.steps.push(whole);
      return outputs;
    }
    this.back(before);
    return null;
  }

  /** The steps of a function in the place of a step. */
  private inside(plan: Plan, inputs: readonly number[]): readonly number[] | null {
    const slots = this.slotsOf(plan, inputs);
    if (!this.addAll(plan, slots)) return null;
    return plan.outputs.map((slot) => slots.get(slot)![0]!);
  }

  private slotsOf(plan: Plan, inputs: readonly number[]): Slots {
    const slots: Slots = new Map(plan.parameters.map((slot, i) => [slot, [inputs[i]!]]));
    for (const [slot, tensor] of plan.bound) slots.set(slot, [this.boundTo(tensor)]);
    return slots;
  }

  private addAll(plan: Plan, slots: Slots): boolean {
    return plan.steps.every((step) => this.add(step, slots));
  }

  private boundTo(tensor: Tensor): number {
    return getOrMake(this.bound, tensor, () => this.value(tensor));
  }

  /** What results the functions of a choice may have, or those of a loop. */
  private sizesIn({ kind }: Control): ResultSizes {
    if (kind !== "cond") return "light";
    return this.sizes === "any" ? "small" : this.sizes;
  }

  private control(
    node: Control,
    plans: readonly Plan[],
    own: readonly number[],
    sizes: ResultSizes,
  ): readonly number[] | null {
    const drafts: ((bound: readonly Tensor[]) => Program)[] = [];
    const bound = new Set<Tensor>();
    for (const [i, graph] of functionsOf(node).entries()) {
      const draft = new Draft(this.members, sizes);
      const finish = draft.function(graph, plans[i]!);
      if (!finish) return null;
      this.weight += draft.weight;
      for (const tensor of draft.boundTensors) bound.add(tensor);
      drafts.push(finish);
    }
    if (this.isFull) return null;
    const functions = drafts.map((finish) => finish([...bound]));
    if (sizes !== "any" && !functions.every((fn) => this.passesOn(fn, node.kind !== "cond"))) return null;
    const inputs = [...own, ...[...bound].map((tensor) => this.boundTo(tensor))];
    const outputs = node.outs.map((out) => this.value(out));
    const step = controlStep(node, functions, inputs, outputs);
    if (sizes === "any" && !this.members.takesLoop(step as WhileStep)) return null;
    this.steps.push(step);
    return outputs;
  }

  /**
   * Whether programs can have what a function gives back of what it is given: that is copied, where single steps share it, unless
   * it is the state of a loop that stays as it is.
   */
  private passesOn({ inputs, outputs, values }: Program, isLoop: boolean): boolean {
    const moved = outputs.filter((value, i) => inputs.includes(value) && !(isLoop && inputs[i] === value));
    return moved.every((value) => {
      const view = wholeView([values[value]!.size]);
      return this.members.takes({ kind: "copy", view, inputs: [value], outputs: [value] }, values, "small");
    });
  }

  /** The maker of a function's program, which takes the tensors bound to the functions of the step. */
  private function(graph: Graph, plan: Plan): ((bound: readonly Tensor[]) => Program) | null {
    const inputs = graph.parameters.map(({ out }) => this.value(out));
    const slots = this.slotsOf(plan, inputs);
    if (!this.addAll(plan, slots)) return null;
    const outputs = plan.outputs.map((slot) => slots.get(slot)![0]!);
    return (bound) => this.finish(inputs, outputs, bound);
  }
}

function controlStep(
  node: Control,
  functions: readonly Program[],
  inputs: readonly number[],
  outputs: readonly number[],
): ProgramStep {
  switch (node.kind) {
    case "cond":
      return { kind: "cond", branches: functions, inputs, outputs };
    case "while":
      return { kind: "while", condition: functions[0]!, body: functions[1]!, inputs, outputs };
    case "scan": {
      const { carried, length, reverse, settles } = node.attrs;
      const sequences = node.inputs.length - carried - functionsOf(node)[0]!.free;
      const step: ScanStep = {
        ...{ kind: "scan", body: functions[0]!, inputs, outputs },
        ...{ carried, sequences, length, reverse, settles },
      };
      return step;
    }
    default:
      return node satisfies never;
  }
}
