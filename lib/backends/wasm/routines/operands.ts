/**
 * Operands as routines need them: in the type that they work in, and numbers of scalars that say where something lies.
 */
import type { Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { isInteger, isUnsigned, is64Bit, type DType } from "../../../core/types";
import { castKernel } from "../../../kernel/lower/single";
import { call, i32, i64, local, select, type Code, type Int } from "../asm";
import { tableAddress } from "../codegen";
import { kernelFunction } from "../codegen/function";
import { shared } from "./shared";
import { roomFor, routine, type Places, type Routine } from "./routine";

/** `(n, from, to)`: converts elements, sixteen at a time. */
export const castFunction = (from: DType, to: DType, overflow: "saturate" | "wrap"): Code =>
  shared(`cast ${from} ${to} ${overflow}`, () =>
    kernelFunction(castKernel({ type: from, uniform: false }, to, overflow)!.kernel, tableAddress),
  );

/** Pieces of a room to work in, one behind the other. */
export class Rooms {
  bytes = 0;

  /** Room for elements like those of a template; what it is given in a routine is where that room is. */
  take(like: Pick<Template, "type" | "shape">): (places: Places) => Int {
    const offset = this.bytes;
    this.bytes += roomFor(like);
    return ({ scratch }) => {
      const at = local.fresh("i32");
      local.set(at, i32.add(scratch, offset));
      return at;
    };
  }
}

/** The routine that `emit` writes, with some inputs converted first where they have another type than is asked for. */
export function withTypes(
  inputs: readonly Template[],
  types: readonly (DType | null)[],
  emit: (places: Places) => void,
  options: Parameters<typeof routine>[3] & { readonly rooms?: Rooms } = {},
): Routine {
  const rooms = options.rooms ?? new Rooms();
  const steps = inputs.map((input, i) => {
    const type = types[i] ?? input.type;
    if (type === input.type) return null;
    return { room: rooms.take({ type, shape: input.shape }), cast: castFunction(input.type, type, "saturate") };
  });
  return routine(
    inputs.length,
    1,
    (places) => {
      const all = places.inputs.map((input, i): Int => {
        const step = steps[i];
        if (!step) return input;
        const at = step.room(places);
        call(step.cast, [sizeOf(inputs[i]!.shape), input, at]);
        return at;
      });
      emit({ ...places, inputs: all });
    },
    { ...options, scratchBytes: rooms.bytes },
  );
}

/** The integer of a scalar as one of 64 bits, on the stack. */
function loadLong(type: DType, at: Int): void {
  const load = {
    u8: i64.load8_u,
    s8: i64.load8_s,
    u16: i64.load16_u,
    s16: i64.load16_s,
    u32: i64.load32_u,
    s32: i64.load32_s,
    u64: i64.load,
    s64: i64.load,
  };
  load[type as keyof typeof load]({ align: 1 }, at);
}

/** The integer of a scalar, moved into the range from 0 to `most`. */
export function clamped(type: DType, at: Int, most: number): Int {
  if (!isInteger(type)) throw new Error(`an integer expected, got: ${type}`);
  const [long, result] = [local.fresh("i64"), local.fresh("i32")];
  loadLong(type, at);
  local.set(long);
  if (!isUnsigned(type)) {
    i64.gt_s(long, 0n);
    local.set(result);
    local.set(long, select("i64", long, 0n, result));
  }
  i64.lt_u(long, BigInt(most));
  local.set(result);
  local.set(long, select("i64", long, BigInt(most), result));
  local.set(result, i32.wrap_i64(long));
  return result;
}

/** The integer at an address as one of 32 bits without a sign, on the stack; the largest such for all that are no such integer. */
export function loadIndex(type: DType, at: Int, offset = 0): void {
  const load = {
    u8: i32.load8_u,
    s8: i32.load8_s,
    u16: i32.load16_u,
    s16: i32.load16_s,
    u32: i32.load,
    s32: i32.load,
  };
  // A negative number of 32 bits is a large one without a sign.
  if (!is64Bit(type)) return void load[type as keyof typeof load]({ offset, align: 1 }, at);
  i32.load({ offset, align: 1 }, at);
  i32.const(-1);
  i32.eqz(i32.load({ offset: offset + 4, align: 1 }, at));
  select("i32");
}
