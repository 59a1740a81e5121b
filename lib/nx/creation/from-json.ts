/**
 * What `JSON.stringify` made of a tensor, read back as the values that it was made of.
 */
import { Complex } from "../../core/complex";
import { ArgumentError, show } from "../../core/errors";
import { isPlainObject } from "../../core/options";
import { checkNames } from "../../core/names";
import { checkSize, formatShape, sizeOf, type Shape } from "../../core/shape";
import { isComplex, isInteger, normalizeType, type DType, type Scalar } from "../../core/types";
import type { JsonTensor } from "../../methods";

/** Whether a value looks like a tensor in JSON. */
export const isJsonTensor = (value: unknown): value is JsonTensor =>
  isPlainObject(value) && "type" in value && "shape" in value && "names" in value;

/** A tensor in JSON after a check of all its parts, with its elements as plain values. */
export function readJson(json: JsonTensor, fn: string): JsonTensor & { readonly values: readonly Scalar[] } {
  const type = normalizeType(json.type);
  const shape = shapeOf(json.shape, fn);
  const names = checkNames(json.names, shape);
  const elements: unknown = json.elements;
  if (elements === undefined) {
    throw new ArgumentError(
      `${fn} was given a tensor ${type}${formatShape(shape, names)} in JSON that has no elements; it was a template, released, ` +
        `traced, or on a backend that reads asynchronously when JSON was made of it: stringify await Nx.read(t)`,
    );
  }
  if (!Array.isArray(elements) || elements.length !== sizeOf(shape)) {
    const got = Array.isArray(elements) ? `${elements.length}` : show(elements);
    throw new ArgumentError(
      `${fn} expects ${sizeOf(shape)} elements for the shape ${formatShape(shape, names)}, got: ${got}`,
    );
  }
  return { type, shape, names, values: elements.map((element, i) => valueOf(element, type, i, fn)) };
}

function shapeOf(shape: unknown, fn: string): Shape {
  const isShape = Array.isArray(shape) && shape.every((size) => Number.isSafeInteger(size) && (size as number) > 0);
  if (!isShape) throw new ArgumentError(`${fn} expects a shape of positive integers in JSON, got: ${show(shape)}`);
  checkSize(shape as number[], "data of shape");
  return Object.freeze([...(shape as number[])]);
}

/** What JSON has no number for, in the texts that `toJSON` gives. */
const WORDS: Readonly<Record<string, number>> = { NaN, Infinity, "-Infinity": -Infinity, "-0": -0 };

function valueOf(element: unknown, type: DType, index: number, fn: string): Scalar {
  const value = isComplex(type) ? complexOf(element) : isInteger(type) ? integerOf(element) : realOf(element);
  if (value !== null) return value;
  throw new ArgumentError(
    `${fn} expects elements of the type ${type} as JSON.stringify writes them, got: ${show(element)} at ${index}`,
  );
}

function realOf(element: unknown): number | null {
  if (typeof element === "number") return element;
  return typeof element === "string" && Object.hasOwn(WORDS, element) ? WORDS[element]! : null;
}

function integerOf(element: unknown): number | bigint | null {
  if (Number.isInteger(element)) return element as number;
  return typeof element === "string" && /^-?\d{1,20}$/.test(element) ? BigInt(element) : null;
}

function complexOf(element: unknown): Complex | null {
  if (!Array.isArray(element) || element.length !== 2) return null;
  const [re, im] = [realOf(element[0]), realOf(element[1])];
  return re === null || im === null ? null : new Complex(re, im);
}
