/**
 * Programs as data: inputs, steps that call functions of the library, and which values are results. One form serves to run a
 * program in every way there is, to make it smaller, and to print it.
 */
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";

/** A value of an enclosing scope. */
export interface Ref {
  readonly $: "ref";
  readonly id: number;
}

/** A call of a function by its name, of a method (`".at"`, of the first argument), or of what an expression gives. */
export interface Call {
  readonly $: "call";
  readonly fn: string | Expr;
  readonly args: readonly Expr[];
}

/** An item of what a call gives as a list. */
export interface Item {
  readonly $: "item";
  readonly of: Expr;
  readonly index: number;
}

/** Names of parameters, or lists of them where an argument is taken apart. */
export type Pattern = number | readonly number[];

/** A function written in place. */
export interface Body {
  readonly $: "body";
  readonly params: readonly Pattern[];
  readonly steps: readonly Step[];
  readonly result: Expr;
}

type Literal = number | bigint | string | boolean | null | undefined | Nx.Complex;
export interface Options {
  readonly [key: string]: Expr;
}
export type Expr = Literal | Ref | Call | Item | Body | readonly Expr[] | Options;

export interface Step {
  readonly id: number;
  readonly value: Expr;
}

export type Scalar = number | bigint | Nx.Complex;

/** A tensor made of a few elements again and again: element i is `pool[(i * mix[0] + (i >> 4) * mix[1]) % pool.length]`. */
export interface Input {
  readonly id: number;
  readonly type: DType;
  readonly shape: readonly number[];
  readonly names: readonly (string | null)[];
  readonly pool: readonly Scalar[];
  readonly mix: readonly [number, number];
}

/** What a program does with values besides computing them, once a step is done (schedule.ts). */
export interface Event {
  readonly after: number;
  readonly does: "release" | "read" | "evaluate" | "donate" | "open" | "close" | "turn";
  /** The value; for scopes and turns none. */
  readonly id: number;
}

export interface Program {
  readonly inputs: readonly Input[];
  readonly steps: readonly Step[];
  readonly outputs: readonly number[];
  readonly events?: readonly Event[];
}

export const ref = (id: number): Ref => ({ $: "ref", id });
export const call = (fn: string | Expr, ...args: readonly Expr[]): Call => ({ $: "call", fn, args });
export const item = (of: Expr, index: number): Item => ({ $: "item", of, index });

export const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

type AnyFunction = (...args: unknown[]) => unknown;
type Scope = Map<number, unknown>;

export const isNode = (value: unknown): value is Ref | Call | Item | Body =>
  typeof value === "object" && value !== null && "$" in value;
export const isList = (value: Expr): value is readonly Expr[] => Array.isArray(value);
export const isOptions = (value: Expr): value is Options =>
  typeof value === "object" && value !== null && !isList(value) && !isNode(value) && !(value instanceof Nx.Complex);

/** A public function by its name, such as `Nx.LinAlg.solve`. */
export function functionNamed(name: string): AnyFunction {
  return name
    .split(".")
    .slice(1)
    .reduce((face: object, part) => Reflect.get(face, part) as object, Nx) as unknown as AnyFunction;
}

function called({ fn, args }: Call, scope: Scope): unknown {
  const given = args.map((arg) => evaluate(arg, scope));
  if (typeof fn !== "string") return (evaluate(fn, scope) as AnyFunction)(...given);
  if (!fn.startsWith(".")) return functionNamed(fn)(...given);
  const [self, ...rest] = given;
  return (Reflect.get(self as object, fn.slice(1)) as AnyFunction).apply(self, rest);
}

const functionOf =
  ({ params, steps, result }: Body, scope: Scope): AnyFunction =>
  (...given) => {
    const inner: Scope = new Map(scope);
    params.forEach((pattern, i) => {
      if (typeof pattern === "number") inner.set(pattern, given[i]);
      else pattern.forEach((id, k) => inner.set(id, (given[i] as readonly unknown[])[k]));
    });
    runSteps(steps, inner);
    return evaluate(result, inner);
  };

/** What an expression gives. */
export function evaluate(expr: Expr, scope: Scope): unknown {
  if (isNode(expr)) {
    switch (expr.$) {
      case "ref":
        return scope.get(expr.id);
      case "call":
        return called(expr, scope);
      case "item":
        return (evaluate(expr.of, scope) as readonly unknown[])[expr.index];
      case "body":
        return functionOf(expr, scope);
      default:
        return expr satisfies never;
    }
  }
  if (isList(expr)) return expr.map((part) => evaluate(part, scope));
  if (!isOptions(expr)) return expr;
  return Object.fromEntries(Object.entries(expr).map(([key, part]) => [key, evaluate(part, scope)]));
}

function runSteps(steps: readonly Step[], scope: Scope): void {
  for (const { id, value } of steps) scope.set(id, evaluate(value, scope));
}

/** The results of a program for tensors in place of its inputs. */
export function runProgram({ inputs, steps, outputs }: Program, given: readonly Tensor[]): Tensor[] {
  const scope: Scope = new Map(inputs.map(({ id }, i) => [id, given[i]]));
  runSteps(steps, scope);
  return outputs.map((id) => scope.get(id) as Tensor);
}

/** The elements of an input in order. */
export const elementsOf = ({ shape, pool, mix: [a, b] }: Input): Scalar[] =>
  Array.from({ length: sizeOf(shape) }, (_, i) => pool[(i * a + (i >> 4) * b) % pool.length]!);

/** The tensor of an input, on the default backend. */
export function tensorOf(input: Input): Tensor {
  const flat = Nx.tensor(elementsOf(input) as number[], { type: input.type });
  return Nx.reshape(flat, [...input.shape], { names: [...input.names] });
}

/** Every expression of a program, those inside others included. */
export function* expressionsOf(steps: readonly Step[]): Generator<Expr> {
  for (const { value } of steps) yield* within(value);
}

function* within(expr: Expr): Generator<Expr> {
  yield expr;
  if (isNode(expr)) {
    if (expr.$ === "call") for (const part of [expr.fn, ...expr.args]) yield* within(part);
    else if (expr.$ === "item") yield* within(expr.of);
    else if (expr.$ === "body") {
      yield* expressionsOf(expr.steps);
      yield* within(expr.result);
    }
  } else if (isList(expr)) for (const part of expr) yield* within(part);
  else if (isOptions(expr)) for (const part of Object.values(expr)) yield* within(part);
}

/** The functions that a program calls. */
export const functionsIn = (program: Program): string[] =>
  [...expressionsOf(program.steps)].flatMap((expr) =>
    isNode(expr) && expr.$ === "call" && typeof expr.fn === "string" ? [expr.fn.replace(/^\./, "Nx.")] : [],
  );
