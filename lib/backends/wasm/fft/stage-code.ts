/**
 * The steps of mixed-radix Fourier transforms in vectors of two doubles, the same operations as those of the binary backend.
 * A number takes 32 bytes: a vector of real parts and one of imaginary parts, of two transforms side by side, or of two
 * neighbouring elements of one. Works with addresses.
 */
import {
  advance,
  define,
  f64x2,
  i32,
  local,
  onward,
  range,
  setAddress,
  v128,
  when,
  type Code,
  type Int,
  type StackVar,
  type Vector,
} from "../asm";
import { words } from "../codegen/vectors";

/** Bytes of a pair of numbers. */
export const PAIR = 32;
const IMAGINARY = 16;

type Complex = readonly [re: Vector, im: Vector];
type Stacked = StackVar<"v128">;

const put = (to: Vector, value: Stacked): void => local.set(to, value);
const both = (value: number): Stacked => v128.const("f64x2", [value, value]);

function load([re, im]: Complex, at: Int): void {
  put(re, v128.load({ align: 8 }, at));
  put(im, v128.load({ offset: IMAGINARY, align: 8 }, at));
}

function store(at: Int, [re, im]: Complex): void {
  v128.store({ align: 8 }, at, re);
  v128.store({ offset: IMAGINARY, align: 8 }, at, im);
}

const add = (to: Complex, a: Complex, b: Complex): void => to.forEach((part, i) => put(part, f64x2.add(a[i]!, b[i]!)));
const subtract = (to: Complex, a: Complex, b: Complex): void =>
  to.forEach((part, i) => put(part, f64x2.sub(a[i]!, b[i]!)));

/** `to = x * w`; `to` is not `x`. */
function multiply([toRe, toIm]: Complex, [re, im]: Complex, [cos, sin]: Complex): void {
  put(toRe, f64x2.sub(f64x2.mul(re, cos), f64x2.mul(im, sin)));
  put(toIm, f64x2.add(f64x2.mul(re, sin), f64x2.mul(im, cos)));
}

/** The operands and twiddle factors of a butterfly, the store of its results, and scratch vectors. */
interface ButterflyOperands {
  readonly x: readonly Complex[];
  readonly twiddles: readonly Complex[];
  readonly temps: readonly Complex[];
  readonly constants: readonly Vector[];
  /** Multiplies a result by its twiddle factor and stores it; returns a scratch vector. */
  emitOutput(r: number, value: Complex): void;
}

interface Butterfly {
  readonly radix: number;
  readonly temps: number;
  readonly constants: readonly number[];
  emit(operands: ButterflyOperands): void;
}

const two: Butterfly = {
  radix: 2,
  temps: 1,
  constants: [],
  emit({ x, temps, emitOutput }) {
    const [a, b] = x as [Complex, Complex];
    add(temps[0]!, a, b);
    emitOutput(0, temps[0]!);
    subtract(a, a, b);
    emitOutput(1, a);
  },
};

const three: Butterfly = {
  radix: 3,
  temps: 3,
  constants: [Math.sqrt(3) / 2, 0.5],
  emit({ x, temps, constants, emitOutput }) {
    const [a, b, c] = x as [Complex, Complex, Complex];
    const [sum, rotated, middle] = temps as [Complex, Complex, Complex];
    const [sin60, half] = constants as [Vector, Vector];
    add(sum, b, c);
    put(rotated[0], f64x2.mul(f64x2.sub(b[1], c[1]), sin60));
    put(rotated[1], f64x2.mul(f64x2.sub(c[0], b[0]), sin60));
    for (const i of [0, 1] as const) put(middle[i], f64x2.sub(a[i], f64x2.mul(half, sum[i])));
    add(a, a, sum);
    emitOutput(0, a);
    add(a, middle, rotated);
    emitOutput(1, a);
    subtract(middle, middle, rotated);
    emitOutput(2, middle);
  },
};

/** Sums and differences of opposite operands: the four results of a step of radix 4, in `x` and two more. */
function fourWays([a, b, c, d]: readonly Complex[], [ac, away]: readonly Complex[]): readonly Complex[] {
  const [p, q, r, s] = [a, b, c, d] as [Complex, Complex, Complex, Complex];
  const [sum, apart] = [ac, away] as [Complex, Complex];
  add(sum, p, r);
  subtract(apart, p, r);
  add(p, q, s);
  // b - d rotated by a quarter.
  put(r[0], f64x2.sub(q[1], s[1]));
  put(r[1], f64x2.sub(s[0], q[0]));
  add(q, sum, p);
  subtract(p, sum, p);
  add(sum, apart, r);
  subtract(apart, apart, r);
  return [q, sum, p, apart];
}

const four: Butterfly = {
  radix: 4,
  temps: 2,
  constants: [],
  emit({ x, temps, emitOutput }) {
    fourWays(x, temps).forEach((value, r) => emitOutput(r, value));
  },
};

const five: Butterfly = {
  radix: 5,
  temps: 7,
  constants: [
    (Math.sqrt(5) - 1) / 4,
    Math.sqrt(10 + 2 * Math.sqrt(5)) / 4,
    -(Math.sqrt(5) + 1) / 4,
    Math.sqrt(10 - 2 * Math.sqrt(5)) / 4,
  ],
  emit({ x, temps, constants, emitOutput }) {
    const [a, b, c, d, e] = x as [Complex, Complex, Complex, Complex, Complex];
    const [be, cd, apart, near, outer, inner, rotated] = temps as [
      Complex,
      Complex,
      Complex,
      Complex,
      Complex,
      Complex,
      Complex,
    ];
    const [cos72, sin72, cos144, sin144] = constants as [Vector, Vector, Vector, Vector];
    add(be, b, e);
    add(cd, c, d);
    for (const i of [0, 1] as const) {
      put(outer[i], f64x2.add(f64x2.add(a[i], f64x2.mul(cos72, be[i])), f64x2.mul(cos144, cd[i])));
      put(inner[i], f64x2.add(f64x2.add(a[i], f64x2.mul(cos144, be[i])), f64x2.mul(cos72, cd[i])));
    }
    subtract(apart, b, e);
    subtract(near, c, d);
    add(a, a, be);
    add(a, a, cd);
    emitOutput(0, a);
    put(rotated[0], f64x2.add(f64x2.mul(sin72, apart[1]), f64x2.mul(sin144, near[1])));
    put(rotated[1], f64x2.sub(f64x2.neg(f64x2.mul(sin72, apart[0])), f64x2.mul(sin144, near[0])));
    add(a, outer, rotated);
    emitOutput(1, a);
    subtract(a, outer, rotated);
    emitOutput(4, a);
    put(rotated[0], f64x2.sub(f64x2.mul(sin144, apart[1]), f64x2.mul(sin72, near[1])));
    put(rotated[1], f64x2.add(f64x2.neg(f64x2.mul(sin144, apart[0])), f64x2.mul(sin72, near[0])));
    add(a, inner, rotated);
    emitOutput(2, a);
    subtract(a, inner, rotated);
    emitOutput(3, a);
  },
};

const complexes = (vectors: readonly Vector[]): Complex[] =>
  Array.from({ length: vectors.length / 2 }, (_, i) => [vectors[2 * i]!, vectors[2 * i + 1]!] as const);

const POINTERS = ["p0", "p1", "p2", "p3", "p4"] as const;
const RESULTS = ["q0", "q1", "q2", "q3", "q4"] as const;
const STAGE = ["x", "y", "m", "s", "roots", "imaginary", "rootStride"] as const;

/**
 * `(x, y, m, s, roots, imaginary, rootStride)`: a step of a radix p takes `s` interleaved transforms of length p * m to p * s ones
 * of length m. `rootStride` bytes lie between the roots for k and k + 1, `imaginary` between real and imaginary parts of a root.
 */
function stage({ radix, temps: tempCount, constants: values, emit }: Butterfly): Code {
  const ints = ["k", "i", "at", "rootOffset", "across", "along", ...POINTERS, ...RESULTS] as const;
  const used = 2 * (radix + radix - 1 + tempCount + 1);
  return define(STAGE, ints, used + values.length, (v, vectors) => {
    const all = complexes(vectors.slice(0, used));
    const [x, twiddles] = [all.slice(0, radix), all.slice(radix, 2 * radix - 1)];
    const temps = all.slice(2 * radix - 1, -1);
    const result = all.at(-1)!;
    const constants = vectors.slice(used);
    const pointers = POINTERS.slice(0, radix).map((name) => v[name]);
    const results = RESULTS.slice(0, radix).map((name) => v[name]);
    constants.forEach((to, i) => put(to, both(values[i]!)));
    local.set(v.along, i32.mul(v.s, PAIR));
    local.set(v.across, i32.mul(v.along, v.m));
    local.set(v.rootOffset, 0);
    local.set(v.p0, v.x);
    local.set(v.q0, v.y);
    const emitOutput = (r: number, value: Complex): void => {
      if (r === 0) return store(results[0]!, value);
      multiply(result, value, twiddles[r - 1]!);
      store(results[r]!, result);
    };
    range(v.k, v.m, 1, () => {
      local.set(v.at, v.roots);
      for (const twiddle of twiddles) {
        advance(v.at, v.rootOffset);
        loadRoot(twiddle, v.at, v.imaginary);
      }
      advance(v.rootOffset, v.rootStride);
      chain(pointers, v.across);
      chain(results, v.along);
      range(v.i, v.s, 1, () => {
        x.forEach((to, j) => load(to, pointers[j]!));
        emit({ x, twiddles, temps, constants, emitOutput });
        for (const pointer of [...pointers, ...results]) advance(pointer, PAIR);
      });
      // The first results of the next k are behind the last ones of this.
      local.set(v.q0, results.at(-1)!);
    });
  });
}

/** Sets each pointer `by` bytes behind the pointer before. */
function chain(pointers: readonly Int[], by: Int): void {
  for (let i = 1; i < pointers.length; i++) local.set(pointers[i]!, i32.add(pointers[i - 1]!, by));
}

/** A root in both lanes; the address is changed and restored. */
function loadRoot([cos, sin]: Complex, at: Int, imaginary: Int): void {
  put(cos, v128.load64_splat({}, at));
  put(sin, v128.load64_splat({}, i32.add(at, imaginary)));
}

/** As {@link stage}, for any radix, which is a further argument: by the definition. */
function anyStage(): Code {
  const ints = ["k", "r", "i", "j", "at", "t", "from", "to", "across", "along", "p", "step"] as const;
  return define([...STAGE, "radix"], ints, 10, (v, vectors) => {
    const [sum, x, root, twiddle, term] = complexes(vectors) as [Complex, Complex, Complex, Complex, Complex];
    local.set(v.along, i32.mul(v.s, PAIR));
    local.set(v.across, i32.mul(v.along, v.m));
    local.set(v.step, i32.mul(v.rootStride, v.m));
    local.set(v.to, v.y);
    range(v.k, v.m, 1, () =>
      range(v.r, v.radix, 1, () => {
        local.set(v.at, i32.mul(i32.mul(v.k, v.r), v.rootStride));
        advance(v.at, v.roots);
        loadRoot(twiddle, v.at, v.imaginary);
        setAddress(v.from, v.x, v.k, v.along);
        range(v.i, v.s, 1, () => {
          load(sum, v.from);
          local.set(v.p, v.from);
          local.set(v.t, v.r);
          local.set(v.j, 1);
          onward(v.j, v.radix, 1, () => {
            advance(v.p, v.across);
            setAddress(v.at, v.roots, v.t, v.step);
            loadRoot(root, v.at, v.imaginary);
            load(x, v.p);
            multiply(term, x, root);
            add(sum, sum, term);
            advance(v.t, v.r);
            i32.ge_u(v.t, v.radix);
            when(() => local.set(v.t, i32.sub(v.t, v.radix)));
          });
          multiply(x, sum, twiddle);
          store(v.to, x);
          advance(v.from, PAIR);
          advance(v.to, PAIR);
        });
      }),
    );
  });
}

/**
 * `(x, y, m, roots, imaginary)`: the first step of radix 4 of a single transform, of which two neighbours make a pair; `m` is
 * even. Lanes are two values of k.
 */
function firstFour(): Code {
  const names = ["x", "y", "m", "roots", "imaginary"] as const;
  const ints = ["k", "at", "across", "p0", "p1", "p2", "p3", "q"] as const;
  return define(names, ints, 20, (v, vectors) => {
    const all = complexes(vectors);
    const [x, temps, twiddles, out] = [all.slice(0, 4), all.slice(4, 6), all.slice(6, 9), all[9]!];
    const pointers = POINTERS.slice(0, 4).map((name) => v[name as "p0"]);
    local.set(v.across, i32.mul(v.m, PAIR / 2));
    local.set(v.p0, v.x);
    chain(pointers, v.across);
    local.set(v.q, v.y);
    range(v.k, v.m, 2, () => {
      twiddles.forEach((twiddle, j) => {
        setAddress(v.at, v.roots, v.k, 8 * (j + 1));
        for (const part of twiddle) {
          put(part, v128.load64_zero({}, v.at));
          put(part, v128.load64_lane({ offset: 8 * (j + 1) }, 1, v.at, part));
          advance(v.at, v.imaginary);
        }
      });
      x.forEach((to, j) => load(to, pointers[j]!));
      const [a, b, c, d] = fourWays(x, temps) as [Complex, Complex, Complex, Complex];
      const spare = x[3]!;
      // What is no operand any more takes a product.
      for (const [value, twiddle] of [
        [b, twiddles[0]!] as const,
        [c, twiddles[1]!] as const,
        [d, twiddles[2]!] as const,
      ]) {
        multiply(spare, value, twiddle);
        value.forEach((part, i) => put(part, local.get(spare[i]!)));
      }
      const sides = [
        [a, b, [0, 1, 4, 5]],
        [c, d, [0, 1, 4, 5]],
        [a, b, [2, 3, 6, 7]],
        [c, d, [2, 3, 6, 7]],
      ] as const;
      for (const [left, right, lanes] of sides) {
        out.forEach((part, i) => put(part, words(left[i]!, right[i]!, lanes)));
        store(v.q, out);
        advance(v.q, PAIR);
      }
      for (const pointer of pointers) advance(pointer, PAIR);
    });
  });
}

/**
 * `multiply(x, xIm, w, imaginary, n, times, to, toIm)`: numbers times those of a table, each of which counts for `times` pairs;
 * real and imaginary parts may be exchanged.
 */
function multiplyTable(): Code {
  const names = ["x", "xIm", "w", "imaginary", "n", "times", "to", "toIm"] as const;
  return define(names, ["i", "j"], 6, (v, vectors) => {
    const [x, w, out] = complexes(vectors) as [Complex, Complex, Complex];
    range(v.i, v.n, 1, () => {
      loadRoot(w, v.w, v.imaginary);
      advance(v.w, 8);
      range(v.j, v.times, 1, () => {
        put(x[0], v128.load({ align: 8 }, v.x));
        put(x[1], v128.load({ align: 8 }, v.xIm));
        multiply(out, x, w);
        v128.store({ align: 8 }, v.to, out[0]);
        v128.store({ align: 8 }, v.toIm, out[1]);
        for (const pointer of [v.x, v.xIm, v.to, v.toIm]) advance(pointer, PAIR);
      });
    });
  });
}

/** The functions of steps. */
export const stageFunctions = (): Readonly<Record<string, Code>> => ({
  radix2: stage(two),
  radix3: stage(three),
  radix4: stage(four),
  radix5: stage(five),
  radix: anyStage(),
  firstFour: firstFour(),
  multiply: multiplyTable(),
});
