/** Axis names of every result: the batch keeps its names, rows and columns those they have in the operand. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const L = Nx.LinAlg;

/** A batch of three hermitian, positive definite matrices of named axes. */
const square = () =>
  Nx.rename(Nx.broadcast(Nx.f64([[4, 1], [1, 3]]), [3, 2, 2]), ["case", "to", "from"]); // prettier-ignore
const tall = () => Nx.iota([3, 4, 2], { names: ["case", "to", "from"], type: "f64" });
const wide = () => Nx.iota([3, 2, 4], { names: ["case", "to", "from"], type: "f64" });

const names = (...parts: readonly Nx.Tensor[]) => parts.map((part) => part.names);

describe("decompositions", () => {
  it("cholesky and eigh", () => {
    expect(names(L.cholesky(square()))).toEqual([["case", "to", null]]);
    expect(names(...L.eigh(square()))).toEqual([["case", null], ["case", "to", null]]); // prettier-ignore
  });

  it("eig", () => {
    expect(names(...L.eig(square()))).toEqual([["case", null], ["case", "to", null]]); // prettier-ignore
  });

  it("lu", () => {
    expect(names(...L.lu(square()))).toEqual([["case", "to", null], ["case", null, null], ["case", null, "from"]]); // prettier-ignore
  });

  it("qr and svd", () => {
    const [rows, columns] = [["case", "to", null], ["case", null, "from"]]; // prettier-ignore
    for (const t of [square(), tall(), wide()]) {
      for (const mode of ["reduced", "complete"] as const) expect(names(...L.qr(t, { mode }))).toEqual([rows, columns]);
      for (const fullMatrices of [true, false]) {
        expect(names(...L.svd(t, { fullMatrices }))).toEqual([rows, ["case", null], columns]);
      }
    }
  });

  it("name the axes at which their parts meet", () => {
    const name = "part";
    expect(names(L.cholesky(square(), { name }))).toEqual([["case", "to", "part"]]);
    for (const parts of [L.eigh(square(), { name }), L.eig(square(), { name })]) {
      expect(names(...parts)).toEqual([["case", "part"], ["case", "to", "part"]]); // prettier-ignore
    }
    expect(names(...L.lu(square(), { names: ["i", "j"] }))).toEqual([["case", "to", "i"], ["case", "i", "j"], ["case", "j", "from"]]); // prettier-ignore
    const [rows, columns] = [["case", "to", "part"], ["case", "part", "from"]]; // prettier-ignore
    for (const t of [square(), tall(), wide()]) {
      expect(names(...L.qr(t, { name }))).toEqual([rows, columns]);
      expect(names(...L.svd(t, { name }))).toEqual([rows, ["case", "part"], columns]);
    }
    expect(() => L.svd(tall(), { name: "to" })).toThrow(/duplicate names \["case", "to", "to"\]/);
    expect(() => L.lu(square(), { names: ["i"] as never })).toThrow(
      "option names of Nx.LinAlg.lu must be a list of two",
    );
  });

  it("products of the parts have the names of the whole", () => {
    const [q, r] = L.qr(Nx.iota([3, 2], { names: ["x", "y"], type: "f64" }));
    expect(Nx.dot(q, r).names).toEqual(["x", "y"]);
    const [p, l, u] = L.lu(Nx.eye(2, { names: ["x", "y"] }));
    expect(Nx.dot(Nx.dot(p, l), u).names).toEqual(["x", "y"]);
  });
});

describe("inverses and powers", () => {
  it("change rows and columns when they map back", () => {
    for (const t of [square(), tall(), wide()]) {
      expect(names(L.pinv(t), L.adjoint(t))).toEqual([["case", "from", "to"], ["case", "from", "to"]]); // prettier-ignore
    }
    expect(names(L.invert(square()), L.matrixPower(square(), -2))).toEqual([["case", "from", "to"], ["case", "from", "to"]]); // prettier-ignore
    for (const power of [0, 1, 2]) {
      expect(L.matrixPower(square(), power).names).toEqual(["case", "to", "from"]);
      expect(L.matrixPower(Nx.asType(square(), "s64"), power).names).toEqual(["case", "to", "from"]);
    }
    expect(L.adjoint(Nx.c64([1, 2], { names: ["x"] })).names).toEqual(["x"]);
    expect(L.pinv(Nx.c64([1, 2], { names: ["x"] })).names).toEqual(["x"]);
  });

  it("functions of matrices keep all", () => {
    expect(names(L.expm(square()), L.sqrtm(square()))).toEqual([["case", "to", "from"], ["case", "to", "from"]]); // prettier-ignore
  });

  it("numbers of a matrix keep the batch", () => {
    expect(names(...L.slogdet(square()), L.logdet(square()))).toEqual([["case"], ["case"], ["case"]]);
    expect(names(L.cond(tall()), L.cond(square(), { ord: 1 }))).toEqual([["case"], ["case"]]);
    expect(names(L.determinant(square()), L.matrixRank(tall()))).toEqual([["case"], ["case"]]);
    expect(L.determinant(square().at(0)).names).toEqual([]);
    expect(L.determinant(Nx.eye([2, 4, 4], { names: ["case", "x", "y"] })).names).toEqual(["case"]);
  });
});

describe("norm", () => {
  it("keeps what is not reduced", () => {
    const t = tall();
    expect(L.norm(t, { axes: ["from"] }).names).toEqual(["case", "to"]);
    expect(L.norm(t, { axes: ["case"], ord: 1, keepAxes: true }).names).toEqual(["case", "to", "from"]);
    for (const ord of ["nuclear", "frobenius", 1, 2, Infinity] as const) {
      expect(L.norm(t, { axes: ["from", "case"], ord }).names).toEqual(["to"]);
      expect(L.norm(t, { axes: ["to", "from"], ord, keepAxes: true }).names).toEqual(["case", "to", "from"]);
    }
    expect(L.norm(t).names).toEqual([]);
  });
});

describe("systems", () => {
  const one = () => square().at(0);

  it("the rows of a solution are the columns of a", () => {
    const vector = Nx.f64([1, 2], { names: ["to"] });
    const columns = Nx.f64([[1, 2, 3], [4, 5, 6]], { names: ["to", "right"] }); // prettier-ignore
    const solvers: readonly ((a: Nx.Tensor, b: Nx.Tensor) => Nx.Tensor)[] = [
      L.solve,
      L.leastSquares,
      L.triangularSolve,
    ];
    for (const fn of solvers) {
      expect(names(fn(one(), vector), fn(one(), columns))).toEqual([["from"], ["from", "right"]]);
      expect(fn(square(), Nx.newAxis(columns, 0)).names).toEqual(["case", "from", "right"]);
      expect(fn(square(), vector).names).toEqual(["case", "from"]);
      expect(fn(one(), Nx.newAxis(columns, 0, "batch")).names).toEqual(["batch", "from", "right"]);
      expect(fn(square(), Nx.rename(Nx.iota([3, 2]), ["case", null])).names).toEqual(["case", "from"]);
      expect(fn(Nx.rename(square(), [null, null, null]), Nx.iota([3, 2], { names: ["case", "to"] })).names).toEqual(["case", null]); // prettier-ignore
    }
    expect(L.leastSquares(Nx.iota([4, 2], { names: ["to", "from"] }), Nx.iota([4])).names).toEqual(["from"]);
  });

  it("triangularSolve follows its options", () => {
    const columns = Nx.f64([[1, 2, 3], [4, 5, 6]], { names: [null, "right"] }); // prettier-ignore
    const rows = Nx.f64([[1, 2], [3, 4], [5, 6]], { names: ["right", null] }); // prettier-ignore
    const expected = { none: ["from", "to"], transpose: ["to", "from"], adjoint: ["to", "from"] } as const;
    for (const transformA of ["none", "transpose", "adjoint"] as const) {
      const [left, right] = expected[transformA];
      expect(L.triangularSolve(one(), columns, { transformA }).names).toEqual([left, "right"]);
      expect(L.triangularSolve(one(), rows, { transformA, leftSide: false }).names).toEqual(["right", right]);
      expect(L.triangularSolve(one(), Nx.f64([1, 2]), { transformA, leftSide: false }).names).toEqual([right]);
    }
  });

  it("refuses names that would meet", () => {
    const b = Nx.iota([2, 2], { names: ["to", "from"] });
    expect(() => L.solve(one(), b)).toThrow('duplicate names ["from", "from"]');
    expect(() => L.solve(square(), Nx.iota([3, 2], { names: ["other", null] }))).toThrow(
      'cannot merge axis name "case" (axis 0 of [case: 3]) with "other" (axis 0 of [other: 3])',
    );
  });
});
