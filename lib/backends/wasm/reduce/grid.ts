/**
 * Reducing an array of groups x rows x columns in the memory of kernels: cut into pieces that fit the caches, each
 * reduced by itself, results of pieces joined. Pieces are whole groups, or powers of two of blocks of rows, so that the
 * order of the operations is that of one reduction of all rows.
 */
import { bytesOf, type DType } from "../../../core/types";
import type { Elements } from "../../arrays/storage";
import type { Grid } from "../../binary/fold";
import { tuning } from "../../tuning";
import { arrays } from "../arrays";
import { inScratch, scratch, SLACK } from "../memory";
import type { KernelModule } from "../module";
import { roomsOf, Stored } from "../placement";
import {
  cutGroups,
  cutRowsOfGroups,
  reductionSlots,
  EMITTED_BYTES,
  ROW_BYTES,
  type CutOfRows,
  type Reduction,
} from "../schedule";
import { runChunks } from "../chunks";
import { threadCount, type Call } from "../threads/index";
import { BLOCK } from "./along";
import { finisher } from "./folds";
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
  readonly source: Stored;
  readonly grid: Grid;
  readonly reduction: Reduction;
}

/** The most entries that are emitted at a time: at least those of {@link isAtHand}, which have up to 8 bytes. */
const longestRow = (bytes: number, { columns }: Grid): number =>
  Math.max(EMITTED_BYTES / Math.min(bytes, 8), Math.min(columns, ROW_BYTES / bytes));

/** Takes `n` entries at an address out, to element `at` of the results. */
export type Emit = (address: number, n: number, at: number) => void;

/**
 * Results of reducing `source`, elements of a type, as elements of `out`. The reducer's entries are of the type `stored`; `base` is
 * where the results begin, where entries may be written there as they are.
 */
export function reduceTo(
  out: DType,
  stored: DType,
  reducerOf: (emit: Emit, base: number | null) => Reducer,
  type: DType,
  source: Elements,
  grid: Grid,
): Elements {
  const results = arrays.unset(out, [grid.groups * grid.columns]);
  const finish = finisher(stored, out);
  const target = new Stored(out, results);
  inScratch(() => {
    const rounded = finish ? scratch((longestRow(bytesOf(type), grid) + 16) * bytesOf(out) + SLACK) : 0;
    const emit: Emit = (address, n, at) => {
      finish?.(address, n, rounded);
      target.put(finish ? rounded : address, n, at);
    };
    reduceGrid(reducerOf(emit, finish ? null : target.addressOf(0)), type, source, grid);
  });
  return results;
}

/** Reduces `source`, elements of a type. To be called in scratch space. */
function reduceGrid(reducer: Reducer, type: DType, source: Elements, grid: Grid): void {
  const stored = new Stored(type, source);
  const { bytes } = reducer;
  const { groups, rows, columns } = grid;
  const { sharedFrom } = tuning;
  const reduction = { groups, rows, columns, bytes, block: BLOCK, resident: stored.isResident, sharedFrom };
  const task = { reducer, source: stored, grid, reduction };
  if (grid.rows * grid.columns * bytes > EMITTED_BYTES) reduceRows(task);
  else if (!isAtHand(task)) reduceGroups(task);
  else reduceAtHand(task);
}

/** Whether nothing has to be copied for pieces: elements are resident, and results are, or they are few and go out together. */
function isAtHand({ reducer, source, grid: { groups, columns } }: Task): boolean {
  const isDirect = reducer.placeFor !== undefined && reducer.placeFor(0, groups) !== null;
  const entries = groups * columns;
  // Threads write next to each other, so none may write behind its own.
  const areApart = reducer.rowEntries(columns) === columns;
  return source.isResident && areApart && (isDirect || entries <= EMITTED_BYTES / 8);
}

/** Several groups a piece, all of them handed out at once. */
function reduceAtHand({ reducer, source, grid, reduction }: Task): void {
  const { groups, rows, columns } = grid;
  const { span, chunks } = cutGroups(reduction, threadCount());
  const count = (piece: number): number => Math.min(span, groups - piece * span);
  const isDirect = reducer.placeFor !== undefined && reducer.placeFor(0, groups) !== null;
  // Of results that lie where they belong, only a last piece of few groups has none of its own.
  const entries = isDirect ? count(chunks - 1) * columns : groups * columns;
  const region: Region = { address: scratch(reducer.regionBytes(entries) + SLACK), entries };
  const temp = roomsOf(chunks, reducer.tempBytes(rows, columns));
  const pitch = columns * reducer.bytes;
  runChunks({
    module: reducer.module,
    name: reducer.name,
    chunks,
    slots: chunks,
    isResident: true,
    stage(piece, place) {
      const x = source.addressOf(piece * span * rows * columns)!;
      const held = { x, groups: count(piece), rows, pitch, columns, first: 0 };
      const address = isDirect ? reducer.placeFor!(piece * span, count(piece)) : null;
      if (address !== null) return [reducer.call(held, { address, entries: held.groups * columns }, 0, temp[place]!)];
      return [reducer.call(held, region, isDirect ? 0 : piece * span * columns, temp[place]!)];
    },
  });
  const from = isDirect ? (chunks - 1) * span : 0;
  const isEmitted = !isDirect || reducer.placeFor!(from, count(chunks - 1)) === null;
  if (isEmitted) reducer.emit(region, 0, entries, from * columns);
}

/** Several groups a piece. */
function reduceGroups({ reducer, source, grid }: Task): void {
  const { groups, rows, columns } = grid;
  const size = rows * columns;
  const { bytes } = reducer;
  const together = Math.min(groups, Math.floor(EMITTED_BYTES / bytes / size));
  const pieces = Math.ceil(groups / together);
  const places = reductionSlots(pieces, together * size * bytes, source.isResident, tuning.sharedFrom, threadCount());
  const at = roomsOf(places, together * size * bytes);
  const entries = together * columns;
  const to = roomsOf(places, reducer.regionBytes(entries)).map((address): Region => ({ address, entries }));
  const temp = roomsOf(places, reducer.tempBytes(rows, columns));
  const count = (piece: number): number => Math.min(together, groups - piece * together);
  const lying = (piece: number): number | null => reducer.placeFor?.(piece * together, count(piece)) ?? null;
  runChunks({
    module: reducer.module,
    name: reducer.name,
    chunks: pieces,
    slots: places,
    stage(piece, place) {
      const x = source.bring(piece * together * size, count(piece) * size, at[place]!);
      const held = { x, groups: count(piece), rows, pitch: columns * bytes, columns, first: 0 };
      const address = lying(piece);
      return [reducer.call(held, address === null ? to[place]! : { address, entries }, 0, temp[place]!)];
    },
    collect(piece, place) {
      if (lying(piece) === null) reducer.emit(to[place]!, 0, count(piece) * columns, piece * together * columns);
    },
  });
}

/** Several pieces a group; as many units at a time, tiles of groups, as there is room for results of pieces. */
function reduceRows(task: Task): void {
  const { reducer, grid, reduction } = task;
  const cut = cutRowsOfGroups(reduction, threadCount());
  const { tiles, chunks, width, together } = cut;
  const row = reducer.rowEntries(width);
  const units = grid.groups * tiles;
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
const unitAt = ({ tiles, width }: CutOfRows, unit: number): [number, number] => [
  Math.floor(unit / tiles),
  (unit % tiles) * width,
];

function reduceUnits(task: Task, cut: CutOfRows, first: number, count: number, region: Region): void {
  const { reducer, grid, source } = task;
  const { height, width, chunks, parts } = cut;
  const row = reducer.rowEntries(width);
  const pieces = count * chunks;
  const bytes = Math.min(height, grid.rows) * width * reducer.bytes;
  // A column by itself is made contiguous.
  const isResident = source.isResident && (grid.columns === 1 || grid.columns % width !== 1);
  const places = isResident
    ? pieces
    : reductionSlots(pieces, bytes, source.isResident, tuning.sharedFrom, threadCount());
  const at = isResident ? [] : roomsOf(places, bytes);
  const temp = roomsOf(places, reducer.tempBytes(Math.min(height, grid.rows), width));
  runChunks({
    module: reducer.module,
    name: reducer.name,
    chunks: pieces,
    slots: places,
    isResident,
    stage(number, place) {
      const [group, column] = unitAt(cut, first + Math.floor(number / chunks));
      const from = (number % chunks) * height;
      const rows = Math.min(height, grid.rows - from);
      const columns = Math.min(width, grid.columns - column);
      const start = (group * grid.rows + from) * grid.columns + column;
      const isInPlace = source.isResident && (columns > 1 || grid.columns === 1);
      const x = isInPlace ? source.addressOf(start)! : source.bringRows(rows, columns, grid.columns, start, at[place]!);
      const pitch = (isInPlace ? grid.columns : columns) * reducer.bytes;
      const piece = { x, groups: 1, rows, pitch, columns, first: from };
      return callsFor(reducer, piece, parts, region, number * row, temp[place]!);
    },
  });
}

/** One call, or several that share the columns of a piece of a block of rows. */
function callsFor(reducer: Reducer, piece: Piece, parts: number, to: Region, at: number, temp: number): Call[] {
  if (parts === 1 || piece.rows > BLOCK) return [reducer.call(piece, to, at, temp)];
  const { columns } = piece;
  const width = Math.ceil(columns / parts / 16) * 16;
  const calls: Call[] = [];
  for (let c = 0; c < columns; c += width) {
    const part = { ...piece, x: piece.x + c * reducer.bytes, columns: Math.min(width, columns - c) };
    calls.push(reducer.call(part, to, at + c, temp));
  }
  return calls;
}
