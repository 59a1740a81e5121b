/** The factors of Fourier transforms: close to the exact ones, and of no function that engines compute each in their own way. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { rootsOf } from "../../../lib/backends/binary/fft/roots";
import { ulpsApart } from "../../oracles/read";
import rows from "../../oracles/roots.json";
import * as s from "./support";

describe("roots of unity", () => {
  it.each(rows)("of $n lie next to the exact ones", ({ n, at, turns }) => {
    const { re, im } = rootsOf(n);
    const distances = at.flatMap((k, i) => {
      const [cosine, sine] = turns[i] as [number, number];
      return [ulpsApart(re[k]! + 0, cosine), ulpsApart(0 - im[k]!, sine)];
    });
    // a number within 0.83 units of the exact one, from which the one expected is a half away
    expect(Math.max(...distances)).toBeLessThanOrEqual(1);
    expect(distances.filter((distance) => distance > 0).length).toBeLessThanOrEqual(distances.length / 5);
  });
});

describe("transforms", () => {
  afterEach(() => vi.restoreAllMocks());

  it("ask the engine for no function of its own", () => {
    for (const name of ["sin", "cos", "tan", "exp", "pow", "atan2"] as const) {
      vi.spyOn(Math, name).mockImplementation(() => NaN);
    }
    for (const n of [59, 139, 177, 352]) {
      const ones = s.fromNumbers("f64", [n], new Array<number>(n).fill(1));
      const [first, ...others] = s.valuesOf(
        s.run("fft", "c128", [n], [ones], { axis: 0, inverse: false, eps: 1e-9, half: false }),
      );
      expect(first).toEqual([n, 0]);
      expect(others).toEqual(others.map(() => [0, 0]));
    }
  });
});
