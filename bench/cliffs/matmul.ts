/**
 * The cases of products of matrices, by the number of multiplications.
 */
import * as Nx from "nx-numerics";
import type { Case, Side } from "./cases";
import { boundOf, operand, TYPES } from "./operands";

type Tensor = Nx.Tensor;
type Product = readonly [rows: number, inner: number, columns: number];
type View = (stored: Tensor) => Tensor;

const WORK = "matmul";
const N = 512;
const FRIENDLY: Product = [N, N, N];

const product = (x: Tensor, y: Tensor): Tensor => x.dot(y);
const multiplications = ([rows, inner, columns]: Product): number => rows * inner * columns;

function plain(of: Product, type: Nx.DType = "f32"): Side {
  const [rows, inner, columns] = of;
  const operands = [operand([rows, inner], type), operand([inner, columns], type)];
  return { operands, call: (x, y) => product(x!, y!), amount: multiplications(of) };
}

const SIZES: readonly (readonly [Product, Product])[] = [
  ...[32, 64, 128, 256, 512].flatMap((n) =>
    [n - 1, n + 1].map((m): readonly [Product, Product] => [
      [m, m, m],
      [n, n, n],
    ]),
  ),
  [[999, 101, 1001], FRIENDLY],
  [[257, 1023, 129], FRIENDLY],
  [[1001, 33, 999], FRIENDLY],
  [[33, 4096, 33], FRIENDLY],
  [
    [1023, 1025, 1],
    [1024, 1024, 1],
  ],
  [
    [1, 1023, 1025],
    [1, 1024, 1024],
  ],
];

function sizeCases(): Case[] {
  return SIZES.map(([of, friendly]) => ({
    work: WORK,
    group: "size",
    where: of.join("x"),
    bound: 2,
    other: () => plain(of),
    friendly: () => plain(friendly),
  }));
}

const same: View = (x) => x;
const turned: View = (x) => x.transpose();
const second: View = (x) => x.slice([0, 1], [N, 2 * N], { strides: [1, 2] });
const lower: View = (x) => x.slice([1, 0], [2 * N, N], { strides: [2, 1] });
const moved: View = (x) => x.slice([0, 1], [N, N]);
const backwards: View = (x) => x.reverse();
const spreadRow: View = (x) => x.broadcast([N, N]);

interface Viewed {
  readonly stored: readonly number[];
  readonly view: View;
}

const VIEWS: Readonly<Record<string, Viewed>> = {
  "in order": { stored: [N, N], view: same },
  transposed: { stored: [N, N], view: turned },
  "every second column, from 1": { stored: [N, 2 * N + 1], view: second },
  "every second row, from 1": { stored: [2 * N + 1, N], view: lower },
  "columns from 1": { stored: [N, N + 1], view: moved },
  reversed: { stored: [N, N], view: backwards },
  "row broadcast": { stored: [1, N], view: spreadRow },
  "column broadcast": { stored: [N, 1], view: spreadRow },
};

/** One factor or both lie otherwise, inside a compiled function. */
function viewed(left: Viewed, right: Viewed): Side {
  return {
    operands: [operand(left.stored, "f32"), operand(right.stored, "f32")],
    call: Nx.defn((x: Tensor, y: Tensor) => product(left.view(x), right.view(y))),
    amount: multiplications(FRIENDLY),
  };
}

function layoutCases(): Case[] {
  const plainly = VIEWS["in order"]!;
  const friendly = (): Side => viewed(plainly, plainly);
  return Object.entries(VIEWS)
    .slice(1)
    .flatMap(([name, view]) =>
      (
        [
          [`left ${name}`, view, plainly],
          [`right ${name}`, plainly, view],
          [`both ${name}`, view, view],
        ] as const
      ).map(([where, left, right]): Case => ({
        work: WORK,
        group: "layout",
        where,
        bound: 2,
        other: () => viewed(left, right),
        friendly,
      })),
    );
}

function batched(axes: "batch of 8, 128x128"): Case {
  const operands = (): Tensor[] => [operand([8, 128, 128], "f32"), operand([8, 128, 128], "f32")];
  const other = (): Side => ({
    operands: operands(),
    call: (x, y) => Nx.dot(x!, [2], [0], y!, [1], [0]),
    amount: 8 * 128 ** 3,
  });
  return { work: WORK, group: "shape", where: axes, bound: 2, other, friendly: () => plain([128, 128, 128]) };
}

const typeCases = (): Case[] =>
  TYPES.filter((type) => type !== "f32").map((type) => ({
    work: WORK,
    group: "type",
    where: type,
    bound: boundOf(type),
    other: () => plain([256, 256, 256], type),
    friendly: () => plain([256, 256, 256]),
  }));

export const matmulCases = (): Case[] => [
  ...sizeCases(),
  batched("batch of 8, 128x128"),
  ...layoutCases(),
  ...typeCases(),
];
