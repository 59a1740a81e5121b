/**
 * `nx-numerics/columns`: tensors of the columns of tables, of Apache Arrow and DuckDB. By structure: neither is a dependency.
 */
export { fromArrow, type ArrowData, type ArrowTable, type ArrowType } from "./arrow";
export { fromDuckDB, type DuckDBChunk, type DuckDBColumn, type DuckDBResult } from "./duckdb";
export type { ColumnOptions, MaskedColumns, NullOptions } from "./pieces";
