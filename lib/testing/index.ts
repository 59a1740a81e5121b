/**
 * `nx-numerics/testing`: the conformance suite every backend passes, for any test runner.
 */
import * as Nx from "nx-numerics";
import type { Backend, Tensor } from "nx-numerics";
import { knownCases, type KnownCase } from "./cases";
import { differentialCases, type DifferentialCase } from "./differential";

/** One check: `run` throws a {@link ConformanceError} where the backend differs. */
export interface ConformanceCase {
  readonly name: string;
  readonly run: () => void;
}

/** A backend gave another result than the suite expects. */
export class ConformanceError extends Error {
  override readonly name = "ConformanceError";
}

/**
 * The conformance suite for a backend: known results for every primitive and op, then comparisons bit for bit with the
 * binary backend over all types, awkward values and broadcasts.
 *
 * @param backend - the backend to check
 * @returns the cases; register each with a test runner, for example `for (const c of conformance(b)) it(c.name, c.run)`
 * @example
 * ```ts
 * import { conformance } from "nx-numerics/testing";
 * conformance(Nx.binaryBackend).length > 90;
 * // => true
 * ```
 */
export function conformance(backend: Backend): ConformanceCase[] {
  const known = knownCases().map((test) => ({ name: `known: ${test.name}`, run: () => runKnown(backend, test) }));
  if (backend === Nx.binaryBackend) return known;
  const compared = differentialCases().map((test) => ({
    name: `as binary: ${test.name}`,
    run: () => runDifferential(backend, test),
  }));
  return [...known, ...compared];
}

function runKnown(backend: Backend, { name, compute, type, shape, expected }: KnownCase): void {
  const result = Nx.withDefaultBackend(backend, compute);
  if (result.backend !== backend)
    throw new ConformanceError(`${name} left the backend: it gave a tensor of ${result.backend.name}`);
  const elements = result.toFlatList();
  const same = elements.length === expected.length && elements.every((element, i) => sameElement(element, expected[i]));
  if (same && result.type === type && String(result.shape) === String(shape)) return;
  const wanted = `${type}[${shape.join(", ")}] ${expected.map(String).join(", ")}`;
  throw new ConformanceError(`${name} gave ${String(result)}, expected ${wanted}`);
}

/** Equal values, NaN equal to NaN; the sign of zero is compared by the differential cases. */
function sameElement(actual: unknown, expected: unknown): boolean {
  if (expected instanceof Nx.Complex) return expected.equals(actual);
  return actual === expected || (actual !== actual && expected !== expected);
}

function runDifferential(backend: Backend, { name, inputs, compute }: DifferentialCase): void {
  const operands = Nx.withDefaultBackend("binary", inputs);
  let expected: Tensor;
  try {
    expected = Nx.withDefaultBackend("binary", () => compute(...operands));
  } catch (error) {
    if (error instanceof Nx.NxError) return expectRefusal(backend, name, operands, compute);
    throw error;
  }
  const actual = Nx.withDefaultBackend(backend, () => compute(...Nx.backendCopy(operands, backend)));
  const same = actual.type === expected.type && String(actual.shape) === String(expected.shape);
  if (same && sameElements(actual, expected)) return;
  throw new ConformanceError(`${name}: ${backend.name} gave ${String(actual)}, binary ${String(expected)}`);
}

function expectRefusal(
  backend: Backend,
  name: string,
  operands: readonly Tensor[],
  compute: DifferentialCase["compute"],
): void {
  try {
    Nx.withDefaultBackend(backend, () => compute(...Nx.backendCopy(operands, backend)));
  } catch (error) {
    if (error instanceof Nx.NxError) return;
    throw error;
  }
  throw new ConformanceError(`${name}: binary refuses this with an error, ${backend.name} does not`);
}

/** The same values bit for bit, but for the payload of a NaN, which WebAssembly leaves open. */
function sameElements(actual: Tensor, expected: Tensor): boolean {
  const [a, b] = [parts(actual), parts(expected)];
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

function parts(tensor: Tensor): (number | bigint)[] {
  return tensor.toFlatList().flatMap((value) => (value instanceof Nx.Complex ? [value.re, value.im] : [value]));
}
