/**
 * `toOnnx`: a function of tensors as an ONNX model.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Defn, type DType, type Templates } from "nx-numerics";
import { shown } from "../shown";
import type { OnnxValue } from "../value";
import { dynamicBody } from "./dynamic";
import { bodyOf } from "./graph";
import { modelBytes } from "./write";

/** Options of {@link toOnnx}. */
export interface ToOnnxOptions {
  /** The version of the operators, from 18 to 26; 22 by default. */
  readonly opset?: number;
  /** Names of the inputs in the order of the arguments, containers flattened. */
  readonly inputNames?: readonly string[];
  /** Names of the outputs in the order of the results, containers flattened. */
  readonly outputNames?: readonly string[];
  /**
   * Whether further operations meet the differences of onnxruntime that are known (by default); with `false` models are smaller and
   * faster, and `notes` has what may differ.
   */
  readonly strict?: boolean;
  /** The type in which tensors of `bf16` go in and come out, for engines that have none at the boundary, such as onnxruntime; within, they stay. */
  readonly boundary?: { readonly bf16: "f32" };
}

/** A function as an ONNX model. */
export interface OnnxModel {
  /** The file. */
  readonly bytes: Uint8Array;
  /** The version of the operators. */
  readonly opset: number;
  /** What the model takes, in the order of the arguments, containers flattened. */
  readonly inputs: readonly OnnxValue[];
  /** What the model gives, in the order of the results, containers flattened. */
  readonly outputs: readonly OnnxValue[];
  /** Where results may differ from those of the function. */
  readonly notes: readonly string[];
}

const [FIRST_OPSET, LAST_OPSET] = [18, 26];

/**
 * Writes a function of tensors as an ONNX model, which onnxruntime and other engines run: any function that `Nx.defn` takes, gradients,
 * loops, branches and random numbers among them.
 *
 * Names of sizes in templates become dynamic dimensions: the function is traced at several sizes, and what depends on them is computed
 * from the shapes of the inputs. Names of axes are kept with each input and output. What ONNX has no operators for is made of others;
 * complex numbers, Fourier transforms, matrix decompositions and functions that are called at run time are errors.
 *
 * @param fn - as for `Nx.defn`
 * @param templates - as for `Nx.Defn.compile`: a template, tensor or number for each argument, or a container of them
 * @param options - `opset`: 18 to 26, 22 by default; `inputNames`, `outputNames`; `strict`: whether known differences of onnxruntime are met by
 *   further operations, `true` by default; `boundary`: `{ bf16: "f32" }` where an engine takes no `bf16`
 * @returns the bytes of the file, what it takes and gives, and notes where results may differ
 * @throws ArgumentError for what has no equivalent, with the line of the program it stands in; DefnError as `Nx.defn` does
 * @example
 * ```ts
 * import { toOnnx } from "nx-numerics/onnx";
 * const mean = (t: Nx.Tensor) => t.mean({ axes: ["time"] });
 * const model = toOnnx(mean, [Nx.template(["n", 3], "f32", { names: ["time", "sensor"] })], { outputNames: ["mean"] });
 * model.inputs[0];
 * // => { name: "input0", type: "f32", dims: ["n", 3], names: ["time", "sensor"] }
 * model.outputs[0];
 * // => { name: "mean", type: "f32", dims: [3], names: ["sensor"] }
 * model.bytes.length < 500;
 * // => true
 * ```
 * @example
 * ```ts
 * import { toOnnx } from "nx-numerics/onnx";
 * toOnnx((t: Nx.Tensor) => Nx.fft(t).abs(), [Nx.template([8], "f32")]);
 * // throws ArgumentError: toOnnx: Fourier transforms have no equivalent
 * ```
 */
export function toOnnx<A extends readonly unknown[]>(
  fn: (...args: A) => unknown,
  templates: A | Templates<A>,
  options: ToOnnxOptions = {},
): OnnxModel {
  const { opset, isStrict, outerType } = checked(options);
  const notes = new Set<string>();
  const settings = { opset, isStrict, notes };
  const traced = Nx.Defn.toGraph(fn, templates as A);
  const isDynamic = Object.keys(traced.sizes).length > 0;
  const { body, dims, varying } = isDynamic
    ? dynamicBody(fn, templates, traced, settings)
    : {
        body: bodyOf(traced, { ...settings, isDynamic }),
        dims: traced.outputs.map(({ shape }) => shape),
        varying: undefined,
      };
  const inputs = valuesOf("inputNames", options.inputNames, traced.inputs, traced.inputs.map(inputName), outerType); // prettier-ignore
  const results = traced.outputs.map((output, i) => ({ ...output, shape: dims[i]! }));
  const outputs = valuesOf("outputNames", options.outputNames, results, traced.outputs.map(outputName), outerType);
  refuseSameNames([...inputs, ...outputs]);
  const bytes = modelBytes({ body, opset, inputs, outputs, ...(varying && { varying }) });
  return { bytes, opset, inputs, outputs, notes: [...notes] };
}

const KNOWN: readonly string[] = ["opset", "inputNames", "outputNames", "strict", "boundary"];

interface Settings {
  readonly opset: number;
  readonly isStrict: boolean;
  /** The type in which a type goes in and comes out. */
  readonly outerType: (type: DType) => DType;
}

function checked(options: ToOnnxOptions): Settings {
  if (typeof options !== "object" || options === null)
    throw new ArgumentError(`toOnnx expects an object of options, got: ${shown(options)}`);
  const wrong = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (wrong !== undefined) throw new ArgumentError(`toOnnx has no option ${wrong}; it has ${KNOWN.join(", ")}`);
  const { opset = 22, strict = true, boundary } = options;
  if (!Number.isInteger(opset) || opset < FIRST_OPSET || opset > LAST_OPSET) {
    throw new ArgumentError(
      `option opset of toOnnx must be an integer from ${FIRST_OPSET} to ${LAST_OPSET}, got: ${shown(opset)}`,
    );
  }
  if (typeof strict !== "boolean")
    throw new ArgumentError(`option strict of toOnnx must be true or false, got: ${shown(strict)}`);
  if (boundary !== undefined && (boundary as { readonly bf16?: unknown } | null)?.bf16 !== "f32")
    throw new ArgumentError(`option boundary of toOnnx must be { bf16: "f32" }, got: ${shown(boundary)}`);
  return { opset, isStrict: strict, outerType: (type) => (type === "bf16" ? (boundary?.bf16 ?? type) : type) };
}

/** Names of ONNX have letters, digits and _. */
const joined = (parts: readonly (string | number)[]): string =>
  parts.map((part) => String(part).replace(/[^A-Za-z0-9_]/g, "_")).join("_");

const inputName = ({ path: [argument, ...keys] }: Defn.GraphValue): string => joined([`input${argument!}`, ...keys]);

const outputName = ({ path: [first, ...keys] }: Defn.GraphValue): string =>
  typeof first === "string" ? joined(["output", first, ...keys]) : joined([`output${first ?? 0}`, ...keys]);

type Ends = readonly (Pick<Defn.GraphValue, "type" | "names"> & { readonly shape: OnnxValue["dims"] })[];

function valuesOf(
  option: string,
  given: readonly string[] | undefined,
  ends: Ends,
  names: readonly string[],
  outerType: (type: DType) => DType,
): OnnxValue[] {
  if (
    given !== undefined &&
    (!Array.isArray(given) ||
      given.length !== ends.length ||
      given.some((name) => typeof name !== "string" || name === ""))
  ) {
    throw new ArgumentError(
      `option ${option} of toOnnx expects ${ends.length} names, for ${names.join(", ")}; got: ${shown(given)}`,
    );
  }
  return ends.map(({ type, shape, names: axes }, i) => ({
    name: given?.[i] ?? unique(names, i),
    type: outerType(type),
    dims: [...shape],
    names: [...axes],
  }));
}

/** A number given as an argument is an input in each type that it is used in. */
const unique = (names: readonly string[], i: number): string => {
  const before = names.slice(0, i).filter((name) => name === names[i]).length;
  return before === 0 ? names[i]! : `${names[i]!}_${before + 1}`;
};

function refuseSameNames(values: readonly OnnxValue[]): void {
  const names = values.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new ArgumentError(
      `toOnnx was given the name ${JSON.stringify(twice)} twice; inputs and outputs need names of their own`,
    );
}
