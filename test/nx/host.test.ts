/**
 * What `Nx.host` tells is what is so: on the host of the tests, and on hosts that offer less.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import * as Nx from "nx-numerics";
import { readyWorkers } from "../../lib/backends/wasm/threads";
import { isSharedSoFar } from "../../lib/backends/wasm/memory/linear";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** What a copy of the library tells that has seen nothing yet, on a host made otherwise. */
async function told(change: () => void): Promise<Nx.HostReport> {
  vi.resetModules();
  const fresh = await import("nx-numerics");
  change();
  return fresh.host();
}

describe("the host", () => {
  it("is told as plain data, and asking changes nothing", () => {
    const before = [readyWorkers(), isSharedSoFar()];
    const report = Nx.host();
    expect([readyWorkers(), isSharedSoFar()]).toEqual(before);
    expect(structuredClone(report)).toEqual(report);
    expect(report).toMatchObject({ name: `Node ${process.versions.node}`, isIsolated: null });
    expect(report.copies).toContain(report.version);
    expect(report.wasm).toEqual({ isAvailable: true, why: "the host has WebAssembly with SIMD" });
    expect(Nx.host()).toEqual(report);
  });

  it("is told with the backend in force, and who chose it", () => {
    expect(Nx.withDefaultBackend("binary", () => Nx.host())).toMatchObject({
      backend: { name: "binary", why: "set by Nx.withDefaultBackend" },
      threads: { count: 1, started: 1, why: "the backend binary works on one thread" },
    });
    const own = { ...Nx.binaryBackend, name: "mine" };
    expect(Nx.withDefaultBackend(own, () => Nx.host().backend.name)).toBe("mine");
    expect(Nx.defn((x: Nx.Tensor) => (expect(Nx.host().backend.name).toBe("wasm"), x))(Nx.f32(1)).rank).toBe(0);
  });

  it("is told with the threads in force, and who said so", () => {
    expect(Nx.withDefaultBackend(["wasm", { threads: 3 }], () => Nx.host().threads)).toMatchObject({
      count: 3,
      why: "set by Nx.withDefaultBackend",
    });
    const before = Nx.configure({ threads: 1 });
    expect(Nx.host().threads).toEqual({ count: 1, started: 1, why: "set by Nx.configure" });
    Nx.configure({ threads: before.threads });
  });
});

const without = (name: string) => (): unknown => vi.stubGlobal(name, undefined);

/** A global `process` with other members. */
const otherProcess = (members: object): unknown =>
  vi.stubGlobal("process", { versions: process.versions, env: process.env, ...members });
const withoutBuiltins = (): unknown => otherProcess({ getBuiltinModule: undefined });

class Refusing {
  constructor() {
    throw new Error("a policy");
  }
}

describe("other hosts", () => {
  it.each([
    ["the host has no WebAssembly", without("WebAssembly")],
    ["has no SIMD", () => vi.stubGlobal("WebAssembly", { validate: () => false })],
    ["script-src 'wasm-unsafe-eval'", () => vi.stubGlobal("WebAssembly", { validate: () => true, Module: Refusing })],
  ])("without what kernels need say so: %s", async (why, change) => {
    const { wasm, backend, threads } = await told(change);
    expect(wasm).toEqual({ isAvailable: false, why: expect.stringContaining(why) as string });
    expect(backend).toEqual({ name: "binary", why: `the default, auto, takes binary: ${wasm.why}` });
    expect(threads.count).toBe(1);
  });

  it.each([
    ["the host has no SharedArrayBuffer", without("SharedArrayBuffer")],
    ["the host has no workers", withoutBuiltins],
    ["Cross-Origin-Opener-Policy", () => [withoutBuiltins(), vi.stubGlobal("crossOriginIsolated", false)]],
  ])("without threads say so: %s", async (why, change) => {
    vi.stubEnv("NX_THREADS", "4");
    const { threads } = await told(change);
    expect(threads).toEqual({ count: 1, started: 1, why: expect.stringContaining(why) as string });
  });

  it("that refuse workers say so once they did", async () => {
    vi.stubEnv("NX_THREADS", "4");
    vi.resetModules();
    const fresh = await import("nx-numerics");
    const refuse = {
      getBuiltinModule: (id: string) => (id === "node:worker_threads" ? { Worker: Refusing } : undefined),
    };
    otherProcess(refuse);
    expect(fresh.host().threads).toMatchObject({ count: 4, started: 1, why: "set by environment variable NX_THREADS" });
    fresh.iota([1_000_000], { type: "f32" }).exp().sum().toNumber();
    expect(fresh.host().threads).toMatchObject({
      count: 1,
      started: 1,
      why: expect.stringContaining("refused workers") as string,
    });
  });

  it("say what was configured, and where", async () => {
    vi.stubEnv("NX_BACKEND", "wasm");
    vi.stubEnv("NX_THREADS", "3");
    const { backend, threads } = await told(() => undefined);
    expect(backend).toEqual({ name: "wasm", why: "set by environment variable NX_BACKEND" });
    expect(threads).toEqual({ count: 3, started: 1, why: "set by environment variable NX_THREADS" });
    const auto = await told(() => vi.stubEnv("NX_BACKEND", "auto"));
    expect(auto.backend.why).toBe(
      "set by environment variable NX_BACKEND to auto, which takes wasm where it is available",
    );
  });

  it.each([
    ["unknown", {}],
    ["page", { document: {}, crossOriginIsolated: true }],
    ["worker", { WorkerGlobalScope: Object }],
    ["service worker", { WorkerGlobalScope: Object, ServiceWorkerGlobalScope: Object }],
    ["Deno 2.0.0", { process: { versions: { node: "20.0.0", deno: "2.0.0" } } }],
    ["Bun 1.0.0", { process: { versions: { node: "20.0.0", bun: "1.0.0" } } }],
  ])("are named: %s", async (name, globals) => {
    const report = await told(() => {
      for (const [key, value] of Object.entries({ process: undefined, ...globals })) vi.stubGlobal(key, value);
    });
    expect(report.name).toBe(name);
    expect(report.isIsolated).toBe(name === "page" ? true : null);
  });

  it("that have loaded several copies tell their versions", async () => {
    const { version, copies } = await told(() => undefined);
    expect(copies.length).toBeGreaterThan(1);
    expect(copies.every((one) => one === version)).toBe(true);
  });
});
