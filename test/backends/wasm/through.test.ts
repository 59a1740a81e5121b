/** Products of a matrix with a vector whose matrix is made row by row by a kernel: the same bits as of the matrix in memory. */
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { afterEach, describe, expect, it, vi } from "vitest";
import { elementsOf } from "../../../lib/backends/arrays/storage";
import { tune } from "../../../lib/backends/tuning";
import { waitingOf } from "../../../lib/backends/wasm/deferred/index";
import { readyWorkers } from "../../../lib/backends/wasm/threads/index";
import { OPTIMIZE, runPasses } from "../../../lib/defn/passes";
import { trace } from "../../../lib/defn/trace";
import { kernelsOf } from "../../defn/fuse/support";
import { numbers } from "./contraction-support";

type Fn = (...args: Tensor[]) => Tensor;

function source(type: DType, shape: readonly number[], seed: number): Tensor {
  const count = shape.reduce((size, dim) => size * dim, 1);
  const values = Nx.tensor(numbers(count, seed), { type: "f64", backend: "wasm" }).reshape([...shape]);
  const made = type === "s8" ? values.multiply(100).asType(type) : values.asType(type);
  elementsOf(made); // computed here, so that it does not wait
  return made;
}

const bytes = (x: Tensor): string => {
  const { buffer, byteOffset, byteLength } = elementsOf(x).slice();
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
};

const compiled = (fn: Fn, args: readonly Tensor[]): string =>
  bytes((Nx.defn(fn as never, { compiler: "optimizing" }) as Fn)(...args));

const rootsOf = (fn: Fn, args: readonly Tensor[]): string[] =>
  kernelsOf(runPasses(trace(fn as never, args as never, new Set()).graph, OPTIMIZE)).map(({ attrs: { nest } }) =>
    nest.root ? nest.root.operands.map(({ kernel }) => (kernel ? "made" : "read")).join() : nest.kind,
  );

/** What becomes of a matrix, beside what has an element for each column, one for each row, one alone, and one for each element. */
const KERNELS: Readonly<Record<string, (x: Tensor, row: Tensor, column: Tensor, one: Tensor, same: Tensor) => Tensor>> =
  {
    relu: (x) => Nx.relu(x.asType("f32")),
    "scaled by columns": (x, row) => x.multiply(row),
    "scaled by rows": (x, _row, column) => x.multiply(column).add(1),
    "scaled by one": (x, _row, _column, one) => x.multiply(one),
    "of two matrices": (x, row, _column, one, same) => x.multiply(row).add(same.multiply(one)),
    converted: (x) => x.asType("f32"),
  };

/** Products: sums along rows of the memory and down its columns, the matrix on either side, and of batches. */
const PRODUCTS: Readonly<Record<string, (matrix: Tensor, along: Tensor, down: Tensor) => Tensor>> = {
  "matrix, along": (matrix, along) => matrix.dot(along),
  "matrix, down": (matrix, _along, down) => Nx.dot(matrix, [0], down, [0]),
  "vector, along": (matrix, along) => Nx.dot(along.reshape([1, along.size]), [1], matrix, [1]),
  "vector, down": (matrix, _along, down) => down.dot(matrix),
};

function argumentsOf(type: DType, rows: number, columns: number): Tensor[] {
  const own = type === "s8" ? "f32" : type;
  return [
    source(type, [rows, columns], 1),
    source(own, [columns], 2),
    source(own, [rows, 1], 3),
    source(own, [], 4),
    source(own, [rows, columns], 5),
    source("f32", [columns], 6),
    source("f32", [rows], 7),
  ];
}

const functionOf =
  (kernel: string, product: string): Fn =>
  (x, row, column, one, same, along, down) =>
    PRODUCTS[product]!(KERNELS[kernel]!(x!, row!, column!, one!, same!).asType("f32"), along!, down!);

/** The same product of a matrix that is in memory as a whole. */
function stored(kernel: string, product: string, args: readonly Tensor[]): string {
  const [x, row, column, one, same, along, down] = args as [Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor];
  const matrix = KERNELS[kernel]!(x, row, column, one, same).asType("f32");
  elementsOf(matrix);
  return bytes(PRODUCTS[product]!(matrix, along, down));
}

afterEach(() => tune({ threads: null, arenaBytes: null, compiledFrom: null }));

describe.each(Object.keys(KERNELS))("a matrix that is %s", (kernel) => {
  it.each(Object.keys(PRODUCTS))("%s, has the bits of one that is stored", (product) => {
    tune({ threads: 1 });
    for (const [type, rows, columns] of [
      ["f32", 333, 411],
      ["bf16", 67, 2051],
      ["f16", 2050, 66],
      ["s8", 300, 500],
    ] as const) {
      const args = argumentsOf(type, rows, columns);
      expect(compiled(functionOf(kernel, product), args)).toBe(stored(kernel, product, args));
    }
  });
});

it.each(Object.keys(PRODUCTS))("threads share the rows of %s", async (product) => {
  tune({ threads: 3 });
  const kernel = product.endsWith("down") ? "converted" : "of two matrices";
  const fn = functionOf(kernel, product);
  const args = argumentsOf(kernel === "converted" ? "bf16" : "f32", 50, 6200);
  compiled(fn, args);
  await vi.waitFor(() => expect(readyWorkers()).toBeGreaterThan(0), 20_000);
  const shared = compiled(fn, args);
  tune({ threads: 1 });
  expect(shared).toBe(stored(kernel, product, args));
});

it("matrices outside of the memory of kernels are made as a whole, with the same bits", () => {
  tune({ threads: 1, arenaBytes: 0 });
  const args = argumentsOf("f32", 333, 411);
  for (const product of Object.keys(PRODUCTS)) {
    const fn = functionOf("of two matrices", product);
    expect(compiled(fn, args)).toBe(stored("of two matrices", product, args));
  }
});

it("matrices of a batch are made by rows", () => {
  tune({ threads: 1 });
  const [x, y] = [source("f32", [3, 200, 300], 1), source("f32", [3, 300], 2)];
  const fn: Fn = (x, y) => Nx.dot(Nx.relu(x!), [2], [0], y!, [1], [0]);
  expect(rootsOf(fn, [x, y])).toEqual(["made,read"]);
  const matrices = Nx.relu(x);
  elementsOf(matrices);
  expect(compiled(fn, [x, y])).toBe(bytes(Nx.dot(matrices, [2], [0], y, [1], [0])));
});

describe("structure", () => {
  const [x, v, w] = [source("f32", [400, 400], 1), source("f32", [400], 2), source("f32", [400, 40], 3)];

  it("a kernel on a large matrix belongs to its product with a vector", () => {
    expect(rootsOf((x, v) => Nx.relu(x!).dot(v!), [x, v])).toEqual(["made,read"]);
    expect(rootsOf((x, v) => Nx.dot(v!, [0], x!.multiply(2).add(v!), [1]), [x, v])).toEqual(["read,made"]);
    expect(rootsOf((x, v) => Nx.relu(x!).dot(v!).tanh(), [x, v])).toEqual(["made,read"]);
    expect(rootsOf((x, v) => Nx.relu(x!).dot(v!), [x.asType("f64"), v.asType("f64")])).toEqual(["made,read"]);
  });

  it("elsewhere it is a step of its own", () => {
    expect(rootsOf((x, v) => v!.dot(Nx.relu(x!)), [x, v])).toEqual(["map"]);
    expect(rootsOf((x, w) => Nx.relu(x!).dot(w!), [x, w])).toEqual(["map"]);
    expect(rootsOf((x, v) => Nx.relu(x!).dot(v!), [x.slice([0, 0], [40, 400]), v])).toEqual(["map"]);
    const both: Fn = (x, v) =>
      Nx.relu(x!)
        .dot(v!)
        .add(Nx.relu(x!).sum({ axes: [0] }));
    expect(rootsOf(both, [x, v])).not.toContain("made,read");
  });
});

describe("plain calls", () => {
  it("compute a matrix that waits where it meets the vector", () => {
    tune({ threads: 1, compiledFrom: 0, arenaBytes: 2 ** 30 }); // operands lie in the memory of kernels, whatever other tests keep there
    for (const [type, product] of [
      ["f32", "matrix, along"],
      ["bf16", "vector, along"],
      ["f64", "matrix, along"],
      ["f64", "vector, along"],
    ] as const) {
      const [x, row, column, one, same, ...vectors] = argumentsOf(type, 333, 411) as [Tensor, ...Tensor[]];
      const own = type === "f64" ? "f64" : "f32";
      const [along, down] = vectors.map((vector) => vector.asType(own));
      const matrix = (): Tensor => x.multiply(row!).add(column!).multiply(one!).asType(own).add(same!.asType(own));
      const stored = matrix();
      elementsOf(stored);
      const waits = matrix();
      const made = PRODUCTS[product]!(waits, along!, down!);
      expect(waitingOf(waits)).not.toBeNull();
      expect(bytes(made)).toBe(bytes(PRODUCTS[product]!(stored, along!, down!)));
      expect(bytes(waits)).toBe(bytes(stored));
    }
  });

  it("store a matrix that something else needs", () => {
    tune({ threads: 1, compiledFrom: 0 });
    const [x, v] = [source("f32", [400, 400], 1), source("f32", [400], 2)];
    const waits = x.multiply(2);
    const other = waits.add(1);
    const stored = Nx.multiply(x, 2);
    elementsOf(stored);
    const made = waits.dot(v);
    expect(waitingOf(waits)).toBeNull();
    expect(bytes(made)).toBe(bytes(stored.dot(v)));
    expect(bytes(other)).toBe(bytes(stored.add(1)));
  });
});
