/**
 * Identities of nodes that only move elements about: what changes nothing goes, chains of one kind become one node, a repeated
 * constant stays a constant.
 */
import type { Shape } from "../../../core/shape";
import { isComplex } from "../../../core/types";
import type { Node, PrimitiveNode } from "../../graph";
import { constantBehind } from "../../fuse/lower";
import { forward, instead, type Identity } from "./forward";

const isIncreasing = (numbers: readonly number[]): boolean =>
  numbers.every((number, i) => i === 0 || numbers[i - 1]! < number);

const operand = ({ inputs }: Node): Node => inputs[0]!;

/** A moved constant is a constant, since its elements are equal; any other operand meets the identity. */
const unlessConstant =
  <N extends Node>(identity: Identity<N>): Identity<N> =>
  (node) => {
    const constant = constantBehind(operand(node));
    if (!constant || constant.out.type !== node.out.type) return identity(node);
    return instead(node, "constant", [], constant.attrs);
  };

const reshape: Identity<PrimitiveNode<"reshape">> = (node) => {
  const inner = operand(node);
  const forwarded = forward(node, inner);
  const isSame = forwarded?.kind === "reshape" && forwarded.inputs[0] === inner;
  return isSame ? null : forwarded;
};

/** Whether a transpose leaves all elements in order: axes of one element may be anywhere. */
function keepsOrder(axes: readonly number[], shape: Shape): boolean {
  return isIncreasing(axes.filter((axis) => shape[axis] !== 1));
}

const transpose: Identity<PrimitiveNode<"transpose">> = (node) => {
  const inner = operand(node);
  const { axes } = node.attrs;
  if (keepsOrder(axes, inner.out.shape)) return forward(node, inner);
  if (inner.kind !== "transpose") return null;
  return instead(node, "transpose", inner.inputs, { axes: axes.map((axis) => inner.attrs.axes[axis]!) });
};

const broadcast: Identity<PrimitiveNode<"broadcast">> = (node) => {
  const inner = operand(node);
  const { axes } = node.attrs;
  const forwarded = isIncreasing(axes) ? forward(node, inner) : null;
  if (forwarded) return forwarded;
  if (inner.kind !== "broadcast") return null;
  return instead(node, "broadcast", inner.inputs, { axes: inner.attrs.axes.map((axis) => axes[axis]!) });
};

const reverse: Identity<PrimitiveNode<"reverse">> = (node) => {
  const inner = operand(node);
  const reversed = new Set(node.attrs.axes.filter((axis) => node.out.shape[axis] !== 1));
  if (reversed.size === 0) return forward(node, inner);
  if (inner.kind !== "reverse") return null;
  for (const axis of inner.attrs.axes) if (!reversed.delete(axis)) reversed.add(axis);
  return instead(node, "reverse", inner.inputs, { axes: [...reversed].sort((a, b) => a - b) });
};

const isStatic = ({ attrs: { starts } }: PrimitiveNode<"slice">): boolean => starts.every((start) => start !== null);

/** A slice of the whole tensor is the tensor, wherever it is to begin; a slice of a slice is one slice. */
const slice: Identity<PrimitiveNode<"slice">> = (node) => {
  const inner = operand(node);
  if (node.out.shape.every((dim, axis) => dim === inner.out.shape[axis])) return forward(node, inner);
  if (inner.kind !== "slice" || !isStatic(node) || !isStatic(inner)) return null;
  const [outer, first] = [node.attrs, inner.attrs];
  const strides = outer.strides.map((stride, axis) => stride * first.strides[axis]!);
  return instead(node, "slice", [operand(inner)], {
    starts: outer.starts.map((start, axis) => first.starts[axis]! + start! * first.strides[axis]!),
    lengths: strides.map((stride, axis) => (node.out.shape[axis]! - 1) * stride + 1),
    strides,
  });
};

/** Padding by nothing changes nothing. */
const pad: Identity<PrimitiveNode<"pad">> = (node) => {
  const isNothing = node.attrs.config.every(([low, high, interior], axis) => {
    const isSpread = interior !== 0 && node.out.shape[axis] !== 1;
    return low === 0 && high === 0 && !isSpread;
  });
  return isNothing ? forward(node, operand(node)) : null;
};

/** Concatenating one tensor gives that tensor. */
const concatenate: Identity<PrimitiveNode<"concatenate">> = (node) =>
  node.inputs.length === 1 ? forward(node, operand(node)) : null;

/** A reduction of single elements gives the elements; a sum does not, since it makes -0 positive. */
const reduceOp: Identity<PrimitiveNode<"reduceOp">> = (node) => {
  const inner = operand(node);
  const { op, axes } = node.attrs;
  const isExact = op === "reduceMax" || op === "reduceMin" || (op === "product" && !isComplex(inner.out.type));
  if (!isExact || axes.some((axis) => inner.out.shape[axis] !== 1)) return null;
  return forward(node, inner);
};

/** The identity of each primitive that moves elements. */
export const MOVEMENT = {
  reshape: unlessConstant(reshape),
  transpose: unlessConstant(transpose),
  broadcast: unlessConstant(broadcast),
  reverse: unlessConstant(reverse),
  slice,
  pad,
  concatenate,
  reduceOp,
};
