/** Groups, windows and blocks of entries against those of pandas and xarray (`test/oracles/make_groups.py`), with holes in the data. */
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { decode, readOracle, type Coded } from "../../oracles/read";

interface Case {
  readonly source: "pandas" | "xarray";
  readonly make: "anomalies" | "groupBy" | "groupByEach" | "resample" | "rolling";
  readonly args: readonly unknown[];
  readonly op: string;
  readonly opArgs: readonly unknown[];
  readonly result: readonly Coded[] | readonly (readonly Coded[])[];
}

const { values, weights, cases } = readOracle<{ values: Coded[]; weights: number[]; cases: Case[] }>("groups.json");
const t = Nx.f64(values.map(decode), { names: ["day"] });

/** What the calls of a case give. */
function found({ make, args, op, opArgs }: Case): Nx.Tensor {
  const [first, second] = args as [never, never];
  if (make === "anomalies") {
    const groups = t.groupBy("day", first as number[]);
    return t.subtract(groups.expand(groups.mean({ nan: "skip" })));
  }
  const made = {
    groupBy: () => t.groupBy("day", first),
    groupByEach: () => t.groupBy("day", [first, second], { names: ["month", "third"] }),
    resample: () => t.resample("day", first, second),
    rolling: () => t.rolling("day", first, second),
  }[make]() as unknown as Record<string, (...args: unknown[]) => Nx.Tensor>;
  return made[op]!(...opArgs.map((arg) => (arg === "weights" ? Nx.f64(weights) : arg)));
}

const decoded = (result: Case["result"]): number[] =>
  (result as readonly unknown[]).flat().map((x) => decode(x as Coded));

describe("pandas and xarray", () => {
  it.each(cases.map((each, i) => [`${each.source}: ${each.op} of ${each.make}, ${i}`, each] as const))(
    "%s",
    (_, each) => {
      const result = found(each);
      const expected = decoded(each.result);
      const actual = result.toFlatList().map(Number);
      expect(actual.length).toBe(expected.length);
      // sums in another order, and pandas' rolling variances, which are updated from one window to the next
      const rtol = each.make === "rolling" ? 1e-9 : 1e-12;
      actual.forEach((x, i) => {
        const wanted = expected[i]!;
        const isClose = Object.is(x, wanted) || Math.abs(x - wanted) <= rtol * Math.max(1, Math.abs(wanted));
        if (!isClose) expect(x, `at ${i}`).toBe(wanted);
      });
    },
  );

  it("are many cases, of every reduction", () => {
    expect(cases.length).toBeGreaterThan(60);
    expect(new Set(cases.map(({ op }) => op)).size).toBeGreaterThan(18);
  });
});
