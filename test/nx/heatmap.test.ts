import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";

const plain = (t: Nx.Operand) => String(Nx.toHeatmap(t, { ansiEnabled: false })).split("\n");

describe("toHeatmap", () => {
  it("shows digits between the extremes", () => {
    expect(plain(Nx.iota([10])).slice(1, -1)).toEqual(["  s64[10]", `  ${[..."0123456789"].join(" ")}`]);
    expect(
      plain(
        Nx.tensor([
          [1, 1],
          [1, 1],
        ]),
      )[3],
    ).toContain("0 0");
    expect(plain(Nx.f64([-1.7e308, 0, 1.7e308]))[2]).toBe("  0 5 9");
    expect(plain(Nx.tensor([NaN, 0, 1, Infinity, -Infinity]))[2]).toBe("  ? 0 9 9 0");
  });

  it("nests higher ranks", () => {
    expect(plain(Nx.iota([2, 2, 2]))).toHaveLength(13);
  });

  it("colours cells on demand, with any filler", () => {
    const text = String(Nx.toHeatmap(Nx.tensor([0, 1]), { ansiEnabled: true, ansiWhitespace: "  " }));
    expect(text).toContain("\u001b[48;5;232m  \u001b[0m");
    expect(text).toContain("\u001b[48;5;255m  \u001b[0m");
    expect(inspect(Nx.toHeatmap(Nx.tensor([0, 1]), { ansiEnabled: false }))).toContain("#Nx.Heatmap<");
  });

  it("obeys NO_COLOR and FORCE_COLOR", () => {
    vi.stubEnv("NO_COLOR", "");
    vi.stubEnv("FORCE_COLOR", "1");
    expect(Nx.toHeatmap(Nx.tensor([0, 1])).ansiEnabled).toBe(true);
    vi.stubEnv("NO_COLOR", "1");
    expect(Nx.toHeatmap(Nx.tensor([0, 1])).ansiEnabled).toBe(false);
    vi.unstubAllEnvs();
  });

  it("refuses scalars, complex tensors and wrong options", () => {
    expect(() => Nx.toHeatmap(1)).toThrow(/rank 1 or more/);
    expect(() => Nx.toHeatmap(Nx.c64([1]))).toThrow(/real tensor/);
    expect(() => Nx.toHeatmap(Nx.iota([2]), { ansi: true } as never)).toThrow(/unknown option "ansi"/);
    expect(() => Nx.toHeatmap(Nx.iota([2]), { ansiWhitespace: 1 as never })).toThrow(/must be a string/);
  });
});
