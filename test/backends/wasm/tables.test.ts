/** Modules with tables of one process serve another, in which nothing is where it was before. */
import { beforeAll, describe, expect, it, vi } from "vitest";
import { table, tableEntries } from "../../../lib/kernel/tables";
import { arrayOf } from "../../array-of";

type Nx = typeof import("nx-numerics");

const made = vi.hoisted(() => new Map<string, Uint8Array>());
/** Whether what was made before is found, and nothing else may be made. */
const found = vi.hoisted(() => ({ only: false }));

vi.mock("../../../lib/backends/assembled", () => ({
  assembled: (key: string, assemble: () => Uint8Array) => {
    const known = found.only ? made.get(key) : assemble();
    if (!known) throw new Error(`asked for anew: ${key}`);
    made.set(key, known);
    return known;
  },
}));

async function fresh(): Promise<Nx> {
  vi.resetModules();
  const nx = await import("nx-numerics");
  nx.configure({ threads: 1 });
  return nx;
}

const LENGTH = 40_000;
const VALUES = arrayOf(Float64Array, LENGTH, (i) => (i - LENGTH / 2) * (i % 5 === 0 ? 1e30 : 1e-3));
const NAMES = ["sin", "cos", "tan", "erf", "erfc", "gelu"] as const;

/** In the type of the first argument: single operations, sums of their results and a formula. */
function callsOf(nx: Nx): (() => readonly number[])[] {
  return (["f32", "f64"] as const).flatMap((type) =>
    NAMES.flatMap((name) => {
      const x = () => nx.tensor(VALUES).asType(type);
      return [
        () => [...nx[name](x()).toTypedArray()].map(Number),
        () => [...nx.sum(nx[name](x()).reshape([LENGTH / 100, 100]), { axes: [1] }).toTypedArray()].map(Number),
        () => [...nx[name](x()).multiply(2).max(-1).toTypedArray()].map(Number),
      ];
    }),
  );
}

describe("modules with tables", () => {
  let expected: readonly (readonly number[])[];
  beforeAll(async () => {
    expected = callsOf(await fresh()).map((call) => call());
  });

  it("are the same whatever was there before them, and find their tables filled", async () => {
    expect([...made.keys()].filter((key) => key.startsWith("table "))).toHaveLength(5);
    found.only = true;
    const nx = await fresh();
    nx.evaluate(nx.iota([200_000])); // a room of the arena
    const calls = callsOf(nx);
    for (let i = calls.length - 1; i >= 0; i--) expect(calls[i]!(), `call ${i}`).toEqual(expected[i]);
  });

  it("of hosts without shared memory compute the same", async () => {
    found.only = false;
    vi.stubGlobal("SharedArrayBuffer", undefined);
    try {
      expect(callsOf(await fresh()).map((call) => call())).toEqual(expected);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe("tables", () => {
  it("lie one behind the other, each computed when it is asked for", () => {
    const entries = vi.fn(() => new Float64Array(769));
    const [first, second] = [table("erf", entries), table("erfLost", entries)];
    expect(second.first).toBeGreaterThanOrEqual(first.first + 769);
    expect(tableEntries()).toBeGreaterThanOrEqual(second.first + 769);
    expect(entries).not.toHaveBeenCalled();
    expect(first.entries()).toBe(first.entries());
    expect(entries).toHaveBeenCalledTimes(1);
  });
});
