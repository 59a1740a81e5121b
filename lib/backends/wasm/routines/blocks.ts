/**
 * Routines of the composites that backends run natively: pseudo-random words and floats, four counters at a time.
 *
 * Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011), Threefry with two words of 32
 * bits and 20 rounds.
 */
import type { Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { advance, call, f32x4, f64x2, i32x4, local, v128, type Int, type Vector } from "../asm";
import { at, copyRun, pointerTo, times } from "./boxes";
import type { Make } from "./make";
import { castFunction } from "./operands";
import { Rooms, routine, type Places, type Room, type Routine } from "./routine";

const WORD = 4;
const VECTOR = 16;
const PARITY = 0x1bd11bda;
const ROTATIONS = [
  [13, 15, 26, 6],
  [17, 29, 16, 24],
] as const;

const fourOf = (value: number): Vector => local.fresh("v128", v128.const("i32x4", [value, value, value, value]));

/** Twenty rounds on the vectors of both words, with the three vectors of the key. */
function rounds(x0: Vector, x1: Vector, keys: readonly Vector[], temp: Vector): void {
  const addTo = (to: Vector, what: Vector): void => local.set(to, i32x4.add(to, what));
  addTo(x0, keys[0]!);
  addTo(x1, keys[1]!);
  for (let group = 0; group < 5; group++) {
    for (const by of ROTATIONS[group % 2]!) {
      addTo(x0, x1);
      local.set(temp, i32x4.shl(x1, by));
      local.set(temp, v128.or(temp, i32x4.shr_u(x1, 32 - by)));
      local.set(x1, v128.xor(temp, x0));
    }
    addTo(x0, keys[(group + 1) % 3]!);
    addTo(x1, keys[(group + 2) % 3]!);
    addTo(x1, fourOf(group + 1));
  }
}

/** So many words of the key at an address: the first half at `to`, the second half, which is made beside it, at `other` first. */
function words(count: number, key: Int, to: Int, other: Int): void {
  const half = Math.ceil(count / 2);
  const keys = [0, 1].map((i): Vector => local.fresh("v128", v128.load32_splat({ offset: i * WORD }, key)));
  const third = fourOf(PARITY);
  for (const each of keys) local.set(third, v128.xor(third, each));
  const [first, temp] = [local.fresh("v128", v128.const("i32x4", [0, 1, 2, 3])), local.fresh("v128")];
  const [put, beside] = [pointerTo(to), pointerTo(other)];
  times(Math.ceil(half / 4), () => {
    const second = local.fresh("v128", i32x4.add(first, fourOf(half)));
    // An odd count is filled up with 0.
    const x1 = local.fresh("v128", v128.and(second, i32x4.lt_u(second, fourOf(count))));
    const x0 = local.fresh("v128", first);
    rounds(x0, x1, [...keys, third], temp);
    v128.store({ align: WORD }, put, x0);
    v128.store({ align: WORD }, beside, x1);
    for (const pointer of [put, beside]) advance(pointer, VECTOR);
    local.set(first, i32x4.add(first, fourOf(4)));
  });
  copyRun((count - half) * WORD, at(other), at(to, half * WORD));
}

/** The code that makes elements at an address of words at another address. */
type Convert = (places: Places, from: Int, to: Int) => void;

/** The elements that are made of so many words each; without a conversion these are the words. */
function random(out: Template, each: number, rooms: Rooms, convert: Convert | null): Routine {
  const count = each * sizeOf(out.shape);
  const other = rooms.take({ type: "u32", shape: [count] });
  const room: Room | null = convert && rooms.take({ type: "u32", shape: [count] });
  const emit = (places: Places): void => {
    const [key, target] = [places.inputs[0]!, places.outputs[0]!];
    const made = room?.(places) ?? target;
    words(count, key, made, other(places));
    convert?.(places, made, target);
  };
  return routine({ rooms }, emit);
}

/** A vector of `n` at a time; results are as wide as what they are made of. */
function vectors(n: number, from: Int, to: Int, bodies: (source: Int) => void): void {
  const [source, put] = [pointerTo(from), pointerTo(to)];
  times(n, () => {
    local.get(put);
    bodies(source);
    v128.store({ align: WORD });
    for (const pointer of [source, put]) advance(pointer, VECTOR);
  });
}

/** The upper bits of words, as many as the fraction of the type has, as f32. */
function singles(count: number, from: Int, to: Int, mask: number, drop: number, fraction: number): void {
  const scale = 2 ** -fraction;
  vectors(Math.ceil(count / 4), from, to, (source) => {
    const bits = i32x4.shr_u(v128.and(v128.load({ align: WORD }, source), fourOf(mask)), drop);
    f32x4.mul(f32x4.convert_i32x4_u(bits), v128.const("f32x4", [scale, scale, scale, scale]));
  });
}

/** Of the 64 bits made of a word of the first half and one of the second, the upper 52. */
function doubles(count: number, from: Int, to: Int): void {
  const [upper, lower] = [pointerTo(from), pointerTo(from, count * WORD)];
  const put = pointerTo(to);
  const high = local.fresh("v128");
  const pair = (value: number) => v128.const("f64x2", [value, value]);
  times(Math.ceil(count / 2), () => {
    local.set(high, f64x2.mul(f64x2.convert_low_i32x4_u(v128.load64_zero({ align: WORD }, upper)), pair(2 ** 20)));
    local.get(put);
    const low = f64x2.convert_low_i32x4_u(i32x4.shr_u(v128.load64_zero({ align: WORD }, lower), 12));
    f64x2.mul(f64x2.add(high, low), pair(2 ** -52));
    v128.store({ align: WORD });
    for (const pointer of [upper, lower]) advance(pointer, 8);
    advance(put, VECTOR);
  });
}

function floats(out: Template): Routine | null {
  const count = sizeOf(out.shape);
  const rooms = new Rooms();
  switch (out.type) {
    case "f32":
      return random(out, 1, rooms, (_, from, to) => singles(count, from, to, -1, 9, 23));
    case "f64":
      return random(out, 2, rooms, (_, from, to) => doubles(count, from, to));
    case "f16":
    case "bf16": {
      const fraction = out.type === "f16" ? 10 : 7;
      const room = rooms.take({ type: "f32", shape: out.shape });
      const cast = castFunction("f32", out.type, "saturate");
      return random(out, 1, rooms, (places, from, to) => {
        const wide = room(places);
        singles(count, from, wide, 0xffff, 16 - fraction, fraction);
        call(cast, [count, wide, to]);
      });
    }
    default:
      return null;
  }
}

/** None for integers below a size, whose remainders no vector code has, and for composites, which programs have inside. */
const block: Make<"block"> = ([out], [key], { name }) => {
  if (key?.type !== "u32") return null;
  if (name === "threefry2x32") return out!.type === "u32" ? random(out!, 1, new Rooms(), null) : null;
  return name === "threefryFloats" ? floats(out!) : null;
};

/** The routines of composites. */
export const blocks = { block };
