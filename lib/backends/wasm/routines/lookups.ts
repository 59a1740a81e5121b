/**
 * Routines that read and write at places which tensors of indices name. An index outside of its axis is a failure.
 */
import type { Template } from "../../../backend";
import { allAxes, rowMajorStrides, sizeOf, type Shape } from "../../../core/shape";
import { bytesOf, isComplex, isInteger, type DType } from "../../../core/types";
import { advance, call, f32, f64, i32, i64, local, type Int } from "../asm";
import { at, boxOf, copyBox, copyRun, pointerTo, times, type Box } from "./boxes";
import { castFunction, loadIndex, withTypes } from "./operands";
import { failIf, Rooms, type Make, type Places, type Room } from "./routine";

/** The index that lies at a pointer, and some bytes behind it; the routine fails where it is not below `size`. */
function checkedIndex(type: DType, pointer: Int, size: number, offset = 0): Int {
  const index = local.fresh("i32");
  loadIndex(type, pointer, offset);
  local.tee(index);
  i32.const(size);
  i32.ge_u();
  failIf();
  return index;
}

const take: Make<"take"> = ([out], [x, indices], { axis }) => {
  if (!isInteger(indices!.type)) return null;
  const { type } = out!;
  const [outer, size] = [sizeOf(x!.shape.slice(0, axis)), x!.shape[axis]!];
  const inner = sizeOf(x!.shape.slice(axis + 1));
  const [n, run] = [sizeOf(indices!.shape), inner * bytesOf(type)];
  const box = boxOf([outer, inner], [size * inner, 1], [n * inner, 1], bytesOf(type));
  return withTypes([x!, indices!], [type, null], { mayFail: true }, ({ inputs: [source, places], outputs }) => {
    const [pick, to] = [pointerTo(places!), pointerTo(outputs[0]!)];
    times(n, () => {
      const index = checkedIndex(indices!.type, pick, size);
      copyBox(box, at(pointerTo(source!, i32.mul(index, run))), at(to));
      advance(pick, bytesOf(indices!.type));
      advance(to, run);
    });
  });
};

const takeAlong: Make<"takeAlong"> = ([out], [x, indices], { axis }) => {
  if (!isInteger(indices!.type)) return null;
  const { type, shape } = out!;
  const [bytes, indexBytes] = [bytesOf(type), bytesOf(indices!.type)];
  const [outer, inner] = [sizeOf(shape.slice(0, axis)), sizeOf(shape.slice(axis + 1))];
  const size = x!.shape[axis]!;
  return withTypes([x!, indices!], [type, null], { mayFail: true }, ({ inputs: [source, places], outputs }) => {
    const [line, pick, to] = [pointerTo(source!), pointerTo(places!), pointerTo(outputs[0]!)];
    times(outer, () => {
      times(shape[axis]!, () => {
        const column = pointerTo(line);
        times(inner, () => {
          const index = checkedIndex(indices!.type, pick, size);
          copyRun(bytes, at(pointerTo(column, i32.mul(index, inner * bytes))), at(to));
          for (const pointer of [column, to]) advance(pointer, bytes);
          advance(pick, indexBytes);
        });
      });
      advance(line, size * inner * bytes);
    });
  });
};

// ------------------------------------------------------------------------------------------------------------------- rows

/** A tensor seen as rows, one for each place along the indexed axes: the box of a row, with how far apart its elements are. */
interface Rows {
  readonly count: number;
  readonly shape: Shape;
  readonly strides: readonly number[];
  /** For each coordinate the size of its axis, and how many elements it is from one place to the next. */
  readonly coordinates: readonly (readonly [size: number, stride: number])[];
}

function rowsOf({ shape }: Template, indices: Template, axes: readonly number[]): Rows {
  const strides = rowMajorStrides(shape);
  const rest = allAxes(shape.length).filter((axis) => !axes.includes(axis));
  return {
    count: sizeOf(indices.shape.slice(0, -1)),
    shape: rest.map((axis) => shape[axis]!),
    strides: rest.map((axis) => strides[axis]!),
    coordinates: axes.map((axis) => [shape[axis]!, strides[axis]!]),
  };
}

/** Moves a pointer from the first element of a tensor to that of the row whose coordinates lie at `pick`. */
function addRow(pointer: Int, type: DType, pick: Int, { coordinates }: Rows, bytes: number): void {
  coordinates.forEach(([size, stride], i) => {
    const index = checkedIndex(type, pick, size, i * bytesOf(type));
    advance(pointer, i32.mul(index, stride * bytes));
  });
}

/** The body for each row: where its coordinates are, how far it is from the first element, and where the next update or result is. */
function eachRow(
  rows: Rows,
  indices: Template,
  places: Int,
  bytes: number,
  dense: Int,
  body: (offset: Int, dense: Int) => void,
): void {
  const [pick, other] = [pointerTo(places), pointerTo(dense)];
  times(rows.count, () => {
    const offset = local.fresh("i32", 0);
    addRow(offset, indices.type, pick, rows, bytes);
    body(offset, other);
    advance(pick, rows.coordinates.length * bytesOf(indices.type));
    advance(other, sizeOf(rows.shape) * bytes);
  });
}

const gather: Make<"gather"> = ([out], [x, indices], { axes }) => {
  if (!isInteger(indices!.type)) return null;
  const { type } = out!;
  const bytes = bytesOf(type);
  const rows = rowsOf(x!, indices!, axes);
  const box = boxOf(rows.shape, rows.strides, rowMajorStrides(rows.shape), bytes);
  return withTypes([x!, indices!], [type, null], { mayFail: true }, ({ inputs: [source, places], outputs }) =>
    eachRow(rows, indices!, places!, bytes, outputs[0]!, (offset, to) =>
      copyBox(box, at(pointerTo(source!, offset)), at(to)),
    ),
  );
};

// ---------------------------------------------------------------------------------------------------------- scattered writes

/** The body for each element of a row: pointers to it in the tensor, and in what is dense. */
function eachElement(
  { axes, bytes }: Box,
  size: number,
  source: Int,
  target: Int,
  body: (from: Int, to: Int) => void,
): void {
  const [first, ...rest] = axes;
  const [from, to] = [pointerTo(source), pointerTo(target)];
  if (first) {
    return times(first.size, () => {
      eachElement({ axes: rest, bytes }, size, from, to, body);
      advance(from, first.from);
      advance(to, first.to);
    });
  }
  times(bytes / size, () => {
    body(from, to);
    for (const pointer of [from, to]) advance(pointer, size);
  });
}

/** `to += from`, of an element or of a part of one, which wraps around. */
function addInteger(bytes: number, from: Int, to: Int): void {
  const any = { align: 1 };
  switch (bytes) {
    case 1:
      return i32.store8(any, to, i32.add(i32.load8_u(any, to), i32.load8_u(any, from)));
    case 2:
      return i32.store16(any, to, i32.add(i32.load16_u(any, to), i32.load16_u(any, from)));
    case 4:
      return i32.store(any, to, i32.add(i32.load(any, to), i32.load(any, from)));
    default:
      return i64.store(any, to, i64.add(i64.load(any, to), i64.load(any, from)));
  }
}

interface Adding {
  readonly type: DType;
  readonly indices: Template;
  readonly rows: Rows;
  /** A row, from what is dense to the tensor. */
  readonly box: Box;
}

/** Adds rows of updates to where they belong. */
function addAll(
  { indices, rows, box, type }: Adding,
  places: Int,
  updates: Int,
  target: Int,
  add: (from: Int, to: Int) => void,
): void {
  eachRow(rows, indices, places, bytesOf(type), updates, (offset, from) =>
    eachElement(box, partBytes(type), from, pointerTo(target, offset), add),
  );
}

/** Bytes of a number: complex ones are two. */
const partBytes = (type: DType): number => bytesOf(type) / (isComplex(type) ? 2 : 1);

const addDouble = (from: Int, to: Int): void =>
  f64.store({ align: 1 }, to, f64.add(f64.load({ align: 1 }, to), f64.load({ align: 1 }, from)));

/**
 * Sums of floats narrower than f64, which are made in f64 and rounded once: `sums` has room for a double for each number of the
 * tensor, in which those that are added to are put first.
 */
function addSingles(adding: Adding, places: Int, updates: Int, target: Int, sums: Int): void {
  const any = { align: 1 };
  const sumOf = (to: Int): Int => pointerTo(sums, i32.shl(i32.sub(to, target), 1));
  addAll(adding, places, updates, target, (_, to) => f64.store(any, sumOf(to), f64.promote_f32(f32.load(any, to))));
  addAll(adding, places, updates, target, (from, to) => {
    const sumAt = sumOf(to);
    f64.store(any, sumAt, f64.add(f64.load(any, sumAt), f64.promote_f32(f32.load(any, from))));
  });
  addAll(adding, places, updates, target, (_, to) => f32.store(any, to, f32.demote_f64(f64.load(any, sumOf(to)))));
}

const indexed: Make<"indexed"> = ([out], [x, indices, updates], { op, axes }) => {
  if (!isInteger(indices!.type)) return null;
  const { type, shape } = out!;
  const bytes = bytesOf(type);
  const rows = rowsOf(x!, indices!, axes);
  const box = boxOf(rows.shape, rowMajorStrides(rows.shape), rows.strides, bytes);
  const adding = { type, indices: indices!, rows, box };
  const rooms = new Rooms();
  const add = op === "put" ? null : adderOf(rooms, adding, out!, updates!);
  return withTypes([x!, indices!, updates!], [type, null, type], { mayFail: true, rooms }, (all) => {
    const { inputs: [source, places, values], outputs: [target] } = all; // prettier-ignore
    copyRun(sizeOf(shape) * bytes, at(source!), at(target!));
    if (add) return add(all);
    eachRow(rows, indices!, places!, bytes, values!, (offset, from) =>
      copyBox(box, at(from), at(pointerTo(target!, offset))),
    );
  });
};

/** Code that adds updates, all operands being of the type, to what lies where the result does. */
function adderOf(rooms: Rooms, adding: Adding, out: Template, updates: Template): (all: Places) => void {
  const { type } = out;
  if (isInteger(type)) {
    return ({ inputs: [, places, values], outputs: [target] }) =>
      addAll(adding, places!, values!, target!, (from, to) => addInteger(bytesOf(type), from, to));
  }
  if (type === "f64" || type === "c128") {
    return ({ inputs: [, places, values], outputs: [target] }) => addAll(adding, places!, values!, target!, addDouble);
  }
  if (type === "f32" || type === "c64") {
    const sums = rooms.take({ type: "f64", shape: [2 * sizeOf(out.shape)] });
    return (all) => {
      const { inputs: [, places, values], outputs: [target] } = all; // prettier-ignore
      addSingles(adding, places!, values!, target!, sums(all));
    };
  }
  return addHalves(rooms, adding, out, updates);
}

/** Half floats are converted all at once, and those that were added to are taken over. */
function addHalves(rooms: Rooms, adding: Adding, { type, shape }: Template, updates: Template): (all: Places) => void {
  const [sums, terms] = [shape, updates.shape].map((like) => rooms.take({ type: "f64", shape: like })) as [Room, Room];
  const rounded = rooms.take({ type, shape });
  const wide = { ...adding, type: "f64" as const, box: scaled(adding.box, 8 / bytesOf(type)) };
  const toWide = castFunction(type, "f64", "saturate");
  const count = sizeOf(shape);
  return (all) => {
    const { inputs: [, places, values], outputs: [target] } = all; // prettier-ignore
    const [held, added, made] = [sums(all), terms(all), rounded(all)];
    call(toWide, [count, target!, held]);
    call(toWide, [sizeOf(updates.shape), values!, added]);
    addAll(wide, places!, added, held, addDouble);
    call(castFunction("f64", type, "wrap"), [count, held, made]);
    const delta = local.fresh("i32", i32.sub(made, target!));
    addAll(adding, places!, values!, target!, (_, to) => copyRun(bytesOf(type), at(pointerTo(to, delta)), at(to)));
  };
}

const scaled = ({ axes, bytes }: Box, times: number): Box => ({
  axes: axes.map(({ size, from, to }) => ({ size, from: from * times, to: to * times })),
  bytes: bytes * times,
});

/** The routines of primitives that look up and write at indices. */
export const lookups = { take, takeAlong, gather, indexed };
