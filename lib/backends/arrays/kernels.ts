/**
 * Kernels over tensors: how operands lie becomes readers, outputs are allocated, an executor does the work. Shared by all
 * backends whose tensors are ordinary arrays.
 */
import type { DataMembers, Nest, Template } from "../../backend";
import { sizeOf, type Shape } from "../../core/shape";
import type { interpret } from "../../kernel/interpret/run";
import { Recent } from "../../kernel/generational-cache";
import { keyOf } from "../../kernel/key";
import { accessOf, Reader, reading, type Access } from "../../kernel/operand";
import type { Kernel } from "../../kernel/value";
import type { Tensor } from "../../tensor";
import { broadcastStrides } from "./blocks";
import type { ArrayMemory } from "./memory";
import { elementsOf, widthOf, type ArrayData, type Elements } from "./storage";

/** Runs a kernel over a whole space: the TypeScript executor, or one that gives the same bits. */
type Executor = typeof interpret;

/** Shapes whose walks are kept at hand. */
const KEPT = 1024;

/** How operands are walked, by what makes walks different: plans are kept for these very objects. */
const walked = new Recent<Access>(KEPT);

/** How an operand of a shape is walked that is broadcast to another one: sizes tell where all elements are read in their order, or one for all. */
export function broadcastAccess(from: Shape, to: Shape, size = sizeOf(to)): Access {
  const own = from === to ? size : sizeOf(from);
  if (own === size) return walked.getOrMake(`${size}`, () => accessOf([size], [1], 0));
  if (own === 1) return walked.getOrMake(`1>${size}`, () => accessOf([size], [0], 0));
  return walked.getOrMake(`${from.join()}>${to.join()}`, () => accessOf(to, broadcastStrides(from, to), 0));
}

/** A reader of an operand broadcast to a shape. */
export const broadcastReader = (tensor: Tensor, shape: Shape, read = elementsOf): Reader =>
  new Reader(read(tensor), widthOf(tensor.type), broadcastAccess(tensor.shape, shape));

/** How an input of a kernel is read: the tensors, several where they are read as one. */
export interface Read {
  readonly from: readonly number[];
  readonly access: Access;
}

/** How a value of a nest that is joined of operands is read; null in programs without functions that join tensors. */
export const joins: { read: ((nest: Nest, value: number) => Read) | null } = { read: null };

/** A nest of one kernel as it is run: the same for every call of a compiled function. */
interface Prepared {
  readonly kernel: Kernel;
  readonly key: string;
  readonly reads: readonly Read[];
}

const prepared = new WeakMap<Nest, Prepared>();

/** How a nest of one kernel is run; null for other nests. */
export function preparedOf(nest: Nest): Prepared | null {
  const cached = prepared.get(nest);
  if (cached) return cached;
  const { kind, stages, operands } = nest;
  const map = stages.at(-1);
  const { read } = joins;
  if ((kind !== "map" && (kind !== "joined" || read === null)) || map?.kind !== "map") return null;
  const reads = map.inputs.map((value): Read => {
    const operand = operands[value];
    if (!operand) return read!(nest, value);
    const { shape, strides, offset } = operand.view;
    return { from: [value], access: accessOf(shape, strides, offset) };
  });
  const fresh = { kernel: map.kernel, key: keyOf(map.kernel), reads };
  prepared.set(nest, fresh);
  return fresh;
}

/** The array of a tensor that is not used again, for a result; null where other tensors have it too. */
function takenFrom(memory: ArrayMemory, input: Tensor, out: Template): Elements | null {
  const elements = elementsOf(input);
  const data = input.data as ArrayData;
  const fits = data.pins === 0 && input.type === out.type && elements.length === sizeOf(out.shape) * widthOf(out.type);
  if (!fits || !memory.handOver(elements)) return null;
  data.elements = null;
  return elements;
}

/** The member of a backend that runs nests of one kernel, joins of its inputs included, with an executor, and no others; `read` gives the elements of an operand. */
export const fusedBy =
  (memory: ArrayMemory, execute: Executor, read = elementsOf): NonNullable<DataMembers["fused"]> =>
  (outs, inputs, nest, reuses) => {
    const known = preparedOf(nest);
    if (known === null) return null;
    const { kernel, key, reads } = known;
    const readers: Reader[] = [];
    for (const { from, access } of reads) {
      const { type } = inputs[from[0]!]!;
      const arrays = from.length === 1 ? [read(inputs[from[0]!]!)] : from.map((part) => read(inputs[part]!));
      readers.push(reading(arrays, widthOf(type), access));
    }
    const outputs: Elements[] = [];
    for (let i = 0; i < outs.length; i++) {
      const out = outs[i]!;
      const input = inputs[reuses?.[i] ?? -1];
      outputs.push((input && takenFrom(memory, input, out)) ?? memory.unset(out.type, out.shape));
    }
    execute(kernel, readers, outputs, nest.rows, key);
    return outputs.map((elements) => memory.hold(elements));
  };
