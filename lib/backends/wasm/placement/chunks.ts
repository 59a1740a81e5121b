/**
 * Feeding kernels with the chunks that work is cut into. Chunks of arrays that lie in the memory of kernels are handed out all at
 * once; others are copied to slots in scratch memory, some at a time, before all threads work on them. What lies in that memory in
 * another order is brought for several chunks together, by all threads.
 */
import type { Elements, Reader } from "../../../kernel/operand";
import type { KernelModule } from "../modules/module";
import { inScratch } from "../memory/linear";
import { bring, bringCalls, copyOut, found, type Layout } from ".";
import { elementCalls } from "../copy";
import type { Cut } from "../schedule/cuts";
import { runCalls, runSequences, runSteps, type Call, type Step } from "../threads";

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
interface Chunked {
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
  /** Readers of the first operands: staged operands are brought for each chunk, uniform ones at the beginning. */
  readonly readers?: readonly Reader[];
  /** Operands that are results, with their arrays; staged results are copied out after each chunk. */
  readonly results?: readonly Result[];
  /** The calls that work on a chunk, which do not depend on each other; left out where it is one of the units and addresses. */
  readonly callsOf?: (chunk: Chunk) => readonly Call[];
  /** Of chunks in turn, what follows the calls of one; null for nothing. */
  readonly stepAfter?: ((chunk: Chunk) => Step) | null;
  /** Called after a chunk, for results that are no operands; chunks come in any order. */
  readonly collect?: ((chunk: Chunk) => void) | null;
}

type Result = readonly [operand: number, elements: Elements];

/** Runs all chunks: as many at a time as there are slots, all at once where nothing is copied. */
export function runChunks(work: Chunked): void {
  const { module, name, cut, layout, readers = [], origins, callsOf } = work;
  const brings = readers.length > 0 && layout.staged.length > 0 && !cut.isTogether;
  for (const i of layout.uniform) {
    const { type, each } = layout.operands[i]!;
    bring(type, readers[i]!, 0, each, origins[i]!);
  }
  if (cut.isInTurn) return runInTurn(work);
  const feed = new Feed(work);
  const together = cut.isAtOnce ? cut.chunks : cut.slots;
  const isShared = together > 1 || cut.isAtOnce || cut.isTogether;
  for (let first = 0; first < cut.chunks; first += together) {
    const count = Math.min(together, cut.chunks - first);
    const own = cut.isTogether ? feed.bring(first, count) : work;
    const chunks = chunksOf(own, first, count);
    const calls: Call[] = [];
    for (const chunk of chunks) {
      if (brings) feed.stage(chunk, own);
      if (callsOf === undefined) calls.push([chunk.n, ...chunk.addresses]);
      else calls.push(...callsOf(chunk));
    }
    runCalls(module, name, calls, isShared && calls.length > 1);
    if (feed.collects) for (const chunk of chunks) feed.collect(chunk, own);
  }
}

/** Runs chunks of operands that are copied, slot by slot. */
function runInTurn(work: Chunked): void {
  const { module, name, cut, layout, readers = [], origins, callsOf } = work;
  const each = Math.ceil(cut.chunks / cut.slots);
  inScratch(() => {
    const sequences: Step[][] = [];
    for (let number = 0; number < cut.chunks; number++) {
      const slot = Math.floor(number / each);
      const [chunk] = chunksOf({ ...work, origins: layout.originsOf(origins, slot) }, number, 1) as [Chunk];
      const steps = (sequences[slot] ??= []);
      for (const i of layout.staged) {
        if (i >= readers.length) continue;
        const { each: elements } = layout.operands[i]!;
        const [start, n, room] = [chunk.start * elements, chunk.n * elements, chunk.addresses[i]!];
        steps.push(...elementCalls(readers[i]!, start, n, room));
      }
      for (const args of callsOf?.(chunk) ?? [[chunk.n, ...chunk.addresses]]) steps.push({ module, name, args });
      if (work.stepAfter) steps.push(work.stepAfter(chunk));
    }
    runSequences(sequences);
  });
}

/** Chunks from number `first` on, in slots from the first one on. */
function chunksOf({ cut, length, least = 1, layout, origins }: Chunked, first: number, count: number): Chunk[] {
  const { span } = cut;
  const each = Math.ceil(length / span);
  const lines: number[] = [];
  const starts: number[] = [];
  for (let number = first; number < first + count; number++) {
    const line = Math.floor(number / each);
    lines.push(line);
    starts.push(line * length + Math.min((number - line * each) * span, Math.max(0, length - least)));
  }
  const addresses = layout.addressesOf(origins, 0, starts);
  const chunks: Chunk[] = [];
  for (let slot = 0; slot < count; slot++) {
    const [line, start] = [lines[slot]!, starts[slot]!];
    const n = Math.min(span, (line + 1) * length - start);
    chunks.push({ number: first + slot, slot, line, start, n, addresses: addresses[slot]! });
  }
  return chunks;
}

/** Brings chunks to their slots and takes results out. */
class Feed {
  /** Rooms already filled with elements that every chunk reads. */
  private readonly filled: number[] = [];
  /** Results that are staged. */
  private readonly taken: readonly Result[];
  /** Whether {@link collect} has work to do. */
  readonly collects: boolean;

  constructor(private readonly work: Chunked) {
    const { layout, results = [], collect } = work;
    this.taken = results.filter(([i]) => layout.staged.includes(i));
    this.collects = this.taken.length > 0 || (collect ?? null) !== null;
  }

  /** Copies operands of several chunks together; returns the work with the addresses of the copies. */
  bring(first: number, count: number): Chunked {
    const { layout, readers = [], cut } = this.work;
    const chunks = chunksOf(this.work, first, count);
    const [{ start }, last] = [chunks[0]!, chunks.at(-1)!];
    const n = last.start + last.n - start;
    const origins = layout.originsFrom(this.work.origins, start);
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
    return { ...this.work, origins };
  }

  /** Copies the operands of a chunk to its slot, unless they are there. */
  stage(chunk: Chunk, { layout, readers = [] }: Chunked): void {
    for (const i of layout.staged) {
      if (i >= readers.length) continue;
      const { type, each, repeats } = layout.operands[i]!;
      const room = chunk.addresses[i]!;
      if (repeats && this.filled.includes(room)) continue;
      chunk.addresses[i] = found(type, readers[i]!, chunk.start * each, chunk.n * each, room);
      if (repeats) this.filled.push(room);
    }
  }

  /** Takes the results of a chunk out. */
  collect(chunk: Chunk, { layout, collect }: Chunked): void {
    for (const [i, elements] of this.taken) {
      const { type, each } = layout.operands[i]!;
      copyOut(type, chunk.addresses[i]!, chunk.n * each, elements, chunk.start * each);
    }
    collect?.(chunk);
  }
}
