/**
 * Primitives that join arrays, which may wait, and kernels over what they join; come with the functions that join tensors.
 */
import type { PrimitiveFunction } from "../../backend";
import { joinedRead } from "../arrays/joins";
import type { Roll } from "../binary/native/roll";
import type { Group } from "./backend";
import { deferJoin, deferRoll } from "./deferred/joins";
import { block as otherBlock } from "./elementwise";
import { plain } from "./plain";
import { runBySegments } from "./elements/segments";

const concatenate: PrimitiveFunction<"concatenate"> = (out, inputs, attrs) =>
  deferJoin(out, inputs, attrs) ?? plain.concatenate(out, inputs, attrs);

const block: PrimitiveFunction<"block"> = (out, inputs, attrs) =>
  (attrs.name === "roll" ? deferRoll(out, inputs, attrs.options as unknown as Roll) : null) ??
  otherBlock(out, inputs, attrs);

export const joins: Group = {
  primitives: { concatenate, block },
  joins: { read: joinedRead, run: (...args) => runBySegments(...args) },
};
