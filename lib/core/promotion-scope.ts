/**
 * Which promotion policy is in force: a function's own (`Nx.withPromotion`, the option of `defn`) before the configuration.
 */
import { configRevision, configured } from "./config";
import { Scoped } from "./scoped";

/** How types merge: as in Nx, or only where no value can change. */
export type Promotion = "nx" | "strict";

export const PROMOTIONS: readonly Promotion[] = Object.freeze(["nx", "strict"]);

const scopes = new Scoped<Promotion>();
let exempt = 0;

/** The policy in force. */
export function currentPromotion(): Promotion {
  return scopes.current ?? configuredPromotion();
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
export const runWithPromotion = <T>(policy: Promotion, fn: () => T): T => scopes.run(policy, fn);

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
