/**
 * The module of a nest: its kernels and folds as functions, and one that calls them over the lines in memory.
 *
 * Values are named by places in a table of addresses, which the callers write: the values of the nest, then for each fold
 * where its accumulators go and a place to work in. Kernels do the last elements of a line again where it ends within a step, so no two
 * values share memory. What there is one of for each line that is short is spread over its elements.
 */
import { bytesOf, isComplex, toReal } from "../../../core/types";
import {
  advance,
  call,
  copyOne,
  define,
  i32,
  local,
  range,
  setAddress,
  setMinimum,
  splatItem,
  v128,
  type Code,
  type Int,
  type Size,
} from "../asm";
import type { Nest, NestStage } from "../../../backend";
import { keyOf } from "../../../kernel/key";
import { Recent } from "../../../kernel/generational-cache";
import { REDUCTIONS } from "../../../kernel/recurrence";
import { withUniform } from "../../../kernel/uniform";
import type { Kernel } from "../../../kernel/value";
import { kernelFunction } from "../codegen/function";
import type { KernelModule } from "../modules/module";
import { isLoaded, moduleFor } from "../modules/cache";
import { roundingOf } from "../reduce/finisher";
import { reduceFunctions, type Functions } from "../reduce/fold-code";
import { isShort, reduceShort } from "../reduce/across-rows";
import { entryBytes } from "../reduce/steps";

/** A nest of folds of contiguous lines: the parts that are needed to run it; views of operands are the business of their readers. */
export interface LineNest extends Pick<Nest, "groups" | "rows" | "values" | "outputs" | "key"> {
  readonly stages: readonly (MapStage | FoldStage)[];
  /** Whether lines are so long that they are cut: no kernel over all elements reads what the nest computes of a line then. */
  readonly cut: boolean;
}

type MapStage = Extract<NestStage, { kind: "map" }>;
type FoldStage = Extract<NestStage, { kind: "fold" }>;
type Addresses = readonly Int[];

/** The folds of a nest, in their order. */
const foldsOf = ({ stages }: LineNest): FoldStage[] => stages.filter((stage) => stage.kind === "fold");

/** The values that are computed, and that no result is. */
export const temporaryOf = ({ stages, outputs }: LineNest): number[] =>
  stages
    .flatMap((stage) => (stage.kind === "map" ? stage.outputs : [stage.output]))
    .filter((value) => !outputs.includes(value));

/** The recurrence of a fold, the type of its results, and how many of these a line has: both parts of complex numbers are summed. */
function foldIn({ values }: LineNest, { op, input, output }: FoldStage) {
  const [from, to] = [values[input]!.type, values[output]!.type];
  if (op !== "sum" || !isComplex(from)) return { recurrence: REDUCTIONS[op](from)!, to, parts: 1 };
  return { recurrence: REDUCTIONS[op](toReal(from))!, to: toReal(to), parts: 2 };
}

/** The type of what is held of a line by each fold, or one as wide. */
export const accumulatorTypes = (nest: LineNest): ("c128" | "f64" | "f32")[] =>
  foldsOf(nest).map((stage) => {
    const { recurrence, parts } = foldIn(nest, stage);
    return parts === 2 ? "c128" : entryBytes(recurrence) === 8 ? "f64" : "f32";
  });

/** Places of a fold in the table, besides the places of its operand and its result. */
const accumulatorsAt = ({ values }: LineNest, fold: number): number => values.length + 2 * fold;
const temporaryAt = (nest: LineNest, fold: number): number => accumulatorsAt(nest, fold) + 1;
const spreadAt = (nest: LineNest, place: number): number => nest.values.length + 2 * foldsOf(nest).length + place;
export const tableLength = (nest: LineNest): number => spreadAt(nest, spreadOf(nest).length);

/** Whether lines are so short that several are folded at a time. */
const isShortOf = ({ cut, groups, rows }: LineNest): boolean => !cut && isShort({ groups, rows, columns: 1 });

/**
 * The values of lines that are short, or of what all lines share, that kernels over all elements read: they are spread over the elements
 * of some lines first, so that these kernels are not called for each line. None of a kernel by itself, whose callers give it operands
 * alone.
 */
export function spreadOf(nest: LineNest): number[] {
  if (!isShortOf(nest) || foldsOf(nest).length === 0) return [];
  const read = nest.stages.flatMap((stage) => (stage.kind === "map" && stage.space === "full" ? stage.inputs : []));
  return [...new Set(read)].filter((value) => isOfLines(nest, value));
}

/** Whether a value changes, or starts again, with each line. */
const isOfLines = ({ values }: LineNest, value: number): boolean => ["line", "group"].includes(values[value]!.space);

const moduleKey = (nest: LineNest): string => `${nest.cut ? "cut" : isShortOf(nest) ? "short" : "whole"} ${nest.key}`;

/** Whether the module of a nest is at hand. */
export const isLinesCompiled = (nest: LineNest): boolean => isLoaded(moduleKey(nest));

/**
 * The module of a nest. Where lines stay whole it exports `run(lines, each, rows, table)`, which does `each` of them at a
 * time, so that temporary values need no more room than that. Where they are cut it
 * exports `piece(n, table)` for a part of a line, whose folds give an accumulator for each block, and `finish(lines, blocks, table)`,
 * which joins those of each line and does what is left.
 */
export const linesModule = (nest: LineNest): KernelModule =>
  moduleFor(moduleKey(nest), () => {
    const writer = new Writer(nest);
    return nest.cut ? { piece: writer.piece(), finish: writer.finish() } : { run: writer.run() };
  });

/** The functions that fold lines; short lines need `run` alone. */
type Folds = Pick<Functions, "run"> & Partial<ReturnType<typeof reduceFunctions>>;

/** Writes the functions of one nest. */
class Writer {
  private readonly kernels = new Recent<Code>(Infinity);
  private readonly folds = new Recent<Folds>(Infinity);
  private readonly spreads = new Recent<Code>(Infinity);

  constructor(private readonly nest: LineNest) {}

  /** All stages over lines that lie in memory as a whole. */
  run(): Code {
    const all = this.allStages();
    return define(["lines", "each", "rows", "table"], ["done", "n"], 0, (v) => {
      range(v.done, v.lines, v.each, () => {
        local.set(v.n, i32.sub(v.lines, v.done));
        setMinimum(v.n, v.n, v.each);
        call(all, [v.n, v.rows, v.table, v.done]);
      });
    });
  }

  /** All stages over some lines, of which `done` come before these in the table. */
  private allStages(): Code {
    const { stages } = this.nest;
    return this.withAddresses(
      ["lines", "rows", "table", "done"],
      ["line", "total", "elements"],
      ({ lines, rows, done, line, total, elements }, at, pointers) => {
        local.set(elements!, i32.mul(done!, rows!));
        this.goOn(at, { full: elements!, line: done! });
        local.set(total!, i32.mul(lines!, rows!));
        const spread = new Map(spreadOf(this.nest).map((value, i) => [value, at[spreadAt(this.nest, i)]!]));
        const isSpread = new Set<number>();
        let fold = 0;
        for (const stage of stages) {
          if (stage.kind === "fold") this.foldLines(stage, fold++, lines!, rows!, at);
          else if (stage.space === "line") this.kernel(stage, lines!, at);
          else if (spread.size > 0) {
            for (const value of stage.inputs) {
              if (!spread.has(value) || isSpread.has(value)) continue;
              call(this.spreading(value), [lines!, rows!, at[value]!, spread.get(value)!]);
              isSpread.add(value);
            }
            const places = at.map((address, value) => spread.get(value) ?? address);
            this.kernel(this.overAll(stage), total!, places);
          } else if (this.goesByLine(stage)) this.kernelByLine(stage, line!, lines!, rows!, at, pointers);
          else this.kernel(stage, total!, at);
        }
      },
    );
  }

  /** Goes on in values that are read or kept, by so many elements of those of each space; others have room for some lines only. */
  private goOn(at: Addresses, by: { readonly [S in "full" | "line"]: Int }): void {
    const { values } = this.nest;
    const temporary = temporaryOf(this.nest);
    values.forEach(({ type, space }, i) => {
      if ((space === "full" || space === "line") && !temporary.includes(i)) {
        setAddress(at[i]!, at[i]!, by[space], bytesOf(type));
      }
    });
  }

  /** Kernels over a part of a line, and the accumulators of its blocks. */
  piece(): Code {
    const { nest } = this;
    return this.withAddresses(["n", "table"], [], ({ n }, at) => {
      let fold = 0;
      for (const stage of nest.stages) {
        if (stage.kind === "map") {
          if (stage.space === "full") this.kernel(stage, n!, at);
          continue;
        }
        const { bytes, parts, blocks } = this.functionsOf(stage);
        call(blocks!, [at[stage.input]!, n!, bytes, parts, at[accumulatorsAt(nest, fold++)]!]);
      }
    });
  }

  /** Accumulators of blocks, those of each line one after the other, to results; then the kernels over lines. */
  finish(): Code {
    const { nest } = this;
    return this.withAddresses(
      ["lines", "blocks", "table"],
      ["line", "from", "to"],
      ({ lines, blocks, line, from, to }, at) => {
        let fold = 0;
        for (const stage of nest.stages) {
          if (stage.kind === "fold") {
            const accumulators = at[this.roundingOf(stage) ? accumulatorsAt(nest, fold) : stage.output]!;
            local.set(from!, at[temporaryAt(nest, fold++)]!);
            local.set(to!, accumulators);
            const { join, entry, parts } = this.functionsOf(stage);
            range(line!, lines!, 1, () => {
              call(join!, [from!, 0, blocks!, parts]);
              copyOne(entry, to!, from!);
              advance(to!, entry);
              advance(from!, i32.mul(blocks!, entry));
            });
            this.round(stage, accumulators, lines!, at);
          } else if (stage.space === "line") this.kernel(stage, lines!, at);
        }
      },
    );
  }

  /** A function that reads all addresses from its table. */
  private withAddresses(
    args: readonly string[],
    ints: readonly string[],
    body: (ints: Readonly<Record<string, Int>>, at: Addresses, pointers: Addresses) => void,
  ): Code {
    const names = Array.from({ length: tableLength(this.nest) }, (_, i) => `at${i}`);
    const pointers = Array.from({ length: this.mostOperands() }, (_, i) => `pointer${i}`);
    return define<string, string, 0>(args, [...ints, ...names, ...pointers], 0, (all) => {
      const table = all.table!;
      const at = names.map((name) => all[name]!);
      at.forEach((address, i) => local.set(address, i32.load({ offset: 4 * i }, table)));
      body(
        all,
        at,
        pointers.map((name) => all[name]!),
      );
    });
  }

  private mostOperands(): number {
    return Math.max(...this.nest.stages.map((stage) => (stage.kind === "map" ? operandsOf(stage).length : 0)));
  }

  /** Whether a kernel reads something that changes, or starts again, with each line. */
  private goesByLine({ inputs }: MapStage): boolean {
    return inputs.some((input) => isOfLines(this.nest, input));
  }

  /** A stage whose kernel reads an element of each value for each element, but of those that are single. */
  private overAll(stage: MapStage): MapStage {
    const uniform = stage.inputs.map((input) => this.nest.values[input]!.space === "one");
    return { ...stage, kernel: withUniform(stage.kernel, uniform) };
  }

  /** `(lines, rows, from, to)`: an element for each line as often as lines have elements, or those that all lines share once for each. */
  private spreading(value: number): Code {
    const { type, space } = this.nest.values[value]!;
    return this.spreads.getOrMake(`${type} ${space}`, () => spreadFunction(bytesOf(type) as Size, space === "line"));
  }

  private kernel(stage: MapStage, n: Int, at: Addresses): void {
    call(this.functionOf(stage.kernel), [n, ...operandsOf(stage).map((value) => at[value]!)]);
  }

  private kernelByLine(stage: MapStage, line: Int, lines: Int, rows: Int, at: Addresses, pointers: Addresses): void {
    const operands = operandsOf(stage);
    operands.forEach((value, i) => local.set(pointers[i]!, at[value]!));
    range(line, lines, 1, () => {
      call(this.functionOf(stage.kernel), [rows, ...pointers.slice(0, operands.length)]);
      operands.forEach((value, i) => {
        const { type, space } = this.nest.values[value]!;
        if (space === "full") advance(pointers[i]!, i32.mul(rows, bytesOf(type)));
        else if (space === "line") advance(pointers[i]!, bytesOf(type));
      });
    });
  }

  private foldLines(stage: FoldStage, fold: number, lines: Int, rows: Int, at: Addresses): void {
    const accumulators = at[this.roundingOf(stage) ? accumulatorsAt(this.nest, fold) : stage.output]!;
    const { bytes, parts, run } = this.functionsOf(stage);
    const step = i32.mul(rows, bytes);
    const room = at[temporaryAt(this.nest, fold)]!;
    call(run, [at[stage.input]!, lines, step, rows, bytes, parts, 0, accumulators, 0, room]);
    this.round(stage, accumulators, lines, at);
  }

  private round(stage: FoldStage, accumulators: Int, lines: Int, at: Addresses): void {
    const kernel = this.roundingOf(stage);
    if (!kernel) return;
    call(this.functionOf(kernel), [i32.mul(lines, foldIn(this.nest, stage).parts), accumulators, at[stage.output]!]);
  }

  /** The kernel that makes results of accumulators; null where they are stored as they are. */
  private roundingOf(stage: FoldStage): Kernel | null {
    const { recurrence, to } = foldIn(this.nest, stage);
    return roundingOf(recurrence.work, to)?.kernel ?? null;
  }

  private functionOf(kernel: Kernel): Code {
    return this.kernels.getOrMake(keyOf(kernel), () => kernelFunction(kernel, { isExact: true }));
  }

  private functionsOf(stage: FoldStage) {
    const { nest } = this;
    const { type } = nest.values[stage.input]!;
    const { recurrence, parts } = foldIn(nest, stage);
    const folds = this.folds.getOrMake(`${stage.op} ${type}`, () =>
      isShortOf(nest) && parts === 1
        ? { run: reduceShort(recurrence, recurrence.work) }
        : reduceFunctions(recurrence, parts === 1),
    );
    return { ...folds, parts, bytes: bytesOf(type), entry: (parts * entryBytes(recurrence)) as Size };
  }
}

/** Writes whole vectors, over which the next line is written. */
function spreadFunction(bytes: Size, isOfLine: boolean): Code {
  return define(["lines", "rows", "from", "to"], ["line", "length", "at"], 1, (v, [held]) => {
    local.set(v.length, i32.mul(v.rows, bytes));
    range(v.line, v.lines, 1, () => {
      if (isOfLine) local.set(held, splatItem(bytes, v.from));
      range(v.at, v.length, 16, () => {
        if (!isOfLine) local.set(held, v128.load({ align: 1 }, i32.add(v.from, v.at)));
        v128.store({ align: 1 }, i32.add(v.to, v.at), held);
      });
      if (isOfLine) advance(v.from, bytes);
      advance(v.to, v.length);
    });
  });
}

const operandsOf = ({ inputs, outputs }: MapStage): number[] => [...inputs, ...outputs];
