/**
 * Eager element-wise work on large tensors waits until somebody reads it, and is then done as one kernel.
 */
import type { Attrs, Template } from "../../../backend";
import { deferredInForce } from "../../default";
import { profiling } from "../../../core/profiling";
import { sizeOf, type Shape } from "../../../core/shape";
import { bytesOf } from "../../../core/types";
import { MOST_PARTS } from "../../../kernel/joined";
import { refusing } from "../../../kernel/lower/refused";
import {
  binaryKernel,
  castKernel,
  selectKernel,
  unaryKernel,
  type OpKernel,
  type Source,
} from "../../../kernel/lower/single";
import type { ElementOp } from "../../../kernel/script";
import type { Move } from "../../../kernel/view";
import type { Tensor } from "../../../tensor";
import { isLarge, TINY } from "../../arrays/memory";
import { ArrayData, elementsOf } from "../../arrays/storage";
import { addressOf } from "../arena";
import { tuning } from "../../tuning";
import { arrays } from "../arrays";
import { residentElements } from "../resident";
import { DEFERRED_ALONE, DEFERRED_BYTES } from "../schedule";
import { extentOf, isWithin } from "./extent";
import { goesBy, isOfLines } from "./lines";
import { Leaf, Pending, type Lines, type Operand, type Step, type Watcher } from "./node";
import { settle } from "./settle";
import { addWaiting, isAnythingWaiting, keepLimits, removeWaiting, settleReadersOf } from "./waiting";

const watcher: Watcher = { settle, add: addWaiting, remove: removeWaiting };

/** Whether a result of so many elements waits, if it can. */
export const mayWait = (size: number): boolean => size >= tuning.deferredFrom && deferredInForce();

/** Whether a move or a reduction of an array of so many elements waits, if it can. */
export const mayWaitAlone = (size: number): boolean => mayWait(size / DEFERRED_ALONE);

/** Whether an operand has one element for each line of a reduction that waits. */
export function readsLines(inputs: readonly Tensor[]): boolean {
  if (!isAnythingWaiting()) return false;
  for (const input of inputs) {
    const waiting = waitingOf(input);
    if (waiting !== null && isOfLines(waiting)) return true;
  }
  return false;
}

/** Whether a result waits, if it can: a large one, or what is computed for each line of a reduction that waits. */
const mayWaitFor = (size: number, inputs: readonly Tensor[]): boolean =>
  mayWait(size) || (readsLines(inputs) && deferredInForce());

const sourceOf = ({ type, shape }: Tensor): Source => ({ type, uniform: sizeOf(shape) === 1 });

export function deferUnary(out: Template, inputs: readonly Tensor[], { op }: Attrs["unary"]): ArrayData | null {
  const size = sizeOf(out.shape);
  if (!mayWaitFor(size, inputs)) return null;
  return deferOp({ kind: "unary", op }, unaryKernel(op, sourceOf(inputs[0]!), out.type), out, inputs, size);
}

export function deferBinary(out: Template, inputs: readonly Tensor[], { op }: Attrs["binary"]): ArrayData | null {
  const size = sizeOf(out.shape);
  if (!mayWaitFor(size, inputs) || refusing(op, out.type) !== null) return null;
  const keyed = binaryKernel(op, sourceOf(inputs[0]!), sourceOf(inputs[1]!), out.type);
  return deferOp({ kind: "binary", op, accepted: false }, keyed, out, inputs, size);
}

export function deferSelect(out: Template, inputs: readonly Tensor[]): ArrayData | null {
  const size = sizeOf(out.shape);
  if (!mayWaitFor(size, inputs)) return null;
  const [p, x, y] = inputs as [Tensor, Tensor, Tensor];
  const keyed = selectKernel(sourceOf(p), sourceOf(x), sourceOf(y), out.type);
  return deferOp({ kind: "select" }, keyed, out, inputs, size);
}

export function deferCast(out: Template, inputs: readonly Tensor[], { overflow }: Attrs["asType"]): ArrayData | null {
  const size = sizeOf(out.shape);
  if (!mayWaitFor(size, inputs)) return null;
  return deferOp({ kind: "asType", overflow }, castKernel(sourceOf(inputs[0]!), out.type, overflow), out, inputs, size);
}

/** Arrays larger than results by more than this are not kept for them: more than twice as large is what every second element is taken of. */
const SEEN_PART = 2.5;

/** A move of elements: of a value that waits, or of an array that is not much larger than the result, or that the result is an edge of. */
export function deferMove(move: Move, out: Template, inputs: readonly Tensor[]): ArrayData | null {
  const size = sizeOf(out.shape);
  const [x] = inputs as [Tensor];
  const own = sizeOf(x.shape);
  if (own > SEEN_PART * size) {
    if (!mayWaitAlone(own) || size >= tuning.deferredFrom || !isEdge(move, x.shape, out.shape)) return null;
    waitingOf(x)?.settle();
  } else if (waitingOf(x) === null) {
    if (move.kind === "reshape" || !(mayWaitAlone(size) || (mayWait(size) && isEdge(move, x.shape, out.shape))))
      return null;
  } else if (!mayWaitFor(size, inputs)) return null;
  return defer({ kind: "move", move }, out, inputs, size);
}

/** Whether a slice is what lies at one end of one axis. Rolls and boundaries of fields are made of edges, which are joined to what is left. */
function isEdge(move: Move, from: Shape, to: Shape): boolean {
  if (move.kind !== "slice") return false;
  const { starts, strides } = move.attrs;
  let cut = -1;
  for (let i = 0; i < to.length; i++) {
    if (strides[i] !== 1) return false;
    if (to[i] === from[i]) continue;
    if (cut >= 0 || (starts[i] !== 0 && starts[i]! + to[i]! !== from[i])) return false;
    cut = i;
  }
  return cut >= 0;
}

/** Arrays one after the other along an axis: few of them, since each is read by itself. */
export function deferJoin(out: Template, inputs: readonly Tensor[], { axis }: Attrs["concatenate"]): ArrayData | null {
  const size = sizeOf(out.shape);
  if (!mayWait(size) || inputs.length > MOST_PARTS) return null;
  if (inputs.some(({ type, shape }) => type !== out.type || sizeOf(shape) === 0)) return null;
  return defer({ kind: "join", axis }, out, inputs, size);
}

function deferOp(
  does: ElementOp,
  alone: OpKernel | null,
  out: Template,
  inputs: readonly Tensor[],
  size: number,
): ArrayData | null {
  return alone && defer({ kind: "op", does, alone }, out, inputs, size);
}

/** What the data of a tensor waits for; null where its array is there, or was released. */
export function waitingOf({ data }: Tensor): Pending | null {
  const { elements } = data as ArrayData;
  return elements instanceof Pending ? elements : null;
}

/** A step that waits; null where it cannot. What it cannot be computed together with is computed. */
export function defer(step: Step, out: Template, inputs: readonly Tensor[], size: number): ArrayData | null {
  const own = size * bytesOf(out.type);
  const isFirst = !isAnyWaiting(inputs);
  let lines = isFirst ? linesOfStep(step) : linesFor(step, inputs, size);
  if (own > DEFERRED_BYTES) return null;
  let excess = -own;
  if (isFirst) excess += bytesRead(inputs);
  else {
    let extent = extentOf(step, inputs, own);
    if (!isWithin(extent)) {
      for (const input of inputs) waitingOf(input)?.settle();
      extent = extentOf(step, inputs, own);
      lines = linesOfStep(step);
    }
    excess = extent.bytes - extent.taken;
  }
  const operands = operandsOf(inputs);
  if (operands === null) return null;
  const value = new Pending(step, operands, out.type, out.shape, lines, watcher);
  value.excess = excess;
  if (profiling.probe !== null) value.madeAt = profiling.probe.elsewhere();
  const data = new ArrayData(value);
  value.data = data;
  addWaiting(value);
  keepLimits();
  return data;
}

/** Bytes of the arrays that are read; one that is both operands counts once. */
function bytesRead(inputs: readonly Tensor[]): number {
  let bytes = 0;
  for (let i = 0; i < inputs.length; i++) {
    const { shape, type, data } = inputs[i]!;
    if (i === 0 || data !== inputs[i - 1]!.data) bytes += sizeOf(shape) * bytesOf(type);
  }
  return bytes;
}

const linesOfStep = (step: Step): Lines | null => (step.kind === "fold" ? step.lines : null);

function isAnyWaiting(inputs: readonly Tensor[]): boolean {
  for (let i = 0; i < inputs.length; i++) if (waitingOf(inputs[i]!) !== null) return true;
  return false;
}

/** The lines that a step goes by. Operands that it cannot wait with are computed: what is repeated, or needed in part only. */
function linesFor(step: Step, inputs: readonly Tensor[], size: number): Lines | null {
  let lines = linesOfStep(step);
  const from = lines === null ? size : lines.groups * lines.rows;
  for (const input of inputs) {
    const waiting = waitingOf(input);
    if (waiting === null) continue;
    if (step.kind === "join") {
      if (waiting.lines !== null) waiting.settle();
    } else if (waiting.lines === null) {
      if (step.kind === "move" ? waiting.size < from : waiting.size !== from) waiting.settle();
    } else if (goesBy(waiting, step, size, lines)) lines ??= waiting.lines;
    else if (step.kind !== "move" || waiting.size < from || isOfLines(waiting)) waiting.settle();
  }
  return lines;
}

/** What values are computed of; null where one of them cannot wait, since its bytes may go away. */
function operandsOf(inputs: readonly Tensor[]): Operand[] | null {
  const operands: Operand[] = [];
  for (const input of inputs) {
    const operand = waitingOf(input) ?? leafOf(input);
    if (operand === null) {
      for (const taken of operands) if (taken instanceof Leaf) taken.letGo();
      return null;
    }
    operands.push(operand);
  }
  return operands;
}

/** Releases the data of a tensor, once what waits for its array is computed. */
export function deallocate(tensor: Tensor, by?: "tidy"): boolean {
  const data = tensor.data as ArrayData;
  if (isAnythingWaiting() && data.elements !== null && data.elements.length !== 0) {
    settleReadersOf(data);
  }
  return arrays.release(data, by);
}

/** An array as an operand; null where its bytes may go away. Tiny arrays are copied, which takes less time than to ask; the leaf holds the copy. */
function leafOf(input: Tensor): Leaf | null {
  const elements = elementsOf(input);
  const { byteLength } = elements;
  if (byteLength <= TINY) return new Leaf(arrays.keep(elements.slice()), input.type, input.shape, null);
  const data = isLarge(byteLength) ? (input.data as ArrayData) : null;
  if (data !== null && addressOf(elements) !== null) return new Leaf(elements, input.type, input.shape, data);
  if (arrays.isForeign(elements)) return null;
  return new Leaf(residentElements(input), input.type, input.shape, data);
}
