/**
 * Variables of a differentiation: fresh tensors in place of the arguments, and gradients put in their places.
 */
import { mapContainer } from "../../container";
import { ArgumentError, DefnError, show } from "../../core/errors";
import type { Names } from "../../core/shape";
import { isInteger } from "../../core/types";
import { asTensor, constant } from "../../nx/dispatch";
import { rename } from "../../nx/shape";
import { asType } from "../../nx/type";
import { Tensor } from "../../tensor";
import { nodeOf, traced } from "../expr";
import { primitiveNode, type Node } from "../graph";
import { isParameter } from "../signature";
import { unwrapped } from "../trace";
import { cotangentType } from "./core";

export type AnyFunction = (...args: never[]) => unknown;

/** A tensor that is independent of what it was computed from. */
export function variable(value: Tensor): Tensor {
  const node = nodeOf(value);
  return traced(primitiveNode("reshape", node.out, [node], {}));
}

/** The tensors of an argument as variables, and the container of them. */
export function variables(arg: unknown, name: string): { readonly nodes: Node[]; readonly arg: unknown } {
  const nodes: Node[] = [];
  const replaced = mapContainer(arg, (leaf) => {
    if (!isParameter(leaf)) return leaf;
    const { inner, wrap } = unwrapped(asTensor(leaf, name));
    const fresh = variable(inner);
    nodes.push(nodeOf(fresh));
    return wrap(fresh);
  });
  if (nodes.length > 0) return { nodes, arg: replaced };
  throw new ArgumentError(
    `${name} differentiates with respect to the first argument, which holds no tensor or number: ${show(arg)}`,
  );
}

/** The one tensor that a function to be differentiated returns. */
export function resultOf(value: unknown, name: string): Tensor {
  if (isParameter(value)) return unwrapped(asTensor(value, name)).inner;
  throw new DefnError(
    `${name} expects a function that returns one tensor or number, got: ${show(value)}; choose one of the results, ` +
      `or return the others besides with { hasAux: true } and [result, others]`,
  );
}

/** A gradient as users see it: with the names and, unless those are integers, the type of the variable. */
export function presented(g: Tensor, { type, names }: { type: Tensor["type"]; names: Names }): Tensor {
  const typed = asType(g, isInteger(type) ? "f32" : type);
  return names.every((name) => name === null) ? typed : rename(typed, names);
}

/** The container of an argument with its variables replaced, in order. */
export function refill(arg: unknown, values: readonly Tensor[]): unknown {
  let next = 0;
  return mapContainer(arg, (leaf) => {
    if (!isParameter(leaf)) return leaf;
    const value = values[next++]!;
    return leaf instanceof Tensor ? unwrapped(leaf).wrap(value) : value;
  });
}

export const ones = ({ type, shape }: Tensor): Tensor => constant(1, cotangentType(type), shape);

export function checkFunction(fn: unknown, name: string): void {
  if (typeof fn === "function") return;
  throw new ArgumentError(`${name} expects a function of tensors, got: ${show(fn)}`);
}
