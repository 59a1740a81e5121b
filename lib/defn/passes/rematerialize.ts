/**
 * Rematerialization: a cheap value that only kernels read, but that would go through memory since another node lies between the
 * kernels, is computed again in each kernel, by copies of its nodes. Runs before fusion, which puts the copies into the kernels.
 */
import { getOrMake } from "../../core/get-or-make";
import { unnamed } from "../../core/names";
import { sameShape, type Shape } from "../../core/shape";
import { clusteringOf } from "../fuse/clusters";
import { builtIn } from "../fuse/lower";
import { rematerializedIn, type Rematerialized, type Use } from "../fuse/rematerialize";
import {
  afterChanges,
  functionsOf,
  isControl,
  orderOf,
  primitiveNode,
  rebuild,
  withChanges,
  type Changes,
  type Graph,
  type Node,
  type PrimitiveNode,
} from "../graph";
import type { Pass } from "./pass";

export const rematerialize: Pass = { name: "rematerialize", run: rematerializeIn };

/** The replacement of an input for a reader. */
interface Edge {
  readonly use: Use;
  readonly rematerialized: Rematerialized;
}

function rematerializeIn(graph: Graph, fired?: () => void): Graph {
  const clustering = clusteringOf(graph);
  const found = rematerializedIn(clustering);
  if (found.length === 0 && !clustering.facts.order.some(isControl)) return graph;
  found.forEach(() => fired?.());
  const edges = new Map<Node, Map<Node, Edge>>();
  for (const rematerialized of found) {
    for (const use of rematerialized.uses) {
      getOrMake(edges, use.reader, () => new Map()).set(use.input, { use, rematerialized });
    }
  }
  return rewired(graph, edges, (fn) => rematerializeIn(fn, fired));
}

/** The graph with copies in the place of some inputs, one for each kernel and view. */
function rewired(graph: Graph, edges: ReadonlyMap<Node, ReadonlyMap<Node, Edge>>, inner: (fn: Graph) => Graph): Graph {
  const changed: Changes = new Map();
  const copies = new Map<string, Node>();
  const became = (node: Node): Node => changed.get(node) ?? node;
  const copyFor = ({ use, rematerialized }: Edge): Node => {
    const key = `${use.kernel} ${use.input.id}`;
    const copy = copies.get(key) ?? copyOf(rematerialized, use.views, became);
    copies.set(key, copy);
    return copy;
  };
  const rewiredInputs = ({ inputs }: Node, own: ReadonlyMap<Node, Edge>): Node[] =>
    inputs.map((input) => {
      const edge = own.get(input);
      return edge ? copyFor(edge) : became(input);
    });
  for (const node of orderOf(graph)) {
    const own = edges.get(node);
    const inputs = own ? rewiredInputs(node, own) : afterChanges(node.inputs, changed);
    const now = rebuild(node, inputs, isControl(node) ? functionsOf(node).map(inner) : undefined);
    if (now !== node) changed.set(node, now);
  }
  return withChanges(graph, changed);
}

/** A copy of a value for a kernel, over the changed operands; with views the copy has the shape of the last view. */
function copyOf({ value, nodes }: Rematerialized, views: readonly Node[], became: (node: Node) => Node): Node {
  const copies = new Map<Node, Node>();
  const shape = views.length > 0 ? views[views.length - 1]!.out.shape : null;
  const operand = (input: Node): Node => {
    const copy = copies.get(input);
    if (copy) return copy;
    return shape ? throughViews(input, became(input), value.out.shape, views) : became(input);
  };
  for (const node of nodes) copies.set(node, copied(node, node.inputs.map(operand), shape));
  return copies.get(value)!;
}

/** A further node, even where the operands are the same. */
function copied(node: Node, inputs: readonly Node[], shape: Shape | null): Node {
  const { kind, attrs } = node as PrimitiveNode;
  const out = shape ? { type: node.out.type, shape, names: unnamed(shape.length) } : node.out;
  const copy = primitiveNode(kind, out, inputs, attrs);
  return node.origin ? { ...copy, origin: node.origin } : copy;
}

/** An operand of a value, broadcast to the value's shape and then moved by the views. */
function throughViews(input: Node, became: Node, shape: Shape, views: readonly Node[]): Node {
  const { type } = input.out;
  const constant = builtIn(input);
  if (constant) return primitiveNode("constant", { type, shape: [], names: [] }, [], constant.attrs);
  const lead = shape.length - input.out.shape.length;
  const axes = input.out.shape.map((_, axis) => axis + lead);
  const whole = sameShape(input.out.shape, shape)
    ? became
    : primitiveNode("broadcast", { type, shape, names: unnamed(shape.length) }, [became], { axes });
  return (views as readonly PrimitiveNode[]).reduce<Node>((seen, { kind, out, attrs }) => {
    const names = unnamed(out.shape.length);
    return primitiveNode(kind, { type, shape: out.shape, names }, [seen], attrs);
  }, whole);
}
