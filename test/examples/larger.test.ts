/**
 * The examples of arrays larger than memory and of columns: what they find is what was put in, and both joins are one.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { archive, trendOf, warming } from "../../examples/climate";
import { byMap, bySQL, findDuckDB, summary } from "../../examples/columns";
import { describeWith } from "../engines/find";

describe("climate", () => {
  it("finds the warming that is in the archive, which it keeps", { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "nx-climate-"));
    try {
      const air = await archive(folder, 48);
      expect(String(air)).toBe("#Nx.ZarrArray<f32[time: 365 by 73][lat: 128][lon: 256]>");
      const zones = (await trendOf(air)).mean({ axes: ["lon"] });
      const off = zones.subtract(warming());
      expect(Math.abs(off.mean().item())).toBeLessThan(0.01); // 2 K of noise in each of 12 million days
      expect(off.abs().reduceMax().item()).toBeLessThan(0.15);
      expect((await archive(folder, 48)).shape).toEqual(air.shape);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("columns", () => {
  it("joins by a Map, and knows how long flights are", () => {
    const { routes, mean, longest } = summary(byMap());
    expect(routes).toBe(5366);
    expect(mean).toBeCloseTo(1168.4, 0);
    expect(longest.map(([state]) => state)).toEqual(["PR", "VI", "WA"]);
  });
});

describeWith("@duckdb/node-api", await findDuckDB(), (engine) => {
  it("joins by SQL what a Map joins", async () => {
    const [sql, map] = [await bySQL(engine), byMap()];
    expect(sql.states).toEqual(map.states);
    for (const [name, column] of Object.entries(sql.columns)) {
      expect(Nx.toNumber(Nx.allClose(column, map.columns[name as "lat1"], { atol: 1e-9 }))).toBe(1);
    }
  });
});
