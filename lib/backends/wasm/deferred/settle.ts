/**
 * Computing values that wait: as one kernel with what they are computed of, where that is at hand or worth compiling, else step by step.
 */
import { Recent } from "../../../kernel/generational-cache";
import { keyOf } from "../../../kernel/key";
import { Reader } from "../../../kernel/operand";
import { kernelOf, textOf, type ScriptRef } from "../../../kernel/script";
import type { Kernel } from "../../../kernel/value";
import { gatherLattice } from "../../arrays/copy";
import { broadcastAccess } from "../../arrays/kernels";
import { widthOf, type Elements } from "../../arrays/storage";
import { tuning } from "../../tuning";
import { arrays } from "../arrays";
import { runWarm } from "../run";
import { DEFERRED_GAIN, DEFERRED_GAIN_EACH } from "../schedule";
import { Draft } from "./draft";
import type { Pending } from "./node";
import { arrayOf } from "./node";

/** Computes a value that waits. */
export function settle(root: Pending): Elements {
  const { operands } = root;
  for (let i = 0; i < operands.length; i++) if (arrayOf(operands[i]!) === null) return together(root, draftOf(root));
  return alone(root);
}

/** The draft of a value, once what has to be computed before is. */
export function draftOf(root: Pending): Draft {
  for (;;) {
    const draft = Draft.of(root);
    if (draft instanceof Draft) return draft;
    settle(draft);
  }
}

/** Computes a value whose operands are arrays. */
function alone(value: Pending): Elements {
  const { step, operands, type, shape } = value;
  if (step.kind === "move") return moved(value, draftOf(value));
  const elements = arrays.unset(type, shape);
  const readers: Reader[] = [];
  for (let i = 0; i < operands.length; i++) {
    const operand = operands[i]!;
    readers.push(new Reader(arrayOf(operand)!, widthOf(operand.type), broadcastAccess(operand.shape, shape)));
  }
  runWarm(step.alone.kernel, readers, [elements], value.size, step.alone.key);
  value.finish(elements);
  return elements;
}

/** Moves the elements of an array. */
function moved(value: Pending, { readers }: Draft): Elements {
  const { elements, access } = readers[0]!;
  const { kind, offset, walk } = access;
  const isSame = kind === "contiguous" && offset === 0 && elements.length === value.size * widthOf(value.type);
  const lattice = { offset, steps: walk.strides };
  const made = isSame ? elements : gatherLattice(arrays, value.type, walk.shape, elements, lattice);
  value.finish(made);
  return made;
}

function together(root: Pending, draft: Draft): Elements {
  if (draft.isMove) return moved(root, draft);
  const stored = draft.outputs();
  const kernel = kernelFor(draft, [...stored, root], root.size);
  if (kernel === null) return stepwise(root);
  const all = [...stored, root];
  const results = all.map(({ type, shape }) => arrays.unset(type, shape));
  runWarm(kernel, draft.readers, results, root.size, keyOf(kernel));
  draft.swallow(stored);
  all.forEach((value, i) => value.finish(results[i]!));
  return results.at(-1)!;
}

/** Computes a value after each value that it is computed of. */
function stepwise(root: Pending): Elements {
  for (const operand of root.operands) if (arrayOf(operand) === null) stepwise(operand as Pending);
  return alone(root);
}

/** A kernel as far as it is known: it is built once it is worth it. */
interface Known {
  kernel: Kernel | null;
  /** Elements that it would have computed so far. */
  elements: number;
}

/** Kernels kept at hand, and kernels that are counted. */
const KEPT = 1024;
const known = new Recent<Known>(KEPT);

/**
 * The kernel of a draft that gives these values; null as long as compiling it would take longer than it saves: each value of a kernel
 * takes some time to compile, and each op that is not stored saves some for each element.
 */
export function kernelFor(draft: Draft, values: readonly Pending[], size: number): Kernel | null {
  const script = {
    inputs: draft.inputs,
    ops: draft.ops,
    outputs: values.map((value): ScriptRef => draft.refOf(value)),
  };
  const text = textOf(script);
  let one = known.get(text);
  if (one === undefined) known.set(text, (one = { kernel: null, elements: 0 }));
  if (one.kernel !== null) return one.kernel;
  one.elements += size;
  const gain = Math.min(DEFERRED_GAIN, tuning.compiledFrom * DEFERRED_GAIN_EACH);
  if (one.elements * Math.max(1, draft.ops.length - 1) < gain * draft.weight) return null;
  return (one.kernel = kernelOf(script, text));
}
