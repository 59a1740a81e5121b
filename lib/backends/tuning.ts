/**
 * Settings that tests change, to reach ways which small tensors, one machine and a willing host do not take. They decide how work is
 * done, never its results.
 */
export interface Tuning {
  /** Bytes from which on an array is large: smaller arrays are cheap enough to make anew. */
  largeFrom: number;
  /**
   * Elements that the TypeScript executor computes of a kernel before the kernel is compiled: as many as cost about what emitting and
   * compiling it does (calls on 1,024 f32: 9,000 to 17,000 elements for tanh, gelu and sines of f64, 28,000 for softmax, 46,000 to
   * 120,000 for kernels of few ops).
   */
  compiledFrom: number;
  /**
   * Bytes of an operand in the memory of kernels from which on pieces of its reduction are shared with other threads (sums of f32: 95
   * microseconds).
   */
  sharedFrom: number;
  /** The number of threads, the caller's included; 0 for the number that the configuration says. */
  threads: number;
  /** Bytes for tensors in the memory of kernels; tensors beyond are ordinary arrays. */
  arenaBytes: number;
  /** Whether steps run together as programs, where a backend can do that. */
  programs: boolean;
  /** Whether faults in the compiling of programs are raised, as tests want, instead of running their steps one by one. */
  faults: boolean;
  /**
   * Elements of a result from which on eager work may wait until it is read: a single operation takes as long as at once (operations on
   * 20,000 f32: 0.9 to 1.05), but for slices, which take up to a microsecond more. Two operations in a row save time.
   */
  deferredFrom: number;
  /**
   * Elements above which compiled functions have kernels read concatenations where their parts lie: a step of a simulation of 32 x 32 takes as
   * long where they are copied, one of 64 x 64 1.5 times as long.
   */
  joinedFrom: number;
  /** Bytes up to which the memory of kernels may grow, as on a host that gives no more. */
  memoryBytes: number;
}

/** Elements that a step of a plan counts for, in the sense of `compiledFrom`, when it runs by itself. */
export const STEP_ELEMENTS = 64;

const DEFAULTS: Readonly<Tuning> = Object.freeze({
  largeFrom: 16_384,
  compiledFrom: 16_384,
  sharedFrom: 2 ** 21,
  threads: 0,
  arenaBytes: 256 * 2 ** 20,
  programs: true,
  faults: false,
  deferredFrom: 12_288,
  joinedFrom: 2048,
  memoryBytes: Infinity,
});

/** The settings in force. */
export const tuning: Readonly<Tuning> = { ...DEFAULTS };

/** Changes some settings; null for the default. */
export function tune(changes: { readonly [K in keyof Tuning]?: Tuning[K] | null }): void {
  for (const key of Object.keys(changes) as (keyof Tuning)[]) set(key, changes[key] as never);
}

function set<K extends keyof Tuning>(key: K, value: Tuning[K] | null): void {
  (tuning as Tuning)[key] = value ?? DEFAULTS[key];
}
