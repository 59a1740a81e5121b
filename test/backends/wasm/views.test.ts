/**
 * Work on large operands that lie in another order than they are read, which threads bring chunk by chunk, or for several chunks together: the bits are
 * those of the binary backend, for one thread and several.
 */
import { afterAll, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Backend, Tensor } from "nx-numerics";
import { binaryBackend } from "../../../lib/backends/binary";
import { wasmBackend } from "../../../lib/backends/wasm";
import { tune } from "../../../lib/backends/tuning";
import { awkward, differences } from "../../defn/fuse/support";

type View = readonly [name: string, stored: readonly number[], view: (x: Tensor) => Tensor];

const VIEWS: readonly View[] = [
  ["transposed", [512, 301], (x) => x.transpose()],
  ["transposed, odd", [299, 301], (x) => x.transpose()],
  ["transposed, long rows", [20_000, 7], (x) => x.transpose()],
  ["every second column", [300, 602], (x) => x.slice([0, 1], [300, 601], { strides: [1, 2] })],
  ["every third row", [903, 301], (x) => x.slice([0, 0], [903, 301], { strides: [3, 1] })],
  ["reversed", [300, 301], (x) => x.reverse()],
  ["rows reversed, in one axis", [300, 301], (x) => x.reverse({ axes: [0] })],
  ["cut off", [300, 305], (x) => x.slice([0, 1], [300, 301])],
  ["axes exchanged", [8, 8, 8, 16, 16], (x) => x.transpose()],
  ["middle axes exchanged", [16, 18, 20, 17], (x) => x.transpose({ axes: [0, 2, 1, 3] })],
  ["a row again and again", [301], (x) => x.broadcast([300, 301])],
  ["more than is brought at a time", [1100, 1101], (x) => x.transpose()],
  ["scattered", [8, 9, 8, 8, 16, 17], (x) => x.transpose()],
];

/** Works on views of more elements than these are but a few of all. */
const LARGE = 500_000;
const FEW = ["a light kernel", "all of it", "lines"];

const WORKS: Readonly<Record<string, (x: Tensor) => Tensor>> = {
  "a light kernel": (x) => x.abs(),
  "a heavy kernel": (x) => x.exp().multiply(x).tanh(),
  "two views": (x) => x.add(x.reverse({ axes: [0] })),
  "all of it": (x) => x.sum(),
  lines: (x) => x.sum({ axes: [x.rank - 1] }),
  columns: (x) => x.max(1).sum({ axes: [0] }),
  softmax: (x) => x.softmax({ axis: x.rank - 1 }),
  places: (x) => x.argmax({ axis: x.rank - 1 }),
  "put together": (x) => Nx.concatenate([x, x.negate()], { axis: x.rank - 1 }),
};

afterAll(() => tune({ threads: null }));

describe.each(VIEWS)("an operand that is %s", (_, shape, view) => {
  const run = (backend: Backend, work: (x: Tensor) => Tensor): Tensor =>
    (Nx.defn((x: Tensor) => work(view(x))) as (x: Tensor) => Tensor)(awkward(backend, "f32", shape, 1));

  const isLarge = shape.reduce((product, dim) => product * dim, 1) > LARGE;
  it.each(Object.entries(WORKS).filter(([name]) => !isLarge || FEW.includes(name)))(
    "is read as by the binary backend: %s",
    (_name, work) => {
      const expected = run(binaryBackend, work);
      for (const threads of [1, 2]) {
        tune({ threads });
        expect(differences([run(wasmBackend, work)], [expected])).toBeNull();
      }
    },
  );
});
