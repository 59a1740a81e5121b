/** What the guides for those who know other libraries write beside each other gives the same numbers. */
import * as Nx from "nx-numerics";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { otherRows } from "../../scripts/others";
import { decode, readOracle, type Coded } from "../oracles/read";
import { thunks } from "./thunks";

interface Numbers {
  readonly shape: readonly number[];
  readonly elements: readonly (Coded | string | readonly [Coded, Coded])[];
}
type Value = Numbers | readonly Value[];

/** A code of another library and ours, what the former was called as, and the numbers it gave, or why it has none. */
interface Row {
  readonly theirs: string;
  readonly ours: string;
  readonly call?: string;
  readonly is?: Value;
  readonly why?: string;
}

/** Files of values by library. */
const LIBRARIES = [
  ["NumPy", "numpy-table.json"],
  ["JAX", "jax-table.json"],
  ["xarray", "xarray-table.json"],
  ["TensorFlow.js", "tfjs-table.json"],
] as const;

/** Calls of the other library that give something else, and what it is. */
const OTHERWISE: Readonly<Record<(typeof LIBRARIES)[number][0], Readonly<Record<string, string>>>> = {
  NumPy: {
    "np.linalg.eig(m)": "eigenvalues come by descending magnitude, and are complex",
    "np.linalg.eigvals(m)": "eigenvalues come by descending magnitude, and are complex",
    "np.linalg.eigh(m)": "eigenvalues come by descending magnitude",
    "np.linalg.eigvalsh(m)": "eigenvalues come by descending magnitude",
    "np.linalg.qr(m)": "columns may have the other sign",
    "np.linalg.svd(m)": "vectors may have the other sign",
    "np.broadcast_arrays(x, a)": "one of the arrays",
    "np.unique_all(x)": "without positions of the first of each",
  },
  JAX: {
    "jax.random.randint(key, (3,), 0, 10)": "Nx's integers; JAX splits the key once more",
    "jax.random.randint(key, (), 0, 10)": "Nx's integers; JAX splits the key once more",
    "jax.random.bits(key, (4,), jnp.uint8)": "Nx's integers; JAX splits the key once more",
    "jax.random.choice(key, x, (2,))": "positions are Nx's integers, and the next key comes with them",
    "jax.random.logistic(key, dtype=jnp.float32)": "of uniform numbers from 2^-23 on, JAX's are from 2^-126 on",
    "jax.random.gamma(key, 2, dtype=jnp.float32)": "accepted and rejected by other bits",
    "jax.random.loggamma(key, 2, dtype=jnp.float32)": "accepted and rejected by other bits",
    "jax.random.chisquare(key, 3, dtype=jnp.float32)": "accepted and rejected by other bits",
    "jax.random.beta(key, 2, 3, dtype=jnp.float32)": "accepted and rejected by other bits",
    "jax.random.dirichlet(key, y, dtype=jnp.float32)": "accepted and rejected by other bits",
    "jax.random.t(key, 3, dtype=jnp.float32)": "accepted and rejected by other bits",
    "jax.random.f(key, 4, 6, dtype=jnp.float32)": "accepted and rejected by other bits",
    "jax.random.poisson(key, 3)": "accepted and rejected by other bits",
    "jax.random.multinomial(key, 10, x)": "counts of draws, where JAX draws the counts",
  },
  xarray: {},
  "TensorFlow.js": {
    "tf.linalg.qr(m)": "columns may have the other sign",
  },
};

/** Tensors and numbers as the files have them; booleans are numbers, and so is everything of which an array can be made. Texts are as they are. */
function numbersOf(value: unknown): Value {
  if (Array.isArray(value) && value.some((item) => item instanceof Nx.Tensor || Array.isArray(item)))
    return value.map(numbersOf);
  if (Array.isArray(value) && typeof value[0] === "string") return { shape: [value.length], elements: value };
  if (typeof value === "string") return { shape: [], elements: [value] };
  if (Object.getPrototypeOf(value) === Object.prototype) return Object.values(value as object).map(numbersOf);
  const t = value instanceof Nx.Tensor ? value : Nx.tensor(value as never);
  const elements = Nx.toList(t.flatten()) as readonly (number | bigint | Nx.Complex)[];
  return { shape: t.shape, elements: elements.map((z) => (z instanceof Nx.Complex ? [z.re, z.im] : Number(z))) };
}

const isNear = (z: number, expected: number): boolean =>
  Object.is(z, expected) || Math.abs(z - expected) <= 1e-6 * Math.max(1e-3, Math.abs(expected));

/** Whether numbers are alike to six digits. */
function isAlike(actual: Value, expected: Value): boolean {
  if ("shape" in actual !== "shape" in expected) return false;
  if (!("shape" in actual)) {
    const others = expected as readonly Value[];
    return actual.length === others.length && actual.every((value, i) => isAlike(value, others[i]!));
  }
  const { shape, elements } = expected as Numbers;
  const [mine, theirs] = [actual.elements.flat(), elements.flat()];
  return (
    actual.shape.join() === shape.join() &&
    mine.length === theirs.length &&
    mine.every((z, i) => (typeof z === "string" ? z === theirs[i] : isNear(z, decode(theirs[i] as Coded))))
  );
}

beforeEach(() => void vi.spyOn(console, "log").mockReturnValue());
afterEach(() => void vi.restoreAllMocks());

describe.each(LIBRARIES)("the tables beside %s", async (library, file) => {
  const rows = readOracle<readonly Row[]>(file);
  const compared = rows.filter(({ is }) => is !== undefined);
  const values = await thunks(compared.map(({ ours }) => ours));

  it.each(compared.map(({ ours, theirs, call = theirs, is }, i) => [ours, call, is!, values[i]!] as const))(
    "%s is %s",
    (_, call, is, value) => {
      expect(isAlike(numbersOf(value()), is)).toBe(!(call in OTHERWISE[library]));
    },
  );

  it("say of nothing else that it differs", () => {
    const calls = new Set(rows.map(({ theirs, call = theirs }) => call));
    expect(Object.keys(OTHERWISE[library]).filter((call) => !calls.has(call))).toEqual([]);
  });

  it("are those that were computed, all but those that say why not", () => {
    const written = otherRows().flatMap((row) => (row.library === library ? row.pairs : []));
    expect(rows.map(({ theirs, ours }) => `${theirs} | ${ours}`)).toEqual(
      written.map(({ theirs, ours }) => `${theirs} | ${ours}`),
    );
    expect(rows.filter(({ is, why }) => is === undefined && why === undefined)).toEqual([]);
  });
});
