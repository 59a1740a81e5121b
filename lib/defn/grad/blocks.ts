/** Rules of blocks whose gradient is not that of the composite they stand for. */
import { greater, greaterEqual, logicalAnd, logicalOr, multiply } from "../../nx/elementwise";
import type { Tensor } from "../../tensor";
import { DefnError } from "../../core/errors";
import { nodeOf, type CustomGradient } from "../expr";
import { bare, reshapeTo, unbroadcast, where, widenedFor, type Rule } from "./core";
import { pinvRule } from "./linalg";

/** The gradient is 0 at both bounds, where that of a maximum would share it; a bound has that of the elements it stopped. */
const clip: Rule<unknown> = ({ inputs, out, g }) => {
  const [x, low, high] = inputs.map((t) => widenedFor(out, t)) as [Tensor, Tensor, Tensor];
  const part = (pred: Tensor, t: Tensor) => unbroadcast(where(pred, g, 0), t.shape);
  return [
    () => part(logicalAnd(greater(x, low), greater(high, x)), x),
    () => part(logicalAnd(greater(low, x), greater(high, low)), low),
    () => part(logicalOr(greater(x, high), greaterEqual(low, high)), high),
  ];
};

type Options = Readonly<Record<string, unknown>>;

/** The first operand is the value itself, whose own history does not count. */
const customGrad: Rule<Options> = ({ attrs, inputs, g }) => {
  const { count, gradients } = attrs as unknown as CustomGradient;
  const [operands, read] = [inputs.slice(1, 1 + count), inputs.slice(1 + count)];
  let found: Tensor[] | undefined;
  const each = operands.map((_, i) => () => {
    found ??= gradients([g, ...read]);
    return bare(nodeOf(found[i]!));
  });
  return [null, ...each, ...read.map(() => null)];
};

/** The product of the pivots has this gradient too, but found by dividing by them, which fails where one is 0. */
const determinant: Rule<Options> = ({ attrs, inputs: [t], g }) => [
  () => {
    const { cofactors } = attrs as { cofactors: (t: Tensor) => Tensor };
    return multiply(reshapeTo(g, [...g.shape, 1, 1]), cofactors(t!));
  },
];

/** A function of elements whose derivatives are functions of its operands. */
const formula: Rule<Options> = ({ attrs, inputs, g }) => {
  const { slopes } = attrs as { slopes: readonly ((...xs: Tensor[]) => Tensor)[] };
  return slopes.map((slope) => () => multiply(g, slope(...inputs)));
};

/** A value that was drawn by rejection: its parameters, behind it, decide what is taken, which has no derivative. */
const rejected: Rule<Options> = ({ attrs, inputs }) => [
  null,
  ...inputs.slice(1).map(() => () => {
    const { fn, instead } = attrs as { fn: string; instead: string };
    throw new DefnError(
      `${fn} has no gradient with respect to its parameters, which decide what is rejected; ${instead}, or hold the sample constant ` +
        `with Nx.Defn.stopGrad`,
    );
  }),
];

export const BLOCK_RULES: { readonly [name: string]: Rule<Options> | undefined } = {
  clip,
  customGrad,
  determinant,
  formula,
  pinv: pinvRule,
  rejected,
  stopGrad: () => [null],
};
