/**
 * Reductions: of lines that are not too long they wait, since what is computed of their results often goes over the lines once more;
 * others take an operand that waits into their own pass over memory.
 */
import type { Attrs, PrimitiveFunction, Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { LONG_LINE } from "../../../kernel/nest";
import { elementsIn, type ArrayData } from "../../arrays/storage";
import { reduceSeen, wasmReduceOp } from "../reduce/reduce";
import type { Tensor } from "../../../tensor";
import { reduceJoined, whereItLies } from "./joined";
import { defer, mayWait, mayWaitAlone, waitingOf } from "./index";
import { linesOf } from "./lines";

function deferFold(out: Template, x: Tensor, { op, axes }: Attrs["reduceOp"]): ArrayData | null {
  const isWaiting = waitingOf(x) !== null;
  const may = (isWaiting ? mayWait : mayWaitAlone)(sizeOf(x.shape));
  if (!isWaiting && !may) return null;
  const lines = linesOf(x.shape, x.type, op, axes, out.type);
  if (lines === null) return null;
  // what is computed of the result of a long line cannot be done while the line is in the caches
  const waits = may && lines.rows <= LONG_LINE;
  if (!waits && !isWaiting) return null;
  const data = defer({ kind: "fold", op, lines }, out, [x], lines.groups);
  if (!waits && data !== null) elementsIn(data);
  return data;
}

/** Reductions, which may wait. */
export const reduceOp: PrimitiveFunction<"reduceOp"> = (out, inputs, attrs) =>
  whereItLies(out, inputs[0]!, attrs.op, (seen) => reduceSeen(out, seen, attrs)) ??
  deferFold(out, inputs[0]!, attrs) ??
  reduceJoined(out, inputs[0]!, attrs) ??
  wasmReduceOp(out, inputs, attrs);
