/**
 * How far results may be from the exact ones. Every tolerance of the tests is here, under a name, with its reason.
 * Unless said otherwise, in units in the last place (ulp) of the expected number.
 */

/** Real functions computed by the library itself: erf, erfc, erfInv, sigmoid, rsqrt (measured: below 2.0). */
export const SPECIAL_ULP = 2;

/** Real powers (measured: 0.76; the reference is itself rounded, which adds up to one half). */
export const POW_ULP = 1;

/** Each part of a complex function that does not cancel: a few roundings of Math functions, each within 2 ulp. */
export const COMPLEX_PART_ULP = 4;

/** The larger part of a complex function; a smaller part may have cancelled and is held to the same absolute error. */
export const COMPLEX_ULP = 4;

/** Complex powers exp(w log z) beyond integers: this many ulp per unit of |w log z|, which magnifies the error of log z. */
export const COMPLEX_POW_ULP_PER_LOG = 3;

/** Values known in closed form that C99 lists with multiples of pi. */
export const EDGE_ULP = 2;

/** Sums, products and means, in ulp of the result's type: accumulated in f64, then rounded once or twice. */
export const AGGREGATE_ULP = 1;

/** What each element adds to that in f64 and c128, where nothing wider is there to accumulate in: half an ulp a part. */
export const ELEMENT_ULP = 1;

/** Variances and standard deviations, in ulp of the result's type: the mean, the distances, the squares, their mean round. */
export const VARIANCE_ULP = 2;

/** Element-wise functions of floats up to 32 bits: computed in f64, rounded once. */
export const ELEMENTWISE_ULP = 1;

/** The same in f64, where the engine's Math functions are what they are (measured: 1, sigmoid 2). */
export const ELEMENTWISE_F64_ULP = 2;

/** Gradients against central differences of the fourth order in f64, relative to the largest element. */
export const GRADIENT = 1e-6;

/** Normal and Gumbel samples, in epsilons of the type at the size of the sample or 1: erfInv and log round, then the rest. */
export const RANDOM_EPSILONS = 2;

/** Chance of a statistic of random samples at fixed keys below which the test would fail, were the samples perfect. */
export const RANDOM_CHANCE = 1e-4;

/** Residuals of matrix decompositions, in units of n * (half an ulp) * norm; LAPACK's own tests allow 30 (measured: below 8). */
export const LINALG_RESIDUAL = 10;

/** Singular values of bidiagonal matrices, in ulp for each row: sweeps and what they leave out round each value (measured: below 4). */
export const BIDIAGONAL_ULP = 16;

/** Singular values of small matrices with columns of any size, in ulp for each row (measured: below 2). */
export const JACOBI_ULP = 4;

/** Fourier transforms: the norm of the error in epsilons of f64 times log2(2n) times the norm (measured: below 0.34). */
export const FFT_ERROR = 0.5;

/** The fit of the CO2 example against NumPy's, relative: a condition of 643, a constant of 352 and a harmonic of 0.06 (measured: 1.3e-12). */
export const CO2_LEAST_SQUARES = 1e-11;

/** The same by descent, relative: it ends at gradients below 1e-12, and the smallest standardised coefficient is 0.04. */
export const CO2_DESCENT = 1e-10;

/**
 * Sums of k products accumulated in their own type, in units of k epsilons times the sum of magnitudes: products and sums
 * each round by half an epsilon at most, in any order (Higham, "Accuracy and Stability of Numerical Algorithms", section
 * 3.5), and so may the reference.
 */
export const CONTRACTION = 1;

/** Activations and logAddExp beside the rounded results: what design and docs/accuracy.md promise. */
export const ACTIVATION_ULP = { f32: 1, f64: 2 } as const;

/** Softmax: epsilons of a share, and as many for each unit of its logarithm, which is rounded before (measured: below 2). */
export const SOFTMAX_EPSILONS = 3;

/** Functions of lib/special in f64: half epsilons of what errors are small beside, a few roundings each, on the rows of test/oracles/functions.json (measured: below 6.7). */
export const SPECIAL_F64_HALF_EPSILONS = 8;

/** The same of logarithms and powers that are differences of several of these (measured: lbeta 11, betainc 12.7). */
export const SPECIAL_F64_DIFFERENCES = 16;

/** The same in f32: computed in f64 and rounded once, beside a result that is itself rounded. */
export const SPECIAL_F32_ULP = 1;

/** Their derivatives in f64, relative to what the derivative is made of: formulas of a few such functions, each of some roundings (measured: 1.6e-14). */
export const SPECIAL_DERIVATIVE = 3e-14;

/** Programs of the examples in f32 or with an iteration against NumPy in f64, relative to the largest number. */
export const PROGRAM_F32 = 2e-6;

/** Programs of the examples in f64 against NumPy, SciPy and closed forms, relative to the largest number. */
export const PROGRAM_F64 = 1e-11;

/** Where programs find an optimum, which SciPy knows to the root of the precision of the value there (measured: 8e-9). */
export const PROGRAM_OPTIMUM = 1e-7;

/** The same for the Kalman filter, whose likelihood SciPy knows to 5e-10: its covariance has a condition of 1e8 (measured: 2.8e-5). */
export const PROGRAM_KALMAN_OPTIMUM = 1e-4;
