/**
 * Transforms of whole signals that are made of the Fourier transform: cosine transforms and the analytic signal.
 */
import type { AxisOf, Spectrum } from "../core/axis-types";
import { ArgumentError, show } from "../core/errors";
import { checkOptions, checkPlace, integerOption, wordOption, type AlsoAxes, type More } from "../core/options";
import { unchecked } from "../core/promotion-scope";
import { resolveAxis, sizeOf, type Axis, type Name, type Names } from "../core/shape";
import { isComplex, toFloating } from "../core/types";
import { padAlong, reshapeTo, sliceAlong } from "../nx/aggregates/core";
import { iota, tensor } from "../nx/creation";
import { renamed } from "../nx/creation/tensor";
import { asTensor, cast, constant } from "../nx/dispatch";
import {
  add,
  complex,
  cos,
  divide,
  equal,
  imag,
  less,
  logicalOr,
  multiply,
  real,
  sin,
  subtract,
  where,
} from "../nx/elementwise";
import { fft, ifft, resized, rfft, titled } from "../nx/ndim/fft";
import { reverse } from "../nx/ndim/sort";
import { take } from "../nx/indexed";
import { givingBack } from "../nx/tidy";
import { concatenate } from "../nx/ndim/join";
import type { Operand, Tensor } from "../tensor";

/** Options of `Nx.Signal.dct` and `Nx.Signal.idct`. */
export interface DctOptions<A = Axis, M = Name> extends AlsoAxes<A> {
  /** Axis to transform, by position (negative from the end) or by name; the last when left out. */
  readonly axis?: A;
  /** Which of the four cosine transforms; 2 when left out. */
  readonly type?: 1 | 2 | 3 | 4;
  /** `"backward"`: only `idct` divides; `"ortho"`: both are orthonormal, and so their own inverses but for the type. `"backward"` when left out. */
  readonly norm?: "backward" | "ortho";
  /** Elements to transform: the axis is cut or filled up with zeros to this length; those of the axis when left out. */
  readonly length?: number;
  /** Name of the axis of the result; that of the operand when left out. */
  readonly name?: M;
}

/** Options of `Nx.Signal.hilbert`. */
export interface HilbertOptions<A = Axis> extends AlsoAxes<A> {
  /** The axis of time, by position (negative from the end) or by name; the last when left out. */
  readonly axis?: A;
  /** Elements to transform: the axis is cut or filled up with zeros to this length; those of the axis when left out. */
  readonly length?: number;
}

/** The axis that is transformed, and how many elements it has. */
interface Along {
  readonly axis: number;
  readonly length: number;
}

/** The types of cosine transforms, each with the type of its inverse. */
const INVERSE = { 1: 1, 2: 3, 3: 2, 4: 4 } as const;

/** Numbers that depend on the position along the axis, which they have alone. */
function weights({ axis, length }: Along, rank: number, weightOf: (position: Tensor) => Tensor): Tensor {
  const shape = Array.from({ length: rank }, (_, i) => (i === axis ? length : 1));
  return reshapeTo(weightOf(iota([length], { type: "f64" }) as Tensor), shape);
}

/** The cosine and the sine of an angle that is `slope * position + start`. */
function turned(along: Along, rank: number, slope: number, start = 0): readonly [cosine: Tensor, sine: Tensor] {
  const angle = (position: Tensor): Tensor => add(multiply(position, slope), start);
  return [weights(along, rank, (p) => cos(angle(p))), weights(along, rank, (p) => sin(angle(p)))];
}

/** `x` with the elements at the ends of the axis multiplied: the first, and the last where `both`. */
function edgesTimes(x: Tensor, along: Along, factor: number, both: boolean): Tensor {
  const { length } = along;
  const weight = constant(factor, "f64");
  const at = (position: Tensor): Tensor => {
    const first = where(equal(position, 0), weight, 1) as Tensor;
    return both ? (where(equal(position, length - 1), weight, first) as Tensor) : first;
  };
  return multiply(x, weights(along, x.shape.length, at));
}

/** Places of the elements of a signal so that those at even places come first, in their order, and then the others, from the last one on. */
function folded(length: number): Int32Array {
  const even = Math.ceil(length / 2);
  return new Int32Array(length).map((_, i) => (i < even ? 2 * i : 2 * (length - i) - 1));
}

/** The inverse of {@link folded}. */
const unfolded = (length: number): Int32Array =>
  new Int32Array(length).map((_, i) => (i % 2 === 0 ? i / 2 : length - (i + 1) / 2));

const permutedAlong = (x: Tensor, { axis, length }: Along, placesOf: (length: number) => Int32Array): Tensor =>
  take(x, tensor(placesOf(length)), { axis }) as Tensor;

/** 0, and then the elements from the last one on, without the first. */
const backwards = (x: Tensor, { axis, length }: Along): Tensor =>
  padAlong(reverse(sliceAlong(x, axis, 1, length - 1), { axes: [axis] }) as Tensor, axis, 1, 0);

type Cosines = (x: Tensor, along: Along) => Tensor;

/**
 * The cosine transforms of doubles, not normalised, as one Fourier transform each (Makhoul, A fast cosine transform in one and two
 * dimensions, IEEE Transactions on Acoustics, Speech, and Signal Processing 28, 1980, section II).
 */
const COSINES: Readonly<Record<1 | 2 | 3 | 4, Cosines>> = {
  1: (x, { axis, length }) => {
    const inner = length === 2 ? [] : [reverse(sliceAlong(x, axis, 1, length - 2), { axes: [axis] }) as Tensor];
    return real(rfft(concatenate([x, ...inner], { axis }) as Tensor, { axis, eps: 0 }) as Tensor);
  },
  2: (x, along) => {
    const spectrum = fft(permutedAlong(x, along, folded), { axis: along.axis, eps: 0 }) as Tensor;
    const [c, s] = turned(along, x.shape.length, Math.PI / (2 * along.length));
    return multiply(add(multiply(real(spectrum), c), multiply(imag(spectrum), s)), 2);
  },
  3: (x, along) => {
    const { axis, length } = along;
    const [c, s] = turned(along, x.shape.length, Math.PI / (2 * length));
    const other = length === 1 ? multiply(x, 0) : backwards(x, along);
    const half = complex(add(multiply(x, c), multiply(other, s)), subtract(multiply(x, s), multiply(other, c)));
    const signal = multiply(real(ifft(half, { axis, eps: 0 }) as Tensor), length);
    return permutedAlong(signal, along, unfolded);
  },
  4: (x, along) => {
    const { axis, length } = along;
    const rank = x.shape.length;
    const [c, s] = turned(along, rank, -Math.PI / (2 * length));
    const spectrum = fft(complex(multiply(x, c), multiply(x, s)), { axis, length: 2 * length, eps: 0 }) as Tensor;
    const own = sliceAlong(spectrum, axis, 0, length);
    const [oc, os] = turned(along, rank, -Math.PI / (2 * length), -Math.PI / (4 * length));
    return multiply(subtract(multiply(real(own), oc), multiply(imag(own), os)), 2);
  },
};

/** What the orthonormal transform of a type multiplies at the ends: before, and after. Type 1 has two ends, the others the first. */
const ENDS: Readonly<Record<1 | 2 | 3 | 4, readonly [before: number, after: number]>> = {
  1: [Math.SQRT2, Math.SQRT1_2],
  2: [1, Math.SQRT1_2],
  3: [Math.SQRT2, 1],
  4: [1, 1],
};

/** A real tensor, and the axis that is transformed with as many elements as asked for. SciPy has the option `key` in the place of options. */
function readReal(
  fn: string,
  tensor: Operand,
  given: unknown,
  key: "type" | "length",
  options: HilbertOptions | undefined,
): { t: Tensor; along: Along } {
  const t: Tensor = asTensor(tensor, fn);
  if (isComplex(t.type)) throw new ArgumentError(`${fn} expects real numbers, got type ${t.type}`);
  checkPlace(fn, given, t, key);
  const axis = resolveAxis(options?.axis === undefined ? -1 : options.axis, t.shape, t.names);
  return { t, along: { axis, length: integerOption(fn, "length", options?.length, t.shape[axis]!, 1) } };
}

/** Computes a result; of a large tensor what is made on the way is given back. */
const computed = (t: Tensor, compute: () => Tensor): Tensor => givingBack(sizeOf(t.shape), () => unchecked(compute));

function cosineTransform(fn: string, tensor: Operand, given: Axis | DctOptions | undefined, inverse: boolean): Tensor {
  const options = checkOptions<DctOptions>(fn, given, ["axis", "type", "norm", "length", "name"]);
  const { t, along } = readReal(fn, tensor, given, "type", options);
  const { axis, length } = along;
  const asked = options?.type ?? 2;
  if (![1, 2, 3, 4].includes(asked)) {
    throw new ArgumentError(`option type of ${fn} must be 1, 2, 3 or 4, got: ${show(asked)}`);
  }
  const norm = wordOption(fn, "norm", options?.norm, ["backward", "ortho"], "backward");
  if (asked === 1 && length < 2) {
    throw new ArgumentError(`${fn} of type 1 needs at least 2 elements along the axis, got ${length}`);
  }
  const type = inverse ? INVERSE[asked] : asked;
  const period = 2 * (type === 1 ? length - 1 : length);
  return computed(t, () => {
    const x = resized(cast(t, "f64"), axis, length);
    const result = norm === "ortho" ? orthonormal(x, along, type, period) : COSINES[type](x, along);
    const scaled = norm === "backward" && inverse ? divide(result, period) : result;
    return titled(cast(renamed(scaled, t.names), toFloating(t.type)), [axis], [options?.name]);
  });
}

function orthonormal(x: Tensor, along: Along, type: 1 | 2 | 3 | 4, period: number): Tensor {
  const [before, after] = ENDS[type];
  const weighted = before === 1 ? x : edgesTimes(x, along, before, type === 1);
  const result = divide(COSINES[type](weighted, along), Math.sqrt(period));
  return after === 1 ? result : edgesTimes(result, along, after, type === 1);
}

/**
 * The discrete cosine transform along an axis, of type 1, 2, 3 or 4, for any length in O(n log n).
 *
 * It is SciPy's `dct`. Of type 2, element `k` is `2 * sum(x[j] * cos(pi * k * (2 * j + 1) / (2 * n)))`. With `norm: "ortho"` the transform is
 * orthonormal: it keeps sums of squares. It is computed in double precision and rounded once.
 *
 * @param tensor - real numbers, and a shape of at least one axis
 * @param options - see {@link DctOptions}
 * @returns real numbers, of the float type of the tensor, `f32` for integers; the shape with the length along the axis; the names
 * @throws ArgumentError for complex numbers, an axis that the tensor does not have, another type, and less than two elements for type 1
 * @example
 * ```ts
 * const signal = Nx.f64([1, 4, 2, 8], { names: ["time"] });
 * Nx.Signal.dct(signal, { norm: "ortho" }).multiply(1000).round();
 * // => #Nx.Tensor<
 * //   f64[time: 4]
 * //   [7500.0, -4032.0, 1500.0, -3201.0]
 * // >
 * Nx.Signal.dct(signal, "time", { name: "frequency" }).names;
 * // => ["frequency"]
 * ```
 * @example
 * ```ts
 * Nx.Signal.dct(Nx.c64([1, 2]));
 * // throws ArgumentError: Nx.Signal.dct expects real numbers, got type c64
 * ```
 */
export function dct<
  N extends Names = readonly [],
  const A extends AxisOf<N> | undefined = undefined,
  const M extends Name = never,
>(
  tensor: Operand<N>,
  options?: A | DctOptions<A, M>,
  ..._more: More<DctOptions<undefined, M>>
): Tensor<Spectrum<N, A, M>>;
export function dct(tensor: Operand, given?: Axis | DctOptions): Tensor {
  return cosineTransform("Nx.Signal.dct", tensor, given, false);
}

/**
 * The inverse of `Nx.Signal.dct` of the same type and norm.
 *
 * @param tensor - real numbers, and a shape of at least one axis
 * @param options - see {@link DctOptions}
 * @returns real numbers, of the float type of the tensor, `f32` for integers; the shape with the length along the axis; the names
 * @throws ArgumentError for complex numbers, an axis that the tensor does not have, another type, and less than two elements for type 1
 * @example
 * ```ts
 * const signal = Nx.f64([1, 4, 2, 8], { names: ["time"] });
 * Nx.Signal.idct(Nx.Signal.dct(signal)).round();
 * // => #Nx.Tensor<
 * //   f64[time: 4]
 * //   [1.0, 4.0, 2.0, 8.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.idct(Nx.f64([1]), { type: 1 });
 * // throws ArgumentError: Nx.Signal.idct of type 1 needs at least 2 elements along the axis, got 1
 * ```
 */
export function idct<
  N extends Names = readonly [],
  const A extends AxisOf<N> | undefined = undefined,
  const M extends Name = never,
>(
  tensor: Operand<N>,
  options?: A | DctOptions<A, M>,
  ..._more: More<DctOptions<undefined, M>>
): Tensor<Spectrum<N, A, M>>;
export function idct(tensor: Operand, given?: Axis | DctOptions): Tensor {
  return cosineTransform("Nx.Signal.idct", tensor, given, true);
}

/**
 * The analytic signal of a real one: complex numbers whose real parts are the signal and whose imaginary parts are its Hilbert
 * transform. Their magnitude is the envelope of the signal, their angle its phase.
 *
 * It is SciPy's `hilbert`: powers of positive frequencies are doubled, those of negative ones left out.
 *
 * @param tensor - real numbers, and a shape of at least one axis
 * @param options - see {@link HilbertOptions}
 * @returns complex numbers, `c128` for `f64`, else `c64`; the shape with the length along the axis; the names
 * @throws ArgumentError for complex numbers, and an axis that the tensor does not have
 * @example
 * ```ts
 * const time = Nx.iota([8], { type: "f64", names: ["time"] });
 * const wave = Nx.cos(time.multiply(Math.PI / 2)).multiply(3);
 * Nx.abs(Nx.Signal.hilbert(wave)).round();
 * // => #Nx.Tensor<
 * //   f64[time: 8]
 * //   [3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Signal.hilbert(Nx.c64([1, 2]));
 * // throws ArgumentError: Nx.Signal.hilbert expects real numbers, got type c64
 * ```
 */
export function hilbert<N extends Names = readonly [], const A extends AxisOf<N> | undefined = undefined>(
  tensor: Operand<N>,
  options?: A | HilbertOptions<A>,
  ..._more: More<HilbertOptions<undefined>>
): Tensor<N>;
export function hilbert(tensor: Operand, given?: Axis | HilbertOptions): Tensor {
  const fn = "Nx.Signal.hilbert";
  const options = checkOptions<HilbertOptions>(fn, given, ["axis", "length"]);
  const { t, along } = readReal(fn, tensor, given, "length", options);
  const { axis, length } = along;
  return computed(t, () => {
    const spectrum = fft(t, { axis, length, eps: 0 }) as Tensor;
    const sides = weights(along, t.shape.length, (position) => {
      const isOne = logicalOr(equal(position, 0), equal(position, length / 2));
      return where(isOne, 1, where(less(position, length / 2), 2, 0)) as Tensor;
    });
    return ifft(multiply(spectrum, cast(sides, spectrum.type === "c128" ? "f64" : "f32")), { axis, eps: 0 }) as Tensor;
  });
}
