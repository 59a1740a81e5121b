/**
 * Losses, each for every example by itself: take the mean of what they give. They are compositions, so that they are traced and differentiated.
 */
import * as Nx from "nx-numerics";
import {
  ArgumentError,
  type AxisOf,
  type AxisTypes,
  type Drop,
  type Names,
  type Operand,
  type Tensor,
} from "nx-numerics";
import { checkOptions, numberOption, POSITIVE, shown } from "./common";

/** Options of losses over classes. */
export interface ClassOptions<A = string | number | undefined> {
  /** The axis of the classes, by name or index; the last when left out. */
  readonly axis?: A;
}

/** Names of losses of predictions with targets `M` in the same shape, of which the axis `A` is gone; the last where none is said. */
export type LossNames<N extends Names, M extends Names, A> = Drop<AxisTypes.MergedInto<N, M>, AxisTypes.Given<A, -1>>;

/** The loss of predictions, which are a tensor; errors of what it is made of name the loss. The type of the result is that of the caller. */
function lossOf<R extends Tensor>(fn: string, predictions: unknown, loss: (t: Tensor) => Tensor): R {
  if (!Nx.isTensor(predictions)) {
    throw new ArgumentError(
      `${fn} expects its predictions as a tensor, got: ${shown(predictions)}; make it with Nx.f32(...)`,
    );
  }
  try {
    return loss(predictions) as R;
  } catch (error) {
    if (!(error instanceof ArgumentError) || error.message.includes(fn)) throw error;
    throw new ArgumentError(`${fn}: ${error.message}`, { cause: error });
  }
}

function classAxis(fn: string, t: Tensor, options: ClassOptions | undefined): number {
  const { axis = -1 } = checkOptions(fn, options, ["axis"]);
  if (t.rank === 0) throw new ArgumentError(`${fn} expects a tensor with an axis of classes, got a scalar`);
  return Nx.axisIndex(t, axis);
}

/**
 * The cross entropy of class probabilities given as logits: minus the sum of labels times the logarithm of the softmax.
 *
 * @param logits - a float tensor with an axis of classes
 * @param labels - probabilities of the classes, in the same shape
 * @param options - `axis`: the axis of the classes, the last when left out
 * @returns a loss for each example: the shape without that axis
 * @throws ArgumentError for shapes or names that do not fit
 * @example
 * ```ts
 * import { softmaxCrossEntropy } from "nx-numerics/optim";
 * const logits = Nx.f32([[0, 0], [0, 100]], { names: ["batch", "class"] }); // prettier-ignore
 * softmaxCrossEntropy(logits, Nx.f32([[0, 1], [0, 1]]), { axis: "class" });
 * // => #Nx.Tensor<
 * //   f32[batch: 2]
 * //   [0.6931472, 0.0]
 * // >
 * softmaxCrossEntropy(Nx.f32(1), 1);
 * // throws ArgumentError: softmaxCrossEntropy expects a tensor with an axis of classes, got a scalar
 * ```
 */
export function softmaxCrossEntropy<
  N extends Names,
  M extends Names = readonly [],
  const A extends AxisOf<N> | undefined = undefined,
>(logits: Tensor<N>, labels: Operand<M>, options?: ClassOptions<A>): Tensor<LossNames<N, M, A>> {
  return lossOf("softmaxCrossEntropy", logits, (t) => {
    const axis = classAxis("softmaxCrossEntropy", t, options);
    return Nx.subtract(0, weighted(Nx.logSoftmax(t, { axis }), labels).sum({ axes: [axis] }));
  });
}

/**
 * The cross entropy of the right classes, given by their numbers: minus the logarithm of the softmax at the label.
 *
 * @param logits - a float tensor with an axis of classes
 * @param labels - the number of the right class of each example: the shape of the logits without that axis
 * @param options - `axis`: the axis of the classes, the last when left out
 * @returns a loss for each example; NaN where a label is no number of a class
 * @throws ArgumentError for labels of another shape or of floats
 * @example
 * ```ts
 * import { softmaxCrossEntropyWithIntegerLabels } from "nx-numerics/optim";
 * const logits = Nx.f32([[0, 0], [0, 100], [0, 0]], { names: ["batch", "class"] }); // prettier-ignore
 * softmaxCrossEntropyWithIntegerLabels(logits, Nx.tensor([1, 0, 2], { names: ["batch"] }));
 * // => #Nx.Tensor<
 * //   f32[batch: 3]
 * //   [0.6931472, 100.0, NaN]
 * // >
 * softmaxCrossEntropyWithIntegerLabels(logits, Nx.tensor([[1]]));
 * // throws ArgumentError: softmaxCrossEntropyWithIntegerLabels expects labels of shape [3], got s64[1, 1]
 * ```
 */
export function softmaxCrossEntropyWithIntegerLabels<
  N extends Names,
  const A extends AxisOf<N> | undefined = undefined,
>(logits: Tensor<N>, labels: Operand, options?: ClassOptions<A>): Tensor<LossNames<N, Names, A>> {
  const fn = "softmaxCrossEntropyWithIntegerLabels";
  return lossOf(fn, logits, (t) => ofIntegerLabels(fn, t, labels, options));
}

function ofIntegerLabels(fn: string, logits: Tensor, labels: Operand, options: ClassOptions | undefined): Tensor {
  const axis = classAxis(fn, logits, options);
  const t: Tensor = Nx.toTensor(labels);
  const wanted = logits.shape.filter((_, i) => i !== axis);
  const isFitting = t.rank === wanted.length && t.shape.every((size, i) => size === wanted[i]);
  if (!isFitting || !/^[su]/.test(t.type)) {
    const which = isFitting ? "integer labels" : `labels of shape [${wanted.join(", ")}]`;
    throw new ArgumentError(`${fn} expects ${which}, got ${t.type}[${t.shape.join(", ")}]`);
  }
  const size = logits.shape[axis]!;
  const classes = Nx.iota(logits.shape, { axis, names: logits.names });
  const at = Nx.equal(classes, t.newAxis(axis));
  const chosen = Nx.where(at, Nx.logSoftmax(logits, { axis }), 0).sum({ axes: [axis] });
  const isClass = t.greaterEqual(0).logicalAnd(t.less(size));
  return Nx.where(isClass, Nx.subtract(0, chosen), NaN);
}

/**
 * The cross entropy of yes and no, given as logits: -y log(p) - (1 - y) log(1 - p) with p the sigmoid of the logit, in a form that neither overflows
 * nor cancels.
 *
 * @param logits - a float tensor
 * @param labels - 0 or 1, or probabilities in between; broadcast to the logits
 * @returns a loss for each element
 * @throws ArgumentError for shapes or names that do not fit
 * @example
 * ```ts
 * import { sigmoidBinaryCrossEntropy } from "nx-numerics/optim";
 * sigmoidBinaryCrossEntropy(Nx.f32([0, 100, -100], { names: ["batch"] }), Nx.tensor([1, 0, 0]));
 * // => #Nx.Tensor<
 * //   f32[batch: 3]
 * //   [0.6931472, 100.0, 3.8e-44]
 * // >
 * sigmoidBinaryCrossEntropy(Nx.f32([0, 1]), Nx.tensor([1, 2, 3]));
 * // throws ArgumentError: sigmoidBinaryCrossEntropy: Nx.multiply cannot broadcast tensors of shapes [2] and [3]
 * ```
 */
export function sigmoidBinaryCrossEntropy<N extends Names, M extends Names = readonly []>(
  logits: Tensor<N>,
  labels: Operand<M>,
): Tensor<AxisTypes.Merged<N, M>> {
  return lossOf("sigmoidBinaryCrossEntropy", logits, (t) => {
    const yes = weighted(t.logSigmoid(), labels);
    const no = weighted(t.negate().logSigmoid(), Nx.subtract(1, labels));
    return yes.add(no).negate();
  });
}

/** Logarithms of probabilities, each as often as it counts: what is impossible and never is, adds nothing, as in 0 log 0. */
function weighted(logs: Tensor, weights: Operand): Tensor {
  const isNothing = Nx.multiply(logs.equal(-Infinity), Nx.equal(weights, 0));
  return Nx.where(isNothing, -0, logs).multiply(weights);
}

/**
 * The square of the difference.
 *
 * @param predictions - a float tensor
 * @param targets - broadcast to the predictions
 * @returns a loss for each element
 * @throws ArgumentError for shapes or names that do not fit
 * @example
 * ```ts
 * import { squaredError } from "nx-numerics/optim";
 * squaredError(Nx.f32([1, 5], { names: ["batch"] }), 2);
 * // => #Nx.Tensor<
 * //   f32[batch: 2]
 * //   [1.0, 9.0]
 * // >
 * squaredError(Nx.f32([1, 5]), Nx.f32([1, 2, 3]));
 * // throws ArgumentError: squaredError: Nx.subtract cannot broadcast tensors of shapes [2] and [3]
 * ```
 */
export const squaredError = <N extends Names, M extends Names = readonly []>(
  predictions: Tensor<N>,
  targets: Operand<M>,
): Tensor<AxisTypes.Merged<N, M>> => lossOf("squaredError", predictions, (t) => t.subtract(targets).square());

/** Options of {@link huber}. */
export interface HuberOptions {
  /** The difference up to which the loss is half its square; 1 when left out. */
  readonly delta?: number;
}

/**
 * Half the square of small differences, and a straight line for large ones: e^2 / 2 up to delta, delta (|e| - delta / 2) beyond. (Huber 1964:
 * Robust estimation of a location parameter.)
 *
 * @param predictions - a float tensor
 * @param targets - broadcast to the predictions
 * @param options - `delta`: where one goes over into the other
 * @returns a loss for each element
 * @throws ArgumentError for a delta that is not positive, and for shapes or names that do not fit
 * @example
 * ```ts
 * import { huber } from "nx-numerics/optim";
 * huber(Nx.f32([0.5, -4], { names: ["batch"] }), 0);
 * // => #Nx.Tensor<
 * //   f32[batch: 2]
 * //   [0.125, 3.5]
 * // >
 * huber(Nx.f32([1]), 0, { delta: 0 });
 * // throws ArgumentError: option delta of huber must be a positive number, got: 0
 * ```
 */
export function huber<N extends Names, M extends Names = readonly []>(
  predictions: Tensor<N>,
  targets: Operand<M>,
  options?: HuberOptions,
): Tensor<AxisTypes.Merged<N, M>> {
  const delta = numberOption("huber", "delta", checkOptions("huber", options, ["delta"]).delta, 1, POSITIVE);
  return lossOf("huber", predictions, (t) => {
    const size = t.subtract(targets).abs();
    const small = size.min(delta);
    return small.square().multiply(0.5).add(size.subtract(small).multiply(delta));
  });
}

/**
 * What is missing to a margin of 1: max(0, 1 - target prediction). (Cortes, Vapnik 1995: Support-vector networks.)
 *
 * @param predictions - a float tensor of scores
 * @param targets - 1 or -1; broadcast to the predictions
 * @returns a loss for each element
 * @throws ArgumentError for shapes or names that do not fit
 * @example
 * ```ts
 * import { hinge } from "nx-numerics/optim";
 * hinge(Nx.f32([2, 0.5, 0.5], { names: ["batch"] }), Nx.f32([1, 1, -1]));
 * // => #Nx.Tensor<
 * //   f32[batch: 3]
 * //   [0.0, 0.5, 1.5]
 * // >
 * hinge(Nx.f32([1, 5]), Nx.f32([1, 2, 3]));
 * // throws ArgumentError: hinge: Nx.multiply cannot broadcast tensors of shapes [2] and [3]
 * ```
 */
export const hinge = <N extends Names, M extends Names = readonly []>(
  predictions: Tensor<N>,
  targets: Operand<M>,
): Tensor<AxisTypes.Merged<N, M>> => lossOf("hinge", predictions, (t) => Nx.subtract(1, t.multiply(targets)).relu());

/** Options of {@link cosineDistance}. */
export interface CosineOptions<A = string | number | undefined> extends ClassOptions<A> {
  /** The least norm that is divided by; 1e-8 when left out. */
  readonly eps?: number;
}

/**
 * One minus the cosine of the angle between predictions and targets along an axis: 0 for the same direction, 2 for opposite ones.
 *
 * @param predictions - a float tensor of vectors
 * @param targets - in the same shape
 * @param options - `axis`: the axis of the vectors, the last when left out; `eps`: the least norm that is divided by
 * @returns a loss for each vector
 * @throws ArgumentError for shapes or names that do not fit
 * @example
 * ```ts
 * import { cosineDistance } from "nx-numerics/optim";
 * const a = Nx.f32([[1, 0], [2, 0], [3, 0]], { names: ["batch", "x"] }); // prettier-ignore
 * cosineDistance(a, Nx.f32([[5, 0], [0, 1], [-1, 0]])); // prettier-ignore
 * // => #Nx.Tensor<
 * //   f32[batch: 3]
 * //   [0.0, 1.0, 2.0]
 * // >
 * cosineDistance(a, a, { eps: -1 });
 * // throws ArgumentError: option eps of cosineDistance must be a positive number, got: -1
 * ```
 */
export function cosineDistance<N extends Names, M extends Names, const A extends AxisOf<N> | undefined = undefined>(
  predictions: Tensor<N>,
  targets: Tensor<M>,
  options?: CosineOptions<A>,
): Tensor<LossNames<N, M, A>> {
  const fn = "cosineDistance";
  const given = checkOptions(fn, options, ["axis", "eps"]);
  const eps = numberOption(fn, "eps", given.eps, 1e-8, POSITIVE);
  return lossOf(fn, predictions, (t) => {
    const axes = [classAxis(fn, t, given.axis === undefined ? {} : { axis: given.axis })];
    // the root of 0 has no derivative; the square of eps stands below it
    const norm = (vectors: Operand): Tensor => {
      const length = Nx.square(vectors).sum({ axes });
      return length.max(eps * eps).sqrt();
    };
    const product = t.multiply(targets).sum({ axes });
    return Nx.subtract(1, product.divide(norm(t).multiply(norm(targets))));
  });
}

/**
 * The Kullback-Leibler divergence of predicted probabilities from the true ones: the sum of p (log p - log q), where classes of probability 0 count
 * nothing. (Kullback, Leibler 1951: On information and sufficiency.)
 *
 * @param logPredictions - logarithms of the predicted probabilities, as `Nx.logSoftmax` gives them
 * @param targets - true probabilities, in the same shape
 * @param options - `axis`: the axis of the classes, the last when left out
 * @returns a loss for each example: the shape without that axis
 * @throws ArgumentError for shapes or names that do not fit
 * @example
 * ```ts
 * import { klDivergence } from "nx-numerics/optim";
 * const q = Nx.log(Nx.f64([[0.5, 0.5], [0.25, 0.75]], { names: ["batch", "class"] })); // prettier-ignore
 * klDivergence(q, Nx.f64([[1, 0], [0.25, 0.75]]));
 * // => #Nx.Tensor<
 * //   f64[batch: 2]
 * //   [0.6931471805599453, 0.0]
 * // >
 * klDivergence(Nx.f64(0), Nx.f64(1));
 * // throws ArgumentError: klDivergence expects a tensor with an axis of classes, got a scalar
 * ```
 */
export function klDivergence<N extends Names, M extends Names, const A extends AxisOf<N> | undefined = undefined>(
  logPredictions: Tensor<N>,
  targets: Tensor<M>,
  options?: ClassOptions<A>,
): Tensor<LossNames<N, M, A>> {
  return lossOf("klDivergence", logPredictions, (t) => {
    const axis = classAxis("klDivergence", t, options);
    const isThere = Nx.greater(targets, 0);
    const logTargets = Nx.where(isThere, targets, 1).log();
    const terms = Nx.where(isThere, Nx.multiply(targets, logTargets.subtract(t)), 0);
    return terms.sum({ axes: [axis] });
  });
}
