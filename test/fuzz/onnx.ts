/**
 * Random programs as ONNX models: what is written is read back, and computes what the program does. Each step is a program of its own on the
 * values that it had, so that what one step rounds in another way hides nothing of the next.
 */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { fromOnnx, toOnnx, type OnnxModel } from "nx-numerics/onnx";
import { compare } from "../engines/compare";
import { isMadeOfOthers, LOSING } from "../onnx/near";
import { differenceOf } from "./compare";
import { InternalError, randomProgram } from "./generate";
import { messageOf, Tally, type Found, type Kind } from "./kind";
import { ROWS } from "./ops";
import { INDEXING } from "./ops/indexing";
import { doctestOf } from "./print";
import {
  expressionsOf,
  functionsIn,
  isNode,
  runProgram,
  tensorOf,
  type Expr,
  type Program,
  type Step,
} from "./program";
import { asInput, referenceOf, shrink } from "./shrink";

/** Milliseconds for making a program smaller. */
const SMALLER = 3000;

/** A program that has one step, on the values that it reads. */
export function alone(step: Step, values: ReadonlyMap<number, Tensor>): Program {
  const read = [...expressionsOf([step])].flatMap((expr) => (isNode(expr) && expr.$ === "ref" ? [expr.id] : []));
  const inputs = [...new Set(read)].flatMap((id) => (values.has(id) ? [asInput(id, values.get(id)!)] : []));
  return { inputs, steps: [step], outputs: [step.id] };
}

type Fn = (...given: Tensor[]) => readonly Tensor[];

const functionOf =
  (program: Program): Fn =>
  (...given) =>
    runProgram(program, given);

/** The model of a program; null where the exporter refuses it. */
function modelOf(fn: Fn, args: readonly Tensor[], tally: Tally): OnnxModel | null {
  try {
    return toOnnx(fn, args as never);
  } catch (error) {
    if (!(error instanceof Nx.NxError)) throw error;
    tally.leave(`no model: ${/^toOnnx: (.*?)(?=[(:]|$)/.exec(error.message)?.[1]?.trim() ?? "it is not traced"}`);
    return null;
  }
}

/** What is wrong with what the model of a program computes; null where nothing is. */
function difference(program: Program, expected: Tensor, tally: Tally): string | null {
  try {
    const [fn, args] = [functionOf(program), program.inputs.map(tensorOf)];
    const model = modelOf(fn, args, tally);
    if (model === null) return null;
    tally.checks++;
    const got = fromOnnx(model.bytes)(args)[model.outputs[0]!.name]!;
    const found = differenceOf(got, expected);
    if (found === null || !isMadeOfOthers(Nx.Defn.toGraph(fn, args as never))) return found?.text ?? null;
    // a step of a function of functions may make anything of what is rounded in another way
    const isOne = program.steps.every(({ value }) => ![...expressionsOf([{ id: 0, value }])].some(isBody));
    const isLost = functionsIn(program).some((name) => LOSING.includes(name.split(".").at(-1)!));
    return isOne && !isLost && compare(expected, got, undefined, true).nearness === "far" ? found.text : null;
  } catch (error) {
    return messageOf(error);
  }
}

const isBody = (expr: Expr): boolean => isNode(expr) && expr.$ === "body";

export const onnx: Kind = {
  name: "onnx",
  about:
    "steps of random programs, written as ONNX models and read back: the same bits, but for functions that are made of others",
  run(seed, tally) {
    try {
      const { program, reference, refused } = randomProgram(seed, seed % 2 === 0 ? ROWS : INDEXING, {
        steps: 8,
        most: 600,
      });
      tally.programs++;
      tally.refused += refused;
      return Nx.withDefaultBackend("binary", () => foundIn(program, reference, tally));
    } catch (error) {
      if (error instanceof InternalError) return null; // one of programs
      throw error;
    }
  },
};

function foundIn(program: Program, reference: ReadonlyMap<number, Tensor>, tally: Tally): Found | null {
  const unseen = new Tally(); // what making a program smaller tries
  for (const step of program.steps) {
    const single = alone(step, reference);
    if (difference(single, reference.get(step.id)!, tally) === null) continue;
    const fails = (one: Program, values: ReadonlyMap<number, Tensor>): boolean =>
      difference(one, values.get(one.outputs[0]!)!, unseen) !== null;
    const smallest = shrink(single, fails, SMALLER);
    const expected = referenceOf(smallest)!.get(smallest.outputs[0]!)!;
    return {
      message: `${functionsIn(smallest).join(", ")}: ${difference(smallest, expected, unseen)}`,
      example: doctestOf({ program: smallest, text: asModel, expected }),
    };
  }
  return null;
}

const asModel = (program: string, args: readonly string[]): string =>
  `Object.values(fromOnnx(toOnnx(${program}, [${args.join(", ")}]).bytes)([${args.join(", ")}]))`;
