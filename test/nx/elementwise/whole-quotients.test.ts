import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";

const EDGES = [
  1n,
  2n,
  3n,
  7n,
  1000n,
  2n ** 31n,
  2n ** 32n + 1n,
  2n ** 50n,
  2n ** 51n,
  2n ** 52n,
  2n ** 53n,
  2n ** 62n,
  2n ** 63n - 1n,
];
/** Numbers around the edges, of both signs, and the least one. */
const NUMBERS = [...EDGES.flatMap((x) => [x - 1n, x, -x, 1n - x, -x - 1n]), 5n ** 21n, -(3n ** 32n)];
const divisors = NUMBERS.filter((x) => x !== 0n);
const pairs = NUMBERS.flatMap((x) => divisors.map((y) => [x, y] as const));

const wrapped = (x: bigint): bigint => BigInt.asIntN(64, x);
const down = (x: bigint, y: bigint): bigint => x / y - (x % y !== 0n && x < 0n !== y < 0n ? 1n : 0n);

interface Op {
  readonly ours: (x: Nx.Tensor, y: Nx.Tensor) => Nx.Tensor;
  readonly wanted: (x: bigint, y: bigint) => bigint;
}

/** What numbers of 64 bits give, by integers of any size. */
const OPS: Readonly<Record<"quotient" | "remainder" | "mod" | "floor", Op>> = {
  quotient: { ours: Nx.quotient, wanted: (x, y) => x / y },
  remainder: { ours: Nx.remainder, wanted: (x, y) => x % y },
  mod: { ours: Nx.mod, wanted: (x, y) => x - down(x, y) * y },
  floor: { ours: (x, y) => Nx.divide(x, y, { roundingMode: "floor" }), wanted: down },
};

describe.each(["binary", "wasm"] as const)("integers of 64 bits on %s", (backend) => {
  const s64 = (values: readonly bigint[]): Nx.Tensor => Nx.tensor([...values], { type: "s64", backend });

  it.each(Object.keys(OPS) as (keyof typeof OPS)[])("%s of any two", (name) => {
    const { ours, wanted } = OPS[name];
    const got = Nx.toFlatList(ours(s64(pairs.map(([x]) => x)), s64(pairs.map(([, y]) => y))));
    expect(got.map(BigInt as (x: unknown) => bigint)).toEqual(pairs.map(([x, y]) => wrapped(wanted(x, y))));
  });

  it.each(Object.keys(OPS) as (keyof typeof OPS)[])("%s by one number", (name) => {
    const { ours, wanted } = OPS[name];
    for (const y of [3n, -7n, 10n ** 6n, -(2n ** 51n), 2n ** 51n + 5n, 3n ** 39n]) {
      const got = Nx.toFlatList(ours(s64(NUMBERS), Nx.reshape(s64([y]), [])));
      expect(got.map(BigInt as (x: unknown) => bigint), `${y}`).toEqual(NUMBERS.map((x) => wrapped(wanted(x, y))));
    }
  });
});

describe.each(["binary", "wasm"] as const)("floors of quotients on %s", (backend) => {
  it("of 32 bits and fewer", () => {
    const [x, y] = [
      [-7, 7, -6, 6, 0, -1, 127, -128],
      [2, -2, 3, -3, -5, 5, -1, 7],
    ];
    const wanted = x.map((value, i) => Math.floor(value / y[i]!) + 0);
    for (const type of ["s8", "s16", "s32"] as const) {
      const of = (values: number[]): Nx.Tensor => Nx.tensor(values, { type, backend });
      expect(Nx.toNumbers(OPS.floor.ours(of(x), of(y))), type).toEqual(wanted);
    }
    const least = Nx.tensor([-(2 ** 31), -(2 ** 31)], { type: "s32", backend });
    expect(Nx.toNumbers(OPS.floor.ours(least, Nx.tensor([-1, 3], { type: "s32", backend })))).toEqual([
      -(2 ** 31),
      -715827883,
    ]);
  });
});
