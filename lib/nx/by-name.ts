/**
 * Element-wise work aligned by name: functions that align axes by position, with operands whose axes are brought into one order first.
 */
import type { ByNames, MetByName } from "../core/axis-types";
import { entry } from "../core/entry";
import { ArgumentError, show } from "../core/errors";
import { checkOptions } from "../core/options";
import { formatShape, type Names } from "../core/shape";
import type { AllNamed, DivideOptions } from "../methods";
import { BINARY, type BinaryOp } from "../ops";
import type { Operand, Tensor } from "../tensor";
import * as composites from "./composites";
import { asTensor, isStrong, isWeak } from "./dispatch";
import * as elementwise from "./elementwise";
import { align, allNamed } from "./shape/align";

/** An element-wise function of two tensors whose axes meet by name. */
export type ByNameFunction = <L extends Names = readonly [], R extends Names = readonly []>(
  left: AllNamed<L>,
  right: AllNamed<R>,
) => Tensor<MetByName<L, R>>;

/** The same for quotients. */
export type ByNameDivision = <L extends Names = readonly [], R extends Names = readonly []>(
  left: AllNamed<L>,
  right: AllNamed<R>,
  options?: DivideOptions,
) => Tensor<MetByName<L, R>>;

/** Bounds of `Nx.byName.clamp`, whose axes the result has too. */
export interface ByNameBounds<L extends Names, H extends Names> {
  /** The least value of the result. */
  readonly min?: AllNamed<L>;
  /** The greatest value of the result. */
  readonly max?: AllNamed<H>;
}

const DIVISIONS = ["div", "divide"] as const;
const FURTHER = ["copysign", "idiv", "mod", "mul", "sub"] as const;

/** Functions of two tensors that `Nx.byName` has. */
export type ByNameOp = BinaryOp | (typeof FURTHER)[number] | (typeof DIVISIONS)[number];

/** What `Nx.byName` has: every element-wise op of two tensors with its short names, and functions that choose and bound. */
export type ByName = {
  /** The function of that name, with operands whose axes meet by name. */
  readonly [F in ByNameOp]: F extends (typeof DIVISIONS)[number] ? ByNameDivision : ByNameFunction;
} & {
  /** As `Nx.where`: elements of one tensor where a condition holds, of another where it does not. */
  readonly where: <P extends Names = readonly [], A extends Names = readonly [], B extends Names = readonly []>(
    pred: AllNamed<P>,
    onTrue: AllNamed<A>,
    onFalse: AllNamed<B>,
  ) => Tensor<MetByName<ByNames<P, A>, B>>;
  /** As `Nx.clamp`: elements that are no less than one bound and no greater than the other. */
  readonly clamp: <N extends Names = readonly [], L extends Names = readonly [], H extends Names = readonly []>(
    tensor: AllNamed<N>,
    options: ByNameBounds<L, H>,
  ) => Tensor<MetByName<ByNames<N, L>, H>>;
};

type AnyFunction = (...args: never[]) => Tensor;
/** What a function is called with, once its operands are aligned. */
type Meeting = (fn: string, args: readonly Operand[]) => readonly unknown[];

/** The operands with their axes in one order: the axes of the first operand, then new axes of each further operand. */
function aligned(fn: string, operands: readonly Operand[]): Operand[] {
  const sizes = new Map<string, { readonly size: number; readonly of: Tensor }>();
  for (const t of operands) if (!isWeak(t)) meet(fn, allNamed(fn, asTensor(t, fn)), sizes);
  const order = [...sizes.keys()];
  return operands.map((t) => (isStrong(t) && !isInOrder(t, order) ? align(t, ...order) : t));
}

/** Notes the axes of a tensor. Those of one name have to be of one size, or of size 1. */
function meet(fn: string, t: Tensor, sizes: Map<string, { readonly size: number; readonly of: Tensor }>): void {
  (t.names as readonly string[]).forEach((name, i) => {
    const size = t.shape[i]!;
    const known = sizes.get(name);
    if (known === undefined || known.size === 1) sizes.set(name, { size, of: t });
    else if (size !== 1 && size !== known.size) {
      const [one, other] = [known.of, t].map(({ shape, names }) => formatShape(shape, names));
      throw new ArgumentError(
        `${fn}: axis ${show(name)} has ${known.size} entries in ${one} and ${size} in ${other}; it must have as many, or 1`,
      );
    }
  });
}

/** Whether axes that are in front only are missing, as if the tensor had them with size 1. */
function isInOrder({ names }: Tensor, order: readonly string[]): boolean {
  const from = order.length - names.length;
  return names.every((name, i) => name === order[from + i]);
}

/** Operands alone, as many as the function takes. */
const inOrder: Meeting = aligned;

/** Options stay behind the operands. */
const inOrderBeforeOptions: Meeting = (fn, [left, right, options]) => [
  ...aligned(fn, [left!, right!]),
  checkOptions(fn, options as DivideOptions | undefined, ["roundingMode"]),
];

const withBounds: Meeting = (fn, [tensor, options]) => {
  const bounds = checkOptions(fn, options as { min?: Operand; max?: Operand } | undefined, ["min", "max"]) ?? {};
  const keys = (["min", "max"] as const).filter((key) => bounds[key] !== undefined);
  const [first, ...others] = aligned(fn, [tensor!, ...keys.map((key) => bounds[key]!)]);
  return [first, Object.fromEntries(keys.map((key, i) => [key, others[i]]))];
};

/** A function by name, made of one that aligns its operands by position. */
function metByName(name: string, fn: AnyFunction, meeting: Meeting): AnyFunction {
  const whole = `Nx.byName.${name}`;
  const call = fn as unknown as (...args: readonly unknown[]) => Tensor;
  const made = (...args: Operand[]): Tensor =>
    call(
      ...meeting(
        whole,
        Array.from({ length: fn.length }, (_, i) => args[i]!),
      ),
    ); // missing ones are refused by name
  Object.defineProperty(made, "name", { value: name });
  return entry(whole, Object.defineProperty(made, "length", { value: fn.length }));
}

function allByName(): ByName {
  // looked up one by one: an object of them all would be most of the time that this takes
  const functionOf = (name: string): AnyFunction =>
    ((Object.hasOwn(composites, name) ? composites : elementwise) as unknown as Record<string, AnyFunction>)[name]!;
  const made = (names: readonly string[], meeting: Meeting) =>
    names.map((name) => [name, metByName(name, functionOf(name), meeting)] as const);
  const isDivision = (name: string): boolean => (DIVISIONS as readonly string[]).includes(name);
  return Object.freeze(
    Object.fromEntries([
      ...made(
        [...Object.keys(BINARY), ...FURTHER, "where"].filter((name) => !isDivision(name)),
        inOrder,
      ),
      ...made(DIVISIONS, inOrderBeforeOptions),
      ...made(["clamp"], withBounds),
    ]),
  ) as ByName;
}

/**
 * Element-wise functions whose operands meet by the names of their axes, not by position: `Nx.byName.subtract(t, means)`.
 *
 * There are the element-wise functions of two tensors (`add`, `subtract`, `less`, `pow`, ... and the short names `sub`, `mul`, `div`), `where`
 * and `clamp`; each computes what the function of that name in `Nx` does. The result has the axes of the first operand in their
 * order, then those that only a later one has. An operand that lacks an axis goes together with every entry of it, as one of
 * size 1 does. All axes have to be named; plain numbers have no axes.
 *
 * @throws ArgumentError for an axis without a name, and where axes of one name have different sizes
 * @example
 * ```ts
 * const t = Nx.tensor([[1, 2, 3], [4, 5, 9]], { names: ["day", "hour"] });
 * Nx.byName.subtract(t, t.mean("hour"));
 * // => #Nx.Tensor<
 * //   f32[day: 2][hour: 3]
 * //   [
 * //     [-1.0, 0.0, 1.0],
 * //     [-2.0, -1.0, 3.0]
 * //   ]
 * // >
 * Nx.byName.multiply(Nx.tensor([1, 2], { names: ["x"] }), Nx.tensor([10, 20, 30], { names: ["y"] }));
 * // => #Nx.Tensor<
 * //   s64[x: 2][y: 3]
 * //   [
 * //     [10, 20, 30],
 * //     [20, 40, 60]
 * //   ]
 * // >
 * ```
 * @example
 * ```ts
 * const mask = Nx.tensor([1, 0], { names: ["day"] });
 * Nx.byName.where(mask, 0, Nx.tensor([[1, 2], [3, 4]], { names: ["hour", "day"] })).names;
 * // => [ "day", "hour" ]
 * Nx.byName.add(mask, Nx.tensor([1, 2, 3], { names: ["day"] }));
 * // throws ArgumentError: Nx.byName.add: axis "day" has 2 entries in [day: 2] and 3 in [day: 3]; it must have as many, or 1
 * ```
 */
export const byName: ByName = allByName();
