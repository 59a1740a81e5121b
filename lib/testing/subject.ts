/** The backend that is judged, as the cases see it, and the laws that every computation has to keep. */
import * as Nx from "nx-numerics";
import type { Attrs, Backend, Capabilities, DType, Primitive, PrimitiveFunction, Tensor, Nest } from "nx-numerics";
import { ConformanceError, type Claim, type Expected } from "./judge";
import { encode, sizeOf, type Value } from "./values";

/** An operand before it is on a backend: row-major little-endian bytes. */
export interface Data {
  readonly type: DType;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** Values as an operand. */
export function data(type: DType, shape: readonly number[], values: ArrayLike<Value>): Data {
  if (values.length !== sizeOf(shape)) throw new Error(`${values.length} values for ${type}[${shape.join(", ")}]`);
  return { type, shape, bytes: encode(type, values) };
}

/** One check. What it has claimed is read and compared before it goes on, so claims can be about moments. */
export interface Check {
  readonly name: string;
  /** The members of the backend that the check needs; without them the check is left out. */
  readonly needs?: readonly (keyof Backend)[];
  /** The kind of nest that it has the backend run. */
  readonly nest?: Nest["kind"];
  /** Left out for backends that are read asynchronously; or read by `read` even where there is `download`. */
  readonly reads?: "synchronous" | "asynchronous";
  run(subject: Subject): Iterable<Claim>;
}

/** A tensor is not of a backend's own that ought to be. */
function strayed(what: string, { backend }: Tensor): ConformanceError {
  return new ConformanceError(`${what} left the backend: it is a tensor of ${backend.name}`);
}

export class Subject {
  constructor(
    readonly backend: Backend,
    readonly capabilities: Capabilities = {},
    /** What results are compared with: the binary backend too, known results and the laws only, or nothing at all. */
    readonly judged: "binary" | "known" | "nothing" = "binary",
  ) {}

  /** An operand on the backend. */
  tensor({ type, shape, bytes }: Data): Tensor {
    return this.made({ type, shape }, this.backend.upload(unnamed(type, shape), bytes));
  }

  /** A tensor of data that the backend gave. */
  made({ type, shape }: { readonly type: DType; readonly shape: readonly number[] }, held: unknown): Tensor {
    return new Nx.Tensor(this.backend, held, type, shape, unnamed(type, shape).names);
  }

  /** Calls a primitive as it is. */
  call<P extends Primitive>(
    primitive: P,
    type: DType,
    shape: readonly number[],
    inputs: readonly Tensor[],
    attrs: Attrs[P],
  ): Tensor {
    const out = unnamed(type, shape);
    const fill = this.backend[primitive] as PrimitiveFunction<P>;
    return this.made(out, fill.call(this.backend, out, inputs, attrs));
  }

  /** Runs a function with the backend as the default. */
  within<T>(fn: () => T): T {
    return Nx.withDefaultBackend(this.backend, fn);
  }

  release(tensors: readonly Tensor[]): void {
    for (const tensor of tensors) this.backend.deallocate(tensor);
  }

  /** Tensors of no meaning in whatever memory was given back: what still reads that memory reads something else now. */
  scribble(sizes: readonly number[]): Tensor[] {
    return sizes.map((bytes, i) => {
      const noise = new Uint8Array(bytes).fill(0xa5 - i);
      return this.tensor({ type: "u8", shape: [bytes], bytes: noise });
    });
  }

  /** Refuses results that are on another backend. */
  own(what: string, tensors: readonly Tensor[]): void {
    for (const tensor of tensors) if (tensor.backend !== this.backend) throw strayed(what, tensor);
  }
}

/** A template without names. */
export const unnamed = (type: DType, shape: readonly number[]): { type: DType; shape: readonly number[]; names: null[] } => ({ type, shape, names: shape.map(() => null) }); // prettier-ignore

/** A computation on operands with its expected result. */
export interface Computation {
  readonly inputs: readonly Data[];
  readonly compute: (...operands: Tensor[]) => Tensor | readonly Tensor[];
  /** Null: whatever the first call gives, and only the laws are checked. */
  readonly expected: () => readonly Expected[] | null;
}

const listOf = (result: Tensor | readonly Tensor[]): readonly Tensor[] =>
  result instanceof Nx.Tensor ? [result] : result;

/** A claim about each of several tensors. */
export function* each(what: string, tensors: readonly Tensor[], expected: readonly Expected[]): Iterable<Claim> {
  if (tensors.length !== expected.length) {
    throw new ConformanceError(`${tensors.length} results, expected ${expected.length}`);
  }
  for (let i = 0; i < tensors.length; i++) {
    const which = tensors.length > 1 ? `${what}, number ${i}` : what;
    yield { what: which, tensor: tensors[i]!, expected: expected[i]! };
  }
}

/** The claim that operands have not changed. */
export function* untouched(operands: readonly Tensor[], inputs: readonly Data[]): Iterable<Claim> {
  yield* each("an operand, afterwards", operands, inputs);
}

/**
 * The laws of every computation: the result is right and on the backend, a second call with the same operands gives it again,
 * a result stays what it is when others are released and their memory is used again, and so do the operands.
 */
export function* lawful(subject: Subject, { inputs, compute, expected }: Computation): Iterable<Claim> {
  const operands = inputs.map((input) => subject.tensor(input));
  const run = (): readonly Tensor[] => subject.within(() => listOf(compute(...operands)));
  const first = run();
  subject.own("the result", first);
  if (subject.judged === "nothing") return;
  const wanted = expected() ?? first.map((tensor) => readNow(tensor));
  yield* each("the result", first, wanted);
  const second = run();
  subject.release(first);
  const noise = subject.scribble(wanted.map(({ bytes }) => bytes.byteLength));
  yield* each("the result of a second call with the same operands", second, wanted);
  subject.release(second);
  const more = subject.scribble(wanted.map(({ bytes }) => bytes.byteLength));
  yield* untouched(operands, inputs);
  subject.release([...operands, ...noise, ...more]);
}

/** A snapshot of a tensor. */
export const readNow = (tensor: Tensor): Expected => ({
  type: tensor.type,
  shape: tensor.shape,
  bytes: downloaded(tensor).slice(),
});

/** The bytes of a tensor whose backend gives them at once. */
export function downloaded(tensor: Tensor, limit?: number): Uint8Array {
  const { backend } = tensor;
  if (backend.download) return backend.download(tensor, limit);
  throw new ConformanceError(`the backend ${backend.name} has no download, which this needs`);
}

/** A computation as a check. It is made when it runs: all of them at once would take much memory. */
export function check(name: string, make: () => Computation, limits: Pick<Check, "needs" | "reads"> = {}): Check {
  return { ...limits, name, run: (subject) => lawful(subject, make()) };
}

/** The expected tensor of some values. */
export const expecting = (type: DType, shape: readonly number[], values: ArrayLike<Value>): Expected =>
  data(type, shape, values);
