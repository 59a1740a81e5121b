/** Reading tensors: every backend by `await Nx.read`, and what those say that can do nothing else. */
import { inspect } from "node:util";
import { List } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { foreignBackend } from "../testing/foreign-backend";
import { laterBackend } from "./later-backend";

const later = laterBackend();
const BACKENDS: readonly [string, Nx.BackendSpec][] = [
  ["binary", "binary"],
  ["wasm", "wasm"],
  ["foreign", foreignBackend()],
  ["later", later],
];
const TYPES: readonly Nx.DType[] = ["u8", "s64", "f16", "f32", "f64", "c64", "c128"];
const ask = (message: RegExp) =>
  expect.objectContaining({ name: "BackendError", message: expect.stringMatching(message) as string });

describe.each(BACKENDS)("Nx.read of tensors of %s", (_name, backend) => {
  it.each(TYPES)("gives the same bits, names and shape: %s", async (type) => {
    for (const size of [1, 3, 700]) {
      const plain = Nx.iota([size, 2], { names: ["x", null], backend: "binary" })
        .subtract(3)
        .asType(type);
      const read = await Nx.read(Nx.backendCopy(plain, backend));
      expect([read.type, read.shape, read.names]).toEqual([plain.type, plain.shape, plain.names]);
      expect(read.toBinary()).toEqual(plain.toBinary());
    }
  });

  it("gives a tensor that lives apart from the one that was read", async () => {
    const t = Nx.tensor([1, 2], { backend });
    const waiting = Nx.read(t);
    Nx.backendDeallocate(t);
    const read = await waiting;
    expect(read.toList()).toEqual([1, 2]);
    const other = Nx.tensor([1, 2], { backend });
    Nx.backendDeallocate(await Nx.read(other));
    expect((await other.read()).toList()).toEqual([1, 2]);
  });

  it("reads containers, all at a time, and leaves other values", async () => {
    const [a, b] = [Nx.tensor(1, { backend }), Nx.vectorize(Nx.tensor([2, 3], { backend }), "v")];
    const read = await Nx.read({ list: List([a, a]), b, text: "kept", n: 3 });
    expect(read.list.map((t) => t.toNumber()).toArray()).toEqual([1, 1]);
    expect(Nx.devectorize(read.b).toList()).toEqual([2, 3]);
    expect([read.text, read.n]).toEqual(["kept", 3]);
  });
});

describe("a backend that reads later", () => {
  const t = Nx.f32([1, 2], { names: ["x"], backend: later });

  const reads: readonly [string, (x: Nx.Tensor) => unknown][] = [
    ["Nx.toNumber", (x) => Nx.toNumber(x.sum())],
    ["Nx.toList", (x) => Nx.toList(x)],
    ["Nx.toFlatList", (x) => Nx.toFlatList(x)],
    ["Nx.toBinary", (x) => Nx.toBinary(x)],
    ["Nx.toTypedArray", (x) => x.toTypedArray()],
    ["Nx.equals", (x) => x.equals(Nx.f32([1, 2], { names: ["x"] }))],
    ["Nx.hashCode", (x) => x.hashCode()],
    ["Nx.backendCopy", (x) => Nx.backendCopy(x)],
    ["Nx.backendTransfer", (x) => Nx.backendTransfer(x, "wasm")],
    ["Nx.serialize", (x) => Nx.serialize({ x })],
    ["Nx.toNumpy", (x) => Nx.toNumpy(x)],
    ["Nx.toNumpyArchive", (x) => Nx.toNumpyArchive({ x })],
    ["Nx.toSafetensors", (x) => Nx.toSafetensors({ x })],
    ["Nx.toHeatmap", (x) => String(Nx.toHeatmap(x))],
    ["Nx.Defn.cond", (x) => Nx.Defn.cond([[x.sum(), () => x]], () => x)],
    ["Nx.Defn.whileLoop", (x) => Nx.Defn.whileLoop(x, (s: Nx.Tensor) => s.sum().less(9), (s: Nx.Tensor) => s.add(1))], // prettier-ignore
  ];

  it.each(reads)("says so where %s reads, and works with what Nx.read gives", async (name, read) => {
    const plain = /Heatmap|equals|hashCode/.test(name) ? "" : name.replaceAll(".", "\\.");
    expect(() => read(t)).toThrow(
      ask(
        new RegExp(`^${plain}.*the backend "later" reads asynchronously only; write await Nx\\.read\\(t\\)`),
      ) as Error,
    );
    const host = await Nx.read(t);
    expect(() => read(host)).not.toThrow();
  });

  it("says in print what to do, and never fails there", async () => {
    const text = `#Nx.Tensor<\n  f32[x: 2]\n  (elements on "later", which reads asynchronously: print await Nx.read(t))\n>`;
    expect([Nx.inspect(t), String(t), inspect(t), `${t}`]).toEqual([text, text, text, text]);
    expect(JSON.parse(JSON.stringify({ t }))).toEqual({ t: { type: "f32", shape: [2], names: ["x"] } });
    expect(Nx.inspect(Nx.vectorize(t, "x"))).toContain("print await Nx.read(t)");
    expect(String(await Nx.read(t))).toContain("[1.0, 2.0]");
  });

  it("computes eagerly, compiled, differentiated and vectorized, without reading", async () => {
    const scale = Nx.f32(2, { backend: later });
    const f = (x: Nx.Tensor): Nx.Tensor => Nx.softmax(x.multiply(scale).add(0).sin(), { axis: -1 }).pow(2).sum();
    const plain = (x: Nx.Tensor): Nx.Tensor => Nx.softmax(x.multiply(2).add(0).sin(), { axis: -1 }).pow(2).sum();
    const host = Nx.f32([1, 2], { names: ["x"], backend: "binary" });
    const pairs: readonly (readonly [unknown, Nx.Tensor])[] = [
      [f(t), plain(host)],
      [Nx.defn(f)(t), Nx.defn(plain)(host)],
      [Nx.defn(f, { compiler: "evaluator" })(t), Nx.defn(plain)(host)],
      [Nx.grad(f)(t), Nx.grad(plain)(host)],
      [Nx.Defn.vmap(f)(t.reshape([2, 1])), Nx.Defn.vmap(plain)(host.reshape([2, 1]))],
    ];
    for (const [actual, expected] of pairs) {
      expect((actual as Nx.Tensor).backend.name).toBe("later");
      const read = await Nx.read(actual as Nx.Tensor);
      expect(read.toFlatList().map((v) => Number(v).toFixed(5))).toEqual(expected.toFlatList().map((v) => Number(v).toFixed(5))); // prettier-ignore
    }
    expect(() => Nx.Defn.explain(f)(t).toString()).not.toThrow();
  });

  it("is read while other work goes on, all reads begun at once", async () => {
    let answer!: () => void;
    const gate = new Promise<void>((resolve) => (answer = resolve));
    let begun = 0;
    const slow = laterBackend("slow", () => {
      begun++;
      return gate;
    });
    const waiting = Nx.read([Nx.tensor(1, { backend: slow }), Nx.tensor(2, { backend: slow })]);
    await Promise.resolve();
    expect(begun).toBe(2);
    answer();
    expect((await waiting).map((x) => x.toNumber())).toEqual([1, 2]);
  });
});

describe("reads that fail", () => {
  const failing = (read: () => unknown): Nx.Tensor =>
    Nx.tensor([1, 2], { backend: Object.assign(laterBackend("gpu"), { read }) });

  it.each([
    [
      () => Promise.reject(new Error("device lost")),
      /^Nx\.read: the backend "gpu" could not read s64\[2\]: Error: device lost/,
    ],
    [
      () => Promise.resolve(new Uint8Array(3)),
      /^Nx\.read: the backend "gpu" gave 3 bytes for s64\[2\], which has 16 bytes/,
    ],
    [() => Promise.resolve([1, 2]), /^Nx\.read: the backend "gpu" gave \[1, 2\] for s64\[2\]/],
    [() => Promise.reject(new Nx.BackendError("device lost")), /^Nx\.read: device lost/],
  ])("name the backend: %s", async (read, message) => {
    const error: unknown = await Nx.read([failing(read), failing(read)]).catch((thrown: unknown) => thrown);
    expect(error).toEqual(ask(message));
  });

  it("are refused at once where there is nothing to read", () => {
    const released = Nx.tensor([1]);
    Nx.backendDeallocate(released);
    expect(() => Nx.read([Nx.tensor(1), released])).toThrow(/^Nx\.read: the tensor s64\[1\] was deallocated/);
    expect(() => Nx.read(Nx.template([2], "f32"))).toThrow(
      /^Nx\.read: cannot perform operations on a Nx\.TemplateBackend/,
    );
    expect(() => Nx.defn((x: Nx.Tensor) => (void Nx.read(x), x))(Nx.tensor(1))).toThrow(Nx.DefnError);
  });
});
