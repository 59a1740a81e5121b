/**
 * Work aligned by name: a result has, at each place given by names, what the function gives for the elements that the operands have
 * there; an axis of size 1, or none, stands for every place. Checked for tensors of any axes in any order.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const AXES = ["a", "b", "c", "d"] as const;
const SIZES: Readonly<Record<string, number>> = { a: 2, b: 3, c: 1, d: 4 };

/** Some axes in some order; those of size 1 stand for every place. */
const axes = fc
  .shuffledSubarray([...AXES])
  .chain((names) => fc.tuple(fc.constant(names), fc.array(fc.nat(4), { minLength: 4, maxLength: 4 })))
  .map(([names, cuts]) => ({ names, shape: names.map((name, i) => (cuts[i] === 0 ? 1 : SIZES[name]!)) }));

const tensor = fc.tuple(axes, fc.nat(1000)).map(([{ names, shape }, seed]) => {
  const size = shape.reduce((a, b) => a * b, 1);
  const list = Array.from({ length: size }, (_, i) => ((i * 37 + seed) % 41) / 4 - 3);
  return Nx.f64(list).reshape(shape, { names });
});

/** The element at a place. */
const elementAt = (t: Nx.Tensor, place: Readonly<Record<string, number>>): number => {
  const at = t.names.map((name, i) => (t.shape[i] === 1 ? 0 : place[name!]!));
  return (at.length === 0 ? t : t.at(...at)).item();
};

function placesOf(t: Nx.Tensor): Record<string, number>[] {
  return Array.from({ length: t.size }, (_, flat) => {
    const place: Record<string, number> = {};
    let rest = flat;
    for (let i = t.shape.length - 1; i >= 0; i--) {
      place[t.names[i]!] = rest % t.shape[i]!;
      rest = Math.floor(rest / t.shape[i]!);
    }
    return place;
  });
}

/** The names that a result has. */
const namesOf = (...operands: Nx.Tensor[]): unknown[] => [...new Set(operands.flatMap(({ names }) => names))];

function expectByPlace(result: Nx.Tensor, operands: Nx.Tensor[], at: (...elements: number[]) => number): void {
  expect(result.names).toEqual(namesOf(...operands));
  const expected = placesOf(result).map((place) => at(...operands.map((t) => elementAt(t, place))));
  expect(result.toFlatList()).toEqual(expected);
}

const OPS = {
  subtract: (a: number, b: number) => a - b,
  multiply: (a: number, b: number) => a * b,
  less: (a: number, b: number) => Number(a < b),
  max: Math.max,
} as const;

describe.each(["binary", "wasm"])("by name on %s", (backend) => {
  const on = (t: Nx.Tensor): Nx.Tensor => Nx.backendCopy(t, backend);

  it.each(Object.entries(OPS))("%s goes by the names of places", (name, at) => {
    fc.assert(
      fc.property(tensor, tensor, (left, right) => {
        const call = Nx.byName[name as keyof typeof OPS] as (a: Nx.Tensor, b: Nx.Tensor) => Nx.Tensor;
        const result = call(on(left), on(right));
        expectByPlace(result, [left, right], at);
        expect(Nx.defn((a: Nx.Tensor, b: Nx.Tensor) => call(a, b))(on(left), on(right)).equals(result)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("where and clamp do so with three operands", () => {
    fc.assert(
      fc.property(tensor, tensor, tensor, (x, low, high) => {
        const mask = x.greater(0);
        expectByPlace(Nx.byName.where(on(mask), on(low), on(high)), [mask, low, high], (m, a, b) => (m ? a : b));
        const clamped = Nx.byName.clamp(on(x), { min: on(low), max: on(high) });
        expectByPlace(clamped, [x, low, high], (v, a, b) => Math.min(Math.max(v, a), b));
        expectByPlace(Nx.byName.clamp(on(x), { max: on(high) }), [x, high], (v, b) => Math.min(v, b));
      }),
      { numRuns: 60 },
    );
  });

  it("alignAs brings axes into the order of another tensor, so that both meet by position", () => {
    fc.assert(
      fc.property(tensor, tensor, (left, right) => {
        const all = Nx.byName.add(left, right);
        const moved = on(right).alignAs(on(all));
        expect(moved.names).toEqual(all.names);
        expect(moved.shape).toEqual(
          all.names.map((name) => (right.names as Nx.Names).indexOf(name)).map((i) => (i < 0 ? 1 : right.shape[i])),
        );
        expect(on(left).alignAs(all).add(moved).equals(all)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe("byName", () => {
  const t = Nx.f64([[1, 2, 3], [4, 5, 9]], { names: ["day", "hour"] }); // prettier-ignore

  it("has every function of two tensors of the tables", async () => {
    const { BINARY_OPS } = await import("nx-numerics/backend");
    expect(Object.keys(BINARY_OPS).filter((name) => !(name in Nx.byName))).toEqual([]);
  });

  it("takes numbers, which stay weak, and tensors without axes", () => {
    expect(Nx.byName.multiply(Nx.u8([1, 2], { names: ["x"] }), 2).type).toBe("u8");
    expect(Nx.byName.subtract(1, Nx.f32([1], { names: ["x"] })).names).toEqual(["x"]);
    expect(Nx.byName.add(t, Nx.f64(1)).equals(t.add(1))).toBe(true);
    expect(Nx.defn((a: Nx.Tensor, b: number) => Nx.byName.add(a, b))(t, 0.1).equals(t.add(0.1))).toBe(true);
  });

  it("divides as the options say", () => {
    const whole = Nx.byName.divide(Nx.s64([7, -7], { names: ["x"] }), 2, { roundingMode: "floor" });
    expect(whole.toFlatList()).toEqual([3, -4]);
  });

  it("is differentiated: what stood for every place gets the sum over the places", () => {
    const slope = Nx.grad((m: Nx.Tensor) => Nx.byName.multiply(m, t).sum())(Nx.f64([1, 1, 1], { names: ["hour"] }));
    expect([slope.names, slope.toFlatList()]).toEqual([["hour"], [5, 7, 12]]);
  });

  it("meets the entries of vmap, whose axis is none of theirs", () => {
    const anomalies = Nx.Defn.vmap((day: Nx.Tensor) => Nx.byName.subtract(day, t.mean("day")), { over: "day" })(t);
    expect(anomalies.names).toEqual(["day", "hour"]);
    expect(anomalies.equals(t.subtract(t.mean("day")))).toBe(true);
  });

  it("refuses axes without names, and sizes that differ", () => {
    const bare: Nx.Tensor = Nx.tensor([1, 2, 3]);
    expect(() => Nx.byName.add(t, bare)).toThrow(
      "Nx.byName.add goes by names, but axis 0 of [3] has none; name it with Nx.rename",
    );
    expect(() => Nx.byName.clamp(t, { min: bare })).toThrow(
      "Nx.byName.clamp goes by names, but axis 0 of [3] has none",
    );
    expect(() => Nx.byName.where(bare, t, t)).toThrow("Nx.byName.where goes by names");
    expect(() => Nx.byName.add(t, Nx.tensor([1, 2], { names: ["hour"] }))).toThrow(
      'Nx.byName.add: axis "hour" has 3 entries in [day: 2][hour: 3] and 2 in [hour: 2]; it must have as many, or 1',
    );
    expect(() => Nx.byName.add(t, undefined as never)).toThrow("Nx.byName.add expects a tensor or a number");
    expect(() => Nx.byName.divide(t, t, { rounding: "floor" } as never)).toThrow(
      'unknown option "rounding" for Nx.byName.divide',
    );
  });

  it("alignAs refuses axes that the other lacks, or that have no name", () => {
    const lost: Nx.Tensor = t;
    expect(() => lost.alignAs(t.mean("day"))).toThrow('Nx.alignAs: [hour: 3] has no axis "day" of [day: 2][hour: 3]');
    expect(() => Nx.alignAs(lost, Nx.tensor([1]) as Nx.Tensor)).toThrow("Nx.alignAs goes by names");
    expect(() => Nx.alignAs(Nx.tensor([1]) as Nx.Tensor, lost)).toThrow("Nx.alignAs goes by names");
  });
});
