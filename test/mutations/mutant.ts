/** A deliberate defect, and whether the conformance suite notices it. */
import type { Backend } from "nx-numerics";
import { conformance, type ConformanceCase } from "nx-numerics/testing";

/** A backend with something wrong. */
export interface Mutant {
  readonly name: string;
  /** Where the suite is expected to notice it first; the rest is asked after that. */
  readonly aim: RegExp;
  /** The members that are wrong. Mutants of `binary` are judged by known results alone. */
  readonly of: "binary" | "wasm";
  readonly members: (base: Required<Backend>) => Partial<Backend>;
}

/** The first case that fails, asked those aimed at first; null where the mutant lives. */
export async function killer(cases: readonly ConformanceCase[], aim: RegExp): Promise<string | null> {
  const asked = cases.filter(({ skip }) => skip === undefined);
  const first = asked.filter(({ name }) => aim.test(name));
  const others = asked.filter(({ name }) => !aim.test(name));
  for (const { name, run } of [...first, ...others]) {
    try {
      await run();
    } catch {
      return name;
    }
  }
  return null;
}

/** The case that kills a mutant made of a backend; null where it lives. */
export async function killerOf({ aim, of, members }: Mutant, base: Backend): Promise<string | null> {
  const backend: Backend = { ...base, ...members(base as Required<Backend>), name: "mutant" };
  return killer(conformance(backend, { knownOnly: of === "binary" }), aim);
}
