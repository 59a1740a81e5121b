/**
 * What every function of the API goes through: plain values become tensors, the operands' backend is chosen, one of its
 * primitives fills the `out` template. Nothing here computes on elements.
 */
import type {
  Attrs,
  Backend,
  MultiResultAttrs,
  MultiResultFunction,
  MultiResultPrimitive,
  PartialBackend,
  Primitive,
  PrimitiveFunction,
  Template,
} from "../backend";
import type { Brought, OnDemand } from "../backends/arrays/on-demand";
import { lacking } from "../backends/partial";
import { backendOf, commonBackend, currentBackend, moveTo, tracingBackend } from "../backends/registry";
import { checkBits } from "../core/bounds";
import { Complex } from "../core/complex";
import { defaultInteger } from "../core/default-types";
import { SymbolicTemplate, symbolicUsed } from "../core/dims";
import { ArgumentError, show, type NxError } from "../core/errors";
import { unnamed } from "../core/names";
import { SCALAR_SHAPE, type Names, type Shape } from "../core/shape";
import { commonTypeOf, isHeld, typeBeside, type Typed } from "../core/promotion";
import { isStrict, unchecked } from "../core/promotion-scope";
import { inferScalar, isInteger, mergeScalar, mergeTypes, type DType, type Scalar } from "../core/types";
import { profiling } from "../core/profiling";
import { Tensor, WeakTensor, type Operand } from "../tensor";
import { profiled } from "./profiled";

const NO_NAMES = unnamed(0);

/** An `out` template. */
export function template(type: DType, shape: Shape, names: Names): Template {
  return { type, shape, names };
}

/** Runs a primitive on the backend of its inputs. One whose loops few programs need is named by what brings them. */
export function run<P extends Exclude<Primitive, OnDemand>>(
  primitive: P,
  out: Template,
  inputs: readonly Tensor[],
  attrs: Attrs[P],
): Tensor;
export function run<P extends OnDemand>(
  primitive: Brought<P>,
  out: Template,
  inputs: readonly Tensor[],
  attrs: Attrs[P],
): Tensor;
export function run<P extends Primitive>(
  primitive: P,
  out: Template,
  inputs: readonly Tensor[],
  attrs: Attrs[P],
): Tensor {
  const common = commonBackend(inputs);
  const backend = common ?? backendOf(inputs);
  const operands = common === null ? operandsOn(backend, inputs) : inputs;
  if (primitive === "block") {
    const block = attrs as Attrs["block"];
    if (profiling.probe === null) return runBlock(backend, out, operands, block);
    const named = { primitive, attrs: { op: block.name }, outs: [out], inputs: operands, backend };
    return profiled(profiling.probe, named, runBlock.bind(null, backend, out, operands, block));
  }
  const fill = backend[primitive] as PrimitiveFunction<P> | undefined;
  if (fill === undefined) throw lacking(backend, primitive, attrs);
  const data =
    profiling.probe === null
      ? fill.call(backend, out, operands, attrs)
      : profiled(
          profiling.probe,
          { primitive, attrs, outs: [out], inputs: operands, backend },
          fill.bind(backend, out, operands, attrs),
        );
  return new Tensor(backend, data, out.type, out.shape, out.names);
}

/** A backend without composites does what they are made of. These are functions whose operands nobody but the library chose. */
function runBlock(backend: Backend, out: Template, operands: readonly Tensor[], attrs: Attrs["block"]): Tensor {
  const data = unchecked(() => {
    const { block } = backend as PartialBackend;
    return block === undefined
      ? moveTo(attrs.fn(...operands), backend).data
      : block.call(backend, out, operands, attrs);
  });
  return new Tensor(backend, dataApart(data, operands), out.type, out.shape, out.names);
}

/** The data of a composite, which may have given back one of its operands. */
function dataApart(data: unknown, operands: readonly Tensor[]): unknown {
  const operand = operands.find((other) => other.data === data);
  return operand ? alias(operand).data : data;
}

/** The result of a function that may have come back with one of its operands: another tensor then, of the same elements. */
export function apart(result: Tensor, ...operands: readonly unknown[]): Tensor {
  for (const operand of operands) {
    if (operand instanceof Tensor && operand.data === result.data) return alias(result);
  }
  return result;
}

/**
 * The same elements as a tensor of its own. It is what a function gives that has nothing to do, so that whoever releases a result
 * never takes an operand along, nor the other way round. While a trace runs, nothing is released and a tensor stands for itself.
 */
export function alias(t: Tensor): Tensor {
  if (tracingBackend() !== null) return t;
  const { backend } = t;
  if (!backend.alias) return run("reshape", template(t.type, t.shape, t.names), [t], {});
  const data = backend.alias(t);
  return data === t.data ? t : new Tensor(backend, data, t.type, t.shape, t.names);
}

/** The tensor in a type, for the time of a call: itself where it has that type. */
export function cast(t: Tensor, type: DType): Tensor {
  return t.type === type ? t : run("asType", template(type, t.shape, t.names), [t], SATURATING);
}

const SATURATING: Attrs["asType"] = Object.freeze({ overflow: "saturate" });

/** Runs a primitive with several results. */
export function runMultiResult<P extends MultiResultPrimitive>(
  primitive: Brought<P>,
  outs: readonly Template[],
  inputs: readonly Tensor[],
  attrs: MultiResultAttrs[P],
): Tensor[] {
  const backend = backendOf(inputs);
  const fill = backend[primitive] as MultiResultFunction<P> | undefined;
  if (fill === undefined) throw lacking(backend, primitive, attrs);
  const operands = operandsOn(backend, inputs);
  const data =
    profiling.probe === null
      ? fill.call(backend, outs, operands, attrs)
      : profiled(
          profiling.probe,
          { primitive, attrs, outs, inputs: operands, backend },
          fill.bind(backend, outs, operands, attrs),
        );
  return outs.map((out, i) => new Tensor(backend, data[i], out.type, out.shape, out.names));
}

/** Runs a primitive that a function has run before, in a trace, so that its loops are there. */
export const rerun = run as <P extends Primitive>(
  primitive: P,
  out: Template,
  inputs: readonly Tensor[],
  attrs: Attrs[P],
) => Tensor;

/** The same for primitives with several results. */
export const rerunMultiResult = runMultiResult as <P extends MultiResultPrimitive>(
  primitive: P,
  outs: readonly Template[],
  inputs: readonly Tensor[],
  attrs: MultiResultAttrs[P],
) => Tensor[];

/** The same array where nothing needs moving, which is the common case. */
export function operandsOn(backend: Backend, inputs: readonly Tensor[]): readonly Tensor[] {
  for (let i = 0; i < inputs.length; i++) {
    if (inputs[i]!.backend !== backend) return inputs.map((input) => moveTo(input, backend));
  }
  return inputs;
}

/** A tensor of one value on a given backend or the default one. */
export function constant(
  value: Scalar,
  type: DType,
  shape: Shape = SCALAR_SHAPE,
  names: Names = unnamed(shape.length),
): Tensor {
  checkBits("a tensor", value, type);
  const backend = currentBackend();
  const out = template(type, shape, names);
  return new Tensor(backend, constantData(backend, out, value), type, shape, names);
}

/** The data of a tensor that is made of nothing. */
export function createdOn<P extends "constant" | "eye" | "iota">(
  backend: Backend,
  primitive: P extends OnDemand ? Brought<P> : P,
  out: Template,
  attrs: Attrs[P],
): unknown {
  const fill = backend[primitive] as PrimitiveFunction<P> | undefined;
  if (fill === undefined) throw lacking(backend, primitive, attrs);
  return fill.call(backend, out, [], attrs);
}

/** The data of a tensor of one value. */
export function constantData(backend: Backend, out: Template, value: Scalar): unknown {
  return createdOn<"constant">(backend, "constant", out, { value });
}

/** A scalar on the backend of a tensor, so that nothing needs moving; on the default one where there is none. */
export function constantOn(tensor: Tensor | null, value: Scalar, type: DType): Tensor {
  const backend = tensor?.backend ?? currentBackend();
  const data = constantData(backend, template(type, SCALAR_SHAPE, NO_NAMES), value);
  return new Tensor(backend, data, type, SCALAR_SHAPE, NO_NAMES);
}

/** Whether a value stands for one element. */
export function isScalar(value: unknown): value is Scalar {
  return (
    typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" || value instanceof Complex
  );
}

/** A plain value, or the tensor that stands for a plain number in a trace. */
export type Weak = Scalar | WeakTensor;

/** Whether a value takes the type of what it meets. */
export function isWeak(value: unknown): value is Weak {
  return isScalar(value) || value instanceof WeakTensor;
}

/** Whether a value is a tensor that has a type of its own. */
export function isStrong(value: unknown): value is Tensor {
  // most have axes, which numbers have not, and the question takes time
  return value instanceof Tensor && (value.shape.length > 0 || !(value instanceof WeakTensor));
}

/** Type of a plain value, integers as configured. */
export function scalarType(value: Scalar): DType {
  return configuredInteger(inferScalar(value));
}

/** A plain value from which types are inferred as from the weak one. */
export function representativeOf(value: Weak): Scalar {
  return value instanceof WeakTensor ? value.number.representative : value;
}

/** Type of a weak value alone. */
export function weakType(value: Weak): DType {
  return value instanceof WeakTensor ? value.type : scalarType(value);
}

/** Type of a weak value beside an operand. */
export function weakTypeBeside(fn: string, operand: Typed, value: Weak): DType {
  if (!(value instanceof WeakTensor)) return typeBeside(fn, operand, value);
  const { representative, check } = value.number;
  if (isStrict()) check(fn, operand);
  return mergeScalar(operand.type, representative);
}

/** A weak value as a tensor of a type; a bigint that no integer type holds is refused by the name of `fn`. */
export function weakAs(value: Weak, type: DType, fn = "a tensor"): Tensor {
  if (!(value instanceof WeakTensor)) {
    checkBits(fn, value, type);
    return constant(value, type);
  }
  checkBits(fn, value.number.representative, type);
  return value.number.as(type);
}

/** A plain value as a tensor that stays weak. */
export function weakTensor(value: Scalar): WeakTensor {
  return new WeakTensor(constantOn(null, value, scalarType(value)), {
    representative: value,
    as: (type) => constant(value, type),
    check: (fn, operand) => void typeBeside(fn, operand, value),
  });
}

/** A tensor given to a function, which is named where the tensor cannot be used any more. */
export function usable(tensor: Tensor, fn: string): Tensor {
  if (tensor.backend.checkUse !== undefined) tensor.backend.checkUse(tensor, fn);
  return tensor;
}

/** What a plain value that counts as what it looks like adds to the type of operands: floats are not widened by the default. */
function addedType(value: Weak, type: DType): DType {
  return isInteger(type) ? weakType(value) : configuredInteger(inferScalar(representativeOf(value), "f32", "c64"));
}

const configuredInteger = (type: DType): DType => (type === "s64" ? defaultInteger() : type);

/** The operand as a tensor; plain values take the type inferred from them alone. */
export function asTensor(value: unknown, fn: string): Tensor {
  if (isStrong(value)) return usable(value, fn);
  if (value instanceof WeakTensor) {
    checkBits(fn, value.number.representative, value.type);
    return usable(value.strong, fn);
  }
  if (isScalar(value)) return weakAs(value, scalarType(value), fn);
  throw notATensor(value, fn);
}

/** The operand as a tensor that is weak where the operand is. */
export function asMaybeWeak(value: unknown, fn: string): Tensor {
  return isScalar(value) ? weakTensor(value) : value instanceof WeakTensor ? value : asTensor(value, fn);
}

/** The operand as a tensor next to another one: plain values are weak and take its type where they fit. */
export function asTensorLike(value: unknown, like: Typed, fn: string): Tensor {
  return isWeak(value) ? weakAs(value, weakTypeBeside(fn, like, value), fn) : asTensor(value, fn);
}

/** The operands of a function for which plain numbers count as what they look like, unless promotion is strict. */
export function asTensors(values: readonly unknown[], fn: string): Tensor[] {
  if (!values.some(isWeak)) return values.map((value) => asTensor(value, fn));
  const type = typeOfOperands(values, fn);
  return values.map((value) => (isWeak(value) ? weakAs(value, enteringType(value, type), fn) : asTensor(value, fn)));
}

/**
 * Type in which a plain number enters a function where it counts as what it looks like. Integers are exact in their own type. All
 * else goes straight to the type of the result: one of the number alone would round it before an f64 beside it does.
 */
function enteringType(value: Weak, result: DType): DType {
  const own = weakType(value);
  return isInteger(own) && isHeld(own, representativeOf(value)) && !isStrict() ? own : result;
}

/** Common type of the operands of such a function; plain numbers follow the tensors where promotion is strict. */
export function typeOfOperands(values: readonly unknown[], fn: string): DType {
  const tensors = values.filter(isStrong);
  const weak = values.filter(isWeak);
  for (const value of values) if (!(value instanceof Tensor) && !isScalar(value)) throw notATensor(value, fn);
  if (tensors.length === 0) return weak.map(weakType).reduce(mergeTypes);
  const type = commonTypeOf(fn, tensors);
  if (!isStrict()) return weak.map((value) => addedType(value, type)).reduce(mergeTypes, type);
  const wide = tensors.find((tensor) => tensor.type === type) ?? { type }; // f64 beside c64 is c128, the type of neither
  for (const value of weak) weakTypeBeside(fn, wide, value);
  return type;
}

/** Refuses the operands of a function made of others where strict promotion does, before it goes on unchecked. */
export function checkOperands(values: readonly unknown[], fn: string): void {
  if (isStrict()) typeOfOperands(values, fn);
}

/** Two operands as tensors; a plain value is weak next to a tensor. */
export function pair(left: Operand, right: Operand, fn: string): [Tensor, Tensor] {
  if (isStrong(left)) return [left, isStrong(right) ? right : beside(left, right, fn)];
  if (isStrong(right)) return [beside(right, left, fn), right];
  if (!isStrict()) return [asTensor(left, fn), asTensor(right, fn)];
  // plain numbers among themselves have no type to keep, so there is nothing to refuse
  const type = typeOfOperands([left, right], fn);
  return [weakAs(left as Weak, type, fn), weakAs(right as Weak, type, fn)];
}

/** A weak value next to a tensor: on its backend, so that nothing needs moving. */
function beside(tensor: Tensor, value: unknown, fn: string): Tensor {
  if (value instanceof WeakTensor) return weakAs(value, weakTypeBeside(fn, tensor, value), fn);
  if (!isScalar(value)) throw notATensor(value, fn);
  const merged = typeBeside(fn, usable(tensor, fn), value);
  checkBits(fn, value, merged);
  return constantOn(tensor, value, merged);
}

/** Functions of two operands that are functions of one tensor elsewhere. */
const OF_TWO: { readonly [fn: string]: string | undefined } = {
  "Nx.max": "; it is of two operands, and Nx.reduceMax(t) the largest element of one tensor",
  "Nx.min": "; it is of two operands, and Nx.reduceMin(t) the smallest element of one tensor",
};

function notATensor(value: unknown, fn: string): NxError {
  if (value instanceof SymbolicTemplate) return symbolicUsed(value, fn);
  const isData = Array.isArray(value) || ArrayBuffer.isView(value);
  const joins = Array.isArray(value) && value.some((item) => item instanceof Tensor);
  const made = joins
    ? "; join tensors with Nx.stack or Nx.concatenate"
    : "; make a tensor of it with Nx.tensor(...) first";
  const hint = isData ? made : (OF_TWO[fn] ?? "");
  return new ArgumentError(`${fn} expects a tensor or a number, got: ${show(value)}${hint}`);
}
