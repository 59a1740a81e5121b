/**
 * The reference shares nothing with WebAssembly: with the wasm backend at work in the same program, tensors of the binary backend
 * call no function of a module, ask for no room in the memory of kernels, lie in ordinary arrays, and have the same bits as before.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { conformance } from "nx-numerics/testing";
import { elementsOf } from "../../../lib/backends/arrays/storage";
import { binaryBackend } from "../../../lib/backends/binary";
import { arena } from "../../../lib/backends/wasm/memory/arena";
import { tune } from "../../../lib/backends/tuning";
import { bytesOf, inputs, WORK } from "../wasm/refused-work";
import { sampled } from "../../effort";

/** How often functions of modules were called; every module of the program is made through this host. */
const calls = vi.hoisted(() => {
  const counted = { functions: 0 };
  const { Instance } = WebAssembly;
  const counting =
    (fn: (...args: number[]) => number) =>
    (...args: number[]): number => {
      counted.functions++;
      return fn(...args);
    };
  WebAssembly.Instance = function (module: WebAssembly.Module, imports: WebAssembly.Imports) {
    const { exports } = new Instance(module, imports);
    return { exports: Object.fromEntries(Object.entries(exports).map(([name, fn]) => [name, counting(fn as never)])) };
  } as never;
  return counted;
});

const created = vi.spyOn(arena, "create");
const given = inputs();
const on = (backend: string) =>
  Object.fromEntries(Object.entries(given).map(([key, t]) => [key, Nx.backendCopy(t as Tensor, backend)])) as never;

/** All results of some work on a backend. */
const resultsOf = (backend: string, work: (typeof WORK)[number][1]): readonly Tensor[] =>
  Nx.withDefaultBackend(backend, () => [work(on(backend))].flat() as Tensor[]);

/** What a function does with WebAssembly: calls of modules, and rooms asked for. */
function traces(fn: () => void): readonly [calls: number, rooms: number] {
  const before = [calls.functions, created.mock.calls.length] as const;
  fn();
  return [calls.functions - before[0], created.mock.calls.length - before[1]];
}

const before = new Map<string, string>();

beforeAll(() => {
  tune({ largeFrom: 1, threads: 1 });
  for (const [name, work] of WORK) before.set(name, bytesOf(resultsOf("binary", work)));
});
afterAll(() => {
  tune({ largeFrom: null, threads: null });
});

describe("tensors of the binary backend", () => {
  it("are made before the wasm backend is at work without it", () => {
    expect([calls.functions, created.mock.calls.length]).toEqual([0, 0]);
  });

  it("stand beside tensors of the wasm backend, which is at work", () => {
    const [functions, rooms] = traces(() => WORK.forEach(([, work]) => resultsOf("wasm", work)));
    expect(functions).toBeGreaterThan(200);
    expect(rooms).toBeGreaterThan(200);
  });

  it.each(WORK)("have no part of it: %s", (name, work) => {
    let results: readonly Tensor[] = [];
    expect(traces(() => (results = resultsOf("binary", work)))).toEqual([0, 0]);
    expect(bytesOf(results)).toBe(before.get(name));
    for (const t of results) {
      expect(t.backend).toBe(binaryBackend);
      const { buffer } = elementsOf(t);
      expect(buffer).toBeInstanceOf(ArrayBuffer);
      expect(arena.covers(elementsOf(t))).toBe(false);
    }
  });

  it("have no part of it in cases of the conformance suite", () => {
    const all = sampled(conformance(binaryBackend), 400);
    expect(traces(() => Nx.withDefaultBackend("binary", () => all.forEach(({ run }) => void run())))).toEqual([0, 0]);
  }, 60_000);

  it("that come from the wasm backend are copies in ordinary arrays", () => {
    const resident = Nx.iota([70, 50], { type: "f32", backend: "wasm" });
    expect(arena.covers(elementsOf(resident))).toBe(true);
    for (const move of [Nx.backendCopy, Nx.backendTransfer]) {
      const copy = move(resident.add(1), "binary");
      expect(traces(() => copy.transpose().add(copy.transpose()).sum())).toEqual([0, 0]);
      expect(elementsOf(copy).buffer).toBeInstanceOf(ArrayBuffer);
    }
  });

  /** Tensors of both backends in ordinary arrays, those that were given back before. */
  const overwrite = (): void => {
    tune({ arenaBytes: 0 });
    for (const backend of ["binary", "wasm"]) {
      Nx.withDefaultBackend(backend, () => [1, 2, 3].map(() => Nx.broadcast(Nx.f32(-7), [70, 50])));
    }
    tune({ arenaBytes: null });
  };

  it("keep their elements when the wasm backend has taken them over and let go of them", () => {
    const x = Nx.iota([70, 50], { type: "f32", backend: "binary" });
    const zero = Nx.tensor(0, { type: "f32", backend: "wasm" });
    const expected = x.toFlatList();
    for (let i = 0; i < 3; i++) {
      expect(Nx.tidy(() => x.add(zero)).backend.name).toBe("wasm");
      overwrite();
      expect(x.toFlatList()).toEqual(expected);
    }
  });

  it("leave their elements to tensors of the wasm backend that took them over", () => {
    const x = Nx.iota([70, 50], { type: "f32", backend: "binary" });
    const expected = x.toFlatList();
    const elements = elementsOf(x);
    const moved = Nx.backendTransfer(x, "wasm");
    expect(elementsOf(moved)).toBe(elements);
    overwrite();
    expect(moved.toFlatList()).toEqual(expected);
  });
});
