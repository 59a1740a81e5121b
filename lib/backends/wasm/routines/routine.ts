/**
 * What a routine is: a primitive as a function over addresses, with sizes, types and attributes baked in.
 *
 * Operands are dense and row-major, elements as they lie in memory; behind each there are {@link SLACK} bytes that may be read,
 * and behind results overwritten. Inputs are left as they are.
 */
import type { Attrs, MultiResultAttrs, MultiResultPrimitive, Primitive, Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { bytesOf } from "../../../core/types";
import { roundUp } from "../../../core/round-up";
import { func, i32, local, return_, when, type Func, type Int } from "../asm";
import { SLACK } from "../memory/linear";

export interface Routine {
  /**
   * Takes the addresses of inputs, of outputs and, where the routine needs room to work in, of that. Where it may fail it gives 0,
   * or something else when results are not to be used: the primitive itself then says what is wrong, or computes what the
   * routine does not.
   */
  readonly code: Func<readonly "i32"[], readonly [] | readonly ["i32"]>;
  /** Bytes of the room to work in. */
  readonly scratchBytes: number;
  readonly mayFail: boolean;
}

export type AnyPrimitive = Primitive | MultiResultPrimitive;
export type AttrsOf<P extends AnyPrimitive> = (Attrs & MultiResultAttrs)[P];

/** The routine of a primitive on operands of these templates; null where there is none. */
export type Make<P extends AnyPrimitive> = (
  outs: readonly Template[],
  inputs: readonly Template[],
  attrs: AttrsOf<P>,
) => Routine | null;

/** The routines of decompositions, a place for a group. */
export const decompositions: { make: Make<"linalg"> } = { make: () => null };

/** Where operands are, while a routine is written. */
export interface Places {
  readonly inputs: readonly Int[];
  readonly outputs: readonly Int[];
  /** The room to work in; an address of no meaning where none was asked for. */
  readonly scratch: Int;
}

/** The room to work in, piece by piece behind one another. */
export class Rooms {
  bytes = 0;

  /** Room for elements like those of a template; what it is given in a routine is where that room is. */
  take({ type, shape }: Pick<Template, "type" | "shape">): Room {
    const offset = this.bytes;
    this.bytes += roundUp(sizeOf(shape) * bytesOf(type) + SLACK, 64);
    return ({ scratch }) => local.fresh("i32", i32.add(scratch, offset));
  }
}

/** Where something lies in a routine. */
export type Room = (places: Places) => Int;

/** How many inputs and results a routine has, one each where nothing is said, and what else there is to say of it. */
interface Signature {
  readonly inputs?: number;
  readonly outputs?: number;
  readonly rooms?: Rooms;
  readonly mayFail?: boolean;
}

/** The routine that `emit` writes. */
export function routine(
  { inputs = 1, outputs = 1, rooms, mayFail = false }: Signature,
  emit: (places: Places) => void,
): Routine {
  const scratchBytes = rooms?.bytes ?? 0;
  const count = inputs + outputs + (scratchBytes > 0 ? 1 : 0);
  const ins = Array.from({ length: count }, () => "i32" as const);
  const write = (all: readonly Int[]): void =>
    emit({ inputs: all.slice(0, inputs), outputs: all.slice(inputs, inputs + outputs), scratch: all.at(-1)! });
  const code = mayFail
    ? func({ in: ins, out: ["i32"] }, (all) => {
        write(all);
        i32.const(0);
      })
    : func({ in: ins, out: [] }, write);
  return { code, scratchBytes, mayFail };
}

/** Ends a routine that may fail where the integer on the stack is not 0. */
export function failIf(): void {
  when(() => {
    i32.const(1);
    return_();
  });
}
