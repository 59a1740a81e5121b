import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { numbersOf } from "./oracle";

const { Random } = Nx;
const key = Random.key(12);
const mean = Nx.tensor([10, 20], { names: ["x"] });
const covariance = Nx.tensor([
  [4, 2],
  [2, 3],
]);

describe("multivariateNormal", () => {
  it("gives the documented values of Nx", () => {
    const plain = (shape: number[]) =>
      numbersOf(Random.multivariateNormal(key, Nx.tensor([0, 0]), Nx.eye(2), { shape })[0]);
    const near = (values: number[], wanted: number[]) => values.forEach((x, i) => expect(x).toBeCloseTo(wanted[i]!, 5));
    near(plain([]), [-1.3425945, -0.4081206]);
    near(
      plain([3, 2]),
      [
        0.989145, 1.0795186, -0.9467806, 1.4781388, 2.2095864, -1.5294564, -0.793392, 1.1211957, 0.109763, -0.9959557,
        0.4754556, 1.1413804,
      ],
    );
  });

  it.each(["cholesky", "eigh", "svd"] as const)("has the mean and the covariance by %s", (method) => {
    const n = 20_000;
    const [t] = Random.multivariateNormal(key, mean, covariance, { shape: [n], type: "f64", method });
    expect([t.type, t.shape, t.names]).toEqual(["f64", [n, 2], [null, "x"]]);
    const centre = Nx.mean(t, { axes: [0] });
    const distances = Nx.subtract(t, centre);
    const product = (i: number, j: number) =>
      Number(Nx.toNumber(Nx.mean(Nx.multiply(distances.at(Nx.range(), i), distances.at(Nx.range(), j)))));
    // five standard errors: sqrt(variance / n) of a mean, sqrt((a b + c^2) / n) of a covariance
    numbersOf(centre).forEach((x, i) => expect(Math.abs(x - [10, 20][i]!)).toBeLessThan(5 * Math.sqrt(4 / n)));
    expect(Math.abs(product(0, 0) - 4)).toBeLessThan(5 * Math.sqrt(32 / n));
    expect(Math.abs(product(0, 1) - 2)).toBeLessThan(5 * Math.sqrt(16 / n));
    expect(Math.abs(product(1, 1) - 3)).toBeLessThan(5 * Math.sqrt(18 / n));
  });

  it.each(["eigh", "svd"] as const)("takes singular covariances by %s", (method) => {
    const [t] = Random.multivariateNormal(key, Nx.tensor([0, 5]), Nx.tensor([[1, 1], [1, 1]]), { shape: [50], method }); // prettier-ignore
    const gaps = numbersOf(Nx.subtract(t.at(Nx.range(), 1), t.at(Nx.range(), 0)));
    gaps.forEach((gap) => expect(gap).toBeCloseTo(5, 5));
  });

  it("splits its key as the others do", () => {
    const keys = Random.split(key);
    const [t, next] = Random.multivariateNormal(key, mean, covariance, { shape: [2], names: ["i", "j"] });
    expect(t.names).toEqual(["i", "j"]);
    expect(next.equals(keys.at(0))).toBe(true);
    const alone = Random.multivariateNormalSplit(keys.at(1), mean, covariance, { shape: [2], names: ["i", "j"] });
    expect(t.equals(alone)).toBe(true);
  });

  it("traces", () => {
    const draw = (k: Nx.Tensor, m: Nx.Tensor, c: Nx.Tensor) => Random.multivariateNormalSplit(k, m, c, { shape: [3] });
    expect(Nx.defn(draw)(key, mean, covariance).equals(draw(key, mean, covariance))).toBe(true);
  });

  it.each([
    [() => Random.multivariateNormal(key, mean, Nx.eye(3)), /got: \[x: 2\] and \[3\]\[3\]/],
    [() => Random.multivariateNormal(key, mean, Nx.iota([2, 3])), /expects a mean of shape \[d\]/],
    [() => Random.multivariateNormal(key, Nx.tensor(1), Nx.tensor(1)), /expects a mean of shape \[d\]/],
    [() => Random.multivariateNormal(key, mean, covariance, { method: "qr" } as never), /method .* must be one of/],
    [() => Random.multivariateNormal(key, mean, covariance, { type: "c64" }), /draws real floats, got type c64/],
    [() => Random.multivariateNormal(key, mean, covariance, { type: "s32" }), /draws real floats, got type s32/],
    [() => Random.multivariateNormal(key, mean, covariance, { shape: [0] }), /must hold positive integers/],
    [() => Random.multivariateNormal(key, mean, covariance, { names: ["x"], shape: [2] }), /invalid names/],
    [() => Random.multivariateNormal(key, mean, Nx.tensor([[1, 1], [1, 1]])), /positive definite/], // prettier-ignore
    [() => Random.multivariateNormal(key, null as never, covariance), /expects a tensor/],
  ])("refuses wrong arguments (%#)", (call, message) => {
    expect(call).toThrow(Nx.ArgumentError);
    expect(call).toThrow(message);
  });
});
