/**
 * Axis names of results at compile time: those of the batch, then those of rows and columns. Types only.
 */
import type { Batch, Init, Known, Merge } from "../core/axis-types";
import type { Name, Names } from "../core/shape";

/** The name of the rows of matrices. */
export type RowName<N extends Names> = N extends readonly [...unknown[], infer R extends Name, unknown] ? R : null;

/** The name of the columns of matrices. */
export type ColumnName<N extends Names> = N extends readonly [...unknown[], infer C extends Name] ? C : null;

/** Names of the batch and others in place of those of rows and columns. */
export type InBatch<N extends Names, Others extends Names> =
  Known<N> extends false ? Names : readonly [...Batch<N>, ...Others];

/** Rows and columns exchanged, of matrices; vectors stay as they are. */
export type Exchanged<N extends Names> =
  Known<N> extends false
    ? Names
    : N extends readonly [unknown, unknown, ...unknown[]]
      ? readonly [...Batch<N>, ColumnName<N>, RowName<N>]
      : N;

/** Solutions of systems with matrices of names `N` and right sides of names `B`: their rows are called `X`. */
export type Solution<N extends Names, B extends Names, X extends Name> =
  Known<N> extends false
    ? Names
    : Known<B> extends false
      ? Names
      : B extends readonly [unknown]
        ? readonly [...Batch<N>, X]
        : B["length"] extends Rest<N>["length"]
          ? readonly [...Merge<Batch<N>, Init<B>>, X]
          : readonly [...Merge<Batch<N>, Batch<B>>, X, ColumnName<B>];

export type Rest<N extends Names> = N extends readonly [unknown, ...infer R] ? R : readonly [];

/** Solutions of systems `x a = b`, whose columns are called `X`. */
export type SolutionOnTheRight<N extends Names, B extends Names, X extends Name> =
  Known<N> extends false
    ? Names
    : Known<B> extends false
      ? Names
      : B extends readonly [unknown]
        ? readonly [...Batch<N>, X]
        : B["length"] extends Rest<N>["length"]
          ? readonly [...Merge<Batch<N>, Init<B>>, X]
          : readonly [...Merge<Batch<N>, Batch<B>>, RowName<B>, X];

/** What `Nx.LinAlg.triangularSolve` gives: with the left side and without a transform, the columns of the matrices name its rows. */
export type TriangularSolution<N extends Names, B extends Names, S extends boolean, F> = [S] extends [true]
  ? Solution<N, B, [F] extends ["none"] ? ColumnName<N> : ["none"] extends [F] ? Name : RowName<N>>
  : [S] extends [false]
    ? SolutionOnTheRight<N, B, [F] extends ["none"] ? RowName<N> : ["none"] extends [F] ? Name : ColumnName<N>>
    : Names;

/** Powers of matrices: those that invert exchange rows and columns. */
export type Power<N extends Names, P extends number> =
  Known<N> extends false ? Names : number extends P ? Names : `${P}` extends `-${string}` ? Exchanged<N> : N;
