/**
 * Decompositions in the memory of kernels: the algorithms of the binary backend, whose loops run as vector code.
 */
import type { Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { linalgOn } from "../../binary/linalg";
import { workPlainly, type Loops, type Rows, type Workshop } from "../../binary/linalg/loops";
import { arrays } from "../arrays";
import { inScratch, isShared, scratch, views } from "../memory/linear";
import { exportsOf } from "../modules/cache";
import { orElse, Refused } from "../memory/refusal";
import { LINALG_FROM, WORK_BYTES_MOST } from "../schedule/sorts";
import { lineFunctions } from "./code";

const DOUBLE = 8;
const addressOf = ({ of, at }: Rows): number => of.byteOffset + DOUBLE * at;

function loopsOf(): Loops {
  const run = exportsOf("lines", lineFunctions);
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

let loops: Loops | null = null;

/** In scratch memory, which must not move while arrays lie in it: memory that is not shared does when it grows. */
function kernelWorkshop(): Workshop {
  const { buffer } = views().f64;
  const unset = (size: number): Float64Array => {
    const at = scratch(DOUBLE * size);
    const now = views().f64;
    if (now.buffer !== buffer && !isShared()) throw new Refused("the memory of kernels moved");
    return now.subarray(at / DOUBLE, at / DOUBLE + size);
  };
  return { loops: (loops ??= loopsOf()), unset, zeros: (size) => unset(size).fill(0) };
}

/** More matrices of doubles than any decomposition makes of the size of the largest operand or result, each part of complex ones counted. */
const MATRICES = 48;

const elementsOfEach = ({ shape }: Template): number => sizeOf(shape.slice(-2));

const fits = (each: Template): boolean => MATRICES * DOUBLE * elementsOfEach(each) <= WORK_BYTES_MOST;

/** Whether vector code pays for matrices, whose work fits in the memory of kernels. */
const isWorth = (inputs: readonly Template[], outs: readonly Template[]): boolean =>
  elementsOfEach(inputs[0]!) >= LINALG_FROM && inputs.every(fits) && outs.every(fits);

const inKernels: <T>(work: (workshop: Workshop) => T) => T = orElse(
  <T>(work: (workshop: Workshop) => T) => inScratch(() => work(kernelWorkshop())),
  workPlainly,
);

export const wasmLinalg = linalgOn((inputs, outs, work) =>
  isWorth(inputs, outs) ? inKernels(work) : workPlainly(work),
)(arrays);
