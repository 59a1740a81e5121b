/**
 * Nests from their units: the list of values, the stages that compute them, and the values with readers outside.
 */
import { getOrMake } from "../../../core/get-or-make";
import type { Nest, NestOperand, NestSpace, NestStage, NestValue, View } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import { collapse } from "../../../kernel/operand";
import { overLines, spaceOf } from "../../../kernel/spaces";
import { withUniform } from "../../../kernel/uniform";
import { pointView, wholeView } from "../../../kernel/view";
import type { Node } from "../../graph";
import { nestOf } from "../nest";
import { LazyFused, type Fusion } from "../replace";
import type { Viewed } from "../views";
import { roleOf, type Members } from "./grow";
import type { Unit, Units } from "./units";

type Kind<K extends string> = Extract<Unit["work"], { kind: K }>;

class Draft {
  readonly bases: Node[] = [];
  private readonly operands: NestOperand[] = [];
  /** Ids of operands by node and view; results of units by their nodes. */
  private readonly operandIds = new Map<string, number>();
  private readonly resultOf = new Map<Node, number>();
  private readonly results: NestValue[] = [];
  private readonly pending: ((value: (id: number) => number) => NestStage)[] = [];

  constructor(private readonly members: Members) {}

  add(unit: Unit): void {
    const { work } = unit;
    if (work.kind === "kernel") this.kernel(unit, work);
    else this.fold(unit, work as Kind<"fold">);
  }

  /** The nest. Results are numbered after the operands, whose number is known only in the end. */
  nest(outputs: readonly Node[]): Nest {
    const { operands, results } = this;
    const place = (id: number): number => (id >= 0 ? id : operands.length - 1 - id);
    const stages = this.pending.map((stage) => stage(place));
    const places = outputs.map((node) => place(this.resultOf.get(node)!));
    return nestOf({
      kind: this.members.kind,
      ...this.members.geometry,
      root: null,
      operands,
      results,
      stages,
      outputs: places,
    });
  }

  private kernel(unit: Unit, { kernel, reads }: Kind<"kernel">): void {
    const space = roleOf(unit, this.members.geometry) === "full" ? "full" : "line";
    const inputs = reads.map((read) => this.read(read, space));
    const outputs = unit.results.map((nodes, i) => this.result(nodes, { type: kernel.outputs[i]!.type, space }));
    this.pending.push((place) => {
      const own = inputs.map(({ id, space: from }) => ({
        id: place(id),
        uniform: from === "one" || (from === "line" && space === "full"),
      }));
      return {
        kind: "map",
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

  private fold(unit: Unit, { fold: { does }, operand }: Kind<"fold">): void {
    const [node] = unit.nodes as [Node];
    const { id } = this.read({ base: operand, view: wholeView([sizeOf(operand.out.shape)]) }, "full");
    const output = this.result([node], { type: node.out.type, space: does.kind === "scan" ? "full" : "line" });
    this.pending.push((place) => ({ ...does, input: place(id), output: place(output) }));
  }

  /** Results have negative numbers until the operands are known. */
  private result(nodes: readonly Node[], value: NestValue): number {
    const id = -this.results.push(value);
    for (const node of nodes) this.resultOf.set(node, id);
    return id;
  }

  private read({ base, view }: Viewed, reader: "full" | "line"): { readonly id: number; readonly space: NestSpace } {
    const own = this.resultOf.get(base);
    if (own !== undefined) return { id: own, space: this.results[-1 - own]!.space };
    const operand = this.operandOf(view, reader);
    const { shape, strides, offset } = operand.view;
    const key = `${base.id} ${operand.space} ${offset} ${shape.join()} ${strides.join()}`;
    const id = getOrMake(this.operandIds, key, () => {
      this.bases.push(base);
      return this.operands.push({ type: base.out.type, ...operand }) - 1;
    });
    return { id, space: operand.space };
  }

  private operandOf(view: View, reader: "full" | "line"): { readonly space: NestSpace; readonly view: View } {
    const { geometry } = this.members;
    const space = spaceOf(view, reader === "line" ? { groups: 1, rows: 1, columns: 1 } : geometry);
    if (space === "one") return { space, view: pointView(view) };
    if (reader === "line") return { space: "line", view: packed(view) };
    if (space === "line") return { space, view: packed(overLines(view, geometry)!) };
    return { space, view: packed(view) };
  }
}

/** A view without axes of one element, row-major axes merged: the canonical view of an operand, whatever its shape. */
const packed = ({ shape, strides, offset }: View): View => ({ ...collapse(shape, strides), offset });

/** The nest of some units, which are merged. */
export function nestFusionOf(members: Members, units: Units): Fusion {
  const draft = new Draft(members);
  for (const unit of members.units) draft.add(unit);
  const isWanted = (node: Node): boolean => !units.isReadOnlyBy(units.of(node), node);
  const outputs = members.units.flatMap(({ results }) => results.flat()).filter(isWanted);
  return { inputs: draft.bases, outputs, attrs: new LazyFused(draft.nest(outputs), draft.bases, outputs) };
}
