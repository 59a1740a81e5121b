/** Draws of pseudo-random numbers by kernels: the bits of the loops of the binary backend, for whole blocks of counters, others, and any number of threads. */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import type { Backend, DType, Tensor } from "nx-numerics";
import type { Template } from "../../../lib/backend";
import { elementsIn, type ArrayData } from "../../../lib/backends/arrays/storage";
import { binaryBackend } from "../../../lib/backends/binary";
import { drawOf } from "../../../lib/backends/binary/native";
import { tune } from "../../../lib/backends/tuning";
import { wasmBackend } from "../../../lib/backends/wasm";
import { DRAWN_AGAIN_FROM, drawnAtOnce } from "../../../lib/backends/wasm/schedule/element-wise";
import * as threads from "../../../lib/backends/wasm/threads";
import { bitsOf } from "../../../lib/core/types";
import { offsetsOf } from "../../../lib/random/integers";
import * as s from "../binary/support";

const KEYS = [
  [0, 0],
  [1, 2],
  [0xffffffff, 0x80000001],
].map((words) => s.fromNumbers("u32", [2], words));

const INTEGERS = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"] as const;

const BLOCKS: readonly (readonly [name: string, type: DType, options: { size?: bigint }])[] = [
  ["threefry2x32", "u32", {}],
  ...(["f32", "f64", "f16", "bf16"] as const).map((type) => ["threefryFloats", type, {}] as const),
  ...INTEGERS.flatMap((type) =>
    [1n, 3n, 100n, 128n, 255n, 1000n, 65_535n, 2n ** 21n - 1n, 2n ** 21n, 10n ** 9n, 2n ** 31n + 1n, 2n ** 63n - 25n]
      .filter((size) => size < 2n ** BigInt(bitsOf(type)))
      .map((size) => ["threefryIntegers", type, { size }] as const),
  ),
];

const never = (): never => {
  throw new Error("the composite runs");
};

function bytesOf(backend: Backend, name: string, out: Template, key: Tensor, options: { size?: bigint }): Uint8Array {
  const composite = (k: Tensor): Tensor =>
    Nx.withDefaultBackend("binary", () => offsetsOf(k, options.size!, out.type, out.shape));
  const fn = backend === binaryBackend ? (composite as (...inputs: Tensor[]) => Tensor) : never;
  const data = backend.block(out, [key], { name, options, fn }) as ArrayData;
  const { buffer, byteOffset, byteLength } = elementsIn(data);
  return new Uint8Array(buffer, byteOffset, byteLength).slice();
}

/** Results that begin with so many counters, and one less where two of a counter are drawn. */
function countsOf(name: string, type: DType, options: { size?: bigint }): number[] {
  const out: Template = { type, shape: [1], names: [null] };
  const { words } = drawOf(out, KEYS[0], { name, options })!;
  const span = drawnAtOnce(1e6);
  const spaces = [DRAWN_AGAIN_FROM, DRAWN_AGAIN_FROM + 1, span - 1, span, span + 21, 2 * span, 3 * span + 1000];
  return spaces.flatMap((each) => (words === 1 ? [2 * each, 2 * each - 1] : [each]));
}

describe.each([1, 2])("%d threads", (count) => {
  beforeEach(() => tune({ threads: count }));
  afterAll(() => tune({ threads: null }));

  it.each(BLOCKS)("%s of type %s, %o", (name, type, options) => {
    for (const size of countsOf(name, type, options)) {
      for (const key of KEYS) {
        const out: Template = { type, shape: [size], names: [null] };
        const [own, plain] = [wasmBackend, binaryBackend].map((each) => bytesOf(each, name, out, key, options));
        expect(Buffer.compare(own!, plain!), `${size}`).toBe(0);
      }
    }
  });
});

it("more than a block of counters is drawn by kernels, which threads share", () => {
  const calls = vi.spyOn(threads, "runCalls");
  for (const [size, jobs] of [
    [DRAWN_AGAIN_FROM - 1, []],
    [DRAWN_AGAIN_FROM, [0]],
    [DRAWN_AGAIN_FROM + 1, [1]],
    [2 * drawnAtOnce(1e6), [1]],
    [3 * drawnAtOnce(1e6), [2]],
  ] as const) {
    calls.mockClear();
    bytesOf(wasmBackend, "threefryFloats", { type: "f64", shape: [size], names: [null] }, KEYS[0]!, {});
    const shared = calls.mock.calls.filter(([, , , isShared = true]) => isShared);
    expect(shared.map(([, , list]) => list.length)).toEqual(jobs);
  }
  calls.mockRestore();
});

it("draws in scratch memory where the arena has no room", () => {
  tune({ arenaBytes: 0 });
  const out: Template = { type: "f32", shape: [50_001], names: [null] };
  const [own, plain] = [wasmBackend, binaryBackend].map((each) => bytesOf(each, "threefryFloats", out, KEYS[1]!, {}));
  expect(Buffer.compare(own!, plain!)).toBe(0);
  tune({ arenaBytes: null });
});
