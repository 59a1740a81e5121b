/**
 * Errors of running graphs say which operation raised them and which line of the program traced it. The evaluator notes
 * the step that failed; the line is found by tracing the function once more, so that tracing itself pays nothing.
 */
import { withStack } from "../../core/entry";
import { NxError, completedAs } from "../../core/errors";
import { userFrames } from "../../core/frames";
import { failureOf, type Failure } from "../evaluator";
import type { Plan, Step } from "../plan/plan";
import { describeNode } from "../expr";
import type { Node } from "../graph";
import { typeText } from "../print";
import { recordingOrigins } from "./origin";

/** The step of another plan of the same function that stands where the failing one did. */
function sameStep(failure: Failure, plan: Plan): Step | null {
  let current: Plan | undefined = plan;
  let step: Step | undefined;
  const { path } = failure;
  for (let i = path.length - 1; i >= 0; i--) {
    const { plan: failed, index } = path[i]!;
    step = current?.steps[index];
    const inner = path[i - 1]?.plan;
    if (inner) current = step?.functions[failed.steps[index]!.functions.indexOf(inner)];
  }
  return step && textOf(step.node) === textOf(failure.step.node) ? step : null;
}

/** The operation with the types of its operands. */
function textOf(node: Node): string {
  return `${describeNode(node)}(${node.inputs.map(({ out }) => typeText(out)).join(", ")})`;
}

/** Traces again, now with stacks; a function that does not trace in the same way twice tells nothing. */
function originOf(failure: Failure, retrace: () => Plan): readonly string[] {
  try {
    const node: Node | undefined = sameStep(failure, recordingOrigins(retrace))?.node;
    return node?.origin ? userFrames(node.origin) : [];
  } catch {
    return [];
  }
}

/** An error of a running graph, with the operation and the line of the program in its message; others as they are. */
export function located(error: unknown, retrace: () => Plan): unknown {
  if (!(error instanceof NxError)) return error;
  const failure = failureOf(error);
  if (failure === undefined) return error;
  const { node } = failure.step;
  const frames = originOf(failure, retrace);
  const place = frames.length === 0 ? "" : ` ${frames[0]!.trim()}`;
  const Class = error.constructor as new (message: string, options: { readonly cause: unknown }) => NxError;
  const suffix = `; raised by ${textOf(node)}${place}`;
  const message = error.message + suffix;
  const found = completedAs(new Class(message, { cause: error }), error, suffix);
  return frames.length === 0 ? found : withStack(found, [`${found.name}: ${message}`, ...frames].join("\n"));
}
