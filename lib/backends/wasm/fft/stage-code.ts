/**
 * The steps of mixed-radix Fourier transforms in vectors of two doubles, the same operations as those of the binary backend.
 * A number takes 32 bytes: a vector of real parts and one of imaginary parts, of two transforms side by side, or of two
 * neighbouring elements of one. Works with addresses.
 */
import { advance, define, f64x2, i32, local, onward, range, setAddress, v128, when } from "../asm";
import type { Code, Int, Tuple, Vector } from "../asm";
import { words } from "../codegen/vectors";
import {
  add,
  both,
  complexes,
  IMAGINARY,
  load,
  loadRoot,
  multiply,
  PAIR,
  put,
  store,
  subtract,
  type Complex,
} from "./complex-code";

/** Multiplies a result by its twiddle factor and stores it. */
type EmitOutput = (r: number, value: Complex) => void;

/** A step of a radix: the code that makes so many results of so many operands, which it may change. */
interface Butterfly<N extends number> {
  readonly radix: N;
  readonly constants: readonly number[];
  emit(x: Tuple<Complex, N>, emitOutput: EmitOutput, constants: readonly Vector[]): void;
}

const two: Butterfly<2> = {
  radix: 2,
  constants: [],
  emit([a, b], emitOutput) {
    const [sum] = complexes(1);
    add(sum, a, b);
    emitOutput(0, sum);
    subtract(a, a, b);
    emitOutput(1, a);
  },
};

const three: Butterfly<3> = {
  radix: 3,
  constants: [Math.sqrt(3) / 2, 0.5],
  emit([a, b, c], emitOutput, [sin60, half]) {
    const [sum, rotated, middle] = complexes(3);
    add(sum, b, c);
    put(rotated[0], f64x2.mul(f64x2.sub(b[1], c[1]), sin60!));
    put(rotated[1], f64x2.mul(f64x2.sub(c[0], b[0]), sin60!));
    for (const i of [0, 1] as const) put(middle[i], f64x2.sub(a[i], f64x2.mul(half!, sum[i])));
    add(a, a, sum);
    emitOutput(0, a);
    add(a, middle, rotated);
    emitOutput(1, a);
    subtract(middle, middle, rotated);
    emitOutput(2, middle);
  },
};

/** Sums and differences of opposite operands: the four results of a step of radix 4, in operands and two more. */
function fourWays([p, q, r, s]: Tuple<Complex, 4>): Tuple<Complex, 4> {
  const [sum, apart] = complexes(2);
  add(sum, p, r);
  subtract(apart, p, r);
  add(p, q, s);
  // q - s rotated by a quarter.
  put(r[0], f64x2.sub(q[1], s[1]));
  put(r[1], f64x2.sub(s[0], q[0]));
  add(q, sum, p);
  subtract(p, sum, p);
  add(sum, apart, r);
  subtract(apart, apart, r);
  return [q, sum, p, apart];
}

const four: Butterfly<4> = {
  radix: 4,
  constants: [],
  emit: (x, emitOutput) => fourWays(x).forEach((value, r) => emitOutput(r, value)),
};

const five: Butterfly<5> = {
  radix: 5,
  constants: [
    (Math.sqrt(5) - 1) / 4,
    Math.sqrt(10 + 2 * Math.sqrt(5)) / 4,
    -(Math.sqrt(5) + 1) / 4,
    Math.sqrt(10 - 2 * Math.sqrt(5)) / 4,
  ],
  emit([a, b, c, d, e], emitOutput, constants) {
    const [be, cd, apart, near, outer, inner, rotated] = complexes(7);
    const [cos72, sin72, cos144, sin144] = constants as Tuple<Vector, 4>;
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

const STAGE = ["x", "y", "m", "s", "roots", "imaginary", "rootStride"] as const;

/** Pointers of which the first one is there. */
const pointersFrom = (first: Int, count: number): readonly Int[] => [
  first,
  ...Array.from({ length: count - 1 }, () => local.fresh("i32")),
];

/**
 * `(x, y, m, s, roots, imaginary, rootStride)`: a step of a radix p takes `s` interleaved transforms of length p * m to p * s ones
 * of length m. `rootStride` bytes lie between the roots for k and k + 1, `imaginary` between real and imaginary parts of a root.
 */
function stage<N extends number>({ radix, constants: values, emit }: Butterfly<N>): Code {
  return define(STAGE, ["k", "i", "at", "rootOffset", "across", "along"], 0, (v) => {
    const x = complexes(radix) as Tuple<Complex, N> & readonly Complex[];
    const [twiddles, [result]] = [complexes(radix - 1), complexes(1)];
    const [pointers, results] = [pointersFrom(v.x, radix), pointersFrom(v.y, radix)];
    const constants = values.map((value) => local.fresh("v128", both(value)));
    local.set(v.along, i32.mul(v.s, PAIR));
    local.set(v.across, i32.mul(v.along, v.m));
    local.set(v.rootOffset, 0);
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
        emit(x, emitOutput, constants);
        for (const pointer of [...pointers, ...results]) advance(pointer, PAIR);
      });
      // The first results of the next k are behind the last ones of this.
      local.set(v.y, results.at(-1)!);
    });
  });
}

/** Sets each pointer `by` bytes behind the pointer before. */
function chain(pointers: readonly Int[], by: Int): void {
  for (let i = 1; i < pointers.length; i++) local.set(pointers[i]!, i32.add(pointers[i - 1]!, by));
}

/** As {@link stage}, for any radix, which is a further argument: by the definition. */
function anyStage(): Code {
  const ints = ["k", "r", "i", "j", "at", "t", "from", "across", "along", "p", "step"] as const;
  return define([...STAGE, "radix"], ints, 0, (v) => {
    const [sum, x, root, twiddle, term] = complexes(5);
    local.set(v.along, i32.mul(v.s, PAIR));
    local.set(v.across, i32.mul(v.along, v.m));
    local.set(v.step, i32.mul(v.rootStride, v.m));
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
          store(v.y, x);
          advance(v.from, PAIR);
          advance(v.y, PAIR);
        });
      }),
    );
  });
}

/** A pair of which the first number is the second of a pair in memory. */
function loadAcross([re, im]: Complex, at: Int): void {
  for (const [part, offset] of [
    [re, 0],
    [im, IMAGINARY],
  ] as const) {
    // prettier-ignore
    put(part, v128.load64_zero({ offset: offset + 8 }, at));
    put(part, v128.load64_lane({ offset: offset + PAIR }, 1, at, part));
  }
}

/**
 * `(x, y, m, roots, imaginary)`: the first step of radix 4 of a single transform, of which two neighbours make a pair. Lanes are two
 * values of k; where `m` is odd, the second of the last two is none: it reads and writes up to two pairs behind the ends.
 */
function firstFour(isOdd: boolean): Code {
  return define(["x", "y", "m", "roots", "imaginary"], ["k", "at"], 0, (v) => {
    const [x, twiddles, [out]] = [complexes(4), complexes(3), complexes(1)];
    const pointers = pointersFrom(v.x, 4);
    pointers.forEach((pointer, j) => {
      if (j === 0) return;
      local.set(pointer, i32.shr_u(i32.mul(v.m, j), 1));
      setAddress(pointer, v.x, pointer, PAIR);
    });
    range(v.k, v.m, 2, () => {
      twiddles.forEach((twiddle, j) => {
        setAddress(v.at, v.roots, v.k, 8 * (j + 1));
        for (const part of twiddle) {
          put(part, v128.load64_zero({}, v.at));
          put(part, v128.load64_lane({ offset: 8 * (j + 1) }, 1, v.at, part));
          advance(v.at, v.imaginary);
        }
      });
      x.forEach((to, j) => (isOdd && j % 2 === 1 ? loadAcross : load)(to, pointers[j]!));
      const [a, b, c, d] = fourWays(x);
      const spare = x[3];
      // What is no operand any more takes a product.
      [b, c, d].forEach((value, i) => {
        multiply(spare, value, twiddles[i]!);
        value.forEach((part, k) => local.set(part, spare[k]!));
      });
      const sides = [
        [a, b, [0, 1, 4, 5]],
        [c, d, [0, 1, 4, 5]],
        [a, b, [2, 3, 6, 7]],
        [c, d, [2, 3, 6, 7]],
      ] as const;
      for (const [left, right, lanes] of sides) {
        out.forEach((part, i) => put(part, words(left[i]!, right[i]!, lanes)));
        store(v.y, out);
        advance(v.y, PAIR);
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
  return define(names, ["i", "j"], 0, (v) => {
    const [x, w, out] = complexes(3);
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
  firstFour: firstFour(false),
  firstFourOdd: firstFour(true),
  multiply: multiplyTable(),
});
