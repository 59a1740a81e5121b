/**
 * Routines of small convolutions: what each place of the kernel meets is laid out as a matrix for one element of the batch after the
 * other, and multiplied in the order of the primitive.
 */
import type { Template } from "../../../backend";
import { rowMajorStrides, sizeOf } from "../../../core/shape";
import { bytesOf, isFloat } from "../../../core/types";
import { advance, type Int } from "../asm";
import { laneTypeOf } from "../contractions/dot";
import { CONV_FROM } from "../schedule/contractions";
import { UNPACKED_TO } from "../schedule/programs";
import { at, boxOf, constantOf, copyBox, pointerTo, times, type Box } from "./boxes";
import { padding } from "./movement";
import { inputIn, outputIn } from "./operands";
import { Rooms, routine, type AttrsOf, type Make, type Places, type Routine } from "./routine";
import { multiply, PRODUCTS } from "./tiles";

type Attributes = AttrsOf<"conv">;

/** How sums are made: the type they have, that of what is loaded, and whether they begin anew at stretches, as those of vector code do. */
interface Sums {
  readonly type: "f32" | "f64";
  readonly loaded: "f32" | "f64";
  readonly inStretches: boolean;
}

function sumsOf(out: Template, x: Template, w: Template, work: number): Sums {
  const lanes = laneTypeOf(out.type, x.type, w.type);
  if (lanes !== null && work >= CONV_FROM && x.shape.length >= 3)
    return { type: lanes, loaded: lanes, inStretches: true };
  const loaded = x.type === "f32" && w.type === "f32" ? "f32" : "f64";
  return { type: "f64", loaded, inStretches: false };
}

/** The shape of the input with zeros around and between its elements. */
const paddedShape = (shape: readonly number[], { padding: ends, inputDilation }: Attributes): number[] =>
  shape.map((size, axis) => {
    const [low, high] = ends[axis - 2] ?? [0, 0];
    return axis < 2 ? size : low + (size - 1) * inputDilation[axis - 2]! + 1 + high;
  });

/** What the kernel's places meet at all positions: channels of a group by places by positions. */
function columnsBox(
  padded: readonly number[],
  kernel: readonly number[],
  out: readonly number[],
  attrs: Attributes,
  bytes: number,
): Box {
  const strides = rowMajorStrides(padded);
  const shape = [...kernel.slice(1), ...out.slice(2)];
  const from = [
    strides[1]!,
    ...strides.slice(2).map((stride, i) => stride * attrs.kernelDilation[i]!),
    ...strides.slice(2).map((stride, i) => stride * attrs.strides[i]!),
  ];
  return boxOf(shape, from, rowMajorStrides(shape), bytes);
}

function convRoutine(out: Template, x: Template, w: Template, attrs: Attributes, sums: Sums): Routine {
  const { type, loaded, inStretches } = sums;
  const bytes = bytesOf(loaded);
  const padded = paddedShape(x.shape, attrs);
  const groups = Math.max(attrs.featureGroups, attrs.batchGroups);
  const [filters, k, positions] = [w.shape[0]! / groups, sizeOf(w.shape.slice(1)), sizeOf(out.shape.slice(2))];
  const plane = sizeOf(padded.slice(2)) * bytes;
  const groupStep = attrs.featureGroups > 1 ? w.shape[1]! * plane : out.shape[0]! * x.shape[1]! * plane;
  const config = padded.map((_, axis) => [
    ...(attrs.padding[axis - 2] ?? [0, 0]),
    (attrs.inputDilation[axis - 2] ?? 1) - 1,
  ]);
  const pad = padding(x.shape, padded, config as unknown as AttrsOf<"pad">["config"], bytes);
  const box = columnsBox(padded, w.shape, out.shape, attrs, bytes);
  const demoted = type === "f64" && out.type === "f32";
  const rooms = new Rooms();
  const [input, weights] = [inputIn(rooms, loaded, x, 0), inputIn(rooms, loaded, w, 1)];
  const [planes, columns] = [padded, [k, positions]].map((shape) => rooms.take({ type: loaded, shape }));
  const result = outputIn(rooms, demoted ? out.type : type, out, "saturate");
  const given = {
    ...{ products: type === loaded ? PRODUCTS[type] : PRODUCTS.promoted, m: filters, k, n: positions },
    ...{ a: { row: k * bytes, column: bytes }, b: { row: positions * bytes, column: bytes }, inStretches, demoted },
  };
  const convolve = (places: Places, target: Int): void => {
    const [from, kernel, around, columnsAt] = [input(places), weights(places), planes!(places), columns!(places)];
    pad(from, () => constantOf(new Uint8Array(1)), around);
    const [row, to] = [pointerTo(around), pointerTo(target)];
    times(out.shape[0]!, () => {
      const [source, filter] = [pointerTo(row), pointerTo(kernel)];
      times(groups, () => {
        copyBox(box, at(source), at(columnsAt));
        multiply(given, filter, columnsAt, to);
        advance(source, groupStep);
        advance(filter, filters * k * bytes);
        advance(to, filters * positions * (demoted ? 4 : bytesOf(type)));
      });
      advance(row, x.shape[1]! * plane);
    });
  };
  return routine({ inputs: 2, rooms }, (places) => result(places, (target) => convolve(places, target)));
}

/** None for convolutions that are worth cutting for threads, and none for integers and complex numbers. */
const conv: Make<"conv"> = ([out], [x, w], attrs) => {
  const work = sizeOf(out!.shape) * sizeOf(w!.shape.slice(1));
  if (work > UNPACKED_TO || ![out!, x!, w!].every(({ type }) => isFloat(type))) return null;
  return convRoutine(out!, x!, w!, attrs, sumsOf(out!, x!, w!, work));
};

/** The routines of convolutions. */
export const convolutions = { conv };
