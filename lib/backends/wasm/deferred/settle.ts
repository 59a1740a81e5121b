/**
 * Computing values that wait: as one kernel with what they are computed of, or as one program by lines where reductions are among that;
 * step by step as long as neither is at hand or worth compiling.
 */
import { Recent } from "../../../kernel/generational-cache";
import { profiling } from "../../../core/profiling";
import { rowMajorStrides, sizeOf } from "../../../core/shape";
import { bytesOf, type DType } from "../../../core/types";
import { keyOf } from "../../../kernel/key";
import { Reader } from "../../../kernel/operand";
import { kernelOf, textOf, type ScriptOp, type ScriptRef } from "../../../kernel/script";
import type { Kernel } from "../../../kernel/value";
import { isRowMajor, moved as viewAfter, wholeView, type Move } from "../../../kernel/view";
import type { ReduceOp } from "../../../ops";
import type { Tensor } from "../../../tensor";
import { copyLattice, gatherLattice } from "../../arrays/copy";
import { broadcastAccess } from "../../arrays/kernels";
import { ArrayData, widthOf, type Elements } from "../../arrays/storage";
import { tuning } from "../../tuning";
import { addressOf } from "../memory/arena";
import { scratch, SLACK, VIEW, views } from "../memory/linear";
import { arrays } from "../arrays";
import { copyingBoxes } from "../copy";
import { bring, copyOut } from "../placement";
import { plain } from "../plain";
import { wasmReduceOp } from "../reduce/reduce";
import { orElse } from "../memory/refusal";
import { runLines } from "../lines/run";
import { runWarm } from "../elements/run";
import { STAGED_BYTES } from "../schedule/copies";
import { DEFERRED_GAIN, DEFERRED_GAIN_EACH } from "../schedule/deferred";
import { Draft, type DraftRef } from "./draft";
import { endsFor, sharedBy, withEnds } from "./ends";
import { Pending, type Operand } from "./node";
import { drafted, single } from "./profiled";
import { learn, Met, recipeFor, workOf, type Recipe, type Work } from "./recipes";
import { byLines, structureOf } from "./stages";

/** Computes a value that waits. */
export function settle(root: Pending): Elements {
  const { operands } = root;
  for (let i = 0; i < operands.length; i++) if (operands[i]!.result === null) return together(root);
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
  const { probe } = profiling;
  const elements = probe === null ? computed(value) : single(probe, value, computed);
  value.finish(elements);
  return elements;
}

/** What a value is, of operands that are arrays; nobody holds the array yet. */
function computed(value: Pending): Elements {
  const { step, operands, type, shape, size } = value;
  if (step.kind === "move") return seen(value, step.move);
  if (step.kind === "join") return moved(value, draftOf(value));
  if (step.kind === "fold") return folded(value, step.op);
  const elements = arrays.unset(type, shape, size);
  const readers: Reader[] = [];
  for (let i = 0; i < operands.length; i++) {
    const { result, type: from, shape: own } = operands[i]!;
    const before = i > 0 && own === operands[i - 1]!.shape ? readers[i - 1]! : null;
    readers.push(new Reader(result!, widthOf(from), before?.access ?? broadcastAccess(own, shape, size)));
  }
  runWarm(step.alone.kernel, readers, [elements], size, step.alone.key);
  return elements;
}

const reduce = orElse(wasmReduceOp, plain.reduceOp);

/** Reduces an array. */
function folded(value: Pending, op: ReduceOp): Elements {
  const { operands, type, shape, lines } = value;
  const [{ type: from }] = operands as [Operand];
  const { groups, rows } = lines!;
  const source = {
    type: from,
    shape: [groups, rows],
    data: new ArrayData(operands[0]!.result!),
  } as unknown as Tensor;
  const { elements } = reduce({ type, shape, names: [] }, [source], { op, axes: [1], keepAxes: false }) as ArrayData;
  arrays.letGoOf(elements as Elements);
  return elements as Elements;
}

/** Moves the elements of an array, which is the operand. */
function seen({ operands, type, shape }: Pending, move: Move): Elements {
  const [operand] = operands as [Operand];
  const elements = operand.result!;
  const view = viewAfter(wholeView(operand.shape), move, shape)!;
  const isSame = view.offset === 0 && sizeOf(operand.shape) === sizeOf(shape) && isRowMajor(view);
  return isSame ? elements : gatherLattice(arrays, type, shape, elements, { offset: view.offset, steps: view.strides });
}

/** Moves the elements of an array. */
function moved(value: Pending, { readers }: Draft): Elements {
  const [reader] = readers as [Reader];
  const { elements, access } = reader;
  if (access.join !== undefined) return joined(value, reader);
  const { kind, offset, walk } = access;
  const isSame = kind === "contiguous" && offset === 0 && elements.length === value.size * widthOf(value.type);
  if (isSame) return elements;
  const { type, shape, size } = value;
  const made = arrays.unset(type, shape);
  const to = addressOf(made);
  if (to !== null && addressOf(elements) !== null) bring(type, reader, 0, size, to);
  else {
    const lattice = { offset, steps: walk.strides };
    copyLattice(arrays, type, walk.shape, elements, lattice, made, { offset: 0, steps: rowMajorStrides(walk.shape) });
  }
  return made;
}

/** One array of the elements of several. */
function joined({ type, shape, size }: Pending, reader: Reader): Elements {
  const elements = arrays.unset(type, shape);
  readInto(type, elements, reader, size);
  return elements;
}

/** Reads to an array in the memory of kernels, or part by part to a room there, which is copied out. */
const readInto = orElse(
  (type: DType, elements: Elements, reader: Reader, size: number): void =>
    copyingBoxes((copyOf) => {
      if (addressOf(elements) !== null) return reader.read(elements, 0, 0, size, copyOf);
      const most = STAGED_BYTES / bytesOf(type);
      const room = scratch(Math.min(size, most) * bytesOf(type) + SLACK);
      for (let at = 0; at < size; at += most) {
        const n = Math.min(most, size - at);
        reader.read(views()[VIEW[type]], room / bytesOf(type), at, n, copyOf);
        copyOut(type, room, n, elements, at);
      }
    }),
  (_type, elements, reader, size) => reader.read(elements, 0, 0, size),
);

/** Computes a value with its pending operands: by the recipe of its structure, else by a draft. */
function together(root: Pending): Elements {
  for (;;) {
    const met = new Met(root);
    const recipe = profiling.probe === null ? recipeFor(met) : null;
    const first = recipe === null || recipe.first < 0 ? null : met.values[recipe.first]!;
    const made = recipe && first === null ? again(root, met, recipe) : null;
    met.close();
    if (made !== null) return made;
    if (first !== null) {
      settle(first);
      continue;
    }
    const draft = Draft.of(root);
    const own = new Met(root);
    if (draft instanceof Draft) return anew(root, draft, own);
    learn(own, { first: own.values.indexOf(draft), shared: [], work: null });
    settle(draft);
  }
}

/** Computes a value by its recipe; null where the recipe has no work. What was met goes on with what the kernel computes besides. */
function again(root: Pending, met: Met, { shared, work }: Recipe): Elements | null {
  const ends = endsFor(
    root,
    shared.map((place) => met.values[place]!),
  );
  if (ends.length === 0) return work && done(met, work, null);
  met.meet(ends);
  const recipe = recipeFor(met);
  if (recipe === null) return null;
  return recipe.work === null ? work && done(new Met(root), work, null) : done(met, recipe.work, null);
}

/** Computes a value by its draft, and keeps the recipe. */
function anew(root: Pending, draft: Draft, met: Met): Elements {
  if (draft.isMove) {
    const elements = moved(root, draft);
    draft.swallow([]);
    root.finish(elements);
    return elements;
  }
  if (draft.goesByLines) {
    const work = lines(root, draft, met);
    learn(met, { first: -1, shared: [], work });
    return (work && done(met, work, draft)) ?? stepwise(root, draft);
  }
  const shared = sharedBy(draft).map((value) => met.values.indexOf(value));
  const whole = withEnds(draft);
  const all = whole === draft ? met : new Met(root, whole.ends);
  const stored = [...whole.outputs(), root];
  const kernel = kernelFor(whole, stored, root.size);
  const work = kernel && workOf(all, whole, stored, { kind: "kernel", kernel, key: keyOf(kernel) });
  learn(met, { first: -1, shared, work: whole === draft ? work : null });
  if (whole !== draft) learn(all, { first: -1, shared: [], work });
  return (work && done(all, work, whole)) ?? stepwise(root, draft);
}

/** Does work over what was met; null where the host has no room for it. Drafts are for profiles. */
const done = orElse(
  (met: Met, { runs, reads, stored, places }: Work, draft: Draft | null): Elements | null => {
    const values = stored.map((place) => met.values[place]!);
    const made: Elements[] = [];
    // values that are the same elements, as reshapes are, share an array
    values.forEach(({ type, shape }, i) => (made[places[i]!] ??= arrays.unset(type, shape)));
    const readers = met.readers(reads);
    const run = (): void => {
      if (runs.kind === "lines") runLines(runs.program, readers, made);
      else runWarm(runs.kernel, readers, made, values.at(-1)!.size, runs.key);
    };
    if (draft === null) run();
    else drafted(draft, values, run);
    met.values.forEach((value, place) => {
      if (!stored.includes(place)) value.swallow();
    });
    values.forEach((value, i) => value.finish(made[places[i]!]!));
    return made[places.at(-1)!]!;
  },
  () => null,
);

/** A value and what it is computed of line by line; null where that had better be done step by step. */
function lines(root: Pending, draft: Draft, met: Met): Work | null {
  const stored = [...draft.outputs(), root];
  const refs = stored.map((value) => draft.refOf(value));
  const results = refs.filter((ref, i) => refs.findIndex((other) => isSame(other, ref)) === i);
  const structure = structureOf(draft, results);
  const size = draft.lines!.groups * draft.lines!.rows;
  if (!isWorth(gateOf(structure), draft, size)) return null;
  const { program, walks } = byLines(draft, results, structure);
  const places = refs.map((ref) => results.findIndex((other) => isSame(other, ref)));
  return workOf(met, draft, stored, { kind: "lines", program }, { walks, places });
}

const isSame = (a: DraftRef, b: DraftRef): boolean =>
  a.kind !== "constant" && b.kind !== "constant" && a.kind === b.kind && a.index === b.index;

/**
 * Computes a value after each value that it is computed of. The arrays of those that a kernel would not store are given back as soon
 * as they are read for the last time.
 */
function stepwise(root: Pending, draft: Draft): Elements {
  const stored = new Set([root, ...draft.outputs()]);
  const left = new Map<Pending, number>();
  const { probe } = profiling;
  const compute = (value: Pending): void => {
    for (const operand of value.operands) if (operand.result === null) compute(operand as Pending);
    const made = probe === null ? computed(value) : single(probe, value, computed);
    value.result = arrays.keep(made); // a reshape shares the array of its operand
    left.set(value, draft.usesOf(value));
    for (const operand of value.operands) if (operand instanceof Pending) read(operand);
  };
  const read = (operand: Pending): void => {
    const uses = left.get(operand);
    if (uses === undefined) return;
    left.set(operand, uses - 1);
    if (uses > 1 || stored.has(operand)) return;
    arrays.drop(operand.result!);
    operand.result = null;
  };
  const results = new Map<Pending, Elements>();
  try {
    compute(root);
  } finally {
    for (const value of left.keys()) {
      if (value.result !== null) results.set(value, value.result);
      value.result = null;
    }
  }
  draft.swallow([...results.keys()]);
  for (const [value, elements] of results) {
    value.finish(elements);
    arrays.drop(elements);
  }
  return results.get(root)!;
}

/** A structure of ops: its kernel, once compiling pays. */
interface Known {
  isWorth: boolean;
  kernel: Kernel | null;
  /** Elements computed op by op so far. */
  elements: number;
}

/** Kernels kept at hand, and kernels that are counted. */
const KEPT = 1024;
const known = new Recent<Known>(KEPT);

export const gateOf = (text: string): Known =>
  known.getOrMake(text, () => ({ isWorth: false, kernel: null, elements: 0 }));

/**
 * Whether compiling takes less time than it saves: each value of a kernel takes some time to compile, and each op that is not stored
 * saves some for each element.
 */
export function isWorth(one: Known, { ops, folds, weight }: Draft, size: number): boolean {
  if (one.isWorth) return true;
  one.elements += size;
  const gain = Math.min(DEFERRED_GAIN, tuning.compiledFrom * DEFERRED_GAIN_EACH);
  const saved = Math.max(1, ops.length + folds.length - 1);
  return (one.isWorth = one.elements * saved >= gain * weight);
}

/** The kernel of a draft that gives these values; null as long as it is not worth compiling. */
export function kernelFor(draft: Draft, values: readonly Pending[], size: number): Kernel | null {
  const script = {
    inputs: draft.inputs,
    ops: draft.ops as readonly ScriptOp[],
    outputs: values.map((value) => draft.refOf(value) as ScriptRef),
  };
  const text = textOf(script);
  const one = gateOf(text);
  if (!isWorth(one, draft, size)) return null;
  return (one.kernel ??= kernelOf(script, text));
}
