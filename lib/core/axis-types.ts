/**
 * Axis names at compile time. `Names` whose length is not known ("untracked") cost nothing: every operator degrades to
 * `Names`, never to an error. Tuples are tracked: misspelt axes and clashing names are one-line compile errors.
 */
import type { Name, Names } from "./shape";

/** Whether the names are statically known. */
export type Known<N extends Names> = number extends N["length"] ? false : true;

/** What may be given as an axis of a tensor with names `N`: one of its names or a position. */
export type AxisOf<N extends Names> = Known<N> extends true ? Exclude<N[number], null> | number : string | number;

/** Names without one of them. */
export type DropOne<N extends Names, A> = N extends readonly [infer H extends Name, ...infer T extends Names]
  ? [H] extends [A]
    ? readonly [...T]
    : readonly [H, ...DropOne<T, A>]
  : N;

/** Names left after the axes `A` are reduced away; integer axes give up tracking. */
export type Drop<N extends Names, A extends readonly unknown[]> =
  Known<N> extends false
    ? Names
    : number extends A["length"]
      ? Names
      : number extends A[number]
        ? Names
        : A extends readonly [infer H, ...infer R]
          ? H extends number
            ? Names
            : Drop<DropOne<N, H>, R>
          : N;

/** The name of an axis that two operands have. */
export type Merge1<L, R> = L extends null
  ? R
  : R extends null
    ? L
    : [L] extends [R]
      ? L
      : { error: "axis names differ"; left: L; right: R };

/**
 * Names of an element-wise result, aligned from the right with null as wildcard. Scalars come first, so that a function that is
 * generic in the names of a tensor keeps them when it adds a number.
 */
export type Merge<L extends Names, R extends Names> = R extends readonly []
  ? L
  : L extends readonly []
    ? R
    : Known<L> extends false
      ? Names
      : Known<R> extends false
        ? Names
        : L extends readonly [...infer LI extends Names, infer LT]
          ? R extends readonly [...infer RI extends Names, infer RT]
            ? readonly [...Merge<LI, RI>, Extract<Merge1<LT, RT>, Name>]
            : Names
          : Names;

/**
 * The same as a result, from which nothing is guessed about the names of the right operand, which may be a plain number: what a
 * result is assigned to says nothing of it. (`NoInfer` would stand in what editors show.)
 */
export type Merged<L extends Names, R extends Names> = Merge<L, [R][R extends unknown ? 0 : never]>;

/** `never` where the names merge, else an object type that names the two axes: shown by `tsc` in the error. */
export type Clash<L extends Names, R extends Names> =
  Known<L> extends false
    ? never
    : Known<R> extends false
      ? never
      : L extends readonly [...infer LI extends Names, infer LT]
        ? R extends readonly [...infer RI extends Names, infer RT]
          ? Extract<Merge1<LT, RT>, { error: string }> | Clash<LI, RI>
          : never
        : never;

/** The names in reverse order: what `transpose` gives without axes. */
export type Reverse<N extends Names> =
  Known<N> extends false
    ? Names
    : N extends readonly [infer H extends Name, ...infer T extends Names]
      ? readonly [...Reverse<T>, H]
      : N;

/** Names after a transpose to the axes `A` (`never`: reversed): the axes themselves when all are names. */
export type Permute<N extends Names, A extends readonly unknown[]> =
  Known<N> extends false
    ? Names
    : [A] extends [never]
      ? Reverse<N>
      : number extends A["length"]
        ? Names
        : A extends readonly string[]
          ? A
          : Names;

/** Names with the axis `A` moved to the front or to the end; other places are not followed. */
export type Moved<N extends Names, A, D> =
  Known<N> extends false
    ? Names
    : A extends string
      ? D extends 0
        ? readonly [A, ...DropOne<N, A>]
        : D extends -1
          ? readonly [...DropOne<N, A>, A]
          : Names
      : Names;

/** Names with two of them exchanged; positions are not followed. */
export type Swapped<N extends Names, A, B> =
  Known<N> extends false
    ? Names
    : A extends string
      ? B extends string
        ? { [I in keyof N]: N[I] extends A ? B : N[I] extends B ? A : N[I] }
        : Names
      : Names;

/** Names with a new one at the front, after the first axis, or at the end; positions elsewhere are not followed. */
export type Insert<N extends Names, A extends number, M extends Name> =
  Known<N> extends false
    ? Names
    : A extends 0
      ? readonly [M, ...N]
      : A extends -1
        ? readonly [...N, M]
        : A extends 1
          ? N extends readonly [infer H extends Name, ...infer T extends Names]
            ? readonly [H, M, ...T]
            : Names
          : Names;

/**
 * Names with those of `M` in place of the axis `A` (`never`: the first); positions but the first are not followed. A single
 * axis without a name takes the name of the one whose place it takes.
 */
export type Replace<N extends Names, A, M extends Names> =
  Known<N> extends false
    ? Names
    : Known<M> extends false
      ? Names
      : [A] extends [never]
        ? ReplaceFirst<N, M>
        : A extends 0
          ? ReplaceFirst<N, M>
          : A extends string
            ? ReplaceNamed<N, A, M>
            : Names;

export type ReplaceFirst<N extends Names, M extends Names> = N extends readonly [
  infer H extends Name,
  ...infer T extends Names,
]
  ? readonly [...Inherit<M, H>, ...T]
  : Names;

export type ReplaceNamed<N extends Names, A extends string, M extends Names> = N extends readonly [
  infer H extends Name,
  ...infer T extends Names,
]
  ? H extends A
    ? readonly [...Inherit<M, H>, ...T]
    : readonly [H, ...ReplaceNamed<T, A, M>]
  : readonly [];

/** The names `M`, where a single axis that has none, or may have none, inherits `H`. */
export type Inherit<M extends Names, H extends Name> = M extends readonly [infer K extends Name]
  ? readonly [null extends K ? Exclude<K, null> | H : K]
  : M;

/** New names by the old ones. */
export type Renaming = { readonly [old: string]: Name };

/** Names after a renaming: those of a list, or those of the tensor with some replaced. */
export type Renamed<N extends Names, M extends Names | Renaming> = M extends Names
  ? M
  : Known<N> extends false
    ? Names
    : { readonly [I in keyof N]: N[I] extends keyof M ? Extract<M[N[I]], Name> : N[I] };

/** `unknown` where `M` is a list or names only axes that there are; else what `tsc` shows at the name. */
export type NewNames<N extends Names, M extends Names | Renaming> = M extends Names
  ? unknown
  : Known<N> extends false
    ? unknown
    : { readonly [K in Exclude<keyof M, N[number]>]: `no axis has this name; the axes are ${Listed<N>}` };

/** Names in a row, for messages. */
export type Listed<N extends Names> = N extends readonly [infer H extends Name, ...infer T extends Names]
  ? `${H extends null ? "one without a name" : `"${H}"`}${T extends readonly [] ? "" : `, ${Listed<T>}`}`
  : "";
