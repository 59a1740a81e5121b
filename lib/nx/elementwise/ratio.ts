/**
 * Division without options: what divides by itself, such as a mean, brings no whole quotients into a program.
 */
import { DIVIDE } from "../../backends/ops";
import { binary, type BinaryFunction } from "./core";

export const plainDivide: BinaryFunction = binary(DIVIDE);
