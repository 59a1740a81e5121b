/**
 * Measures the special functions of f32: unary ones for all 2^32 arguments, binary ones for 10^8 pairs. Writes the table the
 * documentation shows; fails where a result is one unit in the last place or more from the exact value.
 *
 *     npx tsx scripts/accuracy/f32.ts [--step n] [name...]
 *
 * With `--step n` only every n-th argument is taken, and the table is left as it is but for functions that it has by strides.
 */
import { wasmKernel } from "../../lib/backends/wasm/codegen";
import { inScratch, scratch, views } from "../../lib/backends/wasm/memory/linear";
import { Builder } from "../../lib/kernel/builder";
import { binaryPrograms, unaryPrograms } from "../../lib/kernel/special/brought";
import type { SpecialBinary } from "../../lib/ops";
import type { Kernel, Value } from "../../lib/kernel/value";
import { pairs } from "./pairs";
import { BINARY, ulps, UNARY } from "./reference";
import { BOUNDS, NAMES, record, STRIDE, STRIDED, type Name } from "./table";

const BLOCK = 16_384;
const PAIRS = 1e8;

type F32 = Value<"f32">;

interface Row {
  /** Largest distance in units in the last place. */
  worst: number;
  /** The arguments it was found at. */
  at: number[];
  /** The share of correctly rounded results. */
  rounded: number;
  /** How many arguments were tried. */
  count: number;
}

/** The function in f32. */
function kernelOf(name: Name): Kernel {
  const k = new Builder();
  const load = (): F32 => k.load(k.input("f32")) as F32;
  const value = isBinary(name) ? binaryPrograms(name).f32(k, load(), load()) : unaryPrograms(name).f32(k, load());
  return k.kernel([{ type: "f32", values: [value] }]);
}

/** The function in f64, of arguments in f32: many times faster than those of {@link reference}, by which it is checked. */
function wideKernelOf(name: Name): Kernel {
  const k = new Builder();
  const load = (): Value<"f64"> => k.promote(k.load(k.input("f32")) as F32);
  const value = isBinary(name) ? binaryPrograms(name).f64(k, load(), load()) : unaryPrograms(name).f64(k, load());
  return k.kernel([{ type: "f64", values: [value] }]);
}

const isBinary = (name: Name): name is SpecialBinary => name in BINARY;

/** One in this many results in f64 is computed by other means too. */
const CHECKED = 61;
/** How far both may differ, relatively: nothing of a unit of f32. A sum that nearly cancels has fewer digits in f64 too. */
const agreement = (name: Name): number => (name === "logAddExp" ? 1e-9 : 1e-13);
/** How far they may differ at all: nothing of the least f32, which is 2^-149. */
const LEAST = 2 ** -240;

type Reference = (x: number, y: number) => number;

/** Fills the words of a block of arguments (of both of a pair) and says how many there are; 0 at the end. */
type Source = (first: Int32Array, second: Int32Array) => number;

function everyWord(step: number): Source {
  let next = 0;
  return (first) => {
    let n = 0;
    while (n < BLOCK && next < 2 ** 32) {
      first[n++] = next | 0;
      next += step;
    }
    return n;
  };
}

/** One block: arguments, results, and what they should be. */
interface Block {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly out: Float32Array;
  readonly wide: Float64Array;
}

/** Runs a kernel over all arguments of a source and compares each result. */
function measure(name: Name, source: Source): Row {
  const reference: Reference = isBinary(name) ? BINARY[name] : UNARY[name];
  const kernels = [kernelOf(name), wideKernelOf(name)].map((kernel) => wasmKernel(kernel).exports.run!);
  const row: Row = { worst: -1, at: [], rounded: 0, count: 0 };
  inScratch(() => {
    const [x, y, out, wide] = [4, 4, 4, 8].map((bytes) => scratch(bytes * BLOCK)) as [number, number, number, number];
    const { f32, s32, f64 } = views();
    const floats = (at: number): Float32Array => f32.subarray(at / 4, at / 4 + BLOCK);
    const words = (at: number): Int32Array => s32.subarray(at / 4, at / 4 + BLOCK);
    const block = { x: floats(x), y: floats(y), out: floats(out), wide: f64.subarray(wide / 8, wide / 8 + BLOCK) };
    const [first, second] = [words(x), words(y)];
    const inputs = isBinary(name) ? [x, y] : [x];
    for (let n = source(first, second); n > 0; n = source(first, second)) {
      kernels[0]!(n, ...inputs, out);
      kernels[1]!(n, ...inputs, wide);
      check(reference, block, n, row.count % CHECKED, agreement(name));
      compare(row, block, n);
    }
  });
  return { ...row, at: isBinary(name) ? row.at : row.at.slice(0, 1), rounded: row.rounded / row.count };
}

/** Throws where a result in f64 is not what Math or the core computes. */
function check(reference: Reference, { x, y, wide }: Block, n: number, start: number, share: number): void {
  for (let i = start; i < n; i += CHECKED) {
    const want = reference(x[i]!, y[i]!);
    const got = wide[i]!;
    if (Object.is(got, want) || Math.abs(got - want) <= share * Math.abs(want) + LEAST) continue;
    throw new Error(`in f64 the function of ${x[i]}, ${y[i]} is ${got} or ${want}`);
  }
}

function compare(row: Row, { x, y, out, wide }: Block, n: number): void {
  let { worst, rounded } = row;
  for (let i = 0; i < n; i++) {
    const want = wide[i]!;
    const got = out[i]!;
    // Most results are correctly rounded, which settles it.
    if (got === Math.fround(want) && got !== 0 && worst >= 0.5) {
      rounded++;
      continue;
    }
    const distance = ulps(got, want);
    if (Object.is(got, Math.fround(want))) rounded++;
    if (distance > worst) {
      worst = distance;
      row.at = [x[i]!, y[i]!];
    }
  }
  row.worst = worst;
  row.rounded = rounded;
  row.count += n;
}

function main(args: readonly string[]): void {
  const flag = args.indexOf("--step");
  const step = flag < 0 ? 1 : Number(args[flag + 1]);
  const chosen = args.filter((_, i) => flag < 0 || (i !== flag && i !== flag + 1));
  const names = chosen.length > 0 ? (chosen as Name[]) : NAMES;
  for (const name of names) {
    const row = measure(name, isBinary(name) ? pairs(name, PAIRS / step) : everyWord(step));
    const share = (100 * row.rounded).toFixed(3);
    console.log(
      `${name.padEnd(8)} worst ${row.worst.toFixed(4)} at ${row.at.join(", ")}; ${share} % correctly rounded`,
    );
    if (!(row.worst < BOUNDS.f32)) process.exitCode = 1;
    const written = { ...row, worst: Number(row.worst.toFixed(4)), rounded: Number(row.rounded.toFixed(6)) };
    if (step === 1 || (step === STRIDE && STRIDED.has(name))) record("f32", name, written);
  }
}

main(process.argv.slice(2));
