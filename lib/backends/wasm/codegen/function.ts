/**
 * From a kernel to a WebAssembly function that runs it over contiguous memory: `run(n, ...inputs, ...outputs)` with the
 * addresses of all operands. Several groups of four elements go through each op side by side, so that the machine always has
 * independent work. What does not depend on the element is computed once before the loop.
 *
 * The function works on whole steps of elements: operands must have room for `n` rounded up to a multiple of
 * {@link STEP}, and what is beyond `n` may hold anything.
 */
import { bytesOf } from "../../../core/types";
import { br_if, func, i32, if_, local, loop, v128, type Func, type Local } from "../asm";
import type { Kernel, RareValue, Value } from "../../../kernel/value";
import { emitConstant, emitLoad, emitSplat, emitStore } from "./access";
import { emitOp, widthOf, type Group, type TableAddress, type Vector } from "./vectors";

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
function invariants(kernel: Kernel): Set<Value> {
  const found = new Set<Value>();
  const visit = (values: readonly Value[]): void => {
    for (const value of values) {
      if (value.op === "rare") visit(value.body);
      else if (value.op === "const") found.add(value);
      else if (value.op === "load") {
        if (kernel.inputs[value.input]!.uniform) found.add(value);
      } else if (value.args.every((arg) => found.has(arg))) found.add(value);
    }
  };
  visit(kernel.values);
  return found;
}

/** Values in the order they are computed, those inside of rare bodies before the rare value itself. */
function flatten(values: readonly Value[]): Value[] {
  return values.flatMap((value) => (value.op === "rare" ? [...flatten(value.body), value] : [value]));
}

/** Where each value that varies is read for the last time, as a position in the flattened order. */
function lastUses(kernel: Kernel, order: readonly Value[]): Map<Value, number> {
  const last = new Map<Value, number>();
  order.forEach((value, position) => {
    for (const arg of value.args) last.set(arg, position);
    if (value.op === "rare") last.set(value.slow, position);
  });
  for (const { values } of kernel.outputs) for (const value of values) last.set(value, Infinity);
  return last;
}

/** Numbers of the vectors of each value, for one group; freed after the last use. */
function assign(kernel: Kernel, fixed: ReadonlySet<Value>): { of: Map<Value, number[]>; used: number } {
  const order = flatten(kernel.values);
  const last = lastUses(kernel, order);
  const of = new Map<Value, number[]>();
  const free: number[] = [];
  let used = 0;
  order.forEach((value, position) => {
    if (fixed.has(value)) return;
    of.set(
      value,
      Array.from({ length: widthOf(value.kind) }, () => free.pop() ?? used++),
    );
    const read = new Set(value.op === "rare" ? [...value.args, value.slow] : value.args);
    for (const arg of read) if (!fixed.has(arg) && last.get(arg) === position) free.push(...of.get(arg)!);
    if (!last.has(value)) free.push(...of.get(value)!);
  });
  return { of, used };
}

function planOf(kernel: Kernel, fixed: ReadonlySet<Value>): Plan {
  const { of, used } = assign(kernel, fixed);
  const interleave = used * INTERLEAVE <= MANY_VECTORS ? INTERLEAVE : used * 2 <= MANY_VECTORS ? 2 : 1;
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

/** The function of a kernel. */
export function kernelFunction(kernel: Kernel, addressOf: TableAddress): Func<readonly "i32"[], readonly []> {
  const fixed = invariants(kernel);
  const plan = planOf(kernel, fixed);
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
class Emitter {
  constructor(
    private readonly kernel: Kernel,
    private readonly plan: Plan,
    private readonly fixed: ReadonlySet<Value>,
    private readonly addresses: readonly Local<"i32">[],
    private readonly locals: readonly Vector[],
    private readonly addressOf: TableAddress,
  ) {}

  /** What is the same for every element. */
  before(): void {
    for (const value of flatten(this.kernel.values)) if (this.fixed.has(value)) this.emit(value, 0);
  }

  /** One run through the loop. */
  step(): void {
    const { kernel, plan } = this;
    this.emitAll(kernel.values);
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

  private emitAll(values: readonly Value[]): void {
    for (const value of values) {
      if (this.fixed.has(value)) continue;
      if (value.op === "rare") this.rare(value);
      else for (let u = 0; u < this.plan.interleave; u++) this.emit(value, u);
    }
  }

  /** The body runs only if the mask holds for any element of the groups. */
  private rare(value: RareValue): void {
    const [mask, usual] = value.args as unknown as [Value, Value];
    const each = Array.from({ length: this.plan.interleave }, (_, u) => u);
    const masks = each.flatMap((u) => this.group(mask, u));
    masks.forEach((part, i) => {
      local.get(part);
      if (i > 0) v128.or();
    });
    v128.any_true();
    const slow = (): void => {
      this.emitAll(value.body);
      for (const u of each) this.choose(value, u);
    };
    const fast = (): void => {
      for (const u of each) this.group(value, u).forEach((to, i) => local.set(to, local.get(this.group(usual, u)[i]!)));
    };
    if_(null, slow, fast);
  }

  /** The slow value where the mask holds, the usual one elsewhere. */
  private choose(value: RareValue, u: number): void {
    const [held, usual] = value.args.map((arg) => this.group(arg, u)) as [Group, Group];
    const slow = this.group(value.slow, u);
    this.group(value, u).forEach((to, i) => local.set(to, v128.bitselect(slow[i]!, usual[i]!, held[i]!)));
  }

  private emit(value: Value, u: number): void {
    const out = this.group(value, u);
    if (value.op === "const") return emitConstant(value.kind as "f32", out, value.value, value.high);
    if (value.op === "load") {
      const { type, uniform } = this.kernel.inputs[value.input]!;
      const at = this.addresses[value.input]!;
      if (uniform) return emitSplat(type, value.part, out, at);
      return emitLoad(type, value.part, out, at, u * 4 * bytesOf(type));
    }
    const args = value.args.map((arg) => this.group(arg, u));
    emitOp(value as Exclude<Value, RareValue>, out, args, this.addressOf);
  }

  private group(value: Value, u: number): Group {
    const groups = this.plan.groups.get(value)!;
    return (groups[u] ?? groups[0]!).map((index) => this.locals[index as unknown as number]!);
  }
}
