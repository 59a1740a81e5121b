/** Partial backends: what they lack says so by name, and another backend does it where they are completed. */
import { afterEach, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import {
  completeBackend,
  MULTI_RESULT_PRIMITIVES,
  PRIMITIVES,
  type PartialBackend,
  type Primitive,
} from "nx-numerics/backend";
import { conformance } from "nx-numerics/testing";
import { laterBackend } from "../backends/later-backend";
import { sampled } from "../effort";
import { foreignBackend } from "../testing/foreign-backend";

afterEach(() => void vi.restoreAllMocks());

/** A backend whose data no other one can use, with these primitives only. */
function tiny(...has: readonly Primitive[]): PartialBackend {
  const whole = foreignBackend("tiny");
  for (const name of [...PRIMITIVES, ...MULTI_RESULT_PRIMITIVES]) {
    if (!has.includes(name as Primitive)) Reflect.deleteProperty(whole, name);
  }
  return whole;
}

/** A call that needs each primitive; `t` is a square matrix of f32. */
const CALLS: { readonly [P in Primitive | "linalg"]: readonly [name: string, call: (t: Nx.Tensor) => unknown] | null } =
  {
    constant: ["Nx.fill", ({ backend }) => Nx.fill([2], 1, { backend })],
    iota: ["Nx.iota", ({ backend }) => Nx.iota([2], { backend })],
    eye: ["Nx.eye", ({ backend }) => Nx.eye(2, { backend })],
    unary: ["Nx.exp", (t) => t.exp()],
    binary: ["Nx.add", (t) => t.add(t)],
    select: ["Nx.select", (t) => Nx.select(t, t, t)],
    asType: ["Nx.asType", (t) => t.asType("f64")],
    bitcast: ["Nx.bitcast", (t) => t.bitcast("u32")],
    map: ["Nx.map", (t) => Nx.map(t, (x) => x)],
    reshape: ["Nx.reshape", (t) => t.reshape([4])],
    broadcast: ["Nx.broadcast", (t) => t.broadcast([2, 2, 2])],
    transpose: ["Nx.transpose", (t) => t.transpose()],
    pad: ["Nx.pad", (t) => t.pad(t.at(0, 0), [[1, 1, 0], [0, 0, 0]])], // prettier-ignore
    reverse: ["Nx.reverse", (t) => t.reverse()],
    slice: ["Nx.slice", (t) => t.slice([0, 0], [1, 1])],
    putSlice: ["Nx.putSlice", (t) => t.putSlice([0, 0], t.slice([0, 0], [1, 1]))],
    take: ["Nx.take", (t) => t.take(Nx.tensor([0], { backend: t.backend }))],
    takeAlong: ["Nx.takeAlongAxis", (t) => t.takeAlongAxis(Nx.tensor([[0, 1]], { backend: t.backend }), { axis: 0 })],
    gather: ["Nx.gather", (t) => t.gather(Nx.tensor([[0, 1]], { backend: t.backend }))],
    indexed: ["Nx.indexedAdd", (t) => t.indexedAdd(Nx.tensor([[0, 1]], { backend: t.backend }), Nx.f32([1], { backend: t.backend }))], // prettier-ignore
    concatenate: ["Nx.concatenate", (t) => Nx.concatenate([t, t])],
    sort: ["Nx.sort", (t) => t.sort()],
    argsort: ["Nx.argsort", (t) => t.argsort()],
    reduceOp: ["Nx.sum", (t) => t.sum()],
    argReduce: ["Nx.argmax", (t) => t.argmax()],
    cumulative: ["Nx.cumulativeSum", (t) => t.cumulativeSum()],
    windowOp: ["Nx.windowSum", (t) => Nx.windowSum(t, [1, 2])],
    windowReduce: ["Nx.windowReduce", (t) => Nx.windowReduce(t, t.at(0, 0), [1, 2], (x, y) => x.add(y))],
    windowScatter: ["Nx.windowScatterMax", (t) => Nx.windowScatterMax(t, t, t.at(0, 0), [1, 1])],
    dot: ["Nx.dot", (t) => t.dot(t)],
    conv: ["Nx.conv", (t) => Nx.conv(t.reshape([1, 1, 4]), t.reshape([1, 1, 4]))],
    fft: ["Nx.fft", (t) => Nx.fft(t.asType("c64"))],
    reduce: ["Nx.reduce", (t) => Nx.reduce(t, t.at(0, 0), (x, y) => x.add(y))],
    block: null, // is done by what the composite is made of
    linalg: ["Nx.LinAlg.qr", (t) => Nx.LinAlg.qr(t.asType("f64"))],
  };

const matrix = (backend: Nx.BackendSpec): Nx.Tensor => Nx.f32([[2, 1], [1, 3]], { names: ["x", "y"], backend }); // prettier-ignore

describe("a backend without", () => {
  it.each(Object.entries(CALLS).filter(([, call]) => call !== null))(
    "%s says so, and what needed it",
    (primitive, call) => {
      const [name, run] = call!;
      const whole = foreignBackend("tiny");
      Reflect.deleteProperty(whole, primitive);
      const t = matrix(whole);
      const message = new RegExp(
        `^the backend "tiny" has no "${primitive}" \\(needed by ${name.replaceAll(".", "\\.")}\\); .*completeBackend`,
      );
      expect(() => run(t)).toThrow(Nx.BackendError);
      expect(() => run(t)).toThrow(message);
      expect(() => run(matrix(foreignBackend("tiny")))).not.toThrow();
    },
  );

  it("block does what composites are made of", () => {
    const whole = foreignBackend("tiny");
    Reflect.deleteProperty(whole, "block");
    expect(matrix(whole).clip(1.5, 2.5).toList()).toEqual([[2, 1.5], [1.5, 2.5]]); // prettier-ignore
    expect(Nx.defn((t: Nx.Tensor) => t.clip(1.5, 2.5))(matrix(whole)).backend).toBe(whole);
    expect(Nx.Random.uniform(Nx.backendCopy(Nx.Random.key(1), whole), { shape: [2] } as never)).toBeDefined();
  });

  it("an op says so in compiled functions, too, and explain shows it before", () => {
    const t = matrix(tiny("binary", "constant") as Nx.Backend);
    const f = (x: Nx.Tensor) => x.add(1).sin();
    for (const compiler of ["optimizing", "evaluator"] as const) {
      expect(() => Nx.defn(f, { compiler })(t)).toThrow(/the backend "tiny" has no "unary" \(needed by/);
    }
    expect(Nx.Defn.explain(f)(t).nodes.map(({ leaves }) => leaves)).toEqual([null, null, null, "none"]);
  });
});

const modes = [
  ["nothing", tiny()],
  ["element-wise primitives", tiny("unary", "binary", "constant", "asType", "select")],
  ["functions of the caller", tiny("map", "reduce", "windowReduce", "block", "reshape")],
  [
    "everything but those",
    tiny(...PRIMITIVES.filter((name) => !["map", "reduce", "windowReduce", "block"].includes(name))),
  ],
] as const;

describe.each(modes)("a backend that has %s, completed", (what, partial) => {
  const cases = conformance(completeBackend(partial, "binary", { onFallback: "silent" }));
  it.each(sampled(cases, 150, what))("$name", ({ run }) => run());
});

describe("completeBackend", () => {
  it("gives a backend for every primitive, whose results stay on it", () => {
    for (const fallback of ["binary", "wasm", ["wasm", {}], foreignBackend("other")] as const) {
      const backend = completeBackend(tiny(), fallback, { onFallback: "silent" });
      for (const call of Object.values(CALLS)) {
        if (call === null) continue;
        const [plain, result] = [call[1](matrix("binary")), call[1](matrix(backend))].map((value) => (Array.isArray(value) ? value : [value]) as Nx.Tensor[]); // prettier-ignore
        result!.forEach((t, i) => {
          if (call[0] !== "Nx.random") expect(t.backend).toBe(backend);
          expect(t.names).toEqual(plain![i]!.names);
          expect(t.toFlatList().map((v) => Number(v).toFixed(5))).toEqual(plain![i]!.toFlatList().map((v) => Number(v).toFixed(5))); // prettier-ignore
        });
      }
    }
  });

  it("leaves nothing on the fallback", () => {
    const other = foreignBackend("other");
    const held = new Set<unknown>();
    const { upload, deallocate, sort } = other;
    Object.assign(other, {
      upload: (...args: Parameters<typeof upload>) => {
        const data = upload(...args);
        held.add(data);
        return data;
      },
      sort: (...args: Parameters<typeof sort>) => {
        const data = sort(...args);
        held.add(data);
        return data;
      },
      deallocate: (t: Nx.Tensor) => {
        held.delete(t.data);
        return deallocate(t);
      },
    });
    const t = matrix(completeBackend(tiny(), other, { onFallback: "silent" }));
    held.clear(); // the tensor that the fallback was found by
    t.sort();
    expect(held.size).toBe(0);
  });

  it("warns once for each primitive, op and type, unless told otherwise", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const t = matrix(completeBackend(tiny("constant")));
    for (let i = 0; i < 3; i++) t.exp().sin();
    t.sort();
    const texts = warn.mock.calls.map(([text]) => String(text));
    expect(texts).toEqual([
      'nx-numerics: the backend "tiny" does not do "unary" (exp) of f32; "binary" does, and the tensors go there and back. This is said once.',
      'nx-numerics: the backend "tiny" does not do "unary" (sin) of f32; "binary" does, and the tensors go there and back. This is said once.',
      'nx-numerics: the backend "tiny" does not do "sort" of f32; "binary" does, and the tensors go there and back. This is said once.',
    ]);
    warn.mockClear();
    matrix(completeBackend(tiny(), "binary", { onFallback: "silent" })).exp();
    expect(warn).not.toHaveBeenCalled();
  });

  it('raises with "error", for what is missing and for what is not supported', () => {
    const partial = Object.assign(tiny("unary", "constant"), {
      supports: (_p: unknown, outs: readonly Nx.Template[]) => outs[0]!.type === "f32",
    });
    const backend = completeBackend(partial, "binary", { onFallback: "error" });
    expect(matrix(backend).negate().toList()).toEqual([[-2, -1], [-1, -3]]); // prettier-ignore
    expect(() => matrix(backend).sort()).toThrow(/^the backend "tiny" has no "sort" \(needed by Nx\.sort\)/);
    expect(() => Nx.f64([1], { backend }).negate()).toThrow(
      'Nx.negate: the backend "tiny" does not do "unary" (negate) of f64',
    );
  });

  it("goes by supports and by capabilities, for kernels as well", () => {
    const whole = foreignBackend("tiny");
    const asked: string[] = [];
    const { unary } = whole;
    const counted: Nx.Backend["unary"] = (out, inputs, attrs) => {
      asked.push(`${attrs.op} ${out.type}`);
      return unary(out, inputs, attrs);
    };
    const types = { f64: "none", f16: "bounded" } as const;
    const partial = Object.assign(whole, { unary: counted, capabilities: { types } });
    const backend = completeBackend(partial, "binary", { onFallback: "silent" });
    expect(backend.capabilities?.types).toEqual({ f16: "bounded" });
    Nx.f64([1], { backend }).exp();
    Nx.f32([1], { backend }).exp();
    expect(asked).toEqual(["exp f32"]);
    const report = Nx.Defn.explain((t: Nx.Tensor) => t.exp().asType("f64").exp())(Nx.f32([1], { backend }));
    expect(report.nodes.map(({ leaves }) => leaves)).toEqual([null, null, "binary", "binary"]);
    expect(report.totals.leaving).toBe(2);
    expect([report.backend, String(report)]).toEqual(["tiny", expect.stringContaining("nodes that the backend tiny does not compute: 2")]); // prettier-ignore
    expect(String(report)).toMatch(/d = exp\(c\) +f64\[1\] +kernel \d on binary/);
    expect(report.toDot()).toContain("on binary");
  });

  it("does not leave where a kernel is run as one, or where there is nothing to leave", () => {
    for (const backend of ["binary", "wasm"]) {
      const { totals } = Nx.Defn.explain((t: Nx.Tensor) => Nx.softmax(t.add(1)))(Nx.f32([[1, 2]], { backend }));
      expect(totals.leaving).toBe(0);
    }
    const { totals } = Nx.Defn.explain((t: Nx.Tensor) => t.sort())(Nx.template([2], "f32"));
    expect(totals.leaving).toBe(0);
  });

  it("works through gradients, vectorization and control flow", () => {
    const backend = completeBackend(tiny("binary"), "binary", { onFallback: "silent" });
    const f = (x: Nx.Tensor): Nx.Tensor => Nx.Defn.whileLoop(x, (s: Nx.Tensor) => s.sum().less(50), (s: Nx.Tensor) => s.multiply(2)).sin().sum(); // prettier-ignore
    for (const g of [f, Nx.defn(f), Nx.grad(f), Nx.Defn.vmap(f)] as readonly ((x: Nx.Tensor) => unknown)[]) {
      const [actual, expected] = [g(matrix(backend)), g(matrix("binary"))] as [Nx.Tensor, Nx.Tensor];
      expect(actual.backend).toBe(backend);
      expect(actual.toBinary()).toEqual(expected.toBinary());
    }
  });

  it("cannot have done elsewhere what can be read asynchronously only", () => {
    const later = laterBackend("gpu");
    Reflect.deleteProperty(later, "sort");
    const t = matrix(completeBackend(later, "binary", { onFallback: "silent" }));
    expect(t.add(1).backend.name).toBe("gpu");
    expect(() => t.sort()).toThrow(
      /^Nx\.sort: the backend "gpu" reads asynchronously only, so "binary" cannot do what it lacks/,
    );
  });

  it.each([
    [() => completeBackend(tiny(), "bnary"), /unknown backend "bnary"; did you mean "binary"/],
    [
      () => completeBackend(tiny(), "binary", { onfallback: "warn" } as never),
      /unknown option "onfallback" for completeBackend/,
    ],
    [
      () => completeBackend(tiny(), "binary", { onFallback: 3 as never }),
      /onFallback of completeBackend must be one of "error", "warn", "silent", got: 3/,
    ],
    [() => completeBackend(tiny(), "binary", null as never), /completeBackend expects its options as an object/],
    [() => completeBackend(null as never), /completeBackend expects a backend/],
    [() => completeBackend({ name: "half", upload: () => 0 } as never), /"half" has no function "deallocate"/],
  ])("refuses %s", (call, message) => expect(call).toThrow(message));

  it("takes a backend of a class, and completes one that is complete", () => {
    class Mine {
      readonly name = "mine";
      readonly options = {};
      readonly inner = Nx.binaryBackend;
      upload(...args: Parameters<Nx.Backend["upload"]>): unknown {
        return this.inner.upload(...args);
      }
      download(...args: Parameters<NonNullable<Nx.Backend["download"]>>): Uint8Array {
        return this.inner.download(...args);
      }
      deallocate(...args: Parameters<Nx.Backend["deallocate"]>): boolean {
        return this.inner.deallocate(...args);
      }
    }
    expect(
      matrix(completeBackend(new Mine(), "binary", { onFallback: "silent" }))
        .sum()
        .toNumber(),
    ).toBe(7);
    const twice = completeBackend(completeBackend(tiny(), "binary", { onFallback: "silent" }), "binary", {
      onFallback: "error",
    });
    expect(matrix(twice).sum().toNumber()).toBe(7);
  });
});
