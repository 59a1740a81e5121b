/**
 * Traced functions by signature: the one used last comes first, the one used longest ago goes first.
 */
import { defaultTypes } from "../core/default-types";
import type { Executable } from "./compiler";
import { sameSignature, type Signature } from "./signature";
import type { Source, Trace } from "./trace";

/** A function traced and compiled for one signature. */
export interface Compiled {
  readonly signature: Signature;
  readonly compiler: string;
  /** What merged types while the function was traced. */
  readonly promotion: string;
  /** The types by default while the function was traced. */
  readonly defaults: number;
  readonly executable: Executable;
  readonly rebuild: Trace["rebuild"];
  /** Where each parameter comes from. */
  readonly inputs: readonly Source[];
  readonly checks: Trace["checks"];
}

export class SignatureCache {
  readonly #entries: Compiled[] = [];
  /** A number for the shapes of each entry, so that a shape that is not there is found missing without comparing it with all. */
  readonly #sizes: number[] = [];

  find(signature: Signature, compiler: string, promotion: string): Compiled | undefined {
    const entries = this.#entries;
    if (entries.length === 0) return undefined;
    if (suits(entries[0]!, signature, compiler, promotion)) return entries[0];
    const sizes = sizesOf(signature);
    for (let i = 1; i < entries.length; i++) {
      const entry = entries[i]!;
      if (this.#sizes[i] !== sizes || !suits(entry, signature, compiler, promotion)) continue;
      entries.unshift(...entries.splice(i, 1));
      this.#sizes.unshift(...this.#sizes.splice(i, 1));
      return entry;
    }
    return undefined;
  }

  add(entry: Compiled, limit: number): Compiled {
    this.#entries.unshift(entry);
    this.#sizes.unshift(sizesOf(entry.signature));
    if (this.#entries.length > limit) this.#entries.length = this.#sizes.length = limit;
    return entry;
  }
}

function suits(entry: Compiled, signature: Signature, compiler: string, promotion: string): boolean {
  if (entry.compiler !== compiler || entry.promotion !== promotion || entry.defaults !== defaultTypes()) return false;
  return sameSignature(entry.signature, signature);
}

/** The same for the same shapes, and seldom for others. */
function sizesOf({ templates }: Signature): number {
  let sizes = 0;
  for (const { shape } of templates) {
    for (const dim of shape) sizes = (Math.imul(sizes, 31) + dim) | 0;
    sizes = Math.imul(sizes, 31) + 1;
  }
  return sizes;
}
