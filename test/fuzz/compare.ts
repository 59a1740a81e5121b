/** Whether two tensors are the same: type, shape, names and bits; every NaN is the same NaN. */
import * as Nx from "nx-numerics";
import type { Tensor } from "nx-numerics";
import { formatShape } from "../../lib/core/shape";

export interface Difference {
  readonly text: string;
  /** Position of the first element that differs, where that is what differs. */
  readonly index?: number;
}

const template = ({ type, shape, names }: Tensor): string => `${type}${formatShape(shape, names)}`;

const same = (a: unknown, b: unknown): boolean =>
  a instanceof Nx.Complex && b instanceof Nx.Complex ? Object.is(a.re, b.re) && Object.is(a.im, b.im) : Object.is(a, b);

const show = (value: unknown): string => (Object.is(value, -0) ? "-0" : String(value));

function isEqualBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export function differenceOf(actual: unknown, expected: Tensor): Difference | null {
  if (!(actual instanceof Nx.Tensor)) return { text: `${String(actual)} is no tensor` };
  const [got, wanted] = [template(actual), template(expected)];
  if (got !== wanted) return { text: `${got}, expected ${wanted}` };
  if (isEqualBytes(actual.toBinary(), expected.toBinary())) return null;
  const [x, y] = [actual.toFlatList(), expected.toFlatList()];
  const index = x.findIndex((value, i) => !same(value, y[i]));
  if (index < 0) return null; // bits of NaN
  const others = x.filter((value, i) => !same(value, y[i])).length - 1;
  const more = others > 0 ? `, and ${others} more` : "";
  return { text: `element ${index} of ${got} is ${show(x[index])}, expected ${show(y[index])}${more}`, index };
}
