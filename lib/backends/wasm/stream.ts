/**
 * Feeding kernels with pieces of arrays: those that lie in the memory of kernels are used where they are, of others pieces
 * are copied to a ring of places in scratch memory. While other threads work on pieces, the caller prepares the next ones
 * and works on some itself.
 */
import { bytesOf, type DType } from "../../core/types";
import { widthOf, type Elements } from "../arrays/storage";
import { tuning } from "../tuning";
import { addressOf } from "./arena";
import { VIEW, views } from "./memory";
import type { KernelModule } from "./module";
import { runCalls, submit, threadCount, type Call, type Ticket } from "./threads";

import { reductionSlots } from "./schedule";

export { CHUNK_BYTES as PIECE_BYTES } from "./schedule";
export { copyOut } from "./placement";

/** Places in the ring for a number of pieces of so many bytes, which are copied there unless they are resident. */
export const placesFor = (pieces: number, pieceBytes: number, resident = false): number =>
  reductionSlots(pieces, pieceBytes, resident, tuning.sharedFrom, threadCount());

export interface Stream {
  readonly module: KernelModule;
  readonly name: string;
  readonly pieces: number;
  /** Places in memory that pieces are put into. */
  readonly places: number;
  /** Whether nothing is copied for a piece and each has a place of its own, so that all may be handed out at once. */
  readonly isResident?: boolean;
  /** Copies a piece to a place; the calls that work on it. They do not depend on each other. */
  stage(piece: number, place: number): readonly Call[];
  /** Takes the results of a piece out; pieces come in any order. */
  collect?(piece: number, place: number): void;
}

/** Runs all pieces. */
export function runStream(stream: Stream): void {
  if (stream.isResident) runResident(stream);
  else if (stream.places === 1) runAlone(stream);
  else runRing(stream);
}

function runResident({ module, name, pieces, stage, collect }: Stream): void {
  const calls: Call[] = [];
  for (let i = 0; i < pieces; i++) for (const call of stage(i, i)) calls.push(call);
  runCalls(module, name, calls);
  if (collect) for (let i = 0; i < pieces; i++) collect(i, i);
}

function runAlone({ module, name, pieces, stage, collect }: Stream): void {
  const run = module.exports[name]!;
  for (let i = 0; i < pieces; i++) {
    for (const call of stage(i, 0)) run(...call);
    collect?.(i, 0);
  }
}

interface Handed {
  readonly piece: number;
  readonly place: number;
  readonly tickets: readonly Ticket[];
}

/**
 * Keeps a piece waiting for each other thread, and works on all others itself, while they are in its own cache: reading what
 * another core has just written takes longer.
 */
function runRing({ module, name, pieces, places, stage, collect }: Stream): void {
  const run = module.exports[name]!;
  // The last place is the caller's own.
  const free = Array.from({ length: places - 1 }, (_, i) => i);
  let handed: Handed[] = [];
  const settle = ({ piece, place, tickets }: Handed): void => {
    for (const ticket of tickets) ticket.wait();
    collect?.(piece, place);
    free.push(place);
  };
  const settleFinished = (): void => {
    const isOver = ({ tickets }: Handed): boolean => tickets.every((ticket) => ticket.isOver());
    const finished = handed.filter(isOver);
    handed = handed.filter((one) => !finished.includes(one));
    finished.forEach(settle);
  };
  const wanting = (): boolean => handed.filter(isWaiting).length < threadCount() - 1;
  try {
    for (let piece = 0; piece < pieces; piece++) {
      settleFinished();
      if (free.length > 0 && pieces - piece > 1 && wanting()) {
        const place = free.pop()!;
        handed.push({ piece, place, tickets: stage(piece, place).map((call) => submit(module, name, call)) });
      } else {
        for (const call of stage(piece, places - 1)) run(...call);
        collect?.(piece, places - 1);
      }
    }
    // From the back, where nobody has begun yet.
    while (handed.length > 0) settle(handed.pop()!);
  } finally {
    for (const { tickets } of handed) settleQuietly(tickets);
  }
}

const isWaiting = ({ tickets }: Handed): boolean => tickets.some((ticket) => ticket.isWaiting());

/** An error is on its way already; nobody may work in memory that is given back. */
function settleQuietly(tickets: readonly Ticket[]): void {
  for (const ticket of tickets) {
    try {
      ticket.wait();
    } catch {
      // The first error is the one that counts.
    }
  }
}

/** The address of `n` elements from element `from` on: where they are, or `room` in memory, where they are copied to. */
export function operandAt(type: DType, source: Elements, from: number, n: number, room: number): number {
  const at = addressOf(source);
  if (at !== null) return at + from * bytesOf(type);
  copyIn(type, source, from, n, room);
  return room;
}

/** Copies `n` elements from element `from` on into memory. */
export function copyIn(type: DType, source: Elements, from: number, n: number, address: number): void {
  const width = widthOf(type);
  const view = views()[VIEW[type]];
  view.set(source.subarray(from * width, (from + n) * width), address / view.BYTES_PER_ELEMENT);
}
