import { describe, expect, it } from "vitest";
import { runBlock } from "../../lib/doctest";
import { block, failure, options, passes } from "./blocks";

describe("values", () => {
  it("of expressions, variables, patterns and promises", async () => {
    await passes(
      "Fake.add(1, 2);",
      "// => 3",
      "Fake.add(1, 1) // => 2",
      "const x = Fake.add(x0(), 2);",
      "// => 4",
      "function x0() { return 2; }",
    );
    await passes("const { a, b: [c] } = { a: 1, b: [2] };", "// => { a: 1, b: [2] }", "a + c;", "// => 3");
    await passes(
      "Fake.later(5);",
      "// => 5",
      "const p = Fake.later([1]);",
      "// => [1]",
      "(await p).length;",
      "// => 1",
    );
    await passes("let n = 1, m = n + 1;", "// => 2", "n = 7;", "// => 7", "n++; // => 7");
  });

  it("that print over several lines", async () => {
    const lines = ["// => #Box<", "//   s64[2]", "//   [1, 2]", "// >"];
    await passes(
      "Fake.box(1, 2);",
      ...lines,
      "const b = Fake.box(1, 2);",
      "// =>",
      "// #Box<",
      "//   s64[2]  ",
      ...lines.slice(2),
    );
    await passes(
      "[Fake.box(1), 2];",
      "// => [",
      "//   #Box<",
      "//     s64[1]",
      "//     [1]",
      "//   >,",
      "//   2",
      "// ]",
    );
  });

  it("inside blocks and functions", async () => {
    await passes("for (const i of [1, 2]) {", "  i > 0;", "  // => true", "}");
    await passes("const f = (x: number) => {", "  x;", "  // => 4", "  return x * 2; // => 8", "};", "f(4);");
    await passes("const f = async () => {", "  await null;", "  Fake.later(1);", "  // => 1", "};", "await f();");
  });

  it("that differ fail, with place, source and both texts", async () => {
    const error = await failure("const a = 1;", "", "  Fake.add(a, 2);", "// => 4");
    expect(error).toMatchObject({ kind: "value", file: "page.md", line: 6, column: 3 });
    expect(error.message).toBe(
      ["page.md:6:3 the value is not the expected one", "  6 |   Fake.add(a, 2);", "expected: 4", "received: 3"].join(
        "\n",
      ),
    );
    expect(error.stack).toMatch(/\n {4}at Page \(.*\/fixtures\/page\.md:6:3\)$/);
  });

  it("over several lines are told as a difference", async () => {
    const error = await failure("Fake.box(1, 2);", "// => #Box<", "//   s64[2]", "//   [1, 3]", "// >");
    expect(error.message).toContain("\n- expected\n+ received\n\n  #Box<\n    s64[2]\n-   [1, 3]\n+   [1, 2]\n  >");
  });

  it("keep the indentation of lines significant", async () => {
    expect((await failure("Fake.box(1);", "// => #Box<", "// s64[1]", "//   [1]", "// >")).kind).toBe("value");
  });

  it("fail inside a function, even where the example catches errors", async () => {
    expect(await failure("try {", "  1;", "  // => 2", "} catch {}")).toMatchObject({
      kind: "value",
      line: 5,
      column: 3,
    });
  });

  it("say where a remark was taken for expected text", async () => {
    expect((await failure("1;", "// => 1", "// And so on.")).message).toContain("an empty line ends it");
    await passes("1;", "// => 1", "", "// And so on.", "2; // => 2", "// A remark.");
  });
});

describe("errors", () => {
  it("are expected by class and start of message", async () => {
    await passes('Fake.fail("shapes differ: [2] and [3]");', "// throws ArgumentError: shapes differ");
    await passes('Fake.fail("a\\n  b c");', "// throws ArgumentError: a", "//   b c", "null!.x; // throws TypeError");
    await passes(
      'const x = Fake.fail("no"); // throws ArgumentError: no',
      'Promise.reject(new RangeError("r"));',
      "// throws RangeError: r",
    );
    await passes("class MyError extends Error {}", 'throw new MyError("m");', "// throws MyError: m");
  });

  it("that do not come fail", async () => {
    const error = await failure("Fake.add(1, 2);", "// throws ArgumentError: no");
    expect(error).toMatchObject({ kind: "throws", line: 4 });
    expect(error.message).toContain("expected: ArgumentError: no\nreceived: no error, but the value 3");
  });

  it("with another message or class fail", async () => {
    const error = await failure('Fake.fail("yes");', "// throws ArgumentError: no");
    expect(error).toMatchObject({ kind: "throws", line: 4, cause: { message: "yes" } });
    expect(error.message).toContain("expected: ArgumentError: no\nreceived: ArgumentError: yes");
    expect((await failure('Fake.fail("no");', "// throws TypeError: no")).message).toContain(
      "received: ArgumentError: no",
    );
  });

  it("that nobody expects fail at the line they come from", async () => {
    const error = await failure(
      "const f = (x: number) => {",
      "  // a comment",
      "",
      "  return Fake.fail(`no ${x}`);",
      "};",
      "f(1);",
    );
    expect(error).toMatchObject({ kind: "error", line: 7, column: 3, cause: { name: "ArgumentError" } });
    expect(error.message).toBe("page.md:7:3 ArgumentError: no 1\n  7 |   return Fake.fail(`no ${x}`);");
    expect(await failure("1;", "await Promise.reject(3);")).toMatchObject({ kind: "error", line: 5 });
    expect((await failure("1;", "await Promise.reject(3);")).message).toContain("threw 3");
  });

  it("of syntax fail at their place", async () => {
    expect(await failure("const a = 1;", "const b = ;")).toMatchObject({ kind: "type", line: 5, column: 11 });
  });
});

describe("output", () => {
  it("is kept quiet, and compared where the example says so", async () => {
    await passes(
      'console.log("a", 1);',
      "// prints: a 1",
      'console.log("x");',
      'console.log("y\\n z");',
      "// prints: y",
      "//  z",
    );
    expect(await failure("console.log(1);", "// prints: 2")).toMatchObject({ kind: "prints", line: 4 });
  });
});

describe("bindings", () => {
  it("are a block's own", async () => {
    await passes("const mine = 1; var other = 2;", "mine + other;", "// => 3");
    expect((await failure("mine;")).message).toContain("ReferenceError: mine is not defined");
    expect((await failure("other;")).message).toContain("ReferenceError: other is not defined");
    expect(Reflect.has(globalThis, "other")).toBe(false);
  });

  it("may hide given names", async () => {
    await passes("const Fake = 1;", "Fake;", "// => 1");
  });

  it("come from imports", async () => {
    await passes(
      'import * as F from "fake";',
      'import { add, type Box } from "fake";',
      'import { add as plus } from "./fake";',
      "let b: Box | null = null;",
      "F.add(1, add(2, plus(3, 4)));",
      "// => 10",
      "b;",
      "// => null",
    );
    await passes(
      'import { join } from "node:path";',
      'const os = await import("node:os");',
      'join("a", os.EOL.trim());',
      '// => "a"',
    );
    await passes(
      'const { add } = await import("./fake");',
      "add(1, 1);",
      "// => 2",
      "export const two = 2;",
      "// => 2",
    );
    expect((await failure('import { x } from "no-such-package-here";', "x;")).kind).toBe("error");
  });
});

describe("form", () => {
  it("skips with a reason, and only so", async () => {
    const skipped = await runBlock(await block("// doctest: skip because it needs a GPU", "gpu();"), options);
    expect(skipped).toEqual({ status: "skipped", reason: "it needs a GPU" });
    expect(await failure("// doctest: skip", "1;")).toMatchObject({ kind: "form", line: 4 });
    expect((await failure("// doctest: skip because", "1;")).message).toContain("needs its reason");
    expect((await failure("// doctest: ignore", "1;")).message).toContain('unknown directive "doctest: ignore"');
  });

  it.each([
    ["an expectation of nothing", ["// => 3", "1;"], 4],
    ["an expectation inside an expression", ["const a = [", "  1, // => 1", "];"], 5],
    ["two values", ["1;", "// => 1", "// => 2"], 6],
    ["value and error", ["1;", "// => 1", "// throws TypeError: x"], 6],
    ["a malformed error", ["1;", "// throws up"], 5],
    ["a value of a statement without one", ["if (1) {", "}", "// => 1"], 4],
    ["a value of a function", ["function f() {}", "// => 1"], 4],
    ["an expectation that is never reached", ["const f = () => {", "  1;", "  // => 2", "};"], 5],
  ])("does not accept %s", async (_, code, line) => {
    expect(await failure(...code)).toMatchObject({ kind: "form", line });
  });

  it("takes prose for prose", async () => {
    await passes("// This throws when it must.", "1;", "// Then => comes.", "2; /* => 3 */");
  });
});

describe("using", () => {
  it("releases in reverse order, whether awaited, left early or failing", async () => {
    const made = "const made = (name: string) => ({ [Symbol.dispose]() { log.push(name); } });";
    await passes("const log: string[] = [];", made, "{", '  using a = made("a");', '  using b = made("b");', "  a; b;", "}", "log;", '// => ["b", "a"]'); // prettier-ignore
    await passes("const log: string[] = [];", "const later = { async [Symbol.asyncDispose]() { log.push(await Promise.resolve(1) + ''); } };", "{", "  await using x = later;", "  x;", "}", "log;", '// => ["1"]'); // prettier-ignore
    await passes("const log: string[] = [];", made, "const f = () => {", '  using a = made("a");', "  return Fake.fail(`no ${typeof a}`);", "};", "f();", "// throws ArgumentError: no object", "log;", '// => ["a"]'); // prettier-ignore
    await passes("const f = () => {", "  using a = {} as Disposable;", "  return a;", "};", "f();", "// throws TypeError: a value declared by using"); // prettier-ignore
  });
});

describe("around", () => {
  it("wraps the run", async () => {
    const log: string[] = [];
    const around = async (run: () => Promise<void>) => {
      log.push("in");
      await run();
      log.push("out");
    };
    const log2 = { globals: { log: { module: "x", value: (text: string) => log.push(text) } } };
    expect(await runBlock(await block('await null; log("run");'), { ...options, ...log2, around })).toEqual({
      status: "passed",
    });
    expect(log).toEqual(["in", "run", "out"]);
  });

  it("must run it, and may fail it", async () => {
    const idle = await runBlock(await block("1;"), { ...options, around: () => Promise.resolve() });
    expect(idle).toMatchObject({ status: "failed", error: { kind: "error" } });
    const broken = await runBlock(await block("1;"), {
      ...options,
      around: () => Promise.reject(new Error("no backend")),
    });
    expect(broken).toMatchObject({ status: "failed", error: { cause: { message: "no backend" } } });
  });
});
