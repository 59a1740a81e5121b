/**
 * Plain numbers among the arguments of traced functions. What a trace depends on is their class; the value is a parameter of the
 * graph in each type that the function uses it in, made of the number itself at each call, as it would be eagerly.
 */
import { getOrMake } from "../core/get-or-make";
import type { Template } from "../backend";
import { Complex } from "../core/complex";
import { numberClassOf, type PlainNumber } from "../core/number-class";
import { typeBeside, type Typed } from "../core/promotion";
import { runWithPromotion } from "../core/promotion-scope";
import { unnamed } from "../core/names";
import { SCALAR_SHAPE, type Names, type Shape } from "../core/shape";
import type { DType } from "../core/types";
import { scalarType } from "../nx/dispatch";
import { WeakTensor, type Tensor } from "../tensor";

/** The part of a number in a signature: its class and its inferred type. */
export class NumberTemplate implements Template {
  readonly shape: Shape = SCALAR_SHAPE;
  readonly names: Names = unnamed(0);

  constructor(readonly type: DType) {}
}

const known = new Map<DType, NumberTemplate[]>();

/** The template of a number, one object for each class and type, so that templates of numbers are compared as objects. */
export function numberTemplate(value: PlainNumber): NumberTemplate {
  const type = scalarType(value);
  const classes = getOrMake(known, type, () => []);
  return (classes[numberClassOf(value)] ??= new NumberTemplate(type));
}

/** Whether a leaf of an argument is a plain number. */
export const isPlainNumber = (leaf: unknown): leaf is PlainNumber =>
  typeof leaf === "number" || typeof leaf === "bigint" || leaf instanceof Complex;

/** What strict promotion has to look at again when a function is called with another number of the class. */
export type NumberCheck = (value: PlainNumber) => void;

/**
 * The tensor that a traced function is given for a number. `as` gives it in a type; what strict promotion lets pass is noted,
 * to be asked of the number of each later call.
 */
export function tracedNumber(
  value: PlainNumber,
  as: (type: DType) => Tensor,
  note: (check: NumberCheck) => void,
): WeakTensor {
  const made = new Map<DType, Tensor>();
  const inType = (type: DType): Tensor => {
    const tensor = made.get(type) ?? as(type);
    made.set(type, tensor);
    return tensor;
  };
  const check = (fn: string, { type, shape, names }: Typed) => {
    const operand = { type, shape, names } as Typed;
    const ask: NumberCheck = (number) => void runWithPromotion("strict", () => typeBeside(fn, operand, number));
    ask(value);
    note(ask);
  };
  return new WeakTensor(inType(scalarType(value)), { representative: value, as: inType, check });
}
