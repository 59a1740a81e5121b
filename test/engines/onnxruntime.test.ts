/**
 * What `toOnnx` writes, run by onnxruntime on the CPU: all computations of the conformance suite, programs, and sizes that were never traced.
 */
import * as Nx from "nx-numerics";
import { toOnnx } from "nx-numerics/onnx";
import { describe, expect, it } from "vitest";
import { computations } from "../../lib/testing/groups/differential";
import { compare, type Comparison } from "./compare";
import { LISTED } from "./conformance-list";
import { describeWith, findEngine } from "./find";
import { load, runOn, type Engine } from "./onnxruntime";
import { DYNAMIC, PROGRAMS } from "./programs";

const engine = await findEngine<Engine>("onnxruntime-node");

type Case = ReturnType<typeof computations>[number];
type Outcome = "refused" | "no model" | Comparison["nearness"];

/** bf16 stays inside, since tensors of onnxruntime-node cannot have it. */
const outside = (tensor: Nx.Tensor): Nx.Tensor => (tensor.type === "bf16" ? tensor.asType("f32") : tensor);

const listOf = (result: Nx.Tensor | readonly Nx.Tensor[]): readonly Nx.Tensor[] =>
  result instanceof Nx.Tensor ? [result] : result;

/** What becomes of a case, and in words what is wrong. */
async function outcomeOf(onnxruntime: Engine, { name, inputs, compute }: Case): Promise<readonly [Outcome, string]> {
  const operands = inputs().map(({ type, shape, bytes }) =>
    Nx.reshape(Nx.fromBinary(Uint8Array.from(bytes), type, { backend: "binary" }), [...shape]),
  );
  let expected: readonly Nx.Tensor[];
  try {
    expected = listOf(Nx.withDefaultBackend("binary", () => compute(...operands)));
  } catch (error) {
    if (error instanceof Nx.NxError) return ["refused", ""];
    throw error;
  }
  const fn = (...given: Nx.Tensor[]): Nx.Tensor[] =>
    listOf(compute(...given.map((x, i) => (operands[i]!.type === "bf16" ? x.asType("bf16") : x)))).map(outside);
  let given: readonly Nx.Tensor[];
  try {
    given = await runOn(onnxruntime, fn, operands.map((x) => (Nx.Type.isComplex(x.type) ? x : outside(x)))); // prettier-ignore
  } catch (error) {
    if (error instanceof Nx.NxError) return ["no model", error.message];
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
  const isSum = /^(sum|dot|conv|cumulativeSum|mean)/.test(name);
  const found = expected.map((one, i) => compare(outside(one), given[i]!, one.type, isSum));
  const worst = found.find(({ nearness }) => nearness === "far") ?? found.find(({ nearness }) => nearness === "near");
  return [worst?.nearness ?? "exact", worst?.text ?? ""];
}

const matcher = (pattern: string): RegExp =>
  new RegExp(`^${pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join(".*")}$`); // prettier-ignore

describeWith("onnxruntime-node", engine, (onnxruntime) => {
  it(
    "computes every conformance case exactly or nearly, but for those that are listed",
    { timeout: 600_000 },
    async () => {
      const rules = LISTED.map((one) => ({ ...one, matches: matcher(one.pattern), met: 0 }));
      const wrong: string[] = [];
      const tally: Record<string, number> = {};
      for (const one of computations()) {
        const [outcome, text] = await outcomeOf(onnxruntime, one);
        tally[outcome] = (tally[outcome] ?? 0) + 1;
        const rule = rules.find(({ matches }) => matches.test(one.name));
        if (rule && outcome !== "refused") rule.met++;
        const wanted = rule?.outcome ?? "exact or near";
        const isWanted = rule ? outcome === rule.outcome : outcome === "exact" || outcome === "near";
        if (!isWanted && outcome !== "refused") wrong.push(`${one.name}: ${outcome}, not ${wanted}: ${text}`);
      }
      console.log("conformance cases on onnxruntime:", tally);
      expect(wrong).toEqual([]);
      expect(rules.filter(({ met }) => met === 0).map(({ pattern }) => pattern)).toEqual([]);
    },
  );

  describe("programs", () => {
    it.each(PROGRAMS)("$name", async ({ fn, args, bound, options }) => {
      const tensors = Nx.Defn.Composite.leaves(args()) as Nx.Tensor[];
      const loaded = await load(onnxruntime, toOnnx(fn as never, args() as never, options));
      const given = await loaded.run(...tensors);
      const expected = Nx.Defn.Composite.leaves(
        Nx.defn(fn as (...all: unknown[]) => unknown)(...args()),
      ) as Nx.Tensor[];
      expect(given.map(({ type, shape }) => [type, shape])).toEqual(expected.map(({ type, shape }) => [type, shape]));
      const errors = expected.map((one, i) => distance(one, given[i]!));
      expect(Math.max(...errors)).toBeLessThanOrEqual(bound);
      await loaded.release();
    });
  });

  describe("sizes that were never traced", () => {
    it.each(DYNAMIC)("$name", async ({ fn, templates, args, bound, dims }) => {
      const model = toOnnx(fn as never, templates as never);
      expect(model.outputs.map((output) => output.dims)).toEqual(dims);
      const loaded = await load(onnxruntime, model);
      for (const [n, m] of [
        [1, 3],
        [7, 2],
        [40, 9],
      ] as const) {
        const given = args(n, m);
        const expected = Nx.Defn.Composite.leaves(fn(...given)) as Nx.Tensor[];
        const results = await loaded.run(...given);
        expect(results.map(({ type, shape }) => [type, shape])).toEqual(
          expected.map(({ type, shape }) => [type, shape]),
        );
        expect(Math.max(...expected.map((one, i) => distance(one, results[i]!)))).toBeLessThanOrEqual(bound);
      }
      await loaded.release();
    });
  });

  it("integers of 64 bits keep their extremes and their sums, unless strict is false", async () => {
    const times = Nx.s64(Array.from({ length: 16 }, (_, i) => 1_700_000_000_000_000_000n + BigInt(i) * 200_000_000n));
    const fn = (t: Nx.Tensor) => [
      t.reduceMax(),
      t.reduceMin(),
      t.argmax(),
      t.sum(),
      t.subtract(t.reduceMin()).reduceMax(),
    ];
    const given = await runOn(onnxruntime, fn, [times]);
    expect(given.map((t) => t.toNumber())).toEqual(fn(times).map((t) => t.toNumber()));
    const model = toOnnx(fn, [times], { strict: false });
    expect(model.notes).toContain(
      "reduceMax and reduceMin ignore NaN, and may be wrong where integers of 64 bits share their upper halves",
    );
    expect(toOnnx(fn, [times]).notes).toEqual([]);
  });

  it("loops within scans, whose shapes engines do not find", async () => {
    const fn = (x: Nx.Tensor) =>
      Nx.reduce(x, 0, (sum: Nx.Tensor, y: Nx.Tensor) => sum.add(Nx.pow(y, 5)), { axes: [0] });
    const scanned = (x: Nx.Tensor) =>
      Nx.Defn.scan(
        (sum: Nx.Tensor, y: Nx.Tensor) => [sum.add(y), Nx.pow(y, 3)] as [Nx.Tensor, Nx.Tensor],
        Nx.u8([0, 0]),
        x,
      );
    const x = Nx.u8([[1, 2], [3, 2]]); // prettier-ignore
    expect((await runOn(onnxruntime, fn, [x])).map((t) => t.toList())).toEqual([fn(x).toList()]);
    expect((await runOn(onnxruntime, scanned, [x])).map((t) => t.toList())).toEqual([[4, 4], [[1, 8], [27, 8]]]); // prettier-ignore
  });

  it("bits of floats as integers, and floats beyond integers that wrap, which joined casts would change", async () => {
    const x = Nx.f32([-1, 2, -0.5, 3e9, -3e9, 70000.7, -70000.7, -1e30, Infinity, -Infinity, 1099511627783]);
    const wrap = { overflow: "wrap" } as const;
    const TYPES = ["s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"] as const;
    const fn = (t: Nx.Tensor) => [
      ...(["s32", "u32", "s16", "u8", "s8"] as const).map((type) => Nx.bitcast(t, type)),
      ...TYPES.map((type) => Nx.asType(t, type, wrap)),
      ...TYPES.map((type) => Nx.asType(t.asType("f64").add(0.5), type, wrap)),
    ];
    const given = await runOn(onnxruntime, fn, [x]);
    expect(given.map((t) => Nx.toFlatList(t))).toEqual(fn(x).map((t) => Nx.toFlatList(t)));
  });

  it("factors of products in f64 stay f64", async () => {
    const x = Nx.Random.normal(Nx.Random.key(1), 0, 1, { shape: [7, 4], type: "f64" })[0];
    const fn = (t: Nx.Tensor) => [
      Nx.covariance(t),
      Nx.dot(t.transpose().multiply(1 / 3), t.divide(7)).multiply(0.1),
      Nx.conv(t.reshape([1, 1, 28]).multiply(0.1), t.reshape([1, 1, 28]).slice([0, 0, 0], [1, 1, 3])).divide(3),
    ];
    const given = await runOn(onnxruntime, fn, [x]);
    fn(x).forEach((one, i) => expect(distance(one, given[i]!)).toBeLessThan(1e-14));
    expect(toOnnx(fn, [x], { strict: false }).notes).toContain(
      "factors of products of f64 may be rounded to f32, where engines join the two",
    );
  });

  it("NaN is the extreme, and the place of the extreme, unless strict is false", async () => {
    const fn = (t: Nx.Tensor) => [
      t.reduceMax(),
      t.reduceMin(),
      t.argmax(),
      t.argmin(),
      Nx.sort(t),
      Nx.argsort(t, { direction: "desc" }),
    ];
    const x = Nx.f32([3, NaN, -Infinity, Infinity, NaN, 1]);
    const given = await runOn(onnxruntime, fn, [x]);
    expect(given.map((t) => Nx.toFlatList(t))).toEqual(fn(x).map((t) => Nx.toFlatList(t)));
  });

  it.each([18, 19, 20, 21, 22, 23, 24, 25, 26])("operators of version %i", async (opset) => {
    const fn = (x: Nx.Tensor) => [
      Nx.gelu(x),
      Nx.sort(x, { axis: 0 }),
      Nx.windowMax(x, [2, 2]),
      Nx.pad(x, 0, [[1, 0, 1], [0, -1, 0]]),
      Nx.any(x.greater(0), { axes: [0] }),
      Nx.bitcast(Nx.bitcast(x, "u32"), "f32"),
      Nx.cumulativeProduct(x, { axis: 1 }),
      Nx.dot(x, x.transpose()),
    ]; // prettier-ignore
    const x = Nx.f32([[1.5, -2, 0.25], [0, 3, -1]]); // prettier-ignore
    const given = await runOn(onnxruntime, fn, [x], { opset });
    fn(x).forEach((one, i) => expect(compare(one, given[i]!).nearness).not.toBe("far"));
  });

  it("smaller models, of which notes say what may differ", async () => {
    const fn = (x: Nx.Tensor) => [Nx.softmax(x, { axes: [0] }), Nx.sigmoid(x), Nx.cumulativeMax(x), Nx.sort(x)];
    const x = Nx.f32([1, -2, 0.5]);
    const given = await runOn(onnxruntime, fn, [x], { strict: false });
    fn(x).forEach((one, i) => expect(compare(one, given[i]!).nearness).not.toBe("far"));
    const [strict, loose] = [toOnnx(fn, [x]), toOnnx(fn, [x], { strict: false })];
    expect(loose.bytes.length).toBeLessThan(strict.bytes.length);
    expect(loose.notes.length).toBeGreaterThan(strict.notes.length);
  });
});

/** The largest difference of two tensors, by the size of the largest element from 1 on. */
function distance(expected: Nx.Tensor, given: Nx.Tensor): number {
  const [a, b] = [Nx.toFloat64Array(expected), Nx.toFloat64Array(given)];
  const scale = Math.max(1, ...a.map(Math.abs));
  return Math.max(...a.map((x, i) => (Object.is(x, b[i]!) || x === b[i] ? 0 : Math.abs(x - b[i]!) / scale)));
}
