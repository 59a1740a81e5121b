/** What the tests of linear algebra share: matrices that functions are tried on, and residuals in units of rounding. */
import * as Nx from "nx-numerics";
import type { Coded } from "../oracles/read";

/** The types that matrices are tried in. */
export const TYPES = ["f64", "c128", "f32", "c64", "f16", "bf16"] as const;
export type Type = (typeof TYPES)[number];

/** Half an ulp of 1 in each type. */
const EPSILON: Readonly<Record<Type, number>> = {
  f64: 2 ** -53,
  c128: 2 ** -53,
  f32: 2 ** -24,
  c64: 2 ** -24,
  f16: 2 ** -11,
  bf16: 2 ** -8,
};
export const epsilonOf = (type: Nx.DType): number => EPSILON[type as Type];

export const isComplex = (type: Nx.DType): boolean => type === "c64" || type === "c128";
export const realOf = (type: Nx.DType): Nx.DType => (type === "c64" ? "f32" : type === "c128" ? "f64" : type);

/** In doubles and without names. */
export function wide(t: Nx.Tensor): Nx.Tensor {
  return Nx.asType(
    Nx.rename(
      t,
      t.shape.map(() => null),
    ),
    isComplex(t.type) ? "c128" : "f64",
  );
}

/** A tensor of a flat list, complex numbers as pairs. */
export function tensorOf(
  values: readonly (Coded | readonly [Coded, Coded])[],
  shape: readonly number[],
  type: Nx.DType,
): Nx.Tensor {
  const part = (i: 0 | 1) =>
    Nx.f64(values.map((value) => Number(Array.isArray(value) ? value[i] : i === 0 ? value : 0)));
  const both = isComplex(type) ? Nx.complex(part(0), part(1)) : part(0);
  return Nx.asType(Nx.reshape(both, shape), type);
}

/** The largest modulus of an element. */
export const largest = (t: Nx.Tensor): number => Nx.reduceMax(Nx.abs(wide(t))).toNumber() as number;

let state = 20240717;

/** Repeatable numbers between -1 and 1. */
export function random(): number {
  state = (state * 48271) % 2147483647;
  return (2 * state) / 2147483647 - 1;
}

/** Matrices, or a batch of them, whose elements are what `entry` gives; complex ones get a second call for the other part. */
export function matrix(
  shape: readonly number[],
  type: Nx.DType,
  entry: (i: number, j: number) => number = random,
): Nx.Tensor {
  const [m, n] = shape.slice(-2) as [number, number];
  const size = shape.reduce((product, dim) => product * dim, 1);
  const part = () => Nx.f64(Array.from({ length: size }, (_, k) => entry(Math.floor(k / n) % m, k % n)));
  const re = part();
  return Nx.asType(Nx.reshape(isComplex(type) ? Nx.complex(re, part()) : re, shape), type);
}

const swapped = (t: Nx.Tensor): Nx.Tensor => {
  const rank = t.shape.length;
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  return Nx.transpose(t, { axes: [...axes.slice(0, -2), rank - 1, rank - 2] });
};
export const transposed = swapped;
export const adjoint = (t: Nx.Tensor): Nx.Tensor => (isComplex(t.type) ? Nx.conjugate(swapped(t)) : swapped(t));

/** The product of matrices in doubles, batch by batch. */
export function times(...all: readonly Nx.Tensor[]): Nx.Tensor {
  return all.map(wide).reduce((a, b) => {
    const rank = a.shape.length;
    const batch = Array.from({ length: rank - 2 }, (_, axis) => axis);
    return Nx.dot(a, [rank - 1], batch, b, [rank - 2], batch);
  });
}

/** The root of the sum of squares of all elements. */
export const size = (t: Nx.Tensor): number => {
  const top = largest(t) || 1;
  return top * Math.sqrt(Nx.sum(Nx.pow(Nx.abs(Nx.divide(wide(t), top)), 2)).toNumber() as number);
};

/** |a - b| in units of n * (half an ulp) * |a| in the given type. */
export function residual(a: Nx.Tensor, b: Nx.Tensor, n: number, type: Nx.DType): number {
  return size(Nx.subtract(wide(a), wide(b))) / (n * epsilonOf(type) * (size(a) || 1));
}

/** How far columns are from orthonormal, in units of n * (half an ulp). */
export function skewness(q: Nx.Tensor): number {
  const [m, n] = q.shape.slice(-2) as [number, number];
  return largest(Nx.subtract(times(adjoint(q), q), Nx.eye(n, { type: "f64" }))) / (m * epsilonOf(q.type));
}

/** The hermitian part. */
export const hermitian = (t: Nx.Tensor): Nx.Tensor =>
  Nx.asType(Nx.multiply(Nx.add(wide(t), adjoint(wide(t))), 0.5), t.type);

/** A unitary matrix. */
export function unitary(n: number, type: Nx.DType): Nx.Tensor {
  return Nx.LinAlg.qr(matrix([n, n], isComplex(type) ? "c128" : "f64"))[0];
}

/** A matrix with the given eigenvalues (or singular values), hermitian or not, rounded to its type. */
export function withValues(values: readonly number[], type: Nx.DType, isHermitian: boolean): Nx.Tensor {
  const u = unitary(values.length, type);
  const v = isHermitian ? u : unitary(values.length, type);
  const a = times(Nx.multiply(u, Nx.f64(values)), adjoint(v));
  return Nx.asType(isHermitian ? hermitian(a) : a, type);
}

/** Matrices of m rows and n columns, by what is special about them. */
export function kinds(m: number, n: number, type: Nx.DType): Readonly<Record<string, Nx.Tensor>> {
  const decay = isComplex(type) || type === "f64" || type === "f32" ? 12 : 3;
  return {
    random: matrix([m, n], type),
    "graded rows": matrix([m, n], type, (i) => random() * 10 ** (-decay * (i / m))),
    "graded columns": matrix([m, n], type, (_, j) => random() * 10 ** (decay * (j / n - 1))),
    "of rank 1": Nx.asType(times(matrix([m, 1], type), matrix([1, n], type)), type),
    zero: matrix([m, n], type, () => 0),
    "ones on the diagonal": Nx.asType(Nx.eye([m, n]), type),
    hilbert: matrix([m, n], type, (i, j) => 1 / (i + j + 1)),
    "of two values": matrix([m, n], type, (i, j) => (i === j ? 2 : 1)),
  };
}
