/** The ways to run a program, each of which must give what the binary backend gives op by op. */
import * as Nx from "nx-numerics";
import type { Backend, BackendSpec, Tensor } from "nx-numerics";
import { binaryBackend } from "../../lib/backends/binary";
import { ArrayData, elementsIn } from "../../lib/backends/arrays/storage";
import { tune } from "../../lib/backends/tuning";
import { allWaiting } from "../../lib/backends/wasm/deferred/waiting";
import { spoilScratch } from "./watched";
import { elementsOf, runProgram, tensorOf, type Input, type Program } from "./program";

export interface Execution {
  readonly name: string;
  /** How the run is written, around a function and its inputs. */
  readonly text: (program: string, args: readonly string[]) => string;
  readonly run: (program: Program) => readonly unknown[];
}

type Fn = (...args: Tensor[]) => readonly Tensor[];

const functionOf =
  (program: Program): Fn =>
  (...args) =>
    runProgram(program, args);

/**
 * How small tensors are treated: as users have it, with kernels compiled at once, in the memory of kernels besides, with eager work that
 * waits, or both; what waits goes step by step where kernels are compiled late. Compiled functions go step by step as those of large
 * tensors do, in place of programs.
 */
type Small =
  | "usual"
  | "compiled"
  | "resident"
  | "step by step and resident"
  | "deferred"
  | "deferred and resident"
  | "deferred, compiled late";

/**
 * Computes what waits, first what a run gives: only large arrays are counted, so what is large must not change between the first who
 * holds one and the last.
 */
function settled(results: readonly unknown[]): readonly unknown[] {
  for (const result of results) {
    const data = result instanceof Nx.Tensor ? result.data : null;
    if (data instanceof ArrayData && data.elements !== null) elementsIn(data);
  }
  // a step of what waits may wait itself
  for (let all = allWaiting(); all.length > 0; all = allWaiting()) {
    for (const value of all) if (value.isListed) value.settle();
  }
  return results;
}

/**
 * Kernels are compiled at once and read joins of any size in place but where `fn` runs as users have it; small tensors are large ones where
 * all are resident.
 */
function treating(small: Small, fn: () => readonly unknown[]): readonly unknown[] {
  if (small === "usual" || small === "deferred, compiled late") tune({ compiledFrom: null });
  if (small !== "usual") tune({ joinedFrom: 0 });
  if (small.endsWith("resident")) tune({ largeFrom: 1 });
  if (small.startsWith("deferred")) tune({ deferredFrom: 1 });
  if (small.startsWith("step by step")) tune({ programs: false });
  spoilScratch();
  try {
    return settled(fn());
  } finally {
    tune({ compiledFrom: 0 });
    tune({ largeFrom: null, deferredFrom: null, joinedFrom: null, programs: null });
  }
}

interface Way {
  readonly name: string;
  readonly on: BackendSpec;
  /** The text of the backend; absent where it has no name. */
  readonly said: string;
  readonly small?: Small;
  readonly call: (fn: Fn, args: readonly Tensor[]) => readonly unknown[];
  readonly text: (program: string, args: readonly string[]) => string;
}

const execution = ({ name, on, said, call, text, small = "compiled" }: Way): Execution => ({
  name,
  text: (program, args) => `Nx.withDefaultBackend(${said}, () => ${text(program, args)})`,
  run: (program) =>
    treating(small, () => Nx.withDefaultBackend(on, () => call(functionOf(program), program.inputs.map(tensorOf)))),
});

type Called = Pick<Way, "call" | "text">;

const EAGER: Called = {
  call: (fn, args) => fn(...args),
  text: (program, args) => `${program}(${args.join(", ")})`,
};

const compiled = (options: Nx.Defn.DefnOptions): Called => ({
  call: (fn, args) => Nx.defn(fn, options)(...args),
  text: (program, args) => `Nx.defn(${program}, ${JSON.stringify(options)})(${args.join(", ")})`,
});

const EVALUATED = compiled({ compiler: "evaluator" });
const OPTIMIZED = compiled({ compiler: "optimizing" });

/** Runs twice, so that the second time kernels, plans and operands are those of the first. */
const TWICE: Called = {
  call: (fn, args) => {
    const again = Nx.defn(fn);
    again(...args);
    return again(...args);
  },
  text: OPTIMIZED.text,
};

const reversed = (args: readonly Tensor[]): Tensor[] => args.map((t) => Nx.reverse(t));

/** First with other values, so that functions that are written in place run by what was compiled for others. */
function afterOthers(
  run: (args: readonly Tensor[]) => readonly unknown[],
  args: readonly Tensor[],
): readonly unknown[] {
  try {
    run(reversed(args));
  } catch (error) {
    if (!(error instanceof Nx.NxError)) throw error; // other values may be refused
  }
  return run(args);
}

const ANEW: Called = { ...EAGER, call: (fn, args) => afterOthers((given) => fn(...given), args) };

const CLOSED_OVER: Called = {
  call: (fn, [first, ...rest]) => afterOthers((given) => Nx.defn((t: Tensor) => fn(t, ...given))(first!), rest),
  text: (program, [first, ...rest]) => `Nx.defn((t) => ${program}(${["t", ...rest].join(", ")}))(${first!})`,
};

/** Twice, too: copies are made where the function runs, since `backendCopy` by itself makes them on `binary`. */
const DONATED: Called = {
  call: (fn, args) => {
    const again = Nx.defn(fn, { donate: true });
    again(...args.map((t) => Nx.backendCopy(t, t.backend)));
    return again(...args.map((t) => Nx.backendCopy(t, t.backend)));
  },
  text: (program, args) => `Nx.defn(${program}, { donate: true })(${args.join(", ")})`,
};

const wasm = (threads: number): Pick<Way, "on" | "said"> => ({
  on: ["wasm", { threads }],
  said: `["wasm", { threads: ${threads} }]`,
});

const { fused: _fused, ...withoutKernels } = binaryBackend;
const plainBackend: Backend = { ...withoutKernels, name: "plain", portable: false };

/** A user's backend by its object, for defects put into one. */
export const eagerOn = (backend: Backend): Execution =>
  execution({ name: `${backend.name}, eager`, on: backend, said: backend.name, ...EAGER });
export const optimizedOn = (backend: Backend): Execution =>
  execution({ name: `${backend.name}, optimizing`, on: backend, said: backend.name, ...OPTIMIZED });

const binary = { on: "binary", said: '"binary"' } as const;

export const EXECUTIONS: readonly Execution[] = [
  execution({ name: "wasm, eager, 1 thread", ...wasm(1), ...EAGER }),
  execution({ name: "wasm, eager, 2 threads", ...wasm(2), ...EAGER }),
  execution({ name: "wasm, eager, 4 threads, compiled late", ...wasm(4), ...EAGER, small: "usual" }),
  execution({ name: "wasm, eager, deferred, 1 thread", ...wasm(1), ...EAGER, small: "deferred" }),
  execution({
    name: "wasm, eager, deferred, resident, 2 threads",
    ...wasm(2),
    ...EAGER,
    small: "deferred and resident",
  }),
  execution({
    name: "wasm, eager, deferred, compiled late, 1 thread",
    ...wasm(1),
    ...EAGER,
    small: "deferred, compiled late",
  }),
  execution({ name: "wasm, evaluator, deferred", ...wasm(1), ...EVALUATED, small: "deferred and resident" }),
  execution({ name: "wasm, optimizing, deferred", ...wasm(2), ...TWICE, small: "deferred and resident" }),
  execution({ name: "binary, evaluator", ...binary, ...EVALUATED }),
  execution({ name: "binary, optimizing", ...binary, ...OPTIMIZED }),
  execution({ name: "no kernels, optimizing", on: plainBackend, said: '"binary"', ...OPTIMIZED }),
  execution({ name: "wasm, evaluator, 2 threads", ...wasm(2), ...EVALUATED }),
  execution({ name: "wasm, optimizing, 1 thread", ...wasm(1), ...OPTIMIZED }),
  execution({ name: "wasm, optimizing, 4 threads", ...wasm(4), ...TWICE }),
  execution({ name: "wasm, optimizing, 2 threads, compiled late", ...wasm(2), ...OPTIMIZED, small: "usual" }),
  execution({ name: "wasm, eager, resident, 2 threads", ...wasm(2), ...EAGER, small: "resident" }),
  execution({ name: "wasm, optimizing, resident, 2 threads", ...wasm(2), ...TWICE, small: "resident" }),
  execution({
    name: "wasm, optimizing, step by step, resident, 2 threads",
    ...wasm(2),
    ...TWICE,
    small: "step by step and resident",
  }),
  execution({ name: "wasm, eager, anew, compiled late", ...wasm(1), ...ANEW, small: "usual" }),
  execution({ name: "wasm, eager, anew", ...wasm(2), ...ANEW }),
  execution({ name: "wasm, optimizing, closed over", ...wasm(2), ...CLOSED_OVER }),
  execution({ name: "wasm, optimizing, donated", ...wasm(2), ...DONATED }),
  execution({ name: "wasm, optimizing, donated, resident", ...wasm(1), ...DONATED, small: "resident" }),
];

// -------------------------------------------------------------------------------------------------------- vectorized

/** Another entry beside an input's: the same elements, shifted by one. */
export const shifted = (input: Input): Input =>
  input.pool.length === 1 ? input : { ...input, pool: [...input.pool.slice(1), input.pool[0]!] };

function both(input: Input): Tensor {
  const flat = [...elementsOf(input), ...elementsOf(shifted(input))] as number[];
  return Nx.reshape(Nx.tensor(flat, { type: input.type }), [2, ...input.shape], { names: [null, ...input.names] });
}

export interface Vectorized {
  readonly name: string;
  readonly run: (program: Program) => readonly Tensor[];
  readonly text: (program: string) => string;
}

/** A program over two entries at once; each result has an axis of them in front. */
export const VECTORIZED: readonly Vectorized[] = [
  {
    name: "binary, vmap",
    text: (program) => `Nx.withDefaultBackend("binary", () => Nx.Defn.vmap(${program})`,
    run: (program) =>
      Nx.withDefaultBackend("binary", () => Nx.Defn.vmap(functionOf(program))(...program.inputs.map(both))),
  },
  {
    name: "wasm, defn of vmap",
    text: (program) => `Nx.withDefaultBackend("wasm", () => Nx.defn(Nx.Defn.vmap(${program}))`,
    run: (program) =>
      Nx.withDefaultBackend(["wasm", { threads: 2 }], () =>
        Nx.defn(Nx.Defn.vmap(functionOf(program)) as Fn)(...program.inputs.map(both)),
      ),
  },
];
