/**
 * Programs whose values have a last axis of a few elements, such as places in space: kernels would read rows of three elements, each
 * repeated or apart, which have to be copied first. So values over such rows are held as planes, one for each place of the last
 * axis: each plane is read in order, a sum over the axis is an element-wise kernel of the planes, and kernels that follow one another over
 * the same elements become one. Bits are those of the program as it was.
 */
import { getOrMake } from "../../../core/get-or-make";
import type { Attrs, NestOperand, View } from "../../../backend";
import { stagesOf } from "../../../core/stages";
import { isComplex } from "../../../core/types";
import { mapNest } from "../../../kernel/nest";
import { REDUCTIONS } from "../../../kernel/recurrence";
import { foldKernel } from "../../../kernel/unrolled";
import type { MapStep, PrimitiveStep, Program, ProgramStep, ProgramValue } from "../../../program";
import { PLANE_FROM, PLANES_MOST, PROGRAM_ELEMENTS } from "../schedule/programs";
import { joinedMaps } from "./joined-maps";
import { kernelOf, routineFor } from "./steps";
import { copiedElements, walkOf } from "./rows";

const known = new WeakMap<Program, Program>();

/** A program that computes the same, by planes where that copies fewer elements. */
export const byPlanes = (program: Program): Program =>
  getOrMake(known, program, () => {
    const count = shortAxisOf(program);
    return (count > 0 && new Unrolled(program, count).program()) || program;
  });

/** The elements of the last axis of the largest kernel that reads short rows; 0 where there is none. */
function shortAxisOf({ steps }: Program): number {
  let [most, found] = [0, 0];
  for (const step of steps) {
    if (step.kind !== "map" || step.nest.rows <= most) continue;
    for (const operand of step.nest.operands) {
      const { shape } = walkOf(operand);
      const inner = shape.at(-1) ?? 1;
      if (shape.length > 1 && inner <= PLANES_MOST && step.nest.rows >= inner * PLANE_FROM)
        [most, found] = [step.nest.rows, inner];
    }
  }
  return found;
}

class Unrolled {
  private readonly values: ProgramValue[];
  private readonly steps: ProgramStep[] = [];
  /** The planes of values that are held so, and those that were put together besides. */
  private readonly planes = new Map<number, readonly number[]>();
  private readonly wholes = new Map<number, number>();
  /** Elements that are copied so, and by the program as it was. */
  private copied = 0;
  private before = 0;

  constructor(
    private readonly original: Program,
    private readonly count: number,
  ) {
    this.values = [...original.values];
  }

  /** The program by planes; null where it copies no fewer elements. */
  program(): Program | null {
    const { original, values } = this;
    for (const step of original.steps) this.add(step);
    const outputs = original.outputs.map((value) => this.whole(value));
    if (this.copied >= this.before) return null;
    return { ...original, values, steps: joinedMaps(this.steps, values, outputs), outputs };
  }

  private add(step: ProgramStep): void {
    if (step.kind === "map") this.map(step);
    else if (step.kind !== "primitive" || step.primitive !== "reduceOp" || !this.reduce(step)) this.keep(step);
  }

  /** Adds a step unchanged, over whole values. */
  private keep(step: ProgramStep): void {
    this.steps.push({ ...step, inputs: step.inputs.map((value) => this.whole(value)) });
  }

  private value(value: ProgramValue): number {
    return this.values.push(value) - 1;
  }

  private each<T>(make: (place: number) => T): readonly T[] {
    return Array.from({ length: this.count }, (_, place) => make(place));
  }

  /** New values for the planes of a value. */
  private parts(value: number): readonly number[] {
    const { type, size } = this.values[value]!;
    const parts = this.each(() => this.value({ type, size: size / this.count }));
    this.planes.set(value, parts);
    return parts;
  }

  /** The value with its elements in order; planes are joined. */
  private whole(value: number): number {
    const parts = this.planes.get(value);
    if (!parts) return value;
    const known = this.wholes.get(value);
    if (known !== undefined) return known;
    const { type, size } = this.values[value]!;
    const { count } = this;
    const whole = this.value({ type, size });
    const of = (last: number) => ({ type, shape: [size / count, last], names: [null, null] });
    const step = { primitive: "concatenate", attrs: { axis: 1 }, outs: [of(count)], operands: parts.map(() => of(1)) };
    this.steps.push({ kind: "primitive", inputs: parts, outputs: [whole], ...step } as PrimitiveStep);
    this.wholes.set(value, whole);
    this.copied += size;
    return whole;
  }

  /** Adds a kernel, for each plane apart where that copies fewer elements. */
  private map(step: MapStep): void {
    const { nest, inputs, outputs } = step;
    this.before += copiedElements(nest.operands, nest.rows);
    const whole = inputs.map((value, i) => this.reading(value, nest.operands[i]!));
    const split = step.refuses || !this.isLong(nest.rows) ? null : this.splitReadings(step);
    const ends = outputs.filter((value) => this.original.outputs.includes(value)).length * nest.rows;
    if (
      split &&
      sum(split.map((each) => this.costOf(each, nest.rows / this.count))) + ends < this.costOf(whole, nest.rows)
    ) {
      const parts = outputs.map((value) => this.parts(value));
      split.forEach((each, place) =>
        this.mapOf(
          step,
          each,
          nest.rows / this.count,
          parts.map((all) => all[place]!),
        ),
      );
    } else this.mapOf(step, whole, nest.rows, outputs);
  }

  private isLong(rows: number): boolean {
    return rows % this.count === 0 && rows / this.count >= PLANE_FROM && rows / this.count <= PROGRAM_ELEMENTS;
  }

  private mapOf(step: MapStep, readings: readonly Read[], rows: number, outputs: readonly number[]): void {
    const operands = readings.map(({ operand }) => operand);
    this.copied += copiedElements(operands, rows);
    const inputs = readings.map(({ value }) => this.whole(value));
    this.steps.push({ ...step, nest: mapNest(kernelOf(step), operands, rows), inputs, outputs });
  }

  /** The number of elements that these readings copy. */
  private costOf(readings: readonly Read[], rows: number): number {
    const joined = new Set(
      readings.map(({ value }) => value).filter((value) => this.planes.has(value) && !this.wholes.has(value)),
    );
    const operands = readings.map(({ operand }) => operand);
    return copiedElements(operands, rows) + sum([...joined].map((value) => this.values[value]!.size));
  }

  /** The reading of an operand: of a single plane where its view shows no other plane. */
  private reading(value: number, operand: NestOperand): Read {
    const parts = this.planes.get(value);
    const inside = parts && inPlane(operand.view, this.count);
    return inside ? { value: parts[inside.place]!, operand: { ...operand, view: inside.view } } : { value, operand };
  }

  /** How the operands of a kernel are read for each plane; null where a row of the last axis goes over an end. */
  private splitReadings({ nest, inputs }: MapStep): readonly (readonly Read[])[] | null {
    const views = nest.operands.map(({ view, space }) =>
      space === "one" ? this.each(() => view) : planesOf(view, this.count),
    );
    if (views.includes(null)) return null;
    return this.each((place) =>
      inputs.map((value, i) => this.reading(value, { ...nest.operands[i]!, view: views[i]![place]! })),
    );
  }

  /** A reduction of a value in planes: over them, or of each by itself; false where it is neither. */
  private reduce(step: PrimitiveStep): boolean {
    const { operands, outs, attrs, inputs, outputs } = step;
    const parts = this.planes.get(inputs[0]!);
    const { type, shape } = operands[0]!;
    const { op, axes } = attrs as Attrs["reduceOp"];
    const stages = stagesOf(shape, axes);
    const [stage] = stages;
    if (!parts || stages.length !== 1 || isComplex(type) || !stage || stage.size === 1) return false;
    const { before, size, after } = stage;
    const { type: out } = outs[0]!;
    if (after === 1 && size === this.count) {
      const kernel = foldKernel(REDUCTIONS[op](type)!, size, out);
      if (!kernel) return false;
      const view = { shape: [before], strides: [1], offset: 0 };
      const nest = mapNest(
        kernel,
        parts.map(() => ({ type, space: "full", view })),
        before,
      );
      this.steps.push({ kind: "map", nest, inputs: parts, outputs });
      return true;
    }
    if (after % this.count !== 0) return false;
    const columns = after / this.count;
    const own = {
      ...step,
      attrs: { ...attrs, axes: [1], keepAxes: false } as PrimitiveStep["attrs"],
      outs: [{ type: out, shape: [before, columns], names: [null, null] }],
      operands: [{ type, shape: [before, size, columns], names: [null, null, null] }],
    };
    if (!routineFor(own)) return false;
    const results = this.parts(outputs[0]!);
    parts.forEach((part, i) => this.steps.push({ ...own, inputs: [part], outputs: [results[i]!] }));
    return true;
  }
}

/** A value and how it is read. */
interface Read {
  readonly value: number;
  readonly operand: NestOperand;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** A view of rows of so many elements as one for each place of a row; null where an axis ends within a row. */
function planesOf({ shape, strides, offset }: View, count: number): readonly View[] | null {
  let last = shape.length - 1;
  while (last >= 0 && shape[last] === 1) last--;
  const [dim, step] = [shape[last] ?? 1, strides[last] ?? 0];
  if (dim % count !== 0) return null;
  const part = { shape: [...shape.slice(0, last), dim / count], strides: [...strides.slice(0, last), step * count] };
  return Array.from({ length: count }, (_, place) => ({ ...part, offset: offset + place * step }));
}

/** A view of a value as one of the plane that it shows; null where it shows more than one. */
function inPlane(
  { shape, strides, offset }: View,
  count: number,
): { readonly place: number; readonly view: View } | null {
  if (shape.some((dim, axis) => dim > 1 && strides[axis]! % count !== 0)) return null;
  const place = offset % count;
  const inside = strides.map((stride) => Math.trunc(stride / count));
  return { place, view: { shape, strides: inside, offset: (offset - place) / count } };
}
