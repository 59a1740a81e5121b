/**
 * What is written as plain calls: normalized rows, a step of a simulation, a step of training with its gradient by hand. Compiled, or
 * called eagerly where that is measured.
 */
import * as Nx from "nx-numerics";
import { EPSILON, LEARNING_RATE, REACTION, type Inputs, type Programs } from "../program";
import { compiled } from "./compiled";

type Tensor = Nx.Tensor;

const standardise = compiled((x: Tensor): Tensor => {
  const centred = x.subtract(x.mean({ axes: [1], keepAxes: true }));
  const variance = centred.multiply(centred).mean({ axes: [1], keepAxes: true });
  return centred.divide(variance.add(EPSILON).sqrt());
});

const laplacian = (field: Tensor): Tensor => {
  const along = (axis: number): Tensor => Nx.roll(field, 1, { axis }).add(Nx.roll(field, -1, { axis }));
  return along(0).add(along(1)).subtract(field.multiply(4));
};

const grayScott = compiled((u: Tensor, v: Tensor): Tensor[] => {
  const { u: du, v: dv, feed, kill } = REACTION;
  const reacted = u.multiply(v).multiply(v);
  const fed = u.negate().add(1).multiply(feed);
  return [
    u.add(laplacian(u).multiply(du)).subtract(reacted).add(fed),
    v
      .add(laplacian(v).multiply(dv))
      .add(reacted)
      .subtract(v.multiply(feed + kill)),
  ];
});

const trainByHand = compiled(({ x, labels, w1, b1, w2, b2 }: Inputs<Tensor>): Tensor[] => {
  const before = x!.dot(w1!).add(b1!);
  const hidden = before.max(0);
  const scores = hidden.dot(w2!).add(b2!);
  const powers = scores.subtract(scores.reduceMax({ axes: [1], keepAxes: true })).exp();
  const shares = powers.divide(powers.sum({ axes: [1], keepAxes: true }));
  const outer = shares.subtract(labels!).divide(x!.shape[0]!);
  const inner = outer.dot(w2!.transpose()).multiply(before.greater(0));
  const step = (weights: Tensor, slope: Tensor): Tensor => weights.subtract(slope.multiply(LEARNING_RATE));
  return [
    step(w1!, x!.transpose().dot(inner)),
    step(b1!, inner.sum({ axes: [0] })),
    step(w2!, hidden.transpose().dot(outer)),
    step(b2!, outer.sum({ axes: [0] })),
  ];
});

export const eager: Programs<Tensor, Tensor | Tensor[]> = {
  standardise:
    ({ x }) =>
    () =>
      standardise(x!),
  grayScott:
    ({ u, v }) =>
    () =>
      grayScott(u!, v!),
  trainByHand: (inputs) => () => trainByHand(inputs),
};
