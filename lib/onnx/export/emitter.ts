/**
 * Writes operations of ONNX one after the other, with what they have in common: types that have kernels, constants, casts, broadcasting.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Defn, type DType, type Scalar } from "nx-numerics";
import { ELEMENT_TYPES, tensorType, type ElementType } from "../types";
import { axesOf, broadcastShape, sameShape, sizeOf, type Attribute, type Body, type Operation, type Value } from "./ir";
import { kernelType } from "./kernels";

/** What all parts of a model share. */
export interface Model {
  readonly opset: number;
  /** Whether known differences of onnxruntime are met by further operations. */
  readonly isStrict: boolean;
  /** Whether sizes may differ from the traced sizes. */
  readonly isDynamic: boolean;
  /** Where results may differ. */
  readonly notes: Set<string>;
  readonly constants: Map<string, Value>;
  /** The truth values that numbers were cast from. */
  readonly truths: Map<Value, Value>;
  readonly traced: Pick<Defn.TracedFunction, "nodesOf" | "functionsOf" | "placeOf">;
  /** The node that is being written, for messages. */
  node: Defn.GraphNode | null;
}

/** The operands of an operation, or null for one that is left out. */
type Inputs = readonly (Value | null)[];
type Attributes = Readonly<Record<string, Attribute | undefined>>;

/** Constants of at most so many bytes are shared. */
const SHARED_BYTES = 256;

/** Whether a constant is small and can be cast at once: casts of floats to integers are left to engines. */
const isFolded = ({ bytes, type: from }: Value, type: ElementType): boolean =>
  bytes !== undefined &&
  bytes.length <= SHARED_BYTES &&
  bytes.length > 0 &&
  from !== "bool" &&
  type !== "bool" &&
  (Nx.Type.isFloat(type) || Nx.Type.isInteger(from));

export class Emitter {
  private readonly values = new Map<Defn.GraphNode, readonly Value[]>();
  private readonly casts = new Map<Value, Map<ElementType, Value>>();

  constructor(
    readonly model: Model,
    private readonly parent: Emitter | null = null,
    /** Whether functions of scalars are applied to all elements at once: shapes of nodes say nothing then. */
    readonly isElementwise = false,
    readonly operations: Operation[] = [],
  ) {}

  /** A scope of its own in the same list of operations. */
  scope(isElementwise = this.isElementwise): Emitter {
    return new Emitter(this.model, this, isElementwise, this.operations);
  }

  /** Values of nodes, of this graph or of one around it. */
  valuesOf(node: Defn.GraphNode): readonly Value[] | undefined {
    return this.values.get(node) ?? this.parent?.valuesOf(node);
  }

  setValues(node: Defn.GraphNode, values: readonly Value[]): void {
    this.values.set(node, values);
  }

  /** An error about the node that is being written. */
  unsupported(what: string, remedy: string): ArgumentError {
    const place = this.model.node === null ? null : this.model.traced.placeOf(this.model.node);
    return new ArgumentError(`toOnnx: ${what}: ${remedy}${place === null ? "" : `; ${place}`}`);
  }

  note(text: string): void {
    this.model.notes.add(text);
  }

  many(op: string, inputs: Inputs, outs: readonly Value[], attributes: Attributes = {}): readonly Value[] {
    const given = Object.entries(attributes).filter((entry): entry is [string, Attribute] => entry[1] !== undefined);
    const { node, traced } = this.model;
    const place = () => (node === null ? null : traced.placeOf(node));
    this.operations.push({ op, inputs, outputs: outs, attributes: Object.fromEntries(given), place });
    return outs;
  }

  op(op: string, inputs: Inputs, type: ElementType, shape: readonly number[], attributes?: Attributes): Value {
    return this.many(op, inputs, [{ type, shape }], attributes)[0]!;
  }

  /** The type that an operator is computed in. */
  kernel(op: string, type: ElementType): ElementType {
    const found = kernelType(op, type);
    if (found === null) throw this.unsupported(`${op} of ${type} has no equivalent`, "convert with Nx.asType first");
    if (type === "f64" && found === "f32")
      this.note(`${op} of f64 is computed in f32, which onnxruntime has a kernel for`);
    return found;
  }

  /** An element-wise operator on operands that broadcast, computed in a type that there is a kernel for. */
  apply(op: string, inputs: readonly Value[], type: ElementType, attributes?: Attributes): Value {
    const computed = this.kernel(op, type);
    const cast = inputs.map((input) => this.cast(input, computed));
    return this.cast(
      this.op(op, cast, computed, broadcastShape(...inputs.map(({ shape }) => shape)), attributes),
      type,
    );
  }

  /** An operator of one operand that moves elements. */
  move(op: string, x: Value, others: Inputs, shape: readonly number[], attributes?: Attributes): Value {
    const computed = this.kernel(op, x.type);
    return this.cast(this.op(op, [this.cast(x, computed), ...others], computed, shape, attributes), x.type);
  }

  /** A comparison of operands of one type. */
  compare(op: string, a: Value, b: Value): Value {
    const computed = this.kernel(op, a.type);
    return this.op(op, [this.cast(a, computed), this.cast(b, computed)], "bool", broadcastShape(a.shape, b.shape));
  }

  logic(op: "And" | "Or" | "Xor", a: Value, b: Value): Value {
    return this.op(op, [a, b], "bool", broadcastShape(a.shape, b.shape));
  }

  not(a: Value): Value {
    return this.op("Not", [a], "bool", a.shape);
  }

  isNan(x: Value): Value {
    return this.op("IsNaN", [this.cast(x, x.type === "f64" ? "f64" : "f32")], "bool", x.shape);
  }

  where(condition: Value, a: Value, b: Value): Value {
    const computed = this.kernel("Where", a.type);
    const shape = broadcastShape(condition.shape, a.shape, b.shape);
    return this.cast(
      this.op("Where", [condition, this.cast(a, computed), this.cast(b, computed)], computed, shape),
      a.type,
    );
  }

  /** Numbers as another type by ONNX's rule, which is that of the library but for floats beyond the integers. */
  cast(x: Value, type: ElementType): Value {
    const from = this.model.truths.get(x) ?? x;
    if (from.type === type) return from;
    if (isFolded(from, type)) {
      const { tensor, shape } = {
        tensor: Nx.fromBinary(from.bytes!, from.type as DType, { backend: "binary" }),
        ...from,
      };
      return this.constant(type, shape, Nx.toBinary(Nx.asType(tensor, type as DType)));
    }
    const had = this.castOf(from, type);
    if (had) return had;
    const made = this.op("Cast", [from], type, from.shape, { to: ELEMENT_TYPES[type] });
    if (!this.casts.has(from)) this.casts.set(from, new Map());
    this.casts.get(from)!.set(type, made);
    if (from.type === "bool") this.model.truths.set(made, from);
    return made;
  }

  private castOf(x: Value, type: ElementType): Value | undefined {
    return this.casts.get(x)?.get(type) ?? this.parent?.castOf(x, type);
  }

  bool(x: Value): Value {
    return this.cast(x, "bool");
  }

  reshape(x: Value, shape: readonly number[]): Value {
    return sameShape(x.shape, shape) ? x : this.op("Reshape", [x, this.integers(shape)], x.type, shape);
  }

  transpose(x: Value, axes: readonly number[]): Value {
    if (axes.every((axis, i) => axis === i)) return x;
    return this.op("Transpose", [x], x.type, axes.map((axis) => x.shape[axis]!), { perm: axes }); // prettier-ignore
  }

  expand(x: Value, shape: readonly number[]): Value {
    return sameShape(x.shape, shape) ? x : this.move("Expand", x, [this.integers(shape)], shape);
  }

  /** Elements of stretches from starts on, in steps, along the axes where something is left out; `shape` is what is left. */
  slice(
    x: Value,
    starts: readonly number[],
    lengths: readonly number[],
    strides: readonly number[],
    shape: readonly number[],
  ): Value {
    const axes = axesOf(shape).filter((i) => starts[i] !== 0 || lengths[i] !== x.shape[i] || strides[i] !== 1);
    if (axes.length === 0) return x;
    const at = (pick: (axis: number) => number) => this.integers(axes.map(pick));
    const ends = at((axis) => starts[axis]! + lengths[axis]!);
    return this.op("Slice", [x, at((i) => starts[i]!), ends, at((i) => i), at((i) => strides[i]!)], x.type, shape);
  }

  reverse(x: Value, axes: readonly number[]): Value {
    const all = (value: number) => this.integers(axes.map(() => value));
    return this.op("Slice", [x, all(-1), all(-(2 ** 31)), this.integers(axes), all(-1)], x.type, x.shape);
  }

  /** 0, 1, 2, ... */
  range(count: number): Value {
    return this.op("Range", [this.scalar(0, "s64"), this.scalar(count, "s64"), this.scalar(1, "s64")], "s64", [count]);
  }

  constant(type: ElementType, shape: readonly number[], bytes: Uint8Array): Value {
    if (bytes.length > SHARED_BYTES) return { type, shape, bytes };
    const key = `${type}|${shape.join()}|${bytes.join()}`;
    const known = this.model.constants.get(key);
    if (known) return known;
    const made = { type, shape, bytes };
    this.model.constants.set(key, made);
    return made;
  }

  tensor(type: ElementType, shape: readonly number[], values: readonly Scalar[]): Value {
    if (values.length === 0) return this.constant(type, shape, new Uint8Array());
    const flat = Nx.tensor(values as number[], { type: tensorType(type), backend: "binary" });
    return this.constant(type, shape, Nx.toBinary(flat));
  }

  integers(values: readonly number[]): Value {
    return this.tensor("s64", [values.length], values);
  }

  scalar(value: Scalar, type: ElementType): Value {
    return this.tensor(type, [], [value]);
  }

  /** The smallest or the largest number of a type. */
  extreme(type: ElementType, which: "lowest" | "highest"): Value {
    const own = tensorType(type);
    return this.scalar(which === "lowest" ? Nx.Type.min(own) : Nx.Type.max(own), type);
  }

  /** A graph of its own, which may read what is written here. */
  body(inputs: readonly Value[], write: (inner: Emitter) => readonly Value[]): Body {
    const inner = new Emitter(this.model, this, this.isElementwise);
    const given = write(inner);
    const own = new Set(inner.operations.flatMap(({ outputs }) => outputs));
    const outputs = given.map((value) => {
      if (own.delete(value)) return value;
      return inner.op("Identity", [value], value.type, value.shape);
    });
    return { inputs, operations: inner.operations, outputs };
  }

  /** Flattened, in rows of the size of the last axes. */
  flattened(x: Value): Value {
    return this.reshape(x, [sizeOf(x.shape)]);
  }
}
