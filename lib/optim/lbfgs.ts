/**
 * L-BFGS: the direction of a quasi-Newton step from the last steps and changes of the gradient.
 */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { checkOptions, noSteps, numberOption, optimizer, needed, STEPS, type Optimizer, type Rate } from "./common";
import { chained, descend } from "./transforms";
import { fromVector, toVector } from "./vector";

/** The last steps `s` and changes of the gradient `y`, newest last: `[memory, n]`; rows of zeros stand for none. */
export interface History {
  readonly s: Tensor;
  readonly y: Tensor;
}

export function noHistory(vector: Tensor, memory: number): History {
  const zeros = vector.multiply(0).newAxis(0).tile([memory, 1]);
  return { s: zeros, y: zeros };
}

/** A history with one more pair; one along which the gradient does not rise is left out, so that the matrix stays positive definite. */
export function remembered({ s, y }: History, step: Tensor, change: Tensor): History {
  const isRising = step.dot(change).greater(0);
  const pushed = (rows: Tensor, row: Tensor): Tensor => {
    const kept = rows.shape[0]! === 1 ? [] : [rows.slice([1, 0], [rows.shape[0]! - 1, rows.shape[1]!])];
    return Nx.where(isRising, Nx.concatenate([...kept, row.newAxis(0)]), rows);
  };
  return { s: pushed(s, step), y: pushed(y, change) };
}

/** The quotient, or 0 where there is nothing to divide by. */
const quotient = (a: Tensor, b: Tensor): Tensor => Nx.where(b.greater(0), a.divide(Nx.where(b.greater(0), b, 1)), 0);

/** The gradient times the approximation of the inverse Hessian (Nocedal, Wright 2006: Numerical optimization, algorithm 7.4). */
export function direction(gradient: Tensor, { s, y }: History): Tensor {
  const memory = s.shape[0]!;
  const pairs = Array.from({ length: memory }, (_, i) => ({ s: s.at(i), y: y.at(i) }));
  const curvatures = pairs.map((pair) => pair.s.dot(pair.y));
  let q = gradient;
  const alphas: Tensor[] = [];
  for (let i = memory - 1; i >= 0; i--) {
    alphas[i] = quotient(pairs[i]!.s.dot(q), curvatures[i]!);
    q = q.subtract(alphas[i]!.multiply(pairs[i]!.y));
  }
  const newest = pairs[memory - 1]!;
  const scale = quotient(curvatures[memory - 1]!, newest.y.dot(newest.y)); // equation 7.20
  const norm = gradient.dot(gradient).sqrt();
  const first = Nx.where(norm.greater(1), Nx.divide(1, Nx.where(norm.greater(1), norm, 1)), 1); // a step of length 1 at most
  let r = q.multiply(Nx.where(curvatures[memory - 1]!.greater(0), scale, first));
  for (let i = 0; i < memory; i++) {
    const beta = quotient(pairs[i]!.y.dot(r), curvatures[i]!);
    r = r.add(pairs[i]!.s.multiply(alphas[i]!.subtract(beta)));
  }
  return r;
}

/** Options of {@link lbfgs}. */
export interface LbfgsOptions {
  /** How many of the last steps are remembered; 10 when left out. */
  readonly memory?: number;
}

interface LbfgsState extends History {
  readonly steps: Tensor;
  readonly params: Tensor;
  readonly gradients: Tensor;
}

/**
 * L-BFGS with a given learning rate: the two-loop recursion over the last steps (Nocedal, Wright 2006, algorithm 7.4), without a line search. The
 * first step is one against the gradient, of length 1 at most. {@link minimize} has a line search, and is what to use for functions that
 * are not random.
 *
 * @param learningRate - a number, 1 in the theory; a scalar tensor or a schedule
 * @param options - `memory`: how many steps are remembered
 * @returns an optimizer, whose `update` needs the parameters
 * @throws ArgumentError for options out of range
 * @example
 * ```ts
 * import { applyUpdates, lbfgs } from "nx-numerics/optim";
 * const optimizer = lbfgs(1, { memory: 2 });
 * let w = Nx.f64([3, -2], { names: ["x"] });
 * let state = optimizer.init(w);
 * const curvature = Nx.f64([1, 4], { names: ["x"] });
 * for (let i = 0; i < 12; i++) {
 *   const [updates, next] = optimizer.update(w.multiply(curvature), state, w);
 *   [w, state] = [applyUpdates(w, updates), next];
 * }
 * w.abs().reduceMax().item() < 1e-6;
 * // => true
 * lbfgs(1, { memory: 0 });
 * // throws ArgumentError: option memory of lbfgs must be a whole number of at least 1, got: 0
 * ```
 */
export function lbfgs(learningRate: Rate, options?: LbfgsOptions): Optimizer {
  const fn = "lbfgs";
  const memory = numberOption(fn, "memory", checkOptions(fn, options, ["memory"]).memory, 10, STEPS);
  const part = optimizer<LbfgsState>(
    fn,
    (params) => {
      const vector = toVector(params);
      return { steps: noSteps(), params: vector, gradients: vector.multiply(0), ...noHistory(vector, memory) };
    },
    <G>(gradients: G, state: LbfgsState, params: unknown) => {
      const [x, g] = [toVector(needed(fn, params)), toVector(gradients)];
      const isFirst = state.steps.equal(0);
      const step = Nx.where(isFirst, x.multiply(0), x.subtract(state.params));
      const history = remembered(state, step, g.subtract(state.gradients));
      const updates = fromVector(direction(g, history), gradients);
      return [updates, { steps: state.steps.add(1), params: x, gradients: g, ...history }] as [G, LbfgsState];
    },
  );
  return chained(fn, [part, descend(fn, learningRate)]);
}
