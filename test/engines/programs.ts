/**
 * Programs that are exported, with how near engines come.
 */
import * as Nx from "nx-numerics";
import type { ToOnnxOptions } from "nx-numerics/onnx";

type T = Nx.Tensor;

export interface Program {
  readonly name: string;
  readonly fn: (...args: never[]) => unknown;
  readonly args: () => unknown[];
  /** The largest error, by the largest element from 1 on; 0 is bit for bit. */
  readonly bound: number;
  readonly options?: ToOnnxOptions;
}

const key = Nx.Random.key(7);
const normal = (shape: readonly number[], i = 0, scale = 1): T =>
  Nx.Random.normal(Nx.Random.foldIn(key, i), 0, scale, { shape: [...shape] })[0];
const uniform = (low: number, high: number, i: number, count = 1000): T =>
  Nx.Random.uniform(Nx.Random.foldIn(key, i), low, high, { shape: [count] })[0];

const gelu = (x: T): T => {
  const cube = x.multiply(x).multiply(x).multiply(0.044715);
  return cube.add(x).multiply(Math.sqrt(2 / Math.PI)).tanh().add(1).multiply(x).multiply(0.5); // prettier-ignore
};

const softmax = (x: T): T => {
  const shares = x.subtract(x.reduceMax({ axes: [1], keepAxes: true })).exp();
  return shares.divide(shares.sum({ axes: [1], keepAxes: true }));
};

const share = (x: T): T => x.multiply(Math.SQRT1_2).erf().add(1).multiply(0.5);

const blackScholes = (spot: T, strike: T, time: T): T => {
  const spread = time.sqrt().multiply(0.3);
  const drift = time.multiply(0.02 + 0.3 ** 2 / 2);
  const d1 = spot.divide(strike).log().add(drift).divide(spread);
  const discounted = time.multiply(-0.02).exp().multiply(strike);
  return spot.multiply(share(d1)).subtract(discounted.multiply(share(d1.subtract(spread))));
};

const delta = (spot: T, strike: T, time: T): T => Nx.grad((s: T) => blackScholes(s, strike, time).sum())(spot);
const market = (type: Nx.DType = "f32"): T[] =>
  [uniform(50, 150, 1), uniform(50, 150, 2), uniform(0.1, 2, 3)].map((x) => x.asType(type));

interface Weights {
  readonly w1: T;
  readonly b1: T;
  readonly w2: T;
  readonly b2: T;
}

const forward = ({ w1, b1, w2, b2 }: Weights, x: T): T => x.dot(w1).add(b1).max(0).dot(w2).add(b2);
const loss = (weights: Weights, x: T, labels: T): T => {
  const scores = forward(weights, x);
  const moved = scores.subtract(scores.reduceMax({ axes: [1], keepAxes: true }));
  const logs = moved.subtract(moved.exp().sum({ axes: [1], keepAxes: true }).log()); // prettier-ignore
  return logs
    .multiply(labels)
    .sum({ axes: [1] })
    .mean()
    .negate();
};
const step = (weights: Weights, x: T, labels: T): unknown => {
  const [value, slopes] = Nx.valueAndGrad(loss)(weights, x, labels);
  return { value, weights: Nx.Defn.Composite.map((p: T, d: T) => p.subtract(d.multiply(0.1)), weights, slopes) };
};
const weights = (): Weights => ({
  w1: normal([20, 16], 1, 0.2),
  b1: normal([16], 2, 0.1),
  w2: normal([16, 5], 3, 0.2),
  b2: normal([5], 4, 0.1),
});
const labels = (): T => Nx.equal(Nx.iota([8, 5], { axis: 1 }), Nx.remainder(Nx.iota([8, 1]), 5)).asType("f32");

interface Kernels {
  readonly k1: T;
  readonly k2: T;
  readonly w: T;
}

const cnn = ({ k1, k2, w }: Kernels, x: T): T => {
  const pooled = Nx.windowMax(Nx.conv(x, k1, { padding: "same" }).max(0), [1, 1, 2, 2]);
  return Nx.conv(pooled, k2, { padding: "same", strides: 2 }).max(0).mean({ axes: [2, 3] }).dot(w); // prettier-ignore
};
const kernels = (): Kernels => ({
  k1: normal([4, 3, 3, 3], 11, 0.2),
  k2: normal([6, 4, 3, 3], 12, 0.2),
  w: normal([6, 10], 13, 0.2),
});

const newton = (x: T): { y: T; i: T } =>
  Nx.Defn.whileLoop(
    { y: x, i: Nx.tensor(0) as T },
    ({ y, i }) => Nx.less(i, 50).logicalAnd(Nx.any(y.multiply(y).subtract(x).abs().greater(x.multiply(1e-6)))),
    ({ y, i }) => ({ y: y.add(x.divide(y)).multiply(0.5), i: i.add(1) }),
  );

const collatz = (start: T): unknown =>
  Nx.Defn.whileLoop(
    { n: start, steps: Nx.tensor(0) as T },
    ({ n }) => n.greater(1),
    ({ n, steps }) => ({
      n: Nx.Defn.cond([[Nx.remainder(n, 2), () => n.multiply(3).add(1)]], () => Nx.quotient(n, 2)),
      steps: steps.add(1),
    }),
  );

const smooth = (x: T, alpha: T, reverse = false): [T, T] =>
  Nx.Defn.scan(
    (level: T, value: T) => {
      const next = level.multiply(Nx.subtract(1, alpha)).add(value.multiply(alpha));
      return [next, next.add(1)] as [T, T];
    },
    Nx.broadcast(Nx.f32(0), [x.shape[1]!]) as T,
    x,
    { reverse },
  ) as [T, T];

const smoothLoss = (alpha: T, x: T): T => smooth(x, alpha)[1].subtract(x).pow(2).mean(); // prettier-ignore

export const PROGRAMS: readonly Program[] = [
  { name: "gelu", fn: gelu, args: () => [normal([1000], 20, 3)], bound: 1e-6 },
  { name: "softmax", fn: softmax, args: () => [normal([50, 10], 21, 4)], bound: 1e-6 },
  { name: "Black-Scholes", fn: blackScholes, args: () => market(), bound: 1e-6 },
  { name: "its delta", fn: delta, args: () => market(), bound: 2e-6 },
  { name: "Black-Scholes in f64", fn: blackScholes, args: () => market("f64"), bound: 1e-14 },
  { name: "its delta in f64", fn: delta, args: () => market("f64"), bound: 1e-13 },
  { name: "an MLP", fn: forward, args: () => [weights(), normal([8, 20], 5)], bound: 1e-6 },
  { name: "a training step of it", fn: step, args: () => [weights(), normal([8, 20], 5), labels()], bound: 1e-6 },
  { name: "a CNN with pooling", fn: cnn, args: () => [kernels(), normal([2, 3, 12, 12], 14)], bound: 1e-6 },
  {
    name: "its gradient",
    fn: (k: Kernels, x: T) => Nx.grad((q: Kernels) => cnn(q, x).sum())(k),
    args: () => [kernels(), normal([2, 3, 12, 12], 14)],
    bound: 2e-6,
  },
  { name: "a loop until it converges", fn: newton, args: () => [Nx.f32([2, 3, 5, 1e6])], bound: 0 },
  { name: "a loop with a branch", fn: collatz, args: () => [Nx.tensor(27)], bound: 0 },
  {
    name: "the gradient through a loop",
    fn: (x: T) => Nx.grad((t: T) => newton(t).y.sum())(x),
    args: () => [Nx.f32([2, 3, 5])],
    bound: 1e-6,
  },
  {
    name: "branches",
    fn: (x: T) =>
      Nx.Defn.cond(
        [
          [x.sum().greater(3), () => x.multiply(2)],
          [x.sum().less(0), () => x.negate()],
        ],
        () => x,
      ),
    args: () => [Nx.f32([-1, -2, 0.5])],
    bound: 0,
  },
  { name: "a scan", fn: smooth, args: () => [normal([50, 3], 23), Nx.f32(0.3)], bound: 1e-6 },
  {
    name: "a scan from the end",
    fn: (x: T, alpha: T) => smooth(x, alpha, true),
    args: () => [normal([50, 3], 23), Nx.f32(0.3)],
    bound: 1e-6,
  },
  {
    name: "the gradient through a scan",
    fn: (alpha: T, x: T) => Nx.grad(smoothLoss)(alpha, x),
    args: () => [Nx.f32(0.3), normal([50, 3], 23)],
    bound: 1e-6,
  },
  {
    name: "a scan without sequences",
    fn: (x: T) => Nx.Defn.foriLoop(0, 5, (i: T, s: T) => s.multiply(2).add(i), x),
    args: () => [Nx.f32([1, 2])],
    bound: 0,
  },
  {
    name: "random bits, floats, integers, permutations",
    fn: (k: T) => [
      Nx.Random.uniform(k, 0, 1, { shape: [100] })[0],
      Nx.Random.uniform(k, 0, 1, { shape: [100], type: "f64" })[0],
      Nx.Random.randint(k, 0, 100, { shape: [100] })[0],
      Nx.Random.shuffle(k, Nx.iota([50]))[0],
      Nx.Random.split(k),
    ],
    args: () => [Nx.Random.key(3)],
    bound: 0,
  },
  {
    name: "random normal numbers",
    fn: (k: T) => Nx.Random.normal(k, 0, 1, { shape: [1000] })[0],
    args: () => [Nx.Random.key(3)],
    bound: 1e-6,
  },
  { name: "f16", fn: gelu, args: () => [normal([1000], 20, 3).asType("f16")], bound: 0 },
  {
    name: "bf16 inside",
    fn: (x: T) => gelu(x.asType("bf16")).asType("f32"),
    args: () => [normal([1000], 20)],
    bound: 0,
  },
  {
    name: "functions of scalars",
    fn: (x: T) => [
      Nx.reduce(x, 0, (a, b) => Nx.add(b, Nx.multiply(a, a)), { axes: [1] }),
      Nx.windowReduce(x, -100, [2, 2], (a, b) => Nx.max(a, b), { padding: "same" }),
      Nx.map(x, (a) => Nx.select(Nx.greater(a, 0), a, Nx.multiply(a, 0.1))),
      Nx.map(x, (a) => Nx.Defn.cond([[Nx.greater(a, 0), () => Nx.multiply(a, 2)]], () => a)),
    ],
    args: () => [normal([5, 7], 30)],
    bound: 1e-6,
  },
  {
    name: "indices",
    fn: (x: T, i: T) => [
      Nx.take(x, Nx.tensor([1, 0, 3]), { axis: 0 }),
      Nx.gather(x, Nx.tensor([[0, 1], [2, 2]])),
      Nx.indexedAdd(x, Nx.tensor([[0, 1], [0, 1]]), Nx.f32([1, 2])),
      Nx.slice(x, [i, 1], [2, 3]),
      Nx.putSlice(x, [i, 0], Nx.f32([[1, 2], [3, 4]])),
    ],
    args: () => [normal([5, 7], 27), Nx.tensor(9)],
    bound: 1e-6,
  }, // prettier-ignore
  {
    name: "vmap of a gradient",
    fn: (w: T, x: T) =>
      Nx.Defn.vmap(
        Nx.grad((v: T, y: T) => v.multiply(y).sin()),
        [null, 0],
      )(w, x),
    args: () => [Nx.f32(0.4), normal([9], 34)],
    bound: 1e-6,
  },
  { name: "a result that is an argument", fn: (x: T) => [x, x], args: () => [Nx.f32([1, 2])], bound: 0 },
  {
    name: "a number as an argument",
    fn: (x: T, y: T) => x.multiply(y),
    args: () => [Nx.f32([1, 2]), Nx.f32(3)],
    bound: 0,
  },
];

export interface DynamicProgram extends Omit<Program, "args" | "fn"> {
  readonly fn: (...args: T[]) => unknown;
  readonly templates: readonly unknown[];
  readonly args: (n: number, m: number) => T[];
  readonly dims: readonly (readonly (number | string | null)[])[];
}

const attention = (x: T): T => {
  const [batch, count, size] = x.shape as [number, number, number];
  const heads = x.reshape([batch, count, 2, size / 2]).transpose({ axes: [0, 2, 1, 3] });
  const scores = Nx.dot(heads, [3], [0, 1], heads, [3], [0, 1]).divide(Math.sqrt(size / 2));
  const mixed = Nx.dot(Nx.softmax(scores, { axes: [-1] }), [3], [0, 1], heads, [2], [0, 1]);
  return mixed.transpose({ axes: [0, 2, 1, 3] }).reshape([batch, count, size]);
};

const centred = (x: T): T => x.subtract(x.mean({ axes: [0] }));

export const DYNAMIC: readonly DynamicProgram[] = [
  {
    name: "a dense layer",
    fn: (x, w) => x.dot(w).tanh(),
    templates: [Nx.template(["batch", 20], "f32"), Nx.template([20, 3], "f32")],
    args: (n) => [normal([n, 20]), normal([20, 3], 1)],
    bound: 1e-6,
    dims: [["batch", 3]],
  },
  {
    name: "attention",
    fn: attention,
    templates: [Nx.template(["batch", "count", 8], "f32")],
    args: (n, m) => [normal([n, m, 8])],
    bound: 2e-6,
    dims: [["batch", "count", 8]],
  },
  {
    name: "a scan",
    fn: (x) => smooth(x, Nx.f32(0.3)),
    templates: [Nx.template(["time", 2], "f32")],
    args: (n) => [normal([n, 2])],
    bound: 1e-6,
    dims: [[2], ["time", 2]],
  },
  {
    name: "a loop",
    fn: (x) =>
      Nx.Defn.whileLoop(
        { x, i: Nx.tensor(0) as T },
        ({ i }) => i.less(3),
        (s) => ({ x: s.x.multiply(0.5).add(s.x.mean()), i: s.i.add(1) }),
      ).x,
    templates: [Nx.template(["n"], "f32")],
    args: (n) => [normal([n])],
    bound: 1e-6,
    dims: [["n"]],
  },
  {
    name: "the gradient of a mean loss",
    fn: (w, x) => Nx.grad((v: T) => x.dot(v).tanh().mean())(w),
    templates: [Nx.template([4], "f32"), Nx.template(["n", 4], "f32")],
    args: (n) => [normal([4], 5), normal([n, 4])],
    bound: 1e-6,
    dims: [[4]],
  },
  {
    name: "moments",
    fn: (x) => [x.variance(), Nx.standardDeviation(x, { ddof: 1 }), centred(x).dot(x.transpose()).reshape(["auto"])],
    templates: [Nx.template(["n", 4], "f32")],
    args: (n) => [normal([n, 4])],
    bound: 2e-6,
    dims: [[], [], [null]],
  },
  {
    name: "a CNN",
    fn: (k, x) => Nx.windowMax(Nx.conv(x, k, { padding: "same" }).max(0), [1, 1, 2, 2]).mean({ axes: [2, 3] }),
    templates: [Nx.template([4, 3, 3, 3], "f32"), Nx.template(["n", 3, 8, 8], "f32")],
    args: (n) => [normal([4, 3, 3, 3], 7), normal([n, 3, 8, 8])],
    bound: 2e-6,
    dims: [["n", 4]],
  },
  {
    name: "its gradient",
    fn: (kernel, x) =>
      Nx.grad((k: T) => Nx.windowMax(Nx.conv(x, k, { padding: "same" }).max(0), [1, 1, 2, 2]).mean())(kernel),
    templates: [Nx.template([4, 3, 3, 3], "f32"), Nx.template(["n", 3, 8, 8], "f32")],
    args: (n) => [normal([4, 3, 3, 3], 7), normal([n, 3, 8, 8])],
    bound: 2e-6,
    dims: [[4, 3, 3, 3]],
  },
  {
    name: "windows in steps, running extremes, sorting",
    fn: (x) => [Nx.windowSum(x, [3]), Nx.windowMax(x, [4], { strides: [2] }), Nx.cumulativeMax(x), Nx.sort(x)],
    templates: [Nx.template(["n"], "f32")],
    args: (n) => [normal([n + 5])],
    bound: 1e-6,
    dims: [[null], [null], ["n"], ["n"]],
  },
  {
    name: "as many elements as two sizes have once they have grown",
    fn: (x) => {
      const wide = Nx.pad(x, 0, [[1, 2, 0], [0, 3, 0]]); // prettier-ignore
      return [wide.reshape([wide.size, 1]), wide.divide(wide.size)];
    },
    templates: [Nx.template(["n", "m"], "f32")],
    args: (n, m) => [normal([n, m])],
    bound: 0,
    dims: [
      [null, 1],
      [null, null],
    ],
  },
  {
    name: "padding, reversing, repeating, leaving out",
    fn: (x) => [Nx.pad(x, 0, [[1, 2, 1]]), Nx.reverse(x), Nx.concatenate([x, x]), x.at(Nx.range(1)), Nx.tile(x, [2])],
    templates: [Nx.template(["n"], "f32")],
    args: (n) => [normal([n + 1])],
    bound: 0,
    dims: [[null], ["n"], [null], [null], [null]],
  },
];
