/**
 * Bits of NaN: what operations make of operands that hold none is the same on every path, what they make of NaN is NaN at the
 * same places, and what only moves elements keeps every bit.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { BINARY_OPS, UNARY_OPS } from "nx-numerics/backend";
import type { BinaryOp, DType, Tensor, UnaryOp } from "nx-numerics";
import { sampled } from "../../effort";

/** How many bits of a float are its fraction. */
const FRACTION = { f16: 10, bf16: 7, f32: 23, f64: 52 } as const;
type Part = keyof typeof FRACTION;
const TYPES = ["f16", "bf16", "f32", "f64", "c64", "c128"] as const;
type Type = (typeof TYPES)[number];

const partOf = (type: Type): Part => (type === "c64" ? "f32" : type === "c128" ? "f64" : type);
const bitsOf = (part: Part): number => (part === "f64" ? 64 : part === "f32" ? 32 : 16);

/** Everything that is special but NaN, of both signs: the bits of elements. */
function plainBits(part: Part): bigint[] {
  const one = 1n << BigInt(FRACTION[part]);
  const infinity = (1n << BigInt(bitsOf(part) - 1)) - one;
  const unit = Nx.tensor([1, 2.5, 0.75, 1e-3], { type: part, backend: "binary" }).toBinary();
  const width = bitsOf(part) / 8;
  const numbers = Array.from({ length: 4 }, (_, i) => read(unit, i * width, width));
  const positive = [0n, 1n, infinity - 1n, infinity, ...numbers];
  return positive.flatMap((bits) => [bits, bits | (1n << BigInt(bitsOf(part) - 1))]);
}

/** NaNs of both signs: quiet, signalling, and with payloads. */
function nanBits(part: Part): bigint[] {
  const one = 1n << BigInt(FRACTION[part]);
  const infinity = (1n << BigInt(bitsOf(part) - 1)) - one;
  const kinds = [one >> 1n, 1n, one - 1n, (one >> 1n) | 5n].map((payload) => infinity | payload);
  return kinds.flatMap((bits) => [bits, bits | (1n << BigInt(bitsOf(part) - 1))]);
}

function read(bytes: Uint8Array, at: number, width: number): bigint {
  let value = 0n;
  for (let i = width - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[at + i]!);
  return value;
}

/** A tensor whose elements have these bits, in turn or each many times over, so that two meet in all ways. */
function operand(type: Type, bits: readonly bigint[], inTurn: boolean): Tensor {
  const width = bitsOf(partOf(type)) / 8;
  const parts = type === "c64" || type === "c128" ? 2 : 1;
  // Enough for vector code and its ends.
  const count = Math.max(bits.length ** 2, 600) + 3;
  const bytes = new Uint8Array(count * width * parts);
  for (let i = 0; i < count * parts; i++) {
    const [element, part] = [Math.floor(i / parts), i % parts];
    const index = (inTurn ? element : Math.floor(element / bits.length)) + 5 * part;
    let value = bits[index % bits.length]!;
    for (let k = 0; k < width; k++, value >>= 8n) bytes[i * width + k] = Number(value & 255n);
  }
  return Nx.fromBinary(bytes, type, { backend: "binary" });
}

/** The bytes of a result, with all NaNs made one where their bits do not count. */
function seen(t: Tensor, count: boolean): Uint8Array {
  const bytes = t.toBinary();
  if (count || !(TYPES as readonly string[]).includes(t.type)) return bytes;
  const part = partOf(t.type as Type);
  const width = bitsOf(part) / 8;
  const infinity = (1n << BigInt(bitsOf(part) - 1)) - (1n << BigInt(FRACTION[part]));
  for (let at = 0; at < bytes.length; at += width) {
    const magnitude = read(bytes, at, width) & ((1n << BigInt(bitsOf(part) - 1)) - 1n);
    if (magnitude > infinity) bytes.fill(255, at, at + width);
  }
  return bytes;
}

type Work = (...operands: Tensor[]) => Tensor;

const UNARY = Object.keys(UNARY_OPS) as UnaryOp[];
const BINARY = Object.keys(BINARY_OPS) as BinaryOp[];
const WORK: readonly (readonly [name: string, work: Work])[] = [
  ...UNARY.map((op) => [op, (x: Tensor) => Nx[op](x)] as const),
  ...BINARY.map((op) => [op, (x: Tensor, y: Tensor) => Nx[op](x, y)] as const),
  ["mod", (x, y) => Nx.mod(x, y)],
  ["logAddExp", (x, y) => Nx.logAddExp(x, y)],
  ["reciprocal", (x) => Nx.reciprocal(x)],
  ["square", (x) => Nx.square(x)],
  ["select", (x, y) => Nx.select(Nx.equal(Nx.real(x), 0), x, y)],
  ...TYPES.map((to) => [`to ${to}`, (x: Tensor) => x.asType(to)] as const),
  ["fused", (x, y) => Nx.multiply(x, y).subtract(x).divide(y.add(1))],
];

const result = (work: () => Tensor): Tensor | null => {
  try {
    return work();
  } catch (error) {
    expect(error).toBeInstanceOf(Nx.NxError);
    return null;
  }
};

function compare(type: Type, bits: readonly bigint[], work: Work, count: boolean): void {
  const given = [operand(type, bits, true), operand(type, bits, false)];
  const expected = result(() => work(...given));
  if (!expected) return;
  const wasm = given.map((t) => Nx.backendCopy(t, "wasm"));
  const traced = Nx.defn((x: Tensor, y: Tensor) => work(x, y));
  const ways: Record<string, () => Tensor> = {
    wasm: () => work(...wasm),
    "wasm, traced": () => traced(wasm[0]!, wasm[1]!),
    "binary, traced": () => traced(given[0]!, given[1]!),
  };
  const wanted = seen(expected, count);
  for (const [way, run] of Object.entries(ways)) {
    const got = seen(run(), count);
    const at = got.findIndex((byte, i) => byte !== wanted[i]);
    expect(at < 0 ? "the same" : `${way} differs at byte ${at}: ${hex(wanted, at)} and ${hex(got, at)}`).toBe(
      "the same",
    );
  }
}

const hex = (bytes: Uint8Array, at: number): string =>
  [...bytes.subarray(at - (at % 8), at - (at % 8) + 8)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");

describe.each(sampled(TYPES, 2, "nan"))("%s", (type) => {
  const plain = plainBits(partOf(type));
  const nans = nanBits(partOf(type));

  // Half floats between two operations keep the sign of a NaN in kernels only, so what is made of several is left out.
  const single = type === "f16" ? WORK.filter(([name]) => name !== "mod" && name !== "fused") : WORK;

  it.each(single)("%s makes the same NaN of what is none", (_, work) => compare(type, plain, work, true));

  it.each(WORK)("%s of NaN is NaN at the same places", (_, work) => compare(type, [...nans, ...plain], work, false));

  it("keeps every bit of a NaN that is only moved", () => {
    const t = operand(type, [...nans, ...plain], true);
    const size = t.shape[0]!;
    for (const backend of ["binary", "wasm"]) {
      const x = Nx.backendCopy(t, backend);
      const even = x.at(Nx.range(0, size - (size % 4))).reshape([4, (size - (size % 4)) / 4]);
      const same: Tensor[] = [
        x.reverse().reverse(),
        Nx.concatenate([x.at(Nx.range(0, 5)), x.at(Nx.range(5))]),
        Nx.take(x, Nx.iota([size], { backend })),
        Nx.defn((q: Tensor) => q.reshape([1, size]).transpose().flatten())(x),
        Nx.deserialize<Tensor>(Nx.serialize(x)),
        Nx.loadNumpy(Nx.toNumpy(type === "bf16" ? x.bitcast("u16") : x)),
      ];
      for (const moved of same) expect(moved.toBinary()).toEqual(x.toBinary());
      expect(even.transpose().transpose().toBinary()).toEqual(even.toBinary());
      if (type !== "c128" && type !== "c64") {
        const words = `u${bitsOf(partOf(type))}` as DType;
        expect(x.bitcast(words).add(0).bitcast(type).toBinary()).toEqual(x.toBinary());
      }
    }
  });
});
