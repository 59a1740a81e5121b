import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { loadConfig } from "nx-numerics/config";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nx-config-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  Nx.configureFromFile({}, "the end of a test");
});

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

describe("loadConfig", () => {
  it("reads the key of package.json", async () => {
    write("package.json", JSON.stringify({ "nx-numerics": { inspectLimit: 2 } }));
    const loaded = await loadConfig(folder);
    expect(loaded?.config).toEqual({ inspectLimit: 2 });
    expect(String(Nx.iota([3]))).toContain("[0, 1, ...]");
  });

  it.each([
    ["nx-numerics.config.json", '{ "inspectLimit": 1 }'],
    ["nx-numerics.config.mjs", "export default { inspectLimit: 1 };"],
    ["nx-numerics.config.cjs", "module.exports = { inspectLimit: 1 };"],
  ])("reads %s", async (name, text) => {
    write("package.json", "{}");
    write(name, text);
    expect((await loadConfig(folder))?.path).toBe(join(folder, name));
    expect(String(Nx.iota([3]))).toContain("[0, ...]");
  });

  it("gives way to code", async () => {
    write("nx-numerics.config.json", '{ "inspectLimit": 1 }');
    await loadConfig(folder);
    const before = Nx.configure({ inspectLimit: 2 });
    expect(String(Nx.iota([3]))).toContain("[0, 1, ...]");
    Nx.configure({ inspectLimit: before.inspectLimit });
    expect(String(Nx.iota([3]))).toContain("[0, ...]");
  });

  it("names the file of an unknown key", async () => {
    write("nx-numerics.config.json", '{ "defaultBackend": "binary", "inspectlimit": 1 }');
    await expect(loadConfig(folder)).rejects.toThrow(/"inspectlimit" in .*config\.json; did you mean "inspectLimit"\?/);
  });

  it.each([
    ["nx-numerics.config.json", '{ "inspectLimit": 1, }', /nx-numerics\.config\.json is no JSON: /],
    ["package.json", "{", /package\.json is no JSON: /],
    ["nx-numerics.config.mjs", "export default {", /nx-numerics\.config\.mjs cannot be loaded: \w*Error: /],
    ["nx-numerics.config.mjs", 'import "./gone.js";', /nx-numerics\.config\.mjs cannot be loaded: .*gone\.js/],
    [
      "nx-numerics.config.json",
      '{ "defaultBackend": ["binary", 3] }',
      /\["binary", 3\] for defaultBackend in .*config\.json/,
    ],
    ["nx-numerics.config.json", '{ "threads": "many" }', /"many" for threads in .*config\.json/],
  ])("names the file %s that says %s", async (name, text, message) => {
    if (name !== "package.json") write("package.json", "{}");
    write(name, text);
    const error = await loadConfig(folder).then(String, (thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Nx.ConfigError);
    expect((error as Error).message).toMatch(message);
  });

  it("refuses two sources at once, and names both", async () => {
    write("package.json", JSON.stringify({ "nx-numerics": { inspectLimit: 2 } }));
    write("nx-numerics.config.json", '{ "inspectLimit": 1 }');
    await expect(loadConfig(folder)).rejects.toThrow(/two configurations, in .*package\.json and in .*config\.json/);
  });

  it("is null where there is none", async () => {
    expect(await loadConfig(folder)).toBeNull();
  });
});
