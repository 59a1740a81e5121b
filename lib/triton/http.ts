/**
 * Requests: aborted by signals, given up after a time, tried again where that may help, answers bounded. Knows no tensors.
 */
import type { Serving } from "nx-numerics";
import { TritonError } from "./error";

/** What is used of the host's `fetch`, or of a function in its place. */
export type FetchLike = {
  /** As a method, since the types of hosts say more of what they take. */
  fetch(url: string, init: FetchInit): Promise<ResponseLike>;
}["fetch"];

/** What {@link FetchLike} is given. */
export interface FetchInit {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal: Serving.Signal;
}

/** What is used of a `Response`. */
export interface ResponseLike {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: {
    getReader(): {
      read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
      cancel(reason?: unknown): Promise<void>;
    };
  } | null;
}

/** The settings of a connection. */
export interface Connection {
  readonly url: string;
  readonly fetch: FetchLike;
  readonly headers: Readonly<Record<string, string>>;
  readonly retries: number;
  readonly timeout: number;
  readonly maxBytes: number;
  readonly signals: readonly Serving.Signal[];
}

/** A request below the address of the server. */
export interface Request {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly headerLength: string | null;
  readonly bytes: Uint8Array;
}

/** The length of the part in JSON of a body that is JSON and then elements. */
export const HEADER_LENGTH = "Inference-Header-Content-Length";

/** Statuses of servers that are busy, starting or out of reach: the same request may succeed later. */
const PASSING: readonly number[] = [429, 502, 503, 504];
/** Milliseconds before the second try, doubled for each one after it. */
const FIRST_DELAY = 100;
const LONGEST_DELAY = 10_000;

interface Host {
  readonly AbortController: new () => { readonly signal: Serving.Signal; abort(reason?: unknown): void };
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

const host = (): Host => globalThis as unknown as Host;

/** What one try came to: an answer, or why there is none; and whether another try may help. */
interface Outcome {
  readonly answer?: Answer;
  readonly error?: unknown;
  readonly isPassing: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly wait: number;
}

/** The answer to a request, after as many tries as are allowed. */
export async function ask(connection: Connection, request: Request): Promise<Answer> {
  for (let tried = 0; ; tried++) {
    throwIfAborted(connection.signals);
    const { answer, error, isPassing, wait } = await attempt(connection, request);
    if (!isPassing || tried === connection.retries) {
      if (answer !== undefined) return answer;
      throw error;
    }
    const delay = FIRST_DELAY * 2 ** tried * (0.5 + Math.random() / 2);
    await pause(Math.min(LONGEST_DELAY, Math.max(wait, delay)), connection.signals);
  }
}

function throwIfAborted(signals: readonly Serving.Signal[]): void {
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted) throw aborted.reason;
}

async function attempt(connection: Connection, { path, headers, body }: Request): Promise<Outcome> {
  const { url, timeout, signals } = connection;
  const controller = new (host().AbortController)();
  const late = new TritonError(`${url}/${path} did not answer within ${timeout} ms`, null);
  const timer = timeout === Infinity ? null : host().setTimeout(() => controller.abort(late), timeout);
  const release = watch(signals, (reason) => controller.abort(reason));
  try {
    const response = await connection.fetch(`${url}/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { ...connection.headers, ...headers },
      ...(body === undefined ? {} : { body }),
      signal: controller.signal,
    });
    const { status } = response;
    const bytes = await readAll(response, connection);
    const wait = 1000 * Number(response.headers.get("retry-after") ?? 0) || 0;
    const answer = { status, headerLength: response.headers.get(HEADER_LENGTH), bytes };
    return { answer, isPassing: PASSING.includes(status), wait };
  } catch (error) {
    throwIfAborted(signals);
    if (error instanceof TritonError && error !== late) return { error, isPassing: false, wait: 0 };
    const isLate = controller.signal.aborted;
    return { error: isLate ? late : unreachable(url, error), isPassing: true, wait: 0 };
  } finally {
    release();
    if (timer !== null) host().clearTimeout(timer);
  }
}

function unreachable(url: string, error: unknown): TritonError {
  const { message, cause } = error as { readonly message?: string; readonly cause?: { readonly message?: string } };
  const why = cause?.message ?? message ?? String(error);
  return new TritonError(`${url} does not answer: ${why}; is the server running, and is this its HTTP port?`, null);
}

/** Calls back when one of the signals is aborted, until the returned function is called. */
function watch(signals: readonly Serving.Signal[], onAbort: (reason: unknown) => void): () => void {
  const listeners = signals.map((signal) => {
    const listener = (): void => onAbort(signal.reason);
    signal.addEventListener("abort", listener);
    return () => signal.removeEventListener("abort", listener);
  });
  return () => listeners.forEach((remove) => remove());
}

function pause(milliseconds: number, signals: readonly Serving.Signal[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      release();
      host().clearTimeout(timer);
      settle();
    };
    const timer = host().setTimeout(() => end(resolve), milliseconds);
    const release = watch(signals, (reason) => end(() => reject(reason as Error)));
  });
}

/** The body of an answer, up to the limit. */
async function readAll({ status, headers, body }: ResponseLike, { url, maxBytes }: Connection): Promise<Uint8Array> {
  const tooLong = (): TritonError =>
    new TritonError(`${url} answers with more than ${maxBytes} bytes; the option maxBytes allows more`, status);
  if (body === null) return new Uint8Array(0);
  const reader = body.getReader();
  if (Number(headers.get("content-length") ?? 0) > maxBytes) {
    void reader.cancel().catch(() => undefined);
    throw tooLong();
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value!);
    length += part.value!.length;
    if (length <= maxBytes) continue;
    void reader.cancel().catch(() => undefined);
    throw tooLong();
  }
  return joined(parts, length);
}

export function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
