/**
 * Filters of an image, the heights of a volcano: blur, edges by Sobel and Laplace, dilation and summits.
 */
import * as Nx from "nx-numerics";
import { volcano } from "../data";

const image = volcano().asType("f64");
const smooth = Nx.f64([1, 2, 1]);
const slope = Nx.f64([-1, 0, 1]);
const kernels = Nx.stack([
  Nx.outer(smooth, smooth).divide(16),
  Nx.outer(smooth, slope),
  Nx.outer(slope, smooth),
  Nx.f64([[0, 1, 0], [1, -4, 1], [0, 1, 0]]), // prettier-ignore
]);

/** All filters at once: each is an output channel of a convolution. */
const filtered = Nx.conv(image.rearrange("north east -> 1 1 north east"), kernels.newAxis(1));
export const responses = filtered.squeeze([0]);
export const edges = Nx.complex(responses.at(1), responses.at(2)).abs();

const window = { padding: "same" } as const;
export const dilated = Nx.windowMax(image, [3, 3], window);
export const eroded = Nx.windowMin(image, [3, 3], window);
const blurred = responses.at(0);
export const summits = Nx.argwhere(
  blurred.equal(Nx.windowMax(blurred, [15, 15], window)).logicalAnd(blurred.greater(150)),
);

console.log(String(Nx.toHeatmap(edges.at(Nx.range(0, 59, 3), Nx.range(0, 85, 2)))));
console.log(`steepest: ${edges.reduceMax().divide(80).item().toFixed(2)} metres of climb per metre`);
console.log("summits");
summits.print();
