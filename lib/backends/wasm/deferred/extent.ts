/**
 * How much work waits for a value, and what it keeps alive.
 */
import { sizeOf } from "../../../core/shape";
import { bytesOf } from "../../../core/types";
import type { Tensor } from "../../../tensor";
import type { ArrayData } from "../../arrays/storage";
import type { Elements } from "../../arrays/storage";
import { DEFERRED_INPUTS, DEFERRED_OPS, DEFERRED_VALUES } from "../schedule";
import { Leaf, Pending, type Step } from "./node";

/** What is done for a value, all values that it is computed of included. */
interface Extent {
  ops: number;
  /** Values of the kernel language. */
  values: number;
  /** Arrays that are read. */
  inputs: number;
  /** Their bytes. */
  bytes: number;
  /** Bytes that the arrays of what is done would take. */
  taken: number;
}

/** A number for each going through values, by which it knows those that it has met. */
let goings = 0;
export const nextMark = (): number => ++goings;

/** Arrays met while going through values. */
const met: Elements[] = [];

/** The extent of a step over tensors, whose result has so many bytes. */
export function extentOf(step: Step, inputs: readonly Tensor[], own: number): Extent {
  const extent: Extent = { ops: 0, values: 0, inputs: 0, bytes: 0, taken: 0 };
  goings++;
  met.length = 0;
  countStep(step, own, extent);
  for (const { data, type, shape } of inputs) {
    const { elements } = data as ArrayData;
    if (elements instanceof Pending) go(elements, extent);
    else if (elements !== null) countArray(elements as Elements, sizeOf(shape) * bytesOf(type), extent);
  }
  met.length = 0;
  return extent;
}

/** Whether a kernel may do so much. */
export const isWithin = ({ ops, values, inputs }: Extent): boolean =>
  ops <= DEFERRED_OPS && values <= DEFERRED_VALUES && inputs <= DEFERRED_INPUTS;

function go(value: Pending, extent: Extent): void {
  if (value.mark === goings) return;
  value.mark = goings;
  if (value.result !== null) return countArray(value.result, value.size * bytesOf(value.type), extent);
  countStep(value.step, value.size * bytesOf(value.type), extent);
  for (const operand of value.operands) {
    if (operand instanceof Leaf) {
      countArray(operand.result, sizeOf(operand.shape) * bytesOf(operand.type), extent);
    } else go(operand, extent);
  }
}

function countStep(step: Step, bytes: number, extent: Extent): void {
  extent.ops++;
  extent.taken += bytes;
  if (step.kind === "op") extent.values += step.alone.values;
}

function countArray(array: Elements, bytes: number, extent: Extent): void {
  if (met.includes(array)) return;
  met.push(array);
  extent.inputs++;
  extent.bytes += bytes;
}
