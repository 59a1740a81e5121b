/**
 * Rules of nests that both the makers of nests and backends follow, and the nest of a single kernel, which both make.
 */
import type { Nest, NestOperand, NestRoot, NestStage, NestValue } from "../backend";
import type { Shape } from "../core/shape";
import { keyOf } from "./key";
import type { Kernel } from "./value";

/**
 * Lines of more elements do not stay in the caches together with what is computed of them. They are cut, so what is computed of a
 * line must not be read by kernels over its elements.
 */
export const LONG_LINE = 16_384;

/**
 * A kernel of more values than this, those of cold paths aside, is not computed inside of a reduction: kernels compute four vectors at a time, reductions one.
 * Measured (1e6 f32, sums of columns): twice x 0.35 to 0.7 of the time of two passes over memory, half floats rounded 1.1, exp 0.9 to
 * 1.6.
 */
const JOINED_VALUES = 20;

/** Whether a kernel is better computed where its result is joined than on its own. */
export const isBetterJoined = ({ values }: Kernel): boolean =>
  values.length <= JOINED_VALUES && values.every(({ op }) => op !== "lookup");

/**
 * Elements of a matrix from which on a kernel that gives it is computed where the matrix is multiplied with a vector: up to so many, the
 * matrix stays in the caches (relu of f32, one thread: 4000 x 1000 took 1.8 ms in two passes, 1.1 in one; 1000 x 1000 590 and 210
 * microseconds beside other work; 256 x 1000 65 and 63).
 */
export const MADE_ONCE_FROM = 2 ** 17;

/**
 * Whether sums go along the rows of a matrix, which then goes through a kernel and into them row by row. Down its columns threads would have to
 * share each row, of which short pieces are read slowly (1.0 to 1.3 of the time on two threads).
 */
export const isAlongRows = (shape: Shape, contracted: readonly number[]): boolean =>
  contracted.length === 1 && contracted[0] === shape.length - 1;

/** Inputs of a nest that are those of the contraction at its root. */
export const inputsOfRoot = (root: NestRoot | null): number =>
  root === null ? 0 : root.operands.reduce((count, { views }) => count + views.length, 0);

/** The nest of a kernel over so many elements; its key is the kernel's, which it shares with operations that run alone. */
export function mapNest(kernel: Kernel, operands: readonly NestOperand[], size: number): Nest {
  const outputs = kernel.outputs.map((_, i) => operands.length + i);
  const results = kernel.outputs.map(({ type }) => ({ type, space: "full" as const }));
  return {
    kind: "map",
    groups: 1,
    rows: size,
    columns: 1,
    root: null,
    operands,
    values: [...operands.map(({ type, space }) => ({ type, space })), ...results],
    stages: [{ kind: "map", space: "full", kernel, inputs: operands.map((_, i) => i), outputs }],
    outputs,
    key: keyOf(kernel),
  };
}

/** The kernel of such a nest. */
export function mapKernelOf({ kind, stages: [stage] }: Nest): Kernel {
  if (stage?.kind !== "map") throw new Error(`a nest of the kind map expected, got: ${kind}`);
  return stage.kernel;
}

/** What a nest does as text: the same for those that the same code computes. */
export function stagesText(
  values: readonly NestValue[],
  stages: readonly NestStage[],
  outputs: readonly number[],
): string {
  const spaces = values.map(({ type, space }) => `${type} ${space}`).join();
  return [spaces, ...stages.map(stageText), outputs.join()].join("\n");
}

function stageText(stage: NestStage): string {
  switch (stage.kind) {
    case "map":
      return `${stage.space} ${stage.inputs.join()}>${stage.outputs.join()} ${keyOf(stage.kernel)}`;
    case "join":
      return `join ${stage.axis} ${stage.inputs.join()}>${stage.output}`;
    case "fold":
      return `${stage.op} ${stage.input}>${stage.output}`;
    case "search":
      return `${stage.op} ${stage.tieBreak} ${stage.input}>${stage.output}`;
    case "scan":
      return `${stage.op} ${stage.reverse} ${stage.input}>${stage.output}`;
    default:
      return stage satisfies never;
  }
}
