/** What every function refuses, and how it says so. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const L = Nx.LinAlg;
type Call = (...given: unknown[]) => unknown;

const ONE: Record<string, Call> = {
  cholesky: L.cholesky as Call,
  determinant: L.determinant as Call,
  eigh: L.eigh as Call,
  invert: L.invert as Call,
  lu: L.lu as Call,
  matrixPower: ((t: Nx.Tensor) => L.matrixPower(t, 2)) as Call,
  matrixRank: L.matrixRank as Call,
  pinv: L.pinv as Call,
  qr: L.qr as Call,
  svd: L.svd as Call,
};
const TWO: Record<string, Call> = {
  solve: L.solve as Call,
  leastSquares: L.leastSquares as Call,
  triangularSolve: L.triangularSolve as Call,
};
const OF_ANY_SHAPE = ["leastSquares", "matrixRank", "pinv", "qr", "svd"];
const WITH_OPTIONS: Record<string, (options: unknown) => unknown> = {
  qr: (options) => ONE.qr!(Nx.eye(2), options),
  svd: (options) => ONE.svd!(Nx.eye(2), options),
  pinv: (options) => ONE.pinv!(Nx.eye(2), options),
  matrixRank: (options) => ONE.matrixRank!(Nx.eye(2), options),
  norm: (options) => (L.norm as Call)(Nx.eye(2), options),
  leastSquares: (options) => TWO.leastSquares!(Nx.eye(2), Nx.eye(2), options),
  triangularSolve: (options) => TWO.triangularSolve!(Nx.eye(2), Nx.eye(2), options),
};

/** The message of the ArgumentError that a call gives. */
function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(Nx.ArgumentError);
    return (error as Error).message;
  }
  throw new Error("nothing was refused");
}

describe("shapes", () => {
  it.each(Object.keys({ ...ONE, ...TWO }))("%s wants matrices", (name) => {
    const call = (value: unknown) => (name in ONE ? ONE[name]!(value) : TWO[name]!(value, Nx.eye(2)));
    const vector = Nx.iota([3], { names: ["x"] });
    if (name !== "pinv") {
      expect(refusal(() => call(vector))).toBe(
        `Nx.LinAlg.${name} expects a matrix, or a batch of them, got a tensor of shape [x: 3]`,
      );
      expect(refusal(() => call(5))).toContain("got a tensor of shape []");
    }
    for (const wrong of [[[1]], "a", null, undefined, {}, () => 1]) {
      expect(refusal(() => call(wrong))).toContain(`Nx.LinAlg.${name} expects a tensor or a number, got:`);
    }
  });

  it.each(Object.keys({ ...ONE, ...TWO }).filter((name) => !OF_ANY_SHAPE.includes(name)))(
    "%s wants square matrices",
    (name) => {
      const t = Nx.iota([5, 2, 3], { names: ["case", null, "x"] });
      expect(refusal(() => (name in ONE ? ONE[name]!(t) : TWO[name]!(t, Nx.iota([2]))))).toBe(
        `Nx.LinAlg.${name} expects square matrices, got a tensor of shape [case: 5][2][x: 3]`,
      );
    },
  );

  it.each(Object.keys(TWO))("%s wants right sides that fit", (name) => {
    const a = Nx.eye([4, 2, 2], { names: ["case", "x", "y"] });
    const expected = `Nx.LinAlg.${name} expects right sides`;
    expect(refusal(() => TWO[name]!(a, Nx.iota([3])))).toBe(
      `${expected} of 2 rows for matrices of shape [case: 4][x: 2][y: 2], got a tensor of shape [3]`,
    );
    expect(refusal(() => TWO[name]!(a, Nx.iota([4, 3, 2])))).toContain("of 2 rows for");
    expect(refusal(() => TWO[name]!(a, 3))).toContain("of 2 rows for");
    for (const shape of [
      [3, 2],
      [3, 2, 1],
      [5, 3, 2, 1],
    ]) {
      // prettier-ignore
      expect(refusal(() => TWO[name]!(a, Nx.iota(shape)))).toBe(
        `${expected} whose batch broadcasts with that of matrices of shape [case: 4][x: 2][y: 2], ` +
          `got a tensor of shape [${shape.join("][")}]`,
      );
    }
    expect(refusal(() => TWO[name]!(a, Nx.iota([3, 5])))).toContain(
      "got a tensor of shape [3][5], which with one axis less is read as vectors; give matrices an axis of size 1 in front",
    );
    expect(refusal(() => TWO[name]!(a, [1, 2]))).toContain("expects a tensor or a number");
  });

  it("triangularSolve wants columns that fit when a is on the right", () => {
    const a = Nx.eye([2, 2], { names: ["x", "y"] });
    const call = (b: Nx.Tensor, t = a) => refusal(() => L.triangularSolve(t, b, { leftSide: false }));
    const expected =
      "Nx.LinAlg.triangularSolve expects right sides of 2 columns for matrices of shape [x: 2][y: 2] on the right";
    expect(call(Nx.iota([2, 3]))).toBe(`${expected}, got a tensor of shape [2][3]`);
    expect(call(Nx.tensor(1))).toBe(`${expected}, got a tensor of shape []`);
    expect(call(Nx.iota([3, 5, 2]), Nx.eye([4, 2, 2]))).toContain(
      "whose batch broadcasts with that of matrices of shape [4][2][2], got a tensor of shape [3][5][2]",
    );
  });
});

describe("options", () => {
  it.each(Object.keys(WITH_OPTIONS))("%s refuses unknown ones", (name) => {
    expect(refusal(() => WITH_OPTIONS[name]!({ other: 1 }))).toContain(`unknown option "other" for Nx.LinAlg.${name}`);
    const axes = name === "norm" ? [] : [3, "x", [1]]; // which may stand in place of options
    for (const wrong of [...axes, true, () => 1]) {
      expect(refusal(() => WITH_OPTIONS[name]!(wrong))).toContain(`Nx.LinAlg.${name} expects its options as an object`);
    }
    expect(() => WITH_OPTIONS[name]!({})).not.toThrow();
    expect(() => WITH_OPTIONS[name]!(undefined)).not.toThrow();
  });

  it.each([
    ["qr", { mode: "full" }, 'option mode of Nx.LinAlg.qr must be one of "reduced", "complete", got: "full"'],
    ["qr", { mode: 1 }, "option mode of Nx.LinAlg.qr must be one of"],
    ["svd", { fullMatrices: 1 }, "option fullMatrices of Nx.LinAlg.svd must be true or false, got: 1"],
    ["pinv", { eps: -1 }, "option eps of Nx.LinAlg.pinv must be a number of at least 0, got: -1"],
    ["pinv", { eps: NaN }, "option eps of Nx.LinAlg.pinv must be a number of at least 0, got: NaN"],
    ["matrixRank", { eps: "1" }, 'option eps of Nx.LinAlg.matrixRank must be a number of at least 0, got: "1"'],
    ["leastSquares", { eps: null }, "option eps of Nx.LinAlg.leastSquares must be a number of at least 0, got: null"],
    [
      "triangularSolve",
      { lower: "yes" },
      'option lower of Nx.LinAlg.triangularSolve must be true or false, got: "yes"',
    ],
    ["triangularSolve", { leftSide: 0 }, "option leftSide of Nx.LinAlg.triangularSolve must be true or false, got: 0"],
    [
      "triangularSolve",
      { transformA: "conjugate" },
      'option transformA of Nx.LinAlg.triangularSolve must be one of "none", "transpose", "adjoint", got: "conjugate"',
    ],
    ["norm", { keepAxes: 1 }, "option keepAxes of Nx.LinAlg.norm must be true or false, got: 1"],
  ] as const)("%s with %j", (name, options, message) => {
    expect(refusal(() => WITH_OPTIONS[name]!(options))).toContain(message);
  });

  it.each([0, 3, -3, 0.5, NaN, "nuc", "inf", true, null])("norm of matrices has no order %j", (ord) => {
    expect(refusal(() => WITH_OPTIONS.norm!({ ord }))).toContain(
      'option ord of Nx.LinAlg.norm must be 1, -1, 2, -2, Infinity, -Infinity, "frobenius" or "nuclear" for matrices, got: ',
    );
  });

  it.each(["frobenius", "nuclear", NaN, "x", null, {}])("norm of vectors has no order %j", (ord) => {
    expect(refusal(() => (L.norm as Call)(Nx.iota([3]), { ord }))).toContain(
      "option ord of Nx.LinAlg.norm must be a number for vectors, got: ",
    );
  });

  it("norm wants one axis or two", () => {
    const t = Nx.iota([2, 2, 2], { names: ["a", "b", "c"] });
    expect(refusal(() => L.norm(t, { ord: 1 }))).toBe(
      "Nx.LinAlg.norm with ord 1 expects a vector or a matrix, got shape [a: 2][b: 2][c: 2]; say with option axes which axes are meant",
    );
    expect(refusal(() => L.norm(t, { axes: [] }))).toContain(
      "option axes of Nx.LinAlg.norm must list one axis or two, got: []",
    );
    expect(refusal(() => L.norm(t, { axes: [0, 1, 2] }))).toContain("must list one axis or two, got: [0, 1, 2]");
    expect(refusal(() => L.norm(t, { axes: ["a", "a"] }))).toContain("axes must not repeat");
    // @ts-expect-error there is no axis "d"
    expect(refusal(() => L.norm(t, { axes: ["d"] }))).toContain('"d"');
    expect(refusal(() => L.norm(t, { axes: [3] }))).toContain("3");
    expect(refusal(() => L.norm(5, { ord: 1 }))).toContain("expects a vector or a matrix, got shape []");
  });

  it("matrixPower wants an integer", () => {
    for (const power of [0.5, NaN, Infinity, "2", null, undefined, 2n, [1], 2 ** 60]) {
      expect(refusal(() => (L.matrixPower as Call)(Nx.eye(2), power))).toContain(
        "Nx.LinAlg.matrixPower expects an integer as power, got: ",
      );
    }
  });
});

describe("values", () => {
  const singular = () => Nx.f64([[1, 2], [2, 4]]); // prettier-ignore

  it("solvers refuse singular matrices", () => {
    const calls = [
      () => L.solve(singular(), Nx.f64([1, 2])),
      () => L.solve(Nx.s64([[0]]), Nx.s64([1])),
      () => L.invert(singular()),
      () => L.invert(Nx.stack([Nx.eye(2, { type: "f64" }), singular()])),
      () => L.matrixPower(singular(), -1),
      () => L.triangularSolve(Nx.f64([[1, 0], [1, 0]]), Nx.f64([1, 1])), // prettier-ignore
      () => L.triangularSolve(Nx.f64([[0, 1], [0, 1]]), Nx.f64([1, 1]), { lower: false, leftSide: false }), // prettier-ignore
      () => L.invert(Nx.c64([[0, 0], [0, 0]])), // prettier-ignore
    ];
    for (const call of calls) expect(refusal(call)).toContain("can't solve for singular matrix: element ");
    expect(refusal(calls[0]!)).toBe(
      "Nx.LinAlg.solve: can't solve for singular matrix: element 1 of the diagonal of the 2x2 triangle is 0; for a solution of least squares use " +
        "Nx.LinAlg.leastSquares or Nx.LinAlg.pinv",
    );
    // the remedies work
    expect(() => L.leastSquares(singular(), Nx.f64([1, 2]))).not.toThrow();
    expect(() => L.pinv(singular())).not.toThrow();
    // the other triangle is not read
    expect(L.triangularSolve(Nx.f64([[1, NaN], [0, 2]]), Nx.f64([1, 1])).toList()).toEqual([1, 0.5]); // prettier-ignore
  });

  it("cholesky refuses what is not positive definite", () => {
    const expected = (k: number, n: number, pivot: string) =>
      `Nx.LinAlg.cholesky: the Cholesky decomposition needs a positive definite matrix, but the leading ${k}x${k} block of this ${n}x${n} matrix is ` +
      `not (pivot ${pivot}); use Nx.LinAlg.lu or Nx.LinAlg.eigh, or add to the diagonal`;
    expect(refusal(() => L.cholesky(Nx.f64([[1, 2], [2, 1]])))).toBe(expected(2, 2, "-3")); // prettier-ignore
    expect(refusal(() => L.cholesky(singular()))).toBe(expected(2, 2, "0"));
    expect(refusal(() => L.cholesky(Nx.s64([[-1]])))).toBe(expected(1, 1, "-1"));
    expect(refusal(() => L.cholesky(Nx.f32([[1, NaN], [NaN, 1]])))).toBe(expected(2, 2, "NaN")); // prettier-ignore
    expect(refusal(() => L.cholesky(Nx.f32([[Infinity]])))).toBe(expected(1, 1, "Infinity"));
    expect(refusal(() => L.cholesky(Nx.stack([Nx.eye(2), Nx.multiply(-1, Nx.eye(2))])))).toBe(expected(1, 2, "-1"));
  });

  it("cholesky and eigh refuse what is not hermitian", () => {
    for (const name of ["cholesky", "eigh"] as const) {
      const call = (t: Nx.Tensor) => () => ONE[name]!(t);
      expect(
        refusal(
          call(
            Nx.s64([
              [5, 2],
              [0, 5],
            ]),
          ),
        ),
      ).toBe(
        // prettier-ignore
        `Nx.LinAlg.${name} expects hermitian matrices, but element [0][1] of this 2x2 matrix is 2 and element [1][0] is 0; take the mean ` +
          "of the matrix and its adjoint if it is meant to be hermitian",
      );
      const i = new Nx.Complex(0, 1);
      expect(refusal(call(Nx.c64([[5, i], [i, 5]])))).toContain("is 0+1i and element [1][0] is 0+1i"); // prettier-ignore
      expect(refusal(call(Nx.c64([[new Nx.Complex(5, 1)]])))).toContain("is 5+1i, which the diagonal cannot hold");
      expect(refusal(call(Nx.stack([Nx.eye(2), Nx.tensor([[1, 1], [0, 1]])])))).toContain("hermitian"); // prettier-ignore
      // what rounding leaves is let through
      expect(call(Nx.f32([[5, 1.0001], [1, 5]]))).not.toThrow(); // prettier-ignore
      expect(refusal(call(Nx.f64([[5, 1.0001], [1, 5]])))).toContain("hermitian"); // prettier-ignore
    }
  });

  it("pinv refuses the options of vectors as those of matrices", () => {
    for (const given of [2, Nx.iota([2])]) {
      expect(refusal(() => ONE.pinv!(given, { eps: -1 }))).toContain(
        "option eps of Nx.LinAlg.pinv must be a number of at",
      );
      expect(refusal(() => ONE.pinv!(given, { other: 1 }))).toContain('unknown option "other" for Nx.LinAlg.pinv');
    }
  });

  it("eigh, svd and what hangs on them refuse what is not finite", () => {
    for (const odd of [NaN, Infinity, -Infinity]) {
      const t = Nx.f32([[odd, 1], [1, 2]]); // prettier-ignore
      const calls: [name: string, call: () => unknown][] = [
        ["eigh", () => L.eigh(t)],
        ["svd", () => L.svd(t)],
        ["pinv", () => L.pinv(t)],
        ["matrixRank", () => L.matrixRank(t)],
        ["leastSquares", () => L.leastSquares(t, t)],
        ["norm", () => L.norm(t, { ord: 2 })],
        ["norm", () => L.norm(t, { ord: "nuclear" })],
      ];
      for (const [name, call] of calls) {
        expect(refusal(call)).toBe(
          `Nx.LinAlg.${name}: the decomposition needs finite numbers, but the matrix holds NaN or infinities; look for them with Nx.isNan and Nx.isInfinity`,
        );
      }
    }
  });

  it("qr, lu, determinant and solve carry NaN through", () => {
    const t = Nx.f32([[NaN, 1], [1, 2]]); // prettier-ignore
    expect(L.determinant(t).toNumber()).toBeNaN();
    expect(L.solve(t, Nx.f32([1, 2])).toList()).toEqual([NaN, NaN]);
    for (const part of [L.qr(t)[1], L.lu(t)[2]]) expect(Nx.any(Nx.isNan(part)).toNumber()).toBe(1);
  });
});
