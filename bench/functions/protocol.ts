/**
 * What the process that counts functions says.
 */

/** A work and the functions that it calls. */
export interface CountLine {
  readonly name: string;
  readonly calls: number;
  /** Functions and how often each is called, those called most often first; of some names there are several. */
  readonly most: readonly (readonly [name: string, calls: number])[];
}
