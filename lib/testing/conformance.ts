/** The suite as a list of cases, for one backend and for any test runner. */
import * as Nx from "nx-numerics";
import type { Backend, Capabilities } from "nx-numerics";
import { comparisons } from "./groups/differential";
import { foldChecks } from "./groups/folds";
import { fusedChecks } from "./groups/fused";
import { layoutChecks } from "./groups/layouts";
import { memberChecks } from "./groups/members";
import { movementChecks } from "./groups/movement";
import { productChecks } from "./groups/products";
import { sizeChecks } from "./groups/sizes";
import { ConformanceError, difference, type Claim } from "./judge";
import { knownChecks } from "./known";
import { boundFor, isLimited, outside, traitsOf, type Traits } from "./select";
import { downloaded, Subject, type Check } from "./subject";

/** One check of a backend. */
export interface ConformanceCase {
  readonly name: string;
  /** Why the backend is not asked this; not there where it is. */
  readonly skip?: string;
  /** Throws a {@link ConformanceError} where the backend differs; a promise for backends that are read asynchronously. */
  readonly run: () => void | Promise<void>;
}

export interface ConformanceOptions {
  /**
   * Cases that are left out, by name or by a pattern in which `*` stands for anything, each with the reason in words. A pattern
   * that no case has is an error, as is a reason that says nothing.
   */
  readonly exclude?: Readonly<Record<string, string>>;
  /** The names of the cases that are made, or patterns of them, while a backend grows; by default all. */
  readonly only?: readonly string[];
  /** The limits of the backend; by default the limits that it declares. */
  readonly capabilities?: Capabilities;
  /** Leaves out the comparisons with the binary backend: known results and laws only, as for the binary backend itself. */
  readonly knownOnly?: boolean;
}

const GROUPS: Readonly<Record<string, () => Check[]>> = {
  known: knownChecks,
  members: memberChecks,
  movement: movementChecks,
  sizes: sizeChecks,
  folds: foldChecks,
  products: productChecks,
  layouts: layoutChecks,
  programs: fusedChecks,
  "as binary": comparisons,
};

const named = (group: string): Check[] =>
  GROUPS[group]!().map((check) => ({ ...check, name: `${group}: ${check.name}` }));

/** The suite is the same for every backend. */
let made: readonly Check[] | null = null;
const checks = (): readonly Check[] => (made ??= Object.keys(GROUPS).flatMap(named));

/** What checks are about, found once. */
const traits = new WeakMap<Check, Traits>();

function traitsFor(check: Check): Traits {
  let known = traits.get(check);
  if (!known) traits.set(check, (known = traitsOf(check)));
  return known;
}

/** Whether a name is that of a pattern. */
function matcher(pattern: string): (name: string) => boolean {
  const text = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const whole = new RegExp(`^${text.join(".*")}$`);
  return (name) => whole.test(name);
}

/** Whether a name is that of one of some patterns; every name where there are none. */
function selection(patterns: readonly string[] | undefined): (name: string) => boolean {
  const rules = patterns?.map(matcher);
  return (name) => rules?.some((matches) => matches(name)) ?? true;
}

/** The reason that excludes a name, from a record that is checked first. */
function exclusions(
  exclude: Readonly<Record<string, string>>,
  names: readonly string[],
): (name: string) => string | undefined {
  const rules = Object.entries(exclude).map(([pattern, reason]) => {
    const matches = matcher(pattern);
    if (typeof reason !== "string" || reason.trim().length < 8) {
      throw new Nx.ArgumentError(
        `conformance: exclude ${JSON.stringify(pattern)} needs its reason in words, got: ${JSON.stringify(reason)}`,
      );
    }
    if (!names.some(matches)) {
      throw new Nx.ArgumentError(
        `conformance: exclude ${JSON.stringify(pattern)} is the name of no case; remove it, or write * for what may differ`,
      );
    }
    return { matches, reason };
  });
  return (name) => rules.find(({ matches }) => matches(name))?.reason;
}

/** The first need of a check that a backend does not meet. */
function missing({ needs = [], nest, reads }: Check, backend: Backend, capabilities: Capabilities): string | undefined {
  const lacking = needs.find((member) => backend[member] === undefined);
  if (lacking !== undefined) return `the backend has no ${lacking}`;
  if (nest !== undefined && capabilities.nests?.includes(nest) === false)
    return `nests of the kind ${nest} are not run`;
  return reads === "synchronous" && isLate(backend, capabilities) ? "elements are read asynchronously" : undefined;
}

/** Says what differs, or nothing. */
function judge(check: Check, { backend, capabilities }: Subject, claim: Claim, bytes: Uint8Array): void {
  const { expected } = claim;
  const isBounded = capabilities.types?.[expected.type] === "bounded";
  const bound = isBounded ? boundFor(expected.type, traitsFor(check), capabilities) : 0;
  const wrong = difference(bound > 0 ? { ...claim, expected: { ...expected, bound } } : claim, bytes, capabilities);
  if (wrong !== null) throw new ConformanceError(`${check.name} (${backend.name}): ${wrong}`);
}

function runCheck(check: Check, subject: Subject): void {
  for (const claim of check.run(subject)) judge(check, subject, claim, downloaded(claim.tensor));
}

/** The same where elements come later. */
async function runReading(check: Check, subject: Subject): Promise<void> {
  for (const claim of check.run(subject)) judge(check, subject, claim, await subject.backend.read!(claim.tensor));
}

/** Whether elements of a backend come later only. */
const isLate = (backend: Backend, { reads }: Capabilities): boolean =>
  reads === "asynchronous" || backend.download === undefined;

/**
 * The conformance suite for a backend: known results for every primitive and op; results worked out in plain arithmetic at the
 * sizes where vectors, blocks, threads and memory of their own begin; what its members promise; and comparisons bit for bit with the
 * binary backend over all types, awkward values, layouts and broadcasts. Every computation is asked twice, operands have to stay
 * what they were, and results to live on their own.
 *
 * @param backend - the backend to check
 * @param options - `exclude`: cases left out, with their reasons; `only`: the cases to make; `capabilities`: what the backend cannot do, by default what it says
 * itself; `knownOnly`: no comparisons with the binary backend
 * @returns the cases; register each with a test runner, those with a reason to `skip` as skipped
 * @throws ArgumentError where `exclude` has a pattern that no case matches, or no reason
 * @example
 * ```ts
 * import { conformance } from "nx-numerics/testing";
 * const cases = conformance(Nx.binaryBackend, { exclude: { "known: sin": "an example of a reason in words" } });
 * cases.length > 1000;
 * // => true
 * cases.find(({ name }) => name === "known: sin")?.skip;
 * // => 'an example of a reason in words'
 * conformance(Nx.binaryBackend, { only: ["known: si*"] }).map(({ name }) => name);
 * // => ["known: sigmoid", "known: sign", "known: silu", "known: sin", "known: sinh"]
 * conformance(Nx.binaryBackend, { exclude: { "known: sine": "no such case" } });
 * // throws ArgumentError: conformance: exclude "known: sine" is the name of no case
 * ```
 */
export function conformance(backend: Backend, options: ConformanceOptions = {}): ConformanceCase[] {
  const { exclude = {}, capabilities = backend.capabilities ?? {}, knownOnly = backend === Nx.binaryBackend } = options;
  const subject = new Subject(backend, capabilities, knownOnly ? "known" : "binary");
  const all = checks();
  const excluded = exclusions(exclude, all.map(({ name }) => name)); // prettier-ignore
  const chosen = selection(options.only);
  const limited = isLimited(capabilities);
  const late = isLate(backend, capabilities);
  return all
    .filter(({ name }) => chosen(name))
    .map((check) => {
      const { name } = check;
      const skip =
        excluded(name) ??
        missing(check, backend, capabilities) ??
        (limited ? outside(traitsFor(check), capabilities) : undefined);
      if (skip !== undefined) return { name, skip, run: () => undefined };
      const run = late || check.reads === "asynchronous" ? runReading : runCheck;
      return { name, run: () => run(check, subject) };
    });
}

/**
 * How many cases are asked, and how many are not for which reason, as text to print.
 *
 * @param cases - what {@link conformance} gave
 * @example
 * ```ts
 * import { summary } from "nx-numerics/testing";
 * const run = () => undefined;
 * summary([{ name: "a", run }, { name: "b", run, skip: "f64 is not supported" }]);
 * // => '2 cases, 1 skipped: 1 because f64 is not supported'
 * ```
 */
export function summary(cases: readonly ConformanceCase[]): string {
  const reasons = new Map<string, number>();
  for (const { skip } of cases) if (skip !== undefined) reasons.set(skip, (reasons.get(skip) ?? 0) + 1);
  const skipped = [...reasons.values()].reduce((sum, count) => sum + count, 0);
  const list = [...reasons].map(([reason, count]) => `${count} because ${reason}`).join("; ");
  return `${cases.length} cases, ${skipped} skipped${list === "" ? "" : `: ${list}`}`;
}
