/**
 * What the rules of reverse-mode differentiation share: their form, types of cotangents, and sums that undo broadcasting.
 * Rules see tensors without names: names of the surroundings must not clash in what is derived from them.
 *
 * A cotangent of a complex value z = x + iy is dL/dx - i dL/dy, so that holomorphic functions multiply by f'(z).
 */
import { unnamed } from "../../core/names";
import { allAxes, broadcastShapes, sameShape, type Shape } from "../../core/shape";
import { isComplex, mergeTypes, toComplex, toFloating, toReal, type DType } from "../../core/types";
import { sum } from "../../nx/aggregates";
import { asTensorLike, cast, constant, run, template } from "../../nx/dispatch";
import { real } from "../../nx/elementwise";
import { Tensor } from "../../tensor";
import { exprBackend } from "../expr";
import type { Node } from "../graph";

/** The cotangent of one input, made only where it is needed; null where there is none. */
export type Cotangent = (() => Tensor) | null;

/** What a rule is given: the attributes of a node, its operands and result as traced tensors, the result's cotangent. */
interface Given<A> {
  readonly attrs: A;
  readonly inputs: readonly Tensor[];
  readonly out: Tensor;
  readonly g: Tensor;
}

/** Cotangents of all inputs of a node. */
export type Rule<A> = (given: Given<A>) => readonly Cotangent[];

/** Type of the cotangent of a value: integers are taken as floats, half floats are worked on in f32. */
export function cotangentType(type: DType): DType {
  return type === "f16" || type === "bf16" ? "f32" : toFloating(type);
}

/** A node as a tensor without names. */
export function bare(node: Node): Tensor {
  const { out } = node;
  return new Tensor(exprBackend, node, out.type, out.shape, unnamed(out.shape.length));
}

/** The tensor in the type of its cotangent. */
export function widened(t: Tensor): Tensor {
  return cast(t, cotangentType(t.type));
}

/** An operand in the type that the result's cotangent has: an f64 beside it is not multiplied by what f32 rounds. */
export function widenedFor(out: Tensor, t: Tensor): Tensor {
  const type = cotangentType(out.type);
  return cast(t, isComplex(t.type) ? toComplex(type) : toReal(type));
}

/** A cotangent in the type that belongs to a value of type `type`: of a complex one the real part, where that is real. */
export function fitType(g: Tensor, type: DType): Tensor {
  const wanted = cotangentType(type);
  if (g.type === wanted) return g;
  return cast(isComplex(g.type) && !isComplex(wanted) ? real(g) : g, wanted);
}

/** Sums a cotangent over the axes along which a value was repeated. */
export function unbroadcast(g: Tensor, shape: Shape): Tensor {
  if (sameShape(g.shape, shape)) return g;
  const lead = g.shape.length - shape.length;
  const axes = allAxes(g.shape.length).filter((axis) => axis < lead || shape[axis - lead] === 1);
  return reshapeTo(sum(g, { axes }), shape);
}

/** The same elements in another shape, without names. */
export function reshapeTo(t: Tensor, shape: Shape): Tensor {
  if (sameShape(t.shape, shape)) return t;
  return run("reshape", template(t.type, Object.freeze(shape.slice()), unnamed(shape.length)), [t], {});
}

/** `onTrue` where `pred` holds, else `onFalse`; all three broadcast, as for any binary op. */
export function where(pred: Tensor, onTrue: Tensor | number, onFalse: Tensor | number): Tensor {
  const type = onTrue instanceof Tensor ? onTrue.type : (onFalse as Tensor).type;
  const [t, f] = [asTensorLike(onTrue, { type }, "where"), asTensorLike(onFalse, { type }, "where")];
  const shape = [t, f].reduce((shape: Shape, side) => broadcastShapes(shape, side.shape)!, pred.shape);
  return run("select", template(mergeTypes(t.type, f.type), shape, unnamed(shape.length)), [pred, t, f], {});
}

/** The same values, which no further derivative looks into. */
export function constantly(t: Tensor): Tensor {
  return run("block", template(t.type, t.shape, t.names), [t], { name: "stopGrad", options: {}, fn: (x) => x! });
}

/** A tensor of zeros. */
export function zeros(type: DType, shape: Shape): Tensor {
  return constant(0, type, shape);
}

/** Repeats a reduced tensor, which keeps its reduced axes with size 1, or lost them, over the axes of `shape`. */
export function expand(t: Tensor, shape: Shape, axes: readonly number[]): Tensor {
  const kept = reshapeTo(
    t,
    shape.map((dim, axis) => (axes.includes(axis) ? 1 : dim)),
  );
  return run("broadcast", template(t.type, shape, unnamed(shape.length)), [kept], { axes: allAxes(shape.length) });
}
