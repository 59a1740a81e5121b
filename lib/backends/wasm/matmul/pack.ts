/**
 * Bringing lines of a matrix (rows of the left one, columns of the right one) into panels that tiles read on and on:
 * step after step of k, the elements of the panel's lines side by side. Knows strides, not what the panels are for.
 */
import {
  advance,
  call,
  copyOne,
  define,
  i32,
  i64,
  i8x16,
  loadVector,
  local,
  range,
  repeat,
  setAddress,
  setMinimum,
  storeVector,
  v128,
  when,
  type Code,
  type Int,
  type Lanes,
  type Vector,
} from "../asm";

/** Packs `count` lines of any strides into a panel of `width` lines; missing lines are 0. */
function packOneByOne(lanes: Lanes): Code {
  const names = ["l", "p", "q", "j", "wide"] as const;
  return define(["from", "line", "step", "count", "width", "k", "to"], names, 0, (x) => {
    local.set(x.wide, i32.mul(x.width, lanes.size));
    range(x.l, x.width, 1, () => {
      setAddress(x.p, x.from, x.l, x.line);
      setAddress(x.q, x.to, x.l, lanes.size);
      i32.lt_u(x.l, x.count);
      when(
        () =>
          range(x.j, x.k, 1, () => {
            copyOne(lanes.size, x.q, x.p);
            advance(x.p, x.step);
            advance(x.q, x.wide);
          }),
        () =>
          range(x.j, x.k, 1, () => {
            lanes.clear(x.q);
            advance(x.q, x.wide);
          }),
      );
    });
  });
}

/** Panels that are packed at the same time where lines lie side by side, so that whole cache lines are read. */
const PANELS = 4;

/** Panels, `apart` bytes from each other, whose lines lie side by side already at each step. */
function packSideBySide(lanes: Lanes, width: number, panels: number): Code {
  const names = ["j", "q"] as const;
  const each = Math.min(width, lanes.count);
  return define(["from", "step", "k", "to", "apart"], names, 0, (x) => {
    range(x.j, x.k, 1, () => {
      local.set(x.q, x.to);
      for (let line = 0; line < panels * width; line += each) {
        if (line > 0 && line % width === 0) advance(x.q, x.apart);
        local.get(x.q);
        if (each < lanes.count) copyHalfVector(lanes, x.from, line * lanes.size);
        else {
          loadVector(lanes, x.from, line * lanes.size);
          storeVector(lanes, (line % width) * lanes.size);
        }
      }
      advance(x.from, x.step);
      advance(x.to, width * lanes.size);
    });
  });
}

/** Half a vector to the address on the stack. */
function copyHalfVector(lanes: Lanes, from: Int, offset: number): void {
  i64.load({ offset, align: lanes.size }, from);
  i64.store({ align: lanes.size });
}

type Shuffle = readonly number[];

/** Lanes of two vectors (numbered on in the second) as the bytes a shuffle takes. */
export function shuffle(size: number, lanes: Shuffle, a: Vector, b: Vector): void {
  const bytes = lanes.flatMap((lane) => Array.from({ length: size }, (_, i) => lane * size + i));
  i8x16.shuffle(bytes, a, b);
}

/** Lines that are transposed at the same time. */
const linesTogether = (lanes: Lanes): 2 | 4 => (lanes.count === 2 ? 2 : 4);

/**
 * Transposes the first vectors, one of each of the lines, into themselves, with as many to work in behind them: steps follow
 * each other, two in a vector where that has more lanes than there are lines.
 */
function transpose(lanes: Lanes, v: readonly Vector[]): void {
  const put = (to: number, size: number, which: Shuffle, a: number, b: number) => {
    shuffle(size, which, v[a]!, v[b]!);
    local.set(v[to]!);
  };
  if (lanes.count === 2) {
    put(2, 8, [0, 2], 0, 1);
    put(1, 8, [1, 3], 0, 1);
    local.set(v[0]!, v[2]!);
    return;
  }
  if (lanes.count === 8) {
    put(4, 2, [0, 8, 1, 9, 2, 10, 3, 11], 0, 1);
    put(5, 2, [0, 8, 1, 9, 2, 10, 3, 11], 2, 3);
    put(6, 2, [4, 12, 5, 13, 6, 14, 7, 15], 0, 1);
    put(7, 2, [4, 12, 5, 13, 6, 14, 7, 15], 2, 3);
    put(0, 4, [0, 4, 1, 5], 4, 5);
    put(1, 4, [2, 6, 3, 7], 4, 5);
    put(2, 4, [0, 4, 1, 5], 6, 7);
    put(3, 4, [2, 6, 3, 7], 6, 7);
    return;
  }
  put(4, 4, [0, 4, 1, 5], 0, 1);
  put(5, 4, [0, 4, 1, 5], 2, 3);
  put(6, 4, [2, 6, 3, 7], 0, 1);
  put(7, 4, [2, 6, 3, 7], 2, 3);
  put(0, 8, [0, 2], 4, 5);
  put(1, 8, [1, 3], 4, 5);
  put(2, 8, [0, 2], 6, 7);
  put(3, 8, [1, 3], 6, 7);
}

/** Some lines, each of which lies in one piece, into their place in a panel of `width` lines. */
function packTransposed(lanes: Lanes, width: number): Code {
  const { count, size } = lanes;
  const together = linesTogether(lanes);
  const pointers = (["p0", "p1", "p2", "p3"] as const).slice(0, together);
  return define(["p0", "line", "k", "to"], ["p1", "p2", "p3", "j", "whole"], 2 * together, (x, vectors) => {
    for (let i = 1; i < together; i++) local.set(x[pointers[i]!], i32.add(x[pointers[i - 1]!], x.line));
    local.set(x.whole, i32.and(x.k, -count));
    range(x.j, x.whole, count, () => {
      pointers.forEach((name, i) => {
        loadVector(lanes, x[name], 0);
        local.set(vectors[i]!);
        advance(x[name], 16);
      });
      transpose(lanes, vectors);
      for (let i = 0; i < count; i++) {
        local.get(x.to);
        local.get(vectors[Math.floor((i * together) / count)]!);
        storeStep(lanes, i, width * size);
      }
      advance(x.to, count * width * size);
    });
    i32.lt_u(x.j, x.k);
    when(() => packRest(lanes, width, pointers, x));
  });
}

/** Stores what the lines have at step `i` of a vector. */
function storeStep(lanes: Lanes, i: number, apart: number): void {
  if (linesTogether(lanes) === lanes.count) return storeVector(lanes, i * apart);
  v128.store64_lane({ offset: i * apart, align: lanes.size }, i % 2 === 0 ? 0 : 1);
}

/** The steps that do not fill a vector. */
function packRest<P extends string>(
  lanes: Lanes,
  width: number,
  pointers: readonly P[],
  x: { readonly [N in P | "to" | "j" | "k"]: Int },
): void {
  const { to, j, k } = x as { readonly [N in "to" | "j" | "k"]: Int };
  repeat(() => {
    for (const name of pointers) {
      copyOne(lanes.size, to, x[name]);
      advance(x[name], lanes.size);
      advance(to, lanes.size);
    }
    advance(to, (width - pointers.length) * lanes.size);
    advance(j, 1);
    i32.lt_u(j, k);
  });
}

/** The ways of packing a panel. */
interface Ways {
  readonly oneByOne: Code;
  readonly one: Code;
  readonly several: Code;
  readonly transposed: Code;
}

type PanelLocals = {
  readonly [N in "source" | "line" | "step" | "count" | "k" | "target" | "wide" | "group" | "p" | "lines"]: Int;
};

/**
 * `lines` lines of k elements, `line` bytes apart and their elements `step` bytes apart, into panels of `width` lines. The
 * last panel is as narrow as the lines that are left, or filled up with zeros.
 */
export function pack(lanes: Lanes, width: number, fills: boolean): Code {
  const ways = {
    oneByOne: packOneByOne(lanes),
    one: packSideBySide(lanes, width, 1),
    several: packSideBySide(lanes, width, PANELS),
    transposed: packTransposed(lanes, width),
  };
  const names = ["p", "source", "target", "count", "wide", "group"] as const;
  return define(["from", "line", "step", "lines", "k", "to"], names, 0, (x) => {
    range(x.p, x.lines, width, () => {
      setAddress(x.source, x.from, x.p, x.line);
      local.set(x.target, i32.add(i32.mul(i32.mul(x.p, x.k), lanes.size), x.to));
      local.set(x.count, i32.sub(x.lines, x.p));
      setMinimum(x.count, x.count, width);
      if (fills) local.set(x.wide, width);
      else local.set(x.wide, x.count);
      packPanel(lanes, width, ways, x);
    });
  });
}

function packPanel(lanes: Lanes, width: number, ways: Ways, x: PanelLocals): void {
  const slowly = () => void call(ways.oneByOne, [x.source, x.line, x.step, x.count, x.wide, x.k, x.target]);
  const groups = () =>
    range(x.group, width, linesTogether(lanes), () => {
      call(ways.transposed, [x.source, x.line, x.k, x.target]);
      local.set(x.source, i32.add(i32.mul(x.line, linesTogether(lanes)), x.source));
      advance(x.target, linesTogether(lanes) * lanes.size);
    });
  const full = () => {
    i32.eq(x.line, lanes.size);
    when(
      () => sideBySide(lanes, width, ways, x),
      () => {
        i32.eq(x.step, lanes.size);
        when(groups, slowly);
      },
    );
  };
  i32.eq(x.count, width);
  when(full, slowly);
}

/** One panel or several, which the counter of lines then leaves behind too. */
function sideBySide(lanes: Lanes, width: number, ways: Ways, x: PanelLocals): void {
  local.set(x.group, i32.mul(x.k, width * lanes.size));
  i32.ge_u(i32.sub(x.lines, x.p), PANELS * width);
  when(
    () => {
      call(ways.several, [x.source, x.step, x.k, x.target, x.group]);
      advance(x.p, (PANELS - 1) * width);
    },
    () => void call(ways.one, [x.source, x.step, x.k, x.target, x.group]),
  );
}
