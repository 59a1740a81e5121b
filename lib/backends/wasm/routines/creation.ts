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
import { boxOf, constantOf, copyBox, fill, pointerTo, times } from "./boxes";
import type { Make } from "./make";
import { Rooms } from "./operands";
import { routine, type Routine } from "./routine";

/** The bytes of elements that a primitive makes, as a vector of them again and again. */
function vectorOf(out: Template, make: (out: Template) => unknown): Vector {
  const data = make({ ...out, shape: [], names: [] }) as ArrayData;
  return constantOf(toBytes(elementsIn(data), out.type, 1));
}

const constant: Make<"constant"> = ([out], _inputs, attrs) =>
  routine(0, 1, ({ outputs }) => {
    const value = vectorOf(out!, (one) => plain.constant(one, [], attrs));
    fill(sizeOf(out!.shape) * bytesOf(out!.type), value, { base: outputs[0]!, offset: 0 });
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
  return routine(
    0,
    1,
    (places) => {
      const target = { base: places.outputs[0]!, offset: 0 };
      const from = one(places);
      fill(
        sizeOf(shape) * bytes,
        vectorOf(out!, (each) => plain.constant(each, [], { value: 0 })),
        target,
      );
      v128.store(
        { align: 1 },
        from,
        vectorOf(out!, (each) => plain.constant(each, [], { value: 1 })),
      );
      copyBox(box, { base: from, offset: 0 }, target);
    },
    { scratchBytes: rooms.bytes },
  );
};

/** The numbers from 0 to below `n` at an address, four at a time. */
function count(type: DType, n: number, to: Int): void {
  const number = placed(
    bodyOf(["i32"], (k, [x]) => store(k, cast(k, { type: "s32", parts: [x as Value<"i32">] }, type, "wrap")!).values),
    false,
  );
  const run = runnerOf([number]);
  const position = local.fresh("v128");
  local.set(position, v128.const("i32x4", [0, 1, 2, 3]));
  const groups = number.body.outputs.map(({ kind }) =>
    Array.from({ length: number.width(kind) }, () => local.fresh("v128")),
  );
  const at = pointerTo({ base: to, offset: 0 });
  times(Math.ceil(n / 4), () => {
    run(number, [[position]], groups);
    emitStore(type, groups, at, 0);
    v128.const("i32x4", [4, 4, 4, 4]);
    local.get(position);
    i32x4.add();
    local.set(position);
    advance(at, 4 * bytesOf(type));
  });
}

const iota: Make<"iota"> = ([out], _inputs, { axis }) => {
  const { type, shape } = out!;
  if (axis === null || sizeOf(shape) === shape[axis]) return counted(type, sizeOf(shape));
  const rooms = new Rooms();
  const line = rooms.take({ type, shape: [shape[axis]!] });
  const box = boxOf(
    shape,
    shape.map((_, i) => (i === axis ? 1 : 0)),
    rowMajorStrides(shape),
    bytesOf(type),
  );
  return routine(
    0,
    1,
    (places) => {
      const from = line(places);
      count(type, shape[axis]!, from);
      copyBox(box, { base: from, offset: 0 }, { base: places.outputs[0]!, offset: 0 });
    },
    { scratchBytes: rooms.bytes },
  );
};

const counted = (type: DType, n: number): Routine => routine(0, 1, ({ outputs }) => count(type, n, outputs[0]!));

/** The routines of primitives that make elements. */
export const creation = { constant, eye, iota };
