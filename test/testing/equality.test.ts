import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { tensorEquality, tensorSerializer } from "nx-numerics/testing";

expect.addEqualityTesters([tensorEquality]);
expect.addSnapshotSerializer(tensorSerializer);

const on = (backend: "binary" | "wasm", values: number[], names = ["x"]) => Nx.f32(values, { backend, names });

describe("toEqual on tensors", () => {
  it("holds across backends, in containers too", () => {
    expect({ a: [on("binary", [1, NaN])] }).toEqual({ a: [on("wasm", [1, NaN])] });
    expect(on("wasm", [1, 2])).toStrictEqual(on("binary", [1, 2]));
  });

  it("tells apart elements, the sign of zero, types, shapes, names and other values", () => {
    const t = on("binary", [0, 1]);
    const others = [
      on("wasm", [0, 2]),
      on("wasm", [-0, 1]),
      t.asType("f64"),
      t.reshape([1, 2]),
      on("wasm", [0, 1], ["y"]),
      [0, 1],
      null,
    ];
    for (const other of others) {
      expect(t).not.toEqual(other);
      expect(other).not.toEqual(t);
    }
  });

  it("refuses what differs, and snapshots have tensors as they are printed", () => {
    expect(() => expect(on("binary", [1, 2])).toEqual(on("wasm", [1, 3]))).toThrow();
    expect(on("wasm", [1, 2])).toMatchInlineSnapshot(`
      #Nx.Tensor<
        f32[x: 2]
        [1.0, 2.0]
      >
    `);
  });
});
