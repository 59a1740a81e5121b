/**
 * The modules that sorting consists of, each made when first needed: elements to keys and back for each type, lines of keys
 * by digits or by networks for each kind of record, and positions.
 */
import type { DType } from "../../../core/types";
import { Recent } from "../../../kernel/generational-cache";
import { exportsOf, type Exports } from "../modules/cache";
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
const TABLES_KEPT = 16;
const tables = new Recent<Int32Array>(TABLES_KEPT);

/** The comparisons of the network for a length. */
export const tableOf = (lanes: Lanes, n: number): Int32Array =>
  tables.getOrMake(`${n} ${lanes.bytes} ${lanes.positions}`, () => networkTable(lanes, n));
