/**
 * What becomes of the sums of a contraction, some rows at a time while they are in the caches: they are converted to the type
 * of the result, kept where they are wanted, and an element-wise kernel makes other results of them.
 */
import type { DType } from "../../../core/types";
import type { Elements } from "../../../kernel/operand";
import { copyOut, roomBytes, roomFor, Stored } from "../placement";
import { Blocks, bytesOfBlocks, prepare, type Task } from "./blocks";
import { fromSums } from "./conversions";
import { isSame, type SumType } from "./functions";

/** Results of a contraction in the making. */
export class Finish {
  private readonly rounding: Task | null = null;
  /** Where the sums themselves are to be written, if they are a result as they are and that lies in memory. */
  readonly target: number | null;

  /**
   * @param own the elements of the contraction's own result, where it is wanted
   * @param epilogue a kernel that reads elements of that result from memory
   */
  private constructor(
    private readonly lanes: SumType,
    private readonly type: DType,
    private readonly own: Elements | null,
    private readonly epilogue: Task | null,
  ) {
    this.target = own && isSame(lanes, type) ? new Stored(type, own).addressOf(0) : null;
    if (isSame(lanes, type)) return;
    const { kernel, key } = fromSums(lanes, type)!;
    this.rounding = { kernel, key, readers: [null], outputs: [epilogue ? null : own] };
  }

  /** Null where the sums cannot be converted. */
  static of(lanes: SumType, type: DType, own: Elements | null, epilogue: Task | null): Finish | null {
    if (!isSame(lanes, type) && !fromSums(lanes, type)) return null;
    const finish = new Finish(lanes, type, own, epilogue);
    for (const task of [finish.rounding, epilogue]) if (task) prepare(task);
    return finish;
  }

  /** Whether sums are done with once they are written to {@link target}. */
  get isPlain(): boolean {
    return this.target !== null && !this.epilogue;
  }

  /** Bytes of scratch space for rows of so many elements together. */
  bytesFor(count: number): number {
    const tasks = [this.rounding, this.epilogue].filter((task) => task !== null);
    return tasks.reduce((sum, task) => sum + bytesOfBlocks(task, count), 0);
  }

  /** What works on rows, of at most `most` elements together; in scratch space. */
  open(most: number): (start: number, count: number, address: number) => void {
    const { rounding, epilogue, own, type, lanes } = this;
    const rounds = rounding && new Blocks(rounding, most);
    const blocks = epilogue && new Blocks(epilogue, most);
    const rounded = rounding && epilogue ? roomFor(type, most) : 0;
    return (start, count, address) => {
      rounds?.run(start, count, address, rounded);
      const values = rounded || address;
      if (own && this.target === null && (epilogue || isSame(lanes, type))) copyOut(type, values, count, own, start);
      blocks?.run(start, count, values);
    };
  }
}

/** Bytes of `count` sums. */
export const bytesOfSums = (lanes: SumType, count: number): number => roomBytes(lanes, count);
