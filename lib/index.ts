/**
 * The public face: every function of the main module as a named export, and the namespaces. In front of each stands an entry,
 * which knows its name. `api.ts` has the same functions with their documentation.
 * Evaluating this module installs the methods of `Tensor`, which lives in the same bundle; it has no other effect.
 */
import * as api from "./api";
import { entry, makerEntry } from "./core/entry";
import { installMethods } from "./nx/methods";

export type * from "./api";
export {
  ArgumentError,
  BINARY_OPS,
  BackendError,
  CUMULATIVE_OPS,
  Complex,
  ConfigError,
  DefnError,
  Heatmap,
  MANY_PRIMITIVES,
  NxError,
  PRIMITIVES,
  REDUCE_OPS,
  ServingError,
  SymbolicTemplate,
  Tensor,
  UNARY_OPS,
  WINDOW_OPS,
  binaryBackend,
  container,
} from "./api";
export * as Batch from "./face/batch";
export * as Constants from "./face/constants";
export * as Defn from "./face/defn";
export * as LinAlg from "./face/linalg";
export * as Quantized from "./face/quantized";
export * as Random from "./face/random";
export * as Serving from "./face/serving";
export * as Type from "./face/type";
export * from "./nx/elsewhere/functions"; // names that raise errors, and name themselves

export const abs = entry("Nx.abs", api.abs);
export const acos = entry("Nx.acos", api.acos);
export const acosh = entry("Nx.acosh", api.acosh);
export const add = entry("Nx.add", api.add);
export const align = entry("Nx.align", api.align, Infinity);
export const all = entry("Nx.all", api.all);
export const allClose = entry("Nx.allClose", api.allClose);
export const any = entry("Nx.any", api.any);
export const argmax = entry("Nx.argmax", api.argmax);
export const argmin = entry("Nx.argmin", api.argmin);
export const argsort = entry("Nx.argsort", api.argsort);
export const asType = entry("Nx.asType", api.asType);
export const asin = entry("Nx.asin", api.asin);
export const asinh = entry("Nx.asinh", api.asinh);
export const atan = entry("Nx.atan", api.atan);
export const atan2 = entry("Nx.atan2", api.atan2);
export const atanh = entry("Nx.atanh", api.atanh);
export const axes = entry("Nx.axes", api.axes);
export const axisIndex = entry("Nx.axisIndex", api.axisIndex);
export const axisSize = entry("Nx.axisSize", api.axisSize);
export const backendCopy = entry("Nx.backendCopy", api.backendCopy, 2);
export const backendDeallocate = entry("Nx.backendDeallocate", api.backendDeallocate);
export const backendTransfer = entry("Nx.backendTransfer", api.backendTransfer, 2);
export const bf16 = entry("Nx.bf16", api.bf16);
export const bitcast = entry("Nx.bitcast", api.bitcast);
export const bitwiseAnd = entry("Nx.bitwiseAnd", api.bitwiseAnd);
export const bitwiseNot = entry("Nx.bitwiseNot", api.bitwiseNot);
export const bitwiseOr = entry("Nx.bitwiseOr", api.bitwiseOr);
export const bitwiseXor = entry("Nx.bitwiseXor", api.bitwiseXor);
export const broadcast = entry("Nx.broadcast", api.broadcast);
export const byteSize = entry("Nx.byteSize", api.byteSize);
export const c128 = entry("Nx.c128", api.c128);
export const c64 = entry("Nx.c64", api.c64);
export const cbrt = entry("Nx.cbrt", api.cbrt);
export const ceil = entry("Nx.ceil", api.ceil);
export const celu = entry("Nx.celu", api.celu);
export const clamp = entry("Nx.clamp", api.clamp);
export const clip = entry("Nx.clip", api.clip);
export const complex = entry("Nx.complex", api.complex);
export const concatenate = entry("Nx.concatenate", api.concatenate);
export const configure = entry("Nx.configure", api.configure);
export const configureFromFile = entry("Nx.configureFromFile", api.configureFromFile);
export const conjugate = entry("Nx.conjugate", api.conjugate);
export const conv = entry("Nx.conv", api.conv);
export const copysign = entry("Nx.copysign", api.copysign);
export const cos = entry("Nx.cos", api.cos);
export const cosh = entry("Nx.cosh", api.cosh);
export const countLeadingZeros = entry("Nx.countLeadingZeros", api.countLeadingZeros);
export const cumulativeMax = entry("Nx.cumulativeMax", api.cumulativeMax);
export const cumulativeMin = entry("Nx.cumulativeMin", api.cumulativeMin);
export const cumulativeProduct = entry("Nx.cumulativeProduct", api.cumulativeProduct);
export const cumulativeSum = entry("Nx.cumulativeSum", api.cumulativeSum);
export const defaultBackend = entry("Nx.defaultBackend", api.defaultBackend);
export const defn = makerEntry("Nx.defn", api.defn);
export const deserialize = entry("Nx.deserialize", api.deserialize);
export const devectorize = entry("Nx.devectorize", api.devectorize);
export const divide = entry("Nx.divide", api.divide);
export const dot = entry("Nx.dot", api.dot, 6);
export const elu = entry("Nx.elu", api.elu);
export const equal = entry("Nx.equal", api.equal);
export const erf = entry("Nx.erf", api.erf);
export const erfInv = entry("Nx.erfInv", api.erfInv);
export const erfc = entry("Nx.erfc", api.erfc);
export const exp = entry("Nx.exp", api.exp);
export const exp2 = entry("Nx.exp2", api.exp2);
export const expm1 = entry("Nx.expm1", api.expm1);
export const eye = entry("Nx.eye", api.eye);
export const f16 = entry("Nx.f16", api.f16);
export const f32 = entry("Nx.f32", api.f32);
export const f64 = entry("Nx.f64", api.f64);
export const fft = entry("Nx.fft", api.fft);
export const fft2 = entry("Nx.fft2", api.fft2);
export const fill = entry("Nx.fill", api.fill);
export const flatten = entry("Nx.flatten", api.flatten);
export const floor = entry("Nx.floor", api.floor);
export const fromBinary = entry("Nx.fromBinary", api.fromBinary);
export const fromMessage = entry("Nx.fromMessage", api.fromMessage);
export const gather = entry("Nx.gather", api.gather);
export const gelu = entry("Nx.gelu", api.gelu);
export const geluTanh = entry("Nx.geluTanh", api.geluTanh);
export const globalDefaultBackend = entry("Nx.globalDefaultBackend", api.globalDefaultBackend);
export const grad = makerEntry("Nx.Defn.grad", api.grad);
export const greater = entry("Nx.greater", api.greater);
export const greaterEqual = entry("Nx.greaterEqual", api.greaterEqual);
export const hardSigmoid = entry("Nx.hardSigmoid", api.hardSigmoid);
export const hardSwish = entry("Nx.hardSwish", api.hardSwish);
export const hardTanh = entry("Nx.hardTanh", api.hardTanh);
export const host = entry("Nx.host", api.host);
export const idiv = entry("Nx.idiv", api.idiv);
export const ifft = entry("Nx.ifft", api.ifft);
export const ifft2 = entry("Nx.ifft2", api.ifft2);
export const imag = entry("Nx.imag", api.imag);
export const indexedAdd = entry("Nx.indexedAdd", api.indexedAdd);
export const indexedPut = entry("Nx.indexedPut", api.indexedPut);
export const inspect = entry("Nx.inspect", api.inspect);
export const iota = entry("Nx.iota", api.iota);
export const irfft = entry("Nx.irfft", api.irfft);
export const isCompatible = entry("Nx.isCompatible", api.isCompatible);
export const isFinite = entry("Nx.isFinite", api.isFinite);
export const isInfinity = entry("Nx.isInfinity", api.isInfinity);
export const isNan = entry("Nx.isNan", api.isNan);
export const isTensor = entry("Nx.isTensor", api.isTensor);
export const leakyRelu = entry("Nx.leakyRelu", api.leakyRelu);
export const leftShift = entry("Nx.leftShift", api.leftShift);
export const lerp = entry("Nx.lerp", api.lerp);
export const less = entry("Nx.less", api.less);
export const lessEqual = entry("Nx.lessEqual", api.lessEqual);
export const linspace = entry("Nx.linspace", api.linspace);
export const loadNumpy = entry("Nx.loadNumpy", api.loadNumpy);
export const loadNumpyArchive = entry("Nx.loadNumpyArchive", api.loadNumpyArchive);
export const loadSafetensors = entry("Nx.loadSafetensors", api.loadSafetensors);
export const log = entry("Nx.log", api.log);
export const log10 = entry("Nx.log10", api.log10);
export const log1p = entry("Nx.log1p", api.log1p);
export const log2 = entry("Nx.log2", api.log2);
export const logAddExp = entry("Nx.logAddExp", api.logAddExp);
export const logSigmoid = entry("Nx.logSigmoid", api.logSigmoid);
export const logSoftmax = entry("Nx.logSoftmax", api.logSoftmax);
export const logicalAnd = entry("Nx.logicalAnd", api.logicalAnd);
export const logicalNot = entry("Nx.logicalNot", api.logicalNot);
export const logicalOr = entry("Nx.logicalOr", api.logicalOr);
export const logicalXor = entry("Nx.logicalXor", api.logicalXor);
export const makeDiagonal = entry("Nx.makeDiagonal", api.makeDiagonal);
export const map = entry("Nx.map", api.map);
export const max = entry("Nx.max", api.max);
export const mean = entry("Nx.mean", api.mean);
export const median = entry("Nx.median", api.median);
export const min = entry("Nx.min", api.min);
export const mish = entry("Nx.mish", api.mish);
export const mod = entry("Nx.mod", api.mod);
export const mode = entry("Nx.mode", api.mode);
export const multiply = entry("Nx.multiply", api.multiply);
export const names = entry("Nx.names", api.names);
export const negate = entry("Nx.negate", api.negate);
export const newAxis = entry("Nx.newAxis", api.newAxis);
export const notEqual = entry("Nx.notEqual", api.notEqual);
export const outer = entry("Nx.outer", api.outer);
export const pad = entry("Nx.pad", api.pad);
export const phase = entry("Nx.phase", api.phase);
export const populationCount = entry("Nx.populationCount", api.populationCount);
export const pow = entry("Nx.pow", api.pow);
export const product = entry("Nx.product", api.product);
export const putDiagonal = entry("Nx.putDiagonal", api.putDiagonal);
export const putSlice = entry("Nx.putSlice", api.putSlice);
export const quickGelu = entry("Nx.quickGelu", api.quickGelu);
export const quotient = entry("Nx.quotient", api.quotient);
export const randomNormal = entry("Nx.randomNormal", api.randomNormal, 4);
export const randomUniform = entry("Nx.randomUniform", api.randomUniform, 4);
export const range = entry("Nx.range", api.range);
export const rank = entry("Nx.rank", api.rank);
export const read = entry("Nx.read", api.read);
export const real = entry("Nx.real", api.real);
export const reciprocal = entry("Nx.reciprocal", api.reciprocal);
export const reduce = entry("Nx.reduce", api.reduce);
export const reduceMax = entry("Nx.reduceMax", api.reduceMax);
export const reduceMin = entry("Nx.reduceMin", api.reduceMin);
export const reflect = entry("Nx.reflect", api.reflect);
export const registerBackend = entry("Nx.registerBackend", api.registerBackend);
export const relu = entry("Nx.relu", api.relu);
export const relu6 = entry("Nx.relu6", api.relu6);
export const remainder = entry("Nx.remainder", api.remainder);
export const rename = entry("Nx.rename", api.rename);
export const reshape = entry("Nx.reshape", api.reshape);
export const revectorize = entry("Nx.revectorize", api.revectorize);
export const reverse = entry("Nx.reverse", api.reverse);
export const rfft = entry("Nx.rfft", api.rfft);
export const rightShift = entry("Nx.rightShift", api.rightShift);
export const round = entry("Nx.round", api.round);
export const roundEven = entry("Nx.roundEven", api.roundEven);
export const rsqrt = entry("Nx.rsqrt", api.rsqrt);
export const s16 = entry("Nx.s16", api.s16);
export const s32 = entry("Nx.s32", api.s32);
export const s64 = entry("Nx.s64", api.s64);
export const s8 = entry("Nx.s8", api.s8);
export const safetensorsInfo = entry("Nx.safetensorsInfo", api.safetensorsInfo);
export const select = entry("Nx.select", api.select);
export const selu = entry("Nx.selu", api.selu);
export const serialize = entry("Nx.serialize", api.serialize);
export const shape = entry("Nx.shape", api.shape);
export const shuffle = entry("Nx.shuffle", api.shuffle);
export const sigmoid = entry("Nx.sigmoid", api.sigmoid);
export const sign = entry("Nx.sign", api.sign);
export const silu = entry("Nx.silu", api.silu);
export const sin = entry("Nx.sin", api.sin);
export const sinh = entry("Nx.sinh", api.sinh);
export const size = entry("Nx.size", api.size);
export const slice = entry("Nx.slice", api.slice);
export const sliceAlongAxis = entry("Nx.sliceAlongAxis", api.sliceAlongAxis);
export const softmax = entry("Nx.softmax", api.softmax);
export const softplus = entry("Nx.softplus", api.softplus);
export const softsign = entry("Nx.softsign", api.softsign);
export const sort = entry("Nx.sort", api.sort);
export const sqrt = entry("Nx.sqrt", api.sqrt);
export const square = entry("Nx.square", api.square);
export const squeeze = entry("Nx.squeeze", api.squeeze);
export const stack = entry("Nx.stack", api.stack);
export const standardDeviation = entry("Nx.standardDeviation", api.standardDeviation);
export const subtract = entry("Nx.subtract", api.subtract);
export const sum = entry("Nx.sum", api.sum);
export const swish = entry("Nx.swish", api.swish);
export const take = entry("Nx.take", api.take);
export const takeAlongAxis = entry("Nx.takeAlongAxis", api.takeAlongAxis);
export const takeDiagonal = entry("Nx.takeDiagonal", api.takeDiagonal);
export const tan = entry("Nx.tan", api.tan);
export const tanh = entry("Nx.tanh", api.tanh);
export const template = entry("Nx.template", api.template);
export const tensor = entry("Nx.tensor", api.tensor);
export const tidy = entry("Nx.tidy", api.tidy);
export const tile = entry("Nx.tile", api.tile);
export const toBatched = entry("Nx.toBatched", api.toBatched);
export const toBinary = entry("Nx.toBinary", api.toBinary);
export const toFlatList = entry("Nx.toFlatList", api.toFlatList);
export const toHeatmap = entry("Nx.toHeatmap", api.toHeatmap);
export const toList = entry("Nx.toList", api.toList);
export const toMessage = entry("Nx.toMessage", api.toMessage);
export const toNumber = entry("Nx.toNumber", api.toNumber);
export const toNumpy = entry("Nx.toNumpy", api.toNumpy);
export const toNumpyArchive = entry("Nx.toNumpyArchive", api.toNumpyArchive);
export const toSafetensors = entry("Nx.toSafetensors", api.toSafetensors);
export const toTemplate = entry("Nx.toTemplate", api.toTemplate);
export const toTensor = entry("Nx.toTensor", api.toTensor);
export const toTypedArray = entry("Nx.toTypedArray", api.toTypedArray);
export const topK = entry("Nx.topK", api.topK);
export const transpose = entry("Nx.transpose", api.transpose);
export const trunc = entry("Nx.trunc", api.trunc);
export const type = entry("Nx.type", api.type);
export const u16 = entry("Nx.u16", api.u16);
export const u32 = entry("Nx.u32", api.u32);
export const u64 = entry("Nx.u64", api.u64);
export const u8 = entry("Nx.u8", api.u8);
export const valueAndGrad = makerEntry("Nx.Defn.valueAndGrad", api.valueAndGrad);
export const variance = entry("Nx.variance", api.variance);
export const vectorize = entry("Nx.vectorize", api.vectorize);
export const weightedMean = entry("Nx.weightedMean", api.weightedMean);
export const where = entry("Nx.where", api.where);
export const windowMax = entry("Nx.windowMax", api.windowMax);
export const windowMean = entry("Nx.windowMean", api.windowMean);
export const windowMin = entry("Nx.windowMin", api.windowMin);
export const windowProduct = entry("Nx.windowProduct", api.windowProduct);
export const windowReduce = entry("Nx.windowReduce", api.windowReduce);
export const windowScatterMax = entry("Nx.windowScatterMax", api.windowScatterMax);
export const windowScatterMin = entry("Nx.windowScatterMin", api.windowScatterMin);
export const windowSum = entry("Nx.windowSum", api.windowSum);
export const withDefaultBackend = entry("Nx.withDefaultBackend", api.withDefaultBackend);
export const withFloatType = entry("Nx.withFloatType", api.withFloatType);
export const withPromotion = entry("Nx.withPromotion", api.withPromotion);

installMethods();
