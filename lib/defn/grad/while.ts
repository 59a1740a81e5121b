/**
 * The rule of while loops. The number of steps is known only when a loop has run, so the states before them are kept in one of two ways:
 * each of them, where a loop ends within as many steps as there is room for, else some of them (checkpointing).
 */
import type { Template } from "../../backend";
import { unnamed } from "../../core/names";
import { bytesOf } from "../../core/types";
import { constant, run, template } from "../../nx/dispatch";
import { add, greater, less, min, multiply, quotient, subtract } from "../../nx/elementwise";
import type { Tensor } from "../../tensor";
import { buildCond, buildScan, buildWhile, own } from "../control/build";
import { nodeOf } from "../expr";
import { instantiate, type Graph, type Node } from "../graph";
import {
  backToMarked,
  collect,
  cotangentTemplate,
  filled,
  marked,
  partsOf,
  placed,
  zerosFor,
  type Backward,
  type Gs,
  type Kind,
} from "./control-parts";
import { bare, reshapeTo } from "./core";

/** States kept at each of the two levels of checkpoints: up to the square of it, every step is taken forward three times. */
const CHECKPOINTS = 32;

/** Bytes for the states of a loop that are all kept, and the most and the least of them that are. */
const KEPT_BYTES = 2 ** 20;
const KEPT_MOST = 4096;
const KEPT_LEAST = 16;

const integer = (value: number): Tensor => constant(value, "s64");

/** The quotient, rounded up. */
const ceilDivide = (x: Tensor, by: Tensor | number): Tensor => quotient(subtract(add(x, by), 1), by);

/** At least 1: a loop that never ran has no stretches, and must not divide by 0. */
const max1 = (x: Tensor): Tensor => add(x, less(x, 1));

/** One entry of the first axis, at a position known when it runs. */
function entry(stacked: Tensor, at: Tensor): Tensor {
  const shape = stacked.shape.slice(1);
  const lengths = Object.freeze([1, ...shape]);
  const out = template(stacked.type, lengths, unnamed(lengths.length));
  const starts = lengths.map((_, i) => (i === 0 ? null : 0));
  return reshapeTo(run("slice", out, [stacked, at], { starts, lengths, strides: lengths.map(() => 1) }), shape);
}

type State = readonly Tensor[];

/** A loop to go back through. */
interface Loop {
  readonly start: State;
  readonly holds: (state: State) => Tensor;
  readonly step: (state: State) => Tensor[];
  /** The cotangents at the end, then zeros for what the body reads of its surroundings. */
  readonly cotangents: State;
  /** The cotangents before a step that begins at `state`. */
  readonly backStep: (state: State, cotangents: State) => Tensor[];
}

export function whileCotangents(
  node: Kind<"while">,
  gs: Gs,
  reached: readonly boolean[],
  back: Backward,
): Map<Node, Tensor> {
  const [condition, body] = node.attrs.functions as [Graph, Graph];
  const { own: initial, free } = partsOf(node, body);
  const width = initial.length;
  const states = marked(reached, 0, width);
  const read = marked(reached, width, reached.length);
  const loop: Loop = {
    start: initial.map(bare),
    holds: (state) => bare(instantiate(condition, [...state.map(nodeOf), ...free])[0]!),
    step: (state) => instantiate(body, [...state.map(nodeOf), ...free]).map(bare),
    cotangents: [...states.map((i) => filled(node, gs, i)), ...read.map((i) => zerosFor(free[i]!))],
    backStep(state, held) {
      const args = [...state.map(nodeOf), ...free];
      const found = backToMarked(body, args, placed(width, states, held), reached, back);
      const sums = read.map((i, k) => add(held[states.length + k]!, found[width + i]!));
      return [...states.map((i) => found[i]!), ...sums];
    },
  };
  const inputs = [...states.map((i) => initial[i]!), ...read.map((i) => free[i]!)];
  const all = backThroughLoop(loop, inputs.map(cotangentTemplate));
  return collect(inputs.map((input, i) => [input, all[i]!]));
}

/** The cotangents before a loop. */
function backThroughLoop(loop: Loop, outs: readonly Template[]): readonly Tensor[] {
  const bytes = loop.start.reduce((sum, { type, size }) => sum + bytesOf(type) * size, 0);
  const room = Math.min(KEPT_MOST, Math.floor(KEPT_BYTES / Math.max(bytes, 1)));
  if (room < KEPT_LEAST) return backByCheckpoints(loop);
  const { isLonger, steps, kept } = keepAll(loop, room);
  return buildCond(
    outs,
    [isLonger],
    [own([], () => backByCheckpoints(loop)), own([], () => backOver(loop, steps, kept))],
  );
}

/** The states before each of the first `room` steps, how many there are, and whether the loop takes more. */
function keepAll({ start, holds, step }: Loop, room: number): { isLonger: Tensor; steps: Tensor; kept: State } {
  const { carried, results } = buildScan(
    [integer(1), integer(0), ...start],
    [],
    ([, steps, ...state]) => ({
      carried: buildCond(
        [steps!, steps!, ...state],
        [holds(state)],
        [own([], () => [integer(1), add(steps!, 1), ...step(state)]), own([], () => [integer(0), steps!, ...state])],
      ),
      results: state,
    }),
    { length: room + 1, reverse: false, settles: true },
  );
  return { isLonger: carried[0]!, steps: carried[1]!, kept: results };
}

/** Back over so many steps, the states before which are kept. */
const backOver = ({ cotangents, backStep }: Loop, steps: Tensor, kept: State): Tensor[] =>
  buildWhile(
    [subtract(steps, 1), ...cotangents],
    (at) => greater(at!, -1),
    (at, ...held) => [
      subtract(at!, 1),
      ...backStep(
        kept.map((stacked) => entry(stacked, at!)),
        held,
      ),
    ],
  ).slice(1);

/**
 * Every so many steps the state is kept, `CHECKPOINTS` times over the whole run; the stretches between are run again one after the
 * other from the last, and in the same way within each (Griewank & Walther, chapter 12: checkpointing).
 */
function backByCheckpoints({ start, holds, step, cotangents, backStep }: Loop): Tensor[] {
  /** The state after `count` steps; counts down in the first place. */
  const advance = (state: State, count: Tensor): Tensor[] =>
    buildWhile(
      [count, ...state],
      (left) => greater(left!, 0),
      (left, ...held) => [subtract(left!, 1), ...step(held)],
    ).slice(1);

  /** States `every` steps apart, stacked; after `total` steps the state stays. */
  const keep = (state: State, total: Tensor, every: Tensor): State =>
    buildScan(
      [total, ...state],
      [],
      ([left, ...held]) => {
        const count = min(left!, every);
        return { carried: [subtract(left!, count), ...advance(held, count)], results: held };
      },
      { length: CHECKPOINTS, reverse: false, settles: true },
    ).results;

  /** Back over one stretch of `count` steps that starts at `state`. */
  const stretch = (state: State, count: Tensor, held: State): Tensor[] => {
    const apart = ceilDivide(count, CHECKPOINTS);
    const stops = keep(state, count, apart);
    return buildWhile(
      [subtract(count, 1), ...held],
      (at) => greater(at!, -1),
      (at, ...next) => {
        const stop = quotient(at!, apart);
        const from = stops.map((stacked) => entry(stacked, stop));
        const now = advance(from, subtract(at!, multiply(stop, apart)));
        return [subtract(at!, 1), ...backStep(now, next)];
      },
    ).slice(1);
  };

  const [steps] = buildWhile(
    [integer(0), ...start],
    (_count, ...state) => holds(state),
    (count, ...state) => [add(count!, 1), ...step(state)],
  );
  const every = ceilDivide(steps!, CHECKPOINTS);
  const kept = keep(start, steps!, every);
  return buildWhile(
    [subtract(ceilDivide(steps!, max1(every)), 1), ...cotangents],
    (at) => greater(at!, -1),
    (at, ...held) => {
      const state = kept.map((stacked) => entry(stacked, at!));
      const count = min(every, subtract(steps!, multiply(at!, every)));
      return [subtract(at!, 1), ...stretch(state, count, held)];
    },
  ).slice(1);
}
