/**
 * Which element-wise nodes share a kernel. Nodes over equally many elements that read each other element by element are
 * joined as long as nothing outside the kernel lies between two of its nodes; then kernels that read the same tensors.
 */
import { getOrMake } from "../../core/get-or-make";
import { sizeOf } from "../../core/shape";
import { orderOf, rootsOf, type Graph, type Node } from "../graph";
import { builtIn, weightOf } from "./lower";
import { spansOf } from "./spans";

/** A kernel computes at most this many nodes: more would not keep their values in registers. */
export const MAX_NODES = 128;
/**
 * A kernel computes at most this many values of the kernel language, unless a node by itself has more: each takes about 0.1 ms
 * to compile, and the emitter of WebAssembly fails where the code of a function is longer than an argument list may be.
 */
const MAX_VALUES = 1200;
/** A kernel reads at most this many tensors; constants are part of the kernel. */
export const MAX_INPUTS = 24;
/** Edges followed to see whether two kernels can be one; those that lie further apart stay two. */
const MAX_SEARCH = 2000;
/** With how many of the kernels before it that read the same tensor a kernel is compared. */
const MAX_COMPARED = 4;

const NOTHING: readonly never[] = Object.freeze([]);

/** What is known of the nodes of a graph. */
export interface Facts {
  /** Every node after its inputs. */
  readonly order: readonly Node[];
  readonly positionOf: ReadonlyMap<Node, number>;
  readonly readers: ReadonlyMap<Node, readonly Node[]>;
  readonly roots: ReadonlySet<Node>;
}

function factsOf(order: readonly Node[], roots: readonly Node[]): Facts {
  const readers = new Map<Node, Node[]>();
  for (const node of order) {
    for (const input of node.inputs) getOrMake(readers, input, () => []).push(node);
  }
  const positionOf = new Map<Node, number>();
  for (const node of order) positionOf.set(node, positionOf.size);
  return { order, positionOf, readers, roots: new Set(roots) };
}

/** What runs as one step: the nodes of a kernel, or a node by itself. Nodes are given by their positions in the graph. */
class Unit {
  readonly nodes: number[];
  readonly size: number;
  /** The nodes outside that a kernel reads; constants inside do not count. */
  inputs: readonly number[];
  /** Readers, as often as they read: all of those outside. */
  readonly readers: number[];
  /** How many readers there were when those outside were looked for. */
  private outside: number;
  /** How often its nodes are read, by its own nodes too. */
  reads: number;
  /** The last search that met the unit. */
  search = 0;

  constructor(
    position: number,
    node: Node,
    { positionOf, readers }: Facts,
    readonly isKernel: boolean,
    /** Values of the kernel language that the nodes take. */
    public weight: number,
    /** The place of the unit in an order in which all can run. */
    public rank: number,
  ) {
    const place = (other: Node): number => positionOf.get(other)!;
    this.nodes = [position];
    this.size = sizeOf(node.out.shape);
    this.inputs = isKernel ? [...new Set(node.inputs.filter((input) => !builtIn(input)).map(place))] : NOTHING;
    this.readers = readers.get(node)?.map(place) ?? [];
    this.reads = this.readers.length;
    this.outside = this.reads;
  }

  /** Takes over what another unit is read by; `isOutside` says which readers are outside of both. */
  read(other: Unit, isOutside: (reader: number) => boolean): void {
    const { readers } = this;
    for (const reader of other.readers) readers.push(reader);
    this.reads += other.reads;
    if (readers.length <= 2 * this.outside + MAX_INPUTS) return;
    this.outside = 0;
    for (const reader of readers) if (isOutside(reader)) readers[this.outside++] = reader;
    readers.length = this.outside;
  }
}

/** The kernels of a graph, and what they were found by. */
export interface Clustering {
  readonly facts: Facts;
  readonly clusters: readonly (readonly Node[])[];
}

/** Two passes ask in turn for the kernels of a graph. */
const clusterings = new WeakMap<Graph, Clustering>();

/** The kernels of a graph. */
export const clusteringOf = (graph: Graph): Clustering =>
  getOrMake(clusterings, graph, () => {
    const facts = factsOf(orderOf(graph), rootsOf(graph));
    return { facts, clusters: clustersOf(facts) };
  });

/** Groups nodes into kernels; the nodes of each in the order of the graph. */
function clustersOf(facts: Facts): Node[][] {
  const { order, positionOf } = facts;
  const units = new Units(facts);
  order.forEach((node, position) => {
    for (const input of node.inputs) units.join(units.at(positionOf.get(input)!), units.at(position));
  });
  joinReaders(units, facts);
  return units
    .kernels()
    .map(({ nodes }) => nodes.sort((a, b) => a - b).map((position) => order[position]!))
    .filter((nodes) => nodes.some((node) => node.kind !== "reshape"));
}

/** Joins kernels that read the same tensor, so that the tensor is read once. */
function joinReaders(units: Units, { order, positionOf, readers }: Facts): void {
  order.forEach((node, position) => {
    const all = readers.get(node);
    if (!all || all.length < 2 || units.at(position).isKernel) return;
    const size = sizeOf(node.out.shape);
    let before: Unit[] = [];
    for (const reader of all) {
      const place = positionOf.get(reader)!;
      const unit = units.at(place);
      if (!unit.isKernel || unit.size !== size || before.includes(unit)) continue;
      const other = before.find((candidate) => units.join(candidate, unit));
      before = [units.at(place), ...before.filter((kept) => kept !== other)].slice(0, MAX_COMPARED);
    }
  });
}

/**
 * The units of a graph, always in an order in which they can run. The order is kept up as two units become one by moving
 * only what lies between them (the way of Pearce and Kelly, "A dynamic topological sort algorithm for directed acyclic
 * graphs", 2006).
 */
class Units {
  /** By the positions of nodes. */
  private readonly unitAt: Unit[] = [];
  private readonly ranked: (Unit | null)[] = [];
  private readonly spans: readonly number[];
  private searches = 0;

  constructor(private readonly facts: Facts) {
    this.spans = spansOf(facts.order, facts.positionOf);
    facts.order.forEach((node, position) => {
      const weight = this.weightOf(node);
      const unit = new Unit(position, node, facts, weight !== null, weight ?? 0, position);
      this.unitAt.push(unit);
      this.ranked.push(unit);
    });
  }

  at(position: number): Unit {
    return this.unitAt[position]!;
  }

  kernels(): Unit[] {
    return this.ranked.filter((unit) => unit !== null).filter(({ isKernel }) => isKernel);
  }

  /** Merges two kernels where possible; returns whether it did. */
  join(left: Unit, right: Unit): boolean {
    if (!left.isKernel || !right.isKernel || left === right || left.size !== right.size) return false;
    if (left.nodes.length + right.nodes.length > MAX_NODES || left.weight + right.weight > MAX_VALUES) return false;
    const [a, b] = left.rank < right.rank ? [left, right] : [right, left];
    const inputs = this.readTogether(a, b);
    if (inputs.length > MAX_INPUTS) return false;
    const later = this.between(a, b);
    if (later === null) return false;
    const [kept, gone] = a.nodes.length >= b.nodes.length ? [a, b] : [b, a];
    for (const position of gone.nodes) {
      kept.nodes.push(position);
      this.unitAt[position] = kept;
    }
    kept.weight += gone.weight;
    kept.inputs = inputs;
    kept.read(gone, (reader) => this.unitAt[reader] !== kept);
    this.place(a, b, kept, later);
    return true;
  }

  /** What two kernels read of others. */
  private readTogether(a: Unit, b: Unit): number[] {
    const inputs: number[] = [];
    for (const { inputs: own } of [a, b]) {
      for (const input of own) {
        const unit = this.unitAt[input];
        if (unit !== a && unit !== b && !inputs.includes(input)) inputs.push(input);
      }
    }
    return inputs;
  }

  /** Of element-wise nodes, else null; a reshape between two of them is nothing, since elements keep their order. */
  private weightOf(node: Node): number | null {
    if (node.kind !== "reshape") return weightOf(node);
    return this.unitAt[this.facts.positionOf.get(node.inputs[0]!)!]!.isKernel ? 0 : null;
  }

  /** Whether the order of the graph shows that `b` runs after `a` by way of others. */
  private isAround(a: Unit, b: Unit): boolean {
    return b.inputs.some((input) => {
      if (this.unitAt[input] === a) return false;
      const first = this.spans[input]!;
      return a.nodes.some((node) => node >= first && node < input);
    });
  }

  /**
   * How many of the units up to `b` have to run after `a`, which are marked with the search; null where `b` does too by way of others, or that
   * is far to see.
   */
  private between(a: Unit, b: Unit): number | null {
    if (this.isAround(a, b)) return null;
    const search = ++this.searches;
    const stack = [a];
    let found = 0;
    let left = MAX_SEARCH;
    for (let unit = stack.pop(); unit; unit = stack.pop()) {
      left -= unit.reads;
      if (left < 0) return null;
      for (const reader of unit.readers) {
        const next = this.unitAt[reader]!;
        if (next === unit || next.rank > b.rank || next.search === search) continue;
        if (next !== b) {
          next.search = search;
          found++;
          stack.push(next);
        } else if (unit !== a) return null;
      }
    }
    return found;
  }

  /** Puts a unit in place of two: after all that it needs, before what has to run later, as the last search found. */
  private place(a: Unit, b: Unit, joined: Unit, later: number): void {
    const { ranked } = this;
    const [from, to] = [a.rank, b.rank];
    if (later === 0) {
      // All that lies between may stay before the joined unit.
      ranked[from] = null;
      ranked[to] = joined;
      joined.rank = to;
      return;
    }
    const others = ranked.slice(from + 1, to).filter((unit) => unit !== null);
    const isLater = ({ search }: Unit): boolean => search === this.searches;
    const sequence = [...others.filter((unit) => !isLater(unit)), joined, ...others.filter(isLater)];
    const first = to - sequence.length + 1;
    for (let rank = from; rank <= to; rank++) {
      const unit = sequence[rank - first] ?? null;
      ranked[rank] = unit;
      if (unit) unit.rank = rank;
    }
  }
}
