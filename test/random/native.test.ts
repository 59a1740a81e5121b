/** The native blocks of the binary backend give the bits of the composites that define them. */
import * as Nx from "nx-numerics";
import { elementsOf } from "../../lib/backends/arrays/storage";
import { describe, expect, it } from "vitest";
import type { Template } from "../../lib/backend";
import { nativeBlock } from "../../lib/backends/binary/native";
import { unitOf } from "../../lib/random/floats";
import { offsetsOf } from "../../lib/random/integers";
import { foldsOf } from "../../lib/random/keys";
import { wordsOf } from "../../lib/random/threefry";
import { FLOAT_TYPES, KEYS, keyOf } from "./oracle";

const SIZES = [1, 2, 3, 1000, 1023];

/** Elements of the native block as the numbers its array holds. */
function native(name: string, type: Nx.DType, count: number, key: Nx.Tensor, options: object = {}): number[] | null {
  const out: Template = { type, shape: [count], names: [null] };
  const elements = nativeBlock(name)!(out, [key], options as Record<string, unknown>, undefined as never);
  return elements && Array.from(elements);
}

/** The same of a tensor. */
function composite(t: Nx.Tensor): number[] {
  return Array.from(elementsOf(t));
}

describe.each(KEYS)("blocks of the key $key", (oracle) => {
  const key = keyOf(oracle);

  it.each(SIZES)("%i words", (count) => {
    expect(native("threefry2x32", "u32", count, key)).toEqual(composite(wordsOf(key, count)));
  });

  it.each(["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"] as const)(
    "keys folded with numbers of type %s",
    (type) => {
      const [least, most] = [Nx.Type.min(type), Nx.Type.max(type)].map(BigInt);
      const data = Nx.tensor([[0n, 1n, 99n], [least!, most!, 100n]], { type }); // prettier-ignore
      const out: Template = { type: "u32", shape: [2, 3, 2], names: [null, null, null] };
      const elements = nativeBlock("threefryFolds")!(out, [key, data], {}, undefined as never);
      expect(Array.from(elements!)).toEqual(composite(foldsOf(key, data)));
    },
  );

  it.each(FLOAT_TYPES)("floats of type %s", (type) => {
    for (const count of SIZES) {
      expect(native("threefryFloats", type, count, key)).toEqual(composite(unitOf(key, type, [count])));
    }
  });

  it.each(["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"] as const)("integers of type %s", (type) => {
    const largest = 2n ** 21n;
    const sizes = [1n, 2n, 3n, 10n, 127n, 128n, 255n, 1000n, 65_537n, largest - 1n, largest];
    for (const size of sizes.filter((n) => n < 2n ** BigInt(Nx.byteSize(Nx.tensor(0, { type })) * 8))) {
      const wanted = composite(offsetsOf(key, size, type, [301]));
      expect(native("threefryIntegers", type, 301, key, { size }), `${size}`).toEqual(wanted);
    }
  });
});

it("leaves large ranges to the composite", () => {
  expect(native("threefryIntegers", "s64", 3, keyOf(KEYS[0]!), { size: 2n ** 21n + 1n })).toBe(null);
});
