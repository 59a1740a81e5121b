/**
 * `defn` and `jit`: functions that are traced once per signature and then run from the cache.
 */
import { tracingBackend } from "../backends/registry";
import { mapContainer } from "../container";
import { configured } from "../core/config";
import { ArgumentError, show } from "../core/errors";
import { checkOptions, wordOption } from "../core/options";
import { asTensor, isScalar } from "../nx/dispatch";
import { COMPILERS, type CompilerName, type Executable } from "./compiler";
import { exprBackend } from "./expr";
import { printGraph } from "./print";
import { sameStatics, takeApart, trace, type Trace } from "./trace";

/** Options of {@link defn}. */
export interface DefnOptions {
  /** How the traced function is run; the configured compiler by default. */
  readonly compiler?: CompilerName;
  /** Positions of arguments that are values of the program, not of the computation, whatever they hold. */
  readonly staticArgs?: readonly number[];
}

interface Entry {
  readonly statics: readonly unknown[];
  readonly rebuild: Trace["rebuild"];
  readonly executable: Executable;
}

/** Signatures kept per function; the oldest goes first. */
const MAX_SIGNATURES = 128;

const COMPILER_NAMES = Object.keys(COMPILERS) as CompilerName[];

/**
 * Wraps a numeric function so that it is traced into an expression graph once per signature (types, shapes, names and
 * container structure of its arguments) and then run by a compiler.
 *
 * Tensors and numbers anywhere in the arguments (arrays, plain objects, Immutable List, Map, OrderedMap and Record)
 * become parameters; all other values (strings, booleans, functions, ...) are part of the signature. A number given as
 * an argument becomes a tensor (`s64` or `f32`), so it is not weak inside; a number written in the body is.
 *
 * @param fn - a function of tensors that returns tensors, numbers or containers of them
 * @param options - `compiler`: `"optimizing"` (default) or `"evaluator"`; `staticArgs`: positions of static arguments
 * @returns a function with the same parameters
 * @throws DefnError when values are read while tracing, or something else than tensors is returned
 * @example
 * ```ts
 * const standardise = Nx.defn((t: Nx.Tensor) => t.subtract(t.mean()).divide(t.standardDeviation()));
 * standardise(Nx.tensor([1, 2, 3, 6], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 4]
 * //   [-1.069045, -0.5345225, 0.0, 1.6035674]
 * // >
 * ```
 * @example
 * ```ts
 * const wrong = Nx.defn((t: Nx.Tensor) => Nx.tensor([t.sum().toNumber() as number]));
 * wrong(Nx.tensor([1, 2]));
 * // throws DefnError: reading data needs the values of the tensor s64[]
 * ```
 */
export function defn<F extends (...args: never[]) => unknown>(fn: F, options?: DefnOptions): F {
  if (typeof fn !== "function") throw new ArgumentError(`defn expects a function of tensors, got: ${show(fn)}`);
  checkOptions("defn", options, ["compiler", "staticArgs"]);
  const compiler =
    options?.compiler === undefined
      ? null
      : wordOption("defn", "compiler", options.compiler, COMPILER_NAMES, "optimizing");
  const staticArgs = new Set(options?.staticArgs ?? []);
  const cache = new Map<string, Entry[]>();
  const wrapped = (...args: unknown[]): unknown => {
    if (tracingBackend() === exprBackend) return inline(fn, args, staticArgs);
    const call = takeApart(args, staticArgs);
    const name = compiler ?? configured("defaultCompiler");
    const key = `${name};${call.signature}`;
    const entry = cache.get(key)?.find((candidate) => sameStatics(candidate.statics, call.statics));
    const { executable, rebuild } = entry ?? remember(cache, key, call.statics, compile(fn, args, staticArgs, name));
    return rebuild(executable.run(call.tensors));
  };
  return wrapped as unknown as F;
}

/**
 * Same as {@link defn}, by the name it has in Nx.
 *
 * @example
 * ```ts
 * Nx.Defn.jit((a: Nx.Operand, b: Nx.Operand) => Nx.add(a, b))(1, Nx.u8([2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 1]
 * //   [3]
 * // >
 * Nx.Defn.jit((a: Nx.Tensor) => a, { compiler: "fast" as never });
 * // throws ArgumentError: option compiler of defn must be one of "evaluator", "optimizing", got: "fast"
 * ```
 */
export const jit = defn;

function compile(
  fn: (...args: never[]) => unknown,
  args: readonly unknown[],
  staticArgs: ReadonlySet<number>,
  compiler: CompilerName,
) {
  const { graph, rebuild } = trace(fn, args, staticArgs);
  return { executable: COMPILERS[compiler](graph), rebuild };
}

function remember(
  cache: Map<string, Entry[]>,
  key: string,
  statics: readonly unknown[],
  compiled: Omit<Entry, "statics">,
): Entry {
  const entry = { statics, ...compiled };
  const entries = [...(cache.get(key) ?? []), entry].slice(-MAX_SIGNATURES);
  cache.delete(key);
  cache.set(key, entries);
  if (cache.size > MAX_SIGNATURES) cache.delete(cache.keys().next().value!);
  return entry;
}

/** A defn called inside another one becomes part of its graph; numbers become tensors as they would outside. */
function inline(fn: (...args: never[]) => unknown, args: readonly unknown[], staticArgs: ReadonlySet<number>): unknown {
  const strong = (leaf: unknown) => (isScalar(leaf) && typeof leaf !== "boolean" ? asTensor(leaf, "defn") : leaf);
  const tensors = args.map((arg, i) => (staticArgs.has(i) ? arg : mapContainer(arg, strong)));
  const result = fn(...(tensors as never[]));
  return mapContainer(result, (leaf) => (isScalar(leaf) ? asTensor(leaf, "defn") : leaf));
}

/** The graph that a call of a function traces to, printable. */
export interface Expression {
  /** One line per node: name, primitive with operands and attributes, type and shape. */
  toString(): string;
}

/**
 * Traces a function and gives back its graph, as traced or as a compiler will run it, to be printed.
 *
 * @param fn - as for {@link defn}
 * @param options - `compiler`: show the graph after the passes of that compiler; as traced (`"evaluator"`) by default
 * @returns a function with the same parameters that returns the graph; `String(graph)` and `console.log` show it
 * @example
 * ```ts
 * Nx.Defn.debugExpr((a: Nx.Tensor, b: Nx.Tensor) => Nx.add(a, b).sum())(Nx.tensor([1, 2]), Nx.tensor([0.5, 1.5], { names: ["x"] }));
 * // => a = parameter 0                            s64[2]
 * // b = parameter 1                            f32[x: 2]
 * // c = add(a, b)                              f32[x: 2]
 * // d = sum(c, axes: [0], keepAxes: false)     f32
 * // return d
 * ```
 * @example
 * ```ts
 * const constants = (t: Nx.Tensor) => t.add(Nx.multiply(Nx.tensor([1, 2]), 3));
 * Nx.Defn.debugExpr(constants, { compiler: "optimizing" })(Nx.tensor([1, 2]));
 * // => a = parameter 0                            s64[2]
 * // b = literal of 2 elements                  s64[2]
 * // c = add(a, b)                              s64[2]
 * // return c
 * ```
 */
export function debugExpr<A extends unknown[]>(
  fn: (...args: A) => unknown,
  options?: { readonly compiler?: CompilerName },
): (...args: A) => Expression {
  checkOptions("debugExpr", options, ["compiler"]);
  const compiler = wordOption("debugExpr", "compiler", options?.compiler, COMPILER_NAMES, "evaluator");
  return (...args: A) => {
    const { executable } = compile(fn as (...args: never[]) => unknown, args, new Set(), compiler);
    const text = printGraph(executable.graph);
    return { toString: () => text, [Symbol.for("nodejs.util.inspect.custom")]: () => text };
  };
}
