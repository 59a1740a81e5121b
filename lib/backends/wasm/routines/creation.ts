/**
 * Routines that make elements from nothing.
 */
import type { Template } from "../../../backend";
import { cast } from "../../../kernel/lower/cast";
import { store } from "../../../kernel/lower/typed";
import { bodyOf } from "../../../kernel/recurrence";
import type { Value } from "../../../kernel/value";
import { rowMajorStrides, sizeOf } from "../../../core/shape";
import { bytesOf, type DType } from "../../../core/types";
import { elementsIn, toBytes, type ArrayData } from "../../arrays/storage";
import { advance, i32x4, local, v128, type Int, type Vector } from "../asm";
import { emitStore } from "../codegen/access";
import { placed, runnerOf } from "../codegen/body";
import { plain } from "../plain";
import { at, boxOf, constantOf, copyBox, fill, pointerTo, times } from "./boxes";
import { Rooms, routine, type Make } from "./routine";

/** The bytes of elements that a primitive makes, as a vector of them again and again. */
function vectorOf(out: Template, make: (out: Template) => unknown): Vector {
  const data = make({ ...out, shape: [], names: [] }) as ArrayData;
  return constantOf(toBytes(elementsIn(data), out.type, 1));
}

const constant: Make<"constant"> = ([out], _inputs, attrs) =>
  routine({ inputs: 0 }, ({ outputs }) => {
    const value = vectorOf(out!, (one) => plain.constant(one, [], attrs));
    fill(sizeOf(out!.shape) * bytesOf(out!.type), [value], at(outputs[0]!));
  });

const eye: Make<"eye"> = ([out]) => {
  const { type, shape } = out!;
  const bytes = bytesOf(type);
  const [rows, columns] = shape.slice(-2) as [number, number];
  const steps = [rows * columns, columns + 1];
  const count = Math.min(rows, columns);
  const rooms = new Rooms();
  const one = rooms.take({ type, shape: [] });
  const box = boxOf([sizeOf(shape) / rows / columns, count], [0, 0], steps, bytes);
  const vector = (value: number): Vector => vectorOf(out!, (each) => plain.constant(each, [], { value }));
  return routine({ inputs: 0, rooms }, (places) => {
    const target = at(places.outputs[0]!);
    const from = one(places);
    fill(sizeOf(shape) * bytes, [vector(0)], target);
    v128.store({ align: 1 }, from, vector(1));
    copyBox(box, at(from), target);
  });
};

/** The numbers from 0 to below `n` at an address, four at a time. */
export function count(type: DType, n: number, to: Int): void {
  const number = placed(
    bodyOf(["i32"], (k, [x]) => store(k, cast(k, { type: "s32", parts: [x as Value<"i32">] }, type, "wrap")!).values),
    false,
  );
  const run = runnerOf([number]);
  const position = local.fresh("v128", v128.const("i32x4", [0, 1, 2, 3]));
  const groups = number.body.outputs.map(({ kind }) =>
    Array.from({ length: number.width(kind) }, () => local.fresh("v128")),
  );
  const put = pointerTo(to);
  times(Math.ceil(n / 4), () => {
    run(number, [[position]], groups);
    emitStore(type, groups, put, 0);
    local.set(position, i32x4.add(v128.const("i32x4", [4, 4, 4, 4]), position));
    advance(put, 4 * bytesOf(type));
  });
}

const iota: Make<"iota"> = ([out], _inputs, { axis }) => {
  const { type, shape } = out!;
  if (axis === null || sizeOf(shape) === shape[axis]) {
    return routine({ inputs: 0 }, ({ outputs }) => count(type, sizeOf(shape), outputs[0]!));
  }
  const rooms = new Rooms();
  const line = rooms.take({ type, shape: [shape[axis]!] });
  const box = boxOf(
    shape,
    shape.map((_, i) => (i === axis ? 1 : 0)),
    rowMajorStrides(shape),
    bytesOf(type),
  );
  return routine({ inputs: 0, rooms }, (places) => {
    const from = line(places);
    count(type, shape[axis]!, from);
    copyBox(box, at(from), at(places.outputs[0]!));
  });
};

/** The routines of primitives that make elements. */
export const creation = { constant, eye, iota };
