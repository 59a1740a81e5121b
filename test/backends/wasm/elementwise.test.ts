/** Large tensors, which the wasm backend computes itself; small ones are the business of the conformance suite. */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { BINARY_OPS, UNARY_OPS } from "nx-numerics/backend";
import type { BinaryOp, DType, Tensor, UnaryOp } from "nx-numerics";
import { binaryBackend } from "../../../lib/backends/binary";
import { wasmBackend } from "../../../lib/backends/wasm";
import { DTYPES } from "../../../lib/core/types";
import { SPECIAL_BINARY, SPECIAL_UNARY } from "../../../lib/ops";
import { awkward, difference } from "../../defn/fuse/support";

const special = new Set<string>([...SPECIAL_UNARY, ...SPECIAL_BINARY]);
const unary = (Object.keys(UNARY_OPS) as UnaryOp[]).filter((op) => !special.has(op));
const binary = (Object.keys(BINARY_OPS) as BinaryOp[]).filter((op) => !special.has(op));

/** The result, or what was said against it. */
function outcome(compute: () => Tensor): Tensor | string {
  try {
    return compute();
  } catch (error) {
    if (error instanceof Nx.NxError) return error.message;
    throw error;
  }
}

/** The backend gives what the binary backend gives, and leaves its operands alone. */
function same(inputs: readonly Tensor[], compute: (...inputs: readonly Tensor[]) => Tensor): void {
  const own = inputs.map((input) => Nx.backendCopy(input, wasmBackend));
  const expected = outcome(() => compute(...inputs));
  const actual = outcome(() => compute(...own));
  if (typeof expected === "string" || typeof actual === "string") return expect(actual).toBe(expected);
  expect(actual.backend).toBe(wasmBackend);
  expect(difference(actual, expected)).toBeNull();
  own.forEach((input, i) => expect(difference(input, inputs[i]!)).toBeNull());
}

const SHAPES: readonly (readonly [readonly number[], readonly number[]])[] = [
  [[700], [700]],
  [[25, 40], [40]],
  [
    [25, 1],
    [1, 40],
  ],
  [[30, 30], []],
  [
    [2, 1, 300],
    [3, 1],
  ],
];

const make = (type: DType, shape: readonly number[], seed: number): Tensor => awkward(binaryBackend, type, shape, seed);

describe("large tensors", () => {
  it.each(unary)("%s is as on the binary backend for every type", (op) => {
    for (const type of DTYPES) {
      same([make(type, [777], 1)], (x) => (Nx[op] as (x: Tensor) => Tensor)(x!));
    }
  });

  it.each(binary)("%s is as on the binary backend for every broadcast", (op) => {
    const fn = Nx[op] as (x: Tensor, y: Tensor) => Tensor;
    for (const type of DTYPES) {
      for (const other of new Set<DType>([type, "f32", "s64", "u8"])) {
        const [left, right] = SHAPES[(DTYPES.indexOf(type) + DTYPES.indexOf(other)) % SHAPES.length]!;
        same([make(type, left, 2), make(other, right, 3)], (x, y) => fn(x!, y!));
        same([make(other, right, 4), make(type, left, 5)], (x, y) => fn(x!, y!));
      }
    }
  });

  it("selections and casts are as on the binary backend", () => {
    for (const type of DTYPES) {
      for (const other of DTYPES) {
        same([make(other, [900], 6)], (x) => x!.asType(type));
        same([make(other, [900], 7)], (x) => Nx.asType(x!, type, { overflow: "wrap" }));
        const [left, right] = SHAPES[DTYPES.indexOf(other) % SHAPES.length]!;
        same([make("u8", right, 8), make(type, left, 9), make(other, right, 10)], (p, x, y) => Nx.select(p!, x!, y!));
      }
    }
  });

  it("of the binary backend are taken over without copying, and mix with own ones", () => {
    const x = make("f32", [600], 1);
    const y = Nx.backendCopy(make("f32", [600], 2), wasmBackend);
    const sum = Nx.add(x, y);
    expect(sum.backend).toBe(wasmBackend);
    expect(difference(sum, Nx.add(x, Nx.backendCopy(y, binaryBackend)))).toBeNull();
    Nx.backendDeallocate(y);
    expect(() => Nx.add(x, y)).toThrow(/deallocated/);
    expect(difference(Nx.add(x, x), x.multiply(2))).toBeNull();
  });
});
