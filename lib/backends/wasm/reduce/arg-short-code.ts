/**
 * Positions of extremes in many short rows, several rows at a time: values and element numbers go along the rows in the lanes
 * of vectors. Works with addresses.
 */
import { i32, local, v128, type Code } from "../asm";
import { bytesOf, type DType } from "../../../core/types";
import { bodyOf, finishing, type Recurrence } from "../../../kernel/recurrence";
import { defineWith, placed } from "../codegen/body";
import { eachElement, eachGroups, loadElements, SHORT_INTS, SIDE, SPARE, storeResults } from "./short-code";
import { bodiesOf, lanesOf, setInit, type Held } from "./steps";

const ARGS = ["x", "groups", "rows", "pitch", "columns", "first", "values", "indices"] as const;

/**
 * `find(x, groups, rows, pitch, columns, first, values, indices)` of contiguous rows that are short, which begin with element
 * 0; `pitch`, `columns` and `first` do not count, and `values` are not written. Numbers are integers of a type. Of fewer groups
 * than lanes, up to three are written behind the last one.
 */
export function findShort(recurrence: Recurrence, out: DType): Code {
  const lanes = lanesOf(recurrence.type, recurrence);
  const finish = placed(finishing(recurrence, out), lanes.wide);
  const next = placed(
    bodyOf([lanes.wide ? "i64" : "i32"], (k, [number]) => [k.add(number!, 1)]),
    true,
  );
  const bodies = [...bodiesOf(lanes), finish, next];
  return defineWith(ARGS, [...SHORT_INTS, "left"], 3 + SIDE + SPARE, bodies, (v, vectors, run) => {
    const held: Held = [[vectors[0]!], [vectors[1]!]];
    const number = [vectors[2]!];
    const [elements, spare] = [vectors.slice(3, 3 + SIDE), vectors.slice(3 + SIDE)];
    local.set(v.pitch, i32.mul(v.rows, lanes.bytes));
    eachGroups(lanes.wide, v, (rows) => {
      setInit(lanes, held);
      v128.const("i32x4", [0, 0, 0, 0]);
      local.set(number[0]!);
      local.set(v.left, v.rows);
      eachElement({ lanes, rows, left: v.left, turns: SIDE }, (j) => {
        loadElements(lanes, rows, j, elements, spare, run);
        run(lanes.step, [...held, [elements[j]!], number], held);
        run(next, [number], [number]);
      });
      local.set(v.left, i32.add(v.indices, i32.mul(v.group, bytesOf(out))));
      storeResults(finish, lanes.wide, out, held, spare, v.left, run);
    });
  });
}
