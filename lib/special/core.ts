/**
 * What the special functions are made of: element-wise work in double precision that is rounded once, with derivatives by formulas.
 * Where a function is a choice of approximations, each is computed of all elements; those of the others may be infinite or NaN there.
 */
import { commonType } from "../core/promotion";
import { toFloating } from "../core/types";
import { refuseComplex } from "../ops";
import type { Tensor } from "../tensor";
import { cast, run, template } from "../nx/dispatch";
import { add, multiply } from "../nx/elementwise";
import {
  binaryOf,
  broadcastPair,
  inDoubles,
  mergedNames,
  unaryOf,
  type BinaryFunction,
  type UnaryFunction,
} from "../nx/elementwise/core";
import { broadcast } from "../nx/shape";

/** A function of doubles of one shape. */
export type OfDoubles = (...xs: Tensor[]) => Tensor;

/**
 * An element-wise function of doubles whose derivatives are formulas.
 *
 * @param slopes - the derivative with respect to each operand, a function of all of them
 */
export function differentiable(name: string, compute: OfDoubles, slopes: readonly OfDoubles[]): OfDoubles {
  return (...xs) => {
    const { type, shape, names } = xs[0]!;
    return run("block", template(type, shape, names), xs, {
      name: "formula",
      options: { of: name, slopes },
      fn: compute,
    });
  };
}

/** The public function of one tensor. */
export const ofOne = (name: string, compute: OfDoubles): UnaryFunction =>
  unaryOf(name, (x) => inDoubles(name, x, compute));

/** The public function of two tensors, which broadcast. */
export const ofTwo = (name: string, compute: OfDoubles): BinaryFunction =>
  binaryOf(name, (x, y) => {
    const type = toFloating(refuseComplex(name, commonType(`Nx.${name}`, x, y)));
    return cast(compute(...alike(`Nx.${name}`, [x, y])), type);
  });

/** Operands as doubles of the shape and with the names of their result. */
export function alike(fn: string, operands: readonly Tensor[]): Tensor[] {
  const { shape, names } = operands.reduce<Pick<Tensor, "shape" | "names">>(
    (left, right) => ({ shape: broadcastPair(fn, left, right), names: mergedNames(left, right) }),
    operands[0]!,
  );
  return operands.map((x) => broadcast(cast(x, "f64"), shape, { names }));
}

/** `c[0] + c[1] x + c[2] x^2 + ...` by Horner's rule. */
export function polynomial(x: Tensor, coefficients: readonly number[]): Tensor {
  const [last = 0, ...others] = [...coefficients].reverse();
  return others.reduce<Tensor>((sum, c, i) => add(i === 0 ? multiply(x, last) : multiply(sum, x), c), x);
}
