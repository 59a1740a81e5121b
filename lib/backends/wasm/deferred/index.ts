/**
 * Eager element-wise work on large tensors waits until somebody reads it, and is then done as one kernel.
 */
import type { Template } from "../../../backend";
import { deferredInForce } from "../../default";
import { profiling } from "../../../core/profiling";
import { sizeOf, type Shape } from "../../../core/shape";
import { bytesOf } from "../../../core/types";
import { refusing } from "../../../kernel/lower/refused";
import { opKernel } from "../../../kernel/lower/single";
import type { ElementOp } from "../../../kernel/script";
import type { Move } from "../../../kernel/view";
import type { Tensor } from "../../../tensor";
import { isLarge } from "../../arrays/memory";
import { TINY } from "../../arrays/slabs";
import { ArrayData, elementsOf, type Elements } from "../../arrays/storage";
import { addressOf } from "../memory/arena";
import { tuning } from "../../tuning";
import { arrays } from "../arrays";
import { residentElements } from "../placement/resident";
import { DEFERRED_ALONE, DEFERRED_BYTES, TRANSPOSED_SOONER, VIEWED_MOST } from "../schedule/deferred";
import { extentOf, isWithin } from "./extent";
import { goesBy, isOfLines } from "./lines";
import { Leaf, Pending, type Lines, type Operand, type Step, type Watcher } from "./node";
import { settle } from "./settle";
import { addWaiting, isAnythingWaiting, keepLimits, removeWaiting, settleReadersOf } from "./waiting";

const watcher: Watcher = { settle, add: addWaiting, remove: removeWaiting };

/** Whether a result of so many elements waits, if it can. */
export const mayWait = (size: number): boolean => size >= tuning.deferredFrom && deferredInForce();

/** Whether a move but a transpose, or a reduction, of an array of so many elements waits, if it can. */
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
  (size >= tuning.deferredFrom || readsLines(inputs)) && deferredInForce();

/** An op on elements; null where it does not wait. What refuses elements looks at them first. */
export function deferOp(does: ElementOp, out: Template, inputs: readonly Tensor[], size: number): ArrayData | null {
  const { type } = out;
  if (!mayWaitFor(size, inputs) || (does.kind === "binary" && refusing(does.op, type) !== null)) return null;
  const operands = operandsOf(inputs, out, size);
  const alone = operands && opKernel(does, operands, type);
  if (alone !== null) return defer({ kind: "op", does, alone }, out, inputs, size, operands);
  return operands && letGo(operands);
}

/** A move of elements: of a value that waits, or of an array that is not much larger than the result, or that the result is an edge of. */
export function deferMove(move: Move, out: Template, inputs: readonly Tensor[]): ArrayData | null {
  const size = sizeOf(out.shape);
  const [x] = inputs as [Tensor];
  const own = sizeOf(x.shape);
  if (own > VIEWED_MOST * size) {
    if (!mayWaitAlone(own) || size >= tuning.deferredFrom || !isEdge(move, x.shape, out.shape)) return null;
    waitingOf(x)?.settle();
  } else if (waitingOf(x) === null) {
    const may = move.kind === "transpose" ? mayWait(size * TRANSPOSED_SOONER) : mayWaitAlone(size);
    if (move.kind === "reshape" || !(may || (mayWait(size) && isEdge(move, x.shape, out.shape)))) return null;
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

/** What the data of a tensor waits for; null where its array is there, or was released. */
export function waitingOf({ data }: Tensor): Pending | null {
  const { elements } = data as ArrayData;
  return elements instanceof Pending ? elements : null;
}

/**
 * A step that waits; null where it cannot. Operands that it cannot be computed together with are computed. The step takes the operands
 * over.
 */
export function defer(
  step: Step,
  out: Template,
  inputs: readonly Tensor[],
  size: number,
  operands = operandsOf(inputs, out, size),
): ArrayData | null {
  if (operands === null) return null;
  const { type, shape } = out;
  const own = size * bytesOf(type);
  if (own > DEFERRED_BYTES) return letGo(operands);
  let lines = step.kind === "fold" ? step.lines : null;
  let excess = -own;
  const bytes = bytesRead(operands);
  if (bytes === null) {
    const alone = lines;
    lines = linesFor(step, alone, operands, size);
    let extent = extentOf(step, inputs, own);
    if (!isWithin(extent)) {
      for (const operand of operands) if (isWaiting(operand)) operand.settle();
      extent = extentOf(step, inputs, own);
      lines = alone;
    }
    excess = extent.bytes - extent.taken;
    for (let i = 0; i < operands.length; i++) {
      const operand = operands[i]!;
      const there =
        operand instanceof Leaf || isWaiting(operand)
          ? operand
          : leafOf(inputs[i]!, inputs[i]!.data as ArrayData, out, size);
      if (there === null) return letGo(operands);
      operands[i] = there;
    }
  } else excess += bytes;
  const value = new Pending(step, operands, type, shape, size, lines, watcher);
  value.excess = excess;
  if (profiling.probe !== null) value.madeAt = profiling.probe.elsewhere();
  const data = new ArrayData(value);
  value.data = data;
  addWaiting(value);
  keepLimits();
  return data;
}

/** Bytes of the arrays that are read; one that is both operands counts once. Null where an operand waits. */
function bytesRead(operands: readonly Operand[]): number | null {
  let bytes = 0;
  let before: Elements | null = null;
  for (let i = 0; i < operands.length; i++) {
    const operand = operands[i]!;
    if (operand instanceof Pending) return null;
    const { result } = operand;
    if (result !== before) bytes += result.byteLength;
    before = result;
  }
  return bytes;
}

/** Whether an operand is still pending: computing another operand may have computed it. */
const isWaiting = (operand: Operand): operand is Pending => operand instanceof Pending && operand.data !== null;

/** The lines that a step goes by. Operands that it cannot wait with are computed: what is repeated, or needed in part only. */
function linesFor(step: Step, alone: Lines | null, operands: readonly Operand[], size: number): Lines | null {
  let lines = alone;
  const from = lines === null ? size : lines.groups * lines.rows;
  for (const waiting of operands) {
    if (!isWaiting(waiting)) continue;
    if (step.kind === "join") {
      if (waiting.lines !== null) waiting.settle();
    } else if (waiting.lines === null) {
      if (step.kind === "move" ? waiting.size < from : waiting.size !== from) waiting.settle();
    } else if (goesBy(waiting, step, size, lines)) lines ??= waiting.lines;
    else if (step.kind !== "move" || waiting.size < from || isOfLines(waiting)) waiting.settle();
  }
  return lines;
}

/** Operands of a pending value; null where the bytes of a tensor may go away before they are read. */
function operandsOf(inputs: readonly Tensor[], out: Template, size: number): Operand[] | null {
  const operands = new Array<Operand>(inputs.length); // a list that grows by one takes room for sixteen
  for (let i = 0; i < inputs.length; i++) {
    const input = inputs[i]!;
    const data = input.data as ArrayData;
    const { elements } = data;
    const operand = elements instanceof Pending ? elements : leafOf(input, data, out, size);
    if (operand === null) return letGo(operands.slice(0, i));
    operands[i] = operand;
  }
  return operands;
}

/** Lets go of the arrays of operands of which nothing is computed. */
function letGo(operands: readonly Operand[]): null {
  for (const operand of operands) if (operand instanceof Leaf) operand.unconsume();
  return null;
}

/** Releases the data of a tensor, once what waits for its array is computed. */
export function deallocate(tensor: Tensor, by?: "tidy"): boolean {
  const data = tensor.data as ArrayData;
  const { elements } = data;
  // nobody uses the memory of a small array again
  if (isAnythingWaiting() && elements !== null && elements.length !== 0 && arrays.isCounted(elements as Elements)) {
    settleReadersOf(data);
  }
  return arrays.release(data, by);
}

/** An array as an operand of a value of so many elements; null where its bytes may go away. Tiny arrays are copied, which takes less time than to ask; the leaf holds the copy. */
function leafOf(input: Tensor, data: ArrayData, out: Template, own: number): Leaf | null {
  const { elements: known } = data;
  const elements = known !== null && known.length > 0 ? (known as Elements) : elementsOf(input);
  const { type, shape } = input;
  const { byteLength } = elements;
  const size = shape === out.shape ? own : sizeOf(shape);
  if (byteLength <= TINY) return new Leaf(arrays.keep(elements.slice()), type, shape, null, size);
  if (addressOf(elements) !== null) return new Leaf(elements, type, shape, data, size);
  if (arrays.isForeign(elements)) return null;
  return new Leaf(residentElements(input), type, shape, isLarge(byteLength) ? data : null, size);
}
