/**
 * Tables of Apache Arrow, by their structure.
 */
import { ArgumentError, type DType, type Tensor } from "nx-numerics";
import {
  checkOptions,
  columnsOf,
  either,
  noNumbers,
  spread,
  wantedOf,
  type ColumnOptions,
  type MaskedColumns,
  type NullOptions,
  type Piece,
} from "./pieces";

/** A type of Arrow. */
export interface ArrowType {
  readonly typeId: number;
  readonly bitWidth?: number;
  readonly isSigned?: boolean;
  readonly precision?: number;
  readonly unit?: number;
  readonly listSize?: number;
}

/** Rows of a column that follow each other. */
export interface ArrowData {
  readonly type: ArrowType;
  readonly length: number;
  readonly offset: number;
  readonly nullCount: number;
  readonly nullBitmap?: Uint8Array | null;
  readonly values?: unknown;
  readonly children: readonly ArrowData[];
}

/** A table of `apache-arrow`, or an object of the same structure. */
export interface ArrowTable {
  readonly schema: { readonly fields: readonly { readonly name: string }[] };
  getChildAt(index: number): { readonly data: readonly ArrowData[] } | null;
}

/** Numbers of Arrow's types. */
const INT = 2;
const FLOAT = 3;
const BOOL = 6;
const DATE = 8;
const TIME = 9;
const TIMESTAMP = 10;
const FIXED_SIZE_LIST = 16;
const DURATION = 18;

const FLOATS: readonly DType[] = ["f16", "f32", "f64"];

/** The type of the elements; null for those that tensors do not have. */
function typeOf({ typeId, bitWidth, isSigned, precision, unit }: ArrowType): DType | null {
  switch (typeId) {
    case INT:
      return `${isSigned ? "s" : "u"}${bitWidth}` as DType;
    case FLOAT:
      return FLOATS[precision!] ?? null;
    case BOOL:
      return "u8";
    case DATE:
      return unit === 0 ? "s32" : "s64";
    case TIME:
      return bitWidth === 32 ? "s32" : "s64";
    case TIMESTAMP:
    case DURATION:
      return "s64";
    default:
      return null;
  }
}

/** Bits of a row of bytes, as one byte each. */
function bitsOf(bits: Uint8Array, offset: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (bits[(offset + i) >> 3]! >> ((offset + i) % 8)) & 1);
}

/** Arrow notes which are there. */
function missingIn({ nullCount, nullBitmap, offset, length }: ArrowData): Uint8Array | null {
  if (nullCount === 0 || !nullBitmap || nullBitmap.length === 0) return null;
  return bitsOf(nullBitmap, offset, length).map((there) => 1 - there);
}

function pieceOf(fn: string, name: string, data: ArrowData): Piece {
  const { type, length: rows } = data;
  const missing = missingIn(data);
  if (type.typeId === FIXED_SIZE_LIST) {
    const inner = pieceOf(fn, name, data.children[0]!);
    const size = type.listSize!;
    const each = inner.lists.reduce((all, length) => all * length, size);
    const width = inner.bytes.length / Math.max(1, inner.rows);
    return {
      type: inner.type,
      bytes: inner.bytes.subarray(0, rows * size * width),
      rows,
      lists: [size, ...inner.lists],
      missing: either(spread(missing, each), inner.missing),
    };
  }
  const found = typeOf(type);
  const { values } = data;
  if (found === null || !ArrayBuffer.isView(values)) throw noNumbers(fn, name, String(type));
  if (type.typeId === BOOL) {
    const bits = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    return { type: found, bytes: bitsOf(bits, data.offset, rows), rows, lists: [], missing };
  }
  const length = (rows * Number(/\d+$/.exec(found)![0])) / 8;
  return { type: found, bytes: new Uint8Array(values.buffer, values.byteOffset, length), rows, lists: [], missing };
}

/**
 * Tensors of the columns of a table of Apache Arrow. Nothing is copied where a column lies in one piece and has no nulls: the tensors read
 * the memory of the table, which nobody may write to afterwards. Record batches are joined; lists of one length are axes.
 *
 * Dates, times, timestamps and durations are their counts since 1970 in the unit of the column; booleans are `u8`.
 *
 * @param table - of `apache-arrow`, or what has the structure of one
 * @param options - `columns`: which ones, all when left out; `axis`: the name of the axis of rows; `nulls`: `"nan"` (when left out) puts NaN
 *   in their place, for which integers become `f64`; `"mask"` gives columns and masks; `"error"`
 * @returns tensors by the names of their columns; with `nulls: "mask"` an object of `columns` and `missing`
 * @throws ArgumentError for columns of text and other types that tensors do not have, unknown columns, and a table without rows
 * @example
 * ```ts
 * import { tableFromArrays } from "apache-arrow";
 * import { fromArrow } from "nx-numerics/columns";
 * const table = tableFromArrays({ height: new Float32Array([1.5, 2]), count: new Int32Array([3, 4]), name: ["a", "b"] });
 * const { height, count } = fromArrow(table, { columns: ["height", "count"], axis: "row" });
 * height.multiply(count);
 * // => #Nx.Tensor<
 * //   f32[row: 2]
 * //   [4.5, 8.0]
 * // >
 * fromArrow(table);
 * // throws ArgumentError: fromArrow: the column "name" has elements of type Dictionary<Int32, Utf8>, which tensors do not have
 * ```
 * @example
 * ```ts
 * import { tableFromArrays } from "apache-arrow";
 * import { fromArrow } from "nx-numerics/columns";
 * const table = tableFromArrays({ x: [1, null, 3] });
 * fromArrow(table)["x"];
 * // => #Nx.Tensor<
 * //   f64[3]
 * //   [1.0, NaN, 3.0]
 * // >
 * fromArrow(table, { nulls: "mask" }).missing["x"];
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [0, 1, 0]
 * // >
 * ```
 */
export function fromArrow<const C extends string = string>(
  table: ArrowTable,
  options: ColumnOptions<C> & { readonly nulls: "mask" },
): MaskedColumns<C>;
export function fromArrow<const C extends string = string>(
  table: ArrowTable,
  options?: ColumnOptions<C> & NullOptions,
): Readonly<Record<C, Tensor>>;
export function fromArrow(table: ArrowTable, options?: ColumnOptions & NullOptions): unknown {
  const fn = "fromArrow";
  const checked = checkOptions(fn, options);
  const fields = (table as Partial<ArrowTable> | null)?.schema?.fields;
  if (!Array.isArray(fields) || typeof table.getChildAt !== "function") {
    throw new ArgumentError(`${fn} expects a table of apache-arrow, such as tableFromIPC(bytes)`);
  }
  const known = (fields as { name: string }[]).map(({ name }) => name);
  const pieces = wantedOf(fn, known, checked).map((name) => {
    const data = table.getChildAt(known.indexOf(name))?.data ?? [];
    return [name, data.filter(({ length }) => length > 0).map((part) => pieceOf(fn, name, part))] as const;
  });
  return columnsOf(fn, pieces, checked);
}
