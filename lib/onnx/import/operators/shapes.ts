/**
 * Operators that lay elements out anew: shapes, parts, joining, padding.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type DType, type Tensor } from "nx-numerics";
import {
  along,
  axesOf,
  axisOf,
  bounded,
  boundedJoin,
  broadcastShape,
  cast,
  filled,
  listOf,
  operator,
  pick,
  product,
  range,
  reshape,
  scalar,
  several,
  transpose,
  type Call,
  type Operators,
  type Result,
} from "../operator";
import { Empty, hasElements, integers, lengthsBetween, numberOf, numbersOf } from "../values";
import { padded } from "./padding";

type Array = Tensor | Empty;

/** Elements in another shape, which may have none. */
function laidOut(x: Array, shape: readonly number[]): Array {
  if (x instanceof Nx.Tensor) return reshape(x, shape);
  if (product(shape) === 0) return new Empty(x.type, shape);
  throw new ArgumentError(
    `an empty array of shape [${x.shape.join(", ")}] cannot have the shape [${shape.join(", ")}]`,
  );
}

function reshaped(call: Call, x: Array, input?: Array): Array {
  const given = listOf(call, input, "shape") ?? [];
  const keepsZero = call.attributes.flag("allowzero");
  const sizes = given.map((size, i) => (size === 0 && !keepsZero ? (x.shape[i] ?? 0) : size));
  const others = product(sizes.filter((size) => size !== -1));
  const open = others === 0 ? 0 : product(x.shape) / others;
  return laidOut(
    x,
    sizes.map((size) => (size === -1 ? open : size)),
  );
}

function flattened(call: Call, x: Tensor): Tensor {
  const rank = x.shape.length;
  const given = call.attributes.int("axis", 1);
  const axis = given === rank ? rank : axisOf(given, rank);
  const rows = product(x.shape.slice(0, axis));
  return reshape(x, [rows, x.size / rows]);
}

function squeezed(call: Call, x: Array, input?: Array): Array {
  const rank = x.shape.length;
  const given = listOf(call, input, "axes");
  const axes = given ? axesOf(given, rank) : range(rank).filter((i) => x.shape[i] === 1);
  const wrong = axes.find((axis) => x.shape[axis] !== 1);
  if (wrong !== undefined) throw new ArgumentError(`axis ${wrong} of [${x.shape.join(", ")}] is not of size 1`);
  return laidOut(
    x,
    x.shape.filter((_, i) => !axes.includes(i)),
  );
}

function unsqueezed(call: Call, x: Array, input?: Array): Array {
  const given = listOf(call, input, "axes") ?? [];
  const rank = x.shape.length + given.length;
  const axes = axesOf(given, rank);
  if (new Set(axes).size < axes.length) throw new ArgumentError(`axes must not repeat, got [${given.join(", ")}]`);
  const rest = [...x.shape];
  return laidOut(
    x,
    range(rank).map((i) => (axes.includes(i) ? 1 : rest.shift()!)),
  );
}

function concatenated(call: Call, ...inputs: Array[]): Array {
  const axis = call.attributes.int("axis");
  if (axis === undefined && call.opset >= 4) throw new ArgumentError("the attribute axis is missing");
  const at = axisOf(axis ?? 1, inputs[0]!.shape.length);
  const tensors = inputs.filter((input) => input instanceof Nx.Tensor);
  const shape = boundedJoin(call, inputs.map((input) => input.shape), at); // prettier-ignore
  if (tensors.length > 0) return tensors.length === 1 ? tensors[0]! : (Nx.concatenate(tensors, { axis: at }) as Tensor);
  return new Empty(inputs[0]!.type, shape);
}

function split(call: Call, x: Tensor, input?: Array): Result {
  const axis = axisOf(call.attributes.int("axis", 0), x.shape.length);
  const size = x.shape[axis]!;
  const count = call.attributes.int("num_outputs", call.outputs);
  if (!(count >= 1 && count <= call.limits.steps)) throw new ArgumentError(`cannot give ${count} parts`);
  const given = listOf(call, input, "split");
  const width = Math.ceil(size / count);
  if (given === undefined && call.opset < 18 && size % count !== 0)
    throw new ArgumentError(`${size} entries have no ${count} equal parts, which opset ${call.opset} asks for`);
  const lengths = given ?? range(count).map((i) => Math.max(0, Math.min(width, size - i * width)));
  if (lengths.length < call.outputs)
    throw new ArgumentError(`it gives ${lengths.length} parts, and names ${call.outputs} results`);
  if (lengths.reduce((a, b) => a + b, 0) !== size)
    throw new ArgumentError(`[${lengths.join(", ")}] does not add up to ${size}`);
  let start = 0;
  return several(...lengths.map((length) => part(x, axis, (start += length) - length, length)));
}

/** A part of an axis, which may have no entries. */
function part(x: Tensor, axis: number, start: number, length: number): Array {
  const size = x.shape[axis]!;
  if (length === size) return x;
  return length > 0
    ? along(x, axis, start, length)
    : new Empty(
        x.type,
        x.shape.map((old, i) => (i === axis ? 0 : old)),
      );
}

function sliced(call: Call, x: Array, ...inputs: (Array | undefined)[]): Array {
  const moving = inputs[0] instanceof Nx.Tensor && !hasElements(inputs[0]) ? inputs[0] : undefined;
  const extents = moving && lengthsBetween(moving, inputs[1]);
  if (moving && extents && x instanceof Nx.Tensor) return dynamicPart(call, x, moving, extents, inputs.slice(2));
  const [starts, ends, axes, steps] = ["starts", "ends", "axes", "steps"].map((name, i) =>
    listOf(call, inputs[i], name),
  );
  if (!starts || !ends || starts.length !== ends.length) throw new ArgumentError("it needs as many starts as ends");
  return (axes ?? range(starts.length)).reduce<Array>((t, given, i) => {
    const axis = axisOf(given, x.shape.length);
    const step = steps?.[i] ?? 1;
    const size = t.shape[axis]!;
    const [first, count] = stepsOf(starts[i]!, ends[i]!, step, size);
    if (t instanceof Empty || count === 0)
      return new Empty(
        t.type,
        t.shape.map((old, j) => (j === axis ? count : old)),
      );
    if (step === 1) return part(t, axis, first, count);
    if (step < 0)
      return pick(
        t,
        axis,
        range(count).map((j) => first + j * step),
      );
    const length = (count - 1) * step + 1;
    return Nx.sliceAlongAxis(t, first, length, { axis, strides: step }) as Tensor;
  }, x);
}

/** A part of known size whose start depends on data; it is moved so that it fits. */
function dynamicPart(
  call: Call,
  x: Tensor,
  starts: Tensor,
  extents: readonly number[],
  rest: readonly (Array | undefined)[],
): Tensor {
  const [axes, steps] = ["axes", "steps"].map((name, i) => listOf(call, rest[i], name));
  const rank = x.shape.length;
  const [from, lengths, strides] = [filled<number | Tensor>(rank, 0), [...x.shape], filled(rank, 1)];
  axesOf(axes ?? range(extents.length), rank).forEach((axis, i) => {
    const start = scalar(along(starts, 0, i, 1));
    from[axis] = Nx.where(Nx.less(start, 0), Nx.add(start, x.shape[axis]!), start) as Tensor;
    lengths[axis] = extents[i]!;
    strides[axis] = steps?.[i] ?? 1;
  });
  return Nx.slice(x, from, lengths, { strides }) as Tensor;
}

/** The first entry of a part and how many there are. Both ends count from the end where they are negative, and are clamped: a start to an entry. */
function stepsOf(start: number, end: number, step: number, size: number): readonly [first: number, count: number] {
  if (!Number.isSafeInteger(step) || step === 0) throw new ArgumentError(`steps must not be 0, got: ${step}`);
  const [least, most] = step > 0 ? [0, size] : [-1, size - 1];
  const clamped = (at: number, low: number): number => Math.min(most, Math.max(low, at < 0 ? at + size : at));
  const first = clamped(start, 0);
  return [first, Math.max(0, Math.ceil((clamped(end, least) - first) / step))];
}

function tiled(call: Call, x: Tensor, repeats: Array): Tensor {
  const counts = numbersOf(repeats, "repeats");
  bounded(
    call,
    counts.map((count, i) => count * (x.shape[i] ?? 1)),
  );
  return Nx.tile(x, counts) as Tensor;
}

function expanded(call: Call, x: Tensor, input: Array): Tensor {
  return Nx.broadcast(x, bounded(call, broadcastShape(x.shape, numbersOf(input, "shape")))) as Tensor;
}

function shapeOf(call: Call, x: Array): Array {
  const end = call.attributes.int("end");
  return integers(x.shape.slice(call.attributes.int("start", 0), end ?? x.shape.length));
}

/** Blocks of channels as blocks of rows and columns. */
function depthToSpace(call: Call, x: Tensor): Tensor {
  const size = call.attributes.int("blocksize", 1);
  const [n, c, h, w] = fourAxes(x);
  const channels = c / size ** 2;
  const isColumns = call.attributes.choice("mode", ["DCR", "CRD"], "DCR") === "CRD";
  const parted = reshape(x, isColumns ? [n, channels, size, size, h, w] : [n, size, size, channels, h, w]);
  const moved = transpose(parted, isColumns ? [0, 1, 4, 2, 5, 3] : [0, 3, 4, 1, 5, 2]);
  return reshape(moved, [n, channels, h * size, w * size]);
}

function spaceToDepth(call: Call, x: Tensor): Tensor {
  const size = call.attributes.int("blocksize", 1);
  const [n, c, h, w] = fourAxes(x);
  const parted = reshape(x, [n, c, h / size, size, w / size, size]);
  return reshape(transpose(parted, [0, 3, 5, 1, 2, 4]), [n, c * size ** 2, h / size, w / size]);
}

const fourAxes = ({ shape }: Tensor) => shape as unknown as readonly [number, number, number, number];

/** The upper or the lower triangle of matrices, from a diagonal on. */
function triangle(call: Call, x: Tensor, input?: Tensor): Tensor {
  const k = input === undefined ? 0 : numberOf(input, "k");
  const [rows, columns] = x.shape.slice(-2) as [number, number];
  const type: DType = "s64";
  const row = Nx.iota([rows, columns], { axis: 0, type });
  const column = Nx.iota([rows, columns], { axis: 1, type });
  const kept = call.attributes.flag("upper", true)
    ? Nx.greaterEqual(column, Nx.add(row, k))
    : Nx.lessEqual(column, Nx.add(row, k));
  return Nx.where(kept, x, Nx.zerosLike(x)) as Tensor;
}

/** Padding by the attributes of old versions, or by inputs. */
function pad(call: Call, x: Tensor, pads?: Array, value?: Tensor, over?: Array): Tensor {
  const list =
    pads === undefined
      ? (call.attributes.ints("pads") ?? call.attributes.ints("paddings") ?? [])
      : numbersOf(pads, "pads");
  const rank = x.shape.length;
  const axes = over === undefined ? range(rank) : axesOf(numbersOf(over, "axes"), rank);
  if (list.length !== 2 * axes.length) throw new ArgumentError(`it needs ${2 * axes.length} pads, got ${list.length}`);
  const sides = filled<readonly [number, number]>(rank, [0, 0]);
  axes.forEach((axis, i) => (sides[axis] = [list[i]!, list[i + axes.length]!]));
  bounded(
    call,
    x.shape.map((size, i) => Math.max(1, size + sides[i]![0] + sides[i]![1])),
  );
  const mode = call.attributes.choice("mode", ["constant", "reflect", "edge", "wrap"], "constant");
  const fill = value === undefined ? Nx.tensor(call.attributes.float("value", 0), { type: x.type }) : scalar(value);
  return padded(x, sides, mode, cast(fill, x.type));
}

/** Each row of a batch with its first entries, as many as its length says, in reverse. */
function reverseSequence(call: Call, x: Tensor, lengths: Tensor): Tensor {
  const [time, batch] = [call.attributes.int("time_axis", 0), call.attributes.int("batch_axis", 1)];
  if (time + batch !== 1) throw new ArgumentError("time_axis and batch_axis must be 0 and 1");
  const [steps, rows] = [x.shape[time]!, x.shape[batch]!];
  const at = Nx.iota([steps, rows], { axis: 0 });
  const wide = reshape(cast(lengths, "s64"), [1, rows]);
  const turned = Nx.where(Nx.less(at, wide), Nx.subtract(Nx.subtract(wide, 1), at), at) as Tensor;
  const ordered = time === 0 ? turned : transpose(turned, [1, 0]);
  const indices = Nx.broadcast(reshape(ordered, [...ordered.shape, ...filled(x.shape.length - 2, 1)]), x.shape);
  return Nx.takeAlongAxis(x, indices, { axis: time }) as Tensor;
}

/** The middle of axes, cut or padded to sizes. */
function centerCropPad(call: Call, x: Tensor, shape: Array): Tensor {
  const rank = x.shape.length;
  const axes = axesOf(call.attributes.ints("axes") ?? range(rank), rank);
  const sizes = numbersOf(shape, "shape");
  const sides = filled<readonly [number, number]>(rank, [0, 0]);
  axes.forEach((axis, i) => {
    const more = sizes[i]! - x.shape[axis]!;
    const low = more < 0 ? -Math.floor(-more / 2) : Math.floor(more / 2);
    sides[axis] = [low, more - low];
  });
  bounded(
    call,
    x.shape.map((size, i) => size + sides[i]![0] + sides[i]![1]),
  );
  return padded(x, sides, "constant", Nx.tensor(0, { type: x.type }));
}

export const SHAPES: Operators = {
  CenterCropPad: operator(2, centerCropPad, { known: [1] }),
  Concat: operator([1, Infinity], concatenated, { takes: "any" }),
  DepthToSpace: operator(1, depthToSpace),
  Expand: operator(2, expanded, { known: [1] }),
  Flatten: operator(1, flattened),
  Pad: operator([1, 4], pad, { known: [1, 3] }),
  Reshape: operator([1, 2], reshaped, { known: [1], empty: [0], note: "no results without elements" }),
  ReverseSequence: operator(2, reverseSequence),
  Shape: operator(1, shapeOf, { takes: "shapes" }),
  Size: operator(1, (_: Call, x: Array) => Nx.tensor(product(x.shape), { type: "s64" }), { takes: "shapes" }),
  Slice: operator([1, 5], sliced, {
    known: [1, 2, 3, 4],
    empty: [0],
    note: "a start may depend on data where the end is the start and a constant",
  }),
  SpaceToDepth: operator(1, spaceToDepth),
  Split: operator([1, 2], split, { known: [1] }),
  Squeeze: operator([1, 2], squeezed, { known: [1], empty: [0] }),
  Tile: operator(2, tiled, { known: [1] }),
  Transpose: operator(1, (call: Call, x: Tensor) =>
    transpose(x, call.attributes.ints("perm") ?? range(x.shape.length).reverse()),
  ),
  Trilu: operator([1, 2], triangle, { known: [1] }),
  Unsqueeze: operator([1, 2], unsqueezed, { known: [1], empty: [0] }),
};
