/**
 * Recording control flow in the graph being traced: functions of lists of tensors, all checks done by the caller.
 */
import type { Template } from "../../backend";
import { withInFront } from "../../core/names";
import type { Tensor } from "../../tensor";
import { nodeOf, noteEffect, separate, traced, traceOwn, type TracedFunction } from "../expr";
import { manyNodes, templateOf, type ControlAttrs, type ControlKind, type Graph, type Node } from "../graph";
import type { Owner } from "../scope";
import { runControl } from "./run";
import { control } from "./runner";

type ListFunction = (...args: Tensor[]) => readonly Tensor[];

/** A function of control flow: traced, with what belongs to it and not to the surroundings. */
interface Own extends TracedFunction {
  readonly isOwn: (node: Node) => boolean;
}

/** Functions of control flow that the library makes: no program sees their parameters. */
const LIBRARY: Owner = { api: "Nx.Defn", place: "a function of the library", name: "", remedy: "return it" };

/** Traces one function of control flow. */
export function own(templates: readonly Template[], fn: ListFunction, owner: Owner = LIBRARY): Own {
  const { parameters, result, effects, isOwn } = traceOwn(owner, templates, (...args) => fn(...args).map(nodeOf));
  return { parameters, outputs: result, effects, isOwn };
}

/** The composition of a traced function and a function of its results. */
export function followedBy(first: Own, fn: ListFunction): Own {
  const more = own([], () => fn(...first.outputs.map(traced)));
  const effects = [...first.effects, ...more.effects];
  return { ...first, outputs: more.outputs, effects, isOwn: (node) => first.isOwn(node) || more.isOwn(node) };
}

function record<K extends ControlKind>(
  kind: K,
  outs: readonly Template[],
  operands: readonly Tensor[],
  functions: readonly Own[],
  attrs: (graphs: readonly Graph[]) => ControlAttrs[K],
): Tensor[] {
  control.run = runControl;
  const { graphs, free } = separate(functions, (node, i) => functions[i]!.isOwn(node));
  const inputs = [...operands.map(nodeOf), ...free];
  const results = manyNodes(kind, outs, inputs, attrs(graphs) as never);
  if (graphs.some(({ effects }) => effects.length > 0)) noteEffect(results[0]!.inputs[0]!);
  return results.map(traced);
}

/** The results of the first branch whose predicate holds, else of the last; all give tensors of the templates `outs`. */
export function buildCond(
  outs: readonly Template[],
  predicates: readonly Tensor[],
  branches: readonly Own[],
): Tensor[] {
  return record("cond", outs, predicates, branches, (graphs) => ({ functions: graphs }));
}

/** Runs `body` on the state as long as `condition` holds. */
export function buildWhile(
  state: readonly Tensor[],
  condition: (...state: Tensor[]) => Tensor,
  body: ListFunction,
  owners: { readonly condition?: Owner; readonly body?: Owner } = {},
): Tensor[] {
  const templates = state.map(templateOf);
  const functions = [
    own(templates, (...args) => [condition(...args)], owners.condition),
    own(templates, body, owners.body),
  ];
  return record("while", templates, state, functions, (graphs) => ({ functions: graphs }));
}

/** The results of one step of a scan. */
interface ScanStep {
  readonly carried: readonly Tensor[];
  readonly results: readonly Tensor[];
}

/** Runs `body` on the state and one entry of each sequence after the other; results are stacked along a new first axis. */
export function buildScan(
  state: readonly Tensor[],
  sequences: readonly Tensor[],
  body: (carried: readonly Tensor[], entries: readonly Tensor[]) => ScanStep,
  options: {
    readonly length: number;
    readonly reverse: boolean;
    readonly settles?: boolean;
    readonly name?: string | null;
    readonly owner?: Owner;
  },
): ScanStep {
  const { length, reverse, settles = false, name = null, owner } = options;
  const entries = sequences.map(({ type, shape, names }) => ({ type, shape: shape.slice(1), names: names.slice(1) }));
  const carried = state.length;
  const fn = own(
    [...state.map(templateOf), ...entries],
    (...args) => {
      const step = body(args.slice(0, carried), args.slice(carried));
      return [...step.carried, ...step.results];
    },
    owner,
  );
  const stacked = fn.outputs.slice(carried).map(({ out: { type, shape, names } }) => ({
    type,
    shape: Object.freeze([length, ...shape]),
    names: withInFront(name, names),
  }));
  const outs = [...state.map(templateOf), ...stacked];
  const all = record("scan", outs, [...state, ...sequences], [fn], (functions) => ({
    functions,
    carried,
    length,
    reverse,
    settles,
  }));
  return { carried: all.slice(0, carried), results: all.slice(carried) };
}
