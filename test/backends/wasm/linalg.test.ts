/** Decompositions by vector code: bit for bit what the loops of the reference give. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { LinalgAttrs } from "../../../lib/backend";
import { binaryBackend } from "../../../lib/backends/binary";
import { elementsIn, type ArrayData } from "../../../lib/backends/arrays/storage";
import { wasmLinalg } from "../../../lib/backends/wasm/linalg";
import { LINALG_FROM } from "../../../lib/backends/wasm/schedule/sorts";
import { tries } from "../../effort";
import { adjoint, hermitian, matrix, realOf, times, TYPES } from "../binary/linalg/matrices";

type Out = readonly [Nx.DType, readonly number[]];

const bytesOf = (data: ArrayData): Buffer => {
  const elements = elementsIn(data);
  return Buffer.from(elements.buffer, elements.byteOffset, elements.byteLength);
};

function check(attrs: LinalgAttrs, outs: readonly Out[], ...inputs: readonly Nx.Tensor[]): void {
  const templates = outs.map(([type, shape]) => ({ type, shape, names: shape.map(() => null) }));
  const [found, expected] = [wasmLinalg, binaryBackend.linalg].map((by) => by(templates, inputs, attrs)) as [
    ArrayData[],
    ArrayData[],
  ];
  found.forEach((part, i) => {
    expect(elementsIn(part).some((x) => x !== x)).toBe(false);
    expect(bytesOf(part).equals(bytesOf(expected[i]!)), `${attrs.op}, result ${i}, ${inputs[0]!.shape}`).toBe(true);
  });
}

// On both sides of blocks (32), of joined reflections (64) and of eights, fours, pairs and single elements.
const SIZES = [16, 17, 31, 33, 63, 64, 65, 70, 99];

describe.each(TYPES)("%s", (type) => {
  const real = realOf(type);

  it("has sizes that are vector code", () => expect(SIZES[0]! ** 2).toBeGreaterThanOrEqual(LINALG_FROM));

  it.each(SIZES)("square matrices of %i", (n) => {
    const a = matrix(n, n, type);
    const out: Out = [type, [n, n]];
    check({ op: "lu" }, [out, out, out], a);
    check({ op: "pivots" }, [[real, []], [type, [n]]], a); // prettier-ignore
    for (const width of [1, 7, n]) check({ op: "solve" }, [[type, [n, width]]], a, matrix(n, width, type));
    check({ op: "qr", mode: "reduced" }, [out, out], a);
    check({ op: "svd", fullMatrices: true }, [out, [real, [n]], out], a);
    check({ op: "eigh" }, [[real, [n]], out], hermitian(a));
    const definite = hermitian(Nx.add(times(a, adjoint(a)), Nx.multiply(n, Nx.eye(n, { type: real }))));
    check({ op: "cholesky" }, [out], definite);
    for (const width of [1, 7]) {
      for (const lower of [true, false]) {
        for (const transform of ["none", "transpose", "adjoint"] as const) {
          check({ op: "triangularSolve", lower, transform }, [[type, [n, width]]], definite, matrix(n, width, type));
        }
      }
    }
  });

  it("matrices of few columns, whose squares would have no room", () => {
    const a = matrix(1300, 3, type);
    const outs: readonly Out[] = [[type, [1300, 3]], [type, [3, 3]]]; // prettier-ignore
    check({ op: "qr", mode: "reduced" }, outs, a);
    check({ op: "svd", fullMatrices: false }, [outs[0]!, [real, [3]], outs[1]!], a);
  });

  it("other matrices, in batches", () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: 80 }), fc.boolean());
    fc.assert(
      fc.property(sizes, ([m, n, fullMatrices]) => {
        const k = Math.min(m, n);
        const a = Nx.stack([matrix(m, n, type), matrix(m, n, type)]);
        const [left, right] = fullMatrices ? [m, n] : [k, k];
        check({ op: "svd", fullMatrices }, [[type, [2, m, left]], [real, [2, k]], [type, [2, right, n]]], a); // prettier-ignore
        if (m >= n) check({ op: "qr", mode: "complete" }, [[type, [2, m, m]], [type, [2, m, n]]], a); // prettier-ignore
      }),
      { numRuns: tries(20) },
    );
  });
});

it("an infinity spoils only what it is an operand of, at any size", () => {
  for (const n of [3, 40]) {
    const b = Nx.withDefaultBackend("wasm", () =>
      Nx.f64(Array.from({ length: n }, (_, i) => [i === 1 ? Infinity : i])),
    );
    const solved = Nx.LinAlg.triangularSolve(Nx.eye(n, { type: "f64" }), b);
    expect(solved.equals(b)).toBe(true);
    const u = Nx.LinAlg.lu(Nx.putSlice(Nx.eye(n, { type: "f64" }), [0, 2], Nx.f64([[Infinity]])))[2];
    expect(u.at(2, 2).toNumber()).toBe(1);
  }
});

/** What a backend says that a decomposition lacks. */
function refusalOf(by: typeof wasmLinalg, attrs: LinalgAttrs, ...inputs: readonly Nx.Tensor[]): string {
  const [{ type, shape }] = inputs.slice(-1) as [Nx.Tensor];
  try {
    by([{ type, shape, names: shape.map(() => null) }], inputs, attrs);
  } catch (error) {
    return String(error);
  }
  return "none";
}

it.each([1, 2, 3, 4, 7, 12])("batches of small real matrices of %i rows, also singular ones", (n) => {
  const count = Math.ceil(1500 / n ** 2);
  const each = Array.from({ length: count }, () => matrix(n, n, "f64"));
  const all = Nx.stack(each);
  const some = Nx.multiply(all, Nx.reshape(Nx.greater(Nx.remainder(Nx.iota([count]), 7), 0), [count, 1, 1]));
  const definite = Nx.stack(each.map((a) => hermitian(Nx.add(times(a, adjoint(a)), Nx.eye(n, { type: "f64" })))));
  const [square, b] = [["f64", [count, n, n]] as Out, matrix(n, 3, "f64")];
  const right = Nx.broadcast(b, [count, n, 3]);
  for (const a of [all, some]) {
    check({ op: "lu" }, [square, square, square], a);
    check({ op: "pivots" }, [["f64", [count]], ["f64", [count, n]]], a); // prettier-ignore
  }
  check({ op: "cholesky" }, [square], definite);
  check({ op: "solve" }, [["f64", [count, n, 3]]], all, right);
  check({ op: "triangularSolve", lower: false, transform: "transpose" }, [["f64", [count, n, 3]]], definite, right);
  const singular = refusalOf(binaryBackend.linalg, { op: "solve" }, some, right);
  expect(singular).toContain("can't solve for singular matrix");
  expect(refusalOf(wasmLinalg, { op: "solve" }, some, right)).toBe(singular);
});

describe.each([17, 33, 64, 70])("real matrices of %i rows that kernels cannot do", (n) => {
  const real = matrix(n, n, "f64");
  /** Columns of zeros and of zeros below 0. */
  const singular = Nx.multiply(real, Nx.equal(Nx.remainder(Nx.iota([n, n], { axis: 1 }), 5), 2).logicalNot());
  const definite = Nx.add(Nx.matmul(real, real.transpose()), Nx.eye(n, { type: "f64" }));
  const changed = (t: Nx.Tensor, i: number, j: number, x: number) => Nx.putSlice(t, [i, j], Nx.f64([[x]]));

  it("singular ones, also beside others", () => {
    const all = Nx.stack([real, singular, real, Nx.multiply(real, 0)]);
    const out: Out = ["f64", [4, n, n]];
    check({ op: "lu" }, [out, out, out], all);
    check({ op: "pivots" }, [["f64", [4]], ["f64", [4, n]]], all); // prettier-ignore
  });

  it("refusals are those of the reference", () => {
    const solve: LinalgAttrs = { op: "triangularSolve", lower: true, transform: "none" };
    const refusals = [
      [{ op: "cholesky" }, changed(definite, n - 1, n - 1, -1)],
      [{ op: "cholesky" }, changed(definite, 3, 3, 0)],
      [{ op: "cholesky" }, changed(definite, 2, n - 3, 1e3)],
      [{ op: "solve" }, singular, real],
      [solve, changed(definite, 9, 9, 0), real],
      [solve, changed(definite, n - 1, n - 1, 0), real],
    ] as const;
    for (const [attrs, ...inputs] of refusals) {
      const expected = refusalOf(binaryBackend.linalg, attrs, ...inputs);
      expect(expected).toContain("ArgumentError");
      expect(refusalOf(wasmLinalg, attrs, ...inputs)).toBe(expected);
    }
    const near = Nx.add(definite, changed(Nx.multiply(definite, 0), 2, n - 3, 1e-9));
    expect(refusalOf(wasmLinalg, { op: "cholesky" }, near)).toBe("none");
  });
});
