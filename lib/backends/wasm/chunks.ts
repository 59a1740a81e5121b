/**
 * Feeding kernels with the chunks that work is cut into. Chunks of arrays that lie in the memory of kernels are handed out all at
 * once; others are copied to a ring of slots in scratch memory: while other threads work on chunks, the caller prepares the next
 * ones and works on some itself.
 */
import type { KernelModule } from "./module";
import { runCalls, submit, threadCount, type Call, type Ticket } from "./threads";

/** Work that is cut into chunks. */
interface Chunked {
  readonly module: KernelModule;
  readonly name: string;
  readonly chunks: number;
  /** Places in memory that chunks are put into. */
  readonly slots: number;
  /** Whether nothing is copied for a chunk and each has a slot of its own, so that all may be handed out at once. */
  readonly isResident?: boolean;
  /** Copies a chunk to a slot; the calls that work on it. They do not depend on each other. */
  stage(chunk: number, slot: number): readonly Call[];
  /** Takes the results of a chunk out; chunks come in any order. */
  collect?(chunk: number, slot: number): void;
}

/** Runs all chunks. */
export function runChunks(work: Chunked): void {
  if (work.isResident) runResident(work);
  else if (work.slots === 1) runAlone(work);
  else runRing(work);
}

function runResident({ module, name, chunks, stage, collect }: Chunked): void {
  const calls: Call[] = [];
  for (let i = 0; i < chunks; i++) for (const call of stage(i, i)) calls.push(call);
  runCalls(module, name, calls);
  if (collect) for (let i = 0; i < chunks; i++) collect(i, i);
}

function runAlone({ module, name, chunks, stage, collect }: Chunked): void {
  const run = module.exports[name]!;
  for (let i = 0; i < chunks; i++) {
    for (const call of stage(i, 0)) run(...call);
    collect?.(i, 0);
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
function runRing({ module, name, chunks, slots, stage, collect }: Chunked): void {
  const run = module.exports[name]!;
  // The last slot is the caller's own.
  const free = Array.from({ length: slots - 1 }, (_, i) => i);
  let handed: Handed[] = [];
  const settle = ({ chunk, slot, tickets }: Handed): void => {
    for (const ticket of tickets) ticket.wait();
    collect?.(chunk, slot);
    free.push(slot);
  };
  const settleFinished = (): void => {
    const isOver = ({ tickets }: Handed): boolean => tickets.every((ticket) => ticket.isOver());
    const finished = handed.filter(isOver);
    handed = handed.filter((one) => !finished.includes(one));
    finished.forEach(settle);
  };
  const wanting = (): boolean => handed.filter(isWaiting).length < threadCount() - 1;
  try {
    for (let chunk = 0; chunk < chunks; chunk++) {
      settleFinished();
      if (free.length > 0 && chunks - chunk > 1 && wanting()) {
        const slot = free.pop()!;
        handed.push({ chunk, slot, tickets: stage(chunk, slot).map((call) => submit(module, name, call)) });
      } else {
        for (const call of stage(chunk, slots - 1)) run(...call);
        collect?.(chunk, slots - 1);
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
