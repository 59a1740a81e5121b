/**
 * A kernel over four elements at a time whose operands and results are in vectors. What is the same for all elements is computed apart.
 */
import { isComplex, type DType } from "../../../core/types";
import { storageKind, type ColdPathValue, type Kernel, type LoadValue, type Value } from "../../../kernel/value";
import { assign, copy, emitValue, emitValues, flatten, type Emission } from "../codegen/body";
import { invariants } from "../codegen/function";
import { widthOf, type Group } from "../codegen/vectors";
import { partsOf, trim } from "./place";
import type { Resources } from "./resources";

/** A value over four elements: a group of vectors for each of its parts. */
export type Parts = readonly Group[];

/** Vectors for a value over four elements. */
export function partsIn(resources: Resources, type: DType): Parts {
  const width = widthOf(storageKind(type));
  const group = (): Group => Array.from({ length: width }, () => resources.vector());
  return Array.from({ length: partsOf(type) }, group);
}

export class WideCode implements Emission {
  readonly interleave = 1;
  /** What the kernel makes of four elements, until the next four. */
  readonly outputs: readonly Parts[];
  private readonly fixed: ReadonlySet<Value>;
  private readonly vectors = new Map<Value, Group>();
  private operands: readonly Parts[] = [];

  constructor(
    private readonly kernel: Kernel,
    resources: Resources,
  ) {
    this.outputs = kernel.outputs.map(({ type }) => partsIn(resources, type));
    this.fixed = invariants(kernel);
    const results = kernel.outputs.flatMap(({ values }) => values);
    const { of, used } = assign(flatten(kernel.values), results, (value) => this.isDone(value), widthOf);
    const spare = resources.spare(used);
    for (const [value, numbers] of of)
      this.vectors.set(
        value,
        numbers.map((number) => spare[number]!),
      );
    for (const value of this.fixed) {
      if (value.op === "load") continue;
      const constant = value.op === "const" ? resources.constant(value) : null;
      const group = Array.from({ length: widthOf(value.kind) }, () => constant ?? resources.vector());
      this.vectors.set(value, group);
    }
  }

  isDone(value: Value): boolean {
    return value.op === "load" || this.fixed.has(value);
  }

  group(value: Value): Group {
    return value.op === "load" ? this.operands[value.input]![value.part]! : this.vectors.get(value)!;
  }

  load({ input }: LoadValue): void {
    throw new Error(`operand ${input} is in vectors`);
  }

  /** Computes what is the same for all elements. */
  before(operands: readonly Parts[]): void {
    this.operands = operands;
    for (const value of flatten(this.kernel.values)) {
      if (!this.fixed.has(value) || value.op === "load" || value.op === "const") continue;
      emitValue(value as Exclude<Value, ColdPathValue>, this, 0);
    }
  }

  /** Computes four elements. */
  emit(operands: readonly Parts[]): void {
    this.operands = operands;
    emitValues(this.kernel.values, this);
    this.kernel.outputs.forEach(({ type, values }, i) => {
      const own = this.outputs[i]!;
      values.forEach((value, part) => copy(own[part]!, this.group(value)));
      if (!isComplex(type)) trim(type, own[0]!);
    });
  }
}
