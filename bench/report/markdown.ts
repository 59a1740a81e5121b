/**
 * Results as they stand in the docs. Every function gives the lines between two markers.
 */
import type { CliffLine } from "../cliffs/protocol";
import type { CallCosts } from "../peers/protocol";
import { timeOf } from "../peers/rounds";
import type { CallResults, CliffResults, Heading, MemoryResults, Row, ScalingResults, TableResults } from "./results";
import { figure } from "./text";

export function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

/** Where, when and with what it was measured. */
export function circumstances({ date, machine, peers, missing, nx }: Heading): string {
  const who = peers.map(({ name, version, runtime, threads }) => {
    const of = name === "nx" ? `the ${nx} of nx` : `${name} ${version}`.trim();
    return `${of} (${runtime}; threads: ${threads})`;
  });
  const without = missing.length > 0 ? ` Not there: ${missing.map(({ name }) => name).join(", ")}.` : "";
  return `Measured ${date} on ${machine}: ${who.join(", ")}.${without}`;
}

/** The member that others are set beside: it gives results back, as peers do. */
const BASE = "nx-using";

/** How many times as long as that of the base the time of a member is; null where one of both was not measured. */
function ratioOf({ cells }: Row, member: string): number | null {
  const [cell, base] = [cells[member], cells[BASE]];
  if (!cell || !base || "error" in cell || "error" in base) return null;
  return timeOf(cell, member) / timeOf(base, BASE);
}

function cellText(row: Row, peer: string): string {
  const cell = row.cells[peer];
  if (!cell) return "-";
  if ("error" in cell) return "failed";
  const time = `${figure(timeOf(cell, peer))}${cell.agrees ? "" : "\\*"}`;
  const ratio = peer === BASE ? null : ratioOf(row, peer);
  return ratio === null ? time : `${time} (${figure(ratio)})`;
}

function disagreements({ rows }: TableResults): string {
  const found = rows.flatMap(({ work, cells }) =>
    Object.entries(cells).flatMap(([peer, cell]) => ("error" in cell || cell.agrees ? [] : [`${peer} at ${work}`])),
  );
  return found.length === 0 ? "" : `\n\n\\* differs from the reference by more than is tolerated: ${found.join("; ")}.`;
}

export function peersMarkdown(results: TableResults): string {
  const peers = results.peers.map(({ name }) => name);
  const rows = results.rows.map((row) => [row.work, ...peers.map((peer) => cellText(row, peer))]);
  return `${tableOf(["microseconds", ...peers], rows)}${disagreements(results)}\n\n${circumstances(results)}`;
}

/** Rows of the README, a choice of those of the table. */
const CHOICE = [
  "gelu, tanh form",
  "Black-Scholes",
  "polynomial, 9 operations",
  "softmax 1000x1000",
  "sum, axis 0",
  "1000x1 + 1x1000",
  "add of 8, eager",
  "matmul 512",
  "sort",
  "cumulative sum",
  "gradient, MLP 256-256-10",
];

/** Columns of the README: members with the names that they have there. */
const COLUMNS = {
  nx: "nothing released",
  "jax-js": "jax-js",
  tfjs: "TensorFlow.js",
  "numpy-ts": "numpy-ts",
  NumPy: "NumPy",
};

/** The table of the README: microseconds of nx, and how many times as long the others take. */
export function besideMarkdown({ rows, peers, date }: TableResults): string {
  const columns = Object.entries(COLUMNS).filter(([name]) => peers.some((peer) => peer.name === name));
  const titles = columns.map(([name, title]) =>
    name === "nx" ? title : `${title} ${peers.find((peer) => peer.name === name)!.version}`,
  );
  const chosen = CHOICE.flatMap((work) => rows.filter((row) => row.work === work));
  const lines = chosen.map((row) => {
    const ratios = columns.map(([name]) => ratioOf(row, name));
    return [row.work, cellText(row, BASE), ...ratios.map((ratio) => (ratio === null ? "-" : figure(ratio)))];
  });
  return `${tableOf(["work", "nx-numerics, µs", ...titles], lines)}\n\nMeasured ${date}.`;
}

const CALLS: readonly (readonly [keyof CallCosts, string])[] = [
  ["first", "first call in the process"],
  ["fresh", "first call of another function"],
  ["again", "first call of a new function with known operations"],
  ["shape", "known function, new shape"],
  ["trace", "tracing alone"],
  ["hit", "known function, known shape"],
];

export function callsMarkdown(results: CallResults): string {
  const peers = Object.keys(results.costs);
  const rows = CALLS.map(([key, title]) => [title, ...peers.map((peer) => figure(results.costs[peer]![key]))]);
  return `${tableOf(["microseconds", ...peers], rows)}\n\n${circumstances(results)}`;
}

export function scalingMarkdown(results: ScalingResults): string {
  const tables = Object.entries(results.curves).map(([work, curve]) => {
    const measured = new Set(Object.values(curve).flatMap((points) => Object.keys(points)));
    const lengths = [...measured].sort((a, b) => Number(a) - Number(b));
    const rows = Object.entries(curve)
      .filter(([, points]) => Object.keys(points).length > 0)
      .map(([peer, points]) => [peer, ...lengths.map((n) => (n in points ? figure(points[n]!) : "-"))]);
    return tableOf([`${work}, microseconds`, ...lengths.map((n) => `1e${Math.log10(Number(n))}`)], rows);
  });
  return `${tables.join("\n\n")}\n\n${circumstances(results)}`;
}

/** What cases can change, with the titles of the columns. */
const GROUPS: readonly (readonly [groups: readonly string[], title: string])[] = [
  [["size", "shape"], "size or shape"],
  [["layout"], "layout"],
  [["type"], "type"],
];

const excess = ({ ratio, bound }: CliffLine): number => ratio / bound;

/** The case furthest above its bound, or nearest to it. */
function worstOf(cases: readonly CliffLine[]): string {
  if (cases.length === 0) return "-";
  const worst = cases.reduce((most, found) => (excess(found) > excess(most) ? found : most));
  const text = `${figure(worst.ratio)}: ${worst.where}`;
  return excess(worst) > 1 ? `**${text}**` : text;
}

export function cliffsMarkdown(results: CliffResults): string {
  const works = [...new Set(results.cases.map(({ work }) => work))];
  const rows = works.map((work) => {
    const cases = results.cases.filter((found) => found.work === work);
    const over = cases.filter((found) => excess(found) > 1).length;
    const worst = GROUPS.map(([groups]) => worstOf(cases.filter(({ group }) => groups.includes(group))));
    return [work, ...worst, `${over} of ${cases.length}`];
  });
  const header = ["worst case by", ...GROUPS.map(([, title]) => title), "above the bound"];
  return `${tableOf(header, rows)}\n\n${circumstances(results)}`;
}

export function memoryMarkdown(results: MemoryResults): string {
  const peers = results.peers.map(({ name }) => name);
  const rows = Object.entries(results.peaks).map(([work, found]) => [
    work,
    ...peers.map((peer) => (peer in found ? (found[peer]! / 1e6).toFixed(0) : "-")),
  ]);
  return `${tableOf(["megabytes", ...peers], rows)}\n\n${circumstances(results)}`;
}
