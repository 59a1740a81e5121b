/**
 * Primitives that call functions of the user, or of the library, on scalar tensors.
 */
import { ArgumentError, show } from "../../core/errors";
import { allAxes, formatShape, sizeOf } from "../../core/shape";
import type { DType } from "../../core/types";
import { Tensor } from "../../tensor";
import { reordered } from "../arrays/copy";
import type { ArrayMemory } from "../arrays/memory";
import { elementsAs, scalarLike } from "../arrays/operands";
import type { ArrayPrimitive } from "../arrays/primitives";
import { elementsOf, widthOf, type Elements } from "../arrays/storage";
import { readNow } from "../reading";
import { nativeBlock } from "./native";

/** One element as a scalar tensor; the array is its own, since a function may keep what it is given. */
export function elementAt(memory: ArrayMemory, like: Tensor, type: DType, elements: Elements, index: number): Tensor {
  const width = widthOf(type);
  return scalarLike(memory, like, type, elements.slice(index * width, (index + 1) * width));
}

/** What a function gave back as an element of the given type, from whatever backend it lives on. */
export function scalarElements(type: DType, result: Tensor, like: Tensor): Elements {
  if (!(result instanceof Tensor) || sizeOf(result.shape) !== 1) throw notAScalar(result);
  return elementsAs(type, bringTo(result, like));
}

function notAScalar(value: unknown): ArgumentError {
  const got = value instanceof Tensor ? `a tensor of shape ${formatShape(value.shape, value.names)}` : show(value);
  return new ArgumentError(
    `the function must return a scalar tensor, got: ${got}; make one of a plain number with Nx.tensor(...)`,
  );
}

/** The tensor on the backend of another. */
function bringTo(tensor: Tensor, { backend }: Tensor): Tensor {
  if (tensor.backend === backend) return tensor;
  const data = backend.upload(tensor, readNow(tensor));
  return new Tensor(backend, data, tensor.type, tensor.shape, tensor.names);
}

export const map: ArrayPrimitive<"map"> =
  (memory) =>
  (out, [x], { fn }) => {
    const source = elementsOf(x!);
    const result = memory.zeroed(out.type, out.shape);
    const size = sizeOf(out.shape);
    for (let i = 0; i < size; i++) {
      const value = fn(elementAt(memory, x!, x!.type, source, i));
      result.set(scalarElements(out.type, value, x!), i * widthOf(out.type));
    }
    return memory.hold(result);
  };

/** Elements of each result are visited in row-major order. */
export const reduce: ArrayPrimitive<"reduce"> =
  (memory) =>
  (out, [x, initial], { fn, axes }) => {
    const kept = allAxes(x!.shape.length).filter((axis) => !axes.includes(axis));
    const reduced = allAxes(x!.shape.length).filter((axis) => axes.includes(axis));
    const sideBySide = reordered(memory, out.type, elementsAs(out.type, x!), x!.shape, [...kept, ...reduced]);
    const start = elementsAs(out.type, initial!);
    const result = memory.zeroed(out.type, out.shape);
    const results = sizeOf(out.shape);
    const each = sizeOf(x!.shape) / results;
    for (let i = 0; i < results; i++) {
      let held = start;
      for (let j = i * each; j < (i + 1) * each; j++) {
        const value = fn(elementAt(memory, x!, out.type, sideBySide, j), elementAt(memory, x!, out.type, held, 0));
        held = scalarElements(out.type, value, x!);
      }
      result.set(held, i * widthOf(out.type));
    }
    return memory.hold(result);
  };

const block: ArrayPrimitive<"block"> =
  (memory) =>
  (out, inputs, { name, options, fn }) => {
    const native = nativeBlock(name)?.(out, inputs, options, memory);
    if (native) return memory.hold(native);
    const result = fn(...inputs);
    return inputs[0] ? bringTo(result, inputs[0]).data : result.data;
  };

/** The primitive that calls functions in every program. */
export const functions = { block };
