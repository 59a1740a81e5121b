/**
 * A function of tensors, run by onnxruntime.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, BackendError, type AsyncDisposing, type Tensor, type Templates } from "nx-numerics";
import { toOnnx, type OnnxModel } from "nx-numerics/onnx";
import { findEngine, messageOf, type Engine, type EngineSession, type EngineTensor } from "./engine";
import { keyOf, operandsOf, placesOf, replaced, withoutData, type Place } from "./places";
import { fromEngine, toEngine } from "./tensors";

/** Options of {@link onnxruntime}. */
export interface OnnxruntimeOptions {
  /** The package that runs the model: `onnxruntime-node` by default, which is in Node only. */
  readonly engine?: Engine;
  /** Execution providers in the order in which they are tried, such as `["cuda", "cpu"]`; the engine's choice by default. */
  readonly providers?: readonly (string | { readonly name: string })[];
  /** Threads of a call; the engine's choice by default. `onnxruntime-web` keeps the number of its first model. */
  readonly threads?: number;
  /** Whether further operations meet the differences of onnxruntime that are known; true by default, see `toOnnx`. */
  readonly strict?: boolean;
  /** The version of the operators, see `toOnnx`. */
  readonly opset?: number;
  /** Further options of `InferenceSession.create`, which go before the ones made here. */
  readonly session?: Readonly<Record<string, unknown>>;
}

/** A function that onnxruntime runs. */
export interface OnnxruntimeFunction<A extends readonly unknown[], R> extends AsyncDisposing {
  (...args: A): Promise<R>;
  /** The model, as `toOnnx` of `nx-numerics/onnx` made it, with `notes` on where results may differ. */
  readonly model: OnnxModel;
  /** Releases what the engine holds. Later calls are errors, earlier calls are answered. */
  dispose(): Promise<void>;
}

const { leaves } = Nx.Defn.Composite;

const OPTIONS = ["engine", "providers", "threads", "strict", "opset", "session"];

/**
 * Compiles a function for onnxruntime: it is exported to ONNX once, and every call is run by the engine, on the processor or what its
 * execution providers reach. Products and convolutions are several times as fast as here; element-wise work is slower, as elements are copied
 * there and back.
 *
 * Results are not those of the library bit for bit: the engine rounds in other places, and `model.notes` says what else differs. Types that
 * onnxruntime has no tensors of cross as others (`bf16` as `f32`) or are errors (complex numbers).
 *
 * @param fn - as for `Nx.defn`
 * @param templates - as for `Nx.Defn.compile`: a template, tensor or number for each argument, or a container of them; sizes may be names
 * @param options - `engine`: the module `onnxruntime-node` (by default, in Node) or `onnxruntime-web`; `providers`; `threads`; `strict`; `opset`;
 *   `session`: further options of the engine's session
 * @returns an asynchronous function of the same arguments and results, with `model` and `dispose`
 * @throws ArgumentError for what `toOnnx` cannot export, wrong options, and arguments of other types and shapes than the templates';
 *   BackendError where the engine is not there, refuses the model or fails
 * @example
 * ```ts
 * import { onnxruntime } from "nx-numerics/onnxruntime";
 * // in place of a package: it gives back what it is given
 * class Session {
 *   run = async (feeds: Record<string, Echo>) => ({ output0: feeds.input0! });
 *   release = async () => undefined;
 * }
 * class Echo {
 *   constructor(readonly type: string, readonly data: unknown, readonly dims: readonly number[]) {}
 *   getData = async () => this.data;
 *   dispose() {}
 * }
 * const engine = { InferenceSession: { create: async () => new Session() }, Tensor: Echo };
 * const same = await onnxruntime((t: Nx.Tensor) => t.add(0), [Nx.template(["n"], "f32", { names: ["x"] })], { engine });
 * await same(Nx.f32([1, 2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.0, 2.0]
 * // >
 * await same(Nx.f64([1, 2]));
 * // throws ArgumentError: a function of onnxruntime was called with f64[2] at argument 0, but it was compiled for f32[x: n]
 * await same.dispose();
 * await same(Nx.f32([1, 2]));
 * // throws BackendError: a function of onnxruntime was called after it was disposed
 * ```
 */
export async function onnxruntime<A extends readonly unknown[], R>(
  fn: (...args: A) => R,
  templates: A | Templates<A>,
  options: OnnxruntimeOptions = {},
): Promise<OnnxruntimeFunction<A, Awaited<R>>> {
  checkOptions(options);
  if (typeof fn !== "function") throw new ArgumentError(`onnxruntime expects a function of tensors, got: ${typeof fn}`);
  if (!Array.isArray(templates))
    throw new ArgumentError(`onnxruntime expects a list of arguments, got: ${typeof templates}`);
  const exported = exportOf(fn as AnyFunction, templates, options);
  const engine = await findEngine(options.engine);
  const session = await open(engine, exported.model.bytes, options);
  return functionOf<A, Awaited<R>>(engine, session, exported);
}

type AnyFunction = (...args: readonly unknown[]) => unknown;

/** A model and what its inputs and outputs stand for. */
interface Exported {
  readonly model: OnnxModel;
  readonly places: readonly Place[];
  /** For each input of the model the number of its place: a plain number is an input in each type that it is used in. */
  readonly feeds: readonly number[];
  /** What the function returns, as templates. */
  readonly result: unknown;
}

function exportOf(fn: AnyFunction, templates: readonly unknown[], { strict, opset }: OnnxruntimeOptions): Exported {
  const places = placesOf(templates);
  let result: unknown;
  const traced = (...args: readonly unknown[]): unknown => {
    const value = fn(...args);
    result = withoutData(value);
    return value;
  };
  const settings = { ...(strict === undefined ? {} : { strict }), ...(opset === undefined ? {} : { opset }) };
  const model = toOnnx(traced as never, templates as never, { ...settings, boundary: { bf16: "f32" } });
  const keys = places.map(({ path }) => keyOf(path));
  const { inputs } = Nx.Defn.toGraph(traced as never, templates as never);
  return { model, places, feeds: inputs.map(({ path }) => keys.indexOf(keyOf(path))), result };
}

async function open(engine: Engine, bytes: Uint8Array, options: OnnxruntimeOptions): Promise<EngineSession> {
  const { providers, threads, session } = options;
  const { wasm } = (engine.env ?? {}) as { readonly wasm?: { numThreads?: number } };
  if (threads !== undefined && wasm !== undefined) wasm.numThreads = threads;
  try {
    return (await engine.InferenceSession.create(bytes, {
      ...(providers === undefined ? {} : { executionProviders: providers }),
      ...(threads === undefined ? {} : { intraOpNumThreads: threads, interOpNumThreads: 1 }),
      ...session,
    })) as EngineSession;
  } catch (error) {
    throw new BackendError(`onnxruntime does not take the model: ${messageOf(error)}`);
  }
}

function functionOf<A extends readonly unknown[], R>(
  engine: Engine,
  session: EngineSession,
  { model, places, feeds, result }: Exported,
): OnnxruntimeFunction<A, R> {
  let isDisposed = false;
  let last: Promise<unknown> = Promise.resolve();
  const run = async (operands: readonly Nx.Operand[]): Promise<unknown> => {
    const inputs = model.inputs.map(
      ({ name, type }, i) => [name, toEngine(engine, inType(operands[feeds[i]!]!, type))] as const,
    );
    const given = await running(session, Object.fromEntries(inputs));
    const types = leaves(result);
    const read = ({ name, type }: OnnxModel["outputs"][number], i: number): Promise<Tensor> =>
      fromEngine(given[name]!, type, types[i]!.type, types[i]!.names);
    return replaced(result, await Promise.all(model.outputs.map(read)));
  };
  const call = async (...args: A): Promise<unknown> => {
    if (isDisposed) throw new BackendError("a function of onnxruntime was called after it was disposed");
    const operands = operandsOf(args, places);
    const answer = last.then(() => run(operands)); // one after the other, as engines in WebAssembly must
    last = answer.catch(() => undefined);
    return answer;
  };
  const dispose = async (): Promise<void> => {
    if (isDisposed) return;
    isDisposed = true;
    await last;
    await session.release();
  };
  const { asyncDispose } = Symbol as { readonly asyncDispose?: symbol };
  const disposing = asyncDispose === undefined ? {} : { [asyncDispose]: dispose };
  return Object.freeze(Object.assign(call, { model, dispose }, disposing)) as unknown as OnnxruntimeFunction<A, R>;
}

const inType = (operand: Nx.Operand, type: Nx.DType): Tensor =>
  operand instanceof Nx.Tensor ? operand.asType(type) : Nx.tensor(operand as number, { type });

async function running(
  session: EngineSession,
  feeds: Readonly<Record<string, EngineTensor>>,
): Promise<Readonly<Record<string, EngineTensor>>> {
  try {
    return await session.run(feeds);
  } catch (error) {
    throw new BackendError(`onnxruntime failed: ${messageOf(error)}`);
  }
}

const textOf = (value: unknown): string => (typeof value === "object" && value !== null ? "an object" : String(value));

function checkOptions(options: OnnxruntimeOptions): void {
  const isObject = typeof options === "object" && options !== null;
  const unknown = isObject ? Object.keys(options).find((key) => !OPTIONS.includes(key)) : textOf(options);
  if (unknown !== undefined)
    throw new ArgumentError(`onnxruntime takes the options ${OPTIONS.join(", ")}, got: ${unknown}`);
  const { providers, threads } = options;
  if (providers !== undefined && (!Array.isArray(providers) || providers.length === 0)) {
    throw new ArgumentError(
      `option providers of onnxruntime must be a list such as ["cuda", "cpu"], got: ${textOf(providers)}`,
    );
  }
  if (threads !== undefined && !(Number.isInteger(threads) && threads > 0)) {
    throw new ArgumentError(`option threads of onnxruntime must be an integer of at least 1, got: ${textOf(threads)}`);
  }
}
