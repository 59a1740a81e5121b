/**
 * Formats of quantized numbers: containers of integers and what their elements stand for. Knows no tensors.
 */
import { getOrMake } from "../core/get-or-make";
import { didYouMean, show } from "../core/errors";
import { QuantizedError, type StatusCode } from "./status";

/** 8 bits with a scale and a zero point for the whole tensor: an element q stands for `(q - zeroPoint) * scale / 2^scaleFracBits`. */
export interface Sa8Format {
  readonly type: "sa8";
  /** A whole number from 1 to 32767. */
  readonly scale: number;
  /** How many bits of the scale are a fraction, -128 to 127. */
  readonly scaleFracBits: number;
  /** The element that stands for 0, -128 to 127. */
  readonly zeroPoint: number;
}

/** 8 or 16 bits of which some are a fraction: an element q stands for `q / 2^fracBits`. */
export interface FxFormat {
  readonly type: "fx8" | "fx16";
  /** How many bits are a fraction, -128 to 127: more than the container has, or less than none, for small and large numbers. */
  readonly fracBits: number;
}

/** What the elements of a quantized tensor stand for. */
export type Format = Sa8Format | FxFormat;

/** The name of a format. */
export type FormatType = Format["type"];

/** A format as functions take it: `zeroPoint` may be left out, which is 0. */
export type FormatOptions =
  | FxFormat
  | {
      readonly type: "sa8";
      readonly scale: number;
      readonly scaleFracBits: number;
      readonly zeroPoint?: number;
      /** The axis along which scales differ: only -1, none, is supported. */
      readonly dim?: number;
    };

/** Bits of the container of a format, and the type of tensors that hold it. */
export const CONTAINERS = Object.freeze({
  sa8: { bits: 8, type: "s8" },
  fx8: { bits: 8, type: "s8" },
  fx16: { bits: 16, type: "s16" },
} as const);

export const FORMAT_TYPES: readonly FormatType[] = Object.freeze(["sa8", "fx8", "fx16"]);

/** The least and the largest element of a format. */
export function limitsOf(type: FormatType): readonly [low: number, high: number] {
  const end = 2 ** (CONTAINERS[type].bits - 1);
  return [-end, end - 1];
}

/** The distance of the numbers that two neighbouring elements stand for. */
export function stepOf(format: Format): number {
  return format.type === "sa8" ? format.scale * 2 ** -format.scaleFracBits : 2 ** -format.fracBits;
}

/** The element that stands for 0. */
export function zeroOf(format: Format): number {
  return format.type === "sa8" ? format.zeroPoint : 0;
}

/** The real number that an element stands for. */
export function realOf(element: number, format: Format): number {
  return (element - zeroOf(format)) * stepOf(format);
}

/** Whether two formats are the same, number by number: 2 / 2^1 is not 1 / 2^0. */
export function sameFormat(a: Format, b: Format): boolean {
  return keyOf(a) === keyOf(b);
}

/** The texts of formats that are checked and frozen: most calls meet the same ones again and again. */
const texts = new WeakMap<Format, string>();

/** A checked format as a short text. Formats with the same text are the same. */
export const keyOf = (format: Format): string => getOrMake(texts, format, textOf);

function textOf(format: Format): string {
  return format.type === "sa8"
    ? `sa8(scale: ${format.scale} / 2^${format.scaleFracBits}, zeroPoint: ${format.zeroPoint})`
    : `${format.type}(fracBits: ${format.fracBits})`;
}

// ----------------------------------------------------------------------------------------------------------- checks

const KEYS: { readonly [T in FormatType]: readonly string[] } = {
  sa8: ["type", "scale", "scaleFracBits", "zeroPoint", "dim"],
  fx8: ["type", "fracBits"],
  fx16: ["type", "fracBits"],
};

/** Where a format was given, and as what. */
interface Place {
  readonly fn: string;
  readonly what: string;
}

const refuse = (code: StatusCode, { fn, what }: Place, expected: string, got: unknown): QuantizedError =>
  new QuantizedError(code, `${fn} expects ${what} ${expected}, got: ${show(got)}`);

/** The name of the format that an argument asks for; nothing else of it is looked at. */
export function checkFormatType(value: unknown, place: Place): FormatType {
  const type: unknown = typeof value === "object" && value !== null ? (value as { type?: unknown }).type : undefined;
  if (FORMAT_TYPES.includes(type as FormatType)) return type as FormatType;
  throw refuse(
    "BAD_TENSOR",
    place,
    `as an object such as { type: "sa8", scale: 3, scaleFracBits: 6, zeroPoint: 0 } or { type: "fx16", fracBits: 8 }`,
    value,
  );
}

/** A format from a user: complete, checked and frozen. */
export function checkFormat(value: unknown, place: Place): Format {
  const type = checkFormatType(value, place);
  if (texts.has(value as Format)) return value as Format;
  const given = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(given)) if (!KEYS[type].includes(key)) throw unknownKey(key, type, place);
  if (type !== "sa8") return Object.freeze({ type, fracBits: checkBits(given, "fracBits", place) });
  const { zeroPoint = 0, dim = -1 } = given;
  const scale = checkScale(given["scale"], place);
  const scaleFracBits = checkBits(given, "scaleFracBits", place);
  if (!isWithin(zeroPoint, -128, 127)) {
    throw refuse("INCOMPATEBLE_TENSORS", place, "with a zeroPoint that is an integer from -128 to 127", zeroPoint);
  }
  if (!isWithin(dim, -128, -1)) {
    throw refuse("INCOMPATEBLE_TENSORS", place, "quantized per tensor, with dim left out or -1", dim);
  }
  return Object.freeze({ type, scale, scaleFracBits, zeroPoint: zeroPoint + 0 });
}

function unknownKey(key: string, type: FormatType, { fn, what }: Place): QuantizedError {
  const hint = didYouMean(key, KEYS[type]);
  return new QuantizedError(
    "BAD_TENSOR",
    `${fn}: unknown key ${JSON.stringify(key)} in ${what} of type ${type}${hint || ","} expected: ${KEYS[type].join(", ")}`,
  );
}

const isWithin = (value: unknown, low: number, high: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= low && value <= high;

function checkScale(value: unknown, place: Place): number {
  if (isWithin(value, 1, 32767)) return value;
  throw refuse("BAD_TENSOR", place, "with a scale that is an integer from 1 to 32767", value);
}

function checkBits(given: Readonly<Record<string, unknown>>, key: string, place: Place): number {
  const value = given[key];
  if (isWithin(value, -128, 127)) return value + 0; // never -0
  throw refuse("BAD_TENSOR", place, `with ${key} that is an integer from -128 to 127`, value);
}
