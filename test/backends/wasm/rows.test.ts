/**
 * Kernels that read operands where they lie, in rows forwards, backwards and of every second element: the bits are those of the binary
 * backend, for all types, rows of whole steps and others, several planes, and any number of threads.
 */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import type { Backend, DType, Tensor } from "nx-numerics";
import { binaryBackend } from "../../../lib/backends/binary";
import { tune } from "../../../lib/backends/tuning";
import { wasmBackend } from "../../../lib/backends/wasm";
import * as placement from "../../../lib/backends/wasm/placement";
import { DTYPES } from "../../../lib/core/types";
import { awkward, differences } from "../../defn/fuse/support";

type Layout = readonly [name: string, stored: readonly number[], view: (x: Tensor) => Tensor];

const LAYOUTS: readonly Layout[] = [
  ["reversed", [20_001], (x) => x.reverse()],
  ["every second element", [40_003], (x) => x.slice([1], [40_001], { strides: 2 })],
  ["columns from 1", [300, 65], (x) => x.slice([0, 1], [300, 64])],
  ["rows that are no whole steps", [400, 55], (x) => x.slice([0, 3], [400, 50])],
  ["every second column", [300, 131], (x) => x.slice([0, 1], [300, 129], { strides: [1, 2] })],
  ["rows reversed", [301, 64], (x) => x.reverse({ axes: [0] })],
  ["columns reversed", [401, 49], (x) => x.reverse({ axes: [1] })],
  ["every third row", [900, 64], (x) => x.slice([0, 0], [900, 64], { strides: [3, 1] })],
  ["planes that are exchanged", [12, 5, 9, 40], (x) => x.transpose({ axes: [0, 2, 1, 3] })],
  ["planes of planes", [6, 7, 8, 9, 32], (x) => x.transpose({ axes: [3, 1, 2, 0, 4] })],
  ["a row again and again", [20_000], (x) => x.broadcast([3, 20_000])],
];

const copies = vi.spyOn(placement, "bringCalls");

beforeEach(() => void copies.mockClear());
afterAll(() => tune({ threads: null }));

const run = (backend: Backend, [, stored, view]: Layout, type: DType): Tensor => {
  const work = Nx.defn((x: Tensor, y: Tensor, z: Tensor): Tensor => view(x).add(y).subtract(z).abs());
  const x = awkward(backend, type, stored, 1);
  const y = awkward(backend, type, view(x).shape, 2);
  return work(x, y, awkward(backend, type, [], 3)) as Tensor;
};

describe.each(LAYOUTS)("operands of which one is %s", (...layout) => {
  it.each(DTYPES)("are read as by the binary backend: %s", (type) => {
    const expected = run(binaryBackend, layout, type);
    for (const threads of [1, 2]) {
      tune({ threads });
      expect(differences([run(wasmBackend, layout, type)], [expected])).toBeNull();
    }
    expect(copies).not.toHaveBeenCalled();
  });
});

describe("a large operand", () => {
  it.each<Layout>([
    ["reversed", [600_003], (x) => x.reverse()],
    ["with its rows reversed", [700, 800], (x) => x.reverse({ axes: [0] })],
    ["with its planes exchanged", [40, 20, 30, 32], (x) => x.transpose({ axes: [1, 0, 2, 3] })],
  ])("is shared by threads: %s", (...layout) => {
    const expected = run(binaryBackend, layout, "f32");
    for (const threads of [1, 2, 3]) {
      tune({ threads });
      expect(differences([run(wasmBackend, layout, "f32")], [expected])).toBeNull();
    }
  });
});

describe("a result over an operand that nobody reads any more", () => {
  it("is not written by rows that end within a step: what is put behind them is not read yet", () => {
    const shape = [401, 49];
    const work = (x: Tensor, y: Tensor): Tensor => y.reverse({ axes: [1] }).subtract(x);
    const operands = (backend: Backend) =>
      [1, 2].map((seed) => awkward(backend, "f32", shape, seed).negate()) as [Tensor, Tensor];
    const expected = Nx.defn(work)(...operands(binaryBackend));
    tune({ threads: 1 });
    const [x, y] = operands(wasmBackend);
    expect(differences([Nx.defn(work, { donate: [0] })(x, y)], [expected])).toBeNull();
    expect(() => x.toBinary()).toThrow(Nx.NxError);
  });
});
