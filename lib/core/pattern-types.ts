/**
 * Patterns at compile time: the names of results from the text of a pattern, and whether its words are the names of the tensors. A
 * pattern that is not a literal, and names that are not known, cost nothing: results are `Names`, checks pass.
 */
import type { Known, Listed } from "./axis-types";
import type { Name, Names } from "./shape";

export type Space = " " | "\n" | "\t";
export type Letter = "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i" | "j" | "k" | "l" | "m" | "n" | "o" | "p" | "q" | "r" | "s" | "t" | "u" | "v" | "w" | "x" | "y" | "z"; // prettier-ignore

/** A text with plain spaces only. */
export type Spaced<S extends string> = S extends `${infer A}\n${infer B}`
  ? Spaced<`${A} ${B}`>
  : S extends `${infer A}\t${infer B}`
    ? Spaced<`${A} ${B}`>
    : S;

/** A text without the spaces around it. */
export type Trim<S extends string> = S extends `${Space}${infer R}`
  ? Trim<R>
  : S extends `${infer R}${Space}`
    ? Trim<R>
    : S;

export type Before<P extends string> = P extends `${infer L}->${string}` ? L : "";
export type After<P extends string> = P extends `${string}->${infer R}` ? R : "";

/** The axes of one tensor, one entry each: a word, `...`, or null for a group or a number. */
export type Items<S extends string> = ItemsOf<Spaced<S>>;

export type ItemsOf<S extends string, Out extends readonly unknown[] = readonly []> = S extends ""
  ? Out
  : S extends ` ${infer R}`
    ? ItemsOf<R, Out>
    : S extends `(${string})${infer R}`
      ? ItemsOf<R, readonly [...Out, null]>
      : S extends `(${string}`
        ? Out
        : S extends `${infer W} ${infer R}`
          ? W extends `${infer A}(${infer B}`
            ? ItemsOf<`(${B} ${R}`, readonly [...Out, Word<A>]>
            : ItemsOf<R, readonly [...Out, Word<W>]>
          : S extends `${infer A}(${infer B}`
            ? ItemsOf<`(${B}`, readonly [...Out, Word<A>]>
            : readonly [...Out, Word<S>];

export type Word<W extends string> = W extends `${number}` ? null : W;

/** The words of a pattern. */
export type Words<P extends string> = WordsOf<Spaced<P>>;

export type WordsOf<S extends string> = S extends `${infer A}->${infer B}`
  ? WordsOf<A> | WordsOf<B>
  : S extends `${infer A}(${infer B}`
    ? WordsOf<A> | WordsOf<B>
    : S extends `${infer A})${infer B}`
      ? WordsOf<A> | WordsOf<B>
      : S extends `${infer A} ${infer B}`
        ? WordsOf<A> | WordsOf<B>
        : S extends "" | "..." | `${number}`
          ? never
          : S;

/** Sizes by the words of a pattern. */
export type PatternSizes<P extends string> = string extends P
  ? { readonly [word: string]: number }
  : { readonly [W in Words<P>]?: number };

/**
 * The names that `...` stands for, with up to four axes in front of it and behind. This and what follows is not recursive, since `tsc`
 * asks what it may be for names that it does not know.
 */
export type Ellipsis<I, N extends Names> = I extends readonly ["...", ...infer R]
  ? WithoutLast<R, N>
  : I extends readonly [unknown, "...", ...infer R]
    ? N extends readonly [Name, ...infer T extends Names]
      ? WithoutLast<R, T>
      : Names
    : I extends readonly [unknown, unknown, "...", ...infer R]
      ? N extends readonly [Name, Name, ...infer T extends Names]
        ? WithoutLast<R, T>
        : Names
      : I extends readonly [unknown, unknown, unknown, "...", ...infer R]
        ? N extends readonly [Name, Name, Name, ...infer T extends Names]
          ? WithoutLast<R, T>
          : Names
        : I extends readonly [unknown, unknown, unknown, unknown, "...", ...infer R]
          ? N extends readonly [Name, Name, Name, Name, ...infer T extends Names]
            ? WithoutLast<R, T>
            : Names
          : I extends readonly unknown[]
            ? "..." extends I[number]
              ? Names
              : readonly []
            : never;

/** Names without as many of the last ones as there are items. */
export type WithoutLast<I, N extends Names> = I extends readonly []
  ? N
  : I extends readonly [unknown]
    ? N extends readonly [...infer T extends Names, Name]
      ? T
      : Names
    : I extends readonly [unknown, unknown]
      ? N extends readonly [...infer T extends Names, Name, Name]
        ? T
        : Names
      : I extends readonly [unknown, unknown, unknown]
        ? N extends readonly [...infer T extends Names, Name, Name, Name]
          ? T
          : Names
        : I extends readonly [unknown, unknown, unknown, unknown]
          ? N extends readonly [...infer T extends Names, Name, Name, Name, Name]
            ? T
            : Names
          : Names;

/** Items with names in place of `...`. */
export type Filled<I, E extends Names> = I extends readonly ["...", ...infer R]
  ? readonly [...E, ...R]
  : I extends readonly [infer A, "...", ...infer R]
    ? readonly [A, ...E, ...R]
    : I extends readonly [infer A, infer B, "...", ...infer R]
      ? readonly [A, B, ...E, ...R]
      : I extends readonly [infer A, infer B, infer C, "...", ...infer R]
        ? readonly [A, B, C, ...E, ...R]
        : I extends readonly [infer A, infer B, infer C, infer D, "...", ...infer R]
          ? readonly [A, B, C, D, ...E, ...R]
          : I extends readonly unknown[]
            ? "..." extends I[number]
              ? Names
              : I
            : never;

/** A list as names; one of which no more is known than that there may be any number, as `Names`. */
export type AsNames<L> = L extends Names ? (number extends L["length"] ? Names : L) : Names;

/** The names of the result of a layout. */
export type LaidOut<P extends string, N extends Names> = string extends P
  ? Names
  : LaidOutOf<Items<Before<P>>, Items<After<P>>, N> extends infer R extends Names
    ? R
    : Names;

export type LaidOutOf<L, R, N extends Names> = AsNames<Filled<R, Ellipsis<L, N>>>;

/** Whether the items of one tensor are its axes: `never`, or what `tsc` shows. */
export type Misfit<I, N extends Names> = I extends readonly [infer H, ...infer R]
  ? H extends "..."
    ? MisfitFromEnd<R, N>
    : N extends readonly [infer A extends Name, ...infer T extends Names]
      ? MisfitOne<H, A> | Misfit<R, T>
      : "the pattern has more axes than the tensor"
  : N extends readonly []
    ? never
    : `the pattern has fewer axes than the tensor, beside ${Listed<N>}`;

export type MisfitFromEnd<I, N extends Names> = I extends readonly [...infer R, infer H]
  ? N extends readonly [...infer T extends Names, infer A extends Name]
    ? MisfitOne<H, A> | MisfitFromEnd<R, T>
    : "the pattern has more axes than the tensor"
  : never;

export type MisfitOne<H, A extends Name> = H extends string
  ? A extends null | H
    ? never
    : `the axis "${A}" stands where the pattern says "${H}"`
  : never;

/** A pattern for a tensor of these names; what `tsc` shows where its words are others. */
export type LayoutPattern<P extends string, N extends Names> = string extends P
  ? P
  : Known<N> extends false
    ? P
    : Misfit<Items<Before<P>>, N> extends infer M extends string
      ? [M] extends [never]
        ? P
        : M
      : never;

/** The terms of the operands of a product, without spaces around them. */
export type Terms<S extends string> = S extends `${infer A},${infer B}`
  ? readonly [Trim<A>, ...Terms<B>]
  : readonly [Trim<S>];

/** The names of operands. */
export type NamesOfAll<T extends readonly unknown[]> = {
  readonly [I in keyof T]: T[I] extends { readonly names: infer N extends Names } ? N : readonly [];
};

/** How a product is to be read: by words, by letters, or unknown where that depends on names that are not known. */
export type Reading<P extends string, NN extends readonly Names[]> =
  Terms<Before<P>> extends infer T extends readonly string[]
    ? readonly [...T, Trim<After<P>>] extends infer All extends readonly string[]
      ? [HasSpace<All[number]>] extends [never]
        ? [Exclude<T[number], Letter | Uppercase<Letter> | "">] extends [never]
          ? "letters"
          : number extends NN["length"]
            ? "unknown"
            : ReadingOf<T, NN>
        : "words"
      : never
    : never;

export type HasSpace<S extends string> = S extends `${string}${Space}${string}` ? true : never;

/** A term of several letters that stands for one axis is a word. */
export type ReadingOf<T, NN> = T extends readonly [infer H extends string, ...infer R extends readonly string[]]
  ? NN extends readonly [infer N extends Names, ...infer NR extends readonly Names[]]
    ? Known<N> extends false
      ? "unknown"
      : H extends "" | Letter | Uppercase<Letter>
        ? ReadingOf<R, NR>
        : N["length"] extends 1
          ? "words"
          : ReadingOf<R, NR>
    : "unknown"
  : "letters";

/** What of the operands does not fit the words of their terms. */
export type TermMisfits<T, NN> = T extends readonly [infer H extends string, ...infer R extends readonly string[]]
  ? NN extends readonly [infer N extends Names, ...infer NR extends readonly Names[]]
    ? (Known<N> extends true ? Misfit<Items<H>, N> : never) | TermMisfits<R, NR>
    : "the pattern has more terms than there are operands"
  : NN extends readonly []
    ? never
    : "the pattern has fewer terms than there are operands";

/** A pattern of a product for operands of these names; what `tsc` shows where its words are others. */
export type ProductPattern<P extends string, NN extends readonly Names[]> = string extends P
  ? P
  : number extends NN["length"]
    ? P
    : P extends `${string}->${string}`
      ? Reading<P, NN> extends "words"
        ? ProductMisfit<P, NN> extends infer M
          ? [M] extends [never]
            ? P
            : Extract<M, string>
          : never
        : P
      : "a pattern has an arrow -> in front of the axes of the result";

/** What does not fit, in words: inferred, so that `tsc` shows the words of several and not the name of this type. */
export type ProductMisfit<P extends string, NN extends readonly Names[]> = [
  | TermMisfits<Terms<Before<P>>, NN>
  | (Exclude<Words<After<P>>, Words<Joined<Terms<Before<P>>>>> extends infer W
      ? W extends string
        ? `no operand has the axis "${W}" of the result`
        : never
      : never),
] extends [infer M]
  ? M
  : never;

export type Joined<T extends readonly string[]> = T extends readonly [
  infer H extends string,
  ...infer R extends readonly string[],
]
  ? `${H} ${Joined<R>}`
  : "";

/** The names of a product. */
export type ProductNames<P extends string, NN extends readonly Names[]> = string extends P
  ? Names
  : ProductOf<Reading<P, NN>, Terms<Before<P>>, After<P>, NN> extends infer R extends Names
    ? R
    : Names;

export type ProductOf<Way, T, S extends string, NN> = Way extends "words"
  ? EllipsisOfAll<T, NN> extends infer E extends Names
    ? AsNames<Filled<Items<S>, E>>
    : Names
  : Way extends "letters"
    ? AsNames<LetterNames<Trim<S>, Pairs<T, NN>>>
    : Names;

/** The names of `...` where one operand has it; those of several merge, which is not followed. */
export type EllipsisOfAll<T, NN> = T extends readonly [infer H extends string, ...infer R extends readonly string[]]
  ? NN extends readonly [infer N extends Names, ...infer NR]
    ? H extends `${string}...${string}`
      ? true extends (R[number] extends infer W ? (W extends `${string}...${string}` ? true : false) : never)
        ? Names
        : Ellipsis<Items<H>, N>
      : EllipsisOfAll<R, NR>
    : Names
  : readonly [];

/** Which letter stands for which name; `Names` in place of what is not known. */
export type Pairs<T, NN> = T extends readonly [infer H extends string, ...infer R extends readonly string[]]
  ? NN extends readonly [infer N extends Names, ...infer NR extends readonly Names[]]
    ? PairsOf<H, N> | Pairs<R, NR>
    : Names
  : never;

export type PairsOf<S extends string, N extends Names> =
  Known<N> extends false
    ? Names
    : S extends `...${string}`
      ? Names
      : S extends `${infer C}${infer R}`
        ? N extends readonly [infer A extends Name, ...infer T extends Names]
          ? { letter: C; name: A } | PairsOf<R, T>
          : never
        : never;

export type LetterNames<S extends string, Q, Out extends readonly unknown[] = readonly []> = [
  Extract<Q, Names>,
] extends [never]
  ? S extends `${infer C}${infer R}`
    ? LetterNames<R, Q, readonly [...Out, LetterName<C, Q>]>
    : Out
  : Names;

export type LetterName<C extends string, Q> =
  Exclude<Extract<Q, { letter: C }> extends { name: infer A } ? A : never, null> extends infer A
    ? [A] extends [never]
      ? null
      : Extract<A, Name>
    : never;
