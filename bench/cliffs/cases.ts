/**
 * What "no cliffs" is measured with: each case is a call beside a friendly one of the same kind. A case changes one thing:
 * the size, the shape, how an operand lies in memory, or the type. It knows nothing of time.
 */
import type { Tensor } from "nx-numerics";

/** Makes tensors and calls; operands are made when a case has its turn. */
export interface Side {
  readonly operands: readonly Tensor[];
  readonly call: (...operands: Tensor[]) => Tensor;
  /** Elements, or multiplications, by which times are divided. */
  readonly amount: number;
}

export type Group = "size" | "shape" | "layout" | "type";

export interface Case {
  readonly work: string;
  readonly group: Group;
  readonly where: string;
  /** The ratio to the friendly case that is still no cliff. */
  readonly bound: number;
  readonly friendly: () => Side;
  readonly other: () => Side;
}

type Shape = readonly number[];

/** A shape to be measured, and the friendly one with the same rank and about as many elements. */
export interface Sizes {
  readonly where: string;
  readonly group: "size" | "shape";
  readonly shape: Shape;
  readonly friendly: Shape;
}

/** How an operand comes to lie otherwise in memory than it is read. */
export interface Layout {
  readonly where: string;
  readonly shape: Shape;
  /** Shape of what lies in memory. */
  readonly stored: Shape;
  readonly view: (stored: Tensor) => Tensor;
}

export const LARGE: Shape = [1024, 1024];

const size = (shape: Shape, friendly: Shape): Sizes => ({
  where: shape.join("x"),
  group: "size",
  shape,
  friendly,
});
const shaped = (...shape: number[]): Sizes => ({ where: shape.join("x"), group: "shape", shape, friendly: LARGE });

/** Odd sizes, and both sides of the sizes at which another way of computing may begin: 16 kB, 64 kB, 512 kB of f32. */
export const lengths: readonly Sizes[] = [
  ...[1024, 4096, 16384, 131072].flatMap((n) => [size([n - 1], [n]), size([n + 1], [n])]),
  size([1_000_001], [1 << 20]),
];

export const matrices: readonly Sizes[] = [
  size([999, 1001], LARGE),
  size([1023, 1025], LARGE),
  size([1025, 1023], LARGE),
  size([127, 129], [128, 128]),
  size([361, 363], [362, 362]),
];

/** The same million elements in other shapes. */
export const shapes: readonly Sizes[] = [
  shaped(1 << 20),
  shaped(64, 128, 128),
  shaped(32, 32, 32, 32),
  shaped(16, 16, 16, 16, 16),
  shaped(8, 8, 8, 8, 16, 16),
  shaped(1, 1 << 20),
  shaped(1 << 20, 1),
  shaped(3, 349525),
  shaped(349525, 3),
  shaped(16, 65536),
  shaped(65536, 16),
];

const layout = (where: string, shape: Shape, stored: Shape, view: Layout["view"]): Layout => ({
  where,
  shape,
  stored,
  view,
});

const [ROWS, COLUMNS] = LARGE as [number, number];
const LONG = ROWS * COLUMNS;

export const layouts: readonly Layout[] = [
  layout("offset 1", [LONG], [LONG + 1], (x) => x.slice([1], [LONG])),
  layout("every second, from 1", [LONG], [2 * LONG + 1], (x) => x.slice([1], [2 * LONG], { strides: 2 })),
  layout("reversed", [LONG], [LONG], (x) => x.reverse()),
  layout("transposed", LARGE, [COLUMNS, ROWS], (x) => x.transpose()),
  layout("columns from 1", LARGE, [ROWS, COLUMNS + 1], (x) => x.slice([0, 1], [ROWS, COLUMNS])),
  layout("every second column, from 1", LARGE, [ROWS, 2 * COLUMNS + 1], (x) =>
    x.slice([0, 1], [ROWS, 2 * COLUMNS], { strides: [1, 2] }),
  ),
  layout("every second row, from 1", LARGE, [2 * ROWS + 1, COLUMNS], (x) =>
    x.slice([1, 0], [2 * ROWS, COLUMNS], { strides: [2, 1] }),
  ),
  layout("rows reversed", LARGE, LARGE, (x) => x.reverse({ axes: [0] })),
  layout("columns reversed", LARGE, LARGE, (x) => x.reverse({ axes: [1] })),
  layout("transposed, every second column", LARGE, [2 * COLUMNS, ROWS], (x) =>
    x.transpose().slice([0, 0], [ROWS, 2 * COLUMNS], { strides: [1, 2] }),
  ),
  layout("transposed, 999x1001", [999, 1001], [1001, 999], (x) => x.transpose()),
  layout("middle axes exchanged, rank 4", [32, 32, 32, 32], [32, 32, 32, 32], (x) =>
    x.transpose({ axes: [0, 2, 1, 3] }),
  ),
  layout("transposed, rank 6", [8, 8, 8, 8, 16, 16], [16, 16, 8, 8, 8, 8], (x) => x.transpose()),
  layout("row broadcast", LARGE, [1, COLUMNS], (x) => x.broadcast(LARGE)),
  layout("column broadcast", LARGE, [ROWS, 1], (x) => x.broadcast(LARGE)),
  layout("number broadcast", LARGE, [], (x) => x.broadcast(LARGE)),
  layout("row broadcast, 999x1001", [999, 1001], [1, 1001], (x) => x.broadcast([999, 1001])),
  layout("column broadcast, 999x1001", [999, 1001], [999, 1], (x) => x.broadcast([999, 1001])),
];

export const sizeOf = (shape: Shape): number => shape.reduce((product, length) => product * length, 1);
