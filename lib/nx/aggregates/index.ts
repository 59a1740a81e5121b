/**
 * Aggregates: functions that make few values of many. The public functions of the group.
 */
export { argmax, argmin, type ArgOptions, type TieBreak } from "./arg";
export type { NanPolicy } from "../../core/options";
export { allClose, isClose, type ClosenessOptions } from "./closeness";
export type { AxesChoice, AxisChoice } from "./core";
export { mean, standardDeviation, variance, weightedMean, type DdofOptions } from "./statistics";
export { median, mode, type ModeNames } from "./ranked";
export { percentile, quantile, type QuantileMethod, type QuantileNames, type QuantileOptions } from "./quantile";
export { reduce, type ReduceOptions, type Reducer } from "./reduce";
export { all, any, product, reduceMax, reduceMin, sum } from "./reductions";
