/**
 * Turning planes, transposed matrices above all: neighbours in memory become neighbours across rows, four by four.
 */
import { copyOne, define, i32, local, onward, range, shuffleItems, v128, when, type Code, type Vector } from "../asm";

/** Bytes of items that vectors bring into order. */
type TurnedSize = 4 | 8;

/** Transposes the square that the rows of vectors are. */
function transpose(size: TurnedSize, rows: readonly Vector[], temp: readonly Vector[]): void {
  const set = (to: Vector, x: Vector, y: Vector, items: readonly number[], bytes: number = size): void =>
    local.set(to, shuffleItems(bytes, items, x, y));
  const [a, b, c, d] = rows as [Vector, Vector, Vector, Vector];
  const [p, q, r, s] = temp as [Vector, Vector, Vector, Vector];
  if (size === 8) {
    set(p, a, b, [0, 2]);
    set(b, a, b, [1, 3]);
    return local.set(a, p);
  }
  set(p, a, b, [0, 4, 1, 5]);
  set(q, a, b, [2, 6, 3, 7]);
  set(r, c, d, [0, 4, 1, 5]);
  set(s, c, d, [2, 6, 3, 7]);
  set(a, p, r, [0, 2], 8);
  set(b, p, r, [1, 3], 8);
  set(c, q, s, [0, 2], 8);
  set(d, q, s, [1, 3], 8);
}

/**
 * `rows` rows of `inner` items, `pitch` bytes apart at `to`: item i of row r is at `from + i * step + r * size`. Squares of whole
 * vectors first, then what is left beside and below them, one by one.
 */
export function turnFunction(size: TurnedSize): Code {
  const side = 16 / size;
  const args = ["to", "pitch", "from", "step", "inner", "rows"] as const;
  const own = ["i", "r", "source", "target", "wholeRows", "wholeInner"] as const;
  return define(args, own, 2 * side, (v, vectors) => {
    const { to, pitch, from, step, inner, rows, i, r, source, target, wholeRows, wholeInner } = v;
    const place = (): void => {
      local.set(source, i32.add(from, i32.add(i32.mul(i, step), i32.mul(r, size))));
      local.set(target, i32.add(to, i32.add(i32.mul(r, pitch), i32.mul(i, size))));
    };
    const one = (): void => {
      place();
      copyOne(size, target, source);
    };
    local.set(wholeRows, i32.and(rows, -side));
    local.set(wholeInner, i32.and(inner, -side));
    const held = vectors.slice(0, side);
    range(i, wholeInner, side, () => {
      range(r, wholeRows, side, () => {
        place();
        for (const vector of held) {
          local.set(vector, v128.load({ align: size }, source));
          local.set(source, i32.add(source, step));
        }
        transpose(size, held, vectors.slice(side));
        for (const vector of held) {
          v128.store({ align: size }, target, vector);
          local.set(target, i32.add(target, pitch));
        }
      });
      local.set(r, wholeRows);
      i32.lt_u(r, rows);
      when(() => {
        // Rows below the squares, of the columns that these have.
        onward(r, rows, 1, () => {
          place();
          for (let k = 0; k < side; k++) {
            copyOne(size, target, source);
            local.set(source, i32.add(source, step));
            local.set(target, i32.add(target, size));
          }
        });
      });
    });
    local.set(i, wholeInner);
    onward(i, inner, 1, () => range(r, rows, 1, one));
  });
}
