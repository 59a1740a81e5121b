/**
 * `defn`, which `jit` is another name of: functions that are traced once per signature and then run from the cache.
 */
import { tracingBackend } from "../backends/registry";
import { templateTensor } from "../backends/template";
import { mapContainer } from "../container";
import { defaultFloat, defaultTypes, underFloatType } from "../core/default-types";
import { ArgumentError, DefnError, show } from "../core/errors";
import { checkOptions, wordOption } from "../core/options";
import { profiling } from "../core/profiling";
import { underPromotion } from "../core/promotion-scope";
import { asTensor, constant, isWeak, weakTensor } from "../nx/dispatch";
import { Tensor } from "../tensor";
import { SignatureCache, type Compiled } from "./cache";
import { COMPILERS, type CompilerName, type Executable } from "./compiler";
import { located } from "./debug/locate";
import { withHooks } from "./debug/scope";
import { exprBackend } from "./expr";
import { orderOf, type Graph } from "./graph";
import { expanded, LazyTensor, mapArgument, materialised } from "./lazy";
import { isPlainNumber } from "./numbers";
import type { PlainNumber } from "../core/number-class";
import { COMPILER_NAMES, readSettings, type DefnOptions, type Settings } from "./options";
import { printGraph } from "./print";
import { withLines } from "./profiled";
import { givenTo, isTraceOpen, nameOfOwner, type Owner } from "./scope";
import { describeSignature, sameButNumbers, sameSignature, signatureOf, flattenCall, type Call } from "./signature";
import { checkPattern, namingSizes, probed, symbolicPattern, type Templates } from "./symbolic";
import { donatedTo, trace, type Source, type Trace } from "./trace";

/**
 * Wraps a numeric function so that it is traced into an expression graph once per signature (types, shapes, names and
 * container structure of its arguments) and then run by a compiler.
 *
 * Tensors and numbers anywhere in the arguments (arrays, plain objects, Immutable List, Map, OrderedMap and Record)
 * become parameters, as do those of the container that a batch (`Nx.Batch`) stands for; all other values (strings, booleans,
 * functions, ...) are part of the signature. A number given as an
 * argument is a scalar tensor inside, but as weak as one written there: it takes the type of what it meets, with all its digits,
 * so that results are those of the function called without `defn`. A new value is traced only where types may depend on it: the
 * first fraction after integers, or the first integer that takes more bits.
 *
 * @param fn - a function of tensors that returns tensors, numbers or containers of them
 * @param options - `compiler`: `"optimizing"` (default) or `"evaluator"`; `staticArgs`: positions of static arguments;
 *   `donate`: positions of arguments, or `true` for all, whose tensors are given up and cannot be used after the call;
 *   `hooks`: functions for hooks by their names; `promotion`: `"nx"` or `"strict"`, which types merge inside;
 *   `maxCacheEntries`: signatures that are kept, 128 by default
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
 * const wrong = Nx.defn((t: Nx.Tensor) => Nx.tensor([t.sum().item()]));
 * wrong(Nx.tensor([1, 2]));
 * // throws DefnError: Nx.item: reading data needs the values of the tensor s64[]
 * ```
 */
export function defn<F extends (...args: never[]) => unknown>(fn: F, options?: DefnOptions): F {
  return jitFor(givenTo("Nx.defn", fn), fn, options);
}

/** A function that is traced when it is called, as messages of `owner`. */
export function jitFor<F extends (...args: never[]) => unknown>(owner: Owner, fn: F, options?: DefnOptions): F {
  if (typeof fn !== "function") throw noFunction(owner.api, fn);
  const settings = readSettings(owner, options);
  const cache = new SignatureCache();
  const wrapped = (...args: unknown[]): unknown => {
    if (tracingBackend() === exprBackend) return inline(fn, args, settings);
    const call = flattenCall(args, settings);
    const compiler = settings.compiler();
    const known = cache.find(call, compiler, settings.promotion());
    const entry = known ?? cache.add(compiled(fn, settings, call), settings.maxCacheEntries());
    return runCompiled(entry, call, () => compiled(fn, settings, call));
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
 * //   u8[x: 1]
 * //   [3]
 * // >
 * Nx.Defn.jit((a: Nx.Tensor) => a, { compiler: "fast" as never });
 * // throws ArgumentError: option compiler of Nx.Defn.jit must be one of "evaluator", "optimizing", got: "fast"
 * ```
 */
export function jit<F extends (...args: never[]) => unknown>(fn: F, options?: DefnOptions): F {
  return jitFor(givenTo("Nx.Defn.jit", fn), fn, options);
}

/**
 * Traces and compiles a function and calls it: `Nx.Defn.jit(fn, options)(...args)`. Nothing is kept; a function that is called
 * again should be made by {@link jit} once.
 *
 * @param fn - as for {@link defn}
 * @param args - the arguments
 * @param options - as for {@link defn}
 * @returns what the function returns
 * @throws DefnError and ArgumentError as {@link defn} does
 * @example
 * ```ts
 * Nx.Defn.jitApply((a: Nx.Tensor, b: Nx.Tensor) => a.dot(b), [Nx.f32([1, 2]), Nx.f32([3, 4])]);
 * // => #Nx.Tensor<
 * //   f32
 * //   11.0
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Defn.jitApply((a: Nx.Tensor) => a, Nx.f32([1]) as never);
 * // throws ArgumentError: Nx.Defn.jitApply expects a list of arguments, got
 * ```
 */
export function jitApply<A extends readonly unknown[], R>(fn: (...args: A) => R, args: A, options?: DefnOptions): R {
  const name = "Nx.Defn.jitApply";
  checkArguments(name, args);
  return jitFor(givenTo(name, fn), fn, options)(...args);
}

function checkArguments(name: string, args: unknown): void {
  if (Array.isArray(args)) return;
  throw new ArgumentError(`${name} expects a list of arguments, got: ${show(args)}`);
}

/**
 * Traces and compiles a function ahead of time, for arguments like the ones given.
 *
 * Templates may have names of dimensions in place of sizes: `Nx.template(["batch", 3], "f32")`. The function then runs at any
 * size, which must be the same wherever the name occurs. It is traced with sizes made up (primes from 5 on, and where these do
 * not fit, multiples of 12 from 24 on), so that mistakes show at once, and once for each combination of sizes it is called
 * with, of which the last `maxCacheEntries` are kept; kernels are compiled without sizes, so that new ones cost little.
 *
 * @param fn - as for {@link defn}
 * @param templates - an argument for each parameter: templates (`Nx.template`) or tensors, numbers, containers of them, and
 *   whatever is static
 * @param options - as for {@link defn}
 * @returns a function that takes arguments of these types, shapes, names and statics only, and never traces again, except
 *   for sizes that are names, and for numbers of other types or more bits than those given: once for each kind
 * @throws DefnError as {@link defn} does; the function returned raises an ArgumentError for other arguments
 * @example
 * ```ts
 * const norm = Nx.Defn.compile((t: Nx.Tensor) => t.multiply(t).sum().sqrt(), [Nx.template([2], "f32", { names: ["x"] })]);
 * norm(Nx.f32([3, 4], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32
 * //   5.0
 * // >
 * norm(Nx.f32([1, 2, 3]));
 * // throws ArgumentError: a compiled function was called with f32[3], but it was compiled for f32[x: 2]
 * ```
 * @example
 * ```ts
 * Nx.Defn.compile((t: Nx.Tensor) => t, Nx.template([2], "f32") as never);
 * // throws ArgumentError: Nx.Defn.compile expects a list of arguments, got
 * ```
 * @example
 * ```ts
 * const centred = Nx.Defn.compile(
 *   (rows: Nx.Tensor, weights: Nx.Tensor) => rows.subtract(Nx.weightedMean(rows, weights, { axes: [0] })),
 *   [Nx.template(["batch", 2], "f32"), Nx.template(["batch"], "f32")],
 * );
 * centred(Nx.f32([[1, 2], [3, 6]]), Nx.f32([1, 1]));
 * // => #Nx.Tensor<
 * //   f32[2][2]
 * //   [
 * //     [-1.0, -2.0],
 * //     [1.0, 2.0]
 * //   ]
 * // >
 * centred(Nx.f32([[1, 2], [3, 6], [5, 7]]), Nx.f32([1, 1]));
 * // throws ArgumentError: "batch" is 3 in argument 0 but 2 in argument 1 (axis 0 of f32[batch], got f32[2])
 * ```
 */
export function compile<A extends readonly unknown[], R>(
  fn: (...args: A) => R,
  templates: A,
  options?: DefnOptions,
): (...args: A) => R;
export function compile<A extends readonly unknown[], R>(
  fn: (...args: A) => R,
  templates: Templates<A>,
  options?: DefnOptions,
): (...args: A) => R;
export function compile<A extends readonly unknown[], R>(
  fn: (...args: A) => R,
  templates: A | Templates<A>,
  options?: DefnOptions,
): (...args: A) => R {
  const name = "Nx.Defn.compile";
  if (typeof fn !== "function") throw noFunction(name, fn);
  checkArguments(name, templates);
  const settings = readSettings(givenTo(name, fn), options);
  const given = expanded(templates, name, settings.staticArgs);
  const run = (compiledForAnySize(fn as AnyFunction, given, settings) ??
    compiledFor(fn as AnyFunction, given, settings)) as unknown as (...args: A) => R;
  const float = defaultFloat(); // that of all calls
  return (...args: A): R => underFloatType(float, () => run(...args));
}

/** The function for templates with sizes; numbers of another class than those given are traced once for their class. */
function compiledFor(fn: AnyFunction, templates: readonly unknown[], given: Settings) {
  const settings = pinned(given);
  const entry = compiled(fn, settings, flattenCall(templates, settings));
  const others = new SignatureCache();
  const entryOf = (call: Call): Compiled => {
    const known = others.find(call, entry.compiler, entry.promotion);
    return known ?? others.add(compiled(fn, settings, call), settings.maxCacheEntries());
  };
  return (...args: unknown[]): unknown => {
    const call = flattenCall(args, settings);
    const isSame = sameSignature(call, entry.signature);
    if (!isSame && !sameButNumbers(call, entry.signature))
      throw otherSignature(call, describeSignature(entry.signature));
    if (tracingBackend() === exprBackend) return inline(fn, call.args, settings);
    return runCompiled(isSame ? entry : entryOf(call), call, () => compiled(fn, settings, call));
  };
}

/** Settings as they are now, of a function that is compiled ahead of its calls. */
function pinned(settings: Settings): Settings {
  const [compiler, promotion] = [settings.compiler(), settings.promotion()];
  return { ...settings, compiler: () => compiler, promotion: () => promotion, mayBeLate: false };
}

/** The function for templates some of whose sizes are names; null where none is. */
function compiledForAnySize(fn: AnyFunction, templates: readonly unknown[], given: Settings) {
  const pattern = symbolicPattern(templates, given);
  if (pattern === null) return null;
  const settings = pinned(given);
  const [compiler, promotion] = [settings.compiler(), settings.promotion()];
  probed(pattern, (args) => traced(fn, args, settings));
  const cache = new SignatureCache();
  return (...args: unknown[]): unknown => {
    const call = flattenCall(args, settings);
    const isTracing = tracingBackend() === exprBackend;
    const known = isTracing ? undefined : cache.find(call, compiler, promotion);
    if (known) return runCompiled(known, call, () => compiled(fn, settings, call));
    const bindings = checkPattern(pattern, call);
    if (bindings === null) throw otherSignature(call, pattern.text, true);
    if (isTracing) return namingSizes(pattern, bindings, () => inline(fn, call.args, settings));
    const made = namingSizes(pattern, bindings, () => compiled(fn, settings, call));
    const entry = cache.add(made, settings.maxCacheEntries());
    return runCompiled(entry, call, () => compiled(fn, settings, call));
  };
}

function otherSignature(call: Call, expected: string, isStructure = false): ArgumentError {
  const got = describeSignature(call);
  const besides = isStructure || got === expected ? "; containers, static arguments or their number differ" : "";
  return new ArgumentError(
    `a compiled function was called with ${got}, but it was compiled for ${expected}${besides}; compile it for these ` +
      `arguments too, or use Nx.defn, which does so when it is called`,
  );
}

type AnyFunction = (...args: never[]) => unknown;

const noFunction = (api: string, fn: unknown): ArgumentError =>
  new ArgumentError(`${api} expects a function of tensors, got: ${show(fn)}`);

/** A function traced and compiled for a call. */
export function compiled(fn: AnyFunction, settings: Settings, call: Call): Compiled {
  const { probe } = profiling;
  if (probe === null) return compiledNow(fn, settings, call);
  return probe.measured(compiledNow.bind(null, fn, settings, call), () => COMPILING);
}

const COMPILING = { operation: "trace and compile", calls: 0, kernels: 0, bytes: 0 };

function compiledNow(fn: AnyFunction, settings: Settings, call: Call): Compiled {
  const compiler = settings.compiler();
  const promotion = settings.promotion();
  const { graph, rebuild, sources, checks } = traced(fn, call.args, settings);
  checkClosed(graph, settings);
  const { mayBeLate } = settings;
  const executable = COMPILERS[compiler](graph, { donated: donatedTo(sources, call), mayBeLate });
  const defaults = defaultTypes();
  return { signature: signatureOf(call), compiler, promotion, defaults, executable, rebuild, inputs: sources, checks };
}

/** Refuses a graph that reads tensors of a trace that is still open: the graph will run when the trace has ended. */
function checkClosed(graph: Graph, { api, owner }: Settings): void {
  if (!isTraceOpen()) return;
  const foreign = orderOf(graph).find(({ kind, scope }) => kind === "parameter" && scope?.isOpen);
  if (!foreign) return;
  throw new DefnError(
    `${nameOfOwner(owner)} reads a traced tensor of ${nameOfOwner(foreign.scope!.owner)}, within which ${api} was called: ` +
      `give it as an argument, or call ${api} outside`,
  );
}

/** The graph of a function, traced with the hooks and the promotion of its settings. */
function traced(fn: AnyFunction, args: readonly unknown[], settings: Settings): Trace {
  const { hooks, promotion, staticArgs, owner } = settings;
  const once = (): Trace => trace(fn, args, staticArgs, owner);
  return underPromotion(promotion(), hooks === undefined ? once : () => withHooks(hooks, once));
}

/**
 * Runs what was compiled on the tensors of a call; `again` traces the call once more, to explain an error, or for a profile where the
 * function is the program's own.
 */
export function runCompiled(
  { executable, rebuild, inputs, checks }: Compiled,
  call: Call,
  again: () => Compiled,
  isUsers = true,
): unknown {
  const { tensors } = call;
  for (const { leaf, check } of checks) check(tensors[leaf] as PlainNumber);
  const donated = donatedTo(inputs, call);
  const given: Tensor[] = [];
  const isNeeded = (): boolean => isRead(executable.graph, given.length);
  for (const input of inputs) {
    const tensor = tensors[input.leaf]!;
    given.push(tensor instanceof Tensor ? tensor : madeFor(input, tensor, isNeeded));
  }
  if (call.isDonating) checkDonated(call);
  const isLined = isUsers && profiling.probe !== null;
  const runnable = isLined ? withLines(executable, () => again().executable) : executable;
  const results = runLocated(runnable, given, donated, again);
  for (let i = 0; i < donated.length; i++) if (donated[i]) given[i]!.backend.deallocate(given[i]!);
  return rebuild(results);
}

function runLocated(
  executable: Executable,
  given: readonly Tensor[],
  donated: readonly boolean[],
  again: () => Compiled,
): Tensor[] {
  try {
    return executable.run(given, donated);
  } catch (error) {
    throw located(error, () => again().executable.plan);
  }
}

/** Whether a graph reads a parameter. */
const isRead = (graph: Graph, index: number): boolean => orderOf(graph).includes(graph.parameters[index]!);

/** The tensor of a number in the type of a parameter, or that of a lazy entry. */
function madeFor({ type }: Source, leaf: LazyTensor | PlainNumber, isNeeded: () => boolean): Tensor {
  if (!(leaf instanceof LazyTensor)) return constant(leaf, type!);
  const { template } = leaf;
  return isNeeded() ? materialised(leaf) : templateTensor(template.type, template.shape, template.names);
}

function checkDonated({ tensors, donated }: Call): void {
  if (tensors.every((tensor, i) => !donated[i] || tensors.indexOf(tensor) === tensors.lastIndexOf(tensor))) return;
  throw new ArgumentError(
    `a tensor that is donated was given twice: its memory is released by the call, so it must occur once among the arguments`,
  );
}

/**
 * A defn called inside another one becomes part of its graph; numbers become tensors that stay weak, as they would outside, and
 * lazy entries are made.
 */
function inline(fn: AnyFunction, args: readonly unknown[], { api, staticArgs, hooks, promotion }: Settings): unknown {
  const tensorOf = (leaf: unknown) =>
    isPlainNumber(leaf) ? weakTensor(leaf) : leaf instanceof LazyTensor ? materialised(leaf) : leaf;
  const tensors = args.map((arg, i) => (staticArgs.has(i) ? arg : mapArgument(arg, api, tensorOf)));
  const result = underPromotion(promotion(), () => withHooks(hooks, () => fn(...(tensors as never[]))));
  return mapContainer(result, (leaf) => (isWeak(leaf) ? asTensor(leaf, api) : leaf));
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
  const name = "Nx.Defn.debugExpr";
  if (typeof fn !== "function") throw noFunction(name, fn);
  checkOptions(name, options, ["compiler"]);
  const compiler = wordOption(name, "compiler", options?.compiler, COMPILER_NAMES, "evaluator");
  return (...args: A) => {
    const { graph } = trace(fn as AnyFunction, expanded(args, name, new Set()), new Set(), givenTo(name, fn));
    const text = printGraph(COMPILERS[compiler](graph).graph);
    return { toString: () => text, [Symbol.for("nodejs.util.inspect.custom")]: () => text };
  };
}
