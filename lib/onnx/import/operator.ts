/**
 * The form of an operator: how many inputs it takes, which of them must be known, and the function that computes it of the functional API.
 * The helpers below are what many operators share.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type DType, type Operand, type Shape, type Tensor } from "nx-numerics";
import type { Attributes } from "./attributes";
import type { Limits } from "./limits";
import type { Graph } from "./model";
import { outside } from "./outside";
import { hasElements, numbersOf, type Empty, type Value } from "./values";

/** The node that an operator computes, as the operator sees it. */
export interface Call {
  readonly attributes: Attributes;
  /** Version of the operators that the node was written for. */
  readonly opset: number;
  /** How many results the node names, those left out in front of the last included. */
  readonly outputs: number;
  readonly limits: Limits;
  /** Whether a result is used. */
  wants(output: number): boolean;
  /** Runs a graph among the attributes on inputs, in the scope of the node. */
  run(graph: Graph, inputs: readonly Value[]): Value[];
}

/** The result of a node: the first, or a list of all. */
export type Result = Value | { readonly results: readonly (Value | undefined)[] };

export const several = (...results: readonly (Value | undefined)[]): Result => ({ results });

/** The computation of an operator: TypeScript knows neither how many inputs there are nor of what kind, `arity` and `takes` say it. */
type Rule = (call: Call, ...inputs: never[]) => Result;

/** Operators by name. */
export type Operators = Readonly<Record<string, Operator>>;

/** An operator. */
export interface Operator {
  /** The least and the greatest number of inputs. */
  readonly arity: readonly [least: number, most: number];
  readonly rule: (call: Call, ...inputs: readonly (Value | undefined)[]) => Result;
  /** Inputs that say how to compute, so that they have to be known while tracing, and may be empty. */
  readonly known: readonly number[];
  /** Other inputs that may be empty. */
  readonly empty: readonly number[];
  /** `"tensors"` that have elements; `"any"` value, sequences and empty arrays included; `"shapes"` of tensors alone. */
  readonly takes: "tensors" | "any" | "shapes";
  /** What is not done, for the table in the documentation. */
  readonly note: string | null;
}

type Choices = Partial<Pick<Operator, "known" | "empty" | "takes" | "note">>;

/** An operator of so many inputs. */
export function operator(arity: number | readonly [number, number], rule: Rule, choices: Choices = {}): Operator {
  return {
    arity: typeof arity === "number" ? [arity, arity] : arity,
    rule: rule as Operator["rule"],
    known: choices.known ?? [],
    empty: choices.empty ?? [],
    takes: choices.takes ?? "tensors",
    note: choices.note ?? null,
  };
}

/** An operator of one tensor and no attributes. */
export const one = (fn: (x: Tensor) => Tensor): Operator => operator(1, (_: Call, x: Tensor) => fn(x));

export const product = (sizes: readonly number[]): number => sizes.reduce((a, b) => a * b, 1);

export const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

export const filled = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** The position of an axis, which counts from the end where it is negative. */
export function axisOf(axis: number, rank: number): number {
  const position = axis < 0 ? axis + rank : axis;
  if (Number.isInteger(axis) && position >= 0 && position < rank) return position;
  throw new ArgumentError(`axis must be an integer from ${-rank} to ${rank - 1}, got: ${axis}`);
}

export const axesOf = (axes: readonly number[], rank: number): number[] => axes.map((axis) => axisOf(axis, rank));

/** A list of integers, from an input where there is one, else from the attribute that older versions have. */
export function listOf(call: Call, input: Tensor | Empty | undefined, name: string): readonly number[] | undefined {
  return input === undefined ? call.attributes.ints(name) : numbersOf(input, name);
}

/** The shape that both broadcast to. */
export function broadcastShape(left: Shape, right: Shape): number[] {
  const rank = Math.max(left.length, right.length);
  return range(rank).map((i) => {
    const [a, b] = [left[i - rank + left.length] ?? 1, right[i - rank + right.length] ?? 1];
    if (a === b || b === 1) return a;
    if (a === 1) return b;
    throw new ArgumentError(`the shapes [${left.join(", ")}] and [${right.join(", ")}] do not broadcast`);
  });
}

/** Refuses results that are larger than the limit, before anything is allocated for them. */
export function bounded<S extends readonly number[]>(call: Call, shape: S): S {
  const wrong = shape.find((size) => !Number.isSafeInteger(size) || size < 0);
  if (wrong !== undefined)
    throw new ArgumentError(`sizes must be integers from 0, got ${wrong} in [${shape.join(", ")}]`);
  if (product(shape) <= call.limits.elements) return shape;
  throw new ArgumentError(
    `a result of shape [${shape.join(", ")}] has more than ${call.limits.elements} elements, the limit of fromOnnx; ` +
      "raise it by the option limits: { elements } where the model is trusted",
  );
}

/** The shape of tensors joined along an axis, where that is no more than the limit. */
export const boundedJoin = (call: Call, shapes: readonly Shape[], axis: number): readonly number[] =>
  bounded(
    call,
    shapes[0]!.map((size, i) => (i === axis ? shapes.reduce((sum, shape) => sum + (shape[i] ?? 1), 0) : size)),
  );

/** Refuses operands that broadcast to more than the limit. */
export function boundedTogether(call: Call, shapes: readonly Shape[]): void {
  const [first, ...others] = shapes;
  if (others.some((shape) => shape.length !== first!.length || shape.some((size, i) => size !== first![i]))) {
    bounded(call, shapes.reduce<Shape>(broadcastShape, []));
  }
}

export const cast = (t: Tensor, type: DType): Tensor => (t.type === type ? t : Nx.asType(t, type));

/** The type in which integers keep what does not fit, as ONNX has it: modulo a power of two. */
export const wrapped = (t: Tensor, type: DType): Tensor =>
  t.type === type ? t : Nx.asType(t, type, { overflow: "wrap" });

export const isFloat = (type: DType): boolean => Nx.Type.isFloat(type);

export const reshape = (t: Tensor, shape: readonly number[]): Tensor => Nx.reshape(t, shape) as Tensor;

export const transpose = (t: Tensor, axes: readonly number[]): Tensor => Nx.transpose(t, { axes }) as Tensor;

export const scalar = (t: Tensor): Tensor => reshape(t, []);

/** A vector over the second axis of tensors of a rank. */
export const overChannels = (t: Tensor, rank: number): Tensor =>
  reshape(t, rank < 2 ? [t.size] : [1, t.size, ...filled(rank - 2, 1)]);

/** Elements of one kind in the type of a tensor. */
export const full = (shape: readonly number[], value: Operand, type: DType): Tensor =>
  Nx.broadcast(value instanceof Nx.Tensor ? cast(value, type) : Nx.tensor(value, { type }), shape) as Tensor;

/** Positions along an axis of so many entries, those counted from the end as those from the start. */
export function positions(indices: Tensor, size: number): Tensor {
  if (Nx.Type.isUnsigned(indices.type)) return indices;
  const counted = () => Nx.where(Nx.less(indices, 0), Nx.add(indices, size), indices) as Tensor;
  return hasElements(indices) ? outside(counted) : counted();
}

/** A part of one axis; every other axis stays. */
export const along = (t: Tensor, axis: number, start: number, length: number): Tensor =>
  Nx.sliceAlongAxis(t, start, length, { axis }) as Tensor;

/** Entries of one axis at positions that are known. */
export const pick = (t: Tensor, axis: number, at: readonly number[]): Tensor =>
  Nx.take(t, Nx.tensor([...at], { type: "s64" }), { axis }) as Tensor;
