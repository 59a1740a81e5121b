/**
 * Element-wise kernels over operands that lie in the memory of kernels in another order, read where they are: as rows of elements in the
 * order of memory, against it, or every second one, whose first elements may be any distance apart.
 */
import { bytesOf } from "../../../core/types";
import { commonEnds, stepAt, type Elements, type Reader, type Walk } from "../../../kernel/operand";
import { opsOf, type Kernel } from "../../../kernel/value";
import { isRowStep } from "../codegen/access";
import { Plans } from "../placement/plans";
import { cutRows, ROW_FROM } from "../schedule/element-wise";
import { threadCount } from "../threads";
import { areInPlace, byParts, COPIED, runParts, type ByParts, type Part } from "./parts";

const plans = new Plans<ByParts | typeof COPIED>();

function planOf(
  kernel: Kernel,
  readers: readonly Reader[],
  key: string,
  [size, threads, least]: readonly [size: number, threads: number, least: number],
): ByParts | typeof COPIED {
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
  const cut = cutRows({ size, ends, least, widest: Math.max(...bytes), ops: opsOf(kernel) }, threads);
  if (cut === null) return COPIED;
  const lengthAt = (level: number): number => (ends[level] ?? 0) / (ends[level - 1] ?? 1) || 1;
  const stepsAt = (level: number): number[] => bytesAt(level > ends.length ? size : (ends[level - 1] ?? 1));
  let origins = [walks.map((_, i) => ((inputs[i]?.uniform ?? true) ? 0 : readers[i]!.access.offset * bytes[i]!))];
  const spread = (level: number, span: number): void => {
    const own = stepsAt(level);
    const places = Array.from({ length: Math.ceil(lengthAt(level) / span) }, (_, i) => i * span);
    origins = origins.flatMap((origin) => places.map((place) => origin.map((at, i) => at + place * own[i]!)));
  };
  for (let level = ends.length - 1; level > cut.level; level--) spread(level, 1);
  spread(cut.level, cut.span);
  const whole = [0, 1, 2].map((level) => (level > cut.level ? 1 : lengthAt(level)));
  const each = Math.ceil(whole[cut.level]! / cut.span);
  const arrays = walks.map(() => 0);
  const pitches = stepsAt(1);
  const gaps = stepsAt(2).map((step, i) => step - whole[1]! * pitches[i]!);
  const parts = origins.map((offsets, i): Part => {
    const counts = [...whole];
    counts[cut.level] = Math.min(cut.span, whole[cut.level]! - (i % each) * cut.span);
    const [n, rows, planes] = counts as [number, number, number];
    return { n, rows, planes, arrays, offsets, pitches, gaps };
  });
  return byParts(key, { parts, steps, groups: cut.groups, hasShort: false, isShared: cut.isShared });
}

/** The walk of an operand that is the same for all elements. */
const ALIKE: Walk = { shape: [], strides: [] };

/**
 * Computes `outputs`, arrays of `size` elements, by rows of at least so many elements, if operands can be read by rows; else does nothing
 * and says so. Results lie over no operand.
 */
export function runRows(
  kernel: Kernel,
  readers: readonly Reader[],
  outputs: readonly Elements[],
  size: number,
  key: string,
  least: number,
): boolean {
  const figures = [size, threadCount(), least] as const;
  const plan = plans.get(kernel, readers, [], figures, () => planOf(kernel, readers, key, figures));
  if (plan === COPIED) return false;
  runParts(kernel, readers, outputs, size, plan);
  return true;
}

/** The same of operands that lie in another order where they are to be read. */
export const runByRows = (
  kernel: Kernel,
  readers: readonly Reader[],
  outputs: readonly Elements[],
  size: number,
  key: string,
): boolean =>
  !readers.some(({ access }) => access.kind === "joined") &&
  areInPlace(kernel, readers, outputs) &&
  runRows(kernel, readers, outputs, size, key, ROW_FROM);
