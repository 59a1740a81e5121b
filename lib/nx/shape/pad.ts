/**
 * Adding elements around a tensor: with a value, or with those that continue it.
 */
import { ArgumentError, show } from "../../core/errors";
import { isListOf } from "../../core/lists";
import { PAD, REVERSE, TAKE } from "../../backends/primitives";
import { checkOptions } from "../../core/options";
import { checkSize, formatShape, type Names, type Shape } from "../../core/shape";
import { commonType } from "../../core/promotion";
import type { Tensor } from "../../tensor";
import type { Operand } from "../../tensor";
import { sliceAlong } from "../aggregates/core";
import { asTensor, asTensorLike, cast, apart, run, template } from "../dispatch";
import { tensor as makeTensor } from "../creation";
import { keepingResult } from "../tidy";

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
  return run(PAD, out, [t, filler], { config: full }) as Tensor as Tensor<N>;
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
  return continued("Nx.reflect", t, "reflect", "paddingConfig with ", config) as Tensor<N>;
}

/** How a tensor goes on outside of its edges. */
export type PadMode = "cyclic" | "replicate" | "reflect" | "mirror";

/**
 * Adds elements before and after those of a tensor that continue it, as often as needed.
 *
 * @param tensor - a tensor of any shape; a scalar has no axes to continue
 * @param mode - `"cyclic"` begins anew behind the end (NumPy's `"wrap"`), `"replicate"` repeats the edge (`"edge"`), `"reflect"` goes back from
 *   the edge without repeating it, `"mirror"` goes back and repeats it (`"symmetric"`)
 * @param config - per axis `[low, high]`, how many before and after, not negative
 * @returns a tensor of the same names and type, of shape low + n + high along each axis
 * @throws ArgumentError for another mode, or unless there is one entry per axis
 * @example
 * ```ts
 * const t = Nx.tensor([1, 2, 3], { names: ["x"] });
 * Nx.padOuter(t, "replicate", [[2, 1]]).toList();
 * // => [ 1, 1, 1, 2, 3, 3 ]
 * Nx.padOuter(t, "cyclic", [[2, 1]]).toList();
 * // => [ 2, 3, 1, 2, 3, 1 ]
 * Nx.padOuter(t, "mirror", [[2, 1]]).toList();
 * // => [ 2, 1, 1, 2, 3, 3 ]
 * ```
 * @example
 * ```ts
 * Nx.padOuter(Nx.iota([2, 2]), "edge" as "replicate", [[1, 1], [1, 1]]);
 * // throws ArgumentError: Nx.padOuter expects "cyclic", "replicate", "reflect" or "mirror", got: "edge"
 * ```
 */
export function padOuter<N extends Names = readonly []>(
  tensor: Operand<N>,
  mode: PadMode,
  config: readonly (readonly [low: number, high: number])[],
): Tensor<N> {
  const t = asTensor(tensor, "Nx.padOuter");
  if (typeof mode !== "string" || !Object.hasOwn(SOURCES, mode)) {
    throw new ArgumentError(`Nx.padOuter expects "cyclic", "replicate", "reflect" or "mirror", got: ${show(mode)}`);
  }
  return continued("Nx.padOuter", t, mode, "", config) as Tensor<N>;
}

/** Where the element at a place comes from, which may be outside of an axis of a size. */
const SOURCES: Readonly<Record<PadMode, (place: number, size: number) => number>> = {
  cyclic: modulo,
  replicate: (place, size) => Math.min(Math.max(place, 0), size - 1),
  reflect(place, size) {
    const period = Math.max(2 * (size - 1), 1);
    const phase = modulo(place, period);
    return phase < size ? phase : period - phase;
  },
  mirror(place, size) {
    const phase = modulo(place, 2 * size);
    return phase < size ? phase : 2 * size - 1 - phase;
  },
};

function modulo(place: number, period: number): number {
  return ((place % period) + period) % period;
}

/** A tensor that goes on at its edges; `what` stands before the entries of `config` in errors. */
function continued(fn: string, t: Tensor, mode: PadMode, what: string, config: unknown): Tensor {
  if (!isListOf(config, isOutside) || config.length !== t.shape.length) {
    throw new ArgumentError(
      `${fn} expects ${what}[low, high] for each of the ${t.shape.length} axes of ` +
        `${formatShape(t.shape, t.names)}, integers >= 0, got: ${show(config)}`,
    );
  }
  const along = (padded: Tensor, [low, high]: readonly [number, number], axis: number): Tensor => {
    if (low === 0 && high === 0) return padded;
    const size = padded.shape[axis]!;
    const shape = withSize(padded.shape, axis, low + size + high);
    checkSize(shape, `${fn}: the result's shape`);
    return taken(padded, axis, shape, (place) => SOURCES[mode](place - low, size));
  };
  return apart(keepingResult(() => (config as readonly (readonly [number, number])[]).reduce(along, t)), t); // prettier-ignore
}

function isOutside(entry: unknown): boolean {
  const isCount = (count: unknown) => Number.isInteger(count) && (count as number) >= 0;
  return isListOf(entry, isCount) && entry.length === 2;
}

const withSize = (shape: Shape, axis: number, size: number): Shape =>
  Object.freeze(shape.map((dim, i) => (i === axis ? size : dim)));

/** Places of an axis that follow each other: `count` of them from `start` on, by steps of 1, -1 or 0. */
interface Stretch {
  start: number;
  step: number;
  count: number;
}

/** The most of them that are joined, which kernels read where they lie. */
const MOST_STRETCHES = 4;

/** The elements of an axis from the places that are given for the new ones: a few stretches of neighbours joined, or one by one. */
function taken(t: Tensor, axis: number, shape: Shape, source: (place: number) => number): Tensor {
  const places = Array.from({ length: shape[axis]! }, (_, i) => source(i));
  const stretches = stretchesOf(places);
  const out = template(t.type, shape, t.names);
  if (stretches.length > MOST_STRETCHES) return run(TAKE, out, [t, makeTensor(places, { type: "s64" })], { axis });
  return run("concatenate", out, stretches.map((one) => pieceOf(t, axis, one)), { axis }); // prettier-ignore
}

function stretchesOf(places: readonly number[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const place of places) {
    const last = stretches.at(-1);
    const step = last ? place - (last.start + last.step * (last.count - 1)) : NaN;
    if (last && (last.count === 1 ? Math.abs(step) <= 1 : step === last.step)) {
      last.step = step;
      last.count++;
    } else stretches.push({ start: place, step: 0, count: 1 });
  }
  return stretches;
}

function pieceOf(t: Tensor, axis: number, { start, step, count }: Stretch): Tensor {
  const length = step === 0 ? 1 : count;
  const piece = sliceAlong(t, axis, step < 0 ? start - count + 1 : start, length);
  const out = template(t.type, withSize(t.shape, axis, count), t.names);
  if (step < 0) return run(REVERSE, out, [piece], { axes: [axis] });
  return count === length ? piece : run("broadcast", out, [piece], { axes: t.shape.map((_, i) => i) });
}
