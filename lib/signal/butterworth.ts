/**
 * Butterworth filters: the coefficients of the digital filters whose response is flattest where signals pass.
 */
import { ArgumentError, show } from "../core/errors";
import { checkOptions, wordOption } from "../core/options";

/** What passes a filter: what is slower or faster than an edge, or what lies between or outside of two. */
export type Band = "lowpass" | "highpass" | "bandpass" | "bandstop";

const BANDS = ["lowpass", "highpass", "bandpass", "bandstop"] as const;

/** Options of `Nx.Signal.butter`. */
export interface ButterOptions<O = "ba" | "sos"> {
  /** What passes; `"lowpass"` when left out, `"bandpass"` for two edges. */
  readonly band?: Band;
  /** Samples in a unit of time; 2 when left out, so that 1 is the highest frequency. */
  readonly samplingRate?: number;
  /** `"ba"`, coefficients for `Nx.Signal.lfilter` and `filtfilt`, when left out; `"sos"`, sections of second order for `Nx.Signal.sosfilt`. */
  readonly output?: O;
}

/** Orders beyond this one have edges sharper than doubles tell apart. */
const MOST_ORDER = 500;

/** A complex number. */
interface Point {
  readonly re: number;
  readonly im: number;
}

const point = (re: number, im = 0): Point => ({ re, im });
const plus = (a: Point, b: Point): Point => point(a.re + b.re, a.im + b.im);
const minus = (a: Point, b: Point): Point => point(a.re - b.re, a.im - b.im);
const times = (a: Point, b: Point): Point => point(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
const scaled = (a: Point, factor: number): Point => point(a.re * factor, a.im * factor);
const over = (a: Point, b: Point): Point => scaled(times(a, point(b.re, -b.im)), 1 / (b.re * b.re + b.im * b.im));
const radius = ({ re, im }: Point): number => Math.hypot(re, im);
const distance = (a: Point, b: Point): number => radius(minus(a, b));

function root({ re, im }: Point): Point {
  const size = Math.hypot(re, im);
  const [a, b] = [Math.sqrt((size + Math.abs(re)) / 2), Math.abs(im) / 2];
  const [real, imaginary] = size === 0 ? [0, 0] : re >= 0 ? [a, b / a] : [b / a, a];
  return point(real, im < 0 ? -imaginary : imaginary);
}

/** A filter by the zeros and poles of its response, and its gain. */
interface Poles {
  readonly zeros: readonly Point[];
  readonly poles: readonly Point[];
  readonly gain: number;
}

const product = (points: readonly Point[]): Point => points.reduce(times, point(1));
const repeated = (value: Point, count: number): Point[] => Array.from({ length: count }, () => value);

/** Poles of the filter with the edge 1 over all frequencies: on the half of a circle. */
function prototypeOf(order: number): Point[] {
  return Array.from({ length: order }, (_, i) => {
    const angle = (Math.PI * (2 * i + 1 - order)) / (2 * order);
    return point(-Math.cos(angle), 2 * i + 1 === order ? 0 : -Math.sin(angle));
  });
}

/** The filter whose edges lie elsewhere. */
function movedTo(band: Band, poles: readonly Point[], edges: readonly number[]): Poles {
  const order = poles.length;
  const [low, high] = edges as [number, number];
  if (band === "lowpass") return { zeros: [], poles: poles.map((p) => scaled(p, low)), gain: low ** order };
  const flat = 1 / product(poles.map((p) => scaled(p, -1))).re;
  if (band === "highpass") {
    return { zeros: repeated(point(0), order), poles: poles.map((p) => over(point(low), p)), gain: flat };
  }
  const [width, middle] = [high - low, Math.sqrt(low * high)];
  const halves = poles.map((p) => (band === "bandpass" ? scaled(p, width / 2) : over(point(width / 2), p)));
  const roots = halves.map((p) => root(minus(times(p, p), point(middle * middle))));
  const both = [...halves.map((p, i) => plus(p, roots[i]!)), ...halves.map((p, i) => minus(p, roots[i]!))];
  if (band === "bandpass") return { zeros: repeated(point(0), order), poles: both, gain: width ** order };
  const zeros = [...repeated(point(0, middle), order), ...repeated(point(0, -middle), order)];
  return { zeros, poles: both, gain: flat };
}

/** The digital filter, by the bilinear transform of a signal with two samples in a unit of time. */
function sampled({ zeros, poles, gain }: Poles): Poles {
  const rate = point(4);
  const turned = (s: Point): Point => over(plus(rate, s), minus(rate, s));
  const lost = over(product(zeros.map((s) => minus(rate, s))), product(poles.map((s) => minus(rate, s))));
  return {
    zeros: [...zeros.map(turned), ...repeated(point(-1), poles.length - zeros.length)],
    poles: poles.map(turned),
    gain: gain * lost.re,
  };
}

/** The coefficients of the polynomial with these roots, which are real or come in pairs; the highest power first. */
function polynomial(roots: readonly Point[]): number[] {
  let all = [point(1)];
  for (const r of roots) {
    const next = [...all, point(0)];
    all.forEach((c, i) => (next[i + 1] = minus(next[i + 1]!, times(r, c))));
    all = next;
  }
  return all.map((c) => c.re);
}

/** One of each pair of conjugate points by ascending real parts, and the real points. */
function pairsAndReals(points: readonly Point[]): Point[] {
  const isReal = (p: Point): boolean => Math.abs(p.im) <= 100 * Number.EPSILON * radius(p);
  const pairs = points.filter((p) => !isReal(p) && p.im > 0).sort((a, b) => a.re - b.re || a.im - b.im);
  const reals = points.filter(isReal).map((p) => point(p.re));
  return [...pairs, ...reals.sort((a, b) => a.re - b.re)];
}

/** Takes the best of a list away, of those that are allowed. */
function taken(from: Point[], cost: (p: Point) => number, isAllowed: (p: Point) => boolean = () => true): Point {
  let best = -1;
  from.forEach((p, i) => {
    if (isAllowed(p) && (best < 0 || cost(p) < cost(from[best]!))) best = i;
  });
  return from.splice(best, 1)[0]!;
}

/**
 * Sections of second order: poles by how near they are to the circle of what does not fade, the nearest in the last section, each with the
 * zeros that are nearest to them.
 */
function sections({ zeros, poles, gain }: Poles): number[][] {
  const rest = repeated(point(0), poles.length % 2);
  const [p, z] = [pairsAndReals([...poles, ...rest]), pairsAndReals([...zeros, ...rest])];
  const isReal = ({ im }: Point): boolean => im === 0;
  const worst = (q: Point): number => Math.abs(1 - radius(q));
  const conjugate = ({ re, im }: Point): Point => point(re, -im);
  const found: number[][] = [];
  while (p.length > 0) {
    const first = taken(p, worst);
    const second = isReal(first) ? taken(p, worst, isReal) : conjugate(first);
    const near = (q: Point): number => distance(q, first);
    const isLast = !isReal(first) && p.filter(isReal).length === 1 && z.filter(isReal).length === 1;
    const zero = taken(z, near, isLast ? (q) => !isReal(q) : undefined);
    const other = isReal(zero) ? taken(z, near, isReal) : conjugate(zero);
    found.unshift([...polynomial([zero, other]), ...polynomial([first, second])]);
  }
  found[0] = found[0]!.map((c, i) => (i < 3 ? c * gain : c));
  return found;
}

/** Edges of a filter as parts of half the sampling rate. */
function readEdges(fn: string, cutoff: number | readonly number[], band: Band, rate: number): number[] {
  const edges: readonly unknown[] = Array.isArray(cutoff) ? cutoff : [cutoff];
  const wanted = band === "lowpass" || band === "highpass" ? 1 : 2;
  if (edges.length !== wanted) {
    const what = wanted === 1 ? "one edge" : "two edges, [low, high]";
    throw new ArgumentError(`${fn} of a ${band} filter expects ${what}, got: ${show(cutoff)}`);
  }
  const isRising = edges.every((edge, i) => i === 0 || Number(edges[i - 1]) < Number(edge));
  if (isRising && edges.every((edge) => typeof edge === "number" && edge > 0 && edge < rate / 2)) {
    return edges.map((edge) => Number(edge) / (rate / 2));
  }
  throw new ArgumentError(
    `${fn} expects edges in ascending order between 0 and ${rate / 2}, half the sampling rate, got: ${show(cutoff)}`,
  );
}

/**
 * A Butterworth filter: SciPy's `butter` for sampled signals.
 *
 * The response is flattest where signals pass, and the root of a half at each edge. Numbers are doubles, and take the type of the signal where
 * they are used. Of an order beyond about 8, or with edges near 0, coefficients in one polynomial lose digits: take `output: "sos"`.
 *
 * @param order - an integer from 1 to 500; filters with two edges are of twice that order
 * @param cutoff - the edge between what passes and what does not, or two of them, `[low, high]`, in cycles by a unit of time
 * @param options - see {@link ButterOptions}
 * @returns `{ b, a }`, lists that `Nx.Signal.lfilter` and `filtfilt` take as options, or `{ sos }`, the sections that `Nx.Signal.sosfilt` takes
 * @throws ArgumentError for other orders, edges outside of the frequencies that a signal has, and another number of them than the band has
 * @example
 * ```ts
 * const { b, a } = Nx.Signal.butter(1, 0.5);
 * [b.map((x) => x.toFixed(3)), a.map((x) => x.toFixed(3))];
 * // => [['0.500', '0.500'], ['1.000', '-0.000']]
 * const noisy = Nx.f64([0, 4, 0, 4, 0, 4, 0, 4], { names: ["time"] });
 * Nx.Signal.lfilter(noisy, Nx.Signal.butter(1, 25, { samplingRate: 100 })).roundEven({ decimals: 6 });
 * // => #Nx.Tensor<
 * //   f64[time: 8]
 * //   [0.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0]
 * // >
 * Nx.Signal.butter(4, [1, 10], { samplingRate: 100, output: "sos" }).sos.length;
 * // => 4
 * ```
 * @example
 * ```ts
 * Nx.Signal.butter(2, 60, { samplingRate: 100 });
 * // throws ArgumentError: Nx.Signal.butter expects edges in ascending order between 0 and 50, half the sampling rate, got: 60
 * ```
 */
export function butter(
  order: number,
  cutoff: number | readonly [low: number, high: number],
  options: ButterOptions<"sos"> & { readonly output: "sos" },
): { sos: number[][] };
export function butter(
  order: number,
  cutoff: number | readonly [low: number, high: number],
  options?: ButterOptions<"ba">,
): { b: number[]; a: number[] };
export function butter(
  order: number,
  cutoff: number | readonly number[],
  options?: ButterOptions,
): { sos: number[][] } | { b: number[]; a: number[] } {
  const fn = "Nx.Signal.butter";
  options = checkOptions(fn, options, ["band", "samplingRate", "output"]);
  if (!Number.isInteger(order) || order < 1 || order > MOST_ORDER) {
    throw new ArgumentError(`${fn} expects an order that is an integer from 1 to ${MOST_ORDER}, got: ${show(order)}`);
  }
  const band = wordOption(fn, "band", options?.band, BANDS, Array.isArray(cutoff) ? "bandpass" : "lowpass");
  const output = wordOption(fn, "output", options?.output, ["ba", "sos"], "ba");
  const rate: unknown = options?.samplingRate ?? 2;
  if (typeof rate !== "number" || !(rate > 0 && rate < Infinity)) {
    throw new ArgumentError(`option samplingRate of ${fn} must be a positive number, got: ${show(rate)}`);
  }
  const edges = readEdges(fn, cutoff, band, rate).map((edge) => 4 * Math.tan((Math.PI * edge) / 2));
  const filter = sampled(movedTo(band, prototypeOf(order), edges));
  if (output === "sos") return { sos: sections(filter) };
  return { b: polynomial(filter.zeros).map((c) => c * filter.gain), a: polynomial(filter.poles) };
}
