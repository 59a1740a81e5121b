/**
 * Pending values: the operation, its operands, and who still needs the value. This file knows how long arrays must stay, not how
 * values are computed.
 *
 * A value is needed by its tensor and by every value that is computed of it. Once nobody needs it, it lets go of its operands. An
 * array that a value reads is pinned, so that its memory is not used again before.
 */
import type { Shape } from "../../../core/shape";
import type { DType } from "../../../core/types";
import type { OpKernel } from "../../../kernel/lower/single";
import type { ElementOp } from "../../../kernel/script";
import type { Move } from "../../../kernel/view";
import type { ReduceOp } from "../../../ops";
import { Waiting, type ArrayData, type Elements } from "../../arrays/storage";
import { arrays } from "../arrays";
import type { Draft, DraftRef } from "./draft";

/** An array as an operand of pending values. */
export class Leaf {
  /** Whether the array has a single element, which all elements of a reader read. */
  readonly uniform: boolean;

  constructor(
    readonly result: Elements,
    readonly type: DType,
    readonly shape: Shape,
    /** The data of its tensor where that has to stay; null for small arrays, whose memory nobody uses again. */
    readonly data: ArrayData | null,
    readonly size: number,
  ) {
    this.uniform = size === 1;
    if (data !== null) arrays.pin(data);
  }

  /** Unpins the array: the reader is computed, or needed no more. Each reader has a leaf of its own. */
  unconsume(): void {
    if (this.data !== null) arrays.unpin(this.data);
  }
}

/** An operand of a pending value. */
export type Operand = Leaf | Pending;

/** Lines of neighbouring elements, and how many elements each has. */
export interface Lines {
  readonly groups: number;
  readonly rows: number;
}

/** Arrays one after the other, which brings how they are drafted. */
interface JoinStep {
  readonly kind: "join";
  readonly axis: number;
  readonly cut: number;
  readonly draft: (draft: Draft, value: Pending) => DraftRef;
}

/**
 * What is done: an op on elements, with the kernel that it is by itself, a move, the operands one after the other along an axis (the only one
 * from `cut` on and then up to there, where that is not 0), or the reduction of each line.
 */
export type Step =
  | { readonly kind: "op"; readonly does: ElementOp; readonly alone: OpKernel }
  | { readonly kind: "move"; readonly move: Move }
  | JoinStep
  | { readonly kind: "fold"; readonly op: ReduceOp; readonly lines: Lines };

/** The owner of the list of values that no other value reads. */
export interface Watcher {
  settle(value: Pending): Elements;
  /** Adds a value without readers: the end of the task computes such values at the latest. */
  add(value: Pending): void;
  remove(value: Pending): void;
}

const NONE: readonly Operand[] = [];

/** A pending value, or a computed one that pending values read. */
export class Pending extends Waiting {
  readonly uniform: boolean;
  /** The data of the value's tensor, as long as the tensor holds the pending value. */
  data: ArrayData | null = null;
  /** The number of operands of other values that are this value. */
  consumers = 0;
  /** The array of a computed value that other values need. */
  result: Elements | null = null;
  /** The number of kernels that computed the value without storing it. */
  times = 0;
  /** Marks of walks over values: the last walk that met the value, and its place in that walk. */
  mark = 0;
  place = 0;
  /** Bytes that the value keeps alive beyond those of pending values; the watcher's, as are the neighbours in its list. */
  excess = 0;
  isListed = false;
  /** The lines of the user's program that made the value; known only while a profile is made. */
  madeAt: readonly string[] | null = null;
  before: Pending | null = null;
  after: Pending | null = null;

  constructor(
    readonly step: Step,
    public operands: readonly Operand[],
    readonly type: DType,
    readonly shape: Shape,
    readonly size: number,
    /** The lines of the reductions that wait together with the value, which has an element for each line, or lines of elements. */
    readonly lines: Lines | null,
    private readonly watcher: Watcher,
  ) {
    super();
    this.uniform = size === 1;
    for (const operand of operands) if (operand instanceof Pending) operand.consume();
  }

  /** The name of the operation. */
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

  /** Ends waiting: `elements` is the array of the value. */
  finish(elements: Elements): void {
    const { data, operands, watcher } = this;
    watcher.remove(this);
    if (data !== null) data.elements = arrays.keep(elements);
    this.data = null;
    if (this.consumers > 0) this.result = arrays.keep(elements);
    this.operands = NONE;
    for (const operand of operands) operand.unconsume();
  }

  /** Notes that a kernel computed the value for its readers without storing it. */
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

  /** Notes that one reader needs the value no more. */
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
