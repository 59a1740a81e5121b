/**
 * Contractions with what is fused to them, as nodes to be.
 */
import type { NestRoot, NestStage } from "../../../backend";
import { sizeOf } from "../../../core/shape";
import type { Node } from "../../graph";
import { nestOf, operandOf } from "../nest";
import { LazyFused, type Fusion } from "../replace";
import type { Units } from "../rows/units";
import { epilogueOf, isContraction, type Contraction, type KernelUnit } from "./grow";
import { prologueOf, type Prologue } from "./operands";

/** The fusions of all contractions of a graph that do something that other nodes did. */
export function contractionFusions(units: Units): Fusion[] {
  const fusions: Fusion[] = [];
  for (const unit of [...units.all]) {
    const [node] = unit.nodes as [Node];
    if (!isContraction(node)) continue;
    const prologues = node.inputs.map((input) => prologueOf(input, node, units));
    const kernel = epilogueOf(node, units);
    if (!kernel && !prologues.some(({ gains }) => gains)) continue;
    fusions.push(fusionOf(node, prologues, kernel, units));
    if (kernel) units.merge([unit, kernel]);
  }
  return fusions;
}

function fusionOf(node: Contraction, prologues: readonly Prologue[], kernel: KernelUnit | null, units: Units): Fusion {
  const others = (kernel?.work.reads ?? []).filter(({ base }) => base !== node);
  const inputs = [...prologues.flatMap(({ bases }) => bases), ...others.map(({ base }) => base)];
  const results = kernel ? kernel.results.flatMap((nodes, i) => nodes.map((result) => ({ result, i }))) : [];
  const own = !kernel || !units.isReadOnlyBy(kernel, node) ? [{ result: node as Node, i: -1 }] : [];
  const wanted = [...own, ...results];
  const outputs = wanted.map(({ result }) => result);
  const nest = nestOf({
    kind: "contraction",
    groups: 1,
    rows: sizeOf(node.out.shape),
    columns: 1,
    root: rootOf(node, prologues),
    operands: others.map(operandOf),
    results: (kernel?.work.kernel.outputs ?? []).map(({ type }) => ({ type, space: "full" })),
    stages: kernel ? [stageOf(node, kernel.work, others.length)] : [],
    outputs: wanted.map(({ i }) => others.length + 1 + i),
  });
  return { inputs, outputs, attrs: new LazyFused(nest, inputs, outputs) };
}

const rootOf = ({ kind, out, attrs }: Contraction, prologues: readonly Prologue[]): NestRoot =>
  ({ kind, out, attrs, operands: prologues.map(({ operand }) => operand) }) as unknown as NestRoot;

/** The kernel on the result of the root, which comes after the operands; those of the kernel come after it. */
function stageOf(node: Contraction, { kernel, reads }: KernelUnit["work"], root: number): NestStage {
  let next = 0;
  return {
    kind: "map",
    space: "full",
    kernel,
    inputs: reads.map(({ base }) => (base === node ? root : next++)),
    outputs: kernel.outputs.map((_, i) => root + 1 + i),
  };
}
