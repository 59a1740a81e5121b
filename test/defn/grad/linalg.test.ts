import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { complexes, expectClose, expectComplexGradients, expectGradients, randoms } from "./check";
import { sampled } from "../../effort";

const { grad } = Nx.Defn;
const { LinAlg } = Nx;

/** Random matrices with singular values well apart from each other and from 0. */
function regular(shape: readonly number[]): Nx.Tensor {
  const [rows, columns] = shape.slice(-2) as [number, number];
  return Nx.add(randoms(shape, -0.5, 0.5), Nx.multiply(Nx.eye([rows, columns]), Nx.add(Nx.iota([columns]), 2)));
}

function regularComplex(shape: readonly number[]): Nx.Tensor {
  return Nx.complex(regular(shape), randoms(shape, -0.5, 0.5));
}

/** The hermitian matrix made of any one: functions of such can only be moved along them. */
const hermitian = (t: Nx.Tensor): Nx.Tensor => Nx.add(t, LinAlg.adjoint(t));

const mm = (a: Nx.Tensor, b: Nx.Tensor): Nx.Tensor => Nx.dot(a, b);

/** The product of matrices with their adjoints, element-wise functions in between. */
const squared = (q: Nx.Tensor): Nx.Tensor => {
  const rank = q.shape.length;
  const batch = [...q.shape.keys()].slice(0, -2);
  const [left, right] = [Nx.multiply(q, Nx.add(Nx.iota([q.shape.at(-1)!]), 1)), Nx.conjugate(q)];
  return Nx.dot(left, right, { contract: [[rank - 1], [rank - 1]], batch: [batch, batch] });
};

const all = (...parts: Nx.Tensor[]): Nx.Tensor => Nx.concatenate(parts.map((part) => part.reshape(["auto"])));

const SHAPES: [name: string, shape: number[]][] = [
  ["of one", [1, 1]],
  ["of two", [2, 2]],
  ["of four", [4, 4]],
  ["a batch", [2, 3, 3]],
  ["two axes of batches", [2, 1, 2, 2]],
];

describe("cholesky", () => {
  it.each(sampled(SHAPES, 3, "1"))("%s", (_name, shape) => {
    expectGradients((x) => LinAlg.cholesky(hermitian(x)), regular(shape));
    expectComplexGradients((x) => LinAlg.cholesky(hermitian(x)), regularComplex(shape));
  });

  it("half the logarithm of the determinant has half the inverse as gradient", () => {
    const a = hermitian(regular([3, 3]));
    const logs = (x: Nx.Tensor) => Nx.log(Nx.takeDiagonal(LinAlg.cholesky(x))).sum();
    expectClose(grad(logs)(a), Nx.multiply(0.5, LinAlg.invert(a)));
  });

  it("the gradient is symmetric, though one triangle is read", () => {
    const gradient = grad((x: Nx.Tensor) => LinAlg.cholesky(x))(hermitian(regular([4, 4])));
    expectClose(gradient, Nx.transpose(gradient));
  });
});

describe("eigh", () => {
  it.each(sampled(SHAPES, 3, "2"))("%s", (_name, shape) => {
    expectGradients((x) => LinAlg.eigh(hermitian(x))[0], regular(shape));
    expectGradients((x) => LinAlg.eigh(hermitian(x))[1], regular(shape));
    expectComplexGradients((x) => LinAlg.eigh(hermitian(x))[0], regularComplex(shape));
    expectComplexGradients((x) => LinAlg.eigh(hermitian(x))[1], regularComplex(shape));
  });

  it("of both parts together", () => {
    const fn = (x: Nx.Tensor) => {
      const [w, v] = LinAlg.eigh(hermitian(x));
      return mm(Nx.multiply(v, Nx.exp(Nx.multiply(w, 0.1))), Nx.sin(v));
    };
    expectGradients(fn, regular([3, 3]));
  });

  it("the sum of eigenvalues has the identity, that of their squares twice the matrix", () => {
    const a = hermitian(randoms([4, 4]));
    const sumOf = (power: number) => (x: Nx.Tensor) => Nx.pow(LinAlg.eigh(x)[0], power).sum();
    expectClose(grad(sumOf(1))(a), Nx.eye(4, { type: "f64" }));
    expectClose(grad(sumOf(2))(a), Nx.multiply(2, a));
  });

  it("of complex matrices too, with dL/dx - i dL/dy for z = x + iy", () => {
    const a = hermitian(complexes([3, 3]));
    expectClose(grad((x: Nx.Tensor) => Nx.pow(LinAlg.eigh(x)[0], 2).sum())(a), Nx.multiply(2, Nx.conjugate(a)));
  });

  it("values have gradients where some are equal", () => {
    const a = Nx.f64([[2, 0, 0], [0, 2, 0], [0, 0, 1]]); // prettier-ignore
    expectClose(grad((x: Nx.Tensor) => Nx.pow(LinAlg.eigh(x)[0], 2).sum())(a), Nx.multiply(2, a));
  });
});

describe("lu", () => {
  it.each(sampled(SHAPES, 3, "3"))("%s", (_name, shape) => {
    expectGradients((x) => LinAlg.lu(x)[1], randoms(shape));
    expectGradients((x) => all(...LinAlg.lu(x)), randoms(shape));
    expectComplexGradients((x) => all(...LinAlg.lu(x).slice(1)), complexes(shape));
  });

  it("with rows exchanged", () => {
    const a = Nx.f64([[0.1, 2, 3], [4, 5, 0.6], [-7, 8, 10]]); // prettier-ignore
    expectGradients((x) => all(...LinAlg.lu(x)), a);
  });
});

const QR_SHAPES: [name: string, shape: number[]][] = [
  ...SHAPES,
  ["tall", [5, 3]],
  ["a column", [4, 1]],
  ["wide", [2, 5]],
  ["a row", [1, 3]],
  ["a batch of tall", [2, 4, 2]],
  ["a batch of wide", [2, 2, 3]],
];

describe("qr", () => {
  it.each(sampled(QR_SHAPES, 4, "4"))("%s", (_name, shape) => {
    expectGradients((x) => LinAlg.qr(x)[0], randoms(shape));
    expectGradients((x) => LinAlg.qr(x)[1], randoms(shape));
    expectGradients((x) => all(...LinAlg.qr(x)), randoms(shape));
  });

  it.each(sampled(QR_SHAPES, 4, "5"))(
    "%s, complex: what does not depend on the phases of the diagonal",
    (_name, shape) => {
      const fn = (x: Nx.Tensor) => {
        const [q, r] = LinAlg.qr(x);
        return all(Nx.abs(q), Nx.abs(r), squared(q), squared(LinAlg.adjoint(r)));
      };
      expectComplexGradients(fn, complexes(shape));
    },
  );

  it("complete where that is the same, else it says what to use", () => {
    expectGradients((x) => all(...LinAlg.qr(x, { mode: "complete" })), randoms([3, 3]));
    expectGradients((x) => all(...LinAlg.qr(x, { mode: "complete" })), randoms([2, 3]));
    const complete = grad((x: Nx.Tensor) => LinAlg.qr(x, { mode: "complete" })[0]);
    expect(() => complete(randoms([3, 2]))).toThrow('use mode "reduced"');
  });
});

describe("svd", () => {
  it.each(sampled(QR_SHAPES, 4, "6"))("%s", (_name, shape) => {
    const reduced = (x: Nx.Tensor) => LinAlg.svd(x, { fullMatrices: false });
    expectGradients((x) => reduced(x)[1], regular(shape));
    expectGradients((x) => reduced(x)[0], regular(shape));
    expectGradients((x) => reduced(x)[2], regular(shape));
    expectGradients((x) => all(...reduced(x)), regular(shape));
    expectGradients((x) => LinAlg.svd(x)[1], regular(shape));
  });

  it.each(sampled(QR_SHAPES, 4, "7"))("%s, complex", (_name, shape) => {
    const reduced = (x: Nx.Tensor) => LinAlg.svd(x, { fullMatrices: false });
    expectComplexGradients((x) => reduced(x)[1], regularComplex(shape));
    expectComplexGradients((x) => reduced(x)[0], regularComplex(shape));
    expectComplexGradients((x) => reduced(x)[2], regularComplex(shape));
    expectComplexGradients((x) => all(...reduced(x)), regularComplex(shape));
  });

  it("with one vector beyond the singular values", () => {
    for (const shape of [
      [3, 2],
      [2, 3],
      [2, 1],
      [2, 4, 3],
      [3, 3],
    ])
      expectGradients((x) => all(...LinAlg.svd(x)), regular(shape));
  });

  it("with several of them: what does not depend on how they lie among themselves", () => {
    const beyond = (u: Nx.Tensor, count: number) => Nx.sliceAlongAxis(u, count, u.shape[1]! - count, { axis: 1 });
    const squares = (u: Nx.Tensor) => Nx.dot(u, Nx.transpose(Nx.conjugate(u)));
    expectGradients((x) => Nx.real(squares(beyond(LinAlg.svd(x)[0], 2))), regular([5, 2]));
    expectGradients((x) => Nx.real(squares(beyond(Nx.transpose(LinAlg.svd(x)[2]), 2))), regular([2, 4]));
    expectComplexGradients((x) => squares(beyond(LinAlg.svd(x)[0], 2)), regularComplex([4, 2]));
  });

  it("the sum of squares of singular values has twice the matrix as gradient", () => {
    const a = randoms([4, 3]);
    expectClose(grad((x: Nx.Tensor) => Nx.pow(LinAlg.svd(x)[1], 2).sum())(a), Nx.multiply(2, a));
  });
});

const TRIANGULAR: Nx.LinAlg.TriangularSolveOptions[] = [true, false].flatMap((lower) =>
  [true, false].flatMap((leftSide) =>
    (["none", "transpose", "adjoint"] as const).map((transformA) => ({ lower, leftSide, transformA })),
  ),
);

describe("triangularSolve", () => {
  it.each(sampled(TRIANGULAR, 4, "8"))("%o", (options) => {
    const fn = (a: Nx.Tensor, b: Nx.Tensor) => LinAlg.triangularSolve(a, b, options);
    const right = options.leftSide ? [3, 2] : [2, 3];
    expectGradients(fn, regular([3, 3]), randoms([3]));
    expectGradients(fn, regular([3, 3]), randoms(right));
    expectGradients(fn, regular([2, 3, 3]), randoms([2, ...right]));
    expectGradients(fn, regular([3, 3]), randoms([2, ...right]));
    expectComplexGradients(fn, regularComplex([3, 3]), complexes(right));
  });

  it("does not see the other triangle", () => {
    const gradient = grad((a: Nx.Tensor) => LinAlg.triangularSolve(a, Nx.f64([1, 2])))(regular([2, 2]));
    expect(gradient.at(0, 1).toNumber()).toBe(0);
  });
});

describe("solve", () => {
  it.each([
    ["a vector", [3, 3], [3]],
    ["a matrix", [3, 3], [3, 2]],
    ["a batch", [2, 3, 3], [2, 3, 2]],
    ["a batch of vectors", [2, 3, 3], [2, 3]],
    ["one matrix for a batch", [3, 3], [2, 3, 2]],
    ["one right side for a batch", [2, 2, 2], [1, 2, 1]],
  ])("%s", (_name, a, b) => {
    expectGradients((x, y) => LinAlg.solve(x, y), regular(a), randoms(b));
    expectComplexGradients((x, y) => LinAlg.solve(x, y), regularComplex(a), complexes(b));
  });

  it("has -inv(a)^T g x^T for the matrix and inv(a)^T g for the right side", () => {
    const [a, b, g] = [regular([3, 3]), randoms([3, 2]), randoms([3, 2])];
    const fn = (p: Nx.Tensor[]) => Nx.multiply(LinAlg.solve(p[0]!, p[1]!), g).sum();
    const [ga, gb] = grad(fn)([a, b]);
    const expected = LinAlg.solve(Nx.transpose(a), g);
    expectClose(gb!, expected);
    expectClose(ga!, Nx.negate(mm(expected, Nx.transpose(LinAlg.solve(a, b)))));
  });
});

describe("inverses", () => {
  it.each(sampled(SHAPES, 3, "9"))("invert %s", (_name, shape) => {
    expectGradients((x) => LinAlg.invert(x), regular(shape));
    expectComplexGradients((x) => LinAlg.invert(x), regularComplex(shape));
  });

  it.each(sampled(QR_SHAPES, 4, "10"))("pinv %s", (_name, shape) => {
    expectGradients((x) => LinAlg.pinv(x), regular(shape));
    expectComplexGradients((x) => LinAlg.pinv(x), regularComplex(shape));
  });

  it("pinv where singular values are equal", () => {
    const turn = Nx.f64([[0.6, -0.8], [0.8, 0.6]]); // prettier-ignore
    expectGradients((x) => LinAlg.pinv(x), turn);
    expectGradients((x) => LinAlg.pinv(x), Nx.eye([4, 2], { type: "f64" }));
    expectGradients((x) => LinAlg.pinv(x), Nx.eye([2, 3], { type: "f64" }));
  });

  it("pinv of matrices of lower rank moves along those of that rank", () => {
    const product = (u: Nx.Tensor, v: Nx.Tensor) => LinAlg.pinv(mm(u, v));
    expectGradients(product, randoms([4, 2], 0.5, 1), randoms([2, 3], -1, 1));
    expectGradients((x) => LinAlg.pinv(Nx.outer(x, x)), Nx.f64([1, 2, -1]));
    expect(grad((x: Nx.Tensor) => LinAlg.pinv(x))(Nx.broadcast(Nx.f64(0), [2, 3])).toFlatList()).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
  });

  it("pinv is the inverse for what can be inverted", () => {
    const a = regular([3, 3]);
    const weights = randoms([3, 3]);
    const by = (fn: (t: Nx.Tensor) => Nx.Tensor) => grad((x: Nx.Tensor) => Nx.multiply(fn(x), weights).sum())(a);
    expectClose(by(LinAlg.pinv), by(LinAlg.invert));
  });

  it.each([1, 1e-2, 1e-4])(
    "pinv of matrices %d away from lower rank: derivatives are as exact in every order",
    (distance) => {
      const [u, v, rest, weights] = [randoms([3], 1, 2), randoms([3], 1, 2), regular([3, 3]), randoms([3, 3])];
      const near = (t: Nx.Tensor) => Nx.add(Nx.outer(u, Nx.multiply(v, Nx.exp(t))), Nx.multiply(rest, distance));
      const at = Nx.f64(0.3);
      const sizes = LinAlg.svd(near(at))[1];
      const condition = Nx.divide(sizes.at(0), sizes.at(-1)).toNumber() as number;
      const along =
        (fn: (t: Nx.Tensor) => Nx.Tensor) =>
        (t: Nx.Tensor): Nx.Tensor =>
          Nx.multiply(fn(near(t)), weights).sum();
      let [found, expected] = [along(LinAlg.pinv), along(LinAlg.invert)];
      for (let order = 1; order <= 3; order++) {
        [found, expected] = [grad(found), grad(expected)];
        const ratio = Nx.divide(found(at), expected(at)).toNumber() as number;
        expect(Math.abs(ratio - 1), `order ${order}`).toBeLessThan(100 * Number.EPSILON * condition ** 2);
      }
    },
  );

  it.each([
    ["tall", [4, 2], [4]],
    ["tall, several right sides", [4, 2], [4, 3]],
    ["square", [3, 3], [3, 1]],
    ["wide", [2, 4], [2]],
    ["a batch", [2, 3, 2], [2, 3, 2]],
  ])("leastSquares, %s", (_name, a, b) => {
    expectGradients((x, y) => LinAlg.leastSquares(x, y), regular(a), randoms(b));
    expectComplexGradients((x, y) => LinAlg.leastSquares(x, y), regularComplex(a), complexes(b));
  });

  it("leastSquares with orthogonal columns of one length", () => {
    const a = Nx.f64([[1, 1], [1, -1], [1, 1], [1, -1]]); // prettier-ignore
    expectGradients((x, y) => LinAlg.leastSquares(x, y), a, randoms([4]));
  });
});

describe("determinant", () => {
  it.each([1, 2, 3, 4, 5])("of %i rows", (n) => {
    expectGradients((x) => LinAlg.determinant(x), randoms([n, n]));
    expectGradients((x) => LinAlg.determinant(x), randoms([2, n, n]));
    expectComplexGradients((x) => LinAlg.determinant(x), complexes([n, n]));
  });

  it.each([1, 2, 3, 4, 5])("of %i rows has det inv^T", (n) => {
    const a = regular([n, n]);
    const expected = Nx.multiply(LinAlg.determinant(a), Nx.transpose(LinAlg.invert(a)));
    expectClose(grad((x: Nx.Tensor) => LinAlg.determinant(x))(a), expected);
  });

  it.each([1, 2, 3, 4, 5])("of %i rows, complex: the same, as the function is holomorphic", (n) => {
    const a = regularComplex([n, n]);
    const expected = Nx.multiply(LinAlg.determinant(a), Nx.transpose(LinAlg.invert(a)));
    expectClose(grad((x: Nx.Tensor) => LinAlg.determinant(x))(a), expected);
  });

  it.each([2, 3, 4, 5])("of %i rows, singular: the cofactors", (n) => {
    const low = mm(randoms([n, n - 1]), randoms([n - 1, n]));
    expectGradients((x) => LinAlg.determinant(x), low);
    expectGradients(
      (x) => LinAlg.determinant(x),
      Nx.asType(Nx.multiply(Nx.eye(n), Nx.less(Nx.iota([n]), n - 1)), "f64"),
    );
    expectComplexGradients((x) => LinAlg.determinant(x), mm(complexes([n, n - 1]), complexes([n - 1, n])));
  });

  it("of lower rank still has no slope", () => {
    const gradient = grad((x: Nx.Tensor) => LinAlg.determinant(x))(
      Nx.outer(Nx.f64([1, 2, 3, 4]), Nx.f64([1, 0, 1, 5])),
    );
    expectClose(gradient, Nx.broadcast(Nx.f64(0), [4, 4]));
    const nothing = Nx.broadcast(Nx.f64(0), [4, 4]);
    expectClose(grad((x: Nx.Tensor) => LinAlg.determinant(x))(nothing), nothing);
  });
});

describe("norm", () => {
  it.each([undefined, 1, 2, 3, -1, -2, 0.5, 2.5, Infinity, -Infinity, 0])("of vectors, ord %s", (ord) => {
    const options = ord === undefined ? {} : { ord };
    expectGradients((x) => LinAlg.norm(x, options), Nx.f64([0.5, -1.5, 2, -0.8]));
    expectGradients((x) => LinAlg.norm(x, { ...options, axes: [1], keepAxes: true }), regular([2, 3]));
    expectComplexGradients((x) => LinAlg.norm(x, options), complexes([3], 0.5, 1.5));
  });

  const ORDERS = [undefined, 1, -1, 2, -2, Infinity, -Infinity, "frobenius", "nuclear"] as const;

  it.each(sampled(ORDERS, 4, "11"))("of matrices, ord %s", (ord) => {
    const options = ord === undefined ? {} : { ord };
    for (const shape of [
      [3, 3],
      [4, 2],
      [2, 3],
    ])
      expectGradients((x) => LinAlg.norm(x, options), regular(shape));
    expectGradients((x) => LinAlg.norm(x, { ...options, axes: [0, 2] }), regular([3, 2, 2]));
  });

  it.each(sampled(ORDERS, 4, "12"))("of complex matrices, ord %s", (ord) => {
    expectComplexGradients((x) => LinAlg.norm(x, ord === undefined ? {} : { ord }), regularComplex([3, 2]));
  });

  it("has x / |x| as gradient, and 0 at 0", () => {
    const x = Nx.f64([3, -4]);
    expectClose(grad((t: Nx.Tensor) => LinAlg.norm(t))(x), Nx.f64([0.6, -0.8]));
    expect(grad((t: Nx.Tensor) => LinAlg.norm(t))(Nx.f64([0, 0])).toList()).toEqual([0, 0]);
  });

  it("of a matrix of lower rank", () => {
    const a = Nx.outer(Nx.f64([0.6, 0.8]), Nx.f64([0, 1]));
    expectClose(grad((x: Nx.Tensor) => LinAlg.norm(x, { ord: 2 }))(a), a);
    const nuclear = grad((x: Nx.Tensor) => LinAlg.norm(x, { ord: "nuclear" }))(a);
    expectClose(Nx.multiply(nuclear, a).sum(), Nx.f64(1)); // a subgradient: as steep as the norm along a, nowhere steeper
    expectClose(LinAlg.norm(nuclear, { ord: 2 }), Nx.f64(1));
  });
});

describe("matrixPower", () => {
  it.each([0, 1, 2, 3, 6, -1, -3])("%i", (power) => {
    expectGradients((x) => LinAlg.matrixPower(x, power), regular([3, 3]));
    expectGradients((x) => LinAlg.matrixPower(x, power), regular([2, 2, 2]));
    expectComplexGradients((x) => LinAlg.matrixPower(x, power), regularComplex([2, 2]));
  });
});

describe("adjoint", () => {
  it("turns what comes back around", () => {
    expectGradients((x) => LinAlg.adjoint(x), randoms([2, 3]));
    expectComplexGradients((x) => mm(LinAlg.adjoint(x), x), complexes([3, 2]));
  });
});

describe("pinv of vectors and scalars", () => {
  it.each([[[]], [[1]], [[4]]])("of shape %j", (shape) => {
    expectGradients((x) => LinAlg.pinv(x), randoms(shape, 0.5, 2));
    expectComplexGradients((x) => LinAlg.pinv(x), Nx.complex(randoms(shape, 0.5, 2), randoms(shape, -1, 1)));
    const zeros = Nx.broadcast(Nx.f64(0), shape);
    expect(grad((x: Nx.Tensor) => LinAlg.pinv(x))(zeros).equals(zeros)).toBe(true);
  });

  it("is that of a column", () => {
    const v = randoms([4]);
    const weights = randoms([4]);
    const asColumn = (x: Nx.Tensor) => LinAlg.pinv(Nx.newAxis(x, -1)).at(0);
    const by = (fn: (t: Nx.Tensor) => Nx.Tensor) => grad((x: Nx.Tensor) => Nx.multiply(fn(x), weights).sum())(v);
    expectClose(by(LinAlg.pinv), by(asColumn));
  });

  it("is that of each entry, where several are zero, under vmap", () => {
    const rows = Nx.f64([[3, 4], [0, 0], [1, -1]]); // prettier-ignore
    const first = (x: Nx.Tensor) => LinAlg.pinv(x).at(0);
    const separately = Nx.stack([0, 1, 2].map((i) => grad(first)(rows.at(i))));
    expectClose(Nx.Defn.vmap(grad(first))(rows), separately);
    expectClose(Nx.Defn.vmap(LinAlg.pinv)(rows), Nx.stack([0, 1, 2].map((i) => LinAlg.pinv(rows.at(i)))));
    expect(Nx.Defn.vmap(LinAlg.pinv)(Nx.f64([0, 4])).toList()).toEqual([0, 0.25]);
  });
});

describe("half floats", () => {
  // the gradient of the sum of the singular values is u v^T, here the identity
  it.each([300, 1, 2 ** -14])("are worked on in f32: squares of singular values of %f leave f16", (size) => {
    const sum = (t: Nx.Tensor) => Nx.LinAlg.svd(t)[1].sum();
    const slope = Nx.grad(sum)(Nx.f16([[2 * size, 0], [0, size]])); // prettier-ignore
    expect(slope.type).toBe("f16");
    expect(slope.toList()).toEqual([[1, 0], [0, 1]]); // prettier-ignore
  });
});
