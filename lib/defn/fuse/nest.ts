/**
 * Nests from the findings of fusion: values in order, and the key of a nest for the caches of backends.
 */
import type { Nest, NestOperand, NestRoot, NestStage, NestValue } from "../../backend";
import { keyOf } from "../../kernel/key";
import { isUniform, pointView, type Viewed } from "./views";

/** A nest without what follows from the rest of it; `results` are the values of the stages. */
type Parts = Omit<Nest, "values" | "key"> & { readonly results: readonly NestValue[] };

/** A nest of any kind but `map`. */
export function nestOf({ results, ...parts }: Parts): Nest {
  const { root, operands, stages, outputs } = parts;
  const own: NestValue[] = root ? [{ type: root.out.type, space: "full" }] : [];
  const values = [...operands, ...own, ...results].map(({ type, space }) => ({ type, space }));
  const spaces = values.map(({ type, space }) => `${type} ${space}`).join();
  const key = [...(root ? [rootText(root)] : []), spaces, ...stages.map(stageText), outputs.join()].join("\n");
  return { ...parts, values, key };
}

const rootText = ({ kind, attrs, operands }: NestRoot): string =>
  `${kind} ${JSON.stringify(attrs)} ${operands.map(({ out, kernel }) => `${out.type} ${kernel ? keyOf(kernel) : ""}`).join()}`;

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

/** A tensor as an operand of a kernel over all elements. */
export function operandOf({ base, view }: Viewed): NestOperand {
  const { type } = base.out;
  return isUniform(view) ? { type, space: "one", view: pointView(view) } : { type, space: "full", view };
}
