/**
 * Random programs around contractions. Whole numbers are summed exactly, so that every way to run has the bits of the binary backend;
 * sums of floats are rounded as the backend rounds them, which each of its ways does alike.
 */
import { tune } from "../../lib/backends/tuning";
import { EXECUTIONS } from "./executions";
import { randomProgram, type Made, type Wish } from "./generate";
import type { Found, Kind, Tally } from "./kind";
import { beginWith, contractionsOf, type Sums } from "./ops/contractions";
import type { Program } from "./program";
import { anyFound, checked, firstFound } from "./programs";
import { Random } from "./random";
import { referenceOf } from "./shrink";

const ROWS = { exact: contractionsOf("exact"), rounded: contractionsOf("rounded") };

const wishOf = (r: Random, sums: Sums): Wish => ({
  steps: r.between(1, 10),
  most: r.pick([2000, 5000, 20_000, 50_000]),
  begin: beginWith(sums),
});

/** Op by op on one thread, where nothing waits. */
const PLAIN = ["wasm", { threads: 1, deferred: false }] as const;

const OF_WASM = EXECUTIONS.filter(({ name }) => name.startsWith("wasm"));

export function contractionProgram(seed: number, sums: Sums): Made {
  const r = new Random(seed ^ 0x5eed);
  const made = randomProgram(seed, ROWS[sums], wishOf(r, sums));
  const ids = made.program.steps.map(({ id }) => id);
  if (ids.length === 0) return made;
  const outputs = [...r.some(ids.slice(0, -1), r.pick([0.1, 0.4, 1])), ids[ids.length - 1]!];
  return { ...made, program: { ...made.program, outputs } };
}

/** Ways whose sums are those of the backend op by op. */
function checkRounded(program: Program, tally: Tally): Found | null {
  tune({ programs: false });
  const reference = referenceOf(program, PLAIN);
  tune({ programs: null });
  if (reference) return firstFound(program, reference, OF_WASM, tally, PLAIN);
  tally.leave("values of the binary backend alone are accepted");
  return null;
}

export function checkContractions(seed: number, tally: Tally): Found | null {
  const sums: Sums = seed % 3 === 0 ? "rounded" : "exact";
  return checked(
    () => contractionProgram(seed, sums),
    tally,
    (made) => (sums === "rounded" ? checkRounded(made.program, tally) : anyFound(made, tally)),
  );
}

export const contractions: Kind = {
  name: "contractions",
  about:
    "random programs around `dot` and `conv`, with what goes into them and comes of them: whole numbers have the bits of `binary` in every way to run, floats those of `wasm` op by op in all of its ways",
  run: (seed, tally) => checkContractions(seed, tally),
};
