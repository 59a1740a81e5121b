/**
 * Which promotion policy is in force: a function's own (`Nx.withPromotion`, the option of `defn`) before the configuration.
 */
import { configRevision, configured } from "./config";

/** How types merge: as in Nx, or only where no value can change. */
export type Promotion = "nx" | "strict";

export const PROMOTIONS: readonly Promotion[] = Object.freeze(["nx", "strict"]);

interface AsyncStorage {
  run<T>(store: Promotion, fn: () => T): T;
  getStore(): Promotion | undefined;
}

let storage: AsyncStorage | null | undefined;
let syncScope: Promotion | undefined;
let exempt = 0;

/** AsyncLocalStorage where the host has it, found without importing a host module. */
function asyncStorage(): AsyncStorage | null {
  if (storage !== undefined) return storage;
  interface Host {
    process?: { getBuiltinModule?: (id: string) => { AsyncLocalStorage: new () => AsyncStorage } | undefined };
  }
  const hooks = (globalThis as Host).process?.getBuiltinModule?.("node:async_hooks");
  return (storage = hooks ? new hooks.AsyncLocalStorage() : null);
}

/** The policy in force. */
export function currentPromotion(): Promotion {
  return (storage ? storage.getStore() : syncScope) ?? configuredPromotion();
}

const kept: { value: Promotion; revision: number } = { value: "nx", revision: -1 };

function configuredPromotion(): Promotion {
  if (kept.revision !== configRevision()) {
    kept.value = configured("promotion");
    kept.revision = configRevision();
  }
  return kept.value;
}

/** Whether what might change a value is to be refused. Asked only where something might. */
export function isStrict(): boolean {
  return exempt === 0 && currentPromotion() === "strict";
}

/** Runs `fn` under a policy; where the host has AsyncLocalStorage it holds across `await` as well. */
export function runWithPromotion<T>(policy: Promotion, fn: () => T): T {
  const als = asyncStorage();
  if (als) return als.run(policy, fn);
  const before = syncScope;
  syncScope = policy;
  try {
    return fn();
  } finally {
    syncScope = before;
  }
}

/** Runs the synchronous `fn` under a policy, which most often is in force already. */
export const underPromotion = <T>(policy: Promotion, fn: () => T): T =>
  currentPromotion() === policy ? fn() : runWithPromotion(policy, fn);

/**
 * Runs the synchronous `fn` without checks: what the library computes inside one of its functions, whose operands have been
 * checked, is its own affair.
 */
export function unchecked<T>(fn: () => T): T {
  if (!isStrict()) return fn();
  exempt++;
  try {
    return fn();
  } finally {
    exempt--;
  }
}
