/**
 * Steps that depend on the one before, in nx-numerics: traced loops and scans, and the gradient of one.
 */
import * as Nx from "nx-numerics";
import { KEPT, STEPS, TIME_STEP, type Programs } from "../program";

type Tensor = Nx.Tensor;

const { scan, whileLoop } = Nx.Defn;

/** A value drawn towards 1, a thousand times. */
const relax = Nx.defn(
  (x: Tensor) =>
    whileLoop(
      { i: 0, x },
      ({ i }) => i.less(STEPS.scalar),
      ({ i, x }) => ({ i: i.add(1), x: x.multiply(0.999).add(0.001) }),
    ).x,
);

const movingMean = Nx.defn(
  (xs: Tensor) =>
    scan(
      (mean, x) => {
        const next = mean.multiply(KEPT).add(x.multiply(1 - KEPT));
        return [next, next];
      },
      Nx.f32(0),
      xs,
    )[1],
);

/** Logistic growth by Euler's method. */
const grow = (x: Tensor): Tensor =>
  whileLoop(
    { i: 0, x },
    ({ i }) => i.less(STEPS.gradient),
    ({ i, x }) => ({ i: i.add(1), x: x.add(Nx.subtract(1, x).multiply(x).multiply(TIME_STEP)) }),
  ).x;

const growth = Nx.defn(grow);
const growthGradient = Nx.defn((x: Tensor) => Nx.grad((y: Tensor) => grow(y).sum())(x));

export const sequences: Programs<Tensor, Tensor> = {
  whileScalar: (inputs) => () => relax(inputs.x!),
  whileVector: (inputs) => () => relax(inputs.x!),
  scanScalar: (inputs) => () => movingMean(inputs.x!),
  growth: (inputs) => () => growth(inputs.x!),
  growthGradient: (inputs) => () => growthGradient(inputs.x!),
};
