/**
 * Moving items of any size.
 */
import type { Int } from "./locals";
import { i32, i64 } from "./scalars";
import { local } from "./structured";
import { v128 } from "./vectors";

/** Bytes that one instruction moves. */
export type Size = 1 | 2 | 4 | 8 | 16;

/** Copies one item; the pointers are locals. */
export function copyOne(size: Size, to: Int, from: Int, offset = 0): void {
  local.get(to);
  const at = { offset, align: 1 } as const;
  switch (size) {
    case 1:
      i32.load8_u({ offset }, from);
      return void i32.store8({ offset });
    case 2:
      i32.load16_u(at, from);
      return void i32.store16(at);
    case 4:
      i32.load(at, from);
      return void i32.store(at);
    case 8:
      i64.load(at, from);
      return void i64.store(at);
    case 16:
      v128.load(at, from);
      return void v128.store(at);
    default:
      size satisfies never;
  }
}
