/**
 * Reductions along any axis, searches and running reductions of a value that waits: what it is computed of one array is computed where
 * it is joined, as compiled functions do. Numbers beside the array become constants of the kernel, which is compiled where the same
 * ones come again.
 */
import type { Attrs, Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { stagesOf } from "../../../core/stages";
import { profiling, type Probe } from "../../../core/profiling";
import { bytesOf, isComplex } from "../../../core/types";
import { Recent } from "../../../kernel/generational-cache";
import { isBetterJoined } from "../../../kernel/nest";
import { Reader } from "../../../kernel/operand";
import { isHeldConstant, kernelOf, textOf, type Script, type ScriptOp, type ScriptRef } from "../../../kernel/script";
import type { Kernel } from "../../../kernel/value";
import type { Tensor } from "../../../tensor";
import { loadF64 } from "../../arrays/convert";
import type { ArrayData, ArrayType, Elements } from "../../arrays/storage";
import type { Grid } from "../../binary/fold";
import { tuning } from "../../tuning";
import { addressOf, arena } from "../memory/arena";
import { arrays } from "../arrays";
import { isCopied } from "../copy";
import { reduceTo, type Reducer } from "../reduce/grid";
import { suits, type Viewed } from "../reduce/reduce";
import { reducerFor } from "../reduce/reducers";
import { inOrder } from "../reduce/strided";
import { orElse } from "../memory/refusal";
import { JOINED_FROM } from "../schedule/reductions";
import type { Draft } from "./draft";
import { waitingOf } from "./index";
import type { Pending } from "./node";
import { profiledKernel } from "./profiled";
import { draftOf, gateOf, isWorth } from "./settle";

/** A value as a kernel of one array. */
interface OfOne {
  readonly values: readonly Pending[];
  readonly kernel: Kernel;
  readonly source: Elements;
}

/** The numbers that were constants of a structure the last time. */
const KEPT = 512;
const numbersOf = new Recent<string>(KEPT);

/** The only array that a draft reads, element by element in order; -1 where there is no such one. */
function onlyArray({ readers, root }: Draft): number {
  let found = -1;
  for (let i = 0; i < readers.length; i++) {
    const { isUniform, access, elements } = readers[i]!;
    if (isUniform) continue;
    const isWhole = access.kind === "contiguous" && access.offset === 0 && elements.length >= root.size;
    if (found >= 0 || !isWhole) return -1;
    found = i;
  }
  return found;
}

const single = new Float64Array(1);

/** A number that a draft reads, as a constant; null where the kernel language has none for it. */
function constantOf({ readers, inputs }: Draft, index: number): ScriptRef | null {
  const { elements, access } = readers[index]!;
  const { type } = inputs[index]!;
  if (isComplex(type)) return null;
  loadF64(type, elements, access.offset, single, 1);
  const value = single[0]!;
  return isHeldConstant(type, value) && !Number.isNaN(value) ? { kind: "constant", type, value } : null;
}

/** The script of a draft with its numbers as constants; null where that cannot be. */
function scriptOf(draft: Draft, array: number): Script | null {
  const { inputs, ops, root } = draft;
  const constants: ScriptRef[] = [];
  for (let i = 0; i < inputs.length; i++) {
    const ref = i === array ? ({ kind: "input", index: 0 } as const) : constantOf(draft, i);
    if (ref === null) return null;
    constants.push(ref);
  }
  const script = (ops as readonly ScriptOp[]).map((op): ScriptOp => {
    const operands = op.operands.map((ref) => (ref.kind === "input" ? constants[ref.index]! : ref));
    return { ...op, operands };
  });
  return { inputs: [inputs[array]!], ops: script, outputs: [draft.refOf(root) as ScriptRef] };
}

/** A value that nobody else needs as a kernel of one array; null where it is not one, or not worth compiling yet. */
function ofOne(root: Pending): OfOne | null {
  if (root.consumers > 0 || root.lines !== null) return null;
  const draft = draftOf(root);
  if (draft.isMove || draft.outputs().length > 0 || draft.isBetterStored(root)) return null;
  const array = onlyArray(draft);
  const script = array < 0 ? null : scriptOf(draft, array);
  if (script === null) return null;
  const plain = textOf({ ...script, ops: draft.ops as readonly ScriptOp[] });
  const text = textOf(script);
  const isAgain = numbersOf.get(plain) === text || tuning.compiledFrom === 0;
  numbersOf.set(plain, text);
  if (!isAgain || !isWorth(gateOf(`joined ${text}`), draft, root.size)) return null;
  const kernel = kernelOf(script, text);
  if (!isBetterJoined(kernel)) return null;
  draft.swallow([]);
  root.swallow();
  return { values: draft.values, kernel, source: draft.readers[array]!.elements };
}

const isLarge = ({ groups, rows, columns }: Grid): boolean =>
  rows > 1 && groups * rows * columns >= Math.min(JOINED_FROM, tuning.compiledFrom);

/** What is done with a value that waits, where it is computed; null where it had better be computed first. */
export const joinedWith = orElse(
  (
    out: Template,
    x: Tensor,
    grid: Grid,
    op: string,
    reducerOf: (kernel: Kernel) => Reducer | null,
  ): ArrayData | null => {
    const root = waitingOf(x);
    const one = root !== null && isLarge(grid) && !isComplex(x.type) ? ofOne(root) : null;
    if (one === null) return null;
    const { probe } = profiling;
    const run = () => {
      const reducer = reducerOf(one.kernel);
      return reducer && reduceTo(out.type, reducer, one.source, inOrder(grid));
    };
    const made = probe === null ? run() : joinedProfiled(probe, one, out, op, run);
    return made && arrays.hold(made);
  },
  () => null,
);

function joinedProfiled<T>(
  probe: Probe,
  { values, source }: Pick<OfOne, "values" | "source">,
  out: Template,
  does: string,
  run: () => T,
): T {
  const last = { does, lines: probe.elsewhere() };
  return profiledKernel(probe, values, source.byteLength + sizeOf(out.shape) * bytesOf(out.type), run, last);
}

/** An array in the memory of kernels: a small one, which a large value sees again and again, is copied there. */
function inMemory(elements: Elements): Elements | null {
  if (addressOf(elements) !== null) return elements;
  const copy = isCopied(elements) ? arena.create(elements.constructor as ArrayType, elements.length) : null;
  copy?.set(elements);
  return copy;
}

/** What is done with an array that a value which waits is a view of, where that lies; null where it is no such one, or has to be copied. */
export const whereItLies = orElse(
  (out: Template, x: Tensor, does: string, work: (seen: Viewed) => Elements | null): ArrayData | null => {
    const root = waitingOf(x);
    if (root === null || root.step.kind !== "move") return null;
    const draft = draftOf(root);
    const [reader] = draft.readers as [Reader];
    const isOne = draft.isMove && reader.access.kind !== "joined";
    const source = isOne && !draft.isBetterStored(root) ? inMemory(reader.elements) : null;
    if (source === null) return null;
    const { type, shape } = x;
    const { probe } = profiling;
    const run = () => work({ type, shape, reader: new Reader(source, reader.width, reader.access) });
    const { values } = draft;
    try {
      const made = probe === null ? run() : joinedProfiled(probe, { values, source }, out, does, run);
      if (made === null) return null;
      draft.swallow([]);
      root.swallow();
      return arrays.hold(made);
    } finally {
      if (source !== reader.elements) arena.giveBack(source);
    }
  },
  () => null,
);

/** A reduction of a value that waits. */
export function reduceJoined(out: Template, x: Tensor, { op, axes }: Attrs["reduceOp"]): ArrayData | null {
  if (axes.length === 0 || waitingOf(x) === null || !suits(op, x.type, out.type)) return null;
  const [stage, ...further] = stagesOf(x.shape, axes);
  if (further.length > 0) return null;
  const { before, size, after } = stage!;
  const grid = { groups: before, rows: size, columns: after };
  return joinedWith(out, x, grid, op, (kernel) => reducerFor(op, kernel, grid, out.type));
}
