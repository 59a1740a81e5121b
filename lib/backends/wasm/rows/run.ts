/**
 * Runs nests of folds some lines at a time, or where lines are cut a part of a line at a time; threads work on the pieces.
 * Operands and results that lie in the memory of kernels are read and written there, others are copied piece by piece.
 * What a piece gives does not depend on how many lines it has.
 */
import type { DataMembers, NestOperand, NestValue, Template } from "../../../backend";
import { bytesOf, type DType } from "../../../core/types";
import { LONG_LINE } from "../../../kernel/nest";
import { readerOf, type CopyRows, type Reader } from "../../../kernel/operand";
import type { Tensor } from "../../../tensor";
import { widthOf, type Elements } from "../../arrays/storage";
import { addressOf, contiguousAt } from "../arena";
import { arrays } from "../arrays";
import { STEP } from "../codegen";
import { inScratch, scratch, views, VIEW } from "../memory";
import { copyRowsOf } from "../copy";
import { BLOCK, SLACK } from "../reduce/fold-code";
import { residentElements } from "../resident";
import { copyOut, PIECE_BYTES, runStream } from "../stream";
import { threadCount } from "../threads";
import { isWarm } from "../tiering";
import {
  accumulatorBytes,
  accumulatorsAt,
  isRowsCompiled,
  rowsModule,
  tableLength,
  temporaryAt,
  type Program,
} from "./code";

/** Bytes of all full values of a piece: less than a core's second cache. */
const ALL_BYTES = 6 * PIECE_BYTES;

/** Pieces in memory for each thread: one it works on, one that waits. */
const AHEAD = 2;
/** Below this many ops for each element copying is most of the work, and that is the caller's (a layer norm has 20). */
const SHARED_FROM_OPS = 32;
/** What a fold counts for. */
const FOLD_OPS = 4;

/** Runs nests of folds along contiguous lines, and of kernels around them. */
export const runFolds: NonNullable<DataMembers["fused"]> = (outs, inputs, nest) => {
  const { groups, rows, operands } = nest;
  const cut = rows > LONG_LINE;
  // parts of a line are done in any order, so what groups share is read anew for each
  const apart = (value: NestValue): NestValue => (value.space === "group" ? { ...value, space: "full" } : value);
  const program = { ...nest, cut, values: cut ? nest.values.map(apart) : nest.values };
  if (!isRowsCompiled(program) && !isWarm(nest.key, groups * rows)) return null;
  const readers = inputs.map((input, i) => readerFor(input, operands[i]!));
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
function placesFor({ stages }: Program, pieces: number, staged: boolean): number {
  const ops = stages.reduce((sum, stage) => {
    if (stage.kind === "fold") return sum + FOLD_OPS;
    return sum + (stage.space === "full" ? stage.kernel.values.length : 0);
  }, 0);
  const threads = threadCount();
  if (threads === 1 || pieces < 2 * AHEAD || (staged && ops < SHARED_FROM_OPS)) return 1;
  return Math.min(pieces, AHEAD * threads);
}

function readerFor(tensor: Tensor, { view: { shape, strides, offset } }: NestOperand): Reader {
  return readerOf({ elements: residentElements(tensor), width: widthOf(tensor.type), offset, strides }, shape);
}

/** Addresses of one piece, and where they are written down. */
interface Table {
  readonly addresses: number[];
  readonly table: number;
}

/** The same for its last line alone, where results of that are put elsewhere first. */
interface Place extends Table {
  readonly last: Table | null;
}

type Module = ReturnType<typeof rowsModule>;

class Run {
  private readonly inputs: readonly NestValue[];
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
    const { rows } = program;
    this.inputs = program.values.slice(0, readers.length);
    this.copies = readers.map(copyRowsOf);
    this.folds = accumulatorBytes(program);
    this.fixed = this.inputs.map(({ type, space }, i) => {
      if (space !== "one" && space !== "group") return null;
      const n = space === "one" ? 1 : rows;
      const at = room(type, n);
      this.readers[i]!.read(views()[VIEW[type]], at / bytesOf(type), 0, n);
      return at;
    });
    this.resident = this.residents();
  }

  private residents(): (number | null)[] {
    const { program, readers, results } = this;
    const { groups, rows, values, outputs, cut } = program;
    const found = values.map((value, i) => {
      const reader = readers[i];
      return reader && value.space === "full" ? contiguousAt(reader) : null;
    });
    const isOperand = (array: Elements): boolean => readers.some(({ elements }) => elements === array);
    outputs.forEach((value, i) => {
      const { space } = values[value]!;
      // Kernels write whole steps. What they write behind a line that is none is the next line's, which comes later; parts of a
      // line are not done in order, though, and behind a very short line are several.
      const apart = rows % STEP === 0 || groups === 1 || (!cut && rows > STEP);
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

  /** Some lines at a time. */
  whole(module: Module): void {
    const { program, inputs } = this;
    const { groups, rows, values } = program;
    const full = values.filter(({ space }) => space === "full").map(({ type }) => bytesOf(type) * rows);
    const most = Math.min(PIECE_BYTES / Math.max(...full), ALL_BYTES / full.reduce((sum, bytes) => sum + bytes, 0));
    const together = Math.min(groups, Math.max(1, Math.floor(most)));
    const pieces = Math.ceil(groups / together);
    const places = this.places(placesFor(program, pieces, this.staged), together * rows, together, this.overrun);
    const blocks = Math.ceil(rows / BLOCK);
    for (const { addresses, last } of places) {
      this.folds.forEach((bytes, i) => {
        const [accumulators, temporary] = [accumulatorsAt(program, i), temporaryAt(program, i)];
        addresses[accumulators] = scratch((together + STEP) * bytes + SLACK);
        addresses[temporary] = scratch(blocks * bytes + SLACK);
        if (last) [accumulators, temporary].forEach((at) => (last.addresses[at] = addresses[at]!));
      });
    }
    const count = (piece: number): number => Math.min(together, groups - piece * together);
    runStream({
      module,
      name: "run",
      pieces,
      places: places.length,
      stage: (piece, number) => {
        const { addresses, table, last } = places[number]!;
        const n = count(piece);
        inputs.forEach(({ space }, i) => {
          const each = space === "full" ? rows : 1;
          if (this.fixed[i] === null) this.stage(i, addresses, piece * together * each, n * each);
        });
        this.place(addresses, piece * together * rows);
        writeTable({ addresses, table });
        if (last) this.writeLast(addresses, last, n - 1);
        return [[n, rows, table, last?.table ?? 0]];
      },
      collect: (piece, number) => {
        const n = count(piece);
        const { addresses, last } = places[number]!;
        this.collect(addresses, (space) => {
          const each = space === "full" ? rows : 1;
          return [piece * together * each, n * each];
        });
        if (last) this.collectLast(last, (piece * together + n - 1) * rows);
      },
    });
  }

  /** A part of a line at a time; then what is done with lines. */
  cut(module: Module): void {
    const { program } = this;
    const { groups, rows } = program;
    const blocks = Math.ceil(rows / BLOCK);
    const lineValues = program.values.map(({ type, space }) => (space === "line" ? room(type, groups) : 0));
    this.inputs.forEach(({ space }, i) => {
      if (space === "line") this.stage(i, lineValues, 0, groups);
    });
    const partials = this.folds.map((bytes) => scratch(groups * blocks * bytes + SLACK));
    inScratch(() => this.pieces(module, lineValues, partials, blocks));
    const place: Table = { addresses: [...lineValues], table: scratch(4 * tableLength(program)) };
    this.fixed.forEach((address, i) => address !== null && (place.addresses[i] = address));
    this.folds.forEach((bytes, i) => {
      place.addresses[accumulatorsAt(program, i)] = scratch((groups + STEP) * bytes + SLACK);
      place.addresses[temporaryAt(program, i)] = partials[i]!;
    });
    writeTable(place);
    module.exports.finish!(groups, blocks, place.table);
    this.collect(place.addresses, (space) => (space === "line" ? [0, groups] : null));
  }

  private pieces(module: Module, lineValues: readonly number[], partials: readonly number[], blocks: number): void {
    const { program, inputs } = this;
    const { groups, rows, values } = program;
    const full = values.filter(({ space }) => space === "full").map(({ type }) => bytesOf(type));
    const most = Math.min(PIECE_BYTES / Math.max(...full), ALL_BYTES / full.reduce((sum, bytes) => sum + bytes, 0));
    const together = Math.max(1, Math.floor(most / BLOCK)) * BLOCK;
    const chunks = Math.ceil(rows / together);
    const places = this.places(placesFor(program, groups * chunks, this.staged), together, 0, false);
    const placeOf = (piece: number): readonly [line: number, first: number, n: number] => {
      const first = (piece % chunks) * together;
      return [Math.floor(piece / chunks), first, Math.min(together, rows - first)];
    };
    runStream({
      module,
      name: "piece",
      pieces: groups * chunks,
      places: places.length,
      stage: (piece, number) => {
        const { addresses, table } = places[number]!;
        const [line, first, n] = placeOf(piece);
        inputs.forEach(({ space }, i) => {
          if (space === "full") this.stage(i, addresses, line * rows + first, n);
        });
        this.place(addresses, line * rows + first);
        values.forEach(({ type, space }, i) => {
          if (space === "line") addresses[i] = lineValues[i]! + line * bytesOf(type);
        });
        this.folds.forEach((bytes, i) => {
          addresses[accumulatorsAt(program, i)] = partials[i]! + (line * blocks + first / BLOCK) * bytes;
          addresses[temporaryAt(program, i)] = 0;
        });
        writeTable({ addresses, table });
        return [[n, table]];
      },
      collect: (piece, number) => {
        const [line, first, n] = placeOf(piece);
        this.collect(places[number]!.addresses, (space) => (space === "full" ? [line * rows + first, n] : null));
      },
    });
  }

  /** Room for the values of pieces, and where asked for, for the results of their last lines. */
  private places(count: number, full: number, lines: number, isLastApart: boolean): Place[] {
    const { program, fixed, resident } = this;
    const table = (): number => scratch(4 * tableLength(program));
    const lastOf = (): Table => ({
      addresses: program.values.map(({ type }, i) => (this.isWritten(i) ? room(type, program.rows) : 0)),
      table: table(),
    });
    return Array.from({ length: count }, () => ({
      addresses: program.values.map(
        ({ type, space }: NestValue, i) =>
          fixed[i] ?? resident[i] ?? (space === "full" ? room(type, full) : lines && room(type, lines)),
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
   * Whether kernels, which write whole steps, write behind the last line of a piece where the next piece begins, which may be
   * done already: such lines are put elsewhere first.
   */
  private get overrun(): boolean {
    const { rows, outputs } = this.program;
    return rows % STEP !== 0 && outputs.some((value) => this.isWritten(value));
  }

  /** Addresses of the last line of a piece, which comes after `before` others. */
  private writeLast(addresses: readonly number[], last: Table, before: number): void {
    const { values, rows } = this.program;
    values.forEach(({ type, space }, i) => {
      if (this.isWritten(i)) return;
      const offset = space === "full" ? before * rows : space === "line" ? before : 0;
      last.addresses[i] = addresses[i]! + offset * bytesOf(type);
    });
    writeTable(last);
  }

  /** Copies the last line of a piece to where it belongs, element `at` and on. */
  private collectLast({ addresses }: Table, at: number): void {
    const { outputs, values, rows } = this.program;
    outputs.forEach((value, i) => {
      if (this.isWritten(value)) copyOut(values[value]!.type, addresses[value]!, rows, this.results[i]!, at);
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
    placeOf: (space: NestValue["space"]) => readonly [at: number, n: number] | null,
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
