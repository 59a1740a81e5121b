/** Files of NumPy in data/, and bytes put together by hand. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import * as Nx from "nx-numerics";

export const dataPath = (name: string): URL => new URL(`data/${name}`, import.meta.url);
export const readData = (name: string): Uint8Array => new Uint8Array(readFileSync(dataPath(name)));

type Coded = number | string | [Coded, Coded];

export interface Described {
  readonly type: Nx.DType;
  readonly shape: number[];
  readonly elements?: Coded[];
}

interface Expected {
  readonly arrays: Record<string, Described>;
  readonly archives: Record<string, [name: string, array: Described][]>;
  readonly refused: Record<string, string>;
}

export const expected = JSON.parse(readFileSync(dataPath("expected.json"), "utf8")) as Expected;

function decode(coded: Coded): unknown {
  if (Array.isArray(coded)) return [decode(coded[0]), decode(coded[1])];
  if (typeof coded === "number") return coded;
  return /^-?\d+$/.test(coded) && coded !== "-0" ? BigInt(coded) : Number(coded);
}

/** Element by element, NaN as itself and -0 apart from 0. */
export function expectArray(t: Nx.Tensor, { type, shape, elements }: Described): void {
  expect(t.type).toBe(type);
  expect(t.shape).toEqual(shape);
  expect(t.names).toEqual(shape.map(() => null));
  if (elements === undefined) return;
  const got = t.toFlatList().map((x) => (x instanceof Nx.Complex ? [x.re, x.im] : x));
  expect(got).toStrictEqual(elements.map(decode));
}

export const text = (value: string): Uint8Array => new TextEncoder().encode(value);

export function concat(...parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export const uint = (value: number | bigint, bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 255n));

/** A .npy file with any text as its header. */
export function npyFile(header: string, data: Uint8Array = new Uint8Array(), version = 1): Uint8Array {
  const raw = text(header);
  const magic = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0);
  return concat(magic, uint(raw.length, version === 1 ? 2 : 4), raw, data);
}

/** A safetensors file with any text as its header. */
export function safetensorsFile(header: string, data: Uint8Array = new Uint8Array()): Uint8Array {
  const raw = text(header);
  return concat(uint(raw.length, 8), raw, data);
}
