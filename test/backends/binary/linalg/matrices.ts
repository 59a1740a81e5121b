/** Matrices that decompositions are tried on, and residuals in units of n * ulp * norm. */
import * as Nx from "nx-numerics";

let state = 7;

/** Repeatable numbers between -1 and 1. */
function random(): number {
  state = (state * 48271) % 2147483647;
  return (2 * state) / 2147483647 - 1;
}

type Type = "f32" | "f64" | "c64" | "c128";
const isComplex = (type: Type) => type === "c64" || type === "c128";
export const EPS = { f32: 2 ** -24, c64: 2 ** -24, f64: 2 ** -53, c128: 2 ** -53 } as const;

export function matrix(m: number, n: number, type: Type, entry: (i: number, j: number) => number = random): Nx.Tensor {
  const rows = (fn: (i: number, j: number) => number) =>
    Nx.f64(Array.from({ length: m }, (_, i) => Array.from({ length: n }, (_, j) => fn(i, j))));
  const re = rows(entry);
  if (!isComplex(type)) return Nx.asType(re, type);
  const im = rows((i, j) => (entry === random ? random() : entry(i, j) * Math.sin(i - 2 * j)));
  return Nx.asType(Nx.complex(re, im), type);
}

export const adjoint = (a: Nx.Tensor): Nx.Tensor => {
  const t = Nx.transpose(a);
  return t.type === "c64" || t.type === "c128" ? Nx.conjugate(t) : t;
};
export const times = (...all: Nx.Tensor[]): Nx.Tensor => all.reduce((a, b) => Nx.dot(a, b));

export function hermitian(a: Nx.Tensor): Nx.Tensor {
  return Nx.asType(Nx.multiply(Nx.add(a, adjoint(a)), 0.5), a.type);
}

export function norm(a: Nx.Tensor): number {
  return Math.sqrt(Nx.sum(Nx.pow(Nx.asType(Nx.abs(a), "f64"), 2)).toNumber() as number);
}

/** |a - b| in units of n * ulp * |a|. */
export function residual(a: Nx.Tensor, b: Nx.Tensor, n: number): number {
  const wide = (t: Nx.Tensor) => Nx.asType(t, t.type === "c64" || t.type === "c128" ? "c128" : "f64");
  const eps = EPS[a.type as Type];
  return norm(Nx.subtract(wide(a), wide(b))) / (n * eps * (norm(a) || 1));
}

/** How far columns are from orthonormal, in units of n * ulp. */
export function skewness(q: Nx.Tensor): number {
  const n = q.shape[1]!;
  const wide = Nx.asType(q, isComplex(q.type as Type) ? "c128" : "f64");
  return (
    norm(Nx.subtract(times(adjoint(wide), wide), Nx.eye(n, { type: "f64" }))) / (q.shape[0]! * EPS[q.type as Type])
  );
}

export const TYPES: readonly Type[] = ["f32", "f64", "c64", "c128"];

/** Matrices of m rows and n columns, by what is special about them. */
export function kinds(m: number, n: number, type: Type): Record<string, Nx.Tensor> {
  const low = times(matrix(m, 1, type), matrix(1, n, type));
  return {
    random: matrix(m, n, type),
    "graded rows": matrix(m, n, type, (i) => random() * 10 ** (-12 * (i / m))),
    "graded columns": matrix(m, n, type, (_, j) => random() * 10 ** (-12 * (j / n))),
    "of rank 1": low,
    zero: matrix(m, n, type, () => 0),
    identity: matrix(m, n, type, (i, j) => (i === j ? 1 : 0)),
    hilbert: matrix(m, n, type, (i, j) => 1 / (i + j + 1)),
    repeated: matrix(m, n, type, (i, j) => (i === j ? 2 : 1)),
  };
}

/** The results of the primitive for one matrix or several inputs. */
export function decompose(
  attrs: Nx.LinalgAttrs,
  outs: readonly (readonly [Nx.DType, readonly number[]])[],
  ...inputs: Nx.Tensor[]
): Nx.Tensor[] {
  const templates = outs.map(([type, shape]) => ({ type, shape, names: shape.map(() => null) }));
  const backend = Nx.binaryBackend;
  const data = backend.linalg(templates, inputs, attrs);
  return templates.map((t, i) => new Nx.Tensor(backend, data[i], t.type, t.shape, t.names));
}

export const realOf = (type: Type): Nx.DType => (type === "c64" ? "f32" : type === "c128" ? "f64" : type);
