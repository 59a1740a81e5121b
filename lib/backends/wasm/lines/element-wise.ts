/**
 * Element-wise kernels that read operands with one element for each row of the space, such as a column added to a matrix: run
 * as nests of a single stage, where such an element is loaded once for its row in place of being copied along it.
 */
import type { NestSpace } from "../../../backend";
import { bytesOf } from "../../../core/types";
import { keyOf } from "../../../kernel/key";
import { accessOf, type Access, type Elements, type Reader } from "../../../kernel/operand";
import { withUniform } from "../../../kernel/uniform";
import type { Kernel } from "../../../kernel/value";
import { CHUNK_BYTES } from "../schedule/cuts";
import { LINE_LENGTH_FROM, LINES_FROM } from "../schedule/lines";
import type { LineNest } from "./code";
import { runLines } from "./run";

/** Elements of a row along which an operand stays the same; 0 where it has none. */
export function constantAlong({ access: { kind, walk } }: Reader): number {
  const { shape, strides } = walk;
  return kind === "strided" && strides.at(-1) === 0 ? shape.at(-1)! : 0;
}

/** The length of rows that a kernel is to be run by; 0 where it is better run in one go. */
export function lineLength(readers: readonly Reader[], size: number): number {
  if (size < LINES_FROM) return 0;
  let length = 0;
  for (const reader of readers) {
    const own = constantAlong(reader);
    if (own > 0 && (length === 0 || own < length)) length = own;
  }
  return length < LINE_LENGTH_FROM ? 0 : length;
}

/** How an operand takes part in rows of a length, and how it is read then. */
export function placed(reader: Reader, length: number, cut: boolean): readonly [NestSpace, Access] {
  const { access, period } = reader;
  const { shape, strides } = access.walk;
  if (reader.isUniform) return ["one", access];
  if (constantAlong(reader) === length) {
    return ["line", accessOf(shape.slice(0, -1), strides.slice(0, -1), access.offset)];
  }
  if (period === length && !cut) return ["group", accessOf([length], [1], access.offset)];
  return ["full", access];
}

/** How a kernel is run row by row. */
export interface ByLine {
  readonly nest: LineNest;
  /** How each operand is read then. */
  readonly walks: readonly Access[];
}

/** The rows of a length that a kernel is run by: cut where they are long. */
export function byLineOf(kernel: Kernel, readers: readonly Reader[], size: number, length: number): ByLine {
  const widest = Math.max(...[...kernel.inputs, ...kernel.outputs].map(({ type }) => bytesOf(type)));
  const cut = length * widest > CHUNK_BYTES;
  const found = readers.map((reader) => placed(reader, length, cut));
  return { nest: nestOf(kernel, found, size, length, cut), walks: found.map(([, walk]) => walk) };
}

/** The nest of a kernel whose operands take part in rows of a length as they are placed. */
export function nestOf(
  kernel: Kernel,
  found: readonly (readonly [NestSpace, ...unknown[]])[],
  size: number,
  length: number,
  cut: boolean,
): LineNest {
  const spaces = found.map(([space]) => space);
  const uniform = spaces.map((space) => space === "one" || space === "line");
  const values = [
    ...kernel.inputs.map(({ type }, i) => ({ type, space: spaces[i]! })),
    ...kernel.outputs.map(({ type }) => ({ type, space: "full" as const })),
  ];
  const inputs = spaces.map((_, i) => i);
  const outputs = kernel.outputs.map((_, i) => inputs.length + i);
  const stage = { kind: "map", space: "full", kernel: withUniform(kernel, uniform), inputs, outputs } as const;
  const key = `elements ${spaces.join()} ${keyOf(kernel)}`;
  return { groups: size / length, rows: length, cut, values, stages: [stage], outputs, key };
}

/** Computes `outputs` from the inputs of a kernel, row by row. */
export function runByLine({ nest, walks }: ByLine, readers: readonly Reader[], outputs: readonly Elements[]): void {
  runLines(
    nest,
    readers.map((reader, i) => reader.through(walks[i]!)),
    outputs,
  );
}
