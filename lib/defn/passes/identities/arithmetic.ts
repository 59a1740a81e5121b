/**
 * Identities of element-wise nodes that hold bit for bit and for every value: signed zeros, infinities and NaN included.
 * Complex numbers are mostly left alone: a product with 1 is not exact for them, since infinities meet the zero in its
 * imaginary part. Operands that could raise an error are never dropped.
 */
import { ADD, MULTIPLY, NEGATE, SUBTRACT } from "../../../backends/ops";
import { isComplex, isFloat, isInteger, isUnsigned, type DType } from "../../../core/types";
import type { BinaryOp, UnaryOp } from "../../../ops";
import type { Node, PrimitiveNode } from "../../graph";
import { forward, instead, isNumber, knownNumber, type Identity } from "./forward";

type Unary = PrimitiveNode<"unary">;
type Binary = PrimitiveNode<"binary">;

const isUnary = (node: Node, op: UnaryOp): node is Unary => node.kind === "unary" && node.attrs.op === op;
const operand = ({ inputs }: Node): Node => inputs[0]!;

// ---------------------------------------------------------------------------------------------------------------- unary

/** An op that is its own inverse. */
const twice: Identity<Unary> = (node) => {
  const inner = operand(node);
  return isUnary(inner, node.attrs.op) ? forward(node, operand(inner)) : null;
};

const INTEGRAL: ReadonlySet<UnaryOp> = new Set<UnaryOp>(["ceil", "floor", "round", "roundEven", "trunc"]);

/** Rounding of what is integral already. */
const rounding: Identity<Unary> = (node) => {
  const inner = operand(node);
  const isIntegral = isInteger(inner.out.type) || (inner.kind === "unary" && INTEGRAL.has(inner.attrs.op));
  return isIntegral ? forward(node, inner) : null;
};

const abs: Identity<Unary> = (node) => {
  const inner = operand(node);
  if (isComplex(inner.out.type)) return null;
  if (isUnsigned(inner.out.type) || (isUnary(inner, "abs") && !isComplex(operand(inner).out.type))) {
    return forward(node, inner);
  }
  return isUnary(inner, "negate") ? instead(node, "unary", inner.inputs, node.attrs) : null;
};

/** The real part of a real number. */
const real: Identity<Unary> = (node) => forward(node, operand(node));

/** An identity that is missing costs no more than an op: the tables list what there is. */
const UNARY_IDENTITIES: { readonly [K in UnaryOp]?: Identity<Unary> } = {
  abs,
  bitwiseNot: twice,
  ceil: rounding,
  conjugate: twice,
  floor: rounding,
  negate: twice,
  real,
  round: rounding,
  roundEven: rounding,
  trunc: rounding,
};

// --------------------------------------------------------------------------------------------------------------- binary

/** Gives the left operand where the right operand is a neutral number. */
const rightIs =
  (...neutral: readonly number[]): Identity<Binary> =>
  (node) => {
    const [left, right] = node.inputs as [Node, Node];
    return neutral.some((value) => isNumber(right, value)) ? forward(node, left) : null;
  };

/** Gives an operand where the other operand is a neutral number. */
const eitherIs =
  (...neutral: readonly number[]): Identity<Binary> =>
  (node) => {
    const [left, right] = node.inputs as [Node, Node];
    if (neutral.some((value) => isNumber(right, value))) return forward(node, left);
    return neutral.some((value) => isNumber(left, value)) ? forward(node, right) : null;
  };

/** An op of a value with itself that gives the value. */
const ofItself: Identity<Binary> = (node) => {
  const [left, right] = node.inputs as [Node, Node];
  return left === right ? forward(node, left) : null;
};

/** The first identity that applies. */
const oneOf =
  (...identities: readonly Identity<Binary>[]): Identity<Binary> =>
  (node) => {
    for (const identity of identities) {
      const found = identity(node);
      if (found) return found;
    }
    return null;
  };

const forReals =
  (identity: Identity<Binary>): Identity<Binary> =>
  (node) =>
    isComplex(node.out.type) ? null : identity(node);

const forIntegers =
  (identity: Identity<Binary>): Identity<Binary> =>
  (node) =>
    isInteger(node.out.type) ? identity(node) : null;

const ofOneType = ({ inputs, out }: Node): boolean => inputs.every((input) => input.out.type === out.type);

/** `x + -y` is `x - y`, and the other way round; not where the negation is of another type, which may wrap. */
const withoutNegation =
  (op: typeof ADD | typeof SUBTRACT): Identity<Binary> =>
  (node) => {
    const [left, right] = node.inputs as [Node, Node];
    const isExact = ofOneType(node) && isUnary(right, "negate");
    return isExact ? instead(node, "binary", [left, operand(right)], { op, type: node.out.type }) : null;
  };

/** `-0 - x`, and `0 - x` of integers. */
const isNegation: Identity<Binary> = (node) => {
  const [left, right] = node.inputs as [Node, Node];
  if (!ofOneType(node) || right.out.shape.length !== node.out.shape.length) return null;
  const isZero = isNumber(left, -0) || (isInteger(node.out.type) && isNumber(left, 0));
  const isWhole = right.out.shape.every((dim, axis) => dim === node.out.shape[axis]);
  return isZero && isWhole ? instead(node, "unary", [right], { op: NEGATE }) : null;
};

/** Powers of two up to these have a reciprocal of each type that is no subnormal number. */
const LARGEST_EXPONENT: { readonly [T in DType]?: number } = { bf16: 120, f16: 14, f32: 120, f64: 1000 };

/** Division by a power of two is a product with its reciprocal, which is the same real number before it is rounded. */
const byPowerOfTwo: Identity<Binary> = (node) => {
  const [left, right] = node.inputs as [Node, Node];
  const divisor = knownNumber(right);
  const limit = LARGEST_EXPONENT[node.out.type];
  if (typeof divisor !== "number" || limit === undefined || !ofOneType(node)) return null;
  const exponent = Math.log2(Math.abs(divisor));
  if (!Number.isInteger(exponent) || Math.abs(exponent) > limit || 2 ** exponent !== Math.abs(divisor)) return null;
  const reciprocal = instead({ ...right, out: { ...right.out, shape: [], names: [] } } as Node, "constant", [], {
    value: 1 / divisor,
  });
  return instead(node, "binary", [left, reciprocal], { op: MULTIPLY, type: node.out.type });
};

const square: Identity<Binary> = (node) => {
  const [base, exponent] = node.inputs as [Node, Node];
  const isExact = base.out.type === node.out.type && isNumber(exponent, 2) && exponent.out.shape.length === 0;
  return isExact ? instead(node, "binary", [base, base], { op: MULTIPLY, type: node.out.type }) : null;
};

/** Adding the negative zero changes nothing, adding the positive one makes -0 positive: only integers have one zero. */
const BINARY_IDENTITIES: { readonly [K in BinaryOp]?: Identity<Binary> } = {
  add: forReals(oneOf(eitherIs(-0), forIntegers(eitherIs(0)), withoutNegation(SUBTRACT))),
  bitwiseAnd: oneOf(ofItself, forIntegers(eitherIs(-1))),
  bitwiseOr: oneOf(ofItself, eitherIs(0)),
  bitwiseXor: eitherIs(0),
  divide: forReals(oneOf(rightIs(1), byPowerOfTwo)),
  leftShift: rightIs(0),
  max: ofItself,
  min: ofItself,
  multiply: forReals(eitherIs(1)),
  pow: forIntegers(oneOf(rightIs(1), square)),
  quotient: rightIs(1),
  rightShift: rightIs(0),
  subtract: forReals(oneOf(rightIs(0), isNegation, withoutNegation(ADD))),
};

// -------------------------------------------------------------------------------------------------------- other ones

/** A select with a known predicate, or with equal values. */
const select: Identity<PrimitiveNode<"select">> = (node) => {
  const [predicate, onTrue, onFalse] = node.inputs as [Node, Node, Node];
  if (onTrue === onFalse) return forward(node, onTrue);
  const known = knownNumber(predicate);
  if (known === null) return null;
  const holds = Number(known) !== 0;
  return forward(node, holds ? onTrue : onFalse);
};

/** Types whose values all are values of another one, and kept by going there. */
const HELD_BY: { readonly [T in DType]?: readonly DType[] } = {
  u8: ["u16", "u32", "u64", "s16", "s32", "s64"],
  u16: ["u32", "u64", "s32", "s64"],
  u32: ["u64", "s64"],
  s8: ["s16", "s32", "s64"],
  s16: ["s32", "s64"],
  s32: ["s64"],
  bf16: ["f32", "f64"],
  f16: ["f32", "f64"],
  f32: ["f64"],
  c64: ["c128"],
};

/** Types of floats that hold all values of an integer type: there and back again. */
const FLOATS_FOR: { readonly [T in DType]?: readonly DType[] } = {
  u8: ["f16", "f32", "f64"],
  u16: ["f32", "f64"],
  u32: ["f64"],
  s8: ["f16", "f32", "f64"],
  s16: ["f32", "f64"],
  s32: ["f64"],
};

/** A conversion to the type that is there already, or by way of a type that holds all values of the first one. */
const asType: Identity<PrimitiveNode<"asType">> = (node) => {
  const inner = operand(node);
  if (inner.out.type === node.out.type) return forward(node, inner);
  if (inner.kind !== "asType") return null;
  const source = operand(inner);
  const isHeld = HELD_BY[source.out.type]?.includes(inner.out.type) ?? false;
  if (source.out.type === node.out.type) {
    const comesBack = isHeld || (FLOATS_FOR[source.out.type]?.includes(inner.out.type) ?? false);
    return comesBack ? forward(node, source) : null;
  }
  // From an integer type, conversion by way of a larger one may saturate where the direct one wraps.
  const isFloating = isFloat(source.out.type) && isFloat(node.out.type);
  const isInner = isInteger(source.out.type) && (isFloat(node.out.type) || isInteger(node.out.type));
  if (!isHeld || !(isFloating || isInner)) return null;
  return instead(node, "asType", [source], node.attrs);
};

/** What element-wise nodes can be replaced by. */
export const ARITHMETIC = {
  unary: ((node) => UNARY_IDENTITIES[node.attrs.op]?.(node) ?? null) as Identity<Unary>,
  binary: ((node) => BINARY_IDENTITIES[node.attrs.op]?.(node) ?? null) as Identity<Binary>,
  select,
  asType,
};
