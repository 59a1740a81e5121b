/** What the compiler says of names of other libraries: no call of them compiles, and functions say what to write. */
import { describe, expect, expectTypeOf, it } from "vitest";
import * as Nx from "nx-numerics";

const t = Nx.f32([1, 2], { names: ["x"] });

describe("names of other libraries", () => {
  it("of functions have the advice in their type", () => {
    expectTypeOf<(typeof Nx.cat)["writeInstead"]>().toEqualTypeOf<"Nx.concatenate([a, b])">();
    // @ts-expect-error it cannot be called
    expect(() => Nx.vstack([t, t])).toThrow(Nx.NxError);
  });

  it("of methods and properties do not exist", () => {
    // @ts-expect-error there is no such method
    expect(() => t.mm(t)).toThrow(Nx.NxError);
    // @ts-expect-error there is no such property
    expect(() => t.T).toThrow(Nx.NxError);
    // @ts-expect-error tensors are no lists
    expect(() => Array.prototype.indexOf.call<ArrayLike<number>, [number], number>(t, 1)).toThrow(Nx.NxError);
  });
});
