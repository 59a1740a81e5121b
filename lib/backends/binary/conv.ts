/** To be written. */
import type { PrimitiveFunction } from "../../backend";

const missing = (): never => {
  throw new Error("to be written");
};

export const convolutions = {
  conv: missing as PrimitiveFunction<"conv">,
};
