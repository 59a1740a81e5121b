/**
 * Choosing between elements, and functions of the user applied to each of them.
 */
import { MAP } from "../../backends/primitives";
import type { ScalarFunction } from "../../backend";
import type { Merge } from "../../core/axis-types";
import { ArgumentError, show } from "../../core/errors";
import { checkNames, mergeNames } from "../../core/names";
import { checkOptions } from "../../core/options";
import { broadcastShapes, formatShape, sameShape, type Names, type Shape } from "../../core/shape";
import { commonType } from "../../core/promotion";
import { unchecked } from "../../core/promotion-scope";
import { isInteger, normalizeType, type DType } from "../../core/types";
import type { Right } from "../../methods";
import type { Operand, Tensor } from "../../tensor";
import { asTensor, cast, isWeak, pair, run, template, typeOfOperands, weakAs, weakTypeBeside } from "../dispatch";
import { asOperand, broadcastPair, mergedNames, named } from "./core";

const NO_ATTRS = Object.freeze({});

/**
 * Takes each element from `onTrue` where `pred` is not zero, else from `onFalse`.
 *
 * With a scalar `pred` one of the two is taken as a whole, broadcast to the shape of both. Otherwise the result has exactly
 * the shape of `pred`, and both must broadcast to it. Both are evaluated, whatever `pred` says; NaN counts as true. Plain
 * numbers are not weak here: next to a `u8` tensor, `2` gives `s64`.
 *
 * @param pred - a tensor, number or boolean
 * @param onTrue - the elements where `pred` is true
 * @param onFalse - the elements where it is false
 * @returns a tensor of the type that merges `onTrue` and `onFalse`, with the names of all three merged
 * @throws ArgumentError where shapes do not broadcast or axes have different names
 * @example A tensor decides for each element
 * ```ts
 * const x = Nx.tensor([[1, -2], [-3, 4]], { names: ["row", "col"] });
 * Nx.select(Nx.greater(x, 0), x, Nx.tensor([0.5, 1.5], { names: ["col"] }));
 * // => #Nx.Tensor<
 * //   f32[row: 2][col: 2]
 * //   [
 * //     [1.0, 1.5],
 * //     [0.5, 4.0]
 * //   ]
 * // >
 * ```
 * @example A scalar decides for all
 * ```ts
 * Nx.select(1, Nx.tensor([1, 2, 3], { names: ["x"] }), Nx.tensor([4, 5, 6], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 3]
 * //   [1, 2, 3]
 * // >
 * Nx.select(false, Nx.tensor([1, 2, 3], { names: ["x"] }), Nx.tensor([[4], [5]], { names: ["y", null] }));
 * // => #Nx.Tensor<
 * //   s64[y: 2][x: 3]
 * //   [
 * //     [4, 4, 4],
 * //     [5, 5, 5]
 * //   ]
 * // >
 * ```
 * @example What does not fit
 * ```ts
 * Nx.select(Nx.tensor([1, 0]), Nx.iota([2, 2]), 0);
 * // throws ArgumentError: Nx.select cannot broadcast onTrue of shape [2][2] to the shape [2] of pred
 * ```
 */
export function select<P extends Names = readonly [], A extends Names = readonly [], B extends Names = readonly []>(
  pred: Operand<P>,
  onTrue: Right<P, A>,
  onFalse: Right<Merge<P, A>, B>,
): Tensor<Merge<Merge<P, A>, B>>;
export function select(pred: Operand, onTrue: Operand, onFalse: Operand): Tensor {
  const p = asTensor(pred, "Nx.select");
  const type = typeOfOperands([onTrue, onFalse], "Nx.select");
  const yes = asOperand(onTrue, type);
  const no = asOperand(onFalse, type);
  const shape = p.shape.length === 0 ? broadcastPair("Nx.select", yes, no) : predShape(p, yes, no);
  const out = template(type, shape, selectNames(p, yes, no, shape));
  return run("select", out, [p, yes, no], NO_ATTRS);
}

/** The shape of a predicate that is no scalar, once both branches are known to broadcast to it. */
function predShape(pred: Tensor, onTrue: Tensor, onFalse: Tensor): Shape {
  checkBranch("onTrue", onTrue, pred);
  checkBranch("onFalse", onFalse, pred);
  return pred.shape;
}

function checkBranch(name: string, branch: Tensor, pred: Tensor): void {
  const shape = broadcastShapes(pred.shape, branch.shape);
  if (shape !== null && sameShape(shape, pred.shape)) return;
  throw new ArgumentError(
    `Nx.select cannot broadcast ${name} of shape ${formatShape(branch.shape, branch.names)} to the shape ` +
      `${formatShape(pred.shape, pred.names)} of pred, which the result will have; broadcast pred first to select more elements`,
  );
}

function selectNames(pred: Tensor, onTrue: Tensor, onFalse: Tensor, shape: Shape): Names {
  const names = mergeNames(pred.names, pred.shape, onTrue.names, onTrue.shape);
  return mergeNames(names, names === pred.names ? pred.shape : shape, onFalse.names, onFalse.shape);
}

/**
 * Takes each element from `onTrue` where `pred` is not zero, else from `onFalse`; all three broadcast.
 *
 * Unlike `Nx.select`, whose result has the shape of `pred`, and which gives plain numbers the type they look like, this is an
 * op of three equal operands: shapes stretch as for `Nx.add`, and a plain number is weak next to a tensor. Both branches are
 * evaluated, whatever `pred` says.
 *
 * The condition comes first, in the method as well: elements of `t` where a mask holds are `Nx.where(mask, t, 0)`, not
 * `t.where(mask, 0)`, which is an error where `t` is of floats or complex numbers: what is of u8 is chosen by integers alone.
 *
 * @param pred - a tensor of any type, such as comparisons give; a number or boolean. NaN is not zero
 * @param onTrue - the elements where `pred` is true
 * @param onFalse - the elements where it is false
 * @returns a tensor of the type that merges `onTrue` and `onFalse`, with the names of all three merged
 * @throws ArgumentError for a condition of floats or complex numbers with `onTrue` of type u8, and where shapes do not broadcast or
 *   axes have different names
 * @example
 * ```ts
 * const x = Nx.f32([[1, -2], [-3, 4]], { names: ["row", "col"] });
 * Nx.where(Nx.greater(x, 0), x, 0);
 * // => #Nx.Tensor<
 * //   f32[row: 2][col: 2]
 * //   [
 * //     [1.0, 0.0],
 * //     [0.0, 4.0]
 * //   ]
 * // >
 * Nx.where(Nx.u8([1, 0], { names: ["col"] }), x, Nx.f32([[0.5], [0.25]]));
 * // => #Nx.Tensor<
 * //   f32[row: 2][col: 2]
 * //   [
 * //     [1.0, 0.5],
 * //     [-3.0, 0.25]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.where(Nx.u8([1, 0, 1]), Nx.u8([1, 2, 3]), 2);
 * // => #Nx.Tensor<
 * //   u8[3]
 * //   [1, 2, 3]
 * // >
 * const t = Nx.f64([-3, 5, 12]);
 * t.where(t.greater(0), 0);
 * // throws ArgumentError: Nx.where expects the condition first, got f64[3] before u8[3]; where t is to be chosen from, write Nx.where(mask, t, 0)
 * Nx.where(Nx.u8([1, 0, 1]), Nx.u8([1, 2]), 2);
 * // throws ArgumentError: Nx.where cannot broadcast tensors of shapes [3] and [2]: axis 0 of size 3 meets axis 0 of size 2; axes align from the
 * ```
 */
export function where<P extends Names = readonly [], A extends Names = readonly [], B extends Names = readonly []>(
  pred: Operand<P>,
  onTrue: Right<P, A>,
  onFalse: Right<Merge<P, A>, B>,
): Tensor<Merge<Merge<P, A>, B>>;
export function where(pred: Operand, onTrue: Operand, onFalse: Operand): Tensor {
  const fn = "Nx.where";
  const p = asTensor(pred, fn);
  const [yes, no] = pair(onTrue, onFalse, fn);
  if (!isWeak(onTrue)) checkCondition(p, yes);
  const both = template(commonType(fn, yes, no), broadcastPair(fn, yes, no), yes.names);
  const branches = { ...both, names: mergedNames(yes, no) };
  const shape = broadcastPair(fn, p, branches);
  return run("select", { ...both, shape, names: mergedNames(p, branches) }, [p, yes, no], NO_ATTRS);
}

/** Refuses a mask that a float of {@link where} chooses: the float is likelier the tensor to choose from, whose method was called. */
function checkCondition(pred: Tensor, onTrue: Tensor): void {
  if (isInteger(pred.type) || onTrue.type !== "u8") return;
  const [condition, mask] = [pred, onTrue].map((t) => t.type + formatShape(t.shape, t.names));
  throw new ArgumentError(
    `Nx.where expects the condition first, got ${condition} before ${mask}; where t is to be chosen from, ` +
      `write Nx.where(mask, t, 0), and Nx.notEqual(t, 0) for a condition made of it`,
  );
}

/** Options of `Nx.map`. */
export interface MapOptions<M extends Names = Names> {
  /** Type of the result; that of the tensor when left out. */
  readonly type?: DType;
  /** Names of the result's axes; those of the tensor when left out. */
  readonly names?: M;
}

/**
 * Applies a function to each element on its own. It gets a scalar tensor and must give a scalar.
 *
 * What it gives is converted to the type of the result. It may be called any number of times and in any order, or be traced
 * instead, so it must have no side effects. The functions of this library work on whole tensors and are much faster.
 *
 * @param tensor - a tensor or number of any type
 * @param fn - from a scalar tensor to a scalar tensor or number
 * @param options - `type` and `names` of the result, by default those of the tensor
 * @returns a tensor of the same shape
 * @throws ArgumentError where the function gives something other than a scalar
 * @example
 * ```ts
 * Nx.map(Nx.tensor([[1, 2, 3], [4, 5, 6]], { names: ["x", "y"] }), (x) => Nx.add(x, 1));
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [2, 3, 4],
 * //     [5, 6, 7]
 * //   ]
 * // >
 * Nx.map(Nx.tensor([1, 2], { names: ["x"] }), (x) => Nx.divide(x, 4), { type: "f64", names: ["y"] });
 * // => #Nx.Tensor<
 * //   f64[y: 2]
 * //   [0.25, 0.5]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.map(Nx.tensor([1, 2]), () => Nx.tensor([1, 2]));
 * // throws ArgumentError: Nx.map expects its function to give a scalar, got a tensor of shape [2]
 * ```
 */
export function map<N extends Names = readonly [], const M extends Names = N>(
  tensor: Operand<N>,
  fn: (element: Tensor<readonly []>) => Operand,
  options?: MapOptions<M>,
): Tensor<M> {
  options = checkOptions("Nx.map", options, ["type", "names"]);
  if (typeof fn !== "function") throw new ArgumentError(`Nx.map expects a function of one element, got: ${show(fn)}`);
  const t = asTensor(tensor, "Nx.map");
  const type = options?.type === undefined ? t.type : normalizeType(options.type);
  const names = options?.names === undefined ? t.names : checkNames(options.names, t.shape);
  const scalarFn: ScalarFunction = (element) => scalarResult(fn(element as Tensor<readonly []>), type);
  return run(MAP, template(type, t.shape, names), [t], { fn: named(fn.name, scalarFn) }) as Tensor<M>;
}

/** A plain number that the type can hold goes straight to it; everything else is converted as tensors are. */
function scalarResult(value: Operand, type: DType): Tensor {
  if (isWeak(value) && unchecked(() => weakTypeBeside("Nx.map", { type }, value)) === type) return weakAs(value, type);
  const result = asTensor(value, "Nx.map");
  if (result.shape.length === 0) return cast(result, type);
  throw new ArgumentError(
    `Nx.map expects its function to give a scalar, got a tensor of shape ${formatShape(result.shape, result.names)}; ` +
      `reduce it first, for example with Nx.sum`,
  );
}
