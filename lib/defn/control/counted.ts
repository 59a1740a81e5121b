/**
 * Control flow by integers: `foriLoop` and `switch`.
 */
import { ArgumentError, show } from "../../core/errors";
import { formatShape } from "../../core/shape";
import { isInteger, mergeTypes } from "../../core/types";
import { asTensorLike, cast, isScalar, isStrong, typeOfOperands } from "../../nx/dispatch";
import { add, less, lessEqual } from "../../nx/elementwise";
import { Tensor, type Operand } from "../../tensor";
import type { Tensors } from "../trace";
import { cond, type Clause } from "./cond";
import { checkFunction, flatten, noState } from "./flat";
import { repeatedly } from "./loop";

const LOOP = "Nx.Defn.foriLoop";
const SWITCH = "Nx.Defn.switch";

/** A scalar integer. */
function checkInteger(fn: string, what: string, value: Operand): void {
  if (value instanceof Tensor ? value.shape.length === 0 && isInteger(value.type) : isWhole(value)) return;
  const got = value instanceof Tensor ? `${value.type}${formatShape(value.shape, value.names)}` : show(value);
  throw new ArgumentError(`${fn} expects an integer as ${what}, a number or a scalar tensor, got: ${got}`);
}

const isWhole = (value: unknown): boolean =>
  isScalar(value) && (typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value)));

/** Both bounds in one type: the type of the tensor beside a number that the type holds. */
function boundsOf(lower: Operand, upper: Operand): readonly [Tensor, Tensor] {
  const tensor = [lower, upper].find(isStrong);
  const like = tensor ?? { type: typeOfOperands([lower, upper], LOOP) };
  const [from, to] = [asTensorLike(lower, like, LOOP), asTensorLike(upper, like, LOOP)];
  const type = mergeTypes(from.type, to.type);
  return [cast(from, type), cast(to, type)];
}

/**
 * Repeats `body` on a state with the integers from `lower` to below `upper`, one after the other, as `for` does. Bounds may be tensors;
 * nothing is repeated where `upper` is not above `lower`.
 *
 * A {@link whileLoop} that counts: it may be differentiated, and where a bound is vectorized it goes on for each entry as long as that
 * one's bounds say.
 *
 * @param lower - the first integer: a number or a scalar tensor
 * @param upper - the end, which is not reached
 * @param body - given an integer, a scalar tensor of the merged type of the bounds (`s64` for numbers), and the state, returns the next
 *   state: the same structure, and for each tensor the same type, shape and names
 * @param initial - the state to begin with: a tensor, a number or a container of them
 * @returns the state after the last turn
 * @throws ArgumentError for bounds that are no scalar integers
 * @throws DefnError where the body returns something that differs from the state
 * @example
 * ```ts
 * const factorial = Nx.defn((n: Nx.Tensor) => Nx.Defn.foriLoop(1, n.add(1), (i, product) => product.multiply(i), Nx.s64(1)));
 * factorial(Nx.s64(5));
 * // => #Nx.Tensor<
 * //   s64
 * //   120
 * // >
 * const powers = Nx.Defn.foriLoop(0, 3, (i, x) => x.multiply(2).add(i), Nx.f32([1, 10], { names: ["x"] }));
 * powers;
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [12.0, 84.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Defn.grad((x: Nx.Tensor) => Nx.Defn.foriLoop(0, 3, (_i, y) => y.multiply(x), x))(Nx.f32(2));
 * // => #Nx.Tensor<
 * //   f32
 * //   32.0
 * // >
 * Nx.Defn.foriLoop(0, 2.5, (_i, x) => x, Nx.f32(1));
 * // throws ArgumentError: Nx.Defn.foriLoop expects an integer as upper, a number or a scalar tensor, got: 2.5
 * Nx.Defn.foriLoop(0, 2, (i, x) => x.multiply(0.5), Nx.s64(1));
 * // throws DefnError: the body of Nx.Defn.foriLoop must return what it is given, but the state at .state is s64[] and it returned f32[]
 * ```
 */
export function foriLoop<const S>(
  lower: Operand,
  upper: Operand,
  body: (index: Tensor<readonly []>, state: Tensors<S>) => unknown,
  initial: S,
): Tensors<S> {
  checkInteger(LOOP, "lower", lower);
  checkInteger(LOOP, "upper", upper);
  checkFunction(body, `the body of ${LOOP}`);
  if (flatten(initial, `the state of ${LOOP}`).leaves.length === 0) throw noState(LOOP, initial);
  const [from, to] = boundsOf(lower, upper);
  const start = { index: from, state: initial };
  return repeatedly<{ index: Tensor; state: unknown }>(LOOP, start, {
    condition: ({ index }) => less(index, to),
    body: ({ index, state }) => ({
      index: add(index, 1),
      state: body(index as Tensor<readonly []>, state as Tensors<S>),
    }),
    given: body,
  }).state as Tensors<S>;
}

/**
 * The result of one of several functions, by its position. Only that one is computed; positions before the first and after the last are
 * those of the first and the last, as in JAX.
 *
 * A {@link cond} by a number: all functions must return containers of the same structure, whose tensors merge in the same way. Where the
 * index is vectorized, all are computed and entries are chosen from their results.
 *
 * @param index - a scalar integer
 * @param branches - functions of the operands
 * @param operands - what the chosen function is called with
 * @returns the result of the chosen function
 * @throws ArgumentError for an index that is no scalar integer, for no branches, and where shapes do not broadcast or names clash
 * @throws DefnError where the branches return different structures
 * @example
 * ```ts
 * const branches = [(t: Nx.Tensor) => t.negate(), (t: Nx.Tensor) => t.multiply(10), (t: Nx.Tensor) => t.exp()];
 * const call = Nx.defn((i: Nx.Tensor, t: Nx.Tensor) => Nx.Defn.switch(i, branches, t));
 * call(Nx.s64(1), Nx.f32([1, 2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [10.0, 20.0]
 * // >
 * call(Nx.s64(-7), Nx.f32([1, 2], { names: ["x"] })).toList();
 * // => [-1, -2]
 * ```
 * @example
 * ```ts
 * Nx.Defn.vmap((i: Nx.Tensor, t: Nx.Tensor) => Nx.Defn.switch(i, [() => t, () => t.square()]))(Nx.s64([0, 1]), Nx.f32([3, 3]));
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [3.0, 9.0]
 * // >
 * Nx.Defn.switch(0.5, [() => Nx.f32(1)]);
 * // throws ArgumentError: Nx.Defn.switch expects an integer as index, a number or a scalar tensor, got: 0.5
 * Nx.Defn.switch(0, []);
 * // throws ArgumentError: Nx.Defn.switch expects functions to choose from as an array of at least one, got: []
 * ```
 */
export function switchCase<A extends readonly unknown[], R>(
  index: Operand,
  branches: readonly ((...operands: A) => R)[],
  ...operands: A
): Tensors<R> {
  checkInteger(SWITCH, "index", index);
  if (!Array.isArray(branches) || branches.length === 0) {
    throw new ArgumentError(
      `${SWITCH} expects functions to choose from as an array of at least one, got: ${show(branches)}`,
    );
  }
  branches.forEach((branch, i) => checkFunction(branch, `branch ${i} of ${SWITCH}`));
  const calls = branches.map((branch) => () => branch(...operands));
  const isUpTo = (i: number) => (index instanceof Tensor ? lessEqual(index, i) : Number(index) <= i);
  const clauses = calls.slice(0, -1).map((call, i): Clause<R> => [isUpTo(i), call]);
  return cond(clauses, calls[calls.length - 1]!);
}
