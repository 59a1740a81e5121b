/**
 * Functions of the program that compute values when a graph runs: a node of its own, for what cannot be traced.
 */
import type { Template } from "../backend";
import { tracingBackend } from "../backends/registry";
import type { Collection, CustomContainer } from "../container";
import { ArgumentError, DefnError, show } from "../core/errors";
import { checkOptions } from "../core/options";
import { sameShape, type Names } from "../core/shape";
import type { Scalar } from "../core/types";
import { alias, asMaybeWeak, asTensorLike, template } from "../nx/dispatch";
import { renamed } from "../nx/creation/tensor";
import { unnamed } from "../core/names";
import type { Operand, Tensor } from "../tensor";
import { checkFunction, flatten, text, type Flat } from "./control/flat";
import { exprBackend, nodeOf, traced } from "./expr";
import { manyNodes } from "./graph";
import { tensorOfLeaf } from "./signature";
import type { Tensors } from "./trace";
import { sizesOf, spreadTo, unionOf } from "./vectorize/axes";
import { vectorized, vectorizedOf } from "./vectorize/backend";
import { forEachEntry } from "./vectorize/rules";

const FN = "Nx.runtimeCall";

/** What a function given to {@link runtimeCall} returns: a tensor or number in place of each template. */
export type RuntimeResult<O> =
  O extends Tensor<Names>
    ? Operand
    : O extends Scalar
      ? Operand
      : O extends Collection<unknown> | CustomContainer
        ? unknown
        : { readonly [K in keyof O]: RuntimeResult<O[K]> };

/** Options of {@link runtimeCall}. */
export interface RuntimeCallOptions<P> {
  /** The second argument of the function. */
  readonly options?: P;
}

/**
 * The result of a JavaScript function that is called with values, also inside of `defn`: for what cannot be written with the
 * functions of the library.
 *
 * Inside of a traced function the call is a node of its graph: it runs each time that the graph runs and its result is needed, with
 * the tensors' values, which can be read there. Outside of a trace it runs at once. Under `vmap`, and for vectorized tensors, it is
 * called once for each entry. What it returns must be as `output` says. It should have no other effect: a call that nobody reads is
 * left out, and gradients of loops repeat it; {@link Defn.hook} is for looking at values. Gradients do not go through it: give it
 * one with {@link Defn.customGrad}.
 *
 * @param output - the shape, type and names of the result: a template or tensor, or a container of them
 * @param value - what the function is given: a tensor, a number or a container of them
 * @param fn - called with the computed value, numbers as tensors; returns a tensor or number for each template
 * @param options - `options`: what `fn` is given as its second argument, for what is no tensor
 * @returns the result, in the container of `output`, with its names
 * @throws ArgumentError where `fn` returns another structure, type, shape or other names than `output` says
 * @throws DefnError where a gradient would go through the call, or `fn` is async
 * @example
 * ```ts
 * const collatz = (t: Nx.Tensor) => {
 *   let steps = 0;
 *   for (let n = t.item(); n > 1; steps++) n = n % 2 === 0 ? n / 2 : 3 * n + 1;
 *   return steps;
 * };
 * const steps = Nx.defn((t: Nx.Tensor) => Nx.runtimeCall(Nx.template([], "s64"), t, collatz).add(1000));
 * steps(Nx.tensor(27));
 * // => #Nx.Tensor<
 * //   s64
 * //   1111
 * // >
 * Nx.Defn.vmap(steps)(Nx.tensor([1, 6, 27], { names: ["start"] }));
 * // => #Nx.Tensor<
 * //   s64[start: 3]
 * //   [1000, 1008, 1111]
 * // >
 * ```
 * @example
 * ```ts
 * const cumulative = (t: Nx.Tensor, { scale }: { scale: number }) => t.cumulativeSum().multiply(scale);
 * Nx.runtimeCall(Nx.template([3], "f32", { names: ["time"] }), Nx.f32([1, 2, 3]), cumulative, { options: { scale: 10 } });
 * // => #Nx.Tensor<
 * //   f32[time: 3]
 * //   [10.0, 30.0, 60.0]
 * // >
 * Nx.runtimeCall(Nx.template([2], "f32"), Nx.f32([1, 2]), (t) => t.sum());
 * // throws ArgumentError: Nx.runtimeCall: the function must return what its output says, but that is f32[2] and it returned f32[]
 * Nx.grad((x: Nx.Tensor) => Nx.runtimeCall(x, x, (t) => t.multiply(2)).sum())(Nx.f32([1]));
 * // throws DefnError: the function of Nx.runtimeCall has no gradient, since what it computes is not traced; say what
 * ```
 */
export function runtimeCall<O, V, P = undefined>(
  output: O,
  value: V,
  fn: (value: Tensors<V>, options: P) => RuntimeResult<O>,
  options?: RuntimeCallOptions<P>,
): Tensors<O>;
export function runtimeCall(
  output: unknown,
  value: unknown,
  fn: (value: never, options: never) => unknown,
  options?: RuntimeCallOptions<unknown>,
): unknown {
  options = checkOptions(FN, options, ["options"]);
  const own = options?.options;
  checkFunction(fn, `what ${FN} calls`);
  const wanted = flatten(output, `the output of ${FN}`, tensorOfLeaf);
  const given = flatten(value, `the value of ${FN}`, tensorOfLeaf);
  if (given.leaves.length === 0 || wanted.leaves.length === 0) {
    const [what, got] = wanted.leaves.length === 0 ? ["a template", output] : ["a tensor, a number", value];
    throw new ArgumentError(`${FN} expects ${what} or a container of them, got: ${show(got)}`);
  }
  const name = fn.name === "" ? null : fn.name;
  const call = (values: readonly Tensor[]): readonly Tensor[] => {
    const named = values.map((t, i) => renamed(t, given.leaves[i]!.names));
    return answers(fn(given.fill(named) as never, own as never), wanted, name);
  };
  return wanted.fill(called(given.leaves, wanted.leaves, name, call));
}

/** The results of a call: for each entry where an operand is vectorized. */
function called(
  inputs: readonly Tensor[],
  outs: readonly Template[],
  name: string | null,
  call: (values: readonly Tensor[]) => readonly Tensor[],
): readonly Tensor[] {
  const values = inputs.map(vectorizedOf);
  const axes = unionOf(values.map((input) => input.axes));
  const templates = outs.map(({ type, shape, names }) => template(type, shape, names));
  if (axes.length === 0) return recorded(inputs, templates, name, call);
  const sizes = sizesOf(axes);
  const whole = templates.map(({ type, shape }) =>
    template(type, Object.freeze([...sizes, ...shape]), unnamed(sizes.length + shape.length)),
  );
  const spread = values.map((input) => spreadTo(axes, input));
  const ofEntries = (all: readonly Tensor[]) => forEachEntry(axes, all, templates, call);
  return recorded(spread, whole, name, ofEntries).map((inner, i) => vectorized(inner, axes, templates[i]!));
}

/** The call as a node where a trace runs, else its results. */
function recorded(
  inputs: readonly Tensor[],
  outs: readonly Template[],
  name: string | null,
  call: (values: readonly Tensor[]) => readonly Tensor[],
): readonly Tensor[] {
  if (tracingBackend() !== exprBackend) return call(inputs);
  return manyNodes("runtimeCall", outs, inputs.map(nodeOf), { name, call }).map(traced);
}

/** The tensors of what the function returned, each its own and with the names of its template. */
function answers(returned: unknown, wanted: Flat, name: string | null): readonly Tensor[] {
  const who = `the function${name === null ? "" : ` ${show(name)}`}`;
  if (returned instanceof Promise) {
    throw new DefnError(`${who} given to ${FN} returned ${show(returned)}; it cannot be async`);
  }
  const found = flatten(returned, `what ${who} of ${FN} returned`, asMaybeWeak);
  if (found.structure !== wanted.structure) throw differs(who, "", wanted.structure, found.structure);
  return found.leaves.map((leaf, i) => {
    const out = wanted.leaves[i]!;
    const t = asTensorLike(leaf, out, FN);
    // tensors of backends that describe themselves stand for values: templates, traced and vectorized ones
    if (t.backend.describe !== undefined) {
      throw new ArgumentError(`${who} must return tensors with values, but it returned ${t.backend.name} ${text(t)}`);
    }
    if (!isAsWanted(t, out)) throw differs(who, wanted.paths[i]!, text(out), text(t));
    return alias(renamed(t, out.names));
  });
}

const isAsWanted = (t: Template, out: Template): boolean =>
  t.type === out.type &&
  sameShape(t.shape, out.shape) &&
  t.names.every((name, i) => name === null || out.names[i] === null || name === out.names[i]);

function differs(who: string, path: string, wanted: string, found: string): ArgumentError {
  const where = path === "" ? "that" : `its ${path}`;
  return new ArgumentError(
    `${who} must return what its output says, but ${where} is ${wanted} and it returned ${found}; convert with Nx.asType, ` +
      `Nx.reshape or Nx.rename, or give another output`,
  );
}
