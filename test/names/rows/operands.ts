/** The tensors that the rows are about. */
import * as Nx from "nx-numerics";

export const x = Nx.tensor([1, 2], { names: ["x"] });
export const y = Nx.tensor([1, 2, 3], { names: ["y"] });
export const xy = Nx.tensor([[1, 2, 3], [4, 5, 6]], { names: ["x", "y"] }); // prettier-ignore
export const yz = Nx.iota([3, 4], { names: ["y", "z"] });
export const xyz = Nx.iota([2, 3, 4], { names: ["x", "y", "z"] });
/** Square, positive definite: rows `a`, columns `b`. */
export const ab = Nx.f64([[2, 1], [1, 3]], { names: ["a", "b"] }); // prettier-ignore
export const images = Nx.iota([1, 1, 4, 4], { names: ["image", "channel", "row", "column"] });
export const key = Nx.Random.key(1);
