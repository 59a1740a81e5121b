/**
 * TensorFlow.js on its wasm backend. Kernels run when they are called and results stay in its memory, so there is nothing to
 * wait for; `tidy` frees what lies between. Images have their channels last, as this backend wants them.
 */
import * as tf from "@tensorflow/tfjs";
import { getThreadsCount } from "@tensorflow/tfjs-backend-wasm";
import { EPSILON, LEARNING_RATE, REACTION } from "../../programs/program";
import { serve, type Inputs, type Prepared } from "../serve";

type Tensor = ReturnType<typeof tf.tensor>;
type Run = (inputs: Inputs<Tensor>) => Prepared<Tensor>;

tf.enableProdMode();
await tf.setBackend("wasm");
await tf.ready();

const read = (result: Tensor): number[] =>
  [result].flat().flatMap((part: Tensor) => Array.from(part.dataSync() as Float32Array));

const run =
  (fn: (...operands: Tensor[]) => Tensor, ...names: string[]): Run =>
  (inputs) => {
    const operands = names.map((name) => inputs[name]!);
    return { call: () => tf.tidy(() => fn(...operands)), finish: (result) => tf.dispose(result), read };
  };

/** One operation leaves nothing between, so that there is nothing to tidy. */
const bare =
  (fn: (...operands: Tensor[]) => Tensor, ...names: string[]): Run =>
  (inputs) => {
    const operands = names.map((name) => inputs[name]!);
    return { call: () => fn(...operands), finish: (result) => result.dispose(), read };
  };

const { add, div, mul, sub } = tf;

function gelu(x: Tensor): Tensor {
  const inner = mul(add(mul(mul(mul(x, x), x), 0.044715), x), Math.sqrt(2 / Math.PI));
  return mul(mul(add(tf.tanh(inner), 1), x), 0.5);
}

const RATE = 0.02;
const VOLATILITY = 0.3;

const normal = (x: Tensor): Tensor => mul(add(tf.erf(mul(x, Math.SQRT1_2)), 1), 0.5);

function blackScholes(spot: Tensor, strike: Tensor, time: Tensor): Tensor {
  const spread = mul(tf.sqrt(time), VOLATILITY);
  const drift = mul(time, RATE + VOLATILITY ** 2 / 2);
  const d1 = div(add(tf.log(div(spot, strike)), drift), spread);
  const discounted = mul(tf.exp(mul(time, -RATE)), strike);
  return sub(mul(spot, normal(d1)), mul(discounted, normal(sub(d1, spread))));
}

/** Horner's rule. */
function polynomial(x: Tensor): Tensor {
  const second = mul(add(mul(sub(mul(x, 0.5), 1), x), 0.25), x);
  return mul(sub(mul(add(second, 2), x), 0.75), x);
}

function standardise(x: Tensor): Tensor {
  const centred = sub(x, tf.mean(x, 1, true));
  const variance = tf.mean(mul(centred, centred), 1, true);
  return div(centred, tf.sqrt(add(variance, EPSILON)));
}

function laplacian(field: Tensor): Tensor {
  const [rows, columns] = field.shape as [number, number];
  const turned = (by: number, axis: 0 | 1): Tensor => {
    const [first, second] = tf.split(field, axis === 0 ? [by, rows - by] : [by, columns - by], axis);
    return tf.concat([second!, first!], axis);
  };
  const around = add(add(turned(1, 0), turned(rows - 1, 0)), add(turned(1, 1), turned(columns - 1, 1)));
  return sub(around, mul(field, 4));
}

function grayScott(u: Tensor, v: Tensor): Tensor[] {
  const { u: du, v: dv, feed, kill } = REACTION;
  const reacted = mul(mul(u, v), v);
  const fed = mul(sub(1, u), feed);
  return [
    add(sub(add(u, mul(laplacian(u), du)), reacted), fed),
    sub(add(add(v, mul(laplacian(v), dv)), reacted), mul(v, feed + kill)),
  ];
}

function trainByHand(x: Tensor, labels: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor): Tensor[] {
  const before = add(tf.matMul(x, w1), b1);
  const hidden = tf.relu(before);
  const outer = div(sub(tf.softmax(add(tf.matMul(hidden, w2), b2), 1), labels), x.shape[0]!);
  const inner = mul(tf.matMul(outer, w2, false, true), tf.step(before));
  const step = (weights: Tensor, slope: Tensor): Tensor => sub(weights, mul(slope, LEARNING_RATE));
  return [
    step(w1, tf.matMul(x, inner, true)),
    step(b1, tf.sum(inner, 0)),
    step(w2, tf.matMul(hidden, outer, true)),
    step(b2, tf.sum(outer, 0)),
  ];
}

const conv: Run = ({ x, filters }) => {
  const image = tf.transpose(x, [0, 2, 3, 1]);
  const kernel = tf.transpose(filters, [2, 3, 1, 0]);
  return {
    call: () => tf.conv2d(image, kernel, 1, "same"),
    finish: (result) => result.dispose(),
    read: (result) => read(tf.transpose(result, [0, 3, 1, 2])),
  };
};

const mlpGradient: Run = ({ x, labels, w1, b1, w2, b2 }) => {
  const loss = (w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor): Tensor => {
    const hidden = tf.relu(add(tf.matMul(x, w1), b1));
    const logs = tf.logSoftmax(add(tf.matMul(hidden, w2), b2), 1);
    return tf.neg(tf.mean(tf.sum(mul(logs, labels), 1)));
  };
  const gradient = tf.grads(loss);
  return {
    call: () => tf.tidy(() => gradient([w1, b1, w2, b2])),
    finish: (result) => tf.dispose(result),
    read,
  };
};

await serve<Tensor, Tensor>({
  name: "tfjs",
  version: tf.version.tfjs,
  threads: String(getThreadsCount() || 1),
  tensor: (data, shape) => tf.tensor(data, [...shape]),
  drop: (operand) => operand.dispose(),
  runs: {
    gelu: run(gelu, "x"),
    blackScholes: run(blackScholes, "spot", "strike", "time"),
    polynomial: run(polynomial, "x"),
    standardise: run(standardise, "x"),
    grayScott: run(grayScott as unknown as typeof laplacian, "u", "v"),
    trainByHand: run(trainByHand as unknown as typeof laplacian, "x", "labels", "w1", "b1", "w2", "b2"),
    exp: bare((x) => tf.exp(x), "x"),
    log: bare((x) => tf.log(x), "x"),
    sin: bare((x) => tf.sin(x), "x"),
    tanh: bare((x) => tf.tanh(x), "x"),
    softmax: bare((x) => tf.softmax(x, 1), "x"),
    softmaxEager: bare((x) => tf.softmax(x, 1), "x"),
    sum: bare((x) => tf.sum(x), "x"),
    sum0: bare((x) => tf.sum(x, 0), "x"),
    sum1: bare((x) => tf.sum(x, 1), "x"),
    add: bare((x, y) => add(x, y), "x", "y"),
    addReused: bare((x, y) => add(x, y), "x", "y"),
    addSmall: bare((x, y) => add(x, y), "x", "y"),
    transposeAdd: run((x) => add(tf.transpose(x), 1), "x"),
    matmul: bare((x, y) => tf.matMul(x, y), "x", "y"),
    conv,
    argmax: bare((x) => tf.argMax(x), "x"),
    cumsum: bare((x) => tf.cumsum(x), "x"),
    mlpGradient,
  },
});
