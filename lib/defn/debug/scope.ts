/**
 * Functions for hooks by name, given to the functions that are being traced. A hook asks once, while it is traced.
 */

/** What a hook calls: it is given the computed value, in the container it came in. */
export type HookCallback = (value: never) => void;

/** Functions by the name of the hook. */
export type HookTable = Readonly<Record<string, HookCallback>>;

let scopes: readonly HookTable[] = [];

/** Traces with functions for hooks by name; those of a surrounding trace come first. */
export function withHooks<R>(hooks: HookTable | undefined, fn: () => R): R {
  if (hooks === undefined) return fn();
  const before = scopes;
  scopes = [...before, hooks];
  try {
    return fn();
  } finally {
    scopes = before;
  }
}

/** The function given for a name, if any. */
export function hookByName(name: string): HookCallback | undefined {
  return scopes.find((hooks) => Object.hasOwn(hooks, name))?.[name];
}
