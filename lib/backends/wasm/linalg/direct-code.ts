/**
 * LU, Cholesky and substitution on whole real matrices of doubles, in their places: rows are finished one after the other, and what some of
 * them are the cause of is taken from others by products, twice as many rows at a time where a power of two of them is finished (Toledo
 * 1997, "Locality of reference in LU decomposition with partial pivoting"). Each element is subtracted from in the order of the steps, as
 * in the binary backend.
 */
import {
  advance,
  call,
  define,
  f64,
  f64x2,
  func,
  i32,
  local,
  onward,
  range,
  return_,
  setAddress,
  shuffleItems,
  v128,
  when,
} from "../asm";
import type { Code, Input, Int, StackVar, Vector } from "../asm";
import { transposeFunction } from "../copy/transpose-code";
import type { Functions } from "../modules/module";
import { AT_ONCE_PRODUCTS, AT_ONCE_TO } from "../schedule/sorts";

export const DOUBLE = 8;
/** Rows that are the cause of what is taken from all others at once. */
const STEPS = 32;

/** How far the work is: `k` rows of `n` were finished, then one more, `next` in all; the last `steps` of them are taken from `extent` rows behind. */
interface Progress {
  readonly k: Int;
  readonly n: Int;
  readonly next: Int;
  readonly steps: Int;
  readonly extent: Int;
}

const PROGRESS = ["k", "next", "steps", "extent"] as const;

/** Sets what comes after row `k`. */
function proceed({ k, n, next, steps, extent }: Progress): void {
  local.set(next, i32.add(k, 1));
  local.set(extent, i32.sub(n, next));
  local.set(steps, i32.and(next, i32.sub(0, next)));
  i32.ge_u(steps, STEPS);
  when(
    () => local.set(steps, STEPS),
    () => {
      i32.lt_u(steps, extent);
      when(() => local.set(extent, steps));
    },
  );
}

/** The body for all doubles of a row, one or two of them at a time; `i` counts them. */
export function along(
  i: Int,
  end: Int,
  count: Int | number,
  pointers: readonly Int[],
  body: (lanes: Lanes) => void,
): void {
  const each = (lanes: Lanes) => (): void => {
    body(lanes);
    for (const pointer of pointers) advance(pointer, lanes * DOUBLE);
  };
  local.set(end, i32.and(count, -2));
  range(i, end, 2, each(2));
  onward(i, count, 1, each(1));
}

/** How many doubles of a row a vector holds: two, or one where there is a single one left, beside which it holds 0. */
export type Lanes = 1 | 2;

export const load = (lanes: Lanes, from: Int, offset = 0): StackVar<"v128"> =>
  lanes === 2 ? v128.load({ offset, align: 8 }, from) : v128.load64_zero({ offset }, from);

export function store(lanes: Lanes, to: Int, offset: number, value: Input<"v128">): void {
  if (lanes === 2) v128.store({ offset, align: 8 }, to, value);
  else v128.store64_lane({ offset }, 0, to, value);
}

/** Pointers to what `held` is taken from. */
interface Taken {
  readonly p: Int;
  readonly from: Int;
  readonly factors: Int;
  readonly j: Int;
  readonly k: Int;
}

/** Takes what all `k` finished rows are the cause of from `held`, which lies at `p` in the row behind them. */
function takeAll(
  lanes: Lanes,
  { p, from, factors, j, k }: Taken,
  row: Int,
  step: Int,
  held: Vector,
  factor: Vector,
): void {
  local.set(held, load(lanes, p));
  local.set(from, i32.sub(p, i32.mul(k, row)));
  range(j, k, 1, () => {
    local.set(factor, v128.load64_splat({}, factors));
    local.set(held, f64x2.sub(held, f64x2.mul(factor, load(lanes, from))));
    advance(factors, step);
    advance(from, row);
  });
}

/** `(x, row, n, width, a, aRow, aStep, isUnit)`: rows of a triangle from the one with a single unknown on. */
function substitute(subtract: Code): Code {
  const names = ["x", "xRow", "n", "width", "a", "aRow", "aStep", "isUnit"] as const;
  return define(
    names,
    [...PROGRESS, "i", "j", "end", "p", "diagonal", "from", "factors"],
    3,
    (x, [pivot, held, factor]) => {
      local.set(x.diagonal, x.a);
      i32.le_u(i32.mul(i32.mul(x.n, x.n), x.width), AT_ONCE_PRODUCTS);
      when(() => {
        range(x.k, x.n, 1, () => {
          i32.eqz(x.isUnit);
          when(
            () => local.set(pivot, v128.load64_splat({}, x.diagonal)),
            () => local.set(pivot, f64x2.splat(1)),
          );
          setAddress(x.p, x.x, x.k, x.xRow);
          along(x.i, x.end, x.width, [x.p], (lanes) => {
            setAddress(x.factors, x.a, x.k, x.aRow);
            takeAll(lanes, x, x.xRow, x.aStep, held, factor);
            store(lanes, x.p, 0, f64x2.div(held, pivot));
          });
          advance(x.diagonal, i32.add(x.aRow, x.aStep));
        });
        return_();
      });
      range(x.k, x.n, 1, () => {
        i32.eqz(x.isUnit);
        when(() => {
          local.set(pivot, v128.load64_splat({}, x.diagonal));
          setAddress(x.p, x.x, x.k, x.xRow);
          along(x.i, x.end, x.width, [x.p], (lanes) => store(lanes, x.p, 0, f64x2.div(load(lanes, x.p), pivot)));
        });
        proceed(x);
        advance(x.diagonal, i32.add(x.aRow, x.aStep));
        local.set(x.p, i32.sub(x.next, x.steps));
        setAddress(x.from, x.x, x.p, x.xRow);
        local.set(x.factors, i32.sub(x.diagonal, i32.mul(x.steps, x.aStep)));
        setAddress(x.p, x.x, x.next, x.xRow);
        call(subtract, [x.p, x.xRow, x.factors, x.aRow, x.aStep, x.from, x.xRow, x.extent, x.width, x.steps]);
      });
    },
  );
}

/** `(x, count)`: whether all of so many doubles are finite: a number minus itself is 0 if it is. */
const finite = func({ in: ["i32", "i32"], locals: ["i32", "i32", "v128", "v128"], out: ["i32"] }, ([x, count], own) => {
  const [i, end, value, odd] = own;
  along(i, end, count, [x], (lanes) => {
    local.set(value, load(lanes, x));
    local.set(odd, v128.or(odd, f64x2.sub(value, value)));
  });
  i32.eqz(v128.any_true(odd));
});

/**
 * `(a, l, row, n)`: l with a = l l^T, by rows of its transpose. Elements that lie opposite each other may differ by so much as the first number at `l`
 * says, next to the largest of all; where they do not, or the matrix is not positive definite, the last of the diagonal is no number above 0.
 */
function cholesky(subtract: Code): Code {
  const transpose = transposeFunction(DOUBLE);
  const own = [...PROGRESS, "i", "j", "end", "p", "at", "from", "width", "factors"] as const;
  return define(["a", "l", "row", "n"], own, 5, (x, [tolerance, held, most, apart, factor]) => {
    local.set(tolerance, v128.load64_splat({}, x.l));
    call(transpose, [x.l, x.row, x.a, x.row, x.n, x.n]);
    local.set(x.at, x.l);
    local.set(x.width, i32.mul(x.n, x.n));
    along(x.i, x.end, x.width, [x.a, x.at], (lanes) => {
      local.set(held, load(lanes, x.a));
      local.set(most, f64x2.pmax(most, f64x2.abs(held)));
      local.set(apart, f64x2.pmax(apart, f64x2.abs(f64x2.sub(held, load(lanes, x.at)))));
    });
    local.set(most, f64x2.pmax(most, shuffleItems(DOUBLE, [1, 0], most, most)));
    local.set(x.at, x.l);
    range(x.k, x.n, 1, () => {
      i32.le_u(x.n, AT_ONCE_TO);
      when(() => {
        local.set(x.p, x.at);
        local.set(x.width, i32.sub(x.n, x.k));
        along(x.i, x.end, x.width, [x.p], (lanes) => {
          setAddress(x.factors, x.l, x.k, DOUBLE);
          takeAll(lanes, x, x.row, x.row, held, factor);
          store(lanes, x.p, 0, held);
        });
      });
      f64.store({}, x.at, f64.sqrt(f64.load({}, x.at)));
      local.set(held, v128.load64_splat({}, x.at));
      proceed(x);
      local.set(x.width, i32.sub(x.n, x.next));
      local.set(x.p, i32.add(x.at, DOUBLE));
      along(x.i, x.end, x.width, [x.p], (lanes) => store(lanes, x.p, 0, f64x2.div(load(lanes, x.p), held)));
      advance(x.at, i32.add(x.row, DOUBLE));
      local.set(x.from, i32.sub(x.at, i32.mul(x.steps, x.row)));
      i32.gt_u(x.n, AT_ONCE_TO);
      when(() => call(subtract, [x.at, x.row, x.from, DOUBLE, x.row, x.from, x.row, x.extent, x.width, x.steps]));
    });
    // Columns for rows, and zeros.
    local.set(x.at, x.l);
    range(x.k, x.n, 1, () => {
      local.set(x.end, x.at);
      local.set(x.p, x.at);
      local.set(x.from, x.at);
      local.set(x.i, i32.add(x.k, 1));
      onward(x.i, x.n, 1, () => {
        advance(x.p, DOUBLE);
        advance(x.from, x.row);
        f64.store({}, x.from, f64.load({}, x.p));
        f64.store({}, x.p, 0);
      });
      advance(x.at, i32.add(x.row, DOUBLE));
    });
    v128.any_true(f64x2.gt(apart, f64x2.mul(most, tolerance)));
    when(() => f64.store({}, x.end, NaN));
  });
}

const LU_ARGUMENTS = ["u", "row", "n", "order"] as const;
const LU_OWN = [...PROGRESS, "i", "end", "p", "q", "at", "best", "from", "to", "j", "width"] as const;
type LU = { readonly [N in (typeof LU_ARGUMENTS)[number] | (typeof LU_OWN)[number]]: Int };

/**
 * `(u, row, n, order)`: multipliers and what is left of the rows, and at `order` which row each of them was. The last element is NaN where a pivot
 * of more than {@link AT_ONCE_TO} rows is 0 and others follow.
 */
const lu = (subtract: Code): Code =>
  define(LU_ARGUMENTS, LU_OWN, 2, (x, vectors) => {
    local.set(x.at, x.u);
    range(x.k, x.n, 1, () => {
      setAddress(x.p, x.order, x.k, DOUBLE);
      f64.store({}, x.p, f64.convert_i32_u(x.k));
    });
    range(x.k, x.n, 1, () => {
      proceed(x);
      choosePivot(x, vectors);
      i32.le_u(x.n, AT_ONCE_TO);
      when(
        () => eliminateNow(x, vectors),
        () => eliminate(x, subtract),
      );
    });
  });

/** The body for all rows behind row `k`, whose element of its column is at `p`. */
function below(x: LU, body: () => void): void {
  local.set(x.i, x.next);
  local.set(x.p, i32.add(x.at, x.row));
  onward(x.i, x.n, 1, () => {
    body();
    advance(x.p, x.row);
  });
}

/** Brings the first row with the largest element of column `k` to row `k`. */
function choosePivot(x: LU, [held, other]: readonly [Vector, Vector]): void {
  const size = local.fresh("f64");
  const pivot = local.fresh("f64", f64.abs(f64.load({}, x.at)));
  local.set(x.best, x.k);
  below(x, () => {
    local.set(size, f64.abs(f64.load({}, x.p)));
    f64.gt(size, pivot);
    when(() => {
      local.set(pivot, size);
      local.set(x.best, x.i);
    });
  });
  i32.ne(x.best, x.k);
  when(() => {
    for (const [base, row, count] of [
      [x.order, DOUBLE, 1],
      [x.u, x.row, x.n],
    ] as const) {
      setAddress(x.p, base, x.k, row);
      setAddress(x.q, base, x.best, row);
      along(x.i, x.end, count, [x.p, x.q], (lanes) => {
        local.set(held, load(lanes, x.p));
        local.set(other, load(lanes, x.q));
        store(lanes, x.p, 0, other);
        store(lanes, x.q, 0, held);
      });
    }
  });
}

/** Takes what row `k` is the cause of from all rows behind, where its pivot is not 0. */
function eliminateNow(x: LU, [factor]: readonly [Vector, Vector]): void {
  const [pivot, multiplier] = [local.fresh("f64", f64.load({}, x.at)), local.fresh("f64")];
  local.set(x.from, i32.add(x.at, DOUBLE));
  local.set(x.width, i32.sub(x.n, x.next));
  f64.ne(pivot, 0);
  when(() =>
    below(x, () => {
      local.set(multiplier, f64.div(f64.load({}, x.p), pivot));
      f64.store({}, x.p, multiplier);
      local.set(factor, f64x2.splat(multiplier));
      local.set(x.q, x.from);
      local.set(x.to, i32.add(x.p, DOUBLE));
      along(x.j, x.end, x.width, [x.q, x.to], (lanes) =>
        store(lanes, x.to, 0, f64x2.sub(load(lanes, x.to), f64x2.mul(factor, load(lanes, x.q)))),
      );
    }),
  );
  advance(x.at, i32.add(x.row, DOUBLE));
}

/** Divides what is below the pivot of row `k`. Takes what the last finished rows are the cause of from each of them, then from all rows behind. */
function eliminate(x: LU, subtract: Code): void {
  const pivot = local.fresh("f64", f64.load({}, x.at));
  below(x, () => f64.store({}, x.p, f64.div(f64.load({}, x.p), pivot)));
  advance(x.at, i32.add(x.row, DOUBLE));
  local.set(x.from, i32.sub(x.at, i32.mul(x.steps, x.row)));
  local.set(x.p, x.from);
  local.set(x.q, i32.sub(x.p, i32.mul(x.steps, DOUBLE)));
  const take = (rows: Int | number, steps: Int): void => {
    advance(x.p, x.row);
    advance(x.q, x.row);
    call(subtract, [x.p, x.row, x.q, x.row, DOUBLE, x.from, x.row, rows, x.extent, steps]);
  };
  local.set(x.i, 1);
  onward(x.i, x.steps, 1, () => take(1, x.i));
  local.set(x.i, i32.sub(x.n, x.next));
  take(x.i, x.steps);
}

/** `(u, n, order, b, x, width)`: what `lu` leaves, and x with u x = b; of a singular matrix an x that is not finite. */
function solve(factor: Code, substituted: Code): Code {
  return define(["u", "n", "order", "b", "x", "width"], ["k", "i", "end", "p", "q", "row"], 1, (x, [zero]) => {
    local.set(x.row, i32.mul(x.width, DOUBLE));
    local.set(x.end, i32.mul(x.n, DOUBLE));
    call(factor, [x.u, x.end, x.n, x.order]);
    local.set(x.p, x.x);
    range(x.k, x.n, 1, () => {
      setAddress(x.q, x.b, rowIn(x.q, x.order, x.k), x.row);
      // As behind a product with the permutation, there is no -0.
      along(x.i, x.end, x.width, [x.p, x.q], (lanes) => store(lanes, x.p, 0, f64x2.add(load(lanes, x.q), zero)));
    });
    local.set(x.i, i32.mul(x.n, DOUBLE));
    call(substituted, [x.x, x.row, x.n, x.width, x.u, x.i, DOUBLE, 1]);
    // From the last row on.
    local.set(x.k, i32.sub(x.n, 1));
    setAddress(x.p, x.x, x.k, x.row);
    setAddress(x.q, x.u, x.k, x.i);
    setAddress(x.q, x.q, x.k, DOUBLE);
    call(substituted, [x.p, i32.sub(0, x.row), x.n, x.width, x.q, i32.sub(0, x.i), -DOUBLE, 0]);
  });
}

/** The number of a row at a place of an order. */
export function rowIn(number: Int, order: Int, k: Int): Int {
  setAddress(number, order, k, DOUBLE);
  local.set(number, i32.trunc_sat_f64_u(f64.load({}, number)));
  return number;
}

export interface Direct extends Functions {
  readonly finite: typeof finite;
  readonly substitute: ReturnType<typeof substitute>;
  readonly cholesky: ReturnType<typeof cholesky>;
  readonly lu: ReturnType<typeof lu>;
  readonly solve: ReturnType<typeof solve>;
}

/** All of them, by the code of `c -= a b`. */
export function directFunctions(subtract: Code): Direct {
  const [factor, substituted] = [lu(subtract), substitute(subtract)];
  return {
    finite,
    substitute: substituted,
    cholesky: cholesky(subtract),
    lu: factor,
    solve: solve(factor, substituted),
  };
}
