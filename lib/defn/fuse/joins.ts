/**
 * Kernels that read tensors one after the other: what nothing else reads of a concatenation is not written first, and the parts are read
 * where they lie, through the moves that they are.
 */
import type { NestOperand, NestStage } from "../../backend";
import { tuning } from "../../backends/tuning";
import { sizeOf } from "../../core/shape";
import { MOST_PARTS, runsOf } from "../../kernel/joined";
import type { Node, PrimitiveNode } from "../graph";
import { nestOf, operandOf } from "./nest";
import { LazyFused, type Fusion } from "./replace";
import type { Unit, Units } from "./rows/units";
import { isWhole, viewOf, whole, type Viewed } from "./views";

/** An input of a kernel: one tensor, or several one after the other along an axis. */
interface Read {
  readonly parts: readonly Viewed[];
  readonly axis: number | null;
}

type Join = PrimitiveNode<"concatenate">;

/** The fusions of the kernels of a graph that read concatenations. */
export function joinFusions(units: Units): Fusion[] {
  return units.all.flatMap((unit) => fusionOf(unit, units) ?? []);
}

function fusionOf(unit: Unit, units: Units): Fusion | null {
  const { work, results } = unit;
  if (work.kind !== "kernel" || work.size <= tuning.joinedFrom || results.some(({ length }) => length !== 1))
    return null;
  const isOnly = ({ base }: Viewed): boolean => work.reads.filter((other) => other.base === base).length === 1;
  const reads = work.reads.map((read): Read => {
    const { base } = read;
    const joins = isJoin(base) && isWhole(read) && isOnly(read) && units.isReadOnlyBy(unit, base);
    return joins ? joined(base) : { parts: [read], axis: null };
  });
  if (reads.every(({ axis }) => axis === null)) return null;
  const outputs = results.flat();
  const inputs = reads.flatMap(({ parts }) => parts.map(({ base }) => base));
  return { inputs, outputs, attrs: new LazyFused(nestFor(work, reads, outputs), inputs, outputs) };
}

/** Whether a node is a concatenation of a few tensors of its type. */
function isJoin(node: Node): node is Join {
  if (node.kind !== "concatenate" || node.inputs.length > MOST_PARTS) return false;
  return node.inputs.every(({ out }) => out.type === node.out.type && sizeOf(out.shape) > 0);
}

/** The parts of a concatenation as they are seen; those whose elements of a row are no neighbours are moved first. */
function joined({ inputs, attrs: { axis } }: Join): Read {
  const parts = inputs.map((input) => {
    const seen = viewOf(input);
    return runsOf(seen.view, axis) === null ? whole(input) : seen;
  });
  return { parts, axis };
}

function nestFor(
  { kernel, size }: Extract<Unit["work"], { kind: "kernel" }>,
  reads: readonly Read[],
  outs: readonly Node[],
) {
  const operands: NestOperand[] = [];
  const joins: Omit<Extract<NestStage, { kind: "join" }>, "output">[] = [];
  const places = reads.map(({ parts, axis }): readonly [joins: boolean, place: number] => {
    if (axis === null) return [false, operands.push(operandOf(parts[0]!)) - 1];
    const inputs = parts.map(({ base, view }) => operands.push({ type: base.out.type, space: "part", view }) - 1);
    return [true, joins.push({ kind: "join", axis, inputs }) - 1];
  });
  const first = operands.length;
  const inputs = places.map(([joins, place]) => (joins ? first + place : place));
  const outputs = outs.map((_, i) => first + joins.length + i);
  const stages: NestStage[] = joins.map((join, i) => ({ ...join, output: first + i }));
  stages.push({ kind: "map", space: "full", kernel, inputs, outputs });
  const types = [...joins.map(({ inputs: [part] }) => operands[part!]!.type), ...outs.map(({ out }) => out.type)];
  const results = types.map((type) => ({ type, space: "full" as const }));
  return nestOf({ kind: "joined", groups: 1, rows: size, columns: 1, root: null, operands, stages, outputs, results });
}
