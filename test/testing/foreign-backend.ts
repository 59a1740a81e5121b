/**
 * A backend of another name that computes with the binary one: what a third party's backend looks like from outside.
 * Its data is wrapped, so that a tensor used without moving it first is noticed.
 */
import {
  binaryBackend,
  Tensor,
  type Backend,
  type MultiResultAttrs,
  type MultiResultPrimitive,
  type MultiResultTable,
  type Primitive,
  type PrimitiveTable,
  type Template,
} from "nx-numerics";
import { MULTI_RESULT_PRIMITIVES, PRIMITIVES } from "nx-numerics/backend";

interface Wrapped {
  readonly inner: Tensor;
}

export interface ForeignBackend extends Backend {
  /** Primitives run so far. */
  readonly calls: (Primitive | MultiResultPrimitive)[];
}

export function foreignBackend(name = "foreign", replace: Partial<PrimitiveTable> = {}): ForeignBackend {
  const calls: (Primitive | MultiResultPrimitive)[] = [];
  const inner = (tensor: Tensor): Tensor => {
    if (tensor.backend !== backend) throw new Error(`${name} was given a tensor of ${tensor.backend.name}`);
    return (tensor.data as Wrapped).inner;
  };
  const wrap = (out: Template, data: unknown): Wrapped => ({
    inner: new Tensor(binaryBackend, data, out.type, out.shape, out.names),
  });
  const outer = (tensor: Tensor): Tensor =>
    new Tensor(backend, { inner: tensor }, tensor.type, tensor.shape, tensor.names);
  const primitive =
    (primitive: Primitive) =>
    (out: Template, inputs: readonly Tensor[], attrs: { fn?: (...args: Tensor[]) => Tensor }) => {
      calls.push(primitive);
      const { fn } = attrs;
      const inside = fn ? { ...attrs, fn: (...args: Tensor[]) => inner(fn(...args.map(outer))) } : attrs;
      const run = (replace[primitive] ?? binaryBackend[primitive]) as (
        o: Template,
        i: readonly Tensor[],
        a: object,
      ) => unknown;
      return wrap(out, run(out, inputs.map(inner), inside));
    };
  const many =
    (primitive: MultiResultPrimitive) =>
    (outs: readonly Template[], inputs: readonly Tensor[], attrs: MultiResultAttrs[MultiResultPrimitive]) => {
      calls.push(primitive);
      const data = binaryBackend[primitive](outs, inputs.map(inner), attrs);
      return outs.map((out, i) => wrap(out, data[i]));
    };
  const backend: ForeignBackend = {
    name,
    options: {},
    calls,
    upload: (out, bytes) => wrap(out, binaryBackend.upload(out, bytes)),
    download: (tensor, limit) => binaryBackend.download(inner(tensor), limit),
    deallocate: (tensor) => binaryBackend.deallocate(inner(tensor)),
    ...(Object.fromEntries(PRIMITIVES.map((name) => [name, primitive(name)])) as unknown as PrimitiveTable),
    ...(Object.fromEntries(MULTI_RESULT_PRIMITIVES.map((name) => [name, many(name)])) as unknown as MultiResultTable),
  };
  return backend;
}
