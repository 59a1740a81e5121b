/**
 * Contractions with what is fused to them: operands are read as they are seen, and the kernel on the result runs on rows that
 * have just been made. The same sums and the same kernel as one by one, so the same bits.
 */
import { getOrMake } from "../../../core/get-or-make";
import type { DataMembers, Nest, NestRoot } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { keyOf } from "../../../kernel/key";
import { inputsOfRoot } from "../../../kernel/nest";
import { readerOf, type Elements, type Reader } from "../../../kernel/operand";
import type { Tensor } from "../../../tensor";
import { widthOf } from "../../arrays/storage";
import { arrays } from "../arrays";
import { convPlan, runConv } from "./conv";
import { dotPlan, planFor, runDot } from "./dot";
import { isInPlace, rowsFor, type Task } from "../matmul/blocks";
import { Finish } from "../matmul/epilogue";
import type { SumType } from "../matmul/functions";
import type { Source } from "../matmul/pack-operands";
import { residentElements } from "../placement/resident";
import { madeOf } from "./sources";

type Run = (sources: readonly [Source, Source], finish: Finish) => boolean;

interface Runner {
  readonly type: SumType;
  /** Elements of the result of which whole multiples are handed on: a row, or an image. */
  readonly unit: number;
  readonly run: Run;
}

/** What makes the sums, and in which type; null where the binary backend does. */
function runnerOf(root: NestRoot, inputs: readonly Tensor[]): Runner | null {
  const { out, operands } = root;
  const [x, y] = [operands[0].out, operands[1].out];
  if (root.kind === "dot") {
    const possible = dotPlan(out, x, y, root.attrs);
    const asTheyAre = operands.every(({ kernel }) => !kernel);
    const plan = possible && asTheyAre ? planFor(possible, out, inputs.slice(0, 2)) : possible;
    return plan && { type: plan.type, unit: plan.sizes.n, run: (sources, finish) => runDot(plan, sources, finish) };
  }
  const plan = convPlan(out, x, y, root.attrs);
  const unit = sizeOf(out.shape.slice(1));
  return plan && { type: plan.type, unit, run: (sources, finish) => runConv(plan, sources, finish, out.shape[0]!) };
}

/** Runs nests that begin with a contraction. */
export const runContraction: NonNullable<DataMembers["fused"]> = (outs, inputs, nest) => {
  const root = nest.root!;
  const runner = runnerOf(root, inputs);
  if (!runner) return null;
  const [x] = root.operands;
  const given = [inputs.slice(0, x.views.length), inputs.slice(x.views.length, inputsOfRoot(root))];
  const sources = root.operands.map((operand, i) => madeOf(given[i]!, runner.type, operand));
  if (!sources[0] || !sources[1]) return null;
  const made = nest.values.map(({ type }, value): Elements | null => {
    const isComputed = value > nest.operands.length || nest.outputs.includes(value);
    return isComputed ? arrays.unset(type, outs[0]!.shape) : null;
  });
  const epilogue = epilogueOf(nest, inputs, made, runner.unit);
  const finish = Finish.of(runner.type, root.out.type, made[nest.operands.length]!, epilogue);
  if (!finish || !runner.run(sources as [Source, Source], finish)) return null;
  return nest.outputs.map((value) => arrays.hold(made[value]!));
};

/** How kernels of nests go row by row, which their views decide. */
const byRow = new WeakMap<Nest, ReturnType<typeof rowsFor>>();

/** The kernel on the result of the contraction. */
function epilogueOf(
  nest: Nest,
  inputs: readonly Tensor[],
  made: readonly (Elements | null)[],
  unit: number,
): Task | null {
  const own = inputsOfRoot(nest.root);
  const [stage] = nest.stages;
  if (stage?.kind !== "map") return null;
  const readers = stage.inputs.map((value): Reader | null => {
    const operand = nest.operands[value];
    if (!operand) return null;
    const { shape, strides, offset } = operand.view;
    const tensor = inputs[value + own]!;
    return readerOf({ elements: residentElements(tensor), width: widthOf(tensor.type), strides, offset }, shape);
  });
  const { kernel } = stage;
  const outputs = stage.outputs.map((value) => made[value]!);
  const task = { kernel, key: keyOf(kernel), readers, outputs };
  const rows = getOrMake(byRow, nest, () => rowsFor(kernel, readers, nest.rows, unit));
  return rows && isInPlace(task, rows) ? { ...task, rows } : task;
}
