/**
 * What nearly every program does first, with the library and its dependencies in the given files. Prints which functions of the library have run in plain
 * calls on many elements or in the others, or the names of both.
 */
import { printRunOf } from "./coverage.mjs";

const floats = (nx, length) => nx.tensor(Float32Array.from({ length }, (_, i) => (i % 7) - 3));

const formulaOf = (nx) =>
  nx.defn((t) =>
    t.multiply(0.5).add(1).multiply(t).subtract(0.25).max(-3).multiply(0.75).add(t).min(3).negate().multiply(2),
  );

await printRunOf({
  plain(nx) {
    const x = floats(nx, 100_000);
    for (const result of [nx.add(x, x), nx.sum(x)]) nx.evaluate(result);
  },
  compiled(nx) {
    const formula = formulaOf(nx);
    nx.evaluate(formula(floats(nx, 8)));
  },
  others(nx) {
    const read = (...tensors) => tensors.map((t) => nx.evaluate(t).toTypedArray().length);
    for (const length of [8, 100_000]) {
      const x = floats(nx, length);
      read(nx.add(x, x), nx.add(x, 1), x.multiply(2).subtract(x).divide(3), nx.sum(x));
    }
    const formula = formulaOf(nx);
    for (let call = 0; call < 3; call++) read(formula(floats(nx, 8)));
    const table = nx.tensor([[1, 2], [3, 4]]).add(1).multiply(2).divide(3); // prettier-ignore
    table.toList();
    String(table);
    String(nx.transpose(nx.reshape(nx.iota([6]).asType("f32"), [2, 3])).add(nx.zeros([2])));
    for (const few of [nx.tensor([1, 2]), nx.f32([1.5, 2])]) String(nx.sum(nx.multiply(few, few)).toNumber());
    String(nx.tensor([1, 2]));
  },
});
