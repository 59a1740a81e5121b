/** Gradients of eig, expm, sqrtm, slogdet, logdet, cond, choleskySolve and of what leastSquares gives. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { sampled } from "../../effort";
import { complexes, expectClose, expectComplexGradients, expectGradients, randoms } from "./check";

const { grad } = Nx.Defn;
const { LinAlg } = Nx;

const SHAPES: [name: string, shape: number[]][] = [
  ["of one", [1, 1]],
  ["of two", [2, 2]],
  ["of four", [4, 4]],
  ["a batch", [2, 3, 3]],
];

/** Random matrices with eigenvalues well apart from each other, from 0 and from the negative axis. */
function regular(shape: readonly number[]): Nx.Tensor {
  const n = shape.at(-1)!;
  return Nx.add(randoms(shape, -0.5, 0.5), Nx.multiply(Nx.eye(n), Nx.multiply(Nx.add(Nx.iota([n]), 2), 1.5)));
}

const regularComplex = (shape: readonly number[]): Nx.Tensor => Nx.complex(regular(shape), randoms(shape, -0.5, 0.5));
const mm = (a: Nx.Tensor, b: Nx.Tensor): Nx.Tensor => Nx.dot(a, b);
const parts = (z: Nx.Tensor): Nx.Tensor => Nx.concatenate([Nx.real(z).flatten(), Nx.imag(z).flatten()]);

describe("eig", () => {
  it.each(sampled(SHAPES, 2, "eig"))("%s", (_name, shape) => {
    expectGradients((x) => parts(LinAlg.eig(x)[0]), regular(shape));
    expectGradients((x) => parts(LinAlg.eig(x)[1]), regular(shape));
    expectComplexGradients((x) => LinAlg.eig(x)[0], regularComplex(shape));
    expectComplexGradients((x) => LinAlg.eig(x)[1], regularComplex(shape));
  });

  it("of pairs of conjugate values of real matrices, and of both parts together", () => {
    const a = Nx.f64([[1, 2, 0.5], [-3, 1.5, 0.2], [0.3, 0.1, 5]]); // prettier-ignore
    expectGradients((x) => parts(LinAlg.eig(x)[0]), a);
    expectGradients((x) => {
      const [w, v] = LinAlg.eig(x);
      return parts(mm(Nx.multiply(v, Nx.exp(Nx.multiply(w, 0.1))), Nx.sin(v)));
    }, a);
  });

  it("the sum of the squares of the values has twice the transpose, which is the trace's", () => {
    const a = randoms([4, 4]);
    const squares = (x: Nx.Tensor) => Nx.real(Nx.sum(Nx.pow(LinAlg.eig(x)[0], 2)));
    expectClose(grad(squares)(a), Nx.multiply(2, Nx.transpose(a)));
  });

  it("values have gradients where some are equal and have vectors of their own", () => {
    const a = Nx.f64([[2, 0, 0], [0, 2, 0], [0, 0, 1]]); // prettier-ignore
    expectClose(grad((x: Nx.Tensor) => Nx.real(LinAlg.eig(x)[0]).sum())(a), Nx.eye(3, { type: "f64" }));
  });
});

describe.each(["expm", "sqrtm"] as const)("%s", (name) => {
  const fn = LinAlg[name];

  it.each(sampled(SHAPES, 2, name))("%s", (_name, shape) => {
    expectGradients((x) => fn(x), regular(shape));
    expectComplexGradients((x) => fn(x), regularComplex(shape));
  });

  it("second derivatives", () => {
    const slope = grad((x: Nx.Tensor) => Nx.sum(Nx.sin(fn(x))));
    expectGradients((x) => slope(x), regular([2, 2]));
  });

  it("of f32 in f32, and of half floats", () => {
    const a = regular([3, 3]);
    const slope = grad((x: Nx.Tensor) => Nx.sum(fn(x)));
    expect(slope(Nx.asType(a, "f32")).type).toBe("f32");
    expectClose(Nx.asType(slope(Nx.asType(a, "f32")), "f64"), slope(a), 1e-4);
    expectClose(Nx.asType(slope(Nx.asType(a, "bf16")), "f64"), slope(Nx.asType(Nx.asType(a, "bf16"), "f64")), 0.05);
  });
});

it("expm: the matrix times a number, by the number; and matrices of very different sizes in a batch", () => {
  const a = randoms([3, 3]);
  const slope = Nx.Defn.jacobian((t: Nx.Tensor) => LinAlg.expm(Nx.multiply(a, t)))(Nx.f64(0.7));
  expectClose(slope, mm(a, LinAlg.expm(Nx.multiply(a, 0.7))));
  const sizes = Nx.reshape(Nx.f64([1e-9, 1, 10]), [3, 1, 1]);
  const many = Nx.multiply(Nx.stack([a, a, a]), sizes);
  const trace = (x: Nx.Tensor) => Nx.sum(Nx.multiply(LinAlg.expm(x), Nx.eye(3)));
  const expected = Nx.transpose(LinAlg.expm(many), { axes: [0, 2, 1] });
  expectClose(grad(trace)(many), expected, 1e-8);
});

it("sqrtm of tiny matrices: the derivative of the root of x times the identity is 1 / (2 root x)", () => {
  const a = Nx.multiply(Nx.eye(3, { type: "f64" }), 1e-18);
  const slope = grad((x: Nx.Tensor) => Nx.sum(Nx.multiply(LinAlg.sqrtm(x), Nx.eye(3))))(a);
  expectClose(Nx.multiply(slope, 2e-9), Nx.eye(3, { type: "f64" }));
});

describe("determinants as logarithms", () => {
  it.each(SHAPES)("%s", (_name, shape) => {
    expectGradients((x) => LinAlg.slogdet(x)[1], randoms(shape));
    expectGradients((x) => LinAlg.logdet(x), regular(shape));
    expectComplexGradients((x) => LinAlg.logdet(x), complexes(shape));
    expectComplexGradients((x) => LinAlg.slogdet(x)[0], complexes(shape));
  });

  it("have the transposed inverse", () => {
    const a = randoms([5, 5]);
    expectClose(grad((x: Nx.Tensor) => LinAlg.slogdet(x)[1])(a), Nx.transpose(LinAlg.invert(a)));
    expectClose(grad((x: Nx.Tensor) => LinAlg.slogdet(x)[0])(a), Nx.multiply(a, 0));
  });
});

describe("systems", () => {
  it.each([2, -2, 1, -1, Infinity, "frobenius", "nuclear"] as const)("cond, %s", (ord) => {
    expectGradients((x) => LinAlg.cond(x, { ord }), regular([3, 3]));
  });

  it("choleskySolve, by both", () => {
    const lower = (x: Nx.Tensor) => Nx.tril(x);
    expectGradients((x, b) => LinAlg.choleskySolve(lower(x), b), regular([3, 3]), randoms([3, 2]));
    expectGradients((x, b) => LinAlg.choleskySolve(Nx.transpose(lower(x)), b, { lower: false }), regular([3, 3]), randoms([3])); // prettier-ignore
  });

  it("residuals and singular values of leastSquares", () => {
    const fn = (i: 0 | 1 | 3) => (a: Nx.Tensor, b: Nx.Tensor) => LinAlg.leastSquares(a, b, { full: true })[i];
    for (const i of [0, 1, 3] as const) expectGradients(fn(i), randoms([5, 3]), randoms([5, 2]));
  });
});
