/** Where two tensors differ, and their text for the diffs of test runners: large ones around the first element that differs. */
import * as Nx from "nx-numerics";
import { Tensor } from "nx-numerics";
import { place, sameBytes } from "./judge";
import { bytesOf, decode, distance, isInteger, isSame, sizeOf } from "./values";

/** How a tensor differs from the one that was expected. */
interface Difference {
  /** A sentence without a full stop. */
  readonly text: string;
  /** The first element that differs, by its row-major position; null where types, shapes or names do. */
  readonly first: number | null;
  /** How many elements differ. */
  readonly count: number;
}

/** Elements that stand before and after the first that differs. */
const WINDOW = { before: 2, after: 6 };

const header = ({ type, shape, names }: Tensor): string =>
  `${type}${shape.map((size, axis) => `[${names[axis] == null ? "" : `${names[axis]}: `}${size}]`).join("")}`;

const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

/** The text of an element, as printed tensors have it. */
function elementText({ type }: Tensor, bytes: Uint8Array, at: number): string {
  const width = bytesOf(type);
  const one = Nx.fromBinary(bytes.slice(at * width, (at + 1) * width), type, { backend: "binary" });
  return String(Nx.reshape(one, [])).split("\n")[2]!.trim();
}

const isTemplate = ({ backend }: Tensor): boolean => backend.name === "template";

/** How `actual` differs from `expected`; null where both are the same. NaN equals NaN, and 0 and -0 differ. */
export function differenceOf(actual: Tensor, expected: Tensor): Difference | null {
  const { type, shape, names } = expected;
  if (actual.type !== type || !sameList(actual.shape, shape) || !sameList(actual.names, names)) {
    return { text: `the tensor is ${header(actual)}, expected ${header(expected)}`, first: null, count: 0 };
  }
  if (isTemplate(actual) || isTemplate(expected)) {
    if (isTemplate(actual) && isTemplate(expected)) return null;
    const which = isTemplate(actual) ? "received" : "expected";
    return { text: `the tensor that was ${which} is a template, which has no elements`, first: null, count: 0 };
  }
  const [x, y] = [Nx.toBinary(actual), Nx.toBinary(expected)];
  if (sameBytes(x, y)) return null;
  const [a, b] = [decode(type, x), decode(type, y)];
  const wrong = a.flatMap((value, i) => (isSame(value, b[i]!) ? [] : [i]));
  const first = wrong[0];
  if (first === undefined) return null;
  const apart = distance(type, a[first]!, b[first]!);
  const text =
    `${place(first, shape, names)} is ${elementText(actual, x, first)}, expected ${elementText(expected, y, first)} ` +
    `(${apart} ${isInteger(type) ? "apart" : "ulp apart"}); ${wrong.length} of ${a.length} elements differ`;
  return { text, first, count: wrong.length };
}

/** The text of a tensor; where the whole would be too long to have the first element that differs, those around it with their indices. */
export function printed(tensor: Tensor, difference: Difference | null): string {
  const whole = String(tensor);
  const { first = null, count = 0 } = difference ?? {};
  if (first === null || !whole.includes("...")) return whole;
  const size = sizeOf(tensor.shape);
  const bytes = Nx.toBinary(tensor);
  const [from, to] = [Math.max(0, first - WINDOW.before), Math.min(size, first + WINDOW.after + 1)];
  const elements = Array.from({ length: to - from }, (_, i) => {
    const text = elementText(tensor, bytes, from + i);
    return `${place(from + i, tensor.shape, tensor.names)}: ${text}`;
  });
  const before = `${from > 0 ? "... " : ""}(${count} of ${size} elements differ)`;
  const lines = [header(tensor), before, ...elements, ...(to < size ? ["..."] : [])];
  return `#Nx.Tensor<\n${lines.map((line) => `  ${line}`).join("\n")}\n>`;
}

/** How tensors came out of the comparison that was the last for each. */
const last = new WeakMap<Tensor, Difference | null>();

/** Notes how tensors came out of a comparison, for diffs that follow. */
export function note(tensors: readonly Tensor[], difference: Difference | null): void {
  for (const tensor of tensors) last.set(tensor, difference);
}

/** The text of a tensor for diffs; it never fails. */
function diffText(tensor: Tensor): string {
  try {
    return printed(tensor, last.get(tensor) ?? null);
  } catch {
    return String(tensor);
  }
}

/**
 * Under what a tensor says which one it is. jest prints clones, with clones of the backend that need not work; all that the clone of a
 * tensor has is this, a function, which is not cloned.
 */
const SELF = Symbol("the tensor itself");

/** A tensor, or the clone of one. */
interface Printed {
  readonly [SELF]: () => Tensor;
}

const PRINTING: PropertyDescriptorMap = {
  // both runners print objects with this mark by their own text; matching would need further members
  $$typeof: { value: Symbol.for("jest.asymmetricMatcher") },
  toAsymmetricMatcher: {
    value(this: Printed) {
      return diffText(this[SELF]());
    },
  },
  // both ask for this, too
  toString: {
    value(this: Printed) {
      return Nx.inspect(this[SELF]());
    },
  },
  [SELF]: {
    get(this: Tensor) {
      return () => this;
    },
  },
  [Symbol.for("@jest/serializableProperties")]: { value: [SELF] },
  // vitest clones plain objects only, and shows others in messages as they say themselves
  [Symbol.toStringTag]: { value: "Tensor" },
  [Symbol.for("chai/inspect")]: {
    value(this: Tensor) {
      return `tensor ${header(this)}`;
    },
  },
};

/** Has test runners print tensors by their text; more than once is once. */
export function printTensors(): void {
  for (const key of Reflect.ownKeys(PRINTING)) {
    Object.defineProperty(Tensor.prototype, key, { ...PRINTING[key as string], configurable: true });
  }
}
