/**
 * Variables of a differentiation: fresh tensors in place of the arguments, and gradients put in their places.
 */
import { formatPath, mapContainer } from "../../container";
import { ArgumentError, DefnError, show } from "../../core/errors";
import { checkOptions } from "../../core/options";
import type { Names } from "../../core/shape";
import { isComplex, toFloating, type DType } from "../../core/types";
import { asMaybeWeak, asTensor, cast, constant, run, template } from "../../nx/dispatch";
import { rename } from "../../nx/shape";
import { WeakTensor, type Tensor } from "../../tensor";
import { nodeOf, traced } from "../expr";
import { primitiveNode, type Node } from "../graph";
import { mapArgument } from "../lazy";
import { isParameter } from "../signature";
import { alike, innerOf, unwrapped, widened } from "../wrapping";
import { cotangentType, fitType } from "./core";

export type AnyFunction = (...args: never[]) => unknown;

/** A tensor with the same value and without dependencies. */
export function variable(value: Tensor): Tensor {
  const node = nodeOf(value);
  return traced(primitiveNode("reshape", node.out, [node], {}));
}

/**
 * A number without dependencies, with all its digits. Each use in a type has the number's value in the type, and its derivative goes
 * on to the variable.
 */
function weakVariable(value: WeakTensor): { readonly node: Node; readonly tensor: WeakTensor } {
  const exact = unwrapped(value.number.as(variableType(value)));
  const root = variable(exact.inner);
  const as = (type: DType): Tensor => {
    const { inner, wrap } = unwrapped(value.number.as(type));
    return wrap(standingFor(inner, root));
  };
  return { node: nodeOf(root), tensor: new WeakTensor(as(value.type), { ...value.number, as }) };
}

/** The type in which a tensor is differentiated with respect to; all digits of a number are needed. */
export function variableType(t: Tensor): DType {
  if (t instanceof WeakTensor) return isComplex(t.type) ? "c128" : "f64";
  return cotangentType(t.type);
}

/** A tensor with the value of `value` and the derivatives of `root`. */
function standingFor(value: Tensor, root: Tensor): Tensor {
  const backward = (g: Tensor) => [fitType(g, root.type)];
  return run("block", template(value.type, value.shape, value.names), [value, root], {
    name: "customGrad",
    options: { backward, type: cotangentType(value.type) },
    fn: (x) => x!,
  });
}

/** Variables in place of the tensors of an argument. */
export interface Variables {
  readonly nodes: readonly Node[];
  /** The tensors of the argument that the variables stand for. */
  readonly leaves: readonly Tensor[];
  /** The argument with the variables in it. */
  readonly arg: unknown;
}

/** The tensors of an argument as variables, and the container of them. */
function variables(arg: unknown, name: string): Variables {
  const nodes: Node[] = [];
  const leaves: Tensor[] = [];
  const replaced = mapContainer(arg, (leaf) => {
    if (!isParameter(leaf)) return leaf;
    const tensor = asMaybeWeak(leaf, name);
    if (tensor instanceof WeakTensor) {
      const { node, tensor: number } = weakVariable(tensor);
      leaves.push(tensor);
      nodes.push(node);
      return number;
    }
    const { inner, wrap } = unwrapped(tensor);
    const fresh = variable(inner);
    leaves.push(tensor);
    nodes.push(nodeOf(fresh));
    return wrap(fresh);
  });
  if (nodes.length > 0) return { nodes, leaves, arg: replaced };
  throw new ArgumentError(
    `${name} differentiates with respect to the first argument, which holds no tensor or number: ${show(arg)}`,
  );
}

/**
 * Runs a function on variables. Where its results are vectorized further than an argument, that one is repeated for every
 * entry, so that each has a derivative of its own.
 */
export function onVariables<R>(
  arg: unknown,
  name: string,
  run: (arg: unknown) => { readonly results: readonly Tensor[]; readonly returned: R },
): { readonly variables: Variables; readonly results: readonly Tensor[]; readonly returned: R } {
  for (let given = arg; ;) {
    const made = variables(given, name);
    const { results, returned } = run(made.arg);
    const wide = widened(made.leaves, () => results);
    if (!wide) return { variables: made, results, returned };
    given = refill(
      given,
      wide.map((leaf, i) => spreadLike(made.leaves[i]!, leaf)),
    );
  }
}

/** A variable as `wide` is it, with an entry for each of further axes; numbers stay weak. */
function spreadLike(leaf: Tensor, wide: Tensor): Tensor {
  if (!(leaf instanceof WeakTensor)) return wide;
  const { number } = leaf;
  return new WeakTensor(wide, { ...number, as: (type) => alike(number.as(type), [wide]) });
}

/** Options of a transform without the choice of variables. */
export function checkTransform(name: string, options: unknown, allowed: readonly string[]): void {
  const isPosition = typeof options === "number" || (Array.isArray(options) && options.every(Number.isInteger));
  const isObject = typeof options === "object" && options !== null;
  if (isPosition || (isObject && ["argnums", "argnum"].some((key) => Object.hasOwn(options, key)))) {
    throw new ArgumentError(
      `${name} differentiates with respect to the first argument, so there is no option argnums: put the other one first, as ` +
        `in ${name}((b, a) => fn(a, b))(b, a), or give both as one container`,
    );
  }
  checkOptions(name, options as object | undefined, allowed);
}

/** The arguments of a function, given as an array. */
export function checkPrimals(name: string, primals: unknown): void {
  const missing = Array.isArray(primals) ? Array.from({ length: primals.length }, (_, i) => !(i in primals)) : null;
  if (missing !== null && !missing.includes(true)) return;
  const got =
    missing === null ? show(primals) : `an array of ${missing.length} without element ${missing.indexOf(true)}`;
  throw new ArgumentError(`${name} expects the arguments of the function as an array such as [x, y], got: ${got}`);
}

/** The tensors that a function to be differentiated returns, one or a container of them. */
export function resultsOf(value: unknown, name: string): Tensor[] {
  const results: Tensor[] = [];
  mapContainer(value, (leaf, path) => {
    if (isParameter(leaf)) return results.push(asTensor(leaf, name));
    const where = formatPath(path) && ` at ${formatPath(path)}`;
    const hint = leaf === undefined ? "; is a return missing?" : "";
    throw new DefnError(
      `${name} expects a function that returns a tensor, a number or a container of them, got${where}: ${show(leaf)}${hint}`,
    );
  });
  if (results.length > 0) return results;
  throw new DefnError(`${name} expects a function that returns a tensor or a number, got: ${show(value)}`);
}

/** The one tensor that a function to be differentiated returns. */
export function resultOf(value: unknown, name: string): Tensor {
  if (isParameter(value)) return asTensor(value, name);
  throw new DefnError(
    `${name} expects a function that returns one tensor or number, got: ${show(value)}; choose one of the results, ` +
      `or return the others besides with { hasAux: true } and [result, others]`,
  );
}

/** A gradient as users see it: with the vectorized axes, the names and, unless integral, the type of its variable. */
export function presentedLike(g: Tensor, like: Tensor): Tensor {
  return unwrapped(like).wrap(presented(g, innerOf(like)));
}

/** With the names given and, unless it is an integer, the type. */
export function presented(g: Tensor, { type, names }: { type: Tensor["type"]; names: Names }): Tensor {
  const typed = cast(g, toFloating(type));
  return names.every((name) => name === null) ? typed : rename(typed, names);
}

/** The container of an argument with its tensors replaced, in order. */
export function refill(arg: unknown, values: readonly unknown[]): unknown {
  let next = 0;
  return mapArgument(arg, "Nx.Defn.grad", (leaf) => (isParameter(leaf) ? values[next++]! : leaf));
}

export const ones = ({ type, shape }: Tensor): Tensor => constant(1, cotangentType(type), shape);

export function checkFunction(fn: unknown, name: string): void {
  if (typeof fn === "function") return;
  throw new ArgumentError(`${name} expects a function of tensors, got: ${show(fn)}`);
}
