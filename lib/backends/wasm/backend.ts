/**
 * The wasm backend: tensors are typed arrays, large ones in the memory of kernels as far as there is room; large work runs as
 * vector code in WebAssembly. Whatever it does not do itself, the loops of the binary backend do, over its own arrays: all that
 * `groups.ts` has vector code for, too, until a program brings that.
 */
import { shownByName } from "../../backend";
import type { Backend, DataMembers, Nest, PrimitiveFunction, PrimitiveTable } from "../../backend";
import type { Copier } from "../arrays/copier";
import { fusedBy, joins } from "../arrays/kernels";
import { elementsOf } from "../arrays/storage";
import { binaryBackend } from "../binary";
import { arrays } from "./arrays";
import { copier } from "./copy";
import { deallocate } from "./deferred";
import { reduceOp } from "./deferred/reduce";
import { draws, elementwise } from "./elementwise";
import { plain } from "./plain";
import { foldReducer, reductionsBy, type Reducers } from "./lines/reduction";
import { orElse, primitiveOrElse } from "./memory/refusal";
import { residentElements } from "./placement/resident";
import { runFolds } from "./lines/run";
import { runWarm, segments } from "./elements/run";
import { decompositions, type Make } from "./routines/routine";
import { COMPOSITES_FROM } from "./schedule/deferred";

type Fused = NonNullable<DataMembers["fused"]>;

/** The primitives as vector code, done by loops in TypeScript where the host refuses memory. */
const refusing = <T extends Partial<PrimitiveTable>>(own: T): T =>
  Object.fromEntries(
    (Object.keys(own) as (keyof PrimitiveTable)[]).map((name) => [
      name,
      primitiveOrElse<PrimitiveFunction<never>>(own[name]!, plain[name]),
    ]),
  ) as T;

const kernels = fusedBy(arrays, runWarm, residentElements);

/** What nests of one reduction do along rows: searches and scans come with groups. */
const reducers: Reducers = { fold: foldReducer, search: () => null, scan: () => null };

const kinds: { [K in Nest["kind"]]: Fused } = {
  map: kernels,
  joined: kernels,
  fold: orElse(runFolds, () => null),
  reduction: orElse(reductionsBy(reducers), () => null),
  contraction: () => null,
};

/** SIMD through WebAssembly. */
export const wasmBackend: Backend = shownByName({
  ...plain,
  name: "wasm",
  compositesFrom: COMPOSITES_FROM,
  takeOver: (tensor) => (tensor.backend === binaryBackend ? arrays.hold(elementsOf(tensor)) : undefined),
  programs: undefined, // a place for a group: with a member added later, engines read all of them more slowly
  fused: (outs, inputs, nest, reuses) => kinds[nest.kind](outs, inputs, nest, reuses),
  ...refusing({ ...elementwise, reduceOp }),
  waiting: () => null, // what explains the work that waits comes with a group
  deallocate,
  recycle: (tensor) => void deallocate(tensor),
});

/**
 * Vector code that a program may do without: primitives, what nests of one reduction do along rows, nests that begin with a contraction,
 * how kernels read and run what is joined, what the copier does for lookups, what draws random numbers, members that refuse by themselves, routines of programs.
 */
export interface Group {
  readonly primitives?: Partial<PrimitiveTable>;
  readonly reducers?: Partial<Reducers>;
  readonly contraction?: Fused;
  readonly joins?: { readonly read: typeof joins.read; readonly run: typeof segments.run };
  readonly copies?: Partial<Copier>;
  readonly draws?: typeof draws.run;
  readonly members?: Partial<Pick<Backend, "linalg" | "programs" | "waiting">>;
  readonly decompositions?: Make<"linalg">;
}

/** The function, namespace or backend, in a program that has the vector code of these groups from then on. */
export function withCode<T>(of: T, ...groups: readonly Group[]): T {
  for (const { primitives, reducers: own, contraction, joins: joined, copies, members, ...routines } of groups) {
    Object.assign(wasmBackend, members, primitives && refusing(primitives));
    Object.assign(reducers, own);
    Object.assign(copier, copies);
    if (joined) {
      joins.read = joined.read;
      segments.run = joined.run;
    }
    if (routines.draws) draws.run = routines.draws;
    if (routines.decompositions) decompositions.make = routines.decompositions;
    if (contraction) kinds.contraction = orElse(contraction, () => null);
  }
  return of;
}
