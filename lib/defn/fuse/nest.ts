/**
 * Nests from the findings of fusion: values in order, and the key of a nest for the caches of backends.
 */
import type { Nest, NestOperand, NestRoot, NestValue } from "../../backend";
import { keyOf } from "../../kernel/key";
import { stagesText } from "../../kernel/nest";
import { isUniform, pointView } from "../../kernel/view";
import type { Viewed } from "./views";

/** A nest without what follows from the rest of it; `results` are the values of the stages. */
type Parts = Omit<Nest, "values" | "key"> & { readonly results: readonly NestValue[] };

/** A nest of any kind but `map`. */
export function nestOf({ results, ...parts }: Parts): Nest {
  const { root, operands, stages, outputs } = parts;
  const own: NestValue[] = root ? [{ type: root.out.type, space: "full" }] : [];
  const values = [...operands, ...own, ...results].map(({ type, space }) => ({ type, space }));
  const text = stagesText(values, stages, outputs);
  return { ...parts, values, key: root ? `${rootText(root)}\n${text}` : text };
}

const rootText = ({ kind, attrs, operands }: NestRoot): string =>
  `${kind} ${JSON.stringify(attrs)} ${operands.map(({ out, kernel }) => `${out.type} ${kernel ? keyOf(kernel) : ""}`).join()}`;

/** A tensor as an operand of a kernel over all elements. */
export function operandOf({ base, view }: Viewed): NestOperand {
  const { type } = base.out;
  return isUniform(view) ? { type, space: "one", view: pointView(view) } : { type, space: "full", view };
}
