/**
 * Routines of the blocks that draw pseudo-random numbers: by the kernels that draw many at once.
 */
import { sizeOf } from "../../../core/shape";
import { bytesOf } from "../../../core/types";
import { boundsOf, spaceOf } from "../../../kernel/threefry";
import { drawOf } from "../../binary/native";
import { call, i32, v128, type Int } from "../asm";
import { kernelFunction } from "../codegen/function";
import { at, copyRun } from "./boxes";
import { count } from "./creation";
import { Rooms, routine, type Make } from "./routine";
import { shared } from "./shared";

const WORD = 4;

/** None for what no kernel draws, and for composites, which programs have inside. */
const block: Make<"block"> = ([out], [key], attrs) => {
  const { type, shape } = out!;
  const draw = drawOf(out!, key, attrs);
  if (draw === null) return null;
  const { kernel, numbers } = draw;
  const results = sizeOf(shape);
  const space = spaceOf(draw, results);
  const rooms = new Rooms();
  const counters = rooms.take({ type: "u32", shape: [space] });
  const bounds = rooms.take({ type: "u32", shape: [3] });
  const further = rooms.take({ type: "u32", shape: [numbers.length] });
  const upper = kernel.outputs.length > 1 ? rooms.take({ type, shape: [space] }) : null;
  const run = shared(`draw ${draw.key}`, () => kernelFunction(kernel, { most: 1 }));
  return routine({ rooms }, (places) => {
    const [words, target] = [places.inputs[0]!, places.outputs[0]!];
    const [first, told, parts, beside] = [counters(places), bounds(places), further(places), upper?.(places)];
    count("u32", space, first);
    v128.store({ align: WORD }, told, v128.const("i32x4", [0, ...boundsOf(draw, results), 0]));
    for (let i = 0; i < numbers.length; i += 4) {
      v128.store({ align: WORD, offset: i * WORD }, parts, v128.const("i32x4", numbers.slice(i, i + 4)));
    }
    const behind = (base: Int, each: number, n: number) => Array.from({ length: n }, (_, i) => i32.add(base, i * each));
    const ofKey = behind(words, WORD, 2);
    const alike = [...behind(told, WORD, 3), ...behind(parts, 2 * WORD, numbers.length / 2)];
    call(run, [space, first, ...ofKey, ...alike, target, ...(beside ? [beside] : [])]);
    if (beside) copyRun((results - space) * bytesOf(type), at(beside), at(target, space * bytesOf(type)));
  });
};

/** The routines of blocks. */
export const blocks = { block };
