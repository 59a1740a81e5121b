/** What reading gives: lists as deep as the names say, numbers where only numbers can come, entries without the first axis. */
import { describe, expectTypeOf, it } from "vitest";
import * as Nx from "nx-numerics";

const vector = Nx.f32([1, 2], { names: ["x"] });
const matrix = Nx.f32([[1, 2]], { names: ["x", "y"] });
const some = matrix as Nx.Tensor;

describe("reading", () => {
  it("has a size for each axis where the axes are known", () => {
    const [rows, columns]: readonly [number, number] = matrix.shape;
    const count: number = vector.shape[0];
    // @ts-expect-error there is no third axis
    const none = matrix.shape[2];
    // @ts-expect-error not known
    const unknown: number = some.shape[0];
    const sizes: readonly number[] = some.shape;
    expectTypeOf([rows, columns, count, none, unknown, sizes].length).toBeNumber();
    const generic = <N extends Nx.Names>(t: Nx.Tensor<N>): readonly number[] => t.shape;
    expectTypeOf(generic(matrix)).toEqualTypeOf<readonly number[]>();
  });

  it("nests lists by rank where it is known", () => {
    const values: Nx.Value[] = vector.toList();
    const lists: Nx.Value[][] = matrix.toList();
    // @ts-expect-error a list of lists
    const flat: Nx.Value[] = Nx.toList(matrix);
    // @ts-expect-error not known
    const unknown: Nx.Value[][] = some.toList();
    expectTypeOf([values, lists, flat, unknown].length).toBeNumber();
  });

  it("gives numbers, as deep as the option says", () => {
    expectTypeOf(some.item()).toEqualTypeOf<number>();
    expectTypeOf(some.toNumbers()).toEqualTypeOf<number[]>();
    expectTypeOf(some.toNumbers({ rank: 1 })).toEqualTypeOf<number[]>();
    expectTypeOf(some.toNumbers({ rank: 2 })).toEqualTypeOf<number[][]>();
    expectTypeOf(Nx.toNumbers(some, { rank: 3 })).toEqualTypeOf<number[][][]>();
    // @ts-expect-error any depth
    expectTypeOf(() => some.toNumbers({ rank: some.rank })[0]!.toFixed()).toBeFunction();
    const floats: Float64Array = some.toFloat64Array();
    expectTypeOf(floats.length).toBeNumber();
  });
});

describe("iteration", () => {
  it("gives entries without the first axis", () => {
    for (const row of matrix) expectTypeOf(row.names).toEqualTypeOf<readonly ["y"]>();
    for (const row of some) expectTypeOf(row.names).toEqualTypeOf<Nx.Names>();
    const [entry] = [...vector];
    expectTypeOf(entry!.names).toEqualTypeOf<readonly []>();
    expectTypeOf(Array.from(matrix, (row) => row.sum().item())).toEqualTypeOf<number[]>();
    const [first] = matrix;
    expectTypeOf(first!.names).toEqualTypeOf<readonly ["y"]>();
  });

  it("leaves tensors of known names tensors", () => {
    const tensors: readonly Nx.Tensor[] = [matrix, vector];
    expectTypeOf(tensors[0]!.names).toEqualTypeOf<Nx.Names>();
    // @ts-expect-error the names are others
    const other: Nx.Tensor<readonly ["y"]> = vector;
    expectTypeOf(other.rank).toBeNumber();
    // @ts-expect-error rows have no axis x
    for (const row of matrix) Nx.sum(row, { axes: ["x"] });
  });
});
