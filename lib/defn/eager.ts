/**
 * Composites called eagerly, as compiled functions. A signature is compiled when it comes a second time, one of small tensors when it has come as
 * often as its composite says, so that calls whose shapes never come again are not traced; what cannot be traced, and what fails, runs as its passes,
 * whose errors are those that users see.
 */
import type { Backend } from "../backend";
import { mapContainer } from "../container";
import { Complex } from "../core/complex";
import { makerEntry } from "../core/entry";
import { NxError } from "../core/errors";
import type { PlainNumber } from "../core/number-class";
import { isPlainObject } from "../core/options";
import { currentPromotion, isStrict } from "../core/promotion-scope";
import { compileComposites, isWorth, type Passes, type Program } from "../nx/composite";
import { Tensor } from "../tensor";
import { SignatureCache } from "./cache";
import { compiled, runCompiled } from "./defn";
import { isPlainNumber } from "./numbers";
import { readSettings } from "./options";
import { givenTo } from "./scope";
import { flattenCall, sameSignature, signatureOf, type Call, type Signature } from "./signature";

/** The entry of a maker of compiled functions. A program that has one has the compiler: from now on its composites are compiled. */
export function compilerEntry<F extends (...args: never[]) => unknown>(name: string, fn: F): F {
  compileComposites(programOf);
  return makerEntry(name, fn);
}

/** Signatures of each composite that are kept to be recognised when they come again. */
const MET = 32;
/**
 * Signatures of each composite that may be compiled before any comes again, and what of one is earned by a call that was compiled and
 * by one that was not. Programs whose options are others all the time would compile without end: `leakyRelu` of 20,000 elements, three
 * times with each of many slopes, took 5 to 12 times as long as its passes.
 */
const TRIES = 16;
const EARNED = 1 / 4;
const EARNED_BY_PASSES = 1 / 64;

function programOf(passes: Passes, from: number): Program {
  const owner = givenTo(`Nx.${passes.name}`, passes);
  const settings = { ...readSettings(owner, undefined), mayBeLate: false };
  const cache = new SignatureCache();
  const met: Met[] = [];
  let tries = TRIES;
  const fn = (...args: unknown[]): unknown => passes(...args.map(asGiven));
  return (args) => {
    if (settings.compiler() !== "optimizing" || !isPlain(args)) return undefined;
    const call = flattenCall(args.map(fixed), settings);
    const known = cache.find(call, "optimizing", settings.promotion());
    const again = () => compiled(fn, settings, call);
    tries = Math.min(TRIES, tries + (known ? EARNED : EARNED_BY_PASSES));
    try {
      if (known) return runCompiled(known, call, again, false);
      if (timesMet(met, call) < (args.some(isWorth) ? 2 : from) || tries < 1) return undefined;
      tries--;
      return runCompiled(cache.add(again(), settings.maxCacheEntries()), call, again, false);
    } catch (error) {
      if (error instanceof NxError) return undefined;
      throw error;
    }
  };
}

/** How deep the arguments of composites are nested: options, and lists in them. Deeper ones are wrong, or hold themselves. */
const DEEPEST = 4;

/** Whether the arguments are tensors of one backend, plain values, and plain objects and arrays of these. */
function isPlain(args: readonly unknown[]): boolean {
  // what is computed unchecked under strict promotion would be kept for calls that are checked
  if (currentPromotion() === "strict" && !isStrict()) return false;
  let backend: Backend | null = null;
  const isPart = (value: unknown, depth: number): boolean => {
    if (value instanceof Tensor) return value.backend === (backend ??= value.backend);
    const parts = Array.isArray(value) ? value : isPlainObject(value) ? Object.values(value) : null;
    if (parts) return depth < DEEPEST && parts.every((part) => isPart(part, depth + 1));
    return value instanceof Complex || (typeof value !== "object" && typeof value !== "function") || value === null;
  };
  return args.every((arg) => isPart(arg, 0)) && (backend as Backend | null)?.compositesFrom !== undefined;
}

/** A signature that has come, and how often of late. */
interface Met {
  readonly signature: Signature;
  times: number;
}

function timesMet(met: Met[], call: Call): number {
  const known = met.find(({ signature }) => sameSignature(signature, call));
  if (known) return ++known.times;
  met.unshift({ signature: signatureOf(call), times: 1 });
  if (met.length > MET) met.pop();
  return 1;
}

/** A number in options or in a list decides what is computed: it is part of the signature, where an operand would be a parameter. */
class Fixed {
  constructor(readonly number: PlainNumber) {}

  equals(other: unknown): boolean {
    return other instanceof Fixed && isSame(this.number, other.number);
  }

  hashCode(): number {
    return 0;
  }
}

const isSame = (a: PlainNumber, b: PlainNumber): boolean =>
  a instanceof Complex && b instanceof Complex ? Object.is(a.re, b.re) && Object.is(a.im, b.im) : Object.is(a, b);

const isList = (arg: unknown): boolean => Array.isArray(arg) || isPlainObject(arg);

const fixed = (arg: unknown): unknown =>
  isList(arg) ? mapContainer(arg, (leaf) => (isPlainNumber(leaf) ? new Fixed(leaf) : leaf)) : arg;

const asGiven = (arg: unknown): unknown =>
  isList(arg) ? mapContainer(arg, (leaf) => (leaf instanceof Fixed ? leaf.number : leaf)) : arg;
