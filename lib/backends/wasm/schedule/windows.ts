/** From where on windows are reduced by kernels. */
/**
 * Places of windows that are worth a kernel at once, elements of the operand times places in a window; and those that are once there is one (maxima of
 * 2 x 2: of 10 x 10 f32 0.78 of the time of loops, of 16 x 16 0.5, of 20 x 20 0.43; first calls took 2 ms more).
 */
export const WINDOWS_FROM = 2048;
export const WINDOWS_AGAIN_FROM = 384;
/** Places that a kernel reads at most; larger windows go axis by axis. */
export const WINDOW_PLACES = 32;
/**
 * Whether windows go axis by axis where that reads each element so many times less: a further pass writes and reads it once, and takes
 * about 5 microseconds (3 x 3 of a million f32: 0.56 to 0.66 of the time, 5 x 5 0.45; 3 x 3 of 64 x 64 u8 1.3, 2 x 4 1.0).
 */
export const isWorthSplitting = (saved: number, elements: number): boolean => saved >= 3 && saved * elements >= 2 ** 14;
/** Elements of rows of results from which on a kernel is called for each. */
export const WINDOW_ROW_FROM = 8;
/**
 * Elements that are computed for each result at most: a kernel does all places, strides or not (maxima of 512 x 512 f32: 6 x 6 by 6 0.33 of the
 * time of loops, 10 x 10 by 10 0.7, 14 x 14 by 14 1.0 to 1.4).
 */
export const WINDOW_WASTE = 128;
