/** Sums of products and layouts by patterns: against NumPy, a naive loop, and each other. */
import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { tries } from "../../effort";
import { readOracle } from "../../oracles/read";

interface Result {
  readonly pattern: string;
  readonly shape: number[];
  readonly values: number[];
}
interface Oracle {
  readonly einsums: readonly (Result & { readonly shapes: number[][] })[];
  readonly layouts: readonly (Result & { how: string; of: number[]; sizes: Record<string, number> })[];
}

const { einsums, layouts } = readOracle<Oracle>("patterns.json");

/** 1, 2, 3, ... modulo 7, in row-major order. */
const made = (shape: readonly number[], type: Nx.DType): Nx.Tensor =>
  Nx.iota(shape as number[], { type })
    .remainder(7)
    .add(1);

const shown = (t: Nx.Tensor): unknown => ({ shape: [...t.shape], values: t.toFlatList() });

/** A layout by the name of its function. */
function layout(how: string, t: Nx.Tensor, pattern: string, sizes: Record<string, number>): Nx.Tensor {
  const [fn, reduction] = how.split(":");
  if (fn === "rearrange") return Nx.rearrange(t, pattern, sizes);
  if (fn === "repeat") return Nx.repeat(t, pattern, sizes);
  return Nx.reduce(t, pattern, reduction as "sum", sizes);
}

const BACKENDS = ["binary", "wasm"] as const;

describe.each(BACKENDS)("on %s", (backend) => {
  it.each(einsums)("einsum is numpy.einsum: $pattern of $shapes", ({ pattern, shapes, shape, values }) => {
    Nx.withDefaultBackend(backend, () => {
      for (const type of ["f64", "f32", "s32"] as const) {
        const operands = shapes.map((each) => made(each, type));
        const result = Nx.einsum(pattern, ...operands);
        expect(shown(result)).toEqual({ shape, values });
        expect(result.type).toBe(type);
        const spaced = pattern.replace(/[a-z](?=[a-z.])|\.\.\.(?=[a-z])/g, "$& ").replace(/^(\w),/, "$1 ,");
        if (/[a-z] |\. /.test(spaced)) expect(shown(Nx.einsum(spaced, ...operands))).toEqual({ shape, values });
        const traced = Nx.defn((...ts: Nx.Tensor[]) => Nx.einsum(pattern, ...ts));
        expect(shown(traced(...operands))).toEqual({ shape, values });
      }
    });
  });

  it.each(layouts)("$how is what einops documents: $pattern", ({ how, pattern, of, sizes, shape, values }) => {
    Nx.withDefaultBackend(backend, () => {
      const t = made(of, "f64");
      expect(shown(layout(how, t, pattern, sizes))).toEqual({ shape, values });
      expect(shown(Nx.defn((x: Nx.Tensor) => layout(how, x, pattern, sizes))(t))).toEqual({ shape, values });
    });
  });
});

/** Sum of products, one entry of all labels after the other. */
function naive(terms: readonly string[], result: string, operands: readonly Nx.Tensor[]): number[] {
  const sizes = new Map<string, number>();
  terms.forEach((term, k) => [...term].forEach((label, i) => sizes.set(label, operands[k]!.shape[i]!)));
  const labels = [...sizes.keys()];
  const lists = operands.map((t) => t.toFlatList() as number[]);
  const offset = (term: string, at: Map<string, number>) =>
    [...term].reduce((sum, label) => sum * sizes.get(label)! + at.get(label)!, 0);
  const sums = new Array<number>([...result].reduce((size, label) => size * sizes.get(label)!, 1)).fill(0);
  const total = labels.reduce((size, label) => size * sizes.get(label)!, 1);
  for (let n = 0; n < total; n++) {
    const at = new Map<string, number>();
    let rest = n;
    for (const label of labels) {
      at.set(label, rest % sizes.get(label)!);
      rest = Math.floor(rest / sizes.get(label)!);
    }
    sums[offset(result, at)]! += terms.reduce((all, term, k) => all * lists[k]![offset(term, at)]!, 1);
  }
  return sums;
}

const LABELS = ["a", "b", "c", "d"];
const SIZES: Readonly<Record<string, number>> = { a: 2, b: 3, c: 1, d: 4 };
const term = fc.array(fc.constantFrom(...LABELS), { minLength: 0, maxLength: 3 }).map((labels) => labels.join(""));

describe("einsum", () => {
  it("is the sum over all labels that are not in the result, for any terms", () => {
    const cases = fc
      .array(term, { minLength: 1, maxLength: 4 })
      .chain((terms) => fc.tuple(fc.constant(terms), fc.shuffledSubarray([...new Set(terms.join(""))])));
    fc.assert(
      fc.property(cases, ([terms, result]) => {
        const operands = terms.map((each) => made([...each].map((label) => SIZES[label]!), "s64")); // prettier-ignore
        const made64 = Nx.einsum(`${terms.join(",")}->${result.join("")}`, ...operands);
        expect(made64.toFlatList()).toEqual(naive(terms, result.join(""), operands));
        expect(made64.shape).toEqual(result.map((label) => SIZES[label]));
      }),
      { numRuns: tries(400) },
    );
  });

  it("names axes by words, and by what letters stand for", () => {
    const x = Nx.iota([4, 3], { names: ["sample", "feature"] });
    const w = Nx.iota([3, 2], { names: ["feature", null] });
    expect(Nx.einsum("sample feature, feature unit -> unit sample", x, w).names).toEqual(["unit", "sample"]);
    expect(Nx.einsum("ij,jk->ki", x, w).names).toEqual([null, "sample"]);
    expect(Nx.einsum("... feature, feature unit -> ... unit", x, w).names).toEqual(["sample", "unit"]);
    const time = Nx.iota([3], { names: ["time"] });
    expect(Nx.einsum("time,time->", time, time).toNumber()).toBe(5);
    expect(Nx.einsum("time->time", time).names).toEqual(["time"]);
  });

  it("is differentiated and vectorized like its products", () => {
    const x = Nx.f64([[1, 2, 3], [4, 5, 6]]); // prettier-ignore
    const y = Nx.f64([[1, -1], [0.5, 2], [3, 0]]); // prettier-ignore
    const loss = (a: Nx.Tensor, b: Nx.Tensor) => Nx.einsum("ij,jk,ik->", a, b, Nx.f64([[1, 2], [3, 4]])); // prettier-ignore
    const { x: dx, y: dy } = Nx.grad((of: { x: Nx.Tensor; y: Nx.Tensor }) => loss(of.x, of.y))({ x, y });
    expect(dx.toList()).toEqual([[-1, 4.5, 3], [-1, 9.5, 9]]); // prettier-ignore
    expect(dy.toList()).toEqual([[13, 18], [17, 24], [21, 30]]); // prettier-ignore
    const diagonal = Nx.grad((a: Nx.Tensor) => Nx.einsum("ii->", a))(Nx.f64([[1, 2], [3, 4]])); // prettier-ignore
    expect(diagonal.toList()).toEqual([[1, 0], [0, 1]]); // prettier-ignore
    const rows = Nx.Defn.vmap((v: Nx.Tensor) => Nx.einsum("j,jk->k", v, y))(x);
    expect(rows.equals(x.dot(y))).toBe(true);
  });

  it("multiplies matrices with dot, a single one", () => {
    const x = Nx.iota([64, 32], { type: "f32" });
    const steps = Nx.Defn.debugExpr((a: Nx.Tensor, b: Nx.Tensor) => Nx.einsum("ij,kj->ik", a, b))(x, x);
    expect(String(steps).match(/\bdot\b/g)).toHaveLength(1);
    expect(String(steps)).not.toMatch(/transpose|multiply|sum/);
  });
});

describe("rearrange", () => {
  it("undoes itself, the sides of the pattern exchanged", () => {
    const sides = fc.tuple(
      fc.shuffledSubarray(LABELS, { minLength: 4 }),
      fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    );
    fc.assert(
      fc.property(sides, sides, (left, right) => {
        const side = ([words, joins]: [string[], boolean[]]): string =>
          words.reduce((text, word, i) => {
            if (i > 0 && joins[i]! && i < 3) return `${text.slice(0, -1)} ${word})`;
            return `${text} (${word})`;
          }, "");
        const [from, to] = [side(left), side(right)];
        const shape = from.split(")").slice(0, -1).map((group) => group.split(/[ (]+/).reduce((size, word) => size * (SIZES[word] ?? 1), 1)); // prettier-ignore
        const t = Nx.iota(shape);
        const there = Nx.rearrange(t, `${from} -> ${to}`, SIZES);
        expect(Nx.rearrange(there, `${to} -> ${from}`, SIZES).toList()).toEqual(t.toList());
      }),
      { numRuns: tries(200) },
    );
  });

  it("is a transpose where it only reorders", () => {
    const t = Nx.iota([2, 3, 4], { names: ["x", "y", "z"] });
    expect(t.rearrange("x y z -> z x y").equals(t.transpose({ axes: ["z", "x", "y"] }))).toBe(true);
    expect(t.rearrange("x ... -> ... x").names).toEqual(["y", "z", "x"]);
    const same = t.rearrange("x y z -> x y z");
    expect(same).not.toBe(t);
    expect(same.equals(t)).toBe(true);
  });
});

const t = Nx.iota([2, 6], { names: ["batch", "pixel"] }) as Nx.Tensor;

describe("errors point into the pattern", () => {
  it.each<[string, () => unknown, string, string]>([
    ["another name", () => t.rearrange("batch col -> col batch"), 'axis 1 of [batch: 2][pixel: 6] is "pixel", where the pattern says "col"', "batch col -> col batch\n        ^^^"], // prettier-ignore
    [
      "a size that is not given",
      () => t.rearrange("batch (h w) -> h w batch"),
      'give that of "h"',
      "batch (h w) -> h w batch\n         ^",
    ],
    [
      "a size that does not divide",
      () => t.rearrange("batch (h w) -> h w batch", { h: 4 }),
      "is not a multiple of 4",
      "batch (h w) -> h w batch\n         ^",
    ],
    [
      "a size that is not the axis's",
      () => t.rearrange("batch pixel -> pixel batch", { pixel: 5 }),
      "is not of size 5",
      "batch pixel -> pixel batch\n        ^^^^^",
    ],
    [
      "a word in front only",
      () => t.rearrange("batch (h w) -> h batch", { h: 2 }),
      '"w" stands in front of -> only',
      "batch (h w) -> h batch\n           ^",
    ],
    [
      "a word behind only",
      () => t.rearrange("batch pixel -> batch pixel x"),
      '"x" stands behind -> only',
      "batch pixel -> batch pixel x\n                             ^",
    ],
    ["a parenthesis that is open", () => t.rearrange("batch (h w -> h"), "is not closed", "batch (h w -> h\n        ^"],
    ["a parenthesis that closes none", () => t.rearrange("batch h) -> h"), "closes none", "batch h) -> h\n         ^"],
    ["a word that stands twice", () => t.rearrange("a a -> a"), '"a" stands twice', "a a -> a\n    ^"],
    ["no arrow", () => t.rearrange("batch pixel"), "a pattern has one ->", "batch pixel\n             ^"],
    [
      "two arrows",
      () => t.rearrange("batch pixel -> pixel -> batch"),
      "a pattern has one ->",
      "pixel -> batch\n                       ^^",
    ],
    ["dots behind only", () => t.rearrange("batch pixel -> batch pixel ..."), "... stands behind -> only", "^^^"],
    ["a number", () => t.rearrange("batch (h 2) -> batch h"), "a number has size 1", "^"],
    ["a new size that is not given", () => t.repeat("batch pixel -> batch pixel x"), '"x" is new', "^"],
    [
      "a word of no operand",
      () => Nx.einsum("batch pixel -> unit" as string, t),
      'no operand has the axis "unit"',
      "batch pixel -> unit\n                 ^^^^",
    ],
    [
      "another name in a product",
      () => Nx.einsum("batch unit -> batch", t),
      'is "pixel", where the pattern says "unit"',
      "^^^^",
    ],
    [
      "sizes that differ",
      () => Nx.einsum("ij,jk->ik", t, t),
      '"j" has size 6 elsewhere, and 2 as axis 0',
      "ij,jk->ik\n     ^",
    ],
    [
      "a term of too many axes",
      () => Nx.einsum("ijk->i", t),
      "the tensor of shape [batch: 2][pixel: 6] is given 3 axes",
      "^^^",
    ],
    [
      "names that one letter cannot have",
      () => Nx.einsum("i,i->i", t.at(0), t.at(0).rename(["q"])),
      'named "pixel" and "q"',
      "^",
    ],
    [
      "dots that are not in the result",
      () => Nx.einsum("... pixel ->", t),
      "must stand behind ->",
      "... pixel ->\n  ^^^",
    ],
    ["parentheses in a product", () => Nx.einsum("(a b) c -> a", t), "parentheses are for Nx.rearrange", "^"],
  ])("%s", (_, call, why, where) => {
    // prettier-ignore
    let message = "";
    try {
      call();
    } catch (error) {
      expect(error).toBeInstanceOf(Nx.ArgumentError);
      message = (error as Error).message;
    }
    expect(message).toMatch(/^Nx\.(rearrange|repeat|einsum)/);
    expect(message).toContain(why);
    expect(message.endsWith(where)).toBe(true);
  });

  it("or say what else is wrong", () => {
    expect(() => t.rearrange("batch -> batch")).toThrow(
      'Nx.rearrange: the pattern has 1 axes in front of ->, the tensor 2: "batch -> batch" for shape [batch: 2][pixel: 6]',
    );
    expect(() => t.rearrange("batch (h w) -> batch h w", { hh: 2 } as never)).toThrow(
      'unknown option "hh" for Nx.rearrange; did you mean "h"?',
    );
    expect(() => t.rearrange("batch (h w) -> batch h w", { h: 0 })).toThrow(
      'the size of "h" must be a positive integer, got: 0',
    );
    expect(() => Nx.reduce(t, "batch pixel -> batch", "avg" as never)).toThrow(
      'Nx.reduce by a pattern expects one of "sum"',
    );
    expect(() => Nx.einsum("ij,jk->ik", t)).toThrow("1 operand for a pattern of 2 terms");
    expect(() => Nx.einsum(t as never)).toThrow("Nx.einsum expects a pattern such as");
  });
});

describe("reduce by a pattern", () => {
  it("takes a function of a tensor and axes", () => {
    const spread = Nx.reduce(t, "batch (h w) -> batch h", (x, axes) => Nx.reduceMax(x, { axes }).subtract(Nx.reduceMin(x, { axes })), { w: 3 }); // prettier-ignore
    expect(spread.toList()).toEqual([[2, 2], [2, 2]]); // prettier-ignore
    expect(() => Nx.reduce(t, "batch pixel -> batch", (x) => x)).toThrow("must reduce the axes [1]");
  });

  it("has the type of the reduction, whatever is left out", () => {
    expect(Nx.reduce(t, "batch pixel -> batch", "mean").type).toBe("f32");
    expect(Nx.reduce(t, "batch pixel -> pixel batch", "mean").type).toBe("f32");
  });
});
