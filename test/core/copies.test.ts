/**
 * Two copies of the library in one process. What another copy made is no value of this one, and is never passed over in silence:
 * every function that is given it says so, and what to do.
 */
import { readFileSync } from "node:fs";
import { is, List, Map as ImmutableMap } from "immutable";
import { beforeAll, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import { VERSION } from "../../lib/core/copies";
import { CALLED } from "../calls/table";

let Other: typeof Nx;

beforeAll(async () => {
  vi.resetModules();
  Other = await import("nx-numerics");
});

const OTHER = /another copy of nx-numerics \(both are \d+\.\d+\.\d+\)\]?; load one copy only \(npm ls nx-numerics/;

function thrownBy(call: () => unknown): unknown {
  try {
    const result = call();
    if (typeof result === "object" && result !== null && "next" in result) (result as Iterator<unknown>).next();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The value with the tensors in it made by the other copy; null where there are none. */
function made(value: unknown): unknown {
  if (value instanceof Nx.Tensor) {
    const { type, shape, names } = value;
    return value.backend.name === "template"
      ? Other.template(shape, type, { names })
      : Other.deserialize(Nx.serialize(value));
  }
  if (value instanceof Nx.Batch.Batch) return Other.Batch.stack([Other.f32([1, 2, 3, 4])]);
  if (value instanceof Nx.Quantized.Quantized) return Other.Quantized.quantize(Other.f32([1]), value.format);
  if (Array.isArray(value))
    return value.some((item) => made(item) !== null) ? value.map((item) => made(item) ?? item) : null;
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return null;
  const entries = Object.entries(value).map(([key, item]) => [key, made(item)] as const);
  if (!entries.some(([, item]) => item !== null)) return null;
  return { ...value, ...Object.fromEntries(entries.filter(([, item]) => item !== null)) };
}

describe("values of another copy", () => {
  it("are of other classes, which is what all this is about", () => {
    expect(Other.Tensor).not.toBe(Nx.Tensor);
    expect(Other.tensor(1)).not.toBeInstanceOf(Nx.Tensor);
  });

  it("are refused by name in every argument of every function", () => {
    let count = 0;
    const wrong = CALLED.flatMap(({ name, args, call, isBound, options, ...row }) =>
      args.flatMap((arg, i) => {
        const other = made(arg);
        if (other === null || (i === 0 && "isMethod" in row)) return [];
        count++;
        const list = args.map((own, j) => (j === i ? other : own));
        const error = thrownBy(() => call(...list, ...(isBound ? [options] : [])));
        return error instanceof Nx.NxError && OTHER.test(error.message)
          ? []
          : [`${name}, argument ${i}: ${String(error)}`];
      }),
    );
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(300);
  });

  it("are refused where they would be a silent false", () => {
    const [own, other] = [Nx.f32([1]), Other.f32([1])];
    expect(() => Nx.isTensor(other)).toThrow(OTHER);
    expect(() => own.equals(other)).toThrow(OTHER);
    expect(() => is(own, other)).toThrow(OTHER);
    expect(() => List([own]).equals(List([other]))).toThrow(OTHER);
    expect(() => Nx.backendCopy({ other })).toThrow(OTHER);
    expect(() => Nx.backendDeallocate(ImmutableMap({ other }) as never)).toThrow(OTHER);
    expect(() => Nx.isCompatible([own], [other] as never)).toThrow(OTHER);
    expect(Nx.isTensor(new Other.Complex(1))).toBe(false);
    expect(Nx.isTensor({ other })).toBe(false);
  });

  it("are refused by traced functions: as arguments, results and what they read", () => {
    const other = Other.f32([1]) as unknown as Nx.Tensor;
    const own = Nx.f32([1]);
    expect(() => Nx.defn((t: Nx.Tensor) => t)(other)).toThrow(OTHER);
    expect(() => Nx.defn((_: Nx.Tensor) => other)(own)).toThrow(OTHER);
    expect(() => Nx.defn((t: Nx.Tensor) => t.add(other))(own)).toThrow(OTHER);
    expect(() => Nx.grad((t: Nx.Tensor) => t.sum())({ other } as never)).toThrow(OTHER);
  });

  it("are refused as numbers, though complex numbers are equal by value", () => {
    const other = new Other.Complex(1, 2);
    expect(() => Nx.add(other as Nx.Complex, 1)).toThrow(/a complex number of another copy of nx-numerics/);
    expect(() => Nx.tensor([other] as never)).toThrow(/a complex number of another copy of nx-numerics/);
    expect(new Nx.Complex(1, 2).equals(other)).toBe(true);
    expect(new Nx.Complex(1, 3).equals(other)).toBe(false);
  });

  it("are named with the version of their copy", () => {
    const own = (Nx.tensor(1) as unknown as Record<symbol, object>)[Symbol.for("nx-numerics")]!;
    class Later {
      get [Symbol.for("nx-numerics")](): unknown {
        return { ...own, version: "9.1.0", copy: {} };
      }
    }
    expect(() => Nx.add(new Later() as never, 1)).toThrow(
      `Nx.add expects a tensor or a number, got: a tensor of another copy of nx-numerics (9.1.0, this one is ${VERSION}); load one copy`,
    );
  });

  it("come over as messages and as bytes", () => {
    const other = Other.f32([1, 2], { names: ["x"] });
    expect(Nx.deserialize<Nx.Tensor>(Other.serialize(other)).equals(Nx.f32([1, 2], { names: ["x"] }))).toBe(true);
  });
});

describe("errors of another copy", () => {
  const errorOf = (call: () => unknown): unknown => thrownBy(call);

  it("are instances of the classes of the same name, and of no other", () => {
    const error = errorOf(() => Other.tensor("x" as never));
    expect(Object.getPrototypeOf(error)).toBe(Other.ArgumentError.prototype);
    expect(error).toBeInstanceOf(Nx.ArgumentError);
    expect(error).toBeInstanceOf(Nx.NxError);
    expect(error).not.toBeInstanceOf(Nx.BackendError);
    const backend = errorOf(() => Other.withDefaultBackend("bianry" as never, () => 1));
    expect(backend).toBeInstanceOf(Nx.BackendError);
    expect(backend).not.toBeInstanceOf(Nx.ArgumentError);
  });

  it("are no instances of classes that programs derive", () => {
    class Own extends Nx.ArgumentError {}
    expect(errorOf(() => Other.tensor("x" as never))).not.toBeInstanceOf(Own);
    expect(new Own("x")).toBeInstanceOf(Own);
    expect(new Own("x")).toBeInstanceOf(Nx.NxError);
    for (const value of [new TypeError("x"), Other.tensor(1), null, "x"]) expect(value).not.toBeInstanceOf(Nx.NxError);
  });

  it("keep their messages when they pass through functions of this one", () => {
    const error = errorOf(() => Nx.tidy(() => Other.tensor("x" as never) as never)) as Error;
    expect(error.message).toMatch(/^Nx\.tensor /);
  });
});

describe("configuration", () => {
  it("of files is that of the program, whichever copy read it; that of code belongs to its copy", () => {
    Nx.configureFromFile({ defaultIntegerType: "s32" }, "a test");
    try {
      expect(Nx.tensor(1).type).toBe("s32");
      expect(Other.tensor(1).type).toBe("s32");
      Other.configureFromFile({ defaultFloatType: "f64" }, "a test");
      expect([Nx.tensor(1).type, Nx.tensor(0.5).type]).toEqual(["s64", "f64"]);
      Nx.configure({ defaultIntegerType: "s32" });
      expect([Nx.tensor(1).type, Other.tensor(1).type]).toEqual(["s32", "s64"]);
    } finally {
      Nx.configure({ defaultIntegerType: undefined });
      Nx.configureFromFile({}, "the end of a test");
    }
    expect([Nx.tensor(1).type, Other.tensor(0.5).type]).toEqual(["s64", "f32"]);
  });
});

it("the version is that of the package", () => {
  expect(VERSION).toBe((JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version);
});
