import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { binaryBackend } from "../../../lib/backends/binary";
import { DTYPES, isComplex } from "../../../lib/core/types";
import { topological } from "../../../lib/defn/graph";
import { NORMALIZE, runPasses } from "../../../lib/defn/passes";
import { inline } from "../../../lib/defn/passes/inline";
import { normalize } from "../../../lib/defn/passes/normalize";
import { awkward, BACKENDS, differences, fusedGraph, kernelsOf } from "../fuse/support";
import { after, firedOf, golden, same, traceOf } from "./support";
import { tries } from "../../effort";

const f = Nx.f32([[1, -0, 3], [NaN, -Infinity, 1e-45]], { names: ["x", "y"] }); // prettier-ignore
const s = Nx.tensor([[1, -2, 3]], { type: "s32" });

/** How many nodes compute something after normalizing. */
const computing = (fn: (...args: Tensor[]) => unknown, ...args: Tensor[]): string[] =>
  topological(runPasses(traceOf(fn, ...args), NORMALIZE).outputs).flatMap(({ kind, inputs }) =>
    inputs.length > 0 && kind !== "reshape" ? [kind] : [],
  );

describe("golden texts", () => {
  it("identities", () =>
    expect(
      golden(
        [normalize],
        (x) =>
          Nx.negate(Nx.negate(x.multiply(1).divide(1)))
            .transpose()
            .transpose()
            .add(0)
            .subtract(0)
            .divide(4),
        f,
      ),
    ).toMatchInlineSnapshot(`
      "a = parameter 0  f32[x: 2][y: 3]
      b = constant(value: 1)  f32
      c = multiply(a, b)  f32[x: 2][y: 3]
      d = constant(value: 1)  f32
      e = divide(c, d)  f32[x: 2][y: 3]
      f = negate(e)  f32[x: 2][y: 3]
      g = negate(f)  f32[x: 2][y: 3]
      h = transpose(g, axes: [1, 0])  f32[y: 3][x: 2]
      i = transpose(h, axes: [1, 0])  f32[x: 2][y: 3]
      j = constant(value: 0)  f32
      k = add(i, j)  f32[x: 2][y: 3]
      l = constant(value: 0)  f32
      m = subtract(k, l)  f32[x: 2][y: 3]
      n = constant(value: 4)  f32
      o = divide(m, n)  f32[x: 2][y: 3]
      return o

      after normalize
      a = parameter 0  f32[x: 2][y: 3]
      b = constant(value: 0)  f32
      c = add(a, b)  f32[x: 2][y: 3]
      d = constant(value: 0.25)  f32
      e = multiply(c, d)  f32[x: 2][y: 3]
      return e"
    `));

  it("chains of views", () =>
    expect(
      golden(
        [normalize],
        (x) =>
          x
            .reshape([3, 2])
            .reshape([6])
            .reverse()
            .reverse()
            .broadcast([2, 6])
            .broadcast([4, 2, 6])
            .slice([1, 0, 0], [2, 2, 6])
            .slice([1, 0, 2], [1, 2, 3]),
        f,
      ),
    ).toMatchInlineSnapshot(`
      "a = parameter 0  f32[x: 2][y: 3]
      b = reshape(a)  f32[3][2]
      c = reshape(b)  f32[6]
      d = reverse(c, axes: [0])  f32[6]
      e = reverse(d, axes: [0])  f32[6]
      f = broadcast(e, axes: [1])  f32[2][6]
      g = broadcast(f, axes: [1, 2])  f32[4][2][6]
      h = slice(g, starts: [1, 0, 0], lengths: [2, 2, 6], strides: [1, 1, 1]) f32[2][2][6]
      i = slice(h, starts: [1, 0, 2], lengths: [1, 2, 3], strides: [1, 1, 1]) f32[1][2][3]
      return i

      after normalize
      a = parameter 0  f32[x: 2][y: 3]
      b = reshape(a)  f32[6]
      c = broadcast(b, axes: [2])  f32[4][2][6]
      d = slice(c, starts: [2, 0, 2], lengths: [1, 2, 3], strides: [1, 1, 1]) f32[1][2][3]
      return d"
    `));

  it("a composite that no backend does itself", () =>
    expect(golden([inline], (x) => Nx.clip(x, 0, 2).add(1), f)).toMatchInlineSnapshot(`
      "a = parameter 0  f32[x: 2][y: 3]
      b = constant(value: 0)  f32
      c = constant(value: 2)  f32
      d = block(a, b, c, name: "clip", options: {}) f32[x: 2][y: 3]
        with
          a = parameter 0  f32[x: 2][y: 3]
          b = parameter 1  f32
          c = parameter 2  f32
          d = max(a, b)  f32[x: 2][y: 3]
          e = min(d, c)  f32[x: 2][y: 3]
          return e
      e = constant(value: 1)  f32
      f = add(d, e)  f32[x: 2][y: 3]
      return f

      after inline
      a = parameter 0  f32[x: 2][y: 3]
      b = constant(value: 0)  f32
      c = max(a, b)  f32[x: 2][y: 3]
      d = constant(value: 2)  f32
      e = min(c, d)  f32[x: 2][y: 3]
      f = constant(value: 1)  f32
      g = add(e, f)  f32[x: 2][y: 3]
      return g"
    `));
});

describe("what is exact goes", () => {
  const nothing: readonly (readonly [string, (x: Tensor) => Tensor, Tensor])[] = [
    ["times one", (x) => x.multiply(1), f],
    ["one times", (x) => Nx.multiply(1, x), f],
    ["through one", (x) => x.divide(1), f],
    ["minus zero", (x) => x.subtract(0), f],
    ["plus negative zero", (x) => x.add(-0), f],
    ["plus zero, of integers", (x) => x.add(0), s],
    ["negated twice", (x) => x.negate().negate(), f],
    ["transposed twice", (x) => x.transpose().transpose(), f],
    ["reversed twice", (x) => x.reverse().reverse(), f],
    ["of its own type", (x) => x.asType("f32"), f],
    ["to a wider type and back", (x) => x.asType("f64").asType("f32"), f],
    ["to floats and back", (x) => x.asType("f64").asType("s32"), s],
    ["a slice of all", (x) => x.slice([0, 0], [2, 3]), f],
    ["a slice of all from somewhere", (x) => x.slice([x.sum().asType("s32"), 0], [1, 3]), s],
    ["padded by nothing", (x) => x.pad(7, [[0, 0, 0], [0, 0, 0]]), f], // prettier-ignore
    ["chosen by a constant", (x) => Nx.select(1, x, x.add(1)), f],
    ["one of one", (x) => Nx.select(x, x, x), f],
    ["alone in a list", (x) => Nx.concatenate([x]), f],
    ["the largest of one", (x) => x.reduceMax({ axes: [0] }), s],
    ["the larger of itself", (x) => Nx.max(x, x), f],
    ["shifted by nothing", (x) => Nx.leftShift(x, 0), s],
    ["to the first power", (x) => x.pow(1), s],
    ["integers rounded", (x) => Nx.floor(x), s],
    ["moved within axes of one element", (x) => x.transpose(), s],
    ["both bits", (x) => Nx.bitwiseAnd(x, x).bitwiseOr(0).bitwiseXor(0).bitwiseNot().bitwiseNot(), s],
  ];

  it.each(nothing)("%s", (_name, fn, x) => {
    expect(computing(fn, x)).toEqual([]);
    same((t) => [fn(t)], x);
  });

  it("what is left is less", () => {
    expect(computing((x) => Nx.floor(Nx.ceil(x)), f)).toEqual(["unary"]);
    expect(computing((x) => Nx.abs(x.negate()), f)).toEqual(["unary"]);
    expect(after([normalize], (x) => Nx.subtract(x, x.negate()), f)).toContain("add(");
    expect(after([normalize], (x) => x.pow(2), s)).toContain("multiply(a, a)");
    expect(after([normalize], (x) => Nx.subtract(-0, x), f)).toContain("negate(a)");
    expect(after([normalize], (x) => x.divide(8), f)).toContain("value: 0.125");
    expect(after([normalize], (x) => x.divide(3), f)).toContain("divide(");
    expect(after([normalize], (x) => x.asType("f64"), f.asType("f16"))).toContain("asType(a");
  });
});

describe("what is not exact stays", () => {
  it.each<readonly [string, (x: Tensor) => Tensor, Tensor]>([
    ["plus zero makes -0 positive", (x) => x.add(0), f],
    ["minus negative zero, too", (x) => x.subtract(-0), f],
    ["zero minus x is no negation", (x) => Nx.subtract(0, x), f],
    ["zero times x may be NaN", (x) => x.multiply(0), f],
    ["powers of floats are rounded as powers", (x) => x.pow(1), f],
    ["a narrower type loses digits", (x) => x.asType("f16").asType("f32"), f],
    ["the sum of one element", (x) => x.reshape([1, 6]).sum({ axes: [0] }), f],
  ])("%s", (_name, fn, x) => {
    expect(computing(fn, x).length).toBeGreaterThan(0);
    same((t) => [fn(t)], x);
  });

  it("complex numbers are not multiplied away", () => {
    const c = Nx.complex(f, Nx.f32(Infinity));
    expect(computing((x) => x.multiply(1), c)).toEqual(["binary"]);
    same((x) => [x.multiply(1), x.negate().negate(), Nx.conjugate(Nx.conjugate(x))], c);
  });
});

describe("every identity gives the bits of what it stands for", () => {
  const rules: readonly ((x: Tensor, y: Tensor, n: number) => Tensor)[] = [
    (x, _y, n) => x.multiply(n),
    (x, _y, n) => x.divide(n),
    (x, _y, n) => x.add(n),
    (x, _y, n) => x.subtract(n),
    (x, _y, n) => Nx.subtract(n, x),
    (x, _y, n) => x.pow(Math.abs(n)),
    (x) => x.negate(),
    (x) => x.abs(),
    (x, y) => x.subtract(y.negate()),
    (x, y) => x.add(y.negate()),
    (x) => Nx.floor(x),
    (x) => Nx.round(x),
    (x) => Nx.real(x),
    (x) => Nx.conjugate(x),
    (x) => Nx.max(x, x),
    (x, y, n) => Nx.select(n, x, y),
    (x, _y, n) => x.asType(DTYPES[Math.abs(n) % DTYPES.length]!),
    (x) => x.transpose(),
    (x) => x.reverse(),
    (x) => x.reverse({ axes: [0] }),
    (x) => x.reshape([...x.shape].reverse()),
    (x) => Nx.clip(x, -1, 2),
    (x) => x.reduceMax({ axes: [0], keepAxes: true }),
    (x) =>
      x
        .broadcast([2, ...x.shape])
        .slice([1, ...x.shape.map(() => 0)], [1, ...x.shape])
        .reshape(x.shape),
  ];

  const step = fc.record({
    rule: fc.nat(rules.length - 1),
    number: fc.constantFrom(1, 0, -0, 2, -1, 0.5, -4, 3, 9, 2 ** -20),
    pick: fc.nat(3),
  });

  it.each(BACKENDS)("on %s, for all types", (_name, backend) => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 10, size: "max" }),
        fc.constantFrom(...DTYPES),
        fc.constantFrom<readonly number[]>([2, 3], [1, 4], [1, 1]),
        fc.nat(1e6),
        (steps, type: DType, shape, seed) => {
          const args = [awkward(backend, type, shape, seed), awkward(backend, type, shape, seed + 1)];
          const fn = (...start: Tensor[]): Tensor[] => {
            const pool = [...start];
            for (const { rule, number, pick } of steps) {
              const [x, y] = [pool[pool.length - 1]!, pool[Math.max(0, pool.length - 2 - pick)]!];
              try {
                pool.push(rules[rule]!(x, y, number));
              } catch (error) {
                if (!(error instanceof Nx.NxError)) throw error;
              }
            }
            return pool.slice(2);
          };
          Nx.withDefaultBackend(backend, () => {
            expect(differences(Nx.defn(fn, { compiler: "optimizing" })(...args), fn(...args))).toBeNull();
          });
        },
      ),
      { numRuns: tries(300) },
    );
  });
});

describe("results", () => {
  it("that were computed are tensors of their own, also where nothing is left to compute", () => {
    const run = Nx.defn((x: Tensor) => [x.multiply(1), x]);
    const x = Nx.iota([40_000], { type: "f32" });
    const [product, itself] = run(x) as [Tensor, Tensor];
    expect(itself.equals(x)).toBe(true);
    Nx.backendDeallocate([product, itself]);
    expect(x.sum().toNumber()).toBeGreaterThan(0);
  });

  it("keep the names that the nodes had", () => {
    same((x) => [x.multiply(Nx.iota([2, 1], { names: ["x", null] }).multiply(0).add(1)), x.reshape([2, 3], { names: ["a", "b"] })], f); // prettier-ignore
    const [renamed] = Nx.defn((x: Tensor): Tensor[] => [Nx.rename(x, ["a", "b"]).multiply(1)])(f) as [Tensor];
    expect(renamed.names).toEqual(["a", "b"]);
  });

  it("normalizing twice changes nothing more", () => {
    const fn = (x: Tensor) => [x.multiply(1), x.transpose().transpose().exp(), Nx.clip(x.asType("f32"), 0, 1)];
    expect(firedOf([...NORMALIZE, normalize], fn, f)).toBe(0);
    expect(firedOf(NORMALIZE.slice(0, 3), fn, f)).toBe(2);
  });
});

describe("composites", () => {
  it("fuse with what is around them, and gradients are their own", () => {
    const fn = (x: Tensor) => Nx.clip(x.multiply(2), 0, 1).add(1);
    expect(kernelsOf(fusedGraph(fn, f))).toHaveLength(1);
    same((x) => [fn(x), Nx.grad((t: Tensor) => Nx.clip(t, 0, 2).multiply(3).sum())(x) as Tensor], f);
    const [g] = Nx.defn((x: Tensor) => [Nx.grad((t: Tensor) => Nx.clip(t, 0, 2).sum())(x) as Tensor])(Nx.f32([0, 1, 2, 3])); // prettier-ignore
    expect(g!.toFlatList()).toEqual([0, 1, 0, 0]);
  });

  it("that the backend does itself stay", () => {
    expect(binaryBackend.isNative!("threefryFloats")).toBe(true);
    const fn = (key: Tensor) => Nx.Random.uniform(key)[0];
    expect(after([inline], fn as never, Nx.Random.key(1))).toContain("threefryFloats");
    same((x) => [Nx.median(x, { axis: 1 }), Nx.mode(x, { axis: 1 })], s);
  });

  it("with hooks inside call them", () => {
    const seen: unknown[] = [];
    const hooked = (x: Tensor) =>
      Nx.Defn.whileLoop(x, (y) => y.sum().less(11), (y) => Nx.Defn.hook(Nx.clip(y, 0, 5).add(1), (v) => seen.push(v.toFlatList()))); // prettier-ignore
    Nx.defn(hooked)(Nx.f32([1, 9]));
    expect(seen.length).toBeGreaterThan(0);
  });
});

it("complex types are among those tried", () => expect(DTYPES.some(isComplex)).toBe(true));
