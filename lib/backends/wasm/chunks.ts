/**
 * Feeding kernels with the chunks that work is cut into. Chunks of arrays that lie in the memory of kernels are handed out all at
 * once; others are copied to a ring of slots in scratch memory: while other threads work on chunks, the caller prepares the next
 * ones and works on some itself. What lies in that memory in another order is brought for several chunks together, by all threads.
 */
import type { Elements, Reader } from "../../kernel/operand";
import type { KernelModule } from "./module";
import { inScratch } from "./memory";
import { bring, bringCalls, copyOut, found, type Layout } from "./placement";
import type { Cut } from "./schedule";
import { runCalls, runSteps, submit, threadCount, type Call, type Step, type Ticket } from "./threads";

/** Some units of the work. */
export interface Chunk {
  readonly number: number;
  /** The slot of its rooms. */
  readonly slot: number;
  /** The line that it is of, its first unit, counted from the first line on, and how many units it has. */
  readonly line: number;
  readonly start: number;
  readonly n: number;
  /** Where the operands of the chunk are. */
  readonly addresses: number[];
}

/** Work that is cut into chunks. */
export interface Chunked {
  readonly module: KernelModule;
  readonly name: string;
  readonly cut: Cut;
  /** Units of a line: no chunk goes beyond the end of one. */
  readonly length: number;
  /** Units of a chunk at least, no more than a span has: a last one of fewer begins before its own, so some are done twice. */
  readonly least?: number;
  readonly layout: Layout;
  /** Where operands begin in this run; see {@link Layout}. */
  readonly origins: readonly number[];
  /** What the first operands are read with; those that are staged are brought for each chunk, uniform ones at the beginning. */
  readonly readers?: readonly Reader[];
  /** Operands that are results, and where they belong: those that are staged are taken out after each chunk. */
  readonly results?: readonly Result[];
  /** The calls that work on a chunk. They do not depend on each other. */
  callsOf(chunk: Chunk): readonly Call[];
  /** What else is done with the results of a chunk; chunks come in any order. */
  readonly collect?: ((chunk: Chunk) => void) | null;
}

type Result = readonly [operand: number, elements: Elements];

/** Runs all chunks. */
export function runChunks(work: Chunked): void {
  const { cut, layout, readers = [], origins } = work;
  for (const i of layout.uniform) {
    const { type, each } = layout.operands[i]!;
    bring(type, readers[i]!, 0, each, origins[i]!);
  }
  if (cut.isTogether) runTogether(work, new Feed(work));
  else if (cut.isAtOnce) runAtOnce(work, new Feed(work));
  else if (cut.slots === 1) runAlone(work, new Feed(work));
  else runRing(work, new Feed(work));
}

function chunkOf({ cut, length, least = 1, layout, origins }: Chunked, number: number, slot: number): Chunk {
  const each = Math.ceil(length / cut.span);
  const line = Math.floor(number / each);
  const first = Math.min((number - line * each) * cut.span, Math.max(0, length - least));
  const start = line * length + first;
  const n = Math.min(cut.span, length - first);
  return { number, slot, line, start, n, addresses: layout.addresses(origins, slot, start) };
}

/** Brings chunks to their slots and takes results out. */
class Feed {
  /** Rooms that hold what every chunk reads. */
  private readonly filled: number[] = [];
  /** Results that are staged. */
  private readonly taken: readonly Result[];
  /** Whether anything is done with the results of chunks. */
  readonly collects: boolean;

  constructor(private readonly work: Chunked) {
    const { layout, results = [], collect } = work;
    this.taken = results.filter(([i]) => layout.staged.includes(i));
    this.collects = this.taken.length > 0 || (collect ?? null) !== null;
  }

  /** Copies what chunks of `n` units from one on read together. */
  bring(origins: readonly number[], start: number, n: number): void {
    const { layout, readers = [], cut } = this.work;
    inScratch(() => {
      const steps: Step[] = [];
      const addresses = layout.addresses(origins, 0, start);
      for (const i of layout.staged) {
        if (i >= readers.length) continue;
        const { type, each, repeats } = layout.operands[i]!;
        const [reader, room] = [readers[i]!, addresses[i]!];
        if (repeats && this.filled.includes(room)) continue;
        const units = repeats ? Math.min(n, cut.span) : n;
        const calls = bringCalls(reader, start * each, units * each, room);
        if (calls === null) bring(type, reader, start * each, units * each, room);
        else steps.push(...calls);
        if (repeats) this.filled.push(room);
      }
      runSteps(steps);
    });
  }

  /** Copies what a chunk reads to its slot, unless that is brought already; the calls that work on it. */
  stage(number: number, slot: number, work = this.work): readonly Call[] {
    const { layout, readers = [], callsOf, cut } = work;
    const chunk = chunkOf(work, number, slot);
    for (const i of layout.staged) {
      if (i >= readers.length || cut.isTogether) continue;
      const { type, each, repeats } = layout.operands[i]!;
      const room = chunk.addresses[i]!;
      if (repeats && this.filled.includes(room)) continue;
      chunk.addresses[i] = found(type, readers[i]!, chunk.start * each, chunk.n * each, room);
      if (repeats) this.filled.push(room);
    }
    return callsOf(chunk);
  }

  /** Takes the results of a chunk out. */
  collect(number: number, slot: number, work = this.work): void {
    const { layout, collect } = work;
    if (!this.collects) return;
    const chunk = chunkOf(work, number, slot);
    for (const [i, elements] of this.taken) {
      const { type, each } = layout.operands[i]!;
      copyOut(type, chunk.addresses[i]!, chunk.n * each, elements, chunk.start * each);
    }
    collect?.(chunk);
  }
}

function runAtOnce({ module, name, cut }: Chunked, feed: Feed): void {
  const calls: Call[] = [];
  for (let i = 0; i < cut.chunks; i++) for (const call of feed.stage(i, i)) calls.push(call);
  runCalls(module, name, calls);
  if (feed.collects) for (let i = 0; i < cut.chunks; i++) feed.collect(i, i);
}

/** As many chunks at a time as there are slots: all threads bring what these read, and then work on them. */
function runTogether(work: Chunked, feed: Feed): void {
  const { module, name, cut, layout, origins } = work;
  for (let first = 0; first < cut.chunks; first += cut.slots) {
    const count = Math.min(cut.slots, cut.chunks - first);
    const start = chunkOf(work, first, 0).start;
    const last = chunkOf(work, first + count - 1, 0);
    const own = { ...work, origins: layout.originsFrom(origins, start) };
    feed.bring(own.origins, start, last.start + last.n - start);
    const calls: Call[] = [];
    for (let i = 0; i < count; i++) for (const call of feed.stage(first + i, i, own)) calls.push(call);
    runCalls(module, name, calls);
    if (feed.collects) for (let i = 0; i < count; i++) feed.collect(first + i, i, own);
  }
}

function runAlone({ module, name, cut }: Chunked, feed: Feed): void {
  const run = module.exports[name]!;
  for (let i = 0; i < cut.chunks; i++) {
    for (const call of feed.stage(i, 0)) run(...call);
    feed.collect(i, 0);
  }
}

interface Handed {
  readonly chunk: number;
  readonly slot: number;
  readonly tickets: readonly Ticket[];
}

/**
 * Keeps a chunk waiting for each other thread, and works on all others itself, while they are in its own cache: reading what
 * another core has just written takes longer.
 */
function runRing({ module, name, cut: { chunks, slots } }: Chunked, feed: Feed): void {
  const run = module.exports[name]!;
  // The last slot is the caller's own.
  const free = Array.from({ length: slots - 1 }, (_, i) => i);
  let handed: Handed[] = [];
  const settle = ({ chunk, slot, tickets }: Handed): void => {
    for (const ticket of tickets) ticket.wait();
    feed.collect(chunk, slot);
    free.push(slot);
  };
  const settleFinished = (): void => {
    if (handed.length === 0) return;
    const isOver = ({ tickets }: Handed): boolean => tickets.every((ticket) => ticket.isOver());
    const finished = handed.filter(isOver);
    handed = handed.filter((one) => !finished.includes(one));
    finished.forEach(settle);
  };
  const others = threadCount() - 1;
  const wanting = (): boolean => handed.filter(isWaiting).length < others;
  try {
    for (let chunk = 0; chunk < chunks; chunk++) {
      settleFinished();
      if (free.length > 0 && chunks - chunk > 1 && wanting()) {
        const slot = free.pop()!;
        handed.push({ chunk, slot, tickets: feed.stage(chunk, slot).map((call) => submit(module, name, call)) });
      } else {
        for (const call of feed.stage(chunk, slots - 1)) run(...call);
        feed.collect(chunk, slots - 1);
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
