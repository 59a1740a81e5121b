/**
 * The class of quantized tensors: a tensor of integers and the format that says what they stand for. What can be computed with
 * them stands elsewhere.
 */
import { container, type Visit } from "../container";
import { brandOf } from "../core/copies";
import { show } from "../core/errors";
import { formatShape, type Names, type Shape } from "../core/shape";
import { bodyOf } from "../nx/inspect";
import { Tensor } from "../tensor";
import { keyOf, limitsOf, realOf, stepOf, type Format, type FormatType } from "./format";
import { QuantizedError } from "./status";

const brand = brandOf("a quantized tensor");

/**
 * A tensor of integers that stand for real numbers: immutable, made by the functions of the namespace. It is a container of its
 * tensor, so that functions made by `defn` take and return it; its format is part of their signature.
 */
export class Quantized<N extends Names = Names> {
  /** The integers: `s8` for `sa8` and `fx8`, `s16` for `fx16`. */
  readonly values: Tensor<N>;
  /** What the integers stand for; frozen. */
  readonly format: Format;

  /** @internal */
  constructor(values: Tensor<N>, format: Format) {
    this.values = values;
    this.format = format;
    Object.freeze(this);
  }

  get [Symbol.for("nx-numerics")](): unknown {
    return brand;
  }

  /** Name of the format. */
  get type(): FormatType {
    return this.format.type;
  }

  /** Size of each axis. */
  get shape(): Shape {
    return this.values.shape;
  }

  /** Name of each axis or null. */
  get names(): N {
    return this.values.names;
  }

  /** Number of axes. */
  get rank(): number {
    return this.values.rank;
  }

  /** Number of elements. */
  get size(): number {
    return this.values.size;
  }

  /** The format is written into the key: what is traced for one format must not run for another. */
  [container](visit: Visit): Quantized<N> {
    return new Quantized(visit(this.values, keyOf(this.format)), this.format);
  }

  /** Format, shape, the numbers that can be held, and the integers. */
  toString(): string {
    return describe(this);
  }

  /** @internal */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return describe(this);
  }
}

/** The argument as a quantized tensor. */
export function checkQuantized(value: unknown, fn: string, what: string): Quantized {
  if (value instanceof Quantized && value.values instanceof Tensor) return value;
  throw new QuantizedError(
    "BAD_TENSOR",
    `${fn} expects ${what} as a quantized tensor, got: ${show(value)}; make one with Nx.Quantized.quantize(tensor, format)`,
  );
}

function describe({ values, format, type }: Quantized): string {
  const [low, high] = limitsOf(type).map((element) => realOf(element, format));
  const shape = values.shape.length === 0 ? "" : formatShape(values.shape, values.names);
  const zero = format.type === "sa8" ? `, zero point ${format.zeroPoint}` : "";
  const body = bodyOf(values);
  const lines = [`${type}${shape}`, `step ${stepOf(format)}${zero}, from ${low} to ${high}`, ...body.split("\n")];
  return `#Nx.Quantized<\n${lines.map((line) => `  ${line}`).join("\n")}\n>`;
}

/**
 * The text of a quantized tensor: format, shape with axis names, the distance of neighbouring numbers, the numbers that can be
 * held, and the integers. `String(quantized)` and Node's console show it as well.
 *
 * @param quantized - a quantized tensor
 * @returns several lines of text
 * @throws QuantizedError for anything else
 * @example
 * ```ts
 * const format = { type: "sa8", scale: 3, scaleFracBits: 4, zeroPoint: 5 } as const;
 * Nx.Quantized.inspect(Nx.Quantized.quantize(Nx.f32([-3, 0, 3], { names: ["x"] }), format));
 * // => #Nx.Quantized<
 * //   sa8[x: 3]
 * //   step 0.1875, zero point 5, from -24.9375 to 22.875
 * //   [-11, 5, 21]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.Quantized.inspect(Nx.tensor([1, 2]) as never);
 * // throws QuantizedError: Nx.Quantized.inspect expects its argument as a quantized tensor, got: a tensor s64[2]
 * ```
 */
export function inspect(quantized: Quantized): string {
  return describe(checkQuantized(quantized, "Nx.Quantized.inspect", "its argument"));
}
