/** Against an independent model on Python integers: test/oracles/make_quantized.py. */

import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { readOracle } from "../oracles/read";
import { BACKENDS, fx16, fx8, held, integersOf, Q, sa8 } from "./support";

type Numbers = readonly number[];
type Op = "add" | "sub" | "mul" | "min" | "max";

interface Case {
  readonly type: "sa8" | "fx8" | "fx16";
  readonly op: Op;
  readonly left: Numbers;
  readonly right: Numbers;
  readonly out: Numbers;
  readonly x: Numbers;
  readonly y: Numbers;
  readonly up: Numbers;
  readonly convergent: Numbers;
}

interface Conversion {
  readonly type: Case["type"];
  readonly format: Numbers;
  readonly reals: Numbers;
  readonly quantized: Numbers;
  readonly integers: Numbers;
  readonly dequantized: Numbers;
}

const { kernels, conversions } = readOracle<{ kernels: Case[]; conversions: Conversion[] }>("quantized.json");

function formatOf(type: Case["type"], [first = 0, second = 0, third = 0]: Numbers) {
  return type === "sa8" ? sa8(first, second, third) : type === "fx8" ? fx8(first) : fx16(first);
}

const OPS: readonly Op[] = ["add", "sub", "mul", "min", "max"];

describe.each(BACKENDS)("on %s", (backend) => {
  describe.each(["sa8", "fx16", "fx8"] as const)("%s", (type) => {
    it.each(OPS)("%s", { timeout: 60_000 }, (op) => {
      const cases = kernels.filter((one) => one.type === type && one.op === op);
      expect(cases.length).toBeGreaterThanOrEqual(12);
      Nx.withDefaultBackend(backend, () => {
        for (const { left, right, out, x, y, ...expected } of cases) {
          for (const rounding of ["up", "convergent"] as const) {
            const operands = [held(x, formatOf(type, left)), held(y, formatOf(type, right))] as const;
            const result = Q[op](...operands, { out: formatOf(type, out), rounding });
            const label = `${rounding} ${left.join()} ${right.join()} ${out.join()}`;
            expect([label, ...integersOf(result)]).toEqual([label, ...expected[rounding]]);
            expect(result.format).toEqual(formatOf(type, out));
          }
        }
      });
    });
  });

  it("from real numbers and back", () => {
    Nx.withDefaultBackend(backend, () => {
      for (const { type, format, reals, quantized, integers, dequantized } of conversions) {
        const to = formatOf(type, format);
        const label = `${type} ${format.join()}`;
        expect([label, ...integersOf(Q.quantize(Nx.f32(reals), to))]).toEqual([label, ...quantized]);
        expect([label, ...Nx.toFlatList(Q.dequantize(held(integers, to)))]).toEqual([label, ...dequantized]);
      }
    });
  });
});
