/**
 * Reducing an array of groups x rows x columns in the memory of kernels: cut into pieces that fit the caches, each
 * reduced by itself, results of pieces joined. Pieces are whole groups, or powers of two of blocks of rows, so that the
 * order of the operations is that of one reduction of all rows.
 */
import { bytesOf, type DType } from "../../../core/types";
import { roundUp } from "../../../core/round-up";
import type { Elements } from "../../arrays/storage";
import type { Grid } from "../../binary/fold";
import { tuning } from "../../tuning";
import { arrays } from "../arrays";
import { runChunks } from "../chunks";
import { inScratch } from "../memory";
import type { KernelModule } from "../module";
import { baseOfArray, Layout, NOWHERE, roomFor, Stored, type Operand } from "../placement";
import { Plans } from "../plans";
import {
  cutGroups,
  cutRowsOfGroups,
  EMITTED_BYTES,
  ROW_BYTES,
  type Cut,
  type CutOfRows,
  type Reduction,
} from "../schedule";
import { threadCount, type Call } from "../threads";
import { BLOCK } from "./along";
import { finisher } from "./finisher";
import { MOST_TOGETHER } from "./across-rows";

/** A piece in memory: groups of rows, `pitch` bytes apart, the first of them row `first` of its group. */
export interface Piece {
  readonly x: number;
  readonly groups: number;
  readonly rows: number;
  readonly pitch: number;
  readonly columns: number;
  readonly first: number;
}

/** What is done with pieces. */
export interface Reducer {
  readonly module: KernelModule;
  /** The function that is called for pieces. */
  readonly name: string;
  /** Type of the elements. */
  readonly type: DType;
  /** Types of the entries that are made for each column of a group; the last are those that become results. */
  readonly entries: readonly DType[];
  /** Whether rows are short: then no group is cut, and of at least {@link MOST_TOGETHER} none writes behind the last one. */
  readonly isForShort: boolean;
  tempBytes(rows: number, columns: number): number;
  /** Arguments for a piece whose entries go to addresses. */
  call(piece: Piece, to: readonly number[], temp: number): Call;
  /** Joins `count` rows of entries; the first row is the result. */
  join(entries: readonly number[], count: number, columns: number): void;
}

/** Entries that a row of results takes, so that threads that write whole vectors do not get into each other's way. */
const VECTOR = 4;

interface Work {
  readonly reducer: Reducer;
  readonly grid: Grid;
  readonly elements: Elements;
  readonly source: Stored;
  /** Where results are written as they are; else nowhere. */
  readonly base: number;
  /** Takes `n` entries at an address out, to element `at` of the results. */
  emit(address: number, n: number, at: number): void;
}

/** Results of reducing `elements`, as elements of `out`. */
export function reduceTo(out: DType, reducer: Reducer, elements: Elements, grid: Grid): Elements {
  const results = arrays.unset(out, [grid.groups * grid.columns]);
  const finish = finisher(reducer.entries.at(-1)!, out, grid.groups * grid.columns);
  const [source, target] = [new Stored(reducer.type, elements), new Stored(out, results)];
  const bytes = bytesOf(reducer.type);
  const { groups, rows, columns } = grid;
  const isDirect = reducer.isForShort && !finish && groups >= MOST_TOGETHER;
  const base = isDirect ? baseOfArray(results) : NOWHERE;
  inScratch(() => {
    // At least as many as are emitted at once.
    const longest = Math.max(EMITTED_BYTES / Math.min(bytes, 8), Math.min(columns, ROW_BYTES / bytes));
    const rounded = finish ? roomFor(out, longest) : 0;
    const emit: Work["emit"] = (address, n, at) => {
      finish?.(address, n, rounded);
      target.put(finish ? rounded : address, n, at);
    };
    const work = { reducer, grid, elements, source, base, emit };
    if (rows * columns * bytes > EMITTED_BYTES) reduceRows(work);
    else reduceGroups(work);
  });
  return results;
}

/** How a reduction is cut, and what its operands are: entries, room to work in, elements. */
interface Plan<C> {
  readonly cut: C;
  readonly layout: Layout;
}

const byGroups = new Plans<Plan<Cut>>();
const byRows = new Plans<Plan<CutOfRows>>();

/** What plans depend on, besides where operands lie. */
const figuresOf = ({ groups, rows, columns }: Grid): readonly number[] => [
  groups,
  rows,
  columns,
  threadCount(),
  tuning.sharedFrom,
];

function reductionOf({ reducer, grid: { groups, rows, columns }, source }: Work): Reduction {
  const { sharedFrom } = tuning;
  return { groups, rows, columns, bytes: bytesOf(reducer.type), block: BLOCK, resident: source.isResident, sharedFrom };
}

/** Room to work in. */
const temporary = (bytes: number): Operand => ({ type: "u8", kind: "staged", each: 0, spare: bytes });

function planGroups(work: Work, bases: readonly number[]): Plan<Cut> {
  const { reducer, grid, source, base } = work;
  const { groups, rows, columns } = grid;
  // Threads write next to each other, so none may write behind its own.
  const areApart = columns === 1 || columns % VECTOR === 0;
  const areFew = groups * columns <= EMITTED_BYTES / 8;
  const isAtOnce = source.isResident && areApart && (base !== NOWHERE || areFew);
  const cut = cutGroups(reductionOf(work), isAtOnce, threadCount());
  const kind = isAtOnce ? "given" : "staged";
  const operands: Operand[] = [
    ...reducer.entries.map((type): Operand => ({ type, kind, each: columns, spare: VECTOR })),
    temporary(reducer.tempBytes(rows, columns)),
    { type: reducer.type, kind: "staged", each: rows * columns, spare: 0 },
  ];
  return { cut, layout: new Layout(operands, bases, cut.span, cut.slots) };
}

/** Several groups a piece. */
function reduceGroups(work: Work): void {
  const { reducer, grid, source, elements, base, emit } = work;
  const { module, name, type, entries } = reducer;
  const { groups, rows, columns } = grid;
  const bases: number[] = [];
  for (let i = 0; i < entries.length; i++) bases.push(base);
  bases.push(NOWHERE, baseOfArray(elements));
  const { cut, layout } = byGroups.get(reducer, [], bases, figuresOf(grid), () => planGroups(work, bases));
  const origins = layout.origins(bases);
  // Few results go out together.
  const together = cut.isAtOnce && base === NOWHERE;
  if (together) entries.forEach((of, i) => (origins[i] = roomFor(of, groups * columns)));
  const last = entries.length - 1;
  const pitch = columns * bytesOf(type);
  runChunks({
    module,
    name,
    cut,
    layout,
    origins,
    length: groups,
    least: base === NOWHERE ? 1 : MOST_TOGETHER,
    readers: [],
    results: [],
    callsOf({ start, n, addresses }) {
      const x = source.bring(start * rows * columns, n * rows * columns, addresses[last + 2]!);
      return [reducer.call({ x, groups: n, rows, pitch, columns, first: 0 }, addresses, addresses[last + 1]!)];
    },
    collect:
      base !== NOWHERE || together
        ? null
        : ({ start, n, addresses }) => emit(addresses[last]!, n * columns, start * columns),
  });
  if (together) emit(origins[last]!, groups * columns, 0);
}

function planRows(work: Work): Plan<CutOfRows> {
  const { reducer, grid } = work;
  const cut = cutRowsOfGroups(reductionOf(work), threadCount());
  const height = Math.min(cut.height, grid.rows);
  const each = cut.pieces.isAtOnce ? 0 : height * cut.width;
  const piece: Operand = { type: reducer.type, kind: "staged", each, spare: 0 };
  const operands = [temporary(reducer.tempBytes(height, cut.width)), piece];
  return { cut, layout: new Layout(operands, APART, 1, cut.pieces.slots) };
}

/** Pieces of rows are found one by one. */
const APART = [NOWHERE, NOWHERE];

/** Several pieces a group; as many units at a time, tiles of groups, as there is room for results of pieces. */
function reduceRows(work: Work): void {
  const { reducer, grid, elements } = work;
  const bases = [baseOfArray(elements)];
  const plan = byRows.get(reducer, [], bases, figuresOf(grid), () => planRows(work));
  const { tiles, chunks, width, together } = plan.cut;
  const row = roundUp(width, VECTOR);
  const units = grid.groups * tiles;
  const rooms = reducer.entries.map((type) => roomFor(type, together * chunks * row));
  const sizes = reducer.entries.map(bytesOf);
  const entriesAt: EntriesOf = (piece, column) => {
    const entries: number[] = [];
    for (let i = 0; i < rooms.length; i++) entries.push(rooms[i]! + (piece * row + column) * sizes[i]!);
    return entries;
  };
  for (let first = 0; first < units; first += together) {
    const count = Math.min(together, units - first);
    inScratch(() => reduceUnits(work, plan, first, count, entriesAt));
    for (let i = 0; i < count; i++) {
      const [group, column] = unitAt(plan.cut, first + i);
      const entries = entriesAt(i * chunks, 0);
      if (chunks > 1) reducer.join(entries, chunks, row);
      work.emit(entries.at(-1)!, Math.min(width, grid.columns - column), group * grid.columns + column);
    }
  }
}

/** Group and first column. */
const unitAt = ({ tiles, width }: CutOfRows, unit: number): [number, number] => [
  Math.floor(unit / tiles),
  (unit % tiles) * width,
];

/**
 * The first column of each part and how many columns it has: whole vectors, but in the last part, to which a column that would be left
 * belongs as well, since reducers take a column by itself to be contiguous.
 */
function partsOf(columns: number, parts: number): readonly (readonly [at: number, columns: number])[] {
  const each = roundUp(Math.ceil(columns / parts), 16);
  const count = Math.max(1, Math.ceil((columns - 1) / each));
  return Array.from({ length: count }, (_, i) => [i * each, i === count - 1 ? columns - i * each : each]);
}

/** Where the entries of a piece go, from a column of it on. */
type EntriesOf = (piece: number, column: number) => readonly number[];

function reduceUnits(work: Work, { cut, layout }: Plan<CutOfRows>, first: number, count: number, to: EntriesOf): void {
  const { reducer, grid, source } = work;
  const { module, name, type } = reducer;
  const { height, width, parts } = cut;
  const bytes = bytesOf(type);
  const chunks = count * cut.chunks;
  runChunks({
    module,
    name,
    cut: { ...cut.pieces, chunks },
    length: chunks,
    least: 1,
    layout,
    origins: layout.origins(APART),
    readers: [],
    results: [],
    collect: null,
    callsOf({ number, addresses }) {
      const temp = addresses[0]!;
      const [group, column] = unitAt(cut, first + Math.floor(number / cut.chunks));
      const from = (number % cut.chunks) * height;
      const rows = Math.min(height, grid.rows - from);
      const columns = Math.min(width, grid.columns - column);
      const start = (group * grid.rows + from) * grid.columns + column;
      const isInPlace = source.isResident && (columns > 1 || grid.columns === 1);
      const x = isInPlace
        ? source.addressOf(start)!
        : source.bringRows(rows, columns, grid.columns, start, addresses[1]!);
      const pitch = (isInPlace ? grid.columns : columns) * bytes;
      const piece = { x, groups: 1, rows, pitch, columns, first: from };
      if (parts === 1 || rows > BLOCK) return [reducer.call(piece, to(number, 0), temp)];
      // Several calls share the columns of a piece of a block of rows.
      return partsOf(columns, parts).map(([at, some]) =>
        reducer.call({ ...piece, x: x + at * bytes, columns: some }, to(number, at), temp),
      );
    },
  });
}
