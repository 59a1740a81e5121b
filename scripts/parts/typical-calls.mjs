/**
 * Plain calls as most programs make them, so large that each runs as a module: what these make is in the package. Types and axes are those
 * that tensors mostly have; formulas of several ops have modules of their own and are not foreseen.
 */

const LENGTH = 40_000;
/** A matrix with rows of a length for vectors, and tables of few columns. */
const MATRIX = [200, 200];
const TABLES = [3, 8].map((columns) => [LENGTH / columns - ((LENGTH / columns) % 1), columns]);
const BLOCK = [20, 40, 50];

const FLOATS = ["f32", "f64"];
const SIGNED = [...FLOATS, "s64", "s32"];
const NUMBERS = [...SIGNED, "u8"];

const ARITHMETIC = ["add", "subtract", "multiply", "divide"];
const COMPARISONS = ["equal", "notEqual", "less", "lessEqual", "greater", "greaterEqual"];
const UNARY = ["negate", "abs", "sign"];
const FLOAT_UNARY =
  "sqrt exp log floor ceil round square reciprocal relu isNan isInfinity rsqrt expm1 log1p sigmoid tanh sin cos erf gelu exp2 log2 log10 atan".split(
    " ",
  );
/** Of the default type only: they are rarer, or the code is long. */
const F32_UNARY = ["tan", "asin", "acos", "sinh", "cosh", "silu", "softplus", "geluTanh"];
/** Composites of several passes are compiled once more calls of a kind come. */
const CALLS_OF_COMPOSITES = 3;
/** Sums and means of all types, extremes of those that mostly have them asked for. */
const SUMS = ["sum", "mean"];
const EXTREMES = ["reduceMax", "reduceMin"];

/** The calls, as functions that give tensors. */
export function typicalCalls(nx) {
  const made = new Map();
  /** Elements between 1 and 97 of a type. */
  const tensor = (type, shape = [LENGTH]) => {
    const key = `${type} ${shape.join()}`;
    if (!made.has(key)) {
      const count = shape.reduce((product, size) => product * size, 1);
      made.set(
        key,
        nx
          .tensor(Float64Array.from({ length: count }, (_, i) => (i % 97) + 1))
          .asType(type)
          .reshape(shape),
      );
    }
    return made.get(key);
  };
  const groups = [frequent, elementWise, reductions, movement, others];
  return groups.flatMap((group) => [...group(nx, tensor)]);
}

/** What programs do first: modules of these come first in the file, of which Node reads the beginning alone until another one is asked for. */
function* frequent(nx, tensor) {
  for (const type of ["f32", "f64", "s64"]) {
    const x = () => tensor(type);
    for (const name of ARITHMETIC) {
      yield () => nx[name](x(), x());
      yield () => nx[name](x(), 2);
    }
    for (const name of SUMS) yield () => nx[name](x());
  }
  for (const name of ["exp", "sqrt", "square", "negate", "relu", "tanh"]) yield () => nx[name](tensor("f32"));
  for (const name of EXTREMES) yield () => nx[name](tensor("f32"));
  yield () => nx.greater(tensor("f32"), 2);
}

function* elementWise(nx, tensor) {
  for (const type of SIGNED) {
    const x = () => tensor(type);
    for (const name of [...ARITHMETIC, "max", "min"]) {
      yield () => nx[name](x(), x());
      yield () => nx[name](x(), 2);
    }
    for (const name of COMPARISONS) yield () => nx[name](x(), x());
    for (const name of ["subtract", "divide"]) yield () => nx[name](2, x());
    for (const name of UNARY) yield () => nx[name](x());
    yield () => nx.clip(x(), 2, 50);
  }
  for (const type of NUMBERS) {
    const x = () => tensor(type);
    for (const name of COMPARISONS) yield () => nx[name](x(), 2);
    const mask = () => nx.greater(x(), 3);
    yield () => nx.select(mask(), x(), x());
    yield () => nx.select(mask(), x(), 0);
    yield () => nx.select(mask(), 1, 0);
    for (const to of NUMBERS) if (to !== type) yield () => x().asType(to);
    if (type !== "f32") for (const name of ARITHMETIC) yield () => nx[name](x(), tensor("f32"));
  }
  for (const type of FLOATS) {
    const x = () => tensor(type);
    for (const name of [...FLOAT_UNARY, ...(type === "f32" ? F32_UNARY : [])]) yield () => nx[name](x());
    yield () => nx.pow(x(), 2);
    for (const name of ["pow", "atan2"]) yield () => nx[name](x(), x());
    for (const name of ARITHMETIC) {
      yield () => nx[name](tensor(type, MATRIX), tensor(type, [MATRIX[1]]));
      yield () => nx[name](tensor(type, MATRIX), tensor(type, [MATRIX[0], 1]));
    }
  }
  for (const name of ["logicalAnd", "logicalOr"]) yield () => nx[name](tensor("u8"), tensor("u8"));
  yield () => nx.logicalNot(tensor("u8"));
}

function* reductions(nx, tensor) {
  const grids = [
    [[LENGTH], {}],
    [MATRIX, { axes: [0] }],
    [MATRIX, { axes: [1] }],
    [BLOCK, { axes: [1] }],
    ...TABLES.map((shape) => [shape, { axes: [1] }]),
  ];
  for (const type of NUMBERS) {
    for (const [shape, options] of grids) for (const name of SUMS) yield () => nx[name](tensor(type, shape), options);
  }
  for (const type of [...FLOATS, "s64"]) {
    for (const [shape, options] of grids)
      for (const name of [...EXTREMES, "product"]) yield () => nx[name](tensor(type, shape), options);
    for (const axis of [0, 1]) yield () => nx.cumulativeSum(tensor(type, MATRIX), { axis });
  }
  for (const name of ["argmax", "argmin"]) {
    for (const [shape, { axes = [0] }] of grids.slice(0, 3)) {
      for (const type of FLOATS) yield () => nx[name](tensor(type, shape), { axis: axes[0] });
    }
  }
  for (const name of ["all", "any"]) yield () => nx[name](tensor("u8"));
  for (const type of FLOATS) {
    for (const [shape, options] of grids.slice(0, 3)) {
      for (const name of ["variance", "standardDeviation", "logSumExp"])
        for (let i = 0; i < CALLS_OF_COMPOSITES; i++) yield () => nx[name](tensor(type, shape), options);
    }
    yield () => nx.LinAlg.norm(tensor(type));
    for (const axis of [0, 1]) {
      for (const name of ["softmax", "logSoftmax"])
        for (let i = 0; i < CALLS_OF_COMPOSITES; i++) yield () => nx[name](tensor(type, MATRIX), { axis });
      for (const name of ["cumulativeMax", "cumulativeMin"]) yield () => nx[name](tensor(type, MATRIX), { axis });
    }
    yield () => nx.cumulativeSum(tensor(type));
  }
}

function* movement(nx, tensor) {
  for (const type of ["f64", "f32", "u8"]) {
    const [x, block] = [() => tensor(type, MATRIX), () => tensor(type, BLOCK)];
    yield () => x().transpose();
    yield () => block().transpose({ axes: [0, 2, 1] });
    yield () => block().transpose({ axes: [1, 0, 2] });
    for (const axis of [0, 1]) yield () => nx.concatenate([x(), x()], { axis });
    for (const axis of [0, 1, 2]) yield () => nx.stack([x(), x()], { axis });
    for (const axes of [[0], [1]]) yield () => nx.reverse(x(), { axes });
    yield () => nx.slice(x(), [0, 10], [200, 180]);
    yield () => nx.broadcast(tensor(type, [200]), MATRIX);
    yield () => nx.broadcast(tensor(type, [200, 1]), MATRIX);
    yield () => nx.take(x(), tensor("s64", [90]), { axis: 0 });
    yield () => nx.take(tensor(type), tensor("s64"));
    yield () => nx.pad(x(), 0, [[1, 1, 0], [1, 1, 0]]); // prettier-ignore
  }
}

function* others(nx, tensor) {
  for (const type of FLOATS) {
    const x = () => tensor(type, MATRIX);
    yield () => nx.dot(x(), x());
    yield () => nx.dot(x(), x().transpose());
    yield () => nx.dot(x(), tensor(type, [200]));
    yield () => nx.dot(tensor(type), tensor(type));
    yield () => nx.outer(tensor(type, [200]), tensor(type, [200]));
    yield () => nx.LinAlg.determinant(x());
    yield () => nx.LinAlg.solve(nx.add(x(), nx.multiply(nx.eye(200), 1000).asType(type)), tensor(type, [200]));
    const images = () => tensor(type, [4, 3, 32, 32]);
    yield () => nx.conv(images(), tensor(type, [8, 3, 3, 3]), { padding: "same" });
    for (const name of ["windowMax", "windowMean"])
      yield () => nx[name](images(), [1, 1, 2, 2], { strides: [1, 1, 2, 2] });
    for (const length of [4096, 1000]) yield () => nx.ifft(nx.fft(tensor(type, [length])));
    yield () => nx.rfft(tensor(type, [4096]));
  }
  for (const name of ["uniform", "normal"]) yield () => nx.Random[name](nx.Random.key(1), { shape: [LENGTH] })[0];
  yield () => nx.Random.randint(nx.Random.key(1), 0, 9, { shape: [LENGTH] })[0];
  yield () => nx.Random.shuffle(nx.Random.key(1), tensor("f32"))[0];
  for (const type of ["s64", "s32"]) {
    for (const name of ["remainder", "quotient", "bitwiseAnd"]) yield () => nx[name](tensor(type), 3);
    yield () => nx.sqrt(tensor(type));
  }
  const complex = () => tensor("c64");
  for (const name of ["add", "multiply"]) yield () => nx[name](complex(), complex());
  for (const name of ["abs", "real", "imag", "conjugate"]) yield () => nx[name](complex());
  yield () => nx.oneHot(tensor("s64", [2000]), 100);
  yield () => nx.tril(tensor("f32", MATRIX));
  for (const type of NUMBERS) {
    yield () => nx.sort(tensor(type));
    yield () => nx.argsort(tensor(type));
    yield () => nx.sort(tensor(type, TABLES[1]), { axis: 1 });
  }
}
