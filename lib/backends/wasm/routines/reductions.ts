/**
 * Routines that go along lines of elements: reductions, places of extremes and running reductions, by the functions that primitives
 * call for pieces.
 */
import { bytesOf, isComplex, isInteger, toReal, type DType } from "../../../core/types";
import { gridOf, type Grid } from "../../binary/fold";
import { call, type Code, type Int } from "../asm";
import { BLOCK } from "../../../kernel/recurrence";
import { isStored } from "../reduce/finisher";
import { foldsOf } from "../reduce/reduce";
import { foldOf, type Maker } from "../reduce/reducers";
import { scannerOf } from "../reduce/scan";
import { searcherOf } from "../reduce/search";
import { converted } from "./movement";
import { castFunction, withTypes } from "./operands";
import { Rooms, routine, type Make, type Places } from "./routine";
import { shared } from "./shared";

/** Entries that functions read or write behind the last entry, beyond the slack of a buffer. */
const SPARE = 16;

/** The code of a reduction, search or scan from elements at an address to results at another address. */
type Reduce = (places: Places, from: Int, to: Int) => void;

/** What a maker makes of a grid of elements of a type, as code with results of another type. */
function reducing(rooms: Rooms, { name, make }: Maker, of: DType, grid: Grid, out: DType): Reduce {
  const { groups, rows, columns } = grid;
  const { type, entries, scans, tempBytes, functions } = make((row) => row(of))!;
  const codeOf = (part: "run" | "start"): Code => shared(`${part} ${name} ${of}`, () => functions()[part]!);
  const [run, start] = [codeOf("run"), scans ? codeOf("start") : null];
  const results = groups * columns;
  const count = scans ? results * rows : results;
  const [entry, further] = entries as [DType, DType?];
  const held = isStored(entry, out) ? null : rooms.take({ type: entry, shape: [count + SPARE] });
  const other = further ? rooms.take({ type: further, shape: [results + SPARE] }) : null;
  const bytes = tempBytes(rows, columns, groups);
  const temp = bytes > 0 ? rooms.take({ type: "u8", shape: [bytes] }) : null;
  const pitch = columns * bytesOf(type);
  return (places, from, to) => {
    const [put, room] = [held?.(places) ?? to, temp?.(places) ?? 0];
    if (start) call(start, [room, bytes / bytesOf(further!)]);
    call(run, [from, groups, rows * pitch, rows, pitch, columns, 0, put, other?.(places) ?? 0, room]);
    if (held) call(castFunction(entry, out, "wrap"), [count, put, to]);
  };
}

const reduceOp: Make<"reduceOp"> = ([out], [x], { op, axes }) => {
  // Over no axes elements are taken over, unless they are asked whether they are true.
  if (axes.length === 0 && op !== "all" && op !== "any") return converted(out!, x!);
  const folds = foldsOf(op, x!, out!.type, axes);
  if (!folds) return null;
  const rooms = new Rooms();
  const steps = folds.map(({ from, to, grid }, i) => {
    const fold = reducing(rooms, foldOf(op, grid, to, 1, grid.rows <= BLOCK), from, grid, to);
    const isLast = i === folds.length - 1;
    return { fold, room: isLast ? null : rooms.take({ type: to, shape: [grid.groups * grid.columns + SPARE] }) };
  });
  return routine({ rooms }, (places) => {
    let from = places.inputs[0]!;
    for (const { fold, room } of steps) {
      const to = room?.(places) ?? places.outputs[0]!;
      fold(places, from, to);
      from = to;
    }
  });
};

const argReduce: Make<"argReduce"> = ([out], [x], attrs) => {
  const { type, shape } = x!;
  if (isComplex(type) || !isInteger(out!.type)) return null;
  const grid = gridOf(shape, attrs.axis);
  const rooms = new Rooms();
  const search = reducing(rooms, searcherOf(attrs, grid, out!.type)!, type, grid, out!.type);
  return routine({ rooms }, (places) => search(places, places.inputs[0]!, places.outputs[0]!));
};

const cumulative: Make<"cumulative"> = ([out], [x], { op, axis, reverse }) => {
  const { type, shape } = out!;
  if (isComplex(type) && op !== "cumulativeSum") return null;
  const grid = gridOf(shape, axis);
  if (grid.rows === 1) return converted(out!, x!);
  const [real, parts] = isComplex(type) ? [toReal(type), 2] : [type, 1];
  const rooms = new Rooms();
  const whole = { ...grid, columns: parts * grid.columns };
  const scan = reducing(rooms, scannerOf(op, type, whole, reverse), type, whole, real);
  return withTypes([x!], [type], { rooms }, (places) => scan(places, places.inputs[0]!, places.outputs[0]!));
};

/** The routines of reductions, of places of extremes and of running reductions. */
export const reductions = { reduceOp, argReduce, cumulative };
