/** Looks for each deliberate defect, and says which programs show it. */
import type { Tensor } from "nx-numerics";
import { DEFECTS, type Defect } from "./defects";
import { eagerOn } from "./executions";
import { randomProgram } from "./generate";
import type { Found } from "./kind";
import { ROWS } from "./ops";
import { disagreement, foundBy } from "./programs";
import type { Program } from "./program";

/** Programs tried for each defect. */
export const TRIES = 1500;

interface Shown {
  readonly seed: number;
  readonly program: Program;
  readonly reference: ReadonlyMap<number, Tensor>;
}

/** The first program, from a seed on, on which a defect shows. */
export function shownBy({ backend }: Defect, first: number, tries: number): Shown | null {
  const execution = eagerOn(backend);
  for (let seed = first; seed < first + tries; seed++) {
    const { program, reference } = randomProgram(seed, ROWS);
    if (disagreement(() => execution.run(program), program, reference)) return { seed, program, reference };
  }
  return null;
}

/** What the fuzzer says of a defect. */
export const foundFor = ({ backend, name }: Defect, { program }: Shown, milliseconds?: number): Found =>
  foundBy(eagerOn(backend), program, name, milliseconds);

/** Looks for all of them; whether all were found. */
export function findDefects(): boolean {
  let found = 0;
  for (const defect of DEFECTS) {
    const shown = shownBy(defect, 1, TRIES);
    if (shown) found++;
    const text = shown
      ? `found by seed ${shown.seed}\n${foundFor(defect, shown, 5000).example}`
      : `not found in ${TRIES}`;
    console.log(`${defect.name}: ${text}`);
  }
  console.log(`${found} of ${DEFECTS.length} defects found`);
  return found === DEFECTS.length;
}
