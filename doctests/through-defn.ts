/**
 * The public face once more, with every numeric function going through `Nx.Defn.jit`: a call is traced into a graph of
 * its own, and the graph is run. Examples that pass here show that tracing changes no result, no name and no error.
 */

import * as Nx from "nx-numerics";
import { calledAs } from "../lib/core/entry";

type AnyFunction = (...args: unknown[]) => unknown;

const VALUES = "gives values of JavaScript, which a graph does not have before it runs";
const KNOWN = "gives what type, shape and names tell, not a tensor";
const DATA = "makes a tensor of data of JavaScript, which is not part of a graph";
const BACKEND = "is about where tensors lie, and a graph has no place";
const TEMPLATE = "makes or compares tensors without data";
const WRAPPER = "takes functions and traces them itself";
const KEYLESS = "draws a key at each call, which a graph would keep";
const FINDS = "finds as many elements as there are, which a graph has to be told by the option size";
const GROUPS = "gives an object whose methods compute; within a traced function it is part of the graph";
const NUMBERS = "gives plain numbers, made of plain numbers";
const SETTING = "is about the program, not about tensors";

/** Exports that are called as they are, each with the reason. Classes and namespaces are always left as they are. */
export const UNTRACED: Readonly<Record<string, string>> = {
  argwhere: FINDS,
  compress: FINDS,
  nonzero: FINDS,
  unique: FINDS,
  digitize: "refuses edges that do not ascend, which a graph does not see before it runs",
  groupBy: GROUPS,
  resample: GROUPS,
  rolling: GROUPS,
  item: VALUES,
  print: VALUES,
  formula: "is known by its place in the source, which a static argument is not",
  toNumber: VALUES,
  toNumbers: VALUES,
  toFloat64Array: VALUES,
  toList: VALUES,
  toFlatList: VALUES,
  toBinary: VALUES,
  toTypedArray: VALUES,
  read: VALUES,
  toBatched: VALUES,
  toHeatmap: VALUES,
  inspect: VALUES,
  axes: KNOWN,
  axisIndex: KNOWN,
  axisSize: KNOWN,
  bitSize: KNOWN,
  byteSize: KNOWN,
  isCompatible: KNOWN,
  names: KNOWN,
  rank: KNOWN,
  shape: KNOWN,
  size: KNOWN,
  isTensor: KNOWN,
  type: KNOWN,
  serialize: VALUES,
  toMessage: VALUES,
  toNumpy: VALUES,
  toNumpyArchive: VALUES,
  toSafetensors: VALUES,
  deserialize: DATA,
  fromMessage: DATA,
  loadNumpy: DATA,
  loadNumpyArchive: DATA,
  loadSafetensors: DATA,
  safetensorsInfo: DATA,
  tensor: DATA,
  fromBinary: DATA,
  template: TEMPLATE,
  toTemplate: TEMPLATE,
  backendCopy: BACKEND,
  backendDeallocate: BACKEND,
  evaluate: BACKEND,
  explain: BACKEND,
  profile: BACKEND,
  backendTransfer: BACKEND,
  registerBackend: BACKEND,
  defaultBackend: BACKEND,
  globalDefaultBackend: BACKEND,
  tidy: BACKEND,
  withDefaultBackend: BACKEND,
  randomUniform: KEYLESS,
  randomNormal: KEYLESS,
  shuffle: KEYLESS,
  defn: WRAPPER,
  grad: WRAPPER,
  valueAndGrad: WRAPPER,
  configure: SETTING,
  withFloatType: SETTING,
  host: SETTING,
  range: SETTING,
  "Signal.butter": NUMBERS,
};

const isClass = (value: AnyFunction): boolean => /^class\b/.test(Function.prototype.toString.call(value));

/** Namespaces of functions of tensors. */
const NAMESPACES: readonly string[] = ["Constants", "LinAlg", "Random", "Signal", "byName"];

const isTraced = (name: string, value: unknown): value is AnyFunction =>
  typeof value === "function" && !Object.hasOwn(UNTRACED, name) && !isClass(value as AnyFunction);

/** The face whose functions are traced. */
export const throughDefn: object = tracedFace(Nx, "");

function tracedFace(face: object, prefix: string): object {
  const entries = Object.entries(face).map(([key, value]: [string, unknown]) => {
    if (NAMESPACES.includes(prefix + key)) return [key, tracedFace(value as object, `${key}.`)] as const;
    return [key, isTraced(prefix + key, value) ? traced(`Nx.${prefix}${key}`, value) : value] as const;
  });
  return Object.fromEntries(entries);
}

/** The tensors among the arguments become parameters of the traced function; all else it holds on to. */
function traced(name: string, fn: AnyFunction): AnyFunction {
  const call = (...args: unknown[]): unknown => {
    const tensors: Nx.Tensor[] = [];
    const slots = args.map((arg) => slot(arg, tensors));
    const compiled = Nx.Defn.jit((...given: Nx.Tensor[]) => fn(...slots.map((fill) => fill(given))));
    return calledAs(name, () => compiled(...tensors)); // errors name the function, as those of the face do
  };
  return Object.defineProperty(call, "name", { value: fn.name });
}

/** Notes the tensors of an argument, be it one or an array of them, and says how to put others in their place. */
function slot(arg: unknown, tensors: Nx.Tensor[]): (given: readonly Nx.Tensor[]) => unknown {
  if (arg instanceof Nx.Tensor) {
    const i = tensors.push(arg) - 1;
    return (given) => given[i];
  }
  if (!Array.isArray(arg)) return () => arg;
  const slots = arg.map((item) => slot(item, tensors));
  return (given) => slots.map((fill) => fill(given));
}
