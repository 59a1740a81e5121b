/**
 * Routines that sort short lines: the functions of vector code, elements to keys, keys through a network, and back.
 */
import type { Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { bytesOf, isComplex, isFloat, is64Bit, type DType } from "../../../core/types";
import { splitAt } from "../../binary/sorting";
import { call, i32, i64, when, type Code, type Int } from "../asm";
import { NETWORK_ROUTINE_TO } from "../schedule/programs";
import { flipsOf } from "../sort";
import { positionFunctions } from "../sort/argsort-code";
import { codecFunctions, keyBytes } from "../sort/key-code";
import { networkFunctions, networkTable, roomBytes, type Lanes } from "../sort/network-code";
import { at, constantOf, copyRun, fill, pointerTo } from "./boxes";
import { Rooms, routine, type AttrsOf, type Make, type Places, type Routine } from "./routine";
import { shared } from "./shared";

/** The function of a type's codec that makes keys of elements, or does something with sorted ones. */
const codec = (name: "encode" | "decode" | "mend", type: DType): Code =>
  shared(`${name} ${type}`, () => codecFunctions(type)[name]!);

/** Puts the comparisons of a network where they are read from. */
function placeTable(table: Int32Array, to: Int): void {
  for (let i = 0; i < table.length; i += 2) {
    const pair = (BigInt(table[i + 1]!) << 32n) | BigInt(table[i]!);
    i64.store({ offset: 4 * i, align: 4 }, to, pair);
  }
}

/** Keys of the lines of an axis in their order, or the positions that they come from; what is done with them `take` says. */
function sorted(
  x: Template,
  { axis, direction }: AttrsOf<"sort">,
  positions: DType | null,
  take: (places: Places, keys: Int, flag: Int, flips: readonly [number, number]) => void,
): Routine {
  const { type, shape } = x;
  const [before, n, after] = splitAt(shape, axis);
  const count = sizeOf(shape);
  const lanes: Lanes = { bytes: keyBytes(type), positions: positions !== null };
  const flips = flipsOf({ type, positions, short: true, descending: direction === "desc" });
  const table = networkTable(lanes, n);
  const network = shared(`network ${lanes.bytes} ${lanes.positions}`, () => networkFunctions(lanes).sort);
  const rooms = new Rooms();
  const bytes = (size: number) => rooms.take({ type: "u8", shape: [size] });
  const [keyRoom, tableRoom, room, flagRoom] = [
    bytes(count * lanes.bytes),
    bytes(table.byteLength),
    bytes(roomBytes(lanes, n)),
    bytes(4),
  ];
  const emit = (places: Places): void => {
    const [keys, begin, flag] = [keyRoom(places), tableRoom(places), flagRoom(places)];
    placeTable(table, begin);
    i32.store({}, flag, 0);
    call(codec("encode", type), [places.inputs[0]!, count, keys, ...flips, flag]);
    const end = pointerTo(begin, table.byteLength);
    call(network, [keys, before * after, after, n, begin, end, room(places)]);
    take(places, keys, flag, flips);
  };
  return routine({ rooms }, emit);
}

const suits = ({ type, shape }: Template, axis: number): boolean =>
  !isComplex(type) && shape[axis]! <= NETWORK_ROUTINE_TO;

/** None for long lines, which sort by digits with large tables, and for complex numbers. */
const sort: Make<"sort"> = ([out], [x], attrs) => {
  const { type, shape } = x!;
  const [before, n, after] = splitAt(shape, attrs.axis);
  const count = sizeOf(shape);
  if (!suits(x!, attrs.axis) || out!.type !== type) return null;
  if (n === 1) {
    return routine({}, ({ inputs, outputs }) => copyRun(count * bytesOf(type), at(inputs[0]!), at(outputs[0]!)));
  }
  return sorted(x!, attrs, null, ({ inputs, outputs }, keys, flag, flips) => {
    call(codec("decode", type), [keys, count, outputs[0]!, ...flips]);
    if (!isFloat(type)) return;
    i32.load({}, flag);
    when(() => {
      const descending = Number(attrs.direction === "desc");
      call(codec("mend", type), [inputs[0]!, outputs[0]!, before * after, after, n, descending]);
    });
  });
};

const argsort: Make<"argsort"> = ([out], [x], attrs) => {
  const count = sizeOf(x!.shape);
  const bytes = is64Bit(out!.type) ? 8 : out!.type === "s32" || out!.type === "u32" ? 4 : null;
  if (!suits(x!, attrs.axis) || bytes === null) return null;
  if (x!.shape[attrs.axis] === 1) {
    return routine({}, ({ outputs }) => fill(count * bytes, [constantOf(new Uint8Array(1))], at(outputs[0]!)));
  }
  const held = keyBytes(x!.type);
  return sorted(x!, attrs, out!.type, ({ outputs }, keys) => {
    if (held === 4 && bytes === 4) return copyRun(4 * count, at(keys), at(outputs[0]!));
    const name = `take${held}${bytes}` as "take88" | "take84" | "take48";
    call(
      shared(`sorted ${name}`, () => positionFunctions()[name]),
      [keys, count, outputs[0]!],
    );
  });
};

/** The routines of sorts. */
export const sorts = { sort, argsort };
