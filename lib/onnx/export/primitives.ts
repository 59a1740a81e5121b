/**
 * How each primitive is written. The table is total over the primitives.
 */
import type { Primitive } from "nx-numerics/backend";
import { binary } from "./binary";
import { bitcast } from "./bits";
import { INDEXING } from "./indexing";
import { sizeOf, type Value } from "./ir";
import { MOVEMENT } from "./movement";
import { converted } from "./numbers";
import { PRODUCTS } from "./products";
import { REDUCTIONS } from "./reductions";
import { isScalarGraph, type Site } from "./site";
import { unary } from "./unary";
import { WINDOWS } from "./windows";

type Rule<P extends Primitive> = (site: Site<P>) => Value;

export const RULES: { readonly [P in Primitive]: Rule<P> } = {
  ...MOVEMENT,
  ...INDEXING,
  ...REDUCTIONS,
  ...WINDOWS,
  ...PRODUCTS,
  unary: (site) => unary(site.e, site.attrs.op, site.value(0), site.type),
  binary: (site) =>
    binary(site.e, site.attrs.op, {
      a: site.lazy(0),
      b: site.lazy(1),
      types: [site.typeOf(0), site.typeOf(1)],
      merged: site.attrs.type,
      type: site.type,
    }),
  select: (site) => {
    const [yes, no] = [converted(site.e, site.value(1), site.type), converted(site.e, site.value(2), site.type)];
    return site.e.where(site.e.bool(site.lazy(0)), yes, no);
  },
  asType: (site) => {
    const x = site.lazy(0);
    return x.type === "bool" ? site.e.cast(x, site.type) : converted(site.e, x, site.type, site.attrs.overflow);
  },
  bitcast: (site) => bitcast(site.e, site.full(0), site.type, site.shape),
  map,
  fft: ({ e }) => {
    throw e.unsupported("Fourier transforms have no equivalent", "compute them outside of the exported function");
  },
  block: ({ e, attrs }) => {
    throw e.unsupported(`the composite ${attrs.name} has no equivalent`, "compute it outside of the exported function");
  },
};

/** On all elements at once; where the function has loops or branches, on one element after the other. */
function map(site: Site<"map">): Value {
  const { e, attrs, call, type, shape } = site;
  const free = site.valuesFrom(1);
  if (isScalarGraph(e, attrs.fn)) {
    const [given] = call(e.scope(true), attrs.fn, [site.value(0), ...free]);
    return e.cast(given!, type);
  }
  const x = e.flattened(site.full(0));
  const params: Value[] = [{ type: x.type, shape: [] }];
  const body = e.body(params, (inner) => [
    inner.cast(call(inner.scope(false), attrs.fn, [...params, ...free])[0]!, type),
  ]);
  const [all] = e.many("Scan", [x], [{ type, shape: [sizeOf(shape)] }], { body, num_scan_inputs: 1 });
  return e.reshape(all!, shape);
}
