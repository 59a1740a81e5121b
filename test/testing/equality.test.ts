import { processError } from "@vitest/utils/error";
import { beforeAll, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import { extendExpect, tensorEquality, tensorMatchers, type TensorMatchers } from "nx-numerics/testing";

declare module "vitest" {
  // oxlint-disable-next-line typescript/no-explicit-any, typescript/no-empty-object-type -- as vitest declares it
  interface Matchers<T = any> extends TensorMatchers {}
}

extendExpect(expect);

type Backend = "binary" | "wasm";
const on = (backend: Backend, values: number[] | number[][], names = ["x"]) => Nx.f32(values, { backend, names });

/** What vitest prints of a comparison that fails: the message and the diff. */
function failure(compare: () => unknown): { readonly message: string; readonly diff: string } {
  let thrown: unknown;
  try {
    compare();
  } catch (error) {
    thrown = error;
  }
  expect(thrown, "the comparison should fail").toBeDefined();
  const { message, diff = "" } = processError(thrown) as { message: string; diff?: string };
  // oxlint-disable-next-line no-control-regex -- colours
  return { message, diff: diff.replace(/\u001b\[\d+m/g, "") };
}

describe("toEqual on tensors", () => {
  it("holds across backends, in containers too", () => {
    expect({ a: [on("binary", [1, NaN])] }).toEqual({ a: [on("wasm", [1, NaN])] });
    expect(on("wasm", [1, 2])).toStrictEqual(on("binary", [1, 2]));
    expect(Object.freeze(on("wasm", [1, 2]))).toEqual(on("binary", [1, 2]));
  });

  it("tells apart elements, the sign of zero, types, shapes, names and other values", () => {
    const t = on("binary", [0, 1]);
    const others = [
      on("wasm", [0, 2]),
      on("wasm", [-0, 1]),
      t.asType("f64"),
      t.reshape([1, 2]),
      on("wasm", [0, 1], ["y"]),
      [0, 1],
      null,
    ];
    for (const other of others) {
      expect(t).not.toEqual(other);
      expect(other).not.toEqual(t);
    }
  });

  it("takes templates for equal where they say the same, and for no tensor that has elements", () => {
    const template = (names: string[]) => Nx.template([2], "f32", { names });
    expect([template(["x"])]).toEqual([template(["x"])]);
    expect(template(["x"])).not.toEqual(template(["y"]));
    expect(template(["x"])).not.toEqual(on("wasm", [1, 2]));
    const { message } = failure(() => expect(on("wasm", [1, 2])).toEqualTensor(template(["x"])));
    expect(message.split("\n")[0]).toBe("the tensor that was expected is a template, which has no elements");
  });

  it("refuses tensors that cannot be read, and says why", () => {
    const released = on("wasm", [1, 2]);
    Nx.backendDeallocate(released);
    const later = {
      ...Nx.binaryBackend,
      name: "later",
      download: undefined,
      read: () => Promise.resolve(new Uint8Array(8)),
    };
    const unread = new Nx.Tensor(later as unknown as Nx.Backend, null, "f32", [2], ["x"]);
    expect(() => expect(released).toEqual(on("wasm", [1, 2]))).toThrow("was deallocated");
    expect(() => expect(on("wasm", [1, 2])).not.toEqual(unread)).toThrow(/"later".*await Nx\.read/s);
  });

  it("snapshots have tensors as they are printed", () => {
    expect(on("wasm", [1, 2])).toMatchInlineSnapshot(`
      #Nx.Tensor<
        f32[x: 2]
        [1.0, 2.0]
      >
    `);
  });

  it("leaves tensors as they are: what is enumerable, what JSON has", () => {
    const [a, b] = [on("binary", [1]), on("wasm", [2])];
    const before = [Object.keys(a), JSON.stringify(a)];
    expect(a).not.toEqual(b);
    expect([Object.keys(a), JSON.stringify(a)]).toEqual(before);
  });
});

describe("diffs", () => {
  const grid = (last: number) => [
    [1, 2, 3],
    [4, 5, last],
  ];

  it("show tensors as they are printed, whatever their backends", () => {
    for (const backend of ["binary", "wasm"] as const) {
      const compare = () => expect(on("binary", grid(6), ["x", "y"])).toEqual(on(backend, grid(7), ["x", "y"]));
      const { message, diff } = failure(compare);
      expect(message).toBe("expected tensor f32[x: 2][y: 3] to deeply equal tensor f32[x: 2][y: 3]");
      expect(diff.split("\n").slice(3)).toEqual([
        "  #Nx.Tensor<",
        "    f32[x: 2][y: 3]",
        "    [",
        "      [1.0, 2.0, 3.0],",
        "-     [4.0, 5.0, 7.0]",
        "+     [4.0, 5.0, 6.0]",
        "    ]",
        "  >",
      ]);
    }
  });

  it("show tensors in containers, also those that equal each other or have no counterpart", () => {
    const same = [on("binary", [8]), on("wasm", [8])];
    const { diff } = failure(() =>
      expect({ t: on("binary", [1, 2]), s: same[0], n: 1 }).toEqual({ t: on("wasm", [1, 3]), s: same[1], n: 1 }),
    );
    const changed = diff.split("\n").filter((line) => /^[-+] /.test(line));
    expect(changed).toEqual(["- Expected", "+ Received", "-   [1.0, 3.0]", "+   [1.0, 2.0]"]);
    const other = failure(() => expect([on("binary", [1, 2])]).toEqual({ a: on("wasm", [1, 2]) }));
    expect(other.diff).toContain("#Nx.Tensor<\n  f32[x: 2]\n  [1.0, 2.0]\n>");
    expect(other.diff).not.toContain("_backend");
  });

  it("show other types, names and the sign of zero", () => {
    const { diff } = failure(() => expect(on("binary", [0])).toEqual(on("wasm", [-0], ["y"]).asType("f64")));
    const changed = diff.split("\n").filter((line) => /^[-+] {2}/.test(line));
    expect(changed).toEqual(["-   f64[y: 1]", "-   [-0.0]", "+   f32[x: 1]", "+   [0.0]"]);
  });

  it("show large tensors around the first element that differs", () => {
    const values = Array.from({ length: 10_000 }, (_, i) => i);
    const changed = values.map((value, i) => (i === 5_000 || i === 9_000 ? 7 : value));
    const shaped = (list: number[], backend: Backend) =>
      Nx.f32(list, { backend }).reshape([100, 100], { names: ["x", "y"] });
    const { diff } = failure(() => expect(shaped(values, "wasm")).toEqual(shaped(changed, "binary")));
    const lines = diff.split("\n");
    expect(lines).toContain("    ... (2 of 10000 elements differ)");
    expect(lines).toContain("-   element [x: 50, y: 0]: 7.0");
    expect(lines).toContain("+   element [x: 50, y: 0]: 5000.0");
    expect(lines.length).toBeLessThan(20);
  });

  it("of clones whose backend no longer works still show what was compared", () => {
    class Sealed {
      readonly name = "sealed";
      readonly #bytes = new Uint8Array(new Float32Array([1, 2]).buffer);
      download(): Uint8Array {
        return this.#bytes;
      }
      upload(): unknown {
        return null;
      }
      deallocate(): boolean {
        return false;
      }
    }
    const sealed = new Nx.Tensor(new Sealed() as unknown as Nx.Backend, null, "f32", [2], ["x"]);
    const { diff } = failure(() => expect({ a: sealed }).toEqual({ a: on("binary", [1, 3]) }));
    expect(diff).toContain("-   [1.0, 3.0]\n+   [1.0, 2.0]");
  });
});

describe("toEqualTensor", () => {
  it("holds across backends, and its negation where tensors differ", () => {
    expect(on("wasm", [1, NaN])).toEqualTensor(on("binary", [1, NaN]));
    expect(on("wasm", [1, 2])).not.toEqualTensor(on("binary", [1, 3]));
    expect([1]).not.toEqualTensor(on("binary", [1]));
    expect(() => expect(on("wasm", [1])).not.toEqualTensor(on("binary", [1]))).toThrow("expected another tensor than");
  });

  it.each<[type: Nx.DType, at: number, other: number, text: string]>([
    ["f32", 1, 1 + 2 ** -22, "element [x: 1] is 1.0, expected 1.0000002 (2 ulp apart); 1 of 3 elements differ"],
    [
      "f64",
      2,
      1 + 2 ** -52,
      "element [x: 2] is 1.0, expected 1.0000000000000002 (1 ulp apart); 1 of 3 elements differ",
    ],
    ["s64", 0, 5, "element [x: 0] is 1, expected 5 (4 apart); 1 of 3 elements differ"],
    ["bf16", 0, NaN, "element [x: 0] is 1.0, expected NaN (Infinity ulp apart); 1 of 3 elements differ"],
  ])("names the first element of %s that differs, both values and their distance", (type, at, other, text) => {
    const made = (values: number[], backend: Backend) => Nx.tensor(values, { type, backend, names: ["x"] });
    const { message } = failure(() =>
      expect(made([1, 1, 1], "wasm")).toEqualTensor(
        made(
          [0, 1, 2].map((i) => (i === at ? other : 1)),
          "binary",
        ),
      ),
    );
    expect(message.split("\n")[0]).toBe(text);
    expect(message).toContain(`Expected: #Nx.Tensor<\n  ${type}[x: 3]\n`);
  });

  it("says which types, shapes and names differ", () => {
    const { message } = failure(() => expect(on("wasm", [1, 2])).toEqualTensor(Nx.s64([[1, 2]])));
    expect(message.split("\n")[0]).toBe("the tensor is f32[x: 2], expected s64[1][2]");
  });

  it("refuses to compare with anything but a tensor", () => {
    const refused = /toEqualTensor expects a tensor to compare with, got (an array|null|a value of type number)/;
    for (const other of [[1], null, 1]) {
      expect(() => expect(on("wasm", [1])).toEqualTensor(other as never)).toThrow(refused);
    }
  });
});

describe("tensors of another copy of the library", () => {
  let Other: typeof Nx;
  beforeAll(async () => {
    vi.resetModules();
    Other = await import("nx-numerics");
  });

  it("are named as such, and no tester says that they are unequal", () => {
    const [here, there] = [Nx.f32([1]), Other.f32([1])];
    const named = /compares tensors of one copy of the library\. .*a tensor of another copy of nx-numerics/;
    expect(() => tensorEquality(here, there)).toThrow(named);
    expect(() => tensorEquality(there, here)).toThrow(named);
    expect(() => expect([here]).not.toEqual([there])).toThrow(named);
    expect(() => tensorMatchers.toEqualTensor(there, here)).toThrow(named);
    expect(() => tensorMatchers.toEqualTensor(here, there as never)).toThrow(named);
  });

  it("are left to the testers of their copy where no tensor of this one is compared", () => {
    expect(tensorEquality(Other.f32([1]), Other.f32([2]))).toBeUndefined();
    expect(tensorEquality(Other.f32([1]), 1)).toBeUndefined();
  });
});
