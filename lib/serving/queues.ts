/**
 * Where entries wait for their batch: a queue for each key and signature, and a timer for the oldest entry of each. It knows
 * nothing of what becomes of a batch.
 */
import { split, type Batch } from "../batch";
import type { Request } from "./request";

/** Entries of one request. */
export interface Portion {
  readonly request: Request;
  readonly batch: Batch;
  readonly arrival: number;
}

interface Queue {
  readonly name: string;
  /** By request, in the order they came. */
  readonly portions: Map<Request, Portion>;
  /** Entries in all portions. */
  size: number;
  timer: unknown;
  /** Whether the oldest entry has waited for its time. */
  isDue: boolean;
}

/** The timers of the host, of which the core knows nothing. */
interface Host {
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

const host = (): Host => globalThis as unknown as Host;

/** The queues of a serving. */
export class Queues {
  readonly #queues = new Map<string, Queue>();
  readonly #batchSize: number;
  readonly #timeout: number;
  readonly #onDue: () => void;
  /** Whether no entry waits for others any more. */
  #isFlushing = false;

  constructor(batchSize: number, timeout: number, onDue: () => void) {
    this.#batchSize = batchSize;
    this.#timeout = timeout;
    this.#onDue = onDue;
  }

  /** Adds the entries of a request behind those of the same name. */
  add(name: string, request: Request, batch: Batch): void {
    const queue = this.#queues.get(name) ?? {
      name,
      portions: new Map<Request, Portion>(),
      size: 0,
      timer: null,
      isDue: false,
    };
    this.#queues.set(name, queue);
    request.queue = name;
    queue.portions.set(request, { request, batch, arrival: Date.now() });
    queue.size += batch.size;
    if (queue.timer === null) this.#wait(queue);
  }

  /** Takes the entries of a request out. */
  remove(request: Request): void {
    const queue = request.queue === null ? undefined : this.#queues.get(request.queue);
    const portion = queue?.portions.get(request);
    request.queue = null;
    if (!queue || !portion) return;
    queue.portions.delete(request);
    queue.size -= portion.batch.size;
    this.#wait(queue);
  }

  /** The next batch that is full or due, in turns over the queues. */
  next(): Portion[] | null {
    for (const queue of this.#queues.values()) {
      if (queue.size >= this.#batchSize || queue.isDue) return this.#take(queue);
    }
    return null;
  }

  /** From now on no entry waits for others. */
  flush(): void {
    this.#isFlushing = true;
    for (const queue of this.#queues.values()) this.#wait(queue);
  }

  /** Takes a batch; of a request that does not fit as a whole, the rest stays where it was. */
  #take(queue: Queue): Portion[] {
    const taken: Portion[] = [];
    let room = this.#batchSize;
    for (const portion of queue.portions.values()) {
      const [batch, rest] = split(portion.batch, room);
      taken.push({ ...portion, batch });
      room -= batch.size;
      queue.size -= batch.size;
      if (rest.size > 0) queue.portions.set(portion.request, { ...portion, batch: rest });
      else queue.portions.delete(portion.request);
      if (room === 0) break;
    }
    this.#queues.delete(queue.name);
    this.#queues.set(queue.name, queue);
    this.#wait(queue);
    return taken;
  }

  /** Sets the timer of a queue by its oldest entry; one without any goes. */
  #wait(queue: Queue): void {
    if (queue.timer !== null) host().clearTimeout(queue.timer);
    queue.timer = null;
    const [oldest] = queue.portions.values();
    queue.isDue = this.#isFlushing;
    if (!oldest) this.#queues.delete(queue.name);
    else if (!this.#isFlushing) queue.timer = host().setTimeout(() => this.#due(queue), this.#left(oldest));
  }

  #due(queue: Queue): void {
    queue.timer = null;
    queue.isDue = true;
    this.#onDue();
  }

  /** Milliseconds that an entry may still wait; the clock of the host may have been set back or forward. */
  #left({ arrival }: Portion): number {
    return Math.min(this.#timeout, Math.max(0, arrival + this.#timeout - Date.now()));
  }
}
