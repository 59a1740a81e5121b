/** Runs routines in modules of their own, with what must not be touched around their operands. */
import { expect } from "vitest";
import type { Backend, PrimitiveFunction, Template } from "../../../../lib/backend";
import { binaryBackend } from "../../../../lib/backends/binary";
import { inScratch, scratch, SLACK, views } from "../../../../lib/backends/wasm/memory/linear";
import { loadModule, moduleBytes } from "../../../../lib/backends/wasm/modules/module";
import type { AnyPrimitive, AttrsOf } from "../../../../lib/backends/wasm/routines/routine";
import { routineOf, type Routine } from "../../../../lib/backends/wasm/routines";
import { bytesOf, isComplex, isInteger, type DType } from "../../../../lib/core/types";
import { Tensor } from "../../../../lib/tensor";
import * as s from "../../binary/support";
import { arrayOf } from "../../../array-of";

export const template = (type: DType, shape: readonly number[]): Template => ({ type, shape, names: s.unnamed(shape) });

const bytesOfAll = ({ type, shape }: Template): number => s.sizeOf(shape) * bytesOf(type);

/** What lies around operands: of floats NaN, of integers large numbers. */
const NOISE = 0xfd;

interface Room {
  readonly at: number;
  readonly bytes: number;
}

/** Room between stretches of noise, of which that behind it is the slack. */
function room(bytes: number, slackBefore = 64): Room {
  const start = scratch(slackBefore + bytes + SLACK + 64);
  views().u8.fill(NOISE, start, start + slackBefore + bytes + SLACK + 64);
  return { at: start + slackBefore, bytes };
}

/** Whether what lies before a room, and behind its slack, is as it was. */
function isUntouched({ at, bytes }: Room): boolean {
  const { u8 } = views();
  const isNoise = (from: number, to: number): boolean => u8.subarray(from, to).every((byte) => byte === NOISE);
  return isNoise(at - 64, at) && isNoise(at + bytes + SLACK, at + bytes + SLACK + 64);
}

/** Results as bytes, or null where the routine failed. */
export function runRoutine(made: Routine, outs: readonly Template[], inputs: readonly Tensor[]): Uint8Array[] | null {
  const { exports } = loadModule(moduleBytes({ run: made.code }));
  const run = exports.run! as unknown as (...at: number[]) => number | undefined;
  return inScratch(() => {
    const before = inputs.map((input) => binaryBackend.download(input));
    const given = before.map((bytes) => room(bytes.length));
    const results = outs.map((out) => room(bytesOfAll(out)));
    const work = made.scratchBytes > 0 ? [room(made.scratchBytes - SLACK)] : [];
    given.forEach(({ at }, i) => views().u8.set(before[i]!, at));
    const status = run(...[...given, ...results, ...work].map(({ at }) => at));
    const { u8 } = views();
    given.forEach(({ at, bytes }, i) => {
      expect(Buffer.from(u8.slice(at, at + bytes)).equals(before[i]!), "an input is as it was").toBe(true);
      const slack = u8.subarray(at + bytes, at + bytes + SLACK);
      expect(
        slack.every((byte) => byte === NOISE),
        "nothing is written behind an input",
      ).toBe(true);
    });
    for (const each of [...given, ...results, ...work])
      expect(isUntouched(each), "nothing is written around operands").toBe(true);
    expect(status === undefined).toBe(!made.mayFail);
    return status ? null : results.map(({ at, bytes }) => u8.slice(at, at + bytes));
  });
}

/** Results of a primitive of a backend, as tensors. */
export function resultsOf<P extends AnyPrimitive>(
  backend: Backend,
  primitive: P,
  outs: readonly Template[],
  inputs: readonly Tensor[],
  attrs: AttrsOf<P>,
): Tensor[] {
  const given = backend === binaryBackend ? inputs : inputs.map((input) => s.on(backend, input));
  const tensor = (data: unknown, i: number): Tensor =>
    s.on(binaryBackend, new Tensor(backend, data, outs[i]!.type, outs[i]!.shape, outs[i]!.names));
  const run = backend[primitive] as PrimitiveFunction<never>;
  if (primitive === "linalg") {
    return (run as unknown as (...args: unknown[]) => unknown[])(outs, given, attrs).map(tensor);
  }
  return [tensor(run(outs[0]!, given, attrs as never), 0)];
}

interface Options {
  /** Whose results count; the reference backend unless another is named. */
  readonly like?: Backend;
  /** Whether NaNs count by their bits. */
  readonly exact?: boolean;
}

/** The routine of a primitive gives the results of the primitive; it must have one. */
export function expectRoutine<P extends AnyPrimitive>(
  primitive: P,
  outs: readonly Template[],
  inputs: readonly Tensor[],
  attrs: AttrsOf<P>,
  { like = binaryBackend, exact = false }: Options = {},
): void {
  const made = routineOf(primitive, outs, inputs, attrs);
  expect(made, `${primitive} has a routine`).not.toBeNull();
  const found = runRoutine(made!, outs, inputs);
  expect(found, `${primitive} does not fail`).not.toBeNull();
  resultsOf(like, primitive, outs, inputs, attrs).forEach((expected, i) => {
    const { type, shape } = outs[i]!;
    if (Buffer.from(found![i]!).equals(binaryBackend.download(expected))) return;
    if (exact) expect(s.bitsOf(s.fromBytes(type, shape, found![i]!))).toEqual(s.bitsOf(expected));
    else s.expectSameComputed(type, shape, found![i]!, binaryBackend.download(expected));
  });
}

/** The routine of a primitive says that it failed. */
export function expectFailure<P extends AnyPrimitive>(
  primitive: P,
  outs: readonly Template[],
  inputs: readonly Tensor[],
  attrs: AttrsOf<P>,
): void {
  const made = routineOf(primitive, outs, inputs, attrs);
  expect(made!.mayFail).toBe(true);
  expect(runRoutine(made!, outs, inputs)).toBeNull();
}

export const MOODS = ["plain", "special", "few"] as const;

/** Random numbers, with `special` some that are no usual ones, with `few` some that are equal. */
export function filled(type: DType, shape: readonly number[], seed: number, mood: (typeof MOODS)[number]): Tensor {
  let state = seed | 1;
  const next = (): number => (state = (Math.imul(state, 1664525) + 1013904223) | 0) / 2 ** 31;
  const specials = isInteger(type) ? [0, 1, 127] : [0, -0, NaN, Infinity, -Infinity, 1e-7];
  const values = arrayOf(Float64Array, s.sizeOf(shape) * (isComplex(type) ? 2 : 1), () => {
    if (mood === "few") return Math.floor(next() * 2);
    if (mood === "special" && next() > 0.8) return specials[Math.floor((next() + 1) * 0.5 * specials.length)]!;
    return isInteger(type) ? Math.floor(next() * 2 ** 31) : (1 + next()) * 2 ** Math.round(next() * 3);
  });
  if (type === "s64" || type === "u64") {
    const words = BigInt64Array.from(values, (value) => BigInt(value) * 0x1_0000_4001n);
    return s.fromBytes(type, shape, new Uint8Array(words.buffer));
  }
  if (!isComplex(type)) return s.fromNumbers(type, shape, values);
  const parts = s.fromNumbers(type === "c64" ? "f32" : "f64", [...shape, 2], values);
  return s.fromBytes(type, shape, binaryBackend.download(parts));
}
