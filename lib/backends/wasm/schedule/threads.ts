/** How many threads there are, and how long these watch and rest. */
/** Threads used by default on machines that have more. */
export const THREADS_MOST_BY_DEFAULT = 8;
/** Jobs put into the ring for each worker before the caller works itself. */
export const JOBS_AHEAD = 8;
/**
 * How long an idle worker watches for the next job before it sleeps, in microseconds. A wake-up takes 15 to 50 on the
 * machines measured; a worker that watches for about as long as its wake-up costs is never worse than twice the better
 * choice (Karlin et al., "Empirical studies of competitive spinning for a shared-memory multiprocessor", 1991). One that
 * is given no more work watches this long once and then costs nothing.
 */
export const WORKER_SPIN_MICROSECONDS = 50;
/**
 * How long it watches after a job that came within so long of the last one while it slept, in microseconds, and until a job takes longer to
 * come: plain calls leave gaps of 50 to 150 between two launches, in which workers slept each time (polynomial of 1e6 f32: 1.3 to
 * 1.4 times the time of the compiled function with 50 alone, 1.14 so; rows standardised 1.1 to 1.2, 1.1; no better with 400).
 */
export const WORKER_SPIN_MOST_MICROSECONDS = 200;
/**
 * How long the caller watches for the end of a job before it sleeps, in milliseconds. Longer than a worker's, because the
 * caller has nothing else to do and the wait is bounded by a call much like the one it has just run itself; short enough
 * to leave the core to the worker where the machine has too few.
 */
export const CALLER_SPIN_MILLISECONDS = 0.2;

/** The part of the time on one thread by which several may take longer; milliseconds of a credit and of a rest at most. */
const LOSS = 0.1;
const CREDIT_MOST = 5;
const REST_MOST = 100;

/**
 * What several threads have gained, after a call that took so long and would have taken so long alone, all in milliseconds; of a loss a tenth of
 * the time alone is let pass. Another core that is busy, or slow to wake, makes a call of 0.1 ms take 0.2 to 4 ms: calls that went well before it
 * pay for one such call, so that a lone delay does not keep the other cores from work (sums of 1e6 f32: 45 to 75 % of the calls were shared
 * without a credit), and delays one after the other have no credit left.
 */
export const creditAfter = (credit: number, taken: number, alone: number): number =>
  Math.min(CREDIT_MOST, credit + Math.max(alone - taken, Math.min(0, (1 + LOSS) * alone - taken)));

/** How long the caller works alone with such a credit, in milliseconds: a debt is paid by as much time alone as it is a tenth of. */
export const restAfter = (credit: number): number => Math.min(REST_MOST, Math.max(0, -credit / LOSS));
