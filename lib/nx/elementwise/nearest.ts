/**
 * Rounding to the nearest number: to whole ones, or to decimals.
 */
import { ROUND, ROUND_EVEN } from "../../backends/ops";
import { ArgumentError } from "../../core/errors";
import { checkOptions, integerOption } from "../../core/options";
import type { Names } from "../../core/shape";
import { isInteger } from "../../core/types";
import { refuseComplex } from "../../ops";
import type { Operand, Tensor } from "../../tensor";
import { asTensor } from "../dispatch";
import { multiply } from "./arithmetic";
import { less } from "./comparison";
import { inDoubles, named, unary, type UnaryFunction } from "./core";
import { divide } from "./division";
import { where } from "./selection";
import { abs } from "./sign";

/** Options of `Nx.round` and `Nx.roundEven`. */
export interface RoundOptions {
  /** Decimals that are kept: 2 rounds 3.14159 to 3.14, -2 rounds 1234.5 to 1200; 0 when left out. */
  readonly decimals?: number;
}

/** A function that rounds to the nearest number; it keeps type, shape and names. */
export type RoundFunction = <N extends Names = readonly []>(tensor: Operand<N>, options?: RoundOptions) => Tensor<N>;

/** Decimals at most: the powers of ten are finite. */
const DECIMALS = 308;
/** Doubles from here on are whole. */
const WHOLE = 2 ** 52;

/** A function of the nearest number, with decimals where they are asked for, as NumPy rounds: a multiple of a power of ten. */
function nearest(op: "round" | "roundEven", whole: UnaryFunction): RoundFunction {
  const fn = `Nx.${op}`;
  const apply = (operand: Operand, given?: RoundOptions): Tensor => {
    if (given === undefined) return whole(operand);
    const decimals = integerOption(fn, "decimals", checkOptions(fn, given, ["decimals"])?.decimals, 0, -DECIMALS);
    const t = asTensor(operand, fn);
    refuseComplex(fn, t.type);
    if (decimals > DECIMALS)
      throw new ArgumentError(`option decimals of ${fn} must be at most ${DECIMALS}, got: ${decimals}`);
    if (isInteger(t.type) && decimals < 0) {
      throw new ArgumentError(
        `${fn} keeps integers, got ${t.type} and ${decimals} decimals; convert them first with asType("f64")`,
      );
    }
    if (decimals === 0 || isInteger(t.type)) return whole(t);
    const power = 10 ** Math.abs(decimals);
    const [there, back] = decimals > 0 ? [multiply, divide] : [divide, multiply];
    return inDoubles(op, t, (x) => {
      const scaled = there(x, power);
      return where(less(abs(scaled), WHOLE), back(whole(scaled), power), x) as Tensor;
    });
  };
  return named(op, apply) as RoundFunction;
}

/**
 * Rounds each element to the nearest whole number, and halves away from zero: 2.5 to 3, -2.5 to -3.
 *
 * `Math.round` takes halves up instead, to -2. An integer tensor is returned unchanged.
 *
 * @param tensor - a real tensor or number
 * @param options - `decimals` to keep, 0 when left out; fewer than 0 round to tens, hundreds and so on
 * @returns a tensor of the same type, shape and names: floats stay floats
 * @throws ArgumentError for complex operands, and for integers with fewer than 0 decimals
 * @example
 * ```ts
 * Nx.round(Nx.tensor([-1, 0, 1], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 3]
 * //   [-1, 0, 1]
 * // >
 * Nx.round(Nx.tensor([-2.5, -1.5, -0.3, 0.5, 1.4, 2.5], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 6]
 * //   [-3.0, -2.0, -0.0, 1.0, 1.0, 3.0]
 * // >
 * Nx.round(Nx.f64([0.125, -1234.5678], { names: ["x"] }), { decimals: 2 });
 * // => #Nx.Tensor<
 * //   f64[x: 2]
 * //   [0.13, -1234.57]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.round(Nx.f64([0.49999999999999994, 4503599627370497, NaN]));
 * // => #Nx.Tensor<
 * //   f64[3]
 * //   [0.0, 4503599627370497.0, NaN]
 * // >
 * Nx.round(new Nx.Complex(1.5, 2.5));
 * // throws ArgumentError: Nx.round is not defined for complex tensors, got type c64
 * ```
 */
export const round: RoundFunction = nearest("round", unary(ROUND));

/**
 * Rounds each element to the nearest whole number, and halves to the even one: 2.5 to 2, 3.5 to 4.
 *
 * That is how NumPy and PyTorch round; {@link round} takes halves away from zero. What is rounded to zero keeps its sign, and an
 * integer tensor is returned unchanged.
 *
 * @param tensor - a real tensor or number
 * @param options - `decimals` to keep, 0 when left out; fewer than 0 round to tens, hundreds and so on
 * @returns a tensor of the same type, shape and names: floats stay floats
 * @throws ArgumentError for complex operands, and for integers with fewer than 0 decimals
 * @example
 * ```ts
 * Nx.roundEven(Nx.tensor([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5], { names: ["x"] }));
 * // => #Nx.Tensor<
 * //   f32[x: 6]
 * //   [-2.0, -2.0, -0.0, 0.0, 2.0, 2.0]
 * // >
 * Nx.roundEven(Nx.tensor([-1, 0, 1]));
 * // => #Nx.Tensor<
 * //   s64[3]
 * //   [-1, 0, 1]
 * // >
 * Nx.roundEven(Nx.f64([0.125, -1234.5678]), { decimals: 2 });
 * // => #Nx.Tensor<
 * //   f64[2]
 * //   [0.12, -1234.57]
 * // >
 * ```
 * @example
 * ```ts
 * Nx.roundEven(new Nx.Complex(1.5, 2.5));
 * // throws ArgumentError: Nx.roundEven is not defined for complex tensors, got type c64; take Nx.abs, Nx.real or Nx.imag first
 * ```
 */
export const roundEven: RoundFunction = nearest("roundEven", unary(ROUND_EVEN));
