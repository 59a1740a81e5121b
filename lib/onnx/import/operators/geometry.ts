/**
 * Where windows of convolutions and pools lie: strides, dilations, and padding as attributes say it.
 */
import { ArgumentError, type Tensor } from "nx-numerics";
import { bounded, filled, type Call } from "../operator";

/** Where windows lie along the spatial axes. */
export interface Geometry {
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  readonly padding: readonly (readonly [low: number, high: number])[];
}

/** A list of integers, one for each of the spatial axes. */
function counts(call: Call, name: string, count: number, otherwise: number, least: number): readonly number[] {
  const list = call.attributes.ints(name) ?? filled(count, otherwise);
  if (list.length === count && list.every((entry) => entry >= least && Number.isSafeInteger(entry))) return list;
  throw new ArgumentError(`the attribute ${name} must be ${count} integers from ${least}, got: [${list.join(", ")}]`);
}

/** The windows of a kernel over a tensor `[batch, channels, ...]`. */
export function geometryOf(call: Call, x: Tensor, kernel: readonly number[]): Geometry {
  const sizes = x.shape.slice(2);
  const n = kernel.length;
  if (n !== sizes.length || n === 0) {
    throw new ArgumentError(`a kernel of ${n} axes does not fit an input of shape [${x.shape.join(", ")}]`);
  }
  const declared = call.attributes.ints("kernel_shape");
  if (declared && (declared.length !== n || declared.some((size, i) => size !== kernel[i]))) {
    throw new ArgumentError(
      `the attribute kernel_shape is [${declared.join(", ")}], the kernel [${kernel.join(", ")}]`,
    );
  }
  const strides = counts(call, "strides", n, 1, 1);
  const dilations = counts(call, "dilations", n, 1, 1);
  const reach = kernel.map((size, i) => (size - 1) * dilations[i]! + 1);
  const padding = paddingOf(call, sizes, reach, strides);
  const wide = sizes.map((size, i) => Math.max(1, size + padding[i]![0] + padding[i]![1]));
  bounded(call, [...x.shape.slice(0, 2), ...wide]);
  return { strides, dilations, padding };
}

/** How many windows of a kernel lie along each of the spatial axes, 0 where none fits; `added`: what `ceil_mode` pads at the end. */
export const windowCounts = (
  sizes: readonly number[],
  kernel: readonly number[],
  { strides, dilations, padding }: Geometry,
  added: readonly number[] = filled(kernel.length, 0),
): number[] =>
  kernel.map((size, i) => {
    const [low, high] = padding[i]!;
    const rest = sizes[i]! + low + high + added[i]! - (size - 1) * dilations[i]! - 1;
    return Math.max(0, Math.floor(rest / strides[i]!) + 1);
  });

type Pairs = readonly (readonly [number, number])[];

function paddingOf(call: Call, sizes: readonly number[], reach: readonly number[], strides: readonly number[]): Pairs {
  const auto = call.attributes.choice("auto_pad", ["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"], "NOTSET");
  const n = sizes.length;
  if (auto === "VALID") return filled(n, [0, 0] as const);
  if (auto === "NOTSET") {
    const pads = counts(call, "pads", 2 * n, 0, -(2 ** 31));
    return sizes.map((_, i) => [pads[i]!, pads[i + n]!] as const);
  }
  return sizes.map((size, i) => {
    const total = Math.max(0, (Math.ceil(size / strides[i]!) - 1) * strides[i]! + reach[i]! - size);
    const small = Math.floor(total / 2);
    return auto === "SAME_UPPER" ? [small, total - small] : [total - small, small];
  });
}

/** The geometry of pools: `ceil_mode` adds the windows that reach over the end, but none that begins beyond it. */
export function poolGeometry(
  call: Call,
  x: Tensor,
): Geometry & { readonly kernel: readonly number[]; readonly added: readonly number[] } {
  const kernel = call.attributes.ints("kernel_shape");
  if (!kernel) throw new ArgumentError("the attribute kernel_shape is missing");
  const sizes = x.shape.slice(2);
  const geometry = geometryOf(call, x, kernel);
  if (!call.attributes.flag("ceil_mode")) return { ...geometry, kernel, added: filled(kernel.length, 0) };
  const added = geometry.padding.map(([low, high], i) => {
    const [stride, reach] = [geometry.strides[i]!, (kernel[i]! - 1) * geometry.dilations[i]! + 1];
    const whole = sizes[i]! + low + high;
    const last = Math.ceil((whole - reach) / stride);
    const windows = last * stride >= sizes[i]! + low ? last : last + 1;
    return Math.max(0, (windows - 1) * stride + reach - whole);
  });
  return { ...geometry, kernel, added };
}
