/**
 * Functions that bring complex matrices into the order in which real products make complex ones of them. Knows strides, not
 * what the matrices are for.
 */
import { advance, call, define, i32, local, onward, range, setAddress, shuffleItems, v128, when } from "../asm";
import type { Code, Int, Vector } from "../asm";
import type { KernelModule } from "../modules/module";
import { moduleFor } from "../modules/cache";

/** What complex elements are made of: their parts take so many bytes each. */
type PartSize = 4 | 8;

/** The module for parts of a size, made when first needed. */
export const complexModule = (size: PartSize): KernelModule =>
  moduleFor(`complex parts ${size}`, () => ({ gather: gather(size), double: double(size) }));

const ARGS = ["from", "row", "column", "rows", "columns", "to"] as const;

/** An element, or two of those that take half a vector if `both`. */
function loadElement(size: PartSize, from: Int, both = false): void {
  if (size === 8 || both) v128.load({ align: size }, from);
  else v128.load64_zero({ align: size }, from);
}

function storeElement(size: PartSize, to: Int, value: Vector, both = false): void {
  if (size === 8 || both) v128.store({ align: size }, to, value);
  else v128.store64_lane({ align: size }, 0, to, value);
}

/** A matrix whose elements lie at any distances, row after row. */
function gather(size: PartSize): Code {
  return define(ARGS, ["i", "j", "p"], 1, (x, [value]) => {
    range(x.i, x.rows, 1, () => {
      setAddress(x.p, x.from, x.i, x.row);
      range(x.j, x.columns, 1, () => {
        loadElement(size, x.p);
        local.set(value!);
        storeElement(size, x.to, value!);
        advance(x.p, x.column);
        advance(x.to, 2 * size);
      });
    });
  });
}

/** Every row twice, one behind the other: as it is, and multiplied by the imaginary unit. */
function double(size: PartSize): Code {
  const line = doubleRow(size);
  return define(ARGS, ["i", "p", "other"], 0, (x) => {
    range(x.i, x.rows, 1, () => {
      setAddress(x.p, x.from, x.i, x.row);
      setAddress(x.other, x.to, x.columns, 2 * size);
      call(line, [x.p, x.column, x.columns, x.to, x.other]);
      setAddress(x.to, x.other, x.columns, 2 * size);
    });
  });
}

function doubleRow(size: PartSize): Code {
  return define(["p", "column", "columns", "q", "r"], ["j", "whole"], 2, (x, [value, signs]) => {
    if (size === 4) v128.const("f32x4", [-0, 0, -0, 0]);
    else v128.const("f64x2", [-0, 0]);
    local.set(signs!);
    const step = (both: boolean) => {
      loadElement(size, x.p, both);
      local.set(value!);
      storeElement(size, x.q, value!, both);
      shuffleItems(size, size === 4 ? [1, 0, 3, 2] : [1, 0], value!, value!);
      local.get(signs!);
      v128.xor();
      local.set(value!);
      storeElement(size, x.r, value!, both);
      advance(x.q, both ? 16 : 2 * size);
      advance(x.r, both ? 16 : 2 * size);
    };
    local.set(x.j, 0);
    i32.eq(x.column, 8);
    when(() => {
      local.set(x.whole, i32.and(x.columns, size === 4 ? -2 : 0));
      onward(x.j, x.whole, 2, () => {
        step(true);
        advance(x.p, 16);
      });
    });
    onward(x.j, x.columns, 1, () => {
      step(false);
      advance(x.p, x.column);
    });
  });
}
