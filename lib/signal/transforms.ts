/**
 * Transforms of whole signals that are made of the Fourier transform: cosine transforms and the analytic signal.
 */
import { cosineTurns, turnsOf, type CosineOptions, type Turns } from "../backends/binary/fft/turns";
import { COSINES_OF, HALF_OF_COSINES } from "../backends/blocks";
import type { AxisOf, Spectrum } from "../core/axis-types";
import { ArgumentError, show } from "../core/errors";
import { checkOptions, checkPlace, integerOption, wordOption, type AlsoAxes, type More } from "../core/options";
import { unchecked } from "../core/promotion-scope";
import { resolveAxis, sizeOf, type Axis, type Name, type Names } from "../core/shape";
import { isComplex, toComplex, toFloating } from "../core/types";
import { padAlong, reshapeTo, sliceAlong } from "../nx/aggregates/core";
import { tensor } from "../nx/creation";
import { renamed } from "../nx/creation/tensor";
import { asTensor, cast, run, template } from "../nx/dispatch";
import { add, complex, imag, multiply, negate, real, subtract } from "../nx/elementwise";
import { fft, fromHalfSpectrum, halfSpectrum, ifft, resized, titled } from "../nx/ndim/fft";
import { reverse } from "../nx/ndim/sort";
import { take } from "../nx/indexed";
import { givingBack } from "../nx/tidy";
import { concatenate } from "../nx/ndim/join";
import type { Operand, Tensor } from "../tensor";
import { edgesOf, folded, sides, turnedBack, turnedForth, unfolded } from "./tables";

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

/** A table along the axis as a tensor of doubles. */
function placed(table: Float64Array, axis: number, rank: number): Tensor {
  return reshapeTo(
    tensor(table) as Tensor,
    Array.from({ length: rank }, (_, i) => (i === axis ? table.length : 1)),
  );
}

/** Complex numbers times factors along the axis. */
function turned(z: Tensor, { axis }: Along, turns: Turns): Tensor {
  const { re, im } = turnsOf(turns);
  const rank = z.shape.length;
  return multiply(z, complex(placed(re, axis, rank), placed(im, axis, rank)) as Tensor);
}

/** `x` with the first and the last element along the axis multiplied by one number, and all others by another. */
const edgesTimes = (x: Tensor, { axis, length }: Along, edge: number, inner: number): Tensor =>
  multiply(x, placed(edgesOf(length, edge, inner), axis, x.shape.length));

const permutedAlong = (x: Tensor, { axis, length }: Along, placesOf: (length: number) => Int32Array): Tensor =>
  take(x, tensor(placesOf(length)), { axis }) as Tensor;

const backwards = (x: Tensor, axis: number): Tensor => reverse(x, { axes: [axis] }) as Tensor;

const joined = (axis: number, ...parts: readonly Tensor[]): Tensor =>
  parts.length === 1 ? parts[0]! : (concatenate([...parts], { axis }) as Tensor);

/** What a transform multiplies by: all results, and the elements at the ends before and after; only type 1 has a second end. */
interface Weights {
  readonly scale: number;
  readonly before: number;
  readonly after: number;
}

type Cosines = (x: Tensor, along: Along, weights: Weights) => Tensor;

/**
 * The cosine transforms, in doubles, as one Fourier transform each: types 2 and 3 of as many real numbers (Makhoul, A fast cosine transform
 * in one and two dimensions, IEEE Transactions on Acoustics, Speech, and Signal Processing 28, 1980), here in the order that gives the
 * conjugate spectrum; type 4 of half as many complex ones, where there is an even number.
 */
const COSINES: Readonly<Record<1 | 2 | 3 | 4, Cosines>> = {
  1: (x, along, { scale, before, after }) => {
    const { axis, length } = along;
    const given = before === 1 ? x : edgesTimes(x, along, before, 1);
    const inner = length === 2 ? [] : [backwards(sliceAlong(given, axis, 1, length - 2), axis)];
    const result = real(halfSpectrum(joined(axis, given, ...inner), axis, 0, "c128"));
    if (after !== 1) return edgesTimes(result, along, after * scale, scale);
    return scale === 1 ? result : multiply(result, scale);
  },
  2: (x, along, { scale, after }) => {
    const spectrum = halfSpectrum(permutedAlong(x, along, turnedBack), along.axis, 0, "c128");
    const options: CosineOptions = { ...along, scale: 2 * scale, edge: after };
    const out = template(x.type, x.shape, x.names);
    return run("block", out, [spectrum], {
      name: COSINES_OF,
      options: { ...options },
      fn: (half) => cast(cosinesOf(half!, options), x.type),
    });
  },
  3: (x, along, { scale, before }) => {
    const { axis, length } = along;
    const options: CosineOptions = { ...along, scale: scale * length, edge: before };
    const shape = x.shape.map((size, i) => (i === axis ? Math.floor(length / 2) + 1 : size));
    const half = run("block", template("c128", Object.freeze(shape), x.names), [x], {
      name: HALF_OF_COSINES,
      options: { ...options },
      fn: (given) => halfOfCosines(given!, options),
    });
    return permutedAlong(fromHalfSpectrum(half, axis, length, 0), along, turnedForth);
  },
  4: (x, along, { scale }) => (along.length % 2 === 0 ? evenFourth : oddFourth)(x, along, scale),
};

/** Of the first half of the conjugate spectrum the cosine transform of type 2: real parts of what is turned, and the imaginary ones from the last one on. */
function cosinesOf(half: Tensor, options: CosineOptions): Tensor {
  const { axis, length } = options;
  const table = cosineTurns(options);
  const [c, s] = [table.re, table.im].map((part) => placed(part, axis, half.shape.length)) as [Tensor, Tensor];
  const [re, im] = [real(half), imag(half)];
  const first = add(multiply(re, c), multiply(im, s));
  const others = length - half.shape[axis]!;
  if (others === 0) return first;
  const last = subtract(multiply(im, c), multiply(re, s));
  return joined(axis, first, backwards(sliceAlong(last, axis, 1, others), axis));
}

/** The half of a conjugate spectrum whose inverse is the cosine transform of type 3. */
function halfOfCosines(x: Tensor, options: CosineOptions): Tensor {
  const { axis, length } = options;
  const table = cosineTurns(options);
  const [c, s] = [table.re, table.im].map((part) => placed(part, axis, x.shape.length)) as [Tensor, Tensor];
  const count = table.re.length;
  const first = cast(sliceAlong(x, axis, 0, count), "f64");
  const last = length === 1 ? first : backwards(sliceAlong(x, axis, length - count + 1, count - 1), axis);
  const other = sliceAlong(padAlong(cast(last, "f64"), axis, 1, 0), axis, 0, count);
  return complex(
    subtract(multiply(first, c), multiply(other, s)),
    add(multiply(first, s), multiply(other, c)),
  ) as Tensor;
}

/** Elements at even places are real parts, those at odd places, from the last one on, imaginary ones. */
function evenFourth(x: Tensor, along: Along, scale: number): Tensor {
  const { axis, length } = along;
  const count = length / 2;
  const parts = permutedAlong(x, along, folded);
  const pairs = complex(sliceAlong(parts, axis, 0, count), sliceAlong(parts, axis, count, count)) as Tensor;
  const turns: Turns = { n: 8 * length, first: 1, step: 4, count, scale: 1, edge: 1 };
  const spectrum = fft(turned(pairs, along, turns), { axis, eps: 0 }) as Tensor;
  const both = turned(spectrum, along, { ...turns, first: 0, scale: 2 * scale });
  return permutedAlong(joined(axis, real(both), negate(imag(both))), along, unfolded);
}

/** Twice as many complex numbers, of which the second half is 0. */
function oddFourth(x: Tensor, along: Along, scale: number): Tensor {
  const { axis, length } = along;
  const turns: Turns = { n: 4 * length, first: 0, step: 1, count: length, scale: 1, edge: 1 };
  const spectrum = fft(turned(x, along, turns), { axis, length: 2 * length, eps: 0 }) as Tensor;
  const ends: Turns = { n: 8 * length, first: 1, step: 2, count: length, scale: 2 * scale, edge: 1 };
  return real(turned(sliceAlong(spectrum, axis, 0, length), along, ends));
}

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
    const x = resized(t.type === "f32" ? t : cast(t, "f64"), axis, length);
    const result = COSINES[type](reshapeTo(x, x.shape), along, weightsOf(type, norm, inverse, period));
    return titled(cast(renamed(result, t.names), toFloating(t.type)), [axis], [options?.name]);
  });
}

function weightsOf(type: 1 | 2 | 3 | 4, norm: "backward" | "ortho", inverse: boolean, period: number): Weights {
  if (norm === "backward") return { scale: inverse ? 1 / period : 1, before: 1, after: 1 };
  const [before, after] = ENDS[type];
  return { scale: 1 / Math.sqrt(period), before, after };
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
    const x = resized(t.type === "f32" ? t : cast(t, "f64"), axis, length);
    const type = toComplex(t.type);
    if (length % 2 === 0) {
      const half = halfSpectrum(x, axis, 0, "c128");
      // of the first and the last element only the real part counts, which is 0
      const turned = complex(imag(half), negate(real(half))) as Tensor;
      return cast(complex(x, fromHalfSpectrum(turned, axis, length, 0)) as Tensor, type);
    }
    const weights = placed(sides(length), axis, x.shape.length);
    return cast(
      ifft(multiply(fft(cast(x, "f64"), { axis, eps: 0 }) as Tensor, weights), { axis, eps: 0 }) as Tensor,
      type,
    );
  });
}
