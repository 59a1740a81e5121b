import fc from "fast-check";
import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { readOracle } from "../../oracles/read";
import { errorOf, view } from "../aggregates/view";
import {
  TYPES,
  elements,
  flatIndex,
  isInteger,
  positions,
  sequence,
  sizeOf,
  sumOfProducts,
  tensorOf,
  texts,
  wrap,
  type Element,
} from "./numbers";
import { tries } from "../../effort";
import { arrayOf } from "../../array-of";

const A = Nx.tensor([
  [1, 2, 3],
  [4, 5, 6],
]);
const B = Nx.tensor([
  [7, 8],
  [9, 10],
  [11, 12],
]);

/** What a call does: two operands of which some axes are batch axes, some are contracted, in an order of their own. */
interface Plan {
  left: Operand;
  right: Operand;
  batch: number[];
  contract: number[];
}

interface Operand {
  type: Nx.DType;
  shape: number[];
  /** Positions of the contracted axes, in the order of the pairs. */
  contract: number[];
  names: (string | null)[];
  named: boolean;
}

const sizes = (most: number) => fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: most });

function operand(side: string, batch: number[], contract: number[]): fc.Arbitrary<Operand> {
  return sizes(2).chain((free) => {
    const others = [...contract.map((size, i) => ({ size, pair: i })), ...free.map((size) => ({ size, pair: -1 }))];
    return fc
      .record({
        order: fc.shuffledSubarray(others, { minLength: others.length, maxLength: others.length }),
        type: fc.constantFrom(...TYPES),
        named: fc.boolean(),
      })
      .map(({ order, type, named }) => {
        const shape = [...batch, ...order.map(({ size }) => size)];
        return {
          type,
          shape,
          contract: contract.map((_, i) => batch.length + order.findIndex(({ pair }) => pair === i)),
          names: shape.map((_, axis) => (named ? `${axis < batch.length ? "batch" : side}${axis}` : null)),
          named,
        };
      });
  });
}

const plans: fc.Arbitrary<Plan> = fc.tuple(sizes(2), sizes(2)).chain(([batch, contract]) =>
  fc.record({
    left: operand("l", batch, contract),
    right: operand("r", batch, contract),
    batch: fc.constant(batch),
    contract: fc.constant(contract),
  }),
);

const freeAxes = ({ shape, contract }: Operand, batch: number[]): number[] =>
  shape.map((_, axis) => axis).filter((axis) => axis >= batch.length && !contract.includes(axis));

/** The elements of a line over the contracted axes, the last pair fastest. */
function line(list: Element[], { shape, contract }: Operand, fixed: Map<number, number>, sums: number[]): Element[] {
  return positions(sums).map((at) => {
    const full = shape.map((_, axis) => fixed.get(axis) ?? at[contract.indexOf(axis)]!);
    return list[flatIndex(full, shape)]!;
  });
}

function reference({ left, right, batch, contract }: Plan, x: Element[], y: Element[], type: Nx.DType): Element[] {
  const [freeLeft, freeRight] = [freeAxes(left, batch), freeAxes(right, batch)];
  const fixed = (common: number[], axes: number[], at: number[]) =>
    new Map([...common.map((i, axis) => [axis, i] as const), ...axes.map((axis, i) => [axis, at[i]!] as const)]);
  return positions(batch).flatMap((b) =>
    positions(freeLeft.map((axis) => left.shape[axis]!)).flatMap((l) =>
      positions(freeRight.map((axis) => right.shape[axis]!)).map((r) =>
        sumOfProducts(
          line(x, left, fixed(b, freeLeft, l), contract),
          line(y, right, fixed(b, freeRight, r), contract),
          type,
        ),
      ),
    ),
  );
}

describe("dot against a naive reference", () => {
  it("sums over any axes, with any batch axes, in all types", () => {
    fc.assert(
      fc.property(plans, fc.nat(1000), fc.boolean(), (plan, seed, negative) => {
        const { left, right, batch } = plan;
        fc.pre(left.shape.length > 0 && right.shape.length > 0);
        const type = Nx.Type.merge(left.type, right.type);
        const [x, y] = [
          elements(left.type, sizeOf(left.shape), seed),
          elements(right.type, sizeOf(right.shape), seed + 1),
        ];
        const axesOf = ({ shape, contract, names, named }: Operand) =>
          contract.map((axis) => (named ? names[axis]! : negative ? axis - shape.length : axis));
        const result = Nx.dot(
          tensorOf(x, left.type, left.shape, left.names),
          tensorOf(y, right.type, right.shape, right.names),
          {
            contract: [axesOf(left), axesOf(right)],
            batch: [batch.map((_, i) => i), batch.map((_, i) => (right.named ? `batch${i}` : i))],
          },
        );
        const [freeLeft, freeRight] = [freeAxes(left, batch), freeAxes(right, batch)];
        expect(result.type).toBe(type);
        expect(result.shape).toEqual([
          ...batch,
          ...freeLeft.map((axis) => left.shape[axis]),
          ...freeRight.map((axis) => right.shape[axis]),
        ]);
        expect(result.names).toEqual([
          ...batch.map((_, i) => left.names[i] ?? right.names[i]),
          ...freeLeft.map((axis) => left.names[axis]),
          ...freeRight.map((axis) => right.names[axis]),
        ]);
        expect(texts(result.toFlatList())).toEqual(texts(reference(plan, x, y, type)));
      }),
      { numRuns: tries(300) },
    );
  });

  it("gives the same through its three forms", () => {
    fc.assert(
      fc.property(plans, fc.nat(1000), ({ left, right, batch }, seed) => {
        fc.pre(left.shape.length > 0 && right.shape.length > 0);
        const x = tensorOf(elements(left.type, sizeOf(left.shape), seed), left.type, left.shape);
        const y = tensorOf(elements(right.type, sizeOf(right.shape), seed), right.type, right.shape);
        const first = batch.map((_, i) => i);
        const options = { contract: [left.contract, right.contract], batch: [first, first] } as const;
        const expected = view(Nx.dot(x, y, options));
        expect(view(Nx.dot(x, left.contract, first, y, right.contract, first))).toBe(expected);
        if (batch.length === 0) expect(view(Nx.dot(x, left.contract, y, right.contract))).toBe(expected);
      }),
    );
  });
});

/** The product of row-major matrices, in ascending order. */
function naive(a: Float64Array, b: Float64Array, m: number, k: number, n: number): Float64Array {
  const c = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let l = 0; l < k; l++) sum += a[i * k + l]! * b[l * n + j]!;
      c[i * n + j] = sum;
    }
  }
  return c;
}

function randoms(count: number, seed: number): Float64Array {
  const next = sequence(seed);
  return arrayOf(Float64Array, count, () => (next() - 0.5) * 10 ** Math.floor(next() * 6));
}

const f64 = (values: Float64Array, shape: number[]) => Nx.tensor(values, { type: "f64" }).reshape(shape);

/** How many entries of two arrays differ. */
function differing(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let count = Math.abs(actual.length - expected.length);
  for (let i = 0; i < expected.length; i++) if (!Object.is(actual[i], expected[i])) count++;
  return count;
}

const EDGES = [1, 2, 4, 7, 8, 9, 63, 64, 65, 130];

describe("sizes around the edges of blocks", () => {
  it.each(EDGES)("multiplies matrices of %i rows, bit for bit as the sums in ascending order", (m) => {
    for (const k of EDGES) {
      for (const n of EDGES) {
        const [a, b] = [randoms(m * k, m + k), randoms(k * n, k + n + 1)];
        const result = Nx.dot(f64(a, [m, k]), f64(b, [k, n]));
        expect(differing(result.toTypedArray() as Float64Array, naive(a, b, m, k, n)), `${m}x${k}x${n}`).toBe(0);
      }
    }
  });

  it.each([
    [257, 129, 65],
    [3, 255, 5],
    [4, 256, 4],
    [5, 257, 3],
    [1, 513, 6],
    [6, 513, 1],
    [127, 2, 3],
    [128, 2, 3],
    [129, 300, 3],
    [1, 1030, 1],
  ])("multiplies %i x %i by %i columns, from either side and turned", (m, k, n) => {
    const [a, b] = [randoms(m * k, 3), randoms(k * n, 4)];
    // the order of sums, which this is about, is that of the binary backend
    const [x, y] = Nx.backendCopy([f64(a, [m, k]), f64(b, [k, n])] as const, "binary");
    const expected = naive(a, b, m, k, n);
    const of = (t: Nx.Tensor) => differing(t.toTypedArray() as Float64Array, expected);
    expect(of(Nx.dot(x, y))).toBe(0);
    expect(of(Nx.dot(x.transpose(), [0], y, [0]))).toBe(0);
    expect(of(Nx.dot(x, [1], y.transpose(), [1]))).toBe(0);
    expect(of(Nx.dot(y, [0], x, [1]).transpose())).toBe(0);
    const single = Nx.dot(x.asType("f32"), y.asType("f32")).toTypedArray() as Float32Array;
    expect(differing(single, Float32Array.from(naive(fround(a), fround(b), m, k, n)))).toBe(0);
  });

  it.each(["s64", "u64", "s32", "u32"] as const)("multiplies matrices of %s modulo the width", (type) => {
    for (const [m, k, n] of [
      [1, 9, 1],
      [7, 8, 9],
      [4, 65, 5],
      [1, 130, 3],
      [2, 257, 2],
    ] as const) {
      const [a, b] = [elements(type, m * k, 5), elements(type, k * n, 6)];
      const result = Nx.dot(tensorOf(a, type, [m, k]), tensorOf(b, type, [k, n]));
      const expected = positions([m, n]).map(([i, j]) =>
        sumOfProducts(
          a.slice(i! * k, (i! + 1) * k),
          b.filter((_, at) => at % n === j),
          type,
        ),
      );
      expect(texts(result.toFlatList())).toEqual(texts(expected));
    }
  });

  it("multiplies batches of matrices", () => {
    const [batch, m, k, n] = [3, 9, 65, 7];
    const [a, b] = [randoms(batch * m * k, 8), randoms(batch * k * n, 9)];
    const result = Nx.dot(
      f64(a, [batch, m, k]),
      [2],
      [0],
      f64(b, [batch, k, n]),
      [1],
      [0],
    ).toTypedArray() as Float64Array;
    for (let i = 0; i < batch; i++) {
      const own = naive(a.slice(i * m * k, (i + 1) * m * k), b.slice(i * k * n, (i + 1) * k * n), m, k, n);
      expect(differing(result.slice(i * m * n, (i + 1) * m * n), own)).toBe(0);
    }
  });
});

const fround = (values: Float64Array): Float64Array => values.map(Math.fround);

interface Case {
  types: [Nx.DType, Nx.DType];
  shapes: [number[], number[]];
  data: [(number | string | [number, number])[], (number | string | [number, number])[]];
  shape: number[];
  expected: (number | string | [number, number])[];
}

interface OverAxes extends Case {
  contract: [number[], number[]];
  batch: [number[], number[]];
}

describe("products against NumPy", () => {
  const { dot, matmul } = readOracle<{ dot: OverAxes[]; matmul: Case[] }>("products.json");
  const plain = (x: number | string | [number, number], type: Nx.DType): Element =>
    Array.isArray(x) ? new Nx.Complex(...x) : isInteger(type) && type.endsWith("64") ? BigInt(x) : Number(x);

  const check = (
    { types, shapes, data, shape, expected }: Case,
    multiply: (x: Nx.Tensor, y: Nx.Tensor) => Nx.Tensor,
  ): void => {
    const [x, y] = ([0, 1] as const).map((side) =>
      tensorOf(
        data[side].map((value) => plain(value, types[side])),
        types[side],
        shapes[side],
      ),
    ) as [Nx.Tensor, Nx.Tensor];
    const result = multiply(x, y);
    expect(result.type).toBe(Nx.Type.merge(...types));
    expect(result.shape).toEqual(shape);
    expect(texts(result.toFlatList())).toEqual(texts(expected.map((value) => plain(value, result.type))));
  };

  it.each(
    dot.map(
      (entry) =>
        [`${entry.types.join(" ")} ${JSON.stringify(entry.shapes)} ${JSON.stringify(entry.contract)}`, entry] as const,
    ),
  )("dot: %s", (_, entry) => {
    check(entry, (x, y) => Nx.dot(x, y, { contract: entry.contract, batch: entry.batch }));
  });

  it.each(matmul.map((entry) => [`${entry.types.join(" ")} ${JSON.stringify(entry.shapes)}`, entry] as const))(
    "matmul: %s",
    (_, entry) => {
      check(entry, (x, y) => Nx.matmul(x, y));
      check(entry, (x, y) => Nx.defn((a: Nx.Tensor, b: Nx.Tensor) => a.matmul(b))(x, y));
      if (entry.types[0] !== "f64") return;
      // the gradient is that of the same sums without matmul, whose operands broadcast on their own
      const written = (x: Nx.Tensor, y: Nx.Tensor): Nx.Tensor => {
        const [a, b] = [x.rank === 1 ? x.newAxis(0) : x, y.rank === 1 ? y.newAxis(1) : y];
        const sums = a
          .newAxis(-1)
          .multiply(b.newAxis(-3))
          .sum({ axes: [-2] });
        return sums.reshape(entry.shape);
      };
      const slopes = (fn: typeof written, x: Nx.Tensor, y: Nx.Tensor) =>
        Nx.grad(([a, b]: Nx.Tensor[]) => fn(a!, b!).square().sum())([x, y]).map((t) => view(t));
      check(entry, (x, y) => {
        expect(slopes(Nx.matmul, x, y)).toEqual(slopes(written, x, y));
        return Nx.matmul(x, y);
      });
    },
  );

  it("has the names of axes in front, of rows and of columns", () => {
    const named = (shape: number[], names: Nx.Names) => Nx.iota(shape, { names });
    const batches = named([2, 3, 4], ["batch", "row", "inner"]);
    const names = (x: Nx.Tensor, y: Nx.Tensor) => Nx.matmul(x, y).names;
    expect(names(batches, named([4, 5], ["other", "column"]))).toEqual(["batch", "row", "column"]);
    expect(names(batches, named([6, 1, 4, 5], ["more", null, "row", "column"]))).toEqual([
      "more",
      "batch",
      "row",
      "column",
    ]);
    expect(names(batches, named([4], ["inner"]))).toEqual(["batch", "row"]);
    expect(names(named([3], ["row"]), batches)).toEqual(["batch", "inner"]);
    expect(names(named([4, 2], ["inner", "batch"]), named([3, 2, 5], ["batch", "row", "column"]))).toEqual([
      "batch",
      "inner",
      "column",
    ]);
    expect(
      errorOf(() =>
        names(
          batches,
          batches.rename(["sample", "inner", "column"]).reshape([2, 4, 3], { names: ["sample", "inner", "column"] }),
        ),
      ),
    ).toMatch(/^ArgumentError: Nx.matmul:.*"batch".*"sample"/);
    expect(errorOf(() => names(batches, named([4, 3], ["inner", "row"])))).toContain("duplicate names");
  });

  it("refuses scalars, and axes that do not fit", () => {
    expect(errorOf(() => Nx.matmul(Nx.f32(2), Nx.f32([1])))).toContain(
      "takes no scalars, which Nx.multiply multiplies, got shapes [] and [1]",
    );
    expect(errorOf(() => Nx.matmul(Nx.ones([2, 3]), 2 as never))).toContain("takes no scalars");
    expect(errorOf(() => Nx.matmul(Nx.ones([2, 3, 4]), Nx.ones([3, 4, 5])))).toContain(
      "Nx.matmul cannot broadcast tensors of shapes [2] and [3]",
    );
    expect(errorOf(() => Nx.matmul(Nx.ones([3]), Nx.ones([2, 4, 5])))).toContain(
      "Nx.matmul cannot sum axis 0 of size 3 of [3] with axis 1 of size 4 of [2][4][5]",
    );
  });
});

describe("integers", () => {
  it("wraps around in the type of the result, which is not widened", () => {
    expect(view(Nx.dot(Nx.u8([1, 2]), Nx.u8([200, 100])))).toBe("u8 144");
    expect(view(Nx.dot(Nx.s8([100, 100]), Nx.s8([1, 1])))).toBe("s8 -56");
    expect(view(Nx.dot(Nx.u8([255, 255]), Nx.s8([-128, -128])))).toBe("s16 256");
    expect(view(Nx.dot(Nx.u32([2 ** 32 - 1]), Nx.u32([2 ** 32 - 1])))).toBe("u32 1");
  });

  it("is exact where doubles cease to be", () => {
    expect(view(Nx.dot(Nx.s64([2 ** 52, 2 ** 52, 1]), Nx.s64([1, 1, 1])))).toBe(`s64 ${2n ** 53n + 1n}`);
    expect(view(Nx.dot(Nx.s64([2n ** 53n + 1n]), Nx.s64([1])))).toBe(`s64 ${2n ** 53n + 1n}`);
    expect(view(Nx.dot(Nx.s64([94906267, 1]), Nx.s64([94906267, 0])))).toBe(`s64 ${94906267n ** 2n}`);
    expect(view(Nx.dot(Nx.u64([2n ** 64n - 1n]), Nx.u64([2n ** 64n - 1n])))).toBe("u64 1");
    expect(view(Nx.dot(Nx.s64([-(2n ** 63n)]), Nx.s64([-1])))).toBe(`s64 ${-(2n ** 63n)}`);
    expect(view(Nx.dot(Nx.u64([2n ** 64n - 1n]), Nx.s8([-1])))).toBe("s64 1");
  });

  it("takes exact sums of products of long vectors", () => {
    const values = Array.from({ length: 1000 }, (_, i) => BigInt(i) * 2n ** 50n - 7n);
    const sum = wrap(
      values.reduce((total, x) => total + x * x, 0n),
      "s64",
    );
    expect(view(Nx.dot(Nx.s64(values), Nx.s64(values)))).toBe(`s64 ${sum}`);
  });
});

describe("floats", () => {
  it("rounds once at the end", () => {
    expect(view(Nx.dot(Nx.f32([2 ** 24, 1, 1]), Nx.f32([1, 1, 1])))).toBe("f32 16777218");
    expect(view(Nx.dot(Nx.f16([2048, 1, 1]), Nx.f16([1, 1, 1])))).toBe("f16 2050");
    expect(view(Nx.dot(Nx.bf16([256, 1, 1]), Nx.bf16([1, 1, 1])))).toBe("bf16 258");
    expect(view(Nx.dot(Nx.f16([300, -300]), Nx.f16([300, 300])))).toBe("f16 0");
    expect(view(Nx.dot(Nx.f16([300]), Nx.f16([300])))).toBe("f16 Infinity");
  });

  it.each([1, 3, 4, 5, 9])("lets no infinity or NaN be lost that meets a zero, in %i rows and columns", (n) => {
    for (const special of [Infinity, -Infinity, NaN]) {
      const row = Nx.f32(Array.from({ length: 6 }, (_, i) => (i === 4 ? special : 1))).reshape([1, 6]);
      const zeros = Nx.broadcast(Nx.f32(0), [6, n]);
      const nan = Array.from({ length: n }, () => NaN);
      expect(Nx.dot(row, zeros).toFlatList()).toEqual(nan);
      expect(Nx.dot(zeros, [0], row, [1]).toFlatList()).toEqual(nan);
      expect(Nx.dot(Nx.tile(row, [n, 1]), zeros).toFlatList()).toEqual(Array.from({ length: n * n }, () => NaN));
    }
  });

  it("keeps infinities to the rows and columns they are in", () => {
    const x = Nx.eye(5, { type: "f64" }).toFlatList() as number[];
    x[12] = Infinity;
    const result = Nx.dot(Nx.f64(x).reshape([5, 5]), Nx.broadcast(Nx.f64(1), [5, 5]));
    const one = Array.from({ length: 5 }, () => 1);
    const all = Array.from({ length: 5 }, () => Infinity);
    expect(result.toList()).toEqual([one, one, all, one, one]);
    expect(Nx.dot(Nx.f32([Infinity, 1]), Nx.f32([1, -Infinity])).toNumber()).toBe(NaN);
    expect(Nx.dot(Nx.f32([Infinity, 1]), Nx.f32([2, 3])).toNumber()).toBe(Infinity);
  });

  it("multiplies a real with a complex vector as products of elements do", () => {
    const z = Nx.c64([new Nx.Complex(1, Infinity)]);
    const text = texts(Nx.multiply(Nx.f32([2]), z).toFlatList());
    expect(text).toEqual(["NaN Infinity"]);
    expect(texts(Nx.dot(Nx.f32([2]), z).toFlatList())).toEqual(text);
    expect(texts(Nx.dot(z, Nx.f32([2])).toFlatList())).toEqual(text);
    expect(texts(Nx.dot(Nx.f32([NaN]), Nx.c64([new Nx.Complex(1, 0)])).toFlatList())).toEqual(["NaN NaN"]);
  });
});

describe("examples", () => {
  it("multiplies scalars, also with tensors", () => {
    expect(view(Nx.dot(5, 5))).toBe("s64 25");
    expect(view(Nx.dot(-2.5, 5))).toBe("f32 -12.5");
    expect(view(Nx.dot(Nx.u8([1, 2]), 3))).toBe("s64[2] [3,6]");
    expect(view(Nx.dot(Nx.f64(2), Nx.tensor([[1, 2]], { names: ["x", "y"] })))).toBe("f64[x: 1][y: 2] [[2,4]]");
    expect(view(Nx.dot(2, Nx.s64([1]), { contract: [[], []], batch: [[], []] }))).toBe("s64[1] [2]");
  });

  it("multiplies vectors and matrices", () => {
    expect(view(Nx.dot(Nx.s64([1, 2, 3]), Nx.s64([4, 5, 6])))).toBe("s64 32");
    expect(view(Nx.dot(Nx.tensor([2.5, 3]), Nx.s64([4, 5])))).toBe("f32 25");
    expect(view(Nx.dot(A, B))).toBe("s64[2][2] [[58,64],[139,154]]");
    expect(view(Nx.dot(A, Nx.s64([5, 10, 15])))).toBe("s64[2] [70,160]");
    expect(view(Nx.dot(Nx.s64([1, 2]), A))).toBe("s64[3] [9,12,15]");
    expect(view(Nx.dot(Nx.iota([2, 1, 2]), Nx.iota([2, 2])))).toBe("s64[2][1][2] [[[2,3]],[[6,11]]]");
    expect(view(Nx.dot(Nx.s64([1, 2]), Nx.iota([2, 2, 2])))).toBe("s64[2][2] [[4,7],[16,19]]");
  });

  it("contracts several axes in the order of the pairs, or none", () => {
    const t = Nx.iota([2, 3]);
    expect(view(Nx.dot(t, [0, 1], B, [1, 0]))).toBe("s64 155"); // 0*7 + 1*9 + 2*11 + 3*8 + 4*10 + 5*12
    expect(view(Nx.dot(t, [1, 0], B, [0, 1]))).toBe("s64 155");
    expect(view(Nx.dot(Nx.s64([1, 2]), [], Nx.s64([3, 4]), []))).toBe("s64[2][2] [[3,4],[6,8]]");
    expect(view(Nx.dot(Nx.s64([1, 2]), Nx.s64([3, 4]), { batch: [[0], [0]], contract: [[], []] }))).toBe(
      "s64[2] [3,8]",
    );
  });
});

describe("names", () => {
  const x = A.rename(["i", "j"]);
  const y = B.rename(["k", "l"]);

  it("has those of the batch, of the left, of the right", () => {
    expect(view(Nx.dot(x, y))).toBe("s64[i: 2][l: 2] [[58,64],[139,154]]");
    expect(view(Nx.dot(x, ["i"], y, ["l"]))).toBe("s64[j: 3][k: 3] [[39,49,59],[54,68,82],[69,87,105]]");
    expect(view(Nx.dot(x, ["j"], ["i"], x.rename([null, "b"]), ["b"], [0]))).toBe("s64[i: 2] [14,77]");
    expect(view(Nx.dot(A, [1], [0], x, [1], [0]))).toBe("s64[i: 2] [14,77]");
  });

  it("lets contracted axes have the same name and refuses one that is left twice", () => {
    expect(view(Nx.dot(x, ["j"], B.rename(["j", "l"]), ["j"]))).toBe("s64[i: 2][l: 2] [[58,64],[139,154]]");
    expect(errorOf(() => Nx.dot(x, ["j"], x, ["j"]))).toBe(
      'ArgumentError: Nx.dot: operation would result in duplicate names ["i", "i"] for shape [i: 2][i: 2]; ' +
        'rename an axis of an operand with Nx.rename to avoid the duplicate "i"',
    );
    expect(errorOf(() => Nx.dot(x, [], [0], x.rename([null, "i"]), [], [0]))).toContain(
      'duplicate names ["i", "j", "i"]',
    );
  });

  it("refuses batch axes of different names", () => {
    expect(errorOf(() => Nx.dot(x, ["j"], ["i"], x.rename(["a", "b"]), ["b"], ["a"]))).toContain(
      'cannot merge axis name "i" (axis 0 of [i: 2]) with "a" (axis 0 of [a: 2])',
    );
  });
});

describe("errors", () => {
  const cube = Nx.iota([2, 3, 4]);

  it.each<[string, () => unknown, string]>([
    [
      "sizes that differ",
      () => Nx.dot(A, A),
      "Nx.dot cannot contract axis 1 of size 3 of [2][3] with axis 0 of size 2 of [2][3]: their sizes must be equal",
    ],
    [
      "sizes that differ, with names",
      () => Nx.dot(A.rename(["i", "j"]), ["i"], B, [0]),
      "Nx.dot cannot contract axis 0 of size 2 of [i: 2][j: 3] with axis 0 of size 3 of [3][2]: their sizes must be equal",
    ],
    [
      "batches that differ",
      () => Nx.dot(cube, [2], [0], Nx.iota([3, 4]), [1], [0]),
      "Nx.dot cannot batch axis 0 of size 2 of [2][3][4] with axis 0 of size 3 of [3][4]: their sizes must be equal",
    ],
    [
      "batch axes that are not the first",
      () => Nx.dot(cube, [2], [1], cube, [2], [1]),
      "Nx.dot: batch axes must be successive from 0, got batch axes [1] and contracted axes [2] for shape [2][3][4]; " +
        "transpose the tensor so that its batch axes come first",
    ],
    [
      "batch axes out of order",
      () => Nx.dot(cube, [2], [0, 1], cube, [2], [1, 0]),
      "Nx.dot: batch axes must be successive from 0, got batch axes [1, 0] and contracted axes [2] for shape [2][3][4]",
    ],
    [
      "an axis that is both",
      () => Nx.dot(cube, [0], [0], cube, [1], [0]),
      "Nx.dot: an axis cannot be a batch axis and be contracted too, got batch axes [0] and contracted axes [0] for shape [2][3][4]",
    ],
    [
      "lists of different lengths",
      () => Nx.dot(A, [0, 1], B.rename(["k", "l"]), ["k"]),
      'option contract of Nx.dot must list as many axes of the left as of the right, got [0, 1] for shape [2][3] and ["k"] for ' +
        "shape [k: 3][l: 2]",
    ],
    [
      "batches of different lengths",
      () => Nx.dot(cube, [2], [0], cube, [2], []),
      "option batch of Nx.dot must list as many axes of the left as of the right, got [0] for shape [2][3][4] and [] for shape [2][3][4]",
    ],
    [
      "an unknown axis",
      () => Nx.dot(A, [2], B, [0]),
      "given axis (2) invalid for shape [2][3] with rank 2; expected -2 to 1",
    ],
    [
      "an unknown name",
      // @ts-expect-error there is no axis "k"
      () => Nx.dot(A.rename(["i", "j"]), ["k"], B, [0]),
      'no axis named "k" in shape [i: 2][j: 3]: the axes are "i", "j"',
    ],
    ["an axis given twice", () => Nx.dot(A, [1, 1], B, [0, 0]), "axes must not repeat, got [1, 1] for shape [2][3]"],
    ["an axis that is no axis", () => Nx.dot(A, [0.5], B, [0]), "axis must be an integer or an axis name, got: 0.5"],
    [
      "axes of a scalar",
      () => Nx.dot(2, [0], B, [0]),
      "given axis (0) invalid for shape [] with rank 0; a scalar has no axes",
    ],
    [
      "batch axes with a scalar",
      () => Nx.dot(2, B, { batch: [[], [0]] }),
      "option batch of Nx.dot must list as many axes of the left as of the right, got [] for shape [] and [0] for shape [3][2]",
    ],
    [
      "a contraction that is no pair",
      // @ts-expect-error wrong on purpose
      () => Nx.dot(A, B, { contract: [1] }),
      'option contract of Nx.dot must be the name of an axis that both tensors have, a list of such names, or a pair of lists of axes such as [["x"], ["x"]], got: [1]',
    ],
    [
      "a batch that is no pair",
      // @ts-expect-error wrong on purpose
      () => Nx.dot(A, B, { batch: null }),
      'option batch of Nx.dot must be the name of an axis that both tensors have, a list of such names, or a pair of lists of axes such as [["x"], ["x"]], got: null',
    ],
    [
      "axes that are no list",
      // @ts-expect-error wrong on purpose
      () => Nx.dot(A, [1], B, 0),
      'axes must be an array of axis indices or names such as [0] or ["x"], got: 0',
    ],
    [
      "an unknown option",
      // @ts-expect-error wrong on purpose
      () => Nx.dot(A, B, { contracts: [[1], [0]] }),
      'unknown option "contracts" for Nx.dot; did you mean "contract"? Expected one of: contract, batch',
    ],
    [
      "options that are no object",
      // @ts-expect-error wrong on purpose
      () => Nx.dot(A, B, 3),
      "Nx.dot expects its options as an object such as { contract: ... }, got: 3",
    ],
    [
      "three arguments",
      // @ts-expect-error wrong on purpose
      () => Nx.dot(A, [1], B),
      "Nx.dot expects (left, right, options), (left, axes, right, axes) or (left, axes, batch, right, axes, batch), got 3 arguments " +
        "of which the second is an array: [1]",
    ],
    // @ts-expect-error wrong on purpose
    ["five arguments", () => Nx.dot(A, [1], [0], B, [0]), "got 5 arguments of which the second is an array: [1]"],
    // @ts-expect-error wrong on purpose
    ["lists for tensors", () => Nx.dot(A, [1, 2, 3]), "got 2 arguments of which the second is an array: [1, 2, 3]"],
    // @ts-expect-error wrong on purpose
    ["text", () => Nx.dot("x", B), "Nx.dot"],
    [
      "a result that is too large",
      () => Nx.dot(Nx.iota([70000]), [], Nx.iota([70000]), []),
      "the result of Nx.dot, shape [70000][70000] has 4900000000 elements, more than the 4294967295 a tensor can hold",
    ],
  ])("refuses %s", (_, call, message) => {
    const error = errorOf(call);
    expect(error).toMatch(/^ArgumentError: /);
    expect(error).toContain(message);
  });
});

describe("outer", () => {
  it("multiplies all pairs, in all pairs of types", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TYPES),
        fc.constantFrom(...TYPES),
        sizes(3),
        sizes(2),
        fc.nat(99),
        (s, t, p, q, seed) => {
          const [a, b] = [elements(s, sizeOf(p), seed), elements(t, sizeOf(q), seed + 7)];
          const type = Nx.Type.merge(s, t);
          const result = Nx.outer(tensorOf(a, s, p), tensorOf(b, t, q));
          expect(result.type).toBe(type);
          expect(result.shape).toEqual([a.length, b.length]);
          const expected = a.flatMap((x) => b.map((y) => sumOfProducts([x], [y], type)));
          expect(texts(result.toFlatList())).toEqual(texts(expected));
        },
      ),
    );
  });

  it("takes names of vectors, and flattens the rest", () => {
    const [x, y] = [Nx.tensor([1, 2], { names: ["x"] }), Nx.tensor([3, 4, 5], { names: ["y"] })];
    expect(view(Nx.outer(x, y))).toBe("s64[x: 2][y: 3] [[3,4,5],[6,8,10]]");
    expect(view(Nx.outer(x, A))).toBe("s64[x: 2][6] [[1,2,3,4,5,6],[2,4,6,8,10,12]]");
    expect(view(Nx.outer(A.rename(["x", "y"]).at(0), x.rename(["z"])))).toBe("s64[y: 3][z: 2] [[1,2],[2,4],[3,6]]");
    expect(view(Nx.outer(A.rename(["x", "y"]), 2))).toBe("s64[6][1] [[2],[4],[6],[8],[10],[12]]");
    expect(view(Nx.outer(3, 2.5))).toBe("f32[1][1] [[7.5]]");
    expect(view(Nx.outer(2, Nx.u8([200])))).toBe("s64[1][1] [[400]]");
  });

  it("refuses the same name twice, results that are too large, and what is no tensor", () => {
    const x = Nx.tensor([1, 2], { names: ["x"] });
    expect(errorOf(() => Nx.outer(x, x))).toContain(
      'ArgumentError: Nx.outer: operation would result in duplicate names ["x", "x"]',
    );
    expect(errorOf(() => Nx.outer(Nx.iota([70000]), Nx.iota([70000])))).toContain(
      "ArgumentError: the result of Nx.outer, shape [70000][70000] has 4900000000 elements",
    );
    // @ts-expect-error wrong on purpose
    expect(errorOf(() => Nx.outer([1, 2], x))).toMatch(/^ArgumentError: .*Nx\.outer/);
  });
});

describe("axes by names that both have", () => {
  const NAMES = ["a", "b", "c", "d", "e"];
  const permutation = (count: number) => fc.shuffledSubarray(NAMES.slice(0, count), { minLength: count });
  const plan = fc.record({
    batch: fc.integer({ min: 0, max: 2 }),
    contract: fc.integer({ min: 1, max: 2 }),
    left: permutation(4),
    right: permutation(4),
  });

  it("are the pairs of their positions, with batch axes brought to the front", () => {
    fc.assert(
      fc.property(plan, ({ batch, contract, left, right }) => {
        const shared = NAMES.slice(0, batch + contract);
        const ofRight = right.map((name) => (shared.includes(name) ? name : `${name}'`));
        const sizes = (names: readonly string[]) => names.map((name) => 2 + (NAMES.indexOf(name[0]!) % 3));
        const x = Nx.iota(sizes(left), { names: left });
        const y = Nx.iota(sizes(right), { names: ofRight });
        const [batches, sums] = [shared.slice(0, batch), shared.slice(batch)];
        const first = (t: Nx.Tensor) =>
          t.transpose({ axes: [...batches, ...t.names.filter((name) => !batches.includes(name!))] as string[] });
        const expected = Nx.dot(first(x), first(y), { contract: [sums, sums], batch: [batches, batches] });
        const given = batch === 0 ? { contract: sums } : { contract: sums, batch: batches };
        expect(Nx.dot(x, y, given).equals(expected)).toBe(true);
        if (sums.length === 1 && batch === 1) {
          expect(x.dot(y, { contract: sums[0]!, batch: batches[0]! }).equals(expected)).toBe(true);
        }
      }),
      { numRuns: tries(100) },
    );
  });

  it("must be axes of both", () => {
    const x = Nx.iota([2, 3], { names: ["i", "j"] });
    // @ts-expect-error the right one has no axis "i"
    expect(errorOf(() => Nx.dot(x, x.rename(["j", "k"]), { contract: "i" }))).toBe(
      'ArgumentError: Nx.dot: no axis named "i" in shape [j: 2][k: 3]: the axes are "j", "k"',
    );
  });
});
