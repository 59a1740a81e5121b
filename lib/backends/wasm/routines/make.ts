/**
 * How routines are asked for.
 */
import type { Attrs, MultiResultAttrs, MultiResultPrimitive, Primitive, Template } from "../../../backend";
import type { Routine } from "./routine";

export type AnyPrimitive = Primitive | MultiResultPrimitive;
export type AttrsOf<P extends AnyPrimitive> = (Attrs & MultiResultAttrs)[P];

/** The routine of a primitive on operands of these templates; null where there is none. */
export type Make<P extends AnyPrimitive> = (
  outs: readonly Template[],
  inputs: readonly Template[],
  attrs: AttrsOf<P>,
) => Routine | null;
