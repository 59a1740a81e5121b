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

/** Argument lists with one wrong value in every place, among right ones. */
const LISTS = WRONG.flatMap((wrong) => [
  [wrong],
  [wrong, wrong],
  [t, wrong],
  [t, 1, wrong],
  [t, t, wrong],
  [wrong, t],
  [t, wrong, wrong],
  [t, t, t, wrong],
]);

type AnyFunction = (...args: unknown[]) => unknown;
const functions = Object.entries(Nx).filter(
  (entry): entry is [string, AnyFunction] => typeof entry[1] === "function" && /^[a-z]/.test(entry[0]),
);

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
