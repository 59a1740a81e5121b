/**
 * What makes transforms of real numbers of those of half as many complex ones, and the way back: the operations of the binary backend
 * (`binary/fft/halves.ts`) on pairs of numbers, which are two transforms side by side or two neighbours of one. The way back writes
 * parts exchanged, as inverse transforms take them.
 */
import { advance, define, f64x2, i32, local, range, setAddress, v128, when } from "../asm";
import type { Code, Int } from "../asm";
import { add, both, complexes, IMAGINARY, loadRoot, multiply, PAIR, put, type Complex } from "./complex-code";

/** Where the parts of a pair lie. */
const offsetsOf = (isExchanged: boolean): readonly [number, number] => (isExchanged ? [IMAGINARY, 0] : [0, IMAGINARY]);

/** The parts of pairs, and of single numbers of them. */
class Places {
  private readonly offsets: readonly [number, number];

  constructor(isExchanged: boolean) {
    this.offsets = offsetsOf(isExchanged);
  }

  load(to: Complex, at: Int): void {
    to.forEach((part, i) => put(part, v128.load({ offset: this.offsets[i]!, align: 8 }, at)));
  }

  store(at: Int, value: Complex): void {
    value.forEach((part, i) => v128.store({ offset: this.offsets[i]!, align: 8 }, at, part));
  }

  /** The first number at an address, and the one before it in memory, which is the second of a pair. */
  loadBack(to: Complex, at: Int, before: Int): void {
    to.forEach((part, i) => {
      put(part, v128.load64_zero({ offset: this.offsets[i]! }, at));
      put(part, v128.load64_lane({ offset: this.offsets[i]! + 8 }, 1, before, part));
    });
  }

  storeBack(at: Int, before: Int, value: Complex): void {
    value.forEach((part, i) => {
      v128.store64_lane({ offset: this.offsets[i]! }, 0, at, part);
      v128.store64_lane({ offset: this.offsets[i]! + 8 }, 1, before, part);
    });
  }

  loadOne(to: Complex, at: Int): void {
    to.forEach((part, i) => put(part, v128.load64_zero({ offset: this.offsets[i]! }, at)));
  }

  storeOne(at: Int, value: Complex): void {
    value.forEach((part, i) => v128.store64_lane({ offset: this.offsets[i]! }, 0, at, part));
  }
}

/** Numbers that code works with: two that belong to each other, the root, and what is made of them. */
type Working = readonly [a: Complex, b: Complex, root: Complex, even: Complex, odd: Complex, turned: Complex];

/** Elements k and m - k, which are made of each other. */
function exchange([a, b, root, even, odd, turned]: Working, isInverse: boolean): void {
  put(even[0], f64x2.add(a[0], b[0]));
  put(even[1], f64x2.sub(a[1], b[1]));
  if (!isInverse) {
    put(odd[0], f64x2.add(a[1], b[1]));
    put(odd[1], f64x2.sub(b[0], a[0]));
    multiply(turned, odd, root);
    add(a, even, turned);
    put(b[0], f64x2.sub(even[0], turned[0]));
    return put(b[1], f64x2.sub(turned[1], even[1]));
  }
  put(turned[0], f64x2.sub(a[0], b[0]));
  put(turned[1], f64x2.add(a[1], b[1]));
  put(odd[0], f64x2.add(f64x2.mul(turned[0], root[0]), f64x2.mul(turned[1], root[1])));
  put(odd[1], f64x2.sub(f64x2.mul(turned[1], root[0]), f64x2.mul(turned[0], root[1])));
  put(a[0], f64x2.sub(even[0], odd[1]));
  put(a[1], f64x2.add(even[1], odd[0]));
  put(b[0], f64x2.add(even[0], odd[1]));
  put(b[1], f64x2.sub(odd[0], even[1]));
}

/** Elements 0 and m, which have no imaginary parts in the transform of real numbers, as element 0 of the other one has both. */
function ends(a: Complex, b: Complex, [even, odd]: Complex, isInverse: boolean): void {
  if (isInverse) {
    put(a[1], f64x2.sub(a[0], b[0]));
    return put(a[0], f64x2.add(a[0], b[0]));
  }
  put(even, f64x2.mul(a[0], both(2)));
  put(odd, f64x2.mul(a[1], both(2)));
  put(a[0], f64x2.add(even, odd));
  put(b[0], f64x2.sub(even, odd));
  for (const zero of [a[1], b[1]]) put(zero, both(0));
}

/** The element in the middle, which is its own partner. */
function turn([re, im]: Complex): void {
  put(re, f64x2.mul(re, both(2)));
  put(im, f64x2.mul(im, both(-2)));
}

/** `(x, m, roots, imaginary, s)`: of `s` pairs of transforms side by side, in place. */
function besideEachOther(isInverse: boolean): Code {
  return define(["x", "m", "roots", "imaginary", "s"], ["k", "i", "b", "row", "count"], 0, (v) => {
    const working = complexes(6);
    const [a, b, root, even] = working;
    const places = new Places(isInverse);
    local.set(v.row, i32.mul(v.s, PAIR));
    setAddress(v.b, v.x, v.row, v.m);
    range(v.i, v.s, 1, () => {
      places.load(a, v.x);
      if (isInverse) places.load(b, v.b);
      ends(a, b, even, isInverse);
      places.store(v.x, a);
      if (!isInverse) places.store(v.b, b);
      for (const pointer of [v.x, v.b]) advance(pointer, PAIR);
    });
    local.set(v.count, i32.shr_u(i32.sub(v.m, 1), 1));
    range(v.k, v.count, 1, () => {
      advance(v.roots, 8);
      loadRoot(root, v.roots, v.imaginary);
      for (let i = 0; i < 2; i++) local.set(v.b, i32.sub(v.b, v.row));
      range(v.i, v.s, 1, () => {
        places.load(a, v.x);
        places.load(b, v.b);
        exchange(working, isInverse);
        places.store(v.x, a);
        places.store(v.b, b);
        for (const pointer of [v.x, v.b]) advance(pointer, PAIR);
      });
    });
    i32.eqz(i32.and(v.m, 1));
    when(() =>
      range(v.i, v.s, 1, () => {
        places.load(a, v.x);
        turn(a);
        places.store(v.x, a);
        advance(v.x, PAIR);
      }),
    );
  });
}

/** `(x, m, roots, imaginary)`: of a single transform of which two neighbours make a pair, in place; `m` is a multiple of 4. */
function inNeighbours(isInverse: boolean): Code {
  return define(
    ["x", "m", "roots", "imaginary"],
    ["k", "at", "last", "a", "b", "before", "middle", "count"],
    0,
    (v) => {
      const working = complexes(6);
      const [a, b, root, even] = working;
      const [first, end, own] = complexes(3);
      const places = new Places(isInverse);
      setAddress(v.last, v.x, v.m, PAIR / 2);
      setAddress(v.middle, v.x, v.m, PAIR / 4);
      places.loadOne(first, v.x);
      if (isInverse) places.loadOne(end, v.last);
      places.loadOne(own, v.middle);
      local.set(v.a, v.x);
      local.set(v.b, v.last);
      local.set(v.count, i32.shr_u(v.m, 2));
      // The first of all lanes is that of the ends, which are put right below.
      range(v.k, v.count, 1, () => {
        loadLanes(root, v.roots, v.at, v.imaginary);
        local.set(v.before, i32.sub(v.b, PAIR));
        places.load(a, v.a);
        places.loadBack(b, v.b, v.before);
        exchange(working, isInverse);
        places.store(v.a, a);
        places.storeBack(v.b, v.before, b);
        advance(v.a, PAIR);
        local.set(v.b, v.before);
        advance(v.roots, 16);
      });
      ends(first, end, even, isInverse);
      places.storeOne(v.x, first);
      if (!isInverse) places.storeOne(v.last, end);
      turn(own);
      places.storeOne(v.middle, own);
    },
  );
}

/** Two roots as lanes. */
function loadLanes([re, im]: Complex, from: Int, at: Int, imaginary: Int): void {
  put(re, v128.load({ align: 8 }, from));
  local.set(at, i32.add(from, imaginary));
  put(im, v128.load({ align: 8 }, at));
}

/** The functions of halves. */
export const halfFunctions = (): Readonly<Record<string, Code>> => ({
  untangle: besideEachOther(false),
  tangle: besideEachOther(true),
  untangleOne: inNeighbours(false),
  tangleOne: inNeighbours(true),
});
