/**
 * Single functions on large arrays in nx-numerics, where the table of peers has them otherwise or not at all.
 */
import * as Nx from "nx-numerics";
import type { Inputs, Programs } from "../program";

type Tensor = Nx.Tensor;

/** Sums of numbers by the bin each belongs to. */
const bins = ({ x, places, bins }: Inputs<Tensor>) => {
  const indices = places!.asType("s32").newAxis(1);
  const empty = bins!.multiply(0);
  return () => Nx.indexedAdd(empty, indices, x!);
};

const singularValues = ({ x }: Inputs<Tensor>) => {
  const matrix = x!.asType("f64");
  return () => Nx.tidy(() => Nx.LinAlg.svd(matrix)[1]);
};

export const arrays: Programs<Tensor, Tensor> = {
  bins,
  singularValues,
  softmaxEager:
    ({ x }) =>
    () =>
      Nx.softmax(x!, { axis: 1 }),
};
