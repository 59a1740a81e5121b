/**
 * Every kind of operation on operands that were made by transposing, slicing, reversing or repeating others: a backend may keep
 * such an operand as a view. What is seen is worked out by index arithmetic and handed to the operation as it is, too.
 */
import * as Nx from "nx-numerics";
import type { DType, Tensor } from "nx-numerics";
import { reference } from "../compared";
import { seen } from "../plain";
import { data, each, readNow, type Check, type Data } from "../subject";
import { integers, sizeOf } from "../values";
import { VIEWS } from "./movement";

/** Operations on a matrix and a second one like it. */
const CONSUMERS: Readonly<Record<string, (x: Tensor, y: Tensor) => Tensor>> = {
  negate: (x) => Nx.negate(x),
  exp: (x) => Nx.exp(x),
  "add, on the left": (x, y) => Nx.add(x, y),
  "subtract, on the right": (x, y) => Nx.subtract(y, x),
  "multiply by itself": (x) => Nx.multiply(x, x),
  select: (x, y) => Nx.select(Nx.greater(x, 0), x, y),
  asType: (x) => Nx.asType(x, "s16"),
  bitcast: (x) => Nx.bitcast(x, "u32"),
  reshape: (x) => Nx.flatten(x),
  transpose: (x) => Nx.transpose(x),
  reverse: (x) => Nx.reverse(x),
  slice: (x) => Nx.slice(x, x.shape.map((dim) => (dim > 1 ? 1 : 0)), x.shape.map((dim) => Math.max(1, dim - 1))), // prettier-ignore
  pad: (x) => Nx.pad(x, 9, x.shape.map(() => [1, -1, 1] as const)), // prettier-ignore
  concatenate: (x, y) => Nx.concatenate([y, x, x]),
  take: (x) => Nx.take(x, Nx.s64([0, 0]), { axis: x.shape.length - 1 }),
  indexedAdd: (x) => Nx.indexedAdd(x, Nx.s64([[0], [0]]), Nx.broadcast(Nx.f32(2), [2, ...x.shape.slice(1)]), { axes: [0] }),
  "sum of rows": (x) => Nx.sum(x, { axes: [-1] }),
  "sum of columns": (x) => Nx.sum(x, { axes: [0] }),
  "sum of all": (x) => Nx.sum(x),
  argmax: (x) => Nx.argmax(x, { axis: 0 }),
  cumulativeSum: (x) => Nx.cumulativeSum(x, { axis: -1 }),
  sort: (x) => Nx.sort(x, { axis: 0 }),
  argsort: (x) => Nx.argsort(x, { axis: -1 }),
  windowMax: (x) => Nx.windowMax(x, x.shape.map((dim) => Math.min(dim, 2))), // prettier-ignore
  "dot, on the left": (x, y) => Nx.dot(x, [-1], y, [-1]),
  "dot, on the right": (x, y) => Nx.dot(y, [0], x, [0]),
}; // prettier-ignore

const PLANES = [
  [5, 7],
  [40, 37],
  [66, 129],
] as const;

function viewed(name: string, type: DType, shape: readonly [number, number], v: number): Check {
  const consume = CONSUMERS[name]!;
  const view = VIEWS[v]!;
  const source = (): Data => data(type, shape, integers(type, sizeOf(shape), shape[0] + v, 9));
  const like = (dense: Data): Data => data(type, dense.shape, integers(type, sizeOf(dense.shape), 3, 9));
  const title = `${name} of a ${view.name} ${type}[${shape}]`;
  return {
    name: title,
    *run(subject) {
      const whole = source();
      const dense = seen(whole, view.seen(shape));
      const second = like(dense);
      const [operand, y, plain] = [whole, second, dense].map((one) => subject.tensor(one)) as [Tensor, Tensor, Tensor];
      const [viaView, viaDense] = subject.within(() => [consume(view.compute(operand), y), consume(plain, y)]);
      if (subject.judged === "nothing") return;
      const expected = subject.judged !== "binary" ? [readNow(viaDense)] : reference(consume, [dense, second])!;
      yield* each("the result of what is seen", [viaDense], expected);
      yield* each("the result of the view", [viaView], expected);
      yield* each("an operand, afterwards", [operand, y], [whole, second]);
      subject.release([viaView, viaDense, operand, y, plain]);
    },
  };
}

/** All checks of layouts: every operation on every view, in turns of the sizes. */
export function layoutChecks(): Check[] {
  return Object.keys(CONSUMERS).flatMap((name, c) =>
    VIEWS.flatMap((_, v) => {
      const sizes = [PLANES[(c + v) % 3]!, PLANES[(c + v + 1) % 3]!];
      return sizes.map((shape) => viewed(name, "f32", shape, v));
    }),
  );
}
