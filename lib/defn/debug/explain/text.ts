/** A report as text for the terminal: passes, graph, kernels and buffers as tables. */
import { plural } from "./drawing";
import type { FunctionReport, GraphReport, NodeReport, Report } from "./report";

type Cell = string | number;

/** Rows under a header, columns as wide as they need, numbers to the right. */
function table(header: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const all = [header, ...rows];
  const widths = header.map((_, i) => Math.max(...all.map((row) => String(row[i]).length)));
  const isNumber = header.map((_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === "number"));
  return all.map((row) =>
    row
      .map((cell, i) => (isNumber[i] ? String(cell).padStart(widths[i]!) : String(cell).padEnd(widths[i]!)))
      .join("  ")
      .trimEnd(),
  );
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => (line === "" ? "" : `  ${line}`));

function kernelTable({ kernels }: GraphReport): string[] {
  const rows = kernels.map(({ index, nodes, reads, writes, flops, bytesRead, bytesWritten, liveBytes }) => [
    index,
    nodes.join(", "),
    reads.join(", "),
    writes.join(", "),
    flops,
    bytesRead,
    bytesWritten,
    liveBytes,
  ]);
  return table(["kernel", "nodes", "reads", "writes", "flops", "bytes read", "written", "held"], rows);
}

function bufferTable({ buffers }: GraphReport): string[] {
  const step = (kernel: number | null): string => (kernel === null ? "" : String(kernel));
  const isInPlace = buffers.some(({ over }) => over !== null);
  const rows = buffers.map(({ name, role, type, bytes, from, to, over }) => {
    const row = [name, role, type, bytes, step(from), step(to)];
    return isInPlace ? [...row, over ?? ""] : row;
  });
  return table(["buffer", "role", "type", "bytes", "from", "to", ...(isInPlace ? ["over"] : [])], rows);
}

function nodeTable({ nodes, outputs }: GraphReport): string[] {
  const rows = nodes.map(({ name, text, types, kernel, leaves }) => [
    `${name} = ${text}`,
    types.join(", "),
    kernel === null ? "" : `kernel ${kernel}${leaves === null ? "" : ` on ${leaves}`}`,
  ]);
  return [...table(["node", "type", ""], rows), `return ${outputs.join(", ")}`];
}

function functionLines(node: NodeReport, { role, graph }: FunctionReport): string[] {
  return [`${role} of ${node.name}, each time`, ...indented(graphLines(graph))];
}

/** Which kernels run together, and what splits them; nothing where each kernel runs by itself. */
function programLines({ programs, splitting, nodes }: GraphReport): string[] {
  const isLoop = nodes.some(({ kernel, functions }) => functions.length > 0 && splitting.includes(kernel ?? -1));
  if (programs.length === 0 && !isLoop) return [];
  const lines = programs.map(
    ({ kernels }, i) => `program ${i}: ${plural(kernels.length, "kernel")}, ${kernels.join(", ")}`,
  );
  return ["", ...lines, ...(splitting.length > 0 ? [`no program has: ${splitting.join(", ")}`] : [])];
}

function graphLines(graph: GraphReport): string[] {
  const inner = graph.nodes.flatMap((node) => node.functions.flatMap((fn) => functionLines(node, fn)));
  const kernels = graph.kernels.length === 0 ? [] : ["", ...kernelTable(graph)];
  const buffers = graph.buffers.length === 0 ? [] : ["", ...bufferTable(graph)];
  return [
    ...nodeTable(graph),
    ...kernels,
    ...programLines(graph),
    ...buffers,
    ...(inner.length === 0 ? [] : ["", ...inner]),
  ];
}

function totalLines({ totals, backend }: Report): string[] {
  const { nodes, kernels, flops, bytesRead, bytesWritten, blocks, peakBytes, openLoops, leaving } = totals;
  const loops = openLoops === 0 ? [] : [`loops of unknown length, counted as one step: ${openLoops}`];
  const left = leaving === 0 ? [] : [`nodes that the backend ${backend} does not compute: ${leaving}`];
  return [
    `${plural(nodes, "node")}, ${plural(kernels, "kernel")}, ${plural(flops, "flop")}`,
    `${bytesRead} bytes read, ${bytesWritten} written, at most ${peakBytes} held, ${plural(blocks, "block")} of memory`,
    ...loops,
    ...left,
  ];
}

/** The report as text. */
export function toText(report: Report): string {
  const passes = report.passes.map(({ name, fired, nodesBefore, nodesAfter }) => [
    name,
    fired,
    nodesBefore,
    nodesAfter,
  ]);
  return [
    `compiler ${report.compiler}`,
    ...totalLines(report),
    ...(passes.length === 0 ? [] : ["", ...table(["pass", "fired", "nodes before", "after"], passes)]),
    "",
    ...graphLines(report),
  ].join("\n");
}
