/**
 * What the element-wise functions are made of: one factory per arity, deriving each function from its row of the op tables.
 * Types, shapes and names are settled here; elements are the backend's business.
 */
import type { Merge } from "../../core/axis-types";
import { ArgumentError } from "../../core/errors";
import { mergeNames, uniqueNames } from "../../core/names";
import { checkOptions } from "../../core/options";
import { broadcastShapes, checkSize, formatShape, sameShape, type Names, type Shape } from "../../core/shape";
import { isInteger, type DType } from "../../core/types";
import type { Right } from "../../methods";
import { binaryType, UNARY, unaryType, type BinaryOp, type UnaryOp } from "../../ops";
import { Tensor, type Operand } from "../../tensor";
import { asTensor, constant, isScalar, pair, run, scalarType } from "../dispatch";

/** An element-wise function of one tensor; it keeps shape and names. */
export type UnaryFunction = <N extends Names = readonly []>(tensor: Operand<N>) => Tensor<N>;

/**
 * An element-wise function of two tensors; it broadcasts shapes and merges names. `NoInfer`: the names of an operand are not to be
 * guessed from what the result is used as.
 */
export type BinaryFunction = <L extends Names = readonly [], R extends Names = readonly []>(
  left: Operand<L>,
  right: Right<L, R>,
) => Tensor<Merge<NoInfer<L>, NoInfer<R>>>;

/** The public function of a unary op. */
export function unary(op: UnaryOp): UnaryFunction {
  const fn = `Nx.${op}`;
  const attrs = Object.freeze({ op });
  const keepsIntegers = UNARY[op].rule === "rounding";
  const apply = (operand: Operand, extra: unknown = undefined): Tensor => {
    if (typeof extra === "object") refuseOptions(fn, extra);
    const x = operand instanceof Tensor ? operand : asTensor(operand, fn);
    const type = unaryType(op, x.type);
    if (keepsIntegers && isInteger(type)) return x;
    return run("unary", { type, shape: x.shape, names: x.names }, [x], attrs);
  };
  return named(op, apply) as UnaryFunction;
}

/** The public function of a binary op. */
export function binary(op: BinaryOp): BinaryFunction {
  const fn = `Nx.${op}`;
  const attrs = Object.freeze({ op });
  const apply = (left: Operand, right: Operand, extra: unknown = undefined): Tensor => {
    if (typeof extra === "object") refuseOptions(fn, extra);
    const inputs = pair(left, right, fn);
    const [l, r] = inputs;
    const type = binaryType(op, l.type, r.type);
    if (l.names === r.names && sameShape(l.shape, r.shape)) {
      return run("binary", { type, shape: l.shape, names: l.names }, inputs, attrs);
    }
    const shape = broadcastPair(fn, l, r);
    return run("binary", { type, shape, names: mergedNames(l, r, shape) }, inputs, attrs);
  };
  return named(op, apply) as BinaryFunction;
}

/** A function of one tensor that is made of others. */
export function unaryOf(name: string, compute: (x: Tensor) => Tensor): UnaryFunction {
  const fn = `Nx.${name}`;
  const apply = (operand: Operand, extra: unknown = undefined): Tensor => {
    if (typeof extra === "object") refuseOptions(fn, extra);
    return compute(asTensor(operand, fn));
  };
  return named(name, apply) as UnaryFunction;
}

/** Without it every function made here would be called `apply`. */
function named<F extends object>(name: string, apply: F): F {
  return Object.defineProperty(apply, "name", { value: name });
}

/**
 * An options object where none is taken is a mistake that must not pass in silence. Other surplus arguments are those of
 * `array.map(Nx.exp)` and `array.reduce(Nx.add)`, which are at home in the language.
 */
export function refuseOptions(fn: string, extra: unknown): void {
  if (extra === null || Array.isArray(extra) || extra instanceof Tensor) return;
  checkOptions(fn, extra as object, []);
}

/** Type of an operand where plain numbers are not weak: they count as what they look like. */
export function ownType(value: Operand, fn: string): DType {
  return isScalar(value) ? scalarType(value) : asTensor(value, fn).type;
}

/** The operand as a tensor; a plain number goes straight to the type it will be used in, so that it is rounded once. */
export function asOperand(value: Operand, type: DType): Tensor {
  return value instanceof Tensor ? value : constant(value, type);
}

/** Shape that two operands broadcast to, or the error that shows both. */
export function broadcastPair(fn: string, left: Tensor, right: Tensor): Shape {
  const shape = broadcastShapes(left.shape, right.shape);
  if (shape === null) throw broadcastError(fn, left, right);
  if (shape !== left.shape && shape !== right.shape) checkSize(shape, `${fn}: the result's shape`);
  return shape;
}

/** Names of a result of two operands. Where both give some, the result may have one twice. */
export function mergedNames(left: Tensor, right: Tensor, shape: Shape): Names {
  const names = mergeNames(left.names, left.shape, right.names, right.shape);
  if (names === left.names || names === right.names) return names;
  return uniqueNames(names, shape);
}

/** Whatever of two operands does not fit: the last axes first, as broadcasting aligns them. */
export function broadcastError(
  fn: string,
  left: { shape: Shape; names: Names },
  right: { shape: Shape; names: Names },
): ArgumentError {
  const ranks = [left.shape.length, right.shape.length] as const;
  let back = 1;
  while (fits(left.shape[ranks[0] - back]!, right.shape[ranks[1] - back]!)) back++;
  const axis = ({ shape, names }: { shape: Shape; names: Names }): string => {
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
