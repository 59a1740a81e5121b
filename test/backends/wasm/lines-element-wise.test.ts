/** Kernels that read a column, one element for each row of the space, give the bits of the binary backend. */
import { afterAll, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import type { Backend, DType, Tensor } from "nx-numerics";
import { binaryBackend } from "../../../lib/backends/binary";
import { wasmBackend } from "../../../lib/backends/wasm";
import { tableLength } from "../../../lib/backends/wasm/lines/code";
import { lineLength, nestOf } from "../../../lib/backends/wasm/lines/element-wise";
import { binaryKernel } from "../../../lib/kernel/lower/single";
import { readerOf } from "../../../lib/kernel/operand";
import { tune } from "../../../lib/backends/tuning";
import { awkward, differences } from "../../defn/fuse/support";

type Shape = readonly number[];
type Fn = (...tensors: Tensor[]) => Tensor | Tensor[];

/** Shapes of operands: rows of a whole number of steps and of others, short and long ones, columns of two lengths. */
const SHAPES: readonly (readonly [name: string, shapes: readonly Shape[]])[] = [
  [
    "a column and a row",
    [
      [300, 1],
      [1, 208],
    ],
  ],
  [
    "rows that are no whole steps",
    [
      [301, 1],
      [1, 203],
    ],
  ],
  [
    "a matrix and a column",
    [
      [257, 129],
      [257, 1],
    ],
  ],
  [
    "short rows",
    [
      [2000, 17],
      [2000, 1],
    ],
  ],
  [
    "long rows, which are cut",
    [
      [3, 1],
      [1, 70_001],
      [3, 70_001],
    ],
  ],
  [
    "columns of two lengths",
    [
      [10, 1, 1],
      [10, 30, 1],
      [1, 1, 70],
      [10, 30, 70],
    ],
  ],
  [
    "a column of a longer period than the row",
    [
      [40, 1, 1],
      [1, 7, 90],
      [40, 7, 1],
    ],
  ],
  ["a scalar beside them", [[200, 1], [], [1, 100]]],
];

const sumOf = (first?: Tensor, ...rest: Tensor[]): Tensor => rest.reduce((sum, x) => Nx.add(sum, x), first!);
const several: Fn = (first, ...rest) => {
  const sum = sumOf(first, ...rest);
  return [Nx.multiply(sum, first!), Nx.less(sum, 1), sum];
};

const on = (
  backend: Backend,
  types: readonly DType[],
  shapes: readonly Shape[],
  view: (x: Tensor, i: number) => Tensor,
) => shapes.map((shape, i) => view(awkward(backend, types[i % types.length]!, shape, i + 1), i));

/** Results of both backends, eager and compiled. */
function check(fn: Fn, types: readonly DType[], shapes: readonly Shape[], view = (x: Tensor): Tensor => x): void {
  const listed = (made: Tensor | Tensor[]): readonly Tensor[] => [made].flat();
  const expected = listed(fn(...on(binaryBackend, types, shapes, view)));
  const args = on(wasmBackend, types, shapes, view);
  expect(differences(listed(fn(...args)), expected)).toBeNull();
  expect(differences(listed((Nx.defn(fn as never) as Fn)(...args)), expected)).toBeNull();
}

afterAll(() => tune({ threads: null }));

describe.each([1, 2])("kernels with columns, on %d threads", (threads) => {
  const types: readonly (readonly DType[])[] = [
    ["f32"],
    ["f64", "u8"],
    ["c64", "f32"],
    ["bf16", "s64"],
    ["u16", "f16"],
  ];
  it.each(SHAPES)("%s", (_name, shapes) => {
    tune({ threads });
    for (const list of types) check(list.includes("c64") ? sumOf : several, list, shapes);
  });

  it("read columns through strides", () => {
    tune({ threads });
    const everyOther = (x: Tensor): Tensor =>
      Nx.slice(
        x,
        x.shape.map((dim) => (dim === 1 ? 0 : 1)),
        x.shape.map((dim) => Math.max(1, dim - 1)),
        { strides: x.shape.map((dim) => (dim === 1 ? 1 : 2)) },
      );
    check(
      several,
      ["f32"],
      [
        [600, 1],
        [1, 400],
      ],
      everyOther,
    );
    check(
      several,
      ["f32", "f64"],
      [
        [300, 1],
        [1, 400],
        [300, 400],
      ],
      (x) => x.reverse(),
    );
    check(
      several,
      ["f32"],
      [
        [400, 300],
        [400, 1],
      ],
      (x) => x.reshape(x.shape),
    );
  });

  it("leave an operand that is donated its memory, or write over it", () => {
    tune({ threads });
    const fn = (x: Tensor, column: Tensor): Tensor => x.subtract(column).multiply(2);
    const make = (backend: Backend): [Tensor, Tensor] => [
      awkward(backend, "f32", [500, 77], 1),
      awkward(backend, "f32", [500, 1], 2),
    ];
    const donating = Nx.defn(fn, { donate: [0] } as never);
    expect(differences([donating(...make(wasmBackend))], [fn(...make(binaryBackend))])).toBeNull();
  });
});

describe("the length of rows", () => {
  const reader = (shape: Shape, strides: Shape) =>
    readerOf({ elements: new Float32Array(1), width: 1, offset: 0, strides }, shape);

  it("is that along which the shortest column stays the same", () => {
    expect(lineLength([reader([300, 200], [1, 0]), reader([300, 200], [0, 1])], 60_000)).toBe(200);
    expect(lineLength([reader([10, 50, 80], [1, 0, 0]), reader([10, 50, 80], [50, 1, 0])], 40_000)).toBe(80);
  });

  it("is none where there is no column, and where rows or the whole are small", () => {
    expect(lineLength([reader([300, 200], [200, 1]), reader([300, 200], [0, 1])], 60_000)).toBe(0);
    expect(lineLength([reader([300, 200], [0, 0])], 60_000)).toBe(0);
    expect(lineLength([reader([30, 200], [1, 0])], 6000)).toBe(0);
    expect(lineLength([reader([30_000, 3], [1, 0])], 90_000)).toBe(0);
  });
});

const SOURCE = { type: "f32", uniform: false } as const;

it("a kernel that goes by line has places for its operands alone, whatever the length of lines", () => {
  const { kernel } = binaryKernel("add", SOURCE, SOURCE, "f32")!;
  for (const length of [1, 16, 20, 31, 32, 64]) {
    for (const space of ["line", "group", "one"] as const) {
      expect(tableLength(nestOf(kernel, [["full"], [space]], 4 * length, length, false))).toBe(3);
    }
  }
});
