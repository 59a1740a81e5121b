/**
 * From a kernel to a WebAssembly function that runs it over contiguous memory: `run(n, ...inputs, ...outputs)` with the
 * addresses of all operands. Several groups of four elements go through each op side by side, so that the machine always has
 * independent work. What does not depend on the element is computed once before the loop.
 *
 * The function works on whole steps of elements: operands must have room for `n` rounded up to a multiple of
 * {@link STEP}, and what is beyond `n` may hold anything.
 */
import { bytesOf } from "../../../core/types";
import { br_if, func, i32, local, loop, type Func, type Local } from "../asm";
import type { Kernel, LoadValue, ColdPathValue, Value } from "../../../kernel/value";
import { emitLoad, emitSplat, emitStore } from "./access";
import { assign, emitValue, emitValues, flatten, type Emission } from "./body";
import { widthOf, type Group, type TableAddress, type Vector } from "./vectors";

/** Operands must have room for a multiple of this many elements. */
export const STEP = 16;
/** Groups of four elements side by side; fewer where a kernel holds many values at a time. */
const INTERLEAVE = 4;
/** Vectors held at a time above which fewer groups go side by side: about what the registers of a machine hold. */
const MANY_VECTORS = 28;

/** The groups of one value: several inside the loop, one where it is the same for all elements. */
type Groups = readonly Group[];

interface Plan {
  readonly groups: ReadonlyMap<Value, Groups>;
  readonly locals: number;
  readonly interleave: number;
}

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

function planOf(kernel: Kernel, fixed: ReadonlySet<Value>, most: number): Plan {
  const outputs = kernel.outputs.flatMap(({ values }) => values);
  const { of, used } = assign(flatten(kernel.values), outputs, (value) => fixed.has(value), widthOf);
  const interleave = Math.min(most, used * INTERLEAVE <= MANY_VECTORS ? INTERLEAVE : used * 2 <= MANY_VECTORS ? 2 : 1);
  const groups = new Map<Value, Groups>();
  const vector = (index: number): Vector => index as unknown as Vector;
  for (const [value, indices] of of) {
    groups.set(
      value,
      Array.from({ length: interleave }, (_, u) => indices.map((index) => vector(u * used + index))),
    );
  }
  let locals = used * interleave;
  for (const value of fixed) {
    groups.set(value, [Array.from({ length: widthOf(value.kind) }, () => vector(locals++))]);
  }
  return { groups, locals, interleave };
}

/** The function of a kernel; at most so many groups of elements go side by side. */
export function kernelFunction(
  kernel: Kernel,
  addressOf: TableAddress,
  most: 1 | 2 | 4 = INTERLEAVE,
): Func<readonly "i32"[], readonly []> {
  const fixed = invariants(kernel);
  const plan = planOf(kernel, fixed, most);
  const operands = kernel.inputs.length + kernel.outputs.length;
  const signature = {
    in: Array.from({ length: 1 + operands }, () => "i32" as const),
    locals: Array.from({ length: plan.locals }, () => "v128" as const),
    out: [],
  } as const;
  return func(signature, ([n, ...addresses], locals) => {
    const emitter = new Emitter(kernel, plan, fixed, addresses, locals, addressOf);
    emitter.before();
    loop(null, (next) => {
      emitter.step();
      local.set(n!, i32.sub(n!, 4 * plan.interleave));
      i32.gt_s(n!, 0);
      br_if(next);
    });
  });
}

/** Emits the code of one kernel. */
class Emitter implements Emission {
  constructor(
    private readonly kernel: Kernel,
    private readonly plan: Plan,
    private readonly fixed: ReadonlySet<Value>,
    private readonly addresses: readonly Local<"i32">[],
    private readonly locals: readonly Vector[],
    readonly addressOf: TableAddress,
  ) {}

  get interleave(): number {
    return this.plan.interleave;
  }

  /** What is the same for every element. */
  before(): void {
    for (const value of flatten(this.kernel.values)) {
      if (this.fixed.has(value)) emitValue(value as Exclude<Value, ColdPathValue>, this, 0);
    }
  }

  /** One run through the loop. */
  step(): void {
    const { kernel, plan } = this;
    emitValues(kernel.values, this);
    kernel.outputs.forEach(({ type, values }, i) => {
      const at = this.addresses[kernel.inputs.length + i]!;
      for (let u = 0; u < plan.interleave; u++) {
        const groups = values.map((value) => this.group(value, u));
        emitStore(type, groups, at, u * 4 * bytesOf(type));
      }
    });
    this.advance();
  }

  private advance(): void {
    const { inputs, outputs } = this.kernel;
    const count = 4 * this.plan.interleave;
    [...inputs, ...outputs].forEach((operand, i) => {
      if ("uniform" in operand && operand.uniform) return;
      const at = this.addresses[i]!;
      local.set(at, i32.add(at, count * bytesOf(operand.type)));
    });
  }

  isDone(value: Value): boolean {
    return this.fixed.has(value);
  }

  load({ input, part }: LoadValue, out: Group, u: number): void {
    const { type, uniform } = this.kernel.inputs[input]!;
    const at = this.addresses[input]!;
    if (uniform) emitSplat(type, part, out, at);
    else emitLoad(type, part, out, at, u * 4 * bytesOf(type));
  }

  group(value: Value, u: number): Group {
    const groups = this.plan.groups.get(value)!;
    return (groups[u] ?? groups[0]!).map((index) => this.locals[index as unknown as number]!);
  }
}
