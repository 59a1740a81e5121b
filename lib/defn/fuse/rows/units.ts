/**
 * The graph as the units that nests of folds are made of: kernels with the results they are read through, reductions of rows,
 * and everything else. Knows which unit needs which, not what a nest is.
 */
import { getOrMake } from "../../../core/get-or-make";
import type { NestStage } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { stagesOf, type Stage } from "../../../core/stages";
import { isComplex, type DType } from "../../../core/types";
import { mapKernelOf } from "../../../kernel/nest";
import type { Geometry } from "../../../kernel/spaces";
import type { Kernel } from "../../../kernel/value";
import type { ReduceOp } from "../../../ops";
import { orderOf, rootsOf, type Graph, type Node, type PrimitiveNode } from "../../graph";
import { isElementwise } from "../lower";
import { spansOf } from "../spans";
import type { Viewed } from "../views";
import { belowReshapes, isFusedKernel, singleKernel } from "./single";

/** How a unit reads and computes, as far as nests are concerned. */
type Work =
  | { readonly kind: "kernel"; readonly kernel: Kernel; readonly reads: readonly Viewed[]; readonly size: number }
  | { readonly kind: "fold"; readonly fold: Fold; readonly operand: Node }
  /** Elements stay in their order: readers may read what is below. */
  | { readonly kind: "reshape" }
  | { readonly kind: "other" };

/** What is done with each line. */
type Does = { [K in "fold" | "search" | "scan"]: Omit<Extract<NestStage, { kind: K }>, "input" | "output"> };

/** A reduction of each line. */
interface Fold extends Geometry {
  readonly does: Does[keyof Does];
}

/** Whether a reduction is one that nests have beside others: a fold of contiguous lines. */
export const isLineFold = ({ does, columns }: Fold): boolean => does.kind === "fold" && columns === 1;

export interface Unit {
  /** The computing node, then the nodes that pick its results. */
  readonly nodes: readonly Node[];
  /** The positions of the nodes in the graph. */
  readonly places: readonly number[];
  readonly work: Work;
  /** Results, in the order of the kernel's outputs; several nodes may be the same one. */
  readonly results: readonly (readonly Node[])[];
  /** The place in an order in which all units can run. */
  position: number;
}

const OTHER: Work = { kind: "other" };

/** The units of a graph, in an order in which they can run. */
export class Units {
  /** Units, readers and marks of searches by the positions of nodes in the graph. */
  private readonly unitAt: Unit[] = [];
  private readonly readersAt: readonly number[][];
  private readonly marks: { readonly direct: number[]; readonly around: number[] } = { direct: [], around: [] };
  private searches = 0;
  /** By position; nothing where units were that are merged. */
  private readonly order: (Unit | null)[];
  private merged = false;

  private readonly roots: ReadonlySet<Node>;
  private readonly nodes: readonly Node[];
  private readonly placeOf = new Map<Node, number>();
  private readonly spans: readonly number[];

  constructor(graph: Graph) {
    const nodes = orderOf(graph);
    this.nodes = nodes;
    for (const node of nodes) this.placeOf.set(node, this.placeOf.size);
    this.spans = spansOf(nodes, this.placeOf);
    this.roots = new Set(rootsOf(graph));
    this.readersAt = nodes.map(() => []);
    const elements = new Map<Node, Node[]>();
    nodes.forEach((node, place) => {
      for (const input of node.inputs) {
        const readers = this.readersAt[this.place(input)]!;
        if (readers[readers.length - 1] !== place) readers.push(place);
      }
      if (node.kind === "element") getOrMake(elements, node.inputs[0]!, () => []).push(node);
    });
    this.order = nodes
      .filter(({ kind }) => kind !== "element")
      .map((node, position) => unitOf([node, ...(elements.get(node) ?? [])], position, this.place));
    for (const unit of this.all) for (const place of unit.places) this.unitAt[place] = unit;
  }

  private readonly place = (node: Node): number => this.placeOf.get(node)!;

  /** Whether all units are as they were in the beginning. */
  get isUntouched(): boolean {
    return !this.merged;
  }

  get all(): readonly Unit[] {
    return this.order.filter((unit) => unit !== null);
  }

  of(node: Node): Unit {
    return this.unitAt[this.place(node)]!;
  }

  readers(node: Node): readonly Node[] {
    return this.readersAt[this.place(node)]!.map((place) => this.nodes[place]!);
  }

  /** Whether the order of the graph shows that a node needs something of a unit; it may do so where it does not. */
  needsSurely(node: Node, { places }: Unit): boolean {
    const last = this.place(node);
    const first = this.spans[last]!;
    return places.some((place) => place >= first && place < last);
  }

  /**
   * Whether no path leads out of some units and back in; reshapes are part of what reads through them. Where more than `most` edges would have
   * to be followed, it is as if there were one.
   */
  isConvex(joined: ReadonlySet<Unit>, most: number): boolean {
    const search = ++this.searches;
    const { direct, around } = this.marks;
    const last = Math.max(...[...joined].map(({ position }) => position));
    const stack = [...joined].flatMap(({ places }) => places);
    /** Of each place of the stack, whether it was reached by way of others. */
    const outside: boolean[] = stack.map(() => false);
    let left = most;
    while (stack.length > 0) {
      const place = stack.pop()!;
      const isOutside = outside.pop()!;
      for (const reader of this.readersAt[place]!) {
        const unit = this.unitAt[reader]!;
        if (joined.has(unit)) {
          if (isOutside) return false;
          continue;
        }
        const isReshape = unit.work.kind === "reshape";
        if (!isReshape && unit.position > last) continue;
        if (--left < 0) return false;
        const known = isOutside || !isReshape ? around : direct;
        if (known[reader] === search) continue;
        for (const each of unit.places) {
          known[each] = search;
          stack.push(each);
          outside.push(known === around);
        }
      }
    }
    return true;
  }

  /** Whether a node is a result of the graph, or an effect. */
  isRoot(node: Node): boolean {
    return this.roots.has(node);
  }

  /** Whether nothing but a unit reads a node, reshapes looked through. */
  isReadOnlyBy(unit: Unit, node: Node): boolean {
    return (
      !this.isRoot(node) &&
      this.readers(node).every(
        (reader) => this.of(reader) === unit || (reader.kind === "reshape" && this.isReadOnlyBy(unit, reader)),
      )
    );
  }

  /** Merges units, given in the order in which they run; nothing joins the result. */
  merge(units: readonly Unit[]): void {
    this.merged = true;
    const { order } = this;
    const nodes = units.flatMap((unit) => unit.nodes);
    const merged: Unit = { nodes, places: nodes.map(this.place), work: OTHER, results: [], position: -1 };
    for (const place of merged.places) this.unitAt[place] = merged;
    for (const { position } of units) order[position] = null;
    const to = units[units.length - 1]!.position;
    const next = this.nextReader(merged, to + 1);
    // Units outside of this part keep their place: no unit in the part needs a later one.
    const needed = this.neededFrom(merged, next, to);
    if (needed.length > 0) {
      const moved = new Set(needed);
      const others = order.slice(next, to + 1).filter((unit) => unit !== null && !moved.has(unit));
      const sequence = [...needed, merged, ...others];
      for (let at = next; at <= to; at++) this.put(sequence[at - next] ?? null, at);
      return;
    }
    // Those before the next reader move to the nearest place that is free.
    let free = next - 1;
    while (order[free] !== null) free--;
    for (; free < next - 1; free++) this.put(order[free + 1]!, free);
    this.put(merged, next - 1);
  }

  private put(unit: Unit | null, position: number): void {
    this.order[position] = unit;
    if (unit) unit.position = position;
  }

  /** The first position, below a bound, of a unit that reads a merged unit, through reshapes too; the bound where there is none. */
  private nextReader(merged: Unit, bound: number): number {
    let first = bound;
    const visit = (node: Node): void => {
      for (const reader of this.readers(node)) {
        const unit = this.of(reader);
        if (unit !== merged) first = Math.min(first, unit.position);
        if (reader.kind === "reshape") visit(reader);
      }
    };
    merged.nodes.forEach(visit);
    return first;
  }

  /** The units from a position on that a merged unit needs, in an order in which they can run. */
  private neededFrom(merged: Unit, from: number, to: number): Unit[] {
    const found: Unit[] = [];
    const done = new Set<Unit>();
    const isMissing = (unit: Unit): boolean => unit.position >= from && unit.position <= to && !done.has(unit);
    const stack = from > to ? [] : [merged];
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const missing = done.has(top) ? [] : this.needs(top).filter(isMissing);
      stack.push(...missing);
      if (missing.length > 0) continue;
      stack.pop();
      if (done.has(top)) continue;
      done.add(top);
      if (top !== merged) found.push(top);
    }
    return found;
  }

  /** The units that a unit reads, through reshapes, which may lie between merged units. */
  private needs(unit: Unit): Unit[] {
    const units = unit.nodes.flatMap(({ inputs }) => inputs.map((input) => this.of(belowReshapes(input))));
    return units.filter((needed) => needed !== unit);
  }
}

/** Units of graphs that were looked through and left as they are: the next pass asks again. */
const untouched = new WeakMap<Graph, Units>();

/** The units of a graph. */
export function unitsOf(graph: Graph): Units {
  const known = untouched.get(graph);
  if (known?.isUntouched) return known;
  const made = new Units(graph);
  untouched.set(graph, made);
  return made;
}

/** The unit of a computing node and the nodes that pick its results. */
function unitOf(nodes: readonly [Node, ...Node[]], position: number, place: (node: Node) => number): Unit {
  const [node, ...elements] = nodes;
  const places = nodes.map(place);
  if (!isFusedKernel(node)) return { nodes, places, work: workOf(node), results: [[node]], position };
  const { operands } = node.attrs.nest;
  const reads = node.inputs.map((input, i) => ({ base: belowReshapes(input), view: operands[i]!.view }));
  const results = node.outs.map((_, index) =>
    elements.filter((element) => element.kind === "element" && element.attrs.index === index),
  );
  const work: Work = { kind: "kernel", kernel: mapKernelOf(node.attrs.nest), reads, size: sizeOf(node.out.shape) };
  return { nodes, places, work, results, position };
}

function workOf(node: Node): Work {
  if (node.kind === "reshape") return { kind: "reshape" };
  const fold = foldOf(node);
  if (fold) return { kind: "fold", fold, operand: belowReshapes(node.inputs[0]!) };
  if (!isElementwise(node)) return OTHER;
  const { kernel, reads } = singleKernel(node);
  return { kind: "kernel", kernel, reads, size: sizeOf(node.out.shape) };
}

// ---------------------------------------------------------------------------------------------------------------- folds

/** A reduction along axes of at least two elements, in one fold; null for other nodes. */
function foldOf(node: Node): Fold | null {
  const of = (before: number, rows: number, columns: number, does: Fold["does"]): Fold | null =>
    rows < 2 || isComplex(node.inputs[0]!.out.type) ? null : { groups: before, rows, columns, does };
  switch (node.kind) {
    case "reduceOp":
      return reductionOf(node);
    case "argReduce": {
      const { op, axis, tieBreak } = node.attrs;
      const { shape } = node.inputs[0]!.out;
      const does = { kind: "search", op, tieBreak } as const;
      if (axis === null) return of(1, sizeOf(shape), 1, does);
      return of(sizeOf(shape.slice(0, axis)), shape[axis]!, sizeOf(shape.slice(axis + 1)), does);
    }
    case "cumulative": {
      const { op, axis, reverse } = node.attrs;
      const { shape, type } = node.out;
      if (type !== node.inputs[0]!.out.type) return null;
      const does = { kind: "scan", op, reverse } as const;
      return of(sizeOf(shape.slice(0, axis)), shape[axis]!, sizeOf(shape.slice(axis + 1)), does);
    }
    default:
      return null;
  }
}

/** Whether the parts of complex numbers are reduced by themselves. */
export const isParted = (op: ReduceOp, type: DType): boolean => isComplex(type) && op !== "all" && op !== "any";

function reductionOf({ attrs: { op, axes }, inputs }: PrimitiveNode<"reduceOp">): Fold | null {
  const { shape, type } = inputs[0]!.out;
  const [{ before, size, after }, ...further] = stagesOf(shape, axes) as [Stage, ...Stage[]];
  if (size < 2 || further.length > 0 || (isParted(op, type) && (op !== "sum" || after > 1))) return null;
  return { groups: before, rows: size, columns: after, does: { kind: "fold", op } };
}
