/** The least multiple of `step` that is not below `n`. */
export const roundUp = (n: number, step: number): number => Math.ceil(n / step) * step;
