/** Which examples a call of `doctest` is about, under which names, and which are left out. Knows nothing of vitest. */

import { extract } from "./extract";
import { globToRegExp } from "./files";
import type { Block, DoctestOptions } from "./types";

/** A block as a test. */
export interface PlannedBlock {
  readonly block: Block;
  /** `file:line symbol (label)`. */
  readonly name: string;
  /** Why it is excluded, or `null`. */
  readonly excluded: string | null;
}

/** The tests of one call. */
export interface Plan {
  readonly blocks: readonly PlannedBlock[];
  /** Problems of the call itself: patterns and exclusions without a match, exclusions without a reason. */
  readonly problems: readonly string[];
}

/** Finds the blocks, names them, applies the exclusions. */
export async function plan(patterns: string | readonly string[], options: DoctestOptions = {}): Promise<Plan> {
  const { blocks, unmatched } = await extract(patterns, options);
  const exclusions = Object.entries(options.exclude ?? {}).map(readExclusion);
  const used = new Set<string>();
  const planned = blocks.map((block) => {
    const hits = exclusions.filter((exclusion) => exclusion.matches(block));
    for (const { key } of hits) used.add(key);
    return { block, name: nameOf(block, options.label), excluded: hits[0]?.reason ?? null };
  });
  const problems = [
    ...unmatched.map((pattern) => `the pattern ${JSON.stringify(pattern)} matches no file`),
    ...exclusions
      .filter(({ key }) => !used.has(key))
      .map(({ key }) => `the exclusion ${JSON.stringify(key)} matches no example`),
    ...exclusions
      .filter(({ reason }) => reason.trim() === "")
      .map(({ key }) => `the exclusion ${JSON.stringify(key)} has no reason`),
  ];
  const none = blocks.length === 0 && unmatched.length === 0 ? ["the files that match have no examples"] : [];
  return { blocks: planned, problems: [...problems, ...none] };
}

const nameOf = ({ file, line, symbol }: Block, label: string | undefined): string =>
  `${file}:${line}${symbol === null ? "" : ` ${symbol}`}${label === undefined ? "" : ` (${label})`}`;

interface Exclusion {
  readonly key: string;
  readonly reason: string;
  readonly matches: (block: Block) => boolean;
}

function readExclusion([key, reason]: readonly [string, string]): Exclusion {
  const colon = key.indexOf(":");
  const [pattern, symbol] = colon === -1 ? [key, null] : [key.slice(0, colon), key.slice(colon + 1).trim()];
  const files = globToRegExp(pattern);
  return { key, reason, matches: (block) => files.test(block.file) && (symbol === null || block.symbol === symbol) };
}
