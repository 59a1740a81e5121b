/**
 * Which names come out of every function that users can call: a rule in words and a call that shows it. A function without a row
 * fails `names.test.ts`; docs/names.md is made of the table by `npm run names`.
 */
import { AXES } from "./rows/axes";
import { CREATION } from "./rows/creation";
import { ELEMENTWISE } from "./rows/elementwise";
import { SPACES } from "./rows/spaces";
import type { Rows } from "./row";

export { NO_TENSORS } from "./rows/creation";

export const TABLE: Rows = { ...ELEMENTWISE, ...AXES, ...CREATION, ...SPACES };
