/**
 * Draws of pseudo-random numbers by kernels over counters, block by block. Threads share the blocks.
 */
import type { Attrs, Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { bytesOf } from "../../../core/types";
import { boundsOf, spaceOf, type Draw } from "../../../kernel/threefry";
import type { Tensor } from "../../../tensor";
import { elementsOf, type ArrayData, type Elements } from "../../arrays/storage";
import { drawOf } from "../../binary/native";
import { arrays } from "../arrays";
import { wasmKernel } from "../codegen";
import { inScratch, scratch, views } from "../memory/linear";
import { roomFor, Stored } from "../placement";
import { DRAWN_AGAIN_FROM, DRAWN_BYTES, DRAWN_FROM, drawnAtOnce } from "../schedule/element-wise";
import { isWorthModule } from "../modules/tiering";
import { runCalls, type Call } from "../threads";

/** What a block draws; null where it draws nothing, or so little that loops take less time. */
export function drawn(out: Template, [key]: readonly Tensor[], attrs: Attrs["block"]): ArrayData | null {
  const draw = drawOf(out, key, attrs);
  const count = sizeOf(out.shape);
  if (draw === null || !isWorthModule(draw.key, spaceOf(draw, count), DRAWN_FROM, DRAWN_AGAIN_FROM)) return null;
  const elements = arrays.unset(out.type, out.shape);
  const stored = new Stored(out.type, elements);
  if (!stored.isResident && elements.byteLength > DRAWN_BYTES) {
    arrays.drop(elements); // whoever draws takes it again
    return null;
  }
  inScratch(() => {
    // a first counter without a second one has a result that is not taken
    const target = stored.addressOf(0) ?? roomFor(out.type, count + 1);
    fill(draw, elementsOf(key!), out, target);
    stored.put(target, count, 0);
  });
  return arrays.hold(elements);
}

/** The results of a draw at an address. */
function fill(draw: Draw, key: Elements, { type, shape }: Template, target: number): void {
  const count = sizeOf(shape);
  const bounds = boundsOf(draw, count);
  const space = spaceOf(draw, count);
  const span = drawnAtOnce(space);
  const blocks = Math.ceil(space / span);
  const counters = scratch(4 * span);
  const alike = scratch(16);
  const offsets = scratch(4 * blocks);
  const numbers = scratch(4 * draw.numbers.length);
  const { u32 } = views();
  for (let i = 0; i < span; i++) u32[counters / 4 + i] = i;
  u32.set([key[0]!, key[1]!, ...bounds], alike / 4);
  u32.set(draw.numbers, numbers / 4);
  const places = Array.from({ length: draw.numbers.length / 2 }, (_, i) => numbers + 8 * i);
  const calls = Array.from({ length: blocks }, (_, block): Call => {
    const first = block * span;
    u32[offsets / 4 + block] = first;
    const words = [alike, alike + 4, offsets + 4 * block, alike + 8, alike + 12];
    const results = draw.kernel.outputs.map((_, half) => target + (half * space + first) * bytesOf(type));
    return [Math.min(span, space - first), counters, ...words, ...places, ...results];
  });
  const module = wasmKernel(draw.kernel, draw.key);
  // The last block alone is no whole number of steps: what it writes behind its first half is written again by the first block.
  runCalls(module, "run", calls.slice(-1), false);
  runCalls(module, "run", calls.slice(0, -1));
}
