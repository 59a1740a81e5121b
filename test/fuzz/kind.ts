/** What a kind of fuzzing is: a check that a seed decides, and what it found. */

/** What was done, for the report. */
export class Tally {
  programs = 0;
  checks = 0;
  /** Calls and files that the library refused, as it should. */
  refused = 0;
  /** Checks left out, by their reason. */
  readonly left = new Map<string, number>();
  readonly functions = new Map<string, number>();
  readonly types = new Set<string>();

  leave(reason: string): void {
    this.left.set(reason, (this.left.get(reason) ?? 0) + 1);
  }

  use(names: Iterable<string>): void {
    for (const name of names) this.functions.set(name, (this.functions.get(name) ?? 0) + 1);
  }
}

/** A fault, or what looks like one. */
export interface Found {
  readonly message: string;
  /** Code that shows it. */
  readonly example: string;
}

export interface Kind {
  readonly name: string;
  /** What is compared with what. */
  readonly about: string;
  readonly run: (seed: number, tally: Tally) => Found | null;
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
