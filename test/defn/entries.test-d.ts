/** What the compiler knows of axis names in functions of entries: vmap, scan, map. */
import * as Nx from "nx-numerics";
import { describe, expectTypeOf, it } from "vitest";

type T<N extends Nx.Names> = Nx.Tensor<N>;

declare const dayFeature: T<readonly ["day", "feature"]>;
declare const featureUnit: T<readonly ["feature", "unit"]>;
declare const feature: T<readonly ["feature"]>;
declare const untracked: Nx.Tensor;
const total = (row: T<readonly ["feature"]>): T<readonly []> => Nx.sum(row);
const both = (row: T<readonly ["feature"]>, w: T<readonly ["feature", "unit"]>): T<readonly ["unit"]> => Nx.dot(row, w);

describe("vmap", () => {
  it("takes functions of named entries", () => {
    expectTypeOf(Nx.Defn.vmap(total)(dayFeature)).toEqualTypeOf<T<readonly ["day"]>>();
    expectTypeOf(Nx.Defn.vmap((row: T<readonly ["feature"]>) => row.exp())(dayFeature)).toEqualTypeOf<
      T<readonly ["day", "feature"]>
    >();
    expectTypeOf(Nx.Defn.vmap(both, [0, null])(dayFeature, featureUnit)).toEqualTypeOf<T<readonly ["day", "unit"]>>();
    expectTypeOf(Nx.Defn.vmap((row: T<readonly ["feature"]>) => [row, total(row)] as const)(dayFeature)).toEqualTypeOf<
      readonly [T<readonly ["day", "feature"]>, T<readonly ["day"]>]
    >();
    // @ts-expect-error the entries would be units
    Nx.Defn.vmap(total)(featureUnit);
  });

  it("names no axis twice, and none of two names", () => {
    const same = (row: T<readonly ["feature"]>): T<readonly ["day"]> => row.rename(["day"]);
    expectTypeOf(Nx.Defn.vmap(same)(dayFeature)).toEqualTypeOf<T<readonly [null, "day"]>>();
    const sum = (a: T<readonly []>, b: T<readonly []>): T<readonly []> => Nx.add(a, b);
    expectTypeOf(Nx.Defn.vmap(sum)(feature, feature)).toEqualTypeOf<T<readonly ["feature"]>>();
    expectTypeOf(Nx.Defn.vmap(sum)(feature, Nx.arange(3))).toEqualTypeOf<T<readonly ["feature"]>>();
    expectTypeOf(Nx.Defn.vmap(sum)(feature, Nx.arange(3, { name: "n" }))).toEqualTypeOf<T<readonly [null]>>();
  });

  it("costs untracked names nothing", () => {
    expectTypeOf(Nx.Defn.vmap((row: Nx.Tensor) => row.exp())(untracked)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.Defn.vmap((row: Nx.Tensor) => Nx.sum(row))(dayFeature)).toEqualTypeOf<T<readonly ["day"]>>();
    expectTypeOf(Nx.Defn.vmap((row: Nx.Tensor) => row.exp(), "day")(dayFeature)).toEqualTypeOf<Nx.Tensor>();
    const twice = Nx.Defn.vmap(Nx.Defn.vmap((x: Nx.Tensor) => x.exp()));
    expectTypeOf(twice(untracked)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.defn(Nx.Defn.vmap(total))(dayFeature)).toEqualTypeOf<T<readonly ["day"]>>();
  });
});

describe("lists of tensors in loops", () => {
  type Pair = [Nx.Tensor, Nx.Tensor];
  const pair: Pair = [untracked, untracked];

  it("are tuples, in functions that say so as well", () => {
    Nx.Defn.scan((s: Nx.Tensor, [a, b]: Pair) => [s.add(a).add(b), null], untracked, [dayFeature, dayFeature]);
    Nx.Defn.map(([a, b]: Pair) => a.add(b), [dayFeature, dayFeature]);
    Nx.Defn.map(([a, b]) => a.add(b), pair);
    Nx.Defn.scan(([a, b]: Pair, x: Nx.Tensor) => [[a.add(x), b], null], [Nx.f32(1), Nx.f32(2)], untracked);
    Nx.Defn.foriLoop(0, 3, (_i, [a, b]: Pair) => [b, a], [Nx.f32(1), Nx.f32(2)]);
    const found = Nx.Defn.whileLoop(
      [Nx.f32(1), Nx.f32(2)],
      ([a, b]: Pair) => a.less(b),
      ([a, b]: Pair) => [a.add(1), b],
    );
    expectTypeOf(found).toEqualTypeOf<[T<readonly []>, T<readonly []>]>();
    // @ts-expect-error two tensors, not three
    Nx.Defn.map(([a, b, c]: [Nx.Tensor, Nx.Tensor, Nx.Tensor]) => a.add(b).add(c), [dayFeature, dayFeature]);
  });
});

describe("scan and map", () => {
  it("take functions of named entries", () => {
    const step = (s: T<readonly ["feature"]>, row: T<readonly ["feature"]>) => [s.add(row), total(row)] as const;
    expectTypeOf(Nx.Defn.scan((s, _e) => [s, null], feature, dayFeature)[1]).toEqualTypeOf<null>();
    expectTypeOf(Nx.Defn.scan(step, feature, dayFeature)).toEqualTypeOf<
      [T<readonly ["feature"]>, T<readonly ["day"]>]
    >();
    expectTypeOf(Nx.Defn.map(total, dayFeature)).toEqualTypeOf<T<readonly ["day"]>>();
    expectTypeOf(Nx.Defn.map((row) => row.exp(), dayFeature)).toEqualTypeOf<typeof dayFeature>();
    expectTypeOf(Nx.Defn.map(({ a, b }) => a.add(b), { a: dayFeature, b: dayFeature })).toEqualTypeOf<
      typeof dayFeature
    >();
    // @ts-expect-error the entries are features
    Nx.Defn.map((row: T<readonly ["unit"]>) => row.exp(), dayFeature);
  });

  it("follow the axis that they go along", () => {
    Nx.Defn.map(
      (column) => {
        expectTypeOf(column).toEqualTypeOf<T<readonly ["day"]>>();
        return column;
      },
      dayFeature,
      { axis: "feature" },
    );
    expectTypeOf(Nx.Defn.map((row) => row.exp(), untracked)).toEqualTypeOf<Nx.Tensor>();
    expectTypeOf(Nx.Defn.map((row) => row.exp(), dayFeature, { axis: -1 })).toEqualTypeOf<Nx.Tensor>();
  });

  it("keep the parts of a state apart", () => {
    const [count, x] = Nx.Defn.whileLoop(
      [Nx.f32(0), feature],
      ([i]) => i.less(3),
      ([i, t]) => [i.add(1), t.multiply(2)],
    );
    expectTypeOf(count).toEqualTypeOf<T<readonly []>>();
    expectTypeOf(x).toEqualTypeOf<typeof feature>();
  });
});
