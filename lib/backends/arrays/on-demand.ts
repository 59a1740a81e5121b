/**
 * Primitives whose loops a program has only where one of its functions runs them. Such a function names the primitive by a value
 * that brought the loops (`backends/primitives.ts`), so that a bundler leaves both out or neither.
 */
import type {
  MultiResultFunction,
  MultiResultPrimitive,
  MultiResultTable,
  Primitive,
  PrimitiveFunction,
  PrimitiveTable,
} from "../../backend";
import { BackendError, show } from "../../core/errors";
import type { ArrayMemory } from "./memory";
import type { ArrayPrimitive, MultiResultArrayPrimitive } from "./primitives";

/** The primitives in question: those that most programs do without, and whose loops are long. */
const ON_DEMAND = Object.freeze([
  ...(["conv", "dot", "fft", "sort", "argsort", "argReduce", "cumulative"] as const),
  ...(["take", "takeAlong", "gather", "indexed", "windowOp", "windowReduce", "windowScatter"] as const),
  ...(["iota", "eye", "pad", "reverse", "putSlice", "map", "reduce"] as const),
] satisfies Primitive[]);

export type OnDemand = (typeof ON_DEMAND)[number];

declare const loops: unique symbol;

/** The name of a primitive whose loops are there. */
export type Brought<P extends OnDemand | MultiResultPrimitive> = P & { readonly [loops]: true };

type Function = (...args: unknown[]) => unknown;
type Loops = (memory: ArrayMemory) => Function;

const brought = new Map<string, Loops>();

export function brings<P extends OnDemand>(name: P, from: { readonly [N in P]: ArrayPrimitive<P> }): Brought<P>;
export function brings<P extends MultiResultPrimitive>(
  name: P,
  from: { readonly [N in P]: MultiResultArrayPrimitive<P> },
): Brought<P>;
export function brings(name: string, from: Readonly<Record<string, unknown>>): unknown {
  brought.set(name, from[name] as Loops);
  return name;
}

/** Primitives in a memory that look for their loops when they are called first. */
export function onDemandIn(memory: ArrayMemory): Pick<PrimitiveTable, OnDemand> & MultiResultTable {
  const bound = [...ON_DEMAND, "linalg" as const].map((name) => [name, lazily(name, memory)]);
  return Object.fromEntries(bound) as { [P in OnDemand]: PrimitiveFunction<P> } & {
    [P in MultiResultPrimitive]: MultiResultFunction<P>;
  };
}

function lazily(name: string, memory: ArrayMemory): Function {
  let made: Function | null = null;
  return (...args) => (made ??= loopsOf(name)(memory))(...args);
}

function loopsOf(name: string): Loops {
  const found = brought.get(name);
  if (found) return found;
  throw new BackendError(
    `the loops of ${show(name)} are not in this bundle, since no function of the library that is in it runs them; import one that does`,
  );
}
