/**
 * Positions of extremes in many short rows, several rows at a time: values and element numbers go along the rows in the lanes
 * of vectors. Works with addresses.
 */
import { i32, i32x4, i64, i64x2, local, type Code } from "../asm";
import { bytesOf, type DType } from "../../../core/types";
import { finishing, type Search } from "../../../kernel/recurrence";
import { defineWith, placed } from "../codegen/body";
import { eachElement, eachGroups, loadElements, SHORT_INTS, SIDE, SPARE, storeResults } from "./across-rows";
import { bodiesOf, lanesOf, setInit, type Held } from "./steps";

const ARGS = ["x", "groups", "rows", "pitch", "columns", "first", "values", "indices"] as const;

/**
 * `find(x, groups, rows, pitch, columns, first, values, indices)` of contiguous rows that are short, which begin with element
 * 0; `pitch`, `columns` and `first` do not count, and `values` are not written. Numbers are integers of a type. Of fewer groups
 * than lanes, up to three are written behind the last one.
 */
export function findShort(search: Search, out: DType): Code {
  const lanes = lanesOf(search, search.shortcut);
  const finish = placed(finishing(search, out, search.shortcut), lanes.wide);
  const bodies = [...bodiesOf(lanes), finish];
  return defineWith(ARGS, [...SHORT_INTS, "left"], 3 + SIDE + SPARE, bodies, (v, vectors, run) => {
    const held: Held = [[vectors[0]!], [vectors[1]!]];
    const last = [vectors[2]!];
    const [elements, spare] = [vectors.slice(3, 3 + SIDE), vectors.slice(3 + SIDE)];
    local.set(v.pitch, i32.mul(v.rows, lanes.bytes));
    local.set(v.left, i32.sub(v.rows, 1));
    local.set(last[0]!, lanes.wide ? i64x2.splat(i64.extend_i32_u(v.left)) : i32x4.splat(v.left));
    eachGroups(lanes.wide, v, (rows) => {
      setInit(lanes, held);
      local.set(v.left, v.rows);
      eachElement({ lanes, rows, left: v.left, turns: SIDE }, (j) => {
        loadElements(lanes, rows, j, elements, spare, run);
        run(lanes.step, [...held, [elements[j]!], []], held);
      });
      local.set(v.left, i32.add(v.indices, i32.mul(v.group, bytesOf(out))));
      storeResults(finish, lanes.wide, out, [...held, last], spare, v.left, run);
    });
  });
}
