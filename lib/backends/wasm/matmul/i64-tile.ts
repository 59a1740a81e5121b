/**
 * Tiles of sums of 64-bit integers. Vector instructions multiply these in many steps, so sums are scalars: eight of them and
 * their factors stay in registers.
 */
import { advance, define, i32, i64, local, repeat, setAddress, when, type Code, type Int, type Long } from "../asm";

/** Rows and columns of sums that are worked on at the same time. */
const ROWS = 2;
const COLUMNS = 4;
const SIZE = 8;

type TileLocals = { readonly [N in "a" | "b" | "c" | "stride" | "adds" | "end" | "p" | "q"]: Int };

/** A tile as of other lanes, of `rows` rows and {@link COLUMNS} columns, two rows after the other. */
export function wideTile(rows: number): Code {
  const longs = ROWS * COLUMNS + ROWS + 1;
  return define(
    ["a", "b", "c", "stride", "depth", "adds"],
    ["end", "p", "q"],
    0,
    (x, _, numbers) => {
      setAddress(x.end, x.b, x.depth, COLUMNS * SIZE);
      for (let top = 0; top < rows; top += ROWS) {
        const sums = numbers.slice(0, Math.min(ROWS, rows - top) * COLUMNS);
        const factors = numbers.slice(ROWS * COLUMNS);
        sums.forEach((sum) => void local.set(sum, 0n));
        local.set(x.p, i32.add(x.a, top * SIZE));
        local.set(x.q, x.b);
        repeat(() => addProducts(x, sums, factors, rows));
        storeSums(x, sums);
      }
    },
    longs,
  );
}

/** One step of k; leaves whether there are more on the stack. */
function addProducts({ p, q, end }: TileLocals, sums: readonly Long[], factors: readonly Long[], rows: number): void {
  const count = sums.length / COLUMNS;
  const right = factors[ROWS]!;
  for (let i = 0; i < count; i++) local.set(factors[i]!, i64.load({ offset: i * SIZE }, p));
  for (let j = 0; j < COLUMNS; j++) {
    local.set(right, i64.load({ offset: j * SIZE }, q));
    for (let i = 0; i < count; i++) {
      const sum = sums[i * COLUMNS + j]!;
      local.set(sum, i64.add(sum, i64.mul(factors[i]!, right)));
    }
  }
  advance(p, rows * SIZE);
  advance(q, COLUMNS * SIZE);
  i32.lt_u(q, end);
}

/** Stores rows of sums, added to what is there where that holds the sums of an earlier stretch. */
function storeSums({ c, stride, adds }: TileLocals, sums: readonly Long[]): void {
  for (let i = 0; i < sums.length; i += COLUMNS) {
    const row = sums.slice(i, i + COLUMNS);
    local.get(adds);
    when(() => row.forEach((sum, j) => void local.set(sum, i64.add(sum, i64.load({ offset: j * SIZE }, c)))));
    row.forEach((sum, j) => void i64.store({ offset: j * SIZE }, c, sum));
    advance(c, stride);
  }
}
