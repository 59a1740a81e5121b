/**
 * Kernels in lanes of one byte: every pair of bytes beside what plain arithmetic gives, and random kernels beside the interpreter, those that
 * lanes of bytes do and those that only look so.
 */
import { describe, expect, it } from "vitest";
import * as Nx from "nx-numerics";
import { byteRanges } from "../../../lib/backends/wasm/codegen/bytes";
import { runKernel } from "../../../lib/backends/wasm/elements/run";
import { Builder } from "../../../lib/kernel/builder";
import { interpret } from "../../../lib/kernel/interpret/run";
import { opKernel } from "../../../lib/kernel/lower/single";
import type { ElementOp } from "../../../lib/kernel/script";
import type { Kernel, Value } from "../../../lib/kernel/value";
import { execute, firstDifference, operandsOf } from "../../kernel/executors-support";

type Byte = "u8" | "s8";

const wrap = { u8: (x: number) => x & 255, s8: (x: number) => (x << 24) >> 24 };
const rangeOf = { u8: [0, 255], s8: [-128, 127] } as const;

/** All numbers of a type as often as the other operand needs them. */
function pairs(type: Byte): readonly [number[], number[]] {
  const [least, most] = rangeOf[type];
  const all = Array.from({ length: most - least + 1 }, (_, i) => least + i);
  return [all.flatMap((x) => all.map(() => x)), all.flatMap(() => all)];
}

const truth = (holds: boolean): number => (holds ? 1 : 0);

/** What an op gives for two integers, before it is cut to the type. */
const BINARY = {
  add: (x: number, y: number) => x + y,
  subtract: (x: number, y: number) => x - y,
  multiply: (x: number, y: number) => x * y,
  min: (x: number, y: number) => Math.min(x, y),
  max: (x: number, y: number) => Math.max(x, y),
  bitwiseAnd: (x: number, y: number) => x & y,
  bitwiseOr: (x: number, y: number) => x | y,
  bitwiseXor: (x: number, y: number) => x ^ y,
};
const COMPARE = {
  equal: (x: number, y: number) => x === y,
  notEqual: (x: number, y: number) => x !== y,
  less: (x: number, y: number) => x < y,
  lessEqual: (x: number, y: number) => x <= y,
  greater: (x: number, y: number) => x > y,
  greaterEqual: (x: number, y: number) => x >= y,
  logicalAnd: (x: number, y: number) => x !== 0 && y !== 0,
  logicalOr: (x: number, y: number) => x !== 0 || y !== 0,
  logicalXor: (x: number, y: number) => (x !== 0) !== (y !== 0),
};

const isBytes = (does: ElementOp, types: readonly Byte[], out: Byte): boolean => {
  const kernel = opKernel(
    does,
    types.map((type) => ({ type, uniform: false })),
    out,
  );
  return byteRanges(kernel!.kernel) !== null;
};

describe.each(["u8", "s8"] as const)("every pair of %s", (type) => {
  const [left, right] = pairs(type);
  const [x, y] = [left, right].map((values) => Nx.tensor(values, { type })) as [Nx.Tensor, Nx.Tensor];

  it.each(Object.keys(BINARY) as (keyof typeof BINARY)[])("%s", (op) => {
    expect(isBytes({ kind: "binary", op, accepted: true }, [type, type], type)).toBe(true);
    expect(Nx.toList(Nx[op](x, y))).toEqual(left.map((a, i) => wrap[type](BINARY[op](a, right[i]!))));
  });

  it.each(Object.keys(COMPARE) as (keyof typeof COMPARE)[])("%s", (op) => {
    expect(isBytes({ kind: "binary", op, accepted: true }, [type, type], "u8")).toBe(true);
    expect(Nx.toList(Nx[op](x, y))).toEqual(left.map((a, i) => truth(COMPARE[op](a, right[i]!))));
  });

  it("numbers beside them, shifts, signs, choices", () => {
    const all = (fn: (a: number, b: number) => number) => left.map((a, i) => wrap[type](fn(a, right[i]!)));
    expect(Nx.toList(Nx.negate(x))).toEqual(all((a) => -a));
    expect(Nx.toList(Nx.abs(x))).toEqual(all((a) => Math.abs(a)));
    expect(Nx.toList(Nx.bitwiseNot(x))).toEqual(all((a) => ~a));
    expect(Nx.toList(Nx.select(Nx.less(x, y), x, y))).toEqual(all((a, b) => Math.min(a, b)));
    expect(Nx.toList(Nx.greater(x, 100))).toEqual(all((a) => truth(a > 100)));
    const count = Nx.bitwiseAnd(y, 7);
    expect(Nx.toList(Nx.leftShift(x, count))).toEqual(all((a, b) => a << (b & 7)));
    expect(Nx.toList(Nx.rightShift(x, count))).toEqual(all((a, b) => a >> (b & 7)));
  });
});

/** A kernel of random ops on two operands. */
function randomKernel(random: () => number): Kernel {
  const below = (n: number): number => Math.floor(random() * n);
  const k = new Builder();
  const types: readonly Byte[] = ["u8", "s8"];
  const load = (): Value<"i32"> => k.load(k.input(types[below(2)]!, random() < 0.2)) as Value<"i32">;
  const numbers: Value<"i32">[] = [load(), load(), k.i32([0, 1, -1, 7, 100, 255, 300][below(7)]!)];
  const masks: Value<"m32">[] = [k.lt(numbers[0]!, numbers[1]!)];
  const [number, mask] = [() => numbers[below(numbers.length)]!, () => masks[below(masks.length)]!];
  const cutTo = (x: Value<"i32">): Value<"i32"> => (random() < 0.5 ? k.and(x, 255) : k.shrS(k.shl(x, 24), 24));
  const makes = [
    () => numbers.push(cutTo(k.add(number(), number()))),
    () => numbers.push(cutTo(k.mul(number(), number()))),
    () => numbers.push(k.sub(number(), number()), k.neg(number()), k.not(number())),
    () => numbers.push(k.and(number(), number()), k.or(number(), number()), k.xor(number(), number())),
    () => numbers.push(k.andnot(number(), number())),
    () => numbers.push(k.min(number(), number()), k.max(number(), number())),
    () => numbers.push(k.minU(number(), number()), k.maxU(number(), number())),
    () => numbers.push(k.select(mask(), number(), number()), k.maskBits(mask())),
    () => numbers.push(k.shl(number(), below(8)), k.shrS(number(), below(8)), k.shrU(number(), below(8))),
    () => numbers.push(k.shrU(k.shl(number(), 24), 24), cutTo(number())),
    () => masks.push(k.eq(number(), number()), k.ne(number(), number())),
    () => masks.push(k.lt(number(), number()), k.le(number(), number())),
    () => masks.push(k.ltU(number(), number()), k.leU(number(), number())),
    () => masks.push(k.and(mask(), mask()), k.or(mask(), mask()), k.xor(mask(), mask()), k.not(mask())),
  ];
  for (let i = 0; i < 4; i++) makes[below(makes.length)]!();
  const values = [numbers.at(-1)!, k.select(mask(), numbers.at(-1)!, number())];
  return k.kernel(values.map((value) => ({ type: types[below(2)]!, values: [value] })));
}

describe("random kernels of bytes", () => {
  it("give what the interpreter gives", () => {
    let [state, ofBytes] = [20_261_129, 0];
    const random = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      return (state >>> 8) / 2 ** 24;
    };
    const count = 400;
    for (let i = 0; i < count; i++) {
      const kernel = randomKernel(random);
      if (byteRanges(kernel) !== null) ofBytes++;
      for (const size of [40, 1200]) {
        const { readers } = operandsOf(kernel, size, i);
        const expected = execute(interpret, kernel, readers, size);
        const found = execute(runKernel, kernel, readers, size);
        found.forEach((output, at) => expect(firstDifference(output, expected[at]!)).toBeNull());
      }
    }
    expect(ofBytes).toBeGreaterThan(count / 4);
    expect(ofBytes).toBeLessThan(count);
  });

  it("are those whose numbers bytes hold where these are compared", () => {
    const of = (compared: (k: Builder, x: Value<"i32">, y: Value<"i32">) => Value<"m32">): boolean => {
      const k = new Builder();
      const [x, y] = [k.load(k.input("u8")), k.load(k.input("u8"))] as [Value<"i32">, Value<"i32">];
      const kernel = k.kernel([{ type: "u8", values: [k.and(k.maskBits(compared(k, x, y)), 1)] }]);
      return byteRanges(kernel) !== null;
    };
    expect(of((k, x, y) => k.lt(x, y))).toBe(true);
    expect(of((k, x, y) => k.lt(k.add(x, y), x))).toBe(false);
    expect(of((k, x, y) => k.lt(k.and(k.add(x, y), 255), x))).toBe(true);
    expect(of((k, x, y) => k.eq(k.sub(x, y), x))).toBe(false);
    expect(of((k, x) => k.ltU(k.not(x), x))).toBe(false);
    expect(of((k, x) => k.lt(x, k.i32(256)))).toBe(false);
    expect(of((k, x, y) => k.lt(k.maskBits(k.lt(x, y)), y))).toBe(false);
  });
});
