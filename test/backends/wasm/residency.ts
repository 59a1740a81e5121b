/** What suites take of large grids when every tensor lies in the memory of kernels, which does not depend on types. */
import { isLarge } from "../../../lib/backends/arrays/memory";
import { sampled } from "../../effort";

/** All of the cases; so many of them where small tensors lie in the memory of kernels, too. */
export const orResident = <T>(cases: readonly T[], atMost: number): T[] =>
  isLarge(1) ? sampled(cases, atMost, "resident") : [...cases];
