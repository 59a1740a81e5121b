/**
 * Strict promotion from outside: every function that merges types obeys it, and nothing else changes.
 */
import { afterEach, describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { UNARY_OPS } from "nx-numerics/backend";
import type { DType, Operand, Tensor } from "nx-numerics";
import { sampled } from "../effort";
import { readOracle } from "../oracles/read";

const strict = <T>(fn: () => T): T => Nx.withPromotion("strict", fn);
const { table } = readOracle<{ table: Record<string, Record<string, DType | "error">> }>("promotion-max.json");
const REAL = Object.keys(table).filter((type): type is DType => type !== "bool"); // there is none: truth values are u8
const TYPES: readonly DType[] = [...REAL, "c64", "c128"];

const vector = (type: DType): Tensor => Nx.tensor([1, 2], { type, names: ["x"] });
const scalar = (type: DType): Tensor => Nx.tensor(1, { type });
const matrix = (type: DType): Tensor => Nx.add(Nx.eye(2, { type }), Nx.eye(2, { type })) as Tensor;

/** What a call gives: its type and text, or the message of its error. */
function outcome(fn: () => unknown): string {
  try {
    const result = fn();
    return result instanceof Nx.Tensor ? `${result.type} ${String(result)}` : String(result);
  } catch (error) {
    if (error instanceof Nx.NxError) return `${error.name}: ${error.message}`;
    throw error;
  }
}

const REFUSED = /^ArgumentError: (\S+) cannot merge .* under strict promotion: /;

describe("the table", () => {
  it("is what Nx.add does with tensors of two types", () => {
    const found = REAL.map((left) => [
      left,
      REAL.map((right) => {
        const text = outcome(() => strict(() => vector(left).add(vector(right))));
        return [right, REFUSED.test(text) ? "error" : text.split(" ")[0]];
      }),
    ]);
    expect(found).toEqual(REAL.map((left) => [left, REAL.map((right) => [right, table[left]![right]])]));
  });

  it("is that of Nx.Type.merge, and Nx's without the policy", () => {
    const merged = (left: DType, right: DType) => outcome(() => Nx.Type.merge(left, right));
    expect(strict(() => merged("u16", "s32"))).toBe("s32");
    expect(strict(() => merged("u32", "f32"))).toMatch(REFUSED);
    expect(merged("u32", "f32")).toBe("f32");
    expect(strict(() => outcome(() => Nx.Type.mergeNumber("u8", 256)))).toMatch(REFUSED);
    expect(strict(() => Nx.Type.mergeNumber("f32", 0.1))).toBe("f32");
  });
});

type Call = (left: Tensor, right: Tensor) => unknown;
const key = Nx.Random.key(7);
const f32 = Nx.f32([1, 2], { names: ["x"] });

/** Functions of two tensors, by the name that their messages have; both tensors have two elements. */
const FLOATING: readonly (readonly [string, Call])[] = [
  ["Nx.add", (a, b) => Nx.add(a, b)],
  ["Nx.subtract", (a, b) => a.subtract(b)],
  ["Nx.multiply", (a, b) => a.multiply(b)],
  ["Nx.divide", (a, b) => Nx.divide(a, b)],
  ["Nx.divide", (a, b) => Nx.divide(a, b, { roundingMode: "floor" })],
  ["Nx.remainder", (a, b) => Nx.remainder(a, b)],
  ["Nx.mod", (a, b) => Nx.mod(a, b)],
  ["Nx.pow", (a, b) => Nx.pow(a, b)],
  ["Nx.atan2", (a, b) => Nx.atan2(a, b)],
  ["Nx.complex", (a, b) => Nx.complex(a, b)],
  ["Nx.max", (a, b) => Nx.max(a, b)],
  ["Nx.min", (a, b) => Nx.min(a, b)],
  ["Nx.copysign", (a, b) => Nx.copysign(a, b)],
  ["Nx.logAddExp", (a, b) => Nx.logAddExp(a, b)],
  ["Nx.equal", (a, b) => Nx.equal(a, b)],
  ["Nx.notEqual", (a, b) => Nx.notEqual(a, b)],
  ["Nx.greater", (a, b) => Nx.greater(a, b)],
  ["Nx.greaterEqual", (a, b) => Nx.greaterEqual(a, b)],
  ["Nx.less", (a, b) => Nx.less(a, b)],
  ["Nx.lessEqual", (a, b) => Nx.lessEqual(a, b)],
  ["Nx.allClose", (a, b) => Nx.allClose(a, b)],
  ["Nx.lerp", (a, b) => Nx.lerp(a, b, 0.5)],
  ["Nx.lerp", (a, b) => Nx.lerp(a, 2, b)],
  ["Nx.select", (a, b) => Nx.select(Nx.u8([1, 0]), a, b)],
  ["Nx.where", (a, b) => Nx.where(Nx.u8([1, 0]), a, b)],
  ["Nx.clip", (a, b) => Nx.clip(a, b.at(0), b.at(1))],
  ["Nx.clamp", (a, b) => Nx.clamp(a, { min: b })],
  ["Nx.clamp", (a, b) => Nx.clamp(5, { min: a, max: b })],
  ["Nx.concatenate", (a, b) => Nx.concatenate([a, b])],
  ["Nx.stack", (a, b) => Nx.stack([a, b])],
  ["Nx.dot", (a, b) => Nx.dot(a, b)],
  ["Nx.outer", (a, b) => Nx.outer(a, b.rename([null]))],
  ["Nx.pad", (a, b) => Nx.pad(a, b.at(0), [[1, 1]])],
  ["Nx.indexedAdd", (a, b) => Nx.indexedAdd(a, Nx.tensor([[0], [1]]), b)],
  ["Nx.indexedPut", (a, b) => Nx.indexedPut(a, Nx.tensor([[0], [1]]), b)],
  ["Nx.putSlice", (a, b) => Nx.putSlice(a, [0], b)],
  ["Nx.putDiagonal", (a, b) => Nx.putDiagonal(Nx.makeDiagonal(a), b)],
  ["Nx.weightedMean", (a, b) => Nx.weightedMean(a, b)],
  ["Nx.reduce", (a, b) => Nx.reduce(a, b.at(0), (x, acc) => x.add(acc))],
  ["Nx.conv", (a, b) => Nx.conv(a.reshape([1, 1, 2]), b.reshape([1, 1, 2]))],
  ["Nx.windowScatterMax", (a, b) => Nx.windowScatterMax(Nx.f32([1, 2]), a.slice([0], [1]), b.at(0), [2])],
  ["Nx.LinAlg.solve", (a, b) => Nx.LinAlg.solve(Nx.makeDiagonal(a), b)],
  ["Nx.LinAlg.triangularSolve", (a, b) => Nx.LinAlg.triangularSolve(Nx.makeDiagonal(a), b)],
  ["Nx.LinAlg.leastSquares", (a, b) => Nx.LinAlg.leastSquares(Nx.makeDiagonal(a), b)],
  ["Nx.Random.normal", (a, b) => Nx.Random.normal(key, a, b)[0]],
  ["Nx.Random.uniform", (a, b) => Nx.Random.uniform(key, a, b.add(b))[0]],
  ["Nx.Random.multivariateNormal", (a, b) => Nx.Random.multivariateNormal(key, a, Nx.makeDiagonal(b))[0]],
  [
    "Nx.Defn.cond",
    (a, b) => Nx.defn((x: Tensor, y: Tensor) => Nx.Defn.cond([[x.sum().real().greater(0), () => x]], () => y))(a, b),
  ],
];

const INTEGER: readonly (readonly [string, Call])[] = [
  ["Nx.quotient", (a, b) => Nx.quotient(a, b)],
  ["Nx.bitwiseAnd", (a, b) => Nx.bitwiseAnd(a, b)],
  ["Nx.bitwiseOr", (a, b) => Nx.bitwiseOr(a, b)],
  ["Nx.bitwiseXor", (a, b) => Nx.bitwiseXor(a, b)],
  ["Nx.leftShift", (a, b) => Nx.leftShift(a, b)],
  ["Nx.rightShift", (a, b) => Nx.rightShift(a, b)],
];

/** Pairs that strict promotion lets through, and pairs that it does not. */
const PAIRS = { fine: ["s16", "f32"], wrong: ["s32", "f32"], wrongFormat: ["bf16", "f16"] } as const;
const BITS = { fine: ["u8", "s16"], wrong: ["u16", "s16"], wrongFormat: ["u64", "s64"] } as const;

describe.each([...FLOATING.map((row) => [...row, PAIRS] as const), ...INTEGER.map((row) => [...row, BITS] as const)])(
  "%s",
  (name, call, { fine, wrong, wrongFormat }) => {
    const run = ([left, right]: readonly [DType, DType]) => outcome(() => call(vector(left), vector(right)));

    it("merges as in Nx by default and where no value changes", () => {
      expect(run(wrong)).not.toMatch(/Error/);
      expect(run(fine)).not.toMatch(/Error/);
      expect(strict(() => run(fine))).toBe(run(fine));
    });

    it("refuses other types by its own name, in both orders", () => {
      for (const [left, right] of [wrong, wrongFormat]) {
        for (const types of [[left, right] as const, [right, left] as const]) {
          expect(REFUSED.exec(strict(() => run(types)))?.[1]).toBe(name);
        }
      }
    });

    it("does not depend on the policy where there is one type", () => {
      for (const type of TYPES) expect(strict(() => run([type, type]))).toBe(run([type, type]));
    });
  },
);

describe("functions that merge nothing", () => {
  it.each(["logicalAnd", "logicalOr", "logicalXor"] as const)("Nx.%s", (name) => {
    expect(strict(() => Nx[name](vector("u32"), vector("f32")).type)).toBe("u8");
  });

  it("take predicates, indices and starts of any type they allow", () => {
    const t = vector("f32");
    expect(strict(() => Nx.select(Nx.s64([1, 0]), t, t).type)).toBe("f32");
    expect(strict(() => Nx.take(t, Nx.s64([1])).type)).toBe("f32");
    expect(strict(() => Nx.indexedAdd(t, Nx.u8([[1]]), Nx.f32([1])).type)).toBe("f32");
    expect(strict(() => Nx.putSlice(t, [Nx.s64(0)], Nx.f32([1])).type)).toBe("f32");
  });
});

describe("a plain number beside tensors of two types", () => {
  it.each([1, 300, -1, 0.5, new Nx.Complex(0, 1)])(
    "never changes the type they merge to, with the number %s",
    (number) => {
      for (const left of TYPES) {
        for (const right of sampled(TYPES, 5, left)) {
          const call = () => Nx.stack([scalar(left), scalar(right), number]);
          const merged = outcome(() => strict(() => Nx.Type.merge(left, right)));
          const found = outcome(() => strict(call));
          const fits =
            !REFUSED.test(merged) &&
            !REFUSED.test(outcome(() => strict(() => Nx.Type.mergeNumber(merged as DType, number))));
          if (fits) expect(found).toBe(outcome(() => Nx.asType(call(), merged as DType)));
          else expect(REFUSED.exec(found)?.[1]).toBe("Nx.stack");
          expect(outcome(() => strict(() => Nx.defn(call)()))).toBe(found);
        }
      }
    },
  );
});

const big = (type: DType): Tensor => Nx.asType(Nx.remainder(Nx.iota([4099]), 7), type);
const some = (type: DType): Tensor =>
  Nx.tensor(
    [
      [0.5, 0.25],
      [0.75, 0.125],
    ].map((row) => row.map((x) => (Nx.Type.isInteger(type) ? 8 * x : x))),
    { type },
  );

/** What functions are made of inside is not the user's doing: with one type, whatever its size, nothing is refused. */
const ALONE: Record<string, (type: DType) => unknown> = {
  mean: (type) => big(type).mean(),
  variance: (type) => big(type).variance(),
  standardDeviation: (type) => big(type).standardDeviation(),
  weightedMean: (type) => Nx.weightedMean(big(type), big(type)),
  median: (type) => big(type).median(),
  mode: (type) => big(type).mode(),
  windowMean: (type) => Nx.windowMean(big(type), [2]),
  windowSum: (type) => Nx.windowSum(big(type), [2]),
  cumulativeSum: (type) => Nx.cumulativeSum(big(type)),
  all: (type) => Nx.all(big(type)),
  argmax: (type) => Nx.argmax(big(type)),
  linspace: (type) => Nx.linspace(0, 1, { n: 300, type }),
  norm: (type) => Nx.LinAlg.norm(some(type)),
  normNuclear: (type) => Nx.LinAlg.norm(some(type), { ord: "nuclear" }),
  norm3: (type) => Nx.LinAlg.norm(vector(type), { ord: 3 }),
  determinant: (type) => Nx.LinAlg.determinant(some(type)),
  invert: (type) => Nx.LinAlg.invert(matrix(type)),
  pinv: (type) => Nx.LinAlg.pinv(some(type)),
  matrixPower: (type) => Nx.LinAlg.matrixPower(some(type), 3),
  matrixRank: (type) => Nx.LinAlg.matrixRank(some(type)),
  cholesky: (type) => Nx.LinAlg.cholesky(matrix(type)),
  fft: (type) => Nx.fft(vector(type)),
  shuffle: (type) => Nx.Random.shuffle(key, big(type))[0],
  choice: (type) => Nx.Random.choice(key, big(type), { samples: 3 })[0],
  normal: (type) => Nx.Random.normal(key, scalar(type), scalar(type), { shape: [3] })[0],
  uniform: (type) => Nx.Random.uniform(key, Nx.multiply(scalar(type), 0), scalar(type), { shape: [3] })[0],
  gumbel: (type) => (type.startsWith("f") ? Nx.Random.gumbel(key, { shape: [3], type: type as "f32" })[0] : 0),
  randint: (type) => Nx.Random.randint(key, scalar(type), Nx.add(scalar(type), 5), { shape: [3] })[0],
  topK: (type) => Nx.topK(big(type), { k: 2 })[0],
  sort: (type) => Nx.sort(big(type)),
  reflect: (type) => Nx.reflect(big(type), { paddingConfig: [[1, 1]] }),
  softmax: (type) => Nx.softmax(big(type)),
  logSoftmax: (type) => Nx.logSoftmax(some(type)),
  isInfinity: (type) => Nx.isInfinity(big(type), { detectNegative: false }),
  grad: (type) => Nx.grad((t: Tensor) => t.multiply(t).mean().real())(big(type)),
  gradSoftmax: (type) => Nx.grad((t: Tensor) => Nx.softmax(t).multiply(2).sum())(some(type)),
  gradDivide: (type) => Nx.grad((t: Tensor) => Nx.divide(t, t.max(1)).sum())(some(type)),
  vmap: (type) => Nx.Defn.vmap((t: Tensor) => t.subtract(t.reduceMax()))(some(type)),
};

const UNARY = Object.keys(UNARY_OPS) as Nx.UnaryOp[];
const COMPOSITE = [
  ...[
    "square",
    "reciprocal",
    "isFinite",
    "trunc",
    "logSigmoid",
    "softplus",
    "softsign",
    "mish",
    "gelu",
    "quickGelu",
    "elu",
  ],
  ...[
    "celu",
    "selu",
    "silu",
    "swish",
    "relu",
    "relu6",
    "leakyRelu",
    "hardSigmoid",
    "hardSwish",
    "hardTanh",
    "logicalNot",
  ],
  ...["degreesToRadians", "radiansToDegrees"],
] as const;

describe("functions of one tensor", () => {
  it.each(Object.keys(ALONE))("%s", (name) => {
    for (const type of TYPES) {
      const found = strict(() => outcome(() => ALONE[name]!(type)));
      expect(found).toBe(outcome(() => ALONE[name]!(type)));
      expect(found).not.toMatch(/strict/);
    }
  });

  it.each(Object.keys(ALONE))("%s, traced", (name) => {
    for (const type of ["u8", "bf16", "f32"] as const) {
      const fn = () => Nx.defn((t: Tensor) => [ALONE[name]!(t.type), t] as never)(scalar(type)) as [Tensor, Tensor];
      const text = () => outcome(() => fn()[0].toString());
      expect(strict(text)).toBe(text());
    }
  });

  it("that work by element", () => {
    const face = Nx as unknown as Record<string, (t: Tensor) => Tensor>;
    for (const name of [...UNARY, ...COMPOSITE].filter((name) => name in face)) {
      for (const type of TYPES) {
        const apply = () => outcome(() => face[name]!(some(type)));
        expect(`${name} ${type} ${strict(apply)}`).toBe(`${name} ${type} ${apply()}`);
      }
    }
  });

  it("have enough cases that work", () => {
    const failing = Object.keys(ALONE).filter((name) =>
      (["f32", "s32"] as const).every((type) => /Error/.test(outcome(() => ALONE[name]!(type)))),
    );
    expect(failing).toEqual([]);
  });
});

describe("plain numbers", () => {
  const typeOf = (fn: () => Operand) => outcome(() => strict(() => Nx.type(fn())));

  it("follow the tensor where it holds them", () => {
    expect(typeOf(() => vector("u8").add(255))).toBe("u8");
    expect(typeOf(() => Nx.subtract(2, vector("bf16")))).toBe("bf16");
    expect(typeOf(() => vector("f16").multiply(0.1))).toBe("f16");
    expect(typeOf(() => vector("f32").add(16777216))).toBe("f32");
    expect(typeOf(() => vector("s8").add(true))).toBe("s8");
    expect(typeOf(() => vector("c64").add(new Nx.Complex(1, 2)))).toBe("c64");
    expect(typeOf(() => vector("f32").max(-Infinity))).toBe("f32");
  });

  it.each<[DType, Nx.Scalar, RegExp]>([
    ["u8", 256, /u8 cannot hold the number 256.*Nx\.asType\(tensor, "u16"\)/],
    ["u8", -1, /u8 cannot hold the number -1.*Nx\.asType\(tensor, "s16"\)/],
    ["s32", 0.5, /s32 cannot hold the number 0\.5.*Nx\.asType\(tensor, "f32"\)/],
    ["s64", Infinity, /s64 cannot hold the number Infinity/],
    ["s64", 2n ** 63n, /s64 cannot hold the number 9223372036854775808n/],
    ["f32", 16777217, /f32 cannot hold the number 16777217.*Nx\.asType\(tensor, "f64"\)/],
    ["f16", 100000, /f16 cannot hold the number 100000.*Nx\.asType\(tensor, "f32"\)/],
    ["f64", 2n ** 53n + 1n, /f64 cannot hold the number 9007199254740993n.*make a tensor of the number/],
    ["f32", new Nx.Complex(1, 2), /f32 cannot hold the number/],
  ])("%s refuses %s", (type, value, message) => {
    expect(() => strict(() => vector(type).add(value))).toThrow(message);
    expect(() => strict(() => Nx.add(value, vector(type)))).toThrow(
      /^Nx\.add cannot merge \w+\[x: 2\] and a plain number/,
    );
    expect(() => vector(type).add(value)).not.toThrow();
  });

  it("follow the tensor also where Nx gives them a type of their own", () => {
    const t = vector("u8");
    expect(typeOf(() => Nx.select(Nx.u8([1, 0]), t, 0))).toBe("u8");
    expect(typeOf(() => Nx.clip(t, 0, 9))).toBe("u8");
    expect(typeOf(() => Nx.dot(t, 3))).toBe("u8");
    expect(typeOf(() => Nx.outer(t, 3))).toBe("u8");
    expect(typeOf(() => Nx.stack([Nx.u8(1), 2]))).toBe("u8");
    expect(typeOf(() => Nx.pad(t, 3, [[1, 1]]))).toBe("u8");
    expect(Nx.clip(t, 0, 9).type).toBe("s64");
    expect(Nx.stack([Nx.u8(1), 2]).type).toBe("s64");
    expect(() => strict(() => Nx.clip(t, 0, 999))).toThrow(/^Nx\.clip cannot merge u8\[x: 2\] and a plain number/);
    expect(() => strict(() => Nx.stack([Nx.u8(1), 2.5]))).toThrow(/^Nx\.stack cannot merge u8\[\] and a plain number/);
  });

  it("are free among themselves", () => {
    expect(typeOf(() => Nx.add(1, 2.5))).toBe("f32");
    expect(strict(() => Nx.add(1, 2.5).toNumber())).toBe(3.5);
    expect(typeOf(() => Nx.select(1, 1, 2.5))).toBe("f32");
    expect(typeOf(() => Nx.stack([1, 2.5]))).toBe("f32");
    expect(typeOf(() => Nx.tensor([1, 2.5, true]))).toBe("f32");
  });
});

describe("messages", () => {
  it("show types, shapes and names of both, and what to do", () => {
    const left = Nx.u32([[1, 2]], { names: ["row", "col"] });
    expect(() => strict(() => left.add(Nx.f32([1, 2], { names: ["col"] })))).toThrow(
      new Nx.ArgumentError(
        "Nx.add cannot merge u32[row: 1][col: 2] and f32[col: 2] under strict promotion: f32 cannot hold every value of u32; " +
          'convert to a type that holds both first, with Nx.asType(tensor, "f64")',
      ),
    );
    expect(() => strict(() => Nx.dot(vector("s64"), vector("f64")))).toThrow(
      /^Nx\.dot cannot merge s64\[x: 2\] and f64\[x: 2\].*no type holds both, so choose.*Nx\.asType\(tensor, "f64"\)$/,
    );
    expect(() => strict(() => vector("f16").add(vector("bf16")))).toThrow(
      /f16 and bf16 have as many bits in different formats; convert.*"f32"/,
    );
  });

  it("name the two of many that do not fit, and no order matters where one holds all", () => {
    expect(strict(() => Nx.concatenate([vector("u8"), vector("s8"), vector("s16")]).type)).toBe("s16");
    expect(() => strict(() => Nx.concatenate([vector("f32"), vector("u8"), vector("s8")]))).not.toThrow();
    expect(() => strict(() => Nx.concatenate([vector("u8"), vector("u16"), vector("s8")]))).toThrow(
      /^Nx\.concatenate cannot merge u8\[x: 2\] and s8\[x: 2\]/,
    );
  });
});

describe("where the policy holds", () => {
  afterEach(() => {
    Nx.configure({ promotion: undefined });
    Nx.configureFromFile({}, "the end of a test");
  });

  const isStrict = () => REFUSED.test(outcome(() => vector("u8").add(vector("s8"))));

  it("in the configuration, by code or file", () => {
    expect(isStrict()).toBe(false);
    const before = Nx.configure({ promotion: "strict" });
    expect(isStrict()).toBe(true);
    expect(Nx.withPromotion("nx", isStrict)).toBe(false);
    Nx.configure(before.promotion === undefined ? { promotion: undefined } : before);
    expect(isStrict()).toBe(false);
    Nx.configureFromFile({ promotion: "strict" }, "a test");
    expect(isStrict()).toBe(true);
    expect(() => Nx.configure({ promotion: "max" as never })).toThrow(/"max" for promotion.*"nx" or "strict"/);
  });

  it("in a scope, and not after it, also where it throws", () => {
    expect(strict(() => [isStrict(), Nx.withPromotion("nx", isStrict), isStrict()])).toEqual([true, false, true]);
    expect(() => strict(() => JSON.parse("no"))).toThrow(SyntaxError);
    expect(isStrict()).toBe(false);
  });

  it("across await, and nowhere else", async () => {
    const turn = () => new Promise((resolve) => setTimeout(resolve, 1));
    const inside = strict(async () => {
      await turn();
      return isStrict();
    });
    expect(isStrict()).toBe(false);
    await turn();
    expect(isStrict()).toBe(false);
    expect(await inside).toBe(true);
  });

  it("in functions of the user that the library calls", () => {
    const mix = (x: Operand) => Nx.add(Nx.u8(1), Nx.asType(x, "s8"));
    expect(() => strict(() => Nx.map(f32, mix, { type: "s16" }).toString())).toThrow(/strict/);
    expect(() => strict(() => Nx.reduce(f32, 0, (x, acc) => Nx.multiply(mix(x), acc)).toString())).toThrow(/strict/);
    expect(() => strict(() => Nx.Defn.vmap(mix)(f32))).toThrow(/strict/);
  });
});

describe("defn", () => {
  const add = (a: Tensor, b: Tensor) => a.add(b);
  const mixed = [vector("u8"), vector("s8")] as const;

  it("traces under the policy of the caller, and runs under no other", () => {
    let traces = 0;
    const fn = Nx.defn((a: Tensor, b: Tensor) => {
      traces++;
      return a.add(b);
    });
    expect(fn(...mixed).type).toBe("s16");
    expect(() => strict(() => fn(...mixed))).toThrow(/^Nx\.add cannot merge u8\[x: 2\] and s8\[x: 2\]/);
    expect(fn(...mixed).type).toBe("s16");
    expect(traces).toBe(2);
    expect(strict(() => fn(vector("u8"), vector("u8"))).type).toBe("u8");
    expect(fn(vector("u8"), vector("u8")).type).toBe("u8");
    expect(traces).toBe(4);
  });

  it("has types that depend on the policy", () => {
    const fn = Nx.defn((t: Tensor) => Nx.clip(t, 0, 1));
    expect(fn(vector("u8")).type).toBe("s64");
    expect(strict(() => fn(vector("u8")).type)).toBe("u8");
    expect(fn(vector("u8")).type).toBe("s64");
  });

  it.each(["optimizing", "evaluator"] as const)("has an option, with the %s compiler", (compiler) => {
    const careful = Nx.defn(add, { promotion: "strict", compiler });
    const easy = Nx.defn(add, { promotion: "nx", compiler });
    expect(() => careful(...mixed)).toThrow(/strict promotion/);
    expect(strict(() => easy(...mixed)).type).toBe("s16");
    expect(() => Nx.defn(add, { promotion: "max" as never })).toThrow(
      'option promotion of Nx.defn must be one of "nx", "strict", got: "max"',
    );
  });

  it("inside another one keeps its own", () => {
    const careful = Nx.defn(add, { promotion: "strict" });
    const easy = Nx.defn(add, { promotion: "nx" });
    expect(() => Nx.defn((a: Tensor, b: Tensor) => careful(a, b))(...mixed)).toThrow(/strict promotion/);
    expect(Nx.defn((a: Tensor, b: Tensor) => easy(a, b), { promotion: "strict" })(...mixed).type).toBe("s16");
    expect(() => Nx.defn((a: Tensor, b: Tensor) => easy(a, b).add(b.u16()), { promotion: "strict" })(...mixed)).toThrow(
      /^Nx\.add cannot merge s16\[x: 2\] and u16\[x: 2\]/,
    );
  });

  it("compiled ahead of time keeps that of the compilation", () => {
    const compiled = Nx.Defn.compile(add, [...mixed]);
    expect(strict(() => compiled(...mixed)).type).toBe("s16");
    expect(() => Nx.Defn.compile(add, [...mixed], { promotion: "strict" })).toThrow(/strict promotion/);
  });

  it("shows the error in gradients and explanations too", () => {
    const loss = (a: Tensor) => a.multiply(Nx.s64([1, 2])).sum();
    expect(() => strict(() => Nx.grad(loss)(f32))).toThrow(/^Nx\.multiply cannot merge f32\[x: 2\] and s64\[2\]/);
    expect(() => Nx.Defn.explain(add, { promotion: "strict" })(...mixed)).toThrow(/strict promotion/);
  });
});
