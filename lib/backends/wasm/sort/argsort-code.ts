/**
 * Functions for positions in lines: records that have a position in their lower word and part of a key in the upper one, and
 * the way from such records, or from the positions that networks leave, to integers of the result.
 */
import { advance, define, i32, i64x2, local, range, v128, type Code, type Vector } from "../asm";
import { words } from "../codegen/vectors";

/** `number(keys, lines, n, step, to)`: records of the positions in lines, with words `step` bytes apart as their keys. */
function numberWords(): Code {
  return define(["keys", "lines", "n", "step", "to"], ["line", "i"], 0, (v) => {
    range(v.line, v.lines, 1, () =>
      range(v.i, v.n, 1, () => {
        i32.store({}, v.to, v.i);
        local.get(v.to);
        i32.load({}, v.keys);
        i32.store({ offset: 4 });
        advance(v.to, 8);
        advance(v.keys, v.step);
      }),
    );
  });
}

/** `again(keys, lines, n, to)`: the words at which positions point, 8 bytes apart, become the keys of the records. */
function againBy(): Code {
  return define(["keys", "lines", "n", "to"], ["line", "i", "at"], 0, (v) => {
    range(v.line, v.lines, 1, () => {
      range(v.i, v.n, 1, () => {
        local.set(v.at, i32.shl(i32.load({}, v.to), 3));
        local.get(v.to);
        i32.add(v.at, v.keys);
        i32.load({});
        i32.store({ offset: 4 });
        advance(v.to, 8);
      });
      local.set(v.at, i32.shl(v.n, 3));
      advance(v.keys, v.at);
    });
  });
}

/** `take(x, n, to)`: positions of `from` bytes, the lower word of which counts, as integers of `to` bytes; by four. */
function takeAs(from: 4 | 8, to: 4 | 8): Code {
  return define(["x", "n", "to"], ["i"], 2, (v, [a, b]) => {
    range(v.i, v.n, 4, () => {
      local.set(a, v128.load({}, v.x));
      if (from === 8) local.set(b, v128.load({ offset: 16 }, v.x));
      if (to === 4) v128.store({}, v.to, words(a, b, [0, 2, 4, 6]));
      else {
        v128.store({}, v.to, from === 8 ? lower(a) : i64x2.extend_low_i32x4_u(a));
        v128.store({ offset: 16 }, v.to, from === 8 ? lower(b) : i64x2.extend_high_i32x4_u(a));
      }
      advance(v.x, 4 * from);
      advance(v.to, 4 * to);
    });
  });
}

const lower = (x: Vector) => v128.and(v128.const("i64x2", [0xffffffffn, 0xffffffffn]), x);

/** The functions of the module; `take84` makes integers of 4 bytes of records of 8. */
export const positionFunctions = (): { readonly [N in "number" | "again" | "take88" | "take84" | "take48"]: Code } => ({
  number: numberWords(),
  again: againBy(),
  take88: takeAs(8, 8),
  take84: takeAs(8, 4),
  take48: takeAs(4, 8),
});
