/** Tiles of products: sums of all rows, for each number of them, and nothing written beside the result, in tiles of any height. */
import { describe, expect, it } from "vitest";
import { assemble, LANES, local, type Lanes } from "../../../lib/backends/wasm/asm";
import { region, tileColumns, tileRows } from "../../../lib/backends/wasm/matmul/tile";

/** Lanes with tiles of so many rows as unrounded products have, on hosts that round them, too. */
const tall = (lanes: Lanes): Lanes => ({
  ...lanes,
  mulAdd() {
    const sum = local.fresh(lanes.held);
    local.set(sum);
    lanes.mul();
    local.get(sum);
    lanes.add();
  },
});

const KINDS = [
  ["f32", LANES.f32],
  ["f64", LANES.f64],
  ["s32", LANES.s32],
  ["tall f32", tall(LANES.f32)],
  ["tall f64", tall(LANES.f64)],
] as const;

const MEMORY = { module: "env", name: "memory", minimum: 1, maximum: 1, shared: false };
const [LEFT, RIGHT, RESULT] = [0, 16_384, 32_768];
const K = 5;
const VIEWS = { f32: Float32Array, f64: Float64Array, s32: Int32Array } as const;

describe.each(KINDS)("tiles of %s", (_name, lanes) => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
  const bytes = assemble({ memory: MEMORY, exports: { region: region("steps", lanes) } }) as Uint8Array<ArrayBuffer>;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  const run = exports.region as (...args: number[]) => void;
  const all = new VIEWS[lanes.type as keyof typeof VIEWS](memory.buffer);

  it("write all sums, and nothing else", () => {
    const { size } = lanes;
    const [most, wide] = [tileRows(lanes), tileColumns(lanes)];
    for (let rows = 1; rows <= 3 * most + 1; rows++) {
      for (const columns of [1, wide - 1, wide, wide + 1, 2 * wide + 1]) {
        all.fill(-7);
        const [left, right] = [LEFT / size, RIGHT / size];
        for (let i = 0; i < (rows + most) * K; i++) all[left + i] = (i % 11) - 3;
        for (let i = 0; i < K * columns; i++) all[right + i] = (i % 7) - 2;
        const expected = all.slice();
        for (let i = 0; i < rows; i++) {
          for (let j = 0; j < columns; j++) {
            let sum = 0;
            for (let k = 0; k < K; k++) sum += all[left + i * K + k]! * all[right + k * columns + j]!;
            expected[RESULT / size + i * columns + j] = sum;
          }
        }
        const step = columns * size;
        run(LEFT, K * size, size, RIGHT, step, size, RESULT, step, rows, columns, K, K);
        expect(all, `${rows} x ${columns}`).toEqual(expected);
      }
    }
  });
});
