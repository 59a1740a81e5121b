/** All rows from which steps are made. */
import type { Make, Rows } from "../generate";
import { CONTROL } from "./control";
import { COMMON, ELEMENTWISE } from "./elementwise";
import { REDUCTIONS } from "./reductions";
import { SHAPE } from "./shape";

const listOf = (rows: Rows): Make[] => Object.values(rows);

/** Rows of one element-wise op each are many: those that move, fold and branch have as many chances together as they have. */
export const ROWS: readonly Make[] = [
  ...listOf(ELEMENTWISE),
  ...Array.from({ length: 3 }, () => listOf(COMMON)).flat(),
  ...Array.from({ length: 3 }, () => listOf(SHAPE)).flat(),
  ...Array.from({ length: 2 }, () => listOf(REDUCTIONS)).flat(),
  ...Array.from({ length: 3 }, () => listOf(CONTROL)).flat(),
];
