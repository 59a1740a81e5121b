/**
 * The special functions as users call them: composites of many passes, which run as one compiled function when a call comes again.
 */
import { getOrMake } from "../core/get-or-make";
import { composite, compositeOfAnySize } from "../nx/composite";
import { named } from "../nx/elementwise/core";
import type { Tensor } from "../tensor";
import * as special from "./index";

export const betainc = compositeOfAnySize(special.betainc);
export const besselI0 = compositeOfAnySize(special.besselI0);
export const besselI0e = compositeOfAnySize(special.besselI0e);
export const besselI1 = compositeOfAnySize(special.besselI1);
export const besselI1e = compositeOfAnySize(special.besselI1e);
export const besselJ0 = compositeOfAnySize(special.besselJ0);
export const besselJ1 = compositeOfAnySize(special.besselJ1);
export const besselY0 = compositeOfAnySize(special.besselY0);
export const besselY1 = compositeOfAnySize(special.besselY1);
export const digamma = compositeOfAnySize(special.digamma);
export const gammainc = compositeOfAnySize(special.gammainc);
export const gammaincc = compositeOfAnySize(special.gammaincc);
export const lbeta = compositeOfAnySize(special.lbeta);
export const lgamma = compositeOfAnySize(special.lgamma);
export const logit = compositeOfAnySize(special.logit);
export const normalCdf = compositeOfAnySize(special.normalCdf);
export const normalQuantile = compositeOfAnySize(special.normalQuantile);
export const sinc = compositeOfAnySize(special.sinc);
export const xlogy = composite(special.xlogy);

const orders = new Map<number, (tensor: Tensor) => Tensor>();

/** Of each order a composite: an order is no operand of what was compiled. */
const orderOf = (order: number): ((tensor: Tensor) => Tensor) =>
  getOrMake(orders, order, () =>
    compositeOfAnySize(named("polygamma", (tensor: Tensor) => special.polygamma(order, tensor))),
  );

export const polygamma = named("polygamma", (order: number, tensor: Tensor): Tensor => {
  return orderOf(order)(tensor);
}) as typeof special.polygamma;
