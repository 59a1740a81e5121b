/** Every example of the library once more, each numeric function traced and run as a graph. */

import * as Nx from "nx-numerics";
import { doctest } from "nx-numerics/doctest";
import { describe, expect, it } from "vitest";
import { EXAMPLES, withFace } from "./library";
import { throughDefn, UNTRACED } from "./through-defn";

describe("the face through defn", () => {
  it("leaves functions untraced by name and reason only", () => {
    const named = (name: string): unknown =>
      name.split(".").reduce<unknown>((face, part) => Reflect.get(face as object, part), Nx);
    const unknown = Object.keys(UNTRACED).filter((name) => typeof named(name) !== "function");
    expect(unknown).toEqual([]);
  });
});

// Examples of checkTypes call a compiler and no function of tensors.
await doctest([...EXAMPLES, "!lib/doctest/check.ts"], {
  ...withFace(throughDefn),
  label: "defn",
  typeCheck: false, // binary.test.ts has done it
  around: (run) => Nx.withDefaultBackend("binary", run),
});
