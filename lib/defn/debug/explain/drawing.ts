/** What a picture of a report shows, before it is written in the language of one tool or another. */
import type { GraphReport, KernelReport, NodeReport, Report } from "./report";

export interface Box {
  readonly id: string;
  readonly lines: readonly string[];
  readonly role: NodeReport["role"] | "return";
}

export interface Group {
  readonly id: string;
  readonly label: string;
  readonly boxes: readonly Box[];
  readonly groups: readonly Group[];
}

interface Drawing {
  readonly boxes: readonly Box[];
  readonly groups: readonly Group[];
  readonly edges: readonly (readonly [from: string, to: string])[];
}

/** A number of things. */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

const costText = ({ flops, bytesRead, bytesWritten }: KernelReport): string =>
  `${plural(flops, "flop")}, ${plural(bytesRead + bytesWritten, "byte")}`;

/** The drawing of a graph; ids begin with `prefix`, which is that of the node whose function it is. */
function drawGraph({ nodes, outputs, kernels }: GraphReport, prefix: string): Drawing {
  const idOf = (name: string): string => `${prefix}${name}`;
  const fused = kernels.filter((kernel) => kernel.nodes.length > 1);
  const isFused = (node: NodeReport): boolean => fused.some(({ index }) => index === node.kernel);
  const box = (node: NodeReport): Box => {
    const kernel = node.kernel === null || isFused(node) ? undefined : kernels[node.kernel];
    const lines = [
      `${node.name} = ${node.text}`,
      ...node.types,
      ...(node.leaves === null ? [] : [`on ${node.leaves}`]),
      ...(kernel ? [costText(kernel)] : []),
    ];
    return { id: idOf(node.name), lines, role: node.role };
  };
  const kernelGroups = fused.map((kernel) => ({
    id: `${prefix}kernel_${kernel.index}`,
    label: `kernel ${kernel.index}: ${costText(kernel)}`,
    boxes: nodes.filter((node) => node.kernel === kernel.index).map(box),
    groups: [],
  }));
  const inner = nodes.flatMap((node) =>
    node.functions.map(({ role, graph }, i) => {
      const id = `${idOf(node.name)}_${i}`;
      return { node, id, label: `${role} of ${node.name}`, drawing: drawGraph(graph, `${id}_`) };
    }),
  );
  const end: Box = { id: idOf("return"), lines: ["return"], role: "return" };
  return {
    boxes: [...nodes.filter((node) => !isFused(node)).map(box), end],
    groups: [
      ...kernelGroups,
      ...inner.map(({ id, label, drawing }) => ({ id, label, boxes: drawing.boxes, groups: drawing.groups })),
    ],
    edges: [
      ...nodes.flatMap((node) => [...new Set(node.inputs)].map((input) => [idOf(input), idOf(node.name)] as const)),
      ...[...new Set(outputs)].map((output) => [idOf(output), end.id] as const),
      ...inner.flatMap(({ node, drawing, id }) => [...drawing.edges, [`${id}_return`, idOf(node.name)] as const]),
    ],
  };
}

/** The drawing of a report. */
export const drawingOf = (report: Report): Drawing => drawGraph(report, "n_");
