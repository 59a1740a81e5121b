/**
 * Products with the Jacobian from either side, and the Jacobian itself.
 */
import { EYE } from "../../backends/primitives";
import type { Known, OperandNames } from "../../core/axis-types";
import { mapContainer, type Collection, type CustomContainer, type Recollected } from "../../container";
import { ArgumentError } from "../../core/errors";
import { unnamed } from "../../core/names";
import { formatShape, sameShape, sizeOf, type Name, type Names, type Shape } from "../../core/shape";
import type { Scalar } from "../../core/types";
import { renamed } from "../../nx/creation/tensor";
import { asMaybeWeak, cast, isWeak, run, template, weakAs } from "../../nx/dispatch";
import { reshape, transpose } from "../../nx/shape";
import { isComplex, type DType } from "../../core/types";
import type { Tensor } from "../../tensor";
import { leaves as leavesOf } from "../composite";
import { buildScan } from "../control/build";
import { stackedOf } from "../control/scan";
import { jitFor } from "../defn";
import { nodeOf } from "../expr";
import type { Node } from "../graph";
import { givenTo } from "../scope";
import { isParameter } from "../signature";
import type { Tensors } from "../trace";
import { alike, innerOf } from "../wrapping";
import { backward } from "./backward";
import { cotangentType, reshapeTo, zeros } from "./core";
import { differentiate } from "./grad";
import {
  checkFunction,
  checkPrimals,
  checkTransform,
  onVariables,
  presented,
  presentedLike,
  refill,
  resultOf,
  resultsOf,
  variable,
  variableType,
  type AnyFunction,
  type Variables,
} from "./variables";

/** Tangents or cotangents given by the user, one for each of `templates`, in the types derivatives are worked on in. */
function matching(name: string, what: string, given: unknown, like: readonly Tensor[]): Tensor[] {
  const parts: Tensor[] = [];
  mapContainer(given, (leaf) => isParameter(leaf) && parts.push(asMaybeWeak(leaf, name)));
  if (parts.length !== like.length) {
    throw new ArgumentError(`${name} expects ${like.length} ${what}, one for each tensor, got: ${parts.length}`);
  }
  return parts.map((leaf, i) => {
    const { shape, names } = like[i]!;
    if (sameShape(leaf.shape, shape)) return asCotangent(leaf, variableType(like[i]!));
    throw new ArgumentError(
      `${name} expects ${what} of the shapes they belong to, got ${formatShape(leaf.shape, leaf.names)} for ` +
        formatShape(shape, names),
    );
  });
}

/** A number keeps its digits where the type can hold it. */
const asCotangent = (leaf: Tensor, type: DType): Tensor =>
  isWeak(leaf) && !(isComplex(leaf.type) && !isComplex(type)) ? weakAs(leaf, type) : cast(withoutNames(leaf), type);

const withoutNames = (t: Tensor): Tensor => renamed(t, unnamed(t.shape.length));

/**
 * The value of a function and its vector-Jacobian product: a function from the cotangent of the result to the cotangents
 * of all arguments (reverse mode).
 *
 * @param fn - a function of tensors that returns one tensor or a container of tensors
 * @param primals - the arguments, as an array
 * @returns `[value, pullback]`; the pullback takes a container like the value and returns an array like the arguments
 * @throws ArgumentError where cotangents do not fit the value
 * @example
 * ```ts
 * const [value, pullback] = Nx.Defn.vjp((x: Nx.Tensor, y: Nx.Tensor) => x.multiply(y), [Nx.f32([1, 2]), Nx.f32([3, 4])]);
 * value;
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [3.0, 8.0]
 * // >
 * pullback(Nx.f32([1, 10]))[0];
 * // => #Nx.Tensor<
 * //   f32[2]
 * //   [3.0, 40.0]
 * // >
 * ```
 * @example
 * ```ts
 * const [, pullback] = Nx.Defn.vjp((x: Nx.Tensor) => x.sum({ axes: ["x"] }), [Nx.iota([2, 3], { names: ["x", "y"] })]);
 * pullback(Nx.f32([1, 2]));
 * // throws ArgumentError: Nx.Defn.vjp expects cotangents of the shapes they belong to, got [2] for [y: 3]
 * ```
 */
export function vjp<A extends readonly unknown[], R>(
  fn: (...args: A) => R,
  primals: A,
): [value: Tensors<R>, pullback: (cotangents: unknown) => Tensors<A>] {
  checkFunction(fn, "Nx.Defn.vjp");
  checkPrimals("Nx.Defn.vjp", primals);
  const owner = givenTo("Nx.Defn.vjp", fn);
  const value = jitFor(owner, (...args: unknown[]) => (fn as AnyFunction)(...(args as never[])))(
    ...primals,
  ) as Tensors<R>;
  const pull = jitFor(owner, (args: readonly unknown[], cotangents: unknown) => {
    const { variables, results } = onVariables(args, "Nx.Defn.vjp", (arg) => {
      return { results: leavesOf((fn as AnyFunction)(...(arg as never[]))), returned: null };
    });
    const gs = matching("Nx.Defn.vjp", "cotangents", cotangents, results);
    const found = backward(
      results.map((result, i) => ({ node: nodeOf(innerOf(result)), g: cotangentOf(gs[i]!, result) })),
      variables.nodes,
    );
    return found.map((g, i) => presentedLike(g, variables.leaves[i]!));
  });
  return [value, (cotangents) => refill(primals, pull(primals, cotangents)) as Tensors<A>];
}

/** The inner cotangent, with the vectorized axes of the primal in front. */
const cotangentOf = (g: Tensor, like: Tensor): Tensor => innerOf(alike(g, [like]));

/**
 * The value of a function and its Jacobian-vector product: how the result moves when the arguments move along tangents
 * (forward mode). Made by transposing the reverse mode, which is linear in its cotangents.
 *
 * @param fn - a function of tensors that returns one tensor or number
 * @param primals - the arguments, as an array
 * @param tangents - an array of containers like the arguments
 * @returns `[value, tangent]`, the tangent with the shape and names of the value
 * @throws ArgumentError where the tangents do not fit the arguments
 * @example
 * ```ts
 * Nx.Defn.jvp((x: Nx.Tensor) => x.multiply(x), [Nx.f32([1, 2], { names: ["x"] })], [Nx.f32([1, 10])])[1];
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [2.0, 40.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Defn.jvp((x: Nx.Tensor) => x.sin(), [Nx.f32(0)], [Nx.f32([1])]);
 * // throws ArgumentError: Nx.Defn.jvp expects tangents of the shapes they belong to, got [1] for []
 * ```
 */
export function jvp<A extends readonly unknown[], R>(
  fn: (...args: A) => R,
  primals: A,
  tangents: readonly unknown[],
): [value: Tensor<OperandNames<R>>, tangent: Tensor<OperandNames<R>>];
export function jvp(
  fn: (...args: never[]) => unknown,
  primals: readonly unknown[],
  tangents: readonly unknown[],
): [value: Tensor, tangent: Tensor] {
  checkFunction(fn, "Nx.Defn.jvp");
  checkPrimals("Nx.Defn.jvp", primals);
  return jitFor(givenTo("Nx.Defn.jvp", fn), (args: readonly unknown[], directions: unknown) => {
    const { variables, results } = onVariables(args, "Nx.Defn.jvp", (arg) => {
      return { results: [resultOf((fn as AnyFunction)(...(arg as never[])), "Nx.Defn.jvp")], returned: null };
    });
    const [value] = results as [Tensor];
    const along = matching("Nx.Defn.jvp", "tangents", directions, variables.leaves);
    const tangents = along.map((tangent, i) => cotangentOf(tangent, variables.leaves[i]!));
    return [value, presentedLike(pushForward([innerOf(value)], variables.nodes)(tangents)[0]!, value)] as [
      Tensor,
      Tensor,
    ];
  })(primals, tangents);
}

/** From tangents of the variables to those of the values: the transpose of going back. */
function pushForward(
  values: readonly Tensor[],
  nodes: readonly Node[],
): (tangents: readonly Tensor[]) => readonly Tensor[] {
  const dummies = values.map((value) => variable(zeros(cotangentType(value.type), value.shape)));
  const back = backward(
    values.map((value, i) => ({ node: nodeOf(value), g: dummies[i]! })),
    nodes,
  );
  return (tangents) =>
    backward(
      back.map((g, i) => ({ node: nodeOf(g), g: tangents[i]! })),
      dummies.map(nodeOf),
    );
}

/** Names of derivatives: those of the result, then those of the variable; where the result has one of them there is none. */
export type DerivativeNames<R extends Names, V extends Names> =
  Known<R> extends false
    ? Names
    : Known<V> extends false
      ? Names
      : readonly [...R, ...{ [I in keyof V]: V[I] extends Exclude<R[number], null> ? null : V[I] }];

/** The derivatives of a tensor with names `R` with respect to each tensor or number of a container. */
export type DerivativesOf<R extends Names, V> = unknown extends V
  ? Tensor
  : V extends Tensor | Scalar
    ? Tensor<DerivativeNames<R, OperandNames<V>>>
    : V extends Collection<infer E>
      ? Recollected<V, E, DerivativesOf<R, E>>
      : V extends CustomContainer
        ? V
        : { [K in keyof V]: DerivativesOf<R, V[K]> };

/** A tensor for each tensor of a result, with respect to each of a variable: the result's container holds the variable's. */
export type Derivatives<R, V> = unknown extends R
  ? DerivativesOf<Names, V>
  : R extends Tensor | Scalar
    ? DerivativesOf<OperandNames<R>, V>
    : R extends Collection<infer E>
      ? Recollected<R, E, Derivatives<E, V>>
      : R extends CustomContainer
        ? V extends Tensor
          ? R
          : unknown
        : { [K in keyof R]: Derivatives<R[K], V> };

/**
 * The Jacobian of a function with respect to its first argument: all derivatives of all elements of the result. For a result that
 * is no scalar this is what {@link grad}, which adds up its rows, does not tell.
 *
 * Computed row by row in reverse mode, or column by column in forward mode where the argument has fewer elements.
 *
 * @param fn - a function of tensors that returns a tensor, a number or a container of them
 * @returns a function with the same parameters that returns, for each tensor of the result and each tensor of the first argument,
 *   a tensor of the result's shape followed by the argument's; names of the argument that the result has too are dropped. Where the
 *   result is a container it holds, in place of each tensor, a container like the argument
 * @throws DefnError where the function returns something else
 * @throws ArgumentError where the first argument holds no tensor, and for options: there are none
 * @example
 * ```ts
 * Nx.Defn.jacobian((x: Nx.Tensor) => x.multiply(x))(Nx.f32([1, 2, 3]));
 * // => #Nx.Tensor<
 * //   f32[3][3]
 * //   [
 * //     [2.0, 0.0, 0.0],
 * //     [0.0, 4.0, 0.0],
 * //     [0.0, 0.0, 6.0]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Defn.jacobian((x: Nx.Tensor) => x.sum({ axes: ["y"] }))(Nx.f32([[1, 2], [3, 4]], { names: ["x", "y"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 2][2][y: 2]
 * //   [
 * //     [
 * //       [1.0, 1.0],
 * //       [0.0, 0.0]
 * //     ],
 * //     [
 * //       [0.0, 0.0],
 * //       [1.0, 1.0]
 * //     ]
 * //   ]
 * // >
 * Nx.Defn.jacobian((x: Nx.Tensor) => x.shape)(Nx.f32(1));
 * // throws DefnError: Nx.Defn.jacobian expects a function that returns a tensor or a number, got: []
 * ```
 * @example
 * ```ts
 * const line = (p: { a: Nx.Tensor; b: Nx.Tensor }, x: Nx.Tensor) => ({ y: x.multiply(p.a).add(p.b), a2: p.a.multiply(p.a) });
 * const { y, a2 } = Nx.Defn.jacobian(line)({ a: Nx.f32(3), b: Nx.f32(1) }, Nx.f32([1, 2], { names: ["x"] }));
 * y.a;
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [1.0, 2.0]
 * // >
 * [a2.a.toNumber(), a2.b.toNumber()];
 * // => [6, 0]
 * ```
 */
export function jacobian<A extends readonly unknown[], R>(fn: (...args: A) => R): (...args: A) => Derivatives<R, A[0]>;
export function jacobian(fn: AnyFunction, options?: unknown): AnyFunction {
  const name = "Nx.Defn.jacobian";
  checkFunction(fn, name);
  checkTransform(name, options, []);
  // by variables first: of each the result's container, since what the argument holds besides tensors is no result of a trace
  const byVariable = jitFor(givenTo(name, fn), (...args: unknown[]) => {
    const { variables, results, returned } = onVariables(args[0], name, (arg) => {
      const value = fn(...([arg, ...args.slice(1)] as never[]));
      return { results: resultsOf(value, name), returned: value };
    });
    return jacobians(results, variables).map((parts) => refill(returned, parts));
  });
  return (...args: unknown[]) => {
    const columns = byVariable(...args);
    const parts = columns.map(leavesOf);
    const rows = parts[0]!.map((_, row) => parts.map((part) => part[row]!));
    let next = 0;
    return mapContainer(columns[0], () => refill(args[0], rows[next++]!));
  };
}

/** The Jacobians, by variable and value. */
function jacobians(values: readonly Tensor[], variables: Variables): Tensor[][] {
  const { nodes, leaves } = variables;
  const elements = (tensors: readonly Tensor[]) => tensors.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
  const byVariable =
    elements(values) <= elements(leaves)
      ? transposed(values.map((value) => byRows(value, variables)))
      : nodes.map((node, i) => byColumns(values, node, leaves[i]!));
  return byVariable.map((parts, i) => parts.map((part, k) => withBothNames(part, values[k]!, leaves[i]!)));
}

const transposed = <T>(rows: readonly (readonly T[])[]): T[][] => rows[0]!.map((_, i) => rows.map((row) => row[i]!));

/** The unit vectors of a space of the given shape, along a new first axis. */
function basis(type: Tensor["type"], shape: Shape): Tensor {
  const size = sizeOf(shape);
  const square = run(EYE, template(cotangentType(type), Object.freeze([size, size]), unnamed(2)), [], {});
  return reshapeTo(square, [size, ...shape]);
}

/** One pass back for each element of the result. */
function byRows(value: Tensor, { nodes, leaves }: Variables): Tensor[] {
  const rows = buildScan(
    [],
    [basis(value.type, value.shape)],
    (_, [g]) => {
      return { carried: [], results: backward([{ node: nodeOf(innerOf(value)), g: cotangentOf(g!, value) }], nodes) };
    },
    { length: sizeOf(value.shape), reverse: false },
  ).results;
  return rows.map((row, i) => reshape(stackedLike(row, leaves[i]!), [...value.shape, ...leaves[i]!.shape]));
}

/** One pass forward for each element of the variable; the axes of the variable are brought behind those of the results. */
function byColumns(values: readonly Tensor[], node: Node, leaf: Tensor): Tensor[] {
  const push = pushForward(values.map(innerOf), [node]);
  const size = sizeOf(leaf.shape);
  const columns = buildScan(
    [],
    [basis(leaf.type, leaf.shape)],
    (_, [tangent]) => ({ carried: [], results: push([cotangentOf(tangent!, leaf)]) }),
    { length: size, reverse: false },
  ).results;
  return values.map((value, k) => {
    const flat = reshape(stackedLike(columns[k]!, value), [size, sizeOf(value.shape)]);
    return reshape(transpose(flat), [...value.shape, ...leaf.shape]);
  });
}

/** Stacked derivatives of a tensor, or with respect to it, wrapped as it is and without names. */
const stackedLike = (stacked: Tensor, like: Tensor): Tensor =>
  withoutNames(stackedOf(withoutNames(like), null, stacked));

function withBothNames(part: Tensor, value: Tensor, leaf: Tensor): Tensor {
  const own = leaf.names.map((name): Name => (name !== null && value.names.includes(name) ? null : name));
  const names: Names = Object.freeze([...value.names, ...own]);
  return presented(part, { type: leaf.type, names });
}

/**
 * The Hessian of a function with respect to its first argument: all second derivatives.
 *
 * @param fn - a function of tensors that returns one tensor or number; one that is no scalar is differentiated as the sum of its
 *   elements, as by {@link grad}
 * @returns a function with the same parameters that returns a tensor of the argument's shape twice; for a container, a container
 *   like it of containers like it: `hessian(fn)(p).a.b` has the shape of `p.a` followed by that of `p.b`
 * @throws DefnError where the function returns something else
 * @throws ArgumentError where the first argument holds no tensor, and for options: there are none
 * @example
 * ```ts
 * Nx.Defn.hessian((x: Nx.Tensor) => x.product())(Nx.f32([2, 3, 5]));
 * // => #Nx.Tensor<
 * //   f32[3][3]
 * //   [
 * //     [0.0, 5.0, 3.0],
 * //     [5.0, 0.0, 2.0],
 * //     [3.0, 2.0, 0.0]
 * //   ]
 * // >
 * Nx.Defn.hessian((x: Nx.Tensor) => [x])(Nx.f32(1));
 * // throws DefnError: Nx.Defn.hessian expects a function that returns one tensor or number
 * ```
 * @example
 * ```ts
 * const energy = (p: { q: Nx.Tensor; m: Nx.Tensor }) => p.q.multiply(p.q).sum().multiply(p.m);
 * const { q, m } = Nx.Defn.hessian(energy)({ q: Nx.f32([1, 2], { names: ["axis"] }), m: Nx.f32(3) });
 * q.m;
 * // => #Nx.Tensor<
 * //   f32[axis: 2]
 * //   [2.0, 4.0]
 * // >
 * m.m.toNumber();
 * // => 0
 * ```
 */
export function hessian<A extends readonly unknown[]>(
  fn: (...args: A) => unknown,
): (...args: A) => Derivatives<A[0], A[0]>;
export function hessian(fn: AnyFunction, options?: unknown): AnyFunction {
  const name = "Nx.Defn.hessian";
  checkFunction(fn, name);
  checkTransform(name, options, []);
  const byVariable = jitFor(givenTo(name, fn), (...args: unknown[]) => {
    const { variables, results } = onVariables(args[0], name, (arg) => {
      const { gradients } = differentiate(fn, [arg, ...args.slice(1)], name, false);
      return { results: gradients, returned: null };
    });
    return jacobians(results, variables);
  });
  return (...args: unknown[]) =>
    refill(
      args[0],
      transposed(byVariable(...args)).map((parts) => refill(args[0], parts)),
    );
}
