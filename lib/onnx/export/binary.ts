/**
 * Binary ops: one operator each, or a decomposition. The table is total over the ops.
 */
import type { BinaryOp, DType } from "nx-numerics";
import type { ElementType } from "../types";
import type { Emitter } from "./emitter";
import { broadcastShape, type Body, type Value } from "./ir";
import {
  Arithmetic,
  bitsOf,
  converted,
  either,
  isFloat,
  isInteger,
  isTooWide,
  isUnsigned,
  shifted,
  shiftedBy,
  workingType,
} from "./numbers";
import * as special from "./special";

/** The operands of a binary op: with the types that their tensors have, the merged type and that of the result. */
interface Operands {
  readonly a: Value;
  readonly b: Value;
  readonly types: readonly [DType, DType];
  readonly merged: DType;
  readonly type: DType;
}

type Rule = (e: Emitter, operands: Operands) => Value;

/** The type that arithmetic is done in: wide integers in floats are rounded once, at the end. */
function computedIn({ types, type }: Operands): DType {
  return types.some((one) => isTooWide(one, type)) ? "f64" : type;
}

/** An operator on operands of the type of the result. */
const arithmetic =
  (op: string): Rule =>
  (e, operands) => {
    const type = computedIn(operands);
    return e.cast(e.apply(op, [converted(e, operands.a, type), converted(e, operands.b, type)], type), operands.type);
  };

/** Integers beside floats become these at once, as the library's do: in double they would be rounded twice. */
function largest(e: Emitter, op: "Max" | "Min", { a, b, type }: Operands): Value {
  return either(e, op, converted(e, a, type), converted(e, b, type), type);
}

const logical =
  (op: "And" | "Or" | "Xor"): Rule =>
  (e, { a, b }) =>
    e.logic(op, e.bool(a), e.bool(b));

type Comparison = "Equal" | "Greater" | "GreaterOrEqual" | "Less" | "LessOrEqual";

/** What a comparison of a number below 0 with an unsigned one gives. */
const BELOW: { readonly [K in Comparison]: boolean } = {
  Equal: false,
  Greater: false,
  GreaterOrEqual: false,
  Less: true,
  LessOrEqual: true,
};

/** The type that numbers of two types are compared in without a loss; null for u64 beside integers with signs. */
function comparedIn(e: Emitter, [a, b]: readonly [DType, DType], merged: DType): DType | null {
  if (a === b) return a;
  if (isFloat(a) || isFloat(b)) {
    const wide = [a, b].some((type) => isInteger(type) && bitsOf(type) > 8) ? "f64" : merged;
    if ([a, b].some((type) => isInteger(type) && bitsOf(type) === 64)) {
      e.note("integers beyond 2^53 are compared with floats as the nearest double");
    }
    return wide;
  }
  const hasU64 = a === "u64" || b === "u64";
  return !hasU64 ? "s64" : isUnsigned(a) && isUnsigned(b) ? "u64" : null;
}

function compared(e: Emitter, op: Comparison, { a, b, types, merged }: Operands): Value {
  const type = comparedIn(e, types, merged);
  if (type !== null) return e.compare(op, e.cast(a, type), e.cast(b, type));
  const isLeft = types[0] !== "u64"; // the one with a sign
  const isBelow = e.compare("Less", isLeft ? a : b, e.scalar(0, isLeft ? types[0] : types[1]));
  const usual = e.compare(op, e.cast(a, "u64"), e.cast(b, "u64"));
  const given = op === "Equal" ? false : isLeft ? BELOW[op] : !BELOW[op];
  return given ? e.logic("Or", isBelow, usual) : e.logic("And", e.not(isBelow), usual);
}

const comparison =
  (op: Comparison): Rule =>
  (e, operands) =>
    compared(e, op, operands);

const shift =
  (direction: "LEFT" | "RIGHT"): Rule =>
  (e, { a, b, type }) => {
    e.note("shifts by negative numbers, or by as many bits as there are, are no errors");
    const moved = shifted(e, e.cast(a, type), e.cast(b, type), direction);
    const beyond = e.compare("GreaterOrEqual", e.cast(b, type), e.scalar(bitsOf(type), type));
    const x = e.cast(a, type);
    const none = e.scalar(0, type);
    const signs = direction === "RIGHT" && !isUnsigned(type) ? shiftedBy(e, x, bitsOf(type) - 1, "RIGHT") : none;
    return e.where(beyond, signs, moved);
  };

const quotient: Rule = (e, { a, b, type }) => {
  e.note("integer division by zero ends the run of the whole model");
  return e.apply("Div", [e.cast(a, type), e.cast(b, type)], type);
};

const remainder: Rule = (e, operands) => {
  const { a, b, type } = operands;
  if (!isInteger(type)) {
    const computed = computedIn(operands);
    const working = workingType(computed);
    return e.cast(e.apply("Mod", [converted(e, a, working), converted(e, b, working)], working, { fmod: 1 }), type);
  }
  e.note("integer division by zero ends the run of the whole model");
  const [x, y] = [e.cast(a, type), e.cast(b, type)];
  if (isUnsigned(type)) return e.apply("Mod", [x, y], type);
  const times = e.apply("Mul", [e.apply("Div", [x, y], type), y], type);
  return e.apply("Sub", [x, times], type);
};

const pow: Rule = (e, operands) => {
  const { type } = operands;
  if (!isInteger(type)) return inFloats((f, a, b) => f.of("Pow", a, b))(e, operands);
  if (!e.model.isStrict) {
    e.note("integer powers go through double: beyond 2^53 digits are lost");
    return arithmetic("Pow")(e, operands);
  }
  return integerPower(e, e.cast(operands.a, type), e.cast(operands.b, type), type);
};

/** By squaring, once for each bit of the largest exponent; modulo the bits of the type. */
function integerPower(e: Emitter, base: Value, exponent: Value, type: DType): Value {
  const shape = broadcastShape(base.shape, exponent.shape);
  const wide: ElementType = "u64";
  const value = (valueType: ElementType): Value => ({ type: valueType, shape });
  const [turn, goes] = [{ type: "s64", shape: [] } as Value, { type: "bool", shape: [] } as Value];
  const state = [value(wide), value(wide), value(wide)];
  const body: Body = e.body([turn, goes, ...state], (inner) => {
    const [result, square, rest] = state as [Value, Value, Value];
    const one = inner.scalar(1, wide);
    const isOdd = inner.compare("Equal", inner.apply("BitwiseAnd", [rest, one], wide), one);
    const factor = inner.where(isOdd, square, one);
    const next = inner.op("BitShift", [rest, one], wide, shape, { direction: "RIGHT" });
    const left = inner.op("ReduceMax", [inner.cast(inner.bool(next), "s32")], "s32", [], { keepdims: 0 });
    return [
      inner.bool(left),
      inner.apply("Mul", [result, factor], wide),
      inner.apply("Mul", [square, square], wide),
      next,
    ];
  });
  const start = [
    e.expand(e.scalar(1, wide), shape),
    e.expand(e.cast(base, wide), shape),
    e.expand(e.cast(exponent, wide), shape),
  ];
  const [power] = e.many("Loop", [e.scalar(bitsOf(type), "s64"), e.scalar(true, "bool"), ...start], [value(wide), value(wide), value(wide)], { body }); // prettier-ignore
  return e.cast(power!, type);
}

const inFloats =
  (write: (f: Arithmetic, a: Value, b: Value) => Value): Rule =>
  (e, operands) => {
    const f = new Arithmetic(e, workingType(computedIn(operands)));
    return e.cast(write(f, e.cast(operands.a, f.type), e.cast(operands.b, f.type)), operands.type);
  };

/** How each op is written. */
const RULES: { readonly [K in BinaryOp]: Rule } = {
  add: arithmetic("Add"),
  atan2: inFloats(special.atan2),
  bitwiseAnd: arithmetic("BitwiseAnd"),
  bitwiseOr: arithmetic("BitwiseOr"),
  bitwiseXor: arithmetic("BitwiseXor"),
  complex: (e) => {
    throw e.unsupported(
      "complex numbers have no equivalent",
      "compute real and imaginary parts as tensors of their own",
    );
  },
  divide: arithmetic("Div"),
  equal: comparison("Equal"),
  greater: comparison("Greater"),
  greaterEqual: comparison("GreaterOrEqual"),
  leftShift: shift("LEFT"),
  less: comparison("Less"),
  lessEqual: comparison("LessOrEqual"),
  logAddExp: inFloats(special.logAddExp),
  logicalAnd: logical("And"),
  logicalOr: logical("Or"),
  logicalXor: logical("Xor"),
  max: (e, operands) => largest(e, "Max", operands),
  min: (e, operands) => largest(e, "Min", operands),
  multiply: arithmetic("Mul"),
  notEqual: (e, operands) => e.not(compared(e, "Equal", operands)),
  pow,
  quotient,
  remainder,
  rightShift: shift("RIGHT"),
  subtract: arithmetic("Sub"),
};

/** Writes a binary op. */
export const binary = (e: Emitter, op: BinaryOp, operands: Operands): Value => RULES[op](e, operands);
