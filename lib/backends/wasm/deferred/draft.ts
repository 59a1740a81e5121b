/**
 * One kernel, or one program by lines, for a value that waits and for what it is computed of: ops become scripts, moves become strides
 * through which arrays are read, reductions of lines part what is done before them from what is done after. Some values had better be
 * computed by themselves first: the draft then names one of them.
 */
import type { View } from "../../../backend";
import { sameShape, sizeOf, type Shape } from "../../../core/shape";
import { Recent } from "../../../kernel/generational-cache";
import { bytesOf, type DType } from "../../../core/types";
import { accessOf, Reader, type Access } from "../../../kernel/operand";
import type { ScriptOp, ScriptRef } from "../../../kernel/script";
import type { KernelInput } from "../../../kernel/value";
import { alignedView, moved, wholeView } from "../../../kernel/view";
import type { ReduceOp } from "../../../ops";
import { broadcastAccess } from "../../arrays/kernels";
import { widthOf, type Elements } from "../../arrays/storage";
import { DEFERRED_HEAVY, DEFERRED_KEPT, DEFERRED_LINE_FROM, DEFERRED_OUTPUTS } from "../schedule/deferred";
import { readsItsLine } from "./lines";
import { Pending, type Lines, type Operand } from "./node";

/** The moves between a value and the space of the kernel, the innermost first; null where elements are in the order of the space. */
interface Path {
  readonly view: Pending;
  readonly next: Path | null;
  readonly key: string;
  /** Whether neighbours in the space are no neighbours in the value. */
  readonly isReordered: boolean;
}

/** How arrays of a shape are read, by shape and moves. */
const KEPT = 1024;
const walks = new Recent<Access>(KEPT);

/** The space of a value: an element for each element of the lines, or for each line. */
export type Space = "full" | "line";

/** An operand of an op or a reduction in a draft. */
export type DraftRef = ScriptRef | { readonly kind: "fold"; readonly index: number };

/** An op; its level counts the reductions that have to come before it, one after the other. */
interface DraftOp extends Omit<ScriptOp, "operands"> {
  readonly operands: readonly DraftRef[];
  readonly space: Space;
  readonly level: number;
  /** Values of the kernel language, about. */
  readonly values: number;
}

/** A reduction of lines, whose result can be read at the level. */
interface DraftFold {
  readonly op: ReduceOp;
  readonly type: DType;
  readonly input: DraftRef;
  readonly level: number;
}

/** The reference of a move that only a part of a join is seen through; other readers make their own. */
const PART = { ref: { kind: "input", index: -1 }, key: "part" } as const;

/** Thrown where a value is to be computed by itself. */
export class Apart {
  constructor(readonly value: Pending) {}
}

export class Draft {
  readonly readers: Reader[] = [];
  readonly inputs: KernelInput[] = [];
  /** How each reader is read. */
  readonly spaces: Space[] = [];
  readonly ops: DraftOp[] = [];
  readonly folds: DraftFold[] = [];
  readonly lines: Lines | null;
  /** Values that the kernel computes in the order of its space. */
  private readonly inOrder: Pending[] = [];
  private readonly refs = new Map<Pending, { readonly ref: DraftRef; readonly key: string }>();
  /** How often values are operands of others in the kernel. */
  private readonly uses = new Map<Pending, number>();

  /** Values of the kernel language that the kernel computes, about. */
  weight = 0;
  /** The number of arrays of more than one element that the kernel reads. */
  private arrays = 0;

  private constructor(
    readonly root: Pending,
    /** Arrays of values that are not computed yet, where a draft is only shown. */
    private readonly assumed: ReadonlyMap<Operand, Elements> | null,
    /** Further results of the kernel besides the root. */
    readonly ends: readonly Pending[],
  ) {
    this.lines = root.lines;
  }

  /** The draft of a kernel, or a value that has to be computed first. */
  static of(
    root: Pending,
    assumed: ReadonlyMap<Operand, Elements> | null = null,
    ends: readonly Pending[] = [],
  ): Draft | Pending {
    const draft = new Draft(root, assumed, ends);
    try {
      draft.value(root, null);
      for (const end of ends) draft.value(end, null);
      return draft;
    } catch (found) {
      if (found instanceof Apart) return found.value;
      throw found;
    }
  }

  refOf(value: Pending): DraftRef {
    return this.refs.get(value)!.ref;
  }

  /**
   * Values besides the root that others need, or that have been computed before, and that the kernel stores. What a line is reduced to
   * takes next to nothing, and reducing it again takes a pass over all elements.
   */
  outputs(): Pending[] {
    const wanted: Pending[] = [...this.ends];
    let full = wanted.length;
    for (const value of this.inOrder) {
      if (value === this.root || this.ends.includes(value)) continue;
      if (this.spaceOf(value) === "line") {
        const isLight = value.step.kind === "fold" && value.data !== null && this.lines!.rows >= DEFERRED_LINE_FROM;
        if (isLight || this.isWanted(value, wanted)) wanted.push(value);
      } else if (full < DEFERRED_OUTPUTS && this.isWanted(value, wanted)) {
        wanted.push(value);
        full++;
      }
    }
    return wanted;
  }

  /** Bytes of the arrays that are read, and of values that are stored. */
  bytes(stored: readonly Pending[]): { readonly read: number; readonly written: number } {
    const { root, lines, readers, spaces, inputs } = this;
    const size = lines === null ? root.size : lines.groups * lines.rows;
    const read = readers.reduce((sum, { isUniform }, i) => {
      const own = isUniform ? 0 : spaces[i] === "line" ? lines!.groups : size;
      return sum + own * bytesOf(inputs[i]!.type);
    }, 0);
    return { read, written: stored.reduce((sum, value) => sum + value.size * bytesOf(value.type), 0) };
  }

  /** Notes that the kernel computed values without storing them. */
  swallow(stored: readonly Pending[]): void {
    for (const value of this.refs.keys()) if (value !== this.root && !stored.includes(value)) value.swallow();
  }

  /** How many operands of values in the kernel a value is. */
  usesOf(value: Pending): number {
    return this.uses.get(value) ?? 0;
  }

  /** All values that the kernel computes or moves. */
  get values(): readonly Pending[] {
    return [...this.refs.keys()];
  }

  /** Whether lines are gone through: some are reduced, or what is there for each is read by all elements of its line. */
  get goesByLines(): boolean {
    return this.folds.length > 0 || (this.spaceOf(this.root) === "full" && this.spaces.includes("line"));
  }

  /** Whether all that is done is moving elements of one array. */
  get isMove(): boolean {
    return this.ops.length === 0 && this.folds.length === 0;
  }

  /** Whether a value has one element for each line. */
  spaceOf({ size }: Pending): Space {
    return this.lines !== null && size === this.lines.groups ? "line" : "full";
  }

  private isWanted(value: Pending, stored: readonly Pending[]): boolean {
    return value.consumers > (this.uses.get(value) ?? 0) || this.isBetterStored(value, stored);
  }

  /**
   * Whether a value has been computed so often without being stored that it had better be, or keeps too many arrays. Values that are
   * stored keep their own array alone.
   */
  isBetterStored(value: Pending, stored: readonly Pending[] = []): boolean {
    if (isComputedOften(value)) return true;
    return this.arrays > DEFERRED_KEPT && largeLeaves(value, value.size, new Set(), stored) > DEFERRED_KEPT;
  }

  private value(value: Pending, path: Path | null): DraftRef {
    const key = path?.key ?? "";
    const { kind } = value.step;
    const known = this.refs.get(value);
    if (known !== undefined) {
      if (known.key === key) return known.ref;
      if (kind !== "move") throw new Apart(value);
    }
    // lines are lines in the order of the space alone
    if (
      path !== null &&
      value !== this.root &&
      (value.lines !== null || kind === "join" || (kind === "op" && isBetterApart(value, path)))
    ) {
      throw new Apart(value);
    }
    if (known === undefined) for (const operand of value.operands) this.use(operand);
    const ref = this.refFor(value, path);
    this.refs.set(value, { ref, key });
    if (path === null && (kind === "op" || kind === "fold")) this.inOrder.push(value);
    return ref;
  }

  private refFor(value: Pending, path: Path | null): DraftRef {
    switch (value.step.kind) {
      case "op":
        return this.op(value, path);
      case "fold":
        return this.fold(value);
      case "join":
        return value.step.draft(this, value);
      case "move":
        return this.move(value, path);
      default:
        return value.step satisfies never;
    }
  }

  private use(operand: Operand): void {
    if (operand instanceof Pending) this.uses.set(operand, (this.uses.get(operand) ?? 0) + 1);
  }

  private op(value: Pending, path: Path | null): DraftRef {
    const { step, operands, type, shape } = value;
    const space = this.spaceOf(value);
    const refs = operands.map((operand) => this.operand(operand, shape, path, space));
    const { does, alone } = step as Extract<Pending["step"], { kind: "op" }>;
    this.weight += alone.values;
    let level = 0;
    for (const ref of refs) level = Math.max(level, this.levelOf(ref));
    return { kind: "op", index: this.ops.push({ does, type, operands: refs, space, level, values: alone.values }) - 1 };
  }

  private fold({ step, operands, type }: Pending): DraftRef {
    const [operand] = operands as [Operand];
    const input = this.operand(operand, operand.shape, null, "full");
    const { op } = step as Extract<Pending["step"], { kind: "fold" }>;
    return { kind: "fold", index: this.folds.push({ op, type, input, level: this.levelOf(input) + 1 }) - 1 };
  }

  private levelOf(ref: DraftRef): number {
    if (ref.kind === "fold") return this.folds[ref.index]!.level;
    return ref.kind === "op" ? this.ops[ref.index]!.level : 0;
  }

  private move(view: Pending, path: Path | null): DraftRef {
    return this.operand(view.operands[0]!, null, pathThrough(view, path), this.spaceOf(view));
  }

  /** The array that an operand is seen of, and how. */
  part(operand: Operand, path: Path | null): { readonly array: Elements; readonly view: View } {
    const array = operand.result ?? this.assumed?.get(operand) ?? null;
    if (array !== null) {
      const whole = wholeView(operand.shape);
      return { array, view: path === null ? whole : viewThrough(whole, path) };
    }
    const value = operand as Pending;
    if (value.step.kind !== "move") throw new Apart(value);
    const [from] = value.operands as [Operand];
    if (!this.refs.has(value)) {
      this.use(from);
      this.refs.set(value, PART);
    }
    return this.part(from, pathThrough(value, path));
  }

  /** What is read of an operand: by an op over elements of a shape, or through the move that the path begins with. */
  private operand(operand: Operand, shape: Shape | null, path: Path | null, space: Space): DraftRef {
    const array = operand.result ?? this.assumed?.get(operand) ?? null;
    if (array === null) {
      const value = operand as Pending;
      const isOfLine = space === "full" && shape !== null && this.spaceOf(value) === "line";
      if (isOfLine && !readsItsLine(value.shape, shape, this.lines!)) throw new Apart(value);
      return this.value(value, path);
    }
    const access = accessFor(operand, shape ?? operand.shape, path);
    return this.read(new Reader(array, widthOf(operand.type), access), operand.type, space);
  }

  read(reader: Reader, type: KernelInput["type"], space: Space): DraftRef {
    const { readers } = this;
    const same = readers.findIndex(
      (other, i) => reader.isSame(other) && this.inputs[i]!.type === type && this.spaces[i] === space,
    );
    if (same >= 0) return { kind: "input", index: same };
    readers.push(reader);
    if (!reader.isUniform) this.arrays += reader.arrays.length;
    this.spaces.push(space);
    this.inputs.push({ type, uniform: reader.isUniform });
    return { kind: "input", index: readers.length - 1 };
  }
}

const isComputedOften = ({ step, times }: Pending): boolean =>
  times > 1 || (times > 0 && step.kind === "op" && step.alone.values >= DEFERRED_HEAVY);

/** The path through one more move; none through a move that leaves elements in order, where they are in order. */
function pathThrough(view: Pending, next: Path | null): Path | null {
  const { move } = view.step as Extract<Pending["step"], { kind: "move" }>;
  const isReshape = move.kind === "reshape";
  if (isReshape && next === null) return null;
  const text = isReshape ? "" : JSON.stringify(move.attrs);
  const key = `${move.kind} ${text} ${view.shape.join()};${next?.key ?? ""}`;
  const isReordered = move.kind === "transpose" || move.kind === "reverse" || (next?.isReordered ?? false);
  return { view, next, key, isReordered };
}

/**
 * Whether a value is better computed before it is moved: where it would be computed for several readers, or more than one array
 * would be read against its order.
 */
const isBetterApart = (value: Pending, { isReordered }: Path): boolean =>
  value.consumers > 1 || (isReordered && largeLeaves(value, value.size, new Set()) > 1);

/** How many arrays of at least half so many elements a value is computed of, those of values that are going to be stored included. */
function largeLeaves({ operands }: Pending, size: number, met: Set<object>, stored: readonly Operand[] = []): number {
  let count = 0;
  for (const operand of operands) {
    const array = operand.result;
    const key = array ?? operand;
    if (met.has(key)) continue;
    met.add(key);
    if (array === null && !stored.includes(operand)) count += largeLeaves(operand as Pending, size, met, stored);
    else if (sizeOf(operand.shape) * 2 >= size) count++;
  }
  return count;
}

function accessFor({ shape: own }: Operand, shape: Shape, path: Path | null): Access {
  if (path === null) return broadcastAccess(own, shape);
  const key = `${own.join()}>${shape.join()};${path.key}`;
  return walks.getOrMake(key, () => {
    const view = viewThrough(alignedView(wholeView(own), shape), path);
    return accessOf(view.shape, view.strides, view.offset);
  });
}

function viewThrough(seen: View, path: Path): View {
  let view = seen;
  for (let at: Path | null = path; at !== null; at = at.next) {
    const { step, operands, shape } = at.view;
    const [operand] = operands as [Operand];
    const from = sameShape(view.shape, operand.shape) ? view : alignedView(view, operand.shape);
    const next = moved(from, (step as Extract<Pending["step"], { kind: "move" }>).move, shape);
    if (next === null) throw new Apart(operand as Pending);
    view = next;
  }
  return view;
}
