/** Consecutive kernels over the same elements become one kernel, so that values between the two never reach memory. */
import type { NestOperand } from "../../../backend";
import { bytesOf, isComplex } from "../../../core/types";
import { Builder } from "../../../kernel/builder";
import { mapNest } from "../../../kernel/nest";
import type { KernelOutput, Value } from "../../../kernel/value";
import type { MapStep, ProgramStep, ProgramValue } from "../../../program";
import { JOINED_OPERANDS, JOINED_VALUES } from "../schedule/programs";
import { kernelOf } from "./steps";
import { isInOrder } from "./rows";

/** The steps with consecutive kernels joined; `outputs` are the values that are read after the last step. */
export function joinedMaps(
  steps: readonly ProgramStep[],
  values: readonly ProgramValue[],
  outputs: readonly number[],
): readonly ProgramStep[] {
  const groups: ProgramStep[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last && joins(step, last, values)) last.push(step);
    else groups.push([step]);
  }
  return groups.map((group) => {
    if (group.length === 1) return group[0]!;
    const own = new Set<ProgramStep>(group);
    const read = new Set([...outputs, ...steps.flatMap((step) => (own.has(step) ? [] : step.inputs))]);
    return joined(group as MapStep[], read);
  });
}

/** Whether a step is a kernel over the elements of the group, and reads results of the group element by element. */
function joins(step: ProgramStep, group: readonly ProgramStep[], values: readonly ProgramValue[]): boolean {
  const [first] = group;
  if (step.kind !== "map" || first?.kind !== "map" || step.refuses || first.refuses) return false;
  const { rows, operands } = step.nest;
  if (rows !== first.nest.rows || rows === 1) return false;
  const all = [...(group as readonly MapStep[]), step];
  const made = new Set(group.flatMap(({ outputs }) => outputs));
  const weight = all.reduce((sum, each) => sum + kernelOf(each).values.length, 0);
  const read = new Set(all.flatMap(({ inputs }) => inputs));
  if (weight > JOINED_VALUES || read.size > JOINED_OPERANDS) return false;
  // elements of fewer than 32 bits are cut where they are stored
  return step.inputs.every(
    (value, i) => !made.has(value) || (isInOrder(operands[i]!, rows) && bytesOf(values[value]!.type) >= 4),
  );
}

function joined(group: readonly MapStep[], read: ReadonlySet<number>): MapStep {
  const k = new Builder();
  const inputs: number[] = [];
  const operands: NestOperand[] = [];
  const made = new Map<number, readonly Value[]>();
  const loads = new Map<string, readonly Value[]>();
  const load = (value: number, operand: NestOperand): readonly Value[] => {
    const { type, space, view } = operand;
    const text = `${value} ${space} ${view.shape.join()}/${view.strides.join()}+${view.offset}`;
    const known = loads.get(text);
    if (known) return known;
    inputs.push(value);
    operands.push(operand);
    const input = k.input(type, space === "one");
    const parts = isComplex(type) ? [k.load(input, 0), k.load(input, 1)] : [k.load(input)];
    loads.set(text, parts);
    return parts;
  };
  const outputs: number[] = [];
  const results: KernelOutput[] = [];
  for (const step of group) {
    const kernel = kernelOf(step);
    const stored = step.inputs.map((value, i) => made.get(value) ?? load(value, step.nest.operands[i]!));
    k.inlined(kernel, stored).forEach((parts, i) => {
      const value = step.outputs[i]!;
      made.set(value, parts);
      if (!read.has(value)) return;
      outputs.push(value);
      results.push({ type: kernel.outputs[i]!.type, values: parts });
    });
  }
  return { kind: "map", nest: mapNest(k.kernel(results), operands, group[0]!.nest.rows), inputs, outputs };
}
