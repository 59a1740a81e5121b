/**
 * Scans, which are running reductions: what makes their reducers, and the primitive, bit for bit that of the binary backend.
 */
import type { PrimitiveFunction } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { bytesOf, isComplex, toReal, type DType } from "../../../core/types";
import { SCANS } from "../../../kernel/recurrence";
import type { Kernel } from "../../../kernel/value";
import type { CumulativeOp } from "../../../ops";
import { elementsAs } from "../../arrays/operands";
import { gridOf, type Grid } from "../../binary/fold";
import { arrays } from "../arrays";
import { inScratch } from "../memory/linear";
import { NOWHERE, roomFor } from "../placement";
import { plain } from "../plain";
import { cutLongScan, SCAN_AGAIN_FROM, SCAN_COLUMNS_FROM, SCAN_FROM } from "../schedule/reductions";
import { isWorthModule } from "../modules/tiering";
import { callOf, reduceTo, type Reducer, type Work } from "./grid";
import { reducerOf, type Maker } from "./reducers";
import { areShort, shortLines } from "./scan-across-rows";
import { RUN } from "./scan-by-fours-code";
import { linesOf, scanFunctions, storedAs } from "./scan-code";
import { entryBytes } from "./steps";
import { elementOf, inOrder } from "./strided";

/** What makes scanners of grids that are alike; of no more types than the operand's and the results', which is as wide at least. */
export function scannerOf(op: CumulativeOp, to: DType, grid: Grid, reverse: boolean): Maker {
  const ofLines = grid.columns === 1;
  const isForShort = areShort(grid);
  const few = isForShort && grid.rows <= 2;
  return {
    name: `scan ${op} ${reverse} ${ofLines} ${isForShort} ${few}`,
    make(over) {
      const scan = over(SCANS[op])!;
      const scanning = { out: storedAs(SCANS[op](to)), reverse, parts: isComplex(to) ? 2 : 1 } as const;
      const entry = entryBytes(scan);
      return {
        type: scan.type,
        entries: [scanning.out, entry === 8 ? "f64" : "f32"],
        least: 1,
        scans: { reverse, large: scanRows },
        tempBytes: (_, width, groups) => (width + scanning.parts * groups) * entry,
        functions() {
          const lines = ofLines ? linesOf(scan, scanning, true) : null;
          return scanFunctions(scan, scanning, isForShort ? shortLines(scan, grid.rows, scanning, lines!) : lines);
        },
      };
    },
  };
}

/** The scanner of elements of a type, or of the results of a kernel; null where the results are narrower than the operand. */
export function scannerFor(op: CumulativeOp, of: DType | Kernel, grid: Grid, reverse: boolean): Reducer | null {
  const [from, to] = typeof of === "string" ? [of, of] : [of.inputs[0]!.type, of.outputs[0]!.type];
  return bytesOf(to) < bytesOf(from) ? null : reducerOf(of, scannerOf(op, to, grid, reverse));
}

/** Groups that are larger than a piece: some columns of each, some rows at a time, each piece going on from the one before it. */
function scanRows(work: Work): void {
  const { groups, rows, columns } = work.grid;
  const { width, height } = cutLongScan(rows, columns, bytesOf(work.reducer.type), RUN);
  for (let group = 0; group < groups; group++) {
    for (let column = 0; column < columns; column += width) {
      inScratch(() => scanTile(work, group, column, Math.min(width, columns - column), height));
    }
  }
}

function scanTile(work: Work, group: number, column: number, columns: number, height: number): void {
  const { reducer, grid, strided, source, base, emit } = work;
  const { module, type, entries, scans } = reducer;
  const [own, bytes] = [bytesOf(type), bytesOf(entries[0]!)];
  const [room, results] = [roomFor(type, columns * height), roomFor(entries[0]!, columns * height)];
  const most = Math.max(columns, SCAN_COLUMNS_FROM);
  let [before, after] = [roomFor("f64", most), roomFor("f64", most)];
  module.exports.start!(before, columns);
  for (let done = 0; done < grid.rows; done += height) {
    const rows = Math.min(height, grid.rows - done);
    const row = scans!.reverse ? grid.rows - done - rows : done;
    const start = elementOf(strided, group) + row * strided.pitch + column;
    const x = source.addressOf(start) ?? source.bringRows(rows, columns, strided.pitch, start, room);
    const pitch = (source.isResident ? strided.pitch : columns) * own;
    const from = (group * grid.rows + row) * grid.columns + column;
    // Whole rows lie in one piece, and stay where they are if that is in the memory of kernels.
    const isWhole = columns === grid.columns;
    const to = isWhole && base !== NOWHERE ? base + from * bytes : results;
    const piece = { x, groups: 1, step: 0, rows, pitch, columns, first: 0 };
    module.exports.run!(...callOf(piece, [to, after], before));
    const [strips, n] = isWhole ? [1, rows * columns] : [rows, columns];
    for (let i = 0; i < strips; i++) emit(to + i * n * bytes, n, from + i * grid.columns);
    [before, after] = [after, before];
  }
}

export const wasmCumulative: PrimitiveFunction<"cumulative"> = (out, inputs, attrs) => {
  const { type, shape } = out;
  const { op, axis, reverse } = attrs;
  const isParted = isComplex(type);
  const isWorthIt = isWorthModule(`scan ${op} ${type}`, sizeOf(shape), SCAN_FROM, SCAN_AGAIN_FROM);
  if ((isParted && op !== "cumulativeSum") || !isWorthIt) return plain.cumulative(out, inputs, attrs);
  const source = elementsAs(type, inputs[0]!);
  const { groups, rows, columns } = gridOf(shape, axis);
  if (rows > 1) {
    const grid = { groups, rows, columns: isParted ? 2 * columns : columns };
    const real = isParted ? toReal(type) : type;
    return arrays.hold(reduceTo(real, scannerFor(op, type, grid, reverse)!, source, inOrder(grid)));
  }
  const target = arrays.unset(type, shape);
  target.set(source as never);
  return arrays.hold(target);
};
