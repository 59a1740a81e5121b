/**
 * Choosing by values: `cond`.
 */
import type { Template } from "../../backend";
import { ArgumentError, DefnError, show } from "../../core/errors";
import { isListOf } from "../../core/lists";
import { mergeNames, unnamed } from "../../core/names";
import { broadcastShapes, sameShape, SCALAR_SHAPE } from "../../core/shape";
import { commonType } from "../../core/promotion";
import {
  asMaybeWeak,
  cast,
  isStrong,
  isWeak,
  run,
  template,
  typeOfOperands,
  weakAs,
  weakTypeBeside,
} from "../../nx/dispatch";
import { logicalAnd, logicalNot, select } from "../../nx/elementwise";
import { asOperand } from "../../nx/elementwise/core";
import { WeakTensor, type Operand, type Tensor } from "../../tensor";
import type { Tensors } from "../trace";
import { alike, innerOf, isWrapped, unwrapped } from "../wrapping";
import { buildCond, followedBy, own } from "./build";
import { takenWhere } from "./taken";
import { checkFunction, flatten, inTrace, predicate, text, type Flat } from "./flat";

const FN = "Nx.Defn.cond";

/** What a traced condition gives. */
export type Predicate = Operand;

/** One branch of {@link cond}: a predicate and the function to run where the predicate holds. */
export type Clause<R> = readonly [predicate: Predicate, branch: () => R];

/**
 * The result of the first branch whose predicate holds, else of the last function. Only that branch is computed.
 *
 * A predicate is a scalar that is not 0 (NaN counts as true); `true` and `false` choose while tracing. All branches must
 * return containers of the same structure; every tensor of the result has the merged type of its counterparts, the shape
 * they broadcast to and their merged names. Plain numbers are weak beside the tensors that other branches return in their place.
 *
 * Where a predicate is vectorized, all branches are computed and entries are chosen from their results.
 *
 * @param clauses - pairs of a predicate and a function without parameters
 * @param otherwise - computes the result where no predicate holds
 * @returns the result of one of the functions
 * @throws DefnError where a predicate is no scalar or the branches return different structures
 * @throws ArgumentError where shapes do not broadcast or names clash
 * @example
 * ```ts
 * const absolute = Nx.defn((x: Nx.Tensor) => Nx.Defn.cond([[x.less(0), () => x.negate()]], () => x));
 * absolute(Nx.tensor(-3));
 * // => #Nx.Tensor<
 * //   s64
 * //   3
 * // >
 * ```
 * @example
 * ```ts
 * const t = Nx.f32([1, 2], { names: ["x"] });
 * Nx.Defn.cond([[t.sum().greater(10), () => t], [t.sum().greater(2), () => t.multiply(10)]], () => Nx.tensor(0));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [10.0, 20.0]
 * // >
 * Nx.Defn.cond<Nx.Operand>([[t.sum().greater(10), () => Nx.f64(1)]], () => 0.1);
 * // => #Nx.Tensor<
 * //   f64
 * //   0.1
 * // >
 * Nx.Defn.cond([[t, () => t]], () => t);
 * // throws DefnError: a predicate of Nx.Defn.cond must be a scalar tensor, true or false, got: f32[x: 2]
 * ```
 */
export function cond<R>(clauses: readonly Clause<R>[], otherwise: () => R): Tensors<R>;
export function cond<R>(clauses: readonly Clause<R>[], otherwise: () => R, further?: unknown): Tensors<R> {
  const isPair = (clause: unknown) => Array.isArray(clause) && clause.length === 2;
  if (!isListOf(clauses, isPair) || further !== undefined) {
    throw new ArgumentError(
      `Nx.Defn.cond expects pairs [[predicate, () => result], ...], got: ${show(clauses)}; ` +
        `write Nx.Defn.cond([[predicate, () => a]], () => b)`,
    );
  }
  for (const [, branch] of clauses) checkFunction(branch, "a branch of Nx.Defn.cond");
  checkFunction(otherwise, "the last branch of Nx.Defn.cond");
  const result = inTrace(FN, () => {
    const open: [Tensor, () => R][] = [];
    for (const [value, branch] of clauses) {
      const decided = predicate(value, "a predicate of Nx.Defn.cond");
      if (decided === true) return choose(open, branch);
      if (decided !== false) open.push([decided, branch]);
    }
    return choose(open, otherwise);
  });
  return result as Tensors<R>;
}

function choose<R>(clauses: readonly [Tensor, () => R][], otherwise: () => R): R {
  const branches = [...clauses.map(([, branch]) => branch), otherwise];
  const predicates = clauses.map(([value]) => value);
  if (branches.length === 1) {
    const only = flatten(otherwise(), RESULT);
    return only.fill(only.leaves) as R;
  }
  if (predicates.some(isWrapped)) return selected(predicates, branches);
  const flats: Flat[] = [];
  const traces = branches.map((branch) =>
    own([], () => {
      const flat = flatten(branch(), RESULT, asMaybeWeak);
      flats.push(flat);
      return flat.leaves.map(innerOf);
    }),
  );
  const outs = commonTemplates(flats);
  let results: readonly Tensor[] = [];
  const fitted = traces.map((branch, k) =>
    followedBy(branch, (...inner) => {
      const leaves = inner.map((t, i) => {
        const leaf = flats[k]!.leaves[i]!;
        return isWeak(leaf) ? weakAs(leaf, outs[i]!.type) : unwrapped(leaf).wrap(t);
      });
      const same = leaves.map((leaf, i) =>
        alike(
          leaf,
          flats.map((flat) => flat.leaves[i]!),
        ),
      );
      results = same.map((leaf, i) => fit(leaf, outs[i]!));
      return results.map(innerOf);
    }),
  );
  const chosen = buildCond(results.map(innerOf), predicates, fitted);
  return flats[0]!.fill(chosen.map((t, i) => unwrapped(results[i]!).wrap(t))) as R;
}

/** With a predicate for every entry of a vectorized axis all branches are computed, and entries chosen from them. */
function selected<R>(predicates: readonly Tensor[], branches: readonly (() => R)[]): R {
  let left: Tensor | null = null;
  const flats = branches.map((branch, k) => {
    const computed = (): Flat => flatten(branch(), RESULT, asMaybeWeak);
    const own = predicates[k];
    const mask: Tensor = own === undefined ? left! : left === null ? own : logicalAnd(left, own);
    if (own !== undefined) left = left === null ? logicalNot(own) : logicalAnd(left, logicalNot(own));
    return takenWhere(mask, computed);
  });
  const outs = commonTemplates(flats);
  const chosen = outs.map((out, i) => {
    const values = flats.map(({ leaves }) => fit(asOperand(leaves[i]!, out.type), out));
    return predicates.reduceRight((rest, value, k) => select(value, values[k]!, rest), values[values.length - 1]!);
  });
  return flats[0]!.fill(chosen) as R;
}

/** For each tensor of the result what all branches have in common. */
function commonTemplates(flats: readonly Flat[]): Template[] {
  const [first, ...others] = flats as [Flat, ...Flat[]];
  for (const other of others) sameStructure(first, other);
  return first.leaves.map((_, i) => commonTemplate(flats.map(({ leaves }) => leaves[i]!)));
}

/** The template of one tensor of the result: that of the tensors that the branches give there, beside which numbers are weak. */
function commonTemplate(leaves: readonly Tensor[]): Template {
  const tensors = leaves.filter(isStrong);
  const weak = leaves.filter((leaf) => leaf instanceof WeakTensor);
  if (tensors.length === 0) return template(typeOfOperands(weak, FN), SCALAR_SHAPE, unnamed(0));
  const common = tensors.slice(1).reduce<Template>(merged, tensors[0]!);
  return weak.reduce<Template>((both, leaf) => ({ ...both, type: weakTypeBeside(FN, both, leaf) }), {
    type: common.type,
    shape: common.shape,
    names: common.names,
  });
}

const RESULT = "the result of a branch of Nx.Defn.cond";

function sameStructure(a: Flat, b: Flat): void {
  if (a.structure === b.structure) return;
  throw new DefnError(
    `all branches of Nx.Defn.cond must return the same structure, got: ${a.structure} and ${b.structure}`,
  );
}

/** The template that two branches have in common. */
function merged(a: Template, b: Template): Template {
  const shape = broadcastShapes(a.shape, b.shape);
  if (shape === null) {
    throw new ArgumentError(
      `the branches of Nx.Defn.cond must return shapes that broadcast, got ${text(a)} and ${text(b)}`,
    );
  }
  return template(commonType(FN, a, b), shape, mergeNames(a.names, a.shape, b.names, b.shape));
}

/** The tensor as the template says: cast, broadcast and named. */
function fit(t: Tensor, out: Template): Tensor {
  const typed = cast(t, out.type);
  const isSame = sameShape(typed.shape, out.shape) && typed.names.every((name, i) => name === out.names[i]);
  if (isSame) return typed;
  const lead = out.shape.length - typed.shape.length;
  return run("broadcast", out, [typed], { axes: typed.shape.map((_, i) => i + lead) });
}
