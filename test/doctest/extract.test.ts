import { describe, expect, it } from "vitest";
import { extract, extractFrom } from "../../lib/doctest";
import { root } from "./blocks";

const markdown = (...lines: string[]) => extractFrom(lines.join("\n"), "page.md", { root });
const source = (...lines: string[]) => extractFrom(lines.join("\n"), "code.ts", { root });

describe("Markdown", () => {
  it("gives each ts fence with its line and heading", async () => {
    const blocks = await markdown(
      "```ts",
      "one();",
      "```",
      "# Head",
      "text",
      "## Sub *x* ##",
      "~~~ts",
      "two();",
      "",
      "three();",
      "~~~",
    );
    expect(blocks.map(({ file, line, symbol, code }) => ({ file, line, symbol, code }))).toEqual([
      { file: "page.md", line: 1, symbol: null, code: "one();" },
      { file: "page.md", line: 7, symbol: "Sub *x*", code: "two();\n\nthree();" },
    ]);
  });

  it.each(["ts", "typescript", "TS", 'ts title="a b.ts"', "ts {1,3}", "typescript {2} title=x", "js", "javascript"])(
    "takes fences marked %s",
    async (info) => {
      const language = /^ts|^typescript/i.test(info) ? "ts" : "js";
      expect(await markdown(`\`\`\`${info}`, "a();", "```")).toMatchObject([{ code: "a();", language }]);
    },
  );

  it.each(["", "sh", "json", "tsx", "ts no-run", "ts twoslash", "jsx", "text ts", 'title="ts"'])(
    "leaves fences marked '%s' alone",
    async (info) => {
      expect(await markdown(`\`\`\`${info}`, "a();", "```", "", "```sh", "ls", "```")).toEqual([]);
    },
  );

  it("does not see a fence inside a longer fence", async () => {
    expect(await markdown("````md", "```ts", "a", "```", "````", "```ts", "b", "```")).toMatchObject([{ code: "b" }]);
  });

  it("takes the fence's indentation off and remembers it", async () => {
    const [block] = await markdown("- item", "  ```ts", "  if (a) {", "    b();", "  }", "  ```");
    expect(block).toMatchObject({ code: "if (a) {\n  b();\n}", columns: [2, 2, 2] });
  });

  it("takes a fence left open to end with the text, and reads CRLF", async () => {
    expect(await markdown("```ts\r", "a();\r", "b();")).toMatchObject([{ code: "a();\nb();" }]);
  });
});

describe("TypeScript", () => {
  it("names the symbol a comment belongs to", async () => {
    const fence = (indent: string, code: string) => [
      `${indent} * \`\`\`ts`,
      `${indent} * ${code}`,
      `${indent} * \`\`\``,
      `${indent} */`,
    ];
    const blocks = await source(
      ...["/** File.", ...fence("", "file();"), "import x from 'x';", ""],
      ...["/**", ...fence("", "detached();"), "", "/**", ...fence("", "f();"), "export function f() {}"],
      ...["/**", ...fence("", "c();"), "export const c = {", "  /**", ...fence("  ", "c.m();"), "  m() {},", "};"],
      ...[
        "/**",
        ...fence("", "K();"),
        "export class K<T> {",
        "  /**",
        ...fence("  ", "K.p();"),
        "  get p() { return 1; }",
      ],
      ...["  /** Last, before a brace.", ...fence("  ", "end();"), "}", "/**", ...fence("", "eof();")],
    );
    expect(blocks.map(({ symbol, code }) => [symbol, code])).toEqual([
      [null, "file();"],
      [null, "detached();"],
      ["f", "f();"],
      ["c", "c();"],
      ["c.m", "c.m();"],
      ["K", "K();"],
      ["K.p", "K.p();"],
      [null, "end();"],
      [null, "eof();"],
    ]);
  });

  it("knows lines and columns, and keeps indentation and blank lines", async () => {
    const [block] = await source(
      "class A {",
      "  /**",
      "   * ```ts",
      "   * if (a) {",
      "   *   b();",
      "   *",
      "   * }",
      "   * ```",
      "   */",
      "  m() {}",
      "}",
    );
    expect(block).toMatchObject({ line: 3, symbol: "A.m", code: "if (a) {\n  b();\n\n}", columns: [5, 5, 4, 5] });
  });

  it("knows JavaScript, members of every kind and computed names", async () => {
    const fence = (code: string) => ["/**", " * ```js", ` * ${code}`, " * ```", " */"];
    const blocks = await extractFrom(
      [
        "export default class {",
        ...fence("a();"),
        "  static #a = 1;",
        ...fence("b();"),
        "  async *[Symbol.iterator]() {}",
        "}",
      ]
        .concat(...fence("c();"), "export const [d] = [1];", ...fence("e();"), "export { d as e };")
        .join("\n"),
      "code.mjs",
      { root },
    );
    expect(blocks.map(({ symbol, language }) => [symbol, language])).toEqual([
      ["#a", "js"],
      ["[Symbol.iterator]", "js"],
      ["[d]", "js"],
      [null, "js"],
    ]);
  });

  it("is not misled by strings, templates and ordinary comments", async () => {
    const blocks = await source(
      "const s = `/**",
      " * ```ts",
      " * no();",
      " * ```",
      " */`;",
      "/* no",
      "```ts",
      "no();",
      "```",
      "*/",
      "const t = 1;",
    );
    expect(blocks).toEqual([]);
  });
});

describe("files", () => {
  it("finds by pattern, in order, without those taken out", async () => {
    const { blocks, unmatched } = await extract(["**/*.{md,ts}", "!*.vitest.ts", "none/*.ts"], { root });
    expect([...new Set(blocks.map(({ file }) => file))]).toEqual(["docs/guide.md", "documented.ts"]);
    expect(unmatched).toEqual(["none/*.ts"]);
  });

  it("takes one pattern, and a plain path", async () => {
    expect((await extract("documented.ts", { root })).blocks.length).toBeGreaterThan(0);
    expect((await extract("./docs/*.md", { root })).blocks.length).toBeGreaterThan(0);
    expect(await extract("*.md", { root })).toMatchObject({ blocks: [], unmatched: ["*.md"] });
  });
});
