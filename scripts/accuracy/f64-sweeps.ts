/** Where the f64 special functions are measured: even and logarithmic sweeps and the surroundings of hard points. */
import type { SpecialBinary } from "../../lib/ops";
import { isBinary, type Name } from "./f64-evaluate";

export type Random = () => number;

export interface Sweep {
  readonly label: string;
  /** One array per argument. */
  readonly points: readonly Float64Array[];
}

/** Numbers from 0 up to below 1, the same ones for the same name ("mulberry32" by Tommy Ettinger). */
export function seeded(name: string): Random {
  let state = [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32 + (((t * 2654435761) >>> 0) % 2 ** 20) / 2 ** 52;
  };
}

const scratch = new Float64Array(1);
const bits = new BigInt64Array(scratch.buffer);

function neighbour(x: number, steps: number): number {
  scratch[0] = x;
  bits[0] = bits[0]! + BigInt(steps) * (x < 0 ? -1n : 1n);
  return scratch[0];
}

/** Finite domain [low, high], an interval for the even sweep, and the hard points. */
interface Domain {
  readonly low: number;
  readonly high: number;
  readonly even: readonly [number, number];
  readonly near: readonly number[];
}

const ALL = { low: -Number.MAX_VALUE, high: Number.MAX_VALUE };
const POSITIVE = { low: 5e-324, high: Number.MAX_VALUE };
const TINY = 2 ** -1022;
const RIM = [5e-324, TINY, Number.MAX_VALUE];
const logTwos = [1, 2, 3, 10, 100].map((n) => (n + 0.5) * Math.LN2);
const turns = [1, 2, 3, 4, 5, 6, 10, 11, 100, 355, 710, 1e5, 103993, 2 ** 20, 2 ** 30].map((n) => (n * Math.PI) / 2);
const HARD_TURN = 6381956970095103 * 2 ** 797;

const DOMAINS: { readonly [K in Exclude<Name, SpecialBinary>]: Domain } = {
  exp: { low: -745.2, high: 709.78, even: [-20, 20], near: [0, -708, 708, 709.78, -708.4, -744, ...logTwos] },
  exp2: { low: -1075, high: 1023.99, even: [-20, 20], near: [0, 0.5, 1, 1.5, -1021, -1022, 1023, -1074, 52.5] },
  expm1: { low: -800, high: 709.78, even: [-5, 5], near: [0, 708, 709.78, -37, -60, 40, 0.3466, -0.3466, ...logTwos] },
  log: { ...POSITIVE, even: [0, 10], near: [...RIM, 1, Math.SQRT2, Math.SQRT1_2, 2] },
  log2: { ...POSITIVE, even: [0, 10], near: [...RIM, 1, Math.SQRT2, Math.SQRT1_2, 2, 8] },
  log10: { ...POSITIVE, even: [0, 10], near: [...RIM, 1, Math.SQRT2, Math.SQRT1_2, 10, 1000, 0.1] },
  log1p: {
    low: -1 + 2 ** -53,
    high: Number.MAX_VALUE,
    even: [-1, 3],
    near: [0, -1 + 2 ** -50, -0.5, 1, 0.414, -0.29, 2 ** 53],
  },
  sin: { ...ALL, even: [-100, 100], near: [0, ...RIM, ...turns, HARD_TURN] },
  cos: { ...ALL, even: [-100, 100], near: [0, ...RIM, ...turns, HARD_TURN] },
  tan: { ...ALL, even: [-100, 100], near: [0, ...RIM, ...turns, ...turns.map((x) => x / 2), HARD_TURN] },
  asin: { low: -1, high: 1, even: [-1, 1], near: [0, 0.5, 1 - 2 ** -53, -0.5, TINY] },
  acos: { low: -1, high: 1, even: [-1, 1], near: [0, 0.5, -0.5, 1 - 2 ** -53, -1 + 2 ** -53] },
  atan: { ...ALL, even: [-5, 5], near: [0, 0.5, 1, 2, -2, TINY, 1e16] },
  sinh: { low: -710.4, high: 710.4, even: [-5, 5], near: [0, 0.3466, 1.04, 22, 708, 709.7, 710.4, ...logTwos] },
  cosh: { low: -710.4, high: 710.4, even: [-5, 5], near: [0, 0.3466, 1.04, 22, 708, 709.7, 710.4, ...logTwos] },
  tanh: { ...ALL, even: [-5, 5], near: [0, 0.1733, 0.52, 0.3466, 19, 22, ...logTwos.map((x) => x / 2)] },
  asinh: { ...ALL, even: [-5, 5], near: [0, 0.5, 1, 2 ** 26, 2 ** 27, 2 ** 500, TINY] },
  acosh: { low: 1, high: Number.MAX_VALUE, even: [1, 6], near: [1, 1.5, 2, 2 ** 27, 2 ** 500] },
  atanh: { low: -1 + 2 ** -53, high: 1 - 2 ** -53, even: [-1, 1], near: [0, 0.5, 1 - 2 ** -50, -0.5, TINY] },
  rsqrt: { ...POSITIVE, even: [0, 10], near: [...RIM, 1, 2, 4] },
  cbrt: { ...ALL, even: [-10, 10], near: [...RIM, 1, 2, 4, 8, 27] },
  erf: { ...ALL, even: [-6, 6], near: [0, 1 / 256, 3 / 256, 0.5, 1, 2, 5.9, 6, TINY] },
  erfc: { low: -40, high: 27.2, even: [-3, 27.2], near: [0, 0.477, 0.79, 0.8, 1, 2.5, 4, 26.5, 26.54, 27.2, -6] },
  erfInv: { low: -1 + 2 ** -53, high: 1 - 2 ** -53, even: [-1, 1], near: [0, 0.5, 0.9966252, 0.9, 1 - 2 ** -50, TINY] },
  sigmoid: { low: -745, high: 800, even: [-20, 20], near: [0, -708, -708.4, -37, 37, 60, -744, ...logTwos] },
  softplus: { low: -745.2, high: 800, even: [-20, 20], near: [0, -700, -708.4, -37, 37, -744, ...logTwos] },
  silu: { low: -752, high: 800, even: [-20, 20], near: [0, -38, -708.4, -745, 36, 60, -751, ...logTwos] },
  quickGelu: { low: -441, high: 800, even: [-15, 15], near: [0, -22.3, -416, -438, -440, 35, -0.7] },
  gelu: { low: -38.5, high: 800, even: [-10, 10], near: [0, -1.1313708, -0.75, -1, -5, -37, -37.5, -38.4, 6, 8.3] },
  geluTanh: { low: -21.5, high: 800, even: [-10, 10], near: [0, -0.75, -5.9, -21, -21.4, 5, 10] },
  selu: { low: -1e3, high: 1e308, even: [-5, 5], near: [0, -37, -60, -0.3466, ...logTwos.map((x) => -x)] },
  softsign: { ...ALL, even: [-10, 10], near: [0, 1, -1, ...RIM] },
  hardSigmoid: { low: -5, high: 5, even: [-4, 4], near: [0, -3, 3, -1.5] },
  hardSwish: { low: -5, high: 5, even: [-4, 4], near: [0, -3, 3, -1.5] },
  mish: { low: -752, high: 800, even: [-20, 20], near: [0, -1.19, -38, -745, 60, 20, -751, ...logTwos] },
};

const fill = (count: number, make: (i: number) => number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => make(i));

/** Any double of the domain, all exponents being equally likely. */
function anyDouble(random: Random, low: number, high: number): number {
  for (;;) {
    const size = neighbour(2 ** (Math.floor(random() * 2098) - 1074), Math.floor(random() * 2 ** 52));
    const x = low < 0 && random() < 0.5 ? -size : size;
    if (x >= low && x <= high) return x;
  }
}

/** Like {@link anyDouble}, but of moderate size: exponents from -30 to 10. */
function moderate(random: Random, low: number, high: number): number {
  for (;;) {
    const size = (1 + random()) * 2 ** Math.floor(random() * 41 - 30);
    const x = low < 0 && random() < 0.5 ? -size : size;
    if (x >= low && x <= high) return x;
  }
}

/** Near a hard point, by a few steps, or by a part of it or of 1 that is a power of two or so. */
function around(random: Random, point: number): number {
  if (random() < 0.4) return neighbour(point, Math.floor(random() * 101) - (point <= 5e-324 ? 0 : 50));
  const offset = (1 + random()) * 2 ** -Math.floor(2 + random() * 50) * (random() < 0.5 ? -1 : 1);
  return random() < 0.5 ? point + offset : point * (1 + offset);
}

function unarySweeps({ low, high, even, near }: Domain, count: number, random: Random): Sweep[] {
  const inside = (make: () => number): number => {
    for (;;) {
      const x = make();
      if (x >= low && x <= high && x !== 0) return x;
    }
  };
  const linear = fill(count, () => inside(() => even[0] + (even[1] - even[0]) * random()));
  const wide = fill(count, () =>
    inside(() => Math.max(low, -1e6) + (Math.min(high, 1e6) - Math.max(low, -1e6)) * random()),
  );
  return [
    { label: "even", points: [linear] },
    { label: "wide", points: [wide] },
    { label: "all exponents", points: [fill(count, () => anyDouble(random, low, high))] },
    { label: "moderate", points: [fill(count, () => moderate(random, low, high))] },
    { label: "hard", points: [fill(count, (i) => inside(() => around(random, near[i % near.length]!)))] },
  ];
}

function powSweeps(count: number, random: Random): Sweep[] {
  const pair = (label: string, make: () => readonly [number, number]): Sweep => {
    const points = [new Float64Array(count), new Float64Array(count)] as const;
    for (let i = 0; i < count; i++) [points[0][i], points[1][i]] = make() as [number, number];
    return { label, points };
  };
  const spread = (x: number, bitsFrom: number, bitsTo: number): number =>
    (bitsFrom + (bitsTo - bitsFrom) * random()) / Math.log2(x);
  const any = (): number => {
    for (;;) {
      const x = anyDouble(random, 5e-324, Number.MAX_VALUE);
      if (x !== 1) return x;
    }
  };
  return [
    pair("even", () => [random() * 10, random() * 20 - 10]),
    pair("all results", () => {
      const x = any();
      return [x, spread(x, -1074, 1023.9)];
    }),
    pair("subnormal", () => {
      const x = any();
      return [x, spread(x, -1074, -1021)];
    }),
    pair("near 1", () => {
      const x = 1 + (random() - 0.5) * 2 ** -Math.floor(random() * 50);
      return x === 1 ? [2, 3] : [x, spread(x, -1020, 1020)];
    }),
    pair("small y", () => [any(), (random() - 0.5) * 2 ** -Math.floor(random() * 40)]),
    pair("whole y", () => [(random() - 0.5) * 100, Math.floor(random() * 60 - 30)]),
  ];
}

function atan2Sweeps(count: number, random: Random): Sweep[] {
  const of = (make: () => number): Float64Array => fill(count, make);
  const even = (): number => random() * 4 - 2;
  const any = (): number => anyDouble(random, -Number.MAX_VALUE, Number.MAX_VALUE);
  const across = of(any);
  const ratios = [0.5, 1, 2, -0.5, -1, -2];
  return [
    { label: "even", points: [of(even), of(even)] },
    { label: "all exponents", points: [of(any), of(any)] },
    { label: "moderate ratio", points: [across.map((x) => x * moderate(random, -8, 8) || 1), across] },
    { label: "hard", points: [across.map((x, i) => around(random, ratios[i % 6]!) * x || 1), across] },
  ];
}

function logAddExpSweeps(count: number, random: Random): Sweep[] {
  const of = (label: string, make: (i: number) => readonly [number, number]): Sweep => {
    const points = [new Float64Array(count), new Float64Array(count)] as const;
    for (let i = 0; i < count; i++) [points[0][i], points[1][i]] = make(i) as [number, number];
    return { label, points };
  };
  const any = (): number => anyDouble(random, -Number.MAX_VALUE, Number.MAX_VALUE);
  return [
    of("even", () => [40 * random() - 20, 40 * random() - 20]),
    of("logarithms of shares", () => [Math.log(random()), Math.log(random())]),
    of("moderate", () => [moderate(random, -1e3, 1e3), moderate(random, -1e3, 1e3)]),
    of("all exponents", () => [any(), any()]),
    of("close", () => {
      const x = moderate(random, -1e3, 1e3);
      return [x, x + (random() - 0.5) * 2 ** -Math.floor(random() * 50)];
    }),
    of("far", () => [(random() - 0.5) * 2 ** -Math.floor(random() * 1000), -745 * random()]),
    // Exponentials that add to 1 but for a part of them: beyond 2^-25 a sum of two doubles has too few digits.
    of("cancelling", (i) => {
      const x = -(2 ** -(40 * random())) * Math.LN2;
      const y = Math.log(-Math.expm1(x));
      const changed = y * (1 + (random() - 0.5) * 2 ** -Math.floor(random() * 25));
      return i % 2 === 0 ? [x, changed] : [changed, x];
    }),
  ];
}

const PAIR_SWEEPS = { pow: powSweeps, atan2: atan2Sweeps, logAddExp: logAddExpSweeps };

export function sweepsOf(name: Name, count: number, random: Random): Sweep[] {
  if (isBinary(name)) return PAIR_SWEEPS[name](count, random);
  return unarySweeps(DOMAINS[name], count, random);
}
