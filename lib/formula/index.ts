/**
 * Formulas: element-wise expressions in a template, since TypeScript has no operators for tensors. A formula is parsed once for each place
 * in the source; what it computes are calls of functions of the API, so it is traced, differentiated and vectorized as they are.
 */
import { getOrMake } from "../core/get-or-make";
import { binaryBackend } from "../backends/binary";
import { runTracing } from "../backends/registry";
import type { FormulaNames, FormulaOperand } from "../core/axis-types";
import { ArgumentError, NxError, show } from "../core/errors";
import { pointedAt } from "../core/pointing";
import { typeBeside } from "../core/promotion";
import { SCALAR_SHAPE } from "../core/shape";
import { unnamed } from "../core/names";
import { isComplex, isFloat, isInteger } from "../core/types";
import { compositeOfList } from "../nx/composite";
import { apart, asTensor, cast, constantData, template, weakAs } from "../nx/dispatch";
import { toNumber } from "../nx/conversion";
import { Tensor, unnoted, WeakTensor, type Operand } from "../tensor";
import { functionTable } from "./functions";
import { parse, textOf, type Tree } from "./parse";

type Evaluate = (operands: readonly Operand[]) => Tensor;

/** What is known of the places where formulas stand. */
const formulas = new WeakMap<readonly string[], Evaluate>();

/**
 * Computes an element-wise expression, whose operands are put in as `${x}`.
 *
 * There are `+ - * / % **`, comparisons `< <= > >= == !=`, `&& || !`, `condition ? a : b`, parentheses, numbers, `pi` and `e`, and every
 * element-wise function by its name: `exp(x)`, `max(x, y)`, `where(mask, x, y)`, ... They bind as in JavaScript; `-x ** 2` is
 * `-(x ** 2)`, `%` has the sign of the left operand, and both choices of `? :` are computed. Each sign is the function of this library
 * (`+` is `Nx.add`): shapes broadcast, names merge, numbers are weak. What is made of numbers alone, written as in `sqrt(2 / pi)` or put in
 * as in `2 * ${0.1}`, is computed in double precision first, and stays weak.
 *
 * Formulas of large tensors run as one kernel, where the program has the compiler.
 *
 * @param source - the formula
 * @param operands - tensors or plain numbers
 * @returns a tensor of the type that the functions give; shapes broadcast, names merge
 * @throws ArgumentError, which points into the formula, where it cannot be read, and for operands that do not fit
 * @example
 * ```ts
 * const x = Nx.f32([-1, 0, 2], { names: ["x"] });
 * Nx.formula`0.5 * ${x} * (1 + tanh(sqrt(2 / pi) * (${x} + 0.044715 * ${x} ** 3)))`;
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [-0.158808, 0.0, 1.9545977]
 * // >
 * Nx.formula`${x} > 0 && ${x} != 1 ? ${x} ** 2 : -1`;
 * // => #Nx.Tensor<
 * //   f32[x: 3]
 * //   [-1.0, -1.0, 4.0]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.formula`2 * (${Nx.iota([2])} + 1`;
 * // throws ArgumentError: Nx.formula: expected a closing parenthesis, got the end
 * Nx.formula`1 + ${Nx.iota([2])} * ${Nx.iota([3])}`;
 * // throws ArgumentError: Nx.formula: Nx.multiply cannot broadcast tensors of shapes [2] and [3]
 * ```
 */
export function formula<const T extends readonly Operand[]>(
  source: TemplateStringsArray,
  ...operands: { readonly [I in keyof T]: FormulaOperand<T[I], T> }
): Tensor<FormulaNames<T>>;
export function formula(source: TemplateStringsArray, ...operands: Operand[]): Tensor {
  if (!Array.isArray(source) || !Array.isArray((source as Partial<TemplateStringsArray>).raw)) {
    throw new ArgumentError(`Nx.formula is a tag of templates, as in Nx.formula\`\${x} + 1\`, got: ${show(source)}`);
  }
  if (operands.length !== source.length - 1) {
    throw new ArgumentError(
      `Nx.formula expects ${source.length - 1} operands for this formula, got: ${operands.length}`,
    );
  }
  return getOrMake(formulas, source, () => compiled(source.raw))(operands);
}

function compiled(strings: readonly string[]): Evaluate {
  const text = textOf(strings);
  const tree = unnoted(() => runTracing(null, () => folded(parse(strings, functionTable().arities))));
  const passes = (...operands: Operand[]): Tensor => asTensor(valueOf(tree, operands, text), "Nx.formula");
  Object.defineProperty(passes, "name", { value: "formula" });
  const isOne = tree.kind !== "call" || tree.args.every(({ kind }) => kind !== "call");
  const run = isOne ? null : compositeOfList(passes as (...args: unknown[]) => unknown);
  return (operands) => apart(run === null ? passes(...operands) : (run(operands) as Tensor), ...operands);
}

/** Calls of written numbers alone are numbers, computed as f64 by the reference backend. */
function folded(tree: Tree): Tree {
  if (tree.kind !== "call") return tree;
  const args = tree.args.map(folded);
  if (!args.every((arg) => arg.kind === "number")) return { ...tree, args };
  const scalars = args.map(({ value }) => double(value));
  const result = toNumber(functionTable().functions[tree.name]!(...scalars));
  return typeof result === "number" ? { ...tree, kind: "number", value: result } : { ...tree, args };
}

function double(value: number): Tensor {
  const out = template("f64", SCALAR_SHAPE, unnamed(0));
  return new Tensor(binaryBackend, constantData(binaryBackend, out, value), out.type, out.shape, out.names);
}

function valueOf(tree: Tree, operands: readonly Operand[], text: string): Operand {
  if (tree.kind === "number") return tree.value;
  if (tree.kind === "operand") return operands[tree.index]!;
  const args = tree.args.map((arg) => valueOf(arg, operands, text));
  try {
    return called(functionTable().functions[tree.name]!, args);
  } catch (error) {
    if (error instanceof NxError) point(error, `${pointedAt(text, tree.at, tree.length)}`);
    throw error;
  }
}

/**
 * Calls a function. What is made of plain numbers alone is computed in double precision, as in JavaScript. A float of them stays weak;
 * whatever its value is it counts as a fraction, since a trace knows no values.
 */
function called(fn: (...operands: Operand[]) => Tensor, args: readonly Operand[]): Tensor {
  const numbers = args.map(exactOf);
  const result = fn(...args);
  if (!numbers.every((number) => number !== null)) return result;
  if (isFloat(result.type)) {
    const exact = fn(...numbers.map((number) => number()));
    return new WeakTensor(result, {
      representative: FRACTION,
      as: (type) => cast(exact, type),
      check: (name, operand) => void typeBeside(name, operand, FRACTION),
    });
  }
  const whole = result.type === "u8" ? fn(...numbers.map((number) => number())) : result; // u8 is what tests give
  if (isInteger(whole.type)) wholes.add(whole);
  return whole;
}

const FRACTION = 0.5;

/** Truth values and integers that are made of plain numbers alone. */
const wholes = new WeakSet<Tensor>();

/** A real plain number, or what is made of such alone, in double precision; null for other operands. */
function exactOf(arg: Operand): (() => Tensor) | null {
  if (typeof arg === "number") return () => weakAs(arg, "f64");
  if (!(arg instanceof Tensor)) return null;
  if (arg instanceof WeakTensor) return isComplex(arg.type) ? null : () => weakAs(arg, "f64");
  return wholes.has(arg) ? () => cast(arg, "f64") : null;
}

/** Adds to a message where in the formula the error was raised. */
function point(error: NxError, where: string): void {
  if (pointing.has(error)) return;
  pointing.add(error);
  const { message, stack } = error;
  error.message = `Nx.formula: ${message}${where}`;
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
}

const pointing = new WeakSet<NxError>();
