/**
 * A model served over HTTP and asked: which species is a penguin? The server is one process here, in place of a cluster of NVIDIA's Triton; clients
 * ask it through `Nx.Serving`, so that requests of the same moment travel together. Run with `npm run example:served`.
 */
import { fileURLToPath } from "node:url";
import * as Nx from "nx-numerics";
import { triton } from "nx-numerics/triton";
import { MEASURES, penguins, SPECIES } from "./data";
import { kserve, type Model } from "./kserve";

type Rows = Nx.Tensor<readonly ["penguin", "feature"]>;
type Centres = Nx.Tensor<readonly ["species", "feature"]>;

/** Minus the squared distances of penguins from the mean of each species, in deviations. */
const scores = Nx.defn((rows: Rows, mean: Nx.Tensor, deviation: Nx.Tensor, centres: Centres) =>
  rows.subtract(mean).divide(deviation).newAxis(1, "species").subtract(centres).square().sum("feature").negate(),
);

/** The model: the nearest mean of the standardised measures. */
function nearestMean(onBatch: (size: number) => void): Model {
  const { measures, species } = penguins();
  const [mean, deviation] = [measures.mean({ axes: ["penguin"] }), measures.standardDeviation({ axes: ["penguin"] })];
  const standard = measures.subtract(mean).divide(deviation);
  const centres = standard.groupBy("penguin", species, { name: "species", groups: SPECIES.length }).mean();
  return {
    inputs: [{ name: "measures", datatype: "FP32", shape: [-1, MEASURES.length] }],
    outputs: [{ name: "scores", datatype: "FP32", shape: [-1, SPECIES.length] }],
    parameters: { "nx.names.scores": { string_value: JSON.stringify(["penguin", "species"]) } },
    run({ measures: rows }) {
      onBatch(rows!.shape[0]!);
      return { scores: scores(rows!.rename(["penguin", "feature"]), mean, deviation, centres) };
    },
  };
}

/** Asks for each penguin of the data by itself; requests share batches. */
export async function askAll(): Promise<{ right: number; asked: number; batches: readonly number[] }> {
  const batches: number[] = [];
  const { url, server } = await kserve({ penguins: nearestMean((size) => batches.push(size)) });
  try {
    const model = await triton("penguins", { url });
    const serving = Nx.Serving.create(model, { jit: false, batchSize: 64, batchTimeout: 5 });
    const { measures, species } = penguins();
    const rows = [...measures] as Nx.Tensor[];
    const answers = await Promise.all(rows.map((row) => serving.run({ measures: row })));
    const told = Nx.stack(
      answers.map((answer) => answer.scores!.argmax({ axis: "species" })),
      { name: "penguin" },
    );
    await serving.close();
    return { right: Nx.equal(told, species).sum().item(), asked: rows.length, batches };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function main(): Promise<void> {
  const { right, asked, batches } = await askAll();
  console.log(
    `${asked} penguins asked for at once, answered in ${batches.length} requests of ${batches.join(", ")} rows`,
  );
  console.log(`${right} species told right`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
