/**
 * Columns out of pieces: what every source of columns is brought to, and tensors made of that. Knows bytes and types, no library of tables.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type DType, type Name, type Tensor } from "nx-numerics";

/** Part of a column: rows that follow each other in memory. */
export interface Piece {
  readonly type: DType;
  /** The elements, little-endian. */
  readonly bytes: Uint8Array;
  readonly rows: number;
  /** Sizes of lists of one length: none for plain numbers. */
  readonly lists: readonly number[];
  /** 1 for each element that is null, or null where none is. */
  readonly missing: Uint8Array | null;
}

/** Options of functions that make tensors of columns. */
export interface ColumnOptions<C extends string = string> {
  /** Which columns; all of them when left out. */
  readonly columns?: readonly C[];
  /** The name of the axis of rows; none when left out. */
  readonly axis?: Name;
}

/** What is done about nulls. */
export interface NullOptions {
  /**
   * `"nan"` (when left out): NaN in their place, for which integers become `f64`. `"mask"`: 0 in their place, and beside the columns a mask
   * for each that has any. `"error"`: they are refused.
   */
  readonly nulls?: "nan" | "mask" | "error";
}

/** Columns with masks of what is missing. */
export interface MaskedColumns<C extends string = string> {
  readonly columns: Readonly<Record<C, Tensor>>;
  /** Of `u8` and the shape of the column: 1 for each null. Columns without nulls have none. */
  readonly missing: Readonly<Partial<Record<C, Tensor>>>;
}

const OPTIONS: readonly string[] = ["columns", "axis", "nulls"];
const NULLS: readonly unknown[] = ["nan", "mask", "error", undefined];

export type Checked = ColumnOptions & { readonly nulls: "nan" | "mask" | "error" };

export function checkOptions(fn: string, options: (ColumnOptions & NullOptions) | undefined): Checked {
  const given: ColumnOptions & NullOptions = options ?? {};
  const isPlain = typeof given === "object" && !Array.isArray(given);
  const unknown = isPlain ? Object.keys(given).find((key) => !OPTIONS.includes(key)) : typeof given;
  if (unknown !== undefined) throw new ArgumentError(`${fn} takes the options ${OPTIONS.join(", ")}, got: ${unknown}`);
  expect(fn, "nulls", given.nulls, `"nan", "mask" or "error"`, (nulls) => NULLS.includes(nulls));
  expect(fn, "columns", given.columns, `a list of names such as ["height"]`, Array.isArray);
  const isName = (axis: unknown): boolean => axis == null || (typeof axis === "string" && axis !== "");
  expect(fn, "axis", given.axis, `a name such as "row"`, isName);
  return { ...given, nulls: given.nulls ?? "nan" };
}

function expect(fn: string, key: string, value: unknown, what: string, isRight: (value: unknown) => boolean): void {
  if (value === undefined || isRight(value)) return;
  const got =
    typeof value === "object" ? JSON.stringify(value) : typeof value === "string" ? `"${value}"` : String(value);
  throw new ArgumentError(`option ${key} of ${fn} must be ${what}, got: ${got}`);
}

/** The names of the columns that are wanted. */
export function wantedOf(fn: string, known: readonly string[], { columns }: ColumnOptions): readonly string[] {
  const twice = (columns ?? known).find((name, i, all) => all.indexOf(name) !== i);
  if (twice !== undefined)
    throw new ArgumentError(`${fn}: two columns are called ${JSON.stringify(twice)}; name them apart`);
  const unknown = columns?.find((name) => !known.includes(name));
  if (unknown === undefined) return columns ?? known;
  throw new ArgumentError(
    `${fn}: there is no column ${JSON.stringify(unknown)}; the columns are ${known.map((name) => JSON.stringify(name)).join(", ")}`,
  );
}

/** The refusal of a column that is no numbers. */
export const noNumbers = (fn: string, name: string, what: string): ArgumentError =>
  new ArgumentError(
    `${fn}: the column ${JSON.stringify(name)} has elements of type ${what}, which tensors do not have; ` +
      `choose others by the option columns, or convert it where the table comes from`,
  );

const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

/** A tensor over bytes that stay where they are; nobody may write to them afterwards. */
function adopted(type: DType, shape: readonly number[], axis: Name, bytes: Uint8Array): Tensor {
  const [message] = Nx.toMessage(Nx.u8(0));
  const names = shape.map((_, at) => (at === 0 ? axis : null));
  return Nx.fromMessage<Tensor>({ ...message, tensors: [{ type, shape, names, bytes }] });
}

/** The tensor of a column, and the mask of its nulls. */
function columnOf(
  fn: string,
  name: string,
  pieces: readonly Piece[],
  { axis = null, nulls }: Checked,
): [Tensor, Tensor | null] {
  const [first] = pieces;
  const rows = pieces.reduce((all, piece) => all + piece.rows, 0);
  if (first === undefined || rows === 0)
    throw new ArgumentError(`${fn}: the table has no rows; empty tensors do not exist`);
  const shape = [rows, ...first.lists];
  const size = product(shape);
  const bytes = pieces.length === 1 ? first.bytes : joined(pieces.map((piece) => piece.bytes));
  const values = adopted(first.type, shape, axis, bytes);
  if (pieces.every((piece) => piece.missing === null)) return [values, null];
  if (nulls === "error") {
    throw new ArgumentError(
      `${fn}: the column ${JSON.stringify(name)} has nulls; take { nulls: "nan" } or { nulls: "mask" }`,
    );
  }
  const masks = pieces.map(({ missing, rows: count }) => missing ?? new Uint8Array((size / rows) * count));
  const mask = adopted("u8", shape, axis, joined(masks));
  const isFloat = /^b?f/.test(first.type);
  const known = isFloat || nulls === "mask" ? values : Nx.asType(values, "f64");
  const other = Nx.tensor(nulls === "nan" ? NaN : 0, { type: known.type });
  return [Nx.where(mask, other, known), nulls === "mask" ? mask : null];
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Tensors by the names of their columns; with masks where nulls are masked. */
export function columnsOf(
  fn: string,
  pieces: readonly (readonly [name: string, pieces: readonly Piece[]])[],
  options: Checked,
): Record<string, Tensor> | MaskedColumns {
  const made = pieces.map(([name, parts]) => [name, columnOf(fn, name, parts, options)] as const);
  // entries are properties of their own whatever they are called
  const columns = Object.fromEntries(made.map(([name, [values]]) => [name, values]));
  const missing = Object.fromEntries(made.flatMap(([name, [, mask]]) => (mask === null ? [] : [[name, mask]])));
  return options.nulls === "mask" ? { columns, missing } : columns;
}

/** Whether each element is missing, for elements in lists of one length. */
export function spread(missing: Uint8Array | null, each: number): Uint8Array | null {
  if (missing === null || each === 1) return missing;
  return Uint8Array.from({ length: missing.length * each }, (_, i) => missing[Math.floor(i / each)]!);
}

/** Two masks of the same elements. */
export function either(a: Uint8Array | null, b: Uint8Array | null): Uint8Array | null {
  if (a === null || b === null) return a ?? b;
  return a.map((missing, i) => missing | b[i]!);
}
