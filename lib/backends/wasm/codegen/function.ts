/**
 * From a kernel to a WebAssembly function that runs it over contiguous memory: `run(n, ...inputs, ...outputs)` with the
 * addresses of all operands. Several groups of four elements go through each op side by side, so that the machine always has
 * independent work. What does not depend on the element is computed once before the loop.
 *
 * The function works on whole steps of elements: operands must have room for `n` rounded up to a multiple of
 * `STEP` (`schedule/element-wise.ts`), and what is beyond `n` may hold anything. An exact one of at least so many elements writes no others: its
 * last step ends with them, and does some again, so results are written over no operand.
 */
import { bytesOf } from "../../../core/types";
import {
  advance,
  br,
  br_if,
  func,
  i32,
  local,
  loop,
  v128,
  when,
  type Func,
  type Input,
  type Int,
  type Label,
} from "../asm";
import { KERNEL_GROUPS, KERNEL_VECTORS_MOST } from "../schedule/element-wise";
import type { Kernel, ColdPathValue, Value } from "../../../kernel/value";
import { emitLoadBy, emitSplat, emitStore, type RowStep } from "./access";
import { byteRanges, VECTOR_BYTES, emitBytes, loadBytes, type Range } from "./bytes";
import { assign, emitValue, emitValues, flatten, type Emission } from "./body";
import { widthOf, type Vector } from "./vectors";

/** Values that are the same for every element. */
export function invariants(kernel: Kernel): Set<Value> {
  const found = new Set<Value>();
  const visit = (values: readonly Value[]): void => {
    for (const value of values) {
      if (value.op === "coldPath") visit(value.body);
      else if (value.op === "const") found.add(value);
      else if (value.op === "load") {
        if (kernel.inputs[value.input]!.uniform) found.add(value);
      } else if (value.args.every((arg) => found.has(arg))) found.add(value);
    }
  };
  visit(kernel.values);
  return found;
}

/** How a function of a kernel goes through its operands. */
interface Going {
  /** Groups of elements side by side at most. */
  readonly most?: 1 | 2 | 4;
  /** Elements from one to the next, of each input. */
  readonly steps?: readonly RowStep[];
  readonly isExact?: boolean;
}

/** The function of a kernel. */
export function kernelFunction(
  kernel: Kernel,
  { most = KERNEL_GROUPS, steps = [], isExact = false }: Going = {},
): Func<readonly "i32"[], readonly []> {
  const { inputs, outputs, values } = kernel;
  const ranges = most === KERNEL_GROUPS && steps.every((step) => step === 1) ? byteRanges(kernel) : null;
  if (ranges !== null) return byteFunction(kernel, ranges, isExact);
  const fixed = invariants(kernel);
  const order = flatten(values);
  const stored = outputs.flatMap((output) => output.values);
  const { of, used } = assign(order, stored, (value) => fixed.has(value), widthOf);
  const interleave = Math.min(most, [KERNEL_GROUPS, 2].find((groups) => used * groups <= KERNEL_VECTORS_MOST) ?? 1);
  const operands = [...inputs, ...outputs.map(({ type }) => ({ type, uniform: false }))];
  return func(signatureOf(operands.length, used * interleave), ([n, ...addresses], vectors) => {
    // One group where a value is the same for all elements.
    const alike = new Map(
      [...fixed].map((value) => [value, widthOf(value.kind) === 2 ? [fresh(), fresh()] : [fresh()]]),
    );
    const emission: Emission = {
      interleave,
      isDone: (value) => fixed.has(value),
      group: (value, u) => alike.get(value) ?? of.get(value)!.map((index) => vectors[u * used + index]!),
      load({ input, part }, out, u) {
        const { type, uniform } = inputs[input]!;
        if (uniform) emitSplat(type, part, out, addresses[input]!);
        else {
          const step = steps[input] ?? 1;
          const group = step < 0 ? interleave - 1 - u : u;
          emitLoadBy(step, type, part, out, addresses[input]!, group * 4 * Math.abs(step) * bytesOf(type));
        }
      },
    };
    // against the order of memory, what is read at a time begins at its last element
    const begin = (i: number): number => (steps[i] === -1 ? (1 - 4 * interleave) * bytesOf(operands[i]!.type) : 0);
    operands.forEach((_, i) => begin(i) !== 0 && advance(addresses[i]!, begin(i)));
    for (const value of order) if (fixed.has(value)) emitValue(value as Exclude<Value, ColdPathValue>, emission, 0);
    loop((next) => {
      emitValues(values, emission);
      outputs.forEach((output, i) => {
        for (let u = 0; u < interleave; u++) {
          const groups = output.values.map((value) => emission.group(value, u));
          emitStore(output.type, groups, addresses[inputs.length + i]!, u * 4 * bytesOf(output.type));
        }
      });
      const bytes = operands.map(({ type, uniform }, i) => (uniform ? 0 : (steps[i] ?? 1) * bytesOf(type)));
      goOn(n!, addresses, bytes, 4 * interleave, isExact, next);
    });
  });
}

/** The signature of a function with the addresses of so many operands, and vectors. */
const signatureOf = (operands: number, vectors: number) =>
  ({
    in: Array.from({ length: 1 + operands }, () => "i32" as const),
    locals: Array.from({ length: vectors }, () => "v128" as const),
    out: [],
  }) as const;

/** The same for a kernel that lanes of bytes do, with ranges of its values. */
function byteFunction(
  { inputs, outputs, values }: Kernel,
  ranges: ReadonlyMap<Value, Range>,
  isExact: boolean,
): Func<readonly "i32"[], readonly []> {
  const fixed = invariants({ inputs, outputs, values });
  const stored = outputs.map((output) => output.values[0]!);
  const { of, used } = assign(
    values,
    stored,
    (value) => fixed.has(value),
    () => 1,
  );
  return func(signatureOf(inputs.length + outputs.length, used), ([n, ...addresses], vectors) => {
    const alike = new Map([...fixed].map((value) => [value, fresh()]));
    const vectorOf = (value: Value): Vector => alike.get(value) ?? vectors[of.get(value)![0]!]!;
    const emit = (value: Value): void => {
      if (value.op === "load") loadBytes(vectorOf(value), addresses[value.input]!, inputs[value.input]!.uniform);
      else emitBytes(value, vectorOf(value), value.args.map(vectorOf), ranges);
    };
    for (const value of values) if (fixed.has(value)) emit(value);
    loop((next) => {
      for (const value of values) if (!fixed.has(value)) emit(value);
      stored.forEach((value, i) => v128.store({ align: 1 }, addresses[inputs.length + i]!, vectorOf(value)));
      const bytes = addresses.map((_, i) => (inputs[i]?.uniform ? 0 : 1));
      goOn(n!, addresses, bytes, VECTOR_BYTES, isExact, next);
    });
  });
}

/** On to the next `step` elements, each of so many bytes, if there are any; exactly to the last ones where fewer are left. */
function goOn(
  n: Int,
  addresses: readonly Int[],
  bytes: readonly number[],
  step: number,
  isExact: boolean,
  next: Label,
): void {
  const move = (by: (bytes: number) => Input<"i32">): void =>
    addresses.forEach((address, i) => bytes[i] !== 0 && advance(address, by(bytes[i]!)));
  move((each) => step * each);
  local.set(n, i32.sub(n, step));
  i32.ge_s(n, isExact ? step : 1);
  br_if(next);
  if (!isExact) return;
  i32.gt_s(n, 0);
  when(() => {
    move((each) => i32.mul(i32.sub(n, step), each));
    local.set(n, step);
    br(next);
  });
}

const fresh = (): Vector => local.fresh("v128");
