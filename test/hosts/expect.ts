/** What `extendExpect` makes of `expect` in jest: equality across backends, messages and diffs. */
import { join } from "node:path";
import { execute } from "./local";
import type { Project } from "./project";

const HEADS = [
  {
    name: "jest, CommonJS",
    file: "expect.test.cjs",
    head: `const Nx = require("nx-numerics");\nconst { extendExpect } = require("nx-numerics/testing");\n`,
  },
  {
    name: "jest, ES modules",
    file: "expect.test.mjs",
    head: `import * as Nx from "nx-numerics";\nimport { extendExpect } from "nx-numerics/testing";\n`,
  },
];

const TESTS = `
extendExpect(expect);

const on = (backend, values, names = ["x"]) => Nx.f32(values, { backend, names });

/** The message of a comparison that fails, without colours. */
function failure(compare) {
  try {
    compare();
  } catch (error) {
    return error.message.replace(/\\u001b\\[\\d+m/g, "");
  }
  throw new Error("the comparison should fail");
}
const changed = (message) => message.split("\\n").filter((line) => /^[-+]/.test(line));

test("toEqual holds across backends, in containers too", () => {
  expect({ a: [on("binary", [1, NaN])] }).toEqual({ a: [on("wasm", [1, NaN])] });
  expect(on("wasm", [1, 2])).toStrictEqual(on("binary", [1, 2]));
});

test("toEqual tells apart elements, the sign of zero, types, shapes, names and other values", () => {
  const t = on("binary", [0, 1]);
  const others = [on("wasm", [0, 2]), on("wasm", [-0, 1]), t.asType("f64"), t.reshape([1, 2]), on("wasm", [0, 1], ["y"]), [0, 1], null];
  for (const other of others) {
    expect(t).not.toEqual(other);
    expect(other).not.toEqual(t);
  }
});

test("diffs show tensors as they are printed", () => {
  const message = failure(() => expect({ t: on("binary", [1, 2]) }).toEqual({ t: on("wasm", [1, 3]) }));
  expect(changed(message)).toEqual(["- Expected  - 1", "+ Received  + 1", "-   [1.0, 3.0]", "+   [1.0, 2.0]"]);
  expect(failure(() => expect(on("binary", [1])).toEqual([1]))).toContain("#Nx.Tensor<\\n  f32[x: 1]\\n  [1.0]\\n>");
});

test("diffs show large tensors around the first element that differs", () => {
  const values = Array.from({ length: 10000 }, (_, i) => i);
  const message = failure(() => expect(on("wasm", values)).toEqual(on("binary", values.map((v) => (v === 5000 ? 7 : v)))));
  expect(changed(message).slice(2)).toEqual(["-   element [x: 5000]: 7.0", "+   element [x: 5000]: 5000.0"]);
  expect(message).toContain("(1 of 10000 elements differ)");
});

test("toEqualTensor names the first element that differs", () => {
  expect(on("wasm", [1])).toEqualTensor(on("binary", [1]));
  const message = failure(() => expect(on("wasm", [1, 2])).toEqualTensor(on("binary", [1, 2.0000002])));
  expect(message.split("\\n")[0]).toBe("element [x: 1] is 2.0, expected 2.0000002 (1 ulp apart); 1 of 2 elements differ");
});

test("snapshots have tensors as they are printed", () => {
  expect(on("wasm", [1])).toMatchInlineSnapshot(\`
#Nx.Tensor<
  f32[x: 1]
  [1.0]
>
\`);
});
`;

/** Without `extendExpect` a message is about what was compared, too. */
const PLAIN = `
test("a comparison that fails shows what tensors consist of", () => {
  const compare = () => expect({ t: Nx.f32([1, 2]) }).toEqual({ t: Nx.f32([1, 3]) });
  expect(compare).toThrow(/-       3,[^]*\\+       2,/);
});
`;

/** Runs the tests in jest, with modules of either kind; what went wrong, by what was run. */
export async function tryExpect({ folder, write }: Project): Promise<ReadonlyMap<string, string | null>> {
  const outcomes = new Map<string, string | null>();
  for (const { name, file, head } of HEADS) {
    for (const [what, tests] of Object.entries({ "with extendExpect": TESTS, "as it is": PLAIN })) {
      write(file, head + tests);
      const args = [join(folder, "node_modules/jest/bin/jest.js"), "--runInBand", "--testMatch", `**/${file}`];
      const options = file.endsWith(".mjs") ? "--experimental-vm-modules" : "";
      const told = await execute(process.execPath, args, folder, { NODE_OPTIONS: options });
      const count = tests.match(/^test\(/gm)!.length;
      const isRight = new RegExp(`^Tests: +${count} passed, ${count} total$`, "m").test(told);
      outcomes.set(`${name}, ${what}`, isRight ? null : told.slice(-3000));
    }
  }
  return outcomes;
}
