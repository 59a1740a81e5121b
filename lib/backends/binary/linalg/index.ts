/** To be written. */
import type { ManyFunction } from "../../../backend";

const linalg: ManyFunction<"linalg"> = () => {
  throw new Error("to be written");
};

export const decompositions = { linalg };
