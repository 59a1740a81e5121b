/**
 * Element-wise kernels over operands that lie in the memory of kernels in another order, read where they are: as rows of elements in the
 * order of memory, against it, or every second one, whose first elements may be any distance apart.
 */
import { bytesOf } from "../../../core/types";
import { commonEnds, stepAt, type Elements, type Reader, type Walk } from "../../../kernel/operand";
import { opsOf, type Kernel } from "../../../kernel/value";
import { advance, call, define, range, type Code } from "../asm";
import { tableAddress } from "../codegen";
import { isRowStep, type RowStep } from "../codegen/access";
import { kernelFunction } from "../codegen/function";
import { inScratch } from "../memory/linear";
import type { KernelModule } from "../modules/module";
import { moduleFor } from "../modules/cache";
import { baseOfArray, firstOf, NOWHERE, uniformRoom } from "../placement";
import { Plans } from "../placement/plans";
import { cutRows, STEP } from "../schedule/element-wise";
import { runCalls, threadCount } from "../threads";

/** A call: so many planes of so many rows of so many elements, and how many bytes behind its beginning each operand begins in it. */
interface Part {
  readonly counts: Counts;
  readonly offsets: readonly number[];
}

/** Elements of a row, rows of a plane, planes. */
type Counts = readonly [elements: number, rows: number, planes: number];

/** How a kernel is run by rows. */
interface ByRows {
  /** Elements from one of a row to the next, of each input. */
  readonly steps: readonly RowStep[];
  /** Bytes from a row to the next, of each operand, and those from behind a plane to the next. */
  readonly pitches: readonly number[];
  readonly gaps: readonly number[];
  readonly parts: readonly Part[];
  /** Whether threads share the parts. */
  readonly isShared: boolean;
}

/** Elements are copied before the kernel reads them. */
const COPIED = "copied";

const plans = new Plans<ByRows | typeof COPIED>();

/** Whether an operand lies in another order. One loop without calls: this is asked for by every eager call. */
export function isAnyView(readers: readonly Reader[]): boolean {
  for (let i = 0; i < readers.length; i++) {
    const { kind } = readers[i]!.access;
    if (kind === "strided" || kind === "periodic") return true;
  }
  return false;
}

function planOf(
  kernel: Kernel,
  readers: readonly Reader[],
  [size, threads]: readonly [size: number, threads: number],
): ByRows | typeof COPIED {
  const { inputs, outputs } = kernel;
  const dense: Walk = { shape: [size], strides: [1] };
  const walks = [
    ...readers.map(({ access }, i) => (inputs[i]!.uniform ? ALIKE : access.walk)),
    ...outputs.map(() => dense),
  ];
  const ends = commonEnds(walks, size);
  const steps = readers.map((_, i) => (inputs[i]!.uniform ? 1 : stepAt(walks[i]!, 1)));
  if (ends === null || !steps.every(isRowStep)) return COPIED;
  const bytes = [...inputs, ...outputs].map(({ type }) => bytesOf(type));
  const bytesAt = (below: number): number[] => walks.map((walk, i) => stepAt(walk, below) * bytes[i]!);
  const nest = { size, ends, operands: walks.length, widest: Math.max(...bytes), step: STEP, ops: opsOf(kernel) };
  const cut = cutRows(nest, threads);
  if (cut === null) return COPIED;
  const lengthAt = (level: number): number => (ends[level] ?? 0) / (ends[level - 1] ?? 1) || 1;
  const stepsAt = (level: number): number[] => bytesAt(level > ends.length ? size : (ends[level - 1] ?? 1));
  let origins = [walks.map(() => 0)];
  const spread = (level: number, span: number): void => {
    const own = stepsAt(level);
    const places = Array.from({ length: Math.ceil(lengthAt(level) / span) }, (_, i) => i * span);
    origins = origins.flatMap((origin) => places.map((place) => origin.map((at, i) => at + place * own[i]!)));
  };
  for (let level = ends.length - 1; level > cut.level; level--) spread(level, 1);
  spread(cut.level, cut.span);
  const whole = [0, 1, 2].map((level) => (level > cut.level ? 1 : lengthAt(level)));
  const each = Math.ceil(whole[cut.level]! / cut.span);
  const parts = origins.map((offsets, i): Part => {
    const counts = [...whole] as [number, number, number];
    counts[cut.level] = Math.min(cut.span, whole[cut.level]! - (i % each) * cut.span);
    return { counts, offsets };
  });
  const pitches = stepsAt(1);
  const gaps = stepsAt(2).map((step, i) => step - whole[1]! * pitches[i]!);
  return { steps, pitches, gaps, parts, isShared: cut.isShared };
}

/** The walk of an operand that is the same for all elements. */
const ALIKE: Walk = { shape: [], strides: [] };

/** `rows(n, rows, planes, ...operands, ...pitches, ...gaps)` of a kernel. */
const rowsModule = (kernel: Kernel, key: string, steps: readonly RowStep[]): KernelModule =>
  moduleFor(`rows ${steps.join()} ${key}`, () => ({ rows: rowsFunction(kernel, steps) }));

function rowsFunction(kernel: Kernel, steps: readonly RowStep[]): Code {
  const one = kernelFunction(kernel, tableAddress, { steps });
  const count = kernel.inputs.length + kernel.outputs.length;
  const names = (name: string): string[] => Array.from({ length: count }, (_, i) => `${name}${i}`);
  const [operands, pitches, gaps] = [names("operand"), names("pitch"), names("gap")];
  const args = ["n", "rows", "planes", ...operands, ...pitches, ...gaps];
  return define<string, string, 0>(args, ["row", "plane"], 0, (v) => {
    range(v.plane!, v.planes!, 1, () => {
      range(v.row!, v.rows!, 1, () => {
        call(one, [v.n!, ...operands.map((name) => v[name]!)]);
        operands.forEach((name, i) => advance(v[name]!, v[pitches[i]!]!));
      });
      operands.forEach((name, i) => advance(v[name]!, v[gaps[i]!]!));
    });
  });
}

/**
 * Computes `outputs`, arrays of `size` elements, by rows, if operands that lie in another order can be read where they are; else does
 * nothing and says so.
 */
export function runByRows(
  kernel: Kernel,
  readers: readonly Reader[],
  outputs: readonly Elements[],
  size: number,
  key: string,
): boolean {
  if (outputs.some((array) => readers.some(({ elements }) => elements === array))) return false;
  const bases = [
    ...readers.map((reader, i) =>
      kernel.inputs[i]!.uniform ? 0 : reader.access.kind === "joined" ? NOWHERE : firstOf(reader),
    ),
    ...outputs.map(baseOfArray),
  ];
  if (bases.includes(NOWHERE)) return false;
  const figures = [size, threadCount()] as const;
  const plan = plans.get(kernel, readers, bases, figures, () => planOf(kernel, readers, figures));
  if (plan === COPIED) return false;
  const { steps, pitches, gaps, parts, isShared } = plan;
  const module = rowsModule(kernel, key, steps);
  inScratch(() => {
    kernel.inputs.forEach(({ type, uniform }, i) => {
      if (uniform) bases[i] = uniformRoom(type, readers[i]!);
    });
    const calls = parts.map(({ counts, offsets }) => [
      ...counts,
      ...offsets.map((at, i) => at + bases[i]!),
      ...pitches,
      ...gaps,
    ]);
    runCalls(module, "rows", calls, isShared);
  });
  return true;
}
