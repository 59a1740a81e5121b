/**
 * Works around the numbers of the pages of thresholds, and other values to try for these.
 */
import type * as Library from "nx-numerics";
import { random } from "../random";

export type Nx = typeof Library;
type Tensor = Library.Tensor;

/** Makes operands, and gives what is timed. */
export type Work = (nx: Nx) => () => Tensor | readonly Tensor[];

export interface Threshold {
  /** The constant of lib/backends/wasm/schedule/. */
  readonly name: string;
  /** Values beside the one that it has. */
  readonly values: readonly number[];
  /** Threads; one unless this says so. */
  readonly threads?: number;
  readonly works: Readonly<Record<string, Work>>;
}

const of = (nx: Nx, shape: readonly number[], type: Library.DType = "f32"): Tensor => {
  const size = shape.reduce((all, length) => all * length, 1);
  const numbers = random(size);
  const scale = /^[us]/.test(type) ? 100 : 1;
  return nx.tensor(numbers.map((x) => x * scale)).reshape([...shape]).asType(type); // prettier-ignore
};

/** A work on operands of these shapes. */
const on =
  (
    shapes: readonly (readonly number[])[],
    work: (nx: Nx, ...operands: Tensor[]) => Tensor | readonly Tensor[],
    type?: Library.DType,
  ): Work =>
  (nx) => {
    const operands = shapes.map((shape) => of(nx, shape, type));
    return () => work(nx, ...operands);
  };

/** The same as a compiled function. */
const compiled =
  (
    shapes: readonly (readonly number[])[],
    work: (nx: Nx, ...operands: Tensor[]) => Tensor,
    type?: Library.DType,
  ): Work =>
  (nx) => {
    const operands = shapes.map((shape) => of(nx, shape, type));
    const run = nx.defn((...given: Tensor[]) => work(nx, ...given)) as (...given: Tensor[]) => Tensor;
    return () => run(...operands);
  };

/** A work for each of the sizes. */
const each = <S>(sizes: readonly S[], nameOf: (size: S) => string, work: (size: S) => Work): Record<string, Work> =>
  Object.fromEntries(sizes.map((size) => [nameOf(size), work(size)]));

const square = (n: number): string => `${n} x ${n}`;
const gelu = (nx: Nx, x: Tensor): Tensor => nx.gelu(x);
const chain = (nx: Nx, x: Tensor): Tensor =>
  nx.add(nx.multiply(nx.tanh(nx.multiply(x, 0.5)), nx.exp(nx.negate(x))), nx.sqrt(nx.abs(x)));
const layerNorm = (nx: Nx, x: Tensor): Tensor => {
  const centred = nx.subtract(x, nx.mean(x, { axes: [-1], keepAxes: true }));
  return nx.multiply(centred, nx.rsqrt(nx.add(nx.mean(nx.square(centred), { axes: [-1], keepAxes: true }), 1e-5)));
};
const conv = (nx: Nx, x: Tensor, filters: Tensor): Tensor => nx.conv(x, filters, { padding: "same" });

export const thresholds: readonly Threshold[] = [
  // element-wise work
  {
    name: "ELEMENTWISE_FROM",
    values: [128, 2048],
    works: {
      ...each(
        [256, 512, 1024],
        (n) => `add of ${n}`,
        (n) => on([[n], [n]], (nx, x, y) => nx.add(x, y)),
      ),
      ...each(
        [256, 512, 1024],
        (n) => `sqrt of ${n}`,
        (n) => on([[n]], (nx, x) => nx.sqrt(x)),
      ),
    },
  },
  {
    name: "KERNEL_GROUPS",
    values: [1, 2, 8],
    works: {
      "exp of 100,000": on([[100_000]], (nx, x) => nx.exp(x)),
      "gelu of 100,000": on([[100_000]], gelu),
      "add of 100,000": on([[100_000], [100_000]], (nx, x, y) => nx.add(x, y)),
      "sin of 100,000": on([[100_000]], (nx, x) => nx.sin(x)),
    },
  },
  {
    name: "KERNEL_VECTORS_MOST",
    values: [14, 56],
    works: {
      "exp of 100,000": on([[100_000]], (nx, x) => nx.exp(x)),
      "gelu of 100,000": on([[100_000]], gelu),
      "tanh of 100,000": on([[100_000]], (nx, x) => nx.tanh(x)),
      "five operations on 100,000": compiled([[100_000]], chain),
    },
  },
  {
    name: "ELEMENTWISE_AT_ONCE",
    values: [0, 4096],
    works: each(
      [512, 1024, 2048],
      (n) => `exp of ${n}`,
      (n) => on([[n]], (nx, x) => nx.exp(x)),
    ),
  },
  {
    name: "STAGED_BYTES",
    values: [8192, 131_072],
    works: {
      "operands of u8 beside f32, transposed, 600 x 600": compiled(
        [
          [600, 600],
          [600, 600],
        ],
        (nx, x, y) => nx.add(nx.multiply(nx.transpose(x), 2), nx.exp(y)),
      ),
      "every third column, 500 x 900": compiled([[500, 900]], (nx, x) =>
        nx.exp(nx.slice(x, [0, 0], [500, 897], { strides: [1, 3] })),
      ),
    },
  },
  {
    name: "TOGETHER_BYTES",
    values: [2 ** 18, 2 ** 20, 2 ** 24],
    works: {
      "transposed + x, 1000 x 1000": compiled(
        [
          [1000, 1000],
          [1000, 1000],
        ],
        (nx, x, y) => nx.add(nx.transpose(x), y),
      ),
      "transposed + x, 3000 x 3000": compiled(
        [
          [3000, 3000],
          [3000, 3000],
        ],
        (nx, x, y) => nx.add(nx.transpose(x), y),
      ),
    },
  },
  {
    name: "SCATTERED_BYTES",
    values: [2 ** 20, 2 ** 22, 2 ** 26],
    works: {
      "transposed + x, 1000 x 1000": compiled(
        [
          [1000, 1000],
          [1000, 1000],
        ],
        (nx, x, y) => nx.add(nx.transpose(x), y),
      ),
      "transposed + x, 3000 x 3000": compiled(
        [
          [3000, 3000],
          [3000, 3000],
        ],
        (nx, x, y) => nx.add(nx.transpose(x), y),
      ),
      "axes reversed + x, 100 x 100 x 100": compiled(
        [
          [100, 100, 100],
          [100, 100, 100],
        ],
        (nx, x, y) => nx.add(nx.transpose(x), y),
      ),
    },
  },
  {
    name: "DRAWN_AGAIN_FROM",
    values: [512, 8192],
    works: each(
      [1000, 2100, 4000],
      (n) => `uniform of ${n}`,
      (n) => (nx) => {
        const key = nx.Random.key(1);
        return () => nx.Random.uniformSplit(key, { shape: [n] });
      },
    ),
  },
  {
    name: "ROW_FROM",
    values: [8, 64, 256],
    works: each(
      [12, 24, 48, 96],
      (n) => `exp of the first ${n} of ${2 * n} columns, 100,000 elements`,
      (n) => {
        const rows = Math.floor(100_000 / n);
        return compiled([[rows, 2 * n]], (nx, x) => nx.exp(nx.slice(x, [0, 0], [rows, n])));
      },
    ),
  },
  {
    name: "ROW_CALLS",
    values: [16, 1024],
    works: each(
      [64, 256, 512],
      (n) => `every second of ${2 * n} planes' first half, 100,000 elements`,
      (n) => {
        const rows = Math.max(4, Math.floor(100_000 / n / 32));
        return compiled([[2 * n, rows + 3, 40]], (nx, x) =>
          nx.exp(nx.slice(x, [0, 1, 4], [2 * n, rows + 1, 36], { strides: [2, 1, 1] })),
        );
      },
    ),
  },
  {
    name: "SEGMENT_CALLS",
    values: [16, 1024],
    works: each(
      [16, 64, 256],
      (n) => `exp of ${n} joined rows of 1000 and 1000`,
      (n) =>
        compiled(
          [
            [n, 1000],
            [n, 1000],
          ],
          (nx, x, y) => nx.exp(nx.concatenate([x, y], { axis: 1 })),
        ),
    ),
  },
  {
    name: "SEGMENT_WASTE",
    values: [0.1, 2],
    works: each(
      [20, 50, 200],
      (n) => `exp of 100 joined rows of ${n} and ${n + 1}`,
      (n) =>
        compiled(
          [
            [100, n],
            [100, n + 1],
          ],
          (nx, x, y) => nx.exp(nx.concatenate([x, y], { axis: 1 })),
        ),
    ),
  },
  // lines
  {
    name: "LINES_FROM",
    values: [4096, 65_536],
    works: each(
      [80, 128, 200],
      (n) => `layer norm, ${square(n)}`,
      (n) => compiled([[n, n]], layerNorm),
    ),
  },
  {
    name: "LINE_LENGTH_FROM",
    values: [16, 256],
    works: each(
      [32, 64, 128],
      (n) => `layer norm, 100,000 elements in lines of ${n}`,
      (n) => compiled([[Math.floor(100_000 / n), n]], layerNorm),
    ),
  },
  {
    name: "LINES_BYTES",
    values: [65_536, 2 ** 20],
    works: each(
      [256, 1000, 10_000],
      (n) => `layer norm, a million elements in lines of ${n}`,
      (n) => compiled([[Math.floor(1e6 / n), n]], layerNorm),
    ),
  },
  {
    name: "CHUNK_BYTES",
    values: [16_384, 262_144],
    works: {
      "layer norm, 1000 x 1000": compiled([[1000, 1000]], layerNorm),
      "cumulative sum of a million": on([[1_000_000]], (nx, x) => nx.cumulativeSum(x)),
      "sum of every third of 3,000,000": on([[3_000_000]], (nx, x) =>
        nx.sum(nx.slice(x, [0], [3_000_000], { strides: [3] })),
      ),
      "sum over the middle axis, 100 x 100 x 100": on([[100, 100, 100]], (nx, x) => nx.sum(x, { axes: [1] })),
    },
  },
  // reductions
  {
    name: "ROWS_BYTES_ALONE",
    values: [2 ** 17, 2 ** 23],
    works: {
      "sum of a million": on([[1_000_000]], (nx, x) => nx.sum(x)),
      "sum over the first axis, 1000 x 1000": on([[1000, 1000]], (nx, x) => nx.sum(x, { axes: [0] })),
      "sum over the first axis, 100,000 x 10": on([[100_000, 10]], (nx, x) => nx.sum(x, { axes: [0] })),
    },
  },
  {
    name: "SEARCHED_AT_ONCE",
    values: [64, 1024, 4096],
    works: {
      "position of the maximum of a million": on([[1_000_000]], (nx, x) => nx.argmax(x)),
      "positions along rows, 1000 x 1000": on([[1000, 1000]], (nx, x) => nx.argmax(x, { axis: 1 })),
    },
  },
  {
    name: "FAR_ROWS_FROM",
    values: [8, 64],
    works: each(
      [12, 20, 40],
      (n) => `sum over the first axis, ${n} x 8192`,
      (n) => on([[n, 8192]], (nx, x) => nx.sum(x, { axes: [0] })),
    ),
  },
  {
    name: "JOINED_FROM",
    values: [1024, 32_768],
    works: each(
      [48, 90, 150],
      (n) => `sums of squares along rows, ${square(n)}`,
      (n) => compiled([[n, n]], (nx, x) => nx.sum(nx.square(x), { axes: [1] })),
    ),
  },
  {
    name: "REDUCE_AGAIN_FROM",
    values: [128, 2048],
    works: each(
      [256, 512, 1024],
      (n) => `sum of ${n}`,
      (n) => on([[n]], (nx, x) => nx.sum(x)),
    ),
  },
  {
    name: "ARG_REDUCE_AGAIN_FROM",
    values: [64, 2048],
    works: each(
      [128, 256, 512],
      (n) => `position of the maximum of ${n}`,
      (n) => on([[n]], (nx, x) => nx.argmax(x)),
    ),
  },
  {
    name: "SCAN_AGAIN_FROM",
    values: [128, 2048],
    works: each(
      [256, 512, 1024],
      (n) => `cumulative sum of ${n}`,
      (n) => on([[n]], (nx, x) => nx.cumulativeSum(x)),
    ),
  },
  // around contractions
  {
    name: "BLOCK",
    values: [1024, 16_384],
    works: each(
      [64, 256],
      (n) => `gelu(x w + b), ${square(n)}`,
      (n) => compiled([[n, n], [n, n], [n]], (nx, x, w, b) => nx.gelu(nx.add(nx.dot(x, w), b))),
    ),
  },
  {
    name: "HANDED_ON",
    values: [2 ** 17, 2 ** 23],
    works: {
      "gelu(x w + b), 512 x 512": compiled([[512, 512], [512, 512], [512]], (nx, x, w, b) =>
        nx.gelu(nx.add(nx.dot(x, w), b)),
      ),
      "gelu(x w + b), 4096 x 64 x 256": compiled([[4096, 64], [64, 256], [256]], (nx, x, w, b) =>
        nx.gelu(nx.add(nx.dot(x, w), b)),
      ),
    },
  },
  {
    name: "DOT_FROM",
    values: [512, 32_768],
    works: each(
      [8, 12, 16, 24, 32],
      (n) => `product, ${square(n)}`,
      (n) =>
        on(
          [
            [n, n],
            [n, n],
          ],
          (nx, x, y) => nx.dot(x, y),
        ),
    ),
  },
  {
    name: "CONV_FROM",
    values: [2 ** 12, 2 ** 18],
    works: each(
      [8, 16, 32],
      (n) => `2 to 4 channels, 3 x 3, ${square(n)}`,
      (n) =>
        on(
          [
            [1, 2, n, n],
            [4, 2, 3, 3],
          ],
          conv,
        ),
    ),
  },
  {
    name: "CONV_BLOCK",
    values: [2 ** 14, 2 ** 18],
    works: {
      "8 x 128 x 32 x 32, 128 of 3 x 3": on(
        [
          [8, 128, 32, 32],
          [128, 128, 3, 3],
        ],
        conv,
      ),
    },
  },
  {
    name: "CONV_DIRECT_ROWS",
    values: [16, 128],
    works: each(
      [16, 32, 64, 96],
      (n) => `4 x 32 x 32 x 32, ${n} of 3 x 3`,
      (n) =>
        on(
          [
            [4, 32, 32, 32],
            [n, 32, 3, 3],
          ],
          conv,
        ),
    ),
  },
  {
    name: "STRETCH",
    values: [128, 512],
    works: each(
      [256, 512],
      (n) => `product, ${square(n)}`,
      (n) =>
        on(
          [
            [n, n],
            [n, n],
          ],
          (nx, x, y) => nx.dot(x, y),
        ),
    ),
  },
  {
    name: "DIRECT_ROWS",
    values: [4, 64],
    works: each(
      [8, 16, 32],
      (n) => `product, ${n} x 300 x 300`,
      (n) =>
        on(
          [
            [n, 300],
            [300, 300],
          ],
          (nx, x, y) => nx.dot(x, y),
        ),
    ),
  },
  {
    name: "DIRECT_BYTES",
    values: [2 ** 14, 2 ** 18],
    works: each(
      [100, 128, 160],
      (n) => `product, ${square(n)}`,
      (n) =>
        on(
          [
            [n, n],
            [n, n],
          ],
          (nx, x, y) => nx.dot(x, y),
        ),
    ),
  },
  {
    name: "REGION_ROWS",
    values: [64, 256],
    works: each(
      [256, 512],
      (n) => `product, ${square(n)}`,
      (n) =>
        on(
          [
            [n, n],
            [n, n],
          ],
          (nx, x, y) => nx.dot(x, y),
        ),
    ),
  },
  {
    name: "REGION_COLUMNS",
    values: [128, 1024],
    works: each(
      [512, 1024],
      (n) => `product, ${square(n)}`,
      (n) =>
        on(
          [
            [n, n],
            [n, n],
          ],
          (nx, x, y) => nx.dot(x, y),
        ),
    ),
  },
  {
    name: "STRIP",
    values: [128, 2048],
    works: {
      "vector by matrix, 1000 x 1000": on([[1000], [1000, 1000]], (nx, x, y) => nx.dot(x, y)),
      "vector by matrix, 300 x 5000": on([[300], [300, 5000]], (nx, x, y) => nx.dot(x, y)),
    },
  },
  {
    name: "UNPACKED_TO",
    values: [2 ** 18, 2 ** 24],
    works: each(
      [64, 96],
      (n) => `product and sum as a program, ${square(n)}`,
      (n) =>
        compiled(
          [
            [n, n],
            [n, n],
          ],
          (nx, x, y) => nx.add(nx.dot(x, y), nx.sum(x)),
        ),
    ),
  },
  // windows
  {
    name: "WINDOWS_AGAIN_FROM",
    values: [128, 2048],
    works: each(
      [8, 10, 16],
      (n) => `maxima of 2 x 2, ${square(n)}`,
      (n) => on([[n, n]], (nx, x) => nx.windowMax(x, [2, 2])),
    ),
  },
  {
    name: "WINDOW_PLACES",
    values: [8, 128],
    works: each(
      [4, 16, 40, 100],
      (n) => `sums of ${n} of 100,000`,
      (n) => on([[100_000]], (nx, x) => nx.windowSum(x, [n])),
    ),
  },
  {
    name: "WINDOW_ROW_FROM",
    values: [2, 32],
    works: each(
      [6, 12, 24],
      (n) => `maxima of 2 x 2, 1000 planes of ${square(n)}`,
      (n) => on([[1000, n, n]], (nx, x) => nx.windowMax(x, [1, 2, 2])),
    ),
  },
  {
    name: "WINDOW_WASTE",
    values: [32, 256],
    works: each(
      [4, 8, 12],
      (n) => `maxima of ${square(n)} by ${n}, 512 x 512`,
      (n) => on([[512, 512]], (nx, x) => nx.windowMax(x, [n, n], { strides: [n, n] })),
    ),
  },
  // sorts, transforms, decompositions
  {
    name: "SORT_AGAIN_FROM",
    values: [16, 256],
    works: each(
      [32, 64, 128],
      (n) => `sort of ${n}`,
      (n) => on([[n]], (nx, x) => nx.sort(x)),
    ),
  },
  {
    name: "NETWORK_TO",
    values: [128, 2048],
    works: each(
      [256, 500, 1000],
      (n) => `sort of 100 lines of ${n}`,
      (n) => on([[100, n]], (nx, x) => nx.sort(x, { axis: 1 })),
    ),
  },
  {
    name: "NETWORK_ALWAYS_TO",
    values: [16, 256],
    works: each(
      [20, 40, 70, 130],
      (n) => `sort of 1000 lines of ${n}`,
      (n) => on([[1000, n]], (nx, x) => nx.sort(x, { axis: 1 })),
    ),
  },
  {
    name: "WIDE_DIGITS_FROM",
    values: [512, 16_384],
    works: each(
      [1000, 3000, 10_000],
      (n) => `sort of ${n}`,
      (n) => on([[n]], (nx, x) => nx.sort(x)),
    ),
  },
  {
    name: "SORTED_AT_ONCE",
    values: [4096, 131_072],
    works: {
      "sort of 1000 lines of 100": on([[1000, 100]], (nx, x) => nx.sort(x, { axis: 1 })),
      "sort of 100 lines of 1000": on([[100, 1000]], (nx, x) => nx.sort(x, { axis: 1 })),
    },
  },
  {
    name: "FFT_AGAIN_FROM",
    values: [32, 512],
    works: each(
      [64, 128, 256],
      (n) => `fft of ${n}`,
      (n) => on([[n]], (nx, x) => nx.fft(x)),
    ),
  },
  {
    name: "FFT_PAIRS",
    values: [64, 4096],
    works: each(
      [16, 64, 256],
      (n) => `fft of 100,000 in lines of ${n}`,
      (n) => on([[Math.floor(100_000 / n), n]], (nx, x) => nx.fft(x)),
    ),
  },
  {
    name: "LINALG_FROM",
    values: [64, 1024],
    works: {
      ...each(
        [12, 16, 24],
        (n) => `qr, ${square(n)}`,
        (n) => on([[n, n]], (nx, x) => nx.LinAlg.qr(x)),
      ),
      ...each(
        [12, 16, 24],
        (n) => `svd, ${square(n)}`,
        (n) => on([[n, n]], (nx, x) => nx.LinAlg.svd(x)),
      ),
    },
  },
  // copies
  {
    name: "PUT_BYTES",
    values: [2 ** 13, 2 ** 19],
    works: each(
      [50, 100, 200],
      (n) => `transposed, ${square(n)}`,
      (n) => on([[n, n]], (nx, x) => nx.transpose(x)),
    ),
  },
  {
    name: "TRANSPOSED_ITEMS",
    values: [2048, 65_536],
    works: each(
      [300, 1000, 2000],
      (n) => `transposed, ${square(n)}`,
      (n) => on([[n, n]], (nx, x) => nx.transpose(x)),
    ),
  },
  {
    name: "SHORT_ROW",
    values: [2, 32],
    works: each(
      [4, 8, 16],
      (n) => `first ${n} of ${2 * n} columns turned round, 100,000 elements`,
      (n) => {
        const rows = Math.floor(100_000 / n);
        return on([[rows, 2 * n]], (nx, x) => nx.reverse(nx.slice(x, [0, 0], [rows, n]), { axes: [0] }));
      },
    ),
  },
  {
    name: "SHORT_RUN",
    values: [4, 128],
    works: each(
      [8, 24, 64],
      (n) => `pieces of ${n}, small arrays`,
      (n) => on([[16, 2 * n]], (nx, x) => nx.slice(x, [0, 0], [16, n])),
    ),
  },
  // programs
  {
    name: "TRANSPOSED_FROM",
    values: [16, 512],
    works: each(
      [6, 10, 20],
      (n) => `loop that transposes ${square(n)}`,
      (n) =>
        compiled(
          [[n, n]],
          (nx, x) =>
            nx.Defn.whileLoop(
              [x, nx.s32(0)] as const,
              ([, i]) => nx.less(i, 50),
              ([t, i]) => [nx.multiply(nx.transpose(t), 0.5), nx.add(i, 1)] as const,
            )[0],
        ),
    ),
  },
  {
    name: "PROGRAM_ELEMENTS",
    values: [2 ** 13, 2 ** 18],
    works: each(
      [64, 128, 256, 400],
      (n) => `50 turns of five operations on ${square(n)}`,
      (n) =>
        compiled(
          [[n, n]],
          (nx, x) =>
            nx.Defn.whileLoop(
              [x, nx.s32(0)] as const,
              ([, i]) => nx.less(i, 50),
              ([t, i]) => [nx.multiply(nx.add(nx.roll(t, 1, { axis: 0 }), t), 0.5), nx.add(i, 1)] as const,
            )[0],
        ),
    ),
  },
  {
    name: "PROGRAM_ROW_FROM",
    values: [2, 64],
    works: each(
      [4, 8, 16, 32],
      (n) => `loop over the first ${n} of ${2 * n} columns`,
      (n) =>
        compiled(
          [[40, 2 * n]],
          (nx, x) =>
            nx.Defn.whileLoop(
              [nx.slice(x, [0, 0], [40, n]), x, nx.s32(0)] as const,
              ([, , i]) => nx.less(i, 50),
              ([t, y, i]) => [nx.multiply(nx.add(nx.slice(y, [0, 0], [40, n]), t), 0.5), y, nx.add(i, 1)] as const,
            )[0],
        ),
    ),
  },
  {
    name: "BLOCK_VALUES",
    values: [200, 1600],
    works: {
      "100 turns of ten operations on 10,000": compiled(
        [[10_000]],
        (nx, x) =>
          nx.Defn.whileLoop(
            [x, nx.s32(0)] as const,
            ([, i]) => nx.less(i, 100),
            ([t, i]) => [chain(nx, nx.multiply(t, 0.9)), nx.add(i, 1)] as const,
          )[0],
      ),
    },
  },
  // eager work that waits
  {
    name: "DEFERRED_ALONE",
    values: [1, 25],
    works: each(
      [20_000, 50_000, 100_000],
      (n) => `transposed, ${n} elements`,
      (n) => on([[n / 100, 100]], (nx, x) => nx.transpose(x)),
    ),
  },
  {
    name: "DEFERRED_LINE_FROM",
    values: [4, 256],
    works: each(
      [8, 32, 128],
      (n) => `rows standardised, 100,000 elements in rows of ${n}`,
      (n) => on([[Math.floor(100_000 / n), n]], layerNorm),
    ),
  },
  {
    name: "DEFERRED_REPEATED",
    values: [0, 32],
    works: {
      "rows standardised, 1000 x 1000": on([[1000, 1000]], layerNorm),
      "softmax by hand, 1000 x 1000": on([[1000, 1000]], (nx, x) => {
        const shares = nx.exp(nx.subtract(x, nx.reduceMax(x, { axes: [1], keepAxes: true })));
        return nx.divide(shares, nx.sum(shares, { axes: [1], keepAxes: true }));
      }),
    },
  },
  {
    name: "DEFERRED_HEAVY",
    values: [20, 500],
    works: {
      "tanh with two readers of a million": on([[1_000_000]], (nx, x) => {
        const t = nx.tanh(x);
        return [nx.add(t, 1), nx.multiply(t, 2)];
      }),
    },
  },
  {
    name: "DEFERRED_OUTPUTS",
    values: [1, 12],
    works: {
      "six values of one, a million": on([[1_000_000]], (nx, x) =>
        [1, 2, 3, 4, 5, 6].map((k) => nx.add(nx.multiply(x, k), 1)),
      ),
    },
  },
];
