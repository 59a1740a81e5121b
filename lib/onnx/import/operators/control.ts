/**
 * Branches and loops. What is known while tracing is decided there: a branch is taken, a short loop is written out.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import type { Graph } from "../model";
import {
  axisOf,
  bounded,
  cast,
  filled,
  operator,
  range,
  reshape,
  several,
  type Call,
  type Operators,
  type Result,
} from "../operator";
import { outside } from "../outside";
import { hasElements, isSequence, numberOf, type Value } from "../values";

type Tensors = readonly Tensor[];

/** The values of a graph that a compiled branch or loop computes, which are tensors. */
function tensorsOf(values: readonly Value[], what: string): Tensor[] {
  return values.map((value) => {
    if (value instanceof Nx.Tensor) return value;
    throw new ArgumentError(
      `${what} gives ${isSequence(value) ? "a sequence" : "a value without elements"} that depends on data; give tensors, or call the model outside of defn`,
    );
  });
}

function conditional(call: Call, condition: Tensor): Result {
  const [whenTrue, whenFalse] = [call.attributes.graph("then_branch"), call.attributes.graph("else_branch")];
  if (hasElements(condition)) {
    return several(...call.run(numberOf(condition, "the condition") !== 0 ? whenTrue : whenFalse, []));
  }
  const branch = (graph: Graph) => (): Tensor[] => tensorsOf(call.run(graph, []), "a branch");
  const chosen = Nx.Defn.cond([[reshape(condition, []), branch(whenTrue)]], branch(whenFalse)) as unknown as Tensors;
  return several(...chosen);
}

/** A loop of ONNX: the most steps, whether to go on, states; its body gives whether to go on, states, and what is stacked. */
interface Loop {
  readonly call: Call;
  readonly body: Graph;
  readonly most: number | Tensor;
  readonly goesOn: Tensor | null;
  readonly start: readonly Value[];
}

/** Steps up to which a loop is written out rather than compiled. */
const SHORT = 32;

// numbers of the loop itself are known, so that what follows from them is
const s64 = (n: number): Tensor => outside(() => Nx.tensor(n, { type: "s64" }));
const yes = (): Tensor => outside(() => Nx.tensor(1, { type: "u8" }));

function loop(call: Call, trips?: Tensor, condition?: Tensor, ...start: Value[]): Result {
  const most = trips === undefined ? Infinity : hasElements(trips) ? numberOf(trips, "the number of steps") : trips;
  const body = call.attributes.graph("body");
  const own: Loop = { call, body, most, goesOn: condition ?? null, start };
  if (
    typeof most === "number" &&
    most <= call.limits.steps &&
    (most <= SHORT || !start.every((value) => value instanceof Nx.Tensor))
  ) {
    return writtenOut(own) ?? compiled(own);
  }
  const isEndless = most === Infinity && (condition === undefined || hasElements(condition));
  return (isEndless ? writtenOut(own) : null) ?? compiled(own);
}

/** The loop step by step, as long as it is known whether it goes on; null where it is not. */
function writtenOut({ call, body, most, goesOn, start }: Loop): Result | null {
  let states: readonly Value[] = start;
  let isOn: Tensor | null = goesOn;
  const stacked: Value[][] = filled(call.outputs, 0)
    .slice(start.length)
    .map(() => []);
  for (let i = 0; i < (most as number); i++) {
    if (isOn !== null && !hasElements(isOn)) return null;
    if (isOn !== null && numberOf(isOn, "the condition") === 0) break;
    if (i >= call.limits.steps)
      throw new ArgumentError(`the loop takes more than ${call.limits.steps} steps, the limit`);
    const [next, ...results] = call.run(body, [s64(i), isOn ?? yes(), ...states]);
    isOn = next as Tensor;
    states = results.slice(0, start.length);
    results.slice(start.length).forEach((value, k) => {
      if (value instanceof Nx.Tensor) bounded(call, [i + 1, ...value.shape]);
      stacked[k]?.push(value);
    });
  }
  return several(...states, ...stacked.map(stack));
}

function stack(values: readonly Value[]): Value {
  if (values.length === 0)
    throw new ArgumentError("a loop without steps stacks nothing, and empty tensors do not exist");
  return Nx.stack(tensorsOf(values, "the body"), { axis: 0 }) as Tensor;
}

/** What each of so many steps gives, where all of it together is no more than the limit. */
function boundedSteps(call: Call, results: Tensors, steps: number): Tensors {
  for (const { shape } of results) bounded(call, [steps, ...shape]);
  return results;
}

/** The loop as a scan where its steps are counted alone, else as a loop over a state. */
function compiled(own: Loop): Result {
  const { call, body, most, start } = own;
  const states = tensorsOf(start, "the state");
  const isStacked = call.outputs > start.length;
  if (typeof most === "number" && Number.isFinite(most) && most >= 1 && isCounted(own, states)) {
    const [last, results] = Nx.Defn.scan(
      (before: Tensors, i: Tensor) => {
        const [, ...all] = tensorsOf(call.run(body, [i, yes(), ...before]), "the body");
        return [all.slice(0, states.length), boundedSteps(call, all.slice(states.length), most)];
      },
      states,
      Nx.iota([most], { type: "s64" }),
    ) as unknown as [Tensors, Tensors];
    return several(...last, ...results);
  }
  if (isStacked) {
    throw new ArgumentError(
      "what a loop stacks has a size that depends on data here; call the model outside of defn, grad and vmap",
    );
  }
  const bound = most === Infinity ? null : typeof most === "number" ? s64(most) : reshape(cast(most, "s64"), []);
  const initial = { i: s64(0), isOn: own.goesOn === null ? yes() : reshape(own.goesOn, []), states };
  type State = typeof initial;
  const last = Nx.Defn.whileLoop(
    initial,
    ({ i, isOn }: State) => (bound === null ? Nx.notEqual(isOn, 0) : Nx.logicalAnd(Nx.less(i, bound), isOn)) as Tensor,
    ({ i, isOn, states: before }: State) => {
      const [next, ...all] = tensorsOf(call.run(body, [i, isOn, ...before]), "the body");
      return { i: Nx.add(i, 1) as Tensor, isOn: cast(reshape(next!, []), isOn.type), states: all };
    },
  ) as unknown as State;
  return several(...last.states);
}

/** Whether the body says that it goes on whatever the states are. */
function isCounted({ call, body, goesOn }: Loop, states: Tensors): boolean {
  if (goesOn !== null && (!hasElements(goesOn) || numberOf(goesOn, "the condition") === 0)) return false;
  let isOn: Value | undefined;
  Nx.Defn.debugExpr((...given: Tensor[]) => {
    const [i, ...before] = given;
    [isOn] = call.run(body, [i!, yes(), ...before]);
    return i!;
  })(s64(0), ...states.map((t) => Nx.template([...t.shape], t.type)));
  return isOn instanceof Nx.Tensor && hasElements(isOn) && numberOf(isOn, "the condition") !== 0;
}

interface ScanAxes {
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly reversedInputs: readonly number[];
  readonly reversedOutputs: readonly number[];
}

/** Goes over the axes of sequences with states. Version 8 has a batch in front of everything, whose entries are gone over by themselves. */
function scan(call: Call, ...inputs: (Tensor | undefined)[]): Result {
  if (call.opset < 9) return batchedScan(call, inputs);
  const given = inputs.filter((input) => input !== undefined);
  if (given.length < inputs.length) throw new ArgumentError("an input is missing");
  return several(...scanned(call, given, scanAxes(call)));
}

function scanAxes({ attributes }: Call): ScanAxes {
  return {
    inputs: attributes.ints("scan_input_axes") ?? [],
    outputs: attributes.ints("scan_output_axes") ?? [],
    reversedInputs: attributes.ints("scan_input_directions") ?? attributes.ints("directions") ?? [],
    reversedOutputs: attributes.ints("scan_output_directions") ?? [],
  };
}

const moved = (t: Tensor, from: number, to: number): Tensor => (from === to ? t : (Nx.moveAxis(t, from, to) as Tensor));

const turned = (t: Tensor): Tensor => Nx.reverse(t, { axes: [0] }) as Tensor;

function scanned(call: Call, inputs: Tensors, axes: ScanAxes): Tensor[] {
  const count = call.attributes.int("num_scan_inputs", 1);
  if (count < 1 || count > inputs.length)
    throw new ArgumentError(`it has no ${count} sequences among ${inputs.length} inputs`);
  const body = call.attributes.graph("body");
  const states = inputs.slice(0, inputs.length - count);
  const sequences = inputs.slice(inputs.length - count).map((t, i) => {
    const front = moved(t, axisOf(axes.inputs[i] ?? 0, t.shape.length), 0);
    return axes.reversedInputs[i] === 1 ? turned(front) : front;
  });
  // a scan has a state; one that is nothing but a number stands for none
  const start = states.length === 0 ? [s64(0)] : states;
  const [last, results] = Nx.Defn.scan(
    (before: Tensors, entries: Tensors) => {
      const all = tensorsOf(call.run(body, [...(states.length === 0 ? [] : before), ...entries]), "the body");
      const own = boundedSteps(call, all.slice(states.length), sequences[0]!.shape[0]!);
      return [states.length === 0 ? before : all.slice(0, states.length), own];
    },
    start,
    sequences,
  ) as unknown as [Tensors, Tensors];
  const outputs = results.map((t, i) => {
    const whole = axes.reversedOutputs[i] === 1 ? turned(t) : t;
    return moved(whole, 0, axisOf(axes.outputs[i] ?? 0, t.shape.length));
  });
  return [...(states.length === 0 ? [] : last), ...outputs];
}

function batchedScan(call: Call, [lengths, ...inputs]: readonly (Tensor | undefined)[]): Result {
  if (lengths !== undefined) throw new ArgumentError("lengths of sequences are not supported");
  const batch = inputs[0]!.shape[0]!;
  bounded(call, [batch]);
  const entries = range(batch).map((i) =>
    scanned(
      call,
      inputs.map((t) => Nx.take(t!, i, { axis: 0 }) as Tensor),
      scanAxes(call),
    ),
  );
  return several(
    ...entries[0]!.map(
      (_, k) =>
        Nx.stack(
          entries.map((entry) => entry[k]!),
          { axis: 0 },
        ) as Tensor,
    ),
  );
}

export const CONTROL: Operators = {
  If: operator(1, conditional),
  Loop: operator([0, Infinity], loop, { takes: "any", note: "what it stacks needs a known number of steps" }),
  Scan: operator([0, Infinity], scan, { note: "no lengths of sequences" }),
};
