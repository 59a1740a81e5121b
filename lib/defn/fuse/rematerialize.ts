/**
 * Which values are computed again by the kernels that read them rather than kept in memory between two kernels: those that
 * kernels only read, and that cost less to compute than to write and read.
 */
import { getOrMake } from "../../core/get-or-make";
import { sameShape, sizeOf } from "../../core/shape";
import { LONG_LINE } from "../../kernel/nest";
import type { Node } from "../graph";
import type { Clustering } from "./clusters";
import { recomputeCost, storeCost, type Reading } from "./cost";
import { builtIn } from "./lower";
import { isViewNode } from "./views";

/** A value is made again of at most this many nodes. */
const MAX_NODES = 12;
/** A value with more readers than this is kept. */
const MAX_READERS = 8;

/** How a kernel reads a value of another one: itself, or through a chain of views. */
export interface Use {
  /** What the reader has as its input: the value, or the last view. */
  readonly input: Node;
  readonly reader: Node;
  /** From the value on. */
  readonly views: readonly Node[];
  /** The number of the kernel that the reader belongs to. */
  readonly kernel: number;
}

/** A value to compute again, with the nodes of its kernel that compute it, in order. */
export interface Rematerialized {
  readonly value: Node;
  readonly nodes: readonly Node[];
  readonly uses: readonly Use[];
}

/** The values of a graph that had better be computed again. */
export function rematerializedIn(clustering: Clustering): Rematerialized[] {
  if (clustering.clusters.length < 2) return [];
  const chooser = new Chooser(clustering);
  return clustering.facts.order.flatMap((node) => chooser.choose(node) ?? []);
}

class Chooser {
  private readonly kernelOf = new Map<Node, number>();
  private readonly bases = new Map<number, ReadonlySet<Node>>();
  /** Values that will not be in memory. */
  private readonly gone = new Set<Node>();

  constructor(private readonly clustering: Clustering) {
    clustering.clusters.forEach((nodes, kernel) => nodes.forEach((node) => this.kernelOf.set(node, kernel)));
  }

  choose(value: Node): Rematerialized | null {
    const kernel = this.kernelOf.get(value);
    const { readers, roots } = this.clustering.facts;
    if (kernel === undefined || value.kind === "reshape" || roots.has(value)) return null;
    if ((readers.get(value) ?? []).every((reader) => this.kernelOf.get(reader) === kernel)) return null;
    const uses = this.usesOf(value, value, [], kernel);
    if (!uses || uses.length === 0 || uses.length > MAX_READERS) return null;
    const nodes = this.madeBy(value, kernel);
    if (!nodes || (uses.some(({ views }) => views.length > 0) && !canBeSeen(value, nodes))) return null;
    const readings = this.readingsOf(uses, nodes);
    if (recomputeCost(nodes, readings) >= storeCost(value, readings)) return null;
    this.gone.add(value);
    return { value, nodes, uses };
  }

  /** The uses of a value outside its kernel; null where a reader needs the value in memory. */
  private usesOf(value: Node, input: Node, views: readonly Node[], own: number): Use[] | null {
    const uses: Use[] = [];
    for (const reader of new Set(this.clustering.facts.readers.get(input))) {
      const kernel = this.kernelOf.get(reader);
      if (kernel === own && views.length === 0) continue;
      if (kernel !== undefined) {
        // A kernel of another size repeats the value, and would compute it for each of its elements.
        if (sizeOf(reader.out.shape) !== sizeOf(input.out.shape)) return null;
        uses.push({ input, reader, views, kernel });
        continue;
      }
      if (views.length === 0 && isLongReduction(reader)) continue;
      if (!isViewNode(reader) || this.clustering.facts.roots.has(reader)) return null;
      const more = this.usesOf(value, reader, [...views, reader], own);
      if (!more) return null;
      uses.push(...more);
    }
    return uses;
  }

  /** The nodes of a kernel that a value is made by, in order; null where they are many, or need a value that is gone. */
  private madeBy(value: Node, kernel: number): Node[] | null {
    const nodes = new Set<Node>();
    const stack = [value];
    while (stack.length > 0) {
      const node = stack.pop()!;
      if (nodes.has(node)) continue;
      nodes.add(node);
      if (nodes.size > MAX_NODES) return null;
      for (const input of node.inputs) {
        if (this.gone.has(belowViews(input))) return null;
        if (this.kernelOf.get(input) === kernel && !this.clustering.facts.roots.has(input)) stack.push(input);
      }
    }
    const { positionOf } = this.clustering.facts;
    return [...nodes].sort((a, b) => positionOf.get(a)! - positionOf.get(b)!);
  }

  /** The readings of a value: one for each pair of a kernel and a view. */
  private readingsOf(uses: readonly Use[], nodes: readonly Node[]): Reading[] {
    const own = new Set(nodes);
    const leaves = new Set(nodes.flatMap(({ inputs }) => inputs.filter((input) => !own.has(input) && !builtIn(input))));
    const ways = new Map(uses.map((use) => [`${use.kernel} ${use.input.id}`, use]));
    return [...ways.values()].map(({ kernel, input, views }) => {
      const known = this.basesOf(kernel);
      const reads = [...new Set([...leaves].map(belowViews))].filter((base) => !known.has(base));
      return {
        elements: sizeOf(input.out.shape),
        reads,
        gathered: views.length > 0 ? Math.max(0, leaves.size - 1) : 0,
      };
    });
  }

  /** Tensors that a kernel reads. */
  private basesOf(kernel: number): ReadonlySet<Node> {
    const { clusters } = this.clustering;
    return getOrMake(
      this.bases,
      kernel,
      () => new Set(clusters[kernel]!.flatMap(({ inputs }) => inputs.map(belowViews))),
    );
  }
}

function belowViews(node: Node): Node {
  let base = node;
  while (isViewNode(base)) base = base.inputs[0]!;
  return base;
}

/** Views of a value are views of its operands, where all that it is made by has its shape. */
const canBeSeen = (value: Node, nodes: readonly Node[]): boolean =>
  nodes.every(({ kind, out }) => kind !== "reshape" && sameShape(out.shape, value.out.shape));

/** A reduction that computes its operand on the way, and whose rows are too long to be kept for a second use. */
function isLongReduction(node: Node): boolean {
  if (node.kind !== "reduceOp") return false;
  const { shape } = node.inputs[0]!.out;
  const first = Math.min(...node.attrs.axes);
  const isTrailing = shape.every((dim, axis) => axis < first || dim === 1 || node.attrs.axes.includes(axis));
  return isTrailing && sizeOf(shape) / Math.max(1, sizeOf(node.out.shape)) > LONG_LINE;
}
