/**
 * The modules that sorting consists of, each made when first needed: elements to keys and back for each type, lines of keys
 * by digits or by networks for each kind of record, and positions.
 */
import type { DType } from "../../../core/types";
import { exportsOf, type Exports } from "../module-cache";
import { codecFunctions } from "./key-code";
import { networkFunctions, networkTable, type Lanes } from "./network-code";
import { positionFunctions } from "./argsort-code";
import { radixFunctions, type Records } from "./radix-code";

export const codecOf = (type: DType): Exports => exportsOf(`sort codec ${type}`, () => codecFunctions(type));

export const positionsModule = (): Exports => exportsOf("sort positions", positionFunctions);

export const networkOf = (lanes: Lanes): Exports =>
  exportsOf(`sort network ${lanes.bytes} ${lanes.positions}`, () => networkFunctions(lanes));

export function radixOf(records: Records): Exports {
  const digits = records.digits.map(({ word, shift, bits }) => `${word}.${shift}.${bits}`).join();
  return exportsOf(`sort radix ${records.bytes} ${digits}`, () => radixFunctions(records));
}

/** Tables of the lengths used last. */
const tables = new Map<string, Int32Array>();
const TABLES_KEPT = 16;

/** The comparisons of the network for a length. */
export function tableOf(lanes: Lanes, n: number): Int32Array {
  const key = `${n} ${lanes.bytes} ${lanes.positions}`;
  const table = tables.get(key) ?? networkTable(lanes, n);
  tables.delete(key);
  tables.set(key, table); // the one used last comes last
  if (tables.size > TABLES_KEPT) tables.delete(tables.keys().next().value!);
  return table;
}
