/**
 * Boxes that are copied from or to arrays outside of the memory of kernels: piece by piece, through rooms in scratch memory that stay in
 * the caches. Knows bytes and steps, not types and shapes.
 */
import { bytesOfView } from "../../../core/bytes";
import type { Elements } from "../../../kernel/operand";
import { addressOf } from "../memory/arena";
import { scratch, SLACK, views } from "../memory/linear";
import { STAGED_BYTES, STAGED_READ, STAGED_WHOLE } from "../schedule/copies";
import { bytesOfAll, type Box, type BoxAxis } from "./boxes";

/** The bytes from the first to the last that a box touches at one of its ends. */
interface Span {
  readonly begin: number;
  readonly length: number;
}

function spanOf({ bytes, axes, ...box }: Box, side: "from" | "to"): Span {
  let [begin, end] = [box[side], box[side] + bytes];
  for (const axis of axes) {
    const reach = (axis.size - 1) * axis[side];
    if (reach < 0) begin += reach;
    else end += reach;
  }
  return { begin, length: end - begin };
}

/** Pieces of a box that span few bytes at the target each. */
function piecesOf(box: Box): Box[] {
  const { axes } = box;
  const step = ({ size, to }: BoxAxis): number => (size > 1 ? Math.abs(to) : 0);
  const outer = axes.reduce((most, axis, i) => (step(axis) > step(axes[most]!) ? i : most), 0);
  const widest = axes[outer];
  if (spanOf(box, "to").length <= STAGED_BYTES || widest === undefined || step(widest) === 0) return [box];
  const { size, from, to } = widest;
  const half = size >> 1;
  const part = (first: number, own: number): Box[] => {
    const cut = axes.map((axis, i) => (i === outer ? { ...axis, size: own } : axis));
    return piecesOf({ ...box, from: box.from + first * from, to: box.to + first * to, axes: cut });
  };
  return [...part(0, half), ...part(half, size - half)];
}

const most = (spans: readonly Span[]): number => spans.reduce((longest, { length }) => Math.max(longest, length), 0);

/**
 * Copies a box that begins so many bytes behind the beginnings of two arrays by `copy`, in scratch space; without a target, to an address.
 * False where the box leaves gaps in a target outside of the memory of kernels, and where it reads little of what it spans of a source there.
 */
export function copyStaged(src: Elements, dst: Elements | null, box: Box, copy: (box: Box) => void): boolean {
  const [source, target] = [addressOf(src), dst === null ? 0 : addressOf(dst)];
  const size = bytesOfAll(box);
  if (target === null && spanOf(box, "to").length !== size) return false;
  const pieces = piecesOf(box);
  const [reads, writes] = [pieces.map((piece) => spanOf(piece, "from")), pieces.map((piece) => spanOf(piece, "to"))];
  const whole = spanOf(box, "from");
  const isWhole = source === null && reads.reduce((sum, { length }) => sum + length, 0) > STAGED_READ * size;
  if (isWhole && dst !== null && whole.length > Math.min(STAGED_WHOLE, STAGED_READ * size)) return false;
  const [given, made] = [bytesOfView(src), dst && bytesOfView(dst)];
  const room = source === null ? scratch((isWhole ? whole.length : most(reads)) + SLACK) : 0;
  const own = target === null ? scratch(most(writes) + SLACK) : 0;
  const put = ({ begin, length }: Span): number => {
    views().u8.set(given.subarray(begin, begin + length), room);
    return room - begin;
  };
  const base = isWhole ? put(whole) : source;
  pieces.forEach((piece, i) => {
    const { begin, length } = writes[i]!;
    const from = base ?? put(reads[i]!);
    copy({ ...piece, from: from + piece.from, to: (target ?? own - begin) + piece.to });
    if (target === null) made!.set(views().u8.subarray(own, own + length), begin);
  });
  return true;
}
