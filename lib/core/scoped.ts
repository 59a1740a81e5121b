/**
 * Values in force while a function runs. Where the host has AsyncLocalStorage (Node, Deno, Bun) they hold across `await` as
 * well; it is found without importing a host module.
 */
interface AsyncStorage<T> {
  run<R>(store: T, fn: () => R): R;
  getStore(): T | undefined;
}

interface Host {
  process?: { getBuiltinModule?: (id: string) => { AsyncLocalStorage: new () => AsyncStorage<never> } | undefined };
}

export class Scoped<T> {
  /** Looked for when the first scope is opened. */
  private storage: AsyncStorage<T> | null | undefined;
  private value: T | undefined;

  /** The value of the innermost scope. */
  get current(): T | undefined {
    return this.storage ? this.storage.getStore() : this.value;
  }

  /** Runs `fn` in a scope of its own. */
  run<R>(value: T, fn: () => R): R {
    if (this.storage === undefined) {
      const hooks = (globalThis as Host).process?.getBuiltinModule?.("node:async_hooks");
      this.storage = hooks ? (new hooks.AsyncLocalStorage() as unknown as AsyncStorage<T>) : null;
    }
    if (this.storage) return this.storage.run(value, fn);
    const before = this.value;
    this.value = value;
    try {
      return fn();
    } finally {
      this.value = before;
    }
  }
}
