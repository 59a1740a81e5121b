/**
 * The special functions as users call them: composites of many passes, which run as one compiled function on large tensors.
 */
import { composite } from "../nx/composite";
import { named } from "../nx/elementwise/core";
import type { Tensor } from "../tensor";
import * as special from "./index";

export const betainc = composite(special.betainc);
export const besselI0 = composite(special.besselI0);
export const besselI0e = composite(special.besselI0e);
export const besselI1 = composite(special.besselI1);
export const besselI1e = composite(special.besselI1e);
export const besselJ0 = composite(special.besselJ0);
export const besselJ1 = composite(special.besselJ1);
export const besselY0 = composite(special.besselY0);
export const besselY1 = composite(special.besselY1);
export const digamma = composite(special.digamma);
export const gammainc = composite(special.gammainc);
export const gammaincc = composite(special.gammaincc);
export const lbeta = composite(special.lbeta);
export const lgamma = composite(special.lgamma);
export const logit = composite(special.logit);
export const normalCdf = composite(special.normalCdf);
export const normalQuantile = composite(special.normalQuantile);
export const sinc = composite(special.sinc);
export const xlogy = composite(special.xlogy);

const orders = new Map<number, (tensor: Tensor) => Tensor>();

/** Of each order a composite: an order is no operand of what was compiled. */
function orderOf(order: number): (tensor: Tensor) => Tensor {
  const known = orders.get(order);
  if (known) return known;
  const made = composite(named("polygamma", (tensor: Tensor) => special.polygamma(order, tensor)));
  orders.set(order, made);
  return made;
}

export const polygamma = named("polygamma", (order: number, tensor: Tensor): Tensor => {
  return orderOf(order)(tensor);
}) as typeof special.polygamma;
