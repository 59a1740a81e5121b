/**
 * Reverse-mode differentiation (Griewank & Walther, Evaluating Derivatives, 2nd ed., chapter 3): from an output back to
 * the nodes it was computed of, cotangents are made by the rule of each node and summed where paths meet. What it makes
 * is traced like everything else, so it can be differentiated again.
 */
import { DefnError, show } from "../../core/errors";
import { unchecked } from "../../core/promotion-scope";
import { add } from "../../nx/elementwise";
import type { Tensor } from "../../tensor";
import type { Node } from "../graph";
import {
  instantiate,
  isControl,
  isLeaf,
  topological,
  type ElementNode,
  type FusedNode,
  type HookNode,
  type LeafNode,
  type RuntimeCallNode,
} from "../graph";
import { bare, cotangentType, fitType, zeros, type Cotangent } from "./core";
import { BLOCK_RULES } from "./blocks";
import { controlRule } from "./control";
import { dependents } from "./reach";
import { ruleOf } from "./rules";

/** Cotangents of one output of several that are differentiated together. */
interface Seed {
  readonly node: Node;
  readonly g: Tensor;
}

/** The cotangents of `wanted` nodes; zeros for those that no seed depends on. */
export const backward = (seeds: readonly Seed[], wanted: readonly Node[]): Tensor[] =>
  unchecked(() =>
    cotangents(seeds, wanted).map((g, i) => {
      const { type, shape } = wanted[i]!.out;
      return g ?? zeros(cotangentType(type), shape);
    }),
  );

/** The cotangents of `wanted` nodes; undefined where no cotangent arrives. */
function cotangents(seeds: readonly Seed[], wanted: readonly Node[]): (Tensor | undefined)[] {
  const held = new Cotangents();
  const order = topological(seeds.map(({ node }) => node));
  const active = dependents(order, wanted);
  for (const { node, g } of seeds) if (active.has(node)) held.add(node, 0, g);
  const ends = new Set<Node>(wanted);
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i]!;
    if (active.has(node) && !ends.has(node) && !isLeaf(node)) step(node, held, active);
  }
  return wanted.map((node) => held.of(node, 0));
}

type Inner = Exclude<Node, LeafNode | ElementNode | HookNode | FusedNode | RuntimeCallNode>;

/** Passes the cotangents of a node on to its operands. */
function step(node: Exclude<Node, LeafNode>, held: Cotangents, active: Set<Node>): void {
  const gs = held.all(node);
  // kernels are made after gradients: there are none in a graph that is differentiated
  if (!gs.some(Boolean) || node.kind === "hook" || node.kind === "fused") return;
  if (node.kind === "runtimeCall") throw noGradient(node);
  if (node.kind === "element") return held.add(node.inputs[0]!, node.attrs.index, gs[0]!);
  const cotangents = cotangentsOf(node, gs, active);
  node.inputs.forEach((input, i) => {
    const make = active.has(input) ? cotangents[i] : null;
    if (make) held.add(input, 0, make());
  });
}

/** What a function of the program computes is not known here. */
function noGradient({ attrs: { name } }: RuntimeCallNode): DefnError {
  return new DefnError(
    `the function${name === null ? "" : ` ${show(name)}`} of Nx.runtimeCall has no gradient, since what it computes is not traced; say what ` +
      `the gradient is with Nx.Defn.customGrad(result, [inputs], backward), or make it constant with Nx.Defn.stopGrad`,
  );
}

function cotangentsOf(node: Inner, gs: readonly (Tensor | undefined)[], active: Set<Node>): readonly Cotangent[] {
  if (isControl(node)) return controlRule(node, gs, active, backward);
  if (node.kind === "block") return inlined(node, gs[0]!, active);
  return ruleOf(node)(gs);
}

/** The cotangents of a block: by its rule, or through the function that defines the block. */
function inlined(node: Extract<Node, { kind: "block" }>, g: Tensor, active: Set<Node>): readonly Cotangent[] {
  const rule = BLOCK_RULES[node.attrs.name];
  if (rule) return rule({ attrs: node.attrs.options, inputs: node.inputs.map(bare), out: bare(node), g });
  const wanted = [...new Set(node.inputs.filter((input) => active.has(input)))];
  const [output] = instantiate(node.attrs.fn, node.inputs);
  const found = cotangents([{ node: output!, g }], wanted);
  // an operand in two places has a single cotangent, the sum of both
  return node.inputs.map((input, i) => {
    const own = node.inputs.indexOf(input) === i && active.has(input) ? found[wanted.indexOf(input)] : undefined;
    return own ? () => own : null;
  });
}

/** The cotangents found so far, by node and result. */
class Cotangents {
  readonly #sums = new Map<Node, (Tensor | undefined)[]>();

  of(node: Node, index: number): Tensor | undefined {
    return this.#sums.get(node)?.[index];
  }

  all(node: Node): readonly (Tensor | undefined)[] {
    return this.#sums.get(node) ?? [];
  }

  add(node: Node, index: number, g: Tensor): void {
    const { type } = "outs" in node ? node.outs[index]! : node.out;
    const fitted = fitType(g, type);
    const sums = this.#sums.get(node) ?? [];
    const before = sums[index];
    sums[index] = before ? add(before, fitted) : fitted;
    this.#sums.set(node, sums);
  }
}
