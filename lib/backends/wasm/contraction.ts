/**
 * Contractions with what is fused to them: operands are read as they are seen, and the kernel on the result runs on rows that
 * have just been made. The same sums and the same kernel as one by one, so the same bits.
 */
import type { DataMembers, FusedContraction, Template } from "../../backend";
import { sizeOf } from "../../core/shape";
import type { Elements } from "../../kernel/operand";
import type { Tensor } from "../../tensor";
import { arrays } from "./arrays";
import { convPlan, runConv } from "./conv";
import { dotPlan, planFor, runDot } from "./dot";
import { Finish } from "./matmul/epilogue";
import type { SumType } from "./matmul/functions";
import type { Source } from "./matmul/pack-operands";
import { epilogueTask, sourceOf } from "./sources";

type Run = (sources: readonly [Source, Source], finish: Finish) => boolean;

interface Runner {
  readonly type: SumType;
  readonly run: Run;
}

/** What makes the sums, and in which type; null where the binary backend does. */
function runnerOf({ contraction, operands }: FusedContraction, inputs: readonly Tensor[]): Runner | null {
  const { out } = contraction;
  const [x, y] = [operands[0].out, operands[1].out];
  if (contraction.kind === "dot") {
    const possible = dotPlan(out, x, y, contraction.attrs);
    const asTheyAre = operands.every(({ cast }) => !cast);
    const plan = possible && asTheyAre ? planFor(possible, out, inputs.slice(0, 2)) : possible;
    return plan && { type: plan.type, run: (sources, finish) => runDot(plan, sources, finish) };
  }
  const plan = convPlan(out, x, y, contraction.attrs);
  return plan && { type: plan.type, run: (sources, finish) => runConv(plan, sources, finish, out.shape[0]!) };
}

/** The elements of each result, those of the kernel in the order of its outputs. */
function resultsOf(outs: readonly Template[], { epilogue, outputs }: FusedContraction) {
  const of = (place: number | null): Elements | null => {
    const i = outputs.indexOf(place);
    return i < 0 ? null : arrays.unset(outs[i]!.type, outs[i]!.shape);
  };
  const made = epilogue?.kernel.outputs.map(({ type }, i) => of(i) ?? arrays.unset(type, outs[0]!.shape)) ?? [];
  return { own: of(null), made };
}

/** The member of the backend. */
export const fusedContraction: NonNullable<DataMembers["fusedContraction"]> = (outs, inputs, program) => {
  const runner = runnerOf(program, inputs);
  if (!runner || sizeOf(program.contraction.out.shape) === 0) return null;
  const { operands, epilogue, reads, outputs, contraction } = program;
  const sources = operands.map((operand, i) => sourceOf(inputs[i]!, runner.type, operand));
  if (!sources[0] || !sources[1]) return null;
  const { own, made } = resultsOf(outs, program);
  const tensors = reads.map((place): Tensor | null => (place === null ? null : inputs[place]!));
  const task = epilogue && epilogueTask(epilogue, tensors, made);
  const finish = Finish.of(runner.type, contraction.out.type, own, task);
  if (!finish || !runner.run(sources as [Source, Source], finish)) return null;
  return outputs.map((place) => arrays.hold(place === null ? own! : made[place]!));
};
