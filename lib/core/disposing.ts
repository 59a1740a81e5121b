/**
 * Types of what `using` and `await using` release, for programs whose libraries know the symbols; for others these types are empty,
 * so that the declarations compile everywhere.
 */

/** A symbol by its name, where the libraries of the program know it. */
export type KeyOf<Name extends string> = typeof Symbol extends { readonly [K in Name]: infer Key extends symbol }
  ? Key
  : never;

/** An object with a method for the end of a `using` block. */
export type Disposing = { readonly [K in KeyOf<"dispose">]: () => void };

/** An object with a method for the end of an `await using` block. */
export type AsyncDisposing = { readonly [K in KeyOf<"asyncDispose">]: () => Promise<void> };
