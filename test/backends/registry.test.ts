import { afterEach, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import { configuredThreads, threadCount } from "../../lib/backends/wasm/threads";
import { rereadEnvironment } from "../../lib/core/config";
import { foreignBackend } from "../testing/foreign-backend";

const a = foreignBackend("a");
const b = foreignBackend("b");
const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

afterEach(() => {
  Nx.globalDefaultBackend("binary");
  Nx.configure({ defaultBackend: undefined });
  vi.unstubAllEnvs();
  rereadEnvironment();
});

describe("default backend", () => {
  it("holds inside withDefaultBackend and is restored, also after an error", () => {
    expect(Nx.withDefaultBackend(a, () => Nx.iota([2]).backend)).toBe(a);
    expect(() => Nx.withDefaultBackend(a, () => Nx.iota([0]))).toThrow(Nx.ArgumentError);
    expect(Nx.iota([2]).backend.name).toBe(Nx.defaultBackend()[0]);
  });

  it("is wasm where there is WebAssembly, and takes a number of threads", () => {
    expect(Nx.withDefaultBackend("auto", () => Nx.defaultBackend())).toEqual(["wasm", {}]);
    expect(Nx.withDefaultBackend(["wasm", { threads: 1 }], () => Nx.tensor(1).backend.name)).toBe("wasm");
    for (const threads of [0, 1.5, 65, "many"]) {
      expect(() => Nx.withDefaultBackend(["wasm", { threads }], () => 1)).toThrow(/threads .*integer from 1 to 64/);
    }
    expect(() => Nx.withDefaultBackend(["wasm", { speed: 1 }], () => 1)).toThrow(/unknown option "speed" .*threads/);
  });

  it("keeps the number of threads to the scope, over await, and to its inner scopes", async () => {
    const before = Nx.configure({ threads: 5 });
    try {
      const names = [Nx.defaultBackend()];
      const inside = async (threads: number): Promise<number[]> => {
        const seen = [configuredThreads(), threadCount()];
        await null;
        seen.push(configuredThreads());
        seen.push(Nx.withDefaultBackend("wasm", configuredThreads));
        seen.push(Nx.withDefaultBackend("binary", configuredThreads));
        seen.push(Nx.withDefaultBackend(["wasm", { threads: threads + 1 }], configuredThreads));
        names.push(Nx.defaultBackend());
        return seen;
      };
      const both = [3, 1].map((threads) => Nx.withDefaultBackend(["wasm", { threads }], () => inside(threads)));
      expect(configuredThreads()).toBe(5);
      expect(await Promise.all(both)).toEqual([
        [3, 3, 3, 3, 3, 4],
        [1, 1, 1, 1, 1, 2],
      ]);
      expect([configuredThreads(), Nx.configure({ threads: 5 }).threads]).toEqual([5, 5]);
      expect(names).toEqual([
        ["binary", {}],
        ["wasm", { threads: 3 }],
        ["wasm", { threads: 1 }],
      ]);
      Nx.withDefaultBackend("wasm", () => {
        Nx.defaultBackend(["wasm", { threads: 2 }]);
        expect(configuredThreads()).toBe(2);
      });
      expect(configuredThreads()).toBe(5);
    } finally {
      Nx.configure({ threads: before.threads });
    }
  });

  it("takes the number of threads of the program with its default, which can be put back", () => {
    const standard = configuredThreads();
    const before = Nx.globalDefaultBackend(["wasm", { threads: 6 }]);
    expect(configuredThreads()).toBe(6);
    expect(Nx.withDefaultBackend("binary", configuredThreads)).toBe(6);
    expect(Nx.globalDefaultBackend(before)).toEqual(["wasm", { threads: 6 }]);
    expect(configuredThreads()).toBe(standard);
    const config = Nx.configure({ defaultBackend: ["wasm", { threads: 7 }] });
    Nx.globalDefaultBackend("wasm");
    expect(configuredThreads()).toBe(standard);
    Nx.globalDefaultBackend(before);
    Nx.configure({ defaultBackend: config.defaultBackend });
  });

  it("refuses threads for single tensors", () => {
    const threads = configuredThreads() + 1;
    const backend = ["wasm", { threads }] as const;
    const message = new RegExp(`a tensor has no threads of its own, got: threads ${threads}; set them for a scope by`);
    const t = Nx.tensor([1]);
    const calls: (() => unknown)[] = [
      () => Nx.tensor([1], { backend }),
      () => Nx.iota([3], { backend }),
      () => Nx.eye(3, { backend }),
      () => Nx.linspace(0, 1, { n: 3, backend }),
      () => Nx.fromBinary(new Uint8Array(4), "f32", { backend }),
      () => Nx.Constants.pi({ backend }),
      () => Nx.loadNumpy(Nx.toNumpy(t), { backend }),
      () => Nx.backendCopy(t, backend),
      () => Nx.backendTransfer(t, backend),
    ];
    for (const call of calls) {
      expect(call).toThrow(Nx.BackendError);
      expect(call).toThrow(message);
    }
    expect(configuredThreads()).toBe(threads - 1);
    Nx.withDefaultBackend(backend, () => {
      expect(Nx.iota([3], { backend: Nx.defaultBackend() }).toFlatList()).toEqual([0, 1, 2]);
    });
  });

  it("lets tensors of binary and wasm meet: the result is on wasm", () => {
    const [x, y] = [Nx.tensor([1], { backend: "binary" }), Nx.tensor([2], { backend: "wasm" })];
    expect([x.add(y), y.add(x)].map((t) => [t.backend.name, t.toFlatList()])).toEqual([
      ["wasm", [3]],
      ["wasm", [3]],
    ]);
  });

  it("reads the number of threads from the environment", () => {
    vi.stubEnv("NX_THREADS", "three");
    rereadEnvironment();
    expect(() => Nx.tensor(1)).toThrow(/NX_THREADS.*"auto" or an integer from 1 to 64/);
    vi.stubEnv("NX_THREADS", "3");
    rereadEnvironment();
    expect(Nx.tensor(1).toNumber()).toBe(1);
  });

  it("nests, the innermost wins, and the global one gives way", () => {
    Nx.globalDefaultBackend(b);
    expect(Nx.tensor([1]).backend).toBe(b);
    Nx.withDefaultBackend(a, () => {
      expect(Nx.tensor([1]).backend).toBe(a);
      expect(Nx.withDefaultBackend("binary", () => Nx.tensor([1]).backend.name)).toBe("binary");
      expect(Nx.tensor([1], { backend: b }).backend).toBe(b);
    });
  });

  it("follows each async function over its awaits", async () => {
    const work = (backend: Nx.BackendSpec) =>
      Nx.withDefaultBackend(backend, async () => {
        const first = Nx.tensor(1).backend.name;
        await pause();
        return [first, Nx.tensor(1).backend.name];
      });
    const both = await Promise.all([work(a), work(b), work("binary")]);
    expect(both).toEqual([
      ["a", "a"],
      ["b", "b"],
      ["binary", "binary"],
    ]);
    expect(Nx.tensor(1).backend.name).toBe("binary");
  });

  it("set inside a scope ends with it", () => {
    Nx.withDefaultBackend(a, () => {
      expect(Nx.defaultBackend(b)).toEqual(["a", {}]);
      expect(Nx.tensor(1).backend).toBe(b);
    });
    expect(Nx.tensor(1).backend.name).toBe("binary");
  });

  it("comes from the environment, which code overrides", () => {
    vi.stubEnv("NX_BACKEND", "wasm");
    rereadEnvironment();
    Nx.configure({ defaultBackend: "binary" });
    expect(Nx.withDefaultBackend(a, () => Nx.tensor(1).backend)).toBe(a);
    Nx.configure({ defaultBackend: undefined });
  });

  it.each([
    ["NX_THREADS", "abc", 'invalid value "abc" for threads in environment variable NX_THREADS'],
    ["NX_PROMOTION", "strikt", 'in environment variable NX_PROMOTION; did you mean "strict"?'],
  ])("names %s=%s where it is wrong", (name, value, message) => {
    vi.stubEnv(name, value);
    rereadEnvironment();
    expect(() => Nx.configure({ inspectLimit: undefined }) && String(Nx.iota([2]))).toThrow(message);
  });

  it("takes variables that the host refuses to tell as not set", () => {
    const env = vi.spyOn(process, "env", "get").mockImplementation(() => {
      throw new Error("Requires env access");
    });
    rereadEnvironment();
    expect(Nx.iota([2]).toList()).toEqual([0, 1]);
    env.mockRestore();
    rereadEnvironment();
  });

  it("an unknown compiler in the environment is an error that lists what is allowed", () => {
    vi.stubEnv("NX_COMPILER", "quick");
    rereadEnvironment();
    expect(() => Nx.defn((t: Nx.Tensor) => t)(Nx.tensor(1))).toThrow(
      /"quick".*NX_COMPILER.*"optimizing" or "evaluator"/,
    );
  });

  it("unknown names, options and keys are errors", () => {
    expect(() => Nx.withDefaultBackend("cuda", () => 1)).toThrow(
      /unknown backend "cuda", expected one of: "auto", "binary", "wasm"/,
    );
    expect(() => Nx.globalDefaultBackend(["binary", { speed: 9 }])).toThrow(/unknown option "speed"/);
    expect(() => Nx.configure({ defaultCompiler: "fast" as never })).toThrow(Nx.ConfigError);
    expect(() => Nx.configure({ inspectLimit: 0 })).toThrow(/positive integer/);
  });

  it("the default integer type can be s32", () => {
    const before = Nx.configure({ defaultIntegerType: "s32" });
    expect([Nx.tensor([1]).type, Nx.iota([2]).type, Nx.add(1, 2).type]).toEqual(["s32", "s32", "s32"]);
    Nx.configure({ defaultIntegerType: before.defaultIntegerType });
    expect(Nx.tensor([1]).type).toBe("s64");
  });
});

describe("operands on several backends", () => {
  it("binary tensors move to the other one, numbers follow", () => {
    const t = Nx.backendCopy(Nx.tensor([1, 2]), a);
    const sum = t.add(Nx.tensor([10, 20])).multiply(2);
    expect(sum.backend).toBe(a);
    expect(sum.toList()).toEqual([22, 44]);
    expect(Nx.withDefaultBackend(b, () => t.add(1)).backend).toBe(a);
  });

  it("two others do not mix", () => {
    const [x, y] = [Nx.backendCopy(Nx.tensor(1), a), Nx.backendCopy(Nx.tensor(1), b)];
    expect(() => x.add(y)).toThrow(Nx.BackendError);
    expect(x.add(Nx.backendTransfer(y, a)).toNumber()).toBe(2);
  });
});

describe("moving and releasing", () => {
  it("copies keep the original, transfers release it", () => {
    const t = Nx.tensor([1, 2], { names: ["x"] });
    const copy = Nx.backendCopy([t, { label: "kept" }] as const, a);
    expect(copy[0].names).toEqual(["x"]);
    expect(copy[1].label).toBe("kept");
    expect(t.toList()).toEqual([1, 2]);
    const moved = Nx.backendTransfer(t, a);
    expect(moved.toList()).toEqual([1, 2]);
    expect(() => t.toList()).toThrow(/was deallocated/);
    expect(Nx.backendTransfer(moved, a)).toBe(moved);
  });

  it("tensors that share elements survive", () => {
    const t = Nx.iota([2, 3]);
    const reshaped = t.reshape([3, 2]);
    expect(Nx.backendDeallocate(t)).toBe("ok");
    expect(Nx.backendDeallocate([t])).toBe("already_deallocated");
    expect(reshaped.sum().toNumber()).toBe(15);
  });

  it("using releases at the end of a block", () => {
    const work = () => {
      using t = Nx.tensor([1, 2]);
      return [t, t.sum().toNumber()] as const;
    };
    const [t, sum] = work();
    expect(sum).toBe(3);
    expect(() => t.toList()).toThrow(/was deallocated/);
  });

  it("a tensor does not see later changes of the array it came from", () => {
    const source = new Float32Array([1, 2]);
    const t = Nx.tensor(source);
    source[0] = 9;
    t.toTypedArray()[1] = 9;
    t.toBinary()[0] = 9;
    expect(t.toList()).toEqual([1, 2]);
  });
});
