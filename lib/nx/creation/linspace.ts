/**
 * Evenly spaced samples, as a composite of other functions.
 */
import { ADD, DIVIDE, EQUAL, FLOOR, MULTIPLY, SUBTRACT } from "../../backends/ops";
import type { BackendSpec, Template } from "../../backend";
import { creationBackend, runWithBackend } from "../../backends/registry";
import type { Merge, Plain, Unguessed } from "../../core/axis-types";
import { ArgumentError, show } from "../../core/errors";
import { defaultComplex, defaultFloat } from "../../core/default-types";
import { checkName, mergeNames, uniqueNames, unnamed } from "../../core/names";
import { booleanOption, checkOptions } from "../../core/options";
import { checkShape, formatShape, sameShape, type Name, type Names, type Shape } from "../../core/shape";
import { isComplex, isInteger, mergeTypes, normalizeType, type DType } from "../../core/types";
import type { Looped, LoopedBinary } from "../../backends/binary/lanes/brought";
import type { Right } from "../../methods";
import { Tensor, type Operand } from "../../tensor";
import { asTensor, constant, isStrong, isWeak, run, template as outTemplate, weakAs, weakType } from "../dispatch";
import { givingBack } from "../tidy";
import { iota } from "./generators";
import { renamed } from "./tensor";

/** Options of `Nx.linspace`. */
export interface LinspaceOptions<M extends Name = Name> {
  /** Number of samples, at least 1. */
  readonly n: number;
  /** Name of the axis of samples. */
  readonly name?: M;
  /** The same as a list of one, as functions of any shape take it. */
  readonly names?: readonly [M];
  /** Element type; when left out `f32`, `f64` where a bound is a tensor of it, complex where a bound is. */
  readonly type?: DType;
  /** Whether `stop` is the last sample; true when left out. */
  readonly endpoint?: boolean;
  /** The backend that will hold the tensor. */
  readonly backend?: BackendSpec;
}

/**
 * Evenly spaced samples from `start` to `stop`. They are computed in f64 and converted last; integer types take the floor.
 *
 * @param start - first sample; a tensor gives one row of samples for each of its elements
 * @param stop - last sample, exactly; left out itself where `endpoint` is false. Of the shape of `start`
 * @param options - `n` samples (required), `name` of their axis, `type` (`f32`; `f64` or complex as the bounds are), `endpoint`
 *   (true), `backend`
 * @returns a tensor of the shape of `start` with an axis of size `n` added at the end
 * @throws ArgumentError if `n` is no positive integer, or the shapes differ
 * @example
 * ```ts
 * Nx.linspace(5, 8, { n: 5 });
 * // => #Nx.Tensor<
 * //   f32[5]
 * //   [5.0, 5.75, 6.5, 7.25, 8.0]
 * // >
 * Nx.linspace(0, 10, { n: 5, endpoint: false, name: "x" });
 * // => #Nx.Tensor<
 * //   f32[x: 5]
 * //   [0.0, 2.0, 4.0, 6.0, 8.0]
 * // >
 * ```
 * @example
 * With the end included, 8 samples over 24 are 24/7 apart, which integer types cut down:
 * ```ts
 * Nx.linspace(0, 24, { n: 8, type: "u8" });
 * // => #Nx.Tensor<
 * //   u8[8]
 * //   [0, 3, 6, 10, 13, 17, 20, 24]
 * // >
 * ```
 * @example
 * The digits of an f64 bound are kept, those of the plain one beside it, too:
 * ```ts
 * Nx.linspace(Nx.f64(0), 0.3, { n: 2 });
 * // => #Nx.Tensor<
 * //   f64[2]
 * //   [0.0, 0.3]
 * // >
 * ```
 * @example
 * Tensors give a row of samples per element:
 * ```ts
 * Nx.linspace(Nx.tensor([0, 10]), Nx.tensor([10, 100]), { n: 3, name: "samples" });
 * // => #Nx.Tensor<
 * //   f32[2][samples: 3]
 * //   [
 * //     [0.0, 5.0, 10.0],
 * //     [10.0, 55.0, 100.0]
 * //   ]
 * // >
 * Nx.linspace(Nx.tensor([[0, 1]]), Nx.tensor([1, 2, 3]), { n: 2 });
 * // throws ArgumentError: Nx.linspace: expected start and stop to have the same shape. Got shapes [1][2] and [3]
 * ```
 */
export function linspace<L extends Names = readonly [], R extends Names = readonly [], const M extends Name = null>(
  start: Operand<L>,
  stop: Right<L, R>,
  options: LinspaceOptions<M>,
): Tensor<Plain<readonly [...Merge<L, R>, Unguessed<M>]>>;
export function linspace(start: Operand, stop: Operand, options: LinspaceOptions): Tensor {
  options = checkOptions("Nx.linspace", options, ["n", "name", "type", "endpoint", "backend"]);
  const n: unknown = (options as Partial<LinspaceOptions> | undefined)?.n;
  if (typeof n !== "number" || !Number.isInteger(n) || n < 1) {
    throw new ArgumentError(`Nx.linspace: expected n to be a positive integer, got: ${show(n)}`);
  }
  const type = options.type === undefined ? typeBetween(start, stop) : normalizeType(options.type);
  const endpoint = booleanOption("Nx.linspace", "endpoint", options.endpoint, true);
  const name = options.name === undefined ? null : checkName(options.name);
  const compute = () => {
    const [a, b] = [endOf(start), endOf(stop)];
    const { shape, names } = sampleTemplate(a, b, n, name, type);
    return givingBack(n, () => converted(samples(a, b, n, endpoint), outTemplate(type, shape, names)));
  };
  return options.backend === undefined ? compute() : runWithBackend(creationBackend(options.backend), compute);
}

/** Type of the samples where none is asked for: no bound loses digits or a part. */
function typeBetween(start: Operand, stop: Operand): DType {
  const isDecided = [start, stop].some((bound) => isStrong(bound) && !isInteger(bound.type));
  const [float, complex] = isDecided ? (["f32", "c64"] as const) : [defaultFloat(), defaultComplex()];
  const typeOf = (bound: Operand): DType => {
    if (isWeak(bound)) return isComplex(weakType(bound)) ? complex : float;
    return bound instanceof Tensor && (bound.type === "f64" || isComplex(bound.type)) ? bound.type : float;
  };
  return mergeTypes(typeOf(start), typeOf(stop));
}

/** A start or stop; a plain one with all its digits, since the samples are computed in f64. */
function endOf(value: Operand): Tensor {
  if (!isWeak(value)) return asTensor(value, "Nx.linspace");
  return weakAs(value, isComplex(weakType(value)) ? "c128" : "f64");
}

function sampleTemplate(a: Tensor, b: Tensor, n: number, name: string | null, type: DType): Template {
  if (!sameShape(a.shape, b.shape)) {
    const shapes = `${formatShape(a.shape, a.names)} and ${formatShape(b.shape, b.names)}`;
    throw new ArgumentError(
      `expected start and stop to have the same shape. Got shapes ${shapes}; broadcast one to the other with Nx.broadcast`,
    );
  }
  const shape = checkShape([...a.shape, n], "shape of Nx.linspace");
  const names = Object.freeze([...mergeNames(a.names, a.shape, b.names, b.shape), name]);
  return outTemplate(type, shape, uniqueNames(names, shape));
}

/** The samples before they are converted: `a + i * step`, and `b` itself in the last place if that is a sample. */
function samples(a: Tensor, b: Tensor, n: number, endpoint: boolean): Tensor {
  const type = isComplex(a.type) || isComplex(b.type) ? "c128" : "f64";
  // numbers stay scalars, which kernels read once
  const column = (t: Tensor) => (t.shape.length === 0 ? cast(t, type) : reshaped(cast(t, type), [...t.shape, 1]));
  const [first, last] = [column(a), column(b)];
  const shape = Object.freeze([...a.shape, n]);
  const arithmetic = (op: Looped<LoopedBinary>, left: Tensor, right: Tensor, of: Shape) =>
    run("binary", outTemplate(type, of, unnamed(of.length)), [left, right], { op, type });
  const index = iota([n], { type: "f64" });
  const divisor = constant(Math.max(endpoint ? n - 1 : n, 1), "f64");
  const step = arithmetic(DIVIDE, arithmetic(SUBTRACT, last, first, first.shape), divisor, first.shape);
  const inner = arithmetic(ADD, first, arithmetic(MULTIPLY, index, step, shape), shape);
  if (!endpoint || n === 1) return inner;
  const isLast = run("binary", outTemplate("u8", [n], unnamed(1)), [index, constant(n - 1, "f64")], {
    op: EQUAL,
    type: "f64",
  });
  const everywhere = run("broadcast", outTemplate("u8", shape, unnamed(shape.length)), [isLast], {
    axes: [shape.length - 1],
  });
  return run("select", outTemplate(type, shape, unnamed(shape.length)), [everywhere, last, inner], {});
}

function cast(t: Tensor, type: DType): Tensor {
  return t.type === type ? t : run("asType", outTemplate(type, t.shape, t.names), [t], { overflow: "saturate" });
}

function reshaped(t: Tensor, shape: number[]): Tensor {
  return run("reshape", outTemplate(t.type, Object.freeze(shape), unnamed(shape.length)), [t], {});
}

function converted(t: Tensor, out: Template): Tensor {
  const whole = isInteger(out.type) && !isComplex(t.type);
  const floored = whole ? run("unary", outTemplate(t.type, out.shape, out.names), [t], { op: FLOOR }) : t;
  if (floored.type !== out.type) return run("asType", out, [floored], { overflow: "saturate" });
  return renamed(floored, out.names);
}
