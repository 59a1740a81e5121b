/**
 * Operators that gather many elements in one: sums, extremes, positions, running sums, sorting.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Tensor } from "nx-numerics";
import {
  along,
  axesOf,
  axisOf,
  cast,
  isFloat,
  listOf,
  operator,
  pick,
  range,
  reshape,
  wrapped,
  type Call,
  type Operator,
  type Operators,
} from "../operator";
import { hasElements, numberOf, type Empty } from "../values";
import { several, type Result } from "../operator";

interface Over {
  readonly axes: readonly number[];
  readonly keepAxes: boolean;
}

type Reduction = (x: Tensor, over: Over) => Tensor;

/** Axes are an attribute in older versions, an input in newer ones; none of them means all, or none. */
function reduction(fn: Reduction): Operator {
  const rule = (call: Call, x: Tensor | Empty, input?: Tensor | Empty): Tensor => {
    const t = x instanceof Nx.Tensor ? x : neutral(x);
    const given = listOf(call, input, "axes") ?? [];
    const rank = t.shape.length;
    // what gathers nothing still squares, or takes the absolute value: each element is gathered alone
    if (rank === 0 || (given.length === 0 && call.attributes.flag("noop_with_empty_axes"))) {
      return wrapped(fn(reshape(t, [...t.shape, 1]), { axes: [rank], keepAxes: false }), t.type);
    }
    const axes = given.length === 0 ? range(rank) : axesOf(given, rank);
    return wrapped(fn(t, { axes, keepAxes: call.attributes.flag("keepdims", true) }), t.type);
  };
  return operator([1, 2], rule, { known: [1] });
}

const neutral = (x: Empty): never => {
  throw new ArgumentError(`cannot reduce an empty array of shape [${x.shape.join(", ")}]`);
};

const sum: Reduction = (x, over) => Nx.sum(x, over) as Tensor;
const squares = (x: Tensor): Tensor => Nx.multiply(x, x) as Tensor;

/** The position of an extreme; the first of equal ones unless asked for the last. */
const position = (fn: typeof Nx.argmax): Operator =>
  operator(1, (call: Call, x: Tensor) => {
    const axis = axisOf(call.attributes.int("axis", 0), x.shape.length);
    const keepAxis = call.attributes.flag("keepdims", true);
    const tieBreak = call.attributes.flag("select_last_index") ? "high" : "low";
    return cast(fn(x, { axis, keepAxis, tieBreak }) as Tensor, "s64");
  });

/** A running reduction; `exclusive` ones have in each place what was there before it. */
function running(fn: (x: Tensor, axis: number, reverse: boolean) => Tensor, neutralElement: number): Operator {
  const rule = (call: Call, x: Tensor, input: Tensor): Tensor => {
    const axis = axisOf(numberOf(input, "axis"), x.shape.length);
    const reverse = call.attributes.flag("reverse");
    const whole = wrapped(fn(x, axis, reverse), x.type);
    if (!call.attributes.flag("exclusive")) return whole;
    const shift: readonly [number, number] = reverse ? [-1, 1] : [1, -1];
    return Nx.pad(
      whole,
      neutralElement,
      range(x.shape.length).map((i) => (i === axis ? shift : [0, 0])),
    ) as Tensor;
  };
  return operator(2, rule, { known: [1] });
}

/** The largest or smallest entries of an axis and their positions; the first of equal ones comes first. */
function topK(call: Call, x: Tensor, input?: Tensor): Result {
  const axis = axisOf(call.attributes.int("axis", -1), x.shape.length);
  const k = input === undefined ? call.attributes.int("k", 1) : numberOf(input, "k");
  const direction = call.attributes.flag("largest", true) ? "desc" : "asc";
  const order = along(Nx.argsort(x, { axis, direction, stable: true }) as Tensor, axis, 0, k);
  return several(Nx.takeAlongAxis(x, order, { axis }) as Tensor, cast(order, "s64"));
}

/** The elements of a tensor that decides a shape. */
export function elements(x: Tensor, what: string): readonly (number | bigint)[] {
  if (hasElements(x)) return Nx.toFlatList(x) as (number | bigint)[];
  throw new ArgumentError(
    `${what} is a shape that depends on data, which has no values while it is traced; call the model outside of defn, grad and vmap`,
  );
}

/** Each entry once: where it stands first, for each entry the position among those, and how often each is there. */
function unique(call: Call, x: Tensor): Result {
  const axis = call.attributes.int("axis");
  const rows = axis === undefined ? reshape(x, [x.size]) : x;
  const at = axis === undefined ? 0 : axisOf(axis, x.shape.length);
  const entries = entriesOf(rows, at);
  const groups = new Map<string, number[]>();
  entries.forEach((entry, i) => {
    const key = entry.join();
    const group = groups.get(key);
    if (group) group.push(i);
    else groups.set(key, [i]);
  });
  const lists = [...groups.values()];
  if (call.attributes.flag("sorted", true)) lists.sort(([a], [b]) => compared(entries[a!]!, entries[b!]!));
  const firsts = lists.map(([first]) => first!);
  const inverse = entries.map(() => 0);
  lists.forEach((list, group) => list.forEach((i) => (inverse[i] = group)));
  const s64 = (list: number[]): Tensor => Nx.tensor(list, { type: "s64" });
  return several(pick(rows, at, firsts), s64(firsts), s64(inverse), s64(lists.map((list) => list.length)));
}

type Entry = readonly (number | bigint)[];

function entriesOf(x: Tensor, axis: number): Entry[] {
  const [front, ...rest] = [axis, ...range(x.shape.length).filter((i) => i !== axis)];
  const moved = elements(Nx.transpose(x, { axes: [front!, ...rest] }) as Tensor, "what is unique");
  const width = moved.length / x.shape[axis]!;
  return range(x.shape[axis]!).map((i) => moved.slice(i * width, (i + 1) * width));
}

function compared(a: Entry, b: Entry): number {
  const i = a.findIndex((element, j) => element !== b[j]);
  return i < 0 ? 0 : a[i]! < b[i]! ? -1 : 1;
}

export const REDUCTIONS: Operators = {
  ArgMax: position(Nx.argmax),
  ArgMin: position(Nx.argmin),
  CumProd: running((x, axis, reverse) => Nx.cumulativeProduct(x, { axis, reverse }) as Tensor, 1),
  CumSum: running((x, axis, reverse) => Nx.cumulativeSum(x, { axis, reverse }) as Tensor, 0),
  ReduceL1: reduction((x, over) => sum(Nx.abs(x) as Tensor, over)),
  ReduceL2: reduction((x, over) => Nx.sqrt(sum(squares(x), over)) as Tensor),
  ReduceLogSum: reduction((x, over) => Nx.log(sum(x, over)) as Tensor),
  ReduceLogSumExp: reduction((x, over) => Nx.logSumExp(x, over) as Tensor),
  ReduceMax: reduction((x, over) => Nx.reduceMax(x, over) as Tensor),
  ReduceMean: reduction((x, over) => (isFloat(x.type) ? Nx.mean(x, over) : Nx.trunc(Nx.mean(x, over))) as Tensor),
  ReduceMin: reduction((x, over) => Nx.reduceMin(x, over) as Tensor),
  ReduceProd: reduction((x, over) => Nx.product(x, over) as Tensor),
  ReduceSum: reduction(sum),
  ReduceSumSquare: reduction((x, over) => sum(squares(x), over)),
  TopK: operator([1, 2], topK, { known: [1] }),
  Unique: operator(1, unique, { note: "the input must be known" }),
};
