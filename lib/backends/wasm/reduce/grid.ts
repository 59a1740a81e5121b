/**
 * Reducing an array of groups x rows x columns in the memory of kernels: cut into pieces that fit the caches, each
 * reduced by itself, results of pieces joined. Pieces are whole groups, or powers of two of blocks of rows, so that the
 * order of the operations is that of one reduction of all rows.
 */
import type { DType } from "../../../core/types";
import type { Elements } from "../../arrays/storage";
import type { Grid } from "../../binary/fold";
import { addressOf } from "../arena";
import { inScratch, scratch } from "../memory";
import type { KernelModule } from "../module";
import { copyIn, operandAt, PIECE_BYTES, placesFor, runStream } from "../stream";
import type { Call } from "../threads/index";
import { BLOCK, SLACK } from "./fold-code";
import { MOST_TOGETHER } from "./short-code";

/** A piece in memory: groups of rows, `pitch` bytes apart, the first of them row `first` of its group. */
export interface Piece {
  readonly x: number;
  readonly groups: number;
  readonly rows: number;
  readonly pitch: number;
  readonly columns: number;
  readonly first: number;
}

/** Room for a number of entries; what is in it, the reducer knows. */
export interface Region {
  readonly address: number;
  readonly entries: number;
}

/** What is done with pieces. */
export interface Reducer {
  readonly module: KernelModule;
  /** The function that is called for pieces. */
  readonly name: string;
  /** Bytes of a stored element. */
  readonly bytes: number;
  /** Entries that a row of results takes, so that threads that write whole vectors do not get into each other's way. */
  rowEntries(columns: number): number;
  regionBytes(entries: number): number;
  tempBytes(rows: number, columns: number): number;
  /** Arguments for a piece whose results go to entry `at` and on. */
  call(piece: Piece, to: Region, at: number, temp: number): Call;
  /** Joins `count` rows of entries from entry `at` on; the first row is the result. */
  join(region: Region, at: number, count: number, columns: number): void;
  /** Where results of `n` groups from number `at` on may be written as they are; null where they are to be emitted. */
  placeFor?(at: number, n: number): number | null;
  /** Writes `n` entries from entry `from` on to the results, at element `at`. */
  emit(region: Region, from: number, n: number, at: number): void;
}

/** For functions of short rows: pieces of fewer groups than lanes would overwrite what is behind them. */
export const placeIn =
  (base: number | null, bytes: number): NonNullable<Reducer["placeFor"]> =>
  (at, n) =>
    base === null || n < MOST_TOGETHER ? null : base + at * bytes;

interface Task {
  readonly reducer: Reducer;
  readonly type: DType;
  readonly source: Elements;
  readonly grid: Grid;
}

/** Rows of a block are copied whole up to so many bytes. */
const WIDE_BYTES = 8 * PIECE_BYTES;
/** Entries of results of pieces that are held at a time. */
const HELD_ENTRIES = 2 ** 19;

const roundUp = (n: number, to: number): number => Math.ceil(n / to) * to;

/** The most entries that are emitted at a time. */
export const longestRow = (bytes: number, { columns }: Grid): number =>
  Math.max(PIECE_BYTES / bytes, Math.min(columns, WIDE_BYTES / bytes));

/** Reduces `source`, elements of a type. To be called in scratch space. */
export function reduceGrid(reducer: Reducer, type: DType, source: Elements, grid: Grid): void {
  const task = { reducer, type, source, grid };
  if (grid.rows * grid.columns * reducer.bytes <= PIECE_BYTES) reduceGroups(task);
  else reducePieces(task);
}

/** Several groups a piece. */
function reduceGroups({ reducer, type, source, grid }: Task): void {
  const { groups, rows, columns } = grid;
  const size = rows * columns;
  const { bytes } = reducer;
  const together = Math.min(groups, Math.floor(PIECE_BYTES / bytes / size));
  const pieces = Math.ceil(groups / together);
  const places = placesFor(pieces, together * size * bytes, addressOf(source) !== null);
  const at = placed(places, together * size * bytes);
  const entries = together * columns;
  const to = placed(places, reducer.regionBytes(entries)).map((address): Region => ({ address, entries }));
  const temp = placed(places, reducer.tempBytes(rows, columns));
  const count = (piece: number): number => Math.min(together, groups - piece * together);
  const lying = (piece: number): number | null => reducer.placeFor?.(piece * together, count(piece)) ?? null;
  runStream({
    module: reducer.module,
    name: reducer.name,
    pieces,
    places,
    stage(piece, place) {
      const x = operandAt(type, source, piece * together * size, count(piece) * size, at[place]!);
      const held = { x, groups: count(piece), rows, pitch: columns * bytes, columns, first: 0 };
      const address = lying(piece);
      return [reducer.call(held, address === null ? to[place]! : { address, entries }, 0, temp[place]!)];
    },
    collect(piece, place) {
      if (lying(piece) === null) reducer.emit(to[place]!, 0, count(piece) * columns, piece * together * columns);
    },
  });
}

const placed = (places: number, bytes: number): number[] =>
  Array.from({ length: places }, () => scratch(bytes + SLACK));

/** How a long grid is cut: tiles of columns, chunks of rows. A unit is a tile of a group. */
interface Cut {
  readonly width: number;
  readonly tiles: number;
  readonly height: number;
  readonly chunks: number;
  /** Entries of a row of results. */
  readonly row: number;
}

function cutOf({ reducer, grid: { rows, columns } }: Task): Cut {
  const { bytes } = reducer;
  const block = Math.min(rows, BLOCK) * bytes;
  const width = block * columns <= WIDE_BYTES ? columns : Math.max(16, Math.floor(WIDE_BYTES / 2 / block / 16) * 16);
  let height = BLOCK;
  while (height < rows && 2 * height * width * bytes <= PIECE_BYTES) height *= 2;
  return {
    width,
    tiles: Math.ceil(columns / width),
    height,
    chunks: Math.ceil(rows / height),
    row: reducer.rowEntries(width),
  };
}

/** Several pieces a group; as many units at a time as there is room for results of pieces. */
function reducePieces(task: Task): void {
  const { reducer, grid } = task;
  const cut = cutOf(task);
  const { tiles, chunks, row, width } = cut;
  const units = grid.groups * tiles;
  const together = Math.max(1, Math.min(units, Math.floor(HELD_ENTRIES / (chunks * row))));
  const entries = together * chunks * row;
  const region: Region = { address: scratch(reducer.regionBytes(entries) + SLACK), entries };
  for (let first = 0; first < units; first += together) {
    const count = Math.min(together, units - first);
    inScratch(() => reduceUnits(task, cut, first, count, region));
    for (let i = 0; i < count; i++) {
      const [group, column] = unitAt(cut, first + i);
      const at = i * chunks * row;
      if (chunks > 1) reducer.join(region, at, chunks, row);
      reducer.emit(region, at, Math.min(width, grid.columns - column), group * grid.columns + column);
    }
  }
}

/** Group and first column. */
const unitAt = ({ tiles, width }: Cut, unit: number): [number, number] => [
  Math.floor(unit / tiles),
  (unit % tiles) * width,
];

function reduceUnits(task: Task, cut: Cut, first: number, count: number, region: Region): void {
  const { reducer, grid } = task;
  const { height, width, chunks, row } = cut;
  const pieces = count * chunks;
  const bytes = Math.min(height, grid.rows) * width * reducer.bytes;
  const places = placesFor(pieces, bytes, addressOf(task.source) !== null);
  const at = placed(places, bytes);
  const temp = placed(places, reducer.tempBytes(Math.min(height, grid.rows), width));
  runStream({
    module: reducer.module,
    name: reducer.name,
    pieces,
    places,
    stage(number, place) {
      const [group, column] = unitAt(cut, first + Math.floor(number / chunks));
      const from = (number % chunks) * height;
      const rows = Math.min(height, grid.rows - from);
      const columns = Math.min(width, grid.columns - column);
      const { x, pitch } = rowsAt(task, (group * grid.rows + from) * grid.columns + column, rows, columns, at[place]!);
      const piece = { x, groups: 1, rows, pitch, columns, first: from };
      return callsFor(reducer, piece, region, number * row, temp[place]!);
    },
  });
}

/** Some columns of rows, where they are or copied to `room`; a single column is contiguous. */
function rowsAt(
  { type, source, grid, reducer }: Task,
  from: number,
  rows: number,
  columns: number,
  room: number,
): Pick<Piece, "x" | "pitch"> {
  const pitch = columns * reducer.bytes;
  if (columns === grid.columns) return { x: operandAt(type, source, from, rows * columns, room), pitch };
  const at = addressOf(source);
  if (at !== null && columns > 1) return { x: at + from * reducer.bytes, pitch: grid.columns * reducer.bytes };
  for (let i = 0; i < rows; i++) copyIn(type, source, from + i * grid.columns, columns, room + i * pitch);
  return { x: room, pitch };
}

/** One call, or several that share the columns of a large piece. */
function callsFor(reducer: Reducer, piece: Piece, to: Region, at: number, temp: number): Call[] {
  const { x, groups, rows, columns, pitch, first } = piece;
  const parts = rows <= BLOCK ? Math.max(1, Math.floor((rows * pitch) / PIECE_BYTES)) : 1;
  const width = roundUp(Math.ceil(columns / parts), 16);
  const calls: Call[] = [];
  for (let c = 0; c < columns; c += width) {
    const part = { x: x + c * reducer.bytes, groups, rows, pitch, columns: Math.min(width, columns - c), first };
    calls.push(reducer.call(part, to, at + c, temp));
  }
  return calls;
}
