/** Every function gives the same through jit, vmap and vectorized axes. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { hermitian, matrix, TYPES } from "./support";

const L = Nx.LinAlg;
type Fn = (...given: Nx.Tensor[]) => Nx.Tensor | readonly Nx.Tensor[];

const general = (type: Nx.DType, shape: readonly number[] = [2, 4, 4]) => matrix(shape, type);
const regular = (type: Nx.DType, shape: readonly number[] = [2, 4, 4]) =>
  Nx.asType(Nx.add(general(type, shape), Nx.multiply(4, Nx.eye(shape.at(-1)!))), type);
const definite = (type: Nx.DType, shape: readonly number[] = [2, 4, 4]) => hermitian(regular(type, shape));

const OF_ONE: readonly (readonly [string, Fn, (type: Nx.DType) => Nx.Tensor])[] = [
  ["adjoint", L.adjoint, general],
  ["cholesky", (t) => L.cholesky(t!), definite],
  ["determinant", L.determinant, general],
  ["determinant of 3x3", L.determinant, (type) => general(type, [2, 3, 3])],
  ["cond", (t) => L.cond(t!), (type) => general(type, [2, 3, 4])],
  ["cond 1", (t) => L.cond(t!, { ord: 1 }), general],
  ["eig", (t) => L.eig(t!), general],
  ["eigh", (t) => L.eigh(t!), definite],
  ["expm", L.expm, general],
  ["logdet", L.logdet, general],
  ["slogdet", L.slogdet, general],
  ["sqrtm", L.sqrtm, definite],
  ["invert", L.invert, regular],
  ["lu", (t) => L.lu(t!), general],
  ["matrixPower", (t) => L.matrixPower(t!, 3), general],
  ["matrixPower 0", (t) => L.matrixPower(t!, 0), general],
  ["matrixPower -2", (t) => L.matrixPower(t!, -2), regular],
  ["matrixRank", (t) => L.matrixRank(t!), general],
  ["norm", (t) => L.norm(t!), general],
  ["norm of vectors", (t) => L.norm(t!, { ord: 3, axes: [1] }), general],
  ["norm 2 of matrices", (t) => L.norm(t!, { ord: 2, axes: [0, 2] }), general],
  ["norm Infinity", (t) => L.norm(t!, { ord: Infinity, axes: [1, 2], keepAxes: true }), general],
  ["nuclear norm", (t) => L.norm(t!, { ord: "nuclear", axes: [1, 2] }), general],
  ["pinv", (t) => L.pinv(t!), (type) => general(type, [2, 3, 5])],
  ["pinv of vectors", (t) => L.pinv(t!.at(1, 2)), general],
  ["pinv of scalars", (t) => L.pinv(t!.at(1, 2, 3)), general],
  ["qr", (t) => L.qr(t!), (type) => general(type, [2, 5, 3])],
  ["qr complete", (t) => L.qr(t!, { mode: "complete" }), (type) => general(type, [2, 5, 3])],
  ["qr of wide ones", (t) => L.qr(t!), (type) => general(type, [2, 3, 5])],
  ["svd", (t) => L.svd(t!), (type) => general(type, [2, 5, 3])],
  ["svd reduced", (t) => L.svd(t!, { fullMatrices: false }), (type) => general(type, [2, 3, 5])],
];

const OF_TWO: readonly (readonly [string, Fn])[] = [
  ["solve", (a, b) => L.solve(a!, b!)],
  ["choleskySolve", (a, b) => L.choleskySolve(a!, b!)],
  ["choleskySolve upper", (a, b) => L.choleskySolve(a!, b!, { lower: false })],
  ["leastSquares in full", (a, b) => L.leastSquares(a!, b!, { full: true })],
  ["leastSquares", (a, b) => L.leastSquares(a!, b!)],
  ["triangularSolve", (a, b) => L.triangularSolve(a!, b!)],
  ["triangularSolve adjoint", (a, b) => L.triangularSolve(a!, b!, { lower: false, transformA: "adjoint" })],
  ["triangularSolve on the right", (a, b) => L.triangularSolve(a!, b!, { leftSide: false, transformA: "transpose" })],
];

function expectSame(got: ReturnType<Fn>, expected: ReturnType<Fn>): void {
  const list = (all: ReturnType<Fn>): readonly Nx.Tensor[] => (all instanceof Nx.Tensor ? [all] : all);
  expect(list(got).length).toBe(list(expected).length);
  list(got).forEach((part, i) => {
    const ought = list(expected)[i]!;
    expect([part.type, part.shape, part.names]).toEqual([ought.type, ought.shape, ought.names]);
    expect(part.toBinary()).toEqual(ought.toBinary());
  });
}

const named = (t: Nx.Tensor, ...names: readonly string[]) => Nx.rename(t, names);

describe.each([...TYPES, "s64", "u8"] as const)("jit, %s", (type) => {
  const fitting = (t: Nx.Tensor) =>
    Nx.asType(type === "s64" || type === "u8" ? Nx.round(Nx.multiply(Nx.abs(t), 9)) : t, type);
  const floating = type === "s64" || type === "u8" ? "f32" : type;

  it.each(OF_ONE)("%s", (_, fn, make) => {
    const t = named(fitting(make(floating)), "case", "x", "y");
    expectSame(Nx.defn(fn)(t) as ReturnType<Fn>, fn(t));
  });

  it.each(OF_TWO)("%s", (_, fn) => {
    const a = named(fitting(regular(floating)), "case", "x", "y");
    for (const b of [general(floating, [4]), general(floating, [2, 4]), general(floating, [2, 4, 4])]) {
      expectSame(Nx.defn(fn)(a, fitting(b)) as ReturnType<Fn>, fn(a, fitting(b)));
    }
  });
});

describe("jit", () => {
  it("refuses the same values and shapes", () => {
    const cholesky = Nx.defn((t: Nx.Tensor) => L.cholesky(t));
    expect(() => cholesky(Nx.f32([[1, 2], [2, 1]]))).toThrow("positive definite"); // prettier-ignore
    expect(() => cholesky(Nx.f32([[5, 2], [1, 5]]))).toThrow("hermitian"); // prettier-ignore
    expect(() => cholesky(Nx.iota([2, 3]))).toThrow("expects square matrices");
    const solve = Nx.defn((a: Nx.Tensor, b: Nx.Tensor) => L.solve(a, b));
    expect(() => solve(Nx.iota([2, 2]), Nx.iota([3]))).toThrow("expects right sides of 2 rows");
    expect(() => solve(Nx.f32([[1, 1], [1, 1]]), Nx.iota([2]))).toThrow("can't solve for singular matrix"); // prettier-ignore
  });
});

describe("vmap", () => {
  const each = (t: Nx.Tensor, fn: (one: Nx.Tensor, i: number) => Nx.Tensor) =>
    Nx.stack(Array.from({ length: t.shape[0]! }, (_, i) => fn(t.at(i), i)));

  it.each(["f64", "c64"] as const)("cholesky and determinant, %s", (type) => {
    for (const shape of [
      [3, 3, 3],
      [3, 4, 4],
      [3, 2, 4, 4],
    ]) {
      // prettier-ignore
      const t = definite(type, shape);
      for (const fn of [(x: Nx.Tensor) => L.cholesky(x), L.determinant]) {
        const mapped = Nx.Defn.vmap((one: Nx.Tensor) => fn(one))(t) as Nx.Tensor;
        expectSame(
          mapped,
          each(t, (one) => fn(one)),
        );
      }
    }
  });

  it.each(["f64", "c64"] as const)("solve over a, b, and both, %s", (type) => {
    const a = regular(type, [3, 4, 4]);
    for (const shape of [
      [3, 4],
      [3, 4, 2],
    ]) {
      // prettier-ignore
      const b = general(type, shape);
      const call = (x: Nx.Tensor, y: Nx.Tensor) => L.solve(x, y);
      expectSame(Nx.Defn.vmap(call)(a, b) as Nx.Tensor, each(a, (one, i) => L.solve(one, b.at(i)))); // prettier-ignore
      expectSame(Nx.Defn.vmap(call, [0, null])(a, b.at(0)) as Nx.Tensor, each(a, (one) => L.solve(one, b.at(0)))); // prettier-ignore
      expectSame(Nx.Defn.vmap(call, [null, 0])(a.at(0), b) as Nx.Tensor, each(b, (one) => L.solve(a.at(0), one))); // prettier-ignore
    }
  });

  it("goes over an axis between rows and columns, and inside jit", () => {
    const t = definite("f64", [3, 4, 4]);
    const inside = Nx.transpose(t, { axes: [1, 0, 2] });
    const over = Nx.Defn.vmap((one: Nx.Tensor) => L.cholesky(one), [1]);
    expectSame(over(inside) as Nx.Tensor, L.cholesky(t));
    expectSame(Nx.defn((x: Nx.Tensor) => over(x) as Nx.Tensor)(inside) as Nx.Tensor, L.cholesky(t));
  });

  it("svd, qr and eigh", () => {
    const t = general("f64", [3, 4, 2]);
    for (const fn of [(x: Nx.Tensor) => L.svd(x)[1], (x: Nx.Tensor) => L.qr(x)[1], (x: Nx.Tensor) => L.pinv(x)]) {
      expectSame(Nx.Defn.vmap(fn)(t) as Nx.Tensor, fn(t));
    }
    const h = definite("f64", [3, 4, 4]);
    expectSame(Nx.Defn.vmap((x: Nx.Tensor) => L.eigh(x)[0])(h) as Nx.Tensor, L.eigh(h)[0]);
  });
});
