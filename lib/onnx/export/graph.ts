/**
 * From the nodes of a traced graph to operations.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Defn, type DType } from "nx-numerics";
import type { Primitive } from "nx-numerics/backend";
import { writeControl } from "./control";
import { Emitter, type Model } from "./emitter";
import { broadcastShape, sameShape, withoutDead, type Body, type Value } from "./ir";
import { RULES } from "./primitives";
import { full, isScalarGraph, Site, type Call } from "./site";
import { tensorType } from "../types";

/** Decompositions say which one they are. */
const NO_LINALG = "matrix decompositions have no equivalent";

/** Writes one node. */
function write(e: Emitter, node: Defn.GraphNode): void {
  switch (node.kind) {
    case "parameter":
    case "element":
      return;
    case "capture":
    case "literal":
      return e.setValues(node, [e.constant(node.out.type, node.out.shape, Nx.toBinary(node.tensor))]);
    case "hook":
      return e.note("hooks are not called");
    case "runtimeCall":
      throw e.unsupported("a function of the program (Nx.runtimeCall) has no equivalent", "compute it outside");
    case "linalg":
      throw e.unsupported(`${NO_LINALG} (${node.attrs.op})`, "compute them outside of the exported function");
    case "cond":
    case "while":
    case "scan":
      return e.setValues(node, writeControl(e, node, call));
    case "fused":
      throw new Error("toOnnx: graphs are written before they are fused");
    default: {
      const rule = RULES[node.kind] as (site: Site) => Value;
      const value = rule(new Site<Primitive>(e, node as Defn.PrimitiveNode, call));
      return e.setValues(node, [asDeclared(e, node, value)]);
    }
  }
}

/** A value as its node says that it is: a rule that forgets a conversion would change the type or the shape of what follows. */
function asDeclared(e: Emitter, { kind, out }: Defn.GraphNode, value: Value): Value {
  const isType = tensorType(value.type) === out.type || value.type === "bool";
  if (isType && (e.isElementwise || sameShape(broadcastShape(value.shape, out.shape), out.shape))) return value;
  const text = ({ type, shape }: Pick<Value, "type" | "shape">): string => `${type}[${shape.join("][")}]`;
  throw new Error(`toOnnx: ${kind} is written as ${text(value)} where it is ${text(out)}`);
}

/** Writes the nodes of a graph in order. */
function writeNodes(e: Emitter, graph: Defn.Graph): void {
  const { model } = e;
  const before = model.node;
  for (const node of model.traced.nodesOf(graph)) {
    if (e.valuesOf(node) !== undefined) continue;
    model.node = node;
    refuseComplex(e, node);
    write(e, node);
  }
  model.node = before;
}

function refuseComplex(e: Emitter, node: Defn.GraphNode): void {
  const types: readonly DType[] = [node, ...node.inputs].map(({ out }) => out.type);
  const complex = types.find((type) => Nx.Type.isComplex(type));
  if (complex === undefined || node.kind === "parameter") return;
  if (node.kind === "fft" || node.kind === "linalg") return; // errors of their own
  const what = node.kind === "unary" || node.kind === "binary" ? node.attrs.op : node.kind;
  throw e.unsupported(
    `${what} of ${complex} has no equivalent`,
    "compute real and imaginary parts as tensors of their own",
  );
}

const call: Call = (e, graph, args) => {
  if (e.isElementwise && !isScalarGraph(e, graph)) {
    throw e.unsupported(
      "a function with loops, branches or shapes within a reduction has no equivalent",
      "use Nx.Defn.scan",
    );
  }
  graph.parameters.forEach((parameter, i) => e.setValues(parameter, [args[i]!]));
  writeNodes(e, graph);
  return graph.outputs.map((output) => full(e, output));
};

/** A traced function as a graph of ONNX. */
export function bodyOf(
  traced: Defn.TracedFunction,
  settings: Pick<Model, "opset" | "isStrict" | "isDynamic" | "notes">,
): Body {
  const e = new Emitter({ ...settings, constants: new Map(), truths: new Map(), traced, node: null });
  const { graph } = traced;
  const inputs = graph.parameters.map(({ out }): Value => ({ type: out.type, shape: out.shape }));
  graph.parameters.forEach((parameter, i) => e.setValues(parameter, [inputs[i]!]));
  writeNodes(e, graph);
  refuseComplexEnds(traced);
  const outputs = graph.outputs.map((output) => full(e, output));
  return withoutDead({ inputs, operations: e.operations, outputs });
}

/** Inputs that nothing reads and outputs that are inputs are met by no node. */
function refuseComplexEnds({ inputs, outputs }: Defn.TracedFunction): void {
  const complex = [...inputs, ...outputs].find(({ type }) => Nx.Type.isComplex(type));
  if (complex === undefined) return;
  throw new ArgumentError(
    `toOnnx: complex numbers (${complex.type}) have no equivalent: take and give real and imaginary parts as tensors of their own`,
  );
}
