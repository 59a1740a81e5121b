/**
 * Positions of extremes in WebAssembly, the same as those of the binary backend. Complex numbers, which have no order, and
 * small work are left to that.
 */
import type { Attrs, PrimitiveFunction } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { bytesOf, isComplex, isInteger, type DType } from "../../../core/types";
import { ARG_REDUCTIONS, type Search } from "../../../kernel/recurrence";
import type { Kernel } from "../../../kernel/value";
import type { Elements } from "../../arrays/storage";
import { gridOf } from "../../binary/arg-reduce";
import type { Grid } from "../../binary/fold";
import { arrays } from "../arrays";
import { moduleBytes } from "../emit";
import { SLACK } from "../memory";
import { loadModule, type KernelModule } from "../module";
import { plain } from "../plain";
import { residentElements } from "../resident";
import { searchFunctions } from "./arg-code";
import { findShort } from "./arg-short-code";
import { placeIn, reduceTo, type Emit, type Reducer, type Region } from "./grid";
import { Kept } from "./kept";
import { isShort } from "./short-code";
import { entryBytes, lanesOf } from "./steps";
import { ARG_REDUCE_FROM } from "../schedule";

interface Searcher {
  readonly search: Search;
  readonly module: KernelModule;
  /** Type of the element numbers that it finds. */
  readonly stored: DType;
  readonly isForShort: boolean;
}

const kept = new Kept<Searcher | null>();

type Ties = Pick<Attrs["argReduce"], "op" | "tieBreak">;

/** Of elements of a type, or of what a kernel computes of them; null where these are no single vectors. */
function searcherFor(of: DType | Kernel, { op, tieBreak }: Ties, grid: Grid, out: DType): Searcher | null {
  const isForShort = isShort(grid.rows, grid.columns);
  return kept.get(of, `${op} ${tieBreak} ${isForShort ? out : ""}`, (over) => {
    const plainly = (type: DType): Search => ARG_REDUCTIONS[op](type, tieBreak);
    const search = over(plainly)!;
    if (typeof of !== "string" && lanesOf(search, search.extreme).width === 2) return null;
    const stored = isForShort ? out : entryBytes(search) === 8 ? "s64" : "s32";
    const functions = isForShort ? { find: findShort(search, out) } : searchFunctions(search);
    return { search, module: loadModule(moduleBytes(functions)), stored, isForShort };
  });
}

export const wasmArgReduce: PrimitiveFunction<"argReduce"> = (out, inputs, attrs) => {
  const x = inputs[0]!;
  const suits = !isComplex(x.type) && isInteger(out.type) && sizeOf(x.shape) < 2 ** 31;
  if (!suits || sizeOf(x.shape) < ARG_REDUCE_FROM) return plain.argReduce(out, inputs, attrs);
  const grid = gridOf(x.shape, attrs.axis);
  const searcher = searcherFor(x.type, attrs, grid, out.type)!;
  return arrays.hold(findAll(searcher, x.type, residentElements(x), grid, out.type));
};

/**
 * Places of extremes of what a kernel computes; null where there are more elements than can be numbered, or where results of 64 bits
 * are made of what is no vector of two elements: of narrow or complex ones.
 */
export function searchOver(kernel: Kernel, ties: Ties, source: Elements, grid: Grid, out: DType): Elements | null {
  if (grid.groups * grid.rows * grid.columns >= 2 ** 31) return null;
  const searcher = searcherFor(kernel, ties, grid, out);
  return searcher && findAll(searcher, kernel.inputs[0]!.type, source, grid, out);
}

const findAll = (searcher: Searcher, type: DType, source: Elements, grid: Grid, out: DType): Elements =>
  reduceTo(out, searcher.stored, (emit, base) => reducerOf(searcher, emit, base), type, source, grid);

function reducerOf({ search, module, stored, isForShort }: Searcher, emit: Emit, base: number | null): Reducer {
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
