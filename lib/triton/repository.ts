/**
 * A model as files that Triton serves.
 */
import { ArgumentError, type DType } from "nx-numerics";
import { NAMES_KEY } from "./client";
import { shown } from "./error";
import { DATATYPES, type WireType } from "./types";

/** An input or an output of a model, as `toOnnx` of `nx-numerics/onnx` describes it. */
export interface ModelValue {
  readonly name: string;
  readonly type: DType;
  /** The size of each axis; a name or null where each request decides. */
  readonly dims: readonly (number | string | null)[];
  readonly names: readonly (string | null)[];
}

/** A model as a file of ONNX, as `toOnnx` gives it. */
export interface ModelFile {
  readonly bytes: Uint8Array;
  readonly inputs: readonly ModelValue[];
  readonly outputs: readonly ModelValue[];
}

/** Options of {@link tritonModel}. */
export interface TritonModelOptions {
  /** The name under which the model is served, and of its folder. */
  readonly name: string;
  /**
   * Entries that the server may put into one batch: the first axis of each input and output is then that of the entries, and of no
   * fixed size. 0 by default: requests are computed one by one, with their shapes as they are.
   */
  readonly maxBatchSize?: number;
  /** The number of the version, 1 by default. */
  readonly version?: number;
}

/**
 * The files of a model repository of NVIDIA's Triton: the configuration and the ONNX file, by their paths.
 *
 * The configuration keeps the names of the axes, which {@link triton} gives to the outputs. A program writes the files below the folder
 * that `tritonserver --model-repository` is started with.
 *
 * @param model - what `toOnnx` of `nx-numerics/onnx` gives: `bytes`, `inputs` and `outputs`
 * @param options - `name` (required); `maxBatchSize`, 0 by default; `version`, 1 by default
 * @returns the bytes of `NAME/config.pbtxt` and `NAME/1/model.onnx` by these paths
 * @throws ArgumentError for names that are no folder, complex inputs and outputs, and batches of models whose first axes have fixed sizes
 * @example
 * ```ts
 * import { tritonModel } from "nx-numerics/triton";
 * const image = { name: "image", type: "f32", dims: ["batch", 28, 28], names: ["batch", "y", "x"] } as const;
 * const scores = { name: "scores", type: "f32", dims: ["batch", 10], names: ["batch", "digit"] } as const;
 * const files = tritonModel({ bytes: new Uint8Array(3), inputs: [image], outputs: [scores] }, { name: "digits", maxBatchSize: 8 });
 * Object.keys(files);
 * // => ["digits/config.pbtxt", "digits/1/model.onnx"]
 * new TextDecoder().decode(files["digits/config.pbtxt"]).split("\n").slice(0, 8);
 * // => [
 * //   'name: "digits"',
 * //   'backend: "onnxruntime"',
 * //   'max_batch_size: 8',
 * //   'input [',
 * //   '  { name: "image" data_type: TYPE_FP32 dims: [ 28, 28 ] }',
 * //   ']',
 * //   'output [',
 * //   '  { name: "scores" data_type: TYPE_FP32 dims: [ 10 ] }',
 * // ]
 * ```
 * @example
 * ```ts
 * import { tritonModel } from "nx-numerics/triton";
 * const x = { name: "x", type: "f32", dims: [3], names: ["row"] } as const;
 * tritonModel({ bytes: new Uint8Array(3), inputs: [x], outputs: [x] }, { name: "double", maxBatchSize: 8 });
 * // throws ArgumentError: option maxBatchSize of tritonModel needs a first axis whose size each request decides, got x: f32[row: 3]; export the function with a template such as [["batch", ...]], or leave maxBatchSize out
 * ```
 */
export function tritonModel(model: ModelFile, options: TritonModelOptions): Record<string, Uint8Array> {
  const { name, maxBatchSize, version } = checked(model, options);
  const side = (values: readonly ModelValue[]): string =>
    values.map((value) => `  ${configOf(value, maxBatchSize > 0)}`).join(",\n");
  const lines = [
    `name: ${JSON.stringify(name)}`,
    `backend: "onnxruntime"`,
    `max_batch_size: ${maxBatchSize}`,
    `input [\n${side(model.inputs)}\n]`,
    `output [\n${side(model.outputs)}\n]`,
    ...(maxBatchSize > 0 ? ["dynamic_batching { }"] : []),
    ...namesIn([...model.inputs, ...model.outputs]),
  ];
  return {
    [`${name}/config.pbtxt`]: asciiBytes(`${lines.join("\n")}\n`),
    [`${name}/${version}/model.onnx`]: model.bytes,
  };
}

function checked(model: ModelFile, options: TritonModelOptions): Required<TritonModelOptions> {
  const { name, maxBatchSize = 0, version = 1, ...others } = options ?? {};
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new ArgumentError(`tritonModel takes the options name, maxBatchSize, version, got: ${unknown}`);
  if (!(model?.bytes instanceof Uint8Array) || !Array.isArray(model.inputs) || !Array.isArray(model.outputs)) {
    throw new ArgumentError("tritonModel expects what toOnnx of nx-numerics/onnx gives: { bytes, inputs, outputs }");
  }
  const wrong = [...(model.inputs as unknown[]), ...(model.outputs as unknown[])].findIndex((value) => !isValue(value));
  if (wrong >= 0) {
    const value: unknown = [...model.inputs, ...model.outputs][wrong];
    throw new ArgumentError(
      `tritonModel expects inputs and outputs as toOnnx gives them, { name, type, dims, names }, got: ${shown(value)}`,
    );
  }
  if (typeof name !== "string" || !/^[\w][\w.-]*$/.test(name)) {
    throw new ArgumentError(
      `option name of tritonModel must be a name of letters, digits, "_", "-" and ".", which a folder can have, got: ${shown(name)}`,
    );
  }
  const isCount = (value: number, least: number): boolean =>
    Number.isInteger(value) && value >= least && value < 2 ** 31;
  if (!isCount(maxBatchSize, 0)) {
    throw new ArgumentError(
      `option maxBatchSize of tritonModel must be an integer of at least 0, got: ${shown(maxBatchSize)}`,
    );
  }
  if (!isCount(version, 1)) {
    throw new ArgumentError(`option version of tritonModel must be an integer of at least 1, got: ${shown(version)}`);
  }
  return { name, maxBatchSize, version };
}

function isValue(value: unknown): value is ModelValue {
  const { name, type, dims, names } = (value ?? {}) as Readonly<Record<keyof ModelValue, unknown>>;
  const isText = (one: unknown): boolean => one === null || typeof one === "string";
  const isType = typeof type === "string" && (Object.hasOwn(DATATYPES, type) || type === "c64" || type === "c128");
  const isDims = Array.isArray(dims) && dims.every((dim) => isText(dim) || Number.isSafeInteger(dim));
  const isNames = Array.isArray(names) && names.every(isText);
  return typeof name === "string" && name !== "" && isType && isDims && isNames;
}

/** A value of the model in the configuration. An axis of the entries is left out, as the server adds it. */
function configOf(value: ModelValue, isBatched: boolean): string {
  const { name, type, dims } = value;
  if (type === "c64" || type === "c128") {
    throw new ArgumentError(`tritonModel cannot serve ${textOf(value)}: no server has complex numbers`);
  }
  if (isBatched && (dims.length === 0 || typeof dims[0] === "number")) {
    throw new ArgumentError(
      `option maxBatchSize of tritonModel needs a first axis whose size each request decides, got ${textOf(value)}; ` +
        `export the function with a template such as [["batch", ...]], or leave maxBatchSize out`,
    );
  }
  const sizes = dims.slice(isBatched ? 1 : 0).map((dim) => (typeof dim === "number" ? dim : -1));
  // a list without sizes is not allowed: requests have a size of 1 there, which the server takes out
  const shape = sizes.length > 0 ? `dims: [ ${sizes.join(", ")} ]` : "dims: [ 1 ] reshape: { shape: [ ] }";
  return `{ name: ${textLiteral(name)} data_type: ${dataType(type)} ${shape} }`;
}

/** Configurations name types as requests do, with a mark in front. */
const dataType = (type: WireType): string => `TYPE_${DATATYPES[type]}`;

const textOf = ({ name, type, dims, names }: ModelValue): string =>
  `${name}: ${type}${dims.map((dim, i) => (names[i] == null ? `[${dim ?? "?"}]` : `[${names[i]}: ${dim ?? "?"}]`)).join("")}`;

/** The names of axes as parameters of the configuration. */
function namesIn(values: readonly ModelValue[]): string[] {
  const byName = new Map(
    values.filter(({ names }) => names.some((name) => name != null)).map((one) => [one.name, one]),
  );
  return [...byName.values()].map(
    ({ name, names }) =>
      `parameters { key: ${textLiteral(NAMES_KEY + name)} value: { string_value: ${textLiteral(JSON.stringify(names))} } }`,
  );
}

/** A literal of the text format of protocol buffers, in ASCII: other characters are octal bytes of UTF-8. */
function textLiteral(text: string): string {
  const bytes = utf8(text);
  const escaped = bytes.map((byte) => {
    if (byte === 34 || byte === 92) return `\\${String.fromCharCode(byte)}`;
    return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `"${escaped.join("")}"`;
}

const utf8 = (text: string): number[] =>
  [...encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd")).matchAll(/%([0-9A-F]{2})|(.)/g)].map(
    ([, hex, character]) => (hex === undefined ? character!.charCodeAt(0) : Number.parseInt(hex, 16)),
  );

const asciiBytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
