/** Runs kinds of fuzzing for a time or a count, each in its share, and says what was found. */
import { calls } from "./calls";
import { contractions } from "./contractions";
import { gradients } from "./gradients";
import { indexing } from "./indexing";
import { messageOf, Tally, type Found, type Kind } from "./kind";
import { onnx } from "./onnx";
import { programs } from "./programs";
import { readers } from "./readers";
import { release } from "./release";

/** Kinds with their shares of the time. */
export const KINDS: readonly (readonly [kind: Kind, share: number])[] = [
  [programs, 0.3],
  [indexing, 0.1],
  [contractions, 0.1],
  [release, 0.1],
  [gradients, 0.15],
  [onnx, 0.1],
  [readers, 0.1],
  [calls, 0.05],
];

export interface Finding extends Found {
  readonly kind: string;
  readonly seed: number;
}

export interface Part {
  readonly kind: Kind;
  readonly tally: Tally;
  readonly findings: Finding[];
  milliseconds: number;
  next: number;
}

export interface Settings {
  readonly seed: number;
  readonly only: readonly string[];
  /** Milliseconds for all kinds together. */
  readonly milliseconds: number;
  /** Seeds of each kind at most. */
  readonly count: number;
  readonly report: (finding: Finding) => void;
  /** Called now and then with what was done so far. */
  readonly progress?: (parts: readonly Part[]) => void;
}

const MOST_FINDINGS = 20;
const PROGRESS_EVERY = 60_000;

export const namesOfKinds = KINDS.map(([{ name }]) => name);

/** Runs until the time is over, the seeds are through or too much was found. */
export function run({ seed, only, milliseconds, count, report, progress }: Settings): readonly Part[] {
  const chosen = KINDS.filter(([{ name }]) => only.length === 0 || only.includes(name));
  const parts = chosen.map(([kind]): Part => ({ kind, tally: new Tally(), findings: [], milliseconds: 0, next: seed }));
  const start = performance.now();
  let told = start;
  for (;;) {
    const open = parts.filter(({ next }) => next < seed + count);
    const share = (part: Part): number => part.milliseconds / chosen[parts.indexOf(part)]![1];
    const part = open.sort((a, b) => share(a) - share(b))[0];
    const found = parts.reduce((sum, { findings }) => sum + findings.length, 0);
    if (!part || found >= MOST_FINDINGS || performance.now() - start > milliseconds) return parts;
    once(part, report);
    if (performance.now() - told < PROGRESS_EVERY) continue;
    told = performance.now();
    progress?.(parts);
  }
}

function once(part: Part, report: (finding: Finding) => void): void {
  const start = performance.now();
  const seed = part.next++;
  const found = tried(part, seed);
  part.milliseconds += performance.now() - start;
  if (!found || part.findings.some(({ message }) => message === found.message)) return;
  const finding = { ...found, kind: part.kind.name, seed };
  part.findings.push(finding);
  report(finding);
}

/** An error that leaves a kind is a finding as well, be it a fault of the fuzzer. */
function tried({ kind, tally }: Part, seed: number): Found | null {
  try {
    return kind.run(seed, tally);
  } catch (error) {
    return { message: messageOf(error), example: `${String((error as Error).stack)}\n` };
  }
}

/** A finding as it is printed: what is wrong, how to see it again, and the code that shows it. */
export const textOf = ({ kind, seed, message, example }: Finding): string =>
  `\n${kind}, seed ${seed}: ${message}\nagain: npm run fuzz -- --only ${kind} --seed ${seed} --count 1\n\n\`\`\`ts\n${example}\`\`\`\n`;
