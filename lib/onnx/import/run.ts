/**
 * Runs the nodes of a graph in order. What is computed of known values alone is computed outside of the trace that may be running, so that
 * shapes, axes and loops can follow from it.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, NxError, type Tensor } from "nx-numerics";
import { NO_ATTRIBUTES, type Attributes } from "./attributes";
import type { Limits } from "./limits";
import { keyOf, type Graph, type Model, type Node } from "./model";
import { bounded, type Call, type Operator, type Result } from "./operator";
import { operatorOf } from "./needs";
import { outside } from "./outside";
import { checkShapes } from "./schema";
import { Empty, isKnown, isSequence, type Value } from "./values";

/** Values by name; graphs inside of graphs see those around them. */
export class Scope {
  private readonly values = new Map<string, Value>();

  constructor(private readonly outer: Scope | null) {}

  get(name: string): Value | undefined {
    const value = this.values.get(name);
    return value === undefined && this.outer ? this.outer.get(name) : value;
  }

  set(name: string, value: Value): void {
    this.values.set(name, value);
  }
}

/** What all nodes of a call share. */
interface Running {
  readonly model: Model;
  readonly limits: Limits;
  /** Functions inside of functions, graphs inside of graphs. */
  readonly depth: number;
  /** Attributes of the call of the function whose body runs. */
  readonly attributes: Attributes | null;
  readonly defaults: Attributes;
  /** How many nodes have run. */
  readonly count: { nodes: number };
}

/** The outputs of the graph of a model, for the values of its inputs. */
export function runModel(model: Model, limits: Limits, scope: Scope): Value[] {
  return runGraph(
    model.graph,
    { model, limits, depth: 0, attributes: null, defaults: NO_ATTRIBUTES, count: { nodes: 0 } },
    scope,
  );
}

/** Runs a graph whose inputs are in the scope already. */
function runGraph(graph: Graph, running: Running, scope: Scope): Value[] {
  if (running.depth > running.limits.depth) {
    throw new ArgumentError(
      `fromOnnx: graphs and functions are nested more than ${running.limits.depth} deep, the limit`,
    );
  }
  for (const node of graph.nodes) runNode(node, running, scope);
  return graph.outputs.map((name) => found(scope, name, `the graph ${graph.name}`));
}

function found(scope: Scope, name: string, who: string): Value {
  const value = scope.get(name);
  if (value !== undefined) return value;
  throw new ArgumentError(`fromOnnx: ${who} needs the value ${JSON.stringify(name)}, which nothing before it gives`);
}

/** Runs a graph among the attributes of a node: an error where it takes another number of inputs. */
function runInner(graph: Graph, inputs: readonly Value[], running: Running, outer: Scope): Value[] {
  const scope = new Scope(outer);
  for (const [name, constant] of graph.constants) scope.set(name, constant);
  const open = graph.inputs.filter((name) => !graph.constants.has(name));
  if (inputs.length > open.length) {
    throw new ArgumentError(`its graph ${graph.name} takes ${open.length} inputs, got ${inputs.length}`);
  }
  inputs.forEach((value, i) => scope.set(open[i]!, value));
  return runGraph(graph, { ...running, depth: running.depth + 1 }, scope);
}

function runNode(node: Node, running: Running, scope: Scope): void {
  const who = `${node.op}${node.name === "" ? "" : ` ${JSON.stringify(node.name)}`}`;
  const inputs = node.inputs.map((name) => (name === "" ? undefined : found(scope, name, who)));
  if (++running.count.nodes > running.limits.runs) {
    throw new ArgumentError(`fromOnnx: the call runs more than ${running.limits.runs} nodes, the limit`);
  }
  const results = explained(node, () => resultsOf(node, inputs, running, scope));
  node.outputs.forEach((name, i) => {
    if (name === "") return;
    const value = results[i];
    if (value === undefined) throw new ArgumentError(`fromOnnx: ${who} (opset ${node.version}) gives no output ${i}`);
    scope.set(name, value);
  });
}

type Inputs = readonly (Value | undefined)[];

function resultsOf(node: Node, inputs: Inputs, running: Running, scope: Scope): readonly (Value | undefined)[] {
  const attributes = running.attributes
    ? node.attributes.within(running.attributes, running.defaults)
    : node.attributes;
  const fn = running.model.functions.get(keyOf(node.domain, node.op));
  if (fn) return runFunction(fn, inputs, attributes, running);
  const operator = operatorOf(node.domain, node.op);
  if (!operator) throw new ArgumentError("fromOnnx does not have this operator");
  checkInputs(operator, inputs);
  const shapes = inputs.map((value) =>
    value instanceof Nx.Tensor || value instanceof Empty ? value.shape : undefined,
  );
  checkShapes(node.op, { attributes, opset: node.version }, shapes);
  const call: Call = {
    attributes,
    opset: node.version,
    outputs: node.outputs.length,
    limits: running.limits,
    wants: (output) => (node.outputs[output] ?? "") !== "",
    run: (graph, values) => runInner(graph, values, running, scope),
  };
  const compute = () => operator.rule(call, ...inputs);
  // a graph among the attributes may use values around it that are not known
  const isOutside = operator.takes === "shapes" || (inputs.every(isKnown) && attributes.graphs().length === 0);
  const results = listed(isOutside ? outside(compute) : compute());
  // what grows node by node is stopped before it is too large to be made
  for (const value of results) if (value instanceof Nx.Tensor) bounded(call, value.shape);
  return results;
}

const listed = (result: Result): readonly (Value | undefined)[] =>
  result !== null && typeof result === "object" && "results" in result ? result.results : [result];

function runFunction(
  fn: Graph & { defaults: Attributes },
  inputs: Inputs,
  attributes: Attributes,
  running: Running,
): Value[] {
  const scope = new Scope(null);
  inputs.forEach((value, i) => {
    const name = fn.inputs[i];
    if (name === undefined)
      throw new ArgumentError(`the function takes ${fn.inputs.length} inputs, got ${inputs.length}`);
    if (value !== undefined) scope.set(name, value);
  });
  return runGraph(fn, { ...running, depth: running.depth + 1, attributes, defaults: fn.defaults }, scope);
}

function checkInputs(operator: Operator, inputs: Inputs): void {
  const {
    arity: [least, most],
    takes,
  } = operator;
  if (inputs.length < least || inputs.length > most) {
    throw new ArgumentError(
      `it takes ${least === most ? least : most === Infinity ? `${least} or more` : `${least} to ${most}`} inputs, got ${inputs.length}`,
    );
  }
  inputs.forEach((value, i) => {
    if (value === undefined) {
      if (i < least) throw new ArgumentError(`input ${i} is missing`);
    } else if (
      takes !== "any" &&
      !(value instanceof Nx.Tensor) &&
      !(value instanceof Empty && allowsEmpty(operator, i))
    ) {
      throw new ArgumentError(`input ${i} must be a tensor, got ${kindOf(value)}`);
    }
  });
}

const allowsEmpty = ({ takes, known, empty }: Operator, i: number): boolean =>
  takes === "shapes" || known.includes(i) || empty.includes(i);

export function kindOf(value: Exclude<Value, Tensor>): string {
  if (value === null) return "an optional without an element";
  if (isSequence(value)) return "a sequence";
  if (value instanceof Empty) return `an empty array of shape [${value.shape.join(", ")}]; empty tensors do not exist`;
  return "a tensor";
}

/** Errors that name a node already. */
const explainedErrors = new WeakSet<object>();

/** Says in errors of the library, and in those of the language that damaged models provoke, which node they are of. */
function explained<R>(node: Node, fn: () => R): R {
  try {
    return fn();
  } catch (error) {
    const isOurs = error instanceof NxError || error instanceof TypeError || error instanceof RangeError;
    if (!isOurs || explainedErrors.has(error)) throw error;
    const name = node.name === "" ? "" : ` ${JSON.stringify(node.name)}`;
    const domain = node.domain === "" ? "" : ` of ${node.domain}`;
    const said = new ArgumentError(`fromOnnx: ${node.op}${name}${domain} (opset ${node.version}): ${error.message}`, {
      cause: error,
    });
    explainedErrors.add(said);
    throw said;
  }
}
