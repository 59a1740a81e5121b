/**
 * Entries of containers that are made only when a traced function needs them.
 */
import type { Template } from "../backend";
import { ArgumentError, show } from "../core/errors";
import { formatShape, sameShape } from "../core/shape";
import { Tensor } from "../tensor";

/** A tensor to be: its type, shape and names are known, its data is made when it is asked for. */
export class LazyTensor {
  /** @internal */
  constructor(
    readonly template: Template,
    readonly make: () => Tensor,
  ) {}
}

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
