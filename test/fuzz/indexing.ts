/** Random programs around positions, order, windows and running reductions, with every option there is (ops/indexing.ts). */
import { randomProgram, type Wish } from "./generate";
import type { Found, Kind, Tally } from "./kind";
import { INDEXING } from "./ops/indexing";
import { anyFound, checked } from "./programs";
import { Random } from "./random";

const wishOf = (r: Random): Wish => ({
  steps: r.between(1, 8),
  most: r.pick([60, 600, 600, 2000, 5000, 20_000]),
});

export const checkIndexing = (seed: number, tally: Tally): Found | null =>
  checked(
    () => randomProgram(seed, INDEXING, wishOf(new Random(seed ^ 0x1dec))),
    tally,
    (made) => anyFound(made, tally),
  );

export const indexing: Kind = {
  name: "indexing",
  about:
    "random programs around lookups, updates, slices, order, windows, padding, running reductions and transforms with all options, in every way to run: the same type, shape, names and bits",
  run: checkIndexing,
};
