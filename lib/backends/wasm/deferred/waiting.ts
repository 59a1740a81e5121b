/**
 * The values that wait and that no other value is computed of. They are computed when they are read; when too many wait, or what they
 * keep alive is more than their arrays would take by too much; and when the task that made them has ended.
 */
import { NxError } from "../../../core/errors";
import { DEFERRED_EXCESS, DEFERRED_MOST } from "../schedule/deferred";
import type { ArrayData } from "../../arrays/storage";
import { Leaf, type Pending } from "./node";

interface List {
  oldest: Pending | null;
  newest: Pending | null;
  length: number;
  excess: number;
  isScheduled: boolean;
}

/** The list, in the order in which values were made. */
const list: List = { oldest: null, newest: null, length: 0, excess: 0, isScheduled: false };

export function addWaiting(value: Pending): void {
  value.isListed = true;
  value.before = list.newest;
  if (list.newest !== null) list.newest.after = value;
  else list.oldest = value;
  list.newest = value;
  list.length++;
  if (value.excess > 0) list.excess += value.excess;
  if (list.isScheduled) return;
  list.isScheduled = true;
  void Promise.resolve().then(settleAll);
}

export function removeWaiting(value: Pending): void {
  if (!value.isListed) return;
  value.isListed = false;
  const { before, after } = value;
  if (before !== null) before.after = after;
  else list.oldest = after;
  if (after !== null) after.before = before;
  else list.newest = before;
  value.before = value.after = null;
  list.length--;
  if (value.excess > 0) list.excess -= value.excess;
}

/** What waits now, the oldest first. */
export function allWaiting(): Pending[] {
  const all: Pending[] = [];
  for (let value = list.oldest; value !== null; value = value.after) all.push(value);
  return all;
}

/** Computes the values that have waited longest until no limit is passed. */
export function keepLimits(): void {
  while (list.length > DEFERRED_MOST || list.excess > DEFERRED_EXCESS) list.oldest!.settle();
}

/** Computes the values that wait for an array, which a tensor is about to let go of, so that its memory is free as if nothing waited. */
export function settleReadersOf(data: ArrayData): void {
  for (const value of allWaiting()) if (value.isListed && reads(value, data, new Set())) value.settle();
}

/** Whether anything waits. */
export const isAnythingWaiting = (): boolean => list.oldest !== null;

function reads({ operands }: Pending, data: ArrayData, met: Set<Pending>): boolean {
  return operands.some((operand) => {
    const own = operand.result;
    if (own !== null) return own === data.elements || (operand instanceof Leaf && operand.data === data);
    const value = operand as Pending;
    if (met.has(value)) return false;
    met.add(value);
    return reads(value, data, met);
  });
}

/** Computes whatever waits. */
function settleAll(): void {
  list.isScheduled = false;
  for (const value of allWaiting()) {
    if (!value.isListed) continue;
    try {
      value.settle();
    } catch (error) {
      removeWaiting(value); // it is computed when it is read, or says then why it cannot be
      if (!(error instanceof NxError)) throw error;
    }
  }
}
