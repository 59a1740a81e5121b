/**
 * The template backend: tensors that have a type, a shape and names but no data. Every primitive raises; generated from
 * the list of primitives, so a new one needs nothing here.
 */
import {
  MULTI_RESULT_PRIMITIVES,
  PRIMITIVES,
  shownByName,
  type Backend,
  type DataMembers,
  type MultiResultTable,
  type PrimitiveTable,
} from "../backend";
import { BackendError } from "../core/errors";
import { formatShape } from "../core/shape";
import { Tensor } from "../tensor";

function refuse(what: string, tensor?: Tensor): never {
  const which = tensor ? ` ${tensor.type}${formatShape(tensor.shape, tensor.names)}` : "";
  throw new BackendError(
    `cannot perform operations on a Nx.TemplateBackend tensor: ${what} was given the template${which}, which has no data; ` +
      `templates only describe arguments, pass a tensor of that type and shape instead`,
  );
}

const primitives = Object.fromEntries(
  [...PRIMITIVES, ...MULTI_RESULT_PRIMITIVES].map((name) => {
    const raise = (_out: unknown, inputs: readonly Tensor[], attrs: { op?: string }) =>
      refuse(
        attrs.op ?? name,
        inputs.find((input) => input.backend === templateBackend),
      );
    return [name, raise];
  }),
) as unknown as PrimitiveTable & MultiResultTable;

const dataMembers: DataMembers = {
  name: "template",
  options: Object.freeze({}),
  upload: () => refuse("a transfer to the template backend"),
  download: (tensor) => refuse("reading data", tensor),
  alias: () => null,
  deallocate: () => false,
  describe: () => "Nx.TemplateBackend",
};

/** The backend of templates. A plain number next to a template is one too, so that the operation itself is what raises. */
export const templateBackend: Backend = shownByName({ ...dataMembers, ...primitives, constant: () => null });

/** A tensor without data. */
export function templateTensor(type: Tensor["type"], shape: Tensor["shape"], names: Tensor["names"]): Tensor {
  return new Tensor(templateBackend, null, type, shape, names);
}
