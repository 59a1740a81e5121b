/**
 * What holds for every function with an option `axis` or `axes`: it understands both words, and an axis, or a list of axes, in place of
 * its options; both words at once are an error. Functions that name one axis understand `name` and `names`.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { CALLED, type Called } from "./table";
import { faultOf, thrownBy } from "./wrong";

const OTHER = { axis: "axes", axes: "axis", keepAxis: "keepAxes", keepAxes: "keepAxis" } as const;
type Word = keyof typeof OTHER;

interface OfAxes extends Called {
  readonly word: "axis" | "axes";
  readonly value: unknown;
  readonly options: Readonly<Record<string, unknown>>;
}

const OF_AXES: readonly OfAxes[] = CALLED.flatMap((row) => {
  const options = row.options as Readonly<Record<string, unknown>> | undefined;
  const word = (["axis", "axes"] as const).find((each) => options !== undefined && each in options);
  return word === undefined ? [] : [{ ...row, word, value: options![word], options: options! }];
});

/** Everything but the order of what is drawn at random. */
const textOf = (name: string, result: unknown): string => {
  if (result instanceof Nx.Tensor)
    return name.endsWith("huffle") ? JSON.stringify([result.shape, result.names]) : String(result);
  return Array.isArray(result) ? result.map((part) => textOf(name, part)).join("\n") : JSON.stringify(result);
};

const differing = (variants: (row: OfAxes) => readonly unknown[]): string[] =>
  OF_AXES.flatMap((row) => {
    const { name, call, args, options } = row;
    const expected = textOf(name, call(...args, options));
    const found = variants(row).map((variant) => textOf(name, call(...args, variant)));
    return found.every((text) => text === expected) ? [] : [name];
  });

/** Options under the other words. */
const renamed = (options: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(options).map(([key, value]) => [key in OTHER ? OTHER[key as Word] : key, value]));

describe("functions over axes", () => {
  it("are many", () => expect(OF_AXES.length).toBeGreaterThan(45));

  it("understand either word", () => {
    expect(differing(({ options }) => [renamed(options)])).toEqual([]);
  });

  it("take one axis and a list of one for the same", () => {
    const forms = ({ word, value, options }: OfAxes): readonly unknown[] => {
      if (!Array.isArray(value)) return [{ ...options, [word]: [value] }];
      return value.length === 1 ? [{ ...options, [word]: value[0] as unknown }] : [];
    };
    expect(differing(forms)).toEqual([]);
  });

  it("take an axis, or a list of axes, in place of their options", () => {
    const failed = OF_AXES.flatMap(({ name, call, args, word, value }) => {
      const alone = textOf(name, call(...args, { [word]: value }));
      const isList = Array.isArray(value);
      const places: readonly unknown[] = !isList ? [value, [value]] : value.length === 1 ? [value, value[0]] : [value];
      return places.every((place) => textOf(name, call(...args, place)) === alone) ? [] : [name];
    });
    expect(failed).toEqual([]);
  });

  it("take further options behind axes that stand in their place", () => {
    const failed = OF_AXES.flatMap(({ name, call, args, word, value, options }) => {
      const { [word]: _, ...more } = options;
      const expected = textOf(name, call(...args, options));
      const twice = thrownBy(() => call(...args, value, { ...more, axes: value }));
      const unknown = thrownBy(() => call(...args, value, { keepNames: true }));
      const isClear =
        /got axes twice, as .* and as the option axes/.test(String(twice)) && faultOf(name, twice) === undefined;
      const isSame =
        textOf(name, call(...args, value, more)) === expected && textOf(name, call(...args, value, {})) !== "";
      return isSame && isClear && String(unknown).includes('unknown option "keepNames"') ? [] : [name];
    });
    expect(failed).toEqual([]);
    const t = Nx.iota([2, 3], { names: ["day", "hour"] });
    expect(t.mean("day", { keepAxes: true }).names).toEqual(["day", "hour"]);
    expect(Nx.sum(t, ["day", "hour"], { keepAxes: true }).shape).toEqual([1, 1]);
    expect(Nx.quantile(t, 0.5, "hour", { keepAxis: true }).shape).toEqual([2, 1]);
    expect(t.quantile(0.5, "hour", { keepAxis: true }).equals(Nx.quantile(t, 0.5, "hour", { keepAxis: true }))).toBe(
      true,
    );
    expect(t.percentile([5, 50], { axis: 0 }).equals(Nx.percentile(t, [5, 50], { axis: 0 }))).toBe(true);
    expect([t, t].map(Nx.sum).map(Number)).toEqual([15, 15]);
    expect(() => Nx.mean(t, "day", 0 as never)).toThrow("Nx.mean takes at most 2 arguments");
    expect(() => (t as unknown as { exp(options: object): unknown }).exp({ keepAxes: true })).toThrow(
      'unknown option "keepAxes" for Nx.exp',
    );
  });

  it("refuse both words at once, also where an option of theirs is meant", () => {
    const failed = OF_AXES.flatMap(({ name, call, args, word, value }) => {
      const error = thrownBy(() => call(...args, { [word]: value, [OTHER[word]]: value }));
      const isClear = /understands "(axis|axes)" as "(axis|axes)": give one of the two/.test(String(error));
      return isClear && faultOf(name, error) === undefined ? [] : [`${name}: ${String(error)}`];
    });
    expect(failed).toEqual([]);
    expect(() => Nx.sum(Nx.iota([2]), { keepAxes: true, keepAxis: false })).toThrow(
      'Nx.sum understands "keepAxis" as "keepAxes": give one of the two',
    );
    expect(Nx.sum(Nx.iota([2]), { axes: undefined, axis: 0 } as object).shape).toEqual([]);
  });

  it("refuse an axis that is not there, and a word that nobody knows, with what was meant", () => {
    const failed = OF_AXES.flatMap(({ name, call, args, word }) => {
      const missing = thrownBy(() => call(...args, "no such axis"));
      const unknown = thrownBy(() => call(...args, { [`${word}s`]: 0 }));
      const isClear = String(unknown).includes(`did you mean "${word}"`) || word === "axis";
      return faultOf(name, missing) === undefined && faultOf(name, unknown) === undefined && isClear ? [] : [name];
    });
    expect(failed).toEqual([]);
  });

  it("read only what the options themselves have, under either word", () => {
    const options = Object.create({ axes: 0 }) as object;
    Object.setPrototypeOf(options, null);
    expect(Nx.sum(Nx.iota([2, 3]), Object.assign(options, { axis: 0 })).shape).toEqual([3]);
    Object.defineProperty(Object.prototype, "keepAxes", { value: true, configurable: true, enumerable: false });
    try {
      expect(Nx.sum(Nx.iota([2, 3]), 0).shape).toEqual([3]);
      expect(Nx.sum(Nx.iota([2, 3]), { axis: 0 }).shape).toEqual([3]);
    } finally {
      delete (Object.prototype as { keepAxes?: unknown }).keepAxes;
    }
  });

  it("mean the same in composites of large tensors, traced functions and gradients", () => {
    const t = Nx.iota([64, 1024], { type: "f32" }).divide(1000);
    for (let i = 0; i < 3; i++) {
      expect(Nx.softmax(t, 0).equals(Nx.softmax(t, { axis: 0 }))).toBe(true);
      expect(Nx.variance(t, 1).equals(Nx.variance(t, { axes: [1] }))).toBe(true);
      expect(Nx.LinAlg.norm(t, 1).equals(Nx.LinAlg.norm(t, { axes: [1] }))).toBe(true);
    }
    expect(Nx.defn((x: Nx.Tensor) => x.softmax(0).sum(1))(t).equals(t.softmax(0).sum(1))).toBe(true);
    const named = t.rename(["row", "column"]);
    expect(Nx.defn((x: typeof named, axis: "row" | "column") => x.sum(axis))(named, "row").equals(named.sum(0))).toBe(
      true,
    );
  });
});

describe("functions that name an axis", () => {
  type Named = Called & { readonly other: { readonly name?: unknown; readonly names?: unknown } };
  const named = CALLED.flatMap((row): Named[] => {
    const { name, names } = (row.options ?? {}) as { readonly name?: unknown; readonly names?: unknown };
    if (typeof name === "string") return [{ ...row, other: { names: [name] } }];
    return Array.isArray(names) && names.length === 1 ? [{ ...row, other: { name: names[0] as unknown } }] : [];
  });

  it("are many", () => expect(named.length).toBeGreaterThan(20));

  it("understand the name and a list of it for the same", () => {
    const failed = named.filter(({ name, call, args, options, other }) => {
      const rest = Object.entries(options as object).filter(([key]) => key !== "name" && key !== "names");
      return (
        textOf(name, call(...args, { ...Object.fromEntries(rest), ...other })) !== textOf(name, call(...args, options))
      );
    });
    expect(failed.map(({ name }) => name)).toEqual([]);
  });

  it("refuse both words at once", () => {
    expect(() => Nx.arange(3, { name: "x", names: ["x"] })).toThrow(
      'Nx.arange understands "names" as "name": give one of the two',
    );
    expect(() => Nx.arange(3, { names: ["x", "y"] as never })).toThrow(
      "an axis name must be a non-empty string or null",
    );
    expect(Nx.arange(3, { names: ["x"] }).names).toEqual(["x"]);
  });
});
