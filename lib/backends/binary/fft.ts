/** To be written. */
import type { PrimitiveFunction } from "../../backend";

const missing = (): never => {
  throw new Error("to be written");
};

export const transforms = {
  fft: missing as PrimitiveFunction<"fft">,
};
