/**
 * Runs a kernel over a whole space through WebAssembly: operands are staged block by block into scratch memory, the kernel
 * runs on the block, here or on another thread, and results are staged out.
 */
import { bytesOf, type DType } from "../../core/types";
import { keyOf } from "../../kernel/key";
import type { Elements, Reader } from "../../kernel/operand";
import type { Kernel } from "../../kernel/value";
import { STEP, wasmKernel } from "./generate";
import { borrow, inScratch, scratch, VIEW, views } from "./memory";
import type { KernelModule } from "./module";
import { copyOut, runStream } from "./stream";
import { threadCount } from "./threads";

/** Bytes of the widest element. */
const WIDEST = 16;

/** Bytes of one operand in a block: all operands of a block stay in a core's cache. */
const BLOCK_BYTES = 32_768;
/** Blocks in memory for each other thread: one it works on, one that waits, one to be taken out. */
const AHEAD = 3;
/** Below this many ops for each element, copying operands is most of the work, and that is the caller's. */
const SHARED_FROM_OPS = 24;

/** Elements per block: a multiple of the step, so that the widest operand fills its share. */
function blockLength(kernel: Kernel, size: number): number {
  const types = [...kernel.inputs.filter(({ uniform }) => !uniform), ...kernel.outputs].map(({ type }) => type);
  const widest = Math.max(...types.map(bytesOf));
  const length = Math.floor(BLOCK_BYTES / widest / STEP) * STEP;
  return Math.min(length, Math.ceil(size / STEP) * STEP);
}

/** How many blocks lie in memory at a time: one where the caller does all. */
function placesFor(kernel: Kernel, blocks: number): number {
  const ops = kernel.values.filter(({ op }) => op !== "load" && op !== "const");
  if (blocks < 2 * AHEAD || ops.length < SHARED_FROM_OPS) return 1;
  const threads = threadCount();
  return threads === 1 ? 1 : Math.min(blocks, AHEAD * (threads - 1) + 1);
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
  const module = wasmKernel(kernel, key);
  if (size <= SMALL) return runSmall(kernel, module, readers, outputs, size);
  inScratch(() => {
    const length = blockLength(kernel, size);
    const pieces = Math.ceil(size / length);
    const places = placesFor(kernel, pieces);
    const memory = new Places(kernel, length, places);
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
        return [[n, ...memory.addresses(place)]];
      },
      collect: (piece, place) => memory.collect(outputs, place, piece * length, countOf(piece)),
    });
  });
}

/** Blocks of all operands in scratch memory, several times over. */
class Places {
  private readonly inputs: readonly number[][];
  private readonly outputs: readonly number[][];

  constructor(
    private readonly kernel: Kernel,
    length: number,
    places: number,
  ) {
    const room = (type: DType): number[] => Array.from({ length: places }, () => scratch(length * bytesOf(type)));
    this.inputs = kernel.inputs.map(({ type, uniform }) => {
      return uniform ? new Array<number>(places).fill(scratch(bytesOf(type))) : room(type);
    });
    this.outputs = kernel.outputs.map(({ type }) => room(type));
  }

  addresses(place: number): number[] {
    return [...this.inputs, ...this.outputs].map((addresses) => addresses[place]!);
  }

  /** Copies elements of an operand to their place. */
  stage(reader: Reader, input: number, place: number, start: number, n: number): void {
    const { type } = this.kernel.inputs[input]!;
    reader.read(views()[VIEW[type]], this.inputs[input]![place]! / bytesOf(type), start, n);
  }

  /** Copies results to where they belong. */
  collect(outputs: readonly Elements[], place: number, start: number, n: number): void {
    this.kernel.outputs.forEach(({ type }, i) => {
      copyOut(type, this.outputs[i]![place]!, n, outputs[i]!, start);
    });
  }
}
