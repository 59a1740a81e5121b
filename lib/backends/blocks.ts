/** Names of blocks that bring what the backend "binary" does for them. Each stands by itself, so that a bundler drops what no function of a program needs. */
import { drawnFloats, drawnIntegers, drawnWords } from "../kernel/threefry";
import { bringsBlock } from "./binary/native";
import { cosinesOf, halfOfCosines } from "./binary/native/cosines";
import { distinct } from "./binary/native/distinct";
import { nonzero } from "./binary/native/nonzero";
import { segmentExtremes } from "./binary/native/extremes";
import { searchsorted } from "./binary/native/places";
import { argsortAt, ranked } from "./binary/native/ranked";
import { roll } from "./binary/native/roll";
import { threefry2x32, threefryFloats, threefryFolds, threefryIntegers } from "./binary/native/threefry";

export const ARGSORT_AT = bringsBlock("argsortAt", argsortAt);
export const COSINES_OF = bringsBlock("cosinesOf", cosinesOf);
export const DISTINCT = bringsBlock("distinct", distinct);
export const HALF_OF_COSINES = bringsBlock("halfOfCosines", halfOfCosines);
export const NONZERO = bringsBlock("nonzero", nonzero);
export const RANKED = bringsBlock("ranked", ranked);
export const ROLL = bringsBlock("roll", roll);
export const SEARCHSORTED = bringsBlock("searchsorted", searchsorted);
export const SEGMENT_EXTREMES = bringsBlock("segmentExtremes", segmentExtremes);
export const THREEFRY = bringsBlock("threefry2x32", threefry2x32, drawnWords);
export const THREEFRY_FLOATS = bringsBlock("threefryFloats", threefryFloats, drawnFloats);
export const THREEFRY_FOLDS = bringsBlock("threefryFolds", threefryFolds);
export const THREEFRY_INTEGERS = bringsBlock("threefryIntegers", threefryIntegers, drawnIntegers);
