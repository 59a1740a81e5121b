/**
 * Runs nests of folds some lines at a time, or where lines are cut a part of a line at a time; threads work on the chunks. What a
 * chunk gives does not depend on how many lines it has. How that is done is planned once for operands that lie alike.
 */
import type { DataMembers, Nest, NestValue, Template } from "../../../backend";
import { bytesOf } from "../../../core/types";
import { LONG_LINE } from "../../../kernel/nest";
import { accessOf, Reader, type Access } from "../../../kernel/operand";
import { widthOf, type Elements } from "../../arrays/storage";
import { arrays } from "../arrays";
import { STEP } from "../codegen";
import { inScratch, scratch, views } from "../memory";
import type { KernelModule } from "../module";
import {
  baseOf,
  baseOfArray,
  bring,
  copyOut,
  Layout,
  NOWHERE,
  roomBytes,
  roomFor,
  roomsOf,
  type Operand,
} from "../placement";
import { Plans } from "../plans";
import { BLOCK } from "../reduce/along";
import { residentElements } from "../resident";
import { cutRow, cutRows, type Cut, type Rows } from "../schedule";
import { runChunks } from "../chunks";
import { threadCount } from "../threads";
import { isWarm } from "../tiering";
import { accumulatorBytes, isRowsCompiled, rowsModule, tableLength, type Program } from "./code";

/** A nest as it is run, and how its inputs are walked: the same for every call of a compiled function. */
interface Prepared {
  readonly program: Program;
  readonly walks: readonly Access[];
}

const prepared = new WeakMap<Nest, Prepared>();

function prepare(nest: Nest): Prepared {
  const cut = nest.rows > LONG_LINE;
  // parts of a line are done in any order, so what groups share is read anew for each
  const apart = (value: NestValue): NestValue => (value.space === "group" ? { ...value, space: "full" } : value);
  const stages = nest.stages.filter((stage) => stage.kind === "map" || stage.kind === "fold");
  const program = { ...nest, stages, cut, values: cut ? nest.values.map(apart) : nest.values };
  const walks = nest.operands.map(({ view: { shape, strides, offset } }) => accessOf(shape, strides, offset));
  prepared.set(nest, { program, walks });
  return { program, walks };
}

/** Runs nests of folds along contiguous lines, and of kernels around them. */
export const runFolds: NonNullable<DataMembers["fused"]> = (outs, inputs, nest) => {
  const { program, walks } = prepared.get(nest) ?? prepare(nest);
  if (!isRowsCompiled(program) && !isWarm(nest.key, nest.groups * nest.rows)) return null;
  const readers = inputs.map((input, i) => new Reader(residentElements(input), widthOf(input.type), walks[i]!));
  const results = outs.map((out: Template) => arrays.unset(out.type, out.shape));
  runProgram(program, readers, results);
  return results.map((elements) => arrays.hold(elements));
};

/** Runs a program; operands are read in the order of their spaces. */
export function runProgram(program: Program, readers: readonly Reader[], results: readonly Elements[]): void {
  const module = rowsModule(program);
  const bases = basesOf(program, readers, results);
  const figures = [threadCount()];
  const plan =
    plans.find(program, readers, bases, figures) ??
    plans.keep(program, readers, bases, figures, planOf(program, readers.length, bases, figures[0]!));
  const run = { program, module, plan, bases, readers, results };
  inScratch(() => (program.cut ? runCut(run) : runWhole(run)));
}

/** How a program is run: its operands are its values and, for each fold, where its accumulators go and a place to work in. */
interface Plan extends Cut {
  readonly layout: Layout;
  /** Whether each chunk has rooms of its own, so that all are handed out at once. */
  readonly isAtOnce: boolean;
  /** Inputs with an element for each line that are brought as a whole then. */
  readonly lines: readonly number[];
  /** Inputs that are staged, of those with an element for each element or line of the space. */
  readonly staged: readonly number[];
  /** Results that are taken out of each chunk. */
  readonly collected: readonly number[];
  /** Results that kernels write where they belong. */
  readonly written: readonly number[];
  /**
   * Whether kernels, which write whole steps, write behind the last line of a chunk where the next one begins, which may be done
   * already: such lines are put elsewhere first.
   */
  readonly overruns: boolean;
}

interface Run {
  readonly program: Program;
  readonly module: KernelModule;
  readonly plan: Plan;
  readonly bases: readonly number[];
  readonly readers: readonly Reader[];
  readonly results: readonly Elements[];
}

const plans = new Plans<Plan>();

/** Where full values begin. */
function basesOf(program: Program, readers: readonly Reader[], results: readonly Elements[]): number[] {
  const { groups, rows, values, outputs, cut } = program;
  const bases: number[] = [];
  for (let i = 0; i < tableLength(program); i++) {
    bases.push(i < readers.length && values[i]!.space === "full" ? baseOf(readers[i]!) : NOWHERE);
  }
  // Kernels write whole steps. What they write behind a line that is none is the next line's, which comes later; parts of a
  // line are not done in order, though, and behind a very short line are several.
  const apart = rows % STEP === 0 || groups === 1 || (!cut && rows > STEP);
  outputs.forEach((value, i) => {
    const suits = apart && values[value]!.space === "full" && bases[value] === NOWHERE && outputs.indexOf(value) === i;
    const isOperand = (array: Elements): boolean => readers.some(({ elements }) => elements === array);
    if (suits && !isOperand(results[i]!)) bases[value] = baseOfArray(results[i]!);
  });
  return bases;
}

/** What decides how a program is cut. */
function rowsOf({ groups, rows, values, stages }: Program, staged: boolean): Rows {
  const full = values.filter(({ space }) => space === "full").map(({ type }) => bytesOf(type));
  const folds = stages.filter(({ kind }) => kind === "fold").length;
  let ops = 0;
  for (const stage of stages) if (stage.kind === "map" && stage.space === "full") ops += stage.kernel.values.length;
  return { lines: groups, length: rows, full, stages: stages.length, folds, ops, staged };
}

function planOf(program: Program, inputs: number, bases: readonly number[], threads: number): Plan {
  const { values, outputs, cut, rows } = program;
  const isFull = (value: number): boolean => values[value]!.space === "full";
  const reads = [...values.keys()].slice(0, inputs);
  const isCopied = [...reads, ...outputs].some((value) => isFull(value) && bases[value] === NOWHERE);
  const nest = rowsOf(program, isCopied);
  const sizes = cut ? cutRow(nest, BLOCK, threads) : cutRows(nest, threads);
  const written = outputs.filter((value) => bases[value] !== NOWHERE && value >= inputs);
  return {
    ...sizes,
    layout: new Layout(operandsOf(program, sizes.isAtOnce), bases, sizes.span, sizes.slots),
    lines: reads.filter((i) => sizes.isAtOnce && values[i]!.space === "line"),
    staged: reads.filter(
      (i) => bases[i] === NOWHERE && (isFull(i) || (!cut && !sizes.isAtOnce && values[i]!.space === "line")),
    ),
    collected: [...outputs.keys()].filter((i) => bases[outputs[i]!] === NOWHERE && (!cut || isFull(outputs[i]!))),
    written,
    overruns: !cut && rows % STEP !== 0 && written.length > 0,
  };
}

/** The operands of a program. Where lines are cut, values with one element a line have slots of their own. */
function operandsOf(program: Program, isAtOnce: boolean): Operand[] {
  const { values, rows, cut } = program;
  const valueOf = ({ type, space }: NestValue): Operand => {
    if (space === "one" || space === "group") {
      return { type, kind: "uniform", each: space === "one" ? 1 : rows, spare: 0 };
    }
    if (space === "line" && (cut || isAtOnce)) return { type, kind: "given", each: cut ? 0 : 1, spare: 0 };
    return { type, kind: "staged", each: space === "full" && !cut ? rows : 1, spare: 0 };
  };
  const blocks = Math.ceil(rows / BLOCK);
  const foldOf = (bytes: 4 | 8): Operand[] => {
    const type = entryType(bytes);
    const kind = cut ? "given" : "staged";
    return [
      { type, kind, each: cut ? 0 : 1, spare: 0 },
      { type, kind, each: 0, spare: blocks },
    ];
  };
  return [...values.map(valueOf), ...accumulatorBytes(program).flatMap(foldOf)];
}

/** A type as wide as the accumulators of a fold. */
const entryType = (bytes: 4 | 8): "f64" | "f32" => (bytes === 8 ? "f64" : "f32");

/** Brings what is the same for all chunks. */
function bringUniform({ program, plan, readers }: Run, origins: readonly number[]): void {
  for (const i of plan.layout.uniform) {
    const { type, space } = program.values[i]!;
    bring(type, readers[i]!, 0, space === "one" ? 1 : program.rows, origins[i]!);
  }
}

/** Copies results of a chunk to where they belong: `n` units from unit `start` on. */
function collect({ program, plan, results }: Run, addresses: readonly number[], start: number, n: number): void {
  for (const i of plan.collected) {
    const value = program.outputs[i]!;
    const { type, space } = program.values[value]!;
    const each = space === "full" && !program.cut ? program.rows : 1;
    copyOut(type, addresses[value]!, n * each, results[i]!, start * each);
  }
}

/** Some lines at a time. */
function runWhole(run: Run): void {
  const { program, module, plan, bases, readers } = run;
  const { groups, rows, values } = program;
  const { span, chunks, slots, layout, overruns } = plan;
  const origins = layout.origins(bases);
  const tableBytes = 4 * origins.length;
  const tables = scratch(tableBytes * slots);
  const lasts = overruns ? scratch(tableBytes * slots) : 0;
  const rooms = overruns ? lastRooms(run, slots) : [];
  bringUniform(run, origins);
  for (const i of plan.lines) {
    const { type } = values[i]!;
    bring(type, readers[i]!, 0, groups, (origins[i] = roomFor(type, groups)));
  }
  const { s32 } = views();
  const addresses: number[] = [];
  const last: number[] = [];
  runChunks({
    module,
    name: "run",
    chunks,
    slots,
    isResident: plan.isAtOnce,
    stage(chunk, slot) {
      const n = Math.min(span, groups - chunk * span);
      layout.addresses(origins, slot, chunk * span, addresses, 0);
      for (const i of plan.staged) {
        const each = values[i]!.space === "full" ? rows : 1;
        bring(values[i]!.type, readers[i]!, chunk * span * each, n * each, addresses[i]!);
      }
      s32.set(addresses, (tables + slot * tableBytes) / 4);
      if (!overruns) return [[n, rows, tables + slot * tableBytes, 0]];
      lastAddresses(run, addresses, n - 1, rooms[slot]!, last);
      s32.set(last, (lasts + slot * tableBytes) / 4);
      return [[n, rows, tables + slot * tableBytes, lasts + slot * tableBytes]];
    },
    collect(chunk, slot) {
      const n = Math.min(span, groups - chunk * span);
      if (plan.collected.length > 0) {
        layout.addresses(origins, slot, chunk * span, addresses, 0);
        collect(run, addresses, chunk * span, n);
      }
      if (overruns) collectLast(run, rooms[slot]!, chunk * span + n - 1);
    },
  });
}

/** Room for the results of last lines, for each slot one for each result that is written where it belongs. */
function lastRooms({ program: { values, rows }, plan }: Run, slots: number): number[][] {
  const rooms = plan.written.map((value) => roomsOf(slots, roomBytes(values[value]!.type, rows)));
  return Array.from({ length: slots }, (_, slot) => rooms.map((each) => each[slot]!));
}

/** Addresses of the last line of a chunk, which comes after `before` others. */
function lastAddresses(
  { program: { values, rows }, plan }: Run,
  addresses: readonly number[],
  before: number,
  rooms: readonly number[],
  to: number[],
): void {
  for (let i = 0; i < addresses.length; i++) {
    const value = values[i];
    const each = value?.space === "full" ? rows : value?.space === "line" ? 1 : 0;
    to[i] = addresses[i]! + (each > 0 ? before * each * bytesOf(value!.type) : 0);
  }
  plan.written.forEach((value, i) => (to[value] = rooms[i]!));
}

/** Copies the results of a last line to where they belong. */
function collectLast({ program, plan, results }: Run, rooms: readonly number[], line: number): void {
  const { outputs, values, rows } = program;
  plan.written.forEach((value, i) => {
    copyOut(values[value]!.type, rooms[i]!, rows, results[outputs.indexOf(value)]!, line * rows);
  });
}

/** A part of a line at a time; then what is done with lines. */
function runCut(run: Run): void {
  const { program, module, plan, bases, readers, results } = run;
  const { groups, rows, values, outputs } = program;
  const blocks = Math.ceil(rows / BLOCK);
  const lineValues = values.map(({ type, space }) => (space === "line" ? roomFor(type, groups) : 0));
  readers.forEach((reader, i) => {
    const { type, space } = values[i]!;
    if (space === "line") bring(type, reader, 0, groups, lineValues[i]!);
  });
  const types = accumulatorBytes(program).map(entryType);
  const partials = types.map((type) => roomFor(type, groups * blocks));
  const table = scratch(4 * tableLength(program));
  const accumulators = types.map((type) => roomFor(type, groups));
  const origins = plan.layout.origins(bases);
  bringUniform(run, origins);
  runParts(run, origins, lineValues, partials);
  const folds = types.flatMap((_, i) => [accumulators[i]!, partials[i]!]);
  const addresses = values.map(({ space }, i) => (space === "line" ? lineValues[i]! : origins[i]!));
  views().s32.set([...addresses, ...folds], table / 4);
  module.exports.finish!(groups, blocks, table);
  outputs.forEach((value, i) => {
    const { type, space } = values[value]!;
    if (space === "line") copyOut(type, lineValues[value]!, groups, results[i]!, 0);
  });
}

function runParts(
  run: Run,
  origins: readonly number[],
  lineValues: readonly number[],
  partials: readonly number[],
): void {
  const { program, module, plan, readers } = run;
  const { rows, values } = program;
  const { span, chunks, slots, layout } = plan;
  const each = Math.ceil(rows / span);
  const blocks = Math.ceil(rows / BLOCK);
  const tableBytes = 4 * origins.length;
  const tables = scratch(tableBytes * slots);
  const types = accumulatorBytes(program).map(entryType);
  const { s32 } = views();
  const addresses: number[] = [];
  /** The line of a chunk, its first element of that, and how many it has. */
  const partOf = (chunk: number): readonly [line: number, first: number, n: number] => {
    const first = (chunk % each) * span;
    return [Math.floor(chunk / each), first, Math.min(span, rows - first)];
  };
  runChunks({
    module,
    name: "piece",
    chunks,
    slots,
    stage(chunk, slot) {
      const [line, first, n] = partOf(chunk);
      layout.addresses(origins, slot, line * rows + first, addresses, 0);
      for (const i of plan.staged) bring(values[i]!.type, readers[i]!, line * rows + first, n, addresses[i]!);
      values.forEach(({ type, space }, i) => {
        if (space === "line") addresses[i] = lineValues[i]! + line * bytesOf(type);
      });
      types.forEach((type, i) => {
        addresses[values.length + 2 * i] = partials[i]! + (line * blocks + first / BLOCK) * bytesOf(type);
      });
      s32.set(addresses, (tables + slot * tableBytes) / 4);
      return [[n, tables + slot * tableBytes]];
    },
    collect(chunk, slot) {
      const [line, first, n] = partOf(chunk);
      layout.addresses(origins, slot, line * rows + first, addresses, 0);
      collect(run, addresses, line * rows + first, n);
    },
  });
}
