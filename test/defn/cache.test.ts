import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SignatureCache, type Compiled } from "../../lib/defn/cache";
import type { Signature } from "../../lib/defn/signature";

const signatureOf = (...shapes: readonly (readonly number[])[]): Signature => ({
  structure: "t".repeat(shapes.length),
  statics: [],
  templates: shapes.map((shape) => ({ type: "f32", shape, names: shape.map(() => null) })),
});

const entryOf = (signature: Signature, compiler = "optimizing"): Compiled =>
  ({ signature, compiler, promotion: "nx", defaults: 0 }) as unknown as Compiled;

const find = (cache: SignatureCache, ...shapes: readonly (readonly number[])[]): Compiled | undefined =>
  cache.find(signatureOf(...shapes), "optimizing", "nx");

describe("SignatureCache", () => {
  it("tells shapes apart that have the same number for their sizes", () => {
    const cache = new SignatureCache();
    const [a, b] = [entryOf(signatureOf([2, 5])), entryOf(signatureOf([1, 36]))];
    cache.add(a, 9);
    cache.add(b, 9);
    expect(find(cache, [2, 5])).toBe(a);
    expect(find(cache, [1, 36])).toBe(b);
    expect(find(cache, [0, 67])).toBeUndefined();
  });

  it("keeps entries of several compilers and promotions", () => {
    const cache = new SignatureCache();
    const [a, b] = [entryOf(signatureOf([2])), entryOf(signatureOf([2]), "evaluator")];
    cache.add(a, 9);
    cache.add(b, 9);
    expect(cache.find(signatureOf([2]), "optimizing", "nx")).toBe(a);
    expect(cache.find(signatureOf([2]), "evaluator", "nx")).toBe(b);
    expect(cache.find(signatureOf([2]), "optimizing", "strict")).toBeUndefined();
  });

  it("finds what a list ordered by use would, whatever is asked for and added", () => {
    const shape = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 2 });
    const calls = fc.array(fc.array(shape, { minLength: 1, maxLength: 2 }), { maxLength: 40 });
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 6 }), (shapes, limit) => {
        const cache = new SignatureCache();
        let list: { readonly key: string; readonly entry: Compiled }[] = [];
        for (const given of shapes) {
          const key = JSON.stringify(given);
          const expected = list.find((kept) => kept.key === key);
          expect(find(cache, ...given)).toBe(expected?.entry);
          const used = expected ?? { key, entry: entryOf(signatureOf(...given)) };
          if (!expected) cache.add(used.entry, limit);
          list = [used, ...list.filter((kept) => kept !== used)].slice(0, limit);
        }
      }),
    );
  });
});
