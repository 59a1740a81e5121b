/**
 * Functions that repeat a few bytes. They write whole vectors, up to 256 bytes behind the end: what comes behind is written later.
 */
import { advance, define, i32, local, onward, range, v128, type Code, type Size, type Vector } from "../asm";

/** Vectors that are held at most; a pattern that takes more is read again and again, which waits for what was just written. */
const HELD = 16;

/** `repeat(from, to, bytes)`: a run of `period` bytes again and again, until there are so many bytes. */
export function repeatedFunction(period: number): Code {
  // after so many bytes, both the run and a vector begin anew
  const pattern = leastMultiple(period, 16);
  const held = pattern / 16 <= HELD ? pattern / 16 : 0;
  return define(["from", "to", "bytes"], ["at", "target"], held, ({ from, to, bytes, at, target }, vectors) => {
    const copy = (back: number): void => {
      local.set(target, i32.add(to, at));
      v128.store({ align: 1 }, target, v128.load({ align: 1 }, i32.sub(target, back)));
    };
    for (let done = 0; done < period; done += 16) {
      v128.store({ align: 1, offset: done }, to, v128.load({ align: 1, offset: done }, from));
    }
    // what is read lies so many bytes before what is written that it has been written
    const back = Math.ceil(16 / period) * period;
    for (let done = period; done < back; done += period) {
      v128.store({ align: 1, offset: done }, to, v128.load({ align: 1 }, from));
    }
    local.set(at, back);
    onward(at, held > 0 ? pattern : bytes, 16, () => copy(back));
    if (held === 0) return;
    vectors.forEach((vector, i) => local.set(vector, v128.load({ align: 1, offset: 16 * i }, to)));
    local.set(at, pattern);
    onward(at, bytes, pattern, () => {
      local.set(target, i32.add(to, at));
      vectors.forEach((vector, i) => v128.store({ align: 1, offset: 16 * i }, target, vector));
    });
  });
}

/** The least number that is a multiple of both. */
function leastMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return (a / x) * b;
}

const SPLAT = {
  1: v128.load8_splat,
  2: v128.load16_splat,
  4: v128.load32_splat,
  8: v128.load64_splat,
  16: v128.load,
} as const;

/** `spread(from, pitch, to, n)`: each of `n` elements, `pitch` bytes apart, so many times. */
export function spreadFunction(size: Size, count: number): Code {
  return define(["from", "pitch", "to", "n"], ["i"], 1, ({ from, pitch, to, n, i }, [element]) => {
    range(i, n, 1, () => {
      local.set(element as Vector, SPLAT[size]({ align: 1 }, from));
      for (let at = 0; at < size * count; at += 16) v128.store({ align: 1, offset: at }, to, element!);
      advance(to, size * count);
      advance(from, pitch);
    });
  });
}
