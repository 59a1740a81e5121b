/**
 * Random bits from a key: Threefry with two words of 32 bits and 20 rounds, in the arrangement of counters that JAX and Nx
 * share. All of it is made of functions on `u32` tensors, so that it traces and runs on every backend.
 *
 * Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).
 */
import { IOTA } from "../backends/primitives";
import { THREEFRY } from "../backends/blocks";
import { unnamed } from "../core/names";
import { checkSize, sizeOf, type Shape } from "../core/shape";
import { sliceAlong } from "../nx/aggregates/core";
import { cast, constant, run, template } from "../nx/dispatch";
import { add, bitwiseOr, bitwiseXor, leftShift, remainder, rightShift } from "../nx/elementwise";
import type { Tensor } from "../tensor";

/** Keeps the bits of the key from being all zeros in its third word. */
const PARITY = 0x1bd11bda;

/** By how much the second word is rotated, in the four rounds of odd and of even groups. */
const ROTATIONS = [
  [13, 15, 26, 6],
  [17, 29, 16, 24],
] as const;

/** An unsigned type that bits are drawn in. */
export type BitsType = "u8" | "u16" | "u32" | "u64";

/** Two words mixed with a key: the block cipher itself, element by element. */
export function threefry(key: Tensor, first: Tensor, second: Tensor): [Tensor, Tensor] {
  const k0 = sliceAlong(key, 0, 0, 1);
  const k1 = sliceAlong(key, 0, 1, 1);
  const schedule = [k0, k1, bitwiseXor(bitwiseXor(k0, k1), constant(PARITY, "u32"))] as const;
  let x0: Tensor = add(first, k0);
  let x1: Tensor = add(second, k1);
  for (let group = 1; group <= 5; group++) {
    for (const by of ROTATIONS[(group - 1) % 2]!) {
      x0 = add(x0, x1);
      x1 = bitwiseXor(rotateLeft(x1, by), x0);
    }
    x0 = add(x0, schedule[group % 3]!);
    x1 = add(x1, add(schedule[(group + 1) % 3]!, constant(group, "u32")));
  }
  return [x0, x1];
}

function rotateLeft(x: Tensor, by: number): Tensor {
  return bitwiseOr(leftShift(x, constant(by, "u32")), rightShift(x, constant(32 - by, "u32")));
}

/** Bits of the given width in the given shape, unnamed. */
export function randomBits(key: Tensor, type: BitsType, shape: Shape): Tensor {
  checkBits(type, shape);
  const size = sizeOf(shape);
  const out = template(type, shape, unnamed(shape.length));
  if (type !== "u64") return run("reshape", out, [cast(randomWords(key, size), type)], {});
  const words = cast(randomWords(key, 2 * size), "u64");
  const high = leftShift(sliceAlong(words, 0, 0, size), constant(32, "u64"));
  return run("reshape", out, [bitwiseOr(high, sliceAlong(words, 0, size, size))], {});
}

/** Refuses samples that need more words than there are counters, before anything is drawn. */
export function checkBits(type: BitsType, shape: Shape): void {
  checkSize(type === "u64" ? [2, ...shape] : shape, "random bits of shape");
}

/** `count` words of 32 bits. */
function randomWords(key: Tensor, count: number): Tensor {
  const shape = Object.freeze([count]);
  return run("block", template("u32", shape, unnamed(1)), [key], {
    name: THREEFRY,
    options: {},
    fn: (k) => wordsOf(k!, count),
  });
}

/**
 * Words for the counters 0 to count - 1: the first half of them are the first words of the pairs, the rest the second ones.
 * An odd count is filled up with a counter of 0, whose word is dropped.
 */
export function wordsOf(key: Tensor, count: number): Tensor {
  const half = Math.ceil(count / 2);
  const counters = template("u32", Object.freeze([half]), unnamed(1));
  const first = run(IOTA, counters, [], { axis: 0 });
  const after = add(first, constant(half, "u32"));
  const second = count % 2 === 0 ? after : remainder(after, constant(count, "u32"));
  const pairs = template("u32", Object.freeze([2 * half]), unnamed(1));
  const words = run("concatenate", pairs, threefry(key, first, second), { axis: 0 });
  return count % 2 === 0 ? words : sliceAlong(words, 0, 0, count);
}
