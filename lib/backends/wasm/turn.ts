/**
 * Reading operands whose neighbours in memory are neighbours across rows, transposed matrices above all: the elements of
 * such rows are brought into order four by four, in the memory of kernels. Knows bytes and strides, not types.
 */
import { i32, i64, i8x16, local, v128 } from "wasmati";
import type { PrimitiveFunction } from "../../backend";
import { rowMajorStrides, sizeOf } from "../../core/shape";
import { accessOf, Reader, type Elements, type Turn } from "../../kernel/operand";
import type { Tensor } from "../../tensor";
import { binaryBackend } from "../binary";
import { allocateUnset, BinaryData, elementsOf, widthOf } from "../binary/storage";
import { addressOf } from "./arena";
import { define, onward, range, when, type Code, type Int, type Vector } from "./matmul/code";
import type { WasmFunction } from "./host";
import { exportsOf } from "./once";

/** Bytes of an element, both parts of a complex one included. */
type Size = 1 | 2 | 4 | 8 | 16;

/** Copies one element; the pointers are locals. */
function copyOne(size: Size, to: Int, from: Int): void {
  local.get(to);
  switch (size) {
    case 1:
      i32.load8_u({}, from);
      return void i32.store8({});
    case 2:
      i32.load16_u({}, from);
      return void i32.store16({});
    case 4:
      i32.load({}, from);
      return void i32.store({});
    case 8:
      i64.load({}, from);
      return void i64.store({});
    case 16:
      v128.load({ align: 8 }, from);
      return void v128.store({ align: 8 });
    default:
      size satisfies never;
  }
}

/** Bytes of two vectors, by blocks of so many bytes: blocks of the second are counted on from those of the first. */
function shuffled(size: 4 | 8, a: Vector, b: Vector, blocks: readonly number[]): void {
  const bytes = blocks.flatMap((block) => Array.from({ length: size }, (_, i) => block * size + i));
  i8x16.shuffle(bytes as never, a, b);
}

/** Transposes the square that the rows of vectors are. */
function transpose(size: 4 | 8, rows: readonly Vector[], temp: readonly Vector[]): void {
  if (size === 8) {
    const [a, b] = rows as [Vector, Vector];
    shuffled(8, a, b, [0, 2]);
    local.set(temp[0]!);
    shuffled(8, a, b, [1, 3]);
    local.set(b);
    local.set(a, temp[0]!);
    return;
  }
  const [a, b, c, d] = rows as [Vector, Vector, Vector, Vector];
  const [p, q, r, s] = temp as [Vector, Vector, Vector, Vector];
  const set = (to: Vector, x: Vector, y: Vector, blocks: readonly number[]): void => {
    shuffled(4, x, y, blocks);
    local.set(to);
  };
  set(p, a, b, [0, 4, 1, 5]);
  set(q, a, b, [2, 6, 3, 7]);
  set(r, c, d, [0, 4, 1, 5]);
  set(s, c, d, [2, 6, 3, 7]);
  set(a, p, r, [0, 1, 4, 5]);
  set(b, p, r, [2, 3, 6, 7]);
  set(c, q, s, [0, 1, 4, 5]);
  set(d, q, s, [2, 3, 6, 7]);
}

/**
 * `rows` rows of `inner` elements to neighbouring rows at `to`: element i of row r is at `from + i * step + r * size`.
 * Squares of whole vectors first, then what is left beside and below them, one by one.
 */
function turnFunction(size: Size): Code {
  const side = size === 4 || size === 8 ? 16 / size : 1;
  const args = ["to", "from", "step", "inner", "rows"] as const;
  const own = ["i", "r", "source", "target", "pitch", "wholeRows", "wholeInner"] as const;
  return define(args, own, 2 * side, (v, vectors) => {
    const { to, from, step, inner, rows, i, r, source, target, pitch, wholeRows, wholeInner } = v;
    local.set(pitch, i32.mul(inner, size));
    const place = (): void => {
      local.set(source, i32.add(from, i32.add(i32.mul(i, step), i32.mul(r, size))));
      local.set(target, i32.add(to, i32.add(i32.mul(r, pitch), i32.mul(i, size))));
    };
    const one = (): void => {
      place();
      copyOne(size, target, source);
    };
    local.set(wholeRows, i32.and(rows, -side));
    local.set(wholeInner, i32.and(inner, -side));
    if (side > 1) {
      const held = vectors.slice(0, side);
      range(i, wholeInner, side, () => {
        range(r, wholeRows, side, () => {
          place();
          for (const vector of held) {
            local.set(vector, v128.load({ align: size as 4 | 8 }, source));
            local.set(source, i32.add(source, step));
          }
          transpose(size as 4 | 8, held, vectors.slice(side));
          for (const vector of held) {
            v128.store({ align: size as 4 | 8 }, target, vector);
            local.set(target, i32.add(target, pitch));
          }
        });
        local.set(r, wholeRows);
        i32.lt_u(r, rows);
        when(() => {
          // Rows below the squares, of the columns that these have.
          onward(r, rows, 1, () => {
            place();
            for (let k = 0; k < side; k++) {
              copyOne(size, target, source);
              local.set(source, i32.add(source, step));
              local.set(target, i32.add(target, size));
            }
          });
        });
      });
    } else local.set(wholeInner, 0);
    local.set(i, wholeInner);
    onward(i, inner, 1, () => range(r, rows, 1, one));
  });
}

const functionFor = (size: Size): WasmFunction => exportsOf(`turn ${size}`, () => ({ turn: turnFunction(size) })).turn!;

/** How a reader of elements in the memory of kernels brings rows into order; undefined where it has to read by itself. */
export function turnFor({ elements, width, access }: Reader): Turn | undefined {
  const base = access.kind === "strided" ? addressOf(elements) : null;
  if (base === null) return undefined;
  const size = (width * elements.BYTES_PER_ELEMENT) as Size;
  return (dst: Elements, at, from, step, inner, rows) => {
    functionFor(size)(dst.byteOffset + at * size, base + from * size, step * size, inner, rows);
  };
}

/** Below this many elements the binary backend is faster. */
const FEW = 4096;

/** Axes in another order. */
export const wasmTranspose: PrimitiveFunction<"transpose"> = (out, inputs, attrs) => {
  const [x] = inputs as [Tensor];
  const strides = rowMajorStrides(x.shape);
  const access = accessOf(
    out.shape,
    attrs.axes.map((axis) => strides[axis]!),
    0,
  );
  const reader = new Reader(elementsOf(x), widthOf(x.type), access);
  const turn = sizeOf(out.shape) < FEW || reader.turnedRow === 0 ? undefined : turnFor(reader);
  if (!turn) return binaryBackend.transpose(out, inputs, attrs);
  const elements = allocateUnset(out.type, out.shape);
  if (addressOf(elements) === null) return binaryBackend.transpose(out, inputs, attrs);
  reader.read(elements, 0, 0, sizeOf(out.shape), turn);
  return new BinaryData(elements);
};
