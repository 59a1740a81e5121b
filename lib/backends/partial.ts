/**
 * Partial backends: the members that every backend must have, and the error of a missing primitive.
 */
import type { Backend, MultiResultPrimitive, Primitive } from "../backend";
import { BackendError, completedBy, show } from "../core/errors";

/** What nobody can do without: nothing else could be made of a tensor, or be done in its place. */
const NEEDED = ["upload", "deallocate"] as const;

/** A value that `giver` gave for a backend, if it has what every backend needs. Primitives may be missing. */
export function checkBackend(value: unknown, giver: string): Backend {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new BackendError(`${giver} must give a Backend object, got: ${show(value)}`);
  }
  const backend = value as Backend;
  const { name } = backend as { name?: unknown };
  if (typeof name !== "string" || name === "") {
    throw new BackendError(
      `a backend needs a name, got one with ${name === undefined ? "none" : `the name ${show(name)}`}`,
    );
  }
  const missing = NEEDED.find((member) => typeof backend[member] !== "function");
  if (missing !== undefined)
    throw new BackendError(`the backend ${show(name)} has no function ${show(missing)}, which every backend needs`);
  if (typeof backend.download === "function" || typeof backend.read === "function") return backend;
  throw new BackendError(
    `the backend ${show(name)} has neither a function "download" nor "read", and every backend needs one of them`,
  );
}

/** Whether somebody means a backend by an object. */
export const isBackendObject = (spec: unknown): spec is Backend =>
  typeof spec === "object" && spec !== null && typeof (spec as Partial<Backend>).upload === "function";

/** The error of a missing primitive. The entry that the user called completes the message with its name. */
export function lacking(backend: Backend, primitive: Primitive | MultiResultPrimitive, attrs: object): BackendError {
  const { op } = attrs as { op?: unknown };
  const text = (needed: string): string =>
    `the backend ${show(backend.name)} has no ${show(primitive)}${needed}; let another one do what it lacks, as in ` +
    `completeBackend(backend, "binary") of nx-numerics/backend`;
  const error = new BackendError(text(typeof op === "string" && op !== primitive ? ` (needed by ${op})` : ""));
  return completedBy(error, (called) => text(` (needed by ${called})`));
}
