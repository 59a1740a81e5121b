/**
 * Hosts that refuse memory, more of it, code or shared memory, from the beginning or at any moment: all work is done, with the
 * bits that the wasm or the binary backend gives.
 */
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { elementsOf } from "../../../lib/backends/arrays/storage";
import { addressOf } from "../../../lib/backends/wasm/memory/arena";
import { inScratch, scratch } from "../../../lib/backends/wasm/memory/linear";
import { readyWorkers } from "../../../lib/backends/wasm/threads";
import { tune } from "../../../lib/backends/tuning";
import { bytesOf, inputs, WORK, type Inputs } from "./refused-work";
import { sampled } from "../../effort";

const refusals = vi.hoisted(() => {
  vi.resetModules(); // the library was loaded before this file, without the count
  return { count: 0 };
});

vi.mock("../../../lib/backends/wasm/memory/refusal", async (original) => {
  const actual = await original<typeof import("../../../lib/backends/wasm/memory/refusal")>();
  class Counted extends actual.Refused {
    constructor(...args: ConstructorParameters<typeof actual.Refused>) {
      super(...args);
      refusals.count++;
    }
  }
  return { ...actual, Refused: Counted };
});

tune({ compiledFrom: 0 });
const given = inputs();
const on = (backend: string, all: Inputs): Inputs =>
  Object.fromEntries(Object.entries(all).map(([key, t]) => [key, Nx.backendCopy(t as Tensor, backend)])) as never;

afterEach(() => {
  tune({ memoryBytes: null, threads: null, sharedFrom: null, largeFrom: null });
  vi.unstubAllGlobals();
});

/** What each work gives on each backend when nothing is refused. */
const expected = new Map<string, { readonly binary: string; readonly wasm: string }>();

beforeAll(() => {
  for (const [name, work] of WORK) {
    const bits = (backend: string) => Nx.withDefaultBackend(backend, () => bytesOf(work(on(backend, given))));
    expected.set(name, { binary: bits("binary"), wasm: bits("wasm") });
  }
});

/** Each result is that of one of the two: contractions of floats differ within their bounds. */
function check(name: string, got: string): void {
  const { binary, wasm } = expected.get(name)!;
  const [plain, own] = [binary.split("; "), wasm.split("; ")];
  expect(got.split("; ").map((bits, i) => (bits === own[i] ? plain[i] : bits))).toEqual(plain);
}

/** Numbers from 0 to 1 that are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What asks for memory of kernels. */
const ASKING = [
  ...[
    "unary",
    "binary",
    "select",
    "asType",
    "sort",
    "argsort",
    "reduceOp",
    "argReduce",
    "cumulative",
    "dot",
    "conv",
    "fft",
  ],
  ...["fused kernel", "column beside a matrix", "row program", "contraction with an epilogue", "written over operands"],
];

describe.each([
  ["one thread", 1],
  ["four threads", 4],
] as const)("memory that is refused at any moment, %s", (_, threads) => {
  it.each(sampled(WORK, 15, String(threads)))("%s", (name, work) => {
    tune({ threads, sharedFrom: threads > 1 ? 0 : null });
    const before = refusals.count;
    const random = numbers(name.length * 7 + threads);
    for (let i = 0; i < 12; i++) {
      const isResident = random() < 0.5;
      tune({ largeFrom: random() < 0.3 ? 1 : null });
      const room = i === 0 ? 0 : Math.floor(2 ** (21 * random()));
      const ceiling = inScratch(() => scratch(0)) + room;
      if (!isResident) tune({ memoryBytes: ceiling });
      const all = on("wasm", given);
      if (isResident) tune({ memoryBytes: inScratch(() => scratch(0)) + room });
      check(name, bytesOf(Nx.withDefaultBackend("wasm", () => work(all))));
      for (const [key, t] of Object.entries(all)) expect((t as Tensor).equals(given[key as keyof Inputs])).toBe(true);
      tune({ memoryBytes: null });
    }
    if (ASKING.includes(name)) expect(refusals.count).toBeGreaterThan(before);
    expect(bytesOf(Nx.withDefaultBackend("wasm", () => work(on("wasm", given))))).toBe(expected.get(name)!.wasm);
  });
});

it("a small array is copied into a large one item by item where there is no room to put it to", () => {
  const join = (backend: string): Tensor =>
    Nx.withDefaultBackend(backend, () => Nx.concatenate([Nx.iota([60, 16]), Nx.iota([60, 100])], { axis: 1 }));
  for (const t of [1, 2, 3].map(() => join("wasm"))) Nx.backendDeallocate(t); // what is made next has their rooms
  tune({ memoryBytes: inScratch(() => scratch(0)) });
  const before = refusals.count;
  const joined = join("wasm");
  expect(refusals.count).toBeGreaterThan(before);
  expect(addressOf(elementsOf(joined))).not.toBe(null);
  expect(joined.toBinary()).toEqual(join("binary").toBinary());
});

/** A library of its own, with what it finds in the host at its first use. */
async function fresh(): Promise<{
  readonly Library: typeof Nx;
  readonly run: (only?: readonly string[]) => void;
  readonly isResident: () => boolean;
}> {
  vi.resetModules();
  const Library = (await import("nx-numerics")) as typeof Nx;
  const { tune } = await import("../../../lib/backends/tuning");
  const arena = await import("../../../lib/backends/wasm/memory/arena");
  const storage = await import("../../../lib/backends/arrays/storage");
  const { WORK: work, inputs: make, bytesOf: bytes } = await import("./refused-work");
  tune({ compiledFrom: 0 });
  return {
    Library,
    run: (only) => {
      const all = make();
      const moved = Object.fromEntries(Object.entries(all).map(([key, t]) => [key, Library.backendCopy(t, "auto")]));
      for (const [name, one] of work) {
        if (!only || only.includes(name)) check(name, bytes(one(moved as never)));
      }
    },
    isResident: () => arena.addressOf(storage.elementsOf(Library.iota([40_000]))) !== null,
  };
}

const refuse = (): never => {
  throw new RangeError("refused by the host");
};
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("a host", () => {
  it("that refuses all memory of kernels, and gives it later", async () => {
    const { WebAssembly } = globalThis;
    vi.stubGlobal("WebAssembly", { ...hostOf(WebAssembly), Memory: class { constructor() { refuse(); } } }); // prettier-ignore
    const { Library, run, isResident } = await fresh();
    expect(Library.defaultBackend()[0]).toBe("wasm");
    expect(Library.iota([400, 300]).sum().toNumber()).toBe(7_199_940_000);
    run();
    expect(isResident()).toBe(false);
    vi.stubGlobal("WebAssembly", WebAssembly);
    await vi.waitFor(() => expect(isResident()).toBe(true), { timeout: 15_000 });
    run();
  });

  it("whose memory does not grow, and grows later", async () => {
    const grow = vi.spyOn(WebAssembly.Memory.prototype, "grow").mockImplementation(refuse);
    const { run, Library, isResident } = await fresh();
    Library.sort(Library.sin(Library.iota([200_000], { type: "f64" })));
    run();
    expect(grow).toHaveBeenCalled();
    grow.mockRestore();
    run();
    expect(isResident()).toBe(true);
  });

  it("that refuses code at any moment", async () => {
    const { WebAssembly } = globalThis;
    const random = numbers(5);
    let refused = 0;
    const often = (host: typeof WebAssembly.Instance | typeof WebAssembly.Module) =>
      function (this: unknown, ...args: [never]) {
        if (random() < 0.3 && ++refused) refuse();
        return new host(...args);
      };
    vi.stubGlobal("WebAssembly", {
      ...hostOf(WebAssembly),
      Instance: often(WebAssembly.Instance),
      Module: often(WebAssembly.Module),
    });
    const { run } = await fresh();
    for (let i = 0; i < 4; i++) run();
    expect(refused).toBeGreaterThan(30);
  });

  it("that forbids code after it allowed some, by a policy that a page has got", async () => {
    const { run } = await fresh();
    run(["unary"]);
    const { WebAssembly } = globalThis;
    const forbidden = vi.fn();
    class Module { constructor() { forbidden(); throw new WebAssembly.CompileError("disallowed by embedder"); } } // prettier-ignore
    vi.stubGlobal("WebAssembly", { ...hostOf(WebAssembly), Module });
    run();
    expect(forbidden).toHaveBeenCalled();
  });

  it("that has no TextEncoder, as jsdom, and yet runs kernels", async () => {
    vi.stubGlobal("TextEncoder", undefined);
    const { Library, run, isResident } = await fresh();
    expect(Library.defaultBackend()[0]).toBe("wasm");
    run();
    expect(isResident()).toBe(true);
  });

  it("that refuses shared arrays when threads are to start, and gives them later", async () => {
    const actual = globalThis.SharedArrayBuffer;
    const asked = vi.fn(refuse);
    const work = () =>
      Nx.withDefaultBackend("wasm", () => WORK.find(([name]) => name === "dot")![1](on("wasm", given)));
    tune({ threads: 5 });
    vi.stubGlobal("SharedArrayBuffer", class { constructor() { asked(); } }); // prettier-ignore
    check("dot", bytesOf(work()));
    const large = Nx.iota([1000, 1000], { type: "f32", backend: "wasm" });
    Nx.exp(large);
    expect(asked).toHaveBeenCalled();
    expect(readyWorkers()).toBe(0);
    vi.stubGlobal("SharedArrayBuffer", actual);
    for (let i = 0; i < 200 && readyWorkers() === 0; i++) {
      Nx.exp(large);
      await pause(10);
    }
    expect(readyWorkers()).toBeGreaterThan(0);
    check("dot", bytesOf(work()));
  });
});

/** The members of the host's WebAssembly, which cannot be spread. */
const hostOf = ({ Memory, Module, Instance, validate }: typeof WebAssembly): object => ({
  Memory,
  Module,
  Instance,
  validate,
});

describe("arrays that the host cannot make", () => {
  it("are an error that says how many bytes", () => {
    const huge = () => Nx.withDefaultBackend("wasm", () => Nx.broadcast(Nx.f64(1.5), [65_535, 65_535]).add(1));
    expect(huge).toThrow(Nx.BackendError);
    expect(huge).toThrow(/out of memory: cannot allocate \d+ bytes for a tensor/);
    expect(addressOf(elementsOf(Nx.iota([40_000], { backend: "wasm" })))).not.toBe(null);
  });
});
