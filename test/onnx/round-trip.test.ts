/**
 * Functions written as ONNX models and read back: the same bits where every op has an equivalent, within a bound elsewhere. No runtime is
 * needed for that.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "../../lib/index";
import type { Tensor } from "../../lib/index";
import { fromOnnx, toOnnx } from "../../lib/onnx";
import { BINARY, CUMULATIVE, REDUCE, UNARY, WINDOW } from "../../lib/ops";

type Fn = (...args: Tensor[]) => unknown;

const leaves = (container: unknown): Tensor[] => Nx.Defn.Composite.leaves(container as never) as Tensor[];

/** The largest difference between a function and what its model computes, by the size of the result; 0 for the same bits. */
function difference(fn: Fn, args: readonly Tensor[], opset = 22): number {
  const { bytes, outputs } = toOnnx(fn, args as never, { opset });
  const model = fromOnnx(bytes);
  const expected = leaves(Nx.defn(fn)(...args));
  for (const call of [model, Nx.defn((list: readonly Tensor[]) => model(list))] as const) {
    const got = call(args as Tensor[]);
    const found = outputs.map(({ name }) => got[name]!);
    expect(found.map(({ type, shape, names }) => [type, shape, names])).toEqual(
      expected.map(({ type, shape, names }) => [type, shape, names]),
    );
    const worst = Math.max(...found.map((t, i) => distance(t, expected[i]!)));
    if (worst > 0) return worst;
  }
  return 0;
}

function distance(a: Tensor, b: Tensor): number {
  const [x, y] = [a, b].map((t) => (Nx.toFlatList(t) as (number | bigint)[]).map(Number)) as [number[], number[]];
  const scale = Math.max(...y.map((each) => (Number.isFinite(each) ? Math.abs(each) : 0)), 1e-30);
  const errors = x.map((each, i) => {
    if (Object.is(each, y[i])) return 0;
    return Math.abs(each - y[i]!) / Math.max(Math.abs(y[i]!), scale * 1e-3) || Infinity;
  });
  return Math.max(...errors);
}

const random = (seed: number, shape: number[]): Tensor =>
  Nx.Random.normalSplit(Nx.Random.key(seed), { shape }) as Tensor;

const line = Nx.f32([-2.5, -1, -0.5, -0, 0, 0.25, 0.5, 1, 1.5, 3, 40, NaN, Infinity, -Infinity], { names: ["x"] });
const integers = Nx.tensor([-7, -1, 0, 1, 2, 5, 100], { names: ["x"] });

type Named = Readonly<Record<string, (t: Tensor) => Tensor>>;
const functions = Nx as unknown as Named;

/** Ops that ONNX has no operator for, so that others stand for them, and how far these may be away. */
const APART: Readonly<Record<string, number>> = {
  atan2: 3e-7,
  cbrt: 3e-7,
  erfInv: 3e-6,
  erfc: 1e-3, // 1 - erf: the tail is lost
  exp2: 3e-7,
  expm1: 3e-7,
  geluTanh: 1e-6,
  hardSigmoid: 3e-7,
  hardSwish: 3e-7,
  log10: 3e-7,
  log1p: 3e-7,
  log2: 3e-7,
  mish: 1e-6,
  quickGelu: 3e-7,
  rsqrt: 3e-7,
  selu: 3e-7,
  sigmoid: 3e-7,
  silu: 3e-7,
  softplus: 3e-7,
};

/** Ops of bits. */
const BITS: readonly string[] = ["bitwiseNot", "countLeadingZeros", "populationCount"];

/** What has no equivalent. */
const REFUSED = /complex|conjugate|real|imag/;

describe("element-wise ops", () => {
  it.each(Object.keys(UNARY).filter((op) => !REFUSED.test(op)))("%s", (op) => {
    const operands = BITS.includes(op) ? [integers] : [line, integers];
    for (const t of operands) expect(difference((x) => functions[op]!(x!), [t])).toBeLessThanOrEqual(APART[op] ?? 0);
  });

  it.each(Object.keys(BINARY).filter((op) => !REFUSED.test(op)))("%s", (op) => {
    const fn = (Nx as unknown as Readonly<Record<string, (a: Tensor, b: Tensor) => Tensor>>)[op]!;
    const { rule } = (BINARY as Readonly<Record<string, { rule: string }>>)[op]!;
    const isInteger = /integer|bit|shift|quotient/i.test(`${rule} ${op}`);
    const pairs = isInteger ? [[integers, Nx.tensor([1, 2, 3, 1, 2, 3, 4])]] : [[line, Nx.reverse(line)], [integers, Nx.tensor([1, 2, 3, 1, 2, 3, 4])]]; // prettier-ignore
    for (const pair of pairs)
      expect(difference((a, b) => fn(a!, b!), pair as Tensor[])).toBeLessThanOrEqual(APART[op] ?? 0);
  });
});

/** Two of them lie just above the middle of two floats, where the nearest double is that middle. */
const WIDE = [2n ** 53n + 2n ** 29n + 1n, 2n ** 62n + 2n ** 38n + 1n, 2n ** 53n + 2n ** 45n + 1n, 2049n, 3n];

it.each(["f32", "f16", "bf16", "f64"] as const)(
  "extremes of integers of 64 bits beside %s are rounded once",
  (type) => {
    const one = Nx.tensor(1, { type });
    for (const x of [Nx.s64(WIDE), Nx.u64(WIDE), Nx.s64(WIDE.map((n) => -n))]) {
      expect(difference((a, b) => [Nx.max(a!, b!), Nx.min(b!, a!)], [x, one])).toBe(0);
    }
  },
);

const table = random(1, [4, 6]);

describe("ops over axes", () => {
  it.each(Object.keys(REDUCE))("%s", (op) => {
    const names: Readonly<Record<string, string>> = { max: "reduceMax", min: "reduceMin" };
    const fn = (Nx as unknown as Readonly<Record<string, (t: Tensor, o: object) => Tensor>>)[names[op] ?? op]!;
    for (const t of [table, table.multiply(10).asType("s32")]) {
      expect(difference((x) => [fn(x!, { axes: [1] }), fn(x!, {})], [t as Tensor])).toBeLessThanOrEqual(1e-6);
    }
  });

  it.each(Object.keys(CUMULATIVE))("%s", (op) => {
    const fn = (Nx as unknown as Readonly<Record<string, (t: Tensor, o: object) => Tensor>>)[op]!;
    const both = (x?: Tensor): Tensor[] => [fn(x!, { axis: 1 }), fn(x!, { axis: 0, reverse: true })];
    expect(difference(both, [table])).toBeLessThanOrEqual(1e-6);
  });

  it.each(Object.keys(WINDOW))("%s", (op) => {
    const fn = (Nx as unknown as Readonly<Record<string, (t: Tensor, w: number[], o: object) => Tensor>>)[op]!;
    const options = { strides: [1, 2], padding: "same" };
    expect(difference((x) => fn(x!, [2, 3], options), [table])).toBeLessThanOrEqual(1e-6);
  });
});

const image = random(2, [2, 3, 8, 8]);
const kernel = random(3, [4, 3, 3, 3]);
const newton = (x: Tensor): unknown =>
  Nx.Defn.whileLoop({ y: Nx.onesLike(x) as Tensor, i: Nx.tensor(0) }, ({ i }) => Nx.less(i, 6), ({ y, i }) => ({ y: y.add(x.divide(y)).divide(2), i: i.add(1) })); // prettier-ignore

/** Whole programs, and how far their models may be away. */
const PROGRAMS: Readonly<Record<string, readonly [fn: Fn, args: readonly Tensor[], bound: number]>> = {
  gelu: [(x) => Nx.gelu(x!, { approximate: "tanh" }), [table], 1e-6],
  softmax: [(x) => Nx.softmax(x!, { axis: 1 }), [table], 1e-6],
  "layer norm": [
    (x) =>
      x!
        .subtract(x!.mean({ axes: [1], keepAxes: true }))
        .divide(Nx.standardDeviation(x!, { axes: [1], keepAxes: true })),
    [table],
    1e-6,
  ],
  "product of matrices": [(a, b) => Nx.dot(a!, b!), [table, random(4, [6, 5])], 1e-6],
  "batched product": [(a, b) => Nx.einsum("bij,bjk->bik", a!, b!), [random(5, [2, 3, 4]), random(6, [2, 4, 5])], 1e-6],
  conv: [(x, w) => Nx.conv(x!, w!, { strides: 2, padding: "same" }), [image, kernel], 1e-5],
  "gradient of conv": [(x, w) => Nx.grad((k: Tensor) => Nx.sum(Nx.conv(x!, k).multiply(2)))(w!), [image, kernel], 1e-5],
  "gradient of max pooling": [
    (x) => Nx.grad((t: Tensor) => Nx.sum(Nx.windowMax(t, [1, 1, 2, 2], { strides: [1, 1, 2, 2] }).multiply(3)))(x!),
    [image],
    0,
  ],
  "training step": [
    (w, x, y) => {
      const loss = (p: Tensor): Tensor => Nx.mean(Nx.pow(Nx.subtract(Nx.tanh(Nx.dot(x!, p)), y!), 2)) as Tensor;
      const [value, gradient] = Nx.valueAndGrad(loss)(w!);
      return [value, w!.subtract(gradient.multiply(0.1))];
    },
    [random(7, [6, 2]), table, random(8, [4, 2])],
    1e-5,
  ],
  sorting: [
    (x) => [Nx.sort(x!, { axis: 1 }), Nx.argsort(x!, { axis: 0, direction: "desc" }), Nx.median(x!, { axis: 1 })],
    [table],
    0,
  ],
  "top k": [(x) => Nx.topK(x!, { k: 2 }), [table], 0],
  positions: [(x) => [Nx.argmax(x!, { axis: 1 }), Nx.argmin(x!, { axis: 0, tieBreak: "high" })], [table], 0],
  indexing: [
    (x) => [
      Nx.take(x!, Nx.tensor([1, 0, 3])),
      Nx.takeAlongAxis(x!, Nx.argsort(x!, { axis: 1 }), { axis: 1 }),
      Nx.gather(x!, Nx.tensor([[0, 1], [2, 2]])), // prettier-ignore
      Nx.indexedAdd(x!, Nx.tensor([[0, 0], [0, 0]]), Nx.f32([1, 2])), // prettier-ignore
      Nx.indexedPut(x!, Nx.tensor([[0, 0], [1, 1]]), Nx.f32([1, 2])), // prettier-ignore
      Nx.putSlice(x!, [1, 2], Nx.f32([[7, 8]])), // prettier-ignore
      Nx.slice(x!, [Nx.tensor(9), 1], [2, 3]),
    ],
    [table],
    0,
  ],
  "sums that are rounded once": [
    (x, updates) => Nx.indexedAdd(x!, Nx.tensor([[0], [0], [0], [0]]), updates!), // in f32 the small ones are lost, and the tie goes down
    [Nx.tensor([1], { type: "bf16" }), Nx.tensor([2 ** 30, 133 * 2 ** 23, 4, 4], { type: "bf16" })],
    0,
  ],
  "sums of half floats that are rounded once": [
    (x) => Nx.sum(x!), // in f32 the small one is lost, and the tie goes to the even neighbour
    [Nx.tensor([-101 * 2 ** 23, -69 * 2 ** 22, -9, -101 * 2 ** 23], { type: "bf16" })],
    0,
  ],
  shapes: [
    (x) => [Nx.transpose(x!), Nx.reverse(x!), Nx.concatenate([x!, x!], { axis: 1 }), Nx.pad(x!, 1, [[1, 2, 1], [-1, 0]]), Nx.tile(x!, [2, 1]), Nx.reshape(x!, [3, 8])], // prettier-ignore
    [table],
    0,
  ],
  "starts beyond the signed numbers": [
    (x, at) => [
      Nx.slice(x!, [at!, 1], [2, 3]),
      Nx.slice(x!, [0, at!], [2, 2]),
      Nx.putSlice(x!, [at!, at!], Nx.f32([[7, 8]])),
    ],
    [table, Nx.u64(2n ** 63n + 5n)],
    0,
  ],
  "scattering to elements that are as extreme as padding": [
    (least, most, wide, x) => [
      Nx.windowScatterMax(least!, Nx.f32([1, 2, 4, 8, 16]), 0, [2], { padding: [[1, 1]] }),
      Nx.windowScatterMin(most!, Nx.f32([1, 2, 4]), 0, [3], { padding: [[2, 1]], strides: 2 }),
      Nx.windowScatterMax(wide!, Nx.s64([1, 2, 4]), 0, [2], { padding: [[0, 2]] }),
      Nx.windowScatterMax(x!, Nx.f32([1, 2, 4, 8, 16]), 0.5, [2], { padding: [[1, 1]] }),
      Nx.windowScatterMin(x!, Nx.f32([1, 2]), 0.5, [2], { padding: [[-1, 0]] }),
      Nx.windowScatterMin(x!.negate(), Nx.f32([1, 2, 4, 8, 16, 32]), 0.5, [3], { padding: [[1, 3]] }),
    ],
    [
      Nx.u8([0, 0, 3, 0]),
      Nx.s16([32767, 5, 32767, 32767, 32767]),
      Nx.s64([-(2n ** 63n), -(2n ** 63n)]),
      Nx.f32([-Infinity, -Infinity, NaN, -Infinity]),
    ],
    0,
  ],
  "padding with numbers of wider types": [
    (x) => [Nx.pad(x!, 256, [[1, 0, 1]]), Nx.pad(x!, 0.5, [[1, 1, 0]]), Nx.pad(x!, Nx.f64(1e300), [[-1, 1, 0]])],
    [Nx.u8([1, 2, 255])],
    0,
  ],
  "bits as elements of other widths": [
    (x) => [
      Nx.bitcast(x!, "u8"),
      Nx.bitcast(x!, "f64"),
      Nx.bitcast(Nx.bitcast(x!, "s64"), "bf16"),
      Nx.bitcast(Nx.bitcast(x!, "u16"), "s32"),
    ],
    [table],
    0,
  ],
  "quotients of wide integers": [
    (a, b) => [Nx.divide(a!, b!), Nx.divide(a!.asType("s64").multiply(2 ** 20), b!)],
    [Nx.s32([1413615057, 2147483647, 123456789]), Nx.s32([-9, 3, -7])],
    0,
  ],
  "integers too wide for half floats": [
    (a, b) => [a!.multiply(b!), a!.subtract(b!.asType("f16")), Nx.divide(a!, Nx.u16([3, 7]))],
    [Nx.s16([27336, -32000]), Nx.tensor([-1.6328125, 3], { type: "bf16" })],
    0,
  ],
  casts: [
    (x) => [
      x!.asType("s8"),
      x!.asType("u8"),
      x!.asType("f64"),
      x!.asType("bf16").asType("f32"),
      x!.asType("f16").multiply(2).asType("f32"),
      Nx.greater(x!, 0),
    ],
    [table.multiply(100) as Tensor],
    0,
  ],
  while: [(x) => newton(x!), [Nx.f32([2, 3, 5])], 0],
  "gradient of while": [
    (x) => Nx.grad((t: Tensor) => Nx.sum((newton(t) as { y: Tensor }).y))(x!),
    [Nx.f32([2, 3, 5])],
    1e-6,
  ],
  scan: [
    (x) =>
      Nx.Defn.scan((s: Tensor, t: Tensor) => [s.multiply(0.5).add(t), s.add(1)], Nx.zeros([6], { type: "f32" }), x!),
    [table],
    0,
  ],
  "reversed scan": [
    (x) => Nx.Defn.scan((s: Tensor, t: Tensor) => [s.add(t), s], Nx.zeros([6], { type: "f32" }), x!, { reverse: true }),
    [table],
    0,
  ],
  "gradient of scan": [
    (x) =>
      Nx.grad(
        (t: Tensor) => Nx.Defn.scan((s: Tensor, e: Tensor) => [s.multiply(e).add(1), s], Nx.f32(1), t)[0] as Tensor,
      )(x!),
    [random(9, [7])],
    1e-6,
  ],
  cond: [(x) => Nx.Defn.cond([[Nx.greater(Nx.sum(x!), 0), () => x!.add(1)]], () => x!.multiply(2)), [table], 0],
  random: [
    (key) => [
      Nx.Random.uniformSplit(key!, { shape: [20] }),
      Nx.Random.randintSplit(key!, 0, 100, { shape: [20] }),
      Nx.Random.shuffle(key!, Nx.iota([10]))[0],
    ],
    [Nx.Random.key(3)],
    0,
  ],
  "reduction by a function": [
    (x) => Nx.reduce(x!, 0, (a: Tensor, b: Tensor) => a.add(b.multiply(b)), { axes: [1] }),
    [table],
    1e-6,
  ],
  vmap: [(x) => Nx.Defn.vmap((t: Tensor) => Nx.cumulativeSum(Nx.sort(t)).multiply(2))(x!), [table], 1e-6],
};

describe("programs", () => {
  it.each(Object.entries(PROGRAMS))("%s", (_, [fn, args, bound]) => {
    expect(difference(fn, args)).toBeLessThanOrEqual(bound);
  });

  it("that reduce by a function of tensors around it compute with all of them, or are refused", () => {
    const rows = Nx.f32([[1, 2], [3, 5]]); // prettier-ignore
    const around = (x?: Tensor, t?: Tensor): Tensor =>
      Nx.reduce(x!, 0, (sum: Tensor, y: Tensor) => sum.add(y.multiply(Nx.sum(t!)))) as Tensor;
    expect(difference(around, [Nx.f32([1, 2]), rows])).toBe(0);
    const alone = (x: Tensor, t: Tensor): Tensor => Nx.reduce(x, 1, () => Nx.variance(t)) as Tensor;
    expect(() => toOnnx(alone, [Nx.f32([1]), rows])).toThrow(
      "toOnnx: a function with loops, branches or shapes within a reduction has no equivalent",
    );
  });

  it("keep names of axes and sizes that each call decides", () => {
    const fn = (t: Tensor): Tensor =>
      Nx.softmax(t.subtract(t.mean({ axes: ["time"], keepAxes: true })), { axis: "feature" }) as Tensor;
    const { bytes } = toOnnx(
      fn as Fn,
      [Nx.template(["batch", "steps", 3], "f32", { names: ["sample", "time", "feature"] })] as never,
    );
    const model = fromOnnx(bytes);
    expect(model.inputs[0]).toMatchObject({ dims: ["batch", "steps", 3], names: ["sample", "time", "feature"] });
    for (const [batch, steps] of [
      [1, 5],
      [7, 2],
    ] as const) {
      // prettier-ignore
      const x = Nx.rename(random(batch, [batch, steps, 3]), ["sample", "time", "feature"]) as Tensor;
      const got = Object.values(model(x))[0]!;
      expect(got.names).toEqual(["sample", "time", "feature"]);
      expect(distance(got, fn(x))).toBeLessThan(1e-6);
    }
  });

  it("read from a file are written again", () => {
    const { bytes } = toOnnx((x: Tensor) => Nx.tanh(x).multiply(2), [table] as never);
    const model = fromOnnx(bytes);
    const again = fromOnnx(toOnnx((x: Tensor) => Object.values(model(x))[0]!, [table] as never).bytes);
    expect(distance(Object.values(again(table))[0]!, Object.values(model(table))[0]!)).toBe(0);
  });
});
