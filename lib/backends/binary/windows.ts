/** To be written. */
import type { PrimitiveFunction } from "../../backend";

const missing = (): never => {
  throw new Error("to be written");
};

export const windows = {
  windowOp: missing as PrimitiveFunction<"windowOp">,
  windowReduce: missing as PrimitiveFunction<"windowReduce">,
  windowScatter: missing as PrimitiveFunction<"windowScatter">,
};
