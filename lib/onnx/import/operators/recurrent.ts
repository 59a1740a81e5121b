/**
 * Recurrent networks: RNN, GRU and LSTM, a scan over time for each direction.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import {
  along,
  bounded,
  cast,
  full,
  operator,
  range,
  reshape,
  several,
  transpose,
  type Call,
  type Operators,
  type Result,
} from "../operator";
import { elu, hardSigmoid, leakyRelu, relu, softsign, thresholded } from "./activations";

type Activation = (x: Tensor) => Tensor;

/** Activations by their names in lower case, with the numbers that some take. */
const ACTIVATIONS: { readonly [name: string]: (alpha?: number, beta?: number) => Activation } = {
  affine:
    (alpha = 1, beta = 0) =>
    (x) =>
      Nx.add(Nx.multiply(x, alpha), beta) as Tensor,
  elu: (alpha) => (x) => elu(x, alpha),
  hardsigmoid: (alpha, beta) => (x) => hardSigmoid(x, alpha, beta),
  leakyrelu: (alpha) => (x) => leakyRelu(x, alpha),
  relu: () => relu,
  scaledtanh:
    (alpha = 1, beta = 1) =>
    (x) =>
      Nx.multiply(Nx.tanh(Nx.multiply(x, beta)), alpha) as Tensor,
  sigmoid: () => (x) => Nx.sigmoid(x) as Tensor,
  softplus: () => (x) => Nx.softplus(x) as Tensor,
  softsign: () => softsign,
  tanh: () => (x) => Nx.tanh(x) as Tensor,
  thresholdedrelu: (alpha) => (x) => thresholded(x, alpha),
};

/** The count of numbers that an activation takes. */
const NUMBERS: Readonly<Record<string, number>> = {
  affine: 2,
  elu: 1,
  hardsigmoid: 2,
  leakyrelu: 1,
  scaledtanh: 2,
  thresholdedrelu: 1,
};

function activationsOf({ attributes }: Call, defaults: readonly string[], directions: number): Activation[] {
  const names = attributes.strings("activations") ?? range(directions).flatMap(() => defaults);
  const count = directions * defaults.length;
  if (names.length !== count)
    throw new ArgumentError(`the attribute activations must have ${count} names, got: [${names.join(", ")}]`);
  const [alphas, betas] = [
    [...(attributes.floats("activation_alpha") ?? [])],
    [...(attributes.floats("activation_beta") ?? [])],
  ];
  return names.map((name) => {
    const key = name.toLowerCase();
    const make = ACTIVATIONS[key];
    if (!make) throw new ArgumentError(`it has no activation ${name}, only ${Object.keys(ACTIVATIONS).join(", ")}`);
    const numbers = NUMBERS[key] ?? 0;
    return make(numbers > 0 ? alphas.shift() : undefined, numbers > 1 ? betas.shift() : undefined);
  });
}

/** One direction of a network: parts of weights and biases for its gates, without the axis of directions. */
interface Cell {
  readonly hidden: number;
  readonly recurrence: Tensor;
  readonly bias: { readonly input: Tensor; readonly recurrent: Tensor } | null;
  readonly peepholes: Tensor | null;
  readonly activations: readonly Activation[];
  readonly clip: (x: Tensor) => Tensor;
}

/** A step: from what the input adds to the gates and the states to the next states; the first is the output. */
type Step = (gates: Tensor, states: readonly Tensor[], cell: Cell, call: Call) => readonly Tensor[];

interface Kind {
  readonly gates: number;
  readonly states: number;
  readonly activations: readonly string[];
  readonly step: Step;
}

/** `x` times the transpose of `w`. */
const product = (x: Tensor, w: Tensor): Tensor => Nx.dot(x, [x.shape.length - 1], w, [1]) as Tensor;

const gate = (all: Tensor, i: number, hidden: number): Tensor => along(all, all.shape.length - 1, i * hidden, hidden);

const sum = (...terms: Tensor[]): Tensor => terms.reduce((a, b) => Nx.add(a, b) as Tensor);

const times = (a: Tensor, b: Tensor): Tensor => Nx.multiply(a, b) as Tensor;

const withBias = (x: Tensor, bias: Tensor | undefined): Tensor => (bias ? sum(x, bias) : x);

const rnnStep: Step = (gates, [h], { recurrence, bias, activations: [f], clip }) => [
  f!(clip(withBias(sum(gates, product(h!, recurrence)), bias?.recurrent))),
];

const gruStep: Step = (gates, [h], cell, call) => {
  const { hidden, recurrence, bias, activations, clip } = cell;
  const [f, g] = activations as [Activation, Activation];
  const weights = (i: number): Tensor => along(recurrence, 0, i * hidden, hidden);
  const recurrent = (i: number, state: Tensor): Tensor =>
    withBias(product(state, weights(i)), bias ? gate(bias.recurrent, i, hidden) : undefined);
  const z = f(clip(sum(gate(gates, 0, hidden), recurrent(0, h!))));
  const r = f(clip(sum(gate(gates, 1, hidden), recurrent(1, h!))));
  const isBefore = call.attributes.flag("linear_before_reset");
  const candidate = g(
    clip(sum(gate(gates, 2, hidden), isBefore ? times(r, recurrent(2, h!)) : recurrent(2, times(r, h!)))),
  );
  return [sum(times(Nx.subtract(1, z) as Tensor, candidate), times(z, h!))];
};

const lstmStep: Step = (gates, [h, c], { hidden, recurrence, bias, peepholes, activations, clip }, call) => {
  const [f, g, out] = activations as [Activation, Activation, Activation];
  const all = withBias(sum(gates, product(h!, recurrence)), bias?.recurrent);
  const seen = (x: Tensor, i: number, state: Tensor): Tensor =>
    peepholes ? sum(x, times(gate(peepholes, i, hidden), state)) : x;
  const input = f(clip(seen(gate(all, 0, hidden), 0, c!)));
  const forget = call.attributes.flag("input_forget")
    ? (Nx.subtract(1, input) as Tensor)
    : f(clip(seen(gate(all, 2, hidden), 2, c!)));
  const next = sum(times(forget, c!), times(input, g(clip(gate(all, 3, hidden)))));
  const output = f(clip(seen(gate(all, 1, hidden), 1, next)));
  return [times(output, out(next)), next];
};

type Inputs = readonly (Tensor | undefined)[];

/** A network of one or two directions over `[time, batch, input]`, or `[batch, time, input]` where `layout` is 1. */
function network(kind: Kind, call: Call, given: Tensor, w: Tensor, r: Tensor, ...rest: Inputs): Result {
  const { attributes } = call;
  const direction = attributes.choice("direction", ["forward", "reverse", "bidirectional"], "forward");
  const isBatchFirst = attributes.flag("layout");
  const x = isBatchFirst ? transpose(given, [1, 0, 2]) : given;
  const [bias, lengths, ...others] = rest;
  const directions = direction === "bidirectional" ? 2 : 1;
  const activations = activationsOf(call, kind.activations, directions);
  if ([w, r].some((t) => t.shape.length !== 3 || t.shape[0] !== directions)) {
    throw new ArgumentError(
      `weights must be [${directions}, gates, width] for the direction ${direction}, got shapes [${w.shape.join(", ")}] and [${r.shape.join(", ")}]`,
    );
  }
  const hidden = r.shape[2]!;
  const bound = attributes.float("clip");
  const clip = (t: Tensor): Tensor => (bound === undefined ? t : (Nx.clip(t, -bound, bound) as Tensor));
  const ends = range(directions).map((i) => {
    const own = (t: Tensor | undefined): Tensor | null =>
      t === undefined ? null : reshape(along(t, 0, i, 1), t.shape.slice(1));
    const b = own(bias);
    const half = kind.gates * hidden;
    const cell: Cell = {
      hidden,
      recurrence: own(r)!,
      bias: b && { input: along(b, 0, 0, half), recurrent: along(b, 0, half, half) },
      peepholes: own(others[kind.states]),
      activations: activations.slice(i * kind.activations.length, (i + 1) * kind.activations.length),
      clip,
    };
    const start = range(kind.states).map((s) => {
      const state = others[s];
      if (state === undefined) return full([x.shape[1]!, hidden], 0, x.type);
      return isBatchFirst ? reshape(along(state, 1, i, 1), [x.shape[1]!, hidden]) : own(state)!;
    });
    const isReverse = direction === "reverse" || i === 1;
    return unrolled(kind, call, { x, weights: own(w)!, start, lengths, isReverse }, cell);
  });
  return together(ends, isBatchFirst);
}

interface Run {
  readonly x: Tensor;
  readonly weights: Tensor;
  readonly start: readonly Tensor[];
  readonly lengths: Tensor | undefined;
  readonly isReverse: boolean;
}

interface End {
  readonly outputs: Tensor;
  readonly states: readonly Tensor[];
}

/** Goes over time. Entries of the batch that are over keep their state, and put out zeros. */
function unrolled(kind: Kind, call: Call, { x, weights, start, lengths, isReverse }: Run, cell: Cell): End {
  bounded(call, [x.shape[0]!, x.shape[1]!, weights.shape[0]!]);
  const gates = withBias(product(x, weights), cell.bias?.input);
  const steps = x.shape[0]!;
  const time = Nx.iota([steps], { type: "s64" }) as Tensor;
  const isOver = lengths && (Nx.greaterEqual(Nx.newAxis(time, 1), cast(lengths, "s64")) as Tensor);
  const sequences = isOver ? [gates, Nx.newAxis(isOver, 2) as Tensor] : [gates];
  const [states, outputs] = Nx.Defn.scan(
    (before: readonly Tensor[], entry: readonly Tensor[]) => {
      const [added, over] = entry as [Tensor, Tensor | undefined];
      const after = kind.step(added, before, cell, call);
      if (!over) return [after, after[0]!];
      const kept = after.map((t, i) => Nx.where(over, before[i]!, t) as Tensor);
      return [kept, Nx.where(over, Nx.zerosLike(after[0]!), after[0]!) as Tensor];
    },
    [...start],
    sequences,
    { reverse: isReverse },
  ) as unknown as [Tensor[], Tensor];
  return { outputs, states };
}

function together(ends: readonly End[], isBatchFirst: boolean): Result {
  const outputs = Nx.stack(
    ends.map((end) => end.outputs),
    { axis: 1 },
  ) as Tensor;
  const last = range(ends[0]!.states.length).map(
    (s) =>
      Nx.stack(
        ends.map(({ states }) => states[s]!),
        { axis: 0 },
      ) as Tensor,
  );
  if (!isBatchFirst) return several(outputs, ...last);
  return several(transpose(outputs, [2, 0, 1, 3]), ...last.map((t) => transpose(t, [1, 0, 2])));
}

const recurrent = (most: number, kind: Kind) =>
  operator([3, most], (call: Call, x: Tensor, w: Tensor, r: Tensor, ...rest: Tensor[]) =>
    network(kind, call, x, w, r, ...rest),
  );

export const RECURRENT: Operators = {
  GRU: recurrent(6, { gates: 3, states: 1, activations: ["Sigmoid", "Tanh"], step: gruStep }),
  LSTM: recurrent(8, { gates: 4, states: 2, activations: ["Sigmoid", "Tanh", "Tanh"], step: lstmStep }),
  RNN: recurrent(6, { gates: 1, states: 1, activations: ["Tanh"], step: rnnStep }),
};
