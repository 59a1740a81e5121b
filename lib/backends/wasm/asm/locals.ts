/**
 * Functions of integers with locals by name, and the arithmetic of addresses.
 */
import { func } from "./module";
import { i32 } from "./scalars";
import { local, select } from "./structured";
import type { Func, Input, Local, Tuple } from "./types";

export type Int = Local<"i32">;
export type Vector = Local<"v128">;
export type Long = Local<"i64">;
/** A function of integers without a result. */
export type Code = Func<readonly "i32"[], readonly []>;

/** A function of integers: its arguments and further integers by name, and a number of vectors. */
export function define<A extends string, I extends string, N extends number>(
  args: readonly A[],
  ints: readonly I[],
  vectors: N,
  body: (ints: { readonly [K in A | I]: Int }, vectors: Tuple<Vector, N>) => void,
): Code {
  const signature = {
    in: args.map(() => "i32" as const),
    locals: [...ints.map(() => "i32" as const), ...Array.from({ length: vectors }, () => "v128" as const)],
    out: [],
  } as const;
  return func(signature, (given, own) => {
    const numbers = [...given, ...own.slice(0, ints.length)];
    const named = Object.fromEntries([...args, ...ints].map((name, i) => [name, numbers[i]]));
    body(named as unknown as { [K in A | I]: Int }, own.slice(ints.length) as unknown as Tuple<Vector, N>);
  });
}

/** The smaller of two unsigned integers. */
export function setMinimum(target: Int, a: Int | number, b: Int | number): void {
  push(a);
  push(b);
  i32.lt_u(a, b);
  select("i32");
  local.set(target);
}

export function push(value: Int | number): void {
  if (typeof value === "number") i32.const(value);
  else local.get(value);
}

/** `target = base + index * factor`. */
export function setAddress(target: Int, base: Int, index: Int, factor: Int | number): void {
  i32.mul(index, factor);
  local.get(base);
  i32.add();
  local.set(target);
}

export function advance(pointer: Int, by: Input<"i32">): void {
  local.set(pointer, i32.add(pointer, by));
}
