/**
 * Primitives of backends whose tensors are arrays: functions of the memory that results are made in.
 */
import type {
  MultiResultFunction,
  MultiResultPrimitive,
  Primitive,
  PrimitiveFunction,
  PrimitiveTable,
} from "../../backend";
import type { ArrayMemory } from "./memory";

/** A primitive whose results are made in the memory it is given. */
export type ArrayPrimitive<P extends Primitive> = (memory: ArrayMemory) => PrimitiveFunction<P>;

/** The same with several results. */
export type MultiResultArrayPrimitive<P extends MultiResultPrimitive> = (memory: ArrayMemory) => MultiResultFunction<P>;

/** All primitives. */
export type ArrayPrimitives = { readonly [P in Primitive]: ArrayPrimitive<P> } & {
  readonly [P in MultiResultPrimitive]: MultiResultArrayPrimitive<P>;
};

/** Primitives of a backend that has this memory. */
export function primitivesIn<P extends Primitive>(
  memory: ArrayMemory,
  primitives: Pick<ArrayPrimitives, P>,
): Pick<PrimitiveTable, P> {
  const bound = Object.entries(primitives).map(([name, of]) => [
    name,
    (of as (memory: ArrayMemory) => unknown)(memory),
  ]);
  return Object.fromEntries(bound) as unknown as Pick<PrimitiveTable, P>;
}
