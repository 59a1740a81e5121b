/**
 * Runs row programs some rows at a time, or where rows are cut a part of a row at a time; threads work on the pieces.
 * Operands and results that lie in the memory of kernels are read and written there, others are copied piece by piece.
 * What a piece gives does not depend on how many rows it has.
 */
import type { DataMembers, RowsInput, RowsValue, Template } from "../../../backend";
import { bytesOf, type DType } from "../../../core/types";
import { readerOf, type CopyRows, type Reader } from "../../../kernel/operand";
import type { Tensor } from "../../../tensor";
import { widthOf, type Elements } from "../../arrays/storage";
import { addressOf, contiguousAt } from "../arena";
import { arrays } from "../arrays";
import { STEP } from "../codegen";
import { inScratch, scratch, views, VIEW } from "../memory";
import { copyRowsOf } from "../copy";
import { BLOCK, SLACK } from "../reduce/fold-code";
import { isWideWork, type WorkType } from "../reduce/lanes";
import { residentElements } from "../resident";
import { copyOut, PIECE_BYTES, runStream } from "../stream";
import { threadCount } from "../threads";
import { isWarm } from "../tiering";
import { accumulatorsAt, foldsOf, isRowsCompiled, rowsModule, tableLength, temporaryAt, type Program } from "./code";

/** Bytes of all full values of a piece: less than a core's second cache. */
const ALL_BYTES = 6 * PIECE_BYTES;

/** Pieces in memory for each thread: one it works on, one that waits. */
const AHEAD = 2;
/** Below this many ops for each element copying is most of the work, and that is the caller's (a layer norm has 20). */
const SHARED_FROM_OPS = 32;
/** What a fold counts for. */
const FOLD_OPS = 4;

/** The member of the backend. */
export const fusedRows: NonNullable<DataMembers["fusedRows"]> = (outs, inputs, program) => {
  if (!isRowsCompiled(program) && !isWarm(program.key, program.rows * program.length)) return null;
  const readers = inputs.map((input, i) => readerFor(input, program.inputs[i]!));
  const results = outs.map((out: Template) => arrays.unset(out.type, out.shape));
  runProgram(program, readers, results);
  return results.map((elements) => arrays.hold(elements));
};

/** Runs a program; operands are read in the order of their spaces. */
export function runProgram(program: Program, readers: readonly Reader[], results: readonly Elements[]): void {
  const module = rowsModule(program);
  inScratch(() => new Run(program, readers, results)[program.cut ? "cut" : "whole"](module));
}

/** How many pieces are under way at a time: one where the caller does all. */
function placesFor({ steps }: Program, pieces: number, staged: boolean): number {
  const ops = steps.reduce((sum, step) => {
    if (step.kind === "fold") return sum + FOLD_OPS;
    return sum + (step.space === "full" ? step.kernel.values.length : 0);
  }, 0);
  const threads = threadCount();
  if (threads === 1 || pieces < 2 * AHEAD || (staged && ops < SHARED_FROM_OPS)) return 1;
  return Math.min(pieces, AHEAD * threads);
}

function readerFor(tensor: Tensor, { view: { shape, strides, offset } }: RowsInput): Reader {
  return readerOf({ elements: residentElements(tensor), width: widthOf(tensor.type), offset, strides }, shape);
}

/** Addresses of one piece, and where they are written down. */
interface Table {
  readonly addresses: number[];
  readonly table: number;
}

/** The same for its last row alone, where results of that are put elsewhere first. */
interface Place extends Table {
  readonly last: Table | null;
}

type Module = ReturnType<typeof rowsModule>;

class Run {
  private readonly inputs: readonly RowsValue[];
  private readonly copies: readonly (CopyRows | undefined)[];
  private readonly folds;
  /** Values that are the same for all pieces. */
  private readonly fixed: (number | null)[];
  /** Where full values are that lie in the memory of kernels. */
  private readonly resident: (number | null)[];

  constructor(
    private readonly program: Program,
    private readonly readers: readonly Reader[],
    private readonly results: readonly Elements[],
  ) {
    const { length } = program;
    this.inputs = program.values.slice(0, readers.length);
    this.copies = readers.map(copyRowsOf);
    this.folds = foldsOf(program).map(({ work }) => (isWideWork(work as WorkType) ? 8 : 4));
    this.fixed = this.inputs.map(({ type, space }, i) => {
      if (space !== "one" && space !== "column") return null;
      const n = space === "one" ? 1 : length;
      const at = room(type, n);
      this.readers[i]!.read(views()[VIEW[type]], at / bytesOf(type), 0, n);
      return at;
    });
    this.resident = this.residents();
  }

  private residents(): (number | null)[] {
    const { program, readers, results } = this;
    const { length, values, outputs, cut, rows } = program;
    const found = values.map((value, i) => {
      const reader = readers[i];
      return reader && value.space === "full" ? contiguousAt(reader) : null;
    });
    const isOperand = (array: Elements): boolean => readers.some(({ elements }) => elements === array);
    outputs.forEach((value, i) => {
      const { space } = values[value]!;
      // Kernels write whole steps. What they write behind a row that is none is the next row's, which comes later; parts of a
      // row are not done in order, though, and behind a very short row are several.
      const apart = length % STEP === 0 || rows === 1 || (!cut && length > STEP);
      if (space === "full" && apart && outputs.indexOf(value) === i && !isOperand(results[i]!)) {
        found[value] ??= addressOf(results[i]!);
      }
    });
    return found;
  }

  /** Whether full values are copied. */
  private get staged(): boolean {
    const { program, resident } = this;
    const copied = [...this.inputs.keys(), ...program.outputs];
    return copied.some((value) => program.values[value]!.space === "full" && resident[value] === null);
  }

  /** Some rows at a time. */
  whole(module: Module): void {
    const { program, inputs } = this;
    const { rows, length, values } = program;
    const full = values.filter(({ space }) => space === "full").map(({ type }) => bytesOf(type) * length);
    const most = Math.min(PIECE_BYTES / Math.max(...full), ALL_BYTES / full.reduce((sum, bytes) => sum + bytes, 0));
    const together = Math.min(rows, Math.max(1, Math.floor(most)));
    const pieces = Math.ceil(rows / together);
    const places = this.places(placesFor(program, pieces, this.staged), together * length, together, this.overrun);
    const blocks = Math.ceil(length / BLOCK);
    for (const { addresses, last } of places) {
      this.folds.forEach((bytes, i) => {
        const [accumulators, temporary] = [accumulatorsAt(program, i), temporaryAt(program, i)];
        addresses[accumulators] = scratch((together + STEP) * bytes + SLACK);
        addresses[temporary] = scratch(blocks * bytes + SLACK);
        if (last) [accumulators, temporary].forEach((at) => (last.addresses[at] = addresses[at]!));
      });
    }
    const count = (piece: number): number => Math.min(together, rows - piece * together);
    runStream({
      module,
      name: "run",
      pieces,
      places: places.length,
      stage: (piece, number) => {
        const { addresses, table, last } = places[number]!;
        const n = count(piece);
        inputs.forEach(({ space }, i) => {
          const each = space === "full" ? length : 1;
          if (this.fixed[i] === null) this.stage(i, addresses, piece * together * each, n * each);
        });
        this.place(addresses, piece * together * length);
        writeTable({ addresses, table });
        if (last) this.writeLast(addresses, last, n - 1);
        return [[n, length, table, last?.table ?? 0]];
      },
      collect: (piece, number) => {
        const n = count(piece);
        const { addresses, last } = places[number]!;
        this.collect(addresses, (space) => {
          const each = space === "full" ? length : 1;
          return [piece * together * each, n * each];
        });
        if (last) this.collectLast(last, (piece * together + n - 1) * length);
      },
    });
  }

  /** A part of a row at a time; then what is done with rows. */
  cut(module: Module): void {
    const { program } = this;
    const { rows, length } = program;
    const blocks = Math.ceil(length / BLOCK);
    const rowValues = program.values.map(({ type, space }) => (space === "row" ? room(type, rows) : 0));
    this.inputs.forEach(({ space }, i) => {
      if (space === "row") this.stage(i, rowValues, 0, rows);
    });
    const partials = this.folds.map((bytes) => scratch(rows * blocks * bytes + SLACK));
    inScratch(() => this.pieces(module, rowValues, partials, blocks));
    const place: Table = { addresses: [...rowValues], table: scratch(4 * tableLength(program)) };
    this.fixed.forEach((address, i) => address !== null && (place.addresses[i] = address));
    this.folds.forEach((bytes, i) => {
      place.addresses[accumulatorsAt(program, i)] = scratch((rows + STEP) * bytes + SLACK);
      place.addresses[temporaryAt(program, i)] = partials[i]!;
    });
    writeTable(place);
    module.exports.finish!(rows, blocks, place.table);
    this.collect(place.addresses, (space) => (space === "row" ? [0, rows] : null));
  }

  private pieces(module: Module, rowValues: readonly number[], partials: readonly number[], blocks: number): void {
    const { program, inputs } = this;
    const { rows, length, values } = program;
    const full = values.filter(({ space }) => space === "full").map(({ type }) => bytesOf(type));
    const most = Math.min(PIECE_BYTES / Math.max(...full), ALL_BYTES / full.reduce((sum, bytes) => sum + bytes, 0));
    const together = Math.max(1, Math.floor(most / BLOCK)) * BLOCK;
    const chunks = Math.ceil(length / together);
    const places = this.places(placesFor(program, rows * chunks, this.staged), together, 0, false);
    const placeOf = (piece: number): readonly [row: number, first: number, n: number] => {
      const first = (piece % chunks) * together;
      return [Math.floor(piece / chunks), first, Math.min(together, length - first)];
    };
    runStream({
      module,
      name: "piece",
      pieces: rows * chunks,
      places: places.length,
      stage: (piece, number) => {
        const { addresses, table } = places[number]!;
        const [row, first, n] = placeOf(piece);
        inputs.forEach(({ space }, i) => {
          if (space === "full") this.stage(i, addresses, row * length + first, n);
        });
        this.place(addresses, row * length + first);
        values.forEach(({ type, space }, i) => {
          if (space === "row") addresses[i] = rowValues[i]! + row * bytesOf(type);
        });
        this.folds.forEach((bytes, i) => {
          addresses[accumulatorsAt(program, i)] = partials[i]! + (row * blocks + first / BLOCK) * bytes;
          addresses[temporaryAt(program, i)] = 0;
        });
        writeTable({ addresses, table });
        return [[n, table]];
      },
      collect: (piece, number) => {
        const [row, first, n] = placeOf(piece);
        this.collect(places[number]!.addresses, (space) => (space === "full" ? [row * length + first, n] : null));
      },
    });
  }

  /** Room for the values of pieces, and where asked for, for the results of their last rows. */
  private places(count: number, full: number, rows: number, isLastApart: boolean): Place[] {
    const { program, fixed, resident } = this;
    const table = (): number => scratch(4 * tableLength(program));
    const lastOf = (): Table => ({
      addresses: program.values.map(({ type }, i) => (this.isWritten(i) ? room(type, program.length) : 0)),
      table: table(),
    });
    return Array.from({ length: count }, () => ({
      addresses: program.values.map(
        ({ type, space }: RowsValue, i) =>
          fixed[i] ?? resident[i] ?? (space === "full" ? room(type, full) : rows && room(type, rows)),
      ),
      table: table(),
      last: isLastApart ? lastOf() : null,
    }));
  }

  /** Whether a value is a result that kernels write where it belongs. */
  private isWritten(value: number): boolean {
    return this.resident[value] !== null && value >= this.readers.length;
  }

  /**
   * Whether kernels, which write whole steps, write behind the last row of a piece where the next piece begins, which may be
   * done already: such rows are put elsewhere first.
   */
  private get overrun(): boolean {
    const { length, outputs } = this.program;
    return length % STEP !== 0 && outputs.some((value) => this.isWritten(value));
  }

  /** Addresses of the last row of a piece, which comes after `before` others. */
  private writeLast(addresses: readonly number[], last: Table, before: number): void {
    const { values, length } = this.program;
    values.forEach(({ type, space }, i) => {
      if (this.isWritten(i)) return;
      const offset = space === "full" ? before * length : space === "row" ? before : 0;
      last.addresses[i] = addresses[i]! + offset * bytesOf(type);
    });
    writeTable(last);
  }

  /** Copies the last row of a piece to where it belongs, element `at` and on. */
  private collectLast({ addresses }: Table, at: number): void {
    const { outputs, values, length } = this.program;
    outputs.forEach((value, i) => {
      if (this.isWritten(value)) copyOut(values[value]!.type, addresses[value]!, length, this.results[i]!, at);
    });
  }

  /** Copies elements of an operand to its address, unless they are in memory. */
  private stage(input: number, addresses: readonly number[], start: number, n: number): void {
    if (this.resident[input] !== null) return;
    const { type } = this.inputs[input]!;
    this.readers[input]!.read(views()[VIEW[type]], addresses[input]! / bytesOf(type), start, n, this.copies[input]);
  }

  /** Puts down the addresses of full values in memory, of a piece that begins with element `start`. */
  private place(addresses: number[], start: number): void {
    this.resident.forEach((at, i) => {
      if (at !== null) addresses[i] = at + start * bytesOf(this.program.values[i]!.type);
    });
  }

  /** Copies results of a piece to where they belong, where they are of this piece. */
  private collect(
    addresses: readonly number[],
    placeOf: (space: RowsValue["space"]) => readonly [at: number, n: number] | null,
  ) {
    this.program.outputs.forEach((value, i) => {
      const { type, space } = this.program.values[value]!;
      const place = placeOf(space);
      if (place && this.resident[value] === null)
        copyOut(type, addresses[value]!, place[1], this.results[i]!, place[0]);
    });
  }
}

/** Room for elements, and for what kernels and folds touch behind them. */
const room = (type: DType, n: number): number => scratch((n + STEP) * bytesOf(type) + SLACK);

function writeTable({ addresses, table }: Table): void {
  views().s32.set(addresses, table / 4);
}
