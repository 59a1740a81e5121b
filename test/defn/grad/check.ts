/** Gradients against central differences in f64. */
import { expect } from "vitest";
import * as Nx from "nx-numerics";
import { GRADIENT } from "../../tolerances";

type Fn = (...args: Nx.Tensor[]) => Nx.Tensor;

const MODULUS = 2147483647;

let test: string | undefined;
let state = 1;

/** A start for the numbers of a test, made of its name: they are the same whichever tests run beside it. */
const seedOf = (name: string): number =>
  [...name].reduce((seed, character) => (seed * 31 + character.codePointAt(0)!) % (MODULUS - 1), 0) + 1;

/** Repeatable numbers between low and high. */
export function numbers(count: number, low = -1, high = 1): number[] {
  const { currentTestName } = expect.getState();
  if (currentTestName !== test) {
    test = currentTestName;
    state = seedOf(test ?? "");
  }
  return Array.from({ length: count }, () => {
    state = (state * 48271) % MODULUS;
    return low + ((high - low) * state) / MODULUS;
  });
}

export function randoms(shape: readonly number[], low = -1, high = 1): Nx.Tensor {
  const size = shape.reduce((product, dim) => product * dim, 1);
  return Nx.f64(numbers(size, low, high)).reshape([...shape]);
}

/** A fixed weighting of the elements of a result, so that each counts differently. */
function weighted(t: Nx.Tensor): Nx.Tensor {
  const weights = Nx.add(Nx.cos(Nx.multiply(Nx.iota([...t.shape], { type: "f64" }), 0.7)), 1.5);
  return Nx.sum(Nx.multiply(Nx.asType(t, "f64"), weights));
}

/**
 * The step of differences, relative. What they leave out is h^4 / 30 times the fifth derivative, which for a loop with steep bodies
 * is 1e9 and more; rounding adds some 2e-16 / h. Both are well below `GRADIENT` here, at 1e-3 the former is not.
 */
const STEP = 1e-4;

/** Derivatives of the weighted sum of `fn` by central differences of the fourth order. */
export function differences(fn: Fn, inputs: readonly Nx.Tensor[], which: number): number[] {
  const compiled = Nx.defn((...args: Nx.Tensor[]) => weighted(fn(...args)));
  const base = inputs[which]!.toFlatList() as number[];
  const at = (i: number, by: number): number => {
    const moved = Nx.f64(base.map((x, k) => (k === i ? x + by : x))).reshape([...inputs[which]!.shape]);
    return compiled(...inputs.map((input, k) => (k === which ? moved : input))).toNumber() as number;
  };
  return base.map((x, i) => {
    const h = STEP * Math.max(1, Math.abs(x));
    const near = at(i, h) - at(i, -h);
    const far = at(i, 2 * h) - at(i, -2 * h);
    return (8 * near - far) / (12 * h);
  });
}

/** Far outside of f32, and exact: what a gradient is multiplied by it is the same in all digits, if all of it is in f64. */
const FAR = 2 ** 300;

/** Asserts that the gradients with respect to all inputs are those of central differences, and f64 from end to end. */
export function expectGradients(fn: Fn, ...inputs: Nx.Tensor[]): void {
  const gradients = Nx.Defn.grad((args: Nx.Tensor[]) => weighted(fn(...args)))(inputs);
  const far = Nx.Defn.grad((args: Nx.Tensor[]) => weighted(fn(...args)).multiply(FAR))(inputs);
  inputs.forEach((input, which) => {
    const gradient = gradients[which]!;
    expect(gradient.shape).toEqual(input.shape);
    expect(gradient.type).toBe("f64");
    expect(far[which]!.toFlatList()).toEqual(gradient.multiply(FAR).toFlatList());
    const expected = differences(fn, inputs, which);
    const actual = gradient.toFlatList() as number[];
    const scale = Math.max(1, ...expected.map(Math.abs));
    actual.forEach((value, i) => {
      const error = Math.abs(value - expected[i]!) / scale;
      expect(error, `input ${which}, element ${i}: ${value} against ${expected[i]}`).toBeLessThan(GRADIENT);
    });
  });
}

const parts = (z: Nx.Tensor): Nx.Tensor => Nx.concatenate([Nx.real(z).reshape(["auto"]), Nx.imag(z).reshape(["auto"])]);

/**
 * The same for a function of complex tensors: its real and imaginary parts as functions of those of the inputs. That is
 * free of any convention for complex gradients, and asks of a rule all that the one of the house says.
 */
export function expectComplexGradients(fn: Fn, ...inputs: Nx.Tensor[]): void {
  const apart = inputs.flatMap((z) => [Nx.real(z), Nx.imag(z)]);
  const joined = (...xs: Nx.Tensor[]) => parts(fn(...inputs.map((_, i) => Nx.complex(xs[2 * i]!, xs[2 * i + 1]!))));
  expectGradients(joined, ...apart);
}

export function complexes(shape: readonly number[], low = -1, high = 1): Nx.Tensor {
  return Nx.complex(randoms(shape, low, high), randoms(shape, low, high));
}

/** Asserts that two tensors of one shape are equal but for rounding. */
export function expectClose(actual: Nx.Tensor, expected: Nx.Tensor, rtol = 1e-9): void {
  expect(actual.shape).toEqual(expected.shape);
  const close = Nx.allClose(actual, expected, { rtol, atol: rtol }).toNumber();
  expect(close, `${String(actual)} against ${String(expected)}`).toBe(1);
}
