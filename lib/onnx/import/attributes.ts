/**
 * The attributes of a node, read by name and kind.
 */
import { ArgumentError, type Tensor } from "nx-numerics";
import type { Graph } from "./model";
import type { Empty } from "./values";

/** The value of an attribute; numbers of 64 bits are doubles here, since they are sizes, axes and choices. */
export type Attribute =
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "int"; readonly value: number }
  | { readonly kind: "floats"; readonly value: readonly number[] }
  | { readonly kind: "ints"; readonly value: readonly number[] }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "strings"; readonly value: readonly string[] }
  | { readonly kind: "tensor"; readonly value: Tensor | Empty }
  | { readonly kind: "graph"; readonly value: Graph }
  | { readonly kind: "reference"; readonly value: string }
  | { readonly kind: "unsupported"; readonly value: string };

type Kind = Attribute["kind"];
type ValueOf<K extends Kind> = Extract<Attribute, { readonly kind: K }> extends { readonly value: infer V } ? V : never;

/** The attributes of one node. */
export class Attributes {
  constructor(private readonly all: ReadonlyMap<string, Attribute>) {}

  has(name: string): boolean {
    return this.all.has(name);
  }

  names(): readonly string[] {
    return [...this.all.keys()];
  }

  /** Every graph among the attributes. */
  graphs(): Graph[] {
    return [...this.all.values()].flatMap((attribute) => (attribute.kind === "graph" ? [attribute.value] : []));
  }

  int(name: string): number | undefined;
  int(name: string, otherwise: number): number;
  int(name: string, otherwise?: number): number | undefined {
    return this.get("int", name) ?? otherwise;
  }

  float(name: string): number | undefined;
  float(name: string, otherwise: number): number;
  float(name: string, otherwise?: number): number | undefined {
    return this.get("float", name) ?? otherwise;
  }

  /** A number that some versions have as an integer, others as a float. */
  number(name: string, otherwise: number): number {
    return this.all.get(name)?.kind === "int" ? this.int(name, otherwise) : this.float(name, otherwise);
  }

  string(name: string): string | undefined;
  string(name: string, otherwise: string): string;
  string(name: string, otherwise?: string): string | undefined {
    return this.get("string", name) ?? otherwise;
  }

  ints(name: string): readonly number[] | undefined {
    return this.get("ints", name);
  }

  floats(name: string): readonly number[] | undefined {
    return this.get("floats", name);
  }

  strings(name: string): readonly string[] | undefined {
    return this.get("strings", name);
  }

  tensor(name: string): Tensor | Empty | undefined {
    return this.get("tensor", name);
  }

  graph(name: string): Graph {
    const graph = this.get("graph", name);
    if (graph) return graph;
    throw new ArgumentError(`the attribute ${name}, a graph, is missing`);
  }

  /** Whether a number is not 0; flags are integers in ONNX. */
  flag(name: string, otherwise = false): boolean {
    const value = this.int(name);
    return value === undefined ? otherwise : value !== 0;
  }

  /** One of several words. */
  choice<const W extends string>(name: string, words: readonly W[], otherwise: W): W {
    const value = this.string(name, otherwise);
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    throw new ArgumentError(`the attribute ${name} must be one of ${words.join(", ")}, got: ${value}`);
  }

  /** These attributes in the body of a function, where some stand for attributes of the call. */
  within(call: Attributes, defaults: Attributes): Attributes {
    const bound = [...this.all].flatMap(([name, attribute]): [string, Attribute][] => {
      if (attribute.kind !== "reference") return [[name, attribute]];
      const given = call.all.get(attribute.value) ?? defaults.all.get(attribute.value);
      return given ? [[name, given]] : [];
    });
    return new Attributes(new Map(bound));
  }

  private get<K extends Kind>(kind: K, name: string): ValueOf<K> | undefined {
    const found = this.all.get(name);
    if (found === undefined) return undefined;
    if (found.kind === kind) return found.value as ValueOf<K>;
    throw new ArgumentError(
      found.kind === "unsupported"
        ? `the attribute ${name} is a ${found.value}, which fromOnnx does not read`
        : `the attribute ${name} must be of kind ${kind}, got ${found.kind}`,
    );
  }
}

export const NO_ATTRIBUTES = new Attributes(new Map());
