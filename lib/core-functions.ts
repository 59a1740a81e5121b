/**
 * The face of `nx-numerics/core`: the functions of the main entry for tensors without methods. The backend "wasm" computes elements,
 * reductions and copies; vector code for all else comes with the functions that need it.
 * Evaluating this module installs that backend; it has no other effect.
 */
import { installWasm } from "./backends/registry";
import { wasmBackend, withCode } from "./backends/wasm/backend";
import { JOINS, PRODUCTS, SCANS, SEARCHES, SORTING, TRANSFORMS, WINDOWS } from "./backends/wasm/groups";
import { isWasmAvailable } from "./backends/wasm/memory/host";
import * as functions from "./functions";

export * from "./functions";

export const argmax = withCode(functions.argmax, SEARCHES);
export const argmin = withCode(functions.argmin, SEARCHES);
export const argsort = withCode(functions.argsort, SORTING);
export const argwhere = withCode(functions.argwhere, JOINS, SORTING);
export const Batch = withCode(functions.Batch, JOINS);
export const byName = withCode(functions.byName, PRODUCTS, SCANS, SEARCHES, SORTING);
export const compress = withCode(functions.compress, SORTING);
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
export const dot = withCode(functions.dot, PRODUCTS);
export const einsum = withCode(functions.einsum, PRODUCTS);
export const fft = withCode(functions.fft, TRANSFORMS);
export const fft2 = withCode(functions.fft2, TRANSFORMS);
export const fftshift = withCode(functions.fftshift, JOINS);
export const groupBy = withCode(functions.groupBy, JOINS, SCANS, SORTING);
export const ifft = withCode(functions.ifft, TRANSFORMS);
export const ifft2 = withCode(functions.ifft2, TRANSFORMS);
export const ifftshift = withCode(functions.ifftshift, JOINS);
export const irfft = withCode(functions.irfft, JOINS, TRANSFORMS);
export const LinAlg = withCode(functions.LinAlg, PRODUCTS);
export const matmul = withCode(functions.matmul, PRODUCTS);
export const median = withCode(functions.median, SORTING);
export const mode = withCode(functions.mode, SEARCHES, SORTING);
export const nonzero = withCode(functions.nonzero, SORTING);
export const percentile = withCode(functions.percentile, JOINS, SORTING);
export const polyfit = withCode(functions.polyfit, PRODUCTS);
export const quantile = withCode(functions.quantile, JOINS, SORTING);
export const Quantized = withCode(functions.Quantized, SORTING);
export const Random = withCode(functions.Random, JOINS, PRODUCTS, SCANS, SEARCHES, SORTING);
export const resample = withCode(functions.resample, JOINS, SEARCHES, SORTING);
export const rfft = withCode(functions.rfft, TRANSFORMS);
export const roll = withCode(functions.roll, JOINS);
export const rolling = withCode(functions.rolling, JOINS, SEARCHES, SORTING, WINDOWS);
export const segmentMax = withCode(functions.segmentMax, SORTING);
export const segmentMin = withCode(functions.segmentMin, SORTING);
export const segmentProduct = withCode(functions.segmentProduct, SCANS, SORTING);
export const Serving = withCode(functions.Serving, JOINS);
export const shuffle = withCode(functions.shuffle, SORTING);
export const Signal = withCode(functions.Signal, TRANSFORMS);
export const sort = withCode(functions.sort, SORTING);
export const stack = withCode(functions.stack, JOINS);
export const toBatched = withCode(functions.toBatched, JOINS);
export const topK = withCode(functions.topK, SORTING);
export const unique = withCode(functions.unique, JOINS, SCANS, SORTING);
export const unwrap = withCode(functions.unwrap, SCANS);
export const windowMax = withCode(functions.windowMax, WINDOWS);
export const windowMean = withCode(functions.windowMean, WINDOWS);
export const windowMin = withCode(functions.windowMin, WINDOWS);
export const windowProduct = withCode(functions.windowProduct, WINDOWS);
export const windowSum = withCode(functions.windowSum, WINDOWS);

installWasm({ backend: wasmBackend, isAvailable: isWasmAvailable });
