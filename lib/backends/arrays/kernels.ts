/**
 * Kernels over tensors: how operands lie becomes readers, outputs are allocated, an executor does the work. Shared by all
 * backends whose tensors are ordinary arrays.
 */
import type { DataMembers, Nest, Template } from "../../backend";
import { sizeOf, type Shape } from "../../core/shape";
import type { interpret } from "../../kernel/interpret/run";
import { Recent } from "../../kernel/generational-cache";
import { accessOf, Reader, type Access } from "../../kernel/operand";
import type { Tensor } from "../../tensor";
import { broadcastStrides } from "./blocks";
import type { ArrayMemory } from "./memory";
import { elementsOf, widthOf, type ArrayData, type Elements } from "./storage";

/** Runs a kernel over a whole space: the TypeScript executor, or one that gives the same bits. */
type Executor = typeof interpret;

/** Shapes whose walks are kept at hand. */
const KEPT = 1024;

/** How operands of a shape are walked that are broadcast to another one, by both: plans are kept for these very objects. */
const broadcast = new Recent<Access>(KEPT);

export function broadcastAccess(from: Shape, to: Shape): Access {
  const key = `${from.join()}>${to.join()}`;
  const cached = broadcast.get(key);
  if (cached) return cached;
  const fresh = accessOf(to, broadcastStrides(from, to), 0);
  broadcast.set(key, fresh);
  return fresh;
}

/** A reader of an operand broadcast to a shape. */
export const broadcastReader = (tensor: Tensor, shape: Shape, read = elementsOf): Reader =>
  new Reader(read(tensor), widthOf(tensor.type), broadcastAccess(tensor.shape, shape));

/** How the inputs of a nest are read: the same for every call of a compiled function. */
const accesses = new WeakMap<Nest, readonly Access[]>();

function accessesOf(nest: Nest): readonly Access[] {
  const cached = accesses.get(nest);
  if (cached) return cached;
  const fresh = nest.operands.map(({ view: { shape, strides, offset } }) => accessOf(shape, strides, offset));
  accesses.set(nest, fresh);
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

/** The member of a backend that runs nests of one kernel with an executor, and no others; `read` gives the elements of an operand. */
export const fusedBy =
  (memory: ArrayMemory, execute: Executor, read = elementsOf): NonNullable<DataMembers["fused"]> =>
  (outs, inputs, nest, reuses) => {
    const [stage] = nest.stages;
    if (nest.kind !== "map" || stage?.kind !== "map") return null;
    const access = accessesOf(nest);
    const readers = inputs.map((input, i) => new Reader(read(input), widthOf(input.type), access[i]!));
    const outputs = outs.map((out, i) => {
      const input = inputs[reuses?.[i] ?? -1];
      return (input && takenFrom(memory, input, out)) ?? memory.unset(out.type, out.shape);
    });
    execute(stage.kernel, readers, outputs, nest.rows, nest.key);
    return outputs.map((elements) => memory.hold(elements));
  };
