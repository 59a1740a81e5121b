/**
 * What most programs do first, with the library and its dependencies in the given files. Prints which functions of the library have run: where each
 * begins in its file.
 */
import { covered } from "./coverage.mjs";

const { nx, printed } = await covered(...process.argv.slice(2));

/** Plain calls, compiled ones, printing and reading. */
function firstCalls(length) {
  const x = nx.tensor(Float32Array.from({ length }, (_, i) => (i % 7) - 3));
  const y = nx.add(x, x).multiply(2).subtract(x).divide(3);
  const sums = [
    nx.sum(y),
    nx.mean(y),
    y.reduceMax(),
    nx.greater(x, y),
    nx.select(nx.less(x, 0), x, y),
    nx.exp(x),
    nx.sqrt(nx.abs(x)),
  ];
  const table = nx.reshape(y, [length / 4, 4], { names: ["row", "column"] });
  const more = [
    table.sum({ axes: ["row"] }),
    table.transpose(),
    nx.dot(nx.reshape(x, [4, length / 4]), table),
    table.at(0),
    nx.concatenate([x, y]),
  ];
  const formula = nx.defn((t) =>
    t.multiply(0.5).add(1).multiply(t).subtract(0.25).max(-3).multiply(0.75).add(t).min(3).negate().multiply(2),
  );
  return [...sums, ...more, formula(x), formula(y), formula(x), nx.softmax(table)]
    .map((t) => nx.evaluate(t))
    .map((t) => [t.toTypedArray().length, t.shape, String(t)]);
}

for (const length of [8, 100_000, 1_000_000]) firstCalls(length);
nx.configure({ threads: 1 });
firstCalls(100_000);
const lists = nx.tensor([
  [1, 2],
  [3, 4],
]);
lists
  .add(1)
  .multiply(lists)
  .subtract(2)
  .divide(3)
  .sum({ axes: [0] })
  .toList();
nx.zeros([2, 3])
  .add(nx.ones([3]))
  .mean({ axes: [0] })
  .toList();
nx.f32([1.5, 2]).sum().toNumber();
nx.iota([2, 3]).slice([0, 1], [2, 2]).asType("f32").toFlatList();
nx.linspace(0, 1, { n: 5 }).reshape([5, 1]).pow(2).toList();

await printed();
process.exit(0);
