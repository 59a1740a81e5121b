/**
 * Valid files with something changed: reading them gives a result of a size the file can hold, or an error of the library.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { readData } from "./read";
import { tries } from "../effort";

type Read = (bytes: Uint8Array) => readonly Nx.Tensor[];

const named = (tensors: readonly (readonly [string, Nx.Tensor])[]): Nx.Tensor[] => tensors.map(([, t]) => t);
const deep = (value: unknown): Nx.Tensor[] =>
  value instanceof Nx.Tensor
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(deep)
      : [];

const npy: Read = (bytes) => [Nx.loadNumpy(bytes)];
const npz: Read = (bytes) => named(Nx.loadNumpyArchive(bytes));
const safetensors: Read = (bytes) => Object.values(Nx.loadSafetensors(bytes));
const nx: Read = (bytes) => deep(Nx.deserialize(bytes));

const tensors = { a: Nx.iota([3, 4], { names: ["x", "y"] }), b: Nx.f32([0.5, 1.5]), zeros: Nx.broadcast(0, [40, 50]) };
const FILES: readonly (readonly [name: string, file: Uint8Array, read: Read])[] = [
  ["npy", Nx.toNumpy(tensors.a), npy],
  ["npy, Fortran order", readData("fortran_big.npy"), npy],
  ["npz", Nx.toNumpyArchive(tensors), npz],
  ["npz, compressed", Nx.toNumpyArchive(tensors, { compression: "deflate" }), npz],
  ["npz of NumPy", readData("descriptors.npz"), npz],
  ["safetensors", Nx.toSafetensors(tensors, { metadata: { k: "v" } }), safetensors],
  ["nx", Nx.serialize({ ...tensors, list: [1, "text"] }), nx],
  ["nx, compressed", Nx.serialize({ ...tensors, list: [1, "text"] }, { compression: "deflate" }), nx],
];

/** One change of the bytes; `where` counts from the front in thousandths, as headers are there or at the end. */
type Change = (bytes: Uint8Array) => Uint8Array;

const place = fc.integer({ min: 0, max: 999 });
const at = (bytes: Uint8Array, where: number): number =>
  Math.min(bytes.length - 1, Math.floor((where / 1000) * bytes.length));
const joined = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

const byteChanged: fc.Arbitrary<Change> = fc
  .tuple(place, fc.integer({ min: 0, max: 255 }))
  .map(([where, value]) => (bytes) => {
    const out = bytes.slice();
    out[at(out, where)] = value;
    return out;
  });
const bitFlipped: fc.Arbitrary<Change> = fc
  .tuple(fc.nat(400), fc.nat(7), fc.boolean())
  .map(([i, bit, back]) => (bytes) => {
    const out = bytes.slice();
    const index = back ? out.length - 1 - (i % out.length) : i % out.length;
    out[index]! ^= 1 << bit;
    return out;
  });
const cut: fc.Arbitrary<Change> = place.map((where) => (bytes) => bytes.slice(0, at(bytes, where)));
const spliced: fc.Arbitrary<Change> = fc
  .tuple(place, place, fc.uint8Array({ maxLength: 12 }))
  .map(([a, b, piece]) => (bytes) => {
    const [low, high] = [at(bytes, Math.min(a, b)), at(bytes, Math.max(a, b))];
    return joined(bytes.subarray(0, low), piece, bytes.subarray(high));
  });
const wordChanged: fc.Arbitrary<Change> = fc
  .tuple(place, fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 65535))
  .map(([where, value]) => (bytes) => {
    const out = bytes.slice();
    if (out.length >= 4) new DataView(out.buffer).setUint32(Math.min(at(out, where), out.length - 4), value, true);
    return out;
  });
/** Digits of the header become other digits, so that it stays well formed and tells other sizes. */
const numberChanged: fc.Arbitrary<Change> = fc
  .tuple(fc.nat(60), fc.integer({ min: 0x30, max: 0x39 }))
  .map(([n, digit]) => (bytes) => {
    const out = bytes.slice();
    const digits = [...out.keys()].filter((i) => out[i]! >= 0x30 && out[i]! <= 0x39);
    if (digits.length > 0) out[digits[n % digits.length]!] = digit;
    return out;
  });

const change = fc.oneof(byteChanged, bitFlipped, cut, spliced, wordChanged, numberChanged);
const changes = fc.array(change, { minLength: 1, maxLength: 4 });

describe("damaged files", () => {
  it.each(FILES)("%s", (_, file, read) => {
    let refused = 0;
    fc.assert(
      fc.property(changes, (list) => {
        const bytes = list.reduce((all, one) => one(all), file);
        try {
          const size = read(bytes).reduce((total, t) => total + Nx.byteSize(t), 0);
          expect(size).toBeLessThanOrEqual(1032 * bytes.length);
        } catch (error) {
          if (!(error instanceof Nx.NxError)) throw error;
          expect(error.message.length).toBeGreaterThan(20);
          refused++;
        }
      }),
      { numRuns: tries(400) },
    );
    expect(refused).toBeGreaterThan(tries(400) * 0.375);
  });

  it("random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...FILES), (tail, [, file, read]) => {
        for (const bytes of [tail, joined(file.subarray(0, 12), tail)]) expect(() => read(bytes)).toThrow(Nx.NxError);
      }),
      { numRuns: tries(500) },
    );
  });
});
