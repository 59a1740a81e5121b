/** What the page and the workers of the playground say to each other. */

/** A tensor, as far as the page shows it. */
export interface ShownTensor {
  readonly kind: "tensor";
  readonly text: string;
  readonly type: string;
  readonly shape: readonly number[];
  readonly names: readonly (string | null)[];
  /** Real elements in row-major order; absent where there are more than can be looked at, or complex ones. */
  readonly values?: Float64Array;
}

export interface ShownText {
  readonly kind: "text";
  readonly text: string;
}

/** A graph in the language of Graphviz. */
export interface ShownGraph {
  readonly kind: "graph";
  readonly dot: string;
  readonly text: string;
}

/** A picture, and what it is in words. */
export interface ShownPicture {
  readonly kind: "svg";
  readonly svg: string;
  readonly text: string;
}

export type Shown = ShownTensor | ShownText | ShownGraph | ShownPicture;

/** What a program did, in order: a value that a line shows, an error at a line, or its end. */
export type Event =
  | { readonly event: "shown"; readonly line: number; readonly values: readonly Shown[] }
  | { readonly event: "failed"; readonly line: number; readonly name: string; readonly message: string }
  | { readonly event: "ended"; readonly milliseconds: number };

/** A program as JavaScript; `id` is given back with each of its events. */
export interface Job {
  readonly id: number;
  readonly code: string;
}

export interface Report {
  readonly id: number;
  readonly event: Event;
}
