/** Keys of modules that are made under other names than they are kept under at hand: the package has modules by these keys. */
import { setFlagsFromString } from "node:v8";
import { describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import { contractionModule, type SumType } from "../../../lib/backends/wasm/matmul/functions";
import { reducerFor } from "../../../lib/backends/wasm/reduce/reducers";
import { scannerFor } from "../../../lib/backends/wasm/reduce/scan";
import { searcherFor } from "../../../lib/backends/wasm/reduce/search";
import { DTYPES, isComplex, type DType } from "../../../lib/core/types";
import { CUMULATIVE, REDUCE, type CumulativeOp, type ReduceOp } from "../../../lib/ops";

const made = vi.hoisted(() => {
  vi.resetModules(); // the library was loaded before this file, without the record
  return new Map<string, string>();
});

vi.mock("../../../lib/backends/assembled", () => ({
  assembled: (key: string, assemble: () => Uint8Array) => {
    const bytes = assemble();
    const [now, before] = [bytes.join(), made.get(key)];
    made.set(key, now);
    if (before !== undefined && before !== now) throw new Error(`two modules for the key ${key}`);
    return bytes;
  },
}));

// Node 20 has it behind a flag; later ones do not know the flag any more, or need none.
if (process.versions.node.startsWith("20.")) setFlagsFromString("--experimental-wasm-relaxed-simd");

const REAL = DTYPES.filter((type) => !isComplex(type));
const ROWS = [1, 2, 3, 4, 5, 31, 32, 100, 101];
const GRIDS = ROWS.flatMap((rows) => [1, 3].map((columns) => ({ groups: 6, rows, columns })));
const STEPS = [1, 2, -1] as const;

/** How many keys there are after calls that were not there before. */
function keysOf(calls: () => void): number {
  const before = made.size;
  calls();
  return made.size - before;
}

/** More keys than so many for each type of real numbers. */
function expectKeys(calls: (of: DType) => void, least: number): void {
  for (const of of REAL) {
    const keys = keysOf(() => calls(of));
    expect(keys, of).toBeGreaterThan(least);
  }
}

describe("a key of a module", () => {
  it("of reductions says operation, types, rows and steps", () => {
    const ops = Object.keys(REDUCE) as ReduceOp[];
    const fold = (of: DType): void => {
      for (const op of ops)
        for (const grid of GRIDS)
          for (const out of [of, "f32", "f64"] as const) for (const by of STEPS) reducerFor(op, of, grid, out, by);
    };
    expectKeys(fold, 20);
  });

  it("of searches says which of equal elements count", () => {
    const search = (of: DType): void => {
      for (const op of ["argmax", "argmin"] as const)
        for (const tieBreak of ["low", "high"] as const)
          for (const grid of GRIDS)
            for (const out of ["s32", "s64", "u8"] as const)
              for (const by of STEPS) searcherFor(of, { op, tieBreak }, grid, out, by);
    };
    expectKeys(search, 10);
  });

  it("of scans says the direction of short lines", () => {
    const ops = Object.keys(CUMULATIVE) as CumulativeOp[];
    const scan = (of: DType): void => {
      for (const op of ops)
        for (const grid of GRIDS) for (const reverse of [false, true]) scannerFor(op, of, grid, reverse);
    };
    expectKeys(scan, 15);
  });

  it("of products says whether they are added unrounded", () => {
    const products = (): void => {
      for (const fma of ["exact", "relaxed"] as const) {
        Nx.configure({ fma });
        for (const type of ["f32", "f64", "s32", "s64"] satisfies SumType[]) contractionModule(type);
      }
    };
    expect(keysOf(products)).toBe(6);
  });
});
