/**
 * Entries of containers that are made only when a traced function needs them, and arguments that stand for containers of them.
 */
import type { Template } from "../backend";
import { mapContainer } from "../container";
import { brandOf } from "../core/copies";
import { ArgumentError, show } from "../core/errors";
import { formatShape, sameShape } from "../core/shape";
import { Tensor } from "../tensor";

const brand = brandOf("a lazy tensor");

/** A tensor to be: its type, shape and names are known, its data is made when it is asked for. */
export class LazyTensor {
  /** @internal */
  constructor(
    readonly template: Template,
    readonly make: () => Tensor,
    /** Whether the tensor wraps a tensor with more axes (a vectorized tensor does), so that its template does not describe the traced tensor. */
    readonly isWrapped = false,
  ) {}

  get [Symbol.for("nx-numerics")](): unknown {
    return brand;
  }
}

/** The key of the method by which an argument gives the container that a traced function sees in its place, for messages of `api`. */
export const standsFor: unique symbol = Symbol.for("nx.standsFor") as never;

/** An argument, such as a batch, that is no container but stands for one, whose leaves are lazy. */
interface StandIn {
  [standsFor](api: string): unknown;
}

/** Whether a leaf of an argument stands for a container. */
export const isStandIn = (leaf: unknown): leaf is StandIn =>
  typeof leaf === "object" && leaf !== null && typeof (leaf as Partial<StandIn>)[standsFor] === "function";

/** An argument with every leaf replaced, those of the containers that leaves stand for, too. */
export function mapArgument(arg: unknown, api: string, fn: (leaf: unknown) => unknown): unknown {
  return mapContainer(arg, (leaf) => (isStandIn(leaf) ? mapContainer(leaf[standsFor](api), fn) : fn(leaf)));
}

/** The arguments of one call with containers in place of what stands for them. The same argument given twice is the same container. */
export function expanded(args: readonly unknown[], api: string, staticArgs: ReadonlySet<number>): readonly unknown[] {
  const met = new Map<StandIn, unknown>();
  const containerOf = (leaf: StandIn): unknown => {
    if (!met.has(leaf)) met.set(leaf, mapContainer(leaf[standsFor](api), unlessWrapped));
    return met.get(leaf);
  };
  return args.map((arg, i) =>
    staticArgs.has(i) ? arg : mapContainer(arg, (leaf) => (isStandIn(leaf) ? containerOf(leaf) : leaf)),
  );
}

const unlessWrapped = (leaf: unknown): unknown =>
  leaf instanceof LazyTensor && leaf.isWrapped ? materialised(leaf) : leaf;

/**
 * An argument, or an entry of one, of a traced function that is made only if the function needs it.
 *
 * @param template - a tensor or template with the type, shape and names that the tensor will have
 * @param make - makes the tensor; called at each call of the traced function whose result depends on it
 * @returns what stands for the tensor in the arguments of functions made by `defn`, `jit`, `grad` and the like
 * @throws ArgumentError for anything but a tensor and a function; when `make` gives a tensor of another type or shape
 * @example
 * ```ts
 * const weights = { used: Nx.f32([1, 2]), big: Nx.Defn.lazy(Nx.template([1000, 1000], "f32"), () => Nx.iota([1000, 1000], { type: "f32" })) };
 * const total = Nx.defn((w: { used: Nx.Tensor; big: unknown }) => Nx.sum(w.used));
 * total(weights);
 * // => #Nx.Tensor<
 * //   f32
 * //   3.0
 * // >
 * ```
 * @example
 * ```ts
 * const wrong = Nx.Defn.lazy(Nx.template([2], "f32", { names: ["x"] }), () => Nx.f32([1, 2, 3]));
 * Nx.defn((t: Nx.Tensor) => t.add(1))(wrong as never);
 * // throws ArgumentError: a lazy entry of type f32 and shape [x: 2] was made with type f32 and shape [3]
 * ```
 */
export function lazy(template: Tensor, make: () => Tensor): LazyTensor {
  if (template instanceof Tensor && typeof make === "function") {
    const { type, shape, names } = template;
    return new LazyTensor({ type, shape, names }, make);
  }
  throw new ArgumentError(
    `Nx.Defn.lazy expects a tensor or template and a function that makes the tensor, got: ${show(template)} and ${show(make)}`,
  );
}

/** The tensor of a lazy entry, checked against what was promised. */
export function materialised({ template, make }: LazyTensor): Tensor {
  const tensor: unknown = make();
  const fits = tensor instanceof Tensor && tensor.type === template.type && sameShape(tensor.shape, template.shape);
  if (fits) return tensor;
  const got =
    tensor instanceof Tensor
      ? `type ${tensor.type} and shape ${formatShape(tensor.shape, tensor.names)}`
      : show(tensor);
  throw new ArgumentError(
    `a lazy entry of type ${template.type} and shape ${formatShape(template.shape, template.names)} was made with ${got}`,
  );
}
