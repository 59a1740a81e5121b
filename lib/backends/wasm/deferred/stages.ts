/**
 * A draft with reductions of lines as a program that goes over the lines once: each level has a kernel for what there is one of for each
 * line, then one for all elements, then the reductions of what that gives. What a later level needs stays in the caches.
 */
import type { NestSpace, NestStage, NestValue } from "../../../backend";
import { Recent } from "../../../kernel/generational-cache";
import { LONG_LINE, stagesText } from "../../../kernel/nest";
import type { Access, Reader } from "../../../kernel/operand";
import { kernelOf, opText, type ScriptOp, type ScriptRef } from "../../../kernel/script";
import type { KernelInput } from "../../../kernel/value";
import type { LineNest } from "../lines/code";
import { placed } from "../lines/element-wise";
import { DEFERRED_REPEATED } from "../schedule/deferred";
import type { Draft, DraftRef, Space } from "./draft";

/** How a draft is run by lines: the program, and how arrays are read. */
interface ByLines {
  readonly program: LineNest;
  readonly walks: readonly Access[];
}

/** Programs kept at hand. */
const KEPT = 512;
const known = new Recent<ByLines>(KEPT);

/** Numbers for walks, by which programs are told apart. */
const walkIds = new WeakMap<Access, number>();
let walksMet = 0;

function idOf(access: Access): number {
  let id = walkIds.get(access);
  if (id === undefined) walkIds.set(access, (id = ++walksMet));
  return id;
}

const refText = (ref: DraftRef): string => (ref.kind === "constant" ? "" : `${ref.kind.charAt(0)}${ref.index}`);

/** The same for drafts of the same program on lines of other sizes. */
export function structureOf({ inputs, spaces, ops, folds }: Draft, results: readonly DraftRef[]): string {
  let text = "lines ";
  inputs.forEach(({ type, uniform }, i) => (text += `${type}${uniform ? "!" : ""}${spaces[i]};`));
  for (const { does, type, operands, space } of ops) {
    text += `${opText(does)}(${operands.map(refText).join()})${type}${space};`;
  }
  for (const { op, type, input } of folds) text += `${op}(${refText(input)})${type};`;
  return text + results.map(refText).join();
}

/** The program of a draft that gives these values. */
export function byLines(draft: Draft, results: readonly DraftRef[], structure: string): ByLines {
  const { groups, rows } = draft.lines!;
  const text = `${groups} ${rows} ${draft.readers.map(({ access }) => idOf(access)).join()} ${structure}`;
  return known.getOrMake(text, () => new Writer(draft).write(results));
}

/** The level of each op: as late as all that read it allow, so that little has to be kept until then. */
function levelsOf({ ops, folds }: Draft): number[] {
  const latest = ops.map(() => Infinity);
  const limit = (ref: DraftRef, level: number): void => {
    if (ref.kind === "op") latest[ref.index] = Math.min(latest[ref.index]!, level);
  };
  for (const { input, level } of folds) limit(input, level - 1);
  const levels = ops.map(({ level }) => level);
  for (let i = ops.length - 1; i >= 0; i--) {
    if (latest[i] !== Infinity) levels[i] = latest[i]!;
    for (const ref of ops[i]!.operands) limit(ref, levels[i]!);
  }
  return levels;
}

class Writer {
  private readonly levels: readonly number[];
  private readonly values: NestValue[] = [];
  private readonly walks: Access[] = [];
  private readonly stages: (Extract<NestStage, { kind: "map" }> | Extract<NestStage, { kind: "fold" }>)[] = [];
  /** Places of values that are computed, by their refs. */
  private readonly places = new Map<string, number>();
  private readonly cut: boolean;

  constructor(private readonly draft: Draft) {
    const { readers, spaces, inputs, lines, folds } = draft;
    this.levels = levelsOf(draft);
    this.cut = lines!.rows > LONG_LINE;
    readers.forEach((reader, i) => {
      const isFolded = folds.some(({ input }) => input.kind === "input" && input.index === i);
      const [space, walk] = isFolded ? (["full", reader.access] as const) : this.placedIn(reader, spaces[i]!);
      this.values.push({ type: inputs[i]!.type, space });
      this.walks.push(walk);
    });
  }

  write(results: readonly DraftRef[]): ByLines {
    const { folds, lines } = this.draft;
    const wanted = new Set(results.map(refText));
    const last = Math.max(0, ...this.levels, ...folds.map(({ level }) => level));
    for (let level = 0; level <= last; level++) {
      this.kernel(level, "line", wanted);
      this.kernel(level, "full", wanted);
      folds.forEach(({ op, type, input, level: own }, i) => {
        if (own !== level + 1) return;
        const output = this.place(`f${i}`, { type, space: "line" });
        this.stages.push({ kind: "fold", op, input: this.placeOf(input), output });
      });
    }
    const outputs = results.map((ref) => this.placeOf(ref));
    const { values, stages, walks, cut } = this;
    const key = `deferred ${stagesText(values, stages, outputs)}`;
    return { program: { ...lines!, cut, values, stages, outputs, key }, walks };
  }

  private placedIn(reader: Reader, space: Space): readonly [NestSpace, Access] {
    if (space === "full") return placed(reader, this.draft.lines!.rows, this.cut);
    return [reader.isUniform ? "one" : "line", reader.access];
  }

  private place(name: string, value: NestValue): number {
    const at = this.values.push(value) - 1;
    this.places.set(name, at);
    return at;
  }

  private placeOf(ref: DraftRef): number {
    return ref.kind === "input" ? ref.index : this.places.get(refText(ref))!;
  }

  /** The kernel of a level over all elements, or over what there is one of for each line. */
  private kernel(level: number, space: Space, wanted: ReadonlySet<string>): void {
    const { ops } = this.draft;
    const own = this.withRepeated([...ops.keys()].filter((i) => this.levels[i] === level && ops[i]!.space === space));
    if (own.length === 0) return;
    const numbers = new Map(own.map((i, at) => [i, at]));
    const inputs: KernelInput[] = [];
    const read: number[] = [];
    const operand = (ref: DraftRef): ScriptRef => {
      if (ref.kind === "constant") return ref;
      const at = ref.kind === "op" ? numbers.get(ref.index) : undefined;
      if (at !== undefined) return { kind: "op", index: at };
      const place = this.placeOf(ref);
      const known = read.indexOf(place);
      if (known >= 0) return { kind: "input", index: known };
      const { type, space: from } = this.values[place]!;
      read.push(place);
      const uniform = from === "one" || (from === "line" && space === "full");
      return { kind: "input", index: inputs.push({ type, uniform }) - 1 };
    };
    const script = own.map((i): ScriptOp => {
      const { does, type, operands } = ops[i]!;
      return { does, type, operands: operands.map(operand) };
    });
    const stored: number[] = [];
    for (const i of own) {
      const isIts = this.levels[i] === level;
      if (isIts && (wanted.has(`o${i}`) || this.isReadElsewhere(i, numbers, stored))) stored.push(i);
    }
    const kernel = kernelOf({
      inputs,
      ops: script,
      outputs: stored.map((i) => ({ kind: "op", index: numbers.get(i)! })),
    });
    const outputs = stored.map((i) => this.place(`o${i}`, { type: ops[i]!.type, space }));
    this.stages.push({ kind: "map", space, kernel, inputs: read, outputs });
  }

  /** Some ops, and those of earlier levels that nobody stored and that are done again for them, in their order. */
  private withRepeated(ops: readonly number[]): number[] {
    const all = new Set<number>();
    const add = (i: number): void => {
      all.add(i);
      for (const ref of this.draft.ops[i]!.operands)
        if (ref.kind === "op" && !this.places.has(refText(ref))) add(ref.index);
    };
    ops.forEach(add);
    return [...all].sort((a, b) => a - b);
  }

  /** Whether others read what an op gives, and had better not do it again. */
  private isReadElsewhere(index: number, own: ReadonlyMap<number, number>, stored: readonly number[]): boolean {
    const { ops, folds } = this.draft;
    const isIt = (ref: DraftRef): boolean => ref.kind === "op" && ref.index === index;
    if (folds.some(({ input }) => isIt(input))) return true;
    if (!ops.some(({ operands }, i) => !own.has(i) && operands.some(isIt))) return false;
    return ops[index]!.space === "line" || this.valuesOf(index, stored) > DEFERRED_REPEATED;
  }

  /** Values of the kernel language that an op takes where it is done again. */
  private valuesOf(index: number, stored: readonly number[]): number {
    const { values, operands } = this.draft.ops[index]!;
    return operands.reduce((sum, ref) => {
      const isThere = ref.kind !== "op" || this.places.has(refText(ref)) || stored.includes(ref.index);
      return isThere ? sum : sum + this.valuesOf(ref.index, stored);
    }, values);
  }
}
