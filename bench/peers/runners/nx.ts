/**
 * nx-numerics, written as its guide would write it: fused functions through `defn`, single operations eagerly, nothing freed.
 * As `nx-using` every result is released when it has been read, as `using` would do, so that the next one takes its memory;
 * as `nx-rotating` it is released after so many others that its memory is in no cache any more. As `nx-eager` nothing is
 * compiled by the caller, and what lies between is given back by `Nx.tidy`; as `nx-turns` nothing is released either, but the
 * loop of calls returns to the event loop now and then.
 */
import * as Nx from "nx-numerics";
import { nxPrograms } from "../../programs/nx";
import { compiled } from "../../programs/nx/compiled";
import { serve, type Compiling, type Inputs, type Prepared } from "../serve";

type Tensor = Nx.Tensor;
type Result = Tensor | Tensor[];
type Run = (inputs: Inputs<Tensor>) => Prepared<Result>;

function read(result: Result): ArrayLike<number> {
  if (result instanceof Nx.Tensor) return Array.from(result.toTypedArray() as ArrayLike<number | bigint>, Number);
  return result.flatMap((part) => Array.from(read(part)));
}

/** Configuration of the library, as JSON. */
const { NX_BENCH_CONFIG } = process.env;
if (NX_BENCH_CONFIG) Nx.configure(JSON.parse(NX_BENCH_CONFIG) as Parameters<typeof Nx.configure>[0]);

/** A result whose work does not wait for a reader any more; another checkout may know of no waiting. */
const done = <R extends Result>(result: R): R => (Nx as Partial<typeof Nx>).evaluate?.(result) ?? result;

/** Bytes of results that wait to be given back: more than the caches of most machines have for one of their processes. */
const WAITING_BYTES = 2 ** 27;
/** Results of fewer bytes are given back at once: what lies between is in the caches anyway. */
const WAITING_FROM = 2 ** 15;
const waiting: { readonly result: Result; readonly bytes: number }[] = [];
let waitingBytes = 0;

const bytesOf = (result: Result): number =>
  result instanceof Nx.Tensor ? Nx.byteSize(result) : result.reduce((sum, part) => sum + Nx.byteSize(part), 0);

/** Gives back what was handed over so many bytes before, so that the next result finds memory that is in no cache. */
function releaseLater(result: Result): void {
  const bytes = bytesOf(result);
  if (bytes < WAITING_FROM) return void Nx.backendDeallocate(result);
  waiting.push({ result, bytes });
  waitingBytes += bytes;
  while (waitingBytes > WAITING_BYTES && waiting.length > 1) {
    const first = waiting.shift()!;
    waitingBytes -= first.bytes;
    Nx.backendDeallocate(first.result);
  }
}

const finish = process.env.NX_BENCH_ROTATE
  ? releaseLater
  : process.env.NX_BENCH_RELEASE
    ? (result: Result) => Nx.backendDeallocate(result)
    : null;

/** What is done with a result after its turn. */
const release = {
  ...(finish ? { finish } : {}),
  ...(process.env.NX_BENCH_TURNS ? { turns: true } : {}),
};

/** A run that calls this on operands in the order of the names. */
const run =
  (fn: (...operands: Tensor[]) => Result, ...names: string[]): Run =>
  (inputs) => {
    const operands = names.map((name) => inputs[name]!);
    const [x, y] = operands as [Tensor, Tensor];
    const call =
      names.length === 1 ? () => done(fn(x)) : names.length === 2 ? () => done(fn(x, y)) : () => done(fn(...operands));
    return { call, read, ...release };
  };

const gelu = compiled((x: Tensor) => {
  const inner = x
    .multiply(x)
    .multiply(x)
    .multiply(0.044715)
    .add(x)
    .multiply(Math.sqrt(2 / Math.PI));
  return inner.tanh().add(1).multiply(x).multiply(0.5);
});

const RATE = 0.02;
const VOLATILITY = 0.3;

const normal = (x: Tensor): Tensor => x.multiply(Math.SQRT1_2).erf().add(1).multiply(0.5);

const blackScholes = compiled((spot: Tensor, strike: Tensor, time: Tensor) => {
  const spread = time.sqrt().multiply(VOLATILITY);
  const drift = time.multiply(RATE + VOLATILITY ** 2 / 2);
  const d1 = spot.divide(strike).log().add(drift).divide(spread);
  const discounted = time.multiply(-RATE).exp().multiply(strike);
  return spot.multiply(normal(d1)).subtract(discounted.multiply(normal(d1.subtract(spread))));
});

const polynomial = compiled((x: Tensor) =>
  x.multiply(0.5).add(-1).multiply(x).add(0.25).multiply(x).add(2).multiply(x).add(-0.75).multiply(x),
);

const softmax = compiled((x: Tensor) => {
  const powers = x.subtract(x.reduceMax({ axes: [1], keepAxes: true })).exp();
  return powers.divide(powers.sum({ axes: [1], keepAxes: true }));
});

type Weights = [w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor];

function loss([w1, b1, w2, b2]: Weights, x: Tensor, labels: Tensor): Tensor {
  const scores = x.dot(w1).add(b1).max(0).dot(w2).add(b2);
  const shifted = scores.subtract(scores.reduceMax({ axes: [1], keepAxes: true }));
  const logs = shifted.subtract(
    shifted
      .exp()
      .sum({ axes: [1], keepAxes: true })
      .log(),
  );
  return logs
    .multiply(labels)
    .sum({ axes: [1] })
    .mean()
    .negate();
}

const gradient = Nx.defn((weights: Weights, x: Tensor, labels: Tensor) => Nx.grad(loss)(weights, x, labels));

const mlpGradient: Run = ({ x, labels, w1, b1, w2, b2 }) => {
  const weights: Weights = [w1!, b1!, w2!, b2!];
  return { call: () => gradient(weights, x!, labels!), read, ...release };
};

const add = (x: Tensor, y: Tensor): Tensor => x.add(y);

/** The result is handed back at once, so that the next one can have its memory. */
const addReused: Run = (inputs) => ({ ...run(add, "x", "y")(inputs), finish: (sum) => Nx.backendDeallocate(sum) });

const OPERATIONS: readonly ((x: Tensor) => Tensor)[] = [
  (x) => x.add(1.5),
  (x) => x.multiply(0.75),
  (x) => x.subtract(0.25),
  (x) => x.max(-3),
  (x) => x.min(3),
  (x) => x.negate(),
];

const composed =
  (operations: readonly number[]) =>
  (x: Tensor): Tensor =>
    operations.reduce((y, operation) => OPERATIONS[operation]!(y), x);

const operands = Array.from({ length: 64 }, (_, length) => Nx.f32([0, ...Array(Math.max(0, length - 1)).keys()]));

const compiling: Compiling = {
  make: (operations) => {
    const compiled = Nx.defn(composed(operations));
    return (length) => compiled(operands[length]!);
  },
  trace: (operations) => Nx.Defn.debugExpr(composed(operations))(operands[8]!),
};

const programs = Object.entries(nxPrograms).map(([name, program]): [string, Run] => [
  name,
  (inputs) => {
    const call = program(inputs);
    return { call: () => done(call()), read, ...release };
  },
]);

await serve<Tensor, Result>({
  name: "nx",
  version: process.env.NX_BENCH_VERSION ?? "?",
  threads: process.env.NX_THREADS ?? "default",
  tensor: (data, shape) => Nx.tensor(data).reshape([...shape]),
  compiling,
  runs: {
    ...Object.fromEntries(programs),
    gelu: run(gelu, "x"),
    blackScholes: run(blackScholes, "spot", "strike", "time"),
    polynomial: run(polynomial, "x"),
    exp: run((x) => x.exp(), "x"),
    log: run((x) => x.log(), "x"),
    sin: run((x) => x.sin(), "x"),
    tanh: run((x) => x.tanh(), "x"),
    softmax: run(softmax, "x"),
    sum: run((x) => x.sum(), "x"),
    sum0: run((x) => x.sum({ axes: [0] }), "x"),
    sum1: run((x) => x.sum({ axes: [1] }), "x"),
    add: run(add, "x", "y"),
    addReused,
    addSmall: run(add, "x", "y"),
    addCompiled: run(Nx.defn(add), "x", "y"),
    transposeAdd: run(
      Nx.defn((x: Tensor) => x.transpose().add(1)),
      "x",
    ),
    matmul: run((x, y) => x.dot(y), "x", "y"),
    conv: run((x, filters) => Nx.conv(x, filters, { padding: "same" }), "x", "filters"),
    sort: run((x) => x.sort(), "x"),
    argmax: run((x) => x.argmax(), "x"),
    cumsum: run((x) => x.cumulativeSum(), "x"),
    mlpGradient,
  },
});
