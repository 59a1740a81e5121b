/**
 * What editors show of the methods of tensors: each has the text and the one signature of its function.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { GENERATED, generatedMethods } from "../../scripts/methods";

const root = fileURLToPath(new URL("../../", import.meta.url));
const USE = `${root}test/tooling/methods-in-use.ts`;

/** Members with several signatures, and why. There are none. */
const OVERLOADED: Readonly<Record<string, string>> = {};

/** A program of one file that is not on the disk. */
function service(text: string): ts.LanguageService {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${root}tsconfig.json`, (file) => ts.sys.readFile(file)).config,
    ts.sys,
    root,
  );
  const read = (file: string): string | undefined => (file === USE ? text : ts.sys.readFile(file));
  return ts.createLanguageService({
    getScriptFileNames: () => [USE],
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) => {
      const content = read(file);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (file) => file === USE || ts.sys.fileExists(file),
    readFile: read,
    readDirectory: (...args) => ts.sys.readDirectory(...args),
  });
}

const HEAD = `import * as Nx from "nx-numerics";\nconst t = Nx.iota([2, 3], { names: ["day", "feature"] });\n`;

it("their types are those of the functions: else `npm run methods`", { timeout: 60_000 }, async () => {
  expect(readFileSync(GENERATED, "utf8") === (await generatedMethods())).toBe(true);
});

describe("in an editor", { timeout: 120_000 }, () => {
  let program: ts.LanguageService;
  let members: readonly string[];

  beforeAll(() => {
    program = service(`${HEAD}t.`);
    const completions = program.getCompletionsAtPosition(USE, HEAD.length + 2, {});
    members = completions!.entries.map(({ name }) => name).filter((name) => !name.startsWith("_"));
  }, 120_000);

  const detailsOf = (name: string): ts.CompletionEntryDetails =>
    program.getCompletionEntryDetails(USE, HEAD.length + 2, name, {}, undefined, {}, undefined)!;

  it("each member has a text, and methods an example", () => {
    expect(members.length).toBeGreaterThan(150);
    const bare = members.filter((name) => {
      const { documentation, tags, kind } = detailsOf(name);
      const isMethod = kind === ts.ScriptElementKind.memberFunctionElement;
      return (
        ts.displayPartsToString(documentation) === "" || (isMethod && !tags?.some((tag) => tag.name === "example"))
      );
    });
    expect(bare).toEqual([]);
  });

  it("each method has one signature, in which nothing internal is named", () => {
    const shown = members.map((name) => [name, ts.displayPartsToString(detailsOf(name).displayParts)] as const);
    expect(shown.filter(([name, text]) => /\+\d+ overload/.test(text) && !(name in OVERLOADED))).toEqual([]);
    expect(shown.filter(([, text]) => /NoInfer<|\$\d/.test(text))).toEqual([]);
  });
});
