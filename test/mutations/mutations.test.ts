/** The conformance suite notices deliberate defects; `npm run mutations` tries all of them. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { conformance } from "nx-numerics/testing";
import { sampled } from "../effort";
import { killerOf, type Mutant } from "./mutant";
import { checkTexts, killerOfPatch } from "./patch";
import { PATCHES } from "./patched";
import { MUTANTS } from "./wrapped";

const wasm = Nx.iota([2], { backend: "wasm" }).backend;
const baseOf = ({ of }: Mutant) => (of === "wasm" ? wasm : Nx.binaryBackend);

/** Those put into sources that are tried every time; each takes a build and a process. */
const TRIED = ["two lanes of the vector transpose are exchanged", "kernels leave out a last element of its own"];

describe("deliberate defects", () => {
  it("have names of their own, and there are many", () => {
    const names = [...MUTANTS.map(({ of, name }) => `${of} ${name}`), ...PATCHES.map(({ name }) => name)];
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(120);
    expect(MUTANTS.filter(({ of }) => of === "binary").length).toBeGreaterThanOrEqual(12);
  });

  it("are in sources that have the texts they replace", () => checkTexts(PATCHES));

  it("are aimed at cases that exist", () => {
    const names = conformance(wasm).map(({ name }) => name);
    const lost = [...MUTANTS, ...PATCHES].filter(({ aim }) => !names.some((name) => aim.test(name)));
    expect(lost.map(({ name }) => name)).toEqual([]);
  });

  it.each(sampled(MUTANTS, 18, "mutants"))("of $of are noticed: $name", { timeout: 60_000 }, async (mutant) => {
    expect(await killerOf(mutant, baseOf(mutant))).not.toBeNull();
  });

  it.each(PATCHES.filter(({ name }) => TRIED.includes(name)))(
    "in code are noticed: $name",
    { timeout: 120_000 },
    async (patch) => {
      expect(await killerOfPatch(patch)).toMatch(patch.aim);
    },
  );

  it("that are none are not noticed", async () => {
    const none: Mutant = { name: "nothing is wrong", aim: /^known/, of: "wasm", members: () => ({}) };
    const known = conformance({ ...wasm, ...none.members(wasm as never), name: "mutant" }).filter(({ name }) =>
      /^(known|members)/.test(name),
    );
    for (const { run } of known) await run();
  });
});
