/**
 * Activation functions, and the functions over an axis that end networks: softmax and its kin.
 */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import {
  axisOf,
  cast,
  one,
  operator,
  overChannels,
  product,
  reshape,
  type Call,
  type Operator,
  type Operators,
} from "../operator";

/** An activation whose numbers are attributes. */
const shaped = (names: Readonly<Record<string, number>>, fn: (x: Tensor, numbers: number[]) => Tensor): Operator =>
  operator(1, (call: Call, x: Tensor) =>
    fn(
      x,
      Object.entries(names).map(([name, otherwise]) => call.attributes.float(name, otherwise)),
    ),
  );

/** Where elements are positive, and what else there is of the others: what is not chosen is 0, so that its derivative is finite. */
function bent(x: Tensor, above: (x: Tensor) => Tensor, below: (x: Tensor) => Tensor): Tensor {
  const isAbove = Nx.greater(x, 0) as Tensor;
  return Nx.where(isAbove, above(x), below(Nx.min(x, 0) as Tensor)) as Tensor;
}

export const hardSigmoid = (x: Tensor, alpha = 0.2, beta = 0.5): Tensor =>
  Nx.clip(Nx.add(Nx.multiply(x, alpha), beta), 0, 1) as Tensor;

export const leakyRelu = (x: Tensor, alpha = 0.01): Tensor =>
  Nx.where(Nx.less(x, 0), Nx.multiply(x, alpha), x) as Tensor;

export const elu = (x: Tensor, alpha = 1): Tensor =>
  bent(
    x,
    (above) => above,
    (below) => Nx.multiply(Nx.expm1(below), alpha) as Tensor,
  );

export const thresholded = (x: Tensor, alpha = 1): Tensor =>
  Nx.where(Nx.greater(x, alpha), x, Nx.zerosLike(x)) as Tensor;

export const softsign = (x: Tensor): Tensor => Nx.divide(x, Nx.add(Nx.abs(x), 1)) as Tensor;

export const relu = (x: Tensor): Tensor => Nx.max(x, 0) as Tensor;

function shrink(x: Tensor, lambda: number, bias: number): Tensor {
  const kept = Nx.where(Nx.greater(x, lambda), Nx.subtract(x, bias), Nx.zerosLike(x));
  return cast(Nx.where(Nx.less(x, -lambda), Nx.add(x, bias), kept) as Tensor, x.type);
}

/** Slopes of elements below 0: of each channel in the versions before 7, else of what they broadcast to. */
function prelu(call: Call, x: Tensor, slope: Tensor): Tensor {
  const perChannel = call.opset < 7 && slope.shape.length === 1 && slope.size > 1;
  return Nx.where(Nx.less(x, 0), Nx.multiply(x, perChannel ? overChannels(slope, x.shape.length) : slope), x) as Tensor;
}

/** A function over an axis; before version 13, over all axes from it on. */
function overAxis(fn: (x: Tensor, axis: number) => Tensor): Operator {
  return operator(1, (call: Call, x: Tensor) => {
    const rank = x.shape.length;
    if (rank === 0) return scalarOver(fn, x);
    const axis = axisOf(call.attributes.int("axis", call.opset < 13 ? Math.min(1, rank - 1) : -1), rank);
    if (call.opset >= 13) return fn(x, axis);
    const rows = product(x.shape.slice(0, axis));
    return reshape(fn(reshape(x, [rows, x.size / rows]), 1), x.shape);
  });
}

const scalarOver = (fn: (x: Tensor, axis: number) => Tensor, x: Tensor): Tensor => reshape(fn(reshape(x, [1]), 0), []);

export const softmax = (x: Tensor, axis: number): Tensor => Nx.softmax(x, { axis }) as Tensor;

export const logSoftmax = (x: Tensor, axis: number): Tensor => Nx.logSoftmax(x, { axis }) as Tensor;

/** 1 where the first of the largest elements stands, 0 elsewhere. */
function hardmax(x: Tensor, axis: number): Tensor {
  const largest = Nx.argmax(x, { axis, keepAxis: true });
  return cast(Nx.equal(Nx.iota([...x.shape], { axis }), largest) as Tensor, x.type);
}

export const ACTIVATIONS: Operators = {
  Celu: shaped({ alpha: 1 }, (x, [alpha]) =>
    bent(
      x,
      (above) => above,
      (below) => Nx.multiply(Nx.expm1(Nx.divide(below, alpha!)), alpha!) as Tensor,
    ),
  ),
  Elu: shaped({ alpha: 1 }, (x, [alpha]) => elu(x, alpha)),
  Gelu: operator(1, (call: Call, x: Tensor) => {
    const approximate = call.attributes.choice("approximate", ["none", "tanh"], "none");
    return Nx.gelu(x, { approximate }) as Tensor;
  }),
  HardSigmoid: shaped({ alpha: 0.2, beta: 0.5 }, (x, [alpha, beta]) => hardSigmoid(x, alpha, beta)),
  HardSwish: one((x) => Nx.multiply(x, hardSigmoid(x, 1 / 6, 0.5)) as Tensor),
  Hardmax: overAxis(hardmax),
  LeakyRelu: shaped({ alpha: 0.01 }, (x, [alpha]) => leakyRelu(x, alpha)),
  LogSoftmax: overAxis(logSoftmax),
  Mish: one((x) => Nx.mish(x) as Tensor),
  PRelu: operator(2, prelu),
  Relu: one(relu),
  Selu: shaped({ alpha: 1.67326319217681884765625, gamma: 1.05070102214813232421875 }, (x, [alpha, gamma]) =>
    bent(
      x,
      (above) => Nx.multiply(above, gamma!) as Tensor,
      (below) => Nx.multiply(Nx.expm1(below), alpha! * gamma!) as Tensor,
    ),
  ),
  Shrink: shaped({ lambd: 0.5, bias: 0 }, (x, [lambda, bias]) => shrink(x, lambda!, bias!)),
  Softmax: overAxis(softmax),
  Softplus: one((x) => Nx.softplus(x) as Tensor),
  Softsign: one(softsign),
  Swish: shaped({ alpha: 1 }, (x, [alpha]) => Nx.multiply(x, Nx.sigmoid(Nx.multiply(x, alpha!))) as Tensor),
  ThresholdedRelu: shaped({ alpha: 1 }, (x, [alpha]) => thresholded(x, alpha)),
};
