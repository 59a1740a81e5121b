/**
 * Random programs that release, donate and read values while work waits for them: whatever is left has the bits that it has on the binary
 * backend, where nothing is released.
 */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { tune, type Tuning } from "../../lib/backends/tuning";
import { randomProgram, type Made, type Make, type Rows } from "./generate";
import { messageOf, type Found, type Kind, type Tally } from "./kind";
import { COMMON, ELEMENTWISE } from "./ops/elementwise";
import { MIXED } from "./ops/mixed";
import { REDUCTIONS } from "./ops/reductions";
import { SHAPE } from "./ops/shape";
import { call, functionsIn, ref, sizeOf, type Program } from "./program";
import { Random } from "./random";
import { differenceIn, endTask, randomEvents, scheduleText } from "./schedule";
import { shrink } from "./shrink";
import { spoilScratch, watched, type Rooms } from "./watched";

type Reference = ReadonlyMap<number, Tensor>;

/** A way to run a program. */
interface Way {
  readonly name: string;
  readonly rooms: Rooms;
  readonly threads: number;
  readonly tuning: Partial<Tuning>;
  readonly deferred?: boolean;
}

/** Small tensors wait, and are large arrays, whose holders are counted; joins are read in place, kernels compiled at once. */
const ALL = { deferredFrom: 1, largeFrom: 1, joinedFrom: 0, compiledFrom: 0 };
const LATE = { compiledFrom: 16_384 };

const WAYS: readonly Way[] = [
  { name: "all waits", rooms: "all", threads: 1, tuning: ALL },
  { name: "all waits, some outside of the arena", rooms: "some", threads: 2, tuning: ALL },
  { name: "all waits, outside of the arena, compiled late", rooms: "none", threads: 1, tuning: { ...ALL, ...LATE } },
  { name: "all waits, some outside, compiled late", rooms: "some", threads: 1, tuning: { ...ALL, ...LATE } },
  { name: "48 elements wait", rooms: "some", threads: 1, tuning: { ...ALL, largeFrom: 100, deferredFrom: 48 } },
  { name: "300 elements wait, compiled late", rooms: "some", threads: 2, tuning: { ...ALL, ...LATE, largeFrom: 800, deferredFrom: 300 } },
  { name: "as users have it", rooms: "some", threads: 2, tuning: LATE },
  { name: "nothing waits", rooms: "some", threads: 2, tuning: ALL, deferred: false },
]; // prettier-ignore

const named = (rows: Rows, ...names: readonly string[]): Make[] => names.map((name) => rows[name]!);
const times = (count: number, rows: readonly Make[]): Make[] => Array.from({ length: count }, () => rows).flat();

const isExact = (t: Tensor): boolean =>
  sizeOf(t.shape) <= 2000 && t.toFlatList().every((n) => typeof n === "bigint" || (Number.isInteger(n) && Math.abs(n as number) <= 8)); // prettier-ignore

/** A product of a transpose, of whole numbers. */
const transposed: Make = (g) => {
  const x = g.pick((t) => t.shape.length === 2 && t.shape[1]! <= 60 && isExact(t));
  const y = x && g.pick((t) => t.shape.length === 2 && t.shape[0] === x.t.shape[0] && t.shape[1]! <= 60 && isExact(t));
  if (!x || !y) return null;
  const bare = (id: number) => call("Nx.rename", ref(id), [null, null]);
  return call("Nx.dot", call("Nx.transpose", bare(x.id)), bare(y.id));
};

const BINARY = [...named(COMMON, "add", "subtract", "multiply", "max", "less", "tanh", "sqrt", "negate")];
const OTHERS = [...named(ELEMENTWISE, "select", "asType", "abs", "isNan", "clip"), ...Object.values(ELEMENTWISE)];

/** What waits, and what it waits for, over and over; of all other functions a few. */
const ROWS: readonly Make[] = [
  ...times(8, BINARY),
  ...OTHERS,
  ...times(9, named(SHAPE, "reshape", "transpose", "sliceAlongAxis", "concatenate", "stack", "roll")),
  ...times(4, named(SHAPE, "flatten", "squeeze", "newAxis", "broadcast", "reverse", "rename", "slice", "at", "split", "moveAxis")), // prettier-ignore
  ...times(2, named(SHAPE, "pad", "tile", "take", "putSlice", "unstack", "tril")),
  ...times(8, named(REDUCTIONS, "sum", "reduceMax", "reduceMin")),
  ...times(3, named(REDUCTIONS, "argmax", "cumulativeSum", "cumulativeMax", "mean", "softmax", "variance", "logSumExp")), // prettier-ignore
  ...times(4, named(REDUCTIONS, "dot", "gram")),
  ...times(12, [transposed]),
  ...times(3, Object.values(MIXED)),
  ...named(REDUCTIONS, "sort", "windowSum", "conv", "batched", "fft"),
];

/** The program of a seed, with what it does besides; all values that it keeps are compared. */
function made(seed: number): Made {
  const r = new Random(seed);
  const steps = r.pick([r.between(2, 8), r.between(5, 20), r.between(15, 40)]);
  const found = randomProgram(seed, ROWS, { steps, most: r.pick([60, 200, 600, 600, 2000, 2000, 20_000, 140_000]) });
  const { inputs, steps: list } = found.program;
  const ids = [...inputs, ...list].map(({ id }) => id);
  const outputs = [...r.some(ids.slice(0, -1), 0.3), ids.at(-1)!];
  return { ...found, program: { ...found.program, outputs, events: randomEvents(r, found.program) } };
}

/** What is wrong with a run; null where nothing is. */
function ran(way: Way, program: Program, reference: Reference): string | null {
  const { compiledFrom } = ALL;
  tune({ ...way.tuning });
  const settings = { threads: way.threads, ...(way.deferred === false ? { deferred: false } : {}) };
  try {
    spoilScratch();
    return watched(way.rooms, () => Nx.withDefaultBackend(["wasm", settings], () => differenceIn(program, reference)));
  } catch (error) {
    return messageOf(error);
  } finally {
    endTask();
    tune({ compiledFrom, deferredFrom: null, largeFrom: null, joinedFrom: null });
  }
}

/** Checks the program of a seed in every way. */
export function checkRelease(seed: number, tally: Tally, milliseconds?: number): Found | null {
  const { program, reference, refused } = made(seed);
  tally.programs++;
  tally.refused += refused;
  tally.use(functionsIn(program));
  for (const way of WAYS) {
    tally.checks++;
    const first = ran(way, program, reference);
    if (first === null) continue;
    const smallest = shrink(program, (other, values) => ran(way, other, values) !== null, milliseconds);
    return {
      message: `${way.name}: ${first}`,
      example: `// ${way.name}, tune(${JSON.stringify(way.tuning)})\n${scheduleText(smallest)}`,
    };
  }
  return null;
}

export const release: Kind = {
  name: "release",
  about:
    "random programs that release, donate, read and leave to `Nx.tidy` what others wait for, with memory that is spoiled when it is given back: the same bits as with nothing released",
  run: (seed, tally) => checkRelease(seed, tally),
};
