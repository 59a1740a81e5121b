import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { expectEntries, randoms } from "./entries";

const { vmap } = Nx.Defn;
type Unary = (x: Nx.Tensor) => unknown;

/** Functions of one tensor of shape [4][6], all of them applied to a batch. */
const FUNCTIONS: Readonly<Record<string, Unary>> = {
  exp: (x) => x.exp(),
  "add with a row": (x) => x.add(Nx.iota([6])),
  "subtract own mean": (x) => x.subtract(x.mean({ axes: [1], keepAxes: true })),
  select: (x) => Nx.select(x.greater(0), x, Nx.f64(-1)),
  clip: (x) => x.clip(-0.5, 0.5),
  map: (x) => Nx.map(x, (e) => Nx.multiply(e, 2)),
  asType: (x) => x.multiply(100).asType("s8"),
  bitcast: (x) => x.bitcast("s64"),
  sum: (x) => x.sum(),
  "sum over an axis": (x) => x.sum({ axes: [-1] }),
  "product, kept": (x) => x.product({ axes: [0], keepAxes: true }),
  all: (x) => x.greater(-3).all({ axes: [1] }),
  variance: (x) => x.variance({ axes: [0] }),
  argmax: (x) => x.argmax(),
  "argmin over an axis": (x) => x.argmin({ axis: 1, tieBreak: "high" }),
  median: (x) => x.median({ axis: 1 }),
  mode: (x) => x.multiply(2).round().mode(),
  reduce: (x) => Nx.reduce(x, 0, (e, acc) => Nx.add(e, acc), { axes: [1] }),
  "vectorize and devectorize": (x) => Nx.devectorize(Nx.sum(Nx.vectorize(x, "row"))),
  "devectorize what is not vectorized": (x) => Nx.devectorize(x),
  "revectorize and leave an axis": (x) => Nx.devectorize(Nx.revectorize(Nx.vectorize(x, "row"), { copy: 2 })),
  "revectorize nothing": (x) => Nx.revectorize(Nx.vectorize(x, "row"), {}),
  cumulativeSum: (x) => x.cumulativeSum({ axis: 1, reverse: true }),
  cumulativeMax: (x) => x.cumulativeMax(),
  reshape: (x) => x.reshape([3, 8]),
  flatten: (x) => x.flatten(),
  broadcast: (x) => x.broadcast([2, 4, 6]),
  transpose: (x) => x.transpose(),
  squeeze: (x) => x.newAxis(1).squeeze(),
  tile: (x) => x.tile([2, 1]),
  pad: (x) => x.pad(7, [[1, -1, 0], [0, 2, 1]]), // prettier-ignore
  reflect: (x) => x.reflect({ paddingConfig: [[1, 1], [2, 0]] }), // prettier-ignore
  moveAxis: (x) => x.moveAxis(1, 0),
  swapAxes: (x) => x.swapAxes(0, 1),
  roll: (x) => x.roll([1, -2], { axis: [0, 1] }),
  "roll of all": (x) => x.roll(7),
  repeat: (x) => x.repeat(2, { axis: 1 }),
  "repeat by a list": (x) => x.repeat([0, 2, 1, 1], { axis: 0 }),
  split: (x) => x.split(0.5, { axis: 1 }),
  unstack: (x) => x.unstack({ axis: 1 }),
  tril: (x) => x.tril({ k: 1 }),
  triu: (x) => x.triu(),
  trace: (x) => x.trace(),
  diff: (x) => x.diff({ order: 2 }),
  covariance: (x) => x.covariance({ ddof: 1 }),
  correlation: (x) => x.correlation(),
  logSumExp: (x) => x.logSumExp({ axes: [1] }),
  isClose: (x) => x.isClose(0, { atol: 0.5 }),
  oneHot: (x) => x.argmax({ axis: 1 }).oneHot(6),
  einsum: (x) => Nx.einsum("ij,kj->ki", x, x),
  rearrange: (x) => Nx.rearrange(x, "i (j k) -> k (i j)", { k: 2 }),
  "repeat by a pattern": (x) => Nx.repeat(x, "i j -> j 2 i"),
  "reduce by a pattern": (x) => Nx.reduce(x, "i (j 2) -> j i", "max"),
  kron: (x) => Nx.kron(x, Nx.iota([2, 2])),
  meshgrid: (x) => Nx.meshgrid([x.at(0), x.at(1)]),
  quantile: (x) => Nx.quantile(x, [0.2, 0.9], { axis: 1 }),
  searchsorted: (x) => Nx.searchsorted(x.at(0).sort(), x),
  interp: (x) => Nx.interp(x, Nx.f64([-1, 0, 2]), Nx.f64([1, 5, 2])),
  bincount: (x) => Nx.bincount(x.argmax({ axis: 1 }), { length: 6 }),
  histogram: (x) => Nx.histogram(x, { bins: 3 }),
  segmentMean: (x) => Nx.segmentMean(x, Nx.tensor([0, 1, 0, 2]), 3),
  zerosLike: (x) => Nx.zerosLike(x),
  reverse: (x) => x.reverse({ axes: [1] }),
  slice: (x) => x.slice([1, 0], [2, 4], { strides: [1, 2] }),
  "slice from a dynamic start": (x) => x.slice([x.argmax({ axis: 0 }).at(0), 1], [2, 3]),
  putSlice: (x) => x.putSlice([1, 2], Nx.f64([[9, 9]])),
  at: (x) => x.at(-1, Nx.range(1, 3)),
  take: (x) => x.take(Nx.tensor([[0, 2], [1, 1]]), { axis: 1 }), // prettier-ignore
  "take by its own order": (x) => x.take(x.at(0).argsort().at(Nx.range(0, 2)).remainder(4)),
  takeAlongAxis: (x) => x.takeAlongAxis(x.argsort({ axis: 1 }), { axis: 1 }),
  gather: (x) => x.gather(Nx.tensor([[1], [0]]), { axes: [1] }),
  indexedAdd: (x) => x.indexedAdd(Nx.tensor([[0, 1], [0, 1]]), x.at(0, Nx.range(0, 2))), // prettier-ignore
  indexedPut: (x) =>
    Nx.iota([4, 6])
      .asType("f64")
      .indexedPut(Nx.tensor([[2, 1]]), x.at(1, Nx.range(0, 1))),
  concatenate: (x) => Nx.concatenate([x, Nx.iota([1, 6]), x]),
  stack: (x) => Nx.stack([x, Nx.broadcast(1, [4, 6])], { axis: 1 }),
  sort: (x) => x.sort({ axis: 1, direction: "desc" }),
  argsort: (x) => x.argsort({ axis: 0 }),
  topK: (x) => x.topK({ k: 2 }),
  "dot with itself": (x) => x.dot(x.transpose()),
  "dot with a vector": (x) => x.dot(Nx.iota([6])),
  "dot, batched": (x) => Nx.dot(x, x, { contract: [[1], [1]], batch: [[0], [0]] }),
  outer: (x) => Nx.outer(x.at(0), x.at(1)),
  conv: (x) => Nx.conv(x.reshape([1, 1, 4, 6]), Nx.iota([2, 1, 2, 3]), { padding: "same" }),
  "conv with its own kernel": (x) => Nx.conv(Nx.iota([1, 1, 8]), x.at(Nx.range(0, 2)).reshape([2, 1, 6])),
  windowSum: (x) => Nx.windowSum(x, [2, 3], { padding: "same" }),
  windowMax: (x) => Nx.windowMax(x, [2, 2], { strides: 2 }),
  windowMean: (x) => Nx.windowMean(x, [1, 2], { windowDilations: 2 }),
  windowReduce: (x) => Nx.windowReduce(x, 0, [2, 2], (e, acc) => Nx.add(e, acc)),
  windowScatterMax: (x) => Nx.windowScatterMax(x, Nx.iota([3, 5]), 0, [2, 2]),
  fft: (x) => Nx.fft(x, { length: 8 }),
  "rfft along the first axis": (x) => Nx.rfft(x, { axis: 0 }),
  cholesky: (x) => Nx.LinAlg.cholesky(x.dot(x.transpose()).add(Nx.eye(4))),
  eigh: (x) => Nx.LinAlg.eigh(x.dot(x.transpose())),
  svd: (x) => Nx.LinAlg.svd(x),
  qr: (x) => Nx.LinAlg.qr(x.transpose()),
  solve: (x) => Nx.LinAlg.solve(x.at({}).slice([0, 0], [4, 4]), Nx.iota([4])),
  determinant: (x) => Nx.LinAlg.determinant(x.slice([0, 1], [4, 4])),
  norm: (x) => Nx.LinAlg.norm(x, { ord: "nuclear" }),
  eye: () => Nx.eye(2),
};

/** Sums of products may be added up in another order. */
const CLOSE = new Set(["dot with itself", "norm", "solve", "cholesky", "eigh"]);

describe("functions under vmap give what they give for each entry", () => {
  it.each(Object.entries(FUNCTIONS))("%s", (name, fn) => {
    const close = CLOSE.has(name);
    if (name === "eye") return expect((vmap(fn)(randoms([3, 4, 6])) as Nx.Tensor).shape).toEqual([3, 2, 2]);
    expectEntries(fn, [randoms([3, 4, 6])], { close });
    expectEntries(fn, [randoms([4, 5, 6], 2)], { axes: [1], close });
  });
});

describe("operands of which one lacks the axis", () => {
  const pairs: Readonly<Record<string, (x: Nx.Tensor, y: Nx.Tensor) => unknown>> = {
    subtract: (x, y) => Nx.subtract(x, y),
    dot: (x, y) => Nx.dot(x, y),
    "dot, transposed": (x, y) => Nx.dot(x, [0], y, [1]),
    concatenate: (x, y) => Nx.concatenate([x, y], { axis: 1 }),
    take: (x, y) => Nx.take(x, y.argsort({ axis: 1 }).at(0)),
    takeAlongAxis: (x, y) => Nx.takeAlongAxis(x, y.argsort()),
    putSlice: (x, y) => Nx.putSlice(x, [y.argmax().remainder(2), 0], y.slice([0, 0], [2, 3])),
    indexedAdd: (x, y) => Nx.indexedAdd(x, Nx.tensor([[0], [2]]), y.slice([0, 0], [2, 3]), { axes: [0] }),
    select: (x, y) => Nx.select(Nx.greater(x, y), x, 0),
    triangularSolve: (x, y) => Nx.LinAlg.triangularSolve(x.add(Nx.multiply(Nx.eye(3), 5)), y),
  };
  it.each(Object.entries(pairs))("%s", (_name, fn) => {
    const [many, one] = [randoms([4, 3, 3]), randoms([3, 3], 2)];
    expectEntries(fn, [many, one], { axes: [0, null] });
    expectEntries(fn, [one, many], { axes: [null, 0] });
    expectEntries(fn, [many, randoms([3, 4, 3], 3)], { axes: [0, 1] });
  });
});

describe("vmap composes", () => {
  it("with itself, inner axes becoming axes of each entry", () => {
    const pairwise = (x: Nx.Tensor, y: Nx.Tensor) => vmap((a: Nx.Tensor) => vmap((b: Nx.Tensor) => a.dot(b))(y))(x);
    const [x, y] = [randoms([3, 2]), randoms([4, 2], 2)];
    expect((pairwise(x, y) as Nx.Tensor).equals(x.dot(y.transpose()))).toBe(true);
    expectEntries((t: Nx.Tensor) => vmap((row: Nx.Tensor) => row.divide(row.sum()))(t), [randoms([2, 3, 4])]);
  });

  it("with grad on either side", () => {
    const loss = (w: Nx.Tensor, x: Nx.Tensor) => w.dot(x).sin();
    expectEntries(Nx.grad(loss), [randoms([3]), randoms([5, 3], 2)], { axes: [null, 0] });
    const total = (w: Nx.Tensor) => Nx.sum(vmap((x: Nx.Tensor) => loss(w, x))(randoms([5, 3], 2)) as Nx.Tensor);
    const each = vmap(Nx.grad(loss), [null, 0])(randoms([3]), randoms([5, 3], 2)) as Nx.Tensor;
    expect(Nx.allClose(Nx.grad(total)(randoms([3])), each.sum({ axes: [0] }), { rtol: 1e-12 }).toNumber()).toBe(1);
  });

  it("with jacobian: rows of a Hessian", () => {
    const cube = (x: Nx.Tensor) => Nx.sum(Nx.pow(x, 3));
    expectEntries((x: Nx.Tensor) => Nx.Defn.hessian(cube)(x), [randoms([3, 2])], { close: true });
  });

  it("with random keys: each entry draws its own", () => {
    const keys = Nx.Random.split(Nx.Random.key(7), { parts: 4 });
    expectEntries((key: Nx.Tensor) => Nx.Random.uniformSplit(key, 0, 1, { shape: [3] }), [keys]);
    expectEntries((key: Nx.Tensor) => Nx.Random.normal(key, 0, 1, { shape: [2] }), [keys]);
    expectEntries((key: Nx.Tensor) => Nx.Random.shuffle(key, Nx.iota([5])), [keys]);
  });

  it("with containers of tensors", () => {
    const fn = vmap(({ a, b }: { a: Nx.Tensor; b: readonly Nx.Tensor[] }) => ({ sum: a.add(b[0]!), a }));
    const result = fn({ a: Nx.tensor([1, 2]), b: [Nx.tensor([10, 20])] });
    expect([result.sum.toList(), result.a.toList()]).toEqual([
      [11, 22],
      [1, 2],
    ]);
  });
});

describe("errors", () => {
  it("name the arguments that differ in size", () => {
    const add = vmap((x: Nx.Tensor, y: Nx.Tensor) => x.add(y));
    expect(() => add(randoms([3]), randoms([4]))).toThrow(/argument 0 has 3 entries and argument 1 has 4/);
  });

  it("speak of the shape that the function sees", () => {
    expect(() => vmap((x: Nx.Tensor) => x.add(Nx.iota([3])))(randoms([5, 2]))).toThrow(/\[2\].*\[3\]/);
    expect(() => vmap((x: Nx.Tensor) => x.sum().toNumber() as never)(randoms([5, 2]))).toThrow(Nx.NxError);
  });
});

describe("the name of the axis in front", () => {
  it("is that of the axes that are gone over", () => {
    const t = Nx.iota([2, 3], { names: ["a", "b"] });
    const namesOf = (fn: (...args: Nx.Tensor[]) => unknown, axes: readonly (string | number)[], ...args: Nx.Tensor[]) =>
      (vmap(fn, axes)(...args) as Nx.Tensor).names;
    expect(namesOf((x) => x, [0], t)).toEqual(["a", "b"]);
    expect(namesOf((x) => x.sum(), ["b"], t)).toEqual(["b"]);
    expect(namesOf(() => Nx.tensor(1), [0], t)).toEqual(["a"]);
    expect(namesOf((x, y) => x.multiply(y), [0, 0], t, Nx.iota([2]))).toEqual(["a", "b"]);
    expect(namesOf((x, y) => x.multiply(y), [0, 0], t, Nx.iota([2], { names: ["c"] }))).toEqual([null, "b"]);
    expect(namesOf((x) => x.rename(["a"]), [0], t)).toEqual([null, "a"]);
    expect(namesOf((x) => vmap((y: Nx.Tensor) => y)(x), [1], t)).toEqual(["b", "a"]);
  });
});

describe("messages of vmap", () => {
  it("say which arguments do not fit", () => {
    const add = vmap((x: Nx.Tensor, y: Nx.Tensor) => x.add(y));
    expect(() => add(Nx.iota([2]), Nx.iota([3]))).toThrow(
      "Nx.Defn.vmap goes over axes of one size, but argument 0 has 2 entries and argument 1 has 3; give the axis null to",
    );
    expect(() => add(Nx.iota([2]), Nx.tensor(3))).toThrow("argument 1 is a scalar; give it the axis null");
    const parts = { a: null, b: 0 } as never;
    expect(() => Nx.Defn.vmap(add, [0, parts] as never)(Nx.iota([2]), Nx.tensor(3))).toThrow(
      "Nx.Defn.vmap expects one axis or null for argument 1, for all its tensors, got: { a: null, b: 0 }; give parts that are the",
    );
    expect(() => vmap((x: Nx.Tensor) => x, [null])(Nx.tensor(1))).toThrow("needs at least one argument with an axis");
  });
});

describe("inside of vmap", () => {
  it("elements are not read, and the message knows what to do instead", () => {
    const x = Nx.f32([[1, 2], [3, 4]]); // prettier-ignore
    expect(() => vmap((row: Nx.Tensor) => row.sum().multiply(row.sum().toNumber() as number))(x)).toThrow(
      "Nx.toNumber: reading elements of a tensor that has other elements in each entry of Nx.Defn.vmap is not possible (shape [] " +
        "is that of one entry); return it and read what vmap gives",
    );
    for (const fn of [
      (row: Nx.Tensor) => Nx.map(row, (e) => e.add(row.sum())),
      (row: Nx.Tensor) => Nx.reduce(row, 0, (e, acc) => e.add(acc).add(row.sum())),
    ]) {
      for (const way of [vmap(fn), Nx.defn(vmap(fn))])
        expect(() => way(x)).toThrow(/Nx\.map, Nx\.reduce and Nx\.windowReduce cannot use it/);
    }
    expectEntries((row) => Nx.Defn.map((e) => e.add(row.sum()), row), [x]);
  });

  it("axes of the user come back, those of vmap do not", () => {
    const row = Nx.vectorize(Nx.f32([[1, 2], [3, 4]]), "row"); // prettier-ignore
    const got = vmap((x: Nx.Tensor) => Nx.devectorize(Nx.add(x, 1)))(row);
    expect([got.shape, got.names]).toEqual([[2, 2], [null, "row"]]); // prettier-ignore
    expect(got.toList()).toEqual([[2, 4], [3, 5]]); // prettier-ignore
  });
});

describe("names of results", () => {
  const bare = (t: Nx.Tensor) => Nx.rename(t, [null, null]);
  const FUNCTIONS: Readonly<Record<string, (t: Nx.Tensor) => Nx.Tensor>> = {
    "without the names that arguments have": (t) => vmap(bare)(t),
    "of a branch": (t) => Nx.Defn.cond([[t.sum(), () => vmap(bare)(t)]], () => vmap(bare)(t)),
    "of entries": (t) => Nx.Defn.map((entry) => vmap((row: Nx.Tensor) => Nx.rename(row, [null]))(entry), t),
    "given back without names": (t) =>
      Nx.devectorize(Nx.rename(Nx.vectorize(t, "first"), [null, null]), { keepNames: false }),
  };

  it.each(Object.entries(FUNCTIONS))("%s are the same traced", (_what, fn) => {
    const t = Nx.iota([2, 3, 2], { names: [null, null, "x"] });
    for (const way of [fn, Nx.defn(fn), Nx.defn(fn, { compiler: "evaluator" }), Nx.Defn.compile(fn, [t])])
      expect(way(t).names).toEqual([null, null, null]);
  });
});
