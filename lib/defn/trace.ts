/**
 * From a call to a graph: the tensors and numbers anywhere in the arguments become parameters, the function is run on traced
 * tensors, its result is flattened.
 */
import type { InFront, Known, PlaceOf, Without } from "../core/axis-types";
import type { Template } from "../backend";
import {
  containerKind,
  formatPath,
  mapContainer,
  type Collection,
  type CustomContainer,
  type Recollected,
} from "../container";
import { SymbolicTemplate, symbolicUsed } from "../core/dims";
import { ArgumentError, DefnError, show } from "../core/errors";
import { unnamed } from "../core/names";
import { SCALAR_SHAPE, type Names } from "../core/shape";
import type { DType, Scalar } from "../core/types";
import { asTensor, run, template } from "../nx/dispatch";
import { Tensor } from "../tensor";
import { nodeFor, traced, tracing } from "./expr";
import { parameterNode, rootsOf, topological, type Graph, type Node, type ParameterNode } from "./graph";
import { LazyTensor } from "./lazy";
import { isPlainNumber, tracedNumber, type NumberCheck } from "./numbers";
import { givenTo, inScope, type Owner, type TraceScope } from "./scope";
import { isParameter, type Call } from "./signature";
import { unwrapped } from "./wrapping";

/**
 * A container with a tensor in place of each tensor or number: what a traced function sees, and what a gradient is.
 * `Keep` says whether tensors have the axis names of their counterparts.
 */
export type Tensors<T, Keep extends boolean = true> =
  T extends Tensor<infer N>
    ? [Keep, Names] extends [true, infer M]
      ? M extends N
        ? Tensor
        : Tensor<N>
      : Tensor
    : T extends Scalar
      ? Tensor<readonly []>
      : T extends Collection<infer V>
        ? Recollected<T, V, Tensors<V, Keep>>
        : T extends CustomContainer
          ? T
          : T extends readonly unknown[]
            ? { -readonly [K in keyof T]: Tensors<T[K], Keep> }
            : { [K in keyof T]: Tensors<T[K], Keep> };

/** A container with an entry of each tensor along the axis `A` in place of it. */
export type Entries<T, A> =
  T extends Tensor<infer N>
    ? Tensor<Without<N, A>>
    : T extends Collection<infer V>
      ? Recollected<T, V, Entries<V, A>>
      : T extends CustomContainer
        ? T
        : T extends readonly unknown[]
          ? { -readonly [K in keyof T]: Entries<T[K], A> }
          : { [K in keyof T]: Entries<T[K], A> };

/** A container with tensors that have an axis called `M` in front in place of each tensor or number. */
export type Stacked<T, M> =
  T extends Tensor<infer N>
    ? Tensor<InFront<N, M>>
    : T extends Scalar
      ? Tensor<InFront<readonly [], M>>
      : T extends Collection<infer V>
        ? Recollected<T, V, Stacked<V, M>>
        : T extends CustomContainer
          ? T
          : { [K in keyof T]: Stacked<T[K], M> };

/** The names of the axis `A` of the tensors in a container; `string` where they are not known. */
export type AxisNames<T, A> = unknown extends T
  ? string
  : T extends Tensor<infer N>
    ? PlaceOf<N, A> extends infer P extends keyof N
      ? Known<N> extends true
        ? N[P]
        : string
      : string
    : T extends Scalar
      ? never
      : T extends readonly (infer E)[]
        ? AxisNames<E, A>
        : T extends Collection<unknown> | CustomContainer
          ? string
          : T extends object
            ? AxisNames<T[keyof T], A>
            : never;

/** A function traced for one signature. */
export interface Trace {
  readonly graph: Graph;
  /** Puts flat results back into the container the function returned. */
  readonly rebuild: (outputs: readonly Tensor[]) => unknown;
  /** Where the value of each parameter of the graph comes from. */
  readonly sources: readonly Source[];
  /** What strict promotion has to ask of the numbers of each call. */
  readonly checks: readonly { readonly leaf: number; readonly check: NumberCheck }[];
}

/** The leaf of the arguments that a parameter of a graph is; of a number the type, too. */
export interface Source {
  readonly leaf: number;
  readonly type: DType | null;
}

/** Traces a function for the arguments of a call. */
export function trace(
  fn: (...args: never[]) => unknown,
  args: readonly unknown[],
  staticArgs: ReadonlySet<number>,
  owner: Owner = givenTo("Nx.defn", fn),
): Trace {
  return inScope(owner, (scope) => traceWithin(scope, fn, args, staticArgs));
}

function traceWithin(
  scope: TraceScope,
  fn: (...args: never[]) => unknown,
  args: readonly unknown[],
  staticArgs: ReadonlySet<number>,
): Trace {
  const { owner } = scope;
  const found: { node: ParameterNode; source: Source }[] = [];
  const checks: { leaf: number; check: NumberCheck }[] = [];
  let leaves = 0;
  const parameterOf = ({ type, shape, names }: Template, source: Source): Tensor => {
    const node = parameterNode({ type, shape, names }, source.leaf, scope);
    found.push({ node, source });
    return traced(node);
  };
  const parameter = (value: unknown): unknown => {
    if (value instanceof SymbolicTemplate) throw symbolicUsed(value, "a traced function");
    if (!isParameter(value)) return value;
    const leaf = leaves++;
    if (isPlainNumber(value)) {
      const as = (type: DType) => parameterOf(template(type, SCALAR_SHAPE, unnamed(0)), { leaf, type });
      return tracedNumber(value, as, (check) => checks.push({ leaf, check }));
    }
    const lazy = value instanceof LazyTensor;
    const { inner, wrap } = lazy
      ? { inner: value.template, wrap: (tensor: Tensor) => tensor }
      : unwrapped(asTensor(value, owner.api));
    return wrap(parameterOf(inner, { leaf, type: null }));
  };
  const tracedArgs = args.map((arg, i) => (staticArgs.has(i) ? arg : mapContainer(arg, parameter)));
  const { result, effects } = tracing(() => flattenResult(called(fn, tracedArgs, owner, args), owner));
  const outputs = result.nodes;
  const parameters: ParameterNode[] = [];
  const sources: Source[] = [];
  for (const { node, source } of read(found, rootsOf({ effects, outputs }))) {
    parameters.push(node);
    sources.push(source);
  }
  return { graph: { parameters, outputs, effects, free: 0 }, rebuild: result.rebuild, sources, checks };
}

/** Parameters in the order of their leaves, except numbers in types that no node reads. */
function read<P extends { node: ParameterNode; source: Source }>(found: P[], roots: readonly Node[]): P[] {
  // tensors are met in order, numbers in the types that they are used in
  if (!hasNumbers(found)) return found;
  const met = new Set<Node>(topological(roots));
  const kept = found.filter(({ node, source }) => source.type === null || met.has(node));
  return kept.sort((a, b) => a.source.leaf - b.source.leaf);
}

function hasNumbers(found: readonly { readonly source: Source }[]): boolean {
  for (const { source } of found) if (source.type !== null) return true;
  return false;
}

/** Calls the function; errors that come of its being traced say so. */
function called(
  fn: (...args: never[]) => unknown,
  tracedArgs: readonly unknown[],
  owner: Owner,
  given: readonly unknown[],
): unknown {
  try {
    return fn(...(tracedArgs as never[]));
  } catch (error) {
    if (error instanceof RangeError && /call stack|recursion/i.test(error.message)) throw endless(owner, error);
    throw (error instanceof Error && mistakenNumbers(error, given, owner)) || error;
  }
}

/** A function that calls itself goes on for ever: on traced tensors no condition ends it. */
function endless({ name, place }: Owner, cause: RangeError): DefnError {
  return new DefnError(
    `${name || place} calls itself without end while it is traced: a traced tensor has no value ` +
      `that could stop it. Loop with Nx.Defn.whileLoop or Nx.Defn.scan, choose with Nx.Defn.cond or Nx.select, or recur on ` +
      `plain numbers given by staticArgs`,
    { cause },
  );
}

/** Numbers of a list or of options are traced each on its own, which is not what was meant where a function fails on them. */
function mistakenNumbers(error: Error, given: readonly unknown[], { api }: Owner): ArgumentError | null {
  const fails = (arg: unknown) =>
    error instanceof TypeError
      ? Array.isArray(arg) && /is not a function/.test(error.message)
      : error instanceof ArgumentError && /\ba tensor \w+\[/.test(error.message);
  const at = given.findIndex((arg) => containerKind(arg) !== null && holdsNumbers(arg) && fails(arg));
  if (at < 0) return null;
  const hint = Array.isArray(given[at])
    ? `${api} was given a list of numbers as argument ${at}, each of which is a tensor of its own: pass ` +
      `Nx.tensor(${show(given[at])}) to ${api}${at > 0 ? ", or list the argument in staticArgs where it is no data" : ""}`
    : `${api} was given an object of numbers as argument ${at}, and numbers are tensors while a function is traced: where they ` +
      `are options list the argument in staticArgs, as in Nx.Defn.jit(fn, { staticArgs: [${at}] })`;
  return new ArgumentError(`${error.message}; ${hint}`, { cause: error });
}

/** Whether a container holds numbers, and no tensors. */
function holdsNumbers(container: unknown): boolean {
  let [numbers, tensors] = [0, 0];
  mapContainer(container, (leaf) => {
    if (leaf instanceof Tensor) tensors++;
    else if (isParameter(leaf)) numbers++;
  });
  return numbers > 0 && tensors === 0;
}

function flattenResult(result: unknown, owner: Owner): { nodes: Node[]; rebuild: Trace["rebuild"] } {
  const nodes: Node[] = [];
  const wraps: ((inner: Tensor) => Tensor)[] = [];
  mapContainer(result, (leaf, path) => {
    if (leaf === null && path.length > 0) return; // what `scan` gives beside the state where nothing is kept
    const place = path.length === 0 ? "" : ` at ${formatPath(path)}`;
    const where = `${owner.name || "the function"}${place}`;
    const tensor = resultTensor(leaf, where, owner);
    const { inner, wrap } = unwrapped(tensor);
    nodes.push(resultNode(inner, inner === tensor, `returned by ${where}`));
    wraps.push(wrap);
  });
  const rebuild = (outputs: readonly Tensor[]) => {
    let next = 0;
    return mapContainer(result, (leaf) => (leaf === null ? null : wraps[next]!(outputs[next++]!)));
  };
  return { nodes, rebuild };
}

/**
 * The node of a result; a further node where the names of the tensor and of its node differ, as after a devectorize. A wrapped
 * tensor has its names from the wrapper.
 */
function resultNode(tensor: Tensor, isBare: boolean, use: string): Node {
  const node = nodeFor(tensor, use);
  const { type, shape, names } = tensor;
  const isNamedAlike = !isBare || names === node.out.names || names.every((name, i) => name === node.out.names[i]);
  return isNamedAlike ? node : nodeFor(run("reshape", { type, shape, names }, [tensor], {}), use);
}

function resultTensor(leaf: unknown, where: string, { api }: Owner): Tensor {
  if (leaf instanceof Tensor) return leaf;
  if (isParameter(leaf) || typeof leaf === "boolean") return asTensor(leaf, api);
  const hint =
    leaf === undefined
      ? "; is a return missing?"
      : leaf instanceof Promise
        ? "; a traced function cannot be async"
        : "";
  throw new DefnError(
    `a function given to ${api} must return tensors, numbers or containers of them, but ${where} returned ${show(leaf)}${hint}`,
  );
}

const NOTHING: readonly boolean[] = Object.freeze([]);

/** Of each parameter of a graph, whether its tensor is given up by a call. */
export function donatedTo(sources: readonly Source[], { donated, isDonating }: Call): readonly boolean[] {
  return isDonating ? sources.map(({ leaf }) => donated[leaf]!) : NOTHING;
}
