/**
 * The tracing backend: every primitive records a node instead of computing. Tensors of this backend are promises of a
 * value; reading one is an error that says so.
 */
import {
  MANY_PRIMITIVES,
  PRIMITIVES,
  type Backend,
  type DataMembers,
  type ManyAttrs,
  type ManyPrimitive,
  type ManyTable,
  type Primitive,
  type PrimitiveTable,
  type ScalarFunction,
  type Template,
} from "../backend";
import { currentBackend, runTracing, tracingBackend } from "../backends/registry";
import { DefnError } from "../core/errors";
import { formatShape } from "../core/shape";
import { Tensor } from "../tensor";
import {
  functionOf,
  isLeaf,
  manyNodes,
  parameterNode,
  primitiveNode,
  rebuild,
  tensorNode,
  topological,
  type Graph,
  type Node,
  type NodeAttrs,
} from "./graph";

/** A tensor that stands for a node. */
export function traced(node: Node): Tensor {
  return new Tensor(exprBackend, node, node.out.type, node.out.shape, node.out.names);
}

/** Whether a tensor is being traced rather than holding values. */
export function isTraced(tensor: Tensor): boolean {
  return tensor.backend === exprBackend;
}

/** The node behind a tensor; a tensor with values becomes a captured one. */
export function nodeOf(tensor: Tensor): Node {
  return isTraced(tensor) ? (tensor.data as Node) : tensorNode("capture", tensor);
}

function record(primitive: Primitive, out: Template, inputs: readonly Tensor[], attrs: object): Node {
  checkTracing(primitive);
  const nodes = inputs.map(nodeOf);
  const fn = (attrs as { fn?: ScalarFunction }).fn;
  if (!fn) return primitiveNode(primitive, out, nodes, attrs as NodeAttrs<Primitive>);
  const parameters = functionParameters(primitive, out, inputs);
  const { graph, free } = traceFunction(fn, parameters);
  return primitiveNode(primitive, out, [...nodes, ...free], { ...attrs, fn: graph } as NodeAttrs<Primitive>);
}

function checkTracing(primitive: string): void {
  if (tracingBackend() !== exprBackend) throw escaped(primitive);
}

function recordMany<P extends ManyPrimitive>(
  primitive: P,
  outs: readonly Template[],
  inputs: readonly Tensor[],
  attrs: ManyAttrs[P],
): readonly Node[] {
  checkTracing(primitive);
  return manyNodes(primitive, outs, inputs.map(nodeOf), attrs);
}

/** What the user function of a primitive is called with: its inputs for a block, scalars for `map` and the reductions. */
function functionParameters(primitive: Primitive, out: Template, inputs: readonly Tensor[]): Template[] {
  const scalar = (type: Template["type"]): Template => ({ type, shape: [], names: [] });
  if (primitive === "map") return [scalar(inputs[0]!.type)];
  if (primitive === "reduce" || primitive === "windowReduce") return [scalar(out.type), scalar(out.type)];
  return inputs.map(({ type, shape, names }) => ({ type, shape, names }));
}

/**
 * Traces a function on its own parameters. Nodes that do not depend on them belong to the surroundings: they are
 * computed once outside and become further parameters.
 */
function traceFunction(fn: ScalarFunction, templates: readonly Template[]): { graph: Graph; free: Node[] } {
  const parameters = templates.map(parameterNode);
  const output = nodeOf(fn(...parameters.map(traced)));
  const own = new Set<Node>(parameters);
  const free: Node[] = [];
  const replaced = new Map<Node, Node>();
  for (const node of topological([output])) {
    if (node.kind === "constant" || node.inputs.some((input) => own.has(input))) own.add(node);
  }
  const outside = (node: Node): Node => {
    const known = replaced.get(node);
    if (known) return known;
    const parameter = parameterNode(node.out, templates.length + free.length);
    free.push(node);
    replaced.set(node, parameter);
    return parameter;
  };
  for (const node of topological([output])) {
    if (!own.has(node) || isLeaf(node)) continue;
    const inputs = node.inputs.map((input) => (own.has(input) ? (replaced.get(input) ?? input) : outside(input)));
    replaced.set(node, rebuild(node, inputs));
  }
  const result = own.has(output) ? (replaced.get(output) ?? output) : outside(output);
  const all = [...parameters, ...free.map((node) => replaced.get(node) as (typeof parameters)[number])];
  return { graph: { parameters: all, outputs: [result], free: free.length }, free };
}

function escaped(what: string): DefnError {
  return new DefnError(
    `a traced tensor was used in ${what} after its trace had ended: return it from the function given to defn ` +
      `instead of storing it in an outer variable`,
  );
}

function unreadable(what: string, tensor: Tensor): never {
  throw new DefnError(
    `${what} needs the values of the tensor ${tensor.type}${formatShape(tensor.shape, tensor.names)}, but inside defn it is ` +
      `being traced and has none yet; return it from the function and read it outside`,
  );
}

const primitives = Object.fromEntries(
  PRIMITIVES.map((primitive) => [
    primitive,
    (out: Template, inputs: readonly Tensor[], attrs: object) => record(primitive, out, inputs, attrs),
  ]),
) as unknown as PrimitiveTable;

const manyPrimitives = Object.fromEntries(
  MANY_PRIMITIVES.map((primitive) => [
    primitive,
    (outs: readonly Template[], inputs: readonly Tensor[], attrs: ManyAttrs[typeof primitive]) =>
      recordMany(primitive, outs, inputs, attrs),
  ]),
) as unknown as ManyTable;

const dataMembers: DataMembers = {
  name: "expr",
  options: Object.freeze({}),
  absorbs: true,
  upload(out, bytes) {
    const backend = runTracing(null, currentBackend);
    return tensorNode("literal", new Tensor(backend, backend.upload(out, bytes), out.type, out.shape, out.names));
  },
  download: (tensor) => unreadable("reading data", tensor),
  deallocate: (tensor) => unreadable("deallocating", tensor),
  describe: (tensor) => `Nx.Defn.Expr\n${describeNode(tensor.data as Node)}`,
};

function describeNode(node: Node): string {
  const op = !isLeaf(node) && "op" in node.attrs ? node.attrs.op : node.kind;
  return functionOf(node) ? `${op} with a function` : op;
}

/** The backend of traced tensors. */
export const exprBackend: Backend = { ...dataMembers, ...primitives, ...manyPrimitives };
