/** What the compiler knows of a serving: what its requests take, give and are called with. */

import { List, Record, type Map as ImmutableMap } from "immutable";
import * as Nx from "nx-numerics";
import { describe, expectTypeOf, it } from "vitest";

const { create } = Nx.Serving;
const double = (rows: Nx.Tensor) => rows.multiply(2);

describe("create", () => {
  it("takes entries and batches of what the function takes", () => {
    const serving = create(double, { batchSize: 2 });
    expectTypeOf(serving.run).parameter(0).toEqualTypeOf<Nx.Operand | Nx.Batch.Batch>();
    expectTypeOf(serving.run(1)).resolves.toEqualTypeOf<Nx.Tensor>();
    // @ts-expect-error a text is no entry
    void serving.run("1");
    // @ts-expect-error batchSize is needed
    create(double, {});
  });

  it("takes containers apart", () => {
    const serving = create(({ a, b: [c] }: { a: Nx.Tensor; b: [Nx.Tensor] }) => ({ sum: a.add(c), list: List([a]) }), {
      batchSize: 2,
    });
    const answer = serving.run({ a: 1, b: [Nx.f32(2)] });
    expectTypeOf(answer.then(({ sum }) => sum)).resolves.toEqualTypeOf<Nx.Tensor>();
    const list: Promise<List<Nx.Tensor>> = answer.then((result) => result.list); // comparing its type would cost tsc dearly
    void list;
    // @ts-expect-error b is missing
    void serving.run({ a: 1 });
  });

  it("leaves the containers of Immutable and of classes as they are", () => {
    const Point = Record({ x: Nx.tensor(0) as Nx.Tensor });
    class Line {
      constructor(readonly slope: Nx.Tensor) {}
      [Nx.container](visit: Nx.Visit): Line {
        return new Line(visit(this.slope, "slope"));
      }
    }
    const first = create((list: List<Nx.Tensor>) => Point({ x: list.first() as Nx.Tensor }), { batchSize: 2 });
    expectTypeOf(first.run(List<Nx.Tensor>()).then(({ x }) => x)).resolves.toEqualTypeOf<Nx.Tensor>();
    const second = create((line: Line) => line, { batchSize: 2 });
    expectTypeOf(second.run(new Line(Nx.tensor(1)))).resolves.toEqualTypeOf<Line>();
    const third = create((map: ImmutableMap<string, Nx.Tensor>) => map, { batchSize: 2 });
    const take: (map: ImmutableMap<string, Nx.Tensor> | Nx.Batch.Batch) => Promise<unknown> = third.run;
    void take;
  });

  it("takes what preprocess takes and gives what postprocess gives", () => {
    const serving = create(async (rows: Nx.Tensor) => Promise.resolve([rows, rows] as const), {
      batchSize: 2,
      jit: false,
      preprocess: (text: string) => Nx.f32(text.length),
      postprocess: ([first], text) => {
        expectTypeOf(first).toEqualTypeOf<Nx.Tensor>();
        expectTypeOf(text).toEqualTypeOf<string>();
        return Promise.resolve(text.length);
      },
    });
    expectTypeOf(serving.run).parameter(0).toEqualTypeOf<string>();
    expectTypeOf(serving.run("x")).resolves.toEqualTypeOf<number>();
  });

  it("may give batches in preprocess, and the result as it is", () => {
    const serving = create(double, {
      batchSize: 2,
      preprocess: (rows: number[]) => Nx.Batch.stack(rows),
    });
    expectTypeOf(serving.run([1, 2])).resolves.toEqualTypeOf<Nx.Tensor>();
    // @ts-expect-error a text is no entry
    create(double, { batchSize: 2, preprocess: (text: string) => text });
  });

  it("knows the keys", () => {
    const serving = create((rows: Nx.Tensor, key) => (key === "half" ? rows.divide(2) : rows), {
      batchSize: 2,
      batchKeys: ["half", "same"],
    });
    void serving.run(1, { key: "half", signal: AbortSignal.timeout(100) });
    // @ts-expect-error no such key
    void serving.run(1, { key: "double" });
  });
});
