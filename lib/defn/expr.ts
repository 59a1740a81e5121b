/**
 * The tracing backend: every primitive records a node instead of computing. Tensors of this backend are promises of a
 * value; reading one is an error that says so.
 */
import {
  MULTI_RESULT_PRIMITIVES,
  PRIMITIVES,
  shownByName,
  type Attrs,
  type Backend,
  type DataMembers,
  type MultiResultAttrs,
  type MultiResultPrimitive,
  type MultiResultTable,
  type Primitive,
  type PrimitiveTable,
  type ScalarFunction,
  type Template,
} from "../backend";
import { currentBackend, runTracing, tracingBackend } from "../backends/registry";
import { DefnError } from "../core/errors";
import { formatShape } from "../core/shape";
import type { DType } from "../core/types";
import { Tensor, unnoted } from "../tensor";
import {
  functionsOf,
  instantiate,
  nextNodeId,
  isLeaf,
  manyNodes,
  parameterNode,
  primitiveNode,
  rebuild,
  rootsOf,
  tensorNode,
  topological,
  type Graph,
  type Node,
  type ParameterNode,
  type NodeAttrs,
} from "./graph";
import { escaped, givenTo, inScope, type Owner } from "./scope";

/** A tensor that stands for a node. */
export function traced(node: Node): Tensor {
  return new Tensor(exprBackend, node, node.out.type, node.out.shape, node.out.names);
}

/** Whether a tensor is being traced rather than holding values. */
export function isTraced(tensor: Tensor): boolean {
  return tensor.backend === exprBackend;
}

/**
 * The node behind a tensor; a tensor with values becomes a captured one. Every node gets into a graph through here, so a graph
 * reaches no parameters but its own and those of the traces around it.
 */
export function nodeOf(tensor: Tensor): Node {
  return nodeFor(tensor, "used");
}

/** The node behind a tensor that is put to a use, which messages name. */
export function nodeFor(tensor: Tensor, use: string): Node {
  if (!isTraced(tensor)) return tensorNode("capture", tensor);
  const node = tensor.data as Node;
  if (node.scope !== null && !node.scope.isOpen) throw escaped(use, node.scope);
  return node;
}

/** Effects of the function that is being traced, in the order they were met. */
let noted: Node[] = [];

let isMuted = false;

/** Notes that a node has an effect, so that the function being traced keeps it. */
export function noteEffect(node: Node): void {
  if (!isMuted) noted.push(node);
}

/** Traces what is traced elsewhere as well: its hooks are called there. */
export function muted<R>(fn: () => R): R {
  const before = isMuted;
  isMuted = true;
  try {
    return fn();
  } finally {
    isMuted = before;
  }
}

/** Runs `fn` and gives the effects that were noted meanwhile. */
function withEffects<R>(fn: () => R): { result: R; effects: readonly Node[] } {
  const before = noted;
  const effects: Node[] = (noted = []);
  try {
    return { result: fn(), effects };
  } finally {
    noted = before;
  }
}

/** Runs `fn` as a trace: what it makes is recorded. */
export function tracing<R>(fn: () => R): { result: R; effects: readonly Node[] } {
  return unnoted(() => withEffects(() => runTracing(exprBackend, fn)));
}

function record(primitive: Primitive, out: Template, inputs: readonly Tensor[], attrs: object): Node {
  const nodes = operandNodes(primitive, inputs, attrs);
  if (primitive === "block" && "backward" in (attrs as Attrs["block"]).options) {
    return recordCustom(out, inputs, attrs as Attrs["block"]);
  }
  const fn = (attrs as { fn?: ScalarFunction }).fn;
  if (!fn) return primitiveNode(primitive, out, nodes, attrs as NodeAttrs<Primitive>);
  const parameters = functionParameters(primitive, out, inputs);
  const { graph, free } = traceFunction(primitive, fn, parameters);
  const node = primitiveNode(primitive, out, [...nodes, ...free], { ...attrs, fn: graph } as NodeAttrs<Primitive>);
  if (graph.effects.length > 0) noteEffect(node);
  return node;
}

/** What the options of a block are that has a gradient of its own, as it is given and as it is recorded. */
interface CustomOptions {
  /** Type of the cotangent. */
  readonly type: DType;
  readonly backward: (g: Tensor) => readonly Tensor[];
}

export interface CustomGradient {
  /** How many inputs have a gradient: those after the first. What the gradients are made of comes behind them. */
  readonly count: number;
  /** The gradients, given the cotangent and what they are made of. */
  readonly gradients: (args: readonly Tensor[]) => Tensor[];
}

/**
 * The function that makes the gradients is traced at once, and what it reads becomes inputs of the block: a block moves
 * from graph to graph, and its gradients must be of what it reads there.
 */
function recordCustom(out: Template, inputs: readonly Tensor[], { name, options, fn }: Attrs["block"]): Node {
  const { type, backward } = options as unknown as CustomOptions;
  const cotangent = { type, shape: out.shape, names: out.names };
  const owner = givenTo("Nx.Defn.customGrad", backward, "return what is computed of it as a gradient");
  const { parameters, result, effects, isOwn } = traceOwn(owner, [cotangent], (g) => backward(g!).map(nodeOf));
  const { graphs, free } = separate([{ parameters, outputs: result, effects }], isOwn);
  const graph = graphs[0]!;
  const custom: CustomGradient = {
    count: inputs.length - 1,
    gradients: (args) => {
      const all = { ...graph, outputs: rootsOf(graph), effects: [] };
      const nodes = instantiate(all, args.map(nodeOf));
      nodes.slice(0, graph.effects.length).forEach(noteEffect);
      return nodes.slice(graph.effects.length).map(traced);
    },
  };
  return record("block", out, [...inputs, ...free.map(traced)], { name, options: { ...custom }, fn });
}

/** The nodes of the operands of a primitive, which is recorded in the trace that is running. */
function operandNodes(primitive: string, inputs: readonly Tensor[], attrs: object): Node[] {
  const isTracing = tracingBackend() === exprBackend;
  const nodes: Node[] = [];
  for (const input of inputs) {
    const node = isTraced(input) ? (input.data as Node) : tensorNode("capture", input);
    if (!isTracing || node.scope?.isOpen === false)
      throw escaped(`used in ${functionOf(primitive, attrs)}`, node.scope);
    nodes.push(node);
  }
  if (!isTracing) throw escaped(`used in ${functionOf(primitive, attrs)}`, null);
  return nodes;
}

/** The function of the API that a primitive is recorded for, as far as its name is known. */
function functionOf(primitive: string, attrs: object): string {
  const { op, name } = attrs as { readonly op?: unknown; readonly name?: unknown };
  const word = [op, name].find((value) => typeof value === "string") ?? primitive;
  return `Nx.${word as string}`;
}

function recordMultiResult<P extends MultiResultPrimitive>(
  primitive: P,
  outs: readonly Template[],
  inputs: readonly Tensor[],
  attrs: MultiResultAttrs[P],
): readonly Node[] {
  return manyNodes(primitive, outs, operandNodes(primitive, inputs, attrs), attrs);
}

/** What the user function of a primitive is called with: its inputs for a block, scalars for `map` and the reductions. */
function functionParameters(primitive: Primitive, out: Template, inputs: readonly Tensor[]): Template[] {
  const scalar = (type: Template["type"]): Template => ({ type, shape: [], names: [] });
  if (primitive === "map") return [scalar(inputs[0]!.type)];
  if (primitive === "reduce" || primitive === "windowReduce") return [scalar(out.type), scalar(out.type)];
  return inputs.map(({ type, shape, names }) => ({ type, shape, names }));
}

/** Traces the function of a primitive, which gives one tensor. */
function traceFunction(
  primitive: Primitive,
  fn: ScalarFunction,
  templates: readonly Template[],
): { graph: Graph; free: Node[] } {
  const owner = givenTo(`Nx.${primitive}`, fn);
  const { parameters, result, effects } = traceIn(owner, templates, (...args) => nodeOf(fn(...args)));
  const outputs = [result];
  const own = new Set<Node>([...parameters, ...effects]);
  for (const node of topological([...effects, ...outputs])) {
    if (node.kind === "constant" || node.inputs.some((input) => own.has(input))) own.add(node);
  }
  const { graphs, free } = separate([{ parameters, outputs, effects }], (node) => own.has(node));
  return { graph: graphs[0]!, free };
}

/** A function of control flow, traced: what was made while it ran is its own, since it may never run. */
export function traceOwn<R>(
  owner: Owner,
  templates: readonly Template[],
  fn: (...args: Tensor[]) => R,
): { parameters: ParameterNode[]; result: R; effects: readonly Node[]; isOwn: (node: Node) => boolean } {
  const mark = nextNodeId();
  const trace = traceIn(owner, templates, fn);
  const end = nextNodeId();
  // a parameter made meanwhile is a number of the surroundings in one more type; the function's own ones are known by themselves
  return { ...trace, isOwn: (node) => node.id >= mark && node.id < end && node.kind !== "parameter" };
}

/** Runs a function on parameters of its own. */
function traceIn<R>(
  owner: Owner,
  templates: readonly Template[],
  fn: (...args: Tensor[]) => R,
): { parameters: ParameterNode[]; result: R; effects: readonly Node[] } {
  return inScope(owner, (scope) => {
    const parameters = templates.map((out, index) => parameterNode(out, index, scope));
    return { parameters, ...withEffects(() => fn(...parameters.map(traced))) };
  });
}

/** A traced function: parameters, result nodes and nodes with an effect. */
export interface TracedFunction {
  readonly parameters: readonly ParameterNode[];
  readonly outputs: readonly Node[];
  readonly effects: readonly Node[];
}

/**
 * Cuts functions out of the graph they were traced in: nodes that are not their own are computed outside and become
 * further parameters, the same for all of the functions.
 */
export function separate(
  functions: readonly TracedFunction[],
  isOwn: (node: Node, index: number) => boolean,
): { graphs: Graph[]; free: Node[] } {
  const outside = new Map<Node, ParameterNode>();
  const own = Math.max(...functions.map(({ parameters }) => parameters.length));
  const stand = (node: Node): Node => {
    const known = outside.get(node) ?? parameterNode(node.out, own + outside.size);
    outside.set(node, known);
    return known;
  };
  const cut = functions.map(({ parameters, outputs, effects }, index) => {
    const done = new Map<Node, Node>(parameters.map((parameter) => [parameter, parameter]));
    const inside = (node: Node) => done.get(node) ?? stand(node);
    for (const node of topological([...effects, ...outputs])) {
      if (done.has(node) || !isOwn(node, index)) continue;
      done.set(node, isLeaf(node) ? node : rebuild(node, node.inputs.map(inside)));
    }
    return { outputs: outputs.map(inside), effects: effects.map(inside) };
  });
  const shared = [...outside.values()];
  const graphs = functions.map(({ parameters }, i) => ({
    parameters: [...parameters, ...shared],
    ...cut[i]!,
    free: shared.length,
  }));
  return { graphs, free: [...outside.keys()] };
}

/** Refuses a tensor for which nothing can be recorded any more. */
function checkUse(tensor: Tensor, fn: string): void {
  const { scope } = tensor.data as Node;
  if (scope?.isOpen === false || tracingBackend() !== exprBackend) throw escaped(`used in ${fn}`, scope);
}

function unreadable(what: string, tensor: Tensor): never {
  checkUse(tensor, what);
  throw new DefnError(
    `${what} needs the values of the tensor ${tensor.type}${formatShape(tensor.shape, tensor.names)}, but inside defn it is ` +
      `being traced and has none yet; return it from the function and read it outside, or compute constants in Nx.Defn.untraced`,
  );
}

const primitives = Object.fromEntries(
  PRIMITIVES.map((primitive) => [
    primitive,
    (out: Template, inputs: readonly Tensor[], attrs: object) => record(primitive, out, inputs, attrs),
  ]),
) as unknown as PrimitiveTable;

const manyPrimitives = Object.fromEntries(
  MULTI_RESULT_PRIMITIVES.map((primitive) => [
    primitive,
    (outs: readonly Template[], inputs: readonly Tensor[], attrs: MultiResultAttrs[typeof primitive]) =>
      recordMultiResult(primitive, outs, inputs, attrs),
  ]),
) as unknown as MultiResultTable;

const dataMembers: DataMembers = {
  name: "expr",
  options: Object.freeze({}),
  absorbs: 1,
  upload(out, bytes) {
    const backend = runTracing(null, currentBackend);
    return tensorNode("literal", new Tensor(backend, backend.upload(out, bytes), out.type, out.shape, out.names));
  },
  download: (tensor) => unreadable("reading data", tensor),
  alias: (tensor) => tensor.data,
  deallocate: (tensor) => unreadable("deallocating", tensor),
  checkUse,
  describe: (tensor) => `Nx.Defn.Expr\n${describeNode(tensor.data as Node)}`,
};

/** What a node does, in a word or two. */
export function describeNode(node: Node): string {
  const op = !isLeaf(node) && "op" in node.attrs ? node.attrs.op : node.kind;
  return functionsOf(node).length > 0 ? `${op} with a function` : op;
}

/** The backend of traced tensors. */
export const exprBackend: Backend = shownByName({ ...dataMembers, ...primitives, ...manyPrimitives });
