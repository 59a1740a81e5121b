/**
 * What declarations by `using` and `await using` become in examples, where the engine may not know them: calls of a context that
 * releases in reverse order. Its form is that of the helper vite's transform asks for, which no package of a project brings.
 */

/** The module that transformed code imports. */
export const USING_HELPER = "@oxc-project/runtime/helpers/usingCtx";

type Release = () => unknown;

/** Everything that a block declared, and the error that ended it. */
class UsingContext {
  readonly #releases: Release[] = [];
  #errors: unknown[] = [];
  #isAsync = false;

  /** The error that a block ended with. */
  set e(error: unknown) {
    this.#errors = [error];
  }

  /** A value declared by `using`. */
  u<T>(value: T): T {
    return this.#declared(value, [Symbol.dispose]);
  }

  /** A value declared by `await using`. */
  a<T>(value: T): T {
    this.#isAsync = true;
    return this.#declared(value, [Symbol.asyncDispose, Symbol.dispose]);
  }

  /** Releases what was declared, and raises the error that is left. */
  d(): unknown {
    return this.#isAsync ? this.#releaseAsync() : this.#release();
  }

  #declared<T>(value: T, keys: readonly symbol[]): T {
    if (value === null || value === undefined) return value;
    const methods = value as Record<symbol, unknown>;
    const release = keys.map((key) => methods[key]).find((method) => method !== null && method !== undefined);
    if (typeof release !== "function") throw new TypeError("a value declared by using has no method Symbol.dispose");
    this.#releases.push(() => release.call(value) as unknown);
    return value;
  }

  #release(): void {
    for (const release of this.#releases.reverse()) {
      try {
        release();
      } catch (error) {
        this.#errors.push(error);
      }
    }
    this.#raise();
  }

  async #releaseAsync(): Promise<void> {
    for (const release of this.#releases.reverse()) {
      try {
        await release();
      } catch (error) {
        this.#errors.push(error);
      }
    }
    this.#raise();
  }

  /** Raises a single error as it is; of several errors the last, with the error before as its cause. */
  #raise(): void {
    if (this.#errors.length === 0) return;
    throw this.#errors.reduce((suppressed, error) =>
      Object.assign(new Error("an error while releasing, after another one", { cause: error }), { error, suppressed }),
    );
  }
}

/** The helper's module. */
export const usingModule = Object.freeze({ default: () => new UsingContext() });
