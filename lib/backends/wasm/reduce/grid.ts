/**
 * Reductions, searches and scans of an array of groups x rows x columns in the memory of kernels: cut into pieces that fit the caches, each
 * done by itself. Pieces are whole groups, or of reductions powers of two of blocks of rows, so that the order of the operations is that
 * of one reduction of all rows when results of pieces are joined; scans go on from piece to piece.
 */
import { bytesOf, type DType } from "../../../core/types";
import { roundUp } from "../../../core/round-up";
import { gatherLattice } from "../../arrays/copy";
import type { Elements } from "../../arrays/storage";
import type { Grid } from "../../binary/fold";
import { tuning } from "../../tuning";
import { arrays } from "../arrays";
import { runChunks } from "../placement/chunks";
import { inScratch, views } from "../memory/linear";
import type { KernelModule } from "../modules/module";
import { baseOfArray, Layout, NOWHERE, roomFor, Stored, type Operand } from "../placement";
import { Plans, type Plan } from "../placement/plans";
import {
  cutFinished,
  cutGroups,
  cutRowsOfGroups,
  EMITTED_BYTES,
  ROW_BYTES,
  type CutOfRows,
  type Reduction,
} from "../schedule/reductions";
import { STEP } from "../schedule/element-wise";
import { threadCount, type Call, type Step } from "../threads";
import { finisher } from "./finisher";
import { elementOf, runsOf, type StridedGrid, type StridedView } from "./strided";

/** A piece in memory: groups, `step` bytes apart, of rows, `pitch` bytes apart, the first of them row `first` of its group. */
interface Piece {
  readonly x: number;
  readonly groups: number;
  readonly step: number;
  readonly rows: number;
  readonly pitch: number;
  readonly columns: number;
  readonly first: number;
}

/** What is done with pieces. */
export interface Reducer {
  readonly module: KernelModule;
  /** Type of the elements. */
  readonly type: DType;
  /** Types of the entries that are made for each column of a group; the first are those that become results. */
  readonly entries: readonly DType[];
  /** Groups of a piece at least whose results are written where they belong: of fewer it writes behind the last one. Infinity for none. */
  readonly least: number;
  /** Where every element has a result: which way rows go, and what is done with groups that are larger than a piece. */
  readonly scans?: { readonly reverse: boolean; large(work: Work): void };
  tempBytes(rows: number, columns: number, groups: number): number;
}

/** The call for a piece, whose entries go to the first of some addresses: the arguments of `run`. */
export const callOf = (
  { x, groups, step, rows, pitch, columns, first }: Piece,
  to: readonly number[],
  room: number,
): Call => [x, groups, step, rows, pitch, columns, first, to[0]!, to[1] ?? 0, room];

/** Entries that a row of results takes, so that threads that write whole vectors do not get into each other's way. */
const VECTOR = 4;

/** A reduction, search or scan of some elements. */
export interface Work {
  readonly reducer: Reducer;
  readonly grid: Grid;
  /** How the elements lie, where that is in the memory of kernels. */
  readonly strided: StridedGrid;
  readonly elements: Elements;
  readonly source: Stored;
  /** Where results are written as they are; else nowhere. */
  readonly base: number;
  /** The step that makes `n` entries at an address to results from element `at` on, where any thread may do so. */
  readonly finished: ((address: number, n: number, at: number) => Step) | null;
  /** Takes `n` entries at an address out, to element `at` of the results, unless they are where they belong. */
  emit(address: number, n: number, at: number): void;
}

/** Results of reducing `elements` as they lie, as elements of `out`; those that do not lie in order are in the memory of kernels. */
export function reduceTo(out: DType, reducer: Reducer, elements: Elements, strided: StridedGrid): Elements {
  const { grid } = strided;
  const { groups, rows, columns } = grid;
  const count = groups * columns * (reducer.scans ? rows : 1);
  const results = arrays.unset(out, [count]);
  const finish = finisher(reducer.entries[0]!, out, count);
  const [source, target] = [new Stored(reducer.type, elements), new Stored(out, results)];
  const bytes = bytesOf(reducer.type);
  const base = !finish && groups >= reducer.least ? baseOfArray(results) : NOWHERE;
  inScratch(() => {
    // At least as many as are emitted at once.
    const longest = Math.max(EMITTED_BYTES / Math.min(bytes, 8), Math.min(columns, ROW_BYTES / bytes));
    const rounded = finish ? roomFor(out, longest) : 0;
    const emit: Work["emit"] = (address, n, at) => {
      finish?.run(address, n, rounded);
      target.put(finish ? rounded : address, n, at);
    };
    const [module, own] = [finish?.module, baseOfArray(results)];
    // whole steps of a kernel, so that none writes where another one does
    const isShared = reducer.scans && source.isResident && own !== NOWHERE && (rows * columns) % STEP === 0;
    const finished =
      module && isShared
        ? (address: number, n: number, at: number): Step => ({
            module,
            name: "run",
            args: [n, address, own + at * bytesOf(out)],
          })
        : null;
    const work = { reducer, grid, strided, elements, source, base, finished, emit };
    if (rows * columns * bytes <= EMITTED_BYTES) reduceGroups(work);
    else if (reducer.scans) reducer.scans.large(work);
    else reduceRows(work);
  });
  return results;
}

/** Results of reducing a view where it lies, by the reducer for how that is done; null where there is none, or the view has to be copied. */
export function reduceView(
  out: DType,
  elements: Elements,
  view: StridedView,
  reducerOf: (strided: StridedGrid) => Reducer | null,
  short?: number,
): Elements | null {
  const found = view.inPlace(short);
  const reducer = found && reducerOf(found.strided);
  if (!reducer) return null;
  const { strided, results } = found;
  const made = reduceTo(out, reducer, elements, strided);
  if (results === null) return made;
  const inOrder = gatherLattice(arrays, out, results.shape, made, results);
  arrays.drop(made);
  return inOrder;
}

/** Entries of lines, which a reduction holds, joined in pairs: `count` of them to each result, an element of `out`. */
export function joinedTo(out: DType, { module, entries }: Reducer, held: Elements, count: number): Elements {
  const [type] = entries as [DType];
  const groups = held.length / count;
  const results = arrays.unset(out, [groups]);
  const finish = finisher(type, out, groups);
  inScratch(() => {
    const [source, target] = [new Stored(type, held), new Stored(out, results)];
    const [from, to, rounded] = [roomFor(type, held.length), roomFor(type, groups), roomFor(out, groups)];
    const x = source.bring(0, held.length, from);
    for (let group = 0; group < groups; group++) {
      const at = x + group * count * bytesOf(type);
      module.exports.join!(at, 0, count, 1);
      views().u8.copyWithin(to + group * bytesOf(type), at, at + bytesOf(type));
    }
    finish?.run(to, groups, rounded);
    target.put(finish ? rounded : to, groups, 0);
  });
  arrays.drop(held);
  return results;
}

/** Operands of groups: entries, room to work in, elements. */
const byGroups = new Plans<Plan>();
/** Operands of rows: entries, room to work in, elements. */
const byRows = new Plans<Plan<CutOfRows>>();

/** The threads that share work, of which nobody asks the host where it is too little to be shared. */
const threadsOf = ({ reducer, grid: { groups, rows, columns } }: Work): number =>
  groups * rows * columns * bytesOf(reducer.type) < tuning.sharedFrom ? 1 : threadCount();

/** What plans depend on, besides where operands lie. */
const figuresOf = (work: Work): readonly number[] => {
  const { groups, rows, columns } = work.grid;
  return [groups, rows, columns, threadsOf(work), tuning.sharedFrom, Number(work.finished !== null)];
};

function reductionOf({ reducer, grid: { groups, rows, columns }, source, base, finished }: Work): Reduction {
  const { sharedFrom } = tuning;
  const resident = source.isResident && (!reducer.scans || base !== NOWHERE || finished !== null);
  return { groups, rows, columns, bytes: bytesOf(reducer.type), resident, sharedFrom };
}

/** Room to work in. */
const temporary = (bytes: number): Operand => ({ type: "u8", kind: "staged", each: 0, spare: bytes });

function planGroups(work: Work, bases: readonly number[]): Plan {
  const { reducer, grid, source, base } = work;
  const { groups, rows, columns } = grid;
  // Threads write next to each other, so none may write behind its own.
  const areApart = !reducer.scans && (columns === 1 || columns % VECTOR === 0);
  const areFew = groups * columns <= EMITTED_BYTES / 8;
  const isAtOnce = source.isResident && areApart && (base !== NOWHERE || areFew);
  const cutting = work.finished ? cutFinished : cutGroups;
  const cut = cutting(reductionOf(work), isAtOnce, threadsOf(work));
  const kind = isAtOnce ? "given" : "staged";
  const eachOf = (i: number): number => (reducer.scans && i === 0 ? rows * columns : columns);
  const operands: Operand[] = [
    ...reducer.entries.map((type, i): Operand => ({ type, kind, each: eachOf(i), spare: VECTOR })),
    temporary(reducer.tempBytes(rows, columns, cut.span)),
    { type: reducer.type, kind: "staged", each: rows * columns, spare: 0 },
  ];
  return { cut, layout: new Layout(operands, bases, cut.span, cut.slots) };
}

/** Several groups a piece. */
function reduceGroups(work: Work): void {
  const { reducer, grid, strided, source, elements, base, finished, emit } = work;
  const { module, type, entries, scans } = reducer;
  const { groups, rows, columns } = grid;
  const temp = entries.length;
  const bases = [base];
  for (let i = 1; i <= temp; i++) bases.push(NOWHERE);
  bases.push(baseOfArray(elements));
  const { cut, layout } = byGroups.get(reducer, [], bases, figuresOf(work), () => planGroups(work, bases));
  const origins = layout.origins(bases);
  // Few results go out together.
  const together = cut.isAtOnce && base === NOWHERE;
  if (together) entries.forEach((of, i) => (origins[i] = roomFor(of, groups * columns)));
  // What is held before the first row.
  for (let slot = 0; scans && slot < cut.slots; slot++) {
    const held = reducer.tempBytes(rows, columns, cut.span) / bytesOf(entries[1]!);
    module.exports.start!(layout.addresses(origins, slot, 0)[temp]!, held);
  }
  const size = rows * columns;
  const made = scans ? size : columns;
  const bytes = bytesOf(type);
  runChunks({
    module,
    name: "run",
    cut,
    layout,
    origins,
    length: groups,
    least: base === NOWHERE ? 1 : reducer.least,
    callsOf: ({ start, n, addresses }) =>
      runsOf(strided, start, n).map(({ done, count, from, step }) => {
        const x = source.addressOf(from) ?? source.bring((start + done) * size, count * size, addresses[temp + 1]!);
        const piece = { x, groups: count, step: step * bytes, rows, pitch: strided.pitch * bytes, columns, first: 0 };
        const to = entries.map((of, i) => addresses[i]! + done * (i === 0 ? made : columns) * bytesOf(of));
        return callOf(piece, to, addresses[temp]!);
      }),
    stepAfter: finished && (({ start, n, addresses }) => finished(addresses[0]!, n * made, start * made)),
    collect:
      base !== NOWHERE || together ? null : ({ start, n, addresses }) => emit(addresses[0]!, n * made, start * made),
  });
  if (together) emit(origins[0]!, groups * columns, 0);
}

function planRows(work: Work): Plan<CutOfRows> {
  const { reducer, grid } = work;
  const cut = cutRowsOfGroups(reductionOf(work), threadsOf(work));
  const height = Math.min(cut.height, grid.rows);
  const each = cut.pieces.isAtOnce ? 0 : height * cut.width;
  const piece: Operand = { type: reducer.type, kind: "staged", each, spare: 0 };
  const entries = reducer.entries.map((type): Operand => ({ type, kind: "given", each: rowOf(cut), spare: 0 }));
  const operands = [...entries, temporary(reducer.tempBytes(height, cut.width, 1)), piece];
  const bases = [...entries.map(() => NOWHERE), ...APART];
  return { cut, layout: new Layout(operands, bases, 1, cut.pieces.slots) };
}

/** Behind entries: room to work in, and pieces of rows, which are found one by one. */
const APART = [NOWHERE, NOWHERE];

/** Entries from a piece to the next one. */
const rowOf = ({ width }: CutOfRows): number => roundUp(width, VECTOR);

/** Several pieces a group; as many units at a time, tiles of groups, as there is room for results of pieces. */
function reduceRows(work: Work): void {
  const { reducer, grid, elements } = work;
  const bases = [baseOfArray(elements)];
  const plan = byRows.get(reducer, [], bases, figuresOf(work), () => planRows(work));
  const { tiles, chunks, width, together } = plan.cut;
  const row = rowOf(plan.cut);
  const units = grid.groups * tiles;
  const rooms = reducer.entries.map((type) => roomFor(type, together * chunks * row));
  for (let first = 0; first < units; first += together) {
    const count = Math.min(together, units - first);
    inScratch(() => reduceUnits(work, plan, first, count, rooms));
    for (let i = 0; i < count; i++) {
      const [group, column] = unitAt(plan.cut, first + i);
      const entries = rooms.map((room, of) => room + i * chunks * row * bytesOf(reducer.entries[of]!));
      if (chunks > 1) reducer.module.exports.join!(entries[0]!, entries[1] ?? 0, chunks, row);
      work.emit(entries[0]!, Math.min(width, grid.columns - column), group * grid.columns + column);
    }
  }
}

/** Group and first column. */
const unitAt = ({ tiles, width }: CutOfRows, unit: number): [number, number] => [
  Math.floor(unit / tiles),
  (unit % tiles) * width,
];

/** Some units, of which the entries of each piece go to rooms. */
function reduceUnits(
  work: Work,
  { cut, layout }: Plan<CutOfRows>,
  first: number,
  count: number,
  rooms: readonly number[],
): void {
  const { reducer, grid, strided, source } = work;
  const { module, type } = reducer;
  const { height, width } = cut;
  const bytes = bytesOf(type);
  const chunks = count * cut.chunks;
  const temp = rooms.length;
  // The first element of each tile, and its address where the tile is read in its place.
  const tiles = Array.from({ length: count }, (_, i) => {
    const [group, column] = unitAt(cut, first + i);
    const columns = Math.min(width, grid.columns - column);
    const start = elementOf(strided, group) + column;
    return { columns, start, at: columns > 1 || grid.columns === 1 ? source.addressOf(start) : null };
  });
  runChunks({
    module,
    name: "run",
    cut: { ...cut.pieces, chunks },
    length: chunks,
    layout,
    origins: layout.origins([...rooms, ...APART]),
    callsOf: ({ number, addresses }) => {
      const { columns, start, at } = tiles[Math.floor(number / cut.chunks)]!;
      const from = (number % cut.chunks) * height;
      const rows = Math.min(height, grid.rows - from);
      const skipped = from * strided.pitch;
      const x =
        at === null
          ? source.bringRows(rows, columns, strided.pitch, start + skipped, addresses[temp + 1]!)
          : at + skipped * bytes;
      const pitch = (at === null ? columns : strided.pitch) * bytes;
      const piece = { x, groups: 1, step: 0, rows, pitch, columns, first: from };
      return [callOf(piece, addresses.slice(0, temp), addresses[temp]!)];
    },
  });
}
