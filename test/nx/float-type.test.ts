/**
 * The default type of floats: it decides where no operand does, what it decides is computed with all its digits, and nothing
 * whose operands are floats changes.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import { rereadEnvironment } from "../../lib/core/config";
import { BINARY, UNARY } from "../../lib/ops";
import { sampled } from "../effort";

const wide = <T>(fn: () => T): T => Nx.withFloatType("f64", fn);
const key = Nx.Random.key(3);
const half = new Nx.Complex(0.5, 1);
const INTEGERS = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"] as const;

/** What is made without an operand that has a float type, and its type where floats are f64. */
const MADE: Readonly<Record<string, readonly [make: () => Nx.Tensor, type: Nx.DType]>> = {
  "a fraction": [() => Nx.tensor(0.1), "f64"],
  "a list with a fraction": [() => Nx.tensor([1, 0.1]), "f64"],
  "NaN and infinities": [() => Nx.tensor([NaN, -Infinity]), "f64"],
  "a number beyond 64 bits": [() => Nx.tensor(2 ** 70), "f64"],
  "a complex number": [() => Nx.tensor(new Nx.Complex(0.1, 1)), "c128"],
  "integers of a typed array with a fraction": [() => Nx.tensor([Uint8Array.of(1), [0.1]] as never), "f64"],
  fill: [() => Nx.fill([2], 0.1), "f64"],
  "an operand": [() => Nx.exp(0.1), "f64"],
  "two numbers": [() => Nx.add(0.1, 0.2), "f64"],
  "an integer with a fraction": [() => Nx.add(Nx.u8([1]), 0.1), "f64"],
  "an integer with a complex number": [() => Nx.add(Nx.u8([1]), half), "c128"],
  "a quotient": [() => Nx.divide(Nx.tensor([1]), 3), "f64"],
  mean: [() => Nx.mean(Nx.s32([1, 2, 4])), "f64"],
  median: [() => Nx.median(Nx.s32([1, 2])), "f64"],
  windowMean: [() => Nx.windowMean(Nx.s32([1, 2, 4]), [3]), "f64"],
  softmax: [() => Nx.softmax(Nx.s32([1, 2])), "f64"],
  "parts of an integer": [() => Nx.real(Nx.s32([1])), "f64"],
  complex: [() => Nx.complex(1, 2), "c128"],
  fft: [() => Nx.fft(Nx.s32([1, 2, 3])), "c128"],
  solve: [() => Nx.LinAlg.solve(Nx.tensor([[1, 2], [3, 5]]), Nx.tensor([1, 2])), "f64"], // prettier-ignore
  pi: [() => Nx.Constants.pi(), "f64"],
  i: [() => Nx.Constants.i(), "c128"],
  epsilon: [() => Nx.Constants.epsilon(), "f64"],
  linspace: [() => Nx.linspace(0, 1, { n: 4 }), "f64"],
  "linspace of integers": [() => Nx.linspace(Nx.u8(0), Nx.u8(1), { n: 4 }), "f64"],
  uniform: [() => Nx.Random.uniformSplit(key, { shape: [2] }), "f64"],
  normal: [() => Nx.Random.normalSplit(key, 0, 2, { shape: [2] }), "f64"],
  gumbel: [() => Nx.Random.gumbelSplit(key, { shape: [2] }), "f64"],
  randomUniform: [() => Nx.randomUniform([2]), "f64"],
  randomNormal: [() => Nx.randomNormal([2]), "f64"],
  "a gradient of an integer": [() => Nx.grad((x: Nx.Tensor) => x.multiply(x))(Nx.s64([3])), "f64"],
  "dot of integers and a fraction": [() => Nx.dot(Nx.u8([1]), 0.1), "f64"],
  "clip of integers": [() => Nx.clip(Nx.u8([1]), 0.5, 2), "f64"],
};

const narrow: Partial<Record<Nx.DType, Nx.DType>> = { f64: "f32", c128: "c64" };

describe("what nothing else decides", () => {
  it.each(Object.entries(MADE))("%s", (_name, [make, type]) => {
    expect(wide(make).type).toBe(type);
    expect(make().type).toBe(narrow[type]);
    expect(wide(() => Nx.defn(make)()).type).toBe(type);
  });

  it("is said by Nx.Type, too", () => {
    const types = () => [
      Nx.Type.infer(0.5),
      Nx.Type.infer(half),
      Nx.Type.toFloating("u8"),
      Nx.Type.mergeNumber("s8", 0.5),
    ];
    expect(wide(types)).toEqual(["f64", "c128", "f64", "f64"]);
    expect(types()).toEqual(["f32", "c64", "f32", "f32"]);
  });
});

describe.each(["binary", "wasm"])("integers on %s", (backend) => {
  const operands = (type: Nx.DType, size: number): [Nx.Tensor, Nx.Tensor] => {
    const count = Nx.iota([size], { type: "s64" });
    return [count.multiply(7919).add(1).asType(type), count.multiply(31).add(3).asType(type)];
  };
  const functions = [
    ...Object.keys(UNARY).map((name) => [name, (x: Nx.Tensor) => Nx[name as Nx.UnaryOp](x)] as const),
    ...Object.keys(BINARY).map(
      (name) => [name, (x: Nx.Tensor, y: Nx.Tensor) => Nx[name as Nx.BinaryOp](x, y)] as const,
    ),
    ["mean", (x: Nx.Tensor) => Nx.mean(x)] as const,
    ["gelu", (x: Nx.Tensor) => Nx.gelu(x)] as const,
    ["add 0.1", (x: Nx.Tensor) => Nx.add(x, 0.1)] as const,
  ];
  const typeOf = (fn: () => Nx.Tensor): string => {
    try {
      return fn().type;
    } catch (error) {
      if (error instanceof Nx.ArgumentError) return "none";
      throw error;
    }
  };

  it.each(functions)("%s gives what the same numbers as f64 give", (_name, given) => {
    const fn = given as (x: Nx.Tensor, y: Nx.Tensor) => Nx.Tensor;
    Nx.withDefaultBackend(backend, () =>
      wide(() => {
        for (const type of sampled(INTEGERS, 2)) {
          for (const size of [3, 4200]) {
            const [x, y] = operands(type, size);
            if (!/^[cf]/.test(typeOf(() => fn(x, y)))) continue; // results that are no floats
            const expected = fn(x.asType("f64"), y.asType("f64"));
            for (const result of [fn(x, y), Nx.defn(fn)(x, y)]) {
              expect(result.type).toBe(expected.type);
              // Bytes first: comparing lists takes a hundred times as long. The bits of NaN are open.
              if (Buffer.compare(result.toBinary(), expected.toBinary()) !== 0)
                expect(result.toFlatList()).toEqual(expected.toFlatList());
            }
          }
        }
      }),
    );
  });

  it("means of timestamps are exact", () => {
    const times = Nx.tensor([1700000001, 1700000003, 1700000004, 1700000006], { backend });
    expect(wide(() => Nx.mean(times).toNumber())).toBe(1700000003.5);
    expect(wide(() => Nx.defn((t: Nx.Tensor) => t.mean())(times).toNumber())).toBe(1700000003.5);
  });
});

describe("floats", () => {
  const x = Nx.f32([0.7, -1.9, 3]);
  const calls: readonly (() => Nx.Tensor)[] = [
    () => x.add(0.1),
    () => x.multiply(half),
    () => x.pow(2),
    () => Nx.where(x.greater(0), x, 0.1),
    () => Nx.select(x.greater(0), x, 0.1),
    () => Nx.clip(x, -0.1, 0.1),
    () => Nx.clamp(x, { min: 0.1 }),
    () => Nx.stack([x.at(0), 0.1, half]),
    () => Nx.dot(x, 0.1),
    () => Nx.outer(x, half),
    () => Nx.tensor([Float32Array.of(0.1), [0.1]] as never),
    () => Nx.linspace(x.at(0), 0.5, { n: 2 }),
    () => Nx.Random.normalSplit(key, x, 0.5),
    () => Nx.f16([0.1]).multiply(0.3),
    () => Nx.stack([Nx.f16(0.1), 0.3]),
    () => Nx.variance(x),
    () => Nx.gelu(x),
    () => Nx.fft(x),
    () => Nx.grad((t: Nx.Tensor) => Nx.exp(t).multiply(0.1).sum())(x),
    () => Nx.defn((t: Nx.Tensor) => t.multiply(0.1).mean())(x),
  ];
  it.each(calls.map((call) => [String(call), call] as const))("%s", (_text, call) => {
    const given = () => String(call());
    expect(wide(given)).toBe(given());
  });
});

describe("where it holds", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    rereadEnvironment();
  });

  it("a function is traced once for each default of floats and of integers", () => {
    let traces = 0;
    const third = Nx.defn((x: Nx.Tensor) => {
      traces++;
      return [x.divide(3), Nx.iota([2])];
    });
    const typesOf = () => third(Nx.s64([1])).map(({ type }) => type);
    expect([typesOf(), wide(typesOf), typesOf(), wide(typesOf)]).toEqual([
      ["f32", "s64"],
      ["f64", "s64"],
      ["f32", "s64"],
      ["f64", "s64"],
    ]);
    expect(traces).toBe(2);
    const before = Nx.configure({ defaultIntegerType: "s32" });
    expect(typesOf()).toEqual(["f32", "s32"]);
    Nx.configure({ defaultIntegerType: before.defaultIntegerType });
    expect(typesOf()).toEqual(["f32", "s64"]);
    expect(traces).toBe(3);
  });

  it("a compiled function keeps the one that it was compiled under", () => {
    const fn = (x: Nx.Tensor) =>
      Nx.mode(x)
        .divide(3)
        .add(Nx.map(x, (e) => e.divide(3)).sum());
    const compiled = wide(() => Nx.Defn.compile(fn, [Nx.template([2], "s64")]));
    expect(compiled(Nx.s64([1, 1])).toNumber()).toBe(wide(() => fn(Nx.s64([1, 1])).toNumber()));
    expect(compiled(Nx.s64([1, 1])).type).toBe("f64");
  });

  it("across await, and not outside", async () => {
    const inside = wide(async () => {
      await Promise.resolve();
      return Nx.tensor(0.5).type;
    });
    expect(Nx.tensor(0.5).type).toBe("f32");
    expect(await inside).toBe("f64");
  });

  it("in the configuration and the environment, scopes before them", () => {
    const before = Nx.configure({ defaultFloatType: "f64" });
    expect(Nx.tensor(0.5).type).toBe("f64");
    expect(Nx.withFloatType("f32", () => Nx.tensor(0.5).type)).toBe("f32");
    Nx.configure({ defaultFloatType: before.defaultFloatType });
    vi.stubEnv("NX_FLOAT_TYPE", "f64");
    vi.stubEnv("NX_INTEGER_TYPE", "s32");
    rereadEnvironment();
    expect([Nx.tensor(0.5).type, Nx.tensor(1).type]).toEqual(["f64", "s32"]);
    vi.stubEnv("NX_FLOAT_TYPE", "f16");
    rereadEnvironment();
    expect(() => Nx.tensor(0.5)).toThrow(
      /"f16" for defaultFloatType in environment variable NX_FLOAT_TYPE, expected "f32" or "f64"/,
    );
  });
});
