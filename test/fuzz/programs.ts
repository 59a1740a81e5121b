/** Random programs: what every execution gives is compared with what the binary backend gives op by op, bit for bit. */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { differenceOf } from "./compare";
import { EXECUTIONS, shifted, VECTORIZED, type Execution, type Vectorized } from "./executions";
import { InternalError, isRefusal, randomProgram, type Made, type Wish } from "./generate";
import { messageOf, type Found, type Kind, type Tally } from "./kind";
import { ROWS } from "./ops";
import { doctestOf } from "./print";
import { functionsIn, type Program } from "./program";
import { referenceOf, shrink } from "./shrink";

type Reference = ReadonlyMap<number, Tensor>;

interface Disagreement {
  readonly text: string;
  readonly output: number;
  readonly index?: number | undefined;
}

/** Where a run disagrees with the reference, if it does. */
export function disagreement(
  run: () => readonly unknown[],
  program: Program,
  reference: Reference,
): Disagreement | null {
  let results: readonly unknown[];
  try {
    results = run();
  } catch (error) {
    return { text: messageOf(error), output: 0 };
  }
  for (const [output, id] of program.outputs.entries()) {
    const found = differenceOf(results[output], reference.get(id)!);
    if (found) return { ...found, output };
  }
  return null;
}

/** An error that the generator met: what the binary backend raised for a step was no error of the library. */
const internal = ({ program, cause }: InternalError): Found => ({
  message: `binary, eager: an error from inside: ${messageOf(cause)}`,
  example: doctestOf({
    program,
    text: (name, args) => `${name}(${args.join(", ")})`,
    expected: Nx.tensor(0),
  }),
});

/** What a program that disagrees is found to do, made small; where it does so no more, what it did at `first`. */
export function foundBy(
  execution: Execution,
  program: Program,
  first: string,
  milliseconds?: number,
  on?: Nx.BackendSpec,
): Found {
  const fails = (candidate: Program, values: Reference) =>
    disagreement(() => execution.run(candidate), candidate, values) !== null;
  const smallest = shrink(program, fails, milliseconds, on);
  const values = referenceOf(smallest, on)!;
  const { text, output, index } = disagreement(() => execution.run(smallest), smallest, values) ?? {
    text: `only once: ${first}`,
    output: 0,
    index: undefined,
  };
  const expected = values.get(smallest.outputs[output]!)!;
  const only = { ...smallest, outputs: [smallest.outputs[output]!] };
  return {
    message: `${execution.name}: ${text}`,
    example: doctestOf({ program: only, text: execution.text, expected, index }),
  };
}

/** The first execution of a list that disagrees, with the program made small. */
export function firstFound(
  program: Program,
  reference: Reference,
  executions: readonly Execution[],
  tally: Tally,
  on?: Nx.BackendSpec,
): Found | null {
  for (const execution of executions) {
    tally.checks++;
    const found = disagreement(() => execution.run(program), program, reference);
    if (found) return foundBy(execution, program, found.text, undefined, on);
  }
  return null;
}

// -------------------------------------------------------------------------------------------------------- vectorized

/**
 * Under `vmap` all branches run for all entries, and a loop goes on until the last entry ends, so that a function that refuses
 * values may refuse those of an entry that would not have come to it (docs/defn.md).
 */
const MAY_REFUSE = /^Nx\.(Defn\.(cond|whileLoop)|quotient|remainder|idiv|mod|divide|leftShift|rightShift|pow)$/;

/** Functions of scalars see those of all entries, and may not read what differs from entry to entry (docs/defn.md). */
const OF_SCALARS = /^Nx\.(map|reduce|windowReduce)$/;

/** Why `vmap` may refuse a program that runs for each entry; null where it may not. */
function reasonOf(program: Program, { message }: Error): string | null {
  const names = functionsIn(program);
  if (message.includes("has other elements in each entry") && names.some((name) => OF_SCALARS.test(name)))
    return "a function of scalars that reads what differs from entry to entry";
  return names.some((name) => MAY_REFUSE.test(name)) ? "vmap ran what one entry alone would not" : null;
}

const entryOf = (execution: Vectorized, entry: 0 | 1): Execution => ({
  name: `${execution.name}, entry ${entry}`,
  text: (program, args) => `${execution.text(program)}(${args.map((arg) => `Nx.stack([${arg}, ${arg}])`).join(", ")}))`,
  run: (program) => execution.run(program).map((t) => t.at(entry)),
});

function vectorized(program: Program, reference: Reference, tally: Tally): Found | null {
  const other = { ...program, inputs: program.inputs.map(shifted) };
  const second = referenceOf(other);
  if (!second) {
    tally.leave("the second entry is refused by itself");
    return null;
  }
  for (const execution of VECTORIZED) {
    const results = tried(() => execution.run(program));
    tally.checks++;
    const reason = isRefusal(results) ? reasonOf(program, results as Error) : null;
    if (reason !== null) {
      tally.leave(reason);
      continue;
    }
    const all = [reference, second].map((values, k) =>
      disagreement(() => (results as readonly Tensor[]).map((t) => t.at(k)), program, values),
    );
    const entry = all.findIndex((one) => one !== null);
    if (entry < 0) continue;
    const found = foundBy(againFor(execution, entry === 0 ? 0 : 1), entry === 0 ? program : other, all[entry]!.text);
    return results instanceof Error ? { ...found, message: `${found.message} (${messageOf(results)})` } : found;
  }
  return null;
}

/** The second entry has to be compared with a run of the second entry: the program is then run with those inputs. */
const againFor = (execution: Vectorized, entry: 0 | 1): Execution => {
  const made = entryOf(execution, entry);
  if (entry === 0) return made;
  return {
    ...made,
    run: (program) => {
      const back = { ...program, inputs: program.inputs.map((input) => ({ ...input, pool: unshifted(input.pool) })) };
      return made.run(back);
    },
  };
};

const unshifted = <T>(pool: readonly T[]): readonly T[] =>
  pool.length > 1 ? [pool[pool.length - 1]!, ...pool.slice(0, -1)] : pool;

function tried(run: () => readonly Tensor[]): readonly Tensor[] | Error {
  try {
    return run();
  } catch (error) {
    return error as Error;
  }
}

// -------------------------------------------------------------------------------------------------------------- kind

/** Checks a program, which is told in the tally once it is made. */
export function checked(make: () => Made, tally: Tally, check: (made: Made) => Found | null): Found | null {
  try {
    const made = make();
    tally.programs++;
    tally.refused += made.refused;
    tally.use(functionsIn(made.program));
    for (const t of made.reference.values()) tally.types.add(t.type);
    return check(made);
  } catch (error) {
    if (error instanceof InternalError) return internal(error);
    throw error;
  }
}

/** What any execution gives that is not the reference, and what `vmap` does. */
export const anyFound = ({ program, reference }: Made, tally: Tally, executions = EXECUTIONS): Found | null =>
  firstFound(program, reference, executions, tally) ?? vectorized(program, reference, tally);

/** Checks the program of a seed by every execution. */
export const checkProgram = (seed: number, tally: Tally, executions = EXECUTIONS, wish?: Wish): Found | null =>
  checked(
    () => randomProgram(seed, ROWS, wish),
    tally,
    (made) => anyFound(made, tally, executions),
  );

export const programs: Kind = {
  name: "programs",
  about:
    "random programs of 1 to 12 steps on `binary` and `wasm`, eagerly, by both compilers, on 1, 2 and 4 threads, donated, under `vmap`: the same type, shape, names and bits",
  run: (seed, tally) => checkProgram(seed, tally),
};
