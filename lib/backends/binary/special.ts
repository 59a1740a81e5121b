/**
 * Special functions: the one definition in the kernel language, run by the TypeScript executor, so that every backend gives
 * the same bits on every engine.
 */
import type { Template } from "../../backend";
import { sizeOf } from "../../core/shape";
import { interpret } from "../../kernel/interpret/run";
import { binaryKernel, unaryKernel, type Keyed } from "../../kernel/lower/single";
import type { SpecialBinary, SpecialUnary } from "../../ops";
import { Tensor } from "../../tensor";
import { storeF64 } from "../arrays/convert";
import { broadcastReader } from "../arrays/kernels";
import type { ArrayMemory } from "../arrays/memory";
import { elementsAs } from "../arrays/operands";
import type { Elements } from "../arrays/storage";

/** The elements of a special function of a tensor. */
export function specialUnary(memory: ArrayMemory, op: SpecialUnary, out: Template, x: Tensor): Elements {
  const keyed = unaryKernel(op, { type: x.type, uniform: false }, out.type);
  if (keyed) return run(memory, keyed, out, [x]);
  return throughDoubles(memory, unaryKernel(op, DOUBLE, "f64")!, out, [x]);
}

/** The elements of a special function of two real tensors. */
export function specialBinary(memory: ArrayMemory, op: SpecialBinary, out: Template, x: Tensor, y: Tensor): Elements {
  const keyed = binaryKernel(op, { type: x.type, uniform: false }, { type: y.type, uniform: false }, out.type);
  if (keyed) return run(memory, keyed, out, [x, y]);
  return throughDoubles(memory, binaryKernel(op, DOUBLE, DOUBLE, "f64")!, out, [x, y]);
}

const DOUBLE = { type: "f64", uniform: false } as const;

function run(memory: ArrayMemory, { kernel, key }: Keyed, out: Template, inputs: readonly Tensor[]): Elements {
  const result = memory.unset(out.type, out.shape);
  const readers = inputs.map((input) => broadcastReader(input, out.shape));
  interpret(kernel, readers, [result], sizeOf(out.shape), key);
  return result;
}

/** Where the kernel language cannot convert operands or results: both go through arrays of doubles. */
function throughDoubles(memory: ArrayMemory, keyed: Keyed, out: Template, inputs: readonly Tensor[]): Elements {
  const doubles = inputs.map((x) => new Tensor(x.backend, memory.hold(elementsAs("f64", x)), "f64", x.shape, x.names));
  const wide = run(memory, keyed, { ...out, type: "f64" }, doubles) as Float64Array;
  const result = memory.unset(out.type, out.shape);
  storeF64(out.type, result, 0, wide, wide.length);
  return result;
}
