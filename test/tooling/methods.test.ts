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

/** What stands in the signatures of methods with options for axes. */
const ALONG = "AxesOf|AxisOf|axes|axis|Reduced";

/** Arguments in front of the options. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  compress: ["t.greater(0)"],
  gather: ["t"],
  indexedAdd: ["t", "t"],
  indexedPut: ["t", "t"],
  percentile: ["50"],
  quantile: ["0.5"],
  repeat: ["2"],
  roll: ["1"],
  sliceAlongAxis: ["0", "1"],
  split: ["1"],
  take: ["t"],
  takeAlongAxis: ["t"],
  weightedMean: ["1"],
};

/** Options with a misspelt axis, in each of the words. */
const WORDS = [`{ axis: "days" }`, `{ axes: "days" }`];
/** The same for coordinates, which are of several axes. */
const LISTS = [`{ axis: ["days"] }`, `{ axes: ["days"] }`];
const OF_LISTS: readonly string[] = ["gather", "indexedAdd", "indexedPut"];

/** Methods whose signatures speak of axes in another way, and why. */
const NOT_CHECKED: Readonly<Record<string, string>> = {
  axisIndex: "an axis is its argument: `tsc` lists the names, but suggests none for arguments",
  axisSize: "the same",
  broadcast: "its axes are positions in a shape that is given",
  groupBy: "an axis is its argument",
  moveAxis: "an axis is its argument",
  newAxis: "the axis is new",
  resample: "an axis is its argument",
  rolling: "an axis is its argument",
  swapAxes: "axes are its arguments",
};

/** Members with several signatures, and why. There are none. */
const OVERLOADED: Readonly<Record<string, string>> = {};

/** Files that the programs share. */
const registry = ts.createDocumentRegistry();

/** A program of one file that is not on the disk. */
function service(text: string): ts.LanguageService {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${root}tsconfig.json`, (file) => ts.sys.readFile(file)).config,
    ts.sys,
    root,
  );
  const read = (file: string): string | undefined => (file === USE ? text : ts.sys.readFile(file));
  const host: ts.LanguageServiceHost = {
    getScriptFileNames: () => [USE],
    getScriptVersion: (file) => (file === USE ? text : "1"),
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
  };
  return ts.createLanguageService(host, registry);
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

  it("a misspelt axis is one line that says which was meant, in every method with an option for axes", () => {
    const withAxes = members.filter((name) => {
      const shown = ts.displayPartsToString(detailsOf(name).displayParts);
      return new RegExp(`\\b(${ALONG})\\b`).test(shown) && !(name in NOT_CHECKED);
    });
    expect(withAxes.length).toBeGreaterThan(30);
    const lines = withAxes.flatMap((name) =>
      (OF_LISTS.includes(name) ? LISTS : WORDS).map(
        (options) => `t.${name}(${[...(BEFORE[name] ?? []), options].join(", ")});`,
      ),
    );
    const text = HEAD + lines.join("\n");
    const messages = service(text)
      .getSemanticDiagnostics(USE)
      .map(
        ({ start, messageText }) =>
          [
            text.slice(0, start).split("\n").length - HEAD.split("\n").length,
            ts.flattenDiagnosticMessageText(messageText, "\n"),
          ] as const,
      );
    const wrong = lines.filter((_, i) => {
      const found = messages.filter(([line]) => line === i).map(([, message]) => message);
      return found.length !== 1 || found[0]!.includes("\n") || !found[0]!.includes(`Did you mean '"day"'?`);
    });
    expect(wrong).toEqual([]);
  });
});
