/**
 * Routines of small systems of equations: LU with partial pivoting, Cholesky and substitution in doubles, rounded once, step by step as
 * the primitive. Matrices with a number that is not finite, in which the primitive leaves out zero multipliers, are failures, and so is
 * what the primitive refuses.
 */
import type { Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { isFloat } from "../../../core/types";
import { TOLERANCE } from "../../binary/linalg/hermitian";
import { advance, call, f64, f64x2, i32, local, v128, when, type Int, type Vector } from "../asm";
import { LINALG_TO } from "../schedule/programs";
import { at, constantOf, copyRun, fill, pointerTo, times } from "./boxes";
import { castFunction, inputIn } from "./operands";
import { failIf, Rooms, routine, type AttrsOf, type Make, type Places, type Room, type Routine } from "./routine";

const DOUBLE = 8;
const PAIR = 16;

/** An operand in doubles; the room has space behind it, since vectors of two go beyond an odd number. */
const doubles = (rooms: Rooms, { shape }: Pick<Template, "shape">): Room => rooms.take({ type: "f64", shape });

function toDoubles({ type, shape }: Template, from: Int, to: Int): void {
  const count = sizeOf(shape);
  if (type === "f64") copyRun(count * DOUBLE, at(from), at(to));
  else call(castFunction(type, "f64", "saturate"), [count, from, to]);
}

function fromDoubles({ type, shape }: Template, from: Int, to: Int): void {
  const count = sizeOf(shape);
  if (type === "f64") copyRun(count * DOUBLE, at(from), at(to));
  else call(castFunction("f64", type, "wrap"), [count, from, to]);
}

/** Fails where one of so many doubles is not finite. */
function failOnInfinite(count: number, from: Int): void {
  const odd = local.fresh("v128", v128.const("i32x4", [0, 0, 0, 0]));
  const [x, pointer] = [local.fresh("v128"), pointerTo(from)];
  const take = (load: () => void): void => {
    load();
    local.set(x);
    // A number minus itself is 0 if it is finite.
    const isInfinite = f64x2.ne(f64x2.sub(x, x), f64x2.splat(0));
    local.set(odd, v128.or(odd, isInfinite));
  };
  times(Math.floor(count / 2), () => {
    take(() => void v128.load({ align: 8 }, pointer));
    advance(pointer, PAIR);
  });
  if (count % 2 > 0) take(() => void v128.load64_zero({}, pointer));
  v128.any_true(odd);
  failIf();
}

// ---------------------------------------------------------------------------------------------------------------- triangles

/** Vectors of a strip of right sides. */
const STRIP = 4;

/** x with t(a) x = b: `x` holds b first; rows of `width` doubles. */
function substitute(
  n: number,
  width: number,
  { lower, transform }: AttrsOf<"linalg"> & { op: "triangularSolve" },
  a: Int,
  x: Int,
): void {
  const isForward = lower === (transform === "none");
  const rowOf = (step: number): number => (isForward ? step : n - 1 - step);
  const entry = (i: number, j: number): number => DOUBLE * (transform === "none" ? i * n + j : j * n + i);
  for (let i = 0; i < n; i++) {
    f64.eq(f64.load({ offset: entry(i, i) }, a), 0);
    failIf();
  }
  const sums = Array.from({ length: STRIP }, () => local.fresh("v128"));
  const factor = local.fresh("v128");
  const strip = (at: Int, doublesWide: number): void => {
    const vectors = sums.slice(0, Math.ceil(doublesWide / 2));
    for (let step = 0; step < n; step++) {
      const row = DOUBLE * width * rowOf(step);
      const each = (visit: (sum: Vector, offset: number, count: number) => void): void =>
        vectors.forEach((sum, v) => visit(sum, row + PAIR * v, Math.min(2, doublesWide - 2 * v)));
      each((sum, offset) => local.set(sum, v128.load({ offset, align: 8 }, at)));
      for (let done = 0; done < step; done++) {
        const [j, other] = [rowOf(done), DOUBLE * width * rowOf(done)];
        local.set(factor, v128.load64_splat({ offset: entry(rowOf(step), j) }, a));
        each((sum, offset) => {
          const product = f64x2.mul(factor, v128.load({ offset: offset - row + other, align: 8 }, at));
          local.set(sum, f64x2.sub(sum, product));
        });
      }
      local.set(factor, v128.load64_splat({ offset: entry(rowOf(step), rowOf(step)) }, a));
      each((sum, offset, count) => {
        local.set(sum, f64x2.div(sum, factor));
        if (count === 2) v128.store({ offset, align: 8 }, at, sum);
        else v128.store64_lane({ offset }, 0, at, sum);
      });
    }
  };
  const at = pointerTo(x);
  const whole = 2 * STRIP;
  times(Math.floor(width / whole), () => {
    strip(at, whole);
    advance(at, whole * DOUBLE);
  });
  if (width % whole > 0) strip(at, width % whole);
}

function triangularSolve(
  out: Template,
  a: Template,
  b: Template,
  attrs: AttrsOf<"linalg"> & { op: "triangularSolve" },
): Routine {
  const [n, width] = b.shape.slice(-2) as [number, number];
  const rooms = new Rooms();
  const [triangles, sides] = [inputIn(rooms, "f64", a, 0), doubles(rooms, b)];
  const emit = (places: Places): void => {
    const [triangle, x] = [triangles(places), sides(places)];
    toDoubles(b, places.inputs[1]!, x);
    failOnInfinite(sizeOf(a.shape), triangle);
    failOnInfinite(sizeOf(b.shape), x);
    const [matrix, side] = [triangle, x].map((base) => pointerTo(base)) as [Int, Int];
    times(sizeOf(a.shape.slice(0, -2)), () => {
      substitute(n, width, attrs, matrix, side);
      advance(matrix, n * n * DOUBLE);
      advance(side, n * width * DOUBLE);
    });
    fromDoubles(out, x, places.outputs[0]!);
  };
  return routine({ inputs: 2, rooms, mayFail: true }, emit);
}

// ----------------------------------------------------------------------------------------------------------------------- LU

interface Elimination {
  readonly n: number;
  /** The matrix, which becomes u, with the multipliers below its diagonal, and the offsets of rows in their order. */
  readonly u: Int;
  readonly order: Int;
}

/** Brings the first row with the largest pivot of column `k` to row `k`. */
function choosePivot({ n, u, order }: Elimination, k: number): void {
  const sizeAt = (i: number) => f64.abs(f64.load({ offset: DOUBLE * (i * n + k) }, u));
  const [best, largest] = [local.fresh("i32", k), local.fresh("f64", sizeAt(k))];
  const candidate = local.fresh("f64");
  for (let i = k + 1; i < n; i++) {
    local.set(candidate, sizeAt(i));
    f64.gt(candidate, largest);
    when(() => {
      local.set(best, i32.const(i));
      local.set(largest, candidate);
    });
  }
  i32.ne(best, k);
  when(() => {
    swap(pointerTo(u, k * n * DOUBLE), sum(u, best, n * DOUBLE), n * DOUBLE);
    swap(pointerTo(order, 4 * k), sum(order, best, 4), 4);
  });
}

/** `base + index * bytes`. */
const sum = (base: Int, index: Int, bytes: number): Int => pointerTo(base, i32.mul(index, bytes));

/** Exchanges so many bytes, words at least. */
function swap(a: Int, b: Int, bytes: number): void {
  const [x, y] = [local.fresh("f64"), local.fresh("i32")];
  for (let offset = 0; offset + DOUBLE <= bytes; offset += DOUBLE) {
    local.set(x, f64.load({ offset, align: 4 }, a));
    f64.store({ offset, align: 4 }, a, f64.load({ offset, align: 4 }, b));
    f64.store({ offset, align: 4 }, b, x);
  }
  if (bytes % DOUBLE === 0) return;
  local.set(y, i32.load({}, a));
  i32.store({}, a, i32.load({}, b));
  i32.store({}, b, y);
}

/** Takes multiples of row `k` from the rows below. */
function eliminate({ n, u }: Elimination, k: number): void {
  const [multiplier, factor, x] = [local.fresh("f64"), local.fresh("v128"), local.fresh("v128")];
  const pivot = local.fresh("f64", f64.load({ offset: DOUBLE * (k * n + k) }, u));
  f64.ne(pivot, 0);
  when(() => {
    for (let i = k + 1; i < n; i++) {
      const at = DOUBLE * (i * n + k);
      local.set(multiplier, f64.div(f64.load({ offset: at }, u), pivot));
      f64.store({ offset: at }, u, multiplier);
      local.set(factor, f64x2.splat(multiplier));
      for (let j = k + 1; j < n; j += 2) {
        const offset = DOUBLE * (i * n + j);
        const product = f64x2.mul(factor, v128.load({ offset: DOUBLE * (k * n + j), align: 8 }, u));
        local.set(x, product);
        local.set(x, f64x2.sub(v128.load({ offset, align: 8 }, u), x));
        if (j + 1 < n) v128.store({ offset, align: 8 }, u, x);
        else v128.store64_lane({ offset }, 0, u, x);
      }
    }
  });
}

/** Multipliers go to l, which has ones on its diagonal, and leave zeros. */
function separate({ n, u }: Elimination, l: Int): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const offset = DOUBLE * (i * n + j);
      f64.store({ offset }, l, i === j ? 1 : f64.load({ offset }, u));
      if (j < i) f64.store({ offset }, u, 0);
    }
  }
}

const ONE = new Uint8Array(Float64Array.of(1).buffer);
const ZERO = new Uint8Array(DOUBLE);

function lu(outs: readonly Template[], a: Template): Routine {
  const n = a.shape.at(-1)!;
  const batch = sizeOf(a.shape.slice(0, -2));
  const rooms = new Rooms();
  const [ps, ls, us] = [doubles(rooms, a), doubles(rooms, a), doubles(rooms, a)];
  const orders = rooms.take({ type: "s32", shape: [n] });
  const emit = (places: Places): void => {
    const all = [ps(places), ls(places), us(places)];
    const order = orders(places);
    toDoubles(a, places.inputs[0]!, all[2]!);
    failOnInfinite(sizeOf(a.shape), all[2]!);
    const zero = constantOf(ZERO);
    for (const to of all.slice(0, 2)) fill(sizeOf(a.shape) * DOUBLE, [zero], at(to));
    const [p, l, u] = all.map((base) => pointerTo(base)) as [Int, Int, Int];
    times(batch, () => {
      for (let i = 0; i < n; i++) i32.store({ offset: 4 * i }, order, i);
      for (let k = 0; k < n; k++) {
        choosePivot({ n, u, order }, k);
        eliminate({ n, u, order }, k);
      }
      separate({ n, u, order }, l);
      const [one, row] = [constantOf(ONE), local.fresh("i32")];
      for (let i = 0; i < n; i++) {
        local.set(row, i32.load({ offset: 4 * i }, order));
        v128.store64_lane({ offset: DOUBLE * i }, 0, sum(p, row, n * DOUBLE), one);
      }
      for (const pointer of [p, l, u]) advance(pointer, n * n * DOUBLE);
    });
    outs.forEach((out, i) => fromDoubles(out, all[i]!, places.outputs[i]!));
  };
  return routine({ outputs: 3, rooms, mayFail: true }, emit);
}

// ----------------------------------------------------------------------------------------------------------------- Cholesky

/** Fails where elements that lie opposite each other differ by more than the type allows, next to the largest of all. */
function failUnlessHermitian(n: number, tolerance: number, a: Int): void {
  const allowed = local.fresh("f64", 0);
  const element = (i: number, j: number) => f64.load({ offset: DOUBLE * (i * n + j) }, a);
  for (let k = 0; k < n * n; k++) local.set(allowed, f64.max(allowed, f64.abs(element(0, k))));
  local.set(allowed, f64.mul(allowed, tolerance));
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      f64.abs(f64.sub(element(i, j), element(j, i)));
      local.get(allowed);
      f64.gt();
      failIf();
    }
  }
}

/** Row `k` of u, of which row and column `k` of the matrix are there: what rows above are the cause of is taken off. */
function finishRow(n: number, k: number, u: Int): void {
  const [x, factor, pivot] = [local.fresh("v128"), local.fresh("v128"), local.fresh("f64")];
  const offset = (i: number, j: number): number => DOUBLE * (i * n + j);
  const store = (j: number): void => {
    if (j + 1 < n) v128.store({ offset: offset(k, j), align: 8 }, u, x);
    else v128.store64_lane({ offset: offset(k, j) }, 0, u, x);
  };
  for (let j = k; j < n; j += 2) {
    local.set(x, v128.load({ offset: offset(k, j), align: 8 }, u));
    for (let i = 0; i < k; i++) {
      local.set(factor, v128.load64_splat({ offset: offset(i, k) }, u));
      const product = f64x2.mul(factor, v128.load({ offset: offset(i, j), align: 8 }, u));
      local.set(x, f64x2.sub(x, product));
    }
    store(j);
  }
  local.set(pivot, f64.load({ offset: offset(k, k) }, u));
  f64.gt(pivot, 0);
  f64.lt(pivot, Infinity);
  i32.and();
  i32.eqz();
  failIf();
  f64.store({ offset: offset(k, k) }, u, f64.sqrt(pivot));
  local.set(factor, v128.load64_splat({ offset: offset(k, k) }, u));
  for (let j = k + 1; j < n; j += 2) {
    local.set(x, f64x2.div(v128.load({ offset: offset(k, j), align: 8 }, u), factor));
    store(j);
  }
}

/** The lower triangle of the matrix goes into the upper one of u, and that into the lower one of l. */
function cholesky(out: Template, a: Template): Routine {
  const n = a.shape.at(-1)!;
  const rooms = new Rooms();
  const [given, us, ls] = [inputIn(rooms, "f64", a, 0), doubles(rooms, a), doubles(rooms, a)];
  const move = (from: Int, to: Int, flip: boolean): void => {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        const [lower, upper] = [DOUBLE * (i * n + j), DOUBLE * (j * n + i)];
        f64.store({ offset: flip ? upper : lower }, to, f64.load({ offset: flip ? lower : upper }, from));
      }
    }
  };
  const emit = (places: Places): void => {
    const [source, u, whole] = [given(places), us(places), ls(places)];
    failOnInfinite(sizeOf(a.shape), source);
    fill(sizeOf(a.shape) * DOUBLE, [constantOf(ZERO)], at(whole));
    const [matrix, l] = [source, whole].map((base) => pointerTo(base)) as [Int, Int];
    times(sizeOf(a.shape.slice(0, -2)), () => {
      failUnlessHermitian(n, TOLERANCE[a.type] ?? 0, matrix);
      move(matrix, u, true);
      for (let k = 0; k < n; k++) finishRow(n, k, u);
      move(u, l, false);
      for (const pointer of [matrix, l]) advance(pointer, n * n * DOUBLE);
    });
    fromDoubles(out, whole, places.outputs[0]!);
  };
  return routine({ rooms, mayFail: true }, emit);
}

/** None for complex matrices and large ones, whose code would be long, and none for decompositions that iterate. */
const linalg: Make<"linalg"> = (outs, inputs, attrs) => {
  const [a, b] = inputs as [Template, Template];
  if (a.shape.at(-1)! > LINALG_TO || ![...inputs, ...outs].every(({ type }) => isFloat(type))) return null;
  switch (attrs.op) {
    case "lu":
      return lu(outs, a);
    case "triangularSolve":
      return triangularSolve(outs[0]!, a, b, attrs);
    case "cholesky":
      return cholesky(outs[0]!, a);
    case "eig":
    case "eigh":
    case "expm":
    case "qr":
    case "sqrtm":
    case "svd":
      return null;
    default:
      return attrs satisfies never;
  }
};

/** The routines of decompositions. */
export const decompositions = { linalg };
