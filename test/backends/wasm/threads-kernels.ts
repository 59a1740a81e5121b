/** Small kernels for the tests of threads: plain work, work behind a gate, traps, counters. */
import { br_if, func, i32, local, loop, when } from "../../../lib/backends/wasm/asm";
import { accessing } from "../../../lib/backends/wasm/asm/instructions";
import { PREFIX_SHIFT } from "../../../lib/backends/wasm/asm/writer";
import { kernelMemory } from "../../../lib/backends/wasm/memory/linear";
import { loadModule, moduleBytes, type KernelModule } from "../../../lib/backends/wasm/modules/module";
import { post, register, type Job, type Pool } from "../../../lib/backends/wasm/threads/pool";

/** Instructions of the proposal for threads, which the library does without. */
const ATOMIC = 0xfe << PREFIX_SHIFT;
const atomic = {
  ...accessing(ATOMIC + 0x10, 4, ["i32"], ["i32"], ["load"]),
  ...accessing(ATOMIC + 0x17, 4, ["i32", "i32"], [], ["store"]),
  ...accessing(ATOMIC + 0x1e, 4, ["i32", "i32"], ["i32"], ["add"]),
};

/** What `work` stores. */
export function expected(rounds: number, seed: number): number {
  let x = seed;
  for (let i = 0; i < rounds; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0;
  return x;
}

/** work(at, rounds, seed): a linear congruential generator run for so many rounds, its last value stored. */
const work = () =>
  func({ in: ["i32", "i32", "i32"], locals: ["i32"], out: [] }, ([at, rounds, x], [left]) => {
    local.set(left, rounds);
    loop((top) => {
      local.set(x, i32.add(i32.mul(x, 1664525), 1013904223));
      local.tee(left, i32.sub(left, 1));
      br_if(top);
    });
    i32.store({}, at, x);
  });

/** gated(at, value, begun, gate): says that it has begun, waits until the gate is not zero, stores the value. */
const gated = () =>
  func({ in: ["i32", "i32", "i32", "i32"], locals: [], out: [] }, ([at, value, begun, gate]) => {
    atomic.store({}, begun, 1);
    loop((top) => {
      atomic.load({}, gate);
      i32.eqz();
      br_if(top);
    });
    i32.store({}, at, value);
  });

/** trapping(at, value, begun, bad): says that it has begun, traps where `bad` is not zero, stores the value. */
const trapping = () =>
  func({ in: ["i32", "i32", "i32", "i32"], locals: [], out: [] }, ([at, value, begun, bad]) => {
    atomic.store({}, begun, 1);
    local.get(bad);
    when(() => local.set(bad, i32.div_u(1, 0)));
    i32.store({}, at, value);
  });

/** count(at): adds one, so that a call that is run twice or never shows. */
const count = () =>
  func({ in: ["i32"], locals: [], out: [] }, ([at]) => {
    atomic.add({}, at, 1);
    local.set(at);
  });

/** sum(at, begun, ...terms): the sum of the other arguments, however many. */
const sum = (terms: number) =>
  func(
    { in: ["i32", "i32", ...Array.from({ length: terms }, () => "i32" as const)], locals: [], out: [] },
    ([at, begun, ...rest]) => {
      atomic.store({}, begun, 1);
      local.get(at);
      i32.const(0);
      for (const term of rest) {
        local.get(term);
        i32.add();
      }
      i32.store({});
    },
  );

export function testKernels(): KernelModule {
  const functions = { work: work(), gated: gated(), trapping: trapping(), count: count(), few: sum(42), many: sum(60) };
  return loadModule(moduleBytes(functions));
}

/** A module whose function `store` stores a number, with so many bytes that mean nothing. */
export function storing(value: number, padding = 0): KernelModule {
  const store = func({ in: ["i32"], locals: [], out: [] }, ([at]) => {
    local.get(at);
    i32.const(value);
    i32.store({});
  });
  const bytes = moduleBytes({ store });
  if (padding === 0) return loadModule(bytes);
  const length = padding + 1;
  const size = [0, 7, 14, 21].map((shift, i) => ((length >> shift) & 127) | (i < 3 ? 128 : 0));
  const head = Uint8Array.of(...bytes, 0, ...size, 0);
  const all = new Uint8Array(head.length + padding);
  all.set(head);
  return loadModule(all);
}

/** The module with a hook that runs before each call on this thread, and never in a worker. */
export function hooked(module: KernelModule, name: string, hook: () => void): KernelModule {
  const here = module.exports[name]!;
  const first = (...args: number[]) => {
    hook();
    return here(...args);
  };
  const exports = Object.fromEntries(
    Object.entries(module.exports).map(([key, fn]) => [key, key === name ? first : fn]),
  );
  return { bytes: module.bytes, exports };
}

/** Hands a call of a function to the workers of a pool; null where they cannot know the module. */
export function handOut(pool: Pool, module: KernelModule, name: string, args: readonly number[]): Job | null {
  const known = register(pool, module);
  if (!known) return null;
  const job = { module: known.id, index: known.functions.get(name)!, name, args, slot: -1 };
  post(pool, [job], 0, 1);
  return job;
}

/** Sleeps without the event loop. */
export function doze(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** The word at an address, as it is now. */
export const wordAt = (address: number): number => Atomics.load(new Int32Array(kernelMemory().buffer), address / 4);
export const setWord = (address: number, value: number): void =>
  void Atomics.store(new Int32Array(kernelMemory().buffer), address / 4, value);

/** Waits without the event loop; fails after ten seconds. */
export function until(condition: () => boolean): void {
  for (let i = 0; !condition(); i++) {
    if (i > 10_000) throw new Error("waited for something that does not come");
    doze(1);
  }
}
