/**
 * The first time something is done, as a process: `fresh.mjs LIBRARY KIND` imports the library from a file and prints what
 * the first call of that kind took, in microseconds of processor time; or what the import took. On one core of a quiet machine
 * that is the time of a clock, and other processes do not change it.
 */
import { pathToFileURL } from "node:url";

type Nx = typeof import("nx-numerics");

const LENGTH = 100_000;

const operand = (length: number): Float32Array => Float32Array.from({ length }, (_, i) => (i % 7) - 3);

/** Given the library, makes the operands and gives the call that is timed. */
const KINDS: Readonly<Record<string, (nx: Nx) => () => unknown>> = {
  kernel: (nx) => {
    const x = nx.tensor(operand(LENGTH));
    return () => nx.add(x, x);
  },
  reduction: (nx) => {
    const x = nx.tensor(operand(LENGTH));
    return () => nx.sum(x);
  },
  fused: (nx) => {
    const x = nx.tensor(operand(8));
    const ten = nx.defn((x: import("nx-numerics").Tensor) =>
      x.multiply(0.5).add(1).multiply(x).subtract(0.25).max(-3).multiply(0.75).add(x).min(3).negate().multiply(2),
    );
    return () => ten(x);
  },
};

function now(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

const [file, kind] = process.argv.slice(2) as [string, string];
const begun = now();
const nx = (await import(pathToFileURL(file).href)) as Nx;
let microseconds = now() - begun;
const prepare = KINDS[kind];
if (prepare) {
  const call = prepare(nx);
  const start = now();
  nx.evaluate(call() as import("nx-numerics").Tensor);
  microseconds = now() - start;
}
console.log(microseconds);
process.exit(0);
