/**
 * Values that wait: what is to be done, with what, and who still needs it. Knows how long arrays must stay, not how anything is
 * computed.
 *
 * A value is needed by its tensor and by every value that is computed of it. Once nobody needs it, it lets go of its operands. An
 * array that a value reads is pinned, so that its memory is not used again before.
 */
import { sizeOf, type Shape } from "../../../core/shape";
import type { DType } from "../../../core/types";
import type { OpKernel } from "../../../kernel/lower/single";
import type { ElementOp } from "../../../kernel/script";
import type { Move } from "../../../kernel/view";
import type { ReduceOp } from "../../../ops";
import { Waiting, type ArrayData, type Elements } from "../../arrays/storage";
import { arrays } from "../arrays";

/** An array that is there. */
export class Leaf {
  readonly size: number;
  /** Whether all elements that are computed of it read the same one. */
  readonly uniform: boolean;

  constructor(
    readonly result: Elements,
    readonly type: DType,
    readonly shape: Shape,
    /** The data of its tensor where that has to stay; null for small arrays, whose memory nobody uses again. */
    readonly data: ArrayData | null,
  ) {
    this.size = sizeOf(shape);
    this.uniform = this.size === 1;
    if (data !== null) arrays.pin(data);
  }

  /** One value that is computed of it needs it no more; each has a leaf of its own. */
  unconsume(): void {
    if (this.data !== null) arrays.unpin(this.data);
  }
}

/** What a value is computed of. */
export type Operand = Leaf | Pending;

/** Lines of neighbouring elements, and how many elements each has. */
export interface Lines {
  readonly groups: number;
  readonly rows: number;
}

/**
 * What is done: an op on elements, with the kernel that it is by itself, a move, the operands one after the other along an axis (the only one
 * from `cut` on and then up to there, where that is not 0), or the reduction of each line.
 */
export type Step =
  | { readonly kind: "op"; readonly does: ElementOp; readonly alone: OpKernel }
  | { readonly kind: "move"; readonly move: Move }
  | { readonly kind: "join"; readonly axis: number; readonly cut: number }
  | { readonly kind: "fold"; readonly op: ReduceOp; readonly lines: Lines };

/** Who is told of values that nobody else needs. */
export interface Watcher {
  settle(value: Pending): Elements;
  /** A value that no other value is computed of: it has to be computed sooner or later. */
  add(value: Pending): void;
  remove(value: Pending): void;
}

const NONE: readonly Operand[] = [];

/** A value that waits, or was computed and is needed by values that wait. */
export class Pending extends Waiting {
  readonly uniform: boolean;
  /** The data of its tensor, as long as that holds it and it waits. */
  data: ArrayData | null = null;
  /** How many operands of other values it is. */
  consumers = 0;
  /** The array, once it is computed and other values need it. */
  result: Elements | null = null;
  /** How often kernels computed it without storing it. */
  times = 0;
  /** Set by whoever goes through values, to know which it has met, and when. */
  mark = 0;
  place = 0;
  /** Bytes that it keeps alive beyond those of the values that wait; for the watcher, as its neighbours in the list are. */
  excess = 0;
  isListed = false;
  /** The lines of the program that made it; known only while a profile is made. */
  madeAt: readonly string[] | null = null;
  before: Pending | null = null;
  after: Pending | null = null;

  constructor(
    readonly step: Step,
    public operands: readonly Operand[],
    readonly type: DType,
    readonly shape: Shape,
    readonly size: number,
    /** The lines that it goes by, where reductions of lines wait for it to be computed with them; it has an element for each, or all. */
    readonly lines: Lines | null,
    private readonly watcher: Watcher,
  ) {
    super();
    this.uniform = size === 1;
    for (const operand of operands) if (operand instanceof Pending) operand.consume();
  }

  /** What is done, in a word. */
  get does(): string {
    const { step } = this;
    if (step.kind === "move") return step.move.kind;
    if (step.kind === "join") return step.cut > 0 ? "roll" : "concatenate";
    if (step.kind === "fold") return step.op;
    return step.does.kind === "unary" || step.does.kind === "binary" ? step.does.op : step.does.kind;
  }

  override settle(): Elements {
    return this.watcher.settle(this);
  }

  /** The array is computed. */
  finish(elements: Elements): void {
    const { data, operands, watcher } = this;
    watcher.remove(this);
    if (data !== null) data.elements = arrays.keep(elements);
    this.data = null;
    if (this.consumers > 0) this.result = arrays.keep(elements);
    this.operands = NONE;
    for (const operand of operands) operand.unconsume();
  }

  /** A kernel computed it for others, without storing it. */
  swallow(): void {
    this.times++;
    this.watcher.remove(this);
  }

  override letGo(): void {
    this.data = null;
    this.watcher.remove(this);
    if (this.consumers === 0) this.end();
  }

  private consume(): void {
    this.consumers++;
    if (this.consumers === 1) this.watcher.remove(this);
  }

  /** One value that is computed of it needs it no more. */
  unconsume(): void {
    this.consumers--;
    if (this.consumers > 0) return;
    if (this.result !== null) {
      arrays.drop(this.result);
      this.result = null;
    } else if (this.data === null) this.end();
    else if (this.times === 0) this.watcher.add(this);
  }

  private end(): void {
    const { operands } = this;
    this.operands = NONE;
    for (const operand of operands) operand.unconsume();
  }
}
