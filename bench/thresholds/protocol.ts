/**
 * What the process that tries values of thresholds is told, and says.
 */

/** The library with one value of a threshold: the file that it is bundled into. */
export interface Variant {
  readonly value: number;
  readonly file: string;
}

export interface Trial {
  readonly name: string;
  /** The value of the pages of thresholds first. */
  readonly variants: readonly Variant[];
}

/** Microseconds of a work with each of the values. */
export interface ThresholdLine {
  readonly work: string;
  readonly microseconds: readonly number[];
}
