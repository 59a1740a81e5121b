/**
 * A search for slow ways: random programs of the fuzzer, each timed in several ways to run it. Where one way takes much longer than
 * another, the program is made smaller as long as it does.
 */
import { runInThisContext } from "node:vm";
import * as Nx from "nx-numerics";
import { randomProgram, type Make, type Wish } from "../../test/fuzz/generate";
import { ROWS } from "../../test/fuzz/ops";
import { beginWith, contractionsOf } from "../../test/fuzz/ops/contractions";
import { INDEXING } from "../../test/fuzz/ops/indexing";
import { exprText, inputText } from "../../test/fuzz/print";
import {
  expressionsOf,
  functionsIn,
  isNode,
  ref,
  sizeOf,
  tensorOf,
  type Body,
  type Expr,
  type Program,
  type Step,
} from "../../test/fuzz/program";
import { Random } from "../../test/fuzz/random";
import { asInput, changedSteps, pruned, refsOf, shrink } from "../../test/fuzz/shrink";

type Tensor = Nx.Tensor;
type Fn = (...args: Tensor[]) => Tensor[];

interface Setting {
  readonly on: "wasm" | "binary";
  readonly deferred: boolean;
  /** What is timed. */
  readonly made: (fn: Fn) => Fn;
}

/** What lies between is given back, as compiled functions do. */
const tidy =
  (fn: Fn): Fn =>
  (...args) =>
    Nx.tidy(() => fn(...args));

type Way = "defn" | "eager" | "immediate" | "binary";

/** The ways to run a program. */
const WAYS: Readonly<Record<Way, Setting>> = {
  defn: { on: "wasm", deferred: true, made: Nx.defn },
  eager: { on: "wasm", deferred: true, made: tidy },
  immediate: { on: "wasm", deferred: false, made: tidy },
  binary: { on: "binary", deferred: false, made: tidy },
};

/** Microseconds a call. */
type Times = Readonly<Partial<Record<Way, number>>>;

/** How many times as long a way may take as the quickest of others, and how much longer besides. */
const RULES: readonly { readonly way: Way; readonly beside: readonly Way[]; readonly factor: number }[] = [
  { way: "defn", beside: ["eager", "immediate", "binary"], factor: 1.7 },
  { way: "eager", beside: ["immediate", "binary"], factor: 1.7 },
  { way: "immediate", beside: ["binary"], factor: 1.7 },
  { way: "eager", beside: ["defn"], factor: 3 },
  { way: "immediate", beside: ["defn"], factor: 3 },
];
const MICROSECONDS = 20;

/** Elements of inputs up to which a program runs on `binary`, too. */
const FOR_BINARY = 5000;

/** A way that takes too long. */
interface Slow {
  readonly way: Way;
  readonly beside: Way;
  readonly ratio: number;
}

export function slowOf(times: Times): Slow | null {
  const found = RULES.flatMap(({ way, beside, factor }): readonly (Slow & { readonly excess: number })[] => {
    const other = beside.filter((each) => each in times).sort((a, b) => times[a]! - times[b]!)[0];
    if (other === undefined || !(times[way]! > factor * times[other]! + MICROSECONDS)) return [];
    const ratio = times[way]! / times[other]!;
    return [{ way, beside: other, ratio, excess: ratio / factor }];
  });
  return found.sort((a, b) => b.excess - a.excess)[0] ?? null;
}

/** A program as the function that a user would write. */
const textOf = ({ inputs, steps, outputs }: Program): string =>
  exprText({ $: "body", params: inputs.map(({ id }) => id), steps, result: outputs.map(ref) });

export const functionOf = (program: Program): Fn => runInThisContext(`(Nx) => ${textOf(program)}`)(Nx) as Fn;

const WARM_MS = 15;
const PART_MS = 0.3;

/** The least times of a program in the ways that are asked for, which take turns. */
function timesOf(program: Program, ways: readonly Way[], rounds: number): Times {
  const fn = functionOf(program);
  const turns = ways.map((way) => {
    const { on, deferred, made } = WAYS[way];
    const call = made(fn);
    const given = Nx.withDefaultBackend(on, () => program.inputs.map(tensorOf));
    const operands = new Set(given.map(({ data }) => data));
    const time = (repeats: number): number =>
      Nx.withDefaultBackend(on, () => {
        Nx.configure({ deferred });
        const start = performance.now();
        for (let i = 0; i < repeats; i++) {
          for (const result of Nx.evaluate(call(...given)))
            if (!operands.has(result.data)) Nx.backendDeallocate(result);
        }
        return (performance.now() - start) / repeats;
      });
    const end = performance.now() + WARM_MS;
    let each = time(2);
    while (performance.now() < end) each = time(Math.ceil(PART_MS / each));
    return { way, time, given, repeats: Math.ceil(PART_MS / each), least: each };
  });
  for (let round = 0; round < rounds; round++) {
    for (const turn of turns) turn.least = Math.min(turn.least, turn.time(turn.repeats));
  }
  for (const { given } of turns) Nx.backendDeallocate(given);
  return Object.fromEntries(turns.map(({ way, least }) => [way, least * 1000]));
}

const ROUNDS = 5;
/** Of a way that seems slow, and the one beside it. */
const MORE_ROUNDS = 25;

/** What is slow at a program, measured again. */
function slowAt(program: Program): Slow | null {
  const isSmall = program.inputs.every(({ shape }) => sizeOf(shape) <= FOR_BINARY);
  const ways = (Object.keys(WAYS) as Way[]).filter((way) => isSmall || way !== "binary");
  const seems = slowOf(timesOf(program, ways, ROUNDS));
  return seems && slowOf(timesOf(program, [seems.way, seems.beside], MORE_ROUNDS));
}

/** Steps of functions inside that nobody reads, which compiled functions do without. */
function unreadIn({ steps }: Program): Step[] {
  const read = refsOf(steps);
  const inside = [...expressionsOf(steps)].flatMap((expr) => (isNode(expr) && expr.$ === "body" ? expr.steps : []));
  return inside.filter(({ id }) => !read.has(id));
}

/** A program without them. */
function withoutUnread(program: Program): Program {
  const unread = unreadIn(program);
  const isLeft = (expr: Expr): expr is Body => isNode(expr) && expr.$ === "body" && expr.steps.some((step) => unread.includes(step)); // prettier-ignore
  const steps = changedSteps(program.steps, (expr) =>
    isLeft(expr) ? { ...expr, steps: expr.steps.filter((step) => !unread.includes(step)) } : undefined,
  );
  return unread.length === 0 ? program : withoutUnread({ ...program, steps });
}

/** What compiled functions compute once, since it depends on no input, is an input. */
function opened(program: Program, reference: ReadonlyMap<number, Tensor>): Program {
  const constants = program.steps.filter((step) => refsOf([step]).size === 0);
  const given = constants.map(({ id }) => asInput(id, reference.get(id)!));
  const steps = program.steps.filter((step) => !constants.includes(step));
  return pruned(withoutUnread({ inputs: [...program.inputs, ...given], steps, outputs: program.outputs.slice(-1) }));
}

const KINDS: readonly (readonly [rows: readonly Make[], begin?: Wish["begin"]])[] = [
  [ROWS],
  [INDEXING],
  [contractionsOf("rounded"), beginWith("rounded")],
];

/** The program of a seed; null where none of its steps depends on an input. */
export function programOf(seed: number): Program | null {
  const r = new Random(seed ^ 0x510);
  const [rows, begin] = r.pick(KINDS);
  const most = r.pick([60, 600, 5000, 20_000, 100_000]);
  const { program, reference } = randomProgram(seed, rows, { steps: r.between(1, 8), most, ...(begin && { begin }) });
  const made = opened(program, reference);
  return made.steps.length > 0 ? made : null;
}

/** A program that is slow in one way, as small as it was made. */
export interface Finding extends Slow {
  readonly times: Times;
  readonly functions: readonly string[];
  readonly text: string;
}

const SHRINK_MS = 8000;

function findingOf(program: Program, slow: Slow): Finding {
  const isSlow = (candidate: Program): boolean => {
    const isIdle = candidate.steps.some((step) => refsOf([step]).size === 0) || unreadIn(candidate).length > 0;
    if (candidate.steps.length === 0 || isIdle) return false;
    try {
      const ways = [slow.way, slow.beside] as const;
      return [1, MORE_ROUNDS].every((rounds) => slowOf(timesOf(candidate, ways, rounds)) !== null);
    } catch {
      return false; // refused by the compiler
    }
  };
  const smallest = shrink(program, isSlow, SHRINK_MS);
  const times = timesOf(smallest, [slow.way, slow.beside], MORE_ROUNDS);
  const ratio = times[slow.way]! / times[slow.beside]!;
  const functions = [...new Set(functionsIn(smallest))].sort();
  const text = `const program = ${textOf(smallest)};\nprogram(${smallest.inputs.map(inputText).join(", ")});`;
  return { ...slow, ratio, times, functions, text };
}

/** Whether a program is slow as one that was found: it calls all of its functions, and its ratio is not much larger. */
const isKnown = (program: Program, { way, beside, ratio }: Slow, findings: readonly Finding[]): boolean => {
  const functions = new Set(functionsIn(program));
  return findings.some(
    (found) =>
      (found.way === way || found.beside === beside) &&
      ratio < 2 * found.ratio &&
      found.functions.every((name) => functions.has(name)),
  );
};

/** What is found at the program of a seed; null where nothing is, or what was found before. */
export function searched(seed: number, findings: readonly Finding[]): Finding | "known" | null {
  const program = programOf(seed);
  const slow = program && slowAt(program);
  if (!slow) return null;
  return isKnown(program!, slow, findings) ? "known" : findingOf(program!, slow);
}
