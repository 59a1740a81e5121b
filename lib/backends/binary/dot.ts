/** To be written. */
import type { PrimitiveFunction } from "../../backend";

const missing = (): never => {
  throw new Error("to be written");
};

export const products = {
  dot: missing as PrimitiveFunction<"dot">,
};
