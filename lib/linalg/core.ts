/**
 * What the functions of linear algebra share: checking matrices, the type they work in, templates of results. Matrices are
 * the last two axes, all axes before them a batch.
 */
import type { Template } from "../backend";
import { ArgumentError } from "../core/errors";
import { mergeNames, uniqueNames, unnamed } from "../core/names";
import { broadcastShapes, formatShape, sameShape, type Name, type Shape } from "../core/shape";
import { commonType } from "../core/promotion";
import { isComplex, isInteger, toFloating, type DType } from "../core/types";
import { reshapeTo } from "../nx/aggregates/core";
import { renamed } from "../nx/creation/tensor";
import { asTensor, cast, run, template } from "../nx/dispatch";
import { broadcast } from "../nx/shape";
import type { Operand, Tensor } from "../tensor";

/** Matrices as operands, in a floating or complex type, and what is known of them. */
export interface Matrices {
  /** Integers are held in `f64`, which loses none of their digits up to 2^53. */
  readonly tensor: Tensor;
  /** The type that was given. */
  readonly given: DType;
  /** The type that results are rounded to. */
  readonly type: DType;
  readonly batch: Shape;
  readonly batchNames: readonly Name[];
  readonly rows: number;
  readonly columns: number;
  readonly rowName: Name;
  readonly columnName: Name;
}

/** A tensor of at least two axes. */
export function readMatrices(fn: string, value: Operand): Matrices {
  const given = asTensor(value, fn);
  const { shape, names } = given;
  if (shape.length < 2) {
    throw new ArgumentError(
      `${fn} expects a matrix, or a batch of them, got a tensor of shape ${formatShape(shape, names)}`,
    );
  }
  const [rows, columns] = shape.slice(-2) as [number, number];
  const [rowName, columnName] = names.slice(-2) as [Name, Name];
  const around = { batch: shape.slice(0, -2), batchNames: names.slice(0, -2) };
  const type = toFloating(given.type);
  const tensor = cast(given, isInteger(given.type) ? "f64" : type);
  return { tensor, given: given.type, type, ...around, rows, columns, rowName, columnName };
}

/** The same for square matrices only. */
export function readSquare(fn: string, value: Operand): Matrices {
  const matrices = readMatrices(fn, value);
  if (matrices.rows === matrices.columns) return matrices;
  const { shape, names } = matrices.tensor;
  throw new ArgumentError(`${fn} expects square matrices, got a tensor of shape ${formatShape(shape, names)}`);
}

/** A template of results: the axes of the batch, then the others with their names. */
export function resultOf(
  type: DType,
  { batch, batchNames }: Pick<Matrices, "batch" | "batchNames">,
  sizes: Shape,
  names: readonly Name[] = sizes.map(() => null),
): Template {
  const shape = Object.freeze([...batch, ...sizes]);
  return template(type, shape, uniqueNames(Object.freeze([...batchNames, ...names]), shape));
}

/** The type that several steps are worked in, so that only the end is rounded. */
const wide = (type: DType): DType => (isComplex(type) ? "c128" : "f64");

/** Without names, and in the type of several steps. */
export function widely(t: Tensor): Tensor {
  return cast(renamed(t, unnamed(t.shape.length)), wide(t.type));
}

/** A result of several steps in the type, shape and names it is to have. */
export function finish(t: Tensor, out: Template): Tensor {
  return run("reshape", out, [cast(t, out.type)], {});
}

/** A system `a x = b` whose parts fit each other: matrices without names, in the type of several steps. */
export interface System {
  readonly a: Tensor;
  readonly b: Tensor;
  readonly type: DType;
  /** Template of solutions with so many rows. */
  readonly solution: (rows: number, rowName: Name) => Template;
}

/** Whether right sides are vectors rather than matrices: they have one axis, or one less than the matrices. */
export const areVectors = (a: Matrices, { shape }: Tensor): boolean =>
  shape.length === 1 || shape.length === a.batch.length + 1;

/** Reads the right sides of systems with `a`. Batches broadcast. Messages show `b` as it was given. */
export function readSystem(fn: string, a: Matrices, b: Tensor, given: Tensor = b): System {
  const columnAxes = areVectors(a, b) ? 0 : 1;
  const own = b.shape.length - 1 - columnAxes; // axes of the batch
  if (own < 0 || b.shape[own] !== a.rows) {
    const reading = own > 0 && columnAxes === 0 ? AS_VECTORS : "";
    throw misfit(fn, a, given, `of ${a.rows} rows for matrices`, "", reading);
  }
  const batch = broadcastShapes(a.batch, b.shape.slice(0, own));
  if (batch === null) throw misfit(fn, a, given, "whose batch broadcasts with that of matrices");
  const type = toFloating(commonType(fn, { ...a.tensor, type: a.given }, given));
  const batchNames = mergeNames(a.batchNames, a.batch, b.names.slice(0, own), b.shape.slice(0, own));
  const columns = b.shape.slice(own + 1);
  const exact = (t: Tensor) => cast(renamed(t, unnamed(t.shape.length)), wide(type));
  const bare = exact(b);
  return {
    a: repeated(exact(a.tensor), batch),
    b: repeated(columnAxes === 1 ? bare : reshapeTo(bare, [...b.shape, 1]), batch),
    type,
    solution: (rows, rowName) =>
      resultOf(type, { batch, batchNames }, [rows, ...columns], [rowName, ...b.names.slice(own + 1)]),
  };
}

const AS_VECTORS = ", which with one axis less is read as vectors; give matrices an axis of size 1 in front";

/** The error of right sides with an unexpected shape. */
export function misfit(
  fn: string,
  { tensor }: Matrices,
  b: Tensor,
  expected: string,
  where = "",
  reading = "",
): ArgumentError {
  return new ArgumentError(
    `${fn} expects right sides ${expected} of shape ${formatShape(tensor.shape, tensor.names)}${where}, ` +
      `got a tensor of shape ${formatShape(b.shape, b.names)}${reading}`,
  );
}

/** Matrices repeated for all of a batch. */
export function repeated(t: Tensor, batch: Shape): Tensor {
  const shape = [...batch, ...t.shape.slice(-2)];
  return sameShape(t.shape, shape) ? t : broadcast(t, shape);
}
