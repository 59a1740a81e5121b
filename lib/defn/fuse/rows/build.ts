/**
 * From the units of one row program to the program: a list of values, steps that compute them, and which of them others read.
 */
import type { RowsInput, RowsProgram, RowsSpace, RowsStep, RowsValue, View } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { keyOf } from "../../../kernel/key";
import { collapse } from "../../../kernel/operand";
import { withUniform } from "../../../kernel/uniform";
import type { Node } from "../../graph";
import { LazyFused, type Fusion } from "../replace";
import type { Seen } from "../views";
import { roleOf, type Members } from "./grow";
import { flatView, overRows, pointView, spaceOf } from "./spaces";
import type { Unit, Units } from "./units";

type Kind<K extends string> = Extract<Unit["work"], { kind: K }>;

class Draft {
  readonly bases: Node[] = [];
  private readonly operands: RowsInput[] = [];
  /** Operands by what they show; results of units by their nodes. */
  private readonly shown = new Map<string, number>();
  private readonly resultOf = new Map<Node, number>();
  private readonly results: RowsValue[] = [];
  private readonly pending: ((value: (id: number) => number) => RowsStep)[] = [];

  constructor(private readonly members: Members) {}

  add(unit: Unit): void {
    const { work } = unit;
    if (work.kind === "kernel") this.kernel(unit, work);
    else this.fold(unit, work as Kind<"fold">);
  }

  /** The program. Results are numbered after the operands, whose number is known only in the end. */
  program(outputs: readonly Node[]): RowsProgram {
    const { geometry, cut } = this.members;
    const place = (id: number): number => (id >= 0 ? id : this.operands.length - 1 - id);
    const values = [...this.operands, ...this.results].map(({ type, space }) => ({ type, space }));
    const steps = this.pending.map((step) => step(place));
    const unkeyed = {
      inputs: this.operands,
      values,
      steps,
      outputs: outputs.map((node) => place(this.resultOf.get(node)!)),
    };
    return { ...geometry, cut, ...unkeyed, key: keyOfProgram(unkeyed) };
  }

  private kernel(unit: Unit, { kernel, reads }: Kind<"kernel">): void {
    const space = roleOf(unit, this.members.geometry) === "full" ? "full" : "row";
    const inputs = reads.map((read) => this.read(read, space));
    const outputs = unit.results.map((nodes, i) => this.result(nodes, { type: kernel.outputs[i]!.type, space }));
    this.pending.push((place) => {
      const own = inputs.map(({ id, space: from }) => ({
        id: place(id),
        uniform: from === "one" || (from === "row" && space === "full"),
      }));
      return {
        kind: "kernel",
        space,
        kernel: withUniform(
          kernel,
          own.map(({ uniform }) => uniform),
        ),
        inputs: own.map(({ id }) => id),
        outputs: outputs.map(place),
      };
    });
  }

  private fold(unit: Unit, { fold: { op, work, round }, operand }: Kind<"fold">): void {
    const [node] = unit.nodes as [Node];
    const { id } = this.read({ base: operand, view: flatView(sizeOf(operand.out.shape)) }, "full");
    const output = this.result([node], { type: node.out.type, space: "row" });
    this.pending.push((place) => ({ kind: "fold", op, work, round, input: place(id), output: place(output) }));
  }

  /** Results have negative numbers until the operands are known. */
  private result(nodes: readonly Node[], value: RowsValue): number {
    const id = -this.results.push(value);
    for (const node of nodes) this.resultOf.set(node, id);
    return id;
  }

  private read({ base, view }: Seen, reader: "full" | "row"): { readonly id: number; readonly space: RowsSpace } {
    const own = this.resultOf.get(base);
    if (own !== undefined) return { id: own, space: this.results[-1 - own]!.space };
    const operand = this.operandOf(view, reader);
    const { shape, strides, offset } = operand.view;
    const key = `${base.id} ${operand.space} ${offset} ${shape.join()} ${strides.join()}`;
    const known = this.shown.get(key);
    if (known !== undefined) return { id: known, space: operand.space };
    const id = this.operands.push({ type: base.out.type, ...operand }) - 1;
    this.bases.push(base);
    this.shown.set(key, id);
    return { id, space: operand.space };
  }

  private operandOf(view: View, reader: "full" | "row"): { readonly space: RowsSpace; readonly view: View } {
    const { geometry, cut } = this.members;
    const space = spaceOf(view, reader === "row" ? { rows: 1, length: 1 } : geometry);
    if (space === "one") return { space, view: pointView(view) };
    if (reader === "row") return { space: "row", view: packed(view) };
    if (space === "row") return { space, view: packed(overRows(view, geometry)!) };
    return { space: space === "column" && cut ? "full" : space, view: packed(view) };
  }
}

/** Without axes of one element, and row-major ones as one: the same operand so has the same view, whatever its shape. */
const packed = ({ shape, strides, offset }: View): View => ({ ...collapse(shape, strides), offset });

function keyOfProgram({ values, steps, outputs }: Pick<RowsProgram, "values" | "steps" | "outputs">): string {
  const lines = steps.map((step) =>
    step.kind === "kernel"
      ? `${step.space} ${step.inputs.join()}>${step.outputs.join()} ${keyOf(step.kernel)}`
      : `${step.op} ${step.input}>${step.output} ${step.work}${step.round ? "" : " kept"}`,
  );
  return [values.map(({ type, space }) => `${type} ${space}`).join(), ...lines, outputs.join()].join("\n");
}

/** The row program of some units. */
export function rowsFusionOf(members: Members, units: Units, roots: ReadonlySet<Node>): Fusion {
  const draft = new Draft(members);
  for (const unit of members.units) draft.add(unit);
  const inside = new Set(members.units.flatMap(({ nodes }) => nodes));
  const isWanted = (node: Node): boolean =>
    roots.has(node) ||
    units.readers(node).some((reader) => !inside.has(reader) && (reader.kind !== "reshape" || isWanted(reader)));
  const outputs = members.units.flatMap(({ results }) => results.flat()).filter(isWanted);
  return { inputs: draft.bases, outputs, attrs: new LazyFused(draft.program(outputs), draft.bases, outputs) };
}
