/** Tables are NumPy's character by character; what else `print` does. */
import { inspect } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { decode, readOracle, type Coded } from "../oracles/read";

interface Case {
  readonly type: Nx.DType;
  readonly shape: readonly number[];
  readonly elements: readonly (Coded | readonly [Coded, Coded])[];
  readonly precision: number;
  readonly width: number;
  readonly limit: number;
  readonly text: string;
}

function printed(t: Nx.Tensor, options?: Nx.TableOptions): string {
  const texts: string[] = [];
  t.print({ ...options, print: (text) => texts.push(text) });
  expect(texts.length).toBe(1);
  return texts[0]!;
}

const body = (text: string): string => text.slice(text.indexOf("\n") + 1);
const valueOf = (element: Case["elements"][number]): number | Nx.Complex =>
  typeof element === "object" ? new Nx.Complex(decode(element[0]), decode(element[1])) : decode(element);

describe("tables", () => {
  const cases = readOracle<Case[]>("tables.json");

  it.each(cases.map((row, i) => [`${i}: ${row.type} [${row.shape.join(", ")}]`, row] as const))(
    "are those of NumPy: %s",
    (_, { type, shape, elements, text, ...options }) => {
      const t = Nx.tensor(elements.map(valueOf), { type }).reshape(shape);
      expect(body(printed(t, options))).toBe(text.replaceAll("j", "i"));
    },
  );

  it("begin with type, shape and names", () => {
    expect(printed(Nx.f32([[1, 2.5]], { names: ["x", "y"] }))).toBe("f32[x: 1][y: 2]\n[[1.  2.5]]");
    expect(printed(Nx.tensor(3))).toBe("s64\n3");
    expect(printed(Nx.u64([2n ** 63n, 1]))).toBe("u64[2]\n[9223372036854775808                   1]");
  });

  it("have lines of one width where they need not wrap, and no more digits than asked for", () => {
    const element = fc.oneof(fc.double(), fc.integer());
    const rows = fc.array(fc.tuple(element, element, element), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rows, fc.nat({ max: 12 }), (list, precision) => {
        const lines = body(printed(Nx.f64(list), { precision, width: 200 })).split("\n");
        expect(new Set(lines.map((line) => line.replace(/\]\]$/, "]").length)).size).toBe(1);
        for (const [, digits] of lines.join().matchAll(/\.(\d*)/g))
          expect(digits!.length).toBeLessThanOrEqual(precision);
      }),
    );
  });

  it("have no exponents where none are wanted, as NumPy with suppress=True", () => {
    // np.set_printoptions(suppress=True, precision=3): np.array([[1939, -0.1423], [2e-5, np.inf]]), np.array([1e9, 0.5]), np.array([1e-5 + 2e6j])
    const t = Nx.f64([[1939, -0.1423], [2e-5, Infinity]]); // prettier-ignore
    const options = { precision: 3, exponents: false };
    expect(body(printed(t, options))).toBe("[[1939.      -0.142]\n [   0.         Inf]]");
    expect(body(printed(Nx.f64([1e9, 0.5]), options))).toBe("[1000000000.           0.5]");
    expect(body(printed(Nx.c128([new Nx.Complex(1e-5, 2e6)]), options))).toBe("[0.+2000000.i]");
    expect(body(printed(t, { precision: 3 }))).toContain("e+03");
    expect(() => t.print({ exponents: 1 } as never)).toThrow("option exponents of Nx.print");
  });

  it("read of large tensors the corners only, on every backend", () => {
    for (const backend of ["binary", "wasm"]) {
      const t = Nx.iota([2000, 1500], { backend, type: "s32" });
      expect(body(printed(t)).split("\n")[4]).toBe(" [2995500 2995501 2995502 ... 2996997 2996998 2996999]");
    }
  });

  it("say what became of tensors without elements", () => {
    expect(printed(Nx.template([2], "f32"))).toBe("f32[2]\nNx.TemplateBackend");
    const t = Nx.f32([1]);
    Nx.backendDeallocate(t);
    expect(printed(t)).toBe("f32[1]\n(deallocated)");
  });

  it("refuse options out of range", () => {
    const t = Nx.tensor([1]);
    expect(() => t.print({ precision: 0.5 })).toThrow(
      "option precision of Nx.print must be an integer of at least 0, got: 0.5",
    );
    expect(() => t.print({ width: 0 })).toThrow("option width of Nx.print must be an integer of at least 1, got: 0");
    expect(() => t.print({ limit: -1 })).toThrow("option limit of Nx.print must be an integer of at least 1, got: -1");
    expect(() => t.print({ print: 1 } as never)).toThrow(
      "option print of Nx.print must be a function of a text, got: 1",
    );
    expect(() => t.print({ precison: 1 } as never)).toThrow('did you mean "precision"?');
  });
});

describe("consoleForm", () => {
  afterEach(() => void Nx.configure({ consoleForm: undefined }));

  it("lets consoles show tables, and leaves texts as they are", () => {
    const t = Nx.f32([1, -20.5], { names: ["x"] });
    const text = "#Nx.Tensor<\n  f32[x: 2]\n  [1.0, -20.5]\n>";
    expect(inspect(t)).toBe(text);
    Nx.configure({ consoleForm: "table" });
    expect(inspect(t)).toBe("f32[x: 2]\n[  1.  -20.5]");
    expect(String(t)).toBe(text);
    expect(Nx.inspect(t)).toBe(text);
    expect(() => Nx.configure({ consoleForm: "tabel" } as never)).toThrow('did you mean "table"?');
  });
});
