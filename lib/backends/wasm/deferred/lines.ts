/**
 * Lines that are reduced while they wait: which values belong to them, and who reads the element of its own line.
 */
import { stagesOf } from "../../../core/stages";
import { isComplex, type DType } from "../../../core/types";
import type { Shape } from "../../../core/shape";
import { overLines } from "../../../kernel/spaces";
import { alignedView, wholeView } from "../../../kernel/view";
import type { ReduceOp } from "../../../ops";
import { suits } from "../reduce/reduce";
import type { Lines, Pending, Step } from "./node";

/** The lines of a reduction, of elements that are neighbours; null for others. */
export function linesOf(shape: Shape, type: DType, op: ReduceOp, axes: readonly number[], out: DType): Lines | null {
  if (axes.length === 0 || isComplex(type) || !suits(op, type, out)) return null;
  const [{ before, size, after }, ...further] = stagesOf(shape, axes) as [ReturnType<typeof stagesOf>[number]];
  if (further.length > 0 || after !== 1 || size < 2) return null;
  return { groups: before, rows: size };
}

/** Whether a value has one element for each line. */
export const isOfLines = ({ lines, size }: Pending): boolean => lines !== null && size === lines.groups;

/** Whether a step that gives so many elements can wait together with what goes by lines. */
export function goesBy({ lines, size: own }: Pending, step: Step, size: number, others: Lines | null): boolean {
  const { groups, rows } = lines!;
  if (others !== null && (others.groups !== groups || others.rows !== rows)) return false;
  if (step.kind === "fold") return own === groups * rows && step.lines.groups === groups && step.lines.rows === rows;
  if (step.kind === "move") return own === size && step.move.kind === "reshape";
  return own === size || size === groups * rows;
}

/** Whether an op over elements of a shape reads the element of its own line of a value that has one for each. */
export const readsItsLine = (own: Shape, shape: Shape, lines: Lines): boolean =>
  overLines(alignedView(wholeView(own), shape), lines) !== null;
