/**
 * Runs nests of folds some lines at a time, or where lines are cut a part of a line at a time; threads work on the chunks. What a
 * chunk gives does not depend on how many lines it has. How that is done is planned once for operands that lie alike.
 */
import type { DataMembers, Nest, NestValue, Template } from "../../../backend";
import { bytesOf, type DType } from "../../../core/types";
import { LONG_LINE } from "../../../kernel/nest";
import { accessOf, Reader, type Access } from "../../../kernel/operand";
import { widthOf, type Elements } from "../../arrays/storage";
import { arrays } from "../arrays";
import { STEP } from "../schedule/element-wise";
import { inScratch, scratch, views } from "../memory/linear";
import type { KernelModule } from "../modules/module";
import { baseOf, baseOfArray, bring, copyOut, Layout, NOWHERE, roomFor, viewedBy, type Operand } from "../placement";
import { Plans, type Plan } from "../placement/plans";
import { BLOCK } from "../../../kernel/recurrence";
import { residentElements } from "../placement/resident";
import type { Viewed } from "../schedule/cuts";
import { cutLines, cutLongLines, type CutOfLines, type Lines } from "../schedule/lines";
import { runChunks, type Chunk } from "../placement/chunks";
import { threadCount, type Call } from "../threads";
import { isWarm } from "../modules/tiering";
import { accumulatorTypes, isLinesCompiled, linesModule, spreadOf, tableLength, temporaryOf } from "./code";
import type { LineNest } from "./code";

/** A nest as it is run, and how its inputs are walked: the same for every call of a compiled function. */
interface Prepared {
  readonly lines: LineNest;
  readonly walks: readonly Access[];
}

const prepared = new WeakMap<Nest, Prepared>();

function prepare(nest: Nest): Prepared {
  const cut = nest.rows > LONG_LINE;
  // parts of a line are done in any order, so what groups share is read anew for each
  const apart = (value: NestValue): NestValue => (value.space === "group" ? { ...value, space: "full" } : value);
  const stages = nest.stages.filter((stage) => stage.kind === "map" || stage.kind === "fold");
  const lines = { ...nest, stages, cut, values: cut ? nest.values.map(apart) : nest.values };
  const walks = nest.operands.map(({ view: { shape, strides, offset } }) => accessOf(shape, strides, offset));
  prepared.set(nest, { lines, walks });
  return { lines, walks };
}

/** Runs nests of folds along contiguous lines, and of kernels around them. */
export const runFolds: NonNullable<DataMembers["fused"]> = (outs, inputs, nest) => {
  const { lines, walks } = prepared.get(nest) ?? prepare(nest);
  if (!isLinesCompiled(lines) && !isWarm(nest.key, nest.groups * nest.rows)) return null;
  const readers = inputs.map((input, i) => new Reader(residentElements(input), widthOf(input.type), walks[i]!));
  const results = outs.map((out: Template) => arrays.unset(out.type, out.shape));
  runLines(lines, readers, results);
  return results.map((elements) => arrays.hold(elements));
};

/** Runs a nest; operands are read in the order of their spaces. */
export function runLines(nest: LineNest, readers: readonly Reader[], results: readonly Elements[]): void {
  const module = linesModule(nest);
  const bases = basesOf(nest, readers, results);
  const threads = threadCount();
  const plan = plans.get(nest, readers, bases, [threads], () => planOf(nest, readers, bases, threads));
  inScratch(() => {
    const origins = plan.layout.origins(bases);
    for (const i of plan.lines) {
      const { type } = nest.values[i]!;
      origins[i] = roomFor(type, nest.groups);
      if (i < readers.length) bring(type, readers[i]!, 0, nest.groups, origins[i]!);
    }
    const run = { nest, module, plan, origins, readers, results };
    if (nest.cut) runCut(run);
    else runWhole(run);
  });
}

/** How a nest is run: its operands are its values and, for each fold, where its accumulators go and a place to work in. */
interface PlanOfLines extends Plan<CutOfLines> {
  /** Of lines that are cut, values with an element for each, which have room for those of all lines. */
  readonly lines: readonly number[];
}

interface Run {
  readonly nest: LineNest;
  readonly module: KernelModule;
  readonly plan: PlanOfLines;
  readonly origins: readonly number[];
  readonly readers: readonly Reader[];
  readonly results: readonly Elements[];
}

const plans = new Plans<PlanOfLines>();

/** Where full values begin. */
function basesOf(nest: LineNest, readers: readonly Reader[], results: readonly Elements[]): number[] {
  const { groups, rows, values, outputs, cut } = nest;
  const bases: number[] = [];
  for (let i = 0, length = tableLength(nest); i < length; i++) {
    bases.push(i < readers.length && values[i]!.space === "full" ? baseOf(readers[i]!) : NOWHERE);
  }
  // Kernels write whole steps where there is less than one: parts of a line may end so, and very short lines.
  const apart = rows % STEP === 0 || groups === 1 || (!cut && rows > STEP);
  outputs.forEach((value, i) => {
    const suits = apart && values[value]!.space === "full" && bases[value] === NOWHERE && outputs.indexOf(value) === i;
    const isOperand = (array: Elements): boolean => readers.some(({ elements }) => elements === array);
    if (suits && !isOperand(results[i]!)) bases[value] = baseOfArray(results[i]!);
  });
  return bases;
}

/** What decides how a nest is cut. */
function figuresOf(nest: LineNest, staged: boolean, viewed: Viewed | null): Lines {
  const { groups, rows, values, stages } = nest;
  const spread = spreadOf(nest).map((value) => values[value]!);
  const full = [...values.filter(({ space }) => space === "full"), ...spread].map(({ type }) => bytesOf(type));
  const folds = stages.filter(({ kind }) => kind === "fold").length;
  let ops = 0;
  for (const stage of stages) if (stage.kind === "map" && stage.space === "full") ops += stage.kernel.values.length;
  return { lines: groups, length: rows, full, stages: stages.length, folds, ops, staged, viewed };
}

function planOf(nest: LineNest, readers: readonly Reader[], bases: readonly number[], threads: number): PlanOfLines {
  const { values, outputs } = nest;
  const inputs = readers.length;
  const isStored = (value: number): boolean =>
    (value < inputs || outputs.includes(value)) && values[value]!.space === "full";
  const isCopied = values.some((_, value) => isStored(value) && bases[value] === NOWHERE);
  const viewed = isCopied ? viewedBy(readers, bases, (i) => i >= values.length || !isStored(i)) : null;
  const collected = outputs.some((value) => bases[value] === NOWHERE);
  const figures = { ...figuresOf(nest, isCopied, viewed), collected };
  const cut = nest.cut ? cutLongLines(figures, threads) : cutLines(figures, threads);
  const operands = operandsOf(nest, inputs, cut.each);
  return {
    cut,
    layout: new Layout(operands, bases, cut.span, cut.slots, cut.isTogether),
    lines: [...values.keys()].filter((i) => values[i]!.space === "line" && operands[i]!.kind === "given"),
  };
}

/** The operands of a nest, `together` lines of which are done at a time where they stay whole. */
function operandsOf(nest: LineNest, inputs: number, together: number): Operand[] {
  const { values, rows, cut } = nest;
  const temporary = temporaryOf(nest);
  const valueOf = ({ type, space }: NestValue, value: number): Operand => {
    if (space === "one" || space === "group") {
      return { type, kind: "uniform", each: space === "one" ? 1 : rows, spare: 0 };
    }
    const isRead = value < inputs;
    if (cut)
      return { type, kind: space === "line" ? "given" : "staged", each: space === "line" ? 0 : 1, spare: 0, isRead };
    const each = space === "full" ? rows : 1;
    return temporary.includes(value)
      ? { type, kind: "staged", each: 0, spare: together * each }
      : { type, kind: "staged", each, spare: 0, isRead };
  };
  const blocks = Math.ceil(rows / BLOCK);
  const foldOf = (type: DType): Operand[] => {
    const kind = cut ? "given" : "staged";
    return [
      { type, kind, each: 0, spare: cut ? 0 : together },
      { type, kind, each: 0, spare: blocks },
    ];
  };
  const spread = spreadOf(nest).map((value): Operand => ({
    type: values[value]!.type,
    kind: "staged",
    each: 0,
    spare: together * rows,
  }));
  return [...values.map(valueOf), ...accumulatorTypes(nest).flatMap(foldOf), ...spread];
}

/** Calls of a function that finds the addresses of its operands in a table, one for each slot. */
function chunked(run: Run, name: string, length: number, callOf: (chunk: Chunk, table: number) => Call): void {
  const { module, plan, nest, origins, readers, results } = run;
  const { cut, layout } = plan;
  const bytes = 4 * origins.length;
  // of chunks whose calls are said beforehand each has a table of its own
  const tables = scratch(bytes * (cut.isInTurn ? cut.chunks : cut.slots));
  runChunks({
    name,
    length,
    module,
    cut,
    layout,
    origins,
    readers,
    results: nest.outputs.map((value, i) => [value, results[i]!]),
    callsOf: (chunk) => [callOf(chunk, tables + (cut.isInTurn ? chunk.number : chunk.slot) * bytes)],
  });
}

const setTable = (table: number, addresses: readonly number[]): void => views().s32.set(addresses, table / 4);

/** Some lines at a time. */
function runWhole(run: Run): void {
  const { groups, rows } = run.nest;
  chunked(run, "run", groups, ({ n, addresses }, table) => {
    setTable(table, addresses);
    return [n, run.plan.cut.each, rows, table];
  });
}

/** A part of a line at a time; then what is done with lines. */
function runCut(run: Run): void {
  const { nest, module, plan, origins, results } = run;
  const { groups, rows, values, outputs } = nest;
  const blocks = Math.ceil(rows / BLOCK);
  const folds = accumulatorTypes(nest).map((type) => {
    return { bytes: bytesOf(type), accumulators: roomFor(type, groups), partials: roomFor(type, groups * blocks) };
  });
  const table = scratch(4 * tableLength(nest));
  chunked(run, "piece", rows, ({ n, line, start, addresses }, own) => {
    const at = [...addresses];
    for (const i of plan.lines) at[i]! += line * bytesOf(values[i]!.type);
    const block = line * blocks + (start - line * rows) / BLOCK;
    folds.forEach(({ bytes, partials }, i) => (at[values.length + 2 * i] = partials + block * bytes));
    setTable(own, at);
    return [n, own];
  });
  const places = folds.flatMap(({ accumulators, partials }) => [accumulators, partials]);
  setTable(table, [...origins.slice(0, values.length), ...places]);
  module.exports.finish!(groups, blocks, table);
  outputs.forEach((value, i) => {
    const { type, space } = values[value]!;
    if (space === "line") copyOut(type, origins[value]!, groups, results[i]!, 0);
  });
}
