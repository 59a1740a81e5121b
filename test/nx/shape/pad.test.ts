import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

/** One axis padded by hand: elements between, then before and after, negative counts crop. */
function padList(values: number[], [low, high, interior]: [number, number, number], filler: number): number[] {
  const spread = values.flatMap((value, i) =>
    i === 0 ? [value] : [...new Array<number>(interior).fill(filler), value],
  );
  const grown = [
    ...new Array<number>(Math.max(low, 0)).fill(filler),
    ...spread,
    ...new Array<number>(Math.max(high, 0)).fill(filler),
  ];
  return grown.slice(Math.max(-low, 0), grown.length - Math.max(-high, 0));
}

describe("pad", () => {
  it("of a vector is as by hand", () => {
    const count = fc.integer({ min: -3, max: 3 });
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 6 }),
        count,
        count,
        fc.nat(2),
        (values, low, high, interior) => {
          const expected = padList(values, [low, high, interior], 99);
          const length = (values.length - 1) * interior + values.length + low + high;
          if (length < 1)
            expect(() => Nx.pad(Nx.tensor(values), 99, [[low, high, interior]])).toThrow(
              /^Nx\.pad with .* nothing of axis 0/,
            );
          else expect(Nx.pad(Nx.tensor(values), 99, [[low, high, interior]]).toList()).toEqual(expected);
        },
      ),
    );
  });

  it("of several axes pads each", () => {
    const t = Nx.tensor(
      [
        [1, 2],
        [3, 4],
      ],
      { names: ["x", "y"] },
    );
    const padded = t.pad(0, [
      [1, 0],
      [0, 1, 1],
    ]);
    expect(padded.names).toEqual(["x", "y"]);
    expect(padded.toList()).toEqual([
      [0, 0, 0, 0],
      [1, 0, 2, 0],
      [3, 0, 4, 0],
    ]);
  });

  it("the value is weak and a tensor's is not", () => {
    expect(Nx.pad(Nx.u8([1]), 0, [[1, 0]]).type).toBe("u8");
    expect(Nx.pad(Nx.u8([1]), 300, [[1, 0]]).type).toBe("u16");
    expect(Nx.pad(Nx.u8([1]), 0.5, [[1, 0]]).toList()).toEqual([0.5, 1]);
    expect(Nx.pad(Nx.u8([1]), Nx.f64(0), [[1, 0]]).type).toBe("f64");
    expect(Nx.pad(Nx.u8([1]), Nx.f64(0), [[0, 0]]).type).toBe("f64");
  });

  it("refuses what makes no sense", () => {
    const t = Nx.iota([2, 2]);
    expect(() => t.pad(0, [[1, 1]])).toThrow(/^Nx\.pad expects .* each of the 2 axes/);
    expect(() => Nx.pad("1" as never, 0, [])).toThrow(/^Nx\.pad expects a tensor/);
    expect(() =>
      t.pad(0, [
        [1, 1],
        [0.5, 0],
      ]),
    ).toThrow(/integers/);
    expect(() =>
      t.pad(0, [
        [1, 1],
        [0, 0, -1],
      ]),
    ).toThrow(/interior >= 0/);
    expect(() =>
      t.pad(Nx.tensor([1]), [
        [0, 0],
        [0, 0],
      ]),
    ).toThrow(/scalar value/);
  });
});

/** Positions of a walk that turns round at both ends, without the first. */
function bounce(size: number, start: number, direction: number, steps: number): number[] {
  let [at, step] = [start, direction];
  return Array.from({ length: steps }, () => {
    if (size === 1) return 0;
    if (at + step < 0 || at + step >= size) step = -step;
    return (at += step);
  });
}

describe("reflect", () => {
  it("bounces between the edges as often as needed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.nat(12), fc.nat(12), (size, low, high) => {
        const result = Nx.reflect(Nx.iota([size]), { paddingConfig: [[low, high]] }).toFlatList();
        expect(result).toEqual([
          ...bounce(size, 0, 1, low).reverse(),
          ...Array.from({ length: size }, (_, i) => i),
          ...bounce(size, size - 1, -1, high),
        ]);
      }),
    );
  });

  it("keeps names and types, along every axis", () => {
    const t = Nx.u8(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      { names: ["x", "y"] },
    );
    const r = t.reflect({
      paddingConfig: [
        [1, 0],
        [0, 2],
      ],
    });
    expect([r.type, r.names]).toEqual(["u8", ["x", "y"]]);
    expect(r.toList()).toEqual([
      [4, 5, 6, 5, 4],
      [1, 2, 3, 2, 1],
      [4, 5, 6, 5, 4],
    ]);
    expect(t.reflect().equals(t)).toBe(true);
    expect(() => Nx.reflect(1)).toThrow(/^Nx\.reflect expects .* rank 1 or more/);
    expect(() => Nx.reflect(Nx.iota([2]), { paddingConfig: [[2 ** 32, 0]] })).toThrow(Nx.ArgumentError);
    expect(() => t.reflect({ paddingConfig: [[1, 0]] })).toThrow(/each of the 2 axes/);
  });
});

/** Positions outside of an axis, from an edge outwards: walked step by step. */
const WALKS: Readonly<Record<Nx.PadMode, (size: number, out: 1 | -1, steps: number) => number[]>> = {
  reflect: (size, out, steps) => bounce(size, out < 0 ? 0 : size - 1, out < 0 ? 1 : -1, steps),
  replicate: (size, out, steps) => new Array<number>(steps).fill(out < 0 ? 0 : size - 1),
  cyclic(size, out, steps) {
    let at = out < 0 ? 0 : size - 1;
    return Array.from({ length: steps }, () => (at = at + out < 0 ? size - 1 : at + out === size ? 0 : at + out));
  },
  mirror(size, out, steps) {
    let [at, step] = [out < 0 ? -1 : size, -out as number];
    return Array.from({ length: steps }, () => {
      if (at + step < 0 || at + step >= size) step = -step;
      else at += step;
      return at;
    });
  },
};

describe("padOuter", () => {
  it.each(Object.keys(WALKS) as Nx.PadMode[])("goes on as often as needed: %s", (mode) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.nat(12), fc.nat(12), (size, low, high) => {
        const result = Nx.padOuter(Nx.iota([size]), mode, [[low, high]]).toFlatList();
        expect(result).toEqual([
          ...WALKS[mode](size, -1, low).reverse(),
          ...Array.from({ length: size }, (_, i) => i),
          ...WALKS[mode](size, 1, high),
        ]);
      }),
    );
  });

  it("keeps names and types, along every axis", () => {
    const t = Nx.u8([[1, 2, 3], [4, 5, 6]], { names: ["x", "y"] }); // prettier-ignore
    const wrapped = t.padOuter("cyclic", [[1, 0], [0, 2]]); // prettier-ignore
    expect([wrapped.type, wrapped.names]).toEqual(["u8", ["x", "y"]]);
    expect(wrapped.toList()).toEqual([
      [4, 5, 6, 4, 5],
      [1, 2, 3, 1, 2],
      [4, 5, 6, 4, 5],
    ]);
  });

  it("refuses what makes no sense", () => {
    const t = Nx.iota([2, 2]);
    expect(() => t.padOuter(0 as never, [])).toThrow(/^Nx\.padOuter expects "cyclic", .*got: 0/);
    expect(() => t.padOuter("toString" as never, [])).toThrow(/^Nx\.padOuter expects "cyclic"/);
    expect(() => t.padOuter("mirror", [[1, 1]])).toThrow(/^Nx\.padOuter expects \[low, high\] for each of the 2 axes/);
    expect(() => t.padOuter("mirror", [[1, -1], [0, 0]])).toThrow(/integers >= 0/); // prettier-ignore
    expect(() => Nx.padOuter(Nx.iota([2]), "cyclic", [[2 ** 32, 0]])).toThrow(Nx.ArgumentError);
  });
});
