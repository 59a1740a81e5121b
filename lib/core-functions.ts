/**
 * The face of `nx-numerics/core`: the functions of the main entry for tensors without methods. The backend "wasm" computes elements,
 * reductions and copies; vector code for all else comes with the functions that need it.
 * Evaluating this module installs that backend; it has no other effect.
 */
import { installWasm } from "./backends/registry";
import { wasmBackend, withCode } from "./backends/wasm/backend";
import {
  DRAWS,
  EXPLAINING,
  JOINS,
  LOOKUPS,
  PRODUCTS,
  SCANS,
  SEARCHES,
  SORTING,
  TRANSFORMS,
  WINDOWS,
} from "./backends/wasm/groups";
import { isWasmAvailable } from "./backends/wasm/memory/host";
import * as functions from "./functions";

export * from "./functions";

export const argmax = withCode(functions.argmax, SEARCHES);
export const argmin = withCode(functions.argmin, SEARCHES);
export const argsort = withCode(functions.argsort, SORTING);
export const argwhere = withCode(functions.argwhere, JOINS, SORTING);
export const Batch = withCode(functions.Batch, JOINS);
export const bincount = withCode(functions.bincount, LOOKUPS);
export const broadcastVectors = withCode(functions.broadcastVectors, LOOKUPS);
export const byName = withCode(functions.byName, LOOKUPS, PRODUCTS, SCANS, SEARCHES, SORTING);
export const compress = withCode(functions.compress, LOOKUPS, SORTING);
export const concatenate = withCode(functions.concatenate, JOINS);
export const conv = withCode(functions.conv, PRODUCTS);
export const convolve = withCode(functions.convolve, PRODUCTS);
export const correlation = withCode(functions.correlation, PRODUCTS);
export const covariance = withCode(functions.covariance, PRODUCTS);
export const cross = withCode(functions.cross, JOINS);
export const cumulativeMax = withCode(functions.cumulativeMax, SCANS);
export const cumulativeMin = withCode(functions.cumulativeMin, SCANS);
export const cumulativeProduct = withCode(functions.cumulativeProduct, SCANS);
export const cumulativeSum = withCode(functions.cumulativeSum, SCANS);
export const Defn = withCode(functions.Defn, LOOKUPS);
export const devectorize = withCode(functions.devectorize, LOOKUPS);
export const digitize = withCode(functions.digitize, LOOKUPS);
export const dot = withCode(functions.dot, PRODUCTS);
export const einsum = withCode(functions.einsum, PRODUCTS);
export const explain = withCode(functions.explain, EXPLAINING);
export const fft = withCode(functions.fft, TRANSFORMS);
export const fft2 = withCode(functions.fft2, TRANSFORMS);
export const fftshift = withCode(functions.fftshift, JOINS);
export const gather = withCode(functions.gather, LOOKUPS);
export const grad = withCode(functions.grad, LOOKUPS);
export const groupBy = withCode(functions.groupBy, JOINS, LOOKUPS, SCANS, SORTING);
export const histogram = withCode(functions.histogram, LOOKUPS);
export const ifft = withCode(functions.ifft, TRANSFORMS);
export const ifft2 = withCode(functions.ifft2, TRANSFORMS);
export const ifftshift = withCode(functions.ifftshift, JOINS);
export const indexedAdd = withCode(functions.indexedAdd, LOOKUPS);
export const indexedPut = withCode(functions.indexedPut, LOOKUPS);
export const interp = withCode(functions.interp, LOOKUPS);
export const irfft = withCode(functions.irfft, JOINS, TRANSFORMS);
export const LinAlg = withCode(functions.LinAlg, PRODUCTS);
export const matmul = withCode(functions.matmul, PRODUCTS);
export const median = withCode(functions.median, LOOKUPS, SORTING);
export const mode = withCode(functions.mode, LOOKUPS, SEARCHES, SORTING);
export const nonzero = withCode(functions.nonzero, SORTING);
export const padOuter = withCode(functions.padOuter, LOOKUPS);
export const percentile = withCode(functions.percentile, JOINS, LOOKUPS, SORTING);
export const polyfit = withCode(functions.polyfit, PRODUCTS);
export const putDiagonal = withCode(functions.putDiagonal, LOOKUPS);
export const quantile = withCode(functions.quantile, JOINS, LOOKUPS, SORTING);
export const Quantized = withCode(functions.Quantized, SORTING);
export const Random = withCode(functions.Random, DRAWS, JOINS, LOOKUPS, PRODUCTS, SCANS, SEARCHES, SORTING);
export const randomNormal = withCode(functions.randomNormal, DRAWS);
export const randomUniform = withCode(functions.randomUniform, DRAWS);
export const reflect = withCode(functions.reflect, LOOKUPS);
export const repeat = withCode(functions.repeat, LOOKUPS);
export const resample = withCode(functions.resample, JOINS, LOOKUPS, SEARCHES, SORTING);
export const reshapeVectors = withCode(functions.reshapeVectors, LOOKUPS);
export const revectorize = withCode(functions.revectorize, LOOKUPS);
export const rfft = withCode(functions.rfft, TRANSFORMS);
export const roll = withCode(functions.roll, JOINS);
export const rolling = withCode(functions.rolling, JOINS, LOOKUPS, SEARCHES, SORTING, WINDOWS);
export const runtimeCall = withCode(functions.runtimeCall, LOOKUPS);
export const searchsorted = withCode(functions.searchsorted, LOOKUPS);
export const segmentMax = withCode(functions.segmentMax, LOOKUPS, SORTING);
export const segmentMean = withCode(functions.segmentMean, LOOKUPS);
export const segmentMin = withCode(functions.segmentMin, LOOKUPS, SORTING);
export const segmentProduct = withCode(functions.segmentProduct, LOOKUPS, SCANS, SORTING);
export const segmentSum = withCode(functions.segmentSum, LOOKUPS);
export const Serving = withCode(functions.Serving, JOINS);
export const shuffle = withCode(functions.shuffle, DRAWS, LOOKUPS, SORTING);
export const Signal = withCode(functions.Signal, LOOKUPS, TRANSFORMS);
export const sort = withCode(functions.sort, SORTING);
export const stack = withCode(functions.stack, JOINS);
export const take = withCode(functions.take, LOOKUPS);
export const takeAlongAxis = withCode(functions.takeAlongAxis, LOOKUPS);
export const toBatched = withCode(functions.toBatched, JOINS);
export const topK = withCode(functions.topK, LOOKUPS, SORTING);
export const unique = withCode(functions.unique, JOINS, LOOKUPS, SCANS, SORTING);
export const unwrap = withCode(functions.unwrap, SCANS);
export const valueAndGrad = withCode(functions.valueAndGrad, LOOKUPS);
export const vectorize = withCode(functions.vectorize, LOOKUPS);
export const windowMax = withCode(functions.windowMax, WINDOWS);
export const windowMean = withCode(functions.windowMean, WINDOWS);
export const windowMin = withCode(functions.windowMin, WINDOWS);
export const windowProduct = withCode(functions.windowProduct, WINDOWS);
export const windowSum = withCode(functions.windowSum, WINDOWS);

installWasm({ backend: wasmBackend, isAvailable: isWasmAvailable });
