/**
 * Where cotangents get to, known before any is made: a state of a loop on which no result depends by way of derivatives has none.
 * One of zeros would not do: times an infinity it would be NaN. The rules themselves say it, by the inputs they have nothing for.
 */
import { getOrMake } from "../../core/get-or-make";
import type { Tensor } from "../../tensor";
import { own } from "../control/build";
import { nodeOf } from "../expr";
import {
  instantiate,
  isControl,
  isLeaf,
  topological,
  type ControlKind,
  type ElementNode,
  type Graph,
  type LeafNode,
  type Node,
} from "../graph";
import { BLOCK_RULES } from "./blocks";
import { bare, cotangentType, zeros } from "./core";
import { ruleOf } from "./rules";

type Flags = readonly boolean[];
type Control = Extract<Node, { kind: ControlKind }>;
type Loop = Exclude<Control, { kind: "cond" }>;

const bodyOf = ({ attrs: { functions } }: Loop): Graph => functions[functions.length - 1]!;

/** How many of the inputs are states, which are the first of them. */
const statesOf = (node: Loop): number =>
  node.kind === "while" ? node.inputs.length - bodyOf(node).free : node.attrs.carried;

const known = new WeakMap<Graph, Map<string, Flags>>();

/** The parameters of a graph that cotangents get to from the results that have one. */
function reached(graph: Graph, results: Flags): Flags {
  const key = results.map(Number).join("");
  return getOrMake(
    getOrMake(known, graph, () => new Map()),
    key,
    () => walked(graph, results),
  );
}

/** Goes back through a copy of the graph, in a trace of its own, since rules are made for nodes that can be computed with. */
function walked(graph: Graph, results: Flags): Flags {
  const flags = new Map<Node, boolean[]>();
  const mark = (node: Node, index = 0) => {
    const marked = flags.get(node) ?? [];
    marked[index] = true;
    flags.set(node, marked);
  };
  let parameters: readonly Node[] = [];
  own(
    graph.parameters.map(({ out }) => out),
    (...given) => {
      parameters = given.map(nodeOf);
      const outputs = instantiate(graph, parameters);
      outputs.forEach((output, i) => {
        if (results[i]) mark(output);
      });
      const order = topological(outputs);
      for (let i = order.length - 1; i >= 0; i--) {
        const node = order[i]!;
        const marked = flags.get(node);
        if (!marked || isLeaf(node)) continue;
        if (node.kind === "element") mark(node.inputs[0]!, node.attrs.index);
        else inputsReached(node, marked).forEach((isReached, k) => isReached && mark(node.inputs[k]!));
      }
      return [];
    },
  );
  return parameters.map((parameter) => flags.has(parameter));
}

/** Marks the inputs of a node that receive a cotangent when the marked results have one. */
function inputsReached(node: Exclude<Node, LeafNode | ElementNode>, marked: Flags): Flags {
  if (node.kind === "hook" || node.kind === "fused") return [];
  // it has no gradient: the error comes where the cotangent does
  if (node.kind === "runtimeCall") return node.inputs.map(() => true);
  if (isControl(node)) return controlReached(node, marked);
  if (node.kind === "block") {
    const rule = BLOCK_RULES[node.attrs.name];
    if (!rule) return reached(node.attrs.fn, [true]);
    const given = { attrs: node.attrs.options, inputs: node.inputs.map(bare), out: bare(node), g: nothingFor(node) };
    return rule(given).map((cotangent) => cotangent !== null);
  }
  const gs =
    "outs" in node ? node.outs.map((out, i) => (marked[i] ? nothingFor({ out }) : undefined)) : [nothingFor(node)];
  return ruleOf(node)(gs).map((cotangent) => cotangent !== null);
}

const nothingFor = ({ out }: Pick<Node, "out">): Tensor => zeros(cotangentType(out.type), out.shape);

/**
 * The inputs of control flow that cotangents get to. A state is reached from itself and from what it feeds, which may feed others in
 * turn: those of the states are added until no more come in.
 */
export function controlReached(node: Control, marked: Flags): Flags {
  if (node.kind === "cond") {
    const { functions } = node.attrs;
    const operands = node.inputs.length - functions[0]!.free;
    const branches = functions.map((graph) =>
      reached(
        graph,
        graph.outputs.map((_, i) => marked[i] === true),
      ),
    );
    return node.inputs.map((_, i) => i >= operands && branches.some((branch) => branch[i - operands]!));
  }
  const body = bodyOf(node);
  const states = statesOf(node);
  let results = body.outputs.map((_, i) => marked[i] === true);
  for (;;) {
    const parameters = reached(body, results);
    const more = results.map((isMarked, i) => isMarked || (i < states && parameters[i]!));
    if (more.every((isMarked, i) => isMarked === results[i])) {
      return parameters.map((isReached, i) => isReached || (i < states && results[i]!));
    }
    results = more;
  }
}

/**
 * The inputs of a loop that depend on differentiated nodes, and the states that come to: no others need a cotangent, and what has no
 * gradient with respect to one of the others is asked for none.
 */
export function loopActive(node: Loop, active: ReadonlySet<Node>): Flags {
  const body = bodyOf(node);
  const states = statesOf(node);
  const order = topological(body.outputs);
  let flags = node.inputs.map((input) => active.has(input));
  for (;;) {
    const sources = body.parameters.filter((_, i) => flags[i]);
    const inside = dependents(order, sources);
    const more = flags.map((isActive, i) => isActive || (i < states && inside.has(body.outputs[i]!)));
    if (more.every((isActive, i) => isActive === flags[i])) return flags;
    flags = more;
  }
}

/** The nodes that depend on `sources`; all other nodes need no cotangent. */
export function dependents(order: readonly Node[], sources: readonly Node[]): Set<Node> {
  const active = new Set<Node>(sources);
  for (const node of order) if (!isStopped(node) && node.inputs.some((input) => active.has(input))) active.add(node);
  return active;
}

/** Whether nothing goes on through a node: what depends on it alone is asked for no cotangent that it may not have. */
const isStopped = (node: Node): boolean => node.kind === "block" && node.attrs.name === "stopGrad";
