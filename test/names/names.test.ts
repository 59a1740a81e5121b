/** Which names come out of every public function: as the table says, and docs/names.md is what the table says. */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import { CALLED, type Called } from "../calls/table";
import { namesPage, PAGE } from "./page";
import { NO_TENSORS, TABLE } from "./table";

afterAll(() => {
  vi.restoreAllMocks();
  Nx.globalDefaultBackend("auto");
  Nx.configureFromFile({}, "the end of a test");
});

const bare = (name: string): string => name.replace(/^Nx\./, "");
const PUBLIC: readonly string[] = [...new Set(CALLED.map(({ name }) => bare(name)))];

/** Axis names of a result, or of each of several. */
function namesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namesOf);
  const { names } = Object(value) as { readonly names?: unknown };
  return Array.isArray(names) ? names : value;
}

/** Whether a result is a tensor, or a list or a plain object with one in it. */
function holdsTensor(value: unknown): boolean {
  if (Nx.isTensor(value)) return true;
  const isPlain = value != null && [Array.prototype, Object.prototype].includes(Object.getPrototypeOf(value) as never);
  return isPlain && Object.values(value as object).some(holdsTensor);
}

const result = ({ call, args, options, isBound }: Called): unknown => call(...args, ...(isBound ? [options] : []));

describe("the table of names", () => {
  it("has every public function, and no other", () => {
    const rows = [...Object.keys(TABLE), ...NO_TENSORS];
    expect(PUBLIC.filter((name) => !rows.includes(name))).toEqual([]);
    expect(rows.filter((name) => !PUBLIC.includes(name))).toEqual([]);
    expect(rows.filter((name, i) => rows.indexOf(name) !== i)).toEqual([]);
  });

  it.each(Object.entries(TABLE))("says which names come out of Nx.%s", (_, { call, names }) => {
    vi.spyOn(console, "log").mockImplementation(() => undefined);
    expect(namesOf(call())).toEqual(names);
  });

  it("says which functions give no tensors", () => {
    vi.spyOn(console, "log").mockImplementation(() => undefined);
    const wrong = CALLED.filter((row) => NO_TENSORS.includes(bare(row.name)) && holdsTensor(result(row)));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe("docs/names.md", () => {
  it("is what the table says; `npm run names` writes it", async () => {
    expect(readFileSync(PAGE, "utf8")).toBe(await namesPage());
  });
});
