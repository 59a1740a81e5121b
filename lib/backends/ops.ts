/**
 * Names of ops that are no special functions, which bring their programs of the kernel language and their loops: what functions of the API
 * give to `unary` and `binary`, and to `run`. Each stands by itself, so that a bundler drops what no function of a program computes.
 */
import * as complex from "../core/complex-math";
import * as int64 from "../core/int64";
import * as lowerBinary from "../kernel/lower/binary";
import * as lowerUnary from "../kernel/lower/unary";
import { POW as POWERS } from "../kernel/special/names";
import { bringsLoops, bringsLoopsOfTwo } from "./binary/lanes/brought";
import { isTrue } from "./binary/lanes/complex";
import * as f64 from "./binary/lanes/f64";
import * as i32 from "./binary/lanes/i32";
import { abs as wideAbs } from "./binary/lanes/i64";

export const ABS = bringsLoops(lowerUnary.ABS, { f64: f64.abs, i64: wideAbs, part: complex.abs });
export const BITWISE_NOT = bringsLoops(lowerUnary.BITWISE_NOT, { i32: i32.bitwiseNot, i64: int64.bitwiseNot });
export const CEIL = bringsLoops(lowerUnary.CEIL, { f64: f64.ceil });
export const CONJUGATE = bringsLoops(lowerUnary.CONJUGATE, { complex: complex.conjugate });
export const COUNT_LEADING_ZEROS = bringsLoops(lowerUnary.COUNT_LEADING_ZEROS, {
  i32: i32.countLeadingZeros,
  i64: int64.countLeadingZeros,
});
export const FLOOR = bringsLoops(lowerUnary.FLOOR, { f64: f64.floor });
export const IMAG = bringsLoops(lowerUnary.IMAG, { f64: f64.imag, part: (_, im) => im });
export const IS_INFINITY = bringsLoops(lowerUnary.IS_INFINITY, {
  f64: f64.isInfinity,
  part: (re, im) => (Math.abs(re) === Infinity || Math.abs(im) === Infinity ? 1 : 0),
});
export const IS_NAN = bringsLoops(lowerUnary.IS_NAN, {
  f64: f64.isNan,
  part: (re, im) => (re !== re || im !== im ? 1 : 0),
});
export const NEGATE = bringsLoops(lowerUnary.NEGATE, { f64: f64.negate, i64: int64.negate, complex: complex.negate });
export const POPULATION_COUNT = bringsLoops(lowerUnary.POPULATION_COUNT, {
  i32: i32.populationCount,
  i64: int64.populationCount,
});
export const REAL = bringsLoops(lowerUnary.REAL, { f64: f64.real, part: (re) => re });
export const ROUND = bringsLoops(lowerUnary.ROUND, { f64: f64.round });
export const ROUND_EVEN = bringsLoops(lowerUnary.ROUND_EVEN, { f64: f64.roundEven });
export const SIGN = bringsLoops(lowerUnary.SIGN, { f64: f64.sign, i64: int64.sign, complex: complex.sign });
export const SQRT = bringsLoops(lowerUnary.SQRT, { f64: f64.sqrt, complex: complex.sqrt });
export const TRUNC = bringsLoops(lowerUnary.TRUNC, { f64: f64.trunc });

export const ADD = bringsLoopsOfTwo(lowerBinary.ADD, { f64: f64.add, i64: int64.add, complex: complex.add });
export const BITWISE_AND = bringsLoopsOfTwo(lowerBinary.BITWISE_AND, { i32: i32.bitwiseAnd, i64: int64.bitwiseAnd });
export const BITWISE_OR = bringsLoopsOfTwo(lowerBinary.BITWISE_OR, { i32: i32.bitwiseOr, i64: int64.bitwiseOr });
export const BITWISE_XOR = bringsLoopsOfTwo(lowerBinary.BITWISE_XOR, { i32: i32.bitwiseXor, i64: int64.bitwiseXor });
export const COMPLEX = bringsLoopsOfTwo(lowerBinary.COMPLEX, {});
export const DIVIDE = bringsLoopsOfTwo(lowerBinary.DIVIDE, { f64: f64.divide, complex: complex.divide });
export const EQUAL = bringsLoopsOfTwo(lowerBinary.EQUAL, {
  f64: f64.equal,
  order: (order) => order === 0,
  test: (ar, ai, br, bi) => ar === br && ai === bi,
});
export const GREATER = bringsLoopsOfTwo(lowerBinary.GREATER, { f64: f64.greater, order: (order) => order > 0 });
export const GREATER_EQUAL = bringsLoopsOfTwo(lowerBinary.GREATER_EQUAL, {
  f64: f64.greaterEqual,
  order: (order) => order >= 0,
});
export const LEFT_SHIFT = bringsLoopsOfTwo(lowerBinary.LEFT_SHIFT, { i32: i32.leftShift, i64: int64.leftShift });
export const LESS = bringsLoopsOfTwo(lowerBinary.LESS, { f64: f64.less, order: (order) => order < 0 });
export const LESS_EQUAL = bringsLoopsOfTwo(lowerBinary.LESS_EQUAL, {
  f64: f64.lessEqual,
  order: (order) => order <= 0,
});
export const LOGICAL_AND = bringsLoopsOfTwo(lowerBinary.LOGICAL_AND, {
  f64: f64.logicalAnd,
  order: (_, x, y) => !x && !y,
  test: (ar, ai, br, bi) => isTrue(ar, ai) && isTrue(br, bi),
});
export const LOGICAL_OR = bringsLoopsOfTwo(lowerBinary.LOGICAL_OR, {
  f64: f64.logicalOr,
  order: (_, x, y) => !x || !y,
  test: (ar, ai, br, bi) => isTrue(ar, ai) || isTrue(br, bi),
});
export const LOGICAL_XOR = bringsLoopsOfTwo(lowerBinary.LOGICAL_XOR, {
  f64: f64.logicalXor,
  order: (_, x, y) => x !== y,
  test: (ar, ai, br, bi) => isTrue(ar, ai) !== isTrue(br, bi),
});
export const MAX = bringsLoopsOfTwo(lowerBinary.MAX, { f64: f64.max, i64: int64.max });
export const MIN = bringsLoopsOfTwo(lowerBinary.MIN, { f64: f64.min, i64: int64.min });
export const MULTIPLY = bringsLoopsOfTwo(lowerBinary.MULTIPLY, {
  f64: f64.multiply,
  i32: i32.multiply,
  i64: int64.multiply,
  complex: complex.multiply,
});
export const NOT_EQUAL = bringsLoopsOfTwo(lowerBinary.NOT_EQUAL, {
  f64: f64.notEqual,
  order: (order) => order !== 0,
  test: (ar, ai, br, bi) => ar !== br || ai !== bi,
});
export const POW = bringsLoopsOfTwo(POWERS, { i32: i32.pow, i64: int64.pow });
export const QUOTIENT = bringsLoopsOfTwo(lowerBinary.QUOTIENT, { f64: f64.quotient, i64: int64.quotient });
export const REMAINDER = bringsLoopsOfTwo(lowerBinary.REMAINDER, { f64: f64.remainder, i64: int64.remainder });
export const RIGHT_SHIFT = bringsLoopsOfTwo(lowerBinary.RIGHT_SHIFT, { i32: i32.rightShift, i64: int64.rightShift });
export const SUBTRACT = bringsLoopsOfTwo(lowerBinary.SUBTRACT, {
  f64: f64.subtract,
  i64: int64.subtract,
  complex: complex.subtract,
});
