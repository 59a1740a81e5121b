/**
 * A text that is the same for programs that compute the same thing on the same sizes.
 */
import { Complex } from "../../core/complex";
import type { View } from "../../backend";
import type { Program, ProgramStep } from "../../program";

export function programText({ values, inputs, steps, outputs }: Omit<Program, "key">): string {
  const made = values.map(({ type, size }) => `${type}*${size}`).join();
  return `${made}\n${inputs.join()}\n${steps.map(stepText).join("\n")}\n${outputs.join()}`;
}

function stepText(step: ProgramStep): string {
  return `${step.kind} ${step.inputs.join()}>${step.outputs.join()} ${detailOf(step)}`;
}

function detailOf(step: ProgramStep): string {
  switch (step.kind) {
    case "map":
      return `${step.refuses ? `${step.refuses.what} ${step.refuses.input} ` : ""}${step.nest.rows} ${step.nest.operands.map(({ view }) => viewText(view)).join(" ")} ${step.nest.key}`;
    case "joined":
      return `${step.nest.rows} ${step.nest.operands.map(({ view }) => viewText(view)).join(" ")} ${step.nest.key}`;
    case "copy":
      return viewText(step.view);
    case "primitive": {
      const templates = [...step.outs, ...step.operands].map(({ type, shape }) => `${type}[${shape.join()}]`).join();
      return `${step.primitive} ${templates} ${JSON.stringify(step.attrs, plain)}`;
    }
    case "cond":
      return inner(step.branches);
    case "while":
      return inner([step.condition, step.body]);
    case "scan":
      return `${step.carried} ${step.sequences} ${step.length} ${step.reverse} ${step.settles} ${inner([step.body])}`;
    default:
      return step satisfies never;
  }
}

const inner = (programs: readonly Program[]): string => `{${programs.map(({ key }) => key).join("}{")}}`;

const viewText = ({ shape, strides, offset }: View): string => `${shape.join()}/${strides.join()}+${offset}`;

/** Numbers that JSON does not tell apart, as texts. The function of a composite follows from its name and options. */
function plain(name: string, value: unknown): unknown {
  if (name === "fn") return undefined;
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Complex) return [`${value.re}`, `${value.im}`];
  return typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0)) ? digits(value) : value;
}

const digits = (value: number): string => (Object.is(value, -0) ? "-0" : `${value}`);
