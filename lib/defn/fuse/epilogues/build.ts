/**
 * Contractions with what is fused to them, as nodes to be.
 */
import type { FusedContraction, FusedKernel } from "../../../backend";
import { keyOf } from "../../../kernel/key";
import type { Node } from "../../graph";
import { LazyFused, type Fusion } from "../replace";
import { isFusedKernel } from "../rows/single";
import type { Units } from "../rows/units";
import { epilogueOf, isContraction, type Contraction, type KernelUnit } from "./grow";
import { prologueOf, type Prologue } from "./operands";

/** The fusions of all contractions of a graph that do something that other nodes did. */
export function contractionFusions(units: Units, roots: ReadonlySet<Node>): Fusion[] {
  const fusions: Fusion[] = [];
  for (const unit of [...units.all]) {
    const [node] = unit.nodes as [Node];
    if (!isContraction(node)) continue;
    const prologues = node.inputs.map((input) => prologueOf(input, node, units, roots));
    const kernel = epilogueOf(node, units);
    if (!kernel && !prologues.some(({ gains }) => gains)) continue;
    fusions.push(fusionOf(node, prologues, kernel, units, roots));
    if (kernel) units.merge([unit, kernel]);
  }
  return fusions;
}

function fusionOf(
  node: Contraction,
  prologues: readonly Prologue[],
  kernel: KernelUnit | null,
  units: Units,
  roots: ReadonlySet<Node>,
): Fusion {
  const reads = kernel ? kernel.work.reads.map(({ base }) => base) : [];
  const others = reads.filter((base) => base !== node);
  const inputs = [...prologues.map(({ base }) => base), ...others];
  const results = kernel ? kernel.results.flatMap((nodes, i) => nodes.map((result) => ({ result, i }))) : [];
  const own = !kernel || isWanted(node, kernel, units, roots) ? [{ result: node as Node, i: null }] : [];
  const outputs = [...own, ...results];
  let next = prologues.length;
  const { kind, out, attrs } = node;
  const fused: FusedContraction = {
    contraction: { kind, out, attrs } as FusedContraction["contraction"],
    operands: prologues.map(({ operand }) => operand) as unknown as FusedContraction["operands"],
    epilogue: kernel && fusedKernelOf(kernel),
    reads: reads.map((base) => (base === node ? null : next++)),
    outputs: outputs.map(({ i }) => i),
  };
  const nodes = outputs.map(({ result }) => result);
  return { inputs, outputs: nodes, attrs: new LazyFused(fused, inputs, nodes) };
}

/** Whether others than the kernel read the result of a contraction; reshapes are part of what reads through them. */
function isWanted(node: Node, kernel: KernelUnit, units: Units, roots: ReadonlySet<Node>): boolean {
  if (roots.has(node)) return true;
  return units
    .readers(node)
    .some((reader) =>
      reader.kind === "reshape"
        ? isWanted(reader, kernel, units, roots)
        : units.of(reader) !== units.of(kernel.nodes[0]!),
    );
}

function fusedKernelOf({ nodes: [node], work: { kernel, reads } }: KernelUnit): FusedKernel {
  if (isFusedKernel(node!)) return node.attrs.fused;
  return { kernel, key: keyOf(kernel), views: reads.map(({ view }) => view) };
}
