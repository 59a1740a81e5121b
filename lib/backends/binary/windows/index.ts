/**
 * Primitives over windows. Floats are accumulated in f64 and rounded once, integers are exact modulo their width.
 */
import type { Template, Windows } from "../../../backend";
import { sizeOf, type Shape } from "../../../core/shape";
import {
  finiteLimits,
  isComplex,
  isFloat,
  isUnsigned,
  is64Bit,
  type ComplexType,
  type DType,
} from "../../../core/types";
import type { WindowOp } from "../../../ops";
import { loadC128, loadF64, loadI32, storeC128, storeF64, storeI32 } from "../../arrays/convert";
import { elementsAs } from "../../arrays/operands";
import type { ArrayPrimitive } from "../../arrays/primitives";
import { allocate, widthOf, type Elements } from "../../arrays/storage";
import { elementAt, scalarElements } from "../functions";
import { C128_ROWS, F64_ROWS, I32_ROWS, wideRows, type RowOp } from "../rows";
import { reduceWindows, type Accumulator, type AxisWindows } from "./lines";
import { windowScatter } from "./scatter";
import { PADDING, visitWindows } from "./visit";

const ROW_OPS = {
  windowMax: "max",
  windowMin: "min",
  windowProduct: "product",
  windowSum: "sum",
} as const satisfies { readonly [K in WindowOp]: RowOp };

const doubles = (entries: number): Float64Array => allocate("f64", entries);
const words = (entries: number): Int32Array => allocate("s32", entries);

/** What changes nothing: for extremes the far end of the type. */
function neutralNumber(op: RowOp, type: DType): number {
  if (op === "sum") return 0;
  if (op === "product") return 1;
  if (isFloat(type)) return op === "max" ? -Infinity : Infinity;
  const limits = finiteLimits(type as Exclude<DType, ComplexType>);
  return Number(op === "max" ? limits.min : limits.max);
}

function neutralWide(op: RowOp, signed: boolean): Int32Array {
  switch (op) {
    case "sum":
      return Int32Array.of(0, 0);
    case "product":
      return Int32Array.of(1, 0);
    case "max":
      return signed ? Int32Array.of(0, -(2 ** 31)) : Int32Array.of(0, 0);
    case "min":
      return signed ? Int32Array.of(-1, 2 ** 31 - 1) : Int32Array.of(-1, -1);
    default:
      return op satisfies never;
  }
}

/** An element that changes nothing, as a type stores it. */
export function neutralElement(op: WindowOp, type: Exclude<DType, ComplexType>): Elements {
  const row = ROW_OPS[op];
  if (is64Bit(type)) return neutralWide(row, !isUnsigned(type));
  const element = allocate(type, 1);
  storeF64(type, element, 0, Float64Array.of(neutralNumber(row, type)), 1);
  return element;
}

/** Windows along each axis that are not those of single elements without padding; null for these. */
export function windowsAlong(
  from: Shape,
  to: Shape,
  { window, padding, strides, dilations }: Windows,
): readonly (AxisWindows | null)[] {
  return from.map((size, axis) => {
    const [low, high] = padding[axis]!;
    if (window[axis] === 1 && strides[axis] === 1 && low === 0 && high === 0) return null;
    const along = { window: window[axis]!, stride: strides[axis]!, dilation: dilations[axis]! };
    return {
      outer: sizeOf(to.slice(0, axis)),
      inner: sizeOf(from.slice(axis + 1)),
      size,
      results: to[axis]!,
      low,
      high,
      ...along,
    };
  });
}

/** Reduces windows axis by axis; axes with windows of one element and no padding are left out. */
function reduceBox<A extends Float64Array | Int32Array>(
  x: A,
  from: Shape,
  to: Shape,
  windows: Windows,
  acc: Accumulator<A>,
): A {
  return windowsAlong(from, to, windows).reduce<A>(
    (data, along) => (along ? reduceWindows(data, along, acc) : data),
    x,
  );
}

const windowOp: ArrayPrimitive<"windowOp"> =
  (memory) =>
  (out, [x], attrs) => {
    const op = ROW_OPS[attrs.op];
    const { type } = out;
    const elements = elementsAs(type, x!);
    if (is64Bit(type)) {
      const signed = !isUnsigned(type);
      const acc = { width: 2, row: wideRows(op, signed), neutral: neutralWide(op, signed), create: words } as const;
      return memory.hold(reduceBox((elements as Int32Array).slice(), x!.shape, out.shape, attrs, acc));
    }
    const result = memory.zeroed(type, out.shape);
    const count = sizeOf(x!.shape);
    if (isComplex(type)) windowComplex(op as "product" | "sum", elements, result, x!.shape, out, attrs);
    else if (isFloat(type) || op === "max" || op === "min") {
      const data = doubles(count);
      loadF64(type, elements, 0, data, count);
      const neutral = Float64Array.of(neutralNumber(op, type));
      const acc = { width: 1, row: F64_ROWS[op], neutral, create: doubles } as const;
      storeF64(type, result, 0, reduceBox(data, x!.shape, out.shape, attrs, acc), sizeOf(out.shape));
    } else {
      const data = words(count);
      loadI32(type, elements, 0, data, count);
      const acc = {
        width: 1,
        row: I32_ROWS[op],
        neutral: Int32Array.of(neutralNumber(op, type)),
        create: words,
      } as const;
      storeI32(type, result, 0, reduceBox(data, x!.shape, out.shape, attrs, acc), sizeOf(out.shape));
    }
    return memory.hold(result);
  };

function windowComplex(
  op: "product" | "sum",
  elements: Elements,
  result: Elements,
  shape: Shape,
  out: Template,
  attrs: Windows,
): void {
  const data = doubles(elements.length);
  loadC128(out.type, elements, 0, data, sizeOf(shape));
  const neutral = Float64Array.of(op === "sum" ? 0 : 1, 0);
  const acc = { width: 2, row: C128_ROWS[op], neutral, create: doubles } as const;
  storeC128(out.type, result, 0, reduceBox(data, shape, out.shape, attrs, acc), sizeOf(out.shape));
}

const windowReduce: ArrayPrimitive<"windowReduce"> =
  (memory) =>
  (out, [x, initial], { fn, ...windows }) => {
    const { type } = out;
    const source = elementsAs(type, x!);
    const start = elementsAs(type, initial!);
    const result = memory.zeroed(type, out.shape);
    visitWindows(x!.shape, out.shape, windows, (at, positions) => {
      let held = start;
      for (const position of positions) {
        const element =
          position === PADDING ? elementAt(memory, x!, type, start, 0) : elementAt(memory, x!, type, source, position);
        held = scalarElements(type, fn(element, elementAt(memory, x!, type, held, 0)), x!);
      }
      result.set(held, at * widthOf(type));
    });
    return memory.hold(result);
  };

/** The primitives over windows. */
export const windows = { windowOp, windowReduce, windowScatter };
