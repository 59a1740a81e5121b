/**
 * The composites of several passes among the functions of this folder, as users call them: entries and methods are made of these.
 */
import * as aggregates from "./aggregates";
import { composite, compositeOfArguments, compositeOfFewPasses, compositeOfOftenCalled } from "./composite";
import * as covariances from "./covariance";
import * as elementwise from "./elementwise";
import * as lines from "./lines";
import * as moments from "./moments";
import * as products from "./ndim/einsum";
import * as normalised from "./softmax";

export const allClose = compositeOfFewPasses(aggregates.allClose);
export const celu = compositeOfFewPasses(elementwise.celu);
export const clamp = composite(elementwise.clamp);
export const clip = composite(elementwise.clip);
export const copysign = compositeOfFewPasses(elementwise.copysign);
export const correlation = compositeOfOftenCalled(covariances.correlation);
export const covariance = compositeOfOftenCalled(covariances.covariance);
export const div = composite(elementwise.div, 2);
export const divide = composite(elementwise.divide, 2);
export const einsum = compositeOfArguments(products.einsum);
export const elu = compositeOfFewPasses(elementwise.elu);
export const gradient = compositeOfFewPasses(lines.gradient);
export const hardSigmoid = composite(elementwise.hardSigmoid, 1);
export const hardTanh = compositeOfFewPasses(elementwise.hardTanh);
export const isClose = compositeOfFewPasses(aggregates.isClose);
export const isFinite = composite(elementwise.isFinite);
export const kurtosis = compositeOfFewPasses(moments.kurtosis);
export const leakyRelu = compositeOfFewPasses(elementwise.leakyRelu);
export const lerp = compositeOfFewPasses(elementwise.lerp);
export const logSigmoid = composite(elementwise.logSigmoid);
export const logSoftmax = compositeOfFewPasses(normalised.logSoftmax, 1);
export const logSumExp = compositeOfFewPasses(normalised.logSumExp, 1);
export const mod = compositeOfFewPasses(elementwise.mod);
export const mode = compositeOfOftenCalled(aggregates.mode, 1);
export const phase = composite(elementwise.phase);
export const relu = compositeOfFewPasses(elementwise.relu);
export const relu6 = compositeOfFewPasses(elementwise.relu6);
export const selu = composite(elementwise.selu, 1);
export const softmax = compositeOfFewPasses(normalised.softmax, 1);
export const softplus = composite(elementwise.softplus, 1);
export const standardDeviation = compositeOfOftenCalled(aggregates.standardDeviation, 1);
export const unwrap = compositeOfOftenCalled(lines.unwrap, 1);
export const variance = compositeOfFewPasses(aggregates.variance, 1);
export const weightedMean = compositeOfFewPasses(aggregates.weightedMean, 2);
export const skewness = compositeOfFewPasses(moments.skewness);
export const trapezoid = compositeOfFewPasses(lines.trapezoid);
export const zscore = compositeOfFewPasses(moments.zscore);
