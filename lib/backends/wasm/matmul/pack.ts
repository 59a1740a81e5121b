/**
 * Bringing the columns of a right matrix into panels that tiles read on and on: step after step of k, the elements of the panel's
 * columns side by side. Knows strides, not what the panels are for.
 */
import {
  advance,
  call,
  define,
  i32,
  loadVector,
  local,
  memory,
  range,
  setAddress,
  setMinimum,
  storeVector,
  when,
  type Code,
  type Lanes,
} from "../asm";
import { itemsFunction } from "../copy/code";
import { transposeFunction } from "../copy/transpose-code";

/** A panel whose columns lie side by side already at each step. */
function packSideBySide(lanes: Lanes, width: number): Code {
  return define(["from", "step", "k", "to"], ["j"], 0, (x) => {
    range(x.j, x.k, 1, () => {
      for (let column = 0; column < width; column += lanes.count) {
        local.get(x.to);
        loadVector(lanes, x.from, column * lanes.size);
        storeVector(lanes, column * lanes.size);
      }
      advance(x.from, x.step);
      advance(x.to, width * lanes.size);
    });
  });
}

/** Rows of `inner` elements side by side, of elements `step` bytes apart in rows `row` bytes apart. */
function order({ size }: Lanes): Code {
  const [items, transposed] = [itemsFunction(size), transposeFunction(size)];
  return define(["from", "row", "step", "to", "pitch", "rows", "inner"], [], 0, (x) => {
    i32.eq(x.row, size);
    when(
      () => void call(transposed, [x.to, x.pitch, x.from, x.step, x.inner, x.rows]),
      () => void call(items, [x.from, x.row, x.step, x.to, x.pitch, size, x.rows, x.inner]),
    );
  });
}

/**
 * `columns` columns of k elements, `column` bytes apart and their elements `step` bytes apart, into panels of `width` columns, the last
 * of which is filled up with zeros; so for each of `count` matrices.
 */
export function pack(lanes: Lanes, width: number): Code {
  const [sideBySide, anyhow, bytes] = [packSideBySide(lanes, width), order(lanes), width * lanes.size];
  const names = ["i", "p", "source", "target", "some", "panel"] as const;
  return define(["from", "column", "step", "columns", "k", "to", "count", "fromNext", "toNext"], names, 0, (x) => {
    local.set(x.panel, i32.mul(x.k, bytes));
    range(x.i, x.count, 1, () => {
      range(x.p, x.columns, width, () => {
        setAddress(x.source, x.from, x.p, x.column);
        local.set(x.target, i32.add(i32.mul(i32.mul(x.p, x.k), lanes.size), x.to));
        local.set(x.some, i32.sub(x.columns, x.p));
        setMinimum(x.some, x.some, width);
        i32.lt_u(x.some, width);
        when(() => memory.fill(x.target, 0, x.panel));
        i32.eq(x.column, lanes.size);
        i32.eq(x.some, width);
        i32.and();
        when(
          () => void call(sideBySide, [x.source, x.step, x.k, x.target]),
          () => void call(anyhow, [x.source, x.step, x.column, x.target, bytes, x.k, x.some]),
        );
      });
      advance(x.from, x.fromNext);
      advance(x.to, x.toNext);
    });
  });
}
