/** Backends with a defect in a member. */
import type { Mutant } from "../mutant";
import { LAYOUTS } from "./layouts";
import { MEMORY } from "./memory";
import { VALUES } from "./values";

export const MUTANTS: readonly Mutant[] = [...MEMORY, ...VALUES, ...LAYOUTS];
