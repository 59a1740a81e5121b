/**
 * The operands: numbers that every runner makes alike, in any language that has 32-bit arithmetic. Each element is a hash
 * of its position, so nothing has to be passed between processes.
 */
import type { InputSpec } from "./protocol";

/** The finalizer of MurmurHash3 (Appleby 2011): each bit of the result depends on all bits of the position. */
function hash(position: number): number {
  let h = position | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const STREAM = 0x9e3779b9; // keeps the positions of different seeds apart

export const sizeOf = (shape: readonly number[]): number => shape.reduce((size, length) => size * length, 1);

/** Elements of 24 random bits, so that scaling to [low, high) is exact until the last rounding to f32. */
function uniform({ shape, seed, low, high }: InputSpec): Float32Array {
  const out = new Float32Array(sizeOf(shape));
  const start = Math.imul(seed, STREAM);
  for (let i = 0; i < out.length; i++) out[i] = low + (high - low) * ((hash(start + i) >>> 8) / 2 ** 24);
  return out;
}

function oneHot({ shape, seed }: InputSpec): Float32Array {
  const [rows, columns] = shape as [number, number];
  const out = new Float32Array(rows * columns);
  const start = Math.imul(seed, STREAM);
  for (let row = 0; row < rows; row++) out[row * columns + (hash(start + row) % columns)] = 1;
  return out;
}

export const dataOf = (spec: InputSpec): Float32Array => (spec.oneHot ? oneHot(spec) : uniform(spec));

/** A small number that looks random: chooses the operations of the functions whose compilation is timed. */
export const choice = (variant: number, place: number, choices: number): number =>
  hash(Math.imul(variant, STREAM) + place) % choices;
