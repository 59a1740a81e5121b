/**
 * The module of a row program: its kernels and folds as functions, and one that calls them over the rows in memory.
 *
 * Values are named by places in a table of addresses, which the callers write: the values of the program, then for each fold
 * where its accumulators go and a place to work in. Kernels may write up to 15 elements behind the end of a row, so rows
 * are done in ascending order and no two values share memory.
 */
import { bytesOf } from "../../../core/types";
import { call, i32, local } from "../asm";
import type { RowsProgram, RowsStep } from "../../../backend";
import { keyOf } from "../../../kernel/key";
import { Recent } from "../../../kernel/generational-cache";
import type { Kernel } from "../../../kernel/value";
import { tableAddress } from "../codegen";
import { kernelFunction } from "../codegen/function";
import { moduleBytes } from "../emit";
import { loadModule, weightOf, type KernelModule } from "../module";
import { advance, copyOne, define, push, range, when, type Code, type Int } from "../asm/code";
import { foldFunctions, workBytes } from "../reduce/fold-code";
import { lanesOf } from "../reduce/lanes";
import { foldShort, isShort } from "../reduce/short-code";

/** What running a program takes: how its operands are seen is the business of who reads them. */
export type Program = Omit<RowsProgram, "inputs">;

type KernelStep = Extract<RowsStep, { kind: "kernel" }>;
type FoldStep = Extract<RowsStep, { kind: "fold" }>;
type Addresses = readonly Int[];

/** The folds of a program, in their order. */
export const foldsOf = ({ steps }: Program): FoldStep[] => steps.filter((step) => step.kind === "fold");

/** Places of the table that a fold has besides those of its operand and its result. */
export const accumulatorsAt = ({ values }: Program, fold: number): number => values.length + 2 * fold;
export const temporaryAt = (program: Program, fold: number): number => accumulatorsAt(program, fold) + 1;
export const tableLength = (program: Program): number => program.values.length + 2 * foldsOf(program).length;

/** Bytes of programs kept at hand. */
const KEPT_BYTES = 8 * 2 ** 20;
const modules = new Recent<KernelModule>(KEPT_BYTES, weightOf);

/** Whether rows are so short that several are folded at a time. */
const isShortOf = ({ cut, length }: Program): boolean => !cut && isShort(length, 1);

const moduleKey = (program: Program): string =>
  `${program.cut ? "cut" : isShortOf(program) ? "short" : "whole"} ${program.key}`;

/** Whether the module of a program is at hand. */
export const isRowsCompiled = (program: Program): boolean => modules.get(moduleKey(program)) !== undefined;

/**
 * The module of a program. Where rows stay whole it exports `run(rows, length, table, last)`, where `last` is
 * 0 or a table for the last row alone; where they are cut, `piece(n, table)`
 * for a part of a row, whose folds give an accumulator for each block, and `finish(rows, blocks, table)`, which joins those of
 * each row and does what is left. To be asked for outside of scratch space.
 */
export function rowsModule(program: Program): KernelModule {
  const key = moduleKey(program);
  const known = modules.get(key);
  if (known) return known;
  const writer = new Writer(program);
  const functions = program.cut ? { piece: writer.piece(), finish: writer.finish() } : { run: writer.run() };
  const module = loadModule(moduleBytes(functions));
  modules.set(key, module);
  return module;
}

/** Writes the functions of one program. */
class Writer {
  private readonly kernels = new Map<string, Code>();
  private readonly folds = new Map<string, ReturnType<typeof foldFunctions>>();
  private readonly shortFolds = new Map<string, Code>();

  constructor(private readonly program: Program) {}

  /** All steps over rows that lie in memory as a whole; over the last one by itself where it has a table of its own. */
  run(): Code {
    const steps = this.steps();
    return define(["rows", "length", "table", "last"], ["one"], 0, ({ rows, length, table, last, one }) => {
      local.get(last);
      when(() => {
        local.set(rows, i32.sub(rows, 1));
        local.set(one, i32.const(1));
      });
      local.get(rows);
      when(() => void call(steps, [rows, length, table]));
      local.get(last);
      when(() => void call(steps, [one, length, last]));
    });
  }

  private steps(): Code {
    const { steps } = this.program;
    return this.withAddresses(
      ["rows", "length", "table"],
      ["row", "total"],
      ({ rows, length, row, total }, at, pointers) => {
        local.set(total!, i32.mul(rows!, length!));
        let fold = 0;
        for (const step of steps) {
          if (step.kind === "fold") this.foldRows(step, fold++, rows!, length!, at);
          else if (step.space === "row") this.kernel(step, rows!, at);
          else if (this.goesByRow(step)) this.kernelByRow(step, row!, rows!, length!, at, pointers);
          else this.kernel(step, total!, at);
        }
      },
    );
  }

  /** Kernels over a part of a row, and the accumulators of its blocks. */
  piece(): Code {
    const { program } = this;
    return this.withAddresses(["n", "table"], [], ({ n }, at) => {
      let fold = 0;
      for (const step of program.steps) {
        if (step.kind === "kernel") {
          if (step.space === "full") this.kernel(step, n!, at);
          continue;
        }
        const { bytes, functions } = this.functionsOf(step);
        pushAll(at[step.input]!, n!, bytes, 1, at[accumulatorsAt(program, fold++)]!);
        call(functions.blocks);
      }
    });
  }

  /** Accumulators of blocks, those of each row one after the other, to results; then the kernels over rows. */
  finish(): Code {
    const { program } = this;
    return this.withAddresses(
      ["rows", "blocks", "table"],
      ["row", "from", "to"],
      ({ rows, blocks, row, from, to }, at) => {
        let fold = 0;
        for (const step of program.steps) {
          if (step.kind === "fold") {
            const accumulators = at[step.round ? accumulatorsAt(program, fold) : step.output]!;
            local.set(from!, at[temporaryAt(program, fold++)]!);
            local.set(to!, accumulators);
            const { functions, entry } = this.functionsOf(step);
            range(row!, rows!, 1, () => {
              pushAll(from!, blocks!, 1);
              call(functions.join);
              copyOne(entry, to!, from!);
              advance(to!, entry);
              advanceBy(from!, blocks!, entry);
            });
            this.round(step, accumulators, rows!, at);
          } else if (step.space === "row") this.kernel(step, rows!, at);
        }
      },
    );
  }

  /** A function that finds all addresses in its table. */
  private withAddresses(
    args: readonly string[],
    ints: readonly string[],
    body: (ints: Readonly<Record<string, Int>>, at: Addresses, pointers: Addresses) => void,
  ): Code {
    const names = Array.from({ length: tableLength(this.program) }, (_, i) => `at${i}`);
    const pointers = Array.from({ length: this.mostOperands() }, (_, i) => `pointer${i}`);
    return define<string, string>(args, [...ints, ...names, ...pointers], 0, (all) => {
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
    return Math.max(...this.program.steps.map((step) => (step.kind === "kernel" ? operandsOf(step).length : 0)));
  }

  /** Whether a kernel reads something that changes, or starts again, with each row. */
  private goesByRow({ inputs }: KernelStep): boolean {
    return inputs.some((input) => ["row", "column"].includes(this.program.values[input]!.space));
  }

  private kernel(step: KernelStep, n: Int, at: Addresses): void {
    pushAll(n, ...operandsOf(step).map((value) => at[value]!));
    call(this.functionOf(step.kernel));
  }

  private kernelByRow(step: KernelStep, row: Int, rows: Int, length: Int, at: Addresses, pointers: Addresses): void {
    const operands = operandsOf(step);
    operands.forEach((value, i) => local.set(pointers[i]!, at[value]!));
    range(row, rows, 1, () => {
      pushAll(length, ...pointers.slice(0, operands.length));
      call(this.functionOf(step.kernel));
      operands.forEach((value, i) => {
        const { type, space } = this.program.values[value]!;
        if (space === "full") advanceBy(pointers[i]!, length, bytesOf(type));
        else if (space === "row") advance(pointers[i]!, bytesOf(type));
      });
    });
  }

  private foldRows(step: FoldStep, fold: number, rows: Int, length: Int, at: Addresses): void {
    const accumulators = at[step.round ? accumulatorsAt(this.program, fold) : step.output]!;
    const bytes = bytesOf(this.program.values[step.input]!.type);
    pushAll(at[step.input]!, rows, length, bytes, 1, accumulators, at[temporaryAt(this.program, fold)]!);
    call(this.foldOf(step));
    if (step.round) this.round(step, accumulators, rows, at);
  }

  private round({ round, output }: FoldStep, accumulators: Int, rows: Int, at: Addresses): void {
    if (!round) return;
    pushAll(rows, accumulators, at[output]!);
    call(this.functionOf(round));
  }

  private functionOf(kernel: Kernel): Code {
    const key = keyOf(kernel);
    const known = this.kernels.get(key);
    if (known) return known;
    const made = kernelFunction(kernel, tableAddress);
    this.kernels.set(key, made);
    return made;
  }

  /** The function that folds whole rows. */
  private foldOf(step: FoldStep): Code {
    if (!isShortOf(this.program)) return this.functionsOf(step).functions.fold;
    const { type } = this.program.values[step.input]!;
    const key = `${step.op} ${type}`;
    const lanes = lanesOf(step.op, type)!;
    const fold = this.shortFolds.get(key) ?? foldShort(lanes, lanes.work);
    this.shortFolds.set(key, fold);
    return fold;
  }

  private functionsOf({ op, input }: FoldStep) {
    const { type } = this.program.values[input]!;
    const key = `${op} ${type}`;
    const lanes = lanesOf(op, type)!;
    const functions = this.folds.get(key) ?? foldFunctions(lanes);
    this.folds.set(key, functions);
    return { functions, bytes: lanes.bytes, entry: workBytes(lanes) };
  }
}

const operandsOf = ({ inputs, outputs }: KernelStep): number[] => [...inputs, ...outputs];

function pushAll(...values: readonly (Int | number)[]): void {
  for (const value of values) push(value);
}

/** `pointer += count * bytes`. */
function advanceBy(pointer: Int, count: Int, bytes: number): void {
  i32.mul(count, bytes);
  local.get(pointer);
  i32.add();
  local.set(pointer);
}
