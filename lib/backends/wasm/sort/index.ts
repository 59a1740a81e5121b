/**
 * Sorting in WebAssembly, bit for bit as the binary backend does it. Elements become keys, lines of keys are sorted by digits
 * or, where they are short, many at a time by a network, and keys become elements again. Small work, complex numbers and
 * what memory has no room for are left to the loops of `binary`.
 */
import type { PrimitiveFunction } from "../../../backend";
import { sizeOf, type Shape } from "../../../core/shape";
import { bitsOf, bytesOf, isComplex, isFloat, is64Bit, type DType } from "../../../core/types";
import { elementsOf, type Elements } from "../../arrays/storage";
import { fromLanes, splitAt, toLanes, type Triple } from "../../binary/sorting";
import { arrays } from "../arrays";
import type { WasmFunction } from "../memory/host";
import { hasRoom, inScratch, scratch, SLACK, views } from "../memory/linear";
import { Stored } from "../placement";
import { plain } from "../plain";
import { keyBytes } from "./key-code";
import { codecOf, networkOf, positionsModule, radixOf, tableOf } from "./modules";
import { roomBytes, togetherOf, type Lanes } from "./network-code";
import { countsBytes, digitsOf, type Records } from "./radix-code";
import {
  cutSort,
  digitBits,
  isForNetwork,
  SORT_AGAIN_FROM,
  SORT_FROM,
  sortedAtOnce,
  WORK_BYTES_MOST,
  type Block,
} from "../schedule/sorts";
import { isWorthModule } from "../modules/tiering";

interface Sorting {
  readonly type: DType;
  /** Whether lines go through a network. */
  readonly short: boolean;
  readonly source: Stored;
  /** The type of positions; null where elements are sorted. */
  readonly positions: DType | null;
  readonly outType: DType;
  readonly target: Stored;
  readonly split: Triple;
  readonly descending: boolean;
}

export const wasmSort: PrimitiveFunction<"sort"> = (out, inputs, attrs) => {
  const x = inputs[0]!;
  const split = splitAt(x.shape, attrs.axis);
  if (!suits(x.type, x.shape, split, false)) return plain.sort(out, inputs, attrs);
  return arrays.hold(sortInto(x.type, elementsOf(x), out.type, null, split, attrs.direction === "desc"));
};

export const wasmArgsort: PrimitiveFunction<"argsort"> = (out, inputs, attrs) => {
  const x = inputs[0]!;
  const split = splitAt(x.shape, attrs.axis);
  const whole = is64Bit(out.type) || out.type === "s32" || out.type === "u32";
  if (!whole || !suits(x.type, x.shape, split, true)) return plain.argsort(out, inputs, attrs);
  return arrays.hold(sortInto(x.type, elementsOf(x), out.type, out.type, split, attrs.direction === "desc"));
};

const isShort = (type: DType, split: Triple, positions: boolean): boolean =>
  isForNetwork(split, togetherOf({ bytes: keyBytes(type), positions }));

function suits(type: DType, shape: Shape, split: Triple, positions: boolean): boolean {
  if (isComplex(type) || split[1] < 2) return false;
  if (!isWorthModule(`sort ${type} ${positions}`, sizeOf(shape), SORT_FROM, SORT_AGAIN_FROM)) return false;
  const block = sortedAtOnce(split, isShort(type, split, positions));
  const bytes = block * (bytesOf(type) + keyBytes(type) + (positions ? 32 : 16)) + 2 ** 17;
  return bytes <= WORK_BYTES_MOST && hasRoom(bytes);
}

/** Sorts along the middle axis; long lines are brought side by side first. */
function sortInto(
  type: DType,
  source: Elements,
  outType: DType,
  positions: DType | null,
  split: Triple,
  descending: boolean,
): Elements {
  const [before, n, after] = split;
  const short = isShort(type, split, positions !== null);
  const isTransposed = !short && after > 1;
  const target = arrays.unset(outType, [before * n * after]);
  const lanes = new Stored(type, isTransposed ? toLanes(arrays, type, source, split) : source);
  const sorting = { type, short, source: lanes, positions, outType, target: new Stored(outType, target), descending };
  const lying: Triple = isTransposed ? [before * after, n, 1] : split;
  inScratch(() => sortAll({ ...sorting, split: lying }));
  return isTransposed ? fromLanes(arrays, outType, target, split) : target;
}

/** Where a block is at each step of its way. */
interface Places {
  readonly x: number;
  readonly keys: number;
  readonly out: number;
  /** A word that tells whether there are elements that keys do not tell apart. */
  readonly flag: number;
}

/** Sorts lines of keys; the address of the keys, or of records of positions. */
type Sorter = (keys: number, lines: number, width: number) => number;

function sortAll(sorting: Sorting): void {
  const { type, outType, split, short } = sorting;
  const { blocks, most } = cutSort(split, short);
  const room = (bytes: number): number => scratch(most * bytes + SLACK);
  const direct = split[2] === blocks[0]!.width;
  const places: Places = {
    x: direct && sorting.source.isResident ? 0 : room(bytesOf(type)),
    keys: room(keyBytes(type)),
    out: direct && sorting.target.isResident ? 0 : room(bytesOf(outType)),
    flag: scratch(4),
  };
  const flips = flipsOf(sorting);
  const sorter = short ? networkSorter(sorting) : radixSorter(sorting, most);
  for (const block of blocks) sortBlock(sorting, block, places, flips, sorter);
}

/** The bits of keys that are flipped: all for a descending order, the highest one where networks compare them with a sign. */
export function flipsOf({
  type,
  positions,
  short,
  descending,
}: Pick<Sorting, "type" | "positions" | "short" | "descending">): readonly [low: number, high: number] {
  const used = descending ? -1 >>> (32 - Math.min(32, bitsOf(type))) : 0;
  const isLong = keyBytes(type) === 8;
  const sign = short && (isLong || positions !== null) ? 1 << 31 : 0;
  return [isLong ? used : used ^ sign, used ^ sign];
}

function sortBlock(
  sorting: Sorting,
  block: Block,
  places: Places,
  [low, high]: readonly [number, number],
  sorter: Sorter,
): void {
  const { type, positions, split, descending } = sorting;
  const { groups, width } = block;
  const n = split[1];
  const count = groups * n * width;
  const codec = codecOf(type);
  const x = sorting.source.bringRows(...stripsOf(sorting, block), block.first, places.x);
  const out = (width === split[2] ? sorting.target.addressOf(block.first) : null) ?? places.out;
  views().u32[places.flag / 4] = 0;
  codec.encode!(x, count, places.keys, low, high, places.flag);
  const sorted = sorter(places.keys, groups * width, width);
  if (positions) takePositions(sorting, sorted, count, out);
  else {
    codec.decode!(sorted, count, out, low, high);
    const mended = isFloat(type) && views().u32[places.flag / 4] !== 0;
    if (mended) codec.mend!(x, out, groups * width, width, n, Number(descending));
  }
  sorting.target.putRows(...stripsOf(sorting, block), block.first, out);
}

/** A block as strips of neighbouring elements: how many, how long, and how far apart in the array. */
const stripsOf = ({ split: [, n, after] }: Sorting, { groups, width }: Block) => [groups * n, width, after] as const;

function takePositions({ type, outType, short }: Sorting, from: number, count: number, out: number): void {
  const bytes = short ? keyBytes(type) : 8;
  const wanted = bytesOf(outType);
  if (bytes === 4 && wanted === 4) return void views().u8.copyWithin(out, from, from + 4 * count);
  positionsModule()[`take${bytes}${wanted}`]!(from, count, out);
}

function networkSorter({ type, positions, split }: Sorting): Sorter {
  const n = split[1];
  const lanes: Lanes = { bytes: keyBytes(type), positions: positions !== null };
  const sort = networkOf(lanes).sort!;
  const table = tableOf(lanes, n);
  const at = scratch(table.byteLength);
  const room = scratch(roomBytes(lanes, n));
  views().s32.set(table, at / 4);
  return (keys, lines, width) => {
    sort(keys, lines, width, n, at, at + table.byteLength, room);
    return keys;
  };
}

function radixSorter({ type, positions, split }: Sorting, most: number): Sorter {
  const n = split[1];
  const digit = digitBits(n);
  const isLong = keyBytes(type) === 8;
  const upper = digitsOf(4, isLong ? 32 : bitsOf(type), digit);
  const whole = isLong ? [...digitsOf(0, 32, digit), ...upper] : digitsOf(0, bitsOf(type), digit);
  const records: Records = positions ? { bytes: 8, digits: upper } : { bytes: keyBytes(type), digits: whole };
  const sort = radixOf(records).sort!;
  const spare = scratch(n * records.bytes);
  const counts = scratch(countsBytes(records));
  const run = (from: number, lines: number): void => void sort(from, lines, n, spare, counts);
  if (positions) return positionSorter(run, isLong, n, scratch(most * 8 + SLACK));
  return (keys, lines) => {
    run(keys, lines);
    return keys;
  };
}

/** Sorts records of positions by keys; by long ones half after half, the lower one first. */
function positionSorter(
  run: (from: number, lines: number) => void,
  isLong: boolean,
  n: number,
  records: number,
): Sorter {
  const { number, again } = positionsModule() as { readonly [N in "number" | "again"]: WasmFunction };
  return (keys, lines) => {
    number(keys, lines, n, isLong ? 8 : 4, records);
    run(records, lines);
    if (!isLong) return records;
    again(keys + 4, lines, n, records);
    run(records, lines);
    return records;
  };
}
