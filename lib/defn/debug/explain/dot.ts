/** A report in the DOT language of Graphviz. */
import { drawingOf, type Box, type Group } from "./drawing";
import type { Report } from "./report";

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;

const STYLES: { readonly [R in Box["role"]]: string } = {
  parameter: "shape=box, style=rounded",
  capture: "shape=box, style=rounded",
  literal: "shape=box, style=rounded",
  view: "shape=box, style=dashed",
  hook: "shape=cds",
  operation: "shape=box",
  return: "shape=plaintext",
};

const boxLine = ({ id, lines, role }: Box): string => `${id} [label=${quoted(lines.join("\n"))}, ${STYLES[role]}];`;

function groupLines({ id, label, boxes, groups }: Group): string[] {
  const inside = [`label=${quoted(label)};`, ...boxes.map(boxLine), ...groups.flatMap(groupLines)];
  return [`subgraph cluster_${id} {`, ...inside.map((line) => `  ${line}`), "}"];
}

/** The report as DOT. */
export function toDot(report: Report): string {
  const { boxes, groups, edges } = drawingOf(report);
  const lines = [
    `node [fontname="monospace", fontsize=11];`,
    ...boxes.map(boxLine),
    ...groups.flatMap(groupLines),
    ...edges.map(([from, to]) => `${from} -> ${to};`),
  ];
  return ["digraph {", ...lines.map((line) => `  ${line}`), "}"].join("\n");
}
