/** To be written. */
import type { PrimitiveFunction } from "../../backend";

const missing = (): never => {
  throw new Error("to be written");
};

export const scans = {
  cumulative: missing as PrimitiveFunction<"cumulative">,
};
