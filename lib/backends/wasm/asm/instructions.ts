/**
 * Rows of the table of instructions: instructions of consecutive opcodes that have the same operands, the same results and the
 * same immediates.
 */
import type { Input, Operands, Result, Types } from "./types";
import { here, ON_STACK } from "./writer";

/** How far from its operand an access of memory lies, and what its address is known to be a multiple of. */
export interface Access {
  readonly offset?: number;
  readonly align?: number;
}

type Plain<I extends Types, O extends Types> = (...operands: Operands<I>) => Result<O>;
type Accessing<I extends Types, O extends Types> = (access: Access, ...operands: Operands<I>) => Result<O>;
type OfLane<I extends Types, O extends Types> = (lane: number, ...operands: Operands<I>) => Result<O>;
type AccessingLane<I extends Types, O extends Types> = (
  access: Access,
  lane: number,
  ...operands: Operands<I>
) => Result<O>;

/** An instruction by each name, its opcode one more than that of the name before. */
function row<N extends string, F>(
  first: number,
  names: readonly N[],
  of: (code: number) => F,
): { readonly [K in N]: F } {
  return Object.fromEntries(names.map((name, i) => [name, of(first + i)])) as { [K in N]: F };
}

/** Writes an instruction with its operands, but for its immediates. */
export function write(code: number, ins: Types, outs: Types, operands: readonly unknown[]): void {
  const writer = here();
  writer.operands(ins, operands as readonly Input[]);
  writer.instruction(code, ins, outs);
}

function writeAccess({ offset = 0, align }: Access, natural: number): void {
  const exponent = 31 - Math.clz32(align ?? natural);
  if (align !== undefined && align !== 2 ** exponent) throw new Error(`align: a power of 2 expected, got: ${align}`);
  const { code } = here();
  code.u32(exponent);
  code.u32(offset);
}

function writeLane(lane: number): void {
  here().code.byte(lane);
}

/** Instructions without immediates. */
export function plain<const I extends Types, const O extends Types, const N extends string>(
  first: number,
  ins: I,
  outs: O,
  names: readonly N[],
): { readonly [K in N]: Plain<I, O> } {
  return row<N, Plain<I, O>>(first, names, (code) => (...operands) => {
    write(code, ins, outs, operands);
    return ON_STACK;
  });
}

/** Instructions without results with immediates that are always 0. */
export function withZeros<const I extends Types, const N extends string>(
  code: number,
  zeros: number,
  ins: I,
  name: N,
): { readonly [K in N]: Plain<I, readonly []> } {
  return row<N, Plain<I, readonly []>>(code, [name], () => (...operands) => {
    write(code, ins, [], operands);
    for (let i = 0; i < zeros; i++) here().code.byte(0);
    return ON_STACK;
  });
}

/** Accesses of so many bytes of memory. */
export function accessing<const I extends Types, const O extends Types, const N extends string>(
  first: number,
  bytes: number,
  ins: I,
  outs: O,
  names: readonly N[],
): { readonly [K in N]: Accessing<I, O> } {
  return row<N, Accessing<I, O>>(first, names, (code) => (access, ...operands) => {
    write(code, ins, outs, operands);
    writeAccess(access, bytes);
    return ON_STACK;
  });
}

/** Instructions on a lane of a vector, by its number. */
export function ofLane<const I extends Types, const O extends Types, const N extends string>(
  first: number,
  ins: I,
  outs: O,
  names: readonly N[],
): { readonly [K in N]: OfLane<I, O> } {
  return row<N, OfLane<I, O>>(first, names, (code) => (lane, ...operands) => {
    write(code, ins, outs, operands);
    writeLane(lane);
    return ON_STACK;
  });
}

/** Accesses of memory by a lane of a vector. */
export function accessingLane<const O extends Types, const N extends string>(
  code: number,
  bytes: number,
  outs: O,
  name: N,
): { readonly [K in N]: AccessingLane<readonly ["i32", "v128"], O> } {
  return row<N, AccessingLane<readonly ["i32", "v128"], O>>(code, [name], () => (access, lane, ...operands) => {
    write(code, ["i32", "v128"], outs, operands);
    writeAccess(access, bytes);
    writeLane(lane);
    return ON_STACK;
  });
}
