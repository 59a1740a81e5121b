/**
 * Rules of the matrix decompositions, after Giles (2008), "An extended collection of matrix derivative results for
 * forward and reverse mode"; Murray (2016) for Cholesky, Walter & Lehmann (2018) for QR, Townsend (2016) for the SVD.
 * The formulas are those of the literature, where the cotangent of a complex matrix is the conjugate of ours.
 */
import type { LinalgAttrs, LinalgOp } from "../../backend";
import { LINALG } from "../../backends/decompositions";
import { DefnError } from "../../core/errors";
import { unnamed } from "../../core/names";
import type { Shape } from "../../core/shape";
import { isComplex } from "../../core/types";
import { run, runMultiResult, template } from "../../nx/dispatch";
import { abs, add, divide, equal, greater, greaterEqual, multiply, negate, real, subtract } from "../../nx/elementwise";
import { reduceMax, sum } from "../../nx/aggregates";
import { positionsAlong, sliceAlong } from "../../nx/aggregates/core";
import { concatenate } from "../../nx/ndim";
import { adjointOf, conj, luOf, matmul, solveTriangle, swapped } from "../../nx/ndim/matrices";
import type { Tensor } from "../../tensor";
import {
  constantly,
  cotangentType,
  reshapeTo,
  where,
  widened,
  widenedFor,
  zeros,
  type Cotangent,
  type Rule,
} from "./core";
import { beforeRotation, rotationOf, timesI } from "./phases";

type Option<K extends LinalgOp> = Extract<LinalgAttrs, { op: K }>;

/** What a rule is given: operands and results as tensors, and the cotangents of the results, zero where there is none. */
interface GivenMultiResult<K extends LinalgOp> {
  readonly attrs: Option<K>;
  readonly inputs: readonly Tensor[];
  readonly outs: readonly Tensor[];
  readonly gs: readonly Tensor[];
}

type LinalgRule<K extends LinalgOp> = (given: GivenMultiResult<K>) => readonly Cotangent[];

const product = (first: Tensor, ...rest: Tensor[]): Tensor => rest.reduce(matmul, first);

function position(shape: Shape, fromEnd: 1 | 2): Tensor {
  return positionsAlong("s32", shape, shape.length - fromEnd);
}

const row = (t: Tensor): Tensor => position(t.shape, 2);
const column = (t: Tensor): Tensor => position(t.shape, 1);

/** The lower triangle with the diagonal, the same without, the upper one with it, the diagonal. */
const lower = (t: Tensor): Tensor => where(greaterEqual(row(t), column(t)), t, 0);
const strictlyLower = (t: Tensor): Tensor => where(greater(row(t), column(t)), t, 0);
const upper = (t: Tensor): Tensor => where(greaterEqual(column(t), row(t)), t, 0);
const diagonal = (t: Tensor): Tensor => where(equal(row(t), column(t)), t, 0);

const half = (t: Tensor): Tensor => multiply(t, 0.5);
const hermitian = (t: Tensor): Tensor => half(add(t, adjointOf(t)));

/** A vector as a row that scales the columns of a matrix. */
const across = (v: Tensor): Tensor => reshapeTo(v, [...v.shape.slice(0, -1), 1, v.shape[v.shape.length - 1]!]);
const down = (v: Tensor): Tensor => reshapeTo(v, [...v.shape, 1]);

/** `x t(a)^-1` for a triangular `a`. */
function solveRight(x: Tensor, a: Tensor, isLower: boolean, transform: "none" | "adjoint"): Tensor {
  return adjointOf(solveTriangle(a, adjointOf(x), isLower, transform === "none" ? "adjoint" : "none"));
}

const cholesky: LinalgRule<"cholesky"> = ({ outs: [l], gs: [g] }) => [
  () => {
    const m = matmul(adjointOf(l!), conj(g!));
    const phi = subtract(lower(m), half(diagonal(m)));
    const s = solveRight(solveTriangle(l!, phi, true, "adjoint"), l!, true, "none");
    return conj(hermitian(s));
  },
];

/** 1 / (w_j - w_i), and 0 where the two are equal: there the vectors have no derivative. */
function reciprocalGaps(w: Tensor): Tensor {
  const gaps = subtract(across(w), down(w));
  const same = equal(gaps, 0);
  return where(same, 0, divide(1, where(same, 1, gaps)));
}

/** `a^-H x` by the LU decomposition of `a`. */
function solveAdjoint(a: Tensor, x: Tensor): Tensor {
  const [p, l, u] = luOf(a);
  return matmul(p, solveTriangle(l, solveTriangle(u, x, false, "adjoint"), true, "adjoint"));
}

/**
 * Boeddeker, Hanebrink, Drude, Heymann and Haeb-Umbach (2017), "On the computation of complex-valued gradients", 4.4, before which
 * what normalises the vectors is taken back: phases, and lengths, as which a change along a vector itself does not count.
 */
const eig: LinalgRule<"eig"> = ({ outs: [w, v], gs: [gw, gv] }) => [
  () => {
    const given = conj(gv!);
    const g = beforeRotation(v!, given, rotationOf(v!, given));
    const along = real(sum(multiply(conj(v!), g), { axes: [v!.shape.length - 2], keepAxes: true }));
    const inner = multiply(conj(reciprocalGaps(w!)), matmul(adjointOf(v!), subtract(g, multiply(v!, along))));
    const values = diagonal(multiply(onesLike(inner), across(conj(gw!))));
    return conj(solveAdjoint(v!, matmul(add(inner, values), adjointOf(v!))));
  },
];

/** The largest modulus of each matrix, 1 for zeros, as a constant: what is divided by it is multiplied by it again. */
function sizeOf(t: Tensor): Tensor {
  const most = reduceMax(abs(t), { axes: [t.shape.length - 2, t.shape.length - 1], keepAxes: true });
  return constantly(where(equal(most, 0), 1, most));
}

/**
 * The derivative of a matrix function in direction e is a block of the function of ((a, e), (0, a)) (Higham, Functions of Matrices, 3.2);
 * its adjoint is the derivative at the adjoint of a (3.3). It is linear in e, which is made as large as a, so that neither is lost
 * beside the other.
 */
const matrixFunction =
  <K extends "expm" | "sqrtm">(op: K): LinalgRule<K> =>
  ({ inputs: [t], gs: [g] }) => [
    () => {
      const at = adjointOf(t!);
      const [own, other] = [sizeOf(at), sizeOf(g!)];
      const direction = multiply(divide(conj(g!), other), own);
      const rank = at.shape.length;
      const n = at.shape[rank - 1]!;
      const above = concatenate([at, direction], { axis: -1 });
      const twice = concatenate([above, concatenate([zeros(at.type, at.shape), at], { axis: -1 })], { axis: -2 });
      const out = template(at.type, twice.shape, unnamed(rank));
      const [result] = runMultiResult(LINALG, [out], [twice], { op }) as [Tensor];
      const block = sliceAlong(sliceAlong(result, rank - 2, 0, n), rank - 1, n, n);
      return conj(multiply(divide(block, own), other));
    },
  ];

const eigh: LinalgRule<"eigh"> = ({ outs: [w, v], gs: [gw, gv] }) => [
  () => {
    const given = conj(gv!);
    const g = isComplex(v!.type) ? beforeRotation(v!, given, rotationOf(v!, given)) : given;
    const inner = multiply(reciprocalGaps(w!), matmul(adjointOf(v!), g));
    const values = diagonal(multiply(onesLike(inner), across(gw!)));
    return conj(hermitian(product(v!, add(hermitian(inner), values), adjointOf(v!))));
  },
];

const onesLike = (t: Tensor): Tensor => add(zeros(t.type, t.shape), 1);

/** What the triangles `l^H dl` and `du u^H` of the cotangents make of that of `p l u`. */
const throughLu = (p: Tensor, l: Tensor, u: Tensor, triangles: Tensor): Tensor =>
  conj(matmul(p, solveRight(solveTriangle(l, triangles, true, "adjoint"), u, false, "adjoint")));

const lu: LinalgRule<"lu"> = ({ outs: [p, l, u], gs: [, gl, gu] }) => [
  () => {
    const fromL = strictlyLower(matmul(adjointOf(l!), conj(gl!)));
    const fromU = upper(matmul(conj(gu!), adjointOf(u!)));
    return throughLu(p!, l!, u!, add(fromL, fromU));
  },
];

const pivots: LinalgRule<"pivots"> = ({ inputs: [a], gs: [, g] }) => [
  () => {
    const [p, l, u] = luOf(a!);
    return throughLu(p, l, u, diagonal(multiply(down(conj(g!)), adjointOf(u))));
  },
];

/**
 * Walter & Lehmann (2018), section 3: the lower triangle of m stands for both. The phases of the diagonal of a complex r
 * are taken as constant, so what is differentiated must not depend on them.
 */
const qr: LinalgRule<"qr"> = ({ attrs, outs: [q, r], gs: [gq, gr] }) => {
  const [rows, columns] = [q!.shape[q!.shape.length - 2]!, r!.shape[r!.shape.length - 1]!];
  if (attrs.mode === "complete" && rows !== columns)
    throw noGradient('qr with mode "complete" of a tall matrix', 'mode "reduced"');
  return [
    () => {
      const m = subtract(matmul(r!, adjointOf(conj(gr!))), matmul(adjointOf(conj(gq!)), q!));
      const below = strictlyLower(m);
      const both = add(add(below, adjointOf(below)), isComplex(m.type) ? realDiagonal(m) : diagonal(m));
      const inner = add(conj(gq!), matmul(q!, both));
      return conj(solveRight(inner, r!, false, "adjoint"));
    },
  ];
};

function realDiagonal(t: Tensor): Tensor {
  return multiply(diagonal(onesLike(t)), real(t));
}

function noGradient(what: string, instead: string): DefnError {
  return new DefnError(`${what} has no gradient: the result is not determined by the matrix alone; use ${instead}`);
}

/** The first `count` columns. */
function leading(t: Tensor, count: number): Tensor {
  const rank = t.shape.length;
  const shape = Object.freeze(t.shape.map((dim, i) => (i === rank - 1 ? count : dim)));
  const out = template(t.type, shape, unnamed(rank));
  return run("slice", out, [t], { starts: shape.map(() => 0), lengths: shape, strides: shape.map(() => 1) });
}

/** What lies outside the space that the orthonormal columns of `q` span. */
const outside = (q: Tensor, x: Tensor): Tensor => subtract(x, product(q, adjointOf(q), x));

/** 1 / x, and 0 for 0. */
function reciprocal(x: Tensor): Tensor {
  const isZero = equal(x, 0);
  return where(isZero, 0, divide(1, where(isZero, 1, x)));
}

/**
 * Vectors of `fullMatrices` beyond the singular values are determined by the matrix up to a rotation among themselves; they
 * are taken to rotate only as far as the others make them.
 */
const svd: LinalgRule<"svd"> = ({ outs, gs: [gu, gs, gvt] }) => [
  () => {
    const [allU, s, allV] = [outs[0]!, outs[1]!, adjointOf(outs[2]!)];
    const all = { u: conj(gu!), v: swapped(gvt!) };
    const count = s.shape[s.shape.length - 1]!;
    const [u, v] = [leading(allU, count), leading(allV, count)];
    const own = { u: leading(all.u, count), v: leading(all.v, count) };
    const g = isComplex(u.type) ? turnedBack(u, v, own) : own;
    const extra = { u: spanned(allU, all.u, u), v: spanned(allV, all.v, v) };
    return conj(svdCotangent(u, s, v, { u: subtract(g.u, extra.u), v: subtract(g.v, extra.v) }, gs!));
  },
];

/**
 * The vectors x beyond the leading ones u stay orthogonal to them, so dx = -x' du^H u', which is a cotangent of u; summed
 * over all vectors, from which the leading ones are left out.
 */
function spanned(all: Tensor, g: Tensor, own: Tensor): Tensor {
  const count = own.shape[own.shape.length - 1]!;
  const width = all.shape[all.shape.length - 1]!;
  if (width === count) return zeros(own.type, own.shape);
  const beyond = where(greaterEqual(column(all), count), all, 0);
  return product(beyond, adjointOf(g), own);
}

/** Cotangents of the left and the right vectors. */
interface Sides {
  readonly u: Tensor;
  readonly v: Tensor;
}

/** Both vectors of a pair are rotated by one angle, which makes the left one's largest component real. */
const turnedBack = (u: Tensor, v: Tensor, g: Sides): Sides => ({
  u: beforeRotation(u, g.u, add(rotationOf(u, g.u), rotationOf(v, g.v))),
  v: g.v,
});

/** The left vectors are not rotated; the right vectors of a complex matrix are, by -Im(u^H da v) / s. */
function svdCotangent(u: Tensor, s: Tensor, v: Tensor, g: Sides, gs: Tensor): Tensor {
  const gaps = reciprocalGaps(multiply(s, s));
  const skew = (x: Tensor, gx: Tensor) => {
    const m = matmul(adjointOf(x), gx);
    return multiply(gaps, subtract(m, adjointOf(m)));
  };
  const inverse = reciprocal(s);
  const rotations = isComplex(v.type) ? timesI(multiply(rotationOf(v, g.v), across(inverse))) : null;
  const values = rotations ? add(across(gs), rotations) : across(gs);
  const left = add(
    product(u, add(multiply(skew(u, g.u), across(s)), diagonal(multiply(onesLike(gaps), values)))),
    multiply(outside(u, g.u), across(inverse)),
  );
  const right = add(
    matmul(multiply(down(s), skew(v, g.v)), adjointOf(v)),
    multiply(down(inverse), adjointOf(outside(v, g.v))),
  );
  return add(matmul(left, adjointOf(v)), matmul(u, right));
}

const solve: LinalgRule<"solve"> = ({ inputs: [a], outs: [x], gs: [g] }) => {
  const gb = () => solveAdjoint(a!, conj(g!));
  return [() => conj(negate(matmul(gb(), adjointOf(x!)))), () => conj(gb())];
};

const triangularSolve: LinalgRule<"triangularSolve"> = ({ attrs, inputs: [a], outs: [x], gs: [g] }) => {
  const gb = () => {
    if (attrs.transform === "transpose") return solveTriangle(conj(a!), conj(g!), attrs.lower, "none");
    return solveTriangle(a!, conj(g!), attrs.lower, attrs.transform === "none" ? "adjoint" : "none");
  };
  const ga = () => {
    const m = negate(matmul(gb(), adjointOf(x!)));
    const whole = attrs.transform === "none" ? m : attrs.transform === "transpose" ? swapped(m) : adjointOf(m);
    return conj(attrs.lower ? lower(whole) : upper(whole));
  };
  return [ga, () => conj(gb())];
};

/**
 * A projection that subtracts leaves rounding in proportion to the condition of the matrix of what it should take away all, and its
 * derivative likewise; the second time takes that away (Parlett, The Symmetric Eigenvalue Problem, 6.9: "twice is enough").
 */
const twice =
  (project: (x: Tensor) => Tensor) =>
  (x: Tensor): Tensor =>
    project(project(x));

/**
 * Golub & Pereyra (1973), theorem 4.3: how a pseudo-inverse moves among matrices of the same rank. Through the singular
 * vectors it could not be found where singular values are equal, since there these have no derivative.
 */
export const pinvRule: Rule<unknown> = ({ inputs: [t], out, g }) => [
  () => {
    const [a, p, gp] = [widenedFor(out, t!), widened(out), conj(g)];
    const [ph, gh] = [adjointOf(p), adjointOf(gp)];
    const unseen = twice((x) => subtract(x, product(a, p, x))); // what is orthogonal to all columns
    const unmoved = twice((x) => subtract(x, product(x, p, a))); // and to all rows
    const within = negate(product(ph, gp, ph));
    return conj(add(within, add(product(unseen(gh), p, ph), product(ph, p, unmoved(gh)))));
  },
];

const LINALG_RULES: { readonly [K in LinalgOp]: LinalgRule<K> } = {
  cholesky,
  eig,
  eigh,
  expm: matrixFunction("expm"),
  lu,
  pivots,
  qr,
  solve,
  sqrtm: matrixFunction("sqrtm"),
  svd,
  triangularSolve,
};

/** Cotangents of the operands of a decomposition. */
export function linalgRule(
  attrs: LinalgAttrs,
  inputs: readonly Tensor[],
  outs: readonly Tensor[],
  gs: readonly (Tensor | undefined)[],
): readonly Cotangent[] {
  const rule = LINALG_RULES[attrs.op] as LinalgRule<LinalgOp>;
  const filled = outs.map(({ type, shape }, i) => gs[i] ?? zeros(cotangentType(type), shape));
  const wide = inputs.map((t) => widenedFor(outs[outs.length - 1]!, t));
  return rule({ attrs, inputs: wide, outs: outs.map(widened), gs: filled });
}
