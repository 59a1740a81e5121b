/**
 * Values that are computed together since they share what they are computed of: in place of storing a value that several others need,
 * a kernel gives these. They wait for nothing else, and would be computed when the task ends at the latest.
 */
import type { Elements } from "../../arrays/storage";
import { DEFERRED_INPUTS, DEFERRED_OPS, DEFERRED_OUTPUTS, DEFERRED_VALUES } from "../schedule";
import { Draft } from "./draft";
import { Pending, type Operand } from "./node";
import { allWaiting } from "./waiting";

/** Whether a value is computed of one of some others. */
function isOf({ operands }: Pending, others: ReadonlySet<Pending>, met: Set<Pending>): boolean {
  return operands.some((operand) => {
    if (!(operand instanceof Pending) || met.has(operand)) return false;
    met.add(operand);
    return others.has(operand) || isOf(operand, others, met);
  });
}

const isWithin = ({ ops, weight, readers }: Draft): boolean =>
  ops.length <= DEFERRED_OPS && weight <= DEFERRED_VALUES && readers.length <= DEFERRED_INPUTS;

/** Values that a draft stores only because others need them. */
const inner = (draft: Draft): Pending[] => draft.outputs().filter((value) => !draft.ends.includes(value));

/** The draft of a value, which gives others too where it stores fewer values for them then. */
export function withEnds(draft: Draft, assumed: ReadonlyMap<Operand, Elements> | null = null): Draft {
  const { root, lines } = draft;
  if (lines !== null || draft.isMove) return draft;
  const shared = new Set(inner(draft).filter((value) => value.consumers > draft.usesOf(value)));
  if (shared.size === 0) return draft;
  const ends = allWaiting().filter(
    (value) =>
      value !== root &&
      value.size === root.size &&
      value.lines === null &&
      value.step.kind === "op" &&
      isOf(value, shared, new Set()),
  );
  if (ends.length === 0 || ends.length > DEFERRED_OUTPUTS) return draft;
  const all = Draft.of(root, assumed, ends);
  return all instanceof Draft && isWithin(all) && inner(all).length < shared.size ? all : draft;
}
