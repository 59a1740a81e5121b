/**
 * Traces that are going on: whose parameters a node is computed from, and the error where a traced tensor outlives its trace.
 * What a node is, and how one is made, is known to the graph.
 */
import { DefnError } from "../core/errors";

/** The owner of a traced function: its name in messages, and the advice how values leave the function. */
export interface Owner {
  /** The function of the API that it was given to. */
  readonly api: string;
  /** The function by its place: "the function given to Nx.defn", "the body of Nx.Defn.scan". */
  readonly place: string;
  /** The name the program gave it; empty where it has none. */
  readonly name: string;
  /** What to do to have a value outside. */
  readonly remedy: string;
}

/** A trace of a function. Open traces are nested, so the deepest is the innermost. */
export interface TraceScope {
  readonly owner: Owner;
  readonly depth: number;
  isOpen: boolean;
}

let depth = 0;

/** Whether a trace is going on. */
export const isTraceOpen = (): boolean => depth > 0;

/** Traces a function: what is computed from the parameters made here is of no use once `fn` has returned. */
export function inScope<R>(owner: Owner, fn: (scope: TraceScope) => R): R {
  const scope: TraceScope = { owner, depth: ++depth, isOpen: true };
  try {
    return fn(scope);
  } finally {
    scope.isOpen = false;
    depth--;
  }
}

const OUTSIDE = "return it from that function";

/** The function given to `api`, under the name that the program gave it. */
export const givenTo = (api: string, fn: unknown, remedy = OUTSIDE): Owner =>
  ownerOf(api, `the function given to ${api}`, fn, remedy);

/** A function given to `api` by its place. */
export function ownerOf(api: string, place: string, fn: unknown, remedy = OUTSIDE): Owner {
  const name: unknown = typeof fn === "function" ? fn.name : "";
  return { api, place, name: typeof name === "string" ? name : "", remedy };
}

/** The function of an owner as messages name it. */
export const nameOfOwner = ({ place, name }: Owner): string => (name === "" ? place : `${name}, ${place},`);

/** A traced tensor was used when nothing could be recorded for it any more; `use` says where. */
export function escaped(use: string, scope: TraceScope | null): DefnError {
  const whose = scope === null ? "" : ` of ${nameOfOwner(scope.owner)}`;
  const remedy = scope?.owner.remedy ?? "return it from the function given to Nx.defn";
  return new DefnError(
    `a traced tensor${whose} was ${use} after its trace had ended: ${remedy} instead of storing it in an outer variable, and compute nothing of it in Nx.Defn.untraced`,
  );
}
