/**
 * Where the operands of work lie. One that is in the memory of kernels is *resident* and used where it is; one that each run is
 * told the address of is *given*; one that is the same for all chunks of the work is *uniform* and read once; all others are
 * *staged*: copied chunk by chunk to rooms in scratch memory and out of them. Knows elements and addresses, not what is computed.
 */
import { bytesOf, type DType } from "../../../core/types";
import { FEW, type Reader } from "../../../kernel/operand";
import { widthOf, type Elements } from "../../arrays/storage";
import { addressOf } from "../memory/arena";
import { STEP } from "../schedule/element-wise";
import { copyBoxesOf, copyElements, elementCalls, isCopied } from "../copy";
import { scratch, SLACK, VIEW, views } from "../memory/linear";
import { orElse } from "../memory/refusal";
import { SHORT_RUN } from "../schedule/copies";
import type { Viewed } from "../schedule/cuts";
import type { Step } from "../threads";

/** An operand of a nest, which is cut into chunks of so many units: elements, or rows. */
export interface Operand {
  readonly type: DType;
  /** The kind of an operand that is not resident. */
  readonly kind: "given" | "uniform" | "staged";
  /** Elements of the operand for each unit; of a uniform operand all elements. */
  readonly each: number;
  /** Spare elements of a slot, behind the elements of a chunk. */
  readonly spare: number;
  /** Whether all whole chunks of a staged operand are alike, so that one which was put to a room stays right there. */
  readonly repeats?: boolean;
  /** Whether a staged operand is read and never written, so that chunks which are brought together have one room of it. */
  readonly isRead?: boolean;
}

/** The address of an operand that has none of its own. */
export const NOWHERE = -1;

/** The address of the first element that a reader of one array reads; {@link NOWHERE} outside of the memory of kernels. */
export function firstOf({ elements, width, access }: Reader): number {
  const at = addressOf(elements);
  return at === null ? NOWHERE : at + access.offset * width * elements.BYTES_PER_ELEMENT;
}

/** The same for a reader of neighbouring elements; {@link NOWHERE} for all other readers. */
export const baseOf = (reader: Reader): number => (reader.access.kind === "contiguous" ? firstOf(reader) : NOWHERE);

/** The same for the first element of an array. */
export const baseOfArray = (array: Elements): number => addressOf(array) ?? NOWHERE;

/** Whether the elements of an operand are to be had in boxes; several arrays as one are not, since pieces of them are found as they are. */
const isViewed = ({ isUniform, access, elements }: Reader): boolean =>
  !isUniform && access.kind !== "joined" && isCopied(elements);

/**
 * The operands without an address, if all of them lie in the memory of kernels in another order; null where any other operand is
 * copied. Operands that are left out have rooms that are filled once.
 */
export function viewedBy(
  readers: readonly Reader[],
  bases: readonly number[],
  isLeftOut: (operand: number) => boolean,
): Viewed | null {
  const copied = [...bases.keys()].filter((i) => bases[i] === NOWHERE && !isLeftOut(i));
  if (copied.length === 0) return null;
  if (!copied.every((i) => i < readers.length && isViewed(readers[i]!))) return null;
  return { isScattered: (piece) => copied.some((i) => readers[i]!.isScattered(piece)) };
}

/** Bytes of room for elements, with what kernels touch behind them. */
export const roomBytes = (type: DType, count: number): number =>
  Math.ceil(((count + STEP) * bytesOf(type) + SLACK) / 64) * 64;

/** Room for elements in scratch memory, with what kernels touch behind them. */
export const roomFor = (type: DType, count: number): number => scratch(roomBytes(type, count));

/** Room for a uniform operand in scratch memory, with its element. */
export function uniformRoom(type: DType, reader: Reader): number {
  const room = roomFor(type, 1);
  bring(type, reader, 0, 1, room);
  return room;
}

/**
 * How the operands of a nest are found in each chunk of it: what a chunk that has slot `slot` reads from unit `start` on lies at
 * `origin + slot * slotSteps + start * unitSteps`. Made once for operands that lie alike; the origins are those of a run.
 */
export class Layout {
  /** The places of staged operands and of uniform operands in the list. */
  readonly staged: readonly number[];
  readonly uniform: readonly number[];
  /** The places of staged operands that are brought for several chunks together. */
  readonly together: readonly number[];
  /** Bytes of all rooms. */
  readonly bytes: number;
  /** Where rooms begin, from the first one on. */
  private readonly rooms: readonly number[];
  private readonly slotSteps: readonly number[];
  private readonly unitSteps: readonly number[];

  /** For chunks of at most `span` units, of which so many as there are slots are under way at a time, or brought together. */
  constructor(
    readonly operands: readonly Operand[],
    bases: readonly number[],
    span: number,
    slots: number,
    isTogether = false,
  ) {
    const which = (kind: Operand["kind"]): number[] =>
      [...operands.keys()].filter((i) => bases[i] === NOWHERE && operands[i]!.kind === kind);
    [this.staged, this.uniform] = [which("staged"), which("uniform")];
    const [rooms, slotSteps] = [operands.map(() => 0), operands.map(() => 0)];
    let bytes = 0;
    for (const i of [...this.uniform, ...this.staged]) {
      const { type, kind, each, spare, repeats = false, isRead = false } = operands[i]!;
      const isStaged = kind === "staged";
      const isOne = !isStaged || (isTogether && (repeats || isRead));
      const units = isTogether && isRead && !repeats ? span * slots : isStaged ? span : 1;
      const room = roomBytes(type, units * each + spare);
      rooms[i] = bytes;
      slotSteps[i] = isOne ? 0 : room;
      bytes += isOne ? room : room * slots;
    }
    this.together = isTogether ? this.staged.filter((i) => operands[i]!.isRead && !operands[i]!.repeats) : [];
    [this.bytes, this.rooms, this.slotSteps] = [bytes, rooms, slotSteps];
    const isMoving = ({ kind }: Operand, i: number): boolean =>
      bases[i] !== NOWHERE || kind === "given" || this.together.includes(i);
    this.unitSteps = operands.map((operand, i) => (isMoving(operand, i) ? operand.each * bytesOf(operand.type) : 0));
  }

  /** Where operands are in a run; takes room for those that need some, in scratch space. */
  origins(bases: readonly number[]): number[] {
    const { rooms, bytes } = this;
    const at = bytes > 0 ? scratch(bytes) : 0;
    const origins: number[] = [];
    for (let i = 0; i < bases.length; i++) origins.push(bases[i] === NOWHERE ? at + rooms[i]! : bases[i]!);
    return origins;
  }

  /** Where operands are for chunks from unit `start` on, which are brought together. */
  originsFrom(origins: readonly number[], start: number): number[] {
    const { together, unitSteps } = this;
    return origins.map((origin, i) => (together.includes(i) ? origin - start * unitSteps[i]! : origin));
  }

  /** Where operands are for chunks that have slot `slot`, as if it were the first. */
  originsOf(origins: readonly number[], slot: number): number[] {
    return origins.map((origin, i) => origin + slot * this.slotSteps[i]!);
  }

  /** The addresses of a chunk. */
  addresses(origins: readonly number[], slot: number, start: number): number[] {
    return this.addressesOf(origins, slot, [start])[0]!;
  }

  /** The same for chunks that begin at such units, whose slots follow each other from `slot` on. */
  addressesOf(origins: readonly number[], slot: number, starts: readonly number[]): number[][] {
    const { slotSteps, unitSteps } = this;
    const chunks: number[][] = [];
    for (let k = 0; k < starts.length; k++) {
      const addresses: number[] = [];
      for (let i = 0; i < origins.length; i++) {
        addresses.push(origins[i]! + (slot + k) * slotSteps[i]! + starts[k]! * unitSteps[i]!);
      }
      chunks.push(addresses);
    }
    return chunks;
  }
}

/** Copies `n` elements of an operand, from element `start` of its space on, to an address. */
export function bring(type: DType, reader: Reader, start: number, n: number, address: number): void {
  const { kind } = reader.access;
  const from = n >= FEW && (kind === "strided" || kind === "periodic") ? addressOf(reader.elements) : null;
  if (from !== null && copyElements(reader, from, start, n, address)) return;
  reader.read(views()[VIEW[type]], address / bytesOf(type), start, n, copyBoxesOf);
}

/** The address of `n` elements in order: their own where they lie so in the memory of kernels, else `room`, to which they are copied. */
export function found(type: DType, reader: Reader, start: number, n: number, room: number): number {
  const run = reader.runAt(start, n);
  const at = run && addressOf(run.elements);
  if (run !== null && at !== null) return at + run.at * bytesOf(type);
  bring(type, reader, start, n, room);
  return room;
}

/** The calls that copy elements of an operand, for all threads; null where the caller has to copy. */
export const bringCalls = orElse(
  (reader: Reader, start: number, n: number, address: number): Step[] | null =>
    isViewed(reader) ? elementCalls(reader, start, n, address) : null,
  () => null,
);

/** Copies `n` elements from memory to elements `at` on. */
export function copyOut(type: DType, address: number, n: number, target: Elements, at: number): void {
  const view = views()[VIEW[type]];
  const width = widthOf(type);
  copyEntries(view, address / view.BYTES_PER_ELEMENT, n * width, target, at * width);
}

/** Copies `n` entries; a few of them as numbers, but for NaN, whose bits a number does not keep. */
function copyEntries(source: Elements, from: number, n: number, target: Elements, to: number): void {
  let isCopied = n < SHORT_RUN;
  for (let i = 0; isCopied && i < n; i++) {
    const entry = source[from + i]!;
    target[to + i] = entry;
    isCopied = entry === entry;
  }
  if (!isCopied) target.set(n === source.length ? source : source.subarray(from, from + n), to);
}

/** An array that work reads or writes in parts: in its place in the memory of kernels, or through rooms. */
export class Stored {
  readonly isResident: boolean;
  /** The address of the first element; null outside of the memory of kernels. */
  private readonly base: number | null;
  private readonly bytes: number;

  constructor(
    private readonly type: DType,
    private readonly elements: Elements,
  ) {
    this.base = addressOf(elements);
    this.isResident = this.base !== null;
    this.bytes = bytesOf(type);
  }

  /** Where element `i` is, if it is in the memory of kernels. */
  addressOf(i: number): number | null {
    return this.base === null ? null : this.base + i * this.bytes;
  }

  /** The address of all elements: where they are, or room in scratch memory, where they are copied to. */
  whole(): number {
    return this.bring(0, this.elements.length / widthOf(this.type), this.base ?? scratch(this.elements.byteLength));
  }

  /** The address of `n` elements from element `from` on: where they are, or `room`, where they are copied to. */
  bring(from: number, n: number, room: number): number {
    if (this.base !== null) return this.base + from * this.bytes;
    return this.copy(from, n, room);
  }

  /** The same for rows whose first elements are `pitch` elements apart, which lie side by side then. */
  bringRows(rows: number, columns: number, pitch: number, from: number, room: number): number {
    if (pitch === columns) return this.bring(from, rows * columns, room);
    for (let i = 0; i < rows; i++) this.copy(from + i * pitch, columns, room + i * columns * this.bytes);
    return room;
  }

  private copy(from: number, n: number, room: number): number {
    const width = widthOf(this.type);
    const view = views()[VIEW[this.type]];
    copyEntries(this.elements, from * width, n * width, view, room / view.BYTES_PER_ELEMENT);
    return room;
  }

  /** Takes `n` results at an address to elements `at` on, unless that is where they are. */
  put(address: number, n: number, at: number): void {
    if (this.addressOf(at) !== address) copyOut(this.type, address, n, this.elements, at);
  }

  /** The same for rows that lie side by side, whose first elements belong `pitch` elements apart. */
  putRows(rows: number, columns: number, pitch: number, at: number, address: number): void {
    if (pitch === columns) return this.put(address, rows * columns, at);
    for (let i = 0; i < rows; i++) {
      copyOut(this.type, address + i * columns * this.bytes, columns, this.elements, at + i * pitch);
    }
  }
}
