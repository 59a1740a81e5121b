import { afterEach, describe, expect, it, vi } from "vitest";
import { BackendError } from "nx-numerics";
import {
  hasRoom,
  inScratch,
  kernelMemory,
  MAXIMUM_PAGES,
  scratch,
  views,
} from "../../../lib/backends/wasm/memory/linear";

const PAGE = 65_536;
const size = (): number => kernelMemory().buffer.byteLength;

describe("scratch space", () => {
  it("comes in aligned pieces that do not overlap", () => {
    inScratch(() => {
      const sizes = [1, 63, 64, 65, 1000, 0, 8];
      const places = sizes.map(scratch);
      places.forEach((at, i) => {
        expect(at % 64).toBe(0);
        expect(at).toBeGreaterThan(0);
        if (i > 0) expect(at).toBeGreaterThanOrEqual(places[i - 1]! + sizes[i - 1]!);
      });
    });
  });

  it("is given back at the end, also after an error, and from the inside out", () => {
    const first = inScratch(() => scratch(100));
    expect(inScratch(() => scratch(100))).toBe(first);
    const fails = () =>
      inScratch(() => {
        scratch(5000);
        throw new Error("on purpose");
      });
    expect(fails).toThrow("on purpose");
    inScratch(() => {
      expect(scratch(100)).toBe(first);
      const inner = inScratch(() => scratch(10));
      expect(scratch(10)).toBe(inner);
    });
  });

  it("grows the memory, keeps what is in it, and gives new views", () => {
    inScratch(() => {
      const at = scratch(64);
      views().f64[at / 8] = 1.25;
      const before = views();
      expect(views()).toBe(before);
      const bytes = size() + 3 * PAGE;
      const big = scratch(bytes);
      expect(size()).toBeGreaterThanOrEqual(big + bytes);
      expect(size() % PAGE).toBe(0);
      expect(views()).not.toBe(before);
      expect(views().f64[at / 8]).toBe(1.25);
      views().u8[big + bytes - 1] = 7;
      expect(views().s8[big + bytes - 1]).toBe(7);
      for (const view of Object.values(views())) expect((view as Uint8Array).byteLength).toBe(size());
    });
  });

  it("grows by more than is asked for, so that it seldom grows", () => {
    let grown = 0;
    let last = size();
    inScratch(() => {
      for (let i = 0; i < 200; i++) {
        scratch(PAGE);
        if (size() !== last) grown++;
        last = size();
      }
    });
    expect(grown).toBeLessThan(15);
  });

  it("ends with an error that says how much was wanted, and can be used after it", () => {
    const before = size();
    expect(hasRoom(2 ** 20)).toBe(true);
    expect(hasRoom(MAXIMUM_PAGES * PAGE)).toBe(false);
    expect(() => inScratch(() => scratch(MAXIMUM_PAGES * PAGE))).toThrow(BackendError);
    expect(() => inScratch(() => scratch(2 ** 40))).toThrow(/out of memory: cannot reserve \d+ bytes for kernels/);
    expect(size()).toBe(before);
    const at = inScratch(() => scratch(64));
    expect(inScratch(() => scratch(64))).toBe(at);
  });
});

describe("memory on hosts that have little", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  /** The module, on a host that refuses memory by what is asked for. */
  async function memoryOn(refuses: (descriptor: { maximum: number; shared: boolean }) => boolean) {
    vi.unstubAllGlobals();
    const host = WebAssembly;
    class Memory extends host.Memory {
      constructor(descriptor: { initial: number; maximum: number; shared: boolean }) {
        if (refuses(descriptor)) throw new RangeError("could not allocate memory");
        super(descriptor);
      }
    }
    vi.stubGlobal("WebAssembly", { ...host, Memory });
    vi.resetModules();
    return import("../../../lib/backends/wasm/memory/linear");
  }

  it("is smaller, or not shared, where the host refuses more", async () => {
    const small = await memoryOn(({ maximum }) => maximum > 2048);
    expect(small.isShared()).toBe(true);
    expect([small.hasRoom(100 * 2 ** 20), small.hasRoom(2 ** 28)]).toEqual([true, false]);
    const own = await memoryOn(({ shared }) => shared);
    expect(own.isShared()).toBe(false);
    expect(own.hasRoom(2 ** 30)).toBe(true);
  });

  it("leaves kernels half of it, and tensors are ordinary arrays beyond that", async () => {
    await memoryOn(({ maximum }) => maximum > 2048);
    const { arena } = await import("../../../lib/backends/wasm/memory/arena");
    expect(arena.create(Uint8Array, 80 * 2 ** 20) === null).toBe(true);
    expect(arena.create(Uint8Array, 40 * 2 ** 20) === null).toBe(false);
  });

  it("is an error that names the other backend where there is none", async () => {
    const none = await memoryOn(() => true);
    expect(() => none.kernelMemory()).toThrow(/the host has none for kernels; the backend "binary" needs none/);
  });
});
