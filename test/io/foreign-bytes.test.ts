/**
 * Bytes of other realms and bytes that are gone, wherever bytes are taken.
 */
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { decode, formatOf, readStream } from "../../lib/files/index";

const x = Nx.f32([1, -2.5], { names: ["x"] });

type Reader = readonly [name: string, bytes: Uint8Array, read: (bytes: never, copy?: boolean) => unknown];

/** Every function that reads bytes, with bytes that it takes. */
const READERS: readonly Reader[] = [
  ["Nx.fromBinary", x.toBinary(), (bytes) => Nx.fromBinary(bytes, "f32")],
  ["Nx.deserialize", Nx.serialize(x), (bytes, copy) => Nx.deserialize(bytes, { copy: copy ?? true })],
  ["Nx.loadNumpy", Nx.toNumpy(x), (bytes, copy) => Nx.loadNumpy(bytes, { copy: copy ?? true })],
  [
    "Nx.loadNumpyArchive",
    Nx.toNumpyArchive({ x }),
    (bytes, copy) => Nx.loadNumpyArchive(bytes, { copy: copy ?? true })[0]![1],
  ],
  [
    "Nx.loadSafetensors",
    Nx.toSafetensors({ x }),
    (bytes, copy) => Nx.loadSafetensors(bytes, { copy: copy ?? true })["x"],
  ],
  ["Nx.safetensorsInfo", Nx.toSafetensors({ x }), (bytes) => Nx.safetensorsInfo(bytes)],
  ["Nx.loadNumpy", Nx.toNumpy(x), (bytes) => decode(bytes, "npy")],
];

/** The same bytes made by code of another realm: as an array, and as a buffer. */
function foreign(bytes: Uint8Array): readonly [Uint8Array, ArrayBuffer] {
  const array = runInNewContext("Uint8Array.from(list)", { list: [...bytes] }) as Uint8Array;
  expect(
    [array, array.buffer].map((value: unknown) => value instanceof Uint8Array || value instanceof ArrayBuffer),
  ).toEqual([false, false]);
  return [array, array.buffer as ArrayBuffer];
}

/** Transfers bytes away. */
const detach = (buffer: ArrayBufferLike): unknown => structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });

const shown = (value: unknown): unknown => (value instanceof Nx.Tensor ? Nx.inspect(value) : value);

describe.each(READERS)("%s", (name, bytes, read) => {
  it("takes bytes of another realm", () => {
    const [array, buffer] = foreign(bytes);
    expect(shown(read(array as never))).toEqual(shown(read(bytes as never)));
    expect(shown(read(buffer as never))).toEqual(shown(read(bytes as never)));
    const inside = runInNewContext("new Uint8Array([9, ...list, 9]).subarray(1, -1)", {
      list: [...bytes],
    }) as Uint8Array;
    expect(shown(read(inside as never))).toEqual(shown(read(bytes as never)));
  });

  it("says that bytes are detached", () => {
    for (const make of [() => bytes.slice(), () => foreign(bytes)[0]]) {
      const array = make();
      const { buffer } = array;
      detach(buffer);
      const message = `${name} was given an array that is detached: its bytes were transferred to another thread or buffer`;
      expect(() => read(array as never)).toThrow(Nx.ArgumentError);
      expect(() => read(array as never)).toThrow(message);
      expect(() => read(buffer as never)).toThrow(message);
    }
  });

  it("takes nothing else for bytes", () => {
    const others = [
      new DataView(new ArrayBuffer(8)),
      new Float32Array(2),
      ...(name === "Nx.fromBinary" ? [] : [new SharedArrayBuffer(8)]), // files could change while they are read
      { length: 4, byteLength: 4, buffer: new ArrayBuffer(4), byteOffset: 0 },
      { get [Symbol.toStringTag]() { return "Uint8Array"; } }, // prettier-ignore
      Object.defineProperty(new DataView(new ArrayBuffer(8)), Symbol.toStringTag, { value: "Uint8Array" }),
      [1, 2, 3, 4],
      null,
    ];
    for (const other of others) expect(() => read(other as never)).toThrow(/a Uint8Array or an ArrayBuffer, got: /);
  });
});

describe("Nx.tensor", () => {
  it("takes typed arrays of another realm and says that one is detached", () => {
    for (const kind of ["Float32Array", "Int8Array", "BigInt64Array", "Uint8ClampedArray"] as const) {
      const array = runInNewContext(`new ${kind}(2)`) as Float32Array;
      expect(Nx.tensor(array).toFlatList()).toEqual([0, 0]);
      expect(Nx.tensor([array, array]).shape).toEqual([2, 2]);
      detach(array.buffer);
      const message = "Nx.tensor was given an array that is detached";
      expect(() => Nx.tensor(array)).toThrow(message);
      expect(() => Nx.tensor([array])).toThrow(message);
      expect(() => Nx.tensor(array, { type: "f64" })).toThrow(message);
    }
    expect(() => Nx.tensor(new Float32Array(0))).toThrow("cannot make a tensor of an empty Float32Array");
  });
});

describe("a tensor over bytes that are transferred away afterwards", () => {
  const readers = READERS.filter(([name]) => /deserialize|load/.test(name));

  it.each(readers)("%s", (_, bytes, read) => {
    const own = bytes.slice();
    const t = read(own as never, false) as Nx.Tensor;
    if (!(t instanceof Nx.Tensor)) return;
    const isOver = t.backend.download!(t).length === 8;
    expect(isOver).toBe(true);
    detach(own.buffer);
    const uses: readonly (() => unknown)[] = [
      () => t.add(1),
      () => Nx.exp(t),
      () => t.sum(),
      () => t.toFlatList(),
      () => t.reshape([2, 1]),
      () => Nx.defn((q: Nx.Tensor) => q.multiply(2))(t),
      () => Nx.serialize(t),
      () => Nx.backendCopy(t),
    ];
    // bytes that were copied because they did not lie as elements must stay readable
    const kept = uses.map((use) => outcome(use));
    for (const error of kept) {
      if (error === null) continue;
      expect(error).toBeInstanceOf(Nx.BackendError);
      expect(error.message).toContain("was read with copy: false, and the bytes that it reads are detached");
      expect(error.message).toMatch(/the tensor f32\[(x: )?2\] was read/);
    }
    expect(new Set(kept.map((error) => error === null)).size).toBe(1);
    expect(String(t)).toMatch(kept[0] === null ? /\[/ : /detached/); // printing never fails
  });

  it("is an error for at least one format of each kind", () => {
    const own = Nx.serialize(x).slice();
    const t = Nx.deserialize<Nx.Tensor>(own, { copy: false });
    detach(own.buffer);
    expect(() => t.add(1)).toThrow("are detached");
    expect(Nx.backendDeallocate(t)).toBe("ok");
    expect(() => t.add(1)).toThrow("was deallocated");
  });
});

function outcome(use: () => unknown): Error | null {
  try {
    use();
    return null;
  } catch (error) {
    return error as Error;
  }
}

describe("streams and names", () => {
  it("take pieces of another realm, not detached ones", async () => {
    const [array] = foreign(Nx.toNumpy(x));
    expect(formatOf(array)).toBe("npy");
    expect(String(await readStream([array]))).toBe(String(Nx.f32([1, -2.5])));
    detach(array.buffer);
    expect(() => formatOf(array)).toThrow("formatOf was given an array that is detached");
    await expect(readStream([array])).rejects.toThrow("readStream was given an array that is detached");
    await expect(readStream(["text"] as never)).rejects.toThrow("readStream expects pieces that are Uint8Arrays");
  });
});
