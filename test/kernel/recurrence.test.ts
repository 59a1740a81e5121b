/**
 * Recurrences, run by the TypeScript executor element after element in the order that they name, give what the binary backend
 * gives, which has loops of its own.
 */
import { describe, expect, it } from "vitest";
import { binaryBackend } from "../../lib/backends/binary";
import { DTYPES, isComplex, isFloat, toAggregate, type DType } from "../../lib/core/types";
import { interpret } from "../../lib/kernel/interpret/run";
import { Builder } from "../../lib/kernel/builder";
import { cast } from "../../lib/kernel/lower/cast";
import { load, store } from "../../lib/kernel/lower/typed";
import { readerOf, type Elements } from "../../lib/kernel/operand";
import {
  ARG_REDUCTIONS,
  kindsOf,
  positionKind,
  REDUCTIONS,
  SCANS,
  type Recurrence,
  type Shortcut,
  type State,
  type Steps,
} from "../../lib/kernel/recurrence";
import type { Kernel, NumberKind, Value } from "../../lib/kernel/value";
import { ARG_REDUCE, CUMULATIVE, REDUCE, type ArgReduceOp, type CumulativeOp, type ReduceOp } from "../../lib/ops";
import { elementsOf } from "../../lib/backends/arrays/storage";
import type { Tensor } from "../../lib/tensor";
import { computedBitsOf, fromBytes, fromNumbers, run } from "../backends/binary/support";
import { dataOf, emptyOf, randomWords, widthOf } from "./executors-support";

const REAL = DTYPES.filter((type) => !isComplex(type));
const ROWS = 391;
const COLUMNS = 6;

const STORED = { f32: "f32", f64: "f64", i32: "s32", i64: "s64" } as const;

/** What is held for each column. */
type Held = readonly Elements[];

/** A kernel from values of some types to values of some kinds. */
function kernelOf(inputs: readonly DType[], build: (k: Builder, given: State) => readonly Value[]): Kernel {
  const k = new Builder();
  const given = inputs.map((type) => k.load(k.input(type)));
  return k.kernel(build(k, given).map((value) => ({ type: STORED[value.kind as NumberKind], values: [value] })));
}

function apply(kernel: Kernel, inputs: readonly Elements[]): Held {
  const readers = inputs.map((elements, i) => {
    const width = widthOf(kernel.inputs[i]!.type);
    return readerOf({ elements, width, offset: 0, strides: [1] }, [COLUMNS]);
  });
  const outputs = kernel.outputs.map(({ type }) => emptyOf(type, COLUMNS));
  interpret(kernel, readers, outputs, COLUMNS);
  return outputs;
}

/** A number for each column. */
function positions(type: DType, position: number): Elements {
  const all = emptyOf(type, COLUMNS);
  for (let c = 0; c < COLUMNS; c++) all[c * widthOf(type)] = position;
  return all;
}

/** A recurrence, or a shortcut of it, as functions of columns. */
function runnerOf({ type }: Recurrence, steps: Steps) {
  const kinds = kindsOf(steps);
  const held = kinds.map((kind) => STORED[kind]);
  const n = kinds.length;
  const init = kernelOf(["s32"], (k) => steps.init(k));
  const join = kernelOf([...held, ...held], (k, g) => steps.join(k, g.slice(0, n), g.slice(n)));
  const k = new Builder();
  const state = held.map((type) => k.load(k.input(type)));
  const element = steps.element(k, load(k, k.input(type), type));
  const number = k.load(k.input(element.kind === "f64" || element.kind === "i64" ? "s64" : "s32"));
  const step = k.kernel(steps.step(k, state, element, number).map((value, i) => ({ type: held[i]!, values: [value] })));
  return {
    init: (): Held => apply(init, [emptyOf("s32", COLUMNS)]),
    join: (left: Held, right: Held): Held => apply(join, [...left, ...right]),
    step(before: Held, x: Elements, row: number): Held {
      return apply(step, [...before, x, positions(step.inputs.at(-1)!.type, row)]);
    },
  };
}

type Runner = ReturnType<typeof runnerOf>;

/** All states of consecutive elements one after the other. */
function serially({ init, step }: Runner, rows: readonly Elements[], first = 0): Held[] {
  const states = [init()];
  rows.forEach((x, i) => states.push(step(states.at(-1)!, x, first + i)));
  return states.slice(1);
}

/** Neighbours joined again and again. */
function inPairs({ join }: Runner, states: readonly Held[]): Held {
  if (states.length === 1) return states[0]!;
  const pairs = Array.from({ length: Math.ceil(states.length / 2) }, (_, i) => {
    const right = states[2 * i + 1];
    return right ? join(states[2 * i]!, right) : states[2 * i]!;
  });
  return inPairs({ join } as Runner, pairs);
}

/** A block: rows go to the accumulators in turn, which join those half of them on. */
function ofBlock(runner: Runner, rows: readonly Elements[], accumulators: number): Held {
  let held = Array.from({ length: accumulators }, (_, j) => {
    const own = rows.filter((_, i) => i % accumulators === j);
    return serially(runner, own).at(-1) ?? runner.init();
  });
  while (held.length > 1) {
    const half = held.length / 2;
    held = held.slice(0, half).map((left, i) => runner.join(left, held[half + i]!));
  }
  return held[0]!;
}

function reduced({ order }: Recurrence, runner: Runner, rows: readonly Elements[]): Held {
  if (typeof order !== "object") return serially(runner, rows).at(-1)!;
  const blocks = Array.from({ length: Math.ceil(rows.length / order.block) }, (_, b) =>
    ofBlock(runner, rows.slice(b * order.block, (b + 1) * order.block), order.accumulators),
  );
  return inPairs(runner, blocks);
}

/** Elements of a result. */
function finished(recurrence: Recurrence, held: Held, out: DType): Elements {
  const k = new Builder();
  const state = kindsOf(recurrence).map((kind) => k.load(k.input(STORED[kind])));
  const kernel = k.kernel([store(k, cast(k, recurrence.result(state), out, "wrap")!)]);
  const [result] = apply(kernel, held);
  return result!;
}

const bitsOfRows = (type: DType, rows: readonly Elements[]): unknown =>
  computedBitsOf(fromBytes(type, [rows.length * COLUMNS], new Uint8Array(Buffer.concat(rows.map(bytesIn)))));

/**
 * Columns of floats: -0 alone, zeros of both signs below and above everything else, ties, numbers whose sums depend on the
 * order, and such as NaN.
 */
const FLOATS: readonly (readonly number[])[] = [
  [-0],
  [-0, 0, -1],
  [-0, 0, 1],
  [3, -3],
  [1e30, -1e30, 1, 3e-5, 7],
  [NaN, Infinity, -Infinity, 1, -2],
];

/** Rows of elements, and the same as a tensor. */
function sample(type: DType, count: number): { rows: readonly Elements[]; x: Tensor } {
  const random = randomWords(11);
  const among = (numbers: readonly number[]): number => numbers[random() % numbers.length]!;
  const floats = Array.from({ length: count * COLUMNS }, (_, i) => among(FLOATS[i % COLUMNS]!));
  const x = isFloat(type)
    ? fromNumbers(type, [count, COLUMNS], floats)
    : fromBytes(type, [count, COLUMNS], bytesIn(dataOf(type, count * COLUMNS, 7)));
  const elements = elementsOf(x);
  const step = COLUMNS * widthOf(type);
  return { rows: Array.from({ length: count }, (_, i) => elements.slice(i * step, (i + 1) * step)), x };
}

const bytesIn = ({ buffer, byteOffset, byteLength }: Elements): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength).slice();

describe("reductions as recurrences", () => {
  for (const op of Object.keys(REDUCE) as ReduceOp[]) {
    it.each(DTYPES.filter((type) => REDUCTIONS[op](type) !== null))(`has the bits of ${op} of %s`, (type) => {
      const recurrence = REDUCTIONS[op](type)!;
      const { rows, x } = sample(type, ROWS);
      const out = op === "all" || op === "any" ? "u8" : op.startsWith("reduce") ? type : toAggregate(type);
      const expected = run("reduceOp", out, [COLUMNS], [x], { op, axes: [0], keepAxes: false });
      const held = reduced(recurrence, runnerOf(recurrence, recurrence), rows);
      expect(bitsOfRows(out, [finished(recurrence, held, out)])).toEqual(computedBitsOf(expected));
    });
  }
});

/** What a shortcut holds in the end, and for which columns there is doubt. */
function closed(shortcut: Shortcut, held: Held, rows: number): { held: Held; doubt: Elements } {
  const types = kindsOf(shortcut).map((kind) => STORED[kind]);
  const position = STORED[positionKind(shortcut)];
  const close = kernelOf([...types, position], (k, given) => shortcut.close(k, given.slice(0, -1), given.at(-1)!));
  const doubt = kernelOf(types, (k, state) => {
    const mask = shortcut.doubt?.(k, state) ?? k.ne(k.i32(0), 0);
    return [k.maskBits(mask.kind === "m64" ? k.narrow(mask as Value<"m64">) : (mask as Value<"m32">))];
  });
  return { held: apply(close, [...held, positions(position, rows - 1)]), doubt: apply(doubt, held)[0]! };
}

const SHORTCUTS: readonly (readonly [string, Recurrence])[] = REAL.flatMap((type) => [
  ...(Object.keys(REDUCE) as ReduceOp[]).map((op) => [`${op} of ${type}`, REDUCTIONS[op](type)!] as const),
  ...(Object.keys(ARG_REDUCE) as ArgReduceOp[]).flatMap((op) =>
    (["low", "high"] as const).map((tie) => [`${op} of ${type}, ties ${tie}`, ARG_REDUCTIONS[op](type, tie)] as const),
  ),
]);

describe("shortcuts", () => {
  it.each(SHORTCUTS.filter(([, { shortcut }]) => shortcut))("hold what the recurrence holds: %s", (_, recurrence) => {
    const shortcut = recurrence.shortcut!;
    let doubts = 0;
    for (const count of [1, 2, 3, 5, 40]) {
      const { rows } = sample(recurrence.type, count);
      const exact = serially(runnerOf(recurrence, recurrence), rows).at(-1)!;
      const { held, doubt } = closed(shortcut, serially(runnerOf(recurrence, shortcut), rows).at(-1)!, count);
      exact.forEach((values, i) => {
        const width = values.length / COLUMNS;
        for (let c = 0; c < COLUMNS; c++) {
          const own = [c * width, (c + 1) * width] as const;
          if (doubt[c] === 0) expect(held[i]!.slice(...own)).toEqual(values.slice(...own));
          else doubts++;
        }
      });
    }
    expect(doubts > 0).toBe(shortcut.doubt !== undefined);
  });
});

describe("arg-reductions as recurrences", () => {
  for (const op of Object.keys(ARG_REDUCE) as ArgReduceOp[]) {
    for (const tie of ["low", "high"] as const) {
      it.each(REAL)(`finds the position of ${op} of %s, ties ${tie}, also of parts`, (type) => {
        const recurrence = ARG_REDUCTIONS[op](type, tie);
        const runner = runnerOf(recurrence, recurrence);
        const { rows, x } = sample(type, 60);
        const expected = run("argReduce", "s64", [COLUMNS], [x], { op, axis: 0, keepAxis: false, tieBreak: tie });
        const whole = serially(runner, rows).at(-1)!;
        expect(bitsOfRows("s64", [finished(recurrence, whole, "s64")])).toEqual(computedBitsOf(expected));
        const parts = [0, 17, 40].map((from, i, all) => serially(runner, rows.slice(from, all[i + 1]), from).at(-1)!);
        const together = parts.reduce((left, right) => runner.join(left, right));
        expect(bitsOfRows("s64", [finished(recurrence, together, "s64")])).toEqual(computedBitsOf(expected));
      });
    }
  }
});

describe("scans as recurrences", () => {
  for (const op of Object.keys(CUMULATIVE) as CumulativeOp[]) {
    it.each(REAL)(`has the bits of ${op} of %s`, (type) => {
      const recurrence = SCANS[op](type);
      const runner = runnerOf(recurrence, recurrence);
      const { rows, x } = sample(type, 50);
      const expected = run("cumulative", type, [50, COLUMNS], [x], { op, axis: 0, reverse: false });
      const states: Held[] = [];
      if (recurrence.order === "serial") states.push(...serially(runner, rows));
      for (let i = 0; recurrence.order === "byFours" && i < rows.length; i += 4) {
        const before = states.at(-1) ?? runner.init();
        const four = rows.slice(i, i + 4).map((row) => runner.step(runner.init(), row, 0));
        const [a, b, c, d] = four as [Held, Held, Held, Held];
        const ab = b && runner.join(a, b);
        const sums = [a, ab, c && runner.join(ab, c), d && runner.join(ab, runner.join(c, d))];
        for (const sum of sums.slice(0, four.length)) states.push(runner.join(before, sum));
      }
      const results = states.map((held) => finished(recurrence, held, type));
      expect(bitsOfRows(type, results)).toEqual(computedBitsOf(expected));
    });
  }
});

it("are served by the binary backend alone where there are none", () => {
  const { x } = sample("c64", 9);
  expect(REDUCTIONS.sum("c64")).toBeNull();
  expect(REDUCTIONS.product("c128")).toBeNull();
  expect(() =>
    binaryBackend.reduceOp({ type: "c64", shape: [COLUMNS], names: [null] }, [x], {
      op: "product",
      axes: [0],
      keepAxes: false,
    }),
  ).not.toThrow();
});
