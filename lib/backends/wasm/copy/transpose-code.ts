/**
 * Turning planes, transposed matrices above all: neighbours in memory become neighbours across rows, four by four.
 */
import { copyOne, define, i32, i8x16, local, onward, range, v128, when, type Code, type Vector } from "../asm";

/** Bytes of items that vectors bring into order. */
type TurnedSize = 4 | 8;

/** Bytes of two vectors, by blocks of so many bytes: blocks of the second are counted on from those of the first. */
function shuffled(size: TurnedSize, a: Vector, b: Vector, blocks: readonly number[]): void {
  const bytes = blocks.flatMap((block) => Array.from({ length: size }, (_, i) => block * size + i));
  i8x16.shuffle(bytes, a, b);
}

/** Transposes the square that the rows of vectors are. */
function transpose(size: TurnedSize, rows: readonly Vector[], temp: readonly Vector[]): void {
  if (size === 8) {
    const [a, b] = rows as [Vector, Vector];
    shuffled(8, a, b, [0, 2]);
    local.set(temp[0]!);
    shuffled(8, a, b, [1, 3]);
    local.set(b);
    local.set(a, temp[0]!);
    return;
  }
  const [a, b, c, d] = rows as [Vector, Vector, Vector, Vector];
  const [p, q, r, s] = temp as [Vector, Vector, Vector, Vector];
  const set = (to: Vector, x: Vector, y: Vector, blocks: readonly number[]): void => {
    shuffled(4, x, y, blocks);
    local.set(to);
  };
  set(p, a, b, [0, 4, 1, 5]);
  set(q, a, b, [2, 6, 3, 7]);
  set(r, c, d, [0, 4, 1, 5]);
  set(s, c, d, [2, 6, 3, 7]);
  set(a, p, r, [0, 1, 4, 5]);
  set(b, p, r, [2, 3, 6, 7]);
  set(c, q, s, [0, 1, 4, 5]);
  set(d, q, s, [2, 3, 6, 7]);
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
