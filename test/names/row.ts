/**
 * Rows of the table of names: what a call gives, which names its axes have, and whether `tsc` knows them. A row whose names differ
 * from those in the call's type does not compile, nor does one that says that types do not know them where they do.
 */
import type * as Nx from "nx-numerics";

/** The rules by which names come out, with their titles, in the order of the page. */
export const RULES = {
  same: ["As the operand", "Every axis keeps its name."],
  merged: [
    "Merged",
    "The operands align from the right, `null` yields to a name, and different names at one place are an error.",
  ],
  met: [
    "Met by name",
    "The axes of the first operand in their order, then those that only a later one has. An axis without a name is an error.",
  ],
  reduced: [
    "Fewer axes",
    "As the operand without the axes that are reduced or taken one entry of; all with `keepAxes`.",
  ],
  moved: ["Moved", "Names move with their axes."],
  new: ["One more axis", "As the operand, with a new axis, whose name an option gives; `null` without."],
  replaced: ["In place of an axis", "As the operand, with the names of the indices or the groups in place of an axis."],
  product: [
    "Of both",
    "The axes left of the left operand, then those of the right; a name that is there twice is an error.",
  ],
  matrix: [
    "Matrices",
    "Rows and columns that an operand has keep their names; others have that of an option; `null` without.",
  ],
  given: ["As given", "The option `names` or `name` says them; an axis without one is `null`."],
  drawn: ["Random", "The option `names` says them; without it they are those of the parameters. Keys have none."],
  mapped: ["As a function gives them", "An axis that the function was called along comes first, with its name."],
  container: ["Containers", "Every tensor keeps its own."],
  scalar: ["Scalars", "They have no axes."],
  none: ["None", "No axis has a name."],
  stored: ["As stored", "Names are in the file or message."],
} as const;

export type Rule = keyof typeof RULES;

type One = readonly (string | null)[];

/** Names of a result, or of each of several. */
export type Listed = One | readonly One[];

interface Unknown {
  readonly "types know": "no names";
}

/** Names in the type of a result, or of each of several. */
type NamesOf<R> = R extends { readonly names: infer N extends Nx.Names }
  ? number extends N["length"]
    ? Unknown
    : N
  : { readonly [I in keyof R]: NamesOf<R[I]> };

/** Nothing to add where the names of a type are those of a row, else something that no row is. */
type Agrees<R, E> = [NamesOf<R>] extends [E]
  ? [E] extends [NamesOf<R>]
    ? unknown
    : { readonly "names in the type": NamesOf<R> }
  : { readonly "names in the type": NamesOf<R> };

/** Nothing to add where names are missing in a type, else something that no result is. */
type Misses<R> = [Extract<NamesOf<R> | Each<NamesOf<R>>, Unknown>] extends [never]
  ? { readonly "names in the type": NamesOf<R> }
  : unknown;

type Each<T> = T extends readonly (infer E)[] ? E : never;

export interface Row {
  readonly rule: Rule;
  readonly call: () => unknown;
  /** The call as the page shows it; that of the source when left out. */
  readonly text?: string;
  readonly names: Listed;
  /** Why types do not know the names. */
  readonly untyped?: string;
}

/** What a call gives: names that types know, too. */
export const row = <R, const E extends Listed>(rule: Rule, call: () => R, names: E & Agrees<R, E>): Row => ({
  rule,
  call,
  names,
});

/** What a call gives where types do not know the names, and why they do not. */
export const untyped = <R>(rule: Rule, call: () => R & Misses<R>, names: Listed, why: string): Row => ({
  rule,
  call,
  names,
  untyped: why,
});

/** Keys of functions in a namespace, where each is of a type that says which names come out; else `never`, at its place. */
export type Fitting<S, K extends readonly unknown[], F> = {
  readonly [I in keyof K]: K[I] extends keyof S ? (S[K[I]] extends F ? K[I] : never) : never;
};

export type Rows = Readonly<Record<string, Row>>;
