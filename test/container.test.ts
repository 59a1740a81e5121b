import { List, Map, OrderedMap, Record, Set } from "immutable";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { entriesOf, formatPath, mapContainer } from "../lib/container";

describe("containers", () => {
  it("keeps the kind of every container and the order of object keys", () => {
    const Pair = Record({ left: 1, right: 2 });
    const value = {
      z: [1, 2],
      a: List([3]),
      m: Map({ k: 4 }),
      o: OrderedMap([
        ["second", 5],
        ["first", 6],
      ]),
      r: new Pair({ left: 7 }),
    };
    const doubled = mapContainer(value, (leaf) => (leaf as number) * 2);
    expect(Object.keys(doubled)).toEqual(["z", "a", "m", "o", "r"]);
    expect(doubled.z).toEqual([2, 4]);
    expect(doubled.a.equals(List([6]))).toBe(true);
    expect(doubled.m.equals(Map({ k: 8 }))).toBe(true);
    expect([...doubled.o.keys()]).toEqual(["second", "first"]);
    expect(OrderedMap.isOrderedMap(doubled.o)).toBe(true);
    expect(doubled.r).toBeInstanceOf(Pair);
    expect(doubled.r.toObject()).toEqual({ left: 14, right: 4 });
  });

  it("visits objects by sorted keys and names the place of each leaf", () => {
    const paths: string[] = [];
    mapContainer({ b: [1, { c: 2 }], a: 3 }, (_, path) => paths.push(formatPath(path)));
    expect(paths).toEqual([".a", ".b[0]", ".b[1].c"]);
    expect(entriesOf({ b: 1, a: 2 })).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
  });

  it("keeps keys whatever they are, and visits many in the order of few", () => {
    const value = JSON.parse('{"b": 1, "__proto__": 2, "10": 3, "9": 4, "": 5, "\u00e9": 6}') as {
      [key: string]: number;
    };
    const met: unknown[] = [];
    const copy = mapContainer(value, (leaf, [key]) => (met.push(key), (leaf as number) * 10));
    expect(Object.entries(copy)).toEqual(Object.entries(value).map(([key, number]) => [key, number * 10]));
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(met).toEqual(["", "10", "9", "__proto__", "b", "\u00e9"]);
    for (const count of [2, 15, 16, 17, 40]) {
      const keys = Array.from({ length: count }, (_, i) => `k${(i * 7) % count}`);
      const visited: unknown[] = [];
      mapContainer(Object.fromEntries(keys.map((key) => [key, 1])), (_, [key]) => visited.push(key));
      expect(visited).toEqual([...keys].sort());
    }
  });

  it("maps holes of arrays as leaves", () => {
    const mapped = mapContainer([1, , 3], (leaf) => leaf ?? "none"); // oxlint-disable-line no-sparse-arrays
    expect(mapped).toEqual([1, "none", 3]);
  });

  it("says that a container contains itself", () => {
    const cyclic: { [key: string]: unknown } = { t: Nx.tensor(1) };
    cyclic["self"] = cyclic;
    const array: unknown[] = [Nx.tensor([1])];
    array.push(array);
    const message = "containers may be nested 1000 deep, got a deeper one; does it contain itself?";
    const calls: [start: string, call: () => unknown][] = [
      ["", () => mapContainer(cyclic, (leaf) => leaf)],
      ["", () => Nx.defn((c: unknown) => (c ? Nx.tensor(1) : Nx.tensor(2)))(cyclic)],
      ["", () => Nx.defn(() => cyclic as never)()],
      ["", () => Nx.grad((c: { t: Nx.Tensor }) => c.t)(cyclic as never)],
      ["Nx.concatenate: ", () => Nx.concatenate(array as never)],
      ["Nx.isCompatible: ", () => Nx.isCompatible(cyclic, cyclic)],
    ];
    for (const [start, call] of calls) expect(call).toThrow(new Nx.ArgumentError(start + message));
  });

  it("takes instances of other classes as leaves", () => {
    const date = new Date(0);
    expect(mapContainer([date], (leaf) => leaf === date)).toEqual([true]);
  });
});

describe("tensors in Immutable collections", () => {
  it("are equal by value", () => {
    const make = () => Nx.tensor([1, NaN, 0], { names: ["x"] });
    expect(Set([make(), make()]).size).toBe(1);
    expect(Map([[make(), "found"]]).get(make())).toBe("found");
    expect(List([make()]).equals(List([make()]))).toBe(true);
    expect(Set([make(), make().rename([null]), make().asType("f64"), make().add(1)]).size).toBe(4);
  });
});
