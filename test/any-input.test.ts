/**
 * Whatever a function is called with, it either works or raises an error of the library: never a TypeError from inside.
 */
import { afterAll, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";

const t = Nx.iota([2, 3], { names: ["x", "y"] });
const WRONG: readonly unknown[] = [
  null,
  undefined,
  "x",
  [1, 2],
  [],
  {},
  () => 1,
  Symbol("s"),
  new Date(0),
  NaN,
  -1,
  1e9,
];

/** What is right for one function or the other: any tensor, a square matrix, a random key. */
const RIGHT: readonly unknown[] = [t, Nx.eye(2, { type: "f32" }), Nx.Random.key(1)];

/** Argument lists with a wrong value in every place, among right ones. */
const LISTS = WRONG.flatMap((wrong) => [
  [wrong],
  [wrong, wrong],
  ...RIGHT.flatMap((right) => [
    [right, wrong],
    [right, 1, wrong],
    [right, right, wrong],
    [wrong, right],
    [right, wrong, wrong],
    [right, right, right, wrong],
  ]),
]);

type AnyFunction = (...args: unknown[]) => unknown;
const NAMESPACES = ["Batch", "Constants", "Defn", "LinAlg", "Quantized", "Random", "Serving", "Type"] as const;

const functionsOf = (face: object, prefix = ""): [string, AnyFunction][] =>
  Object.entries(face)
    .filter((entry): entry is [string, AnyFunction] => typeof entry[1] === "function" && /^[a-z]/.test(entry[0]))
    .map(([name, fn]) => [prefix + name, fn]);

const functions = [...functionsOf(Nx), ...NAMESPACES.flatMap((name) => functionsOf(Nx[name], `${name}.`))];

afterAll(() => {
  Nx.globalDefaultBackend("binary");
  Nx.configureFromFile({}, "the end of a test");
});

/** Generators fail when they are read. */
function call(fn: AnyFunction, args: readonly unknown[]): void {
  const result = fn(...args);
  if (typeof result !== "object" || result === null || !("next" in result)) return;
  (result as Iterator<unknown>).next();
}

describe("any input", () => {
  it.each(functions)("%s", (_name, fn) => {
    for (const args of LISTS) {
      try {
        call(fn, args);
      } catch (error) {
        if (!(error instanceof Nx.NxError)) throw error;
        expect(error.message.length).toBeGreaterThan(20);
      }
    }
  });
});
