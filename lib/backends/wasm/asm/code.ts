/**
 * Writing functions of kernels: locals by name, counted loops, and the lanes of floats that contractions
 * work in. Knows nothing of matrices.
 */
import {
  block,
  br,
  br_if,
  f32,
  f32x4,
  f64,
  f64x2,
  func,
  i32,
  i64,
  if_,
  local,
  loop,
  select,
  v128,
  type Func,
  type Local,
} from ".";

export type Int = Local<"i32">;
export type Vector = Local<"v128">;
export type Long = Local<"i64">;
/** A function of integers without a result. */
export type Code = Func<readonly "i32"[], readonly []>;

/** A function of integers: its arguments and further integers by name, and a number of vectors and of 64-bit integers. */
export function define<A extends string, I extends string = never>(
  args: readonly A[],
  ints: readonly I[],
  vectors: number,
  body: (ints: { readonly [N in A | I]: Int }, vectors: readonly Vector[], longs: readonly Long[]) => void,
  longs = 0,
): Code {
  const signature = {
    in: args.map(() => "i32" as const),
    locals: [
      ...ints.map(() => "i32" as const),
      ...Array.from({ length: vectors }, () => "v128" as const),
      ...Array.from({ length: longs }, () => "i64" as const),
    ],
    out: [],
  } as const;
  return func(signature, (given, own) => {
    const numbers = [...given, ...own.slice(0, ints.length)];
    const named = Object.fromEntries([...args, ...ints].map((name, i) => [name, numbers[i]]));
    const end = ints.length + vectors;
    body(
      named as unknown as { [N in A | I]: Int },
      own.slice(ints.length, end) as unknown as Vector[],
      own.slice(end) as unknown as Long[],
    );
  });
}

/** The body for every value of the counter from 0 to below the limit, `step` apart; the body may change the counter. */
export function range(counter: Int, limit: Int | number, step: Int | number, body: () => void): void {
  local.set(counter, 0);
  onward(counter, limit, step, body);
}

/** As {@link range}, from the value the counter has. */
export function onward(counter: Int, limit: Int | number, step: Int | number, body: () => void): void {
  block(null, (done) => {
    loop(null, (next) => {
      i32.ge_u(counter, limit);
      br_if(done);
      body();
      local.set(counter, i32.add(counter, step));
      br(next);
    });
  });
}

/** The body again and again, as long as it leaves something other than 0 on the stack. */
export function repeat(body: () => void): void {
  loop(null, (next) => {
    body();
    br_if(next);
  });
}

/** The first where the stack has something other than 0, else the second. */
export function when(then: () => void, otherwise?: () => void): void {
  if_(null, then, otherwise);
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

export function advance(pointer: Int, by: Int | number): void {
  local.set(pointer, i32.add(pointer, by));
}

/** Bytes that one instruction moves. */
export type Size = 1 | 2 | 4 | 8 | 16;

/** Copies one item; the pointers are locals. */
export function copyOne(size: Size, to: Int, from: Int, offset = 0): void {
  local.get(to);
  const at = { offset, align: 1 } as const;
  switch (size) {
    case 1:
      i32.load8_u({ offset }, from);
      return void i32.store8({ offset });
    case 2:
      i32.load16_u(at, from);
      return void i32.store16(at);
    case 4:
      i32.load(at, from);
      return void i32.store(at);
    case 8:
      i64.load(at, from);
      return void i64.store(at);
    case 16:
      v128.load(at, from);
      return void v128.store(at);
    default:
      size satisfies never;
  }
}

const at = (offset: number, align: number) => ({ offset, align });

/** Types that sums of products of floats are made in, and of all numbers. */
export type LaneType = "f32" | "f64";
export type SumType = LaneType | "s16" | "s32" | "s64";

/** What contractions need of a type of elements; operands of methods without arguments are taken from the stack. */
export interface Lanes {
  readonly type: SumType;
  /** Bytes of an element. */
  readonly size: 2 | 4 | 8;
  /** Elements of a vector. */
  readonly count: 8 | 4 | 2;
  /** An element in all lanes, from memory. */
  splat(pointer: Int, offset: number): void;
  mul(): void;
  add(): void;
  clear(to: Int): void;
  /** Sum of the lanes of a vector, as a scalar on the stack. */
  sum(vector: Vector): void;
  /** A scalar from memory. */
  load(pointer: Int, offset: number): void;
  /** Address and scalar on the stack. */
  store(offset?: number): void;
  addScalar(): void;
  mulScalar(): void;
}

export const F32: Lanes = {
  type: "f32",
  size: 4,
  count: 4,
  splat: (pointer, offset) => void v128.load32_splat(at(offset, 4), pointer),
  mul: () => void f32x4.mul(),
  add: () => void f32x4.add(),
  clear: (to) => void i32.store({}, to, 0),
  sum(vector) {
    for (const [a, b] of [[0, 2] as const, [1, 3] as const]) {
      f32x4.extract_lane(a, vector);
      f32x4.extract_lane(b, vector);
      f32.add();
    }
    f32.add();
  },
  load: (pointer, offset) => void f32.load({ offset }, pointer),
  store: (offset = 0) => void f32.store({ offset }),
  addScalar: () => void f32.add(),
  mulScalar: () => void f32.mul(),
};

export const F64: Lanes = {
  type: "f64",
  size: 8,
  count: 2,
  splat: (pointer, offset) => void v128.load64_splat(at(offset, 8), pointer),
  mul: () => void f64x2.mul(),
  add: () => void f64x2.add(),
  clear: (to) => void i64.store({}, to, 0n),
  sum(vector) {
    f64x2.extract_lane(0, vector);
    f64x2.extract_lane(1, vector);
    f64.add();
  },
  load: (pointer, offset) => void f64.load({ offset }, pointer),
  store: (offset = 0) => void f64.store({ offset }),
  addScalar: () => void f64.add(),
  mulScalar: () => void f64.mul(),
};

/** A vector from memory; its address need not be a multiple of anything but the elements' size. */
export function loadVector(lanes: Lanes, pointer: Int, offset: number): void {
  v128.load(at(offset, lanes.size), pointer);
}

/** Stores the vector on the stack, whose address lies below it. */
export function storeVector(lanes: Lanes, offset: number): void {
  v128.store(at(offset, lanes.size));
}
