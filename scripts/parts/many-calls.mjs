/**
 * Calls that programs make very often, with the library and its dependencies in the given files. Prints which functions of the library have run in each of
 * the calls: those that are not to be reached by a stub.
 */
import { covered } from "./coverage.mjs";

const CALLS = 1000;

const { nx, printed } = await covered(...process.argv.slice(2));
const x = nx.f32([1, 2, 3, 4, 5, 6, 7, 8]);
const matrix = nx.reshape(x, [2, 4]);
const formula = nx.defn((t) => nx.subtract(nx.multiply(nx.add(nx.multiply(t, 0.5), 1), t), 0.25));
const slope = nx.grad((t) => nx.sum(nx.multiply(t, t)));
const loop = nx.defn((t) => nx.Defn.foriLoop(0, 3, (_, y) => nx.multiply(y, t), t));
for (let call = 0; call < CALLS; call++)
  for (const result of [formula(x), slope(x), loop(x), nx.dot(matrix, x.slice([0], [4])), nx.softmax(matrix), x.at(1)])
    nx.backendDeallocate(nx.evaluate(result));

await printed(CALLS);
process.exit(0);
