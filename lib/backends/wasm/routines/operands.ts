/**
 * Operands as routines need them: in the type that they work in, and numbers of scalars that say where something lies.
 */
import type { Template } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { isInteger, isUnsigned, is64Bit, type DType } from "../../../core/types";
import { castKernel } from "../../../kernel/lower/single";
import { call, i32, i64, local, select, type Code, type Int } from "../asm";
import { kernelFunction } from "../codegen/function";
import { shared } from "./shared";
import { Rooms, routine, type Places, type Room, type Routine } from "./routine";

/** `(n, from, to)`: converts elements, sixteen at a time. */
export const castFunction = (from: DType, to: DType, overflow: "saturate" | "wrap"): Code =>
  shared(`cast ${from} ${to} ${overflow}`, () =>
    kernelFunction(castKernel({ type: from, uniform: false }, to, overflow)!.kernel),
  );

/** The elements of an input in a type: where they are, or converted in a room. */
export function inputIn(
  rooms: Rooms,
  type: DType,
  { type: from, shape }: Template,
  i: number,
  overflow: "saturate" | "wrap" = "saturate",
): Room {
  if (type === from) return ({ inputs }) => inputs[i]!;
  const [room, cast] = [rooms.take({ type, shape }), castFunction(from, type, overflow)];
  return (places) => {
    const at = room(places);
    call(cast, [sizeOf(shape), places.inputs[i]!, at]);
    return at;
  };
}

/** How a result is made in a type: where it is to lie, or in a room, to be converted in the end. */
export function outputIn(
  rooms: Rooms,
  type: DType,
  { type: to, shape }: Template,
  overflow: "saturate" | "wrap",
  i = 0,
): (places: Places, make: (target: Int) => void) => void {
  if (type === to) return ({ outputs }, make) => make(outputs[i]!);
  const [room, cast] = [rooms.take({ type, shape }), castFunction(type, to, overflow)];
  return (places, make) => {
    const target = room(places);
    make(target);
    call(cast, [sizeOf(shape), target, places.outputs[i]!]);
  };
}

/** The routine that `emit` writes of inputs in the types that are asked for; null for the type that an input has. */
export function withTypes(
  inputs: readonly Template[],
  types: readonly (DType | null)[],
  { rooms = new Rooms(), ...options }: Pick<Parameters<typeof routine>[0], "rooms" | "mayFail">,
  emit: (places: Places) => void,
): Routine {
  const loaded = inputs.map((input, i) => inputIn(rooms, types[i] ?? input.type, input, i));
  return routine({ inputs: inputs.length, rooms, ...options }, (places) =>
    emit({ ...places, inputs: loaded.map((at) => at(places)) }),
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
  const long = local.fresh("i64");
  loadLong(type, at);
  local.set(long);
  if (!isUnsigned(type)) local.set(long, select("i64", long, 0n, i64.gt_s(long, 0n)));
  local.set(long, select("i64", long, BigInt(most), i64.lt_u(long, BigInt(most))));
  return local.fresh("i32", i32.wrap_i64(long));
}

/** The integer at an address as one of 32 bits without a sign, on the stack; the largest such for all that are no such integer. */
export function loadIndex(type: DType, at: Int, offset: number): void {
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
