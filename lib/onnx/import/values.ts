/**
 * What flows between the nodes of a model: tensors, sequences of values, and what the library has no tensors for, empty arrays. Also which
 * values are known while a function is traced, and what is computed of those alone.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type DType, type Shape, type Tensor } from "nx-numerics";

/** An array without elements. Tensors have one at least, but models hold empty lists of axes and empty ends of shapes. */
export class Empty {
  constructor(
    readonly type: DType,
    readonly shape: Shape,
  ) {}
}

/** A sequence of ONNX: its length and the places of its tensors are known while tracing. */
export type Sequence = readonly Value[];

/** A value of a model; `null` is the optional that has no element. */
export type Value = Tensor | Empty | Sequence | null;

export const isSequence = (value: Value | undefined): value is Sequence => Array.isArray(value);

/** Backends whose tensors have no elements yet. */
const WITHOUT_ELEMENTS: readonly string[] = ["expr", "vectorized"];

/** Whether a tensor has elements that can be read now: a constant of the model, what was computed of shapes, any tensor of an eager call. */
export const hasElements = (t: Tensor): boolean => !WITHOUT_ELEMENTS.includes(t.backend.name);

/** Whether everything about a value is known now. */
export function isKnown(value: Value | undefined): boolean {
  if (value instanceof Nx.Tensor) return hasElements(value);
  return isSequence(value) ? value.every(isKnown) : true;
}

/** The elements of a value that says how to compute, such as a shape or a list of axes. */
export function numbersOf(value: Tensor | Empty | undefined, what: string): number[] {
  if (value === undefined || value instanceof Empty) return [];
  if (!hasElements(value)) {
    throw new ArgumentError(
      `${what} depends on data that has no values while it is traced; call the model outside of defn, grad and vmap, or export it so that ` +
        `${what} is a constant or follows from shapes`,
    );
  }
  return (Nx.toFlatList(value) as (number | bigint)[]).map(Number);
}

/** The only element of a value that says how to compute. */
export function numberOf(value: Tensor | Empty | undefined, what: string): number {
  const numbers = numbersOf(value, what);
  if (numbers.length === 1) return numbers[0]!;
  throw new ArgumentError(`${what} must be one number, got ${numbers.length}`);
}

/** A vector of integers as models have them, or the empty one. */
export const integers = (list: readonly number[]): Tensor | Empty =>
  list.length === 0 ? new Empty("s64", [0]) : Nx.tensor([...list], { type: "s64" });

/** Tensors that are others moved by so much, which is known though they are not: the ends of parts whose starts depend on data. */
const moved = new WeakMap<Tensor, { readonly from: Tensor; readonly by: Tensor }>();

/** Keeps of a sum that one of its terms is known. */
export function noteSum(sum: Tensor, left: Tensor, right: Tensor): Tensor {
  const [isLeft, isRight] = [hasElements(left), hasElements(right)];
  if (isLeft !== isRight && sum.type === "s64")
    moved.set(sum, isLeft ? { from: right, by: left } : { from: left, by: right });
  return sum;
}

/** How far ends are from starts, where that is known. */
export function lengthsBetween(starts: Tensor, ends: Tensor | Empty | undefined): readonly number[] | null {
  const sum = ends instanceof Nx.Tensor ? moved.get(ends) : undefined;
  return sum?.from === starts && sum.by.size === starts.size ? numbersOf(sum.by, "ends") : null;
}
