/**
 * How kernels read what nests join of operands; comes with the functions that join tensors.
 */
import type { Nest, NestStage } from "../../backend";
import { joinedAccess, runsOf } from "../../kernel/joined";
import type { Read } from "./kernels";

export function joinedRead({ stages, operands, rows }: Nest, value: number): Read {
  const found = stages.find((stage) => stage.kind === "join" && stage.output === value);
  const { inputs, axis } = found as Extract<NestStage, { kind: "join" }>;
  const runs = inputs.map((input) => runsOf(operands[input]!.view, axis)!);
  return { from: inputs, access: joinedAccess(runs, rows) };
}
