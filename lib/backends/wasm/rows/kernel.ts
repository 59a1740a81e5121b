/**
 * Element-wise kernels that read operands with one element for each row of the space, such as a column added to a matrix: run
 * as nests of a single stage, where such an element is loaded once for its row in place of being copied along it.
 */
import type { NestSpace } from "../../../backend";
import { bytesOf } from "../../../core/types";
import { keyOf } from "../../../kernel/key";
import { accessOf, Reader, type Elements } from "../../../kernel/operand";
import { withUniform } from "../../../kernel/uniform";
import type { Kernel } from "../../../kernel/value";
import { PIECE_BYTES } from "../stream";
import type { Program } from "./code";
import { runProgram } from "./run";

/** Spaces of fewer elements, and rows of fewer, are copied (measured: a call for each row has to pay). */
const LEAST_ELEMENTS = 16_384;
const LEAST_LENGTH = 64;

/** Elements of a row along which an operand stays the same; 0 where it has none. */
function constantAlong({ access: { kind, walk } }: Reader): number {
  const { shape, strides } = walk;
  return kind === "strided" && strides.at(-1) === 0 ? shape.at(-1)! : 0;
}

/** The length of rows that a kernel is to be run by; 0 where it is better run in one go. */
export function rowLength(readers: readonly Reader[], size: number): number {
  if (size < LEAST_ELEMENTS) return 0;
  let length = 0;
  for (const reader of readers) {
    const own = constantAlong(reader);
    if (own > 0 && (length === 0 || own < length)) length = own;
  }
  return length < LEAST_LENGTH ? 0 : length;
}

/** How an operand takes part in rows of a length, and how it is read then. */
function placed(reader: Reader, length: number, cut: boolean): readonly [NestSpace, Reader] {
  const { elements, width, access, period } = reader;
  const { shape, strides } = access.walk;
  if (reader.isUniform) return ["one", reader];
  if (constantAlong(reader) === length) {
    return ["line", new Reader(elements, width, accessOf(shape.slice(0, -1), strides.slice(0, -1), access.offset))];
  }
  if (period === length && !cut) return ["group", new Reader(elements, width, accessOf([length], [1], access.offset))];
  return ["full", reader];
}

/** Computes `outputs` from the inputs of a kernel, row by row. */
export function runByRow(
  kernel: Kernel,
  readers: readonly Reader[],
  outputs: readonly Elements[],
  size: number,
  length: number,
): void {
  const key = keyOf(kernel);
  const widest = Math.max(...[...kernel.inputs, ...kernel.outputs].map(({ type }) => bytesOf(type)));
  const cut = length * widest > PIECE_BYTES;
  const found = readers.map((reader) => placed(reader, length, cut));
  const spaces = found.map(([space]) => space);
  const uniform = spaces.map((space) => space === "one" || space === "line");
  const values = [
    ...kernel.inputs.map(({ type }, i) => ({ type, space: spaces[i]! })),
    ...kernel.outputs.map(({ type }) => ({ type, space: "full" as const })),
  ];
  const count = kernel.inputs.length;
  const results = kernel.outputs.map((_, i) => count + i);
  const program: Program = {
    groups: size / length,
    rows: length,
    cut,
    values,
    stages: [
      {
        kind: "map",
        space: "full",
        kernel: withUniform(kernel, uniform),
        inputs: spaces.map((_, i) => i),
        outputs: results,
      },
    ],
    outputs: results,
    key: `elements ${spaces.join()} ${key}`,
  };
  runProgram(
    program,
    found.map(([, reader]) => reader),
    outputs,
  );
}
