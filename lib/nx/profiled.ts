/**
 * Primitives and kernels as work of a profile.
 */
import type { Backend, MultiResultPrimitive, Primitive, Template } from "../backend";
import type { Probe, Work } from "../core/profiling";
import { sizeOf } from "../core/shape";
import { bytesOf } from "../core/types";
import type { Tensor } from "../tensor";

type Sized = Pick<Template, "type" | "shape">;

/** The bytes of all elements. */
const bytesOfAll = (all: readonly Sized[]): number =>
  all.reduce((sum, { type, shape }) => sum + sizeOf(shape) * bytesOf(type), 0);

/** A pass over elements. */
export const kernelWork = (operation: string, outs: readonly Sized[], inputs: readonly Sized[]): Work => ({
  operation,
  calls: 0,
  kernels: 1,
  bytes: bytesOfAll(inputs) + bytesOfAll(outs),
});

/** A primitive, as it is run. */
interface Call {
  readonly primitive: Primitive | MultiResultPrimitive;
  readonly attrs: object;
  readonly outs: readonly Template[];
  readonly inputs: readonly Tensor[];
  readonly backend: Backend;
}

/** Runs a primitive while a profile is made. Backends that record, or wrap others, call others in turn. */
export function profiled<T>(probe: Probe, { primitive, attrs, outs, inputs, backend }: Call, fill: () => T): T {
  if (backend.absorbs !== undefined) return fill();
  const operation = "op" in attrs ? (attrs as { readonly op: string }).op : primitive;
  return probe.measured(fill, (_, isAround) => {
    if (primitive === "block" && isAround) return null;
    // a reshape has the same elements
    if (primitive === "reshape") return { operation, calls: 1, kernels: 0, bytes: 0 };
    return { ...kernelWork(operation, outs, inputs), calls: 1 };
  });
}
