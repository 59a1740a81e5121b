/**
 * The form between a traced graph and the messages of a file: operations of ONNX on values, which have no names yet.
 */
import type { ElementType } from "../types";

/** A value: what an operation gives, an input, or a constant, which has its elements. */
export interface Value {
  readonly type: ElementType;
  readonly shape: readonly number[];
  /** Row-major little-endian elements of a constant. */
  readonly bytes?: Uint8Array;
}

export type Attribute = number | readonly number[] | string | { readonly float: number } | Body;

/** One node of ONNX. */
export interface Operation {
  readonly op: string;
  readonly inputs: readonly (Value | null)[];
  readonly outputs: readonly Value[];
  readonly attributes: Readonly<Record<string, Attribute>>;
  /** The line of the program that it comes from; null where that is not known. */
  readonly place: () => string | null;
}

/** A graph of ONNX: the whole model, or what a branch or a loop runs, which may read values of the graphs around it. */
export interface Body {
  readonly inputs: readonly Value[];
  readonly operations: readonly Operation[];
  readonly outputs: readonly Value[];
}

export const isBody = (attribute: Attribute): attribute is Body =>
  typeof attribute === "object" && "operations" in attribute;

export const sizeOf = (shape: readonly number[]): number => shape.reduce((size, dim) => size * dim, 1);

export const sameShape = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((dim, i) => dim === b[i]);

/** The shape that shapes broadcast to, aligned from the right. */
export function broadcastShape(...shapes: readonly (readonly number[])[]): readonly number[] {
  const rank = Math.max(0, ...shapes.map(({ length }) => length));
  return Array.from({ length: rank }, (_, i) =>
    shapes.reduce((size, shape) => {
      const dim = shape[i - rank + shape.length] ?? 1;
      return dim === 1 ? size : dim;
    }, 1),
  );
}

/** The positions of a shape. */
export const axesOf = (shape: readonly unknown[]): number[] => shape.map((_, i) => i);

/** The permutation that undoes one. */
export const inverse = (axes: readonly number[]): number[] => axes.map((_, i) => axes.indexOf(i));

/** The values that an operation reads, including the outer values that its inner graphs read. */
function readBy({ inputs, attributes }: Operation): Value[] {
  const inner = Object.values(attributes).filter(isBody);
  return [
    ...inputs.filter((value) => value !== null),
    ...inner.flatMap(({ operations, outputs }) => [...operations.flatMap(readBy), ...outputs]),
  ];
}

/** A graph without operations that nobody reads. */
export function withoutDead({ inputs, operations, outputs }: Body): Body {
  const needed = new Set(outputs);
  const kept: Operation[] = [];
  for (const operation of [...operations].reverse()) {
    if (!operation.outputs.some((value) => needed.has(value))) continue;
    const attributes = Object.entries(operation.attributes).map(
      ([name, value]) => [name, isBody(value) ? withoutDead(value) : value] as const,
    );
    const live = { ...operation, attributes: Object.fromEntries(attributes) };
    readBy(live).forEach((value) => needed.add(value));
    kept.push(live);
  }
  return { inputs, operations: kept.reverse(), outputs };
}
