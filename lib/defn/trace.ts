/**
 * From a call to a graph: the arguments are split into parameters (tensors and numbers anywhere in containers) and
 * statics (all else), the function is run on traced tensors, its result is flattened.
 */
import { is, type List, type Map as ImmutableMap, type OrderedMap } from "immutable";
import type { Template } from "../backend";
import { runTracing } from "../backends/registry";
import { containerKind, entriesOf, formatPath, mapContainer } from "../container";
import { Complex } from "../core/complex";
import { DefnError, show } from "../core/errors";
import type { Names } from "../core/shape";
import type { Scalar } from "../core/types";
import { asTensor } from "../nx/dispatch";
import { Tensor } from "../tensor";
import { exprBackend, nodeOf, traced } from "./expr";
import { parameterNode, type Graph } from "./graph";

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
      : T extends List<infer V>
        ? List<Tensors<V, Keep>>
        : T extends OrderedMap<infer K, infer V>
          ? OrderedMap<K, Tensors<V, Keep>>
          : T extends ImmutableMap<infer K, infer V>
            ? ImmutableMap<K, Tensors<V, Keep>>
            : { [K in keyof T]: Tensors<T[K], Keep> };

/** The arguments of one call, taken apart. */
export interface Call {
  /** Types, shapes, names and container kinds of all arguments as text. */
  readonly signature: string;
  /** Values that are part of the key: strings, booleans, functions, whatever is not a number or tensor. */
  readonly statics: readonly unknown[];
  /** Tensors and numbers in order. */
  readonly tensors: readonly Tensor[];
}

/** A function traced for one signature. */
export interface Trace {
  readonly graph: Graph;
  /** Puts flat results back into the container the function returned. */
  readonly rebuild: (outputs: readonly Tensor[]) => unknown;
}

/** Whether a leaf of an argument is computed with: a tensor or a number. */
export const isParameter = (leaf: unknown): leaf is Tensor | number | bigint | Complex =>
  leaf instanceof Tensor || typeof leaf === "number" || typeof leaf === "bigint" || leaf instanceof Complex;

/** Takes a call's arguments apart; arguments at `staticArgs` are static as a whole. */
export function takeApart(args: readonly unknown[], staticArgs: ReadonlySet<number>): Call {
  const parts: string[] = [];
  const statics: unknown[] = [];
  const tensors: Tensor[] = [];
  const leaf = (value: unknown) => {
    if (!isParameter(value)) {
      statics.push(value);
      parts.push("static");
      return;
    }
    const tensor = asTensor(value, "defn");
    const wrapped = tensor.backend.unwrap?.(tensor);
    tensors.push(wrapped?.inner ?? tensor);
    parts.push(templateKey(tensor));
    if (wrapped) parts.push(wrapped.key);
  };
  args.forEach((arg, i) => {
    if (arg instanceof Tensor) return leaf(arg);
    if (!staticArgs.has(i)) return walk(arg, leaf, parts);
    statics.push(arg);
    parts.push("static");
  });
  return { signature: parts.join(";"), statics, tensors };
}

/** Visits the leaves of an argument, writing the kinds and keys of its containers into the signature. */
function walk(value: unknown, leaf: (value: unknown) => void, parts: string[]): void {
  const kind = containerKind(value);
  if (kind === null) return leaf(value);
  parts.push(`${kind}(`);
  for (const [key, child] of entriesOf(value)) {
    parts.push(JSON.stringify(key));
    walk(child, leaf, parts);
  }
  parts.push(")");
}

function templateKey({ type, shape, names }: Template): string {
  let key = `${type}[${shape.join(",")}]`;
  for (let i = 0; i < names.length; i++) if (names[i] !== null) key += `${i}:${JSON.stringify(names[i])}`;
  return key;
}

/** Whether the statics of two calls are the same values. */
export function sameStatics(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, i) => is(value, b[i]));
}

const asIs = (tensor: Tensor): Tensor => tensor;

/** The tensor that is traced for a given one: the one it wraps, or itself. */
export function unwrapped(tensor: Tensor): { readonly inner: Tensor; readonly wrap: (inner: Tensor) => Tensor } {
  return tensor.backend.unwrap?.(tensor) ?? { inner: tensor, wrap: asIs };
}

/** Traces a function for the arguments of a call. */
export function trace(
  fn: (...args: never[]) => unknown,
  args: readonly unknown[],
  staticArgs: ReadonlySet<number>,
): Trace {
  const parameters: ReturnType<typeof parameterNode>[] = [];
  const parameter = (value: unknown): unknown => {
    if (!isParameter(value)) return value;
    const { inner, wrap } = unwrapped(asTensor(value, "defn"));
    const { type, shape, names } = inner;
    const node = parameterNode({ type, shape, names }, parameters.length);
    parameters.push(node);
    return wrap(traced(node));
  };
  const tracedArgs = args.map((arg, i) => (staticArgs.has(i) ? arg : mapContainer(arg, parameter)));
  const result = runTracing(exprBackend, () => flattenResult(fn(...(tracedArgs as never[])), fn.name));
  return { graph: { parameters, outputs: result.tensors.map(nodeOf), free: 0 }, rebuild: result.rebuild };
}

function flattenResult(result: unknown, name: string): { tensors: Tensor[]; rebuild: Trace["rebuild"] } {
  const tensors: Tensor[] = [];
  const wraps: ((inner: Tensor) => Tensor)[] = [];
  mapContainer(result, (leaf, path) => {
    const where = `${name || "the function"}${formatPath(path) && ` at ${formatPath(path)}`}`;
    const { inner, wrap } = unwrapped(resultTensor(leaf, where));
    tensors.push(inner);
    wraps.push(wrap);
  });
  const rebuild = (outputs: readonly Tensor[]) => {
    let next = 0;
    return mapContainer(result, () => wraps[next]!(outputs[next++]!));
  };
  return { tensors, rebuild };
}

function resultTensor(leaf: unknown, where: string): Tensor {
  if (isParameter(leaf) || typeof leaf === "boolean") return asTensor(leaf, "defn");
  const hint =
    leaf === undefined ? "; is a return missing?" : leaf instanceof Promise ? "; a defn function cannot be async" : "";
  throw new DefnError(
    `a function given to defn must return tensors, numbers or containers of them, but ${where} returned ${show(leaf)}${hint}`,
  );
}
