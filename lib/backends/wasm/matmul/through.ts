/**
 * Products of a matrix with a vector where the elements of the matrix are what an element-wise kernel makes of arrays: some rows at a
 * time go through the kernel into a buffer, and from there into the sums, so that the matrix is never in memory as a whole. The same
 * kernel and the same sums as one after the other, so the same bits.
 */
import type { Keyed } from "../../../kernel/lower/single";
import { LANES, advance, call, define, i32, local, range, setMinimum, type Code, type SumType } from "../asm";
import { kernelFunction } from "../codegen/function";
import type { KernelModule } from "../modules/module";
import { moduleFor } from "../modules/cache";
import { addRows, clearSums, dots } from "./vector";

/** An operand of the kernel: the address of its first element, and so many bytes from one row of memory to the next, and along a row. */
interface Along {
  readonly address: number;
  readonly row: number;
  readonly column: number;
}

/** A matrix of rows that a kernel makes. */
export interface Through extends Keyed {
  readonly operands: readonly Along[];
}

/** How rows lie to the vector: `dots` for lines that are rows, however these are summed, `multiples` for lines that lie side by side. */
export type Way = "dots" | "dotsInOrder" | "multiples";

const SHARED = ["lines", "k", "x", "y", "buffer", "pitch", "together"] as const;

/**
 * The function of a way: `lines` sums over `k` steps, with room for `together` rows `pitch` bytes apart, and for each operand of
 * the kernel its address and the bytes from row to row.
 */
function through(type: SumType, { kernel, operands }: Through, way: Way): Code {
  const lanes = LANES[type];
  const run = kernelFunction(kernel);
  const [at, steps] = [operands.map((_, i) => `at${i}`), operands.map((_, i) => `step${i}`)];
  return define<string, string, 0>([...SHARED, ...at, ...steps], ["done", "count", "i", "to"], 0, (x) => {
    const [rows, length] = way === "multiples" ? [x.k!, x.lines!] : [x.lines!, x.k!];
    if (way === "multiples") clearSums(lanes, { y: x.y!, lines: x.lines! });
    range(x.done!, rows, x.together!, () => {
      local.set(x.count!, i32.sub(rows, x.done!));
      setMinimum(x.count!, x.count!, x.together!);
      local.set(x.to!, x.buffer!);
      range(x.i!, x.count!, 1, () => {
        call(run, [length, ...at.map((name) => x[name]!), x.to!]);
        at.forEach((name, i) => advance(x[name]!, x[steps[i]!]!));
        advance(x.to!, x.pitch!);
      });
      if (way === "multiples") {
        call(addRows(lanes), [x.buffer!, x.pitch!, x.x!, x.y!, x.lines!, x.count!]);
        advance(x.x!, i32.mul(x.count!, lanes.size));
      } else {
        call(dots(lanes, way), [x.buffer!, x.pitch!, x.x!, x.y!, x.count!, x.k!]);
        advance(x.y!, i32.mul(x.count!, lanes.size));
      }
    });
  });
}

/** The module of a matrix, whose function has the name of the way. */
export const throughModule = (type: SumType, matrix: Through, way: Way): KernelModule =>
  moduleFor(`${way} of ${type} through ${matrix.key}`, () => ({ [way]: through(type, matrix, way) }));
