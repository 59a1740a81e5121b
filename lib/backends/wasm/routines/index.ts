/**
 * Primitives as functions over addresses, for programs that call them: whatever is no element-wise kernel, of small and middle
 * sizes. Results are those of the primitive, bit for bit.
 */
import type { Template } from "../../../backend";
import { blocks } from "./blocks";
import { convolutions } from "./convolutions";
import { creation } from "./creation";
import { lookups } from "./lookups";
import { movement } from "./movement";
import { products } from "./products";
import { reductions } from "./reductions";
import { sorts } from "./sorts";
import { windows } from "./windows";
import { decompositions, type AnyPrimitive, type AttrsOf, type Make, type Routine } from "./routine";

export type { Routine } from "./routine";

/** Where there is no routine, whatever the operands are. */
const none = (): null => null;

/** Every primitive; those without a routine say why. */
const MAKE: { readonly [P in AnyPrimitive]: Make<P> } = {
  ...blocks,
  ...convolutions,
  ...creation,
  ...lookups,
  ...movement,
  ...products,
  ...reductions,
  ...sorts,
  ...windows,
  // Kernels, which programs have in their place; where there is no kernel, as of most complex functions, there is no vector code.
  unary: none,
  binary: none,
  select: none,
  // Functions of users on single elements: programs would need theirs inside.
  map: none,
  reduce: none,
  windowReduce: none,
  // Seldom in loops, and long code.
  windowScatter: none,
  // Comes with the functions that decompose.
  linalg: (...given) => decompositions.make(...given),
  // Tables of roots would have to be where the program is.
  fft: none,
};

/** The routine of a primitive on operands of these templates; null where there is none, and a program has to be split. */
export const routineOf = <P extends AnyPrimitive>(
  primitive: P,
  outs: readonly Template[],
  inputs: readonly Template[],
  attrs: AttrsOf<P>,
): Routine | null => (MAKE[primitive] as Make<P>)(outs, inputs, attrs);
