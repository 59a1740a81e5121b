/** Running control flow: which function runs, and how often, is decided by values. */
import { unnamed } from "../../core/names";
import { run, template } from "../../nx/dispatch";
import { toFlatList } from "../../nx/conversion";
import type { Tensor } from "../../tensor";
import type { ControlKind, Node } from "../graph";
import type { Template } from "../../backend";

export type Execute<P> = (plan: P, args: readonly Tensor[]) => Tensor[];
export type Control = Extract<Node, { kind: ControlKind }>;

/** Finishes a loop as a program, from its inputs with the present state; null where the loop has to go on step by step. */
export type Finish = (inputs: readonly Tensor[]) => readonly Tensor[] | null;

/** Gives back the memory of a state that nobody reads any more; null where somebody may. */
export type LetGo = ((state: Tensor) => void) | null;

/** The turn after which another way is looked for, then after twice as many each time. */
const LONG_FROM = 128;

/**
 * The results of a node of control flow, given its inputs and its functions as plans of the caller's. Bodies of loops give tensors of their own,
 * so that states can be let go of: all but those that the loop began with.
 */
export function runControl<P extends { readonly free: number }>(
  node: Control,
  inputs: readonly Tensor[],
  functions: readonly P[],
  execute: Execute<P>,
  finish: Finish,
  letGo: LetGo,
): readonly Tensor[] {
  const operands = inputs.length - functions[0]!.free;
  const own = inputs.slice(0, operands);
  const free = inputs.slice(operands);
  const call = (index: number, args: readonly Tensor[]) => execute(functions[index]!, [...args, ...free]);
  switch (node.kind) {
    case "cond": {
      const chosen = own.findIndex(holds);
      return call(chosen < 0 ? functions.length - 1 : chosen, []);
    }
    case "while": {
      let state: readonly Tensor[] = own;
      let ask = LONG_FROM;
      for (let turn = 1; holds(call(0, state)[0]!); turn++) {
        const before = state;
        state = call(1, before);
        if (letGo && before !== own) before.forEach(letGo);
        if (turn < ask) continue;
        const results = finish([...state, ...free]);
        if (results) return results;
        ask *= 2;
      }
      return state;
    }
    case "scan":
      return runScan(node, own, (args) => call(0, args), letGo);
    default:
      return node satisfies never;
  }
}

/** Whether a predicate holds: anything but 0, NaN included. */
function holds(predicate: Tensor): boolean {
  const [value] = toFlatList(predicate);
  return typeof value === "object" ? value.re !== 0 || value.im !== 0 : Number(value) !== 0;
}

function runScan(
  { attrs: { carried, length, reverse, settles }, outs }: Extract<Node, { kind: "scan" }>,
  inputs: readonly Tensor[],
  body: (args: readonly Tensor[]) => Tensor[],
  letGo: LetGo,
): readonly Tensor[] {
  let state = inputs.slice(0, carried);
  const sequences = inputs.slice(carried);
  const slices: Tensor[][] = outs.slice(carried).map(() => []);
  let taken = 0;
  for (let isOver = false; taken < length && !isOver; taken++) {
    const at = reverse ? length - 1 - taken : taken;
    const results = body([...state, ...sequences.map((sequence) => entryAt(sequence, at))]);
    if (letGo && taken > 0) state.forEach(letGo);
    state = results.slice(0, carried);
    slices.forEach((list, i) => list.push(results[carried + i]!));
    isOver = settles && !holds(state[0]!);
  }
  return [...state, ...slices.map((list, i) => stackOf(reverse ? list.reverse() : list, outs[carried + i]!))];
}

/** An entry of the first axis, as a tensor without the axis. */
function entryAt(sequence: Tensor, at: number): Tensor {
  const rest = sequence.shape.slice(1);
  const lengths = Object.freeze([1, ...rest]);
  const starts = lengths.map((_, i) => (i === 0 ? at : 0));
  const strides = lengths.map(() => 1);
  const slice = run("slice", template(sequence.type, lengths, unnamed(lengths.length)), [sequence], {
    starts,
    lengths,
    strides,
  });
  return run("reshape", template(sequence.type, Object.freeze(rest), sequence.names.slice(1)), [slice], {});
}

/** Entries stacked; the last one again and again where they are fewer than the result has. */
function stackOf(entries: readonly Tensor[], out: Template): Tensor {
  const [length, ...rest] = out.shape;
  const rowsOf = (count: number): Template =>
    template(out.type, Object.freeze([count, ...rest]), unnamed(out.shape.length));
  const rows = entries.map((entry) => run("reshape", rowsOf(1), [entry], {}));
  const missing = length! - entries.length;
  if (missing > 0) rows.push(run("broadcast", rowsOf(missing), [entries.at(-1)!], { axes: rest.map((_, i) => i + 1) }));
  return run("concatenate", out, rows, { axis: 0 });
}
