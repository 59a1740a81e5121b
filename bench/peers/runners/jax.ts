/**
 * jax-js on its wasm device, compiled by `jit` wherever it can be: its best case. Every use of an operand takes a `ref`, as
 * its functions consume what they are given. Results are awaited with `blockUntilReady`, which copies nothing; those of
 * eight numbers are read, which is faster for so few.
 */
import { defaultDevice, grad, init, jit as compile, lax, makeJaxpr, nn, numpy as np } from "@jax-js/jax";
import { serve, type Compiling, type Inputs, type Prepared } from "../serve";
import { versionOf } from "./version";

type Array = ReturnType<typeof np.array>;
type Run = (inputs: Inputs<Array>) => Prepared<Array>;

await init("wasm");
defaultDevice("wasm");

async function finish(result: Array): Promise<void> {
  for (const part of [result].flat()) {
    await part.blockUntilReady();
    part.dispose();
  }
}

/** Functions are compiled, or called eagerly where that is measured. */
const jit: typeof compile = process.env.NX_BENCH_EAGER ? (((fn: unknown) => fn) as typeof compile) : compile;

const read = (result: Array): number[] =>
  [result].flat().flatMap((part: Array) => globalThis.Array.from(part.ref.dataSync() as Float32Array));

const run =
  (fn: (...operands: Array[]) => Array, ...names: string[]): Run =>
  (inputs) => {
    const operands = names.map((name) => inputs[name]!);
    return { call: () => fn(...operands.map((operand) => operand.ref)), finish, awaits: true, read };
  };

const small =
  (fn: (...operands: Array[]) => Array): Run =>
  ({ x, y }) => ({ call: () => fn(x.ref, y.ref), finish: (result) => result.dataSync(), read });

const gelu = jit((x: Array) => {
  const inner = x.ref
    .mul(x.ref)
    .mul(x.ref)
    .mul(0.044715)
    .add(x.ref)
    .mul(Math.sqrt(2 / Math.PI));
  return np.tanh(inner).add(1).mul(x).mul(0.5);
});

const RATE = 0.02;
const VOLATILITY = 0.3;

const normal = (x: Array): Array => lax.erf(x.mul(Math.SQRT1_2)).add(1).mul(0.5);

const blackScholes = jit((spot: Array, strike: Array, time: Array) => {
  const spread = np.sqrt(time.ref).mul(VOLATILITY);
  const drift = time.ref.mul(RATE + VOLATILITY ** 2 / 2);
  const d1 = np.log(spot.ref.div(strike.ref)).add(drift).div(spread.ref);
  const discounted = np.exp(time.mul(-RATE)).mul(strike);
  return spot.mul(normal(d1.ref)).sub(discounted.mul(normal(d1.sub(spread))));
});

const polynomial = jit((x: Array) =>
  x.ref.mul(0.5).add(-1).mul(x.ref).add(0.25).mul(x.ref).add(2).mul(x.ref).add(-0.75).mul(x),
);

const standardise = jit((x: Array) => {
  const centred = x.ref.sub(np.mean(x, 1, { keepdims: true }));
  const variance = np.mean(centred.ref.mul(centred.ref), 1, { keepdims: true });
  return centred.div(np.sqrt(variance.add(1e-5)));
});

type Weights = [w1: Array, b1: Array, w2: Array, b2: Array];

function loss([w1, b1, w2, b2]: Weights, x: Array, labels: Array): Array {
  const hidden = np.maximum(np.matmul(x, w1).add(b1), 0);
  const scores = np.matmul(hidden, w2).add(b2);
  return np.mean(nn.logSoftmax(scores, 1).mul(labels).sum(1)).neg();
}

const gradient = jit((weights: Weights, x: Array, labels: Array) => grad(loss)(weights, x, labels));

const mlpGradient: Run = ({ x, labels, w1, b1, w2, b2 }) => ({
  call: () => gradient([w1.ref, b1.ref, w2.ref, b2.ref], x.ref, labels.ref),
  finish,
  awaits: true,
  read,
});

const OPERATIONS: readonly ((x: Array) => Array)[] = [
  (x) => x.add(1.5),
  (x) => x.mul(0.75),
  (x) => x.sub(0.25),
  (x) => np.maximum(x, -3),
  (x) => np.minimum(x, 3),
  (x) => x.neg(),
];

const composed =
  (operations: readonly number[]) =>
  (x: Array): Array =>
    operations.reduce((y, operation) => OPERATIONS[operation]!(y), x);

const operands = globalThis.Array.from({ length: 64 }, (_, length) =>
  np.array(Float32Array.from({ length: Math.max(length, 1) }, (_, i) => i)),
);

const compiling: Compiling = {
  make: (operations) => {
    const compiled = jit(composed(operations));
    return (length) => compiled(operands[length]!.ref).dataSync();
  },
  trace: (operations) => makeJaxpr(composed(operations))(operands[8]!),
};

const compiled = (fn: (...operands: Array[]) => Array, ...names: string[]): Run => run(jit(fn), ...names);
const add = (x: Array, y: Array): Array => np.add(x, y);

await serve<Array, Array>({
  name: "jax-js",
  version: versionOf("@jax-js/jax"),
  threads: typeof Worker === "undefined" ? "1" : "default", // it looks for a global Worker, which Node has not
  tensor: (data, shape) => np.array(data).reshape([...shape]),
  drop: (operand) => operand.dispose(),
  compiling,
  runs: {
    gelu: run(gelu, "x"),
    blackScholes: run(blackScholes, "spot", "strike", "time"),
    polynomial: run(polynomial, "x"),
    standardise: run(standardise, "x"),
    exp: compiled((x) => np.exp(x), "x"),
    log: compiled((x) => np.log(x), "x"),
    sin: compiled((x) => np.sin(x), "x"),
    tanh: compiled((x) => np.tanh(x), "x"),
    softmax: compiled((x) => nn.softmax(x, 1), "x"),
    softmaxEager: compiled((x) => nn.softmax(x, 1), "x"),
    sum: compiled((x) => np.sum(x), "x"),
    sum0: compiled((x) => np.sum(x, 0), "x"),
    sum1: compiled((x) => np.sum(x, 1), "x"),
    add: compiled(add, "x", "y"),
    addReused: compiled(add, "x", "y"),
    addSmall: small(add),
    addCompiled: small(jit(add)),
    transposeAdd: compiled((x) => np.transpose(x).add(1), "x"),
    matmul: compiled((x, y) => np.matmul(x, y), "x", "y"),
    conv: compiled((x, filters) => lax.conv(x, filters, [1, 1], "SAME"), "x", "filters"),
    sort: compiled((x) => np.sort(x), "x"),
    argmax: compiled((x) => np.argmax(x), "x"),
    cumsum: compiled((x) => np.cumsum(x), "x"),
    mlpGradient,
  },
});
