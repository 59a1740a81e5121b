/**
 * Values that are computed together since they share what they are computed of: in place of storing a value that several others need,
 * a kernel gives these. They wait for nothing else, and would be computed when the task ends at the latest.
 */
import type { Elements } from "../../arrays/storage";
import { DEFERRED_OUTPUTS } from "../schedule";
import { Draft } from "./draft";
import { isWithin } from "./extent";
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

/** Values that a draft stores only because others need them. */
const inner = (draft: Draft): Pending[] => draft.outputs().filter((value) => !draft.ends.includes(value));

/** Values that a draft stores only because others, which may be computed with it, need them. */
export function sharedBy(draft: Draft): Pending[] {
  if (draft.lines !== null || draft.isMove) return [];
  return inner(draft).filter((value) => value.consumers > draft.usesOf(value));
}

/** The values that may be computed with another one, since they are computed of values that it shares; none where they are many. */
export function endsFor(root: Pending, shared: readonly Pending[]): Pending[] {
  if (shared.length === 0) return [];
  const all = new Set(shared);
  const ends = allWaiting().filter(
    (value) =>
      value !== root &&
      value.size === root.size &&
      value.lines === null &&
      value.step.kind === "op" &&
      isOf(value, all, new Set()),
  );
  return ends.length > DEFERRED_OUTPUTS ? [] : ends;
}

/** The draft of a value, which gives others too where it stores fewer values for them then. */
export function withEnds(draft: Draft, assumed: ReadonlyMap<Operand, Elements> | null = null): Draft {
  const shared = sharedBy(draft);
  const ends = endsFor(draft.root, shared);
  if (ends.length === 0) return draft;
  const all = Draft.of(draft.root, assumed, ends);
  if (!(all instanceof Draft) || inner(all).length >= shared.length) return draft;
  const { ops, weight, readers } = all;
  return isWithin({ ops: ops.length, values: weight, inputs: readers.length }) ? all : draft;
}
