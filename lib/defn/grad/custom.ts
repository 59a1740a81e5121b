/**
 * Steering gradients: values that count as constant, and functions whose gradient the user gives.
 */
import { mapContainer } from "../../container";
import { ArgumentError, DefnError, show } from "../../core/errors";
import { isListOf } from "../../core/lists";
import { formatShape, sameShape, type Names } from "../../core/shape";
import { asTensor, isScalar, run, template } from "../../nx/dispatch";
import { named } from "../../nx/elementwise/core";
import { Tensor, type Operand } from "../../tensor";
import { isParameter } from "../signature";
import type { Tensors } from "../trace";
import { cotangentType } from "./core";
import { checkFunction } from "./variables";

/**
 * The same values, taken as constant by every gradient.
 *
 * @param value - a tensor, a number or a container of them
 * @returns the value, numbers as tensors
 * @example
 * ```ts
 * Nx.Defn.grad((x: Nx.Tensor) => x.multiply(Nx.Defn.stopGrad(x)))(Nx.f32(3));
 * // => #Nx.Tensor<
 * //   f32
 * //   3.0
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Defn.stopGrad(Nx.tensor([1, 2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 2]
 * //   [1, 2]
 * // >
 * ```
 */
export function stopGrad<T>(value: T): Tensors<T> {
  return mapContainer(value, (leaf) => (isParameter(leaf) ? stopped(leaf) : leaf)) as unknown as Tensors<T>;
}

function stopped(value: Operand): Tensor {
  const t = asTensor(value, "Nx.Defn.stopGrad");
  return run("block", template(t.type, t.shape, t.names), [t], { name: "stopGrad", options: {}, fn: (x) => x! });
}

/**
 * A value with a gradient of its own: where derivatives reach it, `backward` says what they are with respect to `inputs`.
 *
 * @param value - the tensor computed of the inputs
 * @param inputs - the tensors that gradients go on to; others that the value was computed of count as constant
 * @param backward - given the cotangent of the value (its shape and names), returns one tensor for each input, of that
 *   input's shape
 * @returns the value
 * @throws DefnError where `backward` returns another number of tensors or other shapes
 * @example
 * ```ts
 * const twice = (x: Nx.Tensor) => Nx.Defn.customGrad(x.multiply(x), [x], (g) => [g.multiply(100)]);
 * Nx.Defn.grad(twice)(Nx.f32([1, 2], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 2]
 * //   [100.0, 100.0]
 * // >
 * ```
 * @example
 * ```ts
 * const wrong = (x: Nx.Tensor) => Nx.Defn.customGrad(x.sum(), [x], (g) => [g]);
 * Nx.Defn.grad(wrong)(Nx.f32([1, 2]));
 * // throws DefnError: the function of Nx.Defn.customGrad must return a gradient of shape [2] for input 0, got: f32[]
 * ```
 */
export function customGrad<N extends Names = readonly []>(
  value: Operand<N>,
  inputs: readonly Operand[],
  backward: (g: Tensor<N>) => readonly Operand[],
): Tensor<N> {
  checkFunction(backward, "Nx.Defn.customGrad");
  const isOperand = (input: unknown) => input instanceof Tensor || isScalar(input);
  if (!isListOf(inputs, isOperand)) {
    throw new ArgumentError(`Nx.Defn.customGrad expects the inputs as an array of tensors, got: ${show(inputs)}`);
  }
  const t = asTensor(value, "Nx.Defn.customGrad");
  const operands = inputs.map((input) => asTensor(input, "Nx.Defn.customGrad"));
  const checked = named(backward.name, (g: Tensor) => checkGradients(backward(g as Tensor<N>), operands));
  return run("block", template(t.type, t.shape, t.names), [t, ...operands], {
    name: "customGrad",
    options: { backward: checked, type: cotangentType(t.type) },
    fn: (x) => x!,
  }) as Tensor<N>;
}

function checkGradients(gradients: unknown, inputs: readonly Tensor[]): Tensor[] {
  if (!Array.isArray(gradients) || gradients.length !== inputs.length) {
    throw new DefnError(
      `the function of Nx.Defn.customGrad must return an array of ${inputs.length} gradients, one for each input, got: ` +
        show(gradients),
    );
  }
  return gradients.map((gradient: unknown, i) => {
    const g = isParameter(gradient) ? asTensor(gradient, "Nx.Defn.customGrad") : null;
    const { shape, names } = inputs[i]!;
    if (g && sameShape(g.shape, shape)) return g;
    const got = g ? `${g.type}${formatShape(g.shape, g.names)}` : show(gradient);
    throw new DefnError(
      `the function of Nx.Defn.customGrad must return a gradient of shape ${formatShape(shape, names)} for input ${i}, got: ${got}`,
    );
  });
}
