/**
 * The programs that are measured side by side, how far results may differ, and what each has to reach. Small ones for tests
 * come from the same specifications.
 */
import type { InputSpec, InputSpecs } from "../peers/protocol";
import { table, type PeerWork } from "../peers/works";

/** How long nx may take: a multiple of the least time of these members (at this work, or at another one). */
export interface Target {
  readonly most: number;
  readonly beside: readonly string[];
  /** The member that is judged, where it is another than nx-using. */
  readonly of?: string;
  /** Whether medians are compared, in place of least times. */
  readonly medians?: boolean;
  /** Name of the work whose time is taken, where it is another than this one. */
  readonly work?: string;
}

export interface ProgramWork extends PeerWork {
  readonly targets: readonly Target[];
}

/** The members of a usual run, in the order of columns. */
export const MEMBERS = [
  "nx-using",
  "nx-rotating",
  "nx-turns",
  "nx",
  "nx-1-thread",
  "nx-relaxed",
  "nx-eager",
  "nx-immediate",
  "nx-before",
  "loop",
  "onnxruntime-web",
  "onnxruntime-node",
  "jax-js",
  "jax-js-eager",
  "tfjs",
  "numpy-ts",
  "NumPy-1-thread",
] as const;

const PEERS = ["jax-js", "tfjs", "numpy-ts"];
const BEFORE = ["nx-before"];
const LOOP = ["loop"];
const WEB = ["onnxruntime-web"];
const NATIVE = ["onnxruntime-node"];

/** Seeds begin where no work of the table of peers has one. */
let seeds = 1000;
const numbers = (shape: readonly number[], low = 0, high = 1): InputSpec => ({ shape, seed: ++seeds, low, high });

const target = (most: number, beside: readonly string[], more: Partial<Target> = {}): Target => ({
  most,
  beside,
  ...more,
});

/** What nobody releases costs at most half as much again as what is released. */
const RELEASED = target(1.5, ["nx-using"], { of: "nx-turns", medians: true });

function program(
  name: string,
  run: string,
  inputs: InputSpecs,
  targets: readonly Target[],
  absolute = 1e-5,
  relative = 1e-4,
): ProgramWork {
  return { name, run, inputs, targets: [...targets, RELEASED], tolerance: { absolute, relative } };
}

const dense = (rows: number, inner: number, wide: number, classes: number): InputSpecs => ({
  x: numbers([rows, inner], -1, 1),
  labels: { ...numbers([rows, classes]), oneHot: true },
  w1: numbers([inner, wide], -0.1, 0.1),
  b1: numbers([wide], -0.1, 0.1),
  w2: numbers([wide, classes], -0.1, 0.1),
  b2: numbers([classes], -0.1, 0.1),
});

const images = (batch: number, size: number): InputSpecs => ({
  x: numbers([batch, 3, size, size], -1, 1),
  k1: numbers([16, 3, 3, 3], -0.2, 0.2),
  c1: numbers([16], -0.1, 0.1),
  k2: numbers([32, 16, 3, 3], -0.1, 0.1),
  c2: numbers([32], -0.1, 0.1),
  w: numbers([(32 * size * size) / 16, 10], -0.05, 0.05),
  b: numbers([10], -0.1, 0.1),
});

function block(rows: number, size: number): InputSpecs {
  const square = (): InputSpec => numbers([size, size], -0.2, 0.2);
  return {
    x: numbers([rows, size], -1, 1),
    ...{ g1: numbers([size], 0.5, 1.5), s1: numbers([size], -0.1, 0.1) },
    ...{ wq: square(), wk: square(), wv: square(), wo: square() },
    ...{ g2: numbers([size], 0.5, 1.5), s2: numbers([size], -0.1, 0.1) },
    ...{ w1: numbers([size, 4 * size], -0.2, 0.2), b1: numbers([4 * size], -0.1, 0.1) },
    ...{ w2: numbers([4 * size, size], -0.1, 0.1), b2: numbers([size], -0.1, 0.1) },
  };
}

const bodies = (count: number): InputSpecs => ({
  places: numbers([count, 3], -1, 1),
  speeds: numbers([count, 3], -0.1, 0.1),
  masses: numbers([count], 0.5, 1.5),
});

const binned = (count: number, bins: number): InputSpecs => ({
  x: numbers([count]),
  places: numbers([count], 0, bins),
  bins: numbers([bins]),
});

const MODEL = [target(1, WEB), target(3, NATIVE, { of: "nx-1-thread" })];

/** Plain calls: as fast as when they are compiled, about; a fifth of the time of others that run each call by itself; faster than that here. */
const EAGER = [
  target(1.3, ["nx-using"], { of: "nx-eager" }),
  target(0.2, ["jax-js-eager", "tfjs", "numpy-ts"], { of: "nx-eager" }),
  target(1, ["nx-immediate"], { of: "nx-eager" }),
];

const MORE: Readonly<Record<string, readonly Target[]>> = {
  "gelu, tanh form": EAGER,
  "Black-Scholes": EAGER,
  "polynomial, 9 operations": EAGER,
  "softmax 1000x1000": EAGER,
  "matmul 1024": [target(2.5, ["NumPy-1-thread"], { of: "nx-relaxed" })],
};

/** A row of the table of peers: ahead of the best of them that runs JavaScript. */
const known = (work: PeerWork): ProgramWork => ({
  ...work,
  targets: [target(1, PEERS), ...(MORE[work.name] ?? []), RELEASED],
});

const softmax = table.find(({ run }) => run === "softmax")!;

/** The rows of the table. */
export const programs: readonly ProgramWork[] = [
  program("whileLoop, 1000 steps, scalar", "whileScalar", { x: numbers([]) }, [target(3, LOOP)]),
  program("whileLoop, 1000 steps of 64", "whileVector", { x: numbers([64]) }, [target(1, LOOP)]),
  program("scan of 10,000 scalars", "scanScalar", { x: numbers([10_000]) }, [target(3, LOOP)]),
  program("heat 64x64, 100 steps", "heat", { field: numbers([64, 64]) }, [target(0.7, LOOP)]),
  program("Kalman filter 4x4, 1 measured", "kalmanOne", { measurements: numbers([100, 1]) }, [target(2, LOOP)]),
  program("Kalman filter 4x4, 2 measured", "kalmanTwo", { measurements: numbers([100, 2]) }, [target(2, LOOP)]),
  program("50 bodies, a step", "bodies", bodies(50), [target(1, LOOP)]),
  program("Mandelbrot 256x256, whileLoop", "mandelbrot", { image: numbers([256, 256]) }, [target(0.7, LOOP)], 0, 0),
  program("Game of Life 256x256", "life", { chance: numbers([256, 256]) }, [target(0.3, LOOP)], 0, 0),
  program("loop of 100 steps of 64", "growth", { x: numbers([64]) }, []),
  program("its gradient", "growthGradient", { x: numbers([64]) }, [
    target(4, ["nx-using"], { work: "loop of 100 steps of 64" }),
  ]),
  program("training step 64-128-10, batch 8", "train", dense(8, 64, 128, 10), [target(0.5, BEFORE)]),
  program("MLP 784-128-10, batch 1", "mlp", dense(1, 784, 128, 10), MODEL),
  program("CNN forward 16x3x32x32", "cnn", images(16, 32), MODEL),
  program("transformer block 32x64", "transformer", block(32, 64), MODEL),
  { ...softmax, name: "softmax 1000x1000, eager", run: "softmaxEager", targets: [target(1, PEERS), RELEASED] },
  program("rows standardised, 1000x1000", "standardise", { x: numbers([1000, 1000], -5, 5) }, EAGER),
  program("Gray-Scott 512x512, a step", "grayScott", { u: numbers([512, 512]), v: numbers([512, 512], 0, 0.5) }, EAGER),
  program("training step by hand 784-256-10, batch 512", "trainByHand", dense(512, 784, 256, 10), EAGER),
  program("svd 200x200 f64", "singularValues", { x: numbers([200, 200], -1, 1) }, [target(0.25, BEFORE)]),
  program("indexedAdd, 1e6 into 1000", "bins", binned(1_000_000, 1000), [target(0.1, BEFORE)], 0, 1e-4),
  program("add 1e5", "add", { x: numbers([100_000]), y: numbers([100_000]) }, [target(1, PEERS)]),
  ...table.map(known),
];

/** Members that take part only where a target names them. */
const CALLED = ["nx-1-thread", "nx-relaxed", "nx-eager", "nx-immediate", "jax-js-eager", "NumPy-1-thread"];

export const takesPart = (member: string, { targets }: ProgramWork): boolean =>
  !CALLED.includes(member) || targets.some(({ beside, of }) => of === member || beside.includes(member));

/** The same programs on operands small enough for a test. */
export const smallInputs: Readonly<Record<string, InputSpecs>> = {
  whileScalar: { x: numbers([]) },
  whileVector: { x: numbers([5]) },
  scanScalar: { x: numbers([33]) },
  heat: { field: numbers([6, 9]) },
  kalmanOne: { measurements: numbers([12, 1]) },
  kalmanTwo: { measurements: numbers([12, 2]) },
  bodies: bodies(7),
  mandelbrot: { image: numbers([9, 13]) },
  life: { chance: numbers([9, 14]) },
  growth: { x: numbers([5]) },
  growthGradient: { x: numbers([5]) },
  train: dense(3, 6, 9, 4),
  mlp: dense(1, 12, 9, 4),
  cnn: images(2, 8),
  transformer: block(5, 16),
  softmaxEager: { x: numbers([4, 9], -5, 5) },
  standardise: { x: numbers([4, 9], -5, 5) },
  grayScott: { u: numbers([5, 7]), v: numbers([5, 7], 0, 0.5) },
  trainByHand: dense(3, 6, 9, 4),
  singularValues: { x: numbers([7, 7], -1, 1) },
  bins: binned(200, 7),
};
