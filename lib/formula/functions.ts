/**
 * What formulas may call: every element-wise op of the tables by its name, the element-wise functions made of them that need no options, and
 * the special functions that take little code; Bessel functions and incomplete integrals would be in the bundle of everyone who writes a formula.
 */
import * as elementwise from "../nx/elementwise";
import { digamma, lbeta, lgamma } from "../special/gamma";
import { logit, sinc, xlogy } from "../special/logarithmic";
import { normalCdf, normalQuantile } from "../special/normal";
import { isStrong } from "../nx/dispatch";
import { BINARY, UNARY } from "../ops";
import { isInteger } from "../core/types";
import type { Operand, Tensor } from "../tensor";
import type { Arities } from "./parse";

type Fn = (...operands: Operand[]) => Tensor;

const ONE = [
  "isFinite",
  "logSigmoid",
  "logicalNot",
  "neg",
  "phase",
  "reciprocal",
  "relu",
  "relu6",
  "square",
  "swish",
] as const;
const TWO = ["copysign", "div", "idiv", "mod", "mul", "sub"] as const;
const THREE = ["clip", "lerp"] as const;

const SPECIAL_ONE = { digamma, lgamma, logit, normalCdf, normalQuantile, sinc } as const;
const SPECIAL_TWO = { lbeta, xlogy } as const;

/** Takes elements where a condition holds. A condition of floats holds where they are not zero. */
const where = (condition: Operand, yes: Operand, no: Operand): Tensor => {
  const isMask = typeof condition === "boolean" || (isStrong(condition) && isInteger(condition.type));
  const mask: Operand = isMask ? condition : elementwise.notEqual(condition, 0);
  return elementwise.where(mask, yes as never, no as never) as Tensor;
};

/** The functions by name, and how many operands each takes. */
function table(): { readonly functions: Readonly<Record<string, Fn>>; readonly arities: Arities } {
  const all = elementwise as unknown as Readonly<Record<string, Fn>>;
  const arities: Record<string, number> = { where: 3, select: 3 };
  const functions: Record<string, Fn> = { where: where as Fn, select: where as Fn };
  const lists = [[...Object.keys(UNARY), ...ONE], [...Object.keys(BINARY), ...TWO], THREE];
  lists.forEach((names, i) => {
    for (const name of names) {
      arities[name] = i + 1;
      functions[name] = all[name]!;
    }
  });
  [SPECIAL_ONE, SPECIAL_TWO].forEach((special, i) => {
    for (const [name, fn] of Object.entries(special)) {
      arities[name] = i + 1;
      functions[name] = fn as Fn;
    }
  });
  return { functions, arities };
}

let made: ReturnType<typeof table> | null = null;

/** Made when a formula is met first. */
export const functionTable = (): ReturnType<typeof table> => (made ??= table());
