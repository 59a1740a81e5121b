/**
 * Methods and properties that tensors have in other libraries: on the prototype, where `tsc` does not see them, each is an error
 * that says what to write. None of them computes anything.
 */
import { raisedAt } from "../../core/entry";
import { NxError } from "../../core/errors";
import { Tensor } from "../../tensor";
import { refuse } from "./refuse";

const METHODS = {
  argMax: "t.argmax()",
  argMin: "t.argmin()",
  array: "(await t.read()).toList()",
  astype: 't.asType("f64")',
  backward: "Nx.grad(fn)(t)",
  cast: 't.asType("f64")',
  clone: "t, which nothing changes",
  cumprod: "t.cumulativeProduct()",
  cumsum: "t.cumulativeSum()",
  conj: "t.conjugate()",
  copy: "t, which nothing changes",
  det: "Nx.LinAlg.determinant(t)",
  diagonal: "Nx.takeDiagonal(t)",
  arraySync: "t.toList()",
  dataSync: "t.toTypedArray()",
  detach: "Nx.Defn.stopGrad(t)",
  dispose: "nothing, or Nx.backendDeallocate(t)",
  expandDims: "t.newAxis(0)",
  inv: "Nx.LinAlg.invert(t)",
  isNaN: "t.isNan()",
  isnan: "t.isNan()",
  logsumexp: "t.logSumExp()",
  minus: "a.subtract(b)",
  plus: "a.add(b)",
  maximum: "a.max(b)",
  minimum: "a.min(b)",
  mm: "a.dot(b)",
  numpy: "t.toList()",
  permute: "t.transpose({ axes: [1, 0] })",
  prod: "t.product()",
  ravel: "t.flatten()",
  std: "t.standardDeviation()",
  swapaxes: "t.swapAxes(0, 1)",
  times: "a.multiply(b)",
  toArray: "t.toList()",
  tolist: "t.toList()",
  unsqueeze: "t.newAxis(0)",
  var: "t.variance()",
  view: "t.reshape([2, 3])",
};

const PROPERTIES = { T: "t.transpose()", dtype: "t.type", ndim: "t.rank" };

/** Places of entries, which languages with operators for them write in brackets. */
const PLACES = ["0", "1", "2"];

/** Functions of this library that are no methods of tensors. */
const FUNCTIONS = [
  ...["concatenate", "conv", "convolve", "fft", "ifft", "irfft", "map", "outer", "reduce"],
  ...["rfft", "serialize", "stack", "argwhere", "bincount", "digitize", "fft2", "fftshift", "gradient"],
  ...["histogram", "interp", "nonzero", "trapezoid", "cross", "kron", "takeDiagonal", "toBatched", "windowMax"],
  ...["windowMean", "windowMin", "windowProduct", "windowSum"],
];
const OF_LINALG = ["cholesky", "determinant", "eigh", "invert", "lu", "norm", "pinv", "qr", "solve", "svd"];

/** What asks a tensor for its length, as typed arrays and loops over positions do, learns how tensors are read. */
const NO_LENGTH = Object.freeze({ [Symbol.toPrimitive]: noLength });

function noLength(): never {
  const error = new NxError(
    "a tensor is no list, so it has no length: t.size is the number of elements, t.shape has the sizes of the axes; " +
      "t.toNumbers() gives numbers, `for (const row of t)` the entries of the first axis, t.at(i) one of them; a scalar has no " +
      "entries, t.item() reads it",
  );
  throw raisedAt(noLength, error);
}

function notAssigned(): never {
  const error = new NxError(
    "a tensor never changes, so its entries cannot be assigned; Nx.putSlice(t, starts, piece) and Nx.indexedPut(t, indices, updates) " +
      "give another tensor",
  );
  throw raisedAt(notAssigned, error);
}

/** Puts the names on the prototype of tensors, not enumerable. */
export function installElsewhere(): void {
  const define = (name: string, attributes: PropertyDescriptor): unknown =>
    Object.defineProperty(Tensor.prototype, name, { ...attributes, configurable: true });
  const method = (name: string, instead: string): unknown => {
    const { [name]: value } = { [name]: (): never => refuse(`method ${name} of tensors`, instead, value) };
    return define(name, { value, writable: true });
  };
  for (const [name, instead] of Object.entries(METHODS)) method(name, instead);
  for (const name of FUNCTIONS) method(name, `Nx.${name}(t, ...)`);
  for (const name of OF_LINALG) method(name, `Nx.LinAlg.${name}(t, ...)`);
  for (const [name, instead] of Object.entries(PROPERTIES)) {
    const get = (): never => refuse(`property ${name} of tensors`, instead, get);
    define(name, { get });
  }
  for (const place of PLACES) {
    const get = (): never => refuse(`property ${place} of tensors`, `t.at(${place})`, get);
    define(place, { get, set: notAssigned });
  }
  define("length", { get: () => NO_LENGTH });
}
