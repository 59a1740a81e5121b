/**
 * Derivatives of random functions of f64: `grad`, `jvp`, `vjp`, `hessian`, `vmap` of `grad` and `grad` of `vmap`, against central
 * differences and against each other.
 */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { binaryBackend } from "../../lib/backends/binary";
import { GRADIENT } from "../tolerances";
import { Generator, InternalError, isRefusal } from "./generate";
import { messageOf, Tally, type Found, type Kind } from "./kind";
import { SMOOTH } from "./ops/smooth";
import { doctestOf } from "./print";
import { call, functionsIn, isNode, runProgram, sizeOf, tensorOf, type Input, type Program } from "./program";
import { Random } from "./random";
import { changedSteps, shrink } from "./shrink";

type Fn = (...args: Tensor[]) => Tensor;

/** Derivatives beside each other, both in f64 through other graphs: relative to the larger of their size and 1. */
const ALIKE = 1e-8;
/** Derivatives larger than that lose digits that no rule can keep. */
const STEEP = 1e6;

/** A sum of the elements of a result, each counted differently, so that no error cancels. */
function weighted(t: Tensor): Tensor {
  const weights = Nx.add(Nx.cos(Nx.multiply(Nx.iota([...t.shape], { type: "f64" }), 0.7)), 1.5);
  return Nx.sum(Nx.multiply(Nx.rename(t, [...t.shape.map(() => null)]), weights));
}

const lossOf =
  (program: Program): Fn =>
  (...args) =>
    weighted(runProgram(program, args)[0]!);

/** A direction for each input: numbers of the size of 1, no two alike. */
const directions = (inputs: readonly Tensor[]): Tensor[] =>
  inputs.map((t, k) => Nx.cos(Nx.add(Nx.multiply(Nx.iota([...t.shape], { type: "f64" }), 1.3 + k), k)));

const along = (inputs: readonly Tensor[], by: number): Tensor[] => {
  const v = directions(inputs);
  return inputs.map((t, k) => Nx.add(t, Nx.multiply(v[k]!, by)));
};

const numberOf = (t: Tensor): number => t.toNumber() as number;

/** The derivative in the direction by central differences of the fourth order, and whether a smaller step agrees. */
function difference(fn: (...args: Tensor[]) => number, inputs: readonly Tensor[]): number | null {
  const at = (h: number): number => fn(...along(inputs, h));
  const slope = (h: number): number => (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  const [wide, narrow] = [slope(4e-4), slope(1e-4)];
  const isSmooth = Math.abs(wide - narrow) <= (GRADIENT / 10) * Math.max(1, Math.abs(narrow));
  return isSmooth ? narrow : null;
}

const inner = (a: readonly Tensor[], b: readonly Tensor[]): number =>
  a.reduce((sum, t, k) => sum + numberOf(Nx.sum(Nx.multiply(t, b[k]!))), 0);

const isNear = (a: number, b: number, tolerance: number): boolean =>
  Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));

function isNearTensor(a: Tensor, b: Tensor, tolerance: number): boolean {
  if (String(a.shape) !== String(b.shape) || a.type !== b.type) return false;
  const scale = Math.max(1, numberOf(Nx.reduceMax(Nx.abs(b))));
  return numberOf(Nx.reduceMax(Nx.abs(Nx.subtract(Nx.rename(a, [...a.shape.map(() => null)]), Nx.rename(b, [...b.shape.map(() => null)]))))) <= tolerance * scale; // prettier-ignore
}

/** One comparison of a program's derivatives: what is wrong with them, or null. */
type Check = (
  fn: Fn,
  inputs: readonly Tensor[],
  gradients: readonly Tensor[],
  tally: Tally,
  program: Program,
) => string | null;

/** Derivatives that differ in nothing but where operands are converted. */
const SAME = 1e-12;

/** A program in which tensors that say a type are f64. */
const inDoubles = (program: Program): Program => ({
  ...program,
  steps: changedSteps(program.steps, (expr) =>
    isNode(expr) && expr.$ === "call" && expr.fn === "Nx.tensor" && expr.args.length > 1
      ? call("Nx.asType", expr, "f64")
      : undefined,
  ),
});

const gradientsOf = (fn: Fn, inputs: readonly Tensor[]): readonly Tensor[] =>
  Nx.grad((args: Tensor[]) => fn(...args))([...inputs]);

const CHECKS: Readonly<Record<string, Check>> = {
  "central differences": (fn, inputs, gradients, tally) => {
    const compiled = Nx.defn(fn);
    const expected = difference((...args) => numberOf(compiled(...args)), inputs);
    if (expected === null) {
      tally.leave("not smooth where the differences are taken");
      return null;
    }
    const actual = inner(gradients, directions(inputs));
    return isNear(actual, expected, GRADIENT) ? null : `the gradient along a direction is ${actual}, differences give ${expected}`; // prettier-ignore
  },
  shapes: (_, inputs, gradients) => {
    const at = gradients.findIndex((g, k) => String([g.shape, g.names, g.type]) !== String([inputs[k]!.shape, inputs[k]!.names, "f64"])); // prettier-ignore
    return at < 0 ? null : `the gradient of input ${at} is ${gradients[at]!.type}[${gradients[at]!.shape}] ${gradients[at]!.names}`; // prettier-ignore
  },
  jvp: (fn, inputs, gradients) => {
    const [, tangent] = Nx.Defn.jvp(fn, [...inputs], directions(inputs)) as readonly [Tensor, Tensor];
    const [a, b] = [numberOf(tangent), inner(gradients, directions(inputs))];
    return isNear(a, b, ALIKE) ? null : `jvp gives ${a}, grad ${b}`;
  },
  vjp: (fn, inputs, gradients) => {
    const [, back] = Nx.Defn.vjp(fn, [...inputs]) as unknown as [Tensor, (g: number) => readonly Tensor[]];
    const at = back(1).findIndex((g, k) => !isNearTensor(g, gradients[k]!, ALIKE));
    return at < 0 ? null : `vjp and grad differ in input ${at}`;
  },
  "the evaluator": (fn, inputs, gradients) => {
    const evaluated = Nx.defn((...args: Tensor[]) => Nx.grad((xs: Tensor[]) => fn(...xs))(args), {
      compiler: "evaluator",
    })(...inputs);
    const at = evaluated.findIndex((g, k) => !isNearTensor(g, gradients[k]!, ALIKE));
    return at < 0 ? null : `the evaluator gives another gradient of input ${at}`;
  },
  "the binary backend": (fn, inputs, gradients) => {
    const there = Nx.withDefaultBackend("binary", () => gradientsOf(fn, inputs.map((t) => Nx.backendCopy(t, "binary")))); // prettier-ignore
    const at = there.findIndex((g, k) => !isNearTensor(g, gradients[k]!, ALIKE));
    return at < 0 ? null : `the binary backend gives another gradient of input ${at}`;
  },
  "operands of other types": (_fn, inputs, gradients, _tally, program) => {
    const other = gradientsOf(lossOf(inDoubles(program)), inputs);
    const at = gradients.findIndex((g, k) => !isNearTensor(g, other[k]!, SAME));
    return at < 0 ? null : `operands that are f64 give another gradient of input ${at}`;
  },
  vmap: (fn, inputs, gradients) => {
    const others = along(inputs, 0.01);
    const second = gradientsOf(fn, others);
    const stacked = inputs.map((t, k) => Nx.stack([t, others[k]!]));
    const each = Nx.defn(Nx.Defn.vmap((...xs: Tensor[]) => Nx.grad((ys: Tensor[]) => fn(...ys))(xs)))(...stacked);
    const total = Nx.grad((xs: Tensor[]) => Nx.sum(Nx.Defn.vmap(fn)(...xs)))(stacked);
    for (const [k, g] of gradients.entries()) {
      const wanted = Nx.stack([g, second[k]!]);
      if (!isNearTensor(each[k]!, wanted, ALIKE)) return `vmap of grad differs from grad in input ${k}`;
      if (!isNearTensor(total[k]!, wanted, ALIKE)) return `grad of vmap differs from grad in input ${k}`;
    }
    return null;
  },
  hessian: (fn, [x, ...rest], _, tally) => {
    if (sizeOf(x!.shape) > 9) return null;
    const first = (y: Tensor): Tensor => fn(y, ...rest);
    const size = sizeOf(x!.shape);
    const matrix = Nx.reshape(Nx.Defn.hessian(first)(x!), [size, size], { names: [null, null] });
    const steepest = numberOf(Nx.reduceMax(Nx.abs(matrix)));
    if (!(steepest < STEEP)) {
      tally.leave("second derivatives that are infinite or very steep");
      return null;
    }
    if (!isNearTensor(matrix, Nx.transpose(matrix), ALIKE)) return "the hessian is not symmetric";
    const [v] = directions([x!]);
    const slope = Nx.defn((y: Tensor) => Nx.sum(Nx.multiply(Nx.grad(first)(y), v!)));
    const expected = difference((y) => numberOf(slope(y!)), [x!]);
    if (expected === null) return null;
    const flat = Nx.reshape(v!, [size], { names: [null] });
    const actual = numberOf(Nx.dot(Nx.dot(matrix, flat), flat));
    return isNear(actual, expected, GRADIENT)
      ? null
      : `v H v is ${actual}, differences of the gradient give ${expected}`;
  },
};

/** What is wrong with a program's derivatives, first of all; undefined where there is nothing to say of them. */
function fault(program: Program, tally: Tally, only?: string): readonly [check: string, text: string] | null {
  const inputs = program.inputs.map(tensorOf);
  const fn = lossOf(program);
  if (!(Math.abs(numberOf(fn(...inputs))) < STEEP)) {
    tally.leave("values that are infinite or very large");
    return null;
  }
  const gradients = gradientsOf(fn, inputs);
  const steepest = Math.max(...gradients.map((g) => numberOf(Nx.reduceMax(Nx.abs(g)))));
  if (steepest >= STEEP) {
    tally.leave("derivatives that are very steep");
    return null;
  }
  for (const [name, check] of Object.entries(CHECKS)) {
    if (only !== undefined && name !== only) continue;
    tally.checks++;
    const text = check(fn, inputs, gradients, tally, program);
    if (text !== null) return [name, text];
  }
  return null;
}

const tried = (program: Program, tally: Tally, only?: string): readonly [string, string] | null => {
  try {
    return Nx.withDefaultBackend(["wasm", { threads: 2 }], () => fault(program, tally, only));
  } catch (error) {
    return ["error", messageOf(error)];
  }
};

/** Elements between -2 and 2, none near another or near a point where rows have kinks. */
function smoothInput(r: Random, id: number, shape: readonly number[], isNamed: boolean): Input {
  const size = sizeOf(shape);
  const places = r.shuffled(Array.from({ length: size }, (_, i) => i));
  const pool = places.map((i) => Math.round((((i + 0.3 + 0.3 * (r.word() / 2 ** 32)) / size) * 3.4 - 1.7) * 1e6) / 1e6);
  return { id, type: "f64", shape, names: shape.map((_, i) => (isNamed ? "abc"[i]! : null)), pool, mix: [1, 0] };
}

/** The function of a seed. */
function smoothProgram(seed: number): { program: Program; refused: number } {
  return Nx.withDefaultBackend(binaryBackend, () => {
    const r = new Random(seed);
    const ids = { next: 0 };
    const g = new Generator(r, SMOOTH, ids, 60);
    const shape = Array.from({ length: r.pick([0, 1, 1, 2, 2, 3]) }, () => r.pick([1, 2, 3, 3, 4]));
    const isNamed = r.chance(0.3);
    const inputs = Array.from({ length: r.between(1, 2) }, (_, k) => smoothInput(r, g.fresh(), k === 0 ? shape : shape.slice(r.below(shape.length + 1)), isNamed && k === 0)); // prettier-ignore
    for (const input of inputs) g.add(input.id, tensorOf(input));
    const steps = r.between(1, 8);
    for (let tries = 0; tries < 4 * steps && g.steps.length < steps; tries++) g.step();
    const last = g.steps[g.steps.length - 1]?.id ?? inputs[0]!.id;
    return { program: { inputs, steps: g.steps, outputs: [last] }, refused: g.refused };
  });
}

const exampleOf = (program: Program, check: string): string =>
  `// derivatives of the sum of this function's result, weighted by cos(0.7 i) + 1.5: ${check}\n` +
  doctestOf({
    program,
    text: (name, args) => `${name}(${args.join(", ")})`,
    expected: runProgram(program, program.inputs.map(tensorOf))[0]!,
  });

function checkGradients(seed: number, tally: Tally): Found | null {
  try {
    const { program, refused } = smoothProgram(seed);
    tally.programs++;
    tally.refused += refused;
    tally.use(functionsIn(program));
    tally.types.add("f64");
    const found = tried(program, tally);
    if (found === null) return null;
    const [check] = found;
    const smallest = shrink(program, (candidate) => candidate.inputs.every(({ type }) => type === "f64") && tried(candidate, new Tally(), check === "error" ? undefined : check)?.[0] === check); // prettier-ignore
    const [, text] = tried(smallest, new Tally(), check === "error" ? undefined : check) ?? found;
    return { message: `${check}: ${text}`, example: exampleOf(smallest, check) };
  } catch (error) {
    if (!(error instanceof InternalError) && !isRefusal(error)) throw error;
    return { message: messageOf(error), example: "" };
  }
}

export const gradients: Kind = {
  name: "gradients",
  about:
    "random functions of f64: `grad` against central differences, `jvp`, `vjp`, the evaluator, `binary`, `vmap` of `grad` and `grad` of `vmap`, and the same with all operands as f64; hessians symmetric and against differences of `grad`",
  run: checkGradients,
};
