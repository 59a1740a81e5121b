/**
 * Minimization of smooth functions by L-BFGS with a line search, as one traced loop.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, NxError, type Tensor } from "nx-numerics";
import { checkFloats, checkOptions, NOT_NEGATIVE, numberOption, shown, STEPS } from "./common";
import { direction, noHistory, remembered, type History } from "./lbfgs";
import { fromVector, toVector } from "./vector";

/** Options of {@link minimize}. */
export interface MinimizeOptions {
  /** The largest component of the gradient at which the minimum counts as found; 1e-8 when left out, 1e-4 for types narrower than f64. */
  readonly tolerance?: number;
  /** Steps at most; 500 when left out. */
  readonly maxSteps?: number;
  /** How many of the last steps are remembered; 10 when left out. */
  readonly memory?: number;
}

/** What {@link minimize} found. */
export interface Minimum<P> {
  /** The parameters of the smallest value found, up to its rounding, in their container. */
  readonly params: P;
  /** The value there. */
  readonly value: Tensor<readonly []>;
  /** The largest component of the gradient there. */
  readonly gradientNorm: Tensor<readonly []>;
  /** Steps taken. */
  readonly steps: Tensor<readonly []>;
  /** 1 where the value is finite and the gradient within the tolerance, else 0: after `maxSteps`, or where no step along the direction makes the value or the gradient smaller. */
  readonly isConverged: Tensor<readonly []>;
}

/** Part of the slope by which a step has to go down at least, and of which may be left after it (Nocedal, Wright 2006, equation 3.6). */
const DECREASE = 1e-4;
const CURVATURE = 0.9;
/** Units in the last place of a value within which it may rise where the slope says that it does not (Hager, Zhang 2005, equation 4.1). */
const NOISE = 100;
/** Points that are tried along a direction. */
const TRIES = 50;

type Scalar = Tensor<readonly []>;

interface Point {
  readonly x: Tensor;
  readonly value: Scalar;
  readonly gradient: Tensor;
}

type Evaluate = (x: Tensor) => Point;

/** How a search runs: as loops of tensors, or step by step. */
interface Run {
  readonly evaluate: Evaluate;
  readonly loop: <S extends object>(first: S, goesOn: (state: S) => Tensor, step: (state: S) => S) => S;
}

interface State extends Point, History {
  readonly steps: Scalar;
  readonly isStuck: Scalar;
}

/**
 * The parameters at which a smooth function is smallest, near the given ones, by L-BFGS: directions by the two-loop recursion (Nocedal, Wright
 * 2006: Numerical optimization, algorithms 7.4 and 7.5), and along each a step with enough decrease and curvature (the weak Wolfe conditions) by
 * bisection (Lewis, Overton 2013: Nonsmooth optimization via quasi-Newton methods, algorithm 2.6). Where values differ by their rounding alone,
 * the slope says whether a step goes down (the approximate Wolfe conditions of Hager, Zhang 2005: A new conjugate gradient method).
 *
 * A point along a direction at which the value is not a number or infinite, or at which the function raises an error of the library (a matrix
 * that is not positive definite, say), has gone too far: a shorter step is tried.
 *
 * The search is one loop of tensors: it runs outside of traced functions and inside of them, where it becomes a `whileLoop`. Inside of them an
 * error that the function raises ends the call, and a beginning at which it is not finite is a search that has not converged. Gradients
 * through the search itself are not what is wanted as a rule; differentiate the minimum by the implicit function theorem.
 *
 * @param fn - a function of the parameters that gives a scalar
 * @param params - where to begin: a float tensor or any container of them; `f64` for more than a few digits
 * @param options - `tolerance`, `maxSteps`, `memory`
 * @returns the parameters, the value, the largest component of the gradient, the steps taken, and whether the tolerance was reached
 * @throws ArgumentError for options out of range, for parameters that are not real floats, and where the value or its gradient is not finite at
 *   the beginning
 * @example
 * ```ts
 * import { minimize } from "nx-numerics/optim";
 * const rosenbrock = ({ x, y }: { x: Nx.Tensor; y: Nx.Tensor }) =>
 *   Nx.subtract(1, x).square().add(y.subtract(x.square()).square().multiply(100));
 * const { params, isConverged } = minimize(rosenbrock, { x: Nx.f64(-1.2), y: Nx.f64(1) });
 * [isConverged.item(), params.x.subtract(1).abs().item() < 1e-8, params.y.subtract(1).abs().item() < 1e-8];
 * // => [1, true, true]
 * ```
 * @example
 * ```ts
 * import { minimize } from "nx-numerics/optim";
 * const found = minimize((w) => w.subtract(2).square().sum(), Nx.f64([0, 5], { names: ["x"] }));
 * found.params;
 * // => #Nx.Tensor<
 * //   f64[x: 2]
 * //   [2.0, 2.0]
 * // >
 * minimize((w) => w.square(), Nx.f64([1, 2]));
 * // throws ArgumentError: minimize expects a function that gives a scalar, got shape [2]
 * ```
 */
export function minimize<P>(fn: (params: P) => Nx.Operand, params: P, options?: MinimizeOptions): Minimum<P> {
  const name = "minimize";
  if (typeof fn !== "function")
    throw new ArgumentError(`${name} expects a function of the parameters, got: ${shown(fn)}`);
  const given = checkOptions(name, options, ["tolerance", "maxSteps", "memory"]);
  checkFloats(name, params);
  const start = toVector(params);
  const fallback = start.type === "f64" ? 1e-8 : 1e-4;
  const tolerance = numberOption(name, "tolerance", given.tolerance, fallback, NOT_NEGATIVE);
  const maxSteps = numberOption(name, "maxSteps", given.maxSteps, 500, STEPS);
  const memory = numberOption(name, "memory", given.memory, 10, STEPS);
  const evaluate = evaluatorOf(fn, params);
  const beginning = evaluate(start);
  const isRead = checkBeginning(name, beginning);
  const first: State = {
    ...beginning,
    ...noHistory(start, memory),
    steps: Nx.tensor(0, { type: "s64" }),
    isStuck: Nx.tensor(false),
  };
  const searched = (run: Run): State =>
    run.loop(
      first,
      ({ gradient, steps, isStuck }) =>
        largest(gradient).greater(tolerance).logicalAnd(steps.less(maxSteps)).logicalAnd(isStuck.logicalNot()),
      (state) => stepFrom(state, run),
    );
  const loops = (): State => searched(asLoops(evaluate));
  const last = isRead ? unlessRaised(loops, () => searched(stepByStep(evaluate))) : loops();
  const gradientNorm = largest(last.gradient);
  return {
    params: fromVector(last.x, params),
    value: last.value,
    gradientNorm,
    steps: last.steps,
    isConverged: gradientNorm.lessEqual(tolerance).logicalAnd(last.value.isFinite()),
  };
}

const largest = (gradient: Tensor): Scalar => gradient.abs().reduceMax();

const asLoops = (evaluate: Evaluate): Run => ({
  evaluate,
  loop: (first, goesOn, step) => Nx.Defn.whileLoop(first, goesOn as never, step as never) as typeof first,
});

/** Points at which the function raises an error are not numbers. */
const stepByStep = (evaluate: Evaluate): Run => ({
  evaluate: (x) =>
    unlessRaised(
      () => Nx.evaluate(evaluate(x)),
      () => ({ x, value: Nx.tensor(NaN, { type: x.type }), gradient: x.multiply(NaN) }),
    ),
  loop: (first, goesOn, step) => {
    let state = first;
    while (goesOn(state).item() === 1) state = step(state);
    return state;
  },
});

/** What `fn` gives; where that raises an error of the library, what `otherwise` does. */
function unlessRaised<T>(fn: () => T, otherwise: () => T): T {
  try {
    return fn();
  } catch (error) {
    if (error instanceof NxError) return otherwise();
    throw error;
  }
}

/** Refuses to begin where nothing is finite; gives whether the value could be read, which in a trace it cannot. */
function checkBeginning(name: string, { value, gradient }: Point): boolean {
  const read = unlessRaised(
    () => [value, largest(gradient)].map((t) => t.item() as number),
    () => null,
  );
  if (read === null || read.every(Number.isFinite)) return read !== null;
  throw new ArgumentError(
    `${name} expects parameters to begin with at which the function and its gradient are finite, got the value ${read[0]} with a largest ` +
      `component of the gradient of ${read[1]}; begin elsewhere, or keep the function inside of its domain`,
  );
}

/** The function and its gradient, of a vector. */
function evaluatorOf<P>(fn: (params: P) => Nx.Operand, like: P): Evaluate {
  const scalar = (x: Tensor): Scalar => {
    const value = Nx.toTensor(fn(fromVector(x, like)));
    if (value.rank > 0) {
      throw new ArgumentError(
        `minimize expects a function that gives a scalar, got shape [${value.shape.join(", ")}]; take the sum or the mean`,
      );
    }
    if (!Nx.Type.isComplex(value.type)) return value.asType(x.type) as Scalar;
    throw new ArgumentError(
      `minimize expects a function that gives a real number, got the type ${value.type}; take Nx.abs or Nx.real of it`,
    );
  };
  const both = Nx.valueAndGrad(scalar);
  return (x) => {
    const [value, gradient] = both(x);
    return { x, value, gradient };
  };
}

function stepFrom(state: State, run: Run): State {
  const way = direction(state.gradient, state).negate();
  const slope = state.gradient.dot(way) as Scalar;
  const { point, isFound } = search(state, way, slope, run);
  const history = remembered(state, point.x.subtract(state.x), point.gradient.subtract(state.gradient));
  const isFlatter = largest(point.gradient).less(largest(state.gradient));
  const isBetter = isFound.logicalAnd(isFlatter).logicalOr(point.value.less(state.value));
  const next = <T extends Tensor>(after: T, before: T): T => oneOf(isBetter, after, before);
  return {
    x: next(point.x, state.x),
    value: next(point.value, state.value),
    gradient: next(point.gradient, state.gradient),
    s: next(history.s, state.s),
    y: next(history.y, state.y),
    steps: state.steps.add(1),
    isStuck: isBetter.logicalNot(),
  };
}

/**
 * A point along a direction that meets both conditions: longer steps until one goes too far, then bisection. Where none is found, as before a
 * wall, the farthest that goes down enough.
 */
function search(from: Point, way: Tensor, slope: Scalar, { evaluate, loop }: Run) {
  const at = (length: Scalar): Point => evaluate(from.x.add(way.multiply(length)));
  const noise = from.value.abs().multiply(Nx.Constants.epsilon(slope.type)).multiply(NOISE);
  const judge = (point: Point, length: Scalar): Readonly<Record<"isDown" | "isFlat", Scalar>> => {
    const after = point.gradient.dot(way) as Scalar;
    const isLower = point.value.lessEqual(from.value.add(slope.multiply(length).multiply(DECREASE)));
    const isRounded = point.value.lessEqual(from.value.add(noise));
    const isNear = after.lessEqual(slope.multiply(2 * DECREASE - 1)).logicalAnd(isRounded);
    // what is not a number has gone too far
    return { isDown: isLower.logicalOr(isNear), isFlat: after.greaterEqual(slope.multiply(CURVATURE)) };
  };
  const one = slope.multiply(0).add(1);
  const infinite = Nx.tensor(Infinity, { type: slope.type });
  const start = {
    length: one,
    low: slope.multiply(0),
    high: infinite,
    tries: Nx.tensor(0, { type: "s64" }),
    point: at(one),
    lowest: { x: from.x, value: from.value, gradient: from.gradient },
  };
  const found = loop(
    start,
    ({ point, length, tries }) => {
      const { isDown, isFlat } = judge(point, length);
      return isDown.logicalAnd(isFlat).logicalNot().logicalAnd(tries.less(TRIES));
    },
    ({ point, length, low, high, tries, lowest }) => {
      const { isDown } = judge(point, length);
      const [from, to] = [Nx.where(isDown, length, low), Nx.where(isDown, high, length)];
      const next = Nx.where(to.isInfinity(), from.multiply(2), from.add(to).divide(2));
      return {
        length: next,
        low: from,
        high: to,
        tries: tries.add(1),
        point: at(next),
        lowest: pointOf(isDown, point, lowest),
      };
    },
  );
  const { isDown, isFlat } = judge(found.point, found.length);
  const isLower = isDown.logicalOr(found.point.value.less(found.lowest.value));
  return { point: pointOf(isLower, found.point, found.lowest), isFound: isDown.logicalAnd(isFlat) };
}

const oneOf = <T extends Tensor>(isFirst: Scalar, first: T, second: T): T =>
  Nx.where(isFirst, first, second) as Tensor as T;

const pointOf = (isFirst: Scalar, first: Point, second: Point): Point => ({
  x: oneOf(isFirst, first.x, second.x),
  value: oneOf(isFirst, first.value, second.value),
  gradient: oneOf(isFirst, first.gradient, second.gradient),
});
