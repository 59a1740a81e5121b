/**
 * What the functions of linear algebra share: checking matrices, the type they work in, templates of results. Matrices are
 * the last two axes, all axes before them a batch.
 */
import type { Template } from "../backend";
import { ArgumentError } from "../core/errors";
import { mergeNames, uniqueNames, unnamed } from "../core/names";
import { broadcastShapes, formatShape, sameShape, type Name, type Shape } from "../core/shape";
import { isComplex, mergeTypes, toFloating, type DType } from "../core/types";
import { reshapeTo } from "../nx/aggregates/core";
import { renamed } from "../nx/creation/tensor";
import { asTensor, run, template } from "../nx/dispatch";
import { broadcast } from "../nx/shape";
import { asType } from "../nx/type";
import type { Operand, Tensor } from "../tensor";

/** Matrices as operands, in a floating or complex type, and what is known of them. */
export interface Matrices {
  readonly tensor: Tensor;
  readonly batch: Shape;
  readonly batchNames: readonly Name[];
  readonly rows: number;
  readonly columns: number;
  readonly rowName: Name;
  readonly columnName: Name;
}

/** A tensor of at least two axes; integers become `f32`. */
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
  return { tensor: asType(given, toFloating(given.type)), ...around, rows, columns, rowName, columnName };
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
export const wide = (type: DType): DType => (isComplex(type) ? "c128" : "f64");

/** Without names, and in the type of several steps. */
export function widely(t: Tensor): Tensor {
  return asType(renamed(t, unnamed(t.shape.length)), wide(t.type));
}

/** A result of several steps in the type, shape and names it is to have. */
export function finish(t: Tensor, out: Template): Tensor {
  return run("reshape", out, [asType(t, out.type)], {});
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

/** Reads the right sides of systems with `a`. Batches broadcast. */
export function readSystem(fn: string, a: Matrices, value: Operand): System {
  const b = asTensor(value, fn);
  const columnAxes = areVectors(a, b) ? 0 : 1;
  const own = b.shape.length - 1 - columnAxes; // axes of the batch
  const batch = own < 0 ? null : broadcastShapes(a.batch, b.shape.slice(0, own));
  if (batch === null || b.shape[own] !== a.rows) {
    throw new ArgumentError(
      `${fn} expects right sides of ${a.rows} rows for matrices of shape ${formatShape(a.tensor.shape, a.tensor.names)}, ` +
        `got a tensor of shape ${formatShape(b.shape, b.names)}`,
    );
  }
  const type = toFloating(mergeTypes(a.tensor.type, b.type));
  const batchNames = mergeNames(a.batchNames, a.batch, b.names.slice(0, own), b.shape.slice(0, own));
  const columns = b.shape.slice(own + 1);
  const bare = widely(asType(b, type));
  return {
    a: repeated(widely(asType(a.tensor, type)), batch),
    b: repeated(columnAxes === 1 ? bare : reshapeTo(bare, [...b.shape, 1]), batch),
    type,
    solution: (rows, rowName) =>
      resultOf(type, { batch, batchNames }, [rows, ...columns], [rowName, ...b.names.slice(own + 1)]),
  };
}

/** Matrices repeated for all of a batch. */
export function repeated(t: Tensor, batch: Shape): Tensor {
  const shape = [...batch, ...t.shape.slice(-2)];
  return sameShape(t.shape, shape) ? t : broadcast(t, shape);
}
