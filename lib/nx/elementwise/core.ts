/**
 * What the element-wise functions are made of: one factory per arity, deriving each function from its row of the op tables.
 * Types, shapes and names are settled here; elements are the backend's business.
 */
import type { Attrs } from "../../backend";
import type { Merged } from "../../core/axis-types";
import { ArgumentError, show } from "../../core/errors";
import { mergeNames } from "../../core/names";
import { broadcastShapes, checkSize, formatShape, sameShape, type Names, type Shape } from "../../core/shape";
import { commonType, commonTypeOf } from "../../core/promotion";
import { unchecked } from "../../core/promotion-scope";
import { isInteger, mergeTypes, toFloating, type DType } from "../../core/types";
import type { Looped, LoopedBinary, LoopedUnary } from "../../backends/binary/lanes/brought";
import type { Brought } from "../../kernel/special/brought";
import type { Right } from "../../methods";
import {
  BINARY,
  binaryType,
  refuseComplex,
  UNARY,
  unaryType,
  type BinaryOp,
  type SpecialBinary,
  type SpecialUnary,
  type UnaryOp,
} from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { alias, apart, asTensor, cast, isStrong, isWeak, pair, run, usable, weakAs } from "../dispatch";

/** An element-wise function of one tensor; it keeps shape and names. */
export type UnaryFunction = <N extends Names = readonly []>(tensor: Operand<N>) => Tensor<N>;

/** An element-wise function of two tensors; it broadcasts shapes and merges names. */
export type BinaryFunction = <L extends Names = readonly [], R extends Names = readonly []>(
  left: Operand<L>,
  right: Right<L, R>,
) => Tensor<Merged<L, R>>;

/** The public function of a unary op, which comes with its programs and loops. */
export function unary(given: Looped<LoopedUnary> | Brought<SpecialUnary>): UnaryFunction {
  const op: UnaryOp = given;
  const fn = `Nx.${op}`;
  const attrs = Object.freeze({ op });
  const keepsIntegers = UNARY[op].rule === "rounding";
  const apply = (operand: Operand): Tensor => {
    const x = isStrong(operand) ? operand : asTensor(operand, fn);
    const type = unaryType(op, x.type);
    if (keepsIntegers && isInteger(type)) return alias(usable(x, fn));
    return run("unary", { type, shape: x.shape, names: x.names }, [x], attrs);
  };
  return named(op, apply) as UnaryFunction;
}

/** How operands of which at least one is a plain number become two tensors; one tensor is the result already. */
type Meeting = (left: Operand, right: Operand, fn: string) => [Tensor, Tensor] | Tensor;

/** The public function of a binary op, which comes with its programs and loops. */
export function binary(
  given: Looped<LoopedBinary> | Brought<Exclude<SpecialBinary, "pow">>,
  meet: Meeting = pair,
): BinaryFunction {
  const op: BinaryOp = given;
  const fn = `Nx.${op}`;
  const known: { [T in DType]?: Attrs["binary"] } = {};
  const attrsOf = (type: DType): Attrs["binary"] => (known[type] ??= Object.freeze({ op, type }));
  let last = attrsOf("f32"); // of the last call, quicker to look at than to look up
  const merges = BINARY[op].rule !== "logical"; // each operand is compared with zero on its own
  const apply = (left: Operand, right: Operand): Tensor => {
    let inputs: [Tensor, Tensor];
    if (isStrong(left) && isStrong(right)) inputs = [left, right];
    else {
      const met = meet(left, right, fn);
      if (!Array.isArray(met)) return met;
      inputs = met;
    }
    const [l, r] = inputs;
    const { type: own, shape: lengths, names } = l;
    const { type: other } = r;
    if (merges && own !== other) commonType(fn, l, r);
    const merged = own === other ? own : mergeTypes(own, other);
    const type = binaryType(op, merged);
    const attrs = last.type === merged ? last : (last = attrsOf(merged));
    if (names === r.names && sameShape(lengths, r.shape)) {
      return run("binary", { type, shape: lengths, names }, inputs, attrs);
    }
    const shape = broadcastPair(fn, l, r);
    return run("binary", { type, shape, names: mergedNames(l, r) }, inputs, attrs);
  };
  return named(op, apply) as BinaryFunction;
}

/** A composite of one tensor. */
export function unaryOf(name: string, compute: (x: Tensor) => Tensor): UnaryFunction {
  const fn = `Nx.${name}`;
  const apply = (operand: Operand): Tensor => {
    const x = asTensor(operand, fn);
    return apart(
      unchecked(() => compute(x)),
      x,
    );
  };
  return named(name, apply) as UnaryFunction;
}

/** A composite of two tensors; operands that do not broadcast or merge are refused here, under its name. */
export function binaryOf(name: string, compute: (x: Tensor, y: Tensor) => Tensor): BinaryFunction {
  const fn = `Nx.${name}`;
  const apply = (left: Operand, right: Operand): Tensor => {
    const [x, y] = pair(left, right, fn);
    usable(x, fn);
    usable(y, fn);
    broadcastPair(fn, x, y);
    mergedNames(x, y);
    commonType(fn, x, y);
    return unchecked(() => compute(x, y));
  };
  return named(name, apply) as BinaryFunction;
}

/** A real composite of one tensor with float results. */
export const floatingOf = (name: string, compute: (x: Tensor) => Tensor): UnaryFunction =>
  unaryOf(name, (x) => inFloats(name, [x], compute));

/**
 * Computes with real operands as floats of their merged type. Half floats are widened, so that only the result is rounded
 * to them.
 */
export function inFloats(name: string, operands: readonly Tensor[], compute: (...xs: Tensor[]) => Tensor): Tensor {
  const type = toFloating(refuseComplex(name, commonTypeOf(`Nx.${name}`, operands)));
  const wide = type === "f16" || type === "bf16" ? "f32" : type;
  const result = unchecked(() => compute(...operands.map((x) => cast(x, wide))));
  return cast(result, type);
}

/**
 * Computes with a real operand as doubles, so that only the result is rounded to its float type: for functions made of several
 * steps that each round, or with constants that f32 does not hold.
 */
export function inDoubles(name: string, x: Tensor, compute: (x: Tensor) => Tensor): Tensor {
  const type = toFloating(refuseComplex(name, x.type));
  return cast(
    unchecked(() => compute(cast(x, "f64"))),
    type,
  );
}

/** A finite number as an option, with its default. */
export function numberOption(fn: string, key: string, value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new ArgumentError(`option ${key} of ${fn} must be a finite number, got: ${show(value)}`);
}

/** A divisor as an option, with its default. */
export function nonZeroOption(fn: string, key: string, value: unknown, fallback: number): number {
  const number = numberOption(fn, key, value, fallback);
  if (number !== 0) return number;
  throw new ArgumentError(`option ${key} of ${fn} must not be 0: it is divided by`);
}

/** A function under the name that users know it by: messages say it, and stacks. */
export function named<F extends object>(name: string, apply: F): F {
  return Object.defineProperty(apply, "name", { value: name });
}

/** The operand as a tensor; a plain number goes straight to the type it will be used in, so that it is rounded once. */
export function asOperand(value: Operand, type: DType): Tensor {
  return isWeak(value) ? weakAs(value, type) : value;
}

/** A tensor, as far as broadcasting goes. */
interface Shaped {
  readonly shape: Shape;
  readonly names: Names;
}

/** The broadcast shape of two operands, or an error with both shapes. */
export function broadcastPair(fn: string, left: Shaped, right: Shaped): Shape {
  const shape = broadcastShapes(left.shape, right.shape);
  if (shape === null) throw broadcastError(fn, left, right);
  if (shape !== left.shape && shape !== right.shape) checkSize(shape, `${fn}: the result's shape`);
  return shape;
}

/** Names of a result of two operands. */
export const mergedNames = (left: Shaped, right: Shaped): Names =>
  mergeNames(left.names, left.shape, right.names, right.shape);

/** The error of two operands that do not broadcast. It names the last pair of axes that do not fit. */
function broadcastError(fn: string, left: Shaped, right: Shaped): ArgumentError {
  const ranks = [left.shape.length, right.shape.length] as const;
  let back = 1;
  while (fits(left.shape[ranks[0] - back]!, right.shape[ranks[1] - back]!)) back++;
  const axis = ({ shape, names }: Shaped): string => {
    const at = shape.length - back;
    return `axis ${names[at] == null ? at : JSON.stringify(names[at])} of size ${shape[at]}`;
  };
  return new ArgumentError(
    `${fn} cannot broadcast tensors of shapes ${formatShape(left.shape, left.names)} and ` +
      `${formatShape(right.shape, right.names)}: ${axis(left)} meets ${axis(right)}; axes align from the right and must have ` +
      `equal sizes or size 1, so reshape, transpose or Nx.newAxis one of the two`,
  );
}

const fits = (a: number, b: number): boolean => a === b || a === 1 || b === 1;
