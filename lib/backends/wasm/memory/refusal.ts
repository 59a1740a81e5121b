/**
 * What the host refuses: memory for kernels, more of it, room for their code. Nothing fails for that: whatever asks for it here
 * is given up, and the loops of `binary` do the work, until the host gives again.
 */
import type { PrimitiveFunction } from "../../../backend";
import { BackendError } from "../../../core/errors";
import { isTrap } from "./host";
import { REFUSAL_TIMES } from "../schedule/memory";

/** The host refused what a kernel needs. No user sees it: see {@link orElse}. */
export class Refused extends BackendError {}

/** What work throws on: for a trap of its code an error of the library. */
const raised = (error: unknown): unknown =>
  isTrap(error) ? new BackendError(`a kernel failed: ${error.message}`, { cause: error }) : error;

/**
 * Does the work as `own`, or where the host refuses what that needs, as `plain`, which gives the same result.
 *
 * @throws BackendError where code of the work traps
 */
export function orElse<A extends readonly unknown[], R>(own: (...args: A) => R, plain: (...args: A) => R) {
  return (...args: A): R => {
    try {
      return own(...args);
    } catch (error) {
      if (error instanceof Refused) return plain(...args);
      throw raised(error);
    }
  };
}

/** The same for a primitive, of which small ones are called so often that a list of arguments would be felt. */
export function primitiveOrElse<P extends PrimitiveFunction<never>>(own: P, plain: P): P {
  const either: PrimitiveFunction<never> = (out, inputs, attrs) => {
    try {
      return own(out, inputs, attrs);
    } catch (error) {
      if (error instanceof Refused) return plain(out, inputs, attrs);
      throw raised(error);
    }
  };
  return either as P;
}

/** Asks the host for something that it may refuse, without spending most of the time on asking. */
export class Request<T> {
  #until = 0;
  #cause: unknown;

  constructor(private readonly ask: () => T) {}

  /** What the host gives; null where it refuses, or refused a moment ago. */
  attempt(): T | null {
    const start = Date.now();
    if (start < this.#until) return null;
    try {
      return this.ask();
    } catch (error) {
      const end = Date.now();
      this.#until = end + REFUSAL_TIMES * (end - start);
      this.#cause = error;
      return null;
    }
  }

  /** Why it was refused. */
  get cause(): unknown {
    return this.#cause;
  }
}
