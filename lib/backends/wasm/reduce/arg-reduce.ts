/**
 * Positions of extremes in WebAssembly, the same as those of the binary backend. Complex numbers, which have no order, and
 * small work are left to that.
 */
import type { Attrs, PrimitiveFunction } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { bytesOf, isComplex, isInteger, type DType } from "../../../core/types";
import { composed } from "../../../kernel/compose";
import { Recent } from "../../../kernel/generational-cache";
import { keyOf } from "../../../kernel/key";
import { ARG_REDUCTIONS, type Search } from "../../../kernel/recurrence";
import type { Kernel } from "../../../kernel/value";
import type { Elements } from "../../arrays/storage";
import { gridOf } from "../../binary/arg-reduce";
import type { Grid } from "../../binary/fold";
import { arrays } from "../arrays";
import { moduleBytes } from "../emit";
import { inScratch, scratch } from "../memory";
import { loadModule, type KernelModule } from "../module";
import { plain } from "../plain";
import { residentElements } from "../resident";
import { Stored } from "../placement";
import { searchFunctions } from "./arg-code";
import { findShort } from "./arg-short-code";
import { finisher, SLACK } from "./folds";
import { longestRow, placeIn, reduceGrid, type Reducer, type Region } from "./grid";
import { isShort } from "./short-code";
import { entryBytes } from "./steps";
import { ARG_REDUCE_FROM } from "../schedule";

interface Searcher {
  readonly search: Search;
  readonly module: KernelModule;
  /** Type of the element numbers that it finds. */
  readonly stored: DType;
  readonly isForShort: boolean;
}

const known = new Map<string, Searcher>();

/** Searches of what kernels compute that are kept at hand. */
const KEPT = 64;
const computed = new Recent<Searcher>(KEPT);

type Ties = Pick<Attrs["argReduce"], "op" | "tieBreak">;

/** Of elements of a type, or of what a kernel computes of them. */
function searcherFor(of: DType | Kernel, { op, tieBreak }: Ties, grid: Grid, out: DType): Searcher {
  const isForShort = isShort(grid.rows, grid.columns);
  const kept = typeof of === "string" ? known : computed;
  const key = `${typeof of === "string" ? of : keyOf(of)} ${op} ${tieBreak} ${isForShort ? out : ""}`;
  const cached = kept.get(key);
  if (cached) return cached;
  const plainly = (type: DType): Search => ARG_REDUCTIONS[op](type, tieBreak);
  const search = typeof of === "string" ? plainly(of) : composed(of, plainly)!;
  const stored = isForShort ? out : entryBytes(search) === 8 ? "s64" : "s32";
  const functions = isForShort ? { find: findShort(search, out) } : searchFunctions(search);
  const fresh = { search, module: loadModule(moduleBytes(functions)), stored, isForShort } as const;
  kept.set(key, fresh);
  return fresh;
}

export const wasmArgReduce: PrimitiveFunction<"argReduce"> = (out, inputs, attrs) => {
  const x = inputs[0]!;
  const suits = !isComplex(x.type) && isInteger(out.type) && sizeOf(x.shape) < 2 ** 31;
  if (!suits || sizeOf(x.shape) < ARG_REDUCE_FROM) return plain.argReduce(out, inputs, attrs);
  const grid = gridOf(x.shape, attrs.axis);
  const searcher = searcherFor(x.type, attrs, grid, out.type);
  return arrays.hold(findAll(searcher, x.type, residentElements(x), grid, out.type));
};

/**
 * Places of extremes of what a kernel computes; null where there are more elements than can be numbered, or where results of 64 bits
 * are made of what is no vector of two elements: of narrow or complex ones.
 */
export function searchOver(kernel: Kernel, ties: Ties, source: Elements, grid: Grid, out: DType): Elements | null {
  const [{ type: from }, { type: to }] = [kernel.inputs[0]!, kernel.outputs[0]!];
  const isRegrouped = bytesOf(to) === 8 && (bytesOf(from) < 8 || isComplex(from));
  if (grid.groups * grid.rows * grid.columns >= 2 ** 31 || isRegrouped) return null;
  return findAll(searcherFor(kernel, ties, grid, out), from, source, grid, out);
}

function findAll(searcher: Searcher, type: DType, source: Elements, grid: Grid, outType: DType): Elements {
  const { stored } = searcher;
  const results = arrays.unset(outType, [grid.groups * grid.columns]);
  const finish = finisher(stored, outType);
  const target = new Stored(outType, results);
  const base = finish ? null : target.addressOf(0);
  inScratch(() => {
    const longest = longestRow(bytesOf(type), grid) + 16;
    const rounded = finish ? scratch(longest * bytesOf(outType) + SLACK) : 0;
    const emit = (address: number, n: number, at: number): void => {
      finish?.(address, n, rounded);
      target.put(finish ? rounded : address, n, at);
    };
    reduceGrid(reducerOf(searcher, base, emit), type, source, grid);
  });
  return results;
}

function reducerOf(
  { search, module, stored, isForShort }: Searcher,
  base: number | null,
  emit: (address: number, n: number, at: number) => void,
): Reducer {
  const [size, numberBytes] = [entryBytes(search), bytesOf(stored)];
  // Values first, then numbers; of short rows none is cut, so no values are needed to compare pieces by.
  const valuesBytes = (entries: number): number => (isForShort ? 0 : Math.ceil((entries * size + SLACK) / 64) * 64);
  const valueAt = ({ address }: Region, at: number): number => address + at * size;
  const numberAt = ({ address, entries }: Region, at: number): number =>
    address + valuesBytes(entries) + numberBytes * at;
  return {
    module,
    name: "find",
    bytes: bytesOf(search.type),
    rowEntries: (columns) => Math.ceil(columns / 4) * 4,
    regionBytes: (entries) => valuesBytes(entries) + numberBytes * entries,
    tempBytes: () => 0,
    call: ({ x, groups, rows, pitch, columns, first }, to, at) => [
      ...[x, groups, rows, pitch, columns, first],
      valueAt(to, at),
      numberAt(to, at),
    ],
    ...(isForShort && { placeFor: placeIn(base, numberBytes) }),
    join: (region, at, count, columns) =>
      void module.exports.merge!(valueAt(region, at), numberAt(region, at), count, columns),
    emit: (region, from, n, at) => emit(numberAt(region, from), n, at),
  };
}
