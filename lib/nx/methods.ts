/**
 * Installs the methods of tensors: every function of the core groups with the tensor as first argument. The table is
 * total over `TensorMethods`, so that a method without a function fails `tsc`.
 */
import { BINARY, UNARY, type BinaryOp, type UnaryOp } from "../ops";
import type { TensorMethods } from "../methods";
import { SymbolicTemplate, symbolicUsed } from "../core/dims";
import { methodEntry } from "../core/entry";
import { DTYPES, type DType } from "../core/types";
import type { Tensor } from "../tensor";
import { at } from "./access";
import * as aggregates from "./aggregates";
import * as composites from "./composites";
import * as conversion from "./conversion";
import { oneHot, tril, triu } from "./creation";
import { diff } from "./differences";
import * as cumulative from "./cumulative";
import * as elementwise from "./elementwise";
import { installElsewhere } from "./elsewhere/methods";
import * as indexed from "./indexed";
import { inspect } from "./inspect";
import { defineMethod } from "./methods-of-any";
import { toJSON } from "./json";
import { read } from "./read";
import { argsort, dot, reverse, sort, split, topK, trace, unstack } from "./ndim";
import * as shape from "./shape";
import { asType, bitcast, type AsTypeOptions } from "./type";
import { equalsTensor, hashTensor } from "./value";

type AnyFunction = (tensor: never, ...args: never[]) => unknown;
type ElementwiseMethod = Exclude<UnaryOp | BinaryOp, "complex">;

const elementwiseMethods = Object.fromEntries(
  [...Object.keys(UNARY), ...Object.keys(BINARY)]
    .filter((op) => op !== "complex")
    .map((op) => [op, elementwise[op as ElementwiseMethod]]),
) as unknown as { [K in ElementwiseMethod]: AnyFunction };

const castMethods = Object.fromEntries(
  DTYPES.map((type) => [type, (t: Tensor, options?: AsTypeOptions) => asType(t, type, options)]),
) as unknown as { [T in DType]: AnyFunction };

const METHODS: { readonly [K in Extract<keyof TensorMethods, string>]: AnyFunction } = {
  ...elementwiseMethods,
  ...castMethods,
  divide: composites.divide,
  logicalNot: elementwise.logicalNot,
  phase: composites.phase,
  clip: composites.clip,
  select: elementwise.select,
  celu: composites.celu,
  clamp: composites.clamp,
  copysign: composites.copysign,
  elu: composites.elu,
  gelu: elementwise.gelu,
  hardSigmoid: composites.hardSigmoid,
  hardSwish: elementwise.hardSwish,
  hardTanh: composites.hardTanh,
  idiv: elementwise.idiv,
  isFinite: composites.isFinite,
  leakyRelu: composites.leakyRelu,
  lerp: composites.lerp,
  logAddExp: elementwise.logAddExp,
  logSigmoid: composites.logSigmoid,
  mish: elementwise.mish,
  mod: composites.mod,
  quickGelu: elementwise.quickGelu,
  reciprocal: elementwise.reciprocal,
  relu: composites.relu,
  relu6: composites.relu6,
  selu: composites.selu,
  silu: elementwise.silu,
  softplus: composites.softplus,
  softsign: elementwise.softsign,
  square: elementwise.square,
  swish: elementwise.swish,
  where: elementwise.where,
  logSoftmax: composites.logSoftmax,
  softmax: composites.softmax,
  sum: aggregates.sum,
  product: aggregates.product,
  mean: aggregates.mean,
  all: aggregates.all,
  any: aggregates.any,
  reduceMax: aggregates.reduceMax,
  reduceMin: aggregates.reduceMin,
  variance: composites.variance,
  standardDeviation: composites.standardDeviation,
  argmax: aggregates.argmax,
  argmin: aggregates.argmin,
  median: aggregates.median,
  mode: composites.mode,
  weightedMean: composites.weightedMean,
  covariance: composites.covariance,
  correlation: composites.correlation,
  diff,
  logSumExp: composites.logSumExp,
  trace,
  isClose: composites.isClose,
  sub: elementwise.sub,
  mul: elementwise.mul,
  div: composites.div,
  neg: elementwise.neg,
  tril,
  triu,
  oneHot,
  moveAxis: shape.moveAxis,
  swapAxes: shape.swapAxes,
  repeat: shape.repeat,
  roll: shape.roll,
  split,
  unstack,
  allClose: composites.allClose,
  align: shape.align,
  axisIndex: shape.axisIndex,
  axisSize: shape.axisSize,
  broadcast: shape.broadcast,
  flatten: shape.flatten,
  newAxis: shape.newAxis,
  pad: shape.pad,
  reflect: shape.reflect,
  rename: shape.rename,
  reshape: shape.reshape,
  squeeze: shape.squeeze,
  tile: shape.tile,
  transpose: shape.transpose,
  cumulativeSum: cumulative.cumulativeSum,
  cumulativeProduct: cumulative.cumulativeProduct,
  cumulativeMax: cumulative.cumulativeMax,
  cumulativeMin: cumulative.cumulativeMin,
  sort: sort,
  argsort: argsort,
  topK: topK,
  reverse: reverse,
  dot: dot,
  at,
  take: indexed.take,
  takeAlongAxis: indexed.takeAlongAxis,
  gather: indexed.gather,
  slice: indexed.slice,
  sliceAlongAxis: indexed.sliceAlongAxis,
  putSlice: indexed.putSlice,
  indexedAdd: indexed.indexedAdd,
  indexedPut: indexed.indexedPut,
  asType,
  bitcast,
  toNumber: conversion.toNumber,
  toList: conversion.toList,
  toFlatList: conversion.toFlatList,
  toBinary: conversion.toBinary,
  toTypedArray: conversion.toTypedArray,
  read,
  equals: equalsTensor,
  hashCode: hashTensor,
  toJSON,
  toString: inspect,
};

/** Puts the methods on the prototype, not enumerable, as methods of a class are. */
export function installMethods(): void {
  installElsewhere();
  for (const [name, fn] of Object.entries(METHODS) as [string, AnyFunction][]) {
    defineMethod(name, NOT_OPERATIONS.has(name) ? plainMethod(name, fn) : methodEntry(`Nx.${name}`, fn, MOST[name]));
    refuseSymbolic(name);
  }
}

/** Arguments of functions with rest parameters, the tensor among them. */
const MOST: Readonly<Record<string, number>> = { align: Infinity, at: Infinity, dot: 6 };

/** A method that the language calls, with arguments of its own. */
function plainMethod(name: string, fn: AnyFunction): AnyFunction {
  const call = fn as unknown as (tensor: Tensor, ...args: unknown[]) => unknown;
  const method = function (this: Tensor, ...args: unknown[]): unknown {
    return call(this, ...args);
  };
  return Object.defineProperty(method, "name", { value: name });
}

/** Methods that any object may have. */
const NOT_OPERATIONS: ReadonlySet<string> = new Set(["equals", "hashCode", "toJSON", "toString"]);

/** A template with named sizes is no tensor, but says why where it is used like one. */
function refuseSymbolic(name: string): void {
  if (NOT_OPERATIONS.has(name)) return;
  const value = function (this: SymbolicTemplate): never {
    throw symbolicUsed(this, `Nx.${name}`);
  };
  Object.defineProperty(SymbolicTemplate.prototype, name, { value, writable: true, configurable: true });
}
