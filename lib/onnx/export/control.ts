/**
 * Branches and loops.
 */
import type { Defn } from "nx-numerics";
import type { Emitter } from "./emitter";
import type { Value } from "./ir";
import { full, type Call } from "./site";

type ControlNode = Extract<Defn.GraphNode, { kind: Defn.ControlKind }>;

/** A node of control flow with the values of its operands. */
interface Flow<A> {
  readonly e: Emitter;
  readonly attrs: A;
  readonly inputs: readonly Value[];
  /** Values of the types and shapes of its results. */
  readonly outs: () => readonly Value[];
  readonly call: Call;
}

type Rule<K extends Defn.ControlKind> = (flow: Flow<Defn.ControlAttrs[K]>) => readonly Value[];

/** How each kind is written; total over the kinds. */
const RULES: { readonly [K in Defn.ControlKind]: Rule<K> } = { cond, while: whileLoop, scan };

export function writeControl(e: Emitter, node: ControlNode, call: Call): readonly Value[] {
  const inputs = node.inputs.map((input) => full(e, input));
  const outs = () => node.outs.map(({ type, shape }): Value => ({ type, shape }));
  const rule = RULES[node.kind] as Rule<Defn.ControlKind>;
  return rule({ e, attrs: node.attrs as never, inputs, outs, call });
}

/** A value of the same type and shape. */
const like = ({ type, shape }: Value): Value => ({ type, shape });

/** Branches in one another. */
function cond({ e, attrs: { functions }, inputs, outs, call }: Flow<Defn.ControlAttrs["cond"]>): readonly Value[] {
  const last = functions.length - 1;
  const free = inputs.slice(last);
  const from = (at: Emitter, i: number): readonly Value[] => {
    if (i === last) return call(at.scope(), functions[i]!, free);
    return at.many("If", [at.bool(inputs[i]!)], outs(), {
      then_branch: at.body([], (inner) => call(inner.scope(), functions[i]!, free)),
      else_branch: at.body([], (inner) => from(inner, i + 1)),
    });
  };
  return from(e, 0);
}

function whileLoop({
  e,
  attrs: { functions },
  inputs,
  outs,
  call,
}: Flow<Defn.ControlAttrs["while"]>): readonly Value[] {
  const [condition, step] = functions as readonly [Defn.Graph, Defn.Graph];
  const count = outs().length;
  const [state, free] = [inputs.slice(0, count), inputs.slice(count)];
  const goesOn = (at: Emitter, values: readonly Value[]) =>
    at.bool(call(at.scope(), condition, [...values, ...free])[0]!);
  const own = state.map(like);
  const params: Value[] = [{ type: "s64", shape: [] }, { type: "bool", shape: [] }, ...own]; // prettier-ignore
  const body = e.body(params, (inner) => {
    const next = call(inner.scope(), step, [...own, ...free]);
    return [goesOn(inner, next), ...next];
  });
  return e.many("Loop", [null, goesOn(e, state), ...state], outs(), { body });
}

function scan({ e, attrs, inputs, outs, call }: Flow<Defn.ControlAttrs["scan"]>): readonly Value[] {
  const { functions, carried, length, reverse } = attrs;
  const body = functions[0]!;
  const given = inputs.slice(0, inputs.length - body.free);
  const free = inputs.slice(given.length);
  const results = outs();
  const params = given.map(({ type, shape }, i): Value => ({ type, shape: i < carried ? shape : shape.slice(1) }));
  if (given.length > carried) {
    const directions = (count: number) => (reverse && count > 0 ? Array<number>(count).fill(1) : undefined);
    return e.many("Scan", given, results, {
      body: e.body(params, (inner) => call(inner.scope(), body, [...params, ...free])),
      num_scan_inputs: given.length - carried,
      scan_input_directions: directions(given.length - carried),
      scan_output_directions: directions(results.length - carried),
    });
  }
  // without sequences: a loop of known length
  const all: Value[] = [{ type: "s64", shape: [] }, { type: "bool", shape: [] }, ...params]; // prettier-ignore
  const turns = e.body(all, (inner) => [
    inner.scalar(true, "bool"),
    ...call(inner.scope(), body, [...params, ...free]),
  ]);
  const made = e.many("Loop", [e.scalar(length, "s64"), e.scalar(true, "bool"), ...given], results, { body: turns });
  return made.map((value, i) => (i < carried || !reverse ? value : e.reverse(value, [0])));
}
