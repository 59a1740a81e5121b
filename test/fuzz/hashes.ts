/**
 * The same bytes everywhere: hashes of the results of fixed programs, which every engine, version and number of threads must
 * give. Nothing here needs Node, so that it runs in browsers, too.
 */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { isComplex, isInteger } from "../../lib/core/types";
import { randomProgram, type Wish } from "./generate";
import { ROWS } from "./ops";
import { exprText, inputText } from "./print";
import { functionsIn, runProgram, tensorOf, type Program } from "./program";

/** Programs that are hashed, and the seed of the first. */
export const COUNT = 200;
const FIRST = 7_000;
const WISHES: readonly Wish[] = [
  { steps: 12, most: 600 },
  { steps: 6, most: 5000 },
  { steps: 3, most: 70_000 },
];

/** 64 bits of a hash of bytes, as hexadecimal digits: two of FNV's kind with unlike multipliers. */
export function hashOf(bytes: Uint8Array, seed = 0): string {
  let [a, b] = [0x811c9dc5 ^ seed, 0x9747b28c ^ seed];
  for (let i = 0; i < bytes.length; i++) {
    a = Math.imul(a ^ bytes[i]!, 0x01000193);
    b = Math.imul(b ^ bytes[i]!, 0x5bd1e995);
    b ^= b >>> 15;
  }
  return [a, b].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

const hashOfText = (text: string): string => hashOf(Uint8Array.from(text, (c) => c.charCodeAt(0)));

/** Bytes of a result in which every NaN is the same: their bits are not promised. */
function bytesOf(t: Tensor): Uint8Array[] {
  if (isComplex(t.type)) return [...bytesOf(Nx.real(t)), ...bytesOf(Nx.imag(t))];
  if (isInteger(t.type)) return [t.toBinary()];
  const isNan = Nx.isNan(t);
  return [isNan.toBinary(), Nx.select(isNan, 0, t).toBinary()];
}

function hashOfResult(t: Tensor): string {
  const head = hashOfText(`${t.type} ${t.shape} ${t.names}`);
  return bytesOf(t).reduce((hash, bytes) => hashOf(bytes, parseInt(hash.slice(0, 8), 16)), head);
}

/** Powers of complex numbers are of the engine's own `Math`, so that their last digits are the engine's. */
const OF_ENGINE = /^Nx\.pow$/;

const isOfEngine = (program: Program, reference: ReadonlyMap<number, Tensor>): boolean =>
  [...reference.values()].some(({ type }) => isComplex(type)) &&
  functionsIn(program).some((name) => OF_ENGINE.test(name));

/** The fixed programs, or the first of them. */
export function hashedPrograms(count = COUNT): Program[] {
  const found: Program[] = [];
  for (let seed = FIRST; found.length < count; seed++) {
    const { program, reference } = randomProgram(seed, ROWS, WISHES[seed % WISHES.length]);
    if (program.steps.length > 0 && !isOfEngine(program, reference)) found.push(program);
  }
  return found;
}

const textOf = ({ inputs, steps, outputs }: Program): string =>
  [...inputs.map(inputText), ...steps.map(({ value }) => exprText(value)), ...outputs.map(String)].join("\n");

/** For each program a hash of its text and one of its results, compiled, on so many threads. */
export function hashesOf(programs: readonly Program[], threads: number): string[] {
  return Nx.withDefaultBackend(["wasm", { threads }], () =>
    programs.map((program) => {
      const fn = Nx.defn((...args: Tensor[]) => runProgram(program, args));
      const results = fn(...program.inputs.map(tensorOf));
      return `${hashOfText(textOf(program))} ${hashOfText(results.map(hashOfResult).join(" "))}`;
    }),
  );
}

/** What differs from recorded hashes, in words; nothing where all is the same. */
export function differencesFrom(
  recorded: readonly string[],
  threads: readonly number[],
  count = recorded.length,
): string[] {
  const programs = hashedPrograms(count);
  return threads.flatMap((n) =>
    hashesOf(programs, n).flatMap((hash, i) => {
      const [made, expected] = [hash.split(" "), recorded[i]!.split(" ")];
      if (made[0] !== expected[0]) return [`program ${i} is another one than was recorded`];
      return made[1] === expected[1] ? [] : [`program ${i} on ${n} threads: ${made[1]}, recorded: ${expected[1]}`];
    }),
  );
}
