/**
 * Decompositions in the memory of kernels: the algorithms of the binary backend, whose loops run as vector code.
 */
import type { Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { linalgOn } from "../../binary/linalg";
import { TOLERANCE } from "../../binary/linalg/hermitian";
import { workPlainly, type Loops, type Rows, type Workshop } from "../../binary/linalg/loops";
import type { WholeLoops } from "../../binary/linalg/whole";
import { arrays } from "../arrays";
import { inScratch, isShared, scratch, views } from "../memory/linear";
import { exportsOf } from "../modules/cache";
import { orElse, Refused } from "../memory/refusal";
import { LINALG_FROM, WORK_BYTES_MOST } from "../schedule/sorts";
import { lineFunctions } from "./code";
import { DOUBLE } from "./direct-code";

const addressOf = ({ of, at }: Rows): number => of.byteOffset + DOUBLE * at;

type Run = ReturnType<typeof exportsOf>;

function loopsOf(run: Run): Loops {
  return {
    addProducts(sign, c, a, b, rows, columns, steps) {
      (sign > 0 ? run.addProducts! : run.subtractProducts!)(
        addressOf(c),
        DOUBLE * c.row,
        addressOf(a),
        DOUBLE * a.row,
        DOUBLE * a.step,
        addressOf(b),
        DOUBLE * b.row,
        rows,
        columns,
        steps,
      );
    },
    dots(out, x, count, y, length) {
      run.dots!(out.byteOffset, addressOf(x), DOUBLE * x.row, count, addressOf(y), length);
    },
    rotateRows(x, rotations, count, length) {
      if (count > 0) run.rotateRows!(addressOf(x), DOUBLE * x.row, rotations.byteOffset, count, length);
    },
  };
}

function wholeLoopsOf(run: Run): WholeLoops {
  const address = (of: Float64Array, at: number): number => of.byteOffset + DOUBLE * at;
  return {
    areFinite: (x) => run.finite!(x.byteOffset, x.length) !== 0,
    cholesky(a, l, at, n, type) {
      l[at] = TOLERANCE[type] ?? 0;
      run.cholesky!(address(a, at), address(l, at), DOUBLE * n, n);
      return l[at + n * n - 1]! > 0;
    },
    lu(u, at, order) {
      const n = order.length;
      run.lu!(address(u, at), DOUBLE * n, n, order.byteOffset);
      return Number.isFinite(u[at + n * n - 1]);
    },
    solve(u, at, order, b, x, atX, width) {
      run.solve!(address(u, at), order.length, order.byteOffset, address(b, atX), address(x, atX), width);
    },
    triangularSolve(a, at, n, x, atX, width, lower, isPlain) {
      const [row, step] = isPlain ? [n, 1] : [1, n];
      const [by, first] = lower === isPlain ? [DOUBLE, 0] : [-DOUBLE, n - 1];
      run.substitute!(
        address(x, atX + first * width),
        by * width,
        n,
        width,
        address(a, at + first * (n + 1)),
        by * row,
        by * step,
        0,
      );
      // Nor is that of a triangle with a 0 on its diagonal.
      return run.finite!(address(x, atX), n * width) !== 0;
    },
  };
}

type OwnLoops = Pick<Workshop, "loops" | "whole" | "wholeTo">;

let made: OwnLoops | null = null;

function ownLoops(): OwnLoops {
  const run = exportsOf("lines", lineFunctions);
  return { loops: loopsOf(run), whole: wholeLoopsOf(run), wholeTo: Infinity };
}

/** In scratch memory, which must not move while arrays lie in it: memory that is not shared does when it grows. */
function kernelWorkshop(): Workshop {
  const { buffer } = views().f64;
  const unset = (size: number): Float64Array => {
    const at = scratch(DOUBLE * size);
    const now = views().f64;
    if (now.buffer !== buffer && !isShared()) throw new Refused("the memory of kernels moved");
    return now.subarray(at / DOUBLE, at / DOUBLE + size);
  };
  return { ...(made ??= ownLoops()), unset, zeros: (size) => unset(size).fill(0) };
}

/** More matrices of doubles than any decomposition makes of the size of the largest operand or result, each part of complex ones counted. */
const MATRICES = 48;

/** Whether vector code pays for matrices, whose work fits in the memory of kernels; alone, or for all of a batch together. */
function isWorth(inputs: readonly Template[], outs: readonly Template[], isAlone: boolean): boolean {
  const { shape } = inputs[0]!;
  const batch = shape.length - 2;
  const sizes = [...inputs, ...outs].map((t) => sizeOf(t.shape.slice(batch)));
  return (
    (isAlone ? sizes[0]! : sizeOf(shape)) >= LINALG_FROM &&
    sizes.every((size) => MATRICES * DOUBLE * size <= WORK_BYTES_MOST)
  );
}

const inKernels: <T>(work: (workshop: Workshop) => T) => T = orElse(
  <T>(work: (workshop: Workshop) => T) => inScratch(() => work(kernelWorkshop())),
  workPlainly,
);

export const wasmLinalg = linalgOn((inputs, outs, isAlone, work) =>
  isWorth(inputs, outs, isAlone) ? inKernels(work) : workPlainly(work),
)(arrays);
