/** What becomes part of a program, and what is written out in its code. */
import { threadsFor } from "./cuts";
import { isLight } from "./element-wise";

/** Instructions in a row at most, where a loop would do: the code of a copy stays below about 200 bytes for each loop of it. */
export const UNROLLED = 8;
/** Vectors of a pattern that a copy repeats, at most: they stay in registers. */
export const PATTERN_VECTORS_MOST = 16;
/** Products up to which sums of them are made without packing: operands stay in the second-level cache. */
export const UNPACKED_TO = 2 ** 21;
/**
 * Products of vectors of all k steps of a tile up to which they are written out. A loop does a tile's vectors once a turn, and V8 unrolls it
 * (32 x 64 x 64 of f32: 6.3 us; two, four and eight steps a turn took 8.8, 11.2 and 14.0).
 */
export const UNROLLED_PRODUCTS = 32;
/** Elements of lines that routines sort: the comparisons of a network are written out (191 pairs for 32 elements, 2 kB). */
export const NETWORK_ROUTINE_TO = 32;
/** Items from which on a plane is transposed in squares of vectors. */
export const TRANSPOSED_FROM = 64;

/**
 * Elements that a loop counts for whose number of turns is unknown, half of what pays for a program: the program is made at the second call, or in the
 * first one once the loop turns out long (128 turns by themselves take 1 to 2 ms, the program 1.5 to 3).
 */
export const LOOP_ELEMENTS = 8192;
/** Steps with a result of more elements run by themselves, where all threads can take part. */
export const PROGRAM_ELEMENTS = 65_536;
/**
 * Elements up to which kernels and joins that are light, or that one thread computes anyway, are steps of a loop's program all the same: its states stay
 * where they are, and nothing is called (a step of the heat equation on 512 x 512 f32 on one and two threads: 100 and 105 us, 200 and 182 by itself;
 * on 724 x 724 202 and 222, 303 and 373; on 1000 x 1000 two threads take as long).
 */
const IN_LOOP_MOST = 2 ** 19;
export const isBetterInLoop = (elements: number, ops: number, threads: number): boolean =>
  elements <= IN_LOOP_MOST && (isLight(ops) || threadsFor(elements, ops, threads) === 1);
/**
 * Sums of products of more multiplications run by themselves, where other threads can take some: up to as many as a call makes, a graph
 * of a product and an addition takes 1.15 to 1.3 times as long as a program (64 x 64 to 128 x 128, 20 x 224 x 224, one thread).
 */
export const PROGRAM_PRODUCTS = 2 ** 20;
/** Matrices of more elements are decomposed by themselves (solving 64 equations as a program took 1.1 times as long). */
export const PROGRAM_MATRIX = 1024;
/** Rows of fewer elements are copied before a kernel reads them: a call for each row has to pay. */
export const PROGRAM_ROW_FROM = 8;
/** Elements of a last axis at most, and of its planes at least, that values are held as planes for. */
export const PLANES_MOST = 4;
export const PLANE_FROM = 64;
/** Values of the kernel language, and operands, of kernels that become one. */
export const JOINED_VALUES = 200;
export const JOINED_OPERANDS = 24;

/**
 * Vectors of state that a block of a loop holds at most: 12 of the 16 registers of x86. A thousand turns of two ops on 64 f32 took 1.3
 * times as long with 6, as long with 24.
 */
export const BLOCK_VECTORS = 12;
/**
 * Values of the kernel language for each byte of state that a turn moves, up to which a large loop is done block by block on one thread
 * rather than turn by turn on all: threads share the way to memory, and a turn of few values waits for it.
 */
export const BLOCK_BYTE_VALUES = 2;
/**
 * Values of the kernel language that are written out for a block of more than four elements (100 turns of ten operations on 10,000 f32: 1.5 ms
 * with 200, 0.87 with 400, 0.72 with 800 and with 1600).
 */
export const BLOCK_VALUES = 800;
/**
 * Turns, a power of 2, between two looks at whether a block still changes; a look takes about three instructions for each vector of
 * state. The Mandelbrot set, 256x256 points, 100 turns, took 2.4 ms with it
 * and 5.3 ms without.
 */
export const SETTLED_EVERY = 8;
