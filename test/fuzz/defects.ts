/**
 * Deliberate defects: backends that are wrong in one thing, for which the fuzzer has to find a program. A fuzzer that misses one
 * of them looks at less than it says.
 */
import type { Backend, Tensor as AnyTensor } from "nx-numerics";
import { Tensor } from "nx-numerics";
import type { Attrs, Primitive, PrimitiveFunction, Template } from "../../lib/backend";
import { wasmBackend } from "../../lib/backends/wasm";
import { sizeOf } from "./program";

export interface Defect {
  readonly name: string;
  readonly backend: Backend;
}

type Elements = Uint8Array;
type Context<P extends Primitive> = {
  readonly out: Template;
  readonly inputs: readonly AnyTensor[];
  readonly attrs: Attrs[P];
};

/** A backend of which one primitive gives other bytes where `when` holds. */
function spoiled<P extends Primitive>(
  name: string,
  primitive: P,
  when: (context: Context<P>) => boolean,
  spoil: (bytes: Elements, context: Context<P>) => void,
): Defect {
  const right = wasmBackend[primitive] as PrimitiveFunction<P>;
  const wrong = (out: Template, inputs: readonly AnyTensor[], attrs: Attrs[P]): unknown => {
    const data = right(out, inputs, attrs);
    const context = { out, inputs, attrs };
    if (!when(context)) return data;
    const bytes = new Tensor(wasmBackend, data, out.type, out.shape, out.names).toBinary().slice();
    spoil(bytes, context);
    return wasmBackend.upload(out, bytes);
  };
  return { name, backend: { ...wasmBackend, name: "defective", [primitive]: wrong } };
}

/** A backend of which one primitive is handed other attributes. */
function misled<P extends Primitive>(name: string, primitive: P, attrsOf: (context: Context<P>) => Attrs[P]): Defect {
  const right = wasmBackend[primitive] as PrimitiveFunction<P>;
  const wrong = (out: Template, inputs: readonly AnyTensor[], attrs: Attrs[P]): unknown =>
    right(out, inputs, attrsOf({ out, inputs, attrs }));
  return { name, backend: { ...wasmBackend, name: "defective", [primitive]: wrong } };
}

const width = (bytes: Elements, { shape }: Template): number => bytes.length / sizeOf(shape);

/** The last bit but one of an element's highest byte but one: never only the sign of a NaN. */
const flip = (bytes: Elements, out: Template, element: number): void => {
  const w = width(bytes, out);
  const at = element * w + Math.max(0, w - 2);
  bytes[at] = bytes[at]! ^ 0x10;
};

const flipLast = (bytes: Elements, { out }: { readonly out: Template }): void =>
  flip(bytes, out, sizeOf(out.shape) - 1);

/** Two elements exchanged. */
function exchange(bytes: Elements, out: Template, i: number, j: number): void {
  const w = width(bytes, out);
  for (let k = 0; k < w; k++) [bytes[i * w + k], bytes[j * w + k]] = [bytes[j * w + k]!, bytes[i * w + k]!];
}

const zeroSigns = (bytes: Elements, out: Template): void => {
  const w = width(bytes, out);
  for (let i = w - 1; i < bytes.length; i += w) if (bytes[i] === 0x80) bytes[i] = 0;
};

const isFloat = ({ type }: Template): boolean => /^b?f\d/.test(type);

export const DEFECTS: readonly Defect[] = [
  spoiled("unary: the last element above 200", "unary", ({ out }) => sizeOf(out.shape) > 200, flipLast),
  spoiled("unary: odd lengths", "unary", ({ out }) => sizeOf(out.shape) % 2 === 1 && sizeOf(out.shape) > 8, flipLast),
  spoiled("unary: tanh alone", "unary", ({ attrs }) => attrs.op === "tanh", flipLast),
  spoiled("unary: -0", "unary", ({ attrs, out }) => attrs.op === "negate" && isFloat(out), (bytes, { out }) => zeroSigns(bytes, out)),
  spoiled("binary: the left operand broadcast along the last axis", "binary", ({ inputs: [x], out }) => x!.shape.at(-1) === 1 && (out.shape.at(-1) ?? 1) > 1, flipLast),
  spoiled("binary: u64 alone", "binary", ({ out }) => out.type === "u64", flipLast),
  spoiled("binary: 20,000 elements and more", "binary", ({ out }) => sizeOf(out.shape) >= 20_000, flipLast),
  spoiled("select: a scalar condition", "select", ({ inputs: [p], out }) => sizeOf(p!.shape) === 1 && sizeOf(out.shape) > 1, flipLast),
  misled("asType: wraps where it should saturate", "asType", () => ({ overflow: "wrap" })),
  spoiled("asType: bf16", "asType", ({ out }) => out.type === "bf16", flipLast),
  spoiled("transpose: two elements of rank 3", "transpose", ({ out }) => out.shape.length === 3 && sizeOf(out.shape) > 5, (bytes, { out }) => exchange(bytes, out, 1, 2)),
  misled("reverse: only the first of several axes", "reverse", ({ attrs }) => ({ axes: attrs.axes.slice(0, 1) })),
  misled("slice: strides above 2 are 2", "slice", ({ attrs }) => ({ ...attrs, strides: attrs.strides.map((s) => Math.min(s, 2)) })),
  spoiled("pad: interior", "pad", ({ attrs }) => attrs.config.some(([, , interior]) => interior > 0), flipLast),
  spoiled("concatenate: three parts", "concatenate", ({ inputs }) => inputs.length === 3, flipLast),
  misled("indexed: duplicates do not add up", "indexed", ({ attrs }) => ({ ...attrs, op: "put" })),
  misled("sort: always ascending", "sort", ({ attrs }) => ({ ...attrs, direction: "asc" })),
  spoiled("reduceOp: a middle axis", "reduceOp", ({ attrs, inputs: [x] }) => attrs.axes.length === 1 && attrs.axes[0]! > 0 && attrs.axes[0]! < x!.shape.length - 1, flipLast),
  spoiled("reduceOp: any of more than 1000", "reduceOp", ({ attrs, inputs: [x] }) => attrs.op === "any" && sizeOf(x!.shape) > 1000, (bytes) => bytes.fill(0)),
  misled("argReduce: ties go low", "argReduce", ({ attrs }) => ({ ...attrs, tieBreak: "low" })),
  misled("cumulative: never in reverse", "cumulative", ({ attrs }) => ({ ...attrs, reverse: false })),
  spoiled("windowOp: dilated", "windowOp", ({ attrs }) => attrs.dilations.some((d) => d > 1), flipLast),
  spoiled("dot: batches", "dot", ({ attrs }) => attrs.batch[0].length > 0, flipLast),
  spoiled("fft: odd lengths", "fft", ({ out }) => out.shape.at(-1)! % 2 === 1 && out.shape.at(-1)! > 1, flipLast),
]; // prettier-ignore
