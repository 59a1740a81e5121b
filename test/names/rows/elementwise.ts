/** Element-wise functions. */
import * as Nx from "nx-numerics";
import { row, type Row, type Fitting, type Rows } from "../row";
import { x, xy, y } from "./operands";

type XY = typeof xy;
type Y = typeof y;

/** Functions of one tensor that are called alike; their types keep names, or they are no such functions. */
const one = <const K extends readonly (keyof typeof Nx)[]>(names: K & Fitting<typeof Nx, K, (t: XY) => XY>): Rows =>
  Object.fromEntries(
    names.map((name): [string, Row] => {
      const call = Nx[name] as (t: XY) => XY;
      return [name, { rule: "same", call: () => call(xy), text: `Nx.${name}(xy)`, names: ["x", "y"] }];
    }),
  );

/** The same of two tensors, the other way round too. */
const two = <const K extends readonly (keyof typeof Nx)[]>(
  names: K & Fitting<typeof Nx, K, { (left: XY, right: Y): XY; (left: Y, right: XY): XY }>,
): Rows =>
  Object.fromEntries(
    names.map((name): [string, Row] => {
      const call = Nx[name] as (left: XY, right: Y) => XY;
      return [name, { rule: "merged", call: () => call(xy, y), text: `Nx.${name}(xy, y)`, names: ["x", "y"] }];
    }),
  );

export const ELEMENTWISE: Rows = {
  ...one([
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "ceil",
    "celu",
    "conjugate",
    "cos",
    "cosh",
  ]),
  ...one(["countLeadingZeros", "bitwiseNot", "elu", "erf", "erfInv", "erfc", "exp", "exp2", "expm1", "floor", "gelu"]),
  ...one(["geluTanh", "hardSigmoid", "hardSwish", "hardTanh", "imag", "isFinite", "isInfinity", "isNan", "leakyRelu"]),
  ...one(["log", "log10", "log1p", "log2", "logSigmoid", "logicalNot", "mish", "neg", "negate", "phase", "quickGelu"]),
  ...one(["populationCount", "real", "reciprocal", "relu", "relu6", "round", "roundEven", "rsqrt", "selu", "sigmoid"]),
  ...one(["sign", "silu", "sin", "sinh", "softplus", "softsign", "sqrt", "square", "swish", "tan", "tanh", "trunc"]),
  ...two(["add", "atan2", "bitwiseAnd", "bitwiseOr", "bitwiseXor", "complex", "copysign", "div", "divide", "equal"]),
  ...two(["greater", "greaterEqual", "idiv", "isClose", "leftShift", "less", "lessEqual", "logAddExp", "logicalAnd"]),
  ...two([
    "logicalOr",
    "logicalXor",
    "max",
    "min",
    "mod",
    "mul",
    "multiply",
    "notEqual",
    "pow",
    "quotient",
    "remainder",
  ]),
  ...one(["besselI0", "besselI0e", "besselI1", "besselI1e", "besselJ0", "besselJ1", "besselY0", "besselY1"]),
  ...one(["digamma", "lgamma", "logit", "normalCdf", "normalQuantile", "sinc"]),
  ...two(["rightShift", "sub", "subtract", "gammainc", "gammaincc", "lbeta", "xlogy"]),
  clamp: row("merged", () => Nx.clamp(xy, { min: 2, max: y }), ["x", "y"]),
  clip: row("same", () => Nx.clip(xy, 2, 3), ["x", "y"]),
  lerp: row("merged", () => Nx.lerp(xy, y, 0.5), ["x", "y"]),
  map: row("same", () => Nx.map(x, (element) => Nx.add(element, 1)), ["x"]),
  betainc: row("merged", () => Nx.betainc(xy, y, 0.5), ["x", "y"]),
  polygamma: row("same", () => Nx.polygamma(1, xy), ["x", "y"]),
  select: row("merged", () => Nx.select(xy, y, 0), ["x", "y"]),
  where: row("merged", () => Nx.where(y, 0, xy), ["x", "y"]),
};
