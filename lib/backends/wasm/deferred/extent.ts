/**
 * How much work waits for a value, and what it keeps alive.
 */
import { bytesOf } from "../../../core/types";
import type { Tensor } from "../../../tensor";
import type { ArrayData } from "../../arrays/storage";
import type { Elements } from "../../arrays/storage";
import { DEFERRED_INPUTS, DEFERRED_OPS, DEFERRED_VALUES } from "../schedule/deferred";
import { Leaf, Pending, type Step } from "./node";

/** The work of a value with all pending values that it depends on. */
interface Extent {
  ops: number;
  /** Values of the kernel language. */
  values: number;
  /** Arrays that are read. */
  inputs: number;
  /** Their bytes. */
  bytes: number;
  /** Bytes that the arrays of all these values would take. */
  taken: number;
}

/** The number of the last walk over values: values that the walk has met carry it. */
let goings = 0;
export const nextMark = (): number => ++goings;

/** Arrays met while going through values: the first ones of a list whose room is kept. */
const met: (Elements | null)[] = [];
let metCount = 0;

/** The extent of a step over tensors, whose result has so many bytes. */
export function extentOf(step: Step, inputs: readonly Tensor[], own: number): Extent {
  const extent: Extent = { ops: 0, values: 0, inputs: 0, bytes: 0, taken: 0 };
  goings++;
  countStep(step, own, extent);
  for (let i = 0; i < inputs.length; i++) {
    const { data, type, size } = inputs[i]!;
    const { elements } = data as ArrayData;
    if (elements instanceof Pending) go(elements, extent);
    else if (elements !== null) countArray(elements as Elements, size * bytesOf(type), extent);
  }
  while (metCount > 0) met[--metCount] = null;
  return extent;
}

/** Whether a kernel may do so much. */
export const isWithin = ({ ops, values, inputs }: Pick<Extent, "ops" | "values" | "inputs">): boolean =>
  ops <= DEFERRED_OPS && values <= DEFERRED_VALUES && inputs <= DEFERRED_INPUTS;

function go(value: Pending, extent: Extent): void {
  if (value.mark === goings) return;
  value.mark = goings;
  if (value.result !== null) return countArray(value.result, value.size * bytesOf(value.type), extent);
  countStep(value.step, value.size * bytesOf(value.type), extent);
  const { operands } = value;
  for (let i = 0; i < operands.length; i++) {
    const operand = operands[i]!;
    if (operand instanceof Leaf) countArray(operand.result, operand.size * bytesOf(operand.type), extent);
    else go(operand, extent);
  }
}

function countStep(step: Step, bytes: number, extent: Extent): void {
  extent.ops++;
  extent.taken += bytes;
  if (step.kind === "op") extent.values += step.alone.values;
}

function countArray(array: Elements, bytes: number, extent: Extent): void {
  for (let i = 0; i < metCount; i++) if (met[i] === array) return;
  met[metCount++] = array;
  extent.inputs++;
  extent.bytes += bytes;
}
