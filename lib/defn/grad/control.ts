/**
 * Rules of control flow. What they make is control flow again, so it can be differentiated once more.
 */
import { unnamed } from "../../core/names";
import { constant, run, template } from "../../nx/dispatch";
import { add, greater, less, min, multiply, quotient, subtract } from "../../nx/elementwise";
import type { Tensor } from "../../tensor";
import { buildCond, buildScan, buildWhile, own } from "../control/build";
import { nodeOf } from "../expr";
import { instantiate, type ControlKind, type Graph, type Node } from "../graph";
import { bare, cotangentType, reshapeTo, zeros, type Cotangent } from "./core";
import { controlReached } from "./reach";

interface Seed {
  readonly node: Node;
  readonly g: Tensor;
}

type Backward = (seeds: readonly Seed[], wanted: readonly Node[]) => Tensor[];
type Gs = readonly (Tensor | undefined)[];
type Control = Extract<Node, { kind: ControlKind }>;
type Kind<K extends ControlKind> = Extract<Node, { kind: K }>;

/** Cotangents of the operands of control flow, by going back through its functions. */
export function controlRule(node: Control, gs: Gs, active: ReadonlySet<Node>, back: Backward): readonly Cotangent[] {
  const reached = controlReached(node, gs.map(Boolean));
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

/** The cotangent of a result, or zeros where no cotangent arrived. */
const filled = (node: Control, gs: Gs, i: number): Tensor => {
  const { type, shape } = node.outs[i]!;
  return gs[i] ?? zeros(cotangentType(type), shape);
};

/** The positions from `start` on that are marked, counted from there. */
const marked = (flags: readonly boolean[], start: number, end: number): number[] =>
  flags.slice(start, end).flatMap((flag, i) => (flag ? [i] : []));

/** A list of a given length with values at some of its places. */
function placed<T>(length: number, places: readonly number[], values: readonly T[]): (T | undefined)[] {
  const list = new Array<T | undefined>(length).fill(undefined);
  places.forEach((place, i) => (list[place] = values[i]));
  return list;
}

/** The operands of a node of control flow, and what its functions read of their surroundings. */
function partsOf(node: Control, graph: Graph): { own: readonly Node[]; free: readonly Node[] } {
  const operands = node.inputs.length - graph.free;
  return { own: node.inputs.slice(0, operands), free: node.inputs.slice(operands) };
}

const cotangentTemplate = ({ out: { type, shape } }: Node) =>
  template(cotangentType(type), shape, unnamed(shape.length));

/** Goes back through a function at given arguments. */
function backThrough(graph: Graph, args: readonly Node[], gs: Gs, wanted: readonly Node[], back: Backward): Tensor[] {
  const seeds = instantiate(graph, args).flatMap((node, i) => (gs[i] ? [{ node, g: gs[i] }] : []));
  return back(seeds, wanted);
}

function condCotangents(node: Kind<"cond">, gs: Gs, wanted: readonly Node[], back: Backward): Map<Node, Tensor> {
  const { functions } = node.attrs;
  const { own: predicates, free } = partsOf(node, functions[0]!);
  const branches = functions.map((graph) => own([], () => backThrough(graph, free, gs, wanted, back)));
  const results = buildCond(wanted.map(cotangentTemplate), predicates.map(bare), branches);
  return new Map(wanted.map((input, i) => [input, results[i]!]));
}

/** Sums up cotangents by node. */
function collect(pairs: readonly (readonly [Node, Tensor])[]): Map<Node, Tensor> {
  const sums = new Map<Node, Tensor>();
  for (const [node, g] of pairs) sums.set(node, sums.has(node) ? add(sums.get(node)!, g) : g);
  return sums;
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
      const found = backThrough(graph, args, seeds, args, back);
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

const zerosFor = ({ out }: Node): Tensor => zeros(cotangentType(out.type), out.shape);

/** States kept at each of the two levels below: up to the square of it, every step is taken forward three times. */
const KEPT = 32;

const integer = (value: number): Tensor => constant(value, "s64");

/** The quotient, rounded up. */
const ceilDivide = (x: Tensor, by: Tensor | number): Tensor => quotient(subtract(add(x, by), 1), by);

/** One entry of the first axis, at a position known when it runs. */
function entry(stacked: Tensor, at: Tensor): Tensor {
  const shape = stacked.shape.slice(1);
  const lengths = Object.freeze([1, ...shape]);
  const out = template(stacked.type, lengths, unnamed(lengths.length));
  const starts = lengths.map((_, i) => (i === 0 ? null : 0));
  return reshapeTo(run("slice", out, [stacked, at], { starts, lengths, strides: lengths.map(() => 1) }), shape);
}

type State = readonly Tensor[];
type Advance = (state: State, count: Tensor) => Tensor[];

/** States `every` steps apart, stacked; after `total` steps the state stays. */
function keepStates(state: State, total: Tensor, every: Tensor, advance: Advance): State {
  return buildScan(
    [total, ...state],
    [],
    ([left, ...held]) => {
      const count = min(left!, every);
      return { carried: [subtract(left!, count), ...advance(held, count)], results: held };
    },
    { length: KEPT, reverse: false },
  ).results;
}

/**
 * The number of steps is known only when it has run, so the states before them cannot all be kept. Every so many steps
 * the state is kept, `KEPT` times over the whole run; the stretches between are run again one after the other from the
 * last, and in the same way within each (Griewank & Walther, chapter 12: checkpointing).
 */
function whileCotangents(node: Kind<"while">, gs: Gs, reached: readonly boolean[], back: Backward): Map<Node, Tensor> {
  const [condition, body] = node.attrs.functions as [Graph, Graph];
  const { own, free } = partsOf(node, body);
  const holds = (state: readonly Tensor[]) => bare(instantiate(condition, [...state.map(nodeOf), ...free])[0]!);
  const step = (state: readonly Tensor[]) => instantiate(body, [...state.map(nodeOf), ...free]).map(bare);
  const width = own.length;
  const states = marked(reached, 0, width);
  const read = marked(reached, width, reached.length);

  /** The state after `count` steps; counts down in the first place. */
  const advance = (state: readonly Tensor[], count: Tensor): Tensor[] =>
    buildWhile(
      [count, ...state],
      (left) => greater(left!, 0),
      (left, ...held) => [subtract(left!, 1), ...step(held)],
    ).slice(1);

  const start = own.map(bare);
  const [steps] = buildWhile(
    [integer(0), ...start],
    (_count, ...state) => holds(state),
    (count, ...state) => [add(count!, 1), ...step(state)],
  );
  const every = ceilDivide(steps!, KEPT);
  const kept = keepStates(start, steps!, every, advance);

  /** Back over one stretch of `count` steps that starts at `state`. */
  const stretch = (state: readonly Tensor[], count: Tensor, cotangents: readonly Tensor[]): Tensor[] => {
    const apart = ceilDivide(count, KEPT);
    const stops = keepStates(state, count, apart, advance);
    return buildWhile(
      [subtract(count, 1), ...cotangents],
      (at) => greater(at!, -1),
      (at, ...held) => {
        const stop = quotient(at!, apart);
        const from = stops.map((stacked) => entry(stacked, stop));
        const now = advance(from, subtract(at!, multiply(stop, apart)));
        return [subtract(at!, 1), ...backStep(now, held)];
      },
    ).slice(1);
  };

  const backStep = (state: readonly Tensor[], held: readonly Tensor[]): Tensor[] => {
    const args = [...state.map(nodeOf), ...free];
    const found = backThrough(body, args, placed(width, states, held), args, back);
    const sums = read.map((i, k) => add(held[states.length + k]!, found[width + i]!));
    return [...states.map((i) => found[i]!), ...sums];
  };

  const all = buildWhile(
    [
      subtract(ceilDivide(steps!, max1(every)), 1),
      ...states.map((i) => filled(node, gs, i)),
      ...read.map((i) => zerosFor(free[i]!)),
    ],
    (at) => greater(at!, -1),
    (at, ...held) => {
      const state = kept.map((stacked) => entry(stacked, at!));
      const count = min(every, subtract(steps!, multiply(at!, every)));
      return [subtract(at!, 1), ...stretch(state, count, held)];
    },
  ).slice(1);
  return collect([...states.map((i) => own[i]!), ...read.map((i) => free[i]!)].map((input, i) => [input, all[i]!]));
}

/** At least 1: a loop that never ran has no stretches, and must not divide by 0. */
const max1 = (x: Tensor): Tensor => add(x, less(x, 1));
