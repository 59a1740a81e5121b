/**
 * Facts about the values of a program before planning: the values that have to be in memory, and the last step that reads a value.
 */
import { getOrMake } from "../../../core/get-or-make";
import type { Program, ProgramStep } from "../../../program";

const known = new WeakMap<Program, ReadonlySet<number>>();

/** Values of one element that a step reads in memory; longer values are in memory anyway. */
export const neededInMemory = (program: Program): ReadonlySet<number> =>
  getOrMake(known, program, ({ steps }) => new Set(steps.flatMap(readInMemory)));

/** The inputs that a step reads in memory. A program inside stores inputs that it needs in memory itself, unless they are there. */
function readInMemory(step: ProgramStep): readonly number[] {
  switch (step.kind) {
    case "map":
      return step.nest.rows > 1 ? step.inputs : [];
    case "joined":
    case "copy":
    case "primitive":
      return step.inputs;
    case "cond":
    case "while":
    case "scan":
      return givenTo(step).filter(
        (_, i) => isSequence(step, i) || functionsOf(step).some((fn) => neededInMemory(fn).has(fn.inputs[i]!)),
      );
    default:
      return step satisfies never;
  }
}

type Control = Extract<ProgramStep, { kind: "cond" | "while" | "scan" }>;

const functionsOf = (step: Control): readonly Program[] => {
  if (step.kind === "cond") return step.branches;
  return step.kind === "while" ? [step.condition, step.body] : [step.body];
};

/** Whether an input is read entry by entry. */
const isSequence = (step: Control, i: number): boolean =>
  step.kind === "scan" && i >= step.carried && i < step.carried + step.sequences;

/** The inputs that functions are given as their own. */
const givenTo = (step: Control): readonly number[] =>
  step.kind === "cond" ? step.inputs.slice(step.branches.length - 1) : step.inputs;

/** The last step that reads a value; Infinity for outputs. The initial state of a loop may become its result. */
export function lastReads({ steps, outputs }: Program): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  for (const output of outputs) last.set(output, Infinity);
  for (let i = steps.length - 1; i >= 0; i--) {
    const step = steps[i]!;
    const carried = step.kind === "while" ? step.outputs.length : step.kind === "scan" ? step.carried : 0;
    step.inputs.forEach((input, k) => {
      const result = k < carried ? (last.get(step.outputs[k]!) ?? i) : i;
      last.set(input, Math.max(last.get(input) ?? i, result));
    });
  }
  return last;
}
