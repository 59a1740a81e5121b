/**
 * Runs a kernel over a whole space with the TypeScript executor.
 */
import { keyOf } from "../key";
import { Recent } from "../generational-cache";
import type { Elements, Reader } from "../operand";
import { rawArray } from "../../core/bytes";
import { bytesOf, is64Bit, type DType } from "../../core/types";
import type { Kernel } from "../value";
import { BLOCK, tapeOf, type Tape } from "./tape";
import type { Register } from "./loops";

/** A tape for blocks of so many elements, and a block for each input as its elements are stored. */
interface Compiled {
  readonly block: number;
  readonly tape: Tape;
  readonly staged: (Elements | null)[];
}

/** Tapes kept at hand: a register of each takes 8 kB, or that of a small block. */
const KEPT = 128;

/** Elements of small blocks: registers of whole blocks take longer to make than a few elements take to compute. */
const SMALL = 64;

const compiled = new Recent<Compiled>(KEPT);

function compile(kernel: Kernel, key: string, size: number): Compiled {
  const known = compiled.get(key);
  if (known && (size <= known.block || known.block === BLOCK)) return known;
  const block = size <= SMALL ? SMALL : BLOCK;
  const fresh = { block, tape: tapeOf(kernel, block), staged: kernel.inputs.map(() => null) };
  compiled.set(key, fresh);
  return fresh;
}

/** Computes `outputs`, arrays of `size` elements, from the inputs. */
export function interpret(
  kernel: Kernel,
  readers: readonly Reader[],
  outputs: readonly Elements[],
  size: number,
  key: string = keyOf(kernel),
): void {
  const { block: elements, tape, staged } = compile(kernel, key, size);
  for (let start = 0; start < size; start += BLOCK) {
    const n = Math.min(BLOCK, size - start);
    readers.forEach((reader, i) => {
      if (reader.isUniform && start > 0) return;
      const { type } = kernel.inputs[i]!;
      const block = (staged[i] ??= blockOf(type, elements));
      reader.read(block, 0, start, reader.isUniform ? 1 : n);
      const count = reader.isUniform ? Math.min(BLOCK, size) : n;
      for (const load of tape.loads) {
        if (load.input === i) fill(load.register, block, type, load.part, count, reader.isUniform);
      }
    });
    tape.run(n);
    outputs.forEach((output, i) => drain(tape.outputs[i]!, output, kernel.outputs[i]!.type, start, n));
  }
}

const blockOf = (type: DType, elements: number): Elements => rawArray(type, new Uint8Array(elements * bytesOf(type)));

/** Puts a block of stored elements into a register. */
function fill(to: Register, block: Elements, type: DType, part: 0 | 1, n: number, uniform: boolean): void {
  if (type === "c64" || type === "c128") {
    const lane = type === "c64" ? to.f32 : to.f64;
    for (let i = 0; i < n; i++) lane[i] = block[(uniform ? 0 : 2 * i) + part]!;
    return;
  }
  const lane = type === "f32" ? to.f32 : type === "f64" ? to.f64 : to.i32;
  if (is64Bit(type)) {
    if (uniform) for (let i = 0; i < 2 * n; i++) to.i32[i] = block[i % 2]!;
    else to.i32.set(block.subarray(0, 2 * n));
  } else if (uniform) {
    lane.fill(block[0]!, 0, n);
  } else {
    lane.set(block.subarray(0, n));
  }
}

/** Puts registers into the elements of an output; integers are cut to their width. */
function drain(from: readonly Register[], output: Elements, type: DType, start: number, n: number): void {
  const [first, second] = from as readonly [Register, Register];
  if (type === "c64" || type === "c128") {
    const [re, im] = type === "c64" ? [first.f32, second.f32] : [first.f64, second.f64];
    for (let i = 0; i < n; i++) {
      output[2 * (start + i)] = re[i]!;
      output[2 * (start + i) + 1] = im[i]!;
    }
    return;
  }
  const lane = type === "f32" ? first.f32 : type === "f64" ? first.f64 : first.i32;
  const width = is64Bit(type) ? 2 : 1;
  output.set(lane.subarray(0, width * n), width * start);
}
