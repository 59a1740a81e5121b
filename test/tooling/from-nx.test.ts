import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LEFT_OUT, UNDER_OTHER_NAMES } from "./from-nx/functions";
import { fresh, isThere, PAGE, places } from "./from-nx/page";

describe("the functions of Nx", () => {
  it("are here, or it is said why not", () => {
    expect(places().filter(({ here, why }) => here === null && why === null)).toEqual([]);
  });

  it("are each listed once, and nothing is said of others", () => {
    const names = places().map(({ nx }) => nx);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    const said = [...Object.keys(UNDER_OTHER_NAMES), ...Object.keys(LEFT_OUT)];
    expect(said.filter((name) => !names.includes(name))).toEqual([]);
    expect(said.filter((name, i) => said.indexOf(name) !== i)).toEqual([]);
  });

  it("that are under other names are there", () => {
    expect(Object.values(UNDER_OTHER_NAMES).filter((name) => !isThere(name))).toEqual([]);
  });

  it("that are left out have not come in the meantime", () => {
    const camel = (name: string): string =>
      name.replace(/[?!]$/, "").replace(/_([a-z])/g, (_, c: string) => c.toUpperCase());
    expect(Object.keys(LEFT_OUT).filter((name) => isThere(camel(name)))).toEqual([]);
  });

  it("stand in docs/from-nx.md as they are (npm run from-nx writes them)", () => {
    expect(readFileSync(PAGE, "utf8")).toBe(fresh());
  });
});
