/**
 * Adding elements around a tensor: with a value, or by reflection.
 */
import { ArgumentError, show } from "../../core/errors";
import { isListOf } from "../../core/lists";
import { TAKE } from "../../backends/primitives";
import { checkOptions } from "../../core/options";
import { checkSize, formatShape, type Names, type Shape } from "../../core/shape";
import { commonType } from "../../core/promotion";
import type { Tensor } from "../../tensor";
import type { Operand } from "../../tensor";
import { asTensor, asTensorLike, cast, apart, run, template } from "../dispatch";
import { tensor as makeTensor } from "../creation";

/** Padding of one axis: elements before, after and between. */
export type PadConfig = readonly [low: number, high: number, interior?: number];

/**
 * Adds elements before, after and between those of a tensor. Negative counts before and after take elements away, once
 * those between have been added.
 *
 * @param tensor - a tensor of any shape
 * @param value - scalar for the new elements; a plain number is weak
 * @param config - per axis `[low, high]` or `[low, high, interior]`
 * @returns a tensor of the same names and of shape (n - 1) * interior + n + low + high along each axis
 * @throws ArgumentError when the value is no scalar, there is not one entry per axis, or nothing would be left of an axis
 * @example
 * ```ts
 * Nx.pad(Nx.tensor([[1, 2], [3, 4]], { names: ["x", "y"] }), 0, [[0, 0], [1, -1, 1]]);
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [0, 1, 0],
 * //     [0, 3, 0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.pad(Nx.tensor([1, 2]), 0, [[-1, -1]]);
 * // throws ArgumentError: Nx.pad with [-1, -1] would leave nothing of axis 0 of [2]; empty tensors do not
 * ```
 */
export function pad<N extends Names = readonly []>(
  tensor: Operand<N>,
  value: Operand,
  config: readonly PadConfig[],
): Tensor<N> {
  const t = asTensor(tensor, "Nx.pad");
  const filler = asTensorLike(value, t, "Nx.pad");
  if (filler.shape.length !== 0) {
    throw new ArgumentError(
      `Nx.pad expects a scalar value, got a tensor of shape ${formatShape(filler.shape, filler.names)}`,
    );
  }
  const full = checkConfig(t, config);
  const shape = Object.freeze(t.shape.map((dim, i) => (dim - 1) * full[i]![2] + dim + full[i]![0] + full[i]![1]));
  const empty = shape.findIndex((dim) => dim < 1);
  if (empty >= 0) {
    throw new ArgumentError(
      `Nx.pad with ${show(config[empty])} would leave nothing of axis ${empty} of ${formatShape(t.shape, t.names)}; empty tensors do not exist`,
    );
  }
  checkSize(shape, "Nx.pad: the result's shape");
  const type = commonType("Nx.pad", t, filler);
  if (full.every((counts) => counts.every((count) => count === 0))) {
    return apart(cast(t, type), t) as Tensor as Tensor<N>;
  }
  const out = template(type, shape, t.names);
  return run("pad", out, [t, filler], { config: full }) as Tensor as Tensor<N>;
}

function checkConfig(t: Tensor, config: unknown): (readonly [number, number, number])[] {
  const wrong = () =>
    new ArgumentError(
      `Nx.pad expects [low, high] or [low, high, interior] for each of the ${t.shape.length} axes of ` +
        `${formatShape(t.shape, t.names)}, integers with interior >= 0, got: ${show(config)}`,
    );
  if (!Array.isArray(config) || config.length !== t.shape.length) throw wrong();
  return Array.from(config as unknown[], (entry) => {
    if (!isListOf(entry, Number.isInteger) || entry.length < 2 || entry.length > 3) throw wrong();
    const [low, high, interior = 0] = entry as [number, number, number?];
    if (interior < 0) throw wrong();
    return [low, high, interior] as const;
  });
}

/**
 * Adds elements before and after those of a tensor by reflecting it at its edges, as often as needed; the edge itself is
 * not repeated.
 *
 * @param tensor - a tensor of rank 1 or more
 * @param options - `paddingConfig`: per axis `[low, high]`, not negative
 * @returns a tensor of the same names and type
 * @throws ArgumentError for a scalar, or unless there is one entry per axis
 * @example
 * ```ts
 * Nx.reflect(Nx.tensor([1, 2, 3], { names: ["x"] }), { paddingConfig: [[5, 4]] });
 * // => #Nx.Tensor<
 * //   s64[x: 12]
 * //   [2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.reflect(Nx.tensor([1, 2, 3]), { paddingConfig: [[-1, 0]] });
 * // throws ArgumentError: Nx.reflect expects paddingConfig with [low, high] for each of the 1 axes of [3], integers >= 0
 * ```
 */
export function reflect<N extends Names = readonly []>(
  tensor: Operand<N>,
  options?: { readonly paddingConfig?: readonly (readonly [low: number, high: number])[] },
): Tensor<N> {
  options = checkOptions("Nx.reflect", options, ["paddingConfig"]);
  const t = asTensor(tensor, "Nx.reflect");
  if (t.shape.length === 0) throw new ArgumentError("Nx.reflect expects a tensor of rank 1 or more, got a scalar");
  const config = options?.paddingConfig === undefined ? t.shape.map(() => [0, 0] as const) : options.paddingConfig;
  const valid = isListOf(config, isReflection) && config.length === t.shape.length;
  if (!valid) {
    throw new ArgumentError(
      `Nx.reflect expects paddingConfig with [low, high] for each of the ${t.shape.length} axes of ` +
        `${formatShape(t.shape, t.names)}, integers >= 0, got: ${show(config)}`,
    );
  }
  const reflected = config.reduce<Tensor>((padded, [low, high], axis) => reflectAxis(padded, axis, low, high), t);
  return apart(reflected, t) as Tensor<N>;
}

function isReflection(entry: unknown): boolean {
  const isCount = (count: unknown) => Number.isInteger(count) && (count as number) >= 0;
  return isListOf(entry, isCount) && entry.length === 2;
}

function reflectAxis(t: Tensor, axis: number, low: number, high: number): Tensor {
  if (low === 0 && high === 0) return t;
  const size = t.shape[axis]!;
  const length = low + size + high;
  const shape: Shape = Object.freeze(t.shape.map((dim, i) => (i === axis ? length : dim)));
  checkSize(shape, "Nx.reflect: the result's shape");
  const period = Math.max(2 * (size - 1), 1);
  const positions = Array.from({ length }, (_, i) => {
    const phase = (((i - low) % period) + period) % period;
    return phase < size ? phase : period - phase;
  });
  return run(TAKE, template(t.type, shape, t.names), [t, makeTensor(positions, { type: "s64" })], { axis });
}
