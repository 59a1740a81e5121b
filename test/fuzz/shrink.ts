/** Smaller programs that fail in the same way: steps left out, inputs in their place, sizes and values made plain. */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { binaryBackend } from "../../lib/backends/binary";
import { wasmBackend } from "../../lib/backends/wasm";
import { isComplex, isInteger } from "../../lib/core/types";
import { expressionsOf, isList, isNode, isOptions, ref, runProgram, sizeOf, tensorOf, type Expr, type Input, type Program, type Scalar, type Step } from "./program"; // prettier-ignore

/** An expression with parts put in the place of others: `change` gives the new part, or undefined to go on inside. */
export function changed(expr: Expr, change: (expr: Expr) => Expr | undefined): Expr {
  const found = change(expr);
  if (found !== undefined) return found;
  const inside = (part: Expr): Expr => changed(part, change);
  if (isNode(expr)) {
    switch (expr.$) {
      case "ref":
        return expr;
      case "call":
        return { ...expr, fn: typeof expr.fn === "string" ? expr.fn : inside(expr.fn), args: expr.args.map(inside) };
      case "item":
        return { ...expr, of: inside(expr.of) };
      case "body":
        return { ...expr, steps: changedSteps(expr.steps, change), result: inside(expr.result) };
      default:
        return expr satisfies never;
    }
  }
  if (isList(expr)) return expr.map(inside);
  return isOptions(expr) ? Object.fromEntries(Object.entries(expr).map(([k, part]) => [k, inside(part)])) : expr;
}

export const changedSteps = (steps: readonly Step[], change: (expr: Expr) => Expr | undefined): Step[] =>
  steps.map(({ id, value }) => ({ id, value: changed(value, change) }));

export const refsOf = (steps: readonly Step[]): Set<number> =>
  new Set([...expressionsOf(steps)].flatMap((expr) => (isNode(expr) && expr.$ === "ref" ? [expr.id] : [])));

/** Without inputs that nothing reads, and steps where these do nothing else; one input stays. */
export function pruned(program: Program): Program {
  const kept: Step[] = [];
  const needed = new Set(program.outputs);
  for (const step of [...program.steps].reverse()) {
    if (!needed.has(step.id) && program.events === undefined) continue;
    kept.unshift(step);
    for (const id of refsOf([step])) needed.add(id);
  }
  const inputs = program.inputs.filter(({ id }) => needed.has(id));
  return { ...program, steps: kept, inputs: inputs.length > 0 ? inputs : program.inputs.slice(0, 1) };
}

const replacing = (from: number, to: number) => (expr: Expr) =>
  isNode(expr) && expr.$ === "ref" && expr.id === from ? ref(to) : undefined;

type Reference = ReadonlyMap<number, Tensor>;

const template = (t: Pick<Tensor, "type" | "shape" | "names">): string => `${t.type} ${t.shape} ${t.names}`;

/** The elements of a value as an input of their own. */
export function asInput(id: number, t: Tensor): Input {
  return { id, type: t.type, shape: t.shape, names: t.names, pool: t.toFlatList() as Scalar[], mix: [1, 0] };
}

/** Whether a value is a tensor with elements of its own: a part of a step need not be. */
const isReadable = (t: unknown): boolean =>
  t instanceof Nx.Tensor && (t.backend === binaryBackend || t.backend === wasmBackend);

const one = (type: Nx.DType): Scalar =>
  isComplex(type) ? new Nx.Complex(1, 2) : type.endsWith("64") && isInteger(type) ? 1n : 1;

function* fewerSteps(program: Program, reference: Reference): Generator<Program> {
  if (program.outputs.length > 1) for (const id of program.outputs) yield { ...program, outputs: [id] };
  for (const [at, { id }] of program.steps.entries()) {
    const t = reference.get(id);
    if (!t || !isReadable(t)) continue;
    const before = [...program.inputs.map((input) => input.id), ...program.steps.slice(0, at).map((step) => step.id)];
    const without = program.steps.filter((step) => step.id !== id);
    for (const other of before) {
      const same = reference.get(other);
      if (!same || template(same) !== template(t)) continue;
      const steps = changedSteps(without, replacing(id, other));
      yield { ...program, steps, outputs: program.outputs.map((out) => (out === id ? other : out)) };
    }
    if (!refsOf(program.steps).has(id)) {
      if (!program.outputs.includes(id)) yield { ...program, steps: without };
      continue;
    }
    const input = asInput(id, t);
    const cut = { ...program, steps: without };
    yield { ...cut, inputs: [...program.inputs, { ...input, pool: input.pool.slice(0, 7), mix: [1, 0] }] };
    yield { ...cut, inputs: [...program.inputs, input] };
  }
}

function* fewerEvents(program: Program): Generator<Program> {
  const { events = [] } = program;
  for (const event of events) yield { ...program, events: events.filter((other) => other !== event) };
}

const numbersIn = (program: Program): number[] => {
  const literals = [...expressionsOf(program.steps)].filter((expr) => typeof expr === "number");
  const dims = program.inputs.flatMap(({ shape }) => shape);
  return [...new Set([...dims, ...literals])].filter((n) => Number.isInteger(n) && n > 1).sort((a, b) => b - a);
};

/** One size everywhere in place of another: in inputs and in what is written. */
function* smallerSizes(program: Program): Generator<Program> {
  for (const size of numbersIn(program)) {
    const smaller = [1, 2, 3, Math.floor(size / 4), Math.floor(size / 2), Math.floor((size * 3) / 4), size - 1];
    for (const next of new Set(smaller.filter((n) => n > 0 && n < size))) {
      const steps = changedSteps(program.steps, (expr) => (expr === size ? next : undefined));
      const inputs = program.inputs.map((input) => resized(input, input.shape.map((dim) => (dim === size ? next : dim)))); // prettier-ignore
      yield { ...program, inputs, steps };
      yield { ...program, inputs };
    }
  }
  for (const [i, input] of program.inputs.entries()) {
    if (input.shape.length === 0) continue;
    const lower = { ...input, shape: input.shape.slice(1), names: input.names.slice(1) };
    yield { ...program, inputs: program.inputs.map((other, k) => (k === i ? lower : other)) };
  }
}

const resized = (input: Input, shape: readonly number[]): Input => ({
  ...input,
  shape,
  pool: input.pool.slice(0, Math.max(1, sizeOf(shape))),
});

function* plainerValues(program: Program): Generator<Program> {
  for (const [i, input] of program.inputs.entries()) {
    const { pool, type, names } = input;
    const put = (next: Partial<Input>): Program => ({
      ...program,
      inputs: program.inputs.map((other, k) => (k === i ? { ...input, ...next } : other)),
    });
    if (names.some((axis) => axis !== null)) yield put({ names: names.map(() => null) });
    const plain = one(type);
    if (pool.length > 1) {
      yield put({ pool: [plain] });
      for (const value of pool.slice(0, 40)) yield put({ pool: [value] });
      yield put({ pool: pool.slice(0, pool.length >> 1) });
      yield put({ pool: pool.slice(pool.length >> 1) });
    }
    if (pool.length > 40 || String(pool) === String(pool.map(() => plain))) continue;
    for (const [k, value] of pool.entries()) {
      if (String(value) !== String(plain)) yield put({ pool: pool.map((old, m) => (m === k ? plain : old)) });
    }
  }
}

/** Expressions inside of expressions in their place: operands for operations, fewer steps of functions, calls without options. */
function* plainerSteps(program: Program): Generator<Program> {
  const parts = [...expressionsOf(program.steps)];
  const put = (old: Expr, next: Expr): Program => ({
    ...program,
    steps: changedSteps(program.steps, (expr) => (expr === old ? next : undefined)),
  });
  for (const part of parts) {
    if (!isNode(part)) continue;
    if (part.$ === "call") {
      for (const arg of part.args) if (isNode(arg) && arg.$ !== "body") yield put(part, arg);
      const last = part.args.at(-1);
      if (last !== undefined && isOptions(last)) {
        yield put(part, { ...part, args: part.args.slice(0, -1) });
        for (const key of Object.keys(last)) {
          const { [key]: _left, ...rest } = last;
          yield put(part, { ...part, args: [...part.args.slice(0, -1), rest] });
        }
      }
    }
    if (part.$ === "body") {
      for (const { id, value } of part.steps) {
        const steps = part.steps.filter((step) => step.id !== id);
        yield put(part, { ...part, steps });
        const instead = isNode(value) && value.$ === "ref" ? [value.id] : part.params.flat();
        for (const other of instead) {
          const change = replacing(id, other);
          yield put(part, { ...part, steps: changedSteps(steps, change), result: changed(part.result, change) });
        }
      }
      const places = part.params.flat();
      for (const id of places) yield put(part, { ...part, result: ref(id) });
    }
  }
}

/** Large inputs of one value or of a few: first of all, so that what follows is quick. */
function* fewerValues(program: Program): Generator<Program> {
  for (const [i, input] of program.inputs.entries()) {
    for (const count of [1, 2, 4]) {
      if (input.pool.length <= 2 * count) continue;
      const pool = input.pool.slice(0, count);
      yield { ...program, inputs: program.inputs.map((other, k) => (k === i ? { ...input, pool } : other)) };
    }
  }
}

function* candidates(program: Program, reference: Reference): Generator<Program> {
  yield* fewerSteps(program, reference);
  yield* fewerEvents(program);
  yield* fewerValues(program);
  yield* smallerSizes(program);
  yield* plainerSteps(program);
  yield* plainerValues(program);
}

/** The values of a program op by op, on the binary backend where no other is given; null where it is refused. */
export function referenceOf(program: Program, on: Nx.BackendSpec = binaryBackend): Reference | null {
  const ids = [...program.inputs.map(({ id }) => id), ...program.steps.map(({ id }) => id)];
  try {
    return Nx.withDefaultBackend(on, () => {
      const values = runProgram({ ...program, outputs: ids }, program.inputs.map(tensorOf));
      return new Map(ids.map((id, i) => [id, values[i]!]));
    });
  } catch {
    return null;
  }
}

const weight = (program: Program): number =>
  (program.events?.length ?? 0) * 10 +
  [...expressionsOf(program.steps)].length * 50 +
  program.inputs.reduce((sum, { shape, pool, names }) => sum + sizeOf(shape) * 0.01 + shape.length + pool.length + names.join("").length + 20, 0) +
  program.inputs.flatMap(({ pool }) => pool).reduce<number>((sum, value) => sum + Math.min(0.9, String(value).length / 20), 0) +
  numbersIn(program).reduce((sum, n) => sum + Math.log2(n), 0) * 0.1; // prettier-ignore

/**
 * The smallest program found for which `fails` still holds, within a time. Every candidate is one that the backend of the reference
 * runs.
 */
export function shrink(
  start: Program,
  fails: (program: Program, reference: Reference) => boolean,
  milliseconds = 20_000,
  on: Nx.BackendSpec = binaryBackend,
): Program {
  const end = performance.now() + milliseconds;
  let best = start;
  for (let isSmaller = true; isSmaller && performance.now() < end;) {
    isSmaller = false;
    const reference = referenceOf(best, on);
    if (!reference) return best;
    for (const candidate of candidates(best, reference)) {
      if (performance.now() > end) break;
      const next = pruned(candidate);
      if (weight(next) >= weight(best)) continue;
      const values = referenceOf(next, on);
      if (!values || !next.outputs.every((id) => isReadable(values.get(id)))) continue;
      if (!fails(next, values)) continue;
      best = next;
      isSmaller = true;
      break;
    }
  }
  return best;
}
