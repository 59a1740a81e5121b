/**
 * The vocabulary of the doctest runner: what an example is and what may be said about running it.
 * Knows nothing of how examples are found, checked or run.
 */

import type { DoctestError } from "./failure";

/** One fenced block of a doc comment or a Markdown file. */
export interface Block {
  /** The file, relative to the root, with forward slashes. */
  readonly file: string;
  /** The file, absolute. */
  readonly path: string;
  /** The line of the opening fence, from 1. Line `k` (from 0) of the code is line `line + 1 + k` of the file. */
  readonly line: number;
  /** The declared symbol whose comment this is (`Tensor.add`), or the heading above it in Markdown, or `null`. */
  readonly symbol: string | null;
  /** TypeScript or JavaScript; the types of JavaScript are not checked. */
  readonly language: "ts" | "js";
  /** The code, without comment asterisks and without the fence's indentation. */
  readonly code: string;
  /** How many characters were taken off the front of each line of the code. */
  readonly columns: readonly number[];
}

/** A name every block may use without an import. */
export interface GlobalBinding {
  /** The module whose types the name has: `import * as Name from module`. A relative one counts from the root. */
  readonly module: string;
  /** Take this one export of the module instead of its namespace: `import { export as Name } from module`. */
  readonly export?: string;
  /** What the name is at run time. */
  readonly value: unknown;
}

/** Where files are looked for. */
export interface RootOptions {
  /** The folder that patterns and names count from. Default: the current working directory. */
  readonly root?: string;
}

/** The names and modules of a running block. */
export interface RunOptions extends RootOptions {
  /** Names that blocks may use without an import, such as `Nx`. */
  readonly globals?: Readonly<Record<string, GlobalBinding>>;
  /** What `import ... from "name"` gives in a block. Other modules are loaded with a dynamic import. */
  readonly modules?: Readonly<Record<string, unknown>>;
  /** Loads a module that is not in `modules`; gets the specifier, an absolute path where it was relative. */
  readonly load?: (specifier: string) => Promise<unknown>;
  /** Wraps the run of each block, to set a default backend, fake a clock, and so on. */
  readonly around?: (run: () => Promise<void>) => Promise<void>;
}

/** What the type check of blocks needs. */
export interface CheckOptions extends RootOptions {
  /** As in {@link RunOptions}: the modules give the names their types. */
  readonly globals?: Readonly<Record<string, GlobalBinding>>;
  /** The tsconfig whose options hold. Default: the nearest `tsconfig.json` from the root upwards. */
  readonly tsconfig?: string;
  /** The compiler's program `tsc`, counted from the root. Default: that of the package `typescript`. A native one takes half of the time. */
  readonly tsc?: string;
}

/** Options of {@link doctest}. */
export interface DoctestOptions extends RunOptions, CheckOptions {
  /**
   * Blocks left out, each with the reason: a file pattern, or `pattern:symbol` for one symbol (or Markdown heading).
   * The reason is shown with the skipped test; an exclusion that matches nothing is a failing test.
   */
  readonly exclude?: Readonly<Record<string, string>>;
  /** Put after each test's name, to tell several passes over the same blocks apart. */
  readonly label?: string;
  /** Whether blocks are type-checked. Default true; a second pass over the same blocks need not do it again. */
  readonly typeCheck?: boolean;
  /** Milliseconds each block may take. Default: vitest's own limit. */
  readonly timeout?: number;
}

/** What came of running a block. */
export type BlockResult =
  | { readonly status: "passed" }
  | { readonly status: "skipped"; readonly reason: string }
  | { readonly status: "failed"; readonly error: DoctestError };
