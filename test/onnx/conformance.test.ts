/**
 * The computations that the conformance suite compares, written as models and read back: the same bits where every op has an operator.
 */
import * as Nx from "nx-numerics";
import { fromOnnx, toOnnx } from "nx-numerics/onnx";
import { expect, it } from "vitest";
import { computations } from "../../lib/testing/groups/differential";
import { sampled } from "../effort";
import { compare } from "../engines/compare";
import { isMade } from "./near";

type Case = ReturnType<typeof computations>[number];

/** What is computed in another precision or order, and so rounds in another way, besides what is made of other operators. */
const NEAR: readonly RegExp[] = [
  /^window(Sum|Mean) f64/, // added in another order
];

const isNear = (name: string): boolean => {
  const [op, type] = name.split(/[ [,]/) as [string, Nx.DType];
  return isMade(op, type) || NEAR.some((rule) => rule.test(name));
};

/** Tails that the exporter's form of a function loses. */
const FAR = /^geluTanh (s8|s16|bf16|f32)/;

const listOf = (result: Nx.Tensor | readonly Nx.Tensor[]): readonly Nx.Tensor[] =>
  result instanceof Nx.Tensor ? [result] : result;

/** How near a case is after the way there and back, or null where there is no such way. */
function outcomeOf({ name, inputs, compute }: Case): readonly [nearness: string, text: string] | null {
  const operands = inputs().map(({ type, shape, bytes }) =>
    Nx.reshape(Nx.fromBinary(Uint8Array.from(bytes), type, { backend: "binary" }), [...shape]),
  );
  const attempt = <R>(fn: () => R): R | null => {
    try {
      return fn();
    } catch (error) {
      if (error instanceof Nx.NxError) return null; // what the library or the exporter refuses
      throw error;
    }
  };
  const expected = attempt(() => listOf(compute(...operands)));
  const model =
    expected && attempt(() => toOnnx((...given: Nx.Tensor[]) => listOf(compute(...given)), operands as never));
  if (!model) return null;
  const got = fromOnnx(model.bytes)(operands);
  const isSum = /^(sum|dot|conv|cumulativeSum|mean)/.test(name);
  const found = expected.map((one, i) => compare(one, got[model.outputs[i]!.name]!, one.type, isSum));
  const worst = found.find(({ nearness }) => nearness === "far") ?? found.find(({ nearness }) => nearness === "near");
  return [worst?.nearness ?? "exact", worst?.text ?? ""];
}

it("computations are the same after the way there and back", { timeout: 300_000 }, () => {
  const wrong: string[] = [];
  let compared = 0;
  Nx.withDefaultBackend("binary", () => {
    for (const one of sampled(computations(), 500, "onnx")) {
      const outcome = outcomeOf(one);
      if (outcome === null) continue;
      compared++;
      const [nearness, text] = outcome;
      const isFine = nearness === "exact" || (nearness === "near" && isNear(one.name)) || FAR.test(one.name);
      if (!isFine) wrong.push(`${one.name}: ${nearness}: ${text}`);
    }
  });
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(250);
});
