/**
 * Traced functions by signature: the one used last comes first, the one used longest ago goes first.
 */
import type { Executable } from "./compiler";
import { sameSignature, type Signature } from "./signature";
import type { Trace } from "./trace";

/** A function traced and compiled for one signature. */
export interface Compiled {
  readonly signature: Signature;
  readonly compiler: string;
  /** What merged types while the function was traced. */
  readonly promotion: string;
  readonly executable: Executable;
  readonly rebuild: Trace["rebuild"];
  /** Whether each parameter is read. */
  readonly isNeeded: readonly boolean[];
}

export class SignatureCache {
  readonly #entries: Compiled[] = [];

  find(signature: Signature, compiler: string, promotion: string): Compiled | undefined {
    const entries = this.#entries;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!;
      if (entry.compiler !== compiler || entry.promotion !== promotion) continue;
      if (!sameSignature(entry.signature, signature)) continue;
      if (i > 0) entries.unshift(...entries.splice(i, 1));
      return entry;
    }
    return undefined;
  }

  add(entry: Compiled, limit: number): Compiled {
    this.#entries.unshift(entry);
    if (this.#entries.length > limit) this.#entries.length = limit;
    return entry;
  }
}
