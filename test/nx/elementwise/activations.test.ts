import * as Nx from "nx-numerics";
import { describe, expect, it } from "vitest";
import { decode, readOracle, type Coded } from "../../oracles/read";
import { ACTIVATION_ULP, SOFTMAX_EPSILONS } from "../../tolerances";
import { functionOf, ulpIn } from "./compare";

type FloatType = "f16" | "bf16" | "f32" | "f64";
type Row = Record<FloatType, Coded[]> & { readonly name: string; readonly options: object };

interface Oracle {
  readonly short: Coded[];
  readonly long: Coded[];
  readonly cases: Record<string, Row>;
  readonly logAddExp: { points: Coded[]; f32: Coded[]; f64: Coded[] };
  readonly soft: readonly { x: Coded[]; softmax: Coded[]; logSoftmax: Coded[] }[];
}

const oracle = readOracle<Oracle>("activations.json");
const short = oracle.short.map(decode);
const long = [...short, ...oracle.long.map(decode)];

/** Descriptions of the elements that are further from the expected ones than so many ulp. */
function distant(actual: Nx.Tensor, expected: readonly Coded[], ulps: (i: number) => number): string[] {
  return (actual.toFlatList() as number[]).flatMap((value, i) => {
    const wanted = decode(expected[i]!);
    if (Object.is(value, wanted)) return [];
    const error = Math.abs(value - wanted) / ulpIn(actual.type, wanted === 0 ? 1e-300 : wanted);
    return wanted !== 0 && error <= ulps(i) ? [] : [`at ${i}: ${value} instead of ${wanted}, ${error} ulp`];
  });
}

describe.each(Object.entries(oracle.cases))("%s", (label, row) => {
  const apply = (x: Nx.Tensor): Nx.Tensor =>
    Object.keys(row.options).length === 0 ? functionOf(row.name)(x) : functionOf(row.name)(x, row.options as never);

  it.each(["f32", "f64"] as const)("agrees with the oracle in %s", (type) => {
    const y = apply(Nx.tensor(long, { type, names: ["x"] }));
    expect([y.type, y.names]).toEqual([type, ["x"]]);
    expect(distant(y, row[type], () => ACTIVATION_ULP[type])).toEqual([]);
  });

  it.each(["f16", "bf16"] as const)("is rounded once in %s, at most one off", (type) => {
    const y = apply(Nx.tensor(short, { type }));
    expect(y.type).toBe(type);
    expect(distant(y, row[type], () => 1)).toEqual([]);
  });

  it("takes NaN, integers, and refuses complex numbers", () => {
    expect(apply(Nx.f32(NaN)).toNumber()).toBeNaN();
    const integer = apply(Nx.s32([-2, 0, 3]));
    const keeps = ["relu", "relu6", "hardTanh"].includes(label);
    expect(integer.type).toBe(keeps ? "s32" : "f32");
    expect(integer.toFlatList()).toEqual(
      apply(Nx.f32([-2, 0, 3]))
        .toFlatList()
        .map((y) => (y === 0 ? expect.closeTo(0) : y)),
    );
    expect(() => apply(Nx.c64([new Nx.Complex(1, 2)]))).toThrow(`${row.name} is not defined for complex tensors`);
  });
});

const LIMITS: Readonly<Record<string, readonly [atMinus: number, atPlus: number]>> = {
  celu: [-1, Infinity],
  elu: [-1, Infinity],
  gelu: [-0, Infinity],
  hardSigmoid: [0, 1],
  hardSwish: [-0, Infinity],
  hardTanh: [-1, 1],
  leakyRelu: [-Infinity, Infinity],
  logSigmoid: [-Infinity, -0],
  mish: [-0, Infinity],
  quickGelu: [-0, Infinity],
  relu: [0, Infinity],
  relu6: [0, 6],
  selu: [Math.fround(-1.7580993408473768), Infinity],
  silu: [-0, Infinity],
  softplus: [0, Infinity],
  softsign: [-1, 1],
  swish: [-0, Infinity],
};

describe("limits", () => {
  it.each(Object.entries(LIMITS))("%s has its limits at the infinities", (name, limits) => {
    for (const type of ["f16", "bf16", "f32", "f64"] as const) {
      const [low, high] = functionOf(name)(Nx.tensor([-Infinity, Infinity], { type })).toFlatList() as number[];
      const rounded = name === "selu" ? Nx.tensor(-1.7580993408473768, { type }).toNumber() : limits[0];
      expect([type, low, high]).toEqual([type, rounded, limits[1]]);
    }
    expect(functionOf(name)(Nx.tensor([-Infinity, Infinity])).toFlatList()).toEqual(limits);
  });

  it("gelu by tanh has that of gelu", () => {
    expect(Nx.gelu(Nx.f32([-Infinity, Infinity]), { approximate: "tanh" }).toList()).toEqual([-0, Infinity]);
  });
});

describe("logAddExp", () => {
  const { points, ...expected } = oracle.logAddExp;
  const numbers = points.map(decode);
  it.each(["f32", "f64"] as const)("agrees with the oracle on a grid of %s", (type) => {
    const z = Nx.logAddExp(Nx.newAxis(Nx.tensor(numbers, { type }), 1), Nx.tensor(numbers, { type }));
    const wrong = (z.toFlatList() as number[]).flatMap((value, i) => {
      const wanted = decode(expected[type][i]!);
      const unit = ulpIn(type, wanted);
      return Object.is(value, wanted) || Math.abs(value - wanted) <= ACTIVATION_ULP[type] * unit
        ? []
        : [`${i}: ${value} instead of ${wanted}`];
    });
    expect(wrong).toEqual([]);
  });

  it("is a float of the merged type, computed in f32 for half floats", () => {
    expect(Nx.logAddExp(Nx.s64([0]), Nx.u8([0])).type).toBe("f32");
    expect(Nx.logAddExp(Nx.f16([0]), Nx.f16([0])).toList()).toEqual(Nx.f16([Math.LN2]).toList());
    const double = Nx.logAddExp(Nx.f64([0.1]), 0.3);
    expect(double.type).toBe("f64");
    expect(double.toList()).toEqual([expect.closeTo(Math.log(Math.exp(0.1) + Math.exp(0.3)), 15)]);
  });
});

describe("softmax and logSoftmax", () => {
  it.each(oracle.soft.map((row, i) => [i, row] as const))("agree with the oracle at scale %i", (_i, row) => {
    for (const type of ["f32", "f64"] as const) {
      const x = Nx.tensor(row.x.map(decode), { type }).reshape([4, 9], { names: ["batch", "class"] });
      const epsilon = type === "f32" ? 2 ** -23 : 2 ** -52;
      for (const name of ["softmax", "logSoftmax"] as const) {
        const y = Nx[name](x, { axis: "class" });
        expect([y.type, y.names]).toEqual([type, ["batch", "class"]]);
        (y.toFlatList() as number[]).forEach((value, i) => {
          const wanted = decode(row[name][i]!);
          // The argument of the exponential is rounded once, which counts as many times as it is large.
          const argument = Math.abs(decode(row.logSoftmax[i]!));
          const bound = name === "softmax" ? Math.abs(wanted) * (1 + argument) : Math.max(Math.abs(wanted), 1);
          const least = name === "softmax" ? 2 ** (type === "f32" ? -126 : -1022) : 0;
          expect(Math.abs(value - wanted)).toBeLessThanOrEqual(SOFTMAX_EPSILONS * epsilon * Math.max(bound, least));
        });
      }
    }
  });

  it("take any axis, by name or index, and are a row's without one", () => {
    const x = Nx.f32([[1, 2], [3, 5]], { names: ["batch", "class"] }); // prettier-ignore
    const columns = Nx.softmax(x, { axis: "batch" });
    expect(Nx.softmax(x, { axis: 0 }).equals(columns)).toBe(true);
    expect(Nx.softmax(x, { axis: -1 }).equals(Nx.softmax(x))).toBe(true);
    expect(
      Nx.sum(columns, { axes: ["batch"] })
        .allClose(1)
        .toNumber(),
    ).toBe(1);
    expect(
      Nx.exp(Nx.logSoftmax(x, { axis: 0 }))
        .allClose(columns)
        .toNumber(),
    ).toBe(1);
  });

  it("do not overflow, and give shares of 0 to -Infinity", () => {
    expect(Nx.softmax(Nx.f32([3e38, 3e38, -3e38])).toList()).toEqual([0.5, 0.5, 0]);
    expect(Nx.softmax(Nx.f64([-Infinity, 1000, 1000])).toList()).toEqual([0, 0.5, 0.5]);
    expect(Nx.logSoftmax(Nx.f32([-Infinity, 7])).toList()).toEqual([-Infinity, 0]);
  });

  it("are computed in f32 for half floats, in f32 for integers", () => {
    expect(Nx.softmax(Nx.bf16([1, 1, 1])).toList()).toEqual(Nx.bf16([1 / 3, 1 / 3, 1 / 3]).toList());
    expect(Nx.softmax(Nx.u8([1, 1])).type).toBe("f32");
  });

  it("refuse other axes, scalars and complex numbers", () => {
    const x = Nx.f32([[1, 2]], { names: ["batch", "class"] });
    expect(() => Nx.softmax(x as Nx.Tensor, { axis: "clas" })).toThrow(/"clas"/);
    expect(() => Nx.logSoftmax(Nx.f32(1))).toThrow(Nx.ArgumentError);
    expect(() => Nx.softmax(Nx.c64([new Nx.Complex(1, 1)]))).toThrow("softmax is not defined for complex tensors");
    expect(() => Nx.softmax(x, { axs: [0] } as never)).toThrow('unknown option "axs" for Nx.softmax');
  });
});

describe("options", () => {
  it("are finite numbers, those that are divided by not 0", () => {
    const x = Nx.f32([1]);
    expect(() => Nx.elu(x, { alpha: Infinity })).toThrow(
      "option alpha of Nx.elu must be a finite number, got: Infinity",
    );
    expect(() => Nx.celu(x, { alpha: 0 })).toThrow("option alpha of Nx.celu must not be 0");
    expect(() => Nx.softplus(x, { beta: 0 })).toThrow("option beta of Nx.softplus must not be 0");
    expect(() => Nx.selu(x, { beta: 1 } as never)).toThrow('unknown option "beta" for Nx.selu');
    expect(() => functionOf("relu")(x, { negSlope: 1 } as never)).toThrow('unknown option "negSlope" for Nx.relu');
    expect(() => Nx.gelu(x, { approximate: "erf" } as never)).toThrow("option approximate of Nx.gelu");
  });

  it("are the same for methods", () => {
    const x = Nx.f32([-2, 3], { names: ["x"] });
    expect(x.leakyRelu({ negSlope: 0.5 }).toList()).toEqual([-1, 3]);
    expect(x.gelu({ approximate: "tanh" }).equals(Nx.gelu(x, { approximate: "tanh" }))).toBe(true);
    expect(x.softmax({ axis: "x" }).equals(Nx.softmax(x))).toBe(true);
    expect(x.clamp({ min: 0 }).toList()).toEqual([0, 3]);
  });
});
