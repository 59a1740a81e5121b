/** What a running block reports to: compares values, errors and output with what was expected. Knows no compiler. */

import { format } from "node:util";
import type { Expectation } from "./expectations";
import { difference, DoctestError, failAt, placeOf } from "./failure";
import type { Probe } from "./instrument";
import { matches, show } from "./show";
import type { Block } from "./types";

/** Records one run of one block. The rewritten code calls its methods, as `$doctest`. */
export class Recorder {
  /** Offset of the top-level statement that is running. */
  current = 0;
  /** The first expectation that failed; the block may have caught the error it was thrown as. */
  failure: DoctestError | null = null;
  /** The `console` of the block, which prints nothing. */
  readonly console: Console;

  #printed: string[] = [];
  readonly #kept = new Map<number, unknown>();
  readonly #reached = new Set<number>();

  constructor(
    readonly block: Block,
    readonly probes: readonly Probe[],
  ) {
    const log = (...args: unknown[]): void => void this.#printed.push(format(...args));
    const loud = { log, info: log, debug: log, warn: log, error: log, table: log, dir: log, trace: log };
    this.console = Object.assign(Object.create(console) as Console, loud);
  }

  at(offset: number): void {
    this.current = offset;
    this.#printed = [];
  }

  keep<T>(i: number, value: T): T {
    this.#kept.set(i, value);
    return value;
  }

  kept(i: number): unknown {
    return this.#kept.get(i);
  }

  value<T>(i: number, value: T): T {
    this.#reached.add(i);
    const { text } = this.probes[i]!.value!;
    if (!matches(text, value)) this.#fail("value", i, "the value is not the expected one", compared(text, show(value)));
    return value;
  }

  returned(i: number, value: unknown): never {
    this.#reached.add(i);
    const received = value === undefined ? "no error" : `no error, but the value ${show(value)}`;
    return this.#fail("throws", i, "an error was expected", compared(errorText(this.probes[i]!.throws!), received));
  }

  threw(i: number, error: unknown): void {
    if (error instanceof DoctestError && error === this.failure) throw error;
    this.#reached.add(i);
    const expected = this.probes[i]!.throws!;
    const [name, message] = error instanceof Error ? [classOf(error), error.message] : ["a thrown value", show(error)];
    const isExpected = name === expected.errorName && spaced(message).startsWith(spaced(expected.text));
    if (isExpected) return;
    const details = compared(errorText(expected), `${name}: ${message}`);
    this.#fail("throws", i, "another error was expected", details, error);
  }

  prints(i: number): void {
    this.#reached.add(i);
    const { text } = this.probes[i]!.prints!;
    const printed = this.#printed.join("\n");
    this.#printed = [];
    if (!matches(text, printed)) this.#fail("prints", i, "the output is not the expected one", compared(text, printed));
  }

  /** After the run: an expectation that was never reached has not been met. */
  finish(): void {
    if (this.failure !== null) throw this.failure;
    const missed = this.probes.findIndex((_, i) => !this.#reached.has(i));
    if (missed !== -1)
      this.#fail("form", missed, "this statement was never reached, so nothing checked its expectation");
  }

  #fail(
    kind: "value" | "throws" | "prints" | "form",
    i: number,
    text: string,
    details?: string,
    cause?: unknown,
  ): never {
    const more = { ...(details === undefined ? {} : { details }), ...(cause === undefined ? {} : { cause }) };
    this.failure ??= failAt(kind, this.block, placeOf(this.block, this.probes[i]!.offset), text, more);
    throw this.failure;
  }
}

const errorText = ({ errorName, text }: Expectation): string => (text === "" ? errorName : `${errorName}: ${text}`);

/** The name an error goes by: its own, or else its class's. */
const classOf = (error: Error): string => (error.name === "Error" ? error.constructor.name : error.name);

const spaced = (text: string): string => text.replace(/\s+/g, " ").trim();

function compared(expected: string, received: string): string {
  const [wanted, got] = [expected.split("\n"), received.split("\n")];
  const runsOn = wanted.length > got.length && got.every((line, i) => line.trim() === wanted[i]!.trim());
  const hint = runsOn ? "\n(the expected text goes on over all comment lines below; an empty line ends it)" : "";
  return difference(expected, received) + hint;
}
