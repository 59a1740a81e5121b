import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { errorOf, view } from "../aggregates/view";
import { TYPES, elements, isComplex, isInteger, tensorOf, texts, wrap, type Element } from "../ndim/numbers";
import { NAMES, anyAxes, optionsOf, resultsOf, shapeOf, sizeOf, windowOf, windowsOf } from "./naive";
import { tries } from "../../effort";

const add = (x: Nx.Tensor, acc: Nx.Tensor) => Nx.add(x, acc);

/** Not commutative, so that the order of the elements counts; exact in all types it is used with. */
const digits = (x: Nx.Tensor, acc: Nx.Tensor) => Nx.subtract(Nx.multiply(acc, 2), x);

function step(type: Nx.DType, acc: Element, x: Element): Element {
  if (isInteger(type)) return wrap(2n * BigInt(acc as number) - BigInt(x as number), type);
  if (!isComplex(type)) return 2 * (acc as number) - (x as number);
  const [a, b] = [acc as Nx.Complex, x as Nx.Complex];
  return new Nx.Complex(2 * a.re - b.re, 2 * a.im - b.im);
}

describe("windowReduce", () => {
  const types = fc.constantFrom("u8", "s16", "u32", "s64", "u64", "f64", "c128");

  it("goes through each window in order, from the accumulator on, which padding is too", () => {
    fc.assert(
      fc.property(types, anyAxes, fc.nat(10000), (type, axes, seed) => {
        const count = sizeOf(shapeOf(axes));
        fc.pre(resultsOf(axes).reduce((a, b) => a * b, 1) * sizeOf(windowOf(axes)) < 3000);
        const list = elements(type, count + 1, seed);
        const start = list.pop()!;
        const names = NAMES.slice(0, axes.length);
        const t = tensorOf(list, type, shapeOf(axes), names);
        const initial = tensorOf([start], type, []);
        const result = Nx.windowReduce(t, initial, windowOf(axes), digits, optionsOf(axes));
        expect([result.type, result.shape, result.names]).toEqual([type, resultsOf(axes), names]);
        const expected = windowsOf(axes).map((window) =>
          window.reduce<Element>((acc, flat) => step(type, acc, flat === null ? start : list[flat]!), start),
        );
        expect(texts(result.toFlatList())).toEqual(texts(expected));
      }),
      { numRuns: tries(60) },
    );
  });

  it.each(TYPES)("keeps the type %s, which the accumulator takes", (type) => {
    const t = tensorOf(
      [1, 2, 3].map((x) => (isComplex(type) ? new Nx.Complex(x, 0) : x)),
      type,
      [3],
    );
    for (const initial of [10, Nx.u8(10), Nx.f64(10)]) {
      const result = Nx.windowReduce(t, initial, [2], (x, acc) => {
        expect([x.type, x.shape, acc.type, acc.shape]).toEqual([type, [], type, []]);
        return Nx.add(x, acc);
      });
      expect(view(result)).toBe(view(Nx.add(Nx.windowSum(t, [2]), Nx.tensor(10, { type }))));
    }
  });

  it("gives the element first", () => {
    expect(view(Nx.windowReduce(Nx.s64([1, 2, 3]), 9, [2], (x) => x))).toBe("s64[2] [2,3]");
    expect(view(Nx.windowReduce(Nx.s64([1, 2, 3]), 9, [2], (_, acc) => acc))).toBe("s64[2] [9,9]");
    expect(view(Nx.windowReduce(Nx.s64([1, 2]), 9, [1], (x) => x, { padding: [[1, 1]] }))).toBe("s64[4] [9,1,2,9]");
  });

  it("is windowSum, windowMax and so on with their functions", () => {
    const t = tensorOf(elements("s32", 48, 3), "s32", [6, 8], ["y", "x"]);
    const options = { padding: "same", strides: [2, 1], windowDilations: [1, 2] } as const;
    const least = -(2 ** 31);
    expect(view(Nx.windowReduce(t, 0, [2, 3], add, options))).toBe(view(Nx.windowSum(t, [2, 3], options)));
    const max = Nx.windowReduce(t, Nx.s32(least), [2, 3], (x, acc) => Nx.max(x, acc), options);
    expect(view(max)).toBe(view(Nx.windowMax(t, [2, 3], options)));
  });

  it("takes scalars", () => {
    expect(view(Nx.windowReduce(3, 5, [], add))).toBe("s64 8");
  });

  it("is the same traced", () => {
    const t = Nx.f32([[1, 2, 3], [4, 5, 6]]); // prettier-ignore
    const call = (x: Nx.Tensor) => Nx.windowReduce(x, 1, [2, 2], digits, { padding: "same" });
    expect(view(Nx.defn(call)(t))).toBe(view(call(t)));
  });

  it("says what is wrong", () => {
    const t = Nx.tensor([1, 2], { names: ["x"] });
    expect(errorOf(() => Nx.windowReduce(t, Nx.tensor([0]), [2], add))).toBe(
      "ArgumentError: Nx.windowReduce expects a scalar as accumulator, got: s64[1]",
    );
    expect(errorOf(() => Nx.windowReduce(t, 0, [3], add))).toMatch(
      "ArgumentError: Nx.windowReduce would give an empty",
    );
    expect(errorOf(() => Nx.windowReduce(t, 0, [1, 1], add))).toMatch(
      "ArgumentError: Nx.windowReduce expects a window with a size for each axis of shape [x: 2], got window [1][1]",
    );
    expect(errorOf(() => Nx.windowReduce(t, 0, [2], () => Nx.tensor([1, 2])))).toMatch(/^ArgumentError: .*scalar/);
    expect(errorOf(() => Nx.windowReduce(t, 0, [2], (() => "a") as never))).toMatch(/^ArgumentError: /);
    expect(errorOf(() => Nx.windowReduce(t, 0, [2], "add" as never))).toMatch(
      /^ArgumentError: Nx\.windowReduce expects/,
    );
    expect(errorOf(() => Nx.windowReduce(t, null as never, [2], add))).toMatch(
      /^ArgumentError: Nx\.windowReduce expects/,
    );
    expect(errorOf(() => Nx.windowReduce(t, 0, [2], add, { axes: [0] } as never))).toMatch(/^ArgumentError: .*axes/);
  });
});
