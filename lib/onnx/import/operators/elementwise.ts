/**
 * Operators on one element of each input: arithmetic, comparison, logic, bits, rounding, conversions.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type DType, type Operand, type Tensor } from "nx-numerics";
import { elementType, tensorType } from "../../types";
import {
  axisOf,
  boundedTogether,
  cast,
  filled,
  isFloat,
  one,
  operator,
  reshape,
  wrapped,
  type Call,
  type Operator,
  type Operators,
} from "../operator";
import { Empty, noteSum, type Value } from "../values";

/** The second operand of an operator older than version 7, which broadcasts along an axis only where it says so. */
function aligned(call: Call, x: Tensor, y: Tensor): Tensor {
  const axis = call.attributes.int("axis");
  if (call.opset >= 7 || axis === undefined || y.shape.length === 0) return y;
  const after = x.shape.length - axisOf(axis, x.shape.length) - y.shape.length;
  return after > 0 ? reshape(y, [...y.shape, ...filled(after, 1)]) : y;
}

/** An operator on operands that broadcast. */
const together = (arity: Operator["arity"], fn: (call: Call, ...inputs: Tensor[]) => Tensor): Operator =>
  operator(arity, (call: Call, ...inputs: Tensor[]) => {
    boundedTogether(
      call,
      inputs.map(({ shape }) => shape),
    );
    return fn(call, ...inputs);
  });

const two = (fn: (x: Tensor, y: Tensor) => Tensor): Operator =>
  operator(2, (call: Call, x: Tensor, y: Tensor) => {
    const other = aligned(call, x, y);
    boundedTogether(call, [x.shape, other.shape]);
    return fn(x, other);
  });

const many = (fn: (x: Tensor, y: Tensor) => Tensor): Operator =>
  together([1, Infinity], (_, ...inputs) => inputs.reduce(fn));

const add = (x: Tensor, y: Tensor): Tensor => Nx.add(x, y) as Tensor;

const isTrue = (t: Tensor): Tensor => Nx.notEqual(t, 0) as Tensor;

/** Which sizes infinite elements may have. */
function isInfinite(call: Call, x: Tensor): Tensor {
  const infinite = Nx.isInfinity(x) as Tensor;
  const [negative, positive] = [
    call.attributes.flag("detect_negative", true),
    call.attributes.flag("detect_positive", true),
  ];
  if (negative && positive) return infinite;
  if (!negative && !positive) return Nx.zerosLike(infinite) as Tensor;
  return Nx.logicalAnd(infinite, negative ? Nx.less(x, 0) : Nx.greater(x, 0)) as Tensor;
}

/** The type that a conversion goes to: truth values are what is not 0. */
function converted(x: Tensor, number: number): Tensor {
  const type = elementType(number, "the result");
  if (type === "bool") return isTrue(x);
  return isFloat(x.type) ? cast(x, tensorType(type)) : wrapped(x, tensorType(type));
}

/** The type that an attribute names, or another one. */
export function typeAttribute(call: Call, name: string, otherwise: DType): DType {
  const number = call.attributes.int(name);
  return number === undefined ? otherwise : tensorType(elementType(number, `the attribute ${name}`));
}

/** Bounds that are attributes in the versions before 11. */
function clip(call: Call, x: Tensor, low?: Tensor, high?: Tensor): Tensor {
  const least: Operand | undefined = low ?? call.attributes.float("min");
  const most: Operand | undefined = high ?? call.attributes.float("max");
  const above = least === undefined ? x : (Nx.max(x, least) as Tensor);
  return cast(most === undefined ? above : (Nx.min(above, most) as Tensor), x.type);
}

function modulo(call: Call, x: Tensor, y: Tensor): Tensor {
  if (!call.attributes.flag("fmod") && isFloat(x.type) && call.opset < 10) {
    throw new ArgumentError("floats need the attribute fmod = 1");
  }
  return (call.attributes.flag("fmod") ? Nx.remainder(x, y) : Nx.mod(x, y)) as Tensor;
}

function shifted(call: Call, x: Tensor, by: Tensor): Tensor {
  const direction = call.attributes.choice("direction", ["LEFT", "RIGHT"], "LEFT");
  return (direction === "LEFT" ? Nx.leftShift(x, by) : Nx.rightShift(x, by)) as Tensor;
}

/** The same value; arrays without elements and sequences go through. */
const identity: Operator = operator(1, (_: Call, value: Value) => value, { takes: "any" });

function castValue(call: Call, x: Tensor | Empty): Tensor | Empty {
  const to = call.attributes.int("to");
  if (to === undefined) throw new ArgumentError("the attribute to, a type, is missing");
  return x instanceof Empty ? new Empty(tensorType(elementType(to, "the result")), x.shape) : converted(x, to);
}

/** The same bits as another type of as many bits. */
function bitcast(call: Call, x: Tensor): Tensor {
  const type = typeAttribute(call, "to", x.type);
  const [from, to] = [x, Nx.template([], type)].map((t) => Nx.byteSize(t) / t.size);
  if (from === to) return Nx.bitcast(x, type) as Tensor;
  throw new ArgumentError(
    `elements of ${x.type} have ${8 * from!} bits, and cannot be those of ${type}, which have ${8 * to!}`,
  );
}

const UNARY: Operators = {
  Abs: one((x) => Nx.abs(x) as Tensor),
  Acos: one((x) => Nx.acos(x) as Tensor),
  Acosh: one((x) => Nx.acosh(x) as Tensor),
  Asin: one((x) => Nx.asin(x) as Tensor),
  Asinh: one((x) => Nx.asinh(x) as Tensor),
  Atan: one((x) => Nx.atan(x) as Tensor),
  Atanh: one((x) => Nx.atanh(x) as Tensor),
  BitwiseNot: one((x) => Nx.bitwiseNot(x) as Tensor),
  Ceil: one((x) => Nx.ceil(x) as Tensor),
  Cos: one((x) => Nx.cos(x) as Tensor),
  Cosh: one((x) => Nx.cosh(x) as Tensor),
  Erf: one((x) => Nx.erf(x) as Tensor),
  Exp: one((x) => Nx.exp(x) as Tensor),
  Floor: one((x) => Nx.floor(x) as Tensor),
  IsNaN: one((x) => Nx.isNan(x) as Tensor),
  Log: one((x) => Nx.log(x) as Tensor),
  Neg: one((x) => Nx.negate(x) as Tensor),
  Not: one((x) => Nx.equal(x, 0) as Tensor),
  Reciprocal: one((x) => Nx.reciprocal(x) as Tensor),
  Round: one((x) => Nx.roundEven(x) as Tensor),
  Sigmoid: one((x) => Nx.sigmoid(x) as Tensor),
  Sign: one((x) => Nx.sign(x) as Tensor),
  Sin: one((x) => Nx.sin(x) as Tensor),
  Sinh: one((x) => Nx.sinh(x) as Tensor),
  Sqrt: one((x) => Nx.sqrt(x) as Tensor),
  Tan: one((x) => Nx.tan(x) as Tensor),
  Tanh: one((x) => Nx.tanh(x) as Tensor),
};

const BINARY: Operators = {
  Add: two((x, y) => noteSum(add(x, y), x, y)),
  And: two((x, y) => Nx.logicalAnd(x, y) as Tensor),
  BitwiseAnd: two((x, y) => Nx.bitwiseAnd(x, y) as Tensor),
  BitwiseOr: two((x, y) => Nx.bitwiseOr(x, y) as Tensor),
  BitwiseXor: two((x, y) => Nx.bitwiseXor(x, y) as Tensor),
  Div: two((x, y) => (isFloat(x.type) ? Nx.divide(x, y) : Nx.quotient(x, y)) as Tensor),
  Equal: two((x, y) => Nx.equal(x, y) as Tensor),
  Greater: two((x, y) => Nx.greater(x, y) as Tensor),
  GreaterOrEqual: two((x, y) => Nx.greaterEqual(x, y) as Tensor),
  Less: two((x, y) => Nx.less(x, y) as Tensor),
  LessOrEqual: two((x, y) => Nx.lessEqual(x, y) as Tensor),
  Mul: two((x, y) => Nx.multiply(x, y) as Tensor),
  Or: two((x, y) => Nx.logicalOr(x, y) as Tensor),
  Pow: two((x, y) => cast(Nx.pow(x, y) as Tensor, x.type)),
  Sub: two((x, y) => Nx.subtract(x, y) as Tensor),
  Xor: two((x, y) => Nx.logicalXor(x, y) as Tensor),
};

export const ELEMENTWISE: Operators = {
  ...UNARY,
  ...BINARY,
  BitCast: operator(1, bitcast),
  BitShift: together([2, 2], shifted as (call: Call, ...inputs: Tensor[]) => Tensor),
  Cast: operator(1, castValue, { takes: "any", note: "no strings" }),
  CastLike: operator(
    2,
    (_: Call, x: Tensor, like: Tensor) => (isFloat(x.type) ? cast(x, like.type) : wrapped(x, like.type)),
    {
      note: "no strings",
    },
  ),
  Clip: operator([1, 3], clip),
  Identity: identity,
  IsInf: operator(1, isInfinite),
  Max: many((x, y) => Nx.max(x, y) as Tensor),
  Mean: together([1, Infinity], (_, ...inputs) => Nx.divide(inputs.reduce(add), inputs.length) as Tensor),
  Min: many((x, y) => Nx.min(x, y) as Tensor),
  Mod: together([2, 2], modulo as (call: Call, ...inputs: Tensor[]) => Tensor),
  Sum: many(add),
  Where: together([3, 3], (_, condition, x, y) => Nx.where(condition!, x!, y!) as Tensor),
};
