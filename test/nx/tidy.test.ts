import fc from "fast-check";
import { List } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { ArrayMemory } from "../../lib/backends/arrays/memory";
import { membersIn } from "../../lib/backends/binary/members";
import { run } from "../../lib/nx/dispatch";
import { foreignBackend } from "../testing/foreign-backend";
import { tries } from "../effort";

const isReleased = (t: Nx.Tensor): boolean => {
  try {
    Nx.toBinary(t);
    return false;
  } catch (error) {
    expect((error as Error).message).toMatch(/was made inside Nx\.tidy and released when it ended; return it/);
    return true;
  }
};

describe("tidy", () => {
  it("releases what was made inside and is not returned, and nothing else", () => {
    const outer = Nx.f32([1, 2, 3]);
    const made: Nx.Tensor[] = [];
    const note = (t: Nx.Tensor): Nx.Tensor => (made.push(t), t);
    const kept = Nx.tidy(() => {
      const doubled = note(outer.add(outer));
      note(outer.flatten());
      note(Nx.Defn.stopGrad(outer));
      return note(doubled.multiply(2)).sum();
    });
    expect(made.map(isReleased)).toEqual([true, true, true, true]);
    expect(kept.toNumber()).toBe(24);
    expect(outer.toList()).toEqual([1, 2, 3]);
  });

  it("keeps what is returned in any container, with other values in it", () => {
    class Line {
      constructor(
        readonly slope: Nx.Tensor,
        readonly start: Nx.Tensor,
      ) {}
      [Nx.container](visit: Nx.Visit): Line {
        return new Line(visit(this.slope, "slope"), visit(this.start, "start"));
      }
    }
    const one = (): Nx.Tensor => Nx.f32([1]).add(0);
    const result = Nx.tidy(() => ({
      list: [one(), "text", null, undefined, 3],
      immutable: List([one()]),
      line: new Line(one(), one()),
      map: new Map([["a", one()]]),
      set: new Set([one()]),
      vectorized: Nx.vectorize(one(), "v"),
      batch: Nx.Batch.stack([one()]),
      quantized: Nx.Quantized.quantize(one(), { type: "fx8", fracBits: 4 }),
      fn: () => 1,
    }));
    const { line, batch, quantized, vectorized, map, set, immutable, list } = result;
    const tensors = [line.slope, line.start, map.get("a")!, ...set, immutable.get(0)!, list[0] as Nx.Tensor];
    for (const t of [...tensors, Nx.devectorize(vectorized)]) expect(t.toList()).toEqual([1]);
    expect((Nx.Batch.materialize(batch) as Nx.Tensor).toList()).toEqual([[1]]);
    expect(quantized.values.toList()).toEqual([16]);
    expect(result.fn()).toBe(1);
  });

  it("returns any value as it is", () => {
    for (const value of [undefined, null, 1, "x", Symbol.iterator]) expect(Nx.tidy(() => value)).toBe(value);
  });

  it("releases everything where the function throws", () => {
    let made: Nx.Tensor | undefined;
    const failing = () =>
      Nx.tidy(() => {
        made = Nx.f32([1]).add(1);
        throw new RangeError("on purpose");
      });
    expect(failing).toThrow(RangeError);
    expect(isReleased(made!)).toBe(true);
    expect(isReleased(Nx.tidy(() => [Nx.f32([1]), (made = Nx.f32([2]))])[1]!)).toBe(false);
  });

  it("gives what an inner call returns to the outer one", () => {
    const seen: Nx.Tensor[] = [];
    const last = Nx.tidy(() => {
      const inner = Nx.tidy(() => {
        seen.push(Nx.f32([5]).add(0));
        return Nx.f32([1]).add(1);
      });
      expect(inner.toList()).toEqual([2]);
      expect(isReleased(seen[0]!)).toBe(true);
      seen.push(inner);
      return inner.multiply(3);
    });
    expect(isReleased(seen[1]!)).toBe(true);
    expect(last.toList()).toEqual([6]);
  });

  it("only calls the function while it is traced", () => {
    const fn = (x: Nx.Tensor) => Nx.tidy(() => x.multiply(Nx.tidy(() => Nx.f32([1, 2]).add(1))));
    const x = Nx.f32([3, 4]);
    for (const compiler of ["optimizing", "evaluator"] as const) {
      const compiled = Nx.defn(fn, { compiler });
      for (let i = 0; i < 2; i++) expect(Nx.tidy(() => compiled(x)).toList()).toEqual([6, 12]);
      expect(compiled(x).toList()).toEqual([6, 12]);
    }
    expect(Nx.grad((t: Nx.Tensor) => fn(t).sum())(x).toList()).toEqual([2, 3]);
  });

  it("leaves what a traced function keeps: literals and what was computed ahead", () => {
    const fn = Nx.defn((x: Nx.Tensor) => x.add(Nx.tensor([1, 2]).multiply(Nx.tensor([10, 10]))));
    const [first, literal] = Nx.tidy(() => [fn(Nx.tensor([1, 1])), Nx.defn(() => Nx.tensor([7]))()]);
    expect([first!.toList(), literal!.toList()]).toEqual([[11, 21], [7]]);
    expect(fn(Nx.tensor([0, 0])).toList()).toEqual([10, 20]);
    const ahead = Nx.defn((x: Nx.Tensor) => x.add(Nx.Defn.untraced(() => Nx.tensor([1, 2]).multiply(10))));
    expect(Nx.tidy(() => ahead(Nx.tensor([1, 1]))).toList()).toEqual([11, 21]);
    expect(ahead(Nx.tensor([0, 0])).toList()).toEqual([10, 20]);
  });

  it("leaves operands of transforms, control flow and vectorized functions", () => {
    const x = Nx.f32([[1, 2], [3, 4]]); // prettier-ignore
    const v = Nx.vectorize(x, "row");
    const works: Readonly<Record<string, () => unknown>> = {
      vmap: () => Nx.Defn.vmap((t: Nx.Tensor) => t)(x),
      "vmap of a block": () => Nx.Defn.vmap((t: Nx.Tensor) => Nx.Defn.stopGrad(t))(x),
      block: () => Nx.Defn.stopGrad(v),
      clip: () => Nx.clip(v, 0, 9),
      devectorize: () => Nx.devectorize(v),
      cond: () => Nx.Defn.cond([[Nx.tensor(1), () => x]], () => x.add(1)),
      loop: () => Nx.Defn.whileLoop(x, () => Nx.tensor(0), (t) => t), // prettier-ignore
      scan: () => Nx.Defn.scan((s: Nx.Tensor, t: Nx.Tensor) => [s, t], x.at(0), x),
      gradient: () => Nx.grad((t: Nx.Tensor) => Nx.sum(Nx.Defn.customGrad(t, [t], (g) => [g])))(x),
      captured: () => Nx.defn((t: Nx.Tensor) => Nx.Defn.customGrad(t, [x], () => [x]))(x),
      "composite of a captured tensor": () =>
        Nx.defn((t: Nx.Tensor) => run("block", t, [t], { name: "other", options: {}, fn: () => x }), {
          compiler: "evaluator",
        })(x.add(1)),
      identity: () => Nx.defn((t: Nx.Tensor) => [t, t, x])(x),
      hook: () => Nx.Defn.hook(x, () => 0),
      print: () => Nx.Defn.printValue(v, { print: () => 0 }),
      "defn of vectorized": () => Nx.defn((t: Nx.Tensor) => t)(v),
      map: () => Nx.map(x, (t) => t),
      softmax: () => Nx.softmax(v),
    };
    for (const [name, work] of Object.entries(works)) {
      const expected = Nx.Defn.Composite.leaves(work()).map((t) => Nx.toBinary(Nx.devectorize(t)));
      const found = Nx.Defn.Composite.leaves(Nx.tidy(work)).map((t) => Nx.toBinary(Nx.devectorize(t)));
      expect(found, name).toEqual(expected);
      Nx.tidy(() => void work());
      expect(x.toFlatList(), name).toEqual([1, 2, 3, 4]);
      expect(Nx.devectorize(v).toFlatList(), name).toEqual([1, 2, 3, 4]);
    }
  });

  it("gives memory back, and changes no result (random programs)", () => {
    const step = fc.constantFrom("add", "flatten", "reshape", "sum", "transpose", "asType", "exp", "softmax", "tidy");
    const steps: Readonly<Record<string, (t: Nx.Tensor) => Nx.Tensor>> = {
      add: (t) => t.add(1),
      asType: (t) => t.asType("f32"),
      exp: (t) => t.multiply(0.01).sin(),
      flatten: (t) => t.flatten(),
      reshape: (t) => t.reshape([t.size]),
      softmax: (t) => Nx.softmax(t.flatten()),
      sum: (t) => t.subtract(t.sum()),
      tidy: (t) => Nx.tidy(() => t.add(t.flatten().reshape(t.shape))),
      transpose: (t) => t.transpose(),
    };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), fc.constantFrom(3, 5000), (names, size) => {
        const x = Nx.iota([size], { type: "f32" }).divide(size);
        const work = () => names.reduce((t, name) => steps[name]!(t), x);
        const expected = Nx.toBinary(work());
        expect(Buffer.from(Nx.toBinary(Nx.tidy(work))).equals(expected)).toBe(true);
        expect(x.toFlatList().length).toBe(size);
      }),
      { numRuns: tries(200) },
    );
    const memory = new ArrayMemory();
    const x = Nx.iota([70_001], { type: "f64", backend: { name: "own", ...membersIn(memory) } });
    Nx.tidy(() => [x.add(1), x.flatten(), x.add(2).reshape([1, 70_001]).add(1)].length);
    expect(memory.keptBytes).toBe(3 * 70_001 * 8);
  });

  it("refuses functions that end later, and anything else", async () => {
    const late = /^Nx\.tidy expects a function that is neither async nor a generator/;
    await Promise.resolve();

    expect(() => Nx.tidy(async () => Nx.f32(1))).toThrow(late);
    expect(() => Nx.tidy(() => Promise.reject(new Error("later")))).toThrow(late);
    expect(() =>
      Nx.tidy(function* () {
        yield 1;
      }),
    ).toThrow(late);
    expect(() => Nx.tidy(1 as never)).toThrow(/^Nx\.tidy expects a function, got: 1/);
    expect(Nx.tidy(() => Nx.f32(2)).toNumber()).toBe(2);
  });

  it("works on backends of others", () => {
    const x = Nx.backendCopy(Nx.f32([1, 2]), foreignBackend());
    const y = Nx.tidy(() => x.flatten().add(x));
    expect([y.toList(), x.toList()]).toEqual([[2, 4], [1, 2]]); // prettier-ignore
  });
});

describe("tensors never change", () => {
  const remedies = {
    type: /asType/,
    shape: /reshape/,
    names: /rename/,
    backend: /backendCopy/,
    data: /functions of Nx/,
  };
  it.each(Object.entries(remedies))("%s", (name, remedy) => {
    for (const t of [Nx.f32([1, 2]), Nx.vectorize(Nx.f32([1, 2]), "v"), Nx.template([2], "f32")]) {
      const assign = (): void => void ((t as unknown as Record<string, unknown>)[name] = 1);
      expect(assign).toThrow(Nx.ArgumentError);
      expect(assign).toThrow(remedy);
      expect(() => Object.assign(t, { [name]: 1 })).toThrow(Nx.ArgumentError);
    }
  });

  it("are told apart by what compares objects, and cannot be cloned", () => {
    const t = Nx.f32([1, 2]);
    expect(t).toEqual(Nx.f32([1, 2]));
    expect(t).not.toEqual(Nx.f32([1, 3]));
    expect(t).not.toEqual(Nx.f32([1, 2], { names: ["x"] }));
    expect(() => structuredClone(t)).toThrow();
  });
});
