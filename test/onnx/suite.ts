/**
 * Tests that ONNX itself has for each operator: a model, inputs, and the outputs that its reference gives. Debian's package
 * libonnx-testdata has them as files; `sample.json` is a part of them (`test/oracles/make_onnx.py`).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromBinary } from "@bufbuild/protobuf";
import * as Nx from "../../lib/index";
import type { Tensor } from "../../lib/index";
import { fromOnnx } from "../../lib/onnx";
import { ModelProtoSchema, TensorProtoSchema, type ValueInfoProto } from "../../lib/onnx/schema/onnx_pb";
import { tensorOf } from "../../lib/onnx/types";

/** Where Debian puts the tests. */
export const INSTALLED = "/usr/share/libonnx-testdata/data";

/** How far a test gets: through `defn`, only in a plain call, since a shape depends on data, or not. */
export type Outcome = "defn" | "plain" | { readonly fails: string };

/** A test: a model, and messages of tensors by the numbers of inputs and outputs. */
export interface SuiteTest {
  readonly model: Uint8Array;
  readonly sets: readonly { readonly inputs: Messages; readonly outputs: Messages }[];
}

type Messages = Readonly<Record<string, Uint8Array>>;

const BF16 = 16;

/** Relative and absolute errors that ONNX's own runner allows; half floats are rough. */
const RELATIVE = 1e-3;
const RELATIVE_HALF = 1e-2;
const ABSOLUTE = 1e-7;

/** The names of the tests in a folder. */
export const testsIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => existsSync(join(folder, name, "model.onnx")))
        .sort()
    : [];

/** A test that is installed as files. */
export function readTest(folder: string): SuiteTest {
  const sets = readdirSync(folder).filter((name) => name.startsWith("test_data_set_"));
  const messages = (set: string, kind: string): Messages =>
    Object.fromEntries(
      readdirSync(join(folder, set)).flatMap((file) => {
        const number = file.match(new RegExp(`^${kind}_(\\d+)\\.pb$`))?.[1];
        return number === undefined ? [] : [[number, readFileSync(join(folder, set, file))]];
      }),
    );
  return {
    model: readFileSync(join(folder, "model.onnx")),
    sets: sets.map((set) => ({ inputs: messages(set, "input"), outputs: messages(set, "output") })),
  };
}

/** Runs a test in both ways. */
export function outcomeOf({ model: bytes, sets }: SuiteTest): Outcome {
  try {
    const model = fromOnnx(bytes);
    const graph = fromBinary(ModelProtoSchema, bytes).graph!;
    const cases = sets.map(
      ({ inputs, outputs }) => [values(inputs, graph.input), values(outputs, graph.output)] as const,
    );
    for (const [given, expected] of cases) compare(model(given), expected);
    try {
      const compiled = Nx.defn((inputs: Record<string, Tensor>) => model(inputs));
      for (const [given, expected] of cases) compare(compiled(given), expected);
      return "defn";
    } catch (error) {
      if (/depends on data/.test((error as Error).message)) return "plain";
      throw error;
    }
  } catch (error) {
    return { fails: (error as Error).message };
  }
}

function values(messages: Messages, infos: readonly ValueInfoProto[]): Record<string, Tensor> {
  return Object.fromEntries(
    infos.flatMap((info, i) => {
      const message = messages[String(i)];
      if (message === undefined) return [];
      if (info.type?.value.case !== "tensorType") throw new Error(`${info.name} is no tensor`);
      const { elemType, shape } = info.type.value.value;
      const isEmpty = shape?.dim.some(({ value }) => value.case === "dimValue" && value.value === 0n);
      if (isEmpty) return [];
      const tensor = tensorOf(fromBinary(TensorProtoSchema, message));
      // the files have the bits of bf16 as u16
      return [[info.name, elemType === BF16 && tensor.type === "u16" ? Nx.bitcast(tensor, "bf16") : tensor]];
    }),
  );
}

function compare(got: Record<string, Tensor>, expected: Record<string, Tensor>): void {
  for (const [name, value] of Object.entries(expected)) {
    const result = got[name];
    if (!result) throw new Error(`no output ${name}`);
    if (result.type !== value.type) throw new Error(`${name} is ${result.type}, expected ${value.type}`);
    if (result.shape.join() !== value.shape.join()) {
      throw new Error(`${name} has shape [${result.shape.join()}], expected [${value.shape.join()}]`);
    }
    const [a, b] = [result, value].map((t) => (Nx.toFlatList(t) as (number | bigint)[]).map(Number)) as [
      number[],
      number[],
    ];
    const rough = value.type === "f16" || value.type === "bf16" ? RELATIVE_HALF : RELATIVE;
    const at = a.findIndex((x, i) => !isNear(x, b[i]!, rough));
    if (at >= 0) throw new Error(`${name} differs at ${at}: ${a[at]}, expected ${b[at]}`);
  }
}

const isNear = (x: number, y: number, rough: number): boolean =>
  Object.is(x, y) || x === y || Math.abs(x - y) <= ABSOLUTE + rough * Math.abs(y);
