/** Names of other libraries: each is an error that says what to write, and what it says is right. */
import vm from "node:vm";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import * as functions from "../../../lib/nx/elsewhere/functions";
import { errorOf } from "../aggregates/view";

const { prototype } = Nx.Tensor;
const descriptors = Object.getOwnPropertyDescriptors(prototype);

/** What there is under a name of a method or property: an error when it is read or called. */
function missing(name: string): string | undefined {
  const { get, value } = descriptors[name] as PropertyDescriptor;
  if (name === "length" || name === "rank" || name === "size" || name === "constructor") return undefined;
  const message = errorOf(() => (get ?? (value as () => unknown)).call(Nx.f32([[1, 2]])));
  return message.startsWith("NxError: nx-numerics has no ") ? message : undefined;
}

const METHODS = Object.keys(descriptors).flatMap((name) => {
  const message = missing(name);
  return message === undefined ? [] : [[name, message] as const];
});

const FUNCTIONS = Object.entries(functions as unknown as Record<string, () => never>).map(
  ([name, fn]) => [name, errorOf(fn)] as const,
);

/** Operands that a piece of advice may be meant for. */
const a = Nx.f32([[4, 1], [1, 3]]); // prettier-ignore
const OPERANDS: readonly Nx.Tensor[] = [a, Nx.f32([[1, 2, 3], [4, 5, 6]]), Nx.f32(2), Nx.f32([1, 2, 3])]; // prettier-ignore

/** Whether the code that a message says to write runs, with some tensors for what it names. */
async function runs(code: string): Promise<boolean> {
  const fn = (x: Nx.Tensor): Nx.Tensor => x.sum();
  for (const t of OPERANDS) {
    try {
      await vm.runInNewContext(`(async () => (${code}))()`, {
        Nx,
        t,
        a: t,
        b: t,
        fn,
        console: { log: () => 1 },
        String,
      });
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(Nx.NxError); // not a TypeError of a name that does not exist
      expect((error as Error).message).not.toContain("nx-numerics has no");
    }
  }
  return false;
}

const instead = (message: string): string => message.slice(message.indexOf("; write ") + "; write ".length);

describe("functions of other libraries", () => {
  it.each(FUNCTIONS)("%s", async (name, message) => {
    expect((Nx as unknown as Record<string, unknown>)[name]).toBe(
      (functions as unknown as Record<string, unknown>)[name],
    );
    expect(message).toBe(`NxError: nx-numerics has no function ${name}; write ${instead(message)}`);
    expect(await runs(instead(message)), message).toBe(true);
  });

  it("are those that people try", () => {
    const tried = ["maximum", "minimum", "array", "concat"];
    expect(FUNCTIONS.map(([name]) => name)).toEqual(expect.arrayContaining(tried));
  });
});

describe("methods and properties of other libraries", () => {
  it.each(METHODS)("%s", async (name, message) => {
    expect(descriptors[name]!.enumerable).toBe(false);
    const advice = instead(message);
    if (name === "clone" || name === "copy" || name === "dispose") return; // there is nothing to write
    if (!advice.endsWith("(t, ...)")) return expect(await runs(advice), message).toBe(true);
    const fn = advice.slice("Nx.".length, -"(t, ...)".length).split(".");
    expect(fn.reduce<unknown>((face, key) => (face as Record<string, unknown>)[key], Nx)).toBeTypeOf("function");
    return expect(fn.at(-1)).toBe(name);
  });

  it("are those that people try", () => {
    const tried = [
      "T",
      "tolist",
      "dtype",
      "numpy",
      "map",
      "fft",
      "norm",
      "stack",
      "toBatched",
      "var",
      "diagonal",
      "ravel",
      "nonzero",
    ];
    expect(METHODS.map(([name]) => name)).toEqual(expect.arrayContaining(tried));
  });

  it("hide nothing that is there", () => {
    const names = new Set(METHODS.map(([name]) => name));
    for (const name of ["add", "max", "sum", "take", "where", "toList", "at", "equals", "toJSON", "shape", "size"]) {
      expect(names.has(name)).toBe(false);
    }
  });
});

describe("tensors as lists of numbers", () => {
  const t = Nx.f32([1, 2, 3], { names: ["x"] });
  const list = t as unknown as ArrayLike<number>;
  const traced = (fn: (x: never) => unknown) => Nx.defn((x: Nx.Tensor) => (fn(x as never), x))(t);

  it.each([
    ["Array.from of a scalar", () => Array.from(Nx.f32(1))],
    ["apply", () => Math.max.apply(null, list as unknown as number[])],
    ["a loop over positions", () => { for (let i = 0; i < list.length; i++) void list[i]; }],
    ["what is borrowed of arrays", () => Array.prototype.map.call(list, (x) => x as unknown)],
    ["a traced one", () => traced((x: ArrayLike<number>) => Array.prototype.slice.call(x))],
  ])("are refused by %s", (_, fn) => {
    const message = errorOf(fn);
    expect(message).toContain("a tensor is no list");
    for (const way of ["t.size", "t.shape", "t.toNumbers()", "for (const row of t)", "t.at(i)", "t.item()"]) expect(message).toContain(way);
  }); // prettier-ignore

  it("show no length to what looks for one", () => {
    expect(Object.keys(t)).not.toContain("length");
  });
});
