/**
 * The pending work of a value as text: its kernels, each with its ops, and its traffic through memory.
 */
import { formatShape } from "../../../core/shape";
import { unnamed } from "../../../core/names";
import type { Elements } from "../../arrays/storage";
import type { Tensor } from "../../../tensor";
import { Draft } from "./draft";
import { withEnds } from "./ends";
import { waitingOf } from "./index";
import type { Pending } from "./node";
import type { Operand } from "./node";

/** The drafts for a value, in the order in which they run. */
function draftsOf(root: Pending): Draft[] {
  const assumed = new Map<Operand, Elements>();
  const drafts: Draft[] = [];
  const add = (value: Pending): void => {
    for (;;) {
      const found = Draft.of(value, assumed);
      if (found instanceof Draft) {
        const draft = withEnds(found, assumed);
        drafts.push(draft);
        for (const stored of draft.outputs()) assumed.set(stored, new Float32Array(1));
        assumed.set(value, new Float32Array(1));
        return;
      }
      add(found);
    }
  };
  add(root);
  return drafts;
}

const typeText = ({ type, shape }: Pending): string => `${type}${formatShape(shape, unnamed(shape.length))}`;

function kernelText(draft: Draft, index: number): string {
  const { root, readers, values } = draft;
  const ops = values.map(({ does }) => does).join(", ");
  const arrays = readers.filter(({ isUniform }) => !isUniform).length;
  const numbers = readers.length - arrays;
  const stored = [...draft.outputs(), root];
  const { read, written } = draft.bytes(stored);
  const reads = [count(arrays, "array"), ...(numbers > 0 ? [count(numbers, "number")] : [])].join(" and ");
  const what = draft.isMove ? "copy" : `kernel ${index + 1}`;
  return `  ${what} -> ${stored.map(typeText).join(", ")}: ${ops}; reads ${reads}, ${read} bytes; writes ${written} bytes`;
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

/** The text for the value of a tensor, where that waits. */
export function explainedOf(tensor: Tensor): string | null {
  const value = waitingOf(tensor);
  return value && explained(value);
}

function explained(root: Pending): string {
  const drafts = draftsOf(root);
  const ops = new Set(drafts.flatMap(({ values }) => values)).size;
  return [
    `${typeText(root)} waits: ${count(ops, "operation")} in ${count(drafts.length, "kernel")}`,
    ...drafts.map(kernelText),
  ].join("\n");
}
