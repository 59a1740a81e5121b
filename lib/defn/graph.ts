/**
 * The expression graph: immutable nodes, one per primitive, picks out of several results, hooks, calls of functions of the
 * program, and the three kinds of leaves. Values are not computed here.
 */
import { getOrMake } from "../core/get-or-make";
import type { Attrs, MultiResultAttrs, MultiResultPrimitive, Primitive, Nest, Template } from "../backend";
import type { Tensor } from "../tensor";
import { isRecordingOrigins, originHere } from "./debug/origin";
import type { TraceScope } from "./scope";

/** Attributes of a node: those of its primitive, a user function being a graph instead of a JavaScript function. */
export type NodeAttrs<P extends Primitive> = Attrs[P] extends { readonly fn: unknown }
  ? Omit<Attrs[P], "fn"> & { readonly fn: Graph }
  : Attrs[P];

/** What all nodes have. */
export interface NodeBase {
  readonly id: number;
  readonly out: Template;
  /** Operands; of a node with a function, what the function reads of its surroundings comes after the operands. */
  readonly inputs: readonly Node[];
  /** The innermost of the traces whose parameters it is computed from; null where there is none. */
  readonly scope: TraceScope | null;
  /** Where the program made it; known only while origins are recorded. */
  readonly origin?: Error;
}

export interface PrimitiveNode<P extends Primitive = Primitive> extends NodeBase {
  readonly kind: P;
  readonly attrs: NodeAttrs<P>;
}

/** A primitive with several results, read through element nodes only; `out` is the first result. */
export interface MultiResultNode<P extends MultiResultPrimitive = MultiResultPrimitive> extends NodeBase {
  readonly kind: P;
  readonly outs: readonly Template[];
  readonly attrs: MultiResultAttrs[P];
}

/** What a node of control flow does with its functions. */
export interface ControlAttrs {
  /** Branches, the last being taken where no predicate holds. Inputs: predicates, then what the branches read. */
  cond: { readonly functions: readonly Graph[] };
  /** Condition and body. Inputs: the state, then what both read. */
  while: { readonly functions: readonly Graph[] };
  /**
   * The body, given the carried state and one slice of each sequence, gives the next state and one slice of each result.
   * Inputs: state, sequences, then what the body reads. Results: state, then the slices stacked.
   */
  scan: {
    readonly functions: readonly Graph[];
    readonly carried: number;
    readonly length: number;
    readonly reverse: boolean;
    /**
     * Whether turns after one that carries 0 in the first place change nothing that is carried, and nobody reads their results: the
     * scan, which is not in reverse then, may end there, with any entries for the rest.
     */
    readonly settles: boolean;
  };
}

export type ControlKind = keyof ControlAttrs;

/** Control flow: its functions run as often as the values say; read through element nodes only. */
export interface ControlNode<K extends ControlKind = ControlKind> extends NodeBase {
  readonly kind: K;
  readonly outs: readonly Template[];
  readonly attrs: ControlAttrs[K];
}

/** A nest, and the graph that it computes, which runs in its place on backends that do not run the nest. */
export interface FusedAttrs {
  readonly fn: Graph;
  readonly nest: Nest;
}

/** Several nodes as one nest; made by fusion only, read through element nodes only. */
export interface FusedNode extends NodeBase {
  readonly kind: "fused";
  readonly outs: readonly Template[];
  readonly attrs: FusedAttrs;
}

/** One of the results of a node that has several. */
export interface ElementNode extends NodeBase {
  readonly kind: "element";
  readonly attrs: { readonly index: number };
}

/** What a hook calls with the values of its inputs. */
export type HookFunction = (values: readonly Tensor[]) => void;

/** A function of the program that is called with values when the graph runs. Nothing reads it: it is an effect of its graph. */
export interface HookNode extends NodeBase {
  readonly kind: "hook";
  readonly attrs: { readonly name: string | null; readonly call: HookFunction };
}

/** A function of the user that a node calls with the values of its inputs for its results. */
export type RuntimeFunction = (values: readonly Tensor[]) => readonly Tensor[];

/** A function of the program that computes values when the graph runs; read through element nodes only. */
export interface RuntimeCallNode extends NodeBase {
  readonly kind: "runtimeCall";
  readonly outs: readonly Template[];
  readonly attrs: RuntimeCallAttrs;
}

export interface RuntimeCallAttrs {
  readonly name: string | null;
  readonly call: RuntimeFunction;
}

/** A parameter of the traced function, in the order of the flattened arguments. */
export interface ParameterNode extends NodeBase {
  readonly kind: "parameter";
  readonly index: number;
}

/** A tensor of the surroundings that the function closed over: an input that is bound already. */
export interface CaptureNode extends NodeBase {
  readonly kind: "capture";
  readonly tensor: Tensor;
}

/** A value the function itself made, or that folding found. */
export interface LiteralNode extends NodeBase {
  readonly kind: "literal";
  readonly tensor: Tensor;
}

export type LeafNode = ParameterNode | CaptureNode | LiteralNode;
export type Node =
  | { [P in Primitive]: PrimitiveNode<P> }[Primitive]
  | { [P in MultiResultPrimitive]: MultiResultNode<P> }[MultiResultPrimitive]
  | { [K in ControlKind]: ControlNode<K> }[ControlKind]
  | FusedNode
  | ElementNode
  | HookNode
  | RuntimeCallNode
  | LeafNode;

/** A traced function: parameters, flattened results and effects. */
export interface Graph {
  readonly parameters: readonly ParameterNode[];
  readonly outputs: readonly Node[];
  /** Hooks, and nodes with hooks in their functions, in the order of the program: they run even without readers. */
  readonly effects: readonly Node[];
  /** How many of the last parameters are values of the surroundings: the last inputs of the node that has this function. */
  readonly free: number;
}

let nextId = 0;

/** Nodes made from now on have ids from this one on. */
export function nextNodeId(): number {
  return nextId;
}

/** Type, shape and names alone, of a tensor or a template with more. */
export const templateOf = ({ type, shape, names }: Template): Template => ({ type, shape, names });

export function parameterNode(out: Template, index: number, scope: TraceScope | null = null): ParameterNode {
  return { id: nextId++, kind: "parameter", out, inputs: [], scope, index };
}

/** The trace that a node of these inputs belongs to. */
function scopeOf(inputs: readonly Node[]): TraceScope | null {
  let innermost: TraceScope | null = null;
  for (let i = 0; i < inputs.length; i++) {
    const { scope } = inputs[i]!;
    if (scope !== null && (innermost === null || scope.depth > innermost.depth)) innermost = scope;
  }
  return innermost;
}

export function tensorNode(kind: "capture" | "literal", tensor: Tensor): CaptureNode | LiteralNode {
  return {
    id: nextId++,
    kind,
    out: { type: tensor.type, shape: tensor.shape, names: tensor.names },
    inputs: [],
    scope: null,
    tensor,
  };
}

export function primitiveNode<P extends Primitive>(
  kind: P,
  out: Template,
  inputs: readonly Node[],
  attrs: NodeAttrs<P>,
): Node {
  return made({ id: nextId++, kind, out, inputs, scope: scopeOf(inputs), attrs } as unknown as Node);
}

const made = (node: Node): Node => (isRecordingOrigins() ? { ...node, ...originHere() } : node);

/** A node with several results, and the nodes that pick them. */
export function manyNodes<K extends MultiResultPrimitive | ControlKind | "runtimeCall">(
  kind: K,
  outs: readonly Template[],
  inputs: readonly Node[],
  attrs: (MultiResultAttrs & ControlAttrs & { readonly runtimeCall: RuntimeCallAttrs })[K],
): ElementNode[] {
  const scope = scopeOf(inputs);
  const node = made({ id: nextId++, kind, out: outs[0]!, outs, inputs, scope, attrs } as unknown as Node);
  return outs.map((_, index) => elementNode(node, index));
}

/** One of the results of a node. */
export function elementNode(node: Node, index: number): ElementNode {
  const out = resultsOf(node)![index]!;
  return { id: nextId++, kind: "element", out, inputs: [node], scope: node.scope, attrs: { index } };
}

/** A nest over the values of `inputs`. */
export function fusedNode(outs: readonly Template[], inputs: readonly Node[], attrs: FusedAttrs): FusedNode {
  return { id: nextId++, kind: "fused", out: outs[0]!, outs, inputs, scope: scopeOf(inputs), attrs };
}

/** A hook on the values of `inputs`. */
export function hookNode(inputs: readonly Node[], name: string | null, call: HookFunction): HookNode {
  const scope = scopeOf(inputs);
  return { id: nextId++, kind: "hook", out: inputs[0]!.out, inputs, scope, attrs: { name, call } };
}

/** The templates of a node's results where it has several. */
export function resultsOf(node: Node): readonly Template[] | null {
  return "outs" in node ? node.outs : null;
}

/** Whether a node is a leaf: nothing is computed for it. */
export function isLeaf(node: Node): node is LeafNode {
  return node.kind === "parameter" || node.kind === "capture" || node.kind === "literal";
}

/** The graphs of a node's functions: one of a primitive that calls a function, several of control flow. */
export function functionsOf(node: Node): readonly Graph[] {
  if (!hasFunctions(node)) return NO_FUNCTIONS;
  return "functions" in node.attrs ? node.attrs.functions : [node.attrs.fn];
}

/** Kinds of nodes that have functions. */
type CallingKind = { [P in Primitive]: Attrs[P] extends { readonly fn: unknown } ? P : never }[Primitive];
type FunctionKind = CallingKind | ControlKind | "fused";

const FUNCTION_KINDS: { readonly [K in FunctionKind]: true } = {
  block: true,
  cond: true,
  fused: true,
  map: true,
  reduce: true,
  scan: true,
  while: true,
  windowReduce: true,
};

/** By the kind alone: every pass asks this of every node. */
const hasFunctions = (node: Node): node is Extract<Node, { kind: FunctionKind }> =>
  Object.hasOwn(FUNCTION_KINDS, node.kind);

const NO_FUNCTIONS: readonly Graph[] = Object.freeze([]);

/** Whether a node hands values to a function of the program, which may keep them. */
export const callsProgram = ({ kind }: Node): boolean => kind === "hook" || kind === "runtimeCall";

/** Whether a node is control flow. */
export function isControl(node: Node): node is Extract<Node, { kind: ControlKind }> {
  return node.kind === "cond" || node.kind === "while" || node.kind === "scan";
}

/** The roots of a graph: effects, then results. */
export function rootsOf({ effects, outputs }: Pick<Graph, "effects" | "outputs">): readonly Node[] {
  return effects.length === 0 ? outputs : [...effects, ...outputs];
}

/** The nodes that the outputs need, every node after its inputs. Iterative, since chains can be deep. */
export function topological(outputs: readonly Node[]): Node[] {
  const order: Node[] = [];
  const met = new Set<Node>();
  const stack: Node[] = [];
  /** How many inputs of each node of the stack were looked at. */
  const looked: number[] = [];
  for (const output of outputs) {
    meet(output);
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!;
      const next = looked[stack.length - 1]!++;
      if (next < node.inputs.length) {
        meet(node.inputs[next]!);
      } else {
        stack.pop();
        looked.pop();
        order.push(node);
      }
    }
  }
  return order;

  function meet(node: Node): void {
    const before = met.size;
    if (met.add(node).size === before) return;
    stack.push(node);
    looked.push(0);
  }
}

const orders = new WeakMap<Graph, readonly Node[]>();

/** The nodes of a graph, every node after its inputs; most passes leave most graphs as they are, and ask again. */
export const orderOf = (graph: Graph): readonly Node[] => getOrMake(orders, graph, () => topological(rootsOf(graph)));

/** A copy of a node with new inputs and, where the node has functions, new functions. */
export function rebuild(node: Node, inputs: readonly Node[], functions?: readonly Graph[]): Node {
  if (isLeaf(node)) return node;
  const attrs = functions ? withFunctions(node, functions) : node.attrs;
  if (attrs === node.attrs && sameNodes(inputs, node.inputs)) return node;
  return { ...node, id: nextId++, inputs, scope: scopeOf(inputs), attrs } as Node;
}

/** The attributes of a node with new functions; the same object where all functions are the same. */
function withFunctions(node: Exclude<Node, LeafNode>, functions: readonly Graph[]): object {
  const before = functionsOf(node);
  if (functions.every((fn, i) => fn === before[i])) return node.attrs;
  const own = "functions" in node.attrs ? { functions } : functions.length === 1 ? { fn: functions[0] } : {};
  return { ...node.attrs, ...own };
}

function sameNodes(a: readonly Node[], b: readonly Node[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** A graph without hooks, its functions included. */
function withoutEffects(graph: Graph): Graph {
  if (graph.effects.length === 0) return graph;
  const silent = mapGraph({ ...graph, effects: [] }, withoutHooks);
  return { ...silent, effects: [] };
}

const withoutHooks = (node: Node): Node => {
  const functions = functionsOf(node);
  if (functions.every(({ effects }) => effects.length === 0)) return node;
  return rebuild(node, node.inputs, functions.map(withoutEffects));
};

/**
 * The outputs of a graph with other nodes in place of its parameters. Hooks stay behind: they are called where the graph
 * itself runs.
 */
export function instantiate(graph: Graph, args: readonly Node[]): Node[] {
  const done = new Map<Node, Node>(graph.parameters.map((parameter, i) => [parameter, args[i]!]));
  for (const node of topological(graph.outputs)) {
    if (!done.has(node))
      done.set(
        node,
        withoutHooks(
          rebuild(
            node,
            node.inputs.map((input) => done.get(input)!),
          ),
        ),
      );
  }
  return graph.outputs.map((output) => done.get(output)!);
}

/**
 * Rewrites a graph from the leaves up: `rewrite` is given each node with its inputs rewritten already. The graphs of
 * user functions are rewritten in the same way.
 */
export function mapGraph(graph: Graph, rewrite: (node: Node) => Node): Graph {
  const changed: Changes = new Map();
  for (const node of orderOf(graph)) {
    const functions = functionsOf(node);
    const inner = functions.length === 0 ? undefined : functions.map((fn) => mapGraph(fn, rewrite));
    const now = rewrite(rebuild(node, afterChanges(node.inputs, changed), inner));
    if (now !== node) changed.set(node, now);
  }
  return withChanges(graph, changed);
}

/** Maps each changed node to its replacement. */
export type Changes = Map<Node, Node>;

/** Nodes with changed nodes replaced; the same list where none changed. */
export function afterChanges(nodes: readonly Node[], changes: ReadonlyMap<Node, Node>): readonly Node[] {
  if (changes.size === 0) return nodes;
  for (let i = 0; i < nodes.length; i++) {
    if (changes.has(nodes[i]!)) return nodes.map((node) => changes.get(node) ?? node);
  }
  return nodes;
}

/** A graph with changed nodes replaced; the same graph where no root changed. */
export function withChanges(graph: Graph, changes: ReadonlyMap<Node, Node>): Graph {
  const outputs = afterChanges(graph.outputs, changes);
  const effects = afterChanges(graph.effects, changes);
  if (outputs === graph.outputs && effects === graph.effects) return graph;
  return { ...graph, outputs, effects };
}
