/** A report as a flowchart of Mermaid, which GitHub shows in Markdown. */
import { drawingOf, type Box, type Group } from "./drawing";
import type { Report } from "./report";

/** Text in quotes is taken as it is but for these. */
const escape = (text: string): string => text.replace(/[#"<>&`]/g, (char) => `#${char.charCodeAt(0)};`);

const SHAPES: { readonly [R in Box["role"]]: readonly [open: string, close: string] } = {
  parameter: ["([", "])"],
  capture: ["([", "])"],
  literal: ["([", "])"],
  view: ["[", "]"],
  hook: [">", "]"],
  operation: ["[", "]"],
  return: ["((", "))"],
};

function boxLine({ id, lines, role }: Box): string {
  const [open, close] = SHAPES[role];
  return `${id}${open}"${lines.map(escape).join("<br/>")}"${close}`;
}

function groupLines({ id, label, boxes, groups }: Group): string[] {
  const inside = [...boxes.map(boxLine), ...groups.flatMap(groupLines)];
  return [`subgraph ${id}["${escape(label)}"]`, ...inside.map((line) => `  ${line}`), "end"];
}

/** The report as Mermaid. */
export function toMermaid(report: Report): string {
  const { boxes, groups, edges } = drawingOf(report);
  const lines = [
    ...boxes.map(boxLine),
    ...groups.flatMap(groupLines),
    ...edges.map(([from, to]) => `${from} --> ${to}`),
  ];
  return ["flowchart TD", ...lines.map((line) => `  ${line}`)].join("\n");
}
