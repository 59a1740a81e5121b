/** Which eager work waits to be computed with what reads it, or runs as a compiled function. */
/**
 * Elements of an operand from which on the library's composites run as compiled functions when they are called eagerly: those of two to
 * eleven passes take 0.2 to 0.5 of the time from there on (f32, one thread), and no less below, where a kernel is not compiled at once.
 */
export const COMPOSITES_FROM = 4096;

/**
 * Moves but transposes and reductions of arrays wait from so many times as many elements on as other work: to wait takes 0.5 to 1.5 microseconds, a tenth of
 * a transpose or of sums of rows of 20,000 f32. What is left of an axis without one of its ends waits as other work does, since such slices
 * are joined to ends.
 */
export const DEFERRED_ALONE = 5;
/**
 * Transposes wait from so many times fewer elements on: products read their operands, and of 12,288 elements on kernels do. A transpose of f64
 * by itself takes 1.04 of the time then (100 x 100), times a vector 0.25 (150 x 150 0.2), plus the matrix 0.65 (150 x 150).
 */
export const TRANSPOSED_SOONER = 3;
/** An array may be so many times as large as its view that waits: a slice of every second element keeps an array of twice its size. */
export const VIEWED_MOST = 2.5;
/** Values that wait and are read by no other value: the oldest are computed where there are more. */
export const DEFERRED_MOST = 64;
/** Bytes that pending values may keep alive beyond the bytes of their own arrays. */
export const DEFERRED_EXCESS = 2 ** 26;
/** Results of more bytes are made at once: where there is no memory for them, the call that makes them says so. */
export const DEFERRED_BYTES = 2 ** 28;
/** Ops of a kernel, values of the kernel language (each takes about 0.1 ms to compile), and arrays that it reads. */
export const DEFERRED_OPS = 64;
export const DEFERRED_VALUES = 800;
export const DEFERRED_INPUTS = 20;
/**
 * A value of more arrays of its size is stored: should the program hold it alone, it would keep so many times the memory that it takes.
 */
export const DEFERRED_KEPT = 4;
/** Elements of a line from which on a result of a reduction whose tensor lives is stored. */
export const DEFERRED_LINE_FROM = 16;
/** Values of the kernel language up to which an op is computed again after a reduction of its lines; heavier ops are kept. */
export const DEFERRED_REPEATED = 8;
/** Values that a kernel stores besides the wanted one, at most. */
export const DEFERRED_OUTPUTS = 4;
/**
 * A value of so many values of the kernel language is stored when it is computed a second time, a lighter one the third time: storing
 * and reading a value again takes as long as computing some 50.
 */
export const DEFERRED_HEAVY = 100;
/**
 * Elements times ops that are not stored, for each value of the kernel language, from which on a kernel is compiled: 0.1 ms against
 * about a nanosecond for each element that is neither written nor read again. Where kernels are compiled early, so are these.
 */
export const DEFERRED_GAIN = 100_000;
export const DEFERRED_GAIN_EACH = 6;
