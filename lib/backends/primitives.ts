/**
 * Names of primitives that bring their loops: what functions of the API give to `run`. Each stands by itself, so that a bundler drops
 * the loops that no function of a program needs.
 */
import { brings } from "./arrays/on-demand";
import { searches } from "./binary/arg-reduce";
import { convolutions } from "./binary/conv";
import { eye, iota } from "./binary/creation";
import { products } from "./binary/dot";
import { transforms } from "./binary/fft";
import { map, reduce } from "./binary/functions";
import { lookups, putSlice } from "./binary/indexing";
import { pad, reverse } from "./binary/movement";
import { scans } from "./binary/scan";
import { sorting } from "./binary/sorting";
import { windows } from "./binary/windows";

export const IOTA = brings("iota", { iota });
export const EYE = brings("eye", { eye });
export const PAD = brings("pad", { pad });
export const REVERSE = brings("reverse", { reverse });
export const PUT_SLICE = brings("putSlice", { putSlice });
export const MAP = brings("map", { map });
export const REDUCE = brings("reduce", { reduce });
export const CONV = brings("conv", convolutions);
export const DOT = brings("dot", products);
export const FFT = brings("fft", transforms);
export const SORT = brings("sort", sorting);
export const ARGSORT = brings("argsort", sorting);
export const ARG_REDUCE = brings("argReduce", searches);
export const CUMULATIVE = brings("cumulative", scans);
export const TAKE = brings("take", lookups);
export const TAKE_ALONG = brings("takeAlong", lookups);
export const GATHER = brings("gather", lookups);
export const INDEXED = brings("indexed", lookups);
export const WINDOW_OP = brings("windowOp", windows);
export const WINDOW_REDUCE = brings("windowReduce", windows);
export const WINDOW_SCATTER = brings("windowScatter", windows);
