/**
 * The function that brings complex matrices into the order in which real products make complex ones of them. Knows strides, not
 * what the matrices are for.
 */
import { advance, define, local, range, setAddress, shuffleItems, v128, type Code } from "../asm";
import type { KernelModule } from "../modules/module";
import { moduleFor } from "../modules/cache";

/** What complex elements are made of: their parts take so many bytes each. */
type PartSize = 4 | 8;

/** The module for parts of a size, made when first needed. */
export const complexModule = (size: PartSize): KernelModule =>
  moduleFor(`complex parts ${size}`, () => ({ double: double(size) }));

/** Rows of elements at any distances, each twice, one behind the other: as it is, and multiplied by the imaginary unit. */
function double(size: PartSize): Code {
  const names = ["from", "row", "column", "rows", "columns", "to"] as const;
  return define(names, ["i", "j", "p", "other"], 2, (x, [value, signs]) => {
    local.set(signs, size === 4 ? v128.const("f32x4", [-0, 0, -0, 0]) : v128.const("f64x2", [-0, 0]));
    const put = (to: typeof x.to): void => {
      if (size === 8) v128.store({ align: size }, to, value);
      else v128.store64_lane({ align: size }, 0, to, value);
      advance(to, 2 * size);
    };
    range(x.i, x.rows, 1, () => {
      setAddress(x.p, x.from, x.i, x.row);
      setAddress(x.other, x.to, x.columns, 2 * size);
      range(x.j, x.columns, 1, () => {
        local.set(value, (size === 8 ? v128.load : v128.load64_zero)({ align: size }, x.p));
        put(x.to);
        local.set(value, v128.xor(shuffleItems(size, size === 4 ? [1, 0, 3, 2] : [1, 0], value, value), signs));
        put(x.other);
        advance(x.p, x.column);
      });
      local.set(x.to, x.other);
    });
  });
}
