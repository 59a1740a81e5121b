/**
 * Kernels that read several arrays as one where these lie: the bits are those of the binary backend, for all types, segments of whole
 * steps, of others and of less than a step, and any number of threads.
 */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import type { Backend, DType, Tensor } from "nx-numerics";
import { binaryBackend } from "../../../lib/backends/binary";
import type { Elements } from "../../../lib/backends/arrays/storage";
import { tune } from "../../../lib/backends/tuning";
import { wasmBackend } from "../../../lib/backends/wasm";
import { arrays } from "../../../lib/backends/wasm/arrays";
import * as segments from "../../../lib/backends/wasm/elements/segments";
import { DTYPES } from "../../../lib/core/types";
import { Builder } from "../../../lib/kernel/builder";
import { joinedAccess, JoinedReader } from "../../../lib/kernel/joined";
import * as operand from "../../../lib/kernel/operand";
import { keyOf } from "../../../lib/kernel/key";
import { awkward, differences } from "../../defn/fuse/support";

type Work = (x: Tensor, y: Tensor) => Tensor;

const roll = (x: Tensor, by: number, axis: number): Tensor => Nx.roll(x, by, { axis });

const WORKS: readonly (readonly [name: string, shape: readonly number[], work: Work])[] = [
  ["rolled along rows", [70, 300], (x, y) => roll(x, 1, 1).subtract(roll(y, -1, 1))],
  ["rolled by more than a step", [70, 301], (x, y) => roll(x, 37, 1).subtract(roll(y, -20, 1))],
  ["rolled across rows", [70, 300], (x, y) => roll(x, 1, 0).subtract(roll(y, -2, 0))],
  [
    "rolled both ways",
    [66, 320],
    (x, y) =>
      roll(x, 1, 0)
        .add(roll(x, -1, 1))
        .subtract(roll(y, 3, 1))
        .add(x),
  ],
  [
    "rolled along all axes",
    [5, 33, 128],
    (x, y) =>
      roll(x, 1, 0)
        .add(roll(x, -1, 1))
        .subtract(roll(y, 3, 2))
        .add(y),
  ],
  ["rolled as one line", [21_003], (x, y) => roll(x, 7, 0).subtract(y)],
  ["beside a row", [70, 300], (x, y) => roll(x, 1, 1).subtract(y.slice([3, 0], [1, 300]))],
  ["beside small parts", [70, 300], (x, y) => Nx.concatenate([x.slice([0, 0], [1, 300]), y], { axis: 0 }).abs()],
  ["beside columns", [140, 400], (x, y) => Nx.concatenate([x.slice([0, 5], [140, 205]), y], { axis: 1 }).abs()],
];

const done = vi.spyOn(segments, "runBySegments");

/** Whether kernels were run by segments, of all that could be. */
const outcomes = (): boolean[] => done.mock.results.map(({ value }) => value as boolean);

beforeEach(() => {
  done.mockClear();
  tune({ compiledFrom: 0, arenaBytes: 2 ** 30 }); // operands lie in the memory of kernels, whatever other tests keep there
});
afterAll(() => tune({ threads: null, compiledFrom: null, arenaBytes: null }));

/** As many as there are, and more. */
const THREADS = [1, 3];

const run = (backend: Backend, shape: readonly number[], work: Work, type: DType): Tensor => {
  return work(awkward(backend, type, shape, 1), awkward(backend, type, shape, 2)).add(awkward(backend, type, [], 3));
};

describe.each(WORKS)("operands %s", (_, shape, work) => {
  it.each(DTYPES)("are read as by the binary backend: %s", (type) => {
    const expected = run(binaryBackend, shape, work, type);
    for (const threads of THREADS) {
      tune({ threads });
      expect(differences([run(wasmBackend, shape, work, type)], [expected])).toBeNull();
    }
    expect(outcomes()).toEqual(THREADS.map(() => true));
  });
});

describe("a large operand", () => {
  it.each(["f32", "s8", "f16"] as const)("is shared by threads: %s", (type) => {
    const work: Work = (x, y) =>
      roll(x, 1, 0)
        .add(roll(x, -1, 1))
        .subtract(roll(y, 3, 1))
        .add(x);
    const expected = run(binaryBackend, [701, 833], work, type);
    for (const threads of THREADS) {
      tune({ threads });
      expect(differences([run(wasmBackend, [701, 833], work, type)], [expected])).toBeNull();
    }
    expect(outcomes()).toEqual(THREADS.map(() => true));
  });
});

describe("operands that are copied", () => {
  it("have short rows, or begin anew too often", () => {
    const short: Work = (x, y) => roll(x, 1, 1).subtract(y);
    const often: Work = (x, y) => roll(x, 1, 1).subtract(roll(y, 1, 2));
    for (const [shape, work] of [
      [[3000, 20], short],
      [[300, 3, 128], often],
    ] as const) {
      const expected = run(binaryBackend, shape, work, "f32");
      expect(differences([run(wasmBackend, shape, work, "f32")], [expected])).toBeNull();
      expect(outcomes()).toEqual([false]);
      done.mockClear();
    }
  });
});

describe("an array that nothing is computed of", () => {
  it.each(DTYPES)("is copied by vectors where its parts are a small array again and again: %s", (type) => {
    const rows = vi.spyOn(operand, "copyRun");
    const joined = (backend: Backend): Tensor => {
      const [x, row] = [awkward(backend, type, [300, 301], 1), awkward(backend, type, [1, 301], 2)];
      return Nx.evaluate(Nx.concatenate([x, row.broadcast([300, 301])], { axis: 1 }));
    };
    const made = joined(wasmBackend);
    expect(rows.mock.calls.length).toBe(0); // the calls themselves would take minutes to print
    rows.mockRestore();
    expect(differences([made], [joined(binaryBackend)])).toBeNull();
  });
});

describe("a result over an operand", () => {
  it("is not written by segments: the last step of one is done again", () => {
    const k = new Builder();
    const x = k.load(k.input("f32", false));
    const kernel = k.kernel([{ type: "f32", values: [k.add(x, x)] }]);
    const [own, other] = [1, 2].map(() => arrays.unset("f32", [30_000])) as [Elements, Elements];
    const access = joinedAccess([10_000, 20_000].map((inner) => ({ offset: 0, pitch: 0, inner })), 30_000); // prettier-ignore
    const reader = new JoinedReader([own, own], 1, access);
    expect(segments.runBySegments(kernel, [reader], [own], 30_000, keyOf(kernel))).toBe(false);
    expect(segments.runBySegments(kernel, [reader], [other], 30_000, keyOf(kernel))).toBe(true);
  });
});
