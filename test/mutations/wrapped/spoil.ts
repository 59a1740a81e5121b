/** How results of a backend are spoiled. */
import type { Backend, PrimitiveFunction, Primitive, Template, Tensor } from "nx-numerics";
import * as Nx from "nx-numerics";

export type Base = Required<Backend>;

/** What a call of a primitive was. */
export interface Call {
  readonly out: Template;
  readonly inputs: readonly Tensor[];
  readonly attrs: Readonly<Record<string, unknown>>;
}

export const sizeOf = ({ shape }: { readonly shape: readonly number[] }): number =>
  shape.reduce((product, dim) => product * dim, 1);

export const f32 = (bytes: Uint8Array): Float32Array =>
  new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
export const f64 = (bytes: Uint8Array): Float64Array =>
  new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
export const u16 = (bytes: Uint8Array): Uint16Array =>
  new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);

/** The elements of a tensor where they are. */
export const elementsOf = (tensor: Tensor): Float32Array =>
  (tensor.data as { readonly elements: Float32Array }).elements;

/** A tensor of data that a backend gave. */
export const tensorOf = (base: Base, out: Template, data: unknown): Tensor =>
  new Nx.Tensor(base, data, out.type, out.shape, out.names);

/** Members whose results are changed where a call is of some kind. */
export function spoil(
  base: Base,
  names: readonly Primitive[],
  when: (call: Call) => boolean,
  change: (bytes: Uint8Array, call: Call) => void = lastWrong,
): Partial<Backend> {
  return replaced(base, names, (call, run) => {
    const data = run(call);
    if (!when(call)) return data;
    const bytes = base.download(tensorOf(base, call.out, data)).slice();
    change(bytes, call);
    return base.upload(call.out, bytes);
  });
}

/** Members that go another way. */
export function replaced(
  base: Base,
  names: readonly Primitive[],
  way: (call: Call, run: (call: Call) => unknown) => unknown,
): Partial<Backend> {
  return Object.fromEntries(
    names.map((name) => {
      const own = base[name] as PrimitiveFunction<never>;
      const run = ({ out, inputs, attrs }: Call): unknown => own(out, inputs, attrs as never);
      return [
        name,
        (out: Template, inputs: readonly Tensor[], attrs: Call["attrs"]) => way({ out, inputs, attrs }, run),
      ];
    }),
  ) as Partial<Backend>;
}

/** Adds one to the last byte but some: a wrong element that is no other's. */
export const lastWrong = (bytes: Uint8Array): void => {
  bytes[bytes.length - 1]! ^= 0x10;
};

export const ELEMENTWISE = ["unary", "binary", "select", "asType"] as const;
