/**
 * What the parts of `nx-numerics/optim` share: the form of optimizers, containers of tensors, checks of options.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Operand, type Tensor } from "nx-numerics";

/** What an optimizer remembers between steps: a container of tensors, which `defn`, `scan` and `whileLoop` pass on. */
export interface OptimizerState {
  readonly [slot: string]: unknown;
}

/** An optimizer, or a part of one: two functions without memory of their own. */
export interface Optimizer {
  /**
   * The state before the first step.
   *
   * @param params - the parameters: a float tensor, or any container of them
   */
  init(params: unknown): OptimizerState;
  /**
   * What is to be added to the parameters, and the state after the step.
   *
   * @param gradients - of the loss by the parameters, in the container of the parameters
   * @param state - of the step before, or of `init`
   * @param params - the parameters, for those optimizers that look at them: weight decay and L-BFGS do
   */
  update<G>(gradients: G, state: OptimizerState, params?: unknown): [updates: G, state: OptimizerState];
}

/** A number that may change from step to step, from the number of steps taken before: an `s64` scalar, 0 in the first. */
export type Schedule = (step: Tensor) => Operand;

/** A learning rate: a number, a scalar tensor, or a schedule. */
export type Rate = Operand | Schedule;

const { leaves, map } = Nx.Defn.Composite;

/** The container with its tensors replaced; others have the same structure and are gone along with. */
export function mapTensors<C>(fn: (...tensors: Tensor[]) => Operand, first: C, ...others: readonly unknown[]): C {
  return map(fn, first, ...others) as C;
}

/** The sum over all tensors of a container. */
export function total(container: unknown, fn: (tensor: Tensor) => Tensor): Tensor {
  const [first, ...rest] = leaves(container).map((tensor) => fn(tensor).sum());
  if (first === undefined) throw new ArgumentError("an optimizer needs one tensor of parameters at least");
  return rest.reduce<Tensor>((sum, term) => sum.add(term), first);
}

/** The number of the first step, in a type that counts exactly for long enough. */
export const noSteps = (): Tensor => Nx.tensor(0, { type: "s64" });

/** A rate at a step, in the type of what it is multiplied with: plain numbers adapt by themselves. */
export function rateAt(rate: Rate, step: Tensor, type: Nx.DType): Operand {
  const value = typeof rate === "function" ? rate(step) : rate;
  return value instanceof Nx.Tensor ? value.asType(type) : value;
}

/** The type in which counts of steps are raised to powers, and gradients squared: half floats count to 2048 only, and f16 ends at 65504. */
export const wideType = (type: Nx.DType): Nx.DType => (type === "f64" ? "f64" : "f32");

/**
 * The two functions of an optimizer with its checks in front: parameters are floats, and gradients stand in the same container.
 */
export function optimizer<S extends object>(
  name: string,
  init: (params: unknown) => S,
  update: <G>(gradients: G, state: S, params: unknown) => [G, S],
): Optimizer {
  return Object.freeze({
    init(params: unknown): OptimizerState {
      checkFloats(name, params);
      return init(params) as unknown as OptimizerState;
    },
    update<G>(gradients: G, state: OptimizerState, params?: unknown): [G, OptimizerState] {
      try {
        return update(gradients, state as unknown as S, params) as unknown as [G, OptimizerState];
      } catch (error) {
        throw explained(name, error);
      }
    },
  });
}

/** Checks that a state is one of `init` or of the step before: gradients and parameters in its place would be taken for it, or end in an error of the language. */
export function checkState(name: string, state: unknown, slots: readonly string[]): void {
  const isPlain = typeof state === "object" && state !== null && !Nx.isTensor(state);
  const found = isPlain ? Object.keys(state) : [];
  if (isPlain && found.length === slots.length && slots.every((slot) => found.includes(slot))) return;
  const got = isPlain && !Array.isArray(state) && found.length > 0 ? `{ ${found.join(", ")} }` : shown(state);
  throw new ArgumentError(
    `${name} expects the state as the second argument of update, what init or the step before gave, got: ${got}; ` +
      `call update(gradients, state, params)`,
  );
}

/** An error of containers that do not fit together, in words of the caller. */
function explained(name: string, error: unknown): unknown {
  const found = error instanceof ArgumentError && /same structure, got: (.*)$/s.exec(error.message);
  if (!found) return error;
  return new ArgumentError(
    `${name} expects gradients in the container that init was given, got: ${found[1]}; ` +
      `give the state of these parameters, and take gradients with Nx.grad by all of them`,
  );
}

/** The tensors of parameters, of which there is one at least. */
export function checkTensors(name: string, params: unknown): readonly Tensor[] {
  const found = leaves(params);
  if (found.length > 0) return found;
  throw new ArgumentError(`${name} expects parameters, got a container without tensors`);
}

/** Checks that parameters are tensors of real floats. */
export function checkFloats(name: string, params: unknown): void {
  const found = checkTensors(name, params);
  const other = found.find(({ type }) => !["f16", "bf16", "f32", "f64"].includes(type));
  if (other === undefined) return;
  throw new ArgumentError(
    `${name} expects parameters of floats, got one of type ${other.type} and shape [${other.shape.join(", ")}]; ` +
      `make it with Nx.f32(...) or cast it`,
  );
}

/** The parameters where an optimizer cannot do without them. */
export function needed(name: string, params: unknown): unknown {
  if (params !== undefined) return params;
  throw new ArgumentError(`${name} looks at the parameters: call update(gradients, state, params)`);
}

/** Checks that options are an object with known keys only. */
export function checkOptions<O extends object>(
  fn: string,
  options: O | undefined,
  allowed: readonly string[],
): Partial<O> {
  if (options === undefined) return {};
  const isPlain = typeof options === "object" && options !== null && !Array.isArray(options) && !Nx.isTensor(options);
  const unknown = isPlain ? Object.keys(options).find((key) => !allowed.includes(key)) : shown(options);
  if (unknown === undefined) return options;
  throw new ArgumentError(`${fn} takes the options ${allowed.join(", ")}, got: ${unknown}`);
}

/** A number option within bounds, with the words that say which. */
export function numberOption(
  fn: string,
  key: string,
  value: unknown,
  fallback: number,
  [isValid, expected]: Bounds = FINITE,
): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && isValid(value)) return value;
  throw new ArgumentError(`option ${key} of ${fn} must be ${expected}, got: ${shown(value)}`);
}

/** A number argument within bounds. */
export function numberArgument(fn: string, name: string, value: unknown, [isValid, expected]: Bounds = FINITE): number {
  if (typeof value === "number" && isValid(value)) return value;
  throw new ArgumentError(`${fn} expects ${name} to be ${expected}, got: ${shown(value)}`);
}

type Bounds = readonly [isValid: (value: number) => boolean, expected: string];

const bounds = (isValid: (value: number) => boolean, expected: string): Bounds => [isValid, expected];

export const FINITE = bounds(Number.isFinite, "a number");
export const POSITIVE = bounds((x) => x > 0 && x < Infinity, "a positive number");
export const NOT_NEGATIVE = bounds((x) => x >= 0 && x < Infinity, "a number of at least 0");
export const FRACTION = bounds((x) => x >= 0 && x < 1, "a number from 0 to below 1");
export const STEPS = bounds((x) => Number.isInteger(x) && x >= 1, "a whole number of at least 1");
export const COUNT = bounds((x) => Number.isInteger(x) && x >= 0, "a whole number of at least 0");

/** A learning rate that can be one. */
export function checkRate(fn: string, rate: unknown): Rate {
  if (typeof rate === "function") return rate as Schedule;
  if (rate instanceof Nx.Tensor && rate.rank === 0) return rate;
  if (typeof rate === "number" && Number.isFinite(rate)) return rate;
  throw new ArgumentError(
    `${fn} expects a learning rate: a number, a scalar tensor or a schedule, got: ${shown(rate)}; the rate is the first argument: ${fn}(0.001)`,
  );
}

/** A value in a message. */
export function shown(value: unknown): string {
  if (value instanceof Nx.Tensor) return `a tensor of type ${value.type} and shape [${value.shape.join(", ")}]`;
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "number" || value === null || value === undefined
    ? String(value)
    : `a value of type ${typeof value}`;
}
