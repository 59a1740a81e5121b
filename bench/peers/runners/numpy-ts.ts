/**
 * numpy-ts, operation by operation. Everything is disposed of as soon as it is not needed, which its documentation
 * recommends for loops: its best case, as without it the heap of its wasm memory fills up.
 */
import * as np from "numpy-ts";
import { serve, type Inputs, type Prepared } from "../serve";
import { versionOf } from "./version";

type NDArray = ReturnType<typeof np.array>;
type Run = (inputs: Inputs<NDArray>) => Prepared<NDArray>;

const read = (result: NDArray): ArrayLike<number> =>
  typeof result === "number" ? [result] : (np.ravel(result).data as Float32Array);

// Its heap does not grow, and once it was full all results are slower for good: 256 MB would not hold the largest works.
np.configureWasm({ maxMemory: 2 ** 30 });

function tensor(data: Float32Array, shape: readonly number[]): NDArray {
  const flat = np.array(data, "float32");
  if (shape.length === 1) return flat;
  const shaped = flat.reshape(...shape);
  flat.dispose();
  return shaped;
}

const finish = (result: NDArray): void => result.dispose?.();

const run =
  (fn: (...operands: NDArray[]) => NDArray, ...names: string[]): Run =>
  (inputs) => {
    const operands = names.map((name) => inputs[name]!);
    return { call: () => fn(...operands), finish, read };
  };

/** Disposes of everything that `keep` was given but the last. */
function disposing(fn: (keep: (x: NDArray) => NDArray, ...operands: NDArray[]) => NDArray) {
  return (...operands: NDArray[]): NDArray => {
    const kept: NDArray[] = [];
    const keep = (x: NDArray): NDArray => (kept.push(x), x);
    const result = fn(keep, ...operands);
    for (const array of kept) if (array !== result) array.dispose();
    return result;
  };
}

const gelu = disposing((keep, x) => {
  const cube = keep(keep(x.multiply(x)).multiply(x));
  const inner = keep(keep(keep(cube.multiply(0.044715)).add(x)).multiply(Math.sqrt(2 / Math.PI)));
  return keep(keep(keep(np.tanh(inner)).add(1)).multiply(x)).multiply(0.5);
});

const polynomial = disposing((keep, x) => {
  const third = keep(keep(keep(x.multiply(0.5)).add(-1)).multiply(x));
  const second = keep(keep(third.add(0.25)).multiply(x));
  return keep(keep(keep(second.add(2)).multiply(x)).add(-0.75)).multiply(x);
});

const standardise = disposing((keep, x) => {
  const centred = keep(x.subtract(keep(x.mean(1, true) as NDArray)));
  const variance = keep(keep(centred.multiply(centred)).mean(1, true) as NDArray);
  return centred.divide(keep(np.sqrt(keep(variance.add(1e-5)))));
});

const softmax = disposing((keep, x) => {
  const powers = keep(np.exp(keep(x.subtract(keep(x.max(1, true))))));
  return powers.divide(keep(powers.sum(1, true)));
});

const transposeAdd = disposing((keep, x) => keep(x.transpose()).add(1));

await serve<NDArray, NDArray>({
  name: "numpy-ts",
  version: versionOf("numpy-ts"),
  threads: "1",
  tensor,
  drop: (operand) => operand.dispose(),
  runs: {
    gelu: run(gelu, "x"),
    polynomial: run(polynomial, "x"),
    exp: run((x) => np.exp(x), "x"),
    log: run((x) => np.log(x), "x"),
    sin: run((x) => np.sin(x), "x"),
    tanh: run((x) => np.tanh(x), "x"),
    softmax: run(softmax, "x"),
    standardise: run(standardise, "x"),
    softmaxEager: run(softmax, "x"),
    sum: run((x) => np.sum(x), "x"),
    sum0: run((x) => np.sum(x, 0), "x"),
    sum1: run((x) => np.sum(x, 1), "x"),
    add: run((x, y) => np.add(x, y), "x", "y"),
    addReused: run((x, y) => np.add(x, y), "x", "y"),
    addSmall: run((x, y) => np.add(x, y), "x", "y"),
    transposeAdd: run(transposeAdd, "x"),
    matmul: run((x, y) => np.matmul(x, y), "x", "y"),
    sort: run((x) => np.sort(x), "x"),
    argmax: run((x) => np.argmax(x), "x"),
    cumsum: run((x) => np.cumsum(x), "x"),
  },
});
