/**
 * What waits for a value, as text: the kernels that it will be, each with its ops, and what moves through memory.
 */
import { formatShape } from "../../../core/shape";
import { unnamed } from "../../../core/names";
import { bytesOf } from "../../../core/types";
import type { Elements } from "../../arrays/storage";
import { Draft } from "./draft";
import type { Pending } from "./node";
import type { Operand } from "./node";

/** The drafts for a value, in the order in which they run. */
function draftsOf(root: Pending): Draft[] {
  const assumed = new Map<Operand, Elements>();
  const drafts: Draft[] = [];
  const add = (value: Pending): void => {
    for (;;) {
      const draft = Draft.of(value, assumed);
      if (draft instanceof Draft) {
        drafts.push(draft);
        for (const stored of draft.outputs()) assumed.set(stored, new Float32Array(1));
        assumed.set(value, new Float32Array(1));
        return;
      }
      add(draft);
    }
  };
  add(root);
  return drafts;
}

const typeText = ({ type, shape }: Pending): string => `${type}${formatShape(shape, unnamed(shape.length))}`;

function opText({ step }: Pending): string {
  if (step.kind === "move") return step.move.kind;
  if (step.kind === "fold") return step.op;
  return step.does.kind === "unary" || step.does.kind === "binary" ? step.does.op : step.does.kind;
}

function kernelText(draft: Draft, index: number): string {
  const { root, lines, readers, spaces, inputs, values } = draft;
  const ops = values.map(opText).join(", ");
  const arrays = readers.filter(({ isUniform }) => !isUniform).length;
  const numbers = readers.length - arrays;
  const size = lines === null ? root.size : lines.groups * lines.rows;
  const read = readers.reduce((sum, { isUniform }, i) => {
    const own = isUniform ? 0 : spaces[i] === "line" ? lines!.groups : size;
    return sum + own * bytesOf(inputs[i]!.type);
  }, 0);
  const stored = [...draft.outputs(), root];
  const written = stored.reduce((sum, { size, type }) => sum + size * bytesOf(type), 0);
  const reads = [count(arrays, "array"), ...(numbers > 0 ? [count(numbers, "number")] : [])].join(" and ");
  const what = draft.isMove ? "copy" : `kernel ${index + 1}`;
  return `  ${what} -> ${stored.map(typeText).join(", ")}: ${ops}; reads ${reads}, ${read} bytes; writes ${written} bytes`;
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

/** The text for a value that waits. */
export function explained(root: Pending): string {
  const drafts = draftsOf(root);
  const ops = new Set(drafts.flatMap(({ values }) => values)).size;
  return [
    `${typeText(root)} waits: ${count(ops, "operation")} in ${count(drafts.length, "kernel")}`,
    ...drafts.map(kernelText),
  ].join("\n");
}
