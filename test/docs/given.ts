/** What stands in the tables of the guides: matrices `a` and `b`, vectors `x` and `y`, a square matrix `m`, a function `f`, groups of the columns of `a` and their kin. */
import * as Nx from "nx-numerics";

const names = ["row", "column"] as const;
const a = Nx.f64([[1, 5, 2], [4, 3, 6]], { names }); // prettier-ignore
const labels = ["a", "b", "a"];

export const given = {
  a,
  b: Nx.f64([[2, 1, 3], [1, 2, 5]], { names }), // prettier-ignore
  x: Nx.f64([-0.5, 1.5, 2]),
  y: Nx.f64([1, 2, 0.25]),
  m: Nx.f64([[4, 1, 0], [1, 3, 1], [0, 1, 2]]), // prettier-ignore
  u: Nx.f64([[1, 5, 2], [4, 3, 6]]), // prettier-ignore
  s: Nx.iota([2, 2, 2], { type: "f64" }),
  c: Nx.c64([new Nx.Complex(1, 2)]),
  i: Nx.s64([0, 2, 2]),
  mask: Nx.u8([1, 0, 1]),
  gaps: Nx.f64([1, NaN, 3]),
  key: Nx.Random.key(42),
  f: (t: Nx.Tensor) => t.square().sum(),
  labels,
  groups: a.groupBy("column", labels),
};
