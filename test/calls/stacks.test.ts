/**
 * Stacks of errors begin in the program: at the line that called the library, whatever deeper function raised the error; inside
 * a traced function at the line that asked for what cannot be done. Errors that are not the library's keep all their frames.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import { CALLED } from "./table";

beforeAll(() => void vi.spyOn(console, "log").mockImplementation(() => undefined));
afterAll(() => {
  vi.restoreAllMocks();
  Nx.globalDefaultBackend("auto");
  Nx.configureFromFile({}, "the end of a test");
});

type AnyFunction = (...args: unknown[]) => unknown;

const x = Nx.f32([1, 2], { names: ["x"] });
const longer = Nx.f32([1, 2, 3]);

function thrownBy(call: () => unknown): Error | undefined {
  try {
    const result = call();
    if (typeof result === "object" && result !== null && "next" in result) (result as Iterator<unknown>).next();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** The first frame of a stack. */
const firstFrame = (error: Error): string => error.stack!.split("\n").find((line) => /^\s+at /.test(line)) ?? "";
const isHere = (frame: string): boolean => /test[\\/]calls[\\/]/.test(frame);

/** Where an error that the library raised begins, if not in this folder. */
function fault(name: string, call: () => unknown): string | undefined {
  const error = thrownBy(call);
  if (error === undefined) return `${name}: no error`;
  if (!(error instanceof Nx.NxError)) return `${name}: ${String(error)}`;
  if (!error.stack!.startsWith(`${error.name}: ${error.message}\n`)) return `${name}: header ${error.stack}`;
  return isHere(firstFrame(error)) ? undefined : `${name}: ${firstFrame(error)}`;
}

const faults = (calls: Readonly<Record<string, () => unknown>>): string[] =>
  Object.entries(calls).flatMap(([name, call]) => fault(name, call) ?? []);

describe("stacks of errors begin at the call", () => {
  const bounded = CALLED.filter(({ name }) => !/^Nx\.(align|at|Defn\.Composite\.map|Defn\.switch)$/.test(name));

  it("of every function, for options that are unknown", () => {
    const wrong = bounded.flatMap((row) => {
      const call = (): unknown => row.call(...row.args, { ...row.options, noSuchOption: 1 });
      return fault(row.name, call) ?? [];
    });
    expect(wrong).toEqual([]);
  });

  it("of every function, for values that it cannot work with", () => {
    const wrong = bounded.flatMap((row) => {
      const call = (): unknown => row.call(...row.args.map(() => Symbol("no value")));
      const error = thrownBy(call);
      return error instanceof Nx.NxError ? (fault(row.name, call) ?? []) : [];
    });
    expect(wrong).toEqual([]);
  });

  it("of functions that the library made", () => {
    const lines = (t: Nx.Tensor): Nx.Tensor => Nx.add(t, x);
    const made: Readonly<Record<string, AnyFunction>> = {
      defn: Nx.defn(lines) as AnyFunction,
      jit: Nx.Defn.jit(lines) as AnyFunction,
      grad: Nx.grad(lines) as AnyFunction,
      valueAndGrad: Nx.valueAndGrad(lines) as AnyFunction,
      vmap: Nx.Defn.vmap(lines, 0) as AnyFunction,
      jacobian: Nx.Defn.jacobian(lines) as AnyFunction,
      hessian: Nx.Defn.hessian(lines) as AnyFunction,
      explain: Nx.Defn.explain(lines) as AnyFunction,
      debugExpr: Nx.Defn.debugExpr(lines) as AnyFunction,
      compile: Nx.Defn.compile(lines, [x]) as AnyFunction,
      vjp: Nx.Defn.vjp(lines, [x])[1] as AnyFunction,
    };
    for (const [name, fn] of Object.entries(made)) {
      const error = thrownBy(() => fn(new Map()));
      expect(error, name).toBeInstanceOf(Nx.NxError);
      expect(firstFrame(error!), name).toMatch(/stacks\.test\.ts/);
    }
  });

  it("of what is no call: operators, assignments, names of other libraries", () => {
    const t = x as unknown as Record<string, unknown>;
    const elsewhere = Nx as unknown as Record<string, AnyFunction>;
    expect(
      faults({
        operator: () => (x as unknown as number) + 1,
        assignment: () => (t["type"] = "f64"),
        function: () => elsewhere["vstack"]!([x, x]),
        method: () => (t["mm"] as AnyFunction)(x),
        property: () => t["T"],
        length: () => (t["length"] as number) > 0,
        generator: () => [...Nx.toBatched(x, 3)],
      }),
    ).toEqual([]);
  });
});

describe("inside functions that the library calls", () => {
  const lineOf = (error: Error): string => /stacks\.test\.ts:(\d+)/.exec(firstFrame(error))?.[1] ?? "elsewhere";
  const here = (): number => Number(/stacks\.test\.ts:(\d+)/.exec(new Error("here").stack!.split("\n")[2]!)![1]);

  it("they begin at the line that asked for what cannot be done", () => {
    let line = 0;
    const within = (t: Nx.Tensor): Nx.Tensor => {
      line = here() + 1;
      return t.add(longer);
    };
    const calls: readonly (() => unknown)[] = [
      () => Nx.tidy(() => within(x)),
      () => Nx.defn(within)(x),
      () => Nx.grad(within)(x),
      () => Nx.Defn.jitApply(within, [x]),
      () => Nx.Defn.cond([[1, () => within(x)]], () => x),
      () => Nx.withDefaultBackend("binary", () => within(x)),
    ];
    for (const call of calls) expect(lineOf(thrownBy(call)!)).toBe(String(line));
  });

  it("they are those of the line that was traced, where a graph fails as it runs", () => {
    let line = 0;
    const quotient = Nx.defn((a: Nx.Tensor, b: Nx.Tensor) => {
      line = here() + 1;
      return Nx.quotient(a, b);
    });
    const error = thrownBy(() => Nx.tidy(() => quotient(Nx.tensor([1]), Nx.tensor([0]))));
    expect(lineOf(error!)).toBe(String(line));
  });
});

describe("errors that are not the library's", () => {
  afterEach(() => void vi.restoreAllMocks());

  it("keep all their frames", () => {
    const broken = {
      ...Nx.binaryBackend,
      name: "broken",
      portable: false,
      unary: (): never => {
        throw new TypeError("a mistake in a backend");
      },
    };
    const t = Nx.backendCopy(x, broken);
    const error = thrownBy(() => Nx.exp(t));
    expect(error).toBeInstanceOf(TypeError);
    expect(error!.stack!.split("\n")[1]).toMatch(/at (Object\.)?unary .*stacks\.test\.ts/);
    expect(error!.stack).toMatch(/lib[\\/]nx[\\/]dispatch\.ts/);
  });
});

describe("hosts without Error.captureStackTrace", () => {
  it("get the error as it is", () => {
    const host = Error as { captureStackTrace?: unknown };
    const { captureStackTrace } = host;
    delete host.captureStackTrace;
    try {
      expect(() => x.add(longer)).toThrow(/Nx\.add cannot broadcast/);
    } finally {
      host.captureStackTrace = captureStackTrace;
    }
  });
});

it("errors of draws on a backend of their own name the draw, at its line", () => {
  const error = thrownBy(() => Nx.randomUniform([2], 0, 1, { backend: "binary", type: "s99" as never }))!;
  expect(error.message).toMatch(/^Nx\.randomUniform: invalid type "s99"/);
  expect(isHere(firstFrame(error))).toBe(true);
});

describe("errors of methods of groups and windows", () => {
  const groups = x.groupBy("x", ["a", "b"]);
  const windows = x.rolling("x", 2);
  const calls = {
    "an option": () => groups.mean({ nam: "skip" } as never),
    "a share": () => groups.quantile(2),
    "a percentage": () => windows.percentile(101),
    "an option of windows": () => windows.sum({ nan: "skip" } as never),
    "groups brought back": () => groups.expand(longer),
    weights: () => groups.weightedMean(longer),
  };

  it("begin at the call", () => expect(faults(calls)).toEqual([]));

  it("keep names and lines inside of functions that run others", () => {
    const runners: Readonly<Record<string, (fn: () => unknown) => unknown>> = {
      tidy: (fn) => Nx.tidy(fn),
      withDefaultBackend: (fn) => Nx.withDefaultBackend("binary", fn),
      withFloatType: (fn) => Nx.withFloatType("f64", fn),
      withPromotion: (fn) => Nx.withPromotion("nx", fn),
      untraced: (fn) => Nx.Defn.untraced(fn),
    };
    const inner = {
      ...calls,
      operators: () => (x as never as number) > 1,
      missing: () => (x as never as { T: unknown }).T,
    };
    for (const [name, call] of Object.entries(inner)) {
      const plain = thrownBy(call)!;
      for (const [runner, run] of Object.entries(runners)) {
        const error = thrownBy(() => run(call))!;
        expect(error.message, `${name} in ${runner}`).toBe(plain.message);
        expect(firstFrame(error), `${name} in ${runner}`).toBe(firstFrame(plain));
      }
    }
  });
});
