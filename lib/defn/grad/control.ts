/**
 * Rules of control flow. What they make is control flow again, so it can be differentiated once more.
 */
import { add } from "../../nx/elementwise";
import type { Tensor } from "../../tensor";
import { buildCond, buildScan, own } from "../control/build";
import { nodeOf } from "../expr";
import { instantiate, type Node } from "../graph";
import {
  backThrough,
  backToMarked,
  collect,
  cotangentTemplate,
  filled,
  marked,
  partsOf,
  placed,
  zerosFor,
  type Backward,
  type Control,
  type Gs,
  type Kind,
} from "./control-parts";
import { bare, type Cotangent } from "./core";
import { controlReached, loopActive } from "./reach";
import { whileCotangents } from "./while";

/** Cotangents of the operands of control flow, by going back through its functions. */
export function controlRule(node: Control, gs: Gs, active: ReadonlySet<Node>, back: Backward): readonly Cotangent[] {
  const isActive = node.kind === "cond" ? node.inputs.map((input) => active.has(input)) : loopActive(node, active);
  const reached = controlReached(node, gs.map(Boolean)).map((isReached, i) => isReached && isActive[i]!);
  const wanted = [...new Set(node.inputs.filter((input, i) => reached[i] && active.has(input)))];
  if (wanted.length === 0) return node.inputs.map(() => null);
  const found = cotangentsOf(node, gs, wanted, reached, back);
  return node.inputs.map((input, i) => {
    const isFirst = node.inputs.indexOf(input) === i;
    return isFirst && active.has(input) && found.has(input) ? () => found.get(input)! : null;
  });
}

/** Cotangents by input; an input that stands in several places has the sum of them. */
function cotangentsOf(
  node: Control,
  gs: Gs,
  wanted: readonly Node[],
  reached: readonly boolean[],
  back: Backward,
): Map<Node, Tensor> {
  switch (node.kind) {
    case "cond":
      return condCotangents(node, gs, wanted, back);
    case "while":
      return whileCotangents(node, gs, reached, back);
    case "scan":
      return scanCotangents(node, gs, reached, back);
    default:
      return node satisfies never;
  }
}

function condCotangents(node: Kind<"cond">, gs: Gs, wanted: readonly Node[], back: Backward): Map<Node, Tensor> {
  const { functions } = node.attrs;
  const { own: predicates, free } = partsOf(node, functions[0]!);
  const branches = functions.map((graph) => own([], () => backThrough(graph, free, gs, wanted, back)));
  const results = buildCond(wanted.map(cotangentTemplate), predicates.map(bare), branches);
  return new Map(wanted.map((input, i) => [input, results[i]!]));
}

/** The states before each step are stacked on the way there, then a scan in the other direction takes the steps back. */
function scanCotangents(node: Kind<"scan">, gs: Gs, reached: readonly boolean[], back: Backward): Map<Node, Tensor> {
  const { functions, carried, length, reverse } = node.attrs;
  const graph = functions[0]!;
  const { own, free } = partsOf(node, graph);
  const state = own.slice(0, carried).map(bare);
  const sequences = own.slice(carried).map(bare);
  const before = buildScan(
    state,
    sequences,
    (held, entries) => {
      const outputs = instantiate(graph, [...held, ...entries].map(nodeOf).concat(free));
      return { carried: outputs.slice(0, carried).map(bare), results: held };
    },
    { length, reverse },
  ).results;
  const states = marked(reached, 0, carried);
  const along = marked(reached, carried, own.length);
  const read = marked(reached, own.length, reached.length);
  const given = marked(gs.map(Boolean), carried, gs.length);
  const start = [...states.map((i) => filled(node, gs, i)), ...read.map((i) => zerosFor(free[i]!))];
  const taken = buildScan(
    start,
    [...before, ...sequences, ...given.map((i) => gs[carried + i]!)],
    (held, entries) => {
      const args = [...entries.slice(0, own.length).map(nodeOf), ...free];
      const seeds = [
        ...placed(carried, states, held),
        ...placed(node.outs.length - carried, given, entries.slice(own.length)),
      ];
      const found = backToMarked(graph, args, seeds, reached, back);
      const sums = read.map((i, k) => add(held[states.length + k]!, found[own.length + i]!));
      return { carried: [...states.map((i) => found[i]!), ...sums], results: along.map((i) => found[carried + i]!) };
    },
    { length, reverse: !reverse },
  );
  return collect([
    ...states.map((i, k) => [own[i]!, taken.carried[k]!] as const),
    ...along.map((i, k) => [own[carried + i]!, taken.results[k]!] as const),
    ...read.map((i, k) => [free[i]!, taken.carried[states.length + k]!] as const),
  ]);
}
