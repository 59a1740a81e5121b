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
  sizeOf,
  sumOfProducts,
  tensorOf,
  texts,
  type Element,
} from "./numbers";
import { tries } from "../../effort";

type Pair = readonly [low: number, high: number];

/** A convolution with everything spelled out. */
interface Plan {
  types: readonly [Nx.DType, Nx.DType];
  /** Sizes of the batch, before it is divided by its groups, and of the channels and filters of one group. */
  batch: number;
  channels: number;
  filters: number;
  featureGroups: number;
  batchGroups: number;
  axes: readonly Axis[];
  padding: "valid" | "same" | "list";
}

interface Axis {
  size: number;
  kernel: number;
  stride: number;
  pad: Pair;
  inputDilation: number;
  kernelDilation: number;
}

const small = (least: number, most: number) => fc.integer({ min: least, max: most });

const axis: fc.Arbitrary<Axis> = fc.record({
  size: small(1, 5),
  kernel: small(1, 3),
  stride: small(1, 3),
  pad: fc.tuple(small(-2, 3), small(-2, 3)),
  inputDilation: small(1, 3),
  kernelDilation: small(1, 3),
});

const plans: fc.Arbitrary<Plan> = fc.record({ groups: small(1, 3), which: fc.boolean() }).chain(({ groups, which }) =>
  fc.record({
    types: fc.tuple(fc.constantFrom(...TYPES), fc.constantFrom(...TYPES)),
    batch: small(1, 2).map((n) => (which ? n : n * groups)),
    channels: small(1, 3),
    filters: small(1, 3),
    featureGroups: fc.constant(which ? groups : 1),
    batchGroups: fc.constant(which ? 1 : groups),
    axes: fc.array(axis, { minLength: 1, maxLength: 3 }),
    padding: fc.constantFrom("valid", "same", "list"),
  }),
);

const inputShape = ({ batch, channels, featureGroups, axes }: Plan): number[] => [
  batch,
  channels * featureGroups,
  ...axes.map(({ size }) => size),
];

const kernelShape = ({ channels, filters, featureGroups, batchGroups, axes }: Plan): number[] => [
  filters * featureGroups * batchGroups,
  channels,
  ...axes.map(({ kernel }) => kernel),
];

function paddingOf({ padding }: Plan, { kernel, kernelDilation, pad }: Axis): Pair {
  const extent = (kernel - 1) * kernelDilation;
  if (padding === "same") return [Math.floor(extent / 2), Math.ceil(extent / 2)];
  return padding === "valid" ? [0, 0] : pad;
}

/** How many positions the kernel has, counted one by one. */
function resultSize(plan: Plan, axis: Axis): number {
  const [low, high] = paddingOf(plan, axis);
  const span = low + (axis.size - 1) * axis.inputDilation + 1 + high;
  let count = 0;
  for (let at = 0; at + (axis.kernel - 1) * axis.kernelDilation < span; at += axis.stride) count++;
  return count;
}

const optionsOf = ({ axes, padding, featureGroups, batchGroups }: Plan): Nx.ConvOptions => ({
  strides: axes.map(({ stride }) => stride),
  padding: padding === "list" ? axes.map(({ pad }) => pad) : padding,
  inputDilation: axes.map(({ inputDilation }) => inputDilation),
  kernelDilation: axes.map(({ kernelDilation }) => kernelDilation),
  featureGroupSize: featureGroups,
  batchGroupSize: batchGroups,
});

const floating = ([x, w]: readonly [Nx.DType, Nx.DType]): Nx.DType => {
  const merged = Nx.Type.merge(x, w);
  return isInteger(merged) ? "f32" : merged;
};

/** The element of the input that a tap meets, 0 in the padding and between the elements. */
function met(x: Element[], plan: Plan, row: number, channel: number, at: number[], tap: number[]): Element {
  const places = plan.axes.map((axis, i) => {
    const place = at[i]! * axis.stride + tap[i]! * axis.kernelDilation - paddingOf(plan, axis)[0];
    return place % axis.inputDilation === 0 ? place / axis.inputDilation : -1;
  });
  if (!places.every((place, i) => place >= 0 && place < plan.axes[i]!.size)) return 0;
  return x[flatIndex([row, channel, ...places], inputShape(plan))]!;
}

function reference(plan: Plan, x: Element[], w: Element[]): Element[] {
  const { batch, channels, filters, featureGroups, batchGroups, axes } = plan;
  const rows = batch / batchGroups;
  const taps = positions([channels, ...axes.map(({ kernel }) => kernel)]);
  const shape = [rows, kernelShape(plan)[0]!, ...axes.map((axis) => resultSize(plan, axis))];
  return positions(shape).map(([n, filter, ...at]) => {
    const group = Math.floor(filter! / filters);
    const row = batchGroups > 1 ? group * rows + n! : n!;
    const first = featureGroups > 1 ? group * channels : 0;
    return sumOfProducts(
      taps.map(([channel, ...tap]) => met(x, plan, row, first + channel!, at, tap)),
      taps.map((tap) => w[flatIndex([filter!, ...tap], kernelShape(plan))]!),
      floating(plan.types),
    );
  });
}

/** The order that undoes another. */
const undo = (order: readonly number[]): number[] => order.map((_, i) => order.indexOf(i));

const orderOf = (rank: number, seed: number): number[] => {
  const left = Array.from({ length: rank }, (_, i) => i);
  return Array.from({ length: rank }, (_, i) => left.splice((seed >> (3 * i)) % left.length, 1)[0]!);
};

describe("conv against a naive reference", () => {
  it("takes strides, padding, dilations and groups in any number of dimensions and all types", () => {
    fc.assert(
      fc.property(plans, small(0, 1000), (plan, seed) => {
        const [inputSizes, kernelSizes] = [inputShape(plan), kernelShape(plan)];
        const [x, w] = [
          elements(plan.types[0], sizeOf(inputSizes), seed),
          elements(plan.types[1], sizeOf(kernelSizes), seed + 1),
        ];
        const call = () =>
          Nx.conv(tensorOf(x, plan.types[0], inputSizes), tensorOf(w, plan.types[1], kernelSizes), optionsOf(plan));
        const spatial = plan.axes.map((axis) => resultSize(plan, axis));
        if (spatial.includes(0)) {
          expect(errorOf(call)).toContain("ArgumentError: Nx.conv would give an empty result: spatial axis");
          return;
        }
        const result = call();
        expect(result.type).toBe(floating(plan.types));
        expect(result.shape).toEqual([plan.batch / plan.batchGroups, kernelSizes[0], ...spatial]);
        expect(texts(result.toFlatList())).toEqual(texts(reference(plan, x, w)));
      }),
      { numRuns: tries(400) },
    );
  });

  it("finds the axes of input, kernel and result where they are said to be, by position or name", () => {
    fc.assert(
      fc.property(plans, small(0, 4095), small(0, 4095), small(0, 4095), fc.boolean(), (plan, p, q, r, named) => {
        const rank = plan.axes.length + 2;
        const orders = [orderOf(rank, p), orderOf(rank, q), orderOf(rank, r)] as const;
        const name = (at: number) => `a${at}`;
        const axes = (order: readonly number[]) => (named ? order.map(name) : order.map((at) => at - rank));
        const sample = (type: Nx.DType, shape: number[]) => tensorOf(elements(type, sizeOf(shape), p), type, shape);
        const [x, w] = [sample(plan.types[0], inputShape(plan)), sample(plan.types[1], kernelShape(plan))];
        fc.pre(!plan.axes.some((axis) => resultSize(plan, axis) === 0));
        const names = x.shape.map((_, at) => (named ? name(at) : null));
        const result = Nx.conv(
          x.transpose({ axes: undo(orders[0]) }).rename(names),
          w.transpose({ axes: undo(orders[1]) }).rename(names),
          {
            ...optionsOf(plan),
            inputPermutation: axes(orders[0]),
            kernelPermutation: axes(orders[1]),
            outputPermutation: axes(orders[2]),
          },
        );
        // The axis of the result that has a role bears the name of the axis of the input that has it.
        expect(orders[2].map((at) => result.names[at])).toEqual(orders[0].map((at) => names[at]));
        const straight = result.rename(names.map(() => null)).transpose({ axes: orders[2] });
        expect(view(straight)).toBe(view(Nx.conv(x, w, optionsOf(plan))));
      }),
    );
  });

  it("lays out long results in stretches", () => {
    // 9 x 9 x 8 places of the kernel: some 800 positions at a time, of 1600 that are wanted.
    const plan: Plan = {
      types: ["f64", "f64"],
      batch: 1,
      channels: 8,
      filters: 1,
      featureGroups: 1,
      batchGroups: 1,
      axes: [40, 40].map((size) => ({ ...PLAIN, size, kernel: 9 })),
      padding: "same",
    };
    const [x, w] = [elements("f64", 12800, 1), elements("f64", 648, 2)];
    const result = Nx.conv(
      tensorOf(x, "f64", inputShape(plan)),
      tensorOf(w, "f64", kernelShape(plan)),
      optionsOf(plan),
    );
    expect(texts(result.toFlatList())).toEqual(texts(reference(plan, x, w)));
  });

  it("takes a long kernel over a long input", () => {
    const [x, w] = [Nx.broadcast(Nx.f32(1), [1, 1, 50_000]), Nx.iota([1, 1, 1001], { type: "f32" })];
    const result = Nx.conv(x, w, { padding: "same" }).toTypedArray() as Float32Array;
    expect(result.length).toBe(50_000);
    // At each end half of the kernel meets the input: the sums of 500..1000 and of 0..500.
    expect([result[0], result[25_000], result[49_999]]).toEqual([375_750, 500_500, 125_250]);
  });
});

const PLAIN: Axis = { size: 1, kernel: 1, stride: 1, pad: [0, 0], inputDilation: 1, kernelDilation: 1 };

type Coded = number | string | [number, number];

interface Case {
  types: [Nx.DType, Nx.DType];
  shapes: [number[], number[]];
  data: [Coded[], Coded[]];
  options: Nx.ConvOptions;
  shape: number[];
  expected: Coded[];
}

describe("conv against SciPy", () => {
  const { conv } = readOracle<{ conv: Case[] }>("products.json");
  const plain = (x: Coded): Element => (Array.isArray(x) ? new Nx.Complex(...x) : Number(x));

  it.each(conv.map((entry, i) => [i, JSON.stringify(entry.shapes), JSON.stringify(entry.options), entry] as const))(
    "%i: %s with %s",
    (...[, , , { types, shapes, data, options, shape, expected }]) => {
      const [x, w] = [
        tensorOf(data[0].map(plain), types[0], shapes[0]),
        tensorOf(data[1].map(plain), types[1], shapes[1]),
      ];
      const result = Nx.conv(x, w, options);
      expect(result.type).toBe(floating(types));
      expect(result.shape).toEqual(shape);
      expect(texts(result.toFlatList())).toEqual(texts(expected.map(plain)));
    },
  );
});

describe("values", () => {
  const line = Nx.iota([1, 1, 5]);
  const flat = (t: Nx.Tensor) => view(Nx.reshape(t, ["auto"]));

  it("does not turn the kernel around", () => {
    expect(flat(Nx.conv(line, Nx.s64([[[1, 10, 100]]])))).toBe("f32[3] [210,321,432]");
  });

  it("pads the same before as behind, or one more behind, whatever the strides are", () => {
    expect(flat(Nx.conv(line, Nx.s64([[[1, 1]]]), { padding: "same" }))).toBe("f32[5] [1,3,5,7,4]");
    expect(flat(Nx.conv(line, Nx.s64([[[1, 1]]]), { padding: "same", strides: 2 }))).toBe("f32[3] [1,5,4]");
    expect(flat(Nx.conv(Nx.iota([1, 1, 6]), Nx.s64([[[0, 1, 0]]]), { padding: "same", strides: 2 }))).toBe(
      "f32[3] [0,2,4]",
    );
    expect(flat(Nx.conv(line, Nx.s64([[[1, 1, 1]]]), { padding: "same", kernelDilation: 2 }))).toBe(
      "f32[5] [2,4,6,4,6]",
    );
  });

  it("crops by negative padding, also all but one element", () => {
    expect(flat(Nx.conv(line, Nx.s64([[[1]]]), { padding: [[-1, -2]] }))).toBe("f32[2] [1,2]");
    expect(flat(Nx.conv(line, Nx.s64([[[1]]]), { padding: [[-4, 0]] }))).toBe("f32[1] [4]");
    expect(flat(Nx.conv(line, Nx.s64([[[1]]]), { padding: [[-6, 3]] }))).toBe("f32[2] [0,0]");
    expect(flat(Nx.conv(line, Nx.s64([[[1]]]), { padding: [[-1, 0]], inputDilation: 2 }))).toBe(
      "f32[8] [0,1,0,2,0,3,0,4]",
    );
  });

  it("takes a kernel that is larger than the input where padding makes room", () => {
    expect(flat(Nx.conv(Nx.s64([[[1, 2]]]), Nx.s64([[[1, 10, 100, 1000]]]), { padding: "same" }))).toBe(
      "f32[2] [210,21]",
    );
    expect(flat(Nx.conv(Nx.s64([[[3]]]), Nx.s64([[[1, 10, 100]]]), { padding: [[2, 2]] }))).toBe("f32[3] [300,30,3]");
  });

  it("takes one number for all spatial axes as a list of it", () => {
    const [x, w] = [Nx.iota([1, 1, 6, 7]), Nx.iota([1, 1, 2, 2])];
    const many = { strides: [2, 2], inputDilation: [2, 2], kernelDilation: [3, 3] };
    expect(view(Nx.conv(x, w, { strides: 2, inputDilation: 2, kernelDilation: 3 }))).toBe(view(Nx.conv(x, w, many)));
  });

  it("accumulates in doubles and rounds once", () => {
    const ones = (type: Nx.DType, n: number) => Nx.broadcast(Nx.tensor(1, { type }), [1, 1, n]);
    expect(flat(Nx.conv(Nx.f32([[[2 ** 24, 1, 1]]]), ones("f32", 3)))).toBe("f32[1] [16777218]");
    expect(flat(Nx.conv(Nx.f16([[[2048, 1, 1]]]), ones("f16", 3)))).toBe("f16[1] [2050]");
    expect(flat(Nx.conv(Nx.bf16([[[256, 1, 1]]]), ones("bf16", 3)))).toBe("bf16[1] [258]");
    expect(flat(Nx.conv(Nx.f16([[[300, 300]]]), Nx.f16([[[300, -300]]])))).toBe("f16[1] [0]");
    expect(flat(Nx.conv(Nx.u8([[[255, 255]]]), Nx.u8([[[255, 255]]])))).toBe("f32[1] [130050]");
    expect(flat(Nx.conv(Nx.s64([[[2n ** 62n]]]), Nx.s64([[[2]]])))).toBe(`f32[1] [${2 ** 63}]`);
  });

  it("lets no infinity or NaN be lost that meets a zero", () => {
    const zeros = Nx.f32([[[0, 0]]]);
    for (const special of [Infinity, -Infinity, NaN]) {
      const x = Nx.f32([[[1, 1, special, 1, 1]]]);
      expect(flat(Nx.conv(x, zeros))).toBe("f32[4] [0,NaN,NaN,0]");
      expect(flat(Nx.conv(zeros, Nx.f32([[[special]]])))).toBe("f32[2] [NaN,NaN]");
      expect(flat(Nx.conv(x, zeros, { padding: [[1, 0]], strides: 3 }))).toBe("f32[2] [0,NaN]");
    }
    // The padding is of zeros, too.
    expect(flat(Nx.conv(Nx.f32([[[1, 1]]]), Nx.f32([[[1, Infinity]]]), { padding: [[0, 1]] }))).toBe(
      "f32[2] [Infinity,NaN]",
    );
  });

  it("multiplies complex numbers, of which neither is conjugated, with complex and real ones", () => {
    const [x, w] = [
      Nx.c64([new Nx.Complex(1, 2), new Nx.Complex(0, 1)]).reshape([1, 1, 2]),
      Nx.c64([new Nx.Complex(3, -1)]).reshape([1, 1, 1]),
    ];
    expect(flat(Nx.conv(x, w))).toBe("c64[2] [5:5,1:3]");
    expect(flat(Nx.conv(x, Nx.f32([[[2]]])))).toBe("c64[2] [2:4,0:2]");
    expect(flat(Nx.conv(Nx.s64([[[2]]]), x, { padding: [[1, 0]] }))).toBe("c64[1] [0:2]");
    expect(flat(Nx.conv(Nx.f32([[[Infinity]]]), w))).toBe("c64[1] [Infinity:-Infinity]");
    const infinite = Nx.c64([new Nx.Complex(1, Infinity)]).reshape([1, 1, 1]);
    expect(flat(Nx.conv(infinite, Nx.f32([[[2]]])))).toBe("c64[1] [NaN:Infinity]");
    expect(flat(Nx.conv(Nx.f32([[[2]]]), infinite))).toBe("c64[1] [NaN:Infinity]");
  });
});

describe("groups", () => {
  it("gives each group of channels filters of its own", () => {
    const x = Nx.s64([[[1, 2], [10, 20], [100, 200], [1000, 2000]]]); // prettier-ignore
    const w = Nx.s64([[[1], [1]], [[1], [-1]]]); // prettier-ignore
    expect(view(Nx.conv(x, w, { featureGroupSize: 2 }))).toBe("f32[1][2][2] [[[11,22],[-900,-1800]]]");
    const own = Nx.s64([[[1]], [[2]], [[3]], [[4]]]);
    expect(view(Nx.conv(x, own, { featureGroupSize: 4 }))).toBe("f32[1][4][2] [[[1,2],[20,40],[300,600],[4000,8000]]]");
  });

  it("gives each group of the batch filters of its own", () => {
    const x = Nx.s64([[[1]], [[10]], [[100]], [[1000]]]);
    const w = Nx.s64([[[1]], [[2]], [[3]], [[4]]]);
    expect(view(Nx.conv(x, w, { batchGroupSize: 2 }))).toBe(
      "f32[2][4][1] [[[1],[2],[300],[400]],[[10],[20],[3000],[4000]]]",
    );
  });
});

describe("names", () => {
  const image = Nx.iota([1, 2, 3, 3], { names: ["n", "y", "x", "c"] });

  it("keeps those of the input and takes none of the kernel", () => {
    const kernel = Nx.iota([4, 2, 2, 2], { names: ["f", "c", "y", "x"] });
    expect(Nx.conv(image, kernel).names).toEqual(["n", "y", "x", "c"]);
    expect(Nx.conv(image.rename([null, null, null, null]), kernel).names).toEqual([null, null, null, null]);
  });

  it("goes with the axes where these are moved", () => {
    const last = Nx.conv(image, Nx.iota([4, 3, 1, 1]), {
      inputPermutation: ["n", "c", "y", "x"],
      outputPermutation: ["n", "c", "y", "x"],
    });
    expect([last.shape, last.names]).toEqual([
      [1, 2, 3, 4],
      ["n", "y", "x", "c"],
    ]);
    const first = Nx.conv(image, Nx.iota([4, 3, 1, 1]), { inputPermutation: [0, 3, 1, 2] });
    expect([first.shape, first.names]).toEqual([
      [1, 4, 2, 3],
      ["n", "c", "y", "x"],
    ]);
  });

  it("leaves the names of the input as they were", () => {
    const result = Nx.conv(image, Nx.iota([1, 2, 1, 1]));
    expect(result.names).toEqual(["n", "y", "x", "c"]);
    expect(image.names).toEqual(["n", "y", "x", "c"]);
  });
});

describe("errors", () => {
  const x = Nx.iota([2, 4, 5]);
  const w = Nx.iota([6, 4, 3]);
  const named = x.rename(["n", "c", "x"]);

  it.each<[string, () => unknown, string]>([
    [
      "ranks below 3",
      () => Nx.conv(Nx.iota([2, 3], { names: ["a", "b"] }), Nx.iota([2, 3])),
      "Nx.conv expects an input [batch][channels][...spatial] and a kernel [filters][channels][...spatial] of the same rank, at " +
        "least 3, got input [a: 2][b: 3] and kernel [2][3]; add axes with Nx.newAxis",
    ],
    ["ranks that differ", () => Nx.conv(x, Nx.iota([6, 4, 3, 1])), "got input [2][4][5] and kernel [6][4][3][1]"],
    ["scalars", () => Nx.conv(1, 2), "got input [] and kernel []"],
    [
      "channels that differ",
      () => Nx.conv(x, Nx.iota([6, 3, 3])),
      "Nx.conv expects a kernel of 4 channels for an input of 4 channels and featureGroupSize 1, got input [2][4][5] and kernel [6][3][3]",
    ],
    [
      "channels that differ in a group",
      () => Nx.conv(x, w, { featureGroupSize: 2 }),
      "Nx.conv expects a kernel of 2 channels for an input of 4 channels and featureGroupSize 2, got input [2][4][5] and kernel [6][4][3]",
    ],
    [
      "groups that do not divide the channels",
      () => Nx.conv(x, w, { featureGroupSize: 3 }),
      "featureGroupSize 3 of Nx.conv must divide channels and filters, got input [2][4][5] and kernel [6][4][3]",
    ],
    [
      "groups that do not divide the filters",
      () => Nx.conv(x, Nx.iota([6, 1, 3]), { featureGroupSize: 4 }),
      "featureGroupSize 4 of Nx.conv must divide channels and filters, got input [2][4][5] and kernel [6][1][3]",
    ],
    [
      "groups that do not divide the batch",
      () => Nx.conv(x, w, { batchGroupSize: 3 }),
      "batchGroupSize 3 of Nx.conv must divide the batch and the filters, got input [2][4][5] and kernel [6][4][3]",
    ],
    [
      "groups of the batch that do not divide the filters",
      () => Nx.conv(x, Nx.iota([3, 4, 3]), { batchGroupSize: 2 }),
      "batchGroupSize 2 of Nx.conv must divide the batch and the filters, got input [2][4][5] and kernel [3][4][3]",
    ],
    [
      "groups of both kinds",
      () => Nx.conv(x, w, { batchGroupSize: 2, featureGroupSize: 2 }),
      "only one of featureGroupSize and batchGroupSize of Nx.conv can be greater than 1, got both",
    ],
    [
      "a kernel larger than the input",
      () => Nx.conv(x, Nx.iota([6, 4, 6])),
      "Nx.conv would give an empty result: spatial axis 0 of the input, [2][4][5], is 5 long with padding, which the kernel " +
        "[6][4][6] with dilation 1 does not fit into",
    ],
    [
      "a kernel that dilation makes larger",
      () => Nx.conv(x, w, { kernelDilation: 3, strides: 9 }),
      "is 5 long with padding, which the kernel [6][4][3] with dilation 3 does not fit into",
    ],
    [
      "padding that crops too much",
      () => Nx.conv(x, Nx.iota([6, 4, 1]), { padding: [[-3, -2]] }),
      "is 0 long with padding, which the kernel [6][4][1]",
    ],
    [
      "the second spatial axis",
      () => Nx.conv(Nx.iota([1, 1, 5, 2]), Nx.iota([1, 1, 3, 3])),
      "spatial axis 1 of the input, [1][1][5][2], is 2 long",
    ],
    [
      "strides that are not positive",
      () => Nx.conv(x, w, { strides: 0 }),
      "option strides of Nx.conv must be a positive integer or a list of 1, one for each axis, got: 0",
    ],
    ["strides of another number", () => Nx.conv(x, w, { strides: [1, 1] }), "got: [1, 1]"],
    [
      "dilations of the input that are not integers",
      () => Nx.conv(x, w, { inputDilation: [1.5] }),
      "option inputDilation of Nx.conv must be a positive integer or a list of 1, one for each axis, got: [1.5]",
    ],
    [
      "dilations of the kernel that are not positive",
      () => Nx.conv(x, w, { kernelDilation: -1 }),
      "option kernelDilation of Nx.conv must be a positive integer or a list of 1, one for each axis, got: -1",
    ],
    [
      "an unknown padding",
      // @ts-expect-error wrong on purpose
      () => Nx.conv(x, w, { padding: "full" }),
      'option padding of Nx.conv must be "valid", "same" or a list of 1 pairs [low, high], one for each axis, got: "full"',
    ],
    ["padding of batch and channels", () => Nx.conv(x, w, { padding: [[0, 0], [0, 0], [1, 1]] }), "a list of 1 pairs"], // prettier-ignore
    ["padding that is no integer", () => Nx.conv(x, w, { padding: [[0.5, 0]] }), "got: [[0.5, 0]]"],
    [
      "groups that are not positive",
      () => Nx.conv(x, w, { featureGroupSize: 0 }),
      "option featureGroupSize of Nx.conv must be an integer of at least 1, got: 0",
    ],
    [
      "groups that are no number",
      // @ts-expect-error wrong on purpose
      () => Nx.conv(x, w, { batchGroupSize: "2" }),
      'option batchGroupSize of Nx.conv must be an integer of at least 1, got: "2"',
    ],
    [
      "an order of fewer axes",
      () => Nx.conv(named, w, { inputPermutation: [0, 1] }),
      "option inputPermutation of Nx.conv must list all 3 axes of [n: 2][c: 4][x: 5], got: [0, 1]",
    ],
    [
      "an order of the kernel by names it does not have",
      () => Nx.conv(named, w, { kernelPermutation: ["n", "c", "x"] }),
      'no axis named "n" in shape [6][4][3]: the tensor has no named axes',
    ],
    [
      "an order with an axis twice",
      () => Nx.conv(x, w, { outputPermutation: [0, 1, -2] }),
      "axes must not repeat, got [0, 1, -2] for shape [2][4][5]",
    ],
    [
      "an order that is no list",
      // @ts-expect-error wrong on purpose
      () => Nx.conv(x, w, { kernelPermutation: 1 }),
      'axes must be an array of axis indices or names such as [0] or ["x"], got: 1',
    ],
    [
      "an unknown option",
      // @ts-expect-error wrong on purpose
      () => Nx.conv(x, w, { stride: 2 }),
      'unknown option "stride" for Nx.conv; did you mean "strides"?',
    ],
    [
      "options that are no object",
      // @ts-expect-error wrong on purpose
      () => Nx.conv(x, w, 2),
      "Nx.conv expects its options as an object such as { strides: ... }, got: 2",
    ],
    // @ts-expect-error wrong on purpose
    ["lists for tensors", () => Nx.conv([[[1]]], w), "Nx.conv"],
    [
      "a result that is too large",
      () => Nx.conv(Nx.iota([1, 1, 2]), Nx.iota([8, 1, 1]), { padding: [[2 ** 30, 0]] }),
      "the result of Nx.conv, shape [1][8][1073741826] has 8589934608 elements, more than the 4294967295 a tensor can hold",
    ],
  ])("refuses %s", (_, call, message) => {
    const error = errorOf(call);
    expect(error).toMatch(/^ArgumentError: /);
    expect(error).toContain(message);
  });
});

it("a filter alone gives the bits that it gives beside another, also where padding meets what is not finite", () => {
  const x = Nx.f64([0.1, -0.2, Infinity, 0.3, -0, 7, 0.7, NaN, 0.9, 1.1, -1.3, 2.3]).reshape([1, 1, 3, 4]);
  for (const weight of [0.3, Infinity, NaN, -0]) {
    const one = Nx.f64([0.7, weight, -0.1, 0.2, 0, 5]).reshape([1, 1, 2, 3]);
    for (const strides of [1, 2]) {
      const options = { strides, padding: [[1, 1], [2, 3]], kernelDilation: strides } as const; // prettier-ignore
      const beside = Nx.conv(x, Nx.concatenate([one, one]), options);
      const alone = Nx.conv(x, one, options);
      expect(view(alone), `${weight} ${strides}`).toEqual(view(Nx.sliceAlongAxis(beside, 0, 1, { axis: 1 })));
    }
  }
});
