/**
 * Runs a kernel over a whole space through WebAssembly, block by block, here or on another thread. Operands and results
 * that lie in the memory of kernels are read and written there; others are staged into scratch memory and out of it.
 */
import { bytesOf, type DType } from "../../core/types";
import { interpret } from "../../kernel/interpret/run";
import { keyOf } from "../../kernel/key";
import type { CopyRows, Elements, Reader } from "../../kernel/operand";
import type { Kernel } from "../../kernel/value";
import { isCompiled, STEP, wasmKernel } from "./codegen";
import { addressOf, contiguousAt } from "./arena";
import { borrow, inScratch, scratch, VIEW, views } from "./memory";
import type { KernelModule } from "./module";
import { copyRowsOf } from "./copy";
import { orElse } from "./refusal";
import { rowLength, runByRow } from "./rows/kernel";
import { copyOut, runStream } from "./stream";
import { threadCount } from "./threads";
import { isWarm } from "./tiering";

/** Bytes of the widest element. */
const WIDEST = 16;

/** Bytes of one operand in a block that is staged: all operands of a block stay in a core's cache. */
const BLOCK_BYTES = 32_768;
/** The same where nothing is staged: as many as make handing a block over cheap. */
const RESIDENT_BYTES = 262_144;
/** Blocks in memory for each other thread: one it works on, one that waits, one to be taken out. */
const AHEAD = 3;
/** Below this many ops for each element, copying operands is most of the work, and that is the caller's. */
const SHARED_FROM_OPS = 24;

/** Rows that are read side by side at best: so many elements share a cache line. */
const SIDE_BY_SIDE = 16;

/**
 * Elements per block: a multiple of the step by which the widest operand fills its share, and where there are some, of rows
 * that are read side by side, or of a period.
 */
function blockLength(kernel: Kernel, readers: readonly Reader[], size: number, bytes: number): number {
  const types = [...kernel.inputs.filter(({ uniform }) => !uniform), ...kernel.outputs].map(({ type }) => type);
  const widest = Math.max(...types.map(bytesOf));
  const whole = Math.ceil(size / STEP) * STEP;
  const turned = Math.max(0, ...readers.map(({ turnedRow }) => turnedRow)) * SIDE_BY_SIDE;
  if (turned > 0 && turned * widest <= RESIDENT_BYTES) {
    return Math.min(Math.max(1, Math.floor(bytes / widest / turned)) * turned, whole);
  }
  const unit = Math.max(STEP, ...readers.map(({ period }) => leastMultiple(period, STEP)));
  const step = unit * widest <= bytes ? unit : STEP;
  return Math.min(Math.floor(bytes / widest / step) * step, whole);
}

/** The least number of elements that is a multiple of both. */
function leastMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x === 0 ? 0 : (a / x) * b;
}

const isLight = (kernel: Kernel): boolean =>
  kernel.values.filter(({ op }) => op !== "load" && op !== "const").length < SHARED_FROM_OPS;

/** How many blocks are under way at a time: one where the caller does all. */
function placesFor(kernel: Kernel, blocks: number, { staged, inPlace }: Residents): number {
  const threads = threadCount();
  if (threads === 1 || inPlace || blocks < (staged ? 2 * AHEAD : 2) || (staged && isLight(kernel))) return 1;
  return Math.min(blocks, AHEAD * (threads - 1) + 1);
}

/** Spaces of at most this many elements are done in one go, without planning. */
const SMALL = 1024;

/** Arguments of the function of a kernel, used for every small call. */
const argumentsOf = new WeakMap<KernelModule, number[]>();

/** Does a small space at once. */
function runSmall(
  kernel: Kernel,
  module: KernelModule,
  readers: readonly Reader[],
  outputs: readonly Elements[],
  size: number,
): void {
  const { inputs, outputs: results } = kernel;
  let args = argumentsOf.get(module);
  if (!args) argumentsOf.set(module, (args = []));
  const length = Math.ceil(size / STEP) * STEP;
  let at = borrow(length * WIDEST * (inputs.length + results.length));
  const memory = views();
  args[0] = size;
  for (let i = 0; i < inputs.length; i++) {
    const { type, uniform } = inputs[i]!;
    readers[i]!.read(memory[VIEW[type]], at / bytesOf(type), 0, uniform ? 1 : size);
    args[i + 1] = at;
    at += length * bytesOf(type);
  }
  for (let i = 0; i < results.length; i++) {
    args[inputs.length + i + 1] = at;
    at += length * bytesOf(results[i]!.type);
  }
  module.exports["run"]!(...args);
  for (let i = 0; i < results.length; i++) {
    copyOut(results[i]!.type, args[inputs.length + i + 1]!, size, outputs[i]!, 0);
  }
}

/** Computes `outputs`, arrays of `size` elements, from the inputs. */
export function runKernel(
  kernel: Kernel,
  readers: readonly Reader[],
  outputs: readonly Elements[],
  size: number,
  key: string = keyOf(kernel),
): void {
  const row = rowLength(readers, size);
  if (row > 0) return runByRow(kernel, readers, outputs, size, row);
  const module = wasmKernel(kernel, key);
  if (size <= SMALL) return runSmall(kernel, module, readers, outputs, size);
  inScratch(() => {
    const residents = new Residents(kernel, readers, outputs);
    const { staged } = residents;
    const length = blockLength(kernel, readers, size, staged ? BLOCK_BYTES : RESIDENT_BYTES);
    const pieces = Math.ceil(size / length);
    const places = placesFor(kernel, pieces, residents);
    const memory = new Places(kernel, residents, readers, length, places);
    kernel.inputs.forEach(({ uniform }, i) => uniform && memory.stage(readers[i]!, i, 0, 0, 1));
    const countOf = (piece: number): number => Math.min(length, size - piece * length);
    runStream({
      module,
      name: "run",
      pieces,
      places,
      stage(piece, place) {
        const n = countOf(piece);
        readers.forEach((reader, i) => {
          if (!kernel.inputs[i]!.uniform) memory.stage(reader, i, place, piece * length, n);
        });
        return [[n, ...memory.addresses(place, piece * length)]];
      },
      collect: (piece, place) => memory.collect(outputs, place, piece * length, countOf(piece)),
    });
  });
}

/**
 * The same by the TypeScript executor as long as the kernel is not worth compiling, and where the host refuses what it needs:
 * before anything is computed, so that operands are there still where results are written over them.
 */
export function runWarm(
  kernel: Kernel,
  readers: readonly Reader[],
  outputs: readonly Elements[],
  size: number,
  key: string = keyOf(kernel),
): void {
  const execute = isCompiled(key) || isWarm(key, size) ? compiled : interpret;
  execute(kernel, readers, outputs, size, key);
}

const compiled = orElse(runKernel, interpret);

/** Which operands and results of a kernel lie in its memory, and where their first elements are; null for others. */
class Residents {
  readonly inputs: readonly (number | null)[];
  readonly outputs: readonly (number | null)[];
  /** Whether something has to be copied for each block. */
  readonly staged: boolean;
  /**
   * Whether results are written over operands. Work that a thread did not finish must find its operands, so the caller does
   * all of it then.
   */
  readonly inPlace: boolean;

  constructor(kernel: Kernel, readers: readonly Reader[], outputs: readonly Elements[]) {
    this.inputs = readers.map((reader, i) => (kernel.inputs[i]!.uniform ? null : contiguousAt(reader)));
    const isOperand = (array: Elements): boolean => readers.some(({ elements }) => elements === array);
    this.inPlace = outputs.some(isOperand) && (threadCount() === 1 || isLight(kernel));
    this.outputs = outputs.map((array) => (isOperand(array) && !this.inPlace ? null : addressOf(array)));
    const copied = this.inputs.filter((_, i) => !kernel.inputs[i]!.uniform);
    this.staged = [...copied, ...this.outputs].includes(null);
  }
}

/** Blocks of all operands: in scratch memory, several times over, or where the operand is. */
class Places {
  private readonly inputs: readonly (readonly number[])[];
  private readonly outputs: readonly (readonly number[])[];
  private readonly copies: readonly (CopyRows | undefined)[];
  /** For operands that repeat themselves in every block: the places where they have been put already. */
  private readonly repeated: readonly (Set<number> | null)[];

  constructor(
    private readonly kernel: Kernel,
    private readonly residents: Residents,
    readers: readonly Reader[],
    length: number,
    places: number,
  ) {
    const room = (type: DType, at: number | null): number[] =>
      Array.from({ length: places }, () => at ?? scratch(length * bytesOf(type)));
    this.inputs = kernel.inputs.map(({ type, uniform }, i) => {
      return uniform ? new Array<number>(places).fill(scratch(bytesOf(type))) : room(type, residents.inputs[i]!);
    });
    this.outputs = kernel.outputs.map(({ type }, i) => room(type, residents.outputs[i]!));
    this.copies = readers.map(copyRowsOf);
    this.repeated = readers.map(({ period }) => (period > 0 && length % period === 0 ? new Set() : null));
  }

  /** Arguments for the block of a place that begins with element `start`. */
  addresses(place: number, start: number): number[] {
    const { kernel, residents } = this;
    const at = (addresses: readonly number[], type: DType, resident: number | null): number =>
      addresses[place]! + (resident === null ? 0 : start * bytesOf(type));
    return [
      ...this.inputs.map((addresses, i) => at(addresses, kernel.inputs[i]!.type, residents.inputs[i]!)),
      ...this.outputs.map((addresses, i) => at(addresses, kernel.outputs[i]!.type, residents.outputs[i]!)),
    ];
  }

  /** Copies elements of an operand to their place, unless they are in memory. */
  stage(reader: Reader, input: number, place: number, start: number, n: number): void {
    if (this.residents.inputs[input] !== null || this.repeated[input]?.has(place)) return;
    this.repeated[input]?.add(place);
    const { type } = this.kernel.inputs[input]!;
    const at = this.inputs[input]![place]! / bytesOf(type);
    reader.read(views()[VIEW[type]], at, start, n, this.copies[input]);
  }

  /** Copies results to where they belong, unless they are there. */
  collect(outputs: readonly Elements[], place: number, start: number, n: number): void {
    this.kernel.outputs.forEach(({ type }, i) => {
      if (this.residents.outputs[i] === null) copyOut(type, this.outputs[i]![place]!, n, outputs[i]!, start);
    });
  }
}
