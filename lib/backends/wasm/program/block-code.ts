/**
 * The function that takes a block of elements through all turns of a loop, in vectors from turn to turn. Kernels are emitted as in
 * single steps, so the bits are those of single steps.
 */
import { bytesOf, type DType } from "../../../core/types";
import { withUniform } from "../../../kernel/uniform";
import type { Program } from "../../../program";
import { block, br, br_if, func, i32, i64, local, loop, v128, when } from "../asm";
import type { Func, Int, Label, Long, ValueType, Vector } from "../asm";
import { SETTLED_EVERY } from "../schedule/programs";
import { failIf } from "../routines/routine";
import { emitLoad, emitSplat, emitStore } from "../codegen/access";
import { copy } from "../codegen/body";
import { widthOf, words } from "../codegen/vectors";
import { isWideKind, storageKind } from "../../../kernel/value";
import type { ElementLoop, Read, WideStep } from "./element-loop";
import { kernelOf } from "./steps";
import { copyLanes, partsOf, type Place } from "./place";
import type { Planned, Planner } from "./plan";
import { Resources } from "./resources";
import { partsIn, WideCode, type Parts } from "./wide-code";

/**
 * A function `run(turns, ...vectors of values of one element, ...addresses of streams, of states, of results)`. It gives 1 where the
 * loop asks the elements and these, when they want no more turns, would be changed by more.
 */
type BlockFunction = Func<readonly ValueType[], readonly ["i32"]>;

/** Resources of a function that is being written. */
class Written extends Resources {
  override int(): Int {
    return local.fresh("i32");
  }

  override vector(): Vector {
    return local.fresh("v128");
  }
}

/** Inputs of the body of one element, which the function is given in vectors. */
export const singlesOf = ({ inputs, values }: Program): readonly number[] =>
  inputs.filter((value) => values[value]!.size === 1);

interface BlockPlan {
  readonly element: ElementLoop;
  /** Groups of four elements of a block. */
  readonly groups: number;
  /** Which streams are one element for all of a block. */
  readonly uniform: readonly boolean[];
}

export function blockFunction(plan: BlockPlan, planner: Planner): BlockFunction {
  const { element } = plan;
  const { body } = element;
  const singles = singlesOf(body).flatMap((value) => lanesOf(body, value).map(() => "v128" as const));
  const pointers = Array.from({ length: element.streams.length + 2 * element.longs.length }, () => "i32" as const);
  const types: readonly ValueType[] = ["i64", ...singles, ...pointers];
  return func({ in: types, out: ["i32"] }, (args) => new BlockWriter(plan, planner, args as never).write());
}

const lanesOf = ({ values }: Program, value: number): readonly number[] =>
  Array.from({ length: partsOf(values[value]!.type) }, (_, part) => part);

/** An operand in memory, and what of it is in vectors, by groups of four elements. */
interface Held {
  readonly type: DType;
  readonly at: Int;
  readonly groups: readonly Parts[];
}

/** A changing value of one element: now, and at the beginning of the turn. */
interface Carried {
  readonly from: readonly Vector[];
  readonly now: readonly Vector[];
  readonly old: readonly Vector[];
}

interface Coded {
  readonly wide: WideStep;
  readonly code: WideCode;
}

class BlockWriter {
  private readonly resources = new Written(0);
  private readonly turns: Long;
  /** Vectors of each value of one element that wide steps read. */
  private readonly lanes = new Map<number, readonly Vector[]>();
  private readonly carried: Carried[] = [];
  private readonly scalars: Planned | null;
  private readonly streams: readonly (Held & { readonly isUniform: boolean })[];
  private readonly states: readonly (Held & { readonly to: Int })[];
  private readonly steps: readonly Coded[];
  private readonly asking: readonly Coded[];
  /** What wide steps have made of the four elements in work. */
  private readonly made = new Map<number, Parts>();

  constructor(
    private readonly plan: BlockPlan,
    planner: Planner,
    [turns, ...args]: readonly [Long, ...(Vector | Int)[]],
  ) {
    const { element, groups, uniform } = plan;
    const { body } = element;
    const { resources } = this;
    const take = (count: number): readonly (Vector | Int)[] => args.splice(0, count);
    const given = new Map(
      singlesOf(body).map((value) => [value, take(partsOf(body.values[value]!.type)) as readonly Vector[]]),
    );
    for (const [value, lanes] of given) this.lanes.set(value, lanes);
    this.turns = turns;
    this.scalars = element.made.length + element.states.length > 0 ? this.planScalars(planner, given) : null;
    const each = (make: () => Parts): readonly Parts[] => Array.from({ length: groups }, make);
    const ats = take(element.streams.length + 2 * element.longs.length) as readonly Int[];
    this.streams = element.streams.map(({ operand: { type } }, i) => {
      const one = uniform[i] ? partsIn(resources, type) : null;
      const isUniform = one !== null;
      return { type, at: ats[i]!, isUniform, groups: each(() => one ?? partsIn(resources, type)) };
    });
    const first = element.streams.length;
    this.states = element.longs.map((place, i) => {
      const { type } = body.values[body.inputs[place]!]!;
      const [at, to] = [ats[first + i]!, ats[first + element.longs.length + i]!];
      return { type, at, to, groups: each(() => partsIn(resources, type)) };
    });
    this.asking = (element.asked?.steps ?? []).map((wide) => this.coded(wide));
    this.steps = element.wide.map((wide) => this.coded(wide));
  }

  private coded(wide: WideStep): Coded {
    const uniform = wide.reads.map((read) => this.isUniform(read));
    const code = new WideCode(withUniform(kernelOf(wide.step), uniform), this.resources);
    wide.makes.forEach((value, i) => this.made.set(value, code.outputs[i]!));
    return { wide, code };
  }

  private isUniform(read: Read): boolean {
    return read.kind === "single" || (read.kind === "stream" && this.streams[read.index]!.isUniform);
  }

  /** The steps over one element, where wide steps read what they make: the states are carried here, too. */
  private planScalars(planner: Planner, given: ReadonlyMap<number, readonly Vector[]>): Planned {
    const { element } = this.plan;
    const { body } = element;
    const changing = new Map(element.singles.map((place) => [body.inputs[place]!, place]));
    const inputs = [...given.keys()];
    const places = inputs.map((value): Place => {
      const from = given.get(value)!;
      const own = { ...body.values[value]!, at: null };
      if (!changing.has(value)) return { ...own, lanes: from };
      const fresh = (): readonly Vector[] => from.map(() => this.resources.vector());
      const carried = { from, now: fresh(), old: fresh() };
      this.carried.push(carried);
      this.lanes.set(value, carried.old);
      return { ...own, lanes: carried.now };
    });
    const next = [...changing.values()].map((place) => body.outputs[place]!);
    const outputs = [...next, ...element.made];
    const program: Program = { values: body.values, inputs, steps: element.scalar, outputs, key: "" };
    const targets = this.carried.map(({ now }) => ({ lanes: now, at: null }));
    const planned = planner.inner(program, places, [...targets, ...element.made.map(() => null)], this.resources);
    element.made.forEach((value, i) => this.lanes.set(value, planned.outputs[next.length + i]!.lanes!));
    return planned;
  }

  /** What a step reads of the four elements with this number. */
  private readonly operandsOf =
    ({ reads, step }: WideStep) =>
    (u: number): readonly Parts[] =>
      reads.map((read, i): Parts => {
        if (read.kind === "stream") return this.streams[read.index]!.groups[u]!;
        if (read.kind === "moving") return this.movingAt(read.value, u);
        const width = widthOf(storageKind(step.nest.operands[i]!.type));
        return this.lanes.get(read.value)!.map((lane) => Array.from({ length: width }, () => lane));
      });

  private movingAt(value: number, u: number): Parts {
    const { element } = this.plan;
    const { body } = element;
    const state = element.longs.findIndex((place) => body.inputs[place] === value);
    return state >= 0 ? this.states[state]!.groups[u]! : this.made.get(value)!;
  }

  write(): void {
    const { element } = this.plan;
    this.resources.emitConstants();
    for (const { from, now } of this.carried) copyLanes(now, from);
    for (const value of singlesOf(element.body)) if (!this.isCarried(value)) this.spread(value);
    this.load();
    this.fixed((wide) => !this.isEach(wide));
    for (const { wide, code } of this.asking) code.before(this.operandsOf(wide)(0));
    if (element.asked) this.asked(element.asked.value);
    else this.counted();
    for (const { type, to, groups } of this.states) {
      groups.forEach((parts, u) => emitStore(type, parts, to, u * 4 * bytesOf(type)));
    }
    i32.const(0);
  }

  /** As many turns as the function is told. */
  private counted(): void {
    const { turns } = this;
    const { element } = this.plan;
    block((done) => {
      loop((next) => {
        i64.eqz(turns);
        br_if(done);
        local.set(turns, i64.sub(turns, 1n));
        if (this.scalars) this.scalarTurn(this.scalars);
        this.fixed(this.isEach);
        if (element.settles) this.seen(done);
        else this.turn();
        br(next);
      });
    });
  }

  /** Turns as long as an element wants one; it is an error where the last turn is not the last for all. */
  private asked(value: number): void {
    block((done) => {
      loop((next) => {
        const wants = this.zero();
        for (let u = 0; u < this.plan.groups; u++) {
          for (const { wide, code } of this.asking) code.emit(this.operandsOf(wide)(u));
          for (const group of this.made.get(value)!)
            for (const vector of group) local.set(wants, v128.or(wants, vector));
        }
        v128.any_true(wants);
        i32.eqz();
        br_if(done);
        this.turn();
        br(next);
      });
    });
    v128.any_true(this.changes());
    failIf();
  }

  private zero(): Vector {
    const vector = this.resources.vector();
    local.set(vector, v128.const("i32x4", [0, 0, 0, 0]));
    return vector;
  }

  /** A turn, and the bits of the states that it changes. */
  private changes(): Vector {
    const differs = this.zero();
    this.turn((now, next) =>
      now.forEach((group, part) =>
        group.forEach((vector, i) => local.set(differs, v128.or(differs, v128.xor(vector, next[part]![i]!)))),
      ),
    );
    return differs;
  }

  private readonly isEach = ({ reads }: WideStep): boolean => !reads.every((read) => this.staysFor(read));

  private scalarTurn(scalars: Planned): void {
    const { element } = this.plan;
    for (const { now, old } of this.carried) copyLanes(old, now);
    scalars.emit();
    for (const value of [...element.states, ...element.made]) this.spread(value);
  }

  /** A value of one element in all lanes: what is narrowed from 64 bits is in the first two. */
  private spread(value: number): void {
    if (isWideKind(storageKind(this.plan.element.body.values[value]!.type))) return;
    for (const lane of this.lanes.get(value)!) local.set(lane, words(lane, lane, [0, 0, 0, 0]));
  }

  /** Whether a uniform operand is the same in all turns; others do not matter to what is computed before. */
  private staysFor(read: Read): boolean {
    if (read.kind !== "single") return true;
    return !this.scalars || this.plan.element.body.inputs.includes(read.value) === !this.isCarried(read.value);
  }

  private isCarried(value: number): boolean {
    const { element } = this.plan;
    const { body } = element;
    return element.singles.some((place) => body.inputs[place] === value);
  }

  private load(): void {
    for (const { type, at, groups, isUniform } of this.streams) {
      groups.forEach((parts, u) => {
        if (isUniform && u > 0) return;
        parts.forEach((group, part) => {
          if (isUniform) emitSplat(type, part as 0 | 1, group, at);
          else emitLoad(type, part as 0 | 1, group, at, u * 4 * bytesOf(type));
        });
      });
    }
    for (const { type, at, groups } of this.states) {
      groups.forEach((parts, u) =>
        parts.forEach((group, part) => emitLoad(type, part as 0 | 1, group, at, u * 4 * bytesOf(type))),
      );
    }
  }

  /** What steps compute of operands that are the same for all elements. */
  private fixed(which: (step: WideStep) => boolean): void {
    for (const { wide, code } of this.steps) if (which(wide)) code.before(this.operandsOf(wide)(0));
  }

  /** A turn for all elements; `changed` sees each state and its next value before the state is set. */
  private turn(changed: (now: Parts, next: Parts) => void = () => undefined): void {
    for (let u = 0; u < this.plan.groups; u++) {
      for (const { wide, code } of this.steps) code.emit(this.operandsOf(wide)(u));
      const next = this.nextOf(u);
      this.states.forEach(({ groups }, i) => changed(groups[u]!, next[i]!));
      this.states.forEach(({ groups }, i) => groups[u]!.forEach((group, part) => copy(group, next[i]![part]!)));
    }
  }

  /** The states after the turn: those that were states themselves are taken up first, as others go to where they are. */
  private nextOf(u: number): readonly Parts[] {
    const { element } = this.plan;
    const { body } = element;
    return element.longs.map((place) => {
      const value = body.outputs[place]!;
      const parts = this.movingAt(value, u);
      if (this.made.has(value)) return parts;
      return parts.map((group) =>
        group.map((vector) => {
          const held = this.resources.vector();
          local.set(held, local.get(vector));
          return held;
        }),
      );
    });
  }

  /** A turn, and now and then the question whether it was one too many: where nothing has changed, nothing will. */
  private seen(done: Label): void {
    const { turns } = this;
    i32.and(i32.wrap_i64(turns), SETTLED_EVERY - 1);
    i32.const(SETTLED_EVERY / 2);
    i32.eq();
    when(
      () => {
        v128.any_true(this.changes());
        i32.eqz();
        br_if(done);
      },
      () => this.turn(),
    );
  }
}
