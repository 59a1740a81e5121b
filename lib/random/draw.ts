/**
 * What the distributions share: their options, the bounds or parameters they are given, and complex numbers made of pairs of
 * real ones. Values are not looked at, but for plain numbers.
 */
import type { Merge } from "../core/axis-types";
import { ArgumentError, show } from "../core/errors";
import { checkNames, mergeNames, unnamed } from "../core/names";
import { checkOptions } from "../core/options";
import { broadcastShapes, checkShape, checkSize, formatShape, sameShape, type Names, type Shape } from "../core/shape";
import { isComplex, isInteger, normalizeType, toReal, type DType } from "../core/types";
import { sliceAlong } from "../nx/aggregates/core";
import { renamed } from "../nx/creation/tensor";
import { asTensor, cast, isScalar, isWeak, run, scalarType, template, typeOfOperands, weakAs } from "../nx/dispatch";
import { complex } from "../nx/elementwise";
import { Tensor, type Operand } from "../tensor";

/** Options of the distributions. */
export interface RandomOptions<N extends Names = Names, S extends Shape = Shape> {
  /** Shape of the sample; that of the bounds or parameters, broadcast together, when left out. */
  readonly shape?: S;
  /** A name or null for each axis of the sample. */
  readonly names?: N;
  /** Type of the sample; that of the bounds or parameters when left out. */
  readonly type?: DType;
}

/** Names of a sample: those asked for; else those of the parameters, which are not followed to a shape asked for. */
export type SampleNames<L extends Names, R extends Names, M extends Names, S> = [M] extends [never]
  ? [S] extends [never]
    ? Merge<L, R>
    : Names
  : M;

/** A sample to be drawn. */
export interface Draw {
  readonly fn: string;
  readonly type: DType;
  readonly shape: Shape;
  readonly names: Names;
}

const OPTIONS = ["shape", "names", "type"];

/** Bounds or parameters by what they are called in messages. */
type Parameters = Readonly<Record<string, Operand>>;

/** The arguments behind the key: two parameters and options, or options alone. */
export function splitArguments<N extends Names>(
  args: readonly unknown[],
  defaults: readonly [Operand, Operand],
): [first: Operand, second: Operand, options: RandomOptions<N> | undefined] {
  const [first, second, options] = args;
  const alone = args.length < 2 || (second === undefined && options === undefined);
  if (alone && !isParameter(first)) return [...defaults, first as RandomOptions<N> | undefined];
  return [
    first === undefined ? defaults[0] : (first as Operand),
    second === undefined ? defaults[1] : (second as Operand),
    options as RandomOptions<N> | undefined,
  ];
}

const isParameter = (value: unknown): boolean => value instanceof Tensor || isScalar(value);

/** Reads the options of a distribution; the type of the parameters goes through `fit`, which may refuse it. */
export function readDraw(
  fn: string,
  parameters: Parameters,
  options: RandomOptions | undefined,
  fit: (type: DType) => DType,
): Draw {
  options = checkOptions(fn, options, OPTIONS);
  const given = Object.entries(parameters);
  for (const [what, value] of given) requireReal(fn, what, value);
  const merged = typeOfOperands(
    given.map(([, value]) => value),
    fn,
  );
  const own = fit(merged);
  const type = options?.type === undefined ? own : refit(fn, normalizeType(options.type), fit);
  const shape = options?.shape === undefined ? commonShape(fn, given) : checkShape(options.shape, `shape of ${fn}`);
  checkSize(shape, `shape of ${fn}`);
  return { fn, type, shape, names: namesOf(fn, given, shape, options?.names) };
}

const typeOf = (value: Operand): DType => (value instanceof Tensor ? value.type : scalarType(value));

function requireReal(fn: string, what: string, value: Operand): void {
  const t = value instanceof Tensor || isScalar(value) ? value : asTensor(value, fn);
  if (!isComplex(typeOf(t))) return;
  throw new ArgumentError(
    `${what} of ${fn} must be real, got ${t instanceof Tensor ? `type ${t.type}` : show(t)}; ` +
      `for complex samples give the option type, and shift or scale them afterwards`,
  );
}

/** A type asked for must come through unchanged. */
function refit(fn: string, type: DType, fit: (type: DType) => DType): DType {
  if (fit(type) === type) return type;
  throw new ArgumentError(
    `${fn} cannot draw samples of type ${type}; it gives floats, so ask for a type such as "f32"`,
  );
}

type Given = readonly (readonly [what: string, value: Operand])[];

function commonShape(fn: string, given: Given): Shape {
  let shape: Shape = [];
  for (const [what, value] of given) {
    if (!(value instanceof Tensor)) continue;
    const both = broadcastShapes(shape, value.shape);
    if (both === null) {
      throw new ArgumentError(
        `${what} of ${fn} has shape ${formatShape(value.shape, value.names)}, which does not broadcast with ${formatShape(shape)}`,
      );
    }
    shape = both;
  }
  return shape;
}

/** Names of the sample: the wanted names, else the names of the parameters, which must not contradict each other. */
function namesOf(fn: string, given: Given, shape: Shape, wanted: unknown): Names {
  const asked = checkNames(wanted, shape);
  let names = asked;
  for (const [what, value] of given) {
    if (!(value instanceof Tensor)) continue;
    const both = broadcastShapes(shape, value.shape);
    if (both === null || !sameShape(both, shape)) {
      throw new ArgumentError(
        `${what} of ${fn} has shape ${formatShape(value.shape, value.names)}, which does not broadcast to the shape ` +
          `${formatShape(shape, asked)} of the sample; give the option shape with all its axes`,
      );
    }
    names = mergeNames(names, shape, value.names, value.shape);
  }
  return wanted === undefined || wanted === null ? names : asked;
}

/** A parameter in the type that is computed in, unnamed; for complex samples with an axis for the two parts. */
export function parameter(value: Operand, type: DType, draw: Draw): Tensor {
  if (isWeak(value)) return weakAs(value, type);
  const t = cast(value, type);
  const shape = isComplex(draw.type) && t.shape.length > 0 ? Object.freeze([...t.shape, 1]) : t.shape;
  if (shape === t.shape) return renamed(t, unnamed(t.shape.length));
  return run("reshape", template(type, shape, unnamed(shape.length)), [t], {});
}

/** Floats as they are, complex ones of pairs along one more axis. `sample` makes unnamed reals. */
export function floatOrComplex(draw: Draw, sample: (type: DType, shape: Shape) => Tensor): Tensor {
  if (!isComplex(draw.type)) return renamed(sample(draw.type, draw.shape), draw.names);
  const rank = draw.shape.length;
  const pairs = sample(toReal(draw.type), Object.freeze([...draw.shape, 2]));
  const part = (i: number): Tensor => {
    const one = sliceAlong(pairs, rank, i, 1);
    return run("reshape", template(one.type, draw.shape, draw.names), [one], {});
  };
  return complex(part(0), part(1));
}

/** Checks what must be a key: two words as `Random.key` makes them. */
export function checkKey(key: unknown, fn: string): Tensor {
  if (key instanceof Tensor && key.type === "u32" && sameShape(key.shape, KEY_SHAPE)) {
    return renamed(key, unnamed(1));
  }
  const got = key instanceof Tensor ? `a tensor ${key.type}${formatShape(key.shape, key.names)}` : show(key);
  throw new ArgumentError(
    `${fn} expects a key, a u32 tensor of shape [2], as its first argument, got: ${got}; make one with Nx.Random.key(42)`,
  );
}

export const KEY_SHAPE: Shape = Object.freeze([2]);

/** A type for `readDraw` that refuses all but integers. */
export function integerOnly(fn: string): (type: DType) => DType {
  return (type) => {
    if (isInteger(type)) return type;
    throw new ArgumentError(
      `${fn} draws integers, got type ${type}; use integer bounds, or Nx.Random.uniform for floats`,
    );
  };
}
