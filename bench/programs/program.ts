/**
 * What a program is: a whole function of one library, made ready with its operands. Runners time them, tests compare them.
 */
import type { Inputs } from "../peers/serve";

export type { Inputs };

/** Given its operands, makes what is called again and again. */
export type Program<T, R> = (inputs: Inputs<T>) => () => R;

export type Programs<T, R> = Readonly<Record<string, Program<T, R>>>;

/** An operand of a loop written by hand. */
export interface Plain {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

export type PlainResult = Float32Array | Float64Array | Uint8Array;

/** Numbers that all who do a program must agree in. */
export const STEPS = { scalar: 1000, gradient: 100, heat: 100, mandelbrot: 100 } as const;
/** Part of the old mean that the next one keeps. */
export const KEPT = 0.9;
export const DIFFUSION = 0.1;
export const TIME_STEP = 0.01;
export const SOFTENING = 0.01;
export const LEARNING_RATE = 0.1;
export const HEADS = 4;
export const EPSILON = 1e-5;
/** How fast two substances spread, are fed and go away (Gray and Scott). */
export const REACTION = { u: 0.16, v: 0.08, feed: 0.035, kill: 0.065 } as const;
/** Noise of the process and of what is measured, and the time between measurements. */
export const TRACKING = { process: 0.01, measured: 0.5, step: 0.1 } as const;
/** The part of the complex plane that is drawn. */
export const PLANE = { left: -2, right: 1, top: -1.5, bottom: 1.5 } as const;

/** Points spread evenly from `from` to `to`, both included. */
export const spread = (from: number, to: number, count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));
