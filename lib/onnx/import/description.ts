/**
 * What a model takes and gives: types, sizes and names of axes, and how values are checked against them. Nodes compute without names, since
 * files know none; tensors have them at both ends.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type DType, type Names, type Operand, type Tensor } from "nx-numerics";
import type { TypeProto, ValueInfoProto } from "../schema/onnx_pb";
import { shown } from "../shown";
import { elementType, tensorType } from "../types";
import { NAMES_KEY, type OnnxValue } from "../value";
import type { Model } from "./model";
import { kindOf } from "./run";
import type { Value } from "./values";

/** An input of a model. */
export interface Input {
  readonly value: OnnxValue;
  /** The operand as a tensor without names, or an error that says what was expected. */
  accept(operand: Operand): Tensor;
}

/** An output of a model. */
export interface Output {
  readonly value: OnnxValue;
  /** The result with the names of its axes. */
  result(value: Value): Tensor;
}

/** What a model takes and gives. */
export interface Described {
  readonly inputs: readonly Input[];
  /** Inputs that have a value in the file. */
  readonly optional: readonly Input[];
  readonly outputs: readonly Output[];
}

/** The option `names`: lists of names by the inputs and outputs of the model. */
export function checkNames({ graph }: Model, given: unknown): Readonly<Record<string, Names>> {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new ArgumentError(
      `option names of fromOnnx must be an object of lists of names by inputs and outputs, got: ${shown(given)}`,
    );
  }
  const values = [...graph.inputs, ...graph.outputs];
  for (const [key, names] of Object.entries(given)) {
    if (!values.includes(key)) {
      throw new ArgumentError(
        `option names of fromOnnx: the model has no input or output ${shown(key)}, only ${values.map(shown).join(", ")}`,
      );
    }
    const isList = Array.isArray(names) && names.every((name) => name === null || typeof name === "string");
    if (!isList)
      throw new ArgumentError(
        `option names of fromOnnx: ${key} must be a list of names and null, got: ${shown(names)}`,
      );
  }
  return given as Readonly<Record<string, Names>>;
}

/** What a model takes and gives, with the names of a call's options. */
export function describe(model: Model, names: Readonly<Record<string, Names>>): Described {
  const { input, output } = model.proto.graph!;
  const inputs = input.map((info) => inputOf(describeValue(info, names)));
  // inputs that are declared to have no elements need not be given
  const isConstant = ({ value }: Input): boolean => model.graph.constants.has(value.name) || value.dims.includes(0);
  return {
    inputs: inputs.filter((each) => !isConstant(each)),
    optional: inputs.filter(isConstant),
    outputs: output.map((info) => outputOf(describeValue(info, names))),
  };
}

interface Declared extends OnnxValue {
  /** Whether the file says the type and the sizes. */
  readonly isTyped: boolean;
}

function describeValue(info: ValueInfoProto, names: Readonly<Record<string, Names>>): Declared {
  const tensor = tensorTypeOf(info.type);
  const dims = tensor?.shape?.dim.map(({ value }) => {
    if (value.case === "dimValue") return Number(value.value);
    return value.case === "dimParam" && value.value !== "" ? value.value : null;
  });
  const number = tensor?.elemType ?? 0;
  const type: DType =
    number === 0 || number === STRINGS ? "f32" : tensorType(elementType(number, `the value ${shown(info.name)}`));
  const given = Object.hasOwn(names, info.name) ? names[info.name] : undefined;
  if (given && dims && given.length !== dims.length) {
    throw new ArgumentError(
      `option names of fromOnnx: ${info.name} has ${dims.length} axes, got ${given.length} names`,
    );
  }
  const own = given ?? namesOf(info, dims ?? []);
  return {
    name: info.name,
    type,
    dims: dims ?? own.map(() => null),
    names: own,
    isTyped: number !== 0 && dims !== undefined,
  };
}

const STRINGS = 8;

/** The type of a tensor; sequences and optional values have none. */
function tensorTypeOf(type: TypeProto | undefined) {
  return type?.value.case === "tensorType" ? type.value.value : undefined;
}

/** The names of a value in a file: written names, else the names of dimensions that occur once. */
function namesOf(info: ValueInfoProto, dims: readonly (number | string | null)[]): Names {
  const kept = info.metadataProps?.find(({ key }) => key === NAMES_KEY)?.value;
  const written = kept === undefined ? null : readNames(kept);
  if (written?.length === dims.length) return written;
  return dims.map((dim, i) =>
    typeof dim === "string" && dims.indexOf(dim) === i && dims.lastIndexOf(dim) === i && isName(dim) ? dim : null,
  );
}

/** Whether a dimension's name can be one of an axis. */
const isName = (dim: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(dim);

function readNames(text: string): Names | null {
  try {
    const names: unknown = JSON.parse(text);
    const isList =
      Array.isArray(names) && names.every((name) => name === null || (typeof name === "string" && name !== ""));
    return isList &&
      new Set(names.filter((name) => name !== null)).size === names.filter((name) => name !== null).length
      ? (names as Names)
      : null;
  } catch {
    return null; // another program's metadata of the same name
  }
}

const plain = (t: Tensor): Tensor =>
  t.names.every((name) => name === null)
    ? t
    : (Nx.rename(
        t,
        t.names.map(() => null),
      ) as Tensor);

function inputOf(declared: Declared): Input {
  const { name, type, dims, names, isTyped } = declared;
  const accept = (operand: Operand): Tensor => {
    const given = operand instanceof Nx.Tensor ? operand : (Nx.tensor(operand, isTyped ? { type } : {}) as Tensor);
    if (!isTyped) return plain(given);
    const fits =
      given.shape.length === dims.length && dims.every((dim, i) => typeof dim !== "number" || dim === given.shape[i]);
    if (!fits)
      throw new ArgumentError(`fromOnnx: the input ${shown(name)} ${expected(declared)}, got ${described(given)}`);
    if (given.type !== type && !(Nx.Type.isFloat(type) && Nx.Type.isFloat(given.type))) {
      throw new ArgumentError(
        `fromOnnx: the input ${shown(name)} ${expected(declared)}, got ${described(given)}; convert it by Nx.asType(t, "${type}")`,
      );
    }
    const clash = given.names.findIndex((own, i) => own !== null && names[i] != null && own !== names[i]);
    if (clash < 0) return plain(given);
    throw new ArgumentError(
      `fromOnnx: axis ${clash} of the input ${shown(name)} is ${shown(names[clash])}, got ${described(given)}; ` +
        `bring the axes in order by Nx.align, or rename them`,
    );
  };
  return { value: exposed(declared), accept };
}

const described = (t: Tensor): string =>
  `${t.type}${t.shape.map((size, i) => `[${t.names[i] == null ? "" : `${t.names[i]}: `}${size}]`).join("")}`;

function expected({ type, dims, names }: Declared): string {
  const axes = dims.map((dim, i) => {
    const size = dim ?? "?";
    return `[${names[i] == null || names[i] === dim ? "" : `${names[i]}: `}${size}]`;
  });
  return `takes ${type}${axes.join("")}`;
}

const exposed = ({ name, type, dims, names }: Declared): OnnxValue =>
  Object.freeze({ name, type, dims: Object.freeze([...dims]), names: Object.freeze([...names]) });

function outputOf(declared: Declared): Output {
  const result = (value: Value): Tensor => {
    if (!(value instanceof Nx.Tensor)) {
      throw new ArgumentError(`fromOnnx: the output ${shown(declared.name)} must be a tensor, but is ${kindOf(value)}`);
    }
    const { names } = declared;
    const isNamed = names.length === value.shape.length && names.some((name) => name !== null);
    return isNamed ? (Nx.rename(value, names) as Tensor) : value;
  };
  return { value: exposed(declared), result };
}
