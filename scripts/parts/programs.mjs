/**
 * Small programs as many are, with the library and its dependencies in the given files. Prints which functions of the library have run in one of them,
 * or the names of all.
 */
import { printRunOf } from "./coverage.mjs";

const PROGRAMS = {
  elements(nx) {
    const [x, y] = [floats(nx, 100_000), floats(nx, 100_000)];
    read(
      nx.exp(nx.add(x, y)),
      x.multiply(2).subtract(y).divide(3),
      nx.sqrt(nx.abs(x)),
      nx.select(nx.greater(x, 0), x, y),
    );
  },
  lists(nx) {
    const t = nx.tensor([
      [1, 2],
      [3, 4],
    ]);
    String(t.add(1).multiply(t));
    t.divide(2).toList();
  },
  reductions(nx) {
    const table = nx.reshape(nx.iota([40_000]).asType("f32"), [400, 100]);
    read(nx.mean(table, { axes: [0] }), nx.sum(table, { axes: [1] }), nx.variance(table), nx.reduceMax(table));
    String(table.sum().toNumber() + nx.argmax(table).toNumber());
  },
  formula(nx) {
    const f = nx.defn((t) => t.multiply(0.5).add(1).multiply(t).subtract(0.25).max(-3).negate());
    for (let call = 0; call < 3; call++) String(f(nx.f32([1, 2, 3])));
  },
  shapes(nx) {
    const t = nx.reshape(nx.iota([24]), [4, 6], { names: ["row", "column"] });
    String(nx.concatenate([t, nx.transpose(t).reshape([4, 6])], { axis: 0 }));
    String(nx.stack([t.at(0), nx.slice(t, [1, 0], [1, 6]).reshape([6])]));
    t.asType("f64").toFlatList();
  },
  large(nx) {
    nx.configure({ threads: 2 });
    const x = floats(nx, 1_000_000);
    read(nx.add(x, x), nx.sum(x), nx.multiply(nx.exp(x), 2));
  },
  layers(nx) {
    const [x, w] = [nx.reshape(floats(nx, 40_000), [200, 200]), nx.reshape(floats(nx, 2_000), [200, 10])];
    read(nx.softmax(nx.add(nx.dot(nx.relu(nx.dot(x, x)), w), nx.zeros([10]))));
    read(nx.softmax(x));
  },
  chains(nx) {
    const x = floats(nx, 100_000);
    const centred = x.subtract(x.mean());
    read(centred.square().sum(), nx.mean(nx.exp(nx.add(x, 1))));
    read(centred.divide(nx.sqrt(nx.add(nx.mean(nx.square(centred)), 1))));
  },
  largeFormulas(nx) {
    const bell = nx.defn((t) =>
      nx
        .exp(nx.negate(nx.square(nx.multiply(t, 0.5))))
        .add(t)
        .sum(),
    );
    const bounded = nx.defn((t) =>
      t.multiply(0.5).add(1).multiply(t).subtract(0.25).max(-3).multiply(0.75).add(t).min(3).negate().multiply(2),
    );
    for (let call = 0; call < 3; call++) read(bell(floats(nx, 100_000)), bounded(floats(nx, 100_000)));
  },
  derivatives(nx) {
    const x = nx.reshape(nx.linspace(0, 1, { n: 30 }), [10, 3]);
    const loss = (w) => nx.mean(nx.square(nx.subtract(nx.dot(x, w), 1)));
    let w = nx.zeros([3]);
    for (let step = 0; step < 3; step++) w = w.subtract(nx.grad(loss)(w).multiply(0.1));
    String(w);
  },
};

const floats = (nx, length) => nx.tensor(Float32Array.from({ length }, (_, i) => (i % 7) - 3));
const read = (...tensors) => tensors.forEach((t) => t.toTypedArray());

await printRunOf(PROGRAMS);
