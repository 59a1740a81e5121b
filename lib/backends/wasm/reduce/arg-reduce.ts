/**
 * Positions of extremes in WebAssembly, the same as those of the binary backend. Complex numbers, which have no order, and
 * small work are left to that.
 */
import type { PrimitiveFunction } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { bytesOf, isComplex, isInteger, type DType } from "../../../core/types";
import { argReduce, gridOf } from "../../binary/arg-reduce";
import type { Grid } from "../../binary/fold";
import { allocateUnset, BinaryData, elementsOf, type Elements } from "../../binary/storage";
import { moduleBytes } from "../emit";
import { inScratch, scratch } from "../memory";
import { loadModule, type KernelModule } from "../module";
import { searchFunctions, searchOf, type Search } from "./arg-code";
import { finisher, SLACK } from "./folds";
import { longestRow, reduceGrid, type Reducer, type Region } from "./grid";
import { copyOut } from "../stream";

/** Below this many elements the loops of the binary backend are faster (measured). */
const SMALL = 2048;

interface Searcher {
  readonly search: Search;
  readonly module: KernelModule;
}

const known = new Map<string, Searcher>();

function searcherFor(type: DType, least: boolean, later: boolean): Searcher {
  const key = `${type} ${least} ${later}`;
  const before = known.get(key);
  if (before) return before;
  const search = searchOf(type, least, later);
  const made = { search, module: loadModule(moduleBytes(searchFunctions(search))) };
  known.set(key, made);
  return made;
}

export const wasmArgReduce: PrimitiveFunction<"argReduce"> = (out, inputs, attrs) => {
  const x = inputs[0]!;
  const suits = !isComplex(x.type) && isInteger(out.type) && sizeOf(x.shape) < 2 ** 31;
  if (!suits || sizeOf(x.shape) < SMALL) return argReduce(out, inputs, attrs);
  const searcher = searcherFor(x.type, attrs.op === "argmin", attrs.tieBreak === "high");
  return new BinaryData(findAll(searcher, x.type, elementsOf(x), gridOf(x.shape, attrs.axis), out.type));
};

function findAll({ search, module }: Searcher, type: DType, source: Elements, grid: Grid, outType: DType): Elements {
  const results = allocateUnset(outType, [grid.groups * grid.columns]);
  const finish = finisher("s32", outType);
  inScratch(() => {
    const longest = longestRow(bytesOf(type), grid) + 16;
    const rounded = finish ? scratch(longest * bytesOf(outType) + SLACK) : 0;
    const emit = (address: number, n: number, at: number): void => {
      finish?.(address, n, rounded);
      copyOut(outType, finish ? rounded : address, n, results, at);
    };
    reduceGrid(reducerOf(search, module, emit), type, source, grid);
  });
  return results;
}

function reducerOf(
  search: Search,
  module: KernelModule,
  emit: (address: number, n: number, at: number) => void,
): Reducer {
  const size = search.wide ? 8 : 4;
  // Values first, then numbers.
  const valuesBytes = (entries: number): number => Math.ceil((entries * size + SLACK) / 64) * 64;
  const valueAt = ({ address }: Region, at: number): number => address + at * size;
  const numberAt = ({ address, entries }: Region, at: number): number => address + valuesBytes(entries) + 4 * at;
  return {
    module,
    name: "find",
    bytes: bytesOf(search.type),
    rowEntries: (columns) => Math.ceil(columns / 4) * 4,
    regionBytes: (entries) => valuesBytes(entries) + 4 * entries,
    tempBytes: () => 0,
    call: ({ x, groups, rows, pitch, columns, first }, to, at) => [
      ...[x, groups, rows, pitch, columns, first],
      valueAt(to, at),
      numberAt(to, at),
    ],
    join: (region, at, count, columns) =>
      void module.exports.merge!(valueAt(region, at), numberAt(region, at), count, columns),
    emit: (region, from, n, at) => emit(numberAt(region, from), n, at),
  };
}
