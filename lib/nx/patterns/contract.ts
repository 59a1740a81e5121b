/**
 * Sums of products over labelled axes, two operands at a time, so that the work is done by products of matrices. Which two comes first is
 * chosen greedily, as opt_einsum does (Smith and Gray, "opt_einsum", Journal of Open Source Software 3(26), 2018): the pair whose product
 * has the fewest elements beside those of its operands. Knows labels, not patterns.
 */
import { MULTIPLY } from "../../backends/ops";
import { DOT } from "../../backends/primitives";
import { unnamed } from "../../core/names";
import { allAxes, checkSize, type Shape } from "../../core/shape";
import type { DType } from "../../core/types";
import type { Tensor } from "../../tensor";
import { sum } from "../aggregates/reductions";
import { sliceAlong } from "../aggregates/core";
import { cast, run, template } from "../dispatch";
import { permuted } from "../shape/move";

/** A tensor and a label for each of its axes. */
export interface Labelled {
  readonly tensor: Tensor;
  readonly labels: readonly string[];
}

/** The sum of products as a tensor whose axes have the labels of the result, without names. */
export function contracted(operands: readonly Labelled[], result: readonly string[], type: DType): Tensor {
  let rest = operands.map(single);
  rest = rest.map((operand, i) => summed(operand, neededBeside(rest, [i], result), type));
  while (rest.length > 1) {
    const [i, j] = rest.length === 2 ? ([0, 1] as const) : cheapest(rest, result);
    const [left, right] = [rest[i]!, rest[j]!];
    const needed = neededBeside(rest, [i, j], result);
    const others = rest.filter((_, at) => at !== i && at !== j);
    const wanted = others.length === 0 ? result : null;
    rest = [...others, product(left, right, needed, wanted, type)];
  }
  const [{ tensor, labels }] = rest as [Labelled];
  const ordered = permuted(
    tensor,
    result.map((label) => labels.indexOf(label)),
  );
  return cast(ordered, type);
}

/** Labels of the result and of operands other than some. */
function neededBeside(operands: readonly Labelled[], but: readonly number[], result: readonly string[]): Set<string> {
  return new Set([...result, ...operands.flatMap(({ labels }, i) => (but.includes(i) ? [] : labels))]);
}

/** Each label once: of axes with the same one the diagonal. */
function single({ tensor, labels }: Labelled): Labelled {
  const second = labels.findIndex((label, i) => labels.indexOf(label) < i);
  if (second < 0) return { tensor, labels };
  const first = labels.indexOf(labels[second]!);
  const others = labels.map((_, i) => i).filter((i) => i !== first && i !== second);
  const moved = permuted(tensor, [...others, first, second]);
  const front = moved.shape.slice(0, -2);
  const size = tensor.shape[first]!;
  const flat = reshaped(moved, [...front, size * size]);
  const axis = front.length;
  const diagonal = strided(flat, axis, size, size + 1);
  return single({ tensor: diagonal, labels: [...others.map((i) => labels[i]!), labels[first]!] });
}

function strided(t: Tensor, axis: number, length: number, stride: number): Tensor {
  if (length === 1) return sliceAlong(t, axis, 0, 1);
  const at = <T>(value: T, otherwise: (size: number) => T) =>
    t.shape.map((size, i) => (i === axis ? value : otherwise(size)));
  const shape = Object.freeze(at(length, (size) => size));
  return run("slice", template(t.type, shape, t.names), [t], {
    starts: shape.map(() => 0),
    lengths: at((length - 1) * stride + 1, (size) => size),
    strides: at(stride, () => 1),
  });
}

/** The operand without the axes that nothing else needs: these are added up. */
function summed({ tensor, labels }: Labelled, needed: ReadonlySet<string>, type: DType): Labelled {
  const axes = labels.flatMap((label, i) => (needed.has(label) ? [] : [i]));
  if (axes.length === 0) return { tensor, labels };
  return { tensor: cast(sum(cast(tensor, type), { axes }), type), labels: labels.filter((label) => needed.has(label)) };
}

const sizeOfLabels = (labels: Iterable<string>, sizes: ReadonlyMap<string, number>): number =>
  [...labels].reduce((size, label) => size * sizes.get(label)!, 1);

/** The two operands to multiply next: those that have a label in common go first. */
function cheapest(operands: readonly Labelled[], result: readonly string[]): readonly [number, number] {
  const sizes = new Map(operands.flatMap(({ tensor, labels }) => labels.map((label, i) => [label, tensor.shape[i]!])));
  let best: readonly [number, number] = [0, 1];
  let least: readonly number[] = [Infinity];
  for (let i = 0; i < operands.length; i++) {
    for (let j = i + 1; j < operands.length; j++) {
      const [left, right] = [operands[i]!.labels, operands[j]!.labels];
      const needed = neededBeside(operands, [i, j], result);
      const all = new Set([...left, ...right]);
      const made = sizeOfLabels([...all].filter((label) => needed.has(label)), sizes); // prettier-ignore
      const isApart = left.some((label) => right.includes(label)) ? 0 : 1;
      const cost = [isApart, made - sizeOfLabels(left, sizes) - sizeOfLabels(right, sizes), sizeOfLabels(all, sizes)];
      if (!isLess(cost, least)) continue;
      best = [i, j];
      least = cost;
    }
  }
  return best;
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at >= 0 && a[at]! < (b[at] ?? Infinity);
}

/** The product of two operands, added up over the labels that nothing else needs. */
function product(
  left: Labelled,
  right: Labelled,
  needed: ReadonlySet<string>,
  wanted: readonly string[] | null,
  type: DType,
): Labelled {
  const common = left.labels.filter((label) => right.labels.includes(label));
  const contract = common.filter((label) => !needed.has(label));
  if (contract.length === 0) return outerProduct(left, right, wanted, type);
  const batch = common.filter((label) => needed.has(label));
  if (wanted) batch.sort((a, b) => wanted.indexOf(a) - wanted.indexOf(b));
  const freeOf = ({ labels }: Labelled) => labels.filter((label) => !common.includes(label));
  // the operand whose axes come first in the result goes to the left, so that the product has its order already
  const [first, second] = [freeOf(left), freeOf(right)].map(([label]) => (wanted && label ? wanted.indexOf(label) : 0));
  const [x, y] = first! > second! ? [right, left] : [left, right];
  return dot(withBatchFirst(x, batch), withBatchFirst(y, batch), batch, contract, type);
}

function withBatchFirst({ tensor, labels }: Labelled, batch: readonly string[]): Labelled {
  const order = [...batch, ...labels.filter((label) => !batch.includes(label))];
  const axes = order.map((label) => labels.indexOf(label));
  return { tensor: axes.every((axis, i) => axis === i) ? tensor : permuted(tensor, axes), labels: order };
}

function dot(x: Labelled, y: Labelled, batch: readonly string[], contract: readonly string[], type: DType): Labelled {
  const places = ({ labels }: Labelled, some: readonly string[]) => some.map((label) => labels.indexOf(label));
  const free = [x, y].flatMap(({ tensor, labels }) =>
    labels.flatMap((label, i) =>
      contract.includes(label) || batch.includes(label) ? [] : [[label, tensor.shape[i]!] as const],
    ),
  );
  const labels = [...batch, ...free.map(([label]) => label)];
  const shape = Object.freeze([...x.tensor.shape.slice(0, batch.length), ...free.map(([, size]) => size)]);
  checkSize(shape, "a product, shape");
  const first = allAxes(batch.length);
  const tensor = run(DOT, template(type, shape, unnamed(shape.length)), [x.tensor, y.tensor], {
    contract: [places(x, contract), places(y, contract)],
    batch: [first, first],
  });
  return { tensor, labels };
}

/** A product without sums: element by element, each operand stretched along the axes of the other. */
function outerProduct(x: Labelled, y: Labelled, wanted: readonly string[] | null, type: DType): Labelled {
  const labels = wanted ?? [...x.labels, ...y.labels.filter((label) => !x.labels.includes(label))];
  const spread = ({ tensor, labels: own }: Labelled): Tensor => {
    const present = labels.filter((label) => own.includes(label));
    const ordered = permuted(tensor, present.map((label) => own.indexOf(label))); // prettier-ignore
    return reshaped(ordered, labels.map((label) => (own.includes(label) ? tensor.shape[own.indexOf(label)]! : 1))); // prettier-ignore
  };
  const [left, right] = [spread(x), spread(y)];
  const shape = Object.freeze(left.shape.map((size, i) => Math.max(size, right.shape[i]!)));
  checkSize(shape, "a product, shape");
  const out = template(type, shape, unnamed(shape.length));
  return { tensor: run("binary", out, [left, right], { op: MULTIPLY, type }), labels };
}

function reshaped(t: Tensor, shape: Shape): Tensor {
  if (t.shape.length === shape.length) return t;
  return run("reshape", template(t.type, Object.freeze(shape.slice()), unnamed(shape.length)), [t], {});
}
