/**
 * Long lines and many dots, reduced to what a picture shows of them.
 */

/** Positions and values of a line. */
interface Points {
  readonly x: Float64Array | readonly Date[];
  readonly y: Float64Array;
}

/**
 * A line with the first, least, greatest and last element of each column of the picture. Elements of a column follow each other
 * where positions ascend; other lines stay whole.
 */
export function thinned(x: Float64Array | readonly Date[], y: Float64Array, columns: number): Points {
  if (y.length <= 4 * columns || !ascends(x)) return { x, y };
  const first = Number(x[0]);
  const span = Number(x[x.length - 1]) - first;
  if (!(span > 0 && span < Infinity)) return { x, y };
  const columnOf = (i: number): number => Math.floor(((Number(x[i]) - first) / span) * columns);
  const kept: number[] = [];
  for (let start = 0, end = 0; start < y.length; start = end) {
    const column = columnOf(start);
    while (end < y.length && columnOf(end) === column) end++;
    kept.push(...extremes(y, start, end));
  }
  const places = [...new Set(kept)].sort((a, b) => a - b);
  const at = places.map((i) => x[i]!);
  return {
    x: x instanceof Float64Array ? Float64Array.from(at as number[]) : (at as Date[]),
    y: Float64Array.from(places, (i) => y[i]!),
  };
}

function ascends(x: Float64Array | readonly Date[]): boolean {
  for (let i = 1; i < x.length; i++) if (!(x[i - 1]! <= x[i]!)) return false;
  return true;
}

/** Places of the first, least, greatest and last element, and of a gap. */
function extremes(y: Float64Array, start: number, end: number): number[] {
  let [least, greatest, gap] = [start, start, start];
  for (let i = start; i < end; i++) {
    if (Number.isNaN(y[i])) gap = i;
    if (y[i]! < y[least]! || Number.isNaN(y[least])) least = i;
    if (y[i]! > y[greatest]! || Number.isNaN(y[greatest])) greatest = i;
  }
  return [start, least, greatest, gap, end - 1];
}

/** Positions of the points to keep: the first of each pixel. */
export function apart(x: Float64Array, y: Float64Array, columns: number): Int32Array {
  const [left, right] = rangeOf(x);
  const [low, high] = rangeOf(y);
  const seen = new Set<number>();
  const kept: number[] = [];
  const cell = (value: number, from: number, to: number): number =>
    to > from ? Math.floor(((value - from) / (to - from)) * columns) : 0;
  for (let i = 0; i < x.length; i++) {
    const key = cell(x[i]!, left, right) * (columns + 1) + cell(y[i]!, low, high);
    if (Number.isNaN(key) || seen.has(key)) continue;
    seen.add(key);
    kept.push(i);
  }
  return Int32Array.from(kept);
}

/** The least and the greatest finite element; zeros where there are none. */
export function rangeOf(values: Float64Array): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? [0, 0] : [low, high];
}
