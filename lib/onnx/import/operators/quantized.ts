/**
 * Quantized operators: integers with a scale and a zero point, of the whole tensor or of each entry of an axis.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type DType, type Tensor } from "nx-numerics";
import {
  axisOf,
  cast,
  filled,
  operator,
  overChannels,
  pick,
  range,
  reshape,
  scalar,
  several,
  type Call,
  type Operators,
  type Result,
} from "../operator";
import { typeAttribute } from "./elementwise";
import { geometryOf } from "./geometry";
import { convolved, matmul } from "./linear";

/** A scale or zero point along the axis that it is of. */
function along(t: Tensor, rank: number, axis: number): Tensor {
  return t.size === 1 ? scalar(t) : reshape(t, [...filled(axis, 1), t.size, ...filled(rank - axis - 1, 1)]);
}

/** Scales or zero points of the entries of a tensor: one for all, one for each entry of an axis, or one for each block of it. */
function spread(call: Call, x: Tensor, t: Tensor): Tensor {
  const axis = quantizedAxis(call, x);
  const block = call.attributes.int("block_size", 0);
  if (block === 0) return along(t, x.shape.length, axis);
  const size = x.shape[axis]!;
  if (!(block >= 1 && Math.ceil(size / block) === t.shape[axis]))
    throw new ArgumentError(
      `axis ${axis} of size ${size} in blocks of ${block} needs ${Math.ceil(size / block)} scales, got ${t.shape[axis]}`,
    );
  return pick(t, axis, range(size).map((i) => Math.floor(i / block))); // prettier-ignore
}

const quantizedAxis = (call: Call, x: Tensor): number =>
  x.shape.length === 0 ? 0 : Math.max(0, axisOf(clampAxis(call, x), x.shape.length));

/** The axis says nothing where there is one scale; files then have any. */
const clampAxis = (call: Call, x: Tensor): number => {
  const axis = call.attributes.int("axis", 1);
  return axis >= -x.shape.length && axis < x.shape.length ? axis : 0;
};

/** Floats as integers of a type: rounded to even, moved, and held within its limits. */
function quantized(x: Tensor, zero: Tensor | null, type: DType): Tensor {
  const rounded = Nx.roundEven(x);
  const moved = zero === null ? rounded : Nx.add(rounded, cast(zero, x.type));
  return Nx.asType(Nx.clip(moved, Number(Nx.Type.min(type)), Number(Nx.Type.max(type))), type) as Tensor;
}

function quantize(call: Call, x: Tensor, scale: Tensor, zero?: Tensor): Tensor {
  const wide = cast(x, typeAttribute(call, "precision", scale.type));
  const type = zero?.type ?? typeAttribute(call, "output_dtype", "u8");
  return quantized(
    Nx.divide(wide, cast(spread(call, x, scale), wide.type)) as Tensor,
    zero ? spread(call, x, zero) : null,
    type,
  );
}

function dequantize(call: Call, x: Tensor, scale: Tensor, zero?: Tensor): Tensor {
  const wide = cast(x, "s32");
  const moved = zero ? Nx.subtract(wide, cast(spread(call, x, zero), "s32")) : wide;
  const whole = Nx.multiply(cast(moved as Tensor, scale.type), spread(call, x, scale)) as Tensor;
  return cast(whole, typeAttribute(call, "output_dtype", scale.type));
}

/** A tensor as `u8` with the scale and zero point that its extremes give. */
function dynamicQuantize(_: Call, x: Tensor): Result {
  const low = Nx.min(Nx.reduceMin(x), 0);
  const high = Nx.max(Nx.reduceMax(x), 0);
  const range = Nx.divide(Nx.subtract(high, low), 255) as Tensor;
  const scale = Nx.where(Nx.equal(range, 0), Nx.onesLike(range), range) as Tensor;
  const zero = quantized(Nx.divide(Nx.negate(low), scale) as Tensor, null, "u8");
  return several(quantized(Nx.divide(x, scale) as Tensor, zero, "u8"), cast(scale, x.type), zero);
}

/** An integer tensor less its zero point, which may be of each row or column. */
function centred(x: Tensor, zero: Tensor | undefined, axis: number): Tensor {
  const wide = cast(x, "s32");
  if (zero === undefined) return wide;
  const rank = x.shape.length;
  const point = cast(zero, "s32");
  const moved =
    point.size === 1 || point.shape.length !== 1
      ? point.size === 1
        ? scalar(point)
        : point
      : along(point, rank, axis);
  return Nx.subtract(wide, moved) as Tensor;
}

const matmulInteger = (call: Call, a: Tensor, b: Tensor, aZero?: Tensor, bZero?: Tensor): Tensor =>
  matmul(call, centred(a, aZero, a.shape.length - 2), centred(b, bZero, b.shape.length - 1));

function convInteger(call: Call, x: Tensor, w: Tensor, xZero?: Tensor, wZero?: Tensor): Tensor {
  const geometry = geometryOf(call, x, w.shape.slice(2));
  // convolutions of integers give floats; doubles hold all sums of products of bytes
  const [left, right] = [cast(centred(x, xZero, 1), "f64"), cast(centred(w, wZero, 0), "f64")];
  return cast(convolved(call, left, right, geometry, call.attributes.int("group", 1)), "s32");
}

/** Sums of products in integers as the integers of another scale. */
function requantized(sums: Tensor, scale: Tensor, to: Tensor, zero: Tensor): Tensor {
  const wide: DType = to.type === "f16" || to.type === "bf16" ? "f32" : to.type;
  return quantized(
    Nx.multiply(cast(sums, wide), Nx.divide(cast(scale, wide), cast(to, wide))) as Tensor,
    zero,
    zero.type,
  );
}

function qLinearMatMul(
  call: Call,
  a: Tensor,
  aScale: Tensor,
  aZero: Tensor,
  b: Tensor,
  bScale: Tensor,
  bZero: Tensor,
  yScale: Tensor,
  yZero: Tensor,
): Tensor {
  const [rowsA, columnsB] = [a.shape.length - 2, b.shape.length - 1];
  const sums = matmul(call, centred(a, aZero, rowsA), centred(b, bZero, columnsB));
  const rank = sums.shape.length;
  const own = (t: Tensor, axis: number): Tensor => (t.size > 1 && t.shape.length > 1 ? t : along(t, rank, axis));
  const scale = Nx.multiply(own(aScale, rank - 2), own(bScale, rank - 1)) as Tensor;
  return requantized(sums, scale, own(yScale, rank - 2), own(yZero, rank - 2));
}

function qLinearConv(
  call: Call,
  x: Tensor,
  xScale: Tensor,
  xZero: Tensor,
  w: Tensor,
  wScale: Tensor,
  wZero: Tensor,
  yScale: Tensor,
  yZero: Tensor,
  bias?: Tensor,
): Tensor {
  const sums = convInteger(call, x, w, xZero, wZero);
  const rank = sums.shape.length;
  const whole = bias === undefined ? sums : (Nx.add(sums, overChannels(bias, rank)) as Tensor);
  const scale = Nx.multiply(scalar(xScale), along(wScale, rank, 1)) as Tensor;
  return requantized(whole, scale, scalar(yScale), scalar(yZero));
}

const WIDTHS = "types of 8, 16 and 32 bits";

export const QUANTIZED: Operators = {
  ConvInteger: operator([2, 4], convInteger),
  DequantizeLinear: operator([2, 3], dequantize, { note: WIDTHS }),
  DynamicQuantizeLinear: operator(1, dynamicQuantize),
  MatMulInteger: operator([2, 4], matmulInteger),
  QLinearConv: operator([8, 9], qLinearConv),
  QLinearMatMul: operator(8, qLinearMatMul),
  QuantizeLinear: operator([2, 3], quantize, { note: WIDTHS }),
};
