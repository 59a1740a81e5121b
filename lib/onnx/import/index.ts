/**
 * ONNX models as functions of tensors.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Names, type Operand, type Tensor } from "nx-numerics";
import { outside } from "./outside";
import type { OnnxValue } from "../value";
import { readLimits, type Limits, type OnnxLimits } from "./limits";
import { readModel, type Model } from "./model";
import { checkOperators, trainable } from "./needs";
import { kindOf, runModel, Scope } from "./run";
import { Empty, type Value } from "./values";
import { shown } from "../shown";
import { checkNames, describe, type Described } from "./description";

/** Options of {@link fromOnnx}. */
export interface FromOnnxOptions {
  /** Names of the axes of inputs and outputs, by the name of the value; they go before those that the file has. */
  readonly names?: Readonly<Record<string, Names>>;
  /** Bounds of what a file may ask for, see {@link OnnxLimits}. */
  readonly limits?: OnnxLimits;
}

/** What a model is called with: its inputs by name, or in their order, or the only one. */
export type OnnxInputs = Operand | readonly Operand[] | Readonly<Record<string, Operand>>;

/** A model as a function of tensors, made by {@link fromOnnx}. `Nx.defn`, `Nx.grad`, `Nx.Defn.vmap` and `toOnnx` take it as any other. */
export interface OnnxFunction {
  /**
   * The outputs of the model by name.
   *
   * @param inputs - by name, in their order, or the only one
   * @param parameters - tensors in place of some of `parameters`, by name
   */
  (inputs: OnnxInputs, parameters?: Readonly<Record<string, Operand>>): Record<string, Tensor>;
  /** The weights of the model by name: its constants of floats, but for those that say how to compute. */
  readonly parameters: Readonly<Record<string, Tensor>>;
  /** What the model takes, in order; values that the model has itself unless they are given are not among them. */
  readonly inputs: readonly OnnxValue[];
  /** What the model gives, in order. */
  readonly outputs: readonly OnnxValue[];
}

/**
 * Makes a function of tensors of an ONNX model, such as PyTorch, TensorFlow and scikit-learn export: an ordinary one, which compiles,
 * differentiates, vectorizes and is exported again.
 *
 * Its inputs are tensors by name, and so are its outputs; axes have the names that {@link toOnnx} keeps in the file, else those of the
 * dimensions that each call decides, else those of the option `names`. Weights are given as a second argument to be trained. What follows
 * from shapes and constants alone is computed while tracing; a shape that depends on data, such as the number of boxes found, is an error in
 * `defn`, and works in a plain call. Random operators draw the same numbers for the same seed. The guide has the list of operators.
 *
 * @param bytes - the file, of operators up to opset 26; data in other files is not read
 * @param options - `names` of axes, `limits` of what the file may ask for
 * @returns the function, with `parameters`, `inputs` and `outputs`
 * @throws ArgumentError for bytes that are no model, for operators that are not known (all of them are named), and for files beyond the
 *   limits. The function throws for inputs of other types, sizes or names, and where a node fails: the message names it
 * @example
 * ```ts
 * import { fromOnnx } from "nx-numerics/onnx";
 * // y = relu(x @ w), 132 bytes
 * const file =
 *   "CAg6fwoRCgF4CgF3EgFoIgZNYXRNdWwKDAoBaBIBeSIEUmVsdRIBZyojCAIIAxABIhgAAIA/AAAAAAAAgL8AAAAAAACAPwAAAEBCAXdaGQoBeBIUChIIARIOCggSBnNhbXBsZQoCCAJiGQoBeRIUChIIARIOCggSBnNhbXBsZQoCCANCAhAR";
 * const model = fromOnnx(Uint8Array.from(atob(file), (char) => char.charCodeAt(0)), { names: { x: ["sample", "feature"] } });
 * const x = Nx.f32([[1, 2], [3, 4]], { names: ["sample", "feature"] });
 * model({ x }).y!;
 * // => #Nx.Tensor<
 * //   f32[sample: 2][3]
 * //   [
 * //     [1.0, 2.0, 3.0],
 * //     [3.0, 4.0, 5.0]
 * //   ]
 * // >
 * Nx.grad((parameters: Record<string, Nx.Tensor>) => Nx.sum(model({ x }, parameters).y!))(model.parameters).w!;
 * // => #Nx.Tensor<
 * //   f32[2][3]
 * //   [
 * //     [4.0, 4.0, 4.0],
 * //     [6.0, 6.0, 6.0]
 * //   ]
 * // >
 * model({ x: Nx.transpose(x) });
 * // throws ArgumentError: fromOnnx: axis 0 of the input "x" is "sample", got f32[feature: 2][sample: 2]; bring the axes in order
 * ```
 * @example
 * ```ts
 * import { fromOnnx } from "nx-numerics/onnx";
 * fromOnnx(new Uint8Array([1, 2, 3]));
 * // throws ArgumentError: fromOnnx: the bytes are no ONNX model
 * ```
 */
export function fromOnnx(bytes: Uint8Array, options?: FromOnnxOptions): OnnxFunction {
  const { names, limits } = readOptions(options);
  return outside(() => {
    const model = readModel(bytes, limits);
    checkOperators(model);
    const description = describe(model, checkNames(model, names));
    const parameters = trainable(model);
    const call = (inputs: OnnxInputs, replaced?: Readonly<Record<string, Operand>>): Record<string, Tensor> =>
      callModel({ model, limits, description, parameters }, inputs, replaced);
    return Object.assign(call, {
      parameters,
      inputs: description.inputs.map(({ value }) => value),
      outputs: description.outputs.map(({ value }) => value),
    });
  });
}

const OPTIONS = ["names", "limits"];

function readOptions(options: unknown): { readonly names: unknown; readonly limits: Limits } {
  if (options === undefined) return { names: undefined, limits: readLimits(undefined) };
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new ArgumentError(`fromOnnx expects an object of options, got: ${shown(options)}`);
  }
  const unknown = Object.keys(options).find((key) => !OPTIONS.includes(key));
  if (unknown !== undefined)
    throw new ArgumentError(`fromOnnx has no option ${unknown}, only ${OPTIONS.join(" and ")}`);
  const { names, limits } = options as { readonly names?: unknown; readonly limits?: unknown };
  return { names, limits: readLimits(limits) };
}

interface Imported {
  readonly model: Model;
  readonly limits: Limits;
  readonly description: Described;
  readonly parameters: Readonly<Record<string, Tensor>>;
}

function callModel(
  { model, limits, description, parameters }: Imported,
  inputs: OnnxInputs,
  replaced: Readonly<Record<string, Operand>> | undefined,
): Record<string, Tensor> {
  const scope = new Scope(null);
  for (const [name, constant] of model.graph.constants) scope.set(name, constant);
  for (const { value } of description.optional) {
    if (value.dims.includes(0)) scope.set(value.name, new Empty(value.type, value.dims.map(Number)));
  }
  for (const [name, value] of Object.entries(replaced ?? {})) scope.set(name, replacement(name, value, parameters));
  for (const [name, value] of givenInputs(inputs, description, model)) scope.set(name, value);
  const values = runModel(model, limits, scope);
  return Object.fromEntries(description.outputs.map((output, i) => [output.value.name, output.result(values[i]!)]));
}

/** A tensor in place of a weight, of the same shape. */
function replacement(name: string, given: Operand, parameters: Readonly<Record<string, Tensor>>): Tensor {
  const own = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (!own) {
    throw new ArgumentError(
      `fromOnnx: the model has no parameter ${shown(name)}, only ${listed(Object.keys(parameters))}`,
    );
  }
  const value = given instanceof Nx.Tensor ? given : (Nx.tensor(given, { type: own.type }) as Tensor);
  if (value.shape.length === own.shape.length && value.shape.every((size, i) => size === own.shape[i])) {
    return value;
  }
  throw new ArgumentError(
    `fromOnnx: the parameter ${shown(name)} has the shape [${own.shape.join(", ")}], got [${value.shape.join(", ")}]`,
  );
}

const listed = (names: readonly string[]): string =>
  names.length === 0
    ? "none"
    : names.length <= 20
      ? names.map(shown).join(", ")
      : `${names.slice(0, 20).map(shown).join(", ")}, ...`;

function givenInputs(inputs: OnnxInputs, { inputs: known, optional }: Described, model: Model): [string, Value][] {
  const names = known.map(({ value }) => value.name);
  const record = inputsByName(inputs, names);
  const missing = names.filter((name) => !Object.hasOwn(record, name));
  if (missing.length > 0) {
    throw new ArgumentError(
      `fromOnnx: the model needs the input ${listed(missing)}, got ${listed(Object.keys(record))}`,
    );
  }
  return Object.entries(record).map(([name, operand]) => {
    const input = [...known, ...optional].find(({ value }) => value.name === name);
    if (!input) throw new ArgumentError(`fromOnnx: the model has no input ${shown(name)}, it takes ${listed(names)}`);
    const own = model.graph.constants.get(name);
    if (own instanceof Empty) throw new ArgumentError(`fromOnnx: the input ${shown(name)} is ${kindOf(own)}`);
    return [name, input.accept(operand)];
  });
}

function inputsByName(inputs: unknown, names: readonly string[]): Readonly<Record<string, Operand>> {
  const isOne =
    inputs instanceof Nx.Tensor || typeof inputs !== "object" || inputs === null || inputs instanceof Nx.Complex;
  const list = isOne ? [inputs] : Array.isArray(inputs) ? (inputs as unknown[]) : null;
  if (list === null) return inputs as Readonly<Record<string, Operand>>;
  if (inputs === undefined) return {};
  if (list.length !== names.length) {
    throw new ArgumentError(`fromOnnx: the model takes the inputs ${listed(names)}, got ${list.length} in a list`);
  }
  return Object.fromEntries(list.map((value, i) => [names[i]!, value as Operand]));
}
