/**
 * Functions of other libraries under names that this one does not have. Each is an error that says what to write: at run time
 * when it is called, for `tsc` by its type, and editors strike its name through. None of them computes anything.
 */
import { refuse } from "./refuse";

/** A name of other libraries and the advice what to write instead, which `tsc` shows at a call. */
export interface NotInNx<Instead extends string> {
  readonly writeInstead: Instead;
}

function elsewhere<const Instead extends string>(name: string, instead: Instead): NotInNx<Instead> {
  const { [name]: fn } = { [name]: (): never => refuse(`function ${name}`, instead, fn) };
  return fn as unknown as NotInNx<Instead>;
}

/** @deprecated */
export const absolute = elsewhere("absolute", "Nx.abs(t)");
/** @deprecated */
export const allclose = elsewhere("allclose", "Nx.allClose(a, b)");
/** @deprecated */
export const amax = elsewhere("amax", "Nx.reduceMax(t)");
/** @deprecated */
export const amin = elsewhere("amin", "Nx.reduceMin(t)");
/** @deprecated */
export const argMax = elsewhere("argMax", "Nx.argmax(t)");
/** @deprecated */
export const argMin = elsewhere("argMin", "Nx.argmin(t)");
/** @deprecated */
export const array = elsewhere("array", "Nx.tensor([1, 2])");
/** @deprecated */
export const asarray = elsewhere("asarray", "Nx.tensor([1, 2])");
/** @deprecated */
export const astype = elsewhere("astype", 'Nx.asType(t, "f64")');
/** @deprecated */
export const average = elsewhere("average", "Nx.mean(t)");
/** @deprecated */
export const cast = elsewhere("cast", 'Nx.asType(t, "f64")');
/** @deprecated */
export const cat = elsewhere("cat", "Nx.concatenate([a, b])");
/** @deprecated */
export const concat = elsewhere("concat", "Nx.concatenate([a, b])");
/** @deprecated */
export const cumprod = elsewhere("cumprod", "Nx.cumulativeProduct(t)");
/** @deprecated */
export const cumsum = elsewhere("cumsum", "Nx.cumulativeSum(t)");
/** @deprecated */
export const det = elsewhere("det", "Nx.LinAlg.determinant(t)");
/** @deprecated */
export const expandDims = elsewhere("expandDims", "Nx.newAxis(t, 0)");
/** @deprecated */
export const floorDivide = elsewhere("floorDivide", 'Nx.divide(a, b, { roundingMode: "floor" })');
/** @deprecated */
export const hstack = elsewhere("hstack", "Nx.concatenate([a, b], { axis: 1 })");
/** @deprecated */
export const identity = elsewhere("identity", "Nx.eye(3)");
/** @deprecated */
export const inv = elsewhere("inv", "Nx.LinAlg.invert(t)");
/** @deprecated */
export const isNaN = elsewhere("isNaN", "Nx.isNan(t)");
/** @deprecated */
export const isfinite = elsewhere("isfinite", "Nx.isFinite(t)");
/** @deprecated */
export const isinf = elsewhere("isinf", "Nx.isInfinity(t)");
/** @deprecated */
export const isnan = elsewhere("isnan", "Nx.isNan(t)");
/** @deprecated */
export const jit = elsewhere("jit", "Nx.defn(fn)");
/** @deprecated */
export const maximum = elsewhere("maximum", "Nx.max(a, b)");
/** @deprecated */
export const minimum = elsewhere("minimum", "Nx.min(a, b)");
/** @deprecated */
export const norm = elsewhere("norm", "Nx.LinAlg.norm(t)");
/** @deprecated */
export const permute = elsewhere("permute", "Nx.transpose(t, { axes: [1, 0] })");
/** @deprecated */
export const power = elsewhere("power", "Nx.pow(a, b)");
/** @deprecated */
export const prod = elsewhere("prod", "Nx.product(t)");
/** @deprecated */
export const rand = elsewhere("rand", "Nx.Random.uniform(Nx.Random.key(1), { shape: [3] })");
/** @deprecated */
export const randn = elsewhere("randn", "Nx.Random.normal(Nx.Random.key(1), { shape: [3] })");
/** @deprecated */
export const ravel = elsewhere("ravel", "Nx.flatten(t)");
/** @deprecated */
export const std = elsewhere("std", "Nx.standardDeviation(t)");
/** @deprecated */
export const swapaxes = elsewhere("swapaxes", "Nx.swapAxes(t, 0, 1)");
/** @deprecated */
export const topk = elsewhere("topk", "Nx.topK(t, { k: 2 })");
/** @deprecated */
export const unsqueeze = elsewhere("unsqueeze", "Nx.newAxis(t, 0)");
/** @deprecated */
export const vmap = elsewhere("vmap", "Nx.Defn.vmap(fn)");
/** @deprecated */
export const vstack = elsewhere("vstack", "Nx.concatenate([a, b])");
