/**
 * Programs as one function of WebAssembly each: steps one after the other, control flow as such, values at places that are planned
 * beforehand. Sizes are part of the function.
 */
import type { Attrs } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import type { Elements } from "../../../kernel/operand";
import { Recent } from "../../../kernel/generational-cache";
import type { PrimitiveStep, Program, ProgramMembers, ProgramStep, ResultSizes } from "../../../program";
import { STEP_ELEMENTS, tuning } from "../../tuning";
import { arrays } from "../arrays";
import { func, i32, type Func } from "../asm";
import { inScratch, scratch } from "../memory/linear";
import { loadModule, moduleBytes, weightOf, type KernelModule } from "../modules/module";
import { roomBytes, Stored } from "../placement";
import { orElse, Refused } from "../memory/refusal";
import { residentElements } from "../placement/resident";
import {
  BLOCK_BYTE_VALUES,
  isBetterInLoop,
  LOOP_ELEMENTS,
  PROGRAM_ELEMENTS,
  PROGRAM_MATRIX,
  PROGRAM_PRODUCTS,
} from "../schedule/programs";
import { isWarm } from "../modules/tiering";
import { configuredThreads } from "../threads";
import { isByBlocks, movedBytes, valuesOf } from "./by-blocks";
import { planControl } from "./control";
import { joinedOf } from "./joined";
import { Planner } from "./plan";
import type { Place } from "./place";
import { Resources } from "./resources";
import { routineFor } from "./steps";

/** A compiled program: `run(frame, ...inputs, ...outputs)` returns 0, or a status where the steps have to run one by one. */
interface Compiled {
  readonly module: KernelModule;
  /** Bytes of its frame, then of rooms for inputs and outputs that are not in the memory of kernels. */
  readonly frame: number;
  readonly rooms: readonly number[];
  readonly bytes: number;
}

/** Bytes of modules kept at hand. */
const KEPT_BYTES = 16 * 2 ** 20;
const kept = new Recent<Compiled>(KEPT_BYTES, ({ module }, key) => weightOf(module, key));
const known = new WeakMap<Program, Compiled | null>();

function compile(program: Program): Compiled {
  const { values, inputs, outputs } = program;
  const resources = new Resources(1 + inputs.length + outputs.length);
  const at = (index: number) => ({ base: { type: "i32", index } as const, offset: 0 });
  const given = inputs.map((value, i): Place => ({ ...values[value]!, lanes: null, at: at(1 + i) }));
  const targets = outputs.map((_, i) => ({ lanes: null, at: at(1 + inputs.length + i) }));
  const { emit } = new Planner(program, resources, planControl).plan(given, targets);
  const args = Array.from({ length: 1 + inputs.length + outputs.length }, () => "i32" as const);
  const run: Func = func({ in: args, locals: resources.locals, out: ["i32"] }, () => {
    resources.emitConstants();
    emit();
    i32.const(0);
  });
  const module = loadModule(moduleBytes({ run }));
  const rooms: number[] = [];
  let bytes = resources.frame.bytes;
  for (const value of [...inputs, ...outputs]) {
    rooms.push(bytes);
    bytes += roomBytes(values[value]!.type, values[value]!.size);
  }
  return { module, frame: resources.frame.bytes, rooms, bytes };
}

/** The compiled program; null as long as it is not worth compiling, and where it cannot be. */
function compiledOf(program: Program): Compiled | null {
  const own = known.get(program);
  if (own !== undefined) return own;
  const cached = kept.get(program.key);
  if (cached) return cached;
  if (!isWarm(program.key, workOf(program))) return null;
  const fresh = compiledOrNot(program);
  known.set(program, fresh);
  if (fresh) kept.set(program.key, fresh);
  return fresh;
}

/** A fault of the planner is no reason not to run the steps. */
function compiledOrNot(program: Program): Compiled | null {
  try {
    return compile(program);
  } catch (error) {
    if (error instanceof Refused || tuning.faults) throw error;
    return null;
  }
}

/** About the elements that a program computes; each of its steps would be a call. */
function workOf({ steps, values }: Program): number {
  const work = (step: ProgramStep): number => {
    switch (step.kind) {
      case "while":
        return LOOP_ELEMENTS;
      case "scan":
        return step.length * Math.max(STEP_ELEMENTS, workOf(step.body));
      case "cond":
        return Math.max(...step.branches.map(workOf));
      default:
        return step.outputs.reduce((sum, value) => sum + values[value]!.size, STEP_ELEMENTS);
    }
  };
  return steps.reduce((sum, step) => sum + work(step), 0);
}

const run: ProgramMembers["run"] = (outs, inputs, program) => {
  const compiled = compiledOf(program);
  if (!compiled) return null;
  const { module, rooms, bytes } = compiled;
  const { values, outputs } = program;
  const all: Stored[] = [];
  for (const input of inputs) all.push(new Stored(input.type, residentElements(input)));
  const results: Elements[] = [];
  for (const { type, shape } of outs) {
    const elements = arrays.unset(type, shape);
    results.push(elements);
    all.push(new Stored(type, elements));
  }
  const status = inScratch(() => {
    const frame = scratch(bytes);
    const given = [frame];
    for (let i = 0; i < all.length; i++) {
      const room = frame + rooms[i]!;
      const isInput = i < inputs.length;
      given.push(isInput ? all[i]!.bring(0, values[program.inputs[i]!]!.size, room) : (all[i]!.addressOf(0) ?? room));
    }
    const ended = module.exports.run!(...given);
    for (let i = 0; i < outputs.length && ended === 0; i++) {
      const at = inputs.length + i;
      all[at]!.put(given[1 + at]!, values[outputs[i]!]!.size, 0);
    }
    return ended;
  });
  return status === 0 ? results.map((elements) => arrays.hold(elements)) : null;
};

const takes: ProgramMembers["takes"] = (step, values, allowed) => {
  const sizes = step.outputs.map((value) => values[value]!.size);
  if (sizes.some((size) => size === 0 || !fits(step, size, allowed))) return false;
  if (step.kind === "joined") return joinedOf(step) !== null;
  return step.kind !== "primitive" || (!isBetterApart(step, sizes[0]!) && routineFor(step) !== null);
};

function fits(step: ProgramStep, size: number, allowed: ResultSizes): boolean {
  if (allowed === "any" || size <= PROGRAM_ELEMENTS) return true;
  if (allowed === "small" || (step.kind !== "map" && step.kind !== "joined")) return false;
  const ops = step.nest.stages.reduce((all, stage) => all + (stage.kind === "map" ? stage.kernel.values.length : 0), 0);
  return isBetterInLoop(size, ops, configuredThreads());
}

/** Whether a primitive has better ways to run by itself. */
function isBetterApart({ primitive, attrs, operands }: PrimitiveStep, size: number): boolean {
  if (primitive === "linalg") return sizeOf(operands[0]!.shape) > PROGRAM_MATRIX;
  if (primitive !== "dot") return false;
  const [axes] = (attrs as Attrs["dot"]).contract;
  return axes.reduce((product, axis) => product * operands[0]!.shape[axis]!, size) > PROGRAM_PRODUCTS;
}

/** All threads take part in the single steps of a loop, each of which reads and writes the whole state. */
const takesLoop: ProgramMembers["takesLoop"] = (step) =>
  isByBlocks(step) && (configuredThreads() === 1 || valuesOf(step) <= BLOCK_BYTE_VALUES * movedBytes(step));

/** Runs programs; steps run one by one where the host refuses what a program needs. */
export const programs: ProgramMembers = { takes, takesLoop, run: orElse(run, () => null) };
