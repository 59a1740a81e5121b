/**
 * Sizes that are numbers or names: templates that stand for tensors of any size, and binding the names to the sizes of a
 * shape that is met. Nothing here knows tensors, graphs or who asks.
 */
import { brandOf } from "./copies";
import { ArgumentError, BackendError, show } from "./errors";
import { checkNames, uniqueNames } from "./names";
import { checkShape, formatShape, type Names, type Shape } from "./shape";
import { normalizeType, type DType } from "./types";

/** The size of an axis: a number, or a name that stands for one size wherever it occurs. */
export type Dim = number | string;
export type Dims = readonly Dim[];

/** What a tensor is compared with: sizes may be names. */
export interface DimPattern {
  readonly type: DType;
  readonly shape: Dims;
  readonly names: Names;
}

/** The size that a name stands for, and where it was met first. */
interface Binding {
  readonly size: number;
  readonly where: string;
  readonly axis: number;
}

export type Bindings = Map<string, Binding>;

const brand = brandOf("a template");

/**
 * A template some of whose sizes are names: what `Nx.template` returns for a shape with strings in it, and what
 * `Nx.Defn.compile` takes for arguments of any size. It is no tensor: nothing can be computed with it.
 */
export class SymbolicTemplate<N extends Names = Names> implements DimPattern {
  /** Element type. */
  readonly type: DType;
  /** Size of each axis, or the name of the size; frozen. */
  readonly shape: Dims;
  /** Name of each axis or null; frozen. */
  readonly names: N;

  /** @internal */
  constructor(type: DType, shape: Dims, names: Names) {
    this.type = type;
    this.shape = shape;
    this.names = names as N;
  }

  get [Symbol.for("nx-numerics")](): unknown {
    return brand;
  }

  /** Number of axes. */
  get rank(): number {
    return this.shape.length;
  }

  toString(): string {
    return `#Nx.Tensor<\n  ${dimsText(this)}\n  Nx.TemplateBackend\n>`;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

/** Whether a shape from a user has names in place of sizes. */
export function hasDimNames(shape: unknown): shape is Dims {
  return Array.isArray(shape) && (shape as unknown[]).some((size) => typeof size === "string");
}

/** The symbolic template of what a user gave; the numbers among the sizes are checked as those of shapes are. */
export function symbolicTemplate(fn: string, shape: Dims, type: DType, names?: Names): SymbolicTemplate {
  const sizes = Object.freeze(Array.from(shape, (size) => (typeof size === "string" ? checkDimName(fn, size) : size)));
  checkShape(substituted(sizes, new Map()), `shape of ${fn}`, sizes);
  return new SymbolicTemplate(normalizeType(type), sizes, uniqueNames(checkNames(names, sizes), sizes));
}

let words: RegExp | undefined;

/** Made when first used: some engines (Hermes) know no classes of characters, and take all beyond ASCII for letters. */
function wordPattern(): RegExp {
  if (words) return words;
  try {
    words = new RegExp("^[\\p{L}_][\\p{L}\\p{N}_-]*$", "u");
  } catch {
    words = /^(?:[A-Za-z_]|[^\0-\x7f])(?:[\w-]|[^\0-\x7f])*$/;
  }
  return words;
}

/** Names are words, so that they cannot be mistaken for sizes or axis names where shapes are printed. */
function checkDimName(fn: string, name: string): string {
  if (name !== "auto" && wordPattern().test(name)) return name;
  throw new ArgumentError(
    `a size in the shape of ${fn} must be a positive integer or the name of a dimension such as "batch" (letters, digits, ` +
      `"_" and "-", a letter first; not "auto"), got: ${show(name)}`,
  );
}

/** The shape with sizes in place of names; 1 where a name has none. */
export function substituted(dims: Dims, sizes: ReadonlyMap<string, number>): Shape {
  return Object.freeze(dims.map((dim) => (typeof dim === "string" ? (sizes.get(dim) ?? 1) : dim)));
}

/** Type, sizes and axis names in the way tensors print them: `f32[x: batch][3]`. */
function dimsText({ type, shape, names }: DimPattern): string {
  return `${type}${shape.length === 0 ? "" : formatShape(shape, names)}`;
}

/**
 * Binds the names of a pattern to the sizes of what was met, and refuses another type, rank, fixed size or axis name, and a
 * name that is bound to another size already. `where` says what was met: `argument 0`.
 */
export function bind(
  pattern: DimPattern,
  met: DimPattern & { readonly shape: Shape },
  bindings: Bindings,
  where: string,
): void {
  const both = `${dimsText(pattern)}, got ${dimsText(met)}`;
  const { shape, names } = pattern;
  const refuse = (text: string) => new ArgumentError(text);
  if (met.type !== pattern.type) throw refuse(`${where} must be of type ${pattern.type}, got ${met.type} (${both})`);
  if (met.shape.length !== shape.length) {
    throw refuse(`${where} must have rank ${shape.length}, got rank ${met.shape.length} (${both})`);
  }
  for (let axis = 0; axis < shape.length; axis++) {
    if (met.names[axis] !== names[axis]) {
      throw refuse(`axis ${axis} of ${where} must be ${named(names[axis]!)}, got ${named(met.names[axis]!)} (${both})`);
    }
    const clash = bindAxis(shape[axis]!, met.shape[axis]!, bindings, where, axis);
    if (clash !== null) throw refuse(`${clash} (axis ${axis} of ${both})`);
  }
}

const named = (name: string | null) => (name === null ? "unnamed" : `named ${JSON.stringify(name)}`);

/** Binds one size; returns the text of the error, or null. */
function bindAxis(dim: Dim, size: number, bindings: Bindings, where: string, axis: number): string | null {
  if (typeof dim === "number") return dim === size ? null : `a size of ${where} must be ${dim}, got ${size}`;
  const known = bindings.get(dim);
  if (known === undefined) bindings.set(dim, { size, where, axis });
  if (known === undefined || known.size === size) return null;
  const before = known.where === where ? `on axis ${known.axis}` : `in ${known.where}`;
  return `${JSON.stringify(dim)} is ${known.size} ${before} but ${size} in ${where}`;
}

/** The error of computing with a symbolic template: the one that all templates raise. */
export function symbolicUsed(template: SymbolicTemplate, what: string): BackendError {
  return new BackendError(
    `cannot perform operations on a Nx.TemplateBackend tensor: ${what} was given the template ${dimsText(template)}, which ` +
      `has no data and no sizes for its names; templates only describe arguments, compile a function for it with ` +
      `Nx.Defn.compile or pass a tensor instead`,
  );
}
