import { inspect as nodeInspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";

const text = (...lines: string[]) => ["#Nx.Tensor<", ...lines.map((line) => `  ${line}`), ">"].join("\n");

function limited<T>(inspectLimit: number, fn: () => T): T {
  const before = Nx.configure({ inspectLimit });
  try {
    return fn();
  } finally {
    Nx.configure({ inspectLimit: before.inspectLimit });
  }
}

describe("inspect", () => {
  it("shows scalars, vectors and matrices", () => {
    expect(Nx.inspect(Nx.tensor(0))).toBe(text("s64", "0"));
    expect(Nx.inspect(1.5)).toBe(text("f32", "1.5"));
    expect(Nx.inspect(Nx.tensor([1.2, 2.3, 3.4, 4.5]))).toBe(text("f32[4]", "[1.2, 2.3, 3.4, 4.5]"));
    expect(Nx.inspect(Nx.iota([2, 3], { names: ["x", "y"] }))).toBe(
      text("s64[x: 2][y: 3]", "[", "  [0, 1, 2],", "  [3, 4, 5]", "]"),
    );
    expect(Nx.inspect(Nx.iota([1, 1, 2]))).toBe(text("s64[1][1][2]", "[", "  [", "    [0, 1]", "  ]", "]"));
    expect(Nx.inspect(Nx.iota([2, 1, 1], { names: ["batch", null, null] }))).toBe(
      text("s64[batch: 2][1][1]", "[", "  [", "    [0]", "  ],", "  [", "    [1]", "  ]", "]"),
    );
  });

  it("shows every kind of element", () => {
    expect(Nx.inspect(Nx.f16([0.1, 0.2]))).toBe(text("f16[2]", "[0.1, 0.2]"));
    expect(Nx.inspect(Nx.tensor([1n, 2n ** 62n]))).toBe(text("s64[2]", "[1, 4611686018427387904]"));
    expect(Nx.inspect(Nx.tensor([true, false]))).toBe(text("u8[2]", "[1, 0]"));
    expect(Nx.inspect(Nx.tensor([-Infinity, NaN, -0, 1e20]))).toBe(text("f32[4]", "[-Inf, NaN, -0.0, 1.0e20]"));
    expect(Nx.inspect(Nx.tensor(new Nx.Complex(1, -1)))).toBe(text("c64", "1.0-1.0i"));
  });

  it("leaves out what is beyond the limit", () => {
    const fifty = Array.from({ length: 50 }, (_, i) => i).join(", ");
    expect(Nx.inspect(Nx.iota([50]))).toBe(text("s64[50]", `[${fifty}]`));
    expect(Nx.inspect(Nx.iota([51]))).toBe(text("s64[51]", `[${fifty}, ...]`));
    expect(limited(3, () => Nx.inspect(Nx.iota([2, 3])))).toBe(text("s64[2][3]", "[", "  [0, 1, 2],", "  ...", "]"));
    expect(limited(4, () => Nx.inspect(Nx.iota([3, 3])))).toBe(
      text("s64[3][3]", "[", "  [0, 1, 2],", "  [3, ...],", "  ...", "]"),
    );
    expect(limited(1, () => Nx.inspect(Nx.iota([2, 2, 2])))).toBe(
      text("s64[2][2][2]", "[", "  [", "    [0, ...],", "    ...", "  ],", "  ...", "]"),
    );
    expect(limited(Infinity, () => Nx.inspect(Nx.iota([60])))).toContain("58, 59]");
  });

  it("is what String, toString and Node's console show", () => {
    const t = Nx.tensor([1, 2], { names: ["x"] });
    expect([String(t), t.toString(), nodeInspect(t), `${t}`]).toEqual(Array(4).fill(Nx.inspect(t)));
  });

  it("shows templates without data", () => {
    expect(Nx.inspect(Nx.template([2], "f32"))).toBe(text("f32[2]", "Nx.TemplateBackend"));
  });

  it("shows a large tensor without reading all of it", () => {
    const t = Nx.iota([1000, 1000]);
    const read = vi.spyOn(t.backend, "download");
    Nx.inspect(t);
    expect(read.mock.calls.map(([, limit]) => limit)).toEqual([50]);
    read.mockRestore();
  });

  it.each(["binary", "wasm"])("never fails, also for released tensors on %s", (backend) => {
    for (const size of [2, 100_000]) {
      const t = Nx.withDefaultBackend(backend, () => Nx.iota([size], { type: "f32", names: ["x"] }));
      Nx.backendDeallocate(t);
      const shown = text(`f32[x: ${size}]`, "(deallocated)");
      expect([Nx.inspect(t), String(t), nodeInspect(t)]).toEqual([shown, shown, shown]);
      expect(nodeInspect({ a: 1, t })).toContain("(deallocated)");
      expect(JSON.parse(JSON.stringify({ t }))).toEqual({ t: { type: "f32", shape: [size], names: ["x"] } });
      expect(() => t.sum()).toThrow(Nx.BackendError);
    }
  });
});

describe("consoles and JSON", () => {
  const released = Nx.f32([1, 2]);
  Nx.backendDeallocate(released);
  const inside: Nx.Tensor[] = [];
  Nx.defn((x: Nx.Tensor) => {
    inside.push(x.add(1));
    return x;
  })(Nx.f32([1]));
  const tensors: Readonly<Record<string, Nx.Tensor>> = {
    small: Nx.f32([1, 2]),
    large: Nx.iota([100_000]),
    complex: Nx.c64(new Nx.Complex(1, NaN)),
    "of another backend": Nx.tensor([1, 2], { backend: { ...Nx.binaryBackend, name: "mine" } }),
    released,
    template: Nx.template([2], "f32"),
    vectorized: Nx.vectorize(Nx.iota([2], { names: ["x"] }), "x"),
    "traced, after its trace": inside[0]!,
  };

  it.each(Object.entries(tensors))("show a tensor that is %s, and what it is made of, in a few lines", (_, t) => {
    for (const value of [t, [t], { ...t }, { deep: { t: { ...t } } }]) {
      const shown = nodeInspect(value);
      expect(shown.split("\n").length).toBeLessThan(25);
      expect(shown.length).toBeLessThan(1000);
    }
    expect(nodeInspect({ ...t })).toContain("#Nx.Backend<");
    expect(nodeInspect({ ...t })).not.toContain("[Function");
    expect(() => JSON.stringify([t, { t }])).not.toThrow();
    expect(() => [String(t), `${t as unknown as string}`, Nx.inspect(t)]).not.toThrow();
  });

  it("show a traced tensor while it is traced", () => {
    Nx.defn((x: Nx.Tensor) => {
      const y = x.add(1).exp();
      expect(nodeInspect({ ...y }).split("\n").length).toBeLessThan(25);
      expect(JSON.parse(JSON.stringify(y))).toEqual({ type: "f32", shape: [1], names: [null] });
      return y;
    })(Nx.f32([1]));
  });

  it("show backends by name, those made of others, too", () => {
    expect(nodeInspect(Nx.binaryBackend)).toBe("#Nx.Backend<binary>");
    expect(nodeInspect({ ...Nx.binaryBackend, name: "mine" })).toBe("#Nx.Backend<mine>");
    expect(nodeInspect([Nx.tensor(1, { backend: "wasm" }).backend])).toBe("[ #Nx.Backend<wasm> ]");
  });
});
