/**
 * Models for any size: the function is traced at several sizes. The operations have to be the same; constants that differ are made of the
 * shapes of the inputs.
 */
import * as Nx from "nx-numerics";
import { ArgumentError, type Defn } from "nx-numerics";
import { Emitter, type Model } from "./emitter";
import { bodyOf } from "./graph";
import { isBody, type Attribute, type Body, type Operation, type Value } from "./ir";
import { isFloat, isInteger } from "./numbers";
import { IN_A_ROW, expressionOf, floatExpressionOf, type Sizes, type SizeValues } from "./sizes";
import { tensorType } from "../types";

type AnyFunction = (...args: never[]) => unknown;
type Settings = Pick<Model, "opset" | "isStrict" | "notes">;

/** The dimensions of outputs: numbers, names of sizes, or null for what has no name. */
type Dims = readonly (readonly (number | string | null)[])[];

interface Probe {
  readonly sizes: Sizes;
  readonly traced: Defn.TracedFunction;
  readonly body: Body;
}

interface DynamicBody {
  readonly body: Body;
  readonly dims: Dims;
  readonly varying: ReadonlyMap<Value, readonly boolean[]>;
}

/** The graph of a model for any size. */
export function dynamicBody(
  fn: unknown,
  templates: unknown,
  first: Defn.TracedFunction,
  settings: Settings,
): DynamicBody {
  const probe = (sizes: Sizes): Probe => {
    const traced = Nx.Defn.toGraph(fn as AnyFunction, templates as never[], { sizes });
    return { sizes, traced, body: bodyOf(traced, { ...settings, isDynamic: true }) };
  };
  const probes = probed(first, probe);
  const merger = new Merger(probes, settings);
  const body = merger.body(probes.map((one) => one.body));
  const dims = first.outputs.map((_, i) =>
    merger.dims(probes.map(({ traced }) => traced.outputs[i]!.shape as number[])),
  );
  const operations = [...merger.computed, ...body.operations];
  return { body: { ...body, operations }, dims, varying: merger.varying };
}

/** Sizes that are unlike others, multiples of 12, since functions halve axes and lay windows on them. */
const FIRST = 17 * 12;
/** How far away, in dozens, the size is that tells slopes apart. */
const FAR = 400;

/** A base, each size changed by itself, all changed, and sizes with other remainders, which functions may refuse. */
function probed(first: Defn.TracedFunction, probe: (sizes: Sizes) => Probe): Probe[] {
  const names = Object.keys(first.sizes);
  const tried = (sizes: Sizes): Probe | null => {
    try {
      return probe(sizes);
    } catch (error) {
      if (error instanceof Nx.NxError) return null;
      throw error;
    }
  };
  const start = tried(unlike(first)) ?? probe(first.sizes);
  const changed = (by: (name: string, i: number) => number): Sizes =>
    Object.fromEntries(names.map((name, i) => [name, start.sizes[name]! + by(name, i)]));
  const all = [start];
  const isAlike = () => all.at(-1)!.body.operations.length === start.body.operations.length;
  const add = (probed: Probe | null) => probed !== null && all.push(probed);
  // where two differ it is no use to go on
  for (const name of names) if (isAlike()) add(probe(changed((other) => (other === name ? 12 : 0))));
  if (isAlike()) {
    add(tried(changed((_, i) => 12 * (FAR + 7 * i))) ?? probe(changed((_, i) => 12 * (2 + i))));
  }
  for (let by = 1; by <= IN_A_ROW && isAlike(); by++) add(tried(changed((_, i) => by + 24 * i)));
  return all;
}

/** Different sizes that no template has. */
function unlike({ inputs, sizes }: Defn.TracedFunction): Sizes {
  const taken = new Set(inputs.flatMap(({ shape }) => shape));
  let size = FIRST;
  return Object.fromEntries(
    Object.keys(sizes).map((name) => {
      while (taken.has(size)) size += 12;
      size += 36;
      return [name, size - 36];
    }),
  );
}

/** Joins the graphs of several sizes. */
class Merger {
  private readonly e: Emitter;
  private readonly values: SizeValues;
  private readonly made = new Map<string, Value>();
  /** Of values that graphs take: which of their sizes differ. */
  readonly varying = new Map<Value, readonly boolean[]>();
  /** The values of the first graph that stand where those of the others do. */
  private readonly firsts: Map<Value, Value>[];

  constructor(
    private readonly probes: readonly Probe[],
    settings: Settings,
  ) {
    const { traced, sizes } = probes[0]!;
    this.e = new Emitter({ ...settings, isDynamic: true, constants: new Map(), truths: new Map(), traced, node: null });
    this.firsts = probes.map(() => new Map());
    const sizeOf = (name: string): Value => {
      const input = traced.inputs.findIndex(({ shape }) => shape.includes(name));
      const axis = traced.inputs[input]!.shape.indexOf(name);
      return this.e.op("Shape", [probes[0]!.body.inputs[input]!], "s64", [1], { start: axis, end: axis + 1 });
    };
    this.values = { e: this.e, sizes: Object.fromEntries(Object.keys(sizes).map((name) => [name, sizeOf(name)])) };
  }

  /** What is computed of sizes, to be done before everything else. */
  get computed(): readonly Operation[] {
    return this.e.operations;
  }

  body(bodies: readonly Body[]): Body {
    const [first] = bodies as readonly [Body, ...Body[]];
    this.match(bodies.map(({ inputs }) => inputs), null); // prettier-ignore
    if (bodies.some(({ operations }) => operations.length !== first.operations.length)) throw this.different(bodies);
    const operations = first.operations.map((_, i) => this.operation(bodies.map((body) => body.operations[i]!)));
    const outputs = first.outputs.map((_, i) => this.value(bodies.map((body) => body.outputs[i]!), null)!); // prettier-ignore
    return { inputs: first.inputs, operations, outputs };
  }

  private operation(all: readonly Operation[]): Operation {
    const [first] = all as readonly [Operation, ...Operation[]];
    const isSame = ({ op, inputs, outputs }: Operation) =>
      op === first.op && inputs.length === first.inputs.length && outputs.length === first.outputs.length;
    if (!all.every(isSame)) throw this.depends(first, "the operations");
    const inputs = first.inputs.map((_, i) => this.value(all.map((one) => one.inputs[i]!), first)); // prettier-ignore
    const names = Object.keys(first.attributes);
    const attributes = names.map((name) => [name, this.attribute(name, all.map((one) => one.attributes[name]), first)] as const); // prettier-ignore
    this.match(all.map(({ outputs }) => outputs), first); // prettier-ignore
    return { ...first, inputs, attributes: Object.fromEntries(attributes) };
  }

  private attribute(name: string, all: readonly (Attribute | undefined)[], at: Operation): Attribute {
    const [first] = all as readonly [Attribute];
    if (isBody(first)) return this.body(all as readonly Body[]);
    if (all.some((one) => JSON.stringify(one) !== JSON.stringify(first))) throw this.depends(at, name);
    return first;
  }

  /** Notes which values of the first graph those of the others are. */
  private match(all: readonly (readonly Value[])[], at: Operation | null): void {
    const [first] = all as readonly [readonly Value[]];
    all.forEach((values, probe) => {
      if (values.length !== first.length) throw this.depends(at, "the number of values");
      values.forEach((value, i) => this.firsts[probe]!.set(value, first[i]!));
    });
    first.forEach((value, i) => {
      const varies = value.shape.map((dim, axis) => all.some((values) => values[i]!.shape[axis] !== dim));
      if (varies.includes(true)) this.varying.set(value, varies);
    });
  }

  private value(all: readonly (Value | null)[], at: Operation | null): Value | null {
    const [first] = all as readonly [Value | null];
    if (first === null || all.some((value) => value === null)) {
      if (all.some((value) => value !== first)) throw this.depends(at, "the operands");
      return null;
    }
    if (first.bytes === undefined) {
      if (all.some((value, probe) => this.firsts[probe]!.get(value!) !== first)) throw this.depends(at, "the operands");
      return first;
    }
    return this.constant(all as readonly Value[], at);
  }

  /** A constant, or the operations that make it of sizes. */
  private constant(all: readonly Value[], at: Operation | null): Value {
    const [first] = all as readonly [Value];
    const key = all.map(({ type, shape, bytes }) =>
      bytes === undefined ? "" : `${type}[${shape.join()}]${bytes.length > 256 ? "" : bytes.join()}`,
    );
    const isSame = (value: Value) =>
      value.bytes === first.bytes || (value.bytes !== undefined && sameBytes(value.bytes, first.bytes!));
    if (all.every((value) => value.type === first.type && isSame(value))) return first;
    const known = this.made.get(key.join("|"));
    if (known) return known;
    const isList = all.every(
      ({ type, shape, bytes }) =>
        bytes !== undefined &&
        type === first.type &&
        shape.length === first.shape.length &&
        shape.every((dim, i) => dim === first.shape[i]),
    );
    const made = isList && first.bytes!.length <= 256 ? this.sized(all) : null;
    if (made === null) throw this.depends(at, "a constant");
    this.made.set(key.join("|"), made);
    return made;
  }

  private sized(all: readonly Value[]): Value | null {
    const [{ type, shape }] = all as readonly [Value];
    const lists = all.map((value) => numbersOf(value));
    const parts = lists[0]!.map((_, i) => this.expression(lists.map((list) => list[i]!), type)); // prettier-ignore
    if (parts.some((part) => part === null)) return null;
    const written = (parts as Value[]).map((part) => this.e.cast(part, type));
    const flat = written.length === 1 ? written[0]! : this.e.op("Concat", written, type, [written.length], { axis: 0 });
    return this.e.reshape(flat, shape);
  }

  private expression(values: readonly number[], type: Value["type"]): Value | null {
    const sizes = this.probes.map((probe) => probe.sizes);
    if (isInteger(type)) return expressionOf(values, sizes)?.(this.values) ?? null;
    if (!isFloat(type)) return null;
    const rounded = (value: number) => numbersOf(this.e.scalar(value, type))[0]!;
    return floatExpressionOf(values, sizes, rounded)?.(this.values) ?? null;
  }

  /** The dimensions of an output at all sizes. */
  dims(shapes: readonly (readonly number[])[]): (number | string | null)[] {
    const names = Object.keys(this.probes[0]!.sizes);
    return shapes[0]!.map((dim, axis) => {
      if (shapes.every((shape) => shape[axis] === dim)) return dim;
      return names.find((name) => this.probes.every(({ sizes }, i) => shapes[i]![axis] === sizes[name])) ?? null;
    });
  }

  private different(bodies: readonly Body[]): ArgumentError {
    const [first] = bodies as readonly [Body];
    const at = first.operations.find((one, i) => bodies.some(({ operations }) => operations[i]?.op !== one.op));
    return this.depends(at ?? first.operations.at(-1) ?? null, "the operations");
  }

  private depends(at: Operation | null, what: string): ArgumentError {
    const names = Object.keys(this.probes[0]!.sizes).map((name) => JSON.stringify(name));
    const line = at?.place() ?? null;
    const place = at === null ? "" : ` (${at.op}${line === null ? "" : `, ${line}`})`;
    return new ArgumentError(
      `toOnnx: ${what}${place} depend on ${names.join(", ")} in a way that a model cannot compute: give that size as a number in the ` +
        `templates, or loop with Nx.Defn.scan`,
    );
  }
}

function numbersOf({ type, bytes }: Value): number[] {
  return Nx.toFlatList(Nx.fromBinary(bytes!, tensorType(type), { backend: "binary" })).map(Number);
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);
