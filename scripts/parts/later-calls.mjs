/**
 * What programs do later, by groups of functions that are used together, with the library and its dependencies in the given
 * files. Prints which functions of the library have run.
 */
import { printRunOf } from "./coverage.mjs";
import { typicalCalls } from "./typical-calls.mjs";

/** Groups that more programs use come first. */
const GROUPS = {
  elements(nx) {
    const [x, i] = [rows(nx), nx.add(nx.iota([4, 8]), 1)];
    for (const name of FLOATS) read(nx[name](nx.add(nx.abs(nx.multiply(x, 0.1)), 0.01)));
    for (const name of PAIRS) read(nx[name](x, nx.add(x, 0.5)), nx[name](i, 2));
    read(nx.logicalNot(x), nx.bitwiseAnd(i, 3), nx.leftShift(i, 1), nx.quotient(i, 3), nx.isNan(x), nx.lerp(x, x, 0.5));
    read(nx.clip(x, -1, 1), x.asType("f64").asType("s32"), nx.add(x, nx.f64(1)), nx.relu(x), nx.tensor([true, false]));
  },
  shapes(nx) {
    const x = rows(nx);
    const byRow = { axis: 0 };
    read(
      nx.stack([x, x]),
      nx.concatenate([x, x], { axis: 1 }),
      nx.pad(x, 0, [
        [1, 1, 0],
        [0, 0, 0],
      ]),
      nx.reverse(x),
    );
    read(
      nx.take(x, nx.tensor([1, 0]), byRow),
      nx.takeAlongAxis(x, nx.argsort(x, byRow), byRow),
      nx.sort(x),
      nx.roll(x, 1),
    );
    read(
      nx.gather(x, nx.tensor([[1, 2]])),
      nx.indexedAdd(x, nx.tensor([[1, 2]]), nx.f32([1])),
      nx.oneHot(nx.tensor([1, 2]), 3),
    );
    read(
      nx.tile(x, [2, 1]),
      nx.repeat(x, 2),
      nx.broadcast(nx.f32([1]), [3]),
      nx.squeeze(nx.newAxis(x, 0)),
      nx.eye(3),
      nx.tril(x),
    );
    read(
      ...nx.split(x, 2),
      ...nx.topK(x, { k: 2 }),
      nx.putSlice(x, [0, 0], nx.f32([[9]])),
      nx.moveAxis(x, 0, 1),
      nx.outer(x, x),
    );
    read(
      nx.rearrange(x, "a b -> b a"),
      nx.einsum("ij,kj->ik", x, x),
      x.at(1, 2),
      nx.meshgrid([nx.iota([2]), nx.iota([3])])[0],
    );
  },
  reductions(nx) {
    const vector = nx.f32([1, 2, 3]);
    read(nx.dot(vector, vector), nx.dot(vector, nx.outer(vector, vector)), nx.dot(nx.outer(vector, vector), vector));
    for (const x of [rows(nx), nx.iota([4, 8]), nx.reshape(nx.iota([40_000]), [200, 200]).asType("f32")])
      for (const options of [{}, { axes: [0] }, { axes: [1], keepAxes: true }]) {
        for (const name of ["sum", "mean", "reduceMax", "reduceMin", "product", "variance", "standardDeviation", "any"])
          read(nx[name](x, options));
        if (!options.axes) continue;
        const axis = options.axes[0];
        read(nx.argmax(x, { axis }), nx.argmin(x, { axis }), nx.cumulativeSum(x, { axis }), nx.softmax(x, { axis }));
        read(nx.logSumExp(x, options), nx.median(x, { axis }));
      }
  },
  derivatives(nx) {
    const [x, w] = [rows(nx), nx.reshape(nx.linspace(-1, 1, { n: 24 }), [8, 3])];
    const squared = nx.grad((t) => nx.sum(nx.multiply(nx.sin(t), t)));
    read(
      squared(x),
      squared(x),
      nx.grad((t) => nx.multiply(t, t))(nx.f32(3)),
      nx.grad((t) => nx.dot(t, t))(nx.f32([1, 2])),
    );
    const loss = ({ w, b }) => nx.mean(nx.pow(nx.subtract(nx.tanh(nx.add(nx.dot(x, w), b)), 1), 2));
    const step = nx.defn((p) => {
      const [value, g] = nx.valueAndGrad(loss)(p);
      return [value, { w: nx.subtract(p.w, nx.multiply(g.w, 0.1)), b: nx.subtract(p.b, nx.multiply(g.b, 0.1)) }];
    });
    let parameters = { w, b: nx.zeros([3]) };
    for (let i = 0; i < 4; i++) {
      parameters = step(parameters)[1];
      read(parameters.w, parameters.b);
    }
    for (const name of ["exp", "log", "sqrt", "sigmoid", "relu", "cos", "abs", "gelu", "softplus"])
      read(nx.grad((t) => nx.sum(nx[name](nx.add(nx.abs(t), 0.1))))(x));
    read(nx.grad((t) => nx.sum(nx.multiply(nx.softmax(t), t)))(x), nx.grad((t) => nx.reduceMax(nx.divide(t, 3)))(x));
    read(
      nx.grad((t) => nx.sum(nx.logSoftmax(nx.transpose(nx.reshape(t, [8, 4])))))(x),
      nx.Defn.jacobian((t) => nx.multiply(t, t))(nx.f32([1, 2])),
    );
    read(
      nx.grad((t) => nx.sum(nx.select(nx.greater(t, 0), nx.concatenate([t, t], { axis: 0 }).slice([0, 0], [4, 8]), 0)))(
        x,
      ),
    );
  },
  control(nx) {
    const t = nx.f32([1, 2]);
    const { cond, whileLoop, scan, foriLoop } = nx.Defn;
    const choose = nx.defn((x) => cond([[nx.greater(nx.sum(x), 0), () => nx.multiply(x, 2)]], () => x));
    const loop = nx.defn((x) =>
      whileLoop(
        x,
        (y) => nx.less(nx.sum(y), 100),
        (y) => nx.multiply(y, 2),
      ),
    );
    const turns = nx.defn((x) => foriLoop(0, 3, (_i, y) => nx.multiply(y, 2), x));
    const sums = nx.defn((x) => scan((s, y) => [nx.add(s, y), s], nx.f32(0), x)[1]);
    for (let i = 0; i < 4; i++) read(choose(t), loop(t), turns(t), sums(t));
    read(
      nx.Defn.vmap((x) => nx.sum(nx.multiply(x, x)))(rows(nx)),
      nx.map(t, (x) => nx.add(x, 1)),
    );
    read(nx.grad((x) => nx.sum(foriLoop(0, 3, (_i, y) => nx.multiply(y, x), x)))(t));
  },
  random(nx) {
    const { key, split, uniform, normal, randint, bernoulli, choice, shuffle } = nx.Random;
    const keys = split(key(1));
    read(keys, uniform(key(1), { shape: [3, 100] })[0], normal(key(1), { shape: [1000] })[0], nx.randomNormal([3]));
    read(
      randint(key(1), 0, 9, { shape: [3] })[0],
      bernoulli(key(1), 0.5, { shape: [3] })[0],
      shuffle(key(1), nx.iota([9]))[0],
    );
    read(choice(key(1), nx.iota([9]), { samples: 4 })[0]);
  },
  matrices(nx) {
    const a = nx.add(nx.reshape(nx.linspace(0, 1, { n: 16 }), [4, 4]), nx.multiply(nx.eye(4), 4));
    const { solve, invert, determinant, norm, svd, qr, cholesky, eigh, lu } = nx.LinAlg;
    read(nx.dot(a, a), solve(a, nx.f32([1, 2, 3, 4])), invert(a), determinant(a), norm(a));
    const symmetric = nx.add(a, nx.transpose(a));
    for (const f of [svd, qr, lu, eigh, cholesky]) read(...[f(symmetric)].flat());
    read(nx.dot(nx.broadcast(a, [3, 4, 4]), [2], [0], nx.broadcast(a, [3, 4, 4]), [1], [0]));
  },
  signals(nx) {
    const image = nx.reshape(nx.iota([2 * 3 * 8 * 8]), [2, 3, 8, 8]).asType("f32");
    read(
      nx.conv(image, nx.ones([4, 3, 3, 3]), { padding: "same" }),
      nx.windowMax(image, [1, 1, 2, 2]),
      nx.windowMean(image, [1, 1, 2, 2]),
    );
    read(nx.fft(nx.f32([1, 2, 3, 4])), nx.ifft(nx.fft(nx.f32([1, 2, 3]))), nx.rfft(nx.linspace(0, 1, { n: 64 })));
  },
  files(nx) {
    const t = rows(nx);
    read(
      nx.loadNumpy(nx.toNumpy(t)),
      nx.deserialize(nx.serialize(t)),
      ...Object.values(nx.loadSafetensors(nx.toSafetensors({ t }))),
    );
  },
  /** Where no module is found: what writes those of the most frequent calls, */
  emitters(nx) {
    const x = nx.reshape(nx.iota([40_000]), [200, 200]).asType("f32");
    const steps = nx.defn((t) => nx.multiply(nx.add(t, 1), t));
    for (let i = 0; i < 4; i++) read(steps(x));
    read(nx.dot(x, nx.transpose(x)), nx.concatenate([x, x], { axis: 1 }));
  },
  /** and what writes the others. */
  modules(nx) {
    for (const call of typicalCalls(nx)) nx.evaluate(call());
  },
};

const FLOATS =
  "tanh sigmoid sin cos tan log exp log1p expm1 sqrt rsqrt cbrt erf erfc floor ceil round sign asin acos atan sinh cosh log2 log10 exp2 gelu silu softplus reciprocal square".split(
    " ",
  );
const PAIRS = "pow remainder max min greaterEqual lessEqual equal notEqual logicalAnd logicalOr atan2".split(" ");

const rows = (nx) => nx.subtract(nx.multiply(nx.iota([4, 8]), 0.25), 3);

const read = (...tensors) => tensors.forEach((t) => t.toTypedArray());

await printRunOf(GROUPS);
