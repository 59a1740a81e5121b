/**
 * Results of DuckDB, by their structure: those of `@duckdb/node-api`, chunk after chunk.
 */
import { ArgumentError, toBinary, tensor, type DType, type Tensor } from "nx-numerics";
import {
  checkOptions,
  columnsOf,
  noNumbers,
  spread,
  either,
  wantedOf,
  type ColumnOptions,
  type MaskedColumns,
  type NullOptions,
  type Piece,
} from "./pieces";

/** A column of a chunk. */
export interface DuckDBColumn {
  readonly type: {
    readonly typeId: number;
    readonly length?: number;
    readonly valueType?: { readonly typeId: number };
  };
  readonly itemCount: number;
  readonly items?: unknown;
  readonly validity?: { readonly data: unknown; itemValid(index: number): boolean };
  getItem(index: number): unknown;
}

/** Some thousand rows of a result. */
export interface DuckDBChunk {
  readonly rowCount: number;
  getColumnVector(index: number): DuckDBColumn;
}

/** A result of DuckDB: what `connection.run` or `connection.stream` gives. */
export interface DuckDBResult {
  columnNames(): readonly string[];
  fetchChunk(): Promise<DuckDBChunk | null>;
}

/** Types whose elements lie in typed arrays as they are, by DuckDB's numbers. */
const TYPES: Readonly<Record<number, DType>> = {
  2: "s8", // TINYINT
  3: "s16",
  4: "s32",
  5: "s64",
  6: "u8", // UTINYINT
  7: "u16",
  8: "u32",
  9: "u64",
  10: "f32", // FLOAT
  11: "f64",
  12: "s64", // TIMESTAMP: microseconds
  13: "s32", // DATE: days
  14: "s64", // TIME: microseconds
  20: "s64", // TIMESTAMP_S
  21: "s64",
  22: "s64",
  31: "s64", // TIMESTAMP_TZ
};

/** Types whose elements are asked for one by one. */
const BOOLEAN = 1;
const HUGEINT = 16;
const DECIMAL = 19;
const UHUGEINT = 32;
const ARRAY = 33;

function missingIn({ validity, itemCount }: DuckDBColumn): Uint8Array | null {
  if (!validity?.data) return null;
  const missing = Uint8Array.from({ length: itemCount }, (_, i) => (validity.itemValid(i) ? 0 : 1));
  return missing.includes(1) ? missing : null;
}

function pieceOf(fn: string, name: string, column: DuckDBColumn): Piece {
  const { items, itemCount: rows, type } = column;
  const missing = missingIn(column);
  const plain = TYPES[type.typeId];
  if (plain !== undefined && ArrayBuffer.isView(items)) {
    // the memory of a chunk is DuckDB's
    const bytes = new Uint8Array(items.buffer, items.byteOffset, items.byteLength).slice();
    return { type: plain, bytes, rows, lists: [], missing };
  }
  const single = singleOf(type.typeId);
  const values = Array.from({ length: rows }, (_, i) => column.getItem(i));
  if (single !== null)
    return {
      ...piece(
        single.type,
        values.map((value) => single.read(fn, name, value)),
      ),
      rows,
      lists: [],
      missing,
    };
  if (type.typeId === ARRAY) return arrays(fn, name, column, values, missing);
  throw noNumbers(fn, name, String(type));
}

interface Single {
  readonly type: DType;
  read(fn: string, name: string, value: unknown): number | bigint;
}

/** Types of one number whose elements are no items of a typed array. */
function singleOf(typeId: number): Single | null {
  if (typeId === BOOLEAN) return { type: "u8", read: (_fn, _name, value) => (value ? 1 : 0) };
  if (typeId === DECIMAL)
    return { type: "f64", read: (_fn, _name, value) => (value as { toDouble(): number } | null)?.toDouble() ?? 0 };
  return typeId === HUGEINT || typeId === UHUGEINT ? { type: "s64", read: narrowed } : null;
}

/** Sums of integers are of 128 bits in SQL. */
function narrowed(fn: string, name: string, value: unknown): bigint {
  const number = (value ?? 0n) as bigint;
  if (BigInt.asIntN(64, number) === number) return number;
  throw new ArgumentError(
    `${fn}: ${number} in the column ${JSON.stringify(name)} does not fit into s64; cast it to DOUBLE in SQL`,
  );
}

const piece = (type: DType, values: readonly (number | bigint)[]): Pick<Piece, "type" | "bytes"> => ({
  type,
  bytes: values.length === 0 ? new Uint8Array() : toBinary(tensor([...values], { type })),
});

/** Arrays of one length, of numbers. */
function arrays(
  fn: string,
  name: string,
  { type, itemCount: rows }: DuckDBColumn,
  values: readonly unknown[],
  missing: Uint8Array | null,
): Piece {
  const inner = type.valueType?.typeId ?? -1;
  const single =
    singleOf(inner) ??
    (TYPES[inner] && {
      type: TYPES[inner],
      read: (_fn: string, _name: string, value: unknown) => (value ?? 0) as number,
    });
  if (!single || [12, 13, 14, 20, 21, 22, 31].includes(inner)) throw noNumbers(fn, name, String(type));
  const length = type.length!;
  const flat = values.flatMap(
    (value) => (value as { items: readonly unknown[] } | null)?.items ?? Array.from({ length }, () => null),
  );
  const holes = flat.some((value) => value === null)
    ? Uint8Array.from(flat, (value) => (value === null ? 1 : 0))
    : null;
  return {
    ...piece(
      single.type,
      flat.map((value) => single.read(fn, name, value)),
    ),
    rows,
    lists: [length],
    missing: either(spread(missing, length), holes),
  };
}

/**
 * Tensors of the columns of a result of DuckDB, of which it reads all that is left. A streamed result is never in memory a second time.
 *
 * Dates and timestamps are their counts since 1970 in the unit of the column (days, microseconds, ...); booleans are `u8`; decimals are
 * `f64`; integers of 128 bits, which sums in SQL are, are `s64` where they fit. Arrays of one length (`FLOAT[3]`) are axes.
 *
 * @param result - of `connection.run(sql)` or `connection.stream(sql)` of `@duckdb/node-api`, or what has the structure of one
 * @param options - `columns`, `axis` and `nulls`, as for {@link fromArrow}
 * @returns tensors by the names of their columns; with `nulls: "mask"` an object of `columns` and `missing`
 * @throws ArgumentError for columns of text and other types that tensors do not have, unknown columns, and a result without rows
 * @example
 * ```ts
 * import { fromDuckDB } from "nx-numerics/columns";
 * // What connection.stream("SELECT ...") gives has this structure.
 * const column = { type: { typeId: 11 }, itemCount: 2, items: new Float64Array([1, 2.5]), getItem: () => null };
 * const chunks = [{ rowCount: 2, getColumnVector: () => column }];
 * const result = { columnNames: () => ["height"], fetchChunk: async () => chunks.pop() ?? null };
 * const { height } = await fromDuckDB(result, { columns: ["height"], axis: "row" });
 * height;
 * // => #Nx.Tensor<
 * //   f64[row: 2]
 * //   [1.0, 2.5]
 * // >
 * await fromDuckDB(result, { columns: ["heigth"] });
 * // throws ArgumentError: fromDuckDB: there is no column "heigth"; the columns are "height"
 * ```
 */
export async function fromDuckDB<const C extends string = string>(
  result: DuckDBResult,
  options: ColumnOptions<C> & { readonly nulls: "mask" },
): Promise<MaskedColumns<C>>;
export async function fromDuckDB<const C extends string = string>(
  result: DuckDBResult,
  options?: ColumnOptions<C> & NullOptions,
): Promise<Readonly<Record<C, Tensor>>>;
export async function fromDuckDB(result: DuckDBResult, options?: ColumnOptions & NullOptions): Promise<unknown> {
  const fn = "fromDuckDB";
  const checked = checkOptions(fn, options);
  const { columnNames, fetchChunk } = (result ?? {}) as Partial<DuckDBResult>;
  if (typeof columnNames !== "function" || typeof fetchChunk !== "function") {
    throw new ArgumentError(`${fn} expects a result of DuckDB, such as await connection.stream("SELECT ...")`);
  }
  const known = result.columnNames();
  const pieces = wantedOf(fn, known, checked).map((name) => [name, [] as Piece[]] as const);
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const [name, parts] of pieces) parts.push(pieceOf(fn, name, chunk.getColumnVector(known.indexOf(name))));
  }
  return columnsOf(fn, pieces, checked);
}
