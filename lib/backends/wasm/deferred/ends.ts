/**
 * Pending values that share operands, as results of one kernel: in place of a shared value, the kernel stores its readers. The readers
 * wait for nothing else, and the end of the task would compute them at the latest.
 */
import type { Elements } from "../../arrays/storage";
import { DEFERRED_OUTPUTS } from "../schedule/deferred";
import { Draft } from "./draft";
import { isWithin } from "./extent";
import { Pending, type Operand } from "./node";
import { allWaiting } from "./waiting";

/** Whether a value depends on one of `others`. */
function isOf({ operands }: Pending, others: ReadonlySet<Pending>, met: Set<Pending>): boolean {
  return operands.some((operand) => {
    if (!(operand instanceof Pending) || met.has(operand)) return false;
    met.add(operand);
    return others.has(operand) || isOf(operand, others, met);
  });
}

/** Stored values of a draft besides its root and its ends. */
const inner = (draft: Draft): Pending[] => draft.outputs().filter((value) => !draft.ends.includes(value));

/** Stored values of a draft that have readers outside of the draft, which the same kernel may compute. */
export function sharedBy(draft: Draft): Pending[] {
  if (draft.lines !== null || draft.isMove) return [];
  return inner(draft).filter((value) => value.consumers > draft.usesOf(value));
}

/** Pending values that depend on shared values of a root, to be results of the root's kernel; none where they are too many. */
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

/** The draft of a root together with its ends, where that draft stores fewer values. */
export function withEnds(draft: Draft, assumed: ReadonlyMap<Operand, Elements> | null = null): Draft {
  const shared = sharedBy(draft);
  const ends = endsFor(draft.root, shared);
  if (ends.length === 0) return draft;
  const all = Draft.of(draft.root, assumed, ends);
  if (!(all instanceof Draft) || inner(all).length >= shared.length) return draft;
  const { ops, weight, readers } = all;
  return isWithin({ ops: ops.length, values: weight, inputs: readers.length }) ? all : draft;
}
