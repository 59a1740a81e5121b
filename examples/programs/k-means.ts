/**
 * k-means: penguins fall into three clusters by four measures of their bodies, and these are nearly their species.
 * The path of a drawing (.svg) may follow.
 */
import { writeFileSync } from "node:fs";
import * as Nx from "nx-numerics";
import { scatter } from "nx-numerics/plot";
import { MEASURES, penguins, SPECIES } from "../data";

type Points = Nx.Tensor<readonly ["penguin", "feature"]>;
type Centres = Nx.Tensor<readonly ["cluster", "feature"]>;

/** Squared distances of all points from all centres. */
const distances = (points: Points, centres: Centres) =>
  points.newAxis(1, "cluster").subtract(centres).square().sum("feature");

/** Lloyd's algorithm: points belong to the nearest centre, centres move to the mean of their points, until none moves. */
const kMeans = Nx.defn((points: Points, start: Centres) => {
  const cluster = (centres: Centres) => distances(points, centres).argmin("cluster");
  const groups = { name: "cluster", groups: start.axisSize("cluster") } as const;
  const { centres, steps } = Nx.Defn.whileLoop(
    { centres: start, moved: Nx.f32(1), steps: 0 },
    ({ moved }) => moved.greater(0),
    ({ centres, steps }) => {
      const next = points.groupBy("penguin", cluster(centres), groups).mean();
      return { centres: next, moved: next.subtract(centres).abs().reduceMax(), steps: steps.add(1) };
    },
  );
  return { centres, steps, clusters: cluster(centres), inertia: distances(points, centres).reduceMin("cluster").sum() };
});

const { measures, species } = penguins();
const points = Nx.zscore(measures, "penguin");
const start = points.take(Nx.tensor([0, 170, 340]), { axis: "penguin" }).rename(["cluster", "feature"]);
export const { centres, clusters, inertia, steps } = kMeans(points, start);
export const counts = Nx.einsum(
  "penguin species, penguin cluster -> species cluster",
  Nx.oneHot(species, SPECIES.length, { name: "species" }),
  Nx.oneHot(clusters, 3, { name: "cluster" }),
);

/** Two of the measures, coloured by cluster. */
export const figure = scatter(measures.at({ feature: 0 }), measures.at({ feature: 2 }), {
  groups: clusters,
  labels: ["cluster 0", "cluster 1", "cluster 2"],
  xLabel: MEASURES[0],
  yLabel: MEASURES[2],
  background: "white",
});

console.log(`${steps.item()} steps, sum of squared distances ${inertia.item().toFixed(2)}`);
centres.print({ precision: 2 });
counts.print();
if (process.argv[2]?.endsWith(".svg")) writeFileSync(process.argv[2], figure.toSvg());
