/**
 * Where a primitive is written: its node, the values of its operands, and a way to write its functions.
 */
import type { Defn, DType } from "nx-numerics";
import type { Primitive } from "nx-numerics/backend";
import type { Emitter } from "./emitter";
import { axesOf, type Value } from "./ir";

/** Writes the nodes of a graph whose parameters have these values, and gives the values of its outputs. */
export type Call = (e: Emitter, graph: Defn.Graph, args: readonly Value[]) => readonly Value[];

export class Site<P extends Primitive = Primitive> {
  readonly attrs: Defn.NodeAttrs<P>;
  readonly type: DType;
  readonly shape: readonly number[];

  constructor(
    readonly e: Emitter,
    readonly node: Defn.PrimitiveNode<P>,
    readonly call: Call,
  ) {
    this.attrs = node.attrs;
    this.type = node.out.type;
    this.shape = node.out.shape;
  }

  get count(): number {
    return this.node.inputs.length;
  }

  /** The type of an operand as a tensor. */
  typeOf(i: number): DType {
    return this.node.inputs[i]!.out.type;
  }

  shapeOf(i: number): readonly number[] {
    return this.node.inputs[i]!.out.shape;
  }

  /** An operand as it was left: truth values as such, and broadcast when an operator wants all elements. */
  lazy(i: number): Value {
    return lazy(this.e, this.node.inputs[i]!);
  }

  /** An operand of the type that it has as a tensor. */
  value(i: number): Value {
    return this.e.cast(this.lazy(i), this.typeOf(i));
  }

  /** An operand with all of its elements. */
  full(i: number): Value {
    return full(this.e, this.node.inputs[i]!);
  }

  /** Operands from one on, as values. */
  valuesFrom(first: number): Value[] {
    return this.node.inputs.slice(first).map((_, i) => this.value(first + i));
  }
}

/** The value of a node that is written already. */
function lazy(e: Emitter, node: Defn.GraphNode): Value {
  const known = e.valuesOf(node.kind === "element" ? node.inputs[0]! : node);
  const value = known?.[node.kind === "element" ? node.attrs.index : 0];
  if (value === undefined) throw new Error(`toOnnx: the node ${node.kind} is read before it is written`);
  return value;
}

/** All elements of a node, of the type that it has as a tensor. */
export function full(e: Emitter, node: Defn.GraphNode): Value {
  const value = e.cast(lazy(e, node), node.out.type);
  return e.isElementwise ? value : e.expand(value, node.out.shape);
}

/** The axes of a shape that are not among some. */
export const otherAxes = (shape: readonly unknown[], axes: readonly number[]): number[] =>
  axesOf(shape).filter((axis) => !axes.includes(axis));

/** Primitives that do the same to all elements at once as to a scalar. */
const ELEMENTWISE: ReadonlySet<string> = new Set(
  "parameter capture literal constant unary binary select asType bitcast reshape broadcast transpose reduceOp map".split(
    " ",
  ),
);

/** Whether a function of scalars can be applied to all elements at once: it computes of scalars alone, also of what it reads around it. */
export const isScalarGraph = (e: Emitter, graph: Defn.Graph): boolean =>
  e.model.traced
    .nodesOf(graph)
    .every(
      (node) =>
        ELEMENTWISE.has(node.kind) &&
        node.inputs.every(({ out }) => out.shape.length === 0) &&
        e.model.traced.functionsOf(node).every((fn) => isScalarGraph(e, fn)),
    );
