/**
 * Nests of several stages as steps of programs: each kernel a nest of its own, folds, searches and scans as primitives over groups x rows
 * x columns, a contraction as the primitive it is.
 */
import type { Nest, NestOperand, NestStage, Template, View } from "../../backend";
import { unnamed } from "../../core/names";
import { rowMajorStrides, sizeOf, type Shape } from "../../core/shape";
import type { DType } from "../../core/types";
import { inputsOfRoot, mapNest } from "../../kernel/nest";
import { pointView, wholeView } from "../../kernel/view";
import type { CopyStep, JoinedStep, MapStep, PrimitiveStep, ProgramValue } from "../../program";

type New<S> = Omit<S, "outputs">;

/** A program in the making, as it is seen here: adds a step and gives what it makes; null where programs cannot have it. */
export interface Adding {
  readonly values: readonly ProgramValue[];
  step(
    step: New<MapStep> | New<JoinedStep> | New<CopyStep> | New<PrimitiveStep>,
    outs: readonly Pick<Template, "type" | "shape">[],
  ): readonly number[] | null;
}

const templateOf = (type: DType, shape: Shape): Template => ({ type, shape, names: unnamed(shape.length) });

/** The steps of a nest of these inputs; its results, or null where programs cannot have one of the steps. */
export function addNest(nest: Nest, inputs: readonly number[], adding: Adding): readonly number[] | null {
  const stages = new Stages(nest, adding);
  inputs.slice(inputsOfRoot(nest.root)).forEach((input, i) => (stages.ids[i] = input));
  if (nest.root && !stages.root(inputs)) return null;
  return nest.stages.every((stage) => stages.add(stage)) ? nest.outputs.map((value) => stages.ids[value]!) : null;
}

class Stages {
  /** What each value of the nest is in the program. */
  readonly ids: number[] = [];
  private readonly size: number;

  constructor(
    private readonly nest: Nest,
    private readonly adding: Adding,
  ) {
    this.size = nest.groups * nest.rows * nest.columns;
  }

  /** The contraction that the nest begins with, of inputs as they are seen. */
  root(inputs: readonly number[]): boolean {
    const { kind, out, attrs, operands } = this.nest.root!;
    const read: number[] = [];
    for (const [i, { views, kernel }] of operands.entries()) {
      const dense = kernel ? null : this.dense(inputs[i]!, views[0]!);
      if (dense === null) return false;
      read.push(dense);
    }
    const templates = operands.map((operand) => operand.out);
    const step = { kind: "primitive", primitive: kind, attrs, outs: [out], operands: templates, inputs: read } as const;
    const made = this.adding.step(step, [out]);
    if (made) this.ids[this.nest.operands.length] = made[0]!;
    return made !== null;
  }

  add(stage: NestStage): boolean {
    switch (stage.kind) {
      case "join":
        return false;
      case "map":
        return this.map(stage);
      case "fold":
        return this.along(stage, "reduceOp", { op: stage.op, axes: [1], keepAxes: false });
      case "search":
        return this.along(stage, "argReduce", { op: stage.op, axis: 1, keepAxis: false, tieBreak: stage.tieBreak });
      case "scan":
        return this.along(stage, "cumulative", { op: stage.op, axis: 1, reverse: stage.reverse });
      default:
        return stage satisfies never;
    }
  }

  private map({ kernel, space, inputs, outputs }: Extract<NestStage, { kind: "map" }>): boolean {
    const size = space === "full" ? this.size : this.nest.groups;
    const operands = inputs.map((value) => this.operand(value, space));
    const step = {
      kind: "map",
      nest: mapNest(kernel, operands, size),
      inputs: inputs.map((value) => this.ids[value]!),
    } as const;
    const made = this.adding.step(
      step,
      kernel.outputs.map(({ type }) => ({ type, shape: [size] })),
    );
    made?.forEach((id, i) => (this.ids[outputs[i]!] = id));
    return made !== null;
  }

  /** A primitive along the lines. */
  private along(
    { kind, input, output }: Exclude<NestStage, { kind: "map" | "join" }>,
    primitive: PrimitiveStep["primitive"],
    attrs: PrimitiveStep["attrs"],
  ): boolean {
    const { groups, rows, columns, values, operands } = this.nest;
    const view = operands[input]?.view ?? wholeView([this.size]);
    const from = this.dense(this.ids[input]!, view);
    if (from === null) return false;
    const whole = Object.freeze([groups, rows, columns]);
    const out = templateOf(values[output]!.type, kind === "scan" ? whole : Object.freeze([groups, columns]));
    const seen = templateOf(values[input]!.type, whole);
    const step = { kind: "primitive", primitive, attrs, outs: [out], operands: [seen], inputs: [from] } as const;
    const made = this.adding.step(step, [out]);
    if (made) this.ids[output] = made[0]!;
    return made !== null;
  }

  /** A value whose elements lie in the order of a view: the value itself where that is its own. */
  private dense(id: number, view: View): number | null {
    const { type, size } = this.adding.values[id]!;
    const expected = rowMajorStrides(view.shape);
    const isOwn = view.shape.every((dim, axis) => dim === 1 || view.strides[axis] === expected[axis]);
    if (isOwn && view.offset === 0 && sizeOf(view.shape) === size) return id;
    return this.adding.step({ kind: "copy", view, inputs: [id] }, [{ type, shape: view.shape }])?.[0] ?? null;
  }

  /** A value as a kernel reads it. Views of operands show as many elements as the kernel has, but for those of lines and single ones. */
  private operand(value: number, reader: "full" | "line"): NestOperand {
    const { groups, rows, columns, values, operands } = this.nest;
    const { type, space } = values[value]!;
    const view = operands[value]?.view ?? wholeView([space === "line" ? groups * columns : this.size]);
    const { shape, strides, offset } = view;
    if (space === "one") return { type, space, view: pointView(view) };
    const part = { shape: [...shape], strides: [...strides], offset };
    if (reader === "full" && space === "line")
      [part.shape, part.strides] = [
        [...shape, rows],
        [...strides, 0],
      ];
    return { type, space: "full", view: part };
  }
}
