/** All activations of f32, by their public functions, within 1 unit in the last place of the exact value. */
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { logAddExp } from "../../../scripts/accuracy/exact";
import { pairs } from "../../../scripts/accuracy/pairs";
import { ulps, UNARY } from "../../../scripts/accuracy/reference";

type Row = readonly [compute: (x: Nx.Tensor) => Nx.Tensor, exact: (x: number) => number];

const softplus = (beta: number): Row => [
  (x) => Nx.softplus(x, { beta }),
  (x) => {
    const straight = x * beta < 0 ? 0 : x;
    return straight + Math.log1p(Math.exp(-Math.abs(x * beta))) / beta;
  },
];
const elu = (alpha: number): Row => [(x) => Nx.elu(x, { alpha }), (x) => (x > 0 ? x : alpha * Math.expm1(x))];
const celu = (alpha: number): Row => [(x) => Nx.celu(x, { alpha }), (x) => (x > 0 ? x : alpha * Math.expm1(x / alpha))];
const selu = (alpha: number, gamma: number): Row => [
  (x) => Nx.selu(x, { alpha, gamma }),
  (x) => (x > 0 ? gamma * x : gamma * alpha * Math.expm1(x)),
];
const bounded = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);

/** The options that change a rounding are tried beside the defaults. */
const ROWS: Readonly<Record<string, Row>> = {
  celu: celu(1),
  "celu of 0.7": celu(0.7),
  elu: elu(1),
  "elu of 0.7": elu(0.7),
  gelu: [(x) => Nx.gelu(x), UNARY.gelu],
  "gelu by tanh": [(x) => Nx.gelu(x, { approximate: "tanh" }), UNARY.geluTanh],
  hardSigmoid: [(x) => Nx.hardSigmoid(x), UNARY.hardSigmoid],
  "hardSigmoid of 0.2 and 0.4": [
    (x) => Nx.hardSigmoid(x, { alpha: 0.2, beta: 0.4 }),
    (x) => bounded(0.2 * x + 0.4, 0, 1),
  ],
  hardSwish: [(x) => Nx.hardSwish(x), UNARY.hardSwish],
  hardTanh: [(x) => Nx.hardTanh(x), (x) => bounded(x, -1, 1)],
  leakyRelu: [(x) => Nx.leakyRelu(x), (x) => (x < 0 ? 0.01 * x : x)],
  logSigmoid: [(x) => Nx.logSigmoid(x), (x) => -UNARY.softplus(-x)],
  mish: [(x) => Nx.mish(x), UNARY.mish],
  quickGelu: [(x) => Nx.quickGelu(x), UNARY.quickGelu],
  relu6: [(x) => Nx.relu6(x), (x) => bounded(x, 0, 6)],
  selu: [(x) => Nx.selu(x), UNARY.selu],
  "selu of 1.5 and 1.1": selu(1.5, 1.1),
  silu: [(x) => Nx.silu(x), UNARY.silu],
  softplus: [(x) => Nx.softplus(x), UNARY.softplus],
  "softplus of 0.3": softplus(0.3),
  "softplus of 5": softplus(5),
  "softplus of 1000.1": softplus(1000.1),
  "softplus of -0.7": softplus(-0.7),
  softsign: [(x) => Nx.softsign(x), UNARY.softsign],
  swish: [(x) => Nx.swish(x), UNARY.silu],
};

/** Words of floats over all exponents and signs, and more of them where results bend. */
const WORDS = Int32Array.from({ length: 2 ** 16 }, (_, i) =>
  i % 2 === 0 ? i * 65_521 : (0x3a800000 + 5119 * (i >> 2)) | ((i & 2) << 30),
);

describe.each(Object.entries(ROWS))("%s of f32", (_name, [compute, exact]) => {
  it("is within 1 unit in the last place", () => {
    const numbers = new Float32Array(WORDS.buffer);
    const results = compute(Nx.tensor(numbers)).toTypedArray() as Float32Array;
    let worst = 0;
    let at = NaN;
    results.forEach((got, i) => {
      // Zeros have the signs that the tests of limits ask for.
      const distance = ulps(got === 0 ? 0 : got, exact(numbers[i]!) + 0);
      const units = got === 0 ? Math.abs(exact(numbers[i]!)) / 2 ** -149 : distance;
      if (units > worst) [worst, at] = [units, numbers[i]!];
    });
    expect([worst < 1, worst, at]).toEqual([true, worst, at]);
  });
});

describe("logAddExp of f32", () => {
  it("is within 1 unit in the last place, also where it nearly cancels", () => {
    const [x, y] = [new Int32Array(2 ** 14), new Int32Array(2 ** 14)];
    const [first, second] = [new Float32Array(x.buffer), new Float32Array(y.buffer)];
    const source = pairs("logAddExp", 1e5);
    const failures: string[] = [];
    for (let n = source(x, y); n > 0; n = source(x, y)) {
      const [a, b] = [first.slice(0, n), second.slice(0, n)];
      const results = Nx.logAddExp(Nx.tensor(a), Nx.tensor(b)).toTypedArray() as Float32Array;
      results.forEach((got, i) => {
        const want = logAddExp(a[i]!, b[i]!);
        if (!(ulps(got, want) < 1)) failures.push(`logAddExp(${a[i]}, ${b[i]}) = ${got}, not ${want}`);
      });
    }
    expect(failures).toEqual([]);
  });
});
