/**
 * Axis names at compile time. `Names` whose length is not known ("untracked") cost nothing: every operator degrades to
 * `Names`, never to an error. Tuples are tracked: misspelt axes and clashing names are one-line compile errors.
 */
import type { Axis, AxisList, Name, Names } from "./shape";

/** Whether the names are statically known. */
export type Known<N extends Names> = number extends N["length"] ? false : true;

/** A size for each axis: as many as there are names, where that is known. */
export type SizesOf<N extends Names> = { readonly [I in keyof N]: number };

/** Names of the axes of a shape without names: null for each, where it is known how many there are. */
export type UnnamedOf<S extends readonly number[]> = number extends S["length"]
  ? Names
  : { readonly [I in keyof S]: null };

/** What may be given as an axis of a tensor with names `N`: one of its names or a position. */
export type AxisOf<N extends Names> = Known<N> extends true ? Exclude<N[number], null> | number : string | number;

/** Tuples of so many elements, to count with. */
export interface Few {
  readonly "1": readonly [unknown];
  readonly "2": readonly [unknown, unknown];
  readonly "3": readonly [unknown, unknown, unknown];
  readonly "4": readonly [unknown, unknown, unknown, unknown];
  readonly "5": readonly [unknown, unknown, unknown, unknown, unknown];
  readonly "6": readonly [unknown, unknown, unknown, unknown, unknown, unknown];
}

/** Names where they are known, so that a list of unknown length is simply `Names`. */
export type Plain<N extends Names> = number extends N["length"] ? Names : N;

/** Where axes stand in known names, as keys of them: `"0"`, `"1"`; `"?"` for those that types cannot find. */
export type PlaceOf<N extends Names, A> = A extends string
  ? string extends A
    ? "?"
    : { [I in keyof N]: N[I] extends A ? I : never }[number]
  : A extends number
    ? `${A}` extends keyof N
      ? `${A}`
      : `${A}` extends `-${infer D extends keyof Few}`
        ? N extends readonly [...infer Front, ...Few[D]]
          ? `${Front["length"]}`
          : "?"
        : "?"
    : "?";

/** Names without the axes `A`, a union of names and positions. */
export type Without<N extends Names, A> =
  Known<N> extends false
    ? Names
    : [A] extends [never]
      ? N
      : [Exclude<PlaceOf<N, A>, keyof N>] extends [never]
        ? WithoutPlaces<N, PlaceOf<N, A>>
        : Names;

export type WithoutPlaces<N extends Names, P, Done extends readonly unknown[] = []> = N extends readonly [
  infer H extends Name,
  ...infer T extends Names,
]
  ? `${Done["length"]}` extends P
    ? WithoutPlaces<T, P, [...Done, 0]>
    : readonly [H, ...WithoutPlaces<T, P, [...Done, 0]>]
  : readonly [];

/** What may be given as axes of a tensor with names `N`: one of them, or a list. */
export type AxesOf<N extends Names> = AxisOf<N> | AxisList<AxisOf<N>>;

/** A name of which nothing is guessed from what the result is assigned to, as in {@link Merged}. */
export type Unguessed<M extends Name> = [M][M extends unknown ? 0 : never];

/** The axis `A`; `D` where none is given: `A` is `undefined` then, and where `tsc` finds none in the options, it is among all that `A` may be. */
export type Given<A, D> = undefined extends A ? ([A] extends [undefined] ? D : number extends A ? D : string) : A;

/** Names left after the axes `A`, one or a list, are reduced away; positions that are not known give up tracking. */
export type Drop<N extends Names, A> = A extends readonly unknown[]
  ? number extends A["length"]
    ? Names
    : Without<N, A[number]>
  : A extends Axis
    ? Without<N, A>
    : Names;

/**
 * Names left after a reduction over the axes `A`, where `K` says whether they are kept. `undefined` stands for all axes: `A` is that
 * where none are given, and where `tsc` finds none in the options, it is among all that `A` may be.
 */
export type Reduced<N extends Names, A, K extends boolean> = [K] extends [true]
  ? N
  : [K] extends [false]
    ? [A] extends [undefined]
      ? readonly []
      : undefined extends A
        ? number extends A
          ? readonly []
          : Names
        : Drop<N, A>
    : Names;

/** What is left when axes `A` are counted in bins, which are a new last axis `M`: that alone where no axes are said. */
export type Binned<N extends Names, A, M extends Name> = undefined extends A
  ? readonly [M]
  : number extends Reduced<N, A, false>["length"]
    ? Names
    : readonly [...Reduced<N, A, false>, M];

/** The names of a vector along the axis `A`, whose new name is `M` where that is one; `All` where no axis is said. */
export type Alongside<N extends Names, A, All extends Names, M extends Name = null> = [Given<A, undefined>] extends [
  undefined,
]
  ? All
  : undefined extends A
    ? Names
    : [M] extends [null]
      ? LineOf<N, A>
      : readonly [M];

/** The name of the axis `A` as those of a vector. */
export type LineOf<N extends Names, A> =
  Known<N> extends false
    ? Names
    : PlaceOf<N, A> extends infer P extends keyof N
      ? readonly [Extract<N[P], Name>]
      : Names;

/** What a mask picks along the axis `A`, which gets the name `M` where that is one; where no axis is said, all along one. */
export type Compressed<N extends Names, A, M extends Name> = [Given<A, undefined>] extends [undefined]
  ? readonly [M]
  : undefined extends A
    ? Names
    : [M] extends [null]
      ? N
      : Retitled<N, A, M>;

/** The first `K` names. */
export type First<N extends Names, K, Done extends readonly unknown[] = []> = Done["length"] extends K
  ? readonly []
  : N extends readonly [infer H extends Name, ...infer T extends Names]
    ? readonly [H, ...First<T, K, [...Done, 0]>]
    : readonly [];

/** Names without the first `K`. */
export type After<N extends Names, K> =
  Known<N> extends false
    ? Names
    : number extends K
      ? Names
      : N extends readonly [...First<N, K>, ...infer R extends Names]
        ? R
        : Names;

/** Names without the last. */
export type Init<N extends Names> =
  Known<N> extends false
    ? Names
    : N extends readonly [...infer T extends Names, unknown]
      ? readonly [...T]
      : readonly [];

/** Names with `M` in place of the axis `A`, a name or a position. */
export type Retitled<N extends Names, A, M extends Name> =
  Known<N> extends false
    ? Names
    : PlaceOf<N, A> extends keyof N
      ? { [I in keyof N]: I extends PlaceOf<N, A> ? M : N[I] }
      : Names;

/**
 * Whether two types are the same one, by the rule that compares them as parts of functions: `tsc` knows it of type parameters, too, of
 * which it leaves every other question open.
 */
export type Same<L, R> = (<T>() => T extends L ? 1 : 2) extends <T>() => T extends R ? 1 : 2 ? true : false;

/** The name of an axis that two operands have; an error where no name that the one may have is one that the other may have. */
export type Merge1<L, R> = null extends L
  ? null extends R
    ? L | R
    : R
  : null extends R
    ? L
    : [L] extends [R]
      ? L
      : [R] extends [L]
        ? R
        : [Extract<L, R>] extends [never]
          ? { error: "axis names differ"; left: L; right: R }
          : Extract<L, R>;

/**
 * The name of an axis that two operands have, said so that `tsc` follows type parameters: one that meets itself is itself, and beside
 * `null` each branch is part of it.
 */
export type MergedName<L extends Name, R extends Name> =
  Same<L, R> extends true
    ? L & R
    : Same<R, null> extends true
      ? L & (R | string)
      : Same<L, null> extends true
        ? R
        : Extract<Merge1<L, R>, Name>;

/** The error of two names that differ; `never` where they do not. */
export type ClashOf<L, R> =
  Same<L, R> extends true
    ? never
    : Same<L, null> extends true
      ? never
      : Same<R, null> extends true
        ? never
        : Extract<Merge1<L, R>, { error: string }>;

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
        : L extends readonly [...infer LI extends Names, infer LT extends Name]
          ? R extends readonly [...infer RI extends Names, infer RT extends Name]
            ? readonly [...Merge<LI, RI>, MergedName<LT, RT>]
            : Names
          : Names;

/**
 * The same as a result, from which nothing is guessed about the names of the right operand, which may be a plain number: what a
 * result is assigned to says nothing of it. (`NoInfer` would stand in what editors show.)
 */
export type Merged<L extends Names, R extends Names> =
  (<T>() => T extends R ? 1 : 2) extends (<T>() => T extends L ? 1 : 2) | (<T>() => T extends readonly [] ? 1 : 2)
    ? L
    : Merge<L, [R][R extends unknown ? 0 : never]>;

/** Names of a tensor into which another one of as many axes is put: where all axes have names, those. */
export type MergedInto<N extends Names, R extends Names> =
  Known<N> extends false ? Merge<N, R> : null extends N[number] ? Merge<N, R> : N;

/** `never` where the names merge, else an object type that names the two axes: shown by `tsc` in the error. */
export type Clash<L extends Names, R extends Names> =
  Known<L> extends false
    ? never
    : Known<R> extends false
      ? never
      : L extends readonly [...infer LI extends Names, infer LT]
        ? R extends readonly [...infer RI extends Names, infer RT]
          ? ClashOf<LT, RT> | Clash<LI, RI>
          : never
        : never;

/** Names of operands that meet by name: the names of the left operand, then the further names of the right one. */
export type ByNames<L extends Names, R extends Names> =
  Known<L> extends false ? Names : Known<R> extends false ? Names : readonly [...L, ...Lacking<R, L>];

export type Lacking<R extends Names, L extends Names> = R extends readonly [
  infer H extends Name,
  ...infer T extends Names,
]
  ? readonly [...(H extends L[number] ? readonly [] : readonly [H]), ...Lacking<T, L>]
  : readonly [];

/** The same as a result, from which nothing is guessed about the names of the right operand, as in {@link Merged}. */
export type MetByName<L extends Names, R extends Names> = ByNames<L, [R][R extends unknown ? 0 : never]>;

/** The names in reverse order: what `transpose` gives without axes. */
export type Reverse<N extends Names> =
  Known<N> extends false
    ? Names
    : N extends readonly [infer H extends Name, ...infer T extends Names]
      ? readonly [...Reverse<T>, H]
      : N;

/** Names after a transpose to the axes `A` (`never`: reversed): the axes themselves when all are names. */
export type Permute<N extends Names, A> =
  Known<N> extends false
    ? Names
    : [A] extends [never]
      ? Reverse<N>
      : A extends readonly string[]
        ? Plain<A>
        : A extends readonly unknown[]
          ? Plain<NamesAt<N, A>>
          : Names;

/** The names at axes of a list. */
export type NamesAt<N extends Names, A extends readonly unknown[]> = A extends readonly [infer H, ...infer T]
  ? PlaceOf<N, H> extends infer P extends keyof N
    ? readonly [Extract<N[P], Name>, ...NamesAt<N, T>]
    : Names
  : A extends readonly []
    ? A
    : Names;

/** Names with the axis `A` moved to the position `D`. */
export type Moved<N extends Names, A, D extends number> =
  Known<N> extends false
    ? Names
    : PlaceOf<N, A> extends keyof N & (infer P extends keyof N)
      ? Insert<Without<N, A>, D, Extract<N[P], Name>>
      : Names;

/** Names with two of them exchanged. */
export type Swapped<N extends Names, A, B> =
  Known<N> extends false
    ? Names
    : [PlaceOf<N, A>, PlaceOf<N, B>] extends [infer P extends keyof N, infer Q extends keyof N]
      ? { [I in keyof N]: I extends P ? Extract<N[Q], Name> : I extends Q ? Extract<N[P], Name> : N[I] }
      : Names;

/** Names with a new one that gets the position `A`. */
export type Insert<N extends Names, A, M extends Name> =
  Known<N> extends false
    ? Names
    : number extends A
      ? Names
      : PlaceOf<readonly [...N, null], A> extends infer P
        ? P extends "?"
          ? Names
          : InsertAt<N, P, M>
        : never;

export type InsertAt<
  N extends Names,
  P,
  M extends Name,
  Done extends readonly unknown[] = [],
> = `${Done["length"]}` extends P
  ? readonly [M, ...N]
  : N extends readonly [infer H extends Name, ...infer T extends Names]
    ? readonly [H, ...InsertAt<T, P, M, [...Done, 0]>]
    : Names;

/**
 * Names with those of `M` in place of the axis `A` (`never`: the first). A single axis without a name takes the name of the one whose
 * place it takes.
 */
export type Replace<N extends Names, A, M extends Names> =
  Known<N> extends false
    ? Names
    : Known<M> extends false
      ? Names
      : ReplaceAt<N, PlaceOf<N, [A] extends [never] ? 0 : A>, M>;

export type ReplaceAt<
  N extends Names,
  P,
  M extends Names,
  Done extends readonly unknown[] = [],
> = P extends `${Done["length"]}`
  ? N extends readonly [infer H extends Name, ...infer T extends Names]
    ? readonly [...Inherit<M, H>, ...T]
    : Names
  : N extends readonly [infer H extends Name, ...infer T extends Names]
    ? Plain<readonly [H, ...ReplaceAt<T, P, M, [...Done, 0]>]>
    : Names;

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

/** Names that axes of both tensors have, or may have. */
export type Shared<L extends Names, R extends Names> =
  Known<L> extends true
    ? Exclude<Known<R> extends true ? L[number] & R[number] : L[number], null>
    : Known<R> extends true
      ? Exclude<R[number], null>
      : string;

/** Axes of two tensors that go together, in pairs. */
export type PairsOf<L extends Names, R extends Names> = readonly [
  left: readonly AxisOf<L>[],
  right: readonly AxisOf<R>[],
];

/** The axes that a pairing takes of the left (`0`) or the right (`1`), `D` where nothing is said. */
export type Side<C, S extends 0 | 1, D> = [C] extends [never]
  ? D
  : C extends string
    ? C
    : C extends readonly string[]
      ? C[number]
      : C extends readonly [readonly unknown[], readonly unknown[]]
        ? C[S][number]
        : string;

/** Names of axes that go together entry by entry: those in front. */
export type Common<L extends Names, R extends Names, B> = [B] extends [never]
  ? readonly []
  : B extends string
    ? readonly [B]
    : B extends readonly string[]
      ? B
      : B extends readonly [readonly unknown[], readonly unknown[]]
        ? Merge<First<L, B[0]["length"]>, First<R, B[1]["length"]>>
        : Names;

/** Names of a product of which the axes `C` are summed and `B` are common: these, then what is left of each side. */
export type Product<L extends Names, R extends Names, C, B> = L extends readonly []
  ? R
  : R extends readonly []
    ? L
    : Known<L> extends false
      ? Names
      : Known<R> extends false
        ? Names
        : Plain<
            readonly [
              ...Common<L, R, B>,
              ...Without<L, Side<C, 0, -1> | Side<B, 0, never>>,
              ...Without<R, Side<C, 1, R extends readonly [unknown] ? -1 : -2> | Side<B, 1, never>>,
            ]
          >;

/** Names of products of matrices: those in front merged, the rows of the left and the columns of the right, where these are no vectors. */
export type MatrixNames<L extends Names, R extends Names> =
  Known<L> extends false
    ? Names
    : Known<R> extends false
      ? Names
      : readonly [
          ...Merge<Init<Init<L>>, Init<Init<R>>>,
          ...(L extends readonly [...unknown[], infer M extends Name, unknown] ? readonly [M] : readonly []),
          ...(R extends readonly [unknown, ...unknown[], infer M extends Name] ? readonly [M] : readonly []),
        ];

/** The name of a vector's axis; other tensors are taken as vectors without a name. */
export type VectorName<N extends Names> = N extends readonly [infer H extends Name] ? H : null;

/** Names of a product of all pairs of elements. */
export type OuterNames<L extends Names, R extends Names> =
  Known<L> extends false ? Names : Known<R> extends false ? Names : readonly [VectorName<L>, VectorName<R>];

/** Names of tensors of a list that are merged; of containers and lists of different tensors they are not followed. */
export type Joined<T> = T extends readonly []
  ? Names
  : T extends readonly [infer H, ...infer R]
    ? R extends readonly []
      ? OperandNames<H>
      : R extends readonly [unknown, ...unknown[]]
        ? Merge<OperandNames<H>, Joined<R>>
        : Names
    : T extends readonly (infer E)[]
      ? IsOne<OperandNames<E>> extends true
        ? OperandNames<E>
        : Names
      : Names;

/** Names of an operand; a number has none. */
export type OperandNames<T> = T extends { readonly names: infer N extends Names }
  ? N
  : T extends object
    ? Names
    : readonly [];

/** Whether a type is no union. */
export type IsOne<T> = [OneOf<T, T>] extends [true] ? true : false;

export type OneOf<T, All> = T extends unknown ? ([All] extends [T] ? true : false) : never;

/** Axes as a list. */
export type ListOf<A> = A extends readonly unknown[] ? A : readonly [A];

/** Names after the neighbours `A` (`undefined`: all axes) have become one of the name `M`. */
export type Flattened<N extends Names, A, M extends Name> = undefined extends A
  ? readonly [M]
  : Known<N> extends false
    ? Names
    : number extends ListOf<A>["length"]
      ? Names
      : [Exclude<PlaceOf<N, ListOf<A>[number]>, keyof N>] extends [never]
        ? FlatPlaces<N, PlaceOf<N, ListOf<A>[number]>, readonly [M]>
        : Names;

export type FlatPlaces<N extends Names, P, M extends Names, Done extends readonly unknown[] = []> = N extends readonly [
  infer H extends Name,
  ...infer T extends Names,
]
  ? `${Done["length"]}` extends P
    ? readonly [...M, ...FlatPlaces<T, P, readonly [], [...Done, 0]>]
    : readonly [H, ...FlatPlaces<T, P, M, [...Done, 0]>]
  : readonly [];

/** Names of what is looked up by coordinates along the axes `A`: those of the indices but for the last, then the rest. */
export type Gathered<N extends Names, M extends Names, A> = [A] extends [never]
  ? Names
  : Plain<readonly [...Init<M>, ...Drop<N, A>]>;

/** Names with others in place of the last two, which are those of matrices. */
export type Batch<N extends Names> =
  Known<N> extends false
    ? Names
    : N extends readonly [...infer B extends Names, unknown, unknown]
      ? readonly [...B]
      : readonly [];

/** Names of the entries of the first axis: all but the first. */
export type Entry<N extends Names> = N extends readonly [unknown, ...infer R extends Names] ? readonly [...R] : Names;

/** What an index does to an axis: `true` for a range or nothing, which keep it, `false` for a position, which takes one entry. */
export type Keeps<I> = [I] extends [{ readonly kind: "range" } | undefined]
  ? true
  : [Extract<I, { readonly kind: "range" } | undefined>] extends [never]
    ? false
    : boolean;

/** Indices by the names of axes. */
export type ByName = { readonly [axis: string]: unknown } & { readonly kind?: never; readonly names?: never };

/** Names after indexing: by indices of the first axes, or by one object with indices by name. */
export type Indexed<N extends Names, I extends readonly unknown[]> =
  Known<N> extends false
    ? Names
    : number extends I["length"]
      ? Names
      : I extends readonly [ByName]
        ? Plain<IndexedByName<N, I[0]>>
        : Plain<IndexedInOrder<N, I>>;

export type IndexedInOrder<N extends Names, I extends readonly unknown[]> = I extends readonly [
  infer F,
  ...infer Others,
]
  ? N extends readonly [infer H extends Name, ...infer T extends Names]
    ? boolean extends Keeps<F>
      ? Names
      : readonly [...(Keeps<F> extends true ? readonly [H] : readonly []), ...IndexedInOrder<T, Others>]
    : readonly []
  : N;

export type IndexedByName<N extends Names, O> = N extends readonly [infer H extends Name, ...infer T extends Names]
  ? H extends keyof O
    ? boolean extends Keeps<O[H]>
      ? Names
      : readonly [...(Keeps<O[H]> extends true ? readonly [H] : readonly []), ...IndexedByName<T, O>]
    : readonly [H, ...IndexedByName<T, O>]
  : readonly [];

/** Nothing to add to an index whose names are all axes; else what `tsc` shows at a name that is none. */
export type OnlyAxes<N extends Names, I extends readonly unknown[]> =
  Known<N> extends false
    ? unknown
    : I extends readonly [ByName]
      ? readonly [
          { readonly [K in Exclude<keyof I[0], N[number]>]: `no axis has this name; the axes are ${Listed<N>}` },
        ]
      : unknown;

/** Names of results that lie along an axis called `M`, which is in front; it has no name where the results have one of that name. */
export type InFront<N extends Names, M> =
  Known<N> extends false
    ? Names
    : string extends M
      ? Names
      : IsOne<M> extends true
        ? readonly [M extends string ? (M extends N[number] ? null : M) : null, ...N]
        : Names;

/** Names of tensors with entries of names `N` along an axis `A`: one more in front where that is the first. */
export type WithEntries<N extends Names, A> =
  Known<N> extends false ? Names : [A] extends [0] ? readonly [Name, ...N] : Names;

/** One name of several: `null` yields, and so do names that differ. */
export type OneName<M> = string extends M
  ? M
  : [Exclude<M, null>] extends [never]
    ? null
    : IsOne<Exclude<M, null>> extends true
      ? Exclude<M, null>
      : null;

/** Names after a transform along the axis `A`, the last where none is given, which gets the name `M` (`never`: none other). */
export type Spectrum<N extends Names, A, M extends Name> = [M] extends [never] ? N : Retitled<N, Given<A, -1>, M>;

/** Names after a transform along the axes `A` (`never`: the last two), which get the names `M` (`never`: none other). */
export type Spectrum2<N extends Names, A extends readonly unknown[], M extends readonly Name[]> = [M] extends [never]
  ? N
  : [A] extends [never]
    ? Retitled2<N, -2, -1, M>
    : Retitled2<N, A[0], A[1], M>;

export type Retitled2<N extends Names, A, B, M extends readonly Name[]> =
  Known<N> extends false
    ? Names
    : PlaceOf<N, A> | PlaceOf<N, B> extends keyof N
      ? { [I in keyof N]: I extends PlaceOf<N, A> ? M[0] : I extends PlaceOf<N, B> ? M[1] : N[I] }
      : Names;

/** The names of an operand; a plain number has none. */
export type NamesOf<O> = O extends { readonly names: infer N extends Names } ? N : readonly [];

/** The names of operands that meet; of clashing names, which are errors, the first. */
export type MergedOf<T, Out extends Names = readonly []> = T extends readonly [infer H, ...infer R]
  ? MergedOf<R, [Clash<Out, NamesOf<H>>] extends [never] ? Merge<Out, NamesOf<H>> : Out>
  : T extends readonly []
    ? Out
    : Names;

/** The names of a formula of operands. */
export type FormulaNames<T> = MergedOf<T> extends infer N extends Names ? N : Names;

/** An operand of a formula; clashing names are a compile error that shows them. */
export type FormulaOperand<O, T> =
  Clash<FormulaNames<T>, NamesOf<O>> extends infer C ? ([C] extends [never] ? O : C) : never;
