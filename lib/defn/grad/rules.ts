/** The rule of every primitive: a table total over them, so that a new primitive without one fails `tsc`. */
import type { Attrs, Primitive } from "../../backend";
import { DefnError } from "../../core/errors";
import type { Tensor } from "../../tensor";
import {
  elementNode,
  type ControlKind,
  type ElementNode,
  type FusedNode,
  type HookNode,
  type LeafNode,
  type Node,
  type RuntimeCallNode,
  type NodeAttrs,
} from "../graph";
import { BINARY_RULES } from "./binary";
import { bare, unbroadcast, widened, widenedFor, type Cotangent, type Rule } from "./core";
import { linalgRule } from "./linalg";
import { MOVEMENT_RULES } from "./movement";
import { convRule, dotRule, fftRule } from "./products";
import { cumulativeRule, reduceRule } from "./reductions";
import { UNARY_RULES } from "./unary";
import { windowRule, windowScatterRule } from "./windows";

type Rules = { readonly [P in Exclude<Primitive, "block">]: Rule<NodeAttrs<P>> };

/** Results that are constant where they are smooth at all. */
const constant: Rule<unknown> = ({ inputs }) => inputs.map(() => null);

function refuse(name: string, instead: string): Rule<unknown> {
  return ({ inputs }) =>
    inputs.map(() => () => {
      throw new DefnError(
        `${name} with a function of scalars has no gradient; ${instead}, or hold its result constant with Nx.Defn.stopGrad`,
      );
    });
}

const unary: Rule<Attrs["unary"]> = ({ attrs, inputs: [x], out, g }) => {
  const rule = UNARY_RULES[attrs.op];
  return [rule && (() => rule(g, widened(x!), widened(out)))];
};

const binary: Rule<Attrs["binary"]> = ({ attrs, inputs, out, g }) => {
  const [x, y] = inputs.map((t) => widenedFor(out, t)) as [Tensor, Tensor];
  return BINARY_RULES[attrs.op].map(
    (side, i) => side && (() => unbroadcast(side(g, x, y, widened(out)), inputs[i]!.shape)),
  );
};

const RULES: Rules = {
  ...MOVEMENT_RULES,
  constant,
  iota: constant,
  eye: constant,
  unary,
  binary,
  map: refuse("Nx.map", "compute with functions of whole tensors"),
  argsort: constant,
  reduceOp: reduceRule,
  argReduce: constant,
  cumulative: cumulativeRule,
  windowOp: windowRule,
  windowReduce: refuse("Nx.windowReduce", "use Nx.windowSum, Nx.windowMax and the like"),
  windowScatter: windowScatterRule,
  dot: dotRule,
  conv: convRule,
  fft: fftRule,
  reduce: refuse("Nx.reduce", "use Nx.sum, Nx.product, Nx.reduceMax and the like"),
};

type ControlNode = Extract<Node, { kind: ControlKind }>;

/** The rule of a node other than a block or control flow, ready for the cotangents of its results. */
export function ruleOf(
  node: Exclude<Node, LeafNode | ElementNode | HookNode | ControlNode | FusedNode | RuntimeCallNode>,
): (gs: readonly (Tensor | undefined)[]) => readonly Cotangent[] {
  const inputs = node.inputs.map(bare);
  if ("outs" in node) {
    const outs = node.outs.map((_, index) => bare(elementNode(node, index)));
    return (gs) => linalgRule(node.attrs, inputs, outs, gs);
  }
  const rule = RULES[node.kind as Exclude<Primitive, "block">] as Rule<unknown>;
  return ([g]) => rule({ attrs: node.attrs, inputs, out: bare(node), g: g! });
}
